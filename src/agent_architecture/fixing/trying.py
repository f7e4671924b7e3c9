"""What an analysis says of a project with other texts in some of its files, which stay as they are on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agent_architecture.fixing.applied import Analyze
    from agent_architecture.pipeline import Progress
    from agent_architecture.report import Outcome
    from agent_architecture.session import Session


def trying(session: Session, root: Path, progress: Progress | None = None) -> Analyze:
    """The analysis of a session's project below `root`; a file that is given no text is what it is on the disk."""
    changed = set[str]()

    def analyze(texts: Mapping[str, bytes]) -> Outcome:
        for path in changed - texts.keys():
            session.forget(root / path)
        changed.intersection_update(texts)
        for path, text in texts.items():
            session.edit(root / path, text)
            changed.add(path)
        return session.outcome(progress=progress)

    return analyze
