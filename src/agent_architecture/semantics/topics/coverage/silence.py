"""Why a project with agent libraries, requests to models or tools has no site: what was seen, where, and what is
missing for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.matching.context import called
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Notice, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

SHOWN: Final = 5
"""Places of one kind that are named; the rest is counted."""

MAKING: Final = ("agent", "graph", "run")
"""Kinds of rows of libraries that make or run agents."""


def silence(context: Context, agents: Agents) -> Iterator[Notice]:
    """What was seen of agents in a project without a site, by place; a few of each kind, and how many more."""
    for kind in (_requests, _agents, _tools, _imports):
        seen = sorted(set(kind(context, agents)))
        more = len(seen) - SHOWN
        for number, (span, text) in enumerate(seen[:SHOWN], 1):
            rest = f" ({more} more places like this)" if number == SHOWN and more > 0 else ""
            yield Notice(span.path, span.line, text + rest, incomplete=False)


def _requests(context: Context, agents: Agents) -> Iterator[tuple[Span, str]]:
    for match in context.of_kind("model_call"):
        if _is_judged(context, match.node.span):
            tools = agents.tools_of(match)
            missing = (
                "no code is seen to run the tool that it picks"
                if tools
                else "it has no tools, no loop sends its answer back, and no code runs what it answers"
            )
            yield match.node.span, f"no site: {called(match.node)} asks a model; {missing}"


def _agents(context: Context, agents: Agents) -> Iterator[tuple[Span, str]]:
    for agent in agents.agents:
        if _is_judged(context, agent.span):
            yield agent.span, f"no site: {agent.symbol} is an agent; nothing is seen to run or to export it"


def _tools(context: Context, agents: Agents) -> Iterator[tuple[Span, str]]:
    for tool in agents.all_tools():
        if _is_judged(context, tool.span):
            yield tool.span, f"no site: {tool.name} looks like a tool; no agent, request or server is seen to offer it"


def _imports(context: Context, agents: Agents) -> Iterator[tuple[Span, str]]:
    """Imports of libraries that make agents, of which nothing was recognised."""
    del agents
    known = {match.row.where.pack for match in context.matches}
    packs = context.packs.packs.items()
    owners = {(package.ecosystem, package.name): name for name, pack in packs for package in pack.packages}
    making = context.packs.libraries(*MAKING)
    for module in context.program.modules:
        prefix = "py:" if is_python(module.path) else "npm:"
        for _, node in module.index.imports:
            package = context.packs.package_of(f"{prefix}{node.module}") if node.module else None
            if package in making and owners.get(package) not in known and _is_judged(context, node.span):
                yield node.span, f"no site: {node.module} is imported; no agent of it is seen to be made or run"


def _is_judged(context: Context, span: Span) -> bool:
    file = context.program.table.file(span.path)
    return file is None or file.role in {Role.APP, Role.CONFIG}
