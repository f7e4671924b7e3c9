"""Several projects in one repository: which folders they are, and the scores of each.

A project is the folder of a manifest with an agent call site that no nearer manifest is responsible for. It must not
know how a verdict was reached, nor how a report shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.scoring import AxisScore, score

if TYPE_CHECKING:
    from agent_architecture.detector import Verdict
    from agent_architecture.registry import Judged
    from agent_architecture.scoring import ScoringConfig

REQUIREMENT_FOLDERS: Final = frozenset({"requirements", "constraints"})
"""Folders that hold the manifests of the folder around them."""


class ProjectPart(NamedTuple):
    """One project of several: its folder (`.` is the scanned root), its sites, and its own scores."""

    path: str
    sites: int
    health: float
    axes: tuple[AxisScore, ...]

    def holds(self, path: str) -> bool:
        """Whether a file lies below it, in whatever project."""
        return self.path == "." or path.startswith(self.path + "/")


def parts_of(
    manifests: Iterable[str], sites: Sequence[str], results: Sequence[Judged], config: ScoringConfig
) -> tuple[ProjectPart, ...]:
    """The projects of a scan, by path; none where there is only one.

    Args:
        manifests: the paths of all manifests and lock files.
        sites: the path of the file of each agent call site.
        results: what the detectors said.
        config: how that becomes scores.
    """
    folders = frozenset(map(_folder, manifests))
    counts = Counter(owner for path in sites if (owner := _nearest(path, folders)) is not None)
    if len(counts) < 2:  # noqa: PLR2004 - several
        return ()
    known = frozenset(counts)
    owners: dict[str, str | None] = {}
    split: dict[str, list[Judged]] = {folder: [] for folder in counts}
    for result in results:
        own: dict[str, list[Verdict]] = {folder: [] for folder in counts}
        for verdict in result.verdicts:
            path = verdict.span.path
            owner = owners[path] if path in owners else owners.setdefault(path, _nearest(path, known))
            if owner is not None:
                own[owner].append(verdict)
        for folder, verdicts in own.items():
            split[folder].append(result._replace(verdicts=tuple(verdicts), signals=None))
    return tuple(_part(folder, counts[folder], split[folder], config) for folder in sorted(counts))


def owner_of(path: str, parts: Iterable[ProjectPart]) -> ProjectPart | None:
    """The project that a file belongs to; None for what lies in none of them."""
    return max((part for part in parts if part.holds(path)), key=lambda part: _depth(part.path), default=None)


def _part(folder: str, sites: int, results: Sequence[Judged], config: ScoringConfig) -> ProjectPart:
    """What the detectors said of the files of one project, as if it stood alone."""
    scores = score(results, config, has_sites=True)
    return ProjectPart(folder, sites, scores.health, scores.axes)


def _folder(manifest: str) -> str:
    folder = manifest.rpartition("/")[0]
    around, _, name = folder.rpartition("/")
    return (around if name.lower() in REQUIREMENT_FOLDERS else folder) or "."


def _nearest(path: str, folders: frozenset[str]) -> str | None:
    """The innermost of these folders around a file."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if (folder or ".") in folders:
            return folder or "."
    return None


def _depth(folder: str) -> int:
    return 0 if folder == "." else folder.count("/") + 1
