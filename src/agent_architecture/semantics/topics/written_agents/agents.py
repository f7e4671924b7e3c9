"""Agents that are written by hand: classes of the project that ask a model and are an agent by what they have.

A class is one that owns an agent's loop, and is called an agent, or runs its tools and asks the model or holds the
prompt; one that is called an agent and asks a model itself; one whose objects are made with what they are called and
what they are told, or that are records of this with which others ask a model; and one that asks a model and runs such
objects. Of a family of classes each one is an agent that somebody makes objects of, or that nobody derives from; where
the objects of a class are told apart by what they are made with, each object is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import Agent, SiteKind
from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import enclosing_class, lineage
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.topics.written_agents.asking import asking
from agent_architecture.semantics.topics.written_agents.functions import function_agents
from agent_architecture.semantics.topics.written_agents.identities import NAMES, TOLD, is_told_apart, made_apart
from agent_architecture.semantics.topics.written_agents.naming import (
    is_abstract,
    is_called_agent,
    names_agent,
    only_provides,
    only_shows,
)
from agent_architecture.semantics.topics.written_agents.records import recorded
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.written_agents.asking import Asking

PROMPT: Final = frozenset({"instruction", "instructions", "prompt", "prompts"})
"""Words of attributes in which an agent keeps what it is told."""


class Written(NamedTuple):
    """The agents of one class: the class, or the objects that are told apart, by the call that makes each."""

    cls: ir.Class
    whole: Agent | None
    objects: Mapping[int, Agent]

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All of them, by position."""
        return tuple(self.objects.values()) if self.whole is None else (self.whole,)


class Found(NamedTuple):
    """The classes and functions of agents that are written by hand, and what asks models."""

    classes: tuple[Written, ...]
    asking: Asking
    functions: tuple[Agent, ...] = ()

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Every agent, by position."""
        found = (*self.functions, *(agent for one in self.classes for agent in one.agents))
        return tuple(sorted(found, key=lambda agent: agent.span))


def written_agents(work: Work, sites: Iterable[Site], loops: Iterable[HandWritten]) -> Found:
    """The agents that are written by hand; what a library makes is that library's."""
    own = tuple(loops)
    found = _Reader(work.context, sites, own).found()
    return found._replace(functions=function_agents(work.context, sites, own))


class _Reader:
    def __init__(self, context: Context, sites: Iterable[Site], loops: Iterable[HandWritten]) -> None:
        self._context = context
        self._program = context.program
        self._owners, self._conversing = _owners(context, sites, loops)
        self._calls = tuple(m.node for m in context.of_kind("model_call") if isinstance(m.node, ir.Call))
        self._asking = asking(self._program, self._calls, self._stops)
        self._of_libraries = [m.node.span for m in context.of_kind("agent")]

    def found(self) -> Found:
        """The classes of agents, in the order of their places."""
        found: dict[ir.Class, tuple[Tool, ...]] = {}
        asks = frozenset(self._asking.classes)
        for cls, tools in self._owners.items():
            for one in self._family(cls):
                own = tools if one is cls else ()
                if self._is_one_by_loop(one, own, asks=cls in asks and cls in self._conversing):
                    found.setdefault(one, own)
        for cls in self._asking.classes:
            if cls not in self._owners and self._stops(cls):
                found |= {one: () for one in self._family(cls) if one not in found}
        agents = frozenset(found)
        for running in self._asking.running:
            is_new = running.cls in asks and not agents & self._whole_family(running.cls)
            if is_new and agents & self._whole_family(running.target) and _tells(self._program, running.cls):
                found.setdefault(running.cls, ())
        known = frozenset(one for cls in found for one in self._whole_family(cls))
        for cls in recorded(self._program, self._calls, known):
            found |= {one: () for one in self._family(cls) if one not in found}
        kept = (cls for cls in found if self._is_ours(cls))
        made = (self._of_class(cls, found[cls]) for cls in sorted(kept, key=lambda cls: cls.name_span))
        return Found(tuple(made), self._asking)

    def _stops(self, cls: ir.Class) -> bool:
        """Whether an object of a class that asks a model is an agent by what it is called, or made with."""
        program = self._program
        if only_provides(program, cls) or only_shows(program, cls):
            return False
        return is_called_agent(program, cls) or cls in self._owners or is_told_apart(program, cls)

    def _is_one_by_loop(self, cls: ir.Class, tools: tuple[Tool, ...], *, asks: bool) -> bool:
        """Whether a class with an agent's loop is called an agent, by itself or with its bases, or has all of one:
        tools, and the requests to the model or a prompt.
        """
        program = self._program
        if names_agent(program, cls):
            return True
        if only_shows(program, cls) or only_provides(program, cls):
            return False
        return bool(tools) and (asks or any(PROMPT & {*words_of(name)} for name in program.attributes(cls)))

    def _is_ours(self, cls: ir.Class) -> bool:
        """Whether no library's construct makes the agent: the class itself, or one that it makes."""
        if self._context.at(cls, "agent") is not None:
            return False
        inside = [one.span for one in lineage(self._program, cls)]
        return cls in self._owners or not any(around.contains(span) for around in inside for span in self._of_libraries)

    def _whole_family(self, cls: ir.Class) -> frozenset[ir.Class]:
        return frozenset({*lineage(self._program, cls), *self._program.subclasses(cls)})

    def _family(self, cls: ir.Class) -> Iterator[ir.Class]:
        """The classes of which agents are made that go through the loop, or the requests, of a class."""
        for one in (cls, *(below for below in self._derived(cls) if below not in self._owners)):
            is_last = not self._derived(one) and (one in self._owners or not is_abstract(self._program, one))
            made = any(made is one for made, _ in constructions(self._program, one))
            if is_last or made or _makes_itself(self._program, one):
                yield one

    def _derived(self, cls: ir.Class) -> tuple[ir.Class, ...]:
        """The classes below one that are of the same part of the project: an example's are none of the application."""
        role = self._program.module_of(cls).role
        return tuple(one for one in self._program.subclasses(cls) if self._program.module_of(one).role is role)

    def _of_class(self, cls: ir.Class, tools: tuple[Tool, ...]) -> Written:
        objects = {
            id(made.call): Agent(made.call.span, made.name or cls.name, "", tools, degree=Degree.INFERRED)
            for made in made_apart(self._program, cls)
        }
        whole = None if objects else Agent(cls.name_span, cls.name, "", tools, degree=Degree.INFERRED)
        return Written(cls, whole, objects)


def _owners(
    context: Context, sites: Iterable[Site], loops: Iterable[HandWritten]
) -> tuple[Mapping[ir.Class, tuple[Tool, ...]], frozenset[ir.Class]]:
    """The classes that own an agent's loop, with the tools that it runs; and those that make the request in it
    themselves, or in whose loop a conversation grows that others ask the model with.
    """
    program = context.program
    tools = {site.span: site.tools for site in sites if site.kind is SiteKind.HAND_WRITTEN_LOOP}
    owners: dict[ir.Class, tuple[Tool, ...]] = {}
    conversing: set[ir.Class] = set()
    for loop in loops:
        cls = enclosing_class(program, loop.scope) if loop.site is not None else None
        if cls is not None and loop.site is not None and loop.site.span in tools:
            owners[cls] = tuple(dict.fromkeys((*owners.get(cls, ()), *tools[loop.site.span])))
            if loop.grown or any(enclosing_class(program, ask.node) is cls for ask in loop.asks):
                conversing.add(cls)
    return owners, frozenset(conversing)


def _tells(program: Program, cls: ir.Class) -> bool:
    """Whether a class writes what its model is told: messages with roles, a prompt."""
    methods = (node for node in cls.body if isinstance(node, ir.Function))
    return any(_is_told(node) for method in methods for node in program.structure(method).nodes)


def _is_told(node: ir.Node) -> bool:
    match node:
        case ir.Map():
            return {"role", "content"} <= {
                entry.key.value for entry in node.entries if isinstance(entry.key, ir.Literal)
            }
        case ir.Call():
            return any(argument.keyword in TOLD.difference(NAMES) for argument in node.args)
        case ir.Name():
            return bool(PROMPT & {*words_of(node.id)})
        case ir.Member():
            return bool(PROMPT & {*words_of(node.name)})
        case _:
            return False


def _makes_itself(program: Program, cls: ir.Class) -> bool:
    """Whether a class has a method that makes its objects: `return cls(…)`."""
    methods = (node for node in cls.body if isinstance(node, ir.Function) and node.receiver == "cls")
    calls = (call for method in methods for call in program.structure(method).calls)
    return any(isinstance(call.callee, ir.Name) and call.callee.id == "cls" for call in calls)
