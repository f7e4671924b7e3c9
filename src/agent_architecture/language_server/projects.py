"""The projects of a workspace: what was last found in each, and which of them speaks of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.fixing import repairs_of
from agent_architecture.language_server.analysis import Analysis, Answer, Gone, Refused
from agent_architecture.language_server.diagnostics import of_answer, of_refused
from agent_architecture.language_server.lenses import Judged
from agent_architecture.language_server.repairs import Repairs
from agent_architecture.language_server.roots import owner
from agent_architecture.language_server.texts import Texts
from agent_architecture.records import NamedTuple
from agent_architecture.render.seen import seen_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from lsprotocol.types import Diagnostic

    from agent_architecture.language_server.diagnostics import Found
    from agent_architecture.language_server.roots import Root
    from agent_architecture.language_server.work import Work
    from agent_architecture.pipeline import Progress


class View(NamedTuple):
    """What an editor is shown of an answer."""

    texts: Texts
    judged: Judged
    gaps: Found
    repairs: Repairs


class Project:
    """One project, and what was last found in it."""

    def __init__(self, root: Root, encoding: str) -> None:
        """Nothing is found yet. `encoding` is the editor's."""
        self.root = root
        self.work: Work | None = None
        self.view: View | None = None
        self.refused: Found = {}
        self._analysis = Analysis(root)
        self._encoding = encoding

    def look(self, texts: Mapping[Path, str], progress: Progress) -> View | Refused | Gone:
        """Analyse it, in whatever thread, one after the other. What `progress` raises ends the work."""
        found = self._analysis.answer(texts, progress)
        if not isinstance(found, Answer):
            return found
        read = Texts(found, self._encoding)
        judged = Judged(found.report, seen_nodes(found.report), self.root)
        known = repairs_of(found.report, lambda path: read.of(self.root.path(path)).text.encode("utf-8", "replace"))
        return View(read, judged, of_answer(found, self.root, read), Repairs(known, self.root, read))

    def take(self, found: View | Refused | Gone) -> None:
        """What that came to. While the configuration cannot be obeyed, what was found before it stays."""
        self.refused = of_refused(found) if isinstance(found, Refused) else {}
        if not isinstance(found, Refused):
            self.view = found if isinstance(found, View) else None

    def found(self) -> Iterator[tuple[Path, list[Diagnostic]]]:
        """The diagnostics of all files."""
        if self.view is not None:
            yield from self.view.gaps.items()
        yield from self.refused.items()


class Projects:
    """All projects of the workspace."""

    def __init__(self) -> None:
        """None yet."""
        self._all: dict[Root, Project] = {}

    def __iter__(self) -> Iterator[Project]:
        return iter(self._all.values())

    def add(self, project: Project) -> None:
        """One more."""
        self._all[project.root] = project

    def remove(self, root: Root) -> None:
        """It is worked on no more."""
        gone = self._all.pop(root, None)
        if gone is not None and gone.work is not None:
            gone.work.stop()

    def has(self, root: Root) -> bool:
        """Whether it is one of them."""
        return root in self._all

    def of(self, path: Path) -> Project | None:
        """The project that speaks of a file: the innermost."""
        root = owner(self._all, path)
        return None if root is None else self._all[root]

    def found(self) -> Mapping[Path, list[Diagnostic]]:
        """What is found in each file. A file above all projects (their configuration) has what each says of it."""
        told: dict[Path, list[Diagnostic]] = {}
        for project in self:
            for path, diagnostics in project.found():
                root = owner(self._all, path)
                if root is None or root == project.root:
                    here = told.setdefault(path, [])
                    here += [one for one in diagnostics if one not in here]
        return told
