"""Agents that a host reads from files of the project by itself (`.claude/agents/*.md`), where code of the project runs
that host's agent with the project's files: rows say which files, and whose `scope` they are.

A host's files that nothing in the project runs are for whoever works on the project, not what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Agent
from agent_architecture.names.values import Const, Items
from agent_architecture.semantics.matching.documents import entries, first
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

KIND: Final = "agent"
SOURCES: Final = "setting_sources"
"""The property that says which files a run reads."""
OWN: Final = "project"
"""The word there for those of the project."""


def agents_in_files(context: Context) -> Iterator[Agent]:
    """The agents in files of hosts, by row, file and position."""
    for row in context.packs.documents:
        if row.kind != KIND:
            continue
        scope = str(row.constants.get("scope", "")).split()
        running = [match for match in context.of_kind(KIND) if match.row.where.pack in scope]
        if any(context.role(match) is Role.APP and _reads_files(context, match) for match in running):
            for _, _, node in entries(context, row):
                named = first(node, row.properties["name"])
                if isinstance(named, ir.Literal) and isinstance(named.value, str) and named.value.strip():
                    yield Agent(named.span, named.value.strip(), row.where.pack, degree=Degree.INFERRED)


def _reads_files(context: Context, match: Match) -> bool:
    """Whether a run reads the project's files: nothing says which it reads, or they are among those."""
    address = match.row.properties.get(SOURCES)
    if address is None:
        return False
    values = at_call(context.program, match.arguments, match.api.receiver, address).values
    lists = [value for value in values if isinstance(value, Items)]
    words = [value for one in lists for item in one.items for value in context.program.value_of(item)]
    told = {value.value for value in words if isinstance(value, Const)}
    return not lists or OWN in told or not all(one.complete for one in lists)
