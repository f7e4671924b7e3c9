"""What was found: agent call sites, servers, agents, tools and handoffs, in compact lines. It judges nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.model.system import PROTOCOL_SITES, BoundKind, Degree, SiteKind
from agent_architecture.render.layout import Cell
from agent_architecture.render.style import CYAN, DIM, Style
from agent_architecture.render.view import View

if TYPE_CHECKING:
    from agent_architecture.model.system import Agent, Handoff, Site, Tool
    from agent_architecture.report import ProjectFacts
    from agent_architecture.sources.source import Span

LONGEST_NAME: Final = 32
LONGEST_LIST: Final = 60
KINDS: Final = {
    SiteKind.RUN: "run",
    SiteKind.EXPORTED_GRAPH: "exported graph",
    SiteKind.HAND_WRITTEN_LOOP: "hand-written loop",
    SiteKind.DISPATCH: "dispatch",
    SiteKind.MCP_SERVER: "MCP server",
    SiteKind.MCP_CLIENT: "MCP client",
    SiteKind.A2A: "A2A endpoint",
    SiteKind.TOOLKIT: "toolkit",
}

ENDS: Final = {
    BoundKind.COLLECTION: "ends with a collection",
    BoundKind.NO_PROGRESS: "ends without progress",
    BoundKind.DEADLINE: "ends by a deadline",
    BoundKind.BUDGET: "ends by a budget",
    BoundKind.PERSON: "a person ends it",
}
"""What ends a hand-written loop that no number of steps does."""
PLAIN: Final = View(100, Style(color=False, unicode=True), verbose=False, source=lambda _, __: None)
"""For words that no terminal shows."""


def inventory(project: ProjectFacts, view: View) -> Iterator[list[str]]:
    """One block of lines for each kind of thing that was found."""
    runs = [site for site in project.sites if site.kind not in PROTOCOL_SITES]
    servers = [site for site in project.sites if site.kind in PROTOCOL_SITES]
    yield from _block("Agent call sites", [(*_site(site, view), _limit(site, project, view)) for site in runs], view)
    yield from _block("MCP and A2A", [_site(site, view) for site in servers], view)
    yield from _block("Agents", [_agent(agent, view) for agent in project.agents], view)
    yield from _block("Tools", [_tool(tool, view) for tool in project.tools], view)
    yield from _block("Handoffs", [_handoff(edge, view) for edge in project.handoffs], view)


def _block(title: str, rows: list[tuple[Cell, ...]], view: View) -> Iterator[list[str]]:
    if rows:
        yield [view.heading(title, len(rows)), *view.table(rows)]


def _site(site: Site, view: View) -> tuple[Cell, ...]:
    return (
        Cell(KINDS[site.kind]),
        _name(site.symbol, view),
        Cell(view.place(site.span), (CYAN,)),
        Cell(_framework(site, view) or "by hand", (DIM,)),
    )


def _limit(site: Site, project: ProjectFacts, view: View) -> Cell:
    return Cell(limit_words(site, project, view))


def limit_words(found: Site | Agent, project: ProjectFacts, view: View = PLAIN) -> str:
    """What ends a run, or the runs of an agent: its steps, or what ends a hand-written loop."""
    bound = project.bounds.get(found.span)
    if bound is not None and bound.kind in ENDS:
        return ENDS[bound.kind]
    written = bound.limit if bound is not None else found.step_limit
    limits = [written] if written != ABSENT else [agent.step_limit for agent in getattr(found, "agents", ())]
    return "; ".join(dict.fromkeys(step_limit(limit, view, found.span) for limit in limits or [ABSENT]))


def _agent(agent: Agent, view: View) -> tuple[Cell, ...]:
    tools = ", ".join(tool.name for tool in agent.tools)
    return (
        _name(agent.symbol, view),
        Cell(view.place(agent.span), (CYAN,)),
        Cell(_framework(agent, view), (DIM,)),
        Cell(view.style.cut(f"tools: {tools}", LONGEST_LIST) if tools else "no tools", () if tools else (DIM,)),
    )


def _tool(tool: Tool, view: View) -> tuple[Cell, ...]:
    parameters = f"({', '.join(tool.parameters)})"
    return (
        _name(tool.name or tool.symbol, view),
        Cell(view.place(tool.span), (CYAN,)),
        Cell(_framework(tool, view), (DIM,)),
        Cell(view.style.cut(parameters, LONGEST_LIST), (DIM,)),
    )


def _handoff(edge: Handoff, view: View) -> tuple[Cell, ...]:
    source, target = (view.style.cut(agent.symbol, LONGEST_NAME) for agent in (edge.source, edge.target))
    return (
        Cell(f"{source} {view.style.mark('→')} {target}"),
        Cell(view.place(edge.span), (CYAN,)),
        Cell(_framework(edge, view), (DIM,)),
    )


def _framework(entity: Site | Agent | Tool | Handoff, view: View) -> str:
    """The library, and how it is known that the thing is there where that is not resolved."""
    name = view.style.cut(entity.framework, LONGEST_NAME)
    return name if entity.degree is Degree.RESOLVED else f"{name} ({entity.degree})".strip()


def _name(text: str, view: View) -> Cell:
    return Cell(view.style.cut(text, LONGEST_NAME))


def step_limit(limit: Setting, view: View, site: Span) -> str:
    """The effective step limit, and whose it is: the library's, or where it was written if that is not at the site."""
    values = " or ".join("none" if value is None else str(value) for value in limit.values)
    match limit.origin:
        case Origin.WRITTEN:
            elsewhere = limit.span is not None and limit.span[:2] != site[:2]
            where = f" ({view.place(limit.span)})" if limit.span and elsewhere else ""
            return (
                view.style.cut(f"step limit {values}", LONGEST_LIST) if values != "none" else "limit switched off"
            ) + where
        case Origin.DEFAULT:
            whose = f" ({limit.source} default)" if limit.source else " (default)"
            return view.style.cut(
                (f"step limit {values}" if values != "none" else "no step limit") + whose, LONGEST_LIST
            )
        case Origin.UNKNOWN:
            source = f" ({limit.source})" if limit.source else ""
            return view.style.cut(f"step limit not readable{source}", LONGEST_LIST)
    return "no step limit"
