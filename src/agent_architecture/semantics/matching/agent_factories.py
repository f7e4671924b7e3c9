"""Agents that one call of a library makes for many: a function of the project that is given the name or the tools of an
agent, a class whose objects are made with them, or whose derived classes say them, a loop over what is to be made.

Each call of such a function, each object, each class and each element is an agent, with what it passes in the place of
parameters, loop variables and `self`, where that names another agent, or other tools (of one without a name: another
task): one agent that is made for each user or request is one. The values say which call a returned agent was made for
(`names/factories.py`). Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.factories import names_in, written
from agent_architecture.names.mutations import changes_of_attribute
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Func, Instance, Items
from agent_architecture.semantics.matching.substitutions import SELF, bound_by, filled, of_call
from agent_architecture.semantics.matching.tool_identities import classes_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.matching.substitutions import Filling
    from agent_architecture.semantics.matching.tool_factories import Apart

AGENT: Final = "agent"
DEPTH: Final = 4
"""Functions, classes and loops around each other that hand on what they are given."""
NESTED: Final = 2
"""Lists in lists of tools that are looked into."""

Owner: TypeAlias = "ir.Function | ir.Loop | ir.Class"
"""What an agent's name or tools hang on: the parameters of a function, the variable of a loop, `self`."""
Ways: TypeAlias = "tuple[tuple[str, ...], ...]"


def made_for_each(apart: Apart, match: Match) -> tuple[Match, ...]:
    """The match of an agent as it is for each that the code around it makes; itself where there is but one."""
    call = match.arguments
    ways = apart.program.library.tells_apart(match.api.path, call) if isinstance(call, ir.Call) else ()
    found = tuple(_uses(apart, match, ways, ())) if ways else ()
    return found if len({_told(apart.program, one, ways) for one in found}) > 1 else (match,)


def _uses(apart: Apart, match: Match, ways: Ways, passed: tuple[Owner, ...]) -> Iterator[Match]:
    """One match for each use of the innermost function, class or loop that the name or the tools hang on."""
    owner = _owner(apart.program, match, ways, passed) if len(passed) < DEPTH else None
    uses = tuple(_uses_of(apart, owner)) if owner is not None else ()
    for node, filling in uses:
        given = filled(apart.program, match.arguments, filling) if isinstance(match.arguments, ir.Call) else None
        if isinstance(given, ir.Call) and owner is not None:
            made = match._replace(node=node, arguments=given, through=(*match.through, match.node))
            if isinstance(owner, ir.Class) and len(uses) == 1:  # the one object tells none of its agents apart
                made = match._replace(arguments=given)
            yield from _uses(apart, made, ways, (*passed, owner))
    if not uses:
        yield match


def _owner(program: Program, match: Match, ways: Ways, passed: tuple[Owner, ...]) -> Owner | None:
    """The innermost function, class or loop around that the name or the tools of an agent hang on."""
    found: list[Owner] = []
    for name in (name for expr in _said(match, ways) for name in names_in(program, expr)):
        if name.id == SELF:
            cls = enclosing_class(program, name)
            found.extend((cls,) if cls is not None and _is_told_by(program, cls, name) else ())
            continue
        bound = (binding.node for binding in bound_by(program, name, "parameter", "loop"))
        found.extend(node for node in bound if isinstance(node, ir.Function) or _goes_round(node, match))
    return max((one for one in found if one not in passed), key=lambda one: one.span, default=None)


def _goes_round(node: ir.Node, match: Match) -> TypeGuard[ir.Loop]:
    """Whether a loop makes the agent in its passes; one in what it is given only chooses among its tools."""
    return isinstance(node, ir.Loop) and node.span.contains(match.node.span)


def _is_told_by(program: Program, cls: ir.Class, name: ir.Name) -> bool:
    """Whether what a method takes from `self` hangs on the class below, or on what the object is made with: what the
    class itself writes, and nobody changes, is the same for all.
    """
    if classes_of(program, cls):
        return True
    around = program.structure(program.scope_of(name)).parent(name)
    part = around.name if isinstance(around, ir.Member) else ""
    bindings = program.attributes(cls).get(part, ())
    is_alike = bool(bindings) and all(_is_alike(program, binding.value) for binding in bindings)
    return not (is_alike and not changes_of_attribute(program, cls, part)) and bool(_made_of(program, cls))


def _is_alike(program: Program, value: ir.Expr | None) -> bool:
    """Whether what a class puts into an attribute of its objects is the same for all of them."""
    names = (node for node in ir.walk(value) if isinstance(node, ir.Name)) if value is not None else ()
    return value is not None and not any(name.id == SELF or bound_by(program, name, "parameter") for name in names)


def _uses_of(apart: Apart, owner: Owner) -> Iterator[tuple[ir.Call | ir.Class | ir.Map, Filling]]:
    """The uses of code with what each gives to it; none where they are not all written."""
    program = apart.program
    match owner:
        case ir.Class():
            derived = classes_of(program, owner)
            for cls in derived:
                yield cls, {(id(cls), SELF): cls}
            for call in () if derived else _made_of(program, owner):
                yield call, {(id(owner), SELF): call}
        case ir.Function():
            sites = tuple(program.callers(owner))
            if not any(site.escapes or site.decorates for site in sites):
                yield from ((site.call, of_call(owner, site)) for site in sites)
        case ir.Loop():
            for item, parts in apart.turns(owner) or ():
                node = next((one for one in ir.walk(item) if isinstance(one, (ir.Call, ir.Class, ir.Map))), None)
                yield from () if node is None else ((node, parts),)


def _made_of(program: Program, cls: ir.Class) -> tuple[ir.Call, ...]:
    """The calls that make the objects of a class from which nothing derives: `Desk("reader", tools=[find])`."""
    return tuple(call for one, call in constructions(program, cls) if one is cls)


def _said(match: Match, ways: Ways) -> Iterator[ir.Expr]:
    """What is written of an agent's name and tools."""
    call = match.arguments
    return (expr for way in ways for expr in written(call, way)) if isinstance(call, ir.Call) else iter(())


def _told(program: Program, match: Match, ways: Ways) -> tuple[object, ...]:
    """What is said of an agent: its name and its tools, or its task, as far as they can be read."""
    told = (_one(program, value, NESTED) for expr in _said(match, ways) for value in program.value_of(expr))
    return tuple(one for one in told if one is not None)


def _one(program: Program, value: Value, depth: int) -> object:
    match value:
        case Const():
            return value.value
        case Items() | Entries() if depth:
            inside = value.items if isinstance(value, Items) else tuple(expr for _, expr in value.entries)
            return frozenset(_one(program, one, depth - 1) for expr in inside for one in program.value_of(expr))
        case Func():
            return id(value.function)
        case Api():
            return value.path, value.node.span  # what a way passes is written once, and copied for each
        case Instance() | ClassValue():
            return id(value.cls)
        case _:
            return None
