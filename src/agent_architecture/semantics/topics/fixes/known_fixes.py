"""The lines of code with which packs close gaps, and the files that they fit: by the versions of the libraries, by how
agents are made there, and by what the project's prompts and code require.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.project import MADE_BY, Fix
from agent_architecture.semantics.manifests.ranges import is_below
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.packs.stated_needs import Needs
from agent_architecture.semantics.topics.fixes.stated_steps import Stated, stated, with_room

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import FixRow

Making = dict[str, frozenset[str]]
"""The calls that make agents, by their last names, and the files where they stand."""
MODELS = ("agent", "run", "model_call")
"""Kinds of matches in a file that has its own way to ask a model."""


def known_fixes(context: Context) -> tuple[Fix, ...]:
    """All of them; those of some versions, or of some ways to make an agent, with the files where these are used."""
    made: Making = {}
    for match in context.of_kind("agent"):
        name = last_name(match.api.path)
        made[name] = made.get(name, frozenset()) | {match.node.span.path}
    asking = context.files_of(*MODELS)
    numbers = context.once(numbers_stated)
    used = {match.row.where.pack for match in context.matches}
    rows = (row for row in context.packs.fixes if row.where.pack in used or not row.against)
    written = (fix for row in rows for fix in _written(context, row, made, asking))
    return tuple(fix._replace(text=with_room(fix.text, numbers)) if any(numbers) else fix for fix in written)


def numbers_stated(context: Context) -> Stated:
    """What the project's texts ask for in numbers; `Context.once` asks it."""
    return stated(context.program)


def is_against(context: Context, row: FixRow, path: str) -> bool:
    """Whether a row goes against what the project requires in a file."""
    refusing = context.once(_needs).files(row.against) if row.against else frozenset()
    return refusing is None or path in refusing


def _written(context: Context, row: FixRow, made: Making, asking: frozenset[str]) -> Iterator[Fix]:
    """A row's line; once for each of its ways to make an agent that the project uses."""
    fix = Fix(row.detector, row.where.pack, row.ecosystem, row.text, row.parts, _files(context, row))
    place = MADE_BY.search(row.text)
    if place is None:
        yield fix
        return
    every = fix.files if fix.files is not None else frozenset(module.path for module in context.program.modules)
    for name in place[1].split("|"):
        if name in made:
            yield fix._replace(text=MADE_BY.sub(name, row.text), files=every - (asking - made[name]))


def _files(context: Context, row: FixRow) -> frozenset[str] | None:
    """The files that a row fits; None for all."""
    refusing = context.once(_needs).files(row.against) if row.against else frozenset()
    if refusing is None:
        return frozenset()
    if not (row.since or row.before or refusing):
        return None
    paths = frozenset(module.path for module in context.program.modules) - refusing
    if not (row.since or row.before):
        return paths
    package = context.packs.main_package(row.where.pack, row.ecosystem)
    return frozenset(path for path in paths if admits(row, context.versions.of(row.ecosystem, package, path).version))


def admits(row: FixRow, version: str) -> bool:
    """Whether a version is among those of a row; one that nobody can read is the newest."""
    if row.before and not is_below(version, row.before):
        return False
    return not (row.since and is_below(version, row.since))


def _needs(context: Context) -> Needs:
    return Needs(context.program)
