"""Agent libraries that a project declares and of which nothing was found in its code.

Such a project may be judged by a part of it alone; the reader is told. Says nothing about whether that is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.manifests.ranges import normalise
from agent_architecture.sources.source import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Project
    from agent_architecture.semantics.matching.context import Context

USES: Final = ("agent", "graph", "run", "model_call", "model_client", "mcp_server", "mcp_client")
"""Kinds of entities that show that a library is used."""


def unseen_libraries(context: Context, project: Project, frameworks: Iterable[str]) -> tuple[Notice, ...]:
    """One notice for each agent library that is declared while nothing of it was found.

    Args:
        context: what was matched in the code.
        project: the dependencies that its manifests declare.
        frameworks: the packs of the sites that were found.
    """
    seen = {*frameworks, *(match.row.where.pack for match in context.of_kind(*USES))}
    return tuple(_notices(context, project, seen))


def _notices(context: Context, project: Project, seen: set[str]) -> Iterator[Notice]:
    makes_agents = context.packs.libraries("agent", "graph")
    declared = {(found.ecosystem, normalise(found.ecosystem, found.name)): found for found in project.dependencies}
    for name, pack in sorted(context.packs.packs.items()):
        if name in seen:
            continue
        for package in pack.packages:
            found = declared.get((package.ecosystem, normalise(package.ecosystem, package.name)))
            if found is not None and (package.ecosystem, package.name) in makes_agents:
                text = f"{found.name} {found.version}".strip()
                message = f"{text} is a dependency; no agent of it was found"
                yield Notice(found.path or "", None, message, incomplete=False)
                break
