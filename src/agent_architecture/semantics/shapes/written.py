"""Agents that are written by hand: the classes that own an agent's loop, and are called agents, or run its tools and
ask the model themselves or hold its prompt.

Of a family of classes that share a loop each one is an agent that somebody makes objects of, or that nobody derives
from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Agent, SiteKind
from agent_architecture.names.calls import constructions
from agent_architecture.names.classes import enclosing_class
from agent_architecture.semantics.shapes.constructed import AGENT
from agent_architecture.semantics.shapes.kinds import base_names
from agent_architecture.semantics.shapes.words import words_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.lifters.loops import HandWritten

PROMPT: Final = frozenset({"instruction", "instructions", "prompt", "prompts"})
"""Words of attributes in which an agent keeps what it is told."""


SHOWING: Final = frozenset({"app", "application", "screen", "widget", "window", "component", "view", "page", "dialog"})
"""Last words of bases of what only shows an agent: Textual's `App`, Qt's widgets, React's `Component`."""


def written_agents(context: Context, sites: Iterable[Site], loops: Iterable[HandWritten]) -> tuple[Agent, ...]:
    """The agents whose loops are these, by position; one that a library makes is that library's."""
    tools = {site.span: site.tools for site in sites if site.kind is SiteKind.HAND_WRITTEN_LOOP}
    owners: dict[ir.Class, tuple[Tool, ...]] = {}
    asking: set[ir.Class] = set()
    for loop in loops:
        cls = enclosing_class(context.program, loop.scope) if loop.site is not None else None
        if cls is not None and loop.site is not None and loop.site.span in tools:
            owners[cls] = tuple(dict.fromkeys((*owners.get(cls, ()), *tools[loop.site.span])))
            if any(enclosing_class(context.program, ask.node) is cls for ask in loop.asks):
                asking.add(cls)
    found: dict[ir.Class, Agent] = {}
    for cls, given in owners.items():
        for one in _family(context.program, cls, frozenset(owners)):
            own = given if one is cls else ()
            is_agent = _is_agent(context.program, one, own, asks=one in asking)
            if is_agent and context.at(one, "agent") is None:
                found.setdefault(one, Agent(one.name_span, one.name, "", own, degree=Degree.INFERRED))
    return tuple(sorted(found.values(), key=lambda agent: agent.span))


def _is_agent(program: Program, cls: ir.Class, tools: tuple[Tool, ...], *, asks: bool) -> bool:
    """Whether a class with an agent's loop is called an agent, by itself or with its bases, or has all of one: tools,
    and the requests to the model or a prompt.
    """
    bases = tuple(base_names(program, cls))
    if any(AGENT & {*words_of(name)} for name in (cls.name, *bases)):
        return True
    if any({*words_of(name)[-1:]} & SHOWING for name in bases):
        return False
    return bool(tools) and (asks or any(PROMPT & {*words_of(name)} for name in program.attributes(cls)))


def _family(program: Program, cls: ir.Class, owners: frozenset[ir.Class]) -> Iterator[ir.Class]:
    """The classes of which agents are made that go through the loop of a class."""
    below = tuple(one for one in program.subclasses(cls) if one not in owners)
    for one in (cls, *below):
        is_last = not program.subclasses(one)
        if is_last or _makes_itself(program, one) or any(made is one for made, _ in constructions(program, one)):
            yield one


def _makes_itself(program: Program, cls: ir.Class) -> bool:
    """Whether a class has a method that makes its objects: `return cls(…)`."""
    methods = (node for node in cls.body if isinstance(node, ir.Function) and node.receiver == "cls")
    calls = (call for method in methods for call in program.structure(method).calls)
    return any(isinstance(call.callee, ir.Name) and call.callee.id == "cls" for call in calls)
