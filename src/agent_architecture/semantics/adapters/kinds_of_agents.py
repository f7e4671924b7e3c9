"""Classes of the project whose objects are an agent of a library each, made by the constructor of their base.

The base makes it of what each class hands on: `super().__init__(model, [write_document], "You write.")`. One call makes
them all, and each has the tools that stand in its own class, or where its objects are made. Which tools an agent takes
is for `agents` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import CONSTRUCTOR, lineage
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

CONSTRUCTORS: Final = frozenset({CONSTRUCTOR, "constructor"})
SEVERAL: Final = 2
"""Fewer classes with tools of their own are one agent that is told apart by nothing."""


def kinds_of(
    context: Context, match: Match, given: Iterable[tuple[ir.Expr, Tool]]
) -> Mapping[ir.Class, Iterable[Tool]]:
    """The classes whose objects are agents that one call makes, with the tools of each among those that the call, or
    what it makes, is given; nothing for an agent that is one.
    """
    base = _constructed(context.program, match.node) if not match.through else None  # those are told apart already
    classes = tuple(_classes(context.program, base)) if base is not None else ()
    if base is None or len(classes) < SEVERAL:
        return {}
    homes = {cls: tuple(_homes(context.program, base, cls)) for cls in classes}
    found: dict[ir.Class, dict[int, Tool]] = {cls: {} for cls in classes}
    others: list[Tool] = []
    for expr, tool in given:
        owners = [cls for cls in classes if any(home.contains(expr.span) for home in homes[cls])]
        others += [] if owners else [tool]
        for cls in owners:
            found[cls][id(tool)] = tool
    if sum(map(bool, found.values())) < SEVERAL:
        return {}
    own = {key for tools in found.values() for key in tools}
    shared = {id(tool): tool for tool in others if id(tool) not in own}  # what the base gives to all of them
    return {cls: (tools | shared).values() for cls, tools in found.items()}


def _constructed(program: Program, node: ir.Node) -> ir.Class | None:
    """The class in whose constructor a call stands."""
    scope = program.scope_of(node) if isinstance(node, ir.Call) else None
    owner = scope.outer if isinstance(scope, ir.Function) and scope.name in CONSTRUCTORS else None
    return owner if isinstance(owner, ir.Class) else None


def _classes(program: Program, base: ir.Class) -> Iterator[ir.Class]:
    """The classes of which somebody makes objects that go through a constructor, and those that nobody derives from; a
    base that is only derived from is none.
    """
    role = program.module_of(base).role
    family = [cls for cls in (base, *program.subclasses(base)) if program.module_of(cls).role is role]
    for cls in sorted(family, key=lambda one: one.name_span):
        is_last = cls is not base and not any(cls in lineage(program, one)[1:] for one in family)
        if is_last or any(made is cls for made, _ in constructions(program, cls)):
            yield cls


def _homes(program: Program, base: ir.Class, cls: ir.Class) -> Iterator[Span]:
    """Where it is said what the objects of a class are made with: in it, in its bases below the one that makes the
    agent, where its objects are made.
    """
    below = (one for one in lineage(program, cls) if one is not base and base in lineage(program, one))
    yield from (one.span for one in below)
    yield from (call.span for made, call in constructions(program, cls) if made is cls)
