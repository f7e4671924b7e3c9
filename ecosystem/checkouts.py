"""The checkouts that labels speak of: one folder a project, under its repository's own name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from ecosystem.labels import LabelError, digest_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path


OTHER_COMMIT: Final = "the checkout is not at"


class Labelled(Protocol):
    """What was written about one project."""

    @property
    def repository(self) -> str:
        """Its repository, as `owner/name`."""
        ...

    @property
    def commit(self) -> str:
        """The commit that was read, in full."""
        ...

    @property
    def digest(self) -> str:
        """Of the files; "" where nobody pinned it yet."""
        ...

    @property
    def name(self) -> str:
        """The repository's own name."""
        ...

    @property
    def paths(self) -> frozenset[str]:
        """The files that it speaks of."""
        ...


One = TypeVar("One", bound=Labelled)


def chosen(every: Sequence[One], names: Collection[str], folder: Path) -> tuple[list[One], list[One]]:
    """Those of these names (all without any), as far as their checkout is in the folder; and the rest of them."""
    wanted = [one for one in every if not names or one.name in names]
    present = [one for one in wanted if (folder / one.name).is_dir()]
    return present, [one for one in wanted if one not in present]


def differs(one: Labelled, folder: Path) -> str:
    """A sentence where the checkout is not the one that was labelled; "" where it is."""
    try:
        same = not one.digest or digest_of(one.repository, one.paths, folder / one.name) == one.digest
    except LabelError:  # a labelled file is not there
        same = False
    return "" if same else f"{one.repository}: {OTHER_COMMIT} {one.commit[:12]}"


def pin(one: Labelled, folder: Path, written: Path) -> None:
    """Write the digest of the checkout into the file of labels in the folder `written`. Raises `LabelError`."""
    path = written / (one.repository.replace("/", "__") + ".toml")
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("digest = ")]
    place = next(number for number, line in enumerate(lines) if line.startswith("commit = "))
    lines.insert(place + 1, f'digest = "{digest_of(one.repository, one.paths, folder / one.name)}"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
