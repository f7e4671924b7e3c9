"""The lines of code with which packs close gaps, and the files whose versions of the libraries have what they use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.project import Fix
from agent_architecture.semantics.effective import is_below

if TYPE_CHECKING:
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.rows import FixRow


def known_fixes(context: Context) -> tuple[Fix, ...]:
    """All of them; those of some versions with the files where these are installed."""
    return tuple(
        Fix(row.detector, row.where.pack, row.ecosystem, row.text, row.parts, _files(context, row))
        for row in context.packs.fixes
    )


def _files(context: Context, row: FixRow) -> frozenset[str] | None:
    if not (row.since or row.before):
        return None
    package = context.packs.main_package(row.where.pack, row.ecosystem)
    paths = (module.path for module in context.program.modules)
    return frozenset(path for path in paths if _admits(row, context.versions.of(row.ecosystem, package, path).version))


def _admits(row: FixRow, version: str) -> bool:
    """Whether a version is among those of a row; one that nobody can read is the newest."""
    if row.before and not is_below(version, row.before):
        return False
    return not (row.since and is_below(version, row.since))
