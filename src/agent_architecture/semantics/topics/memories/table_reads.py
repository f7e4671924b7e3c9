"""Where code puts together, for a model, what a table keeps of a conversation: the list that it makes of the rows.

The table is a store; what one request is sent of it is a context of its own, with a size of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import NOT_SHOWN, Collection
from agent_architecture.model.settings import ABSENT, Setting, written
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import is_answer
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.trims import kept_at_an_end, size_kept
from agent_architecture.semantics.matching.context import called
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled

LENGTH: Final = frozenset({"len", "bool", "length"})
"""What tells how much of a list there is."""
THROUGH: Final = 3
"""Functions of the project that hand on what one of them reads."""


class _Read(NamedTuple):
    """An expression that gives the rows, in its scope; `bound` is how many the call asks for."""

    node: ir.Node
    scope: ir.Scope
    bound: Setting = ABSENT


def shown(program: Program, read: Recalled, reading: ir.Node, limit: ir.Expr | None) -> tuple[Collection, ...]:
    """One for each list that the rows of a table become on the ways to models. `reading` stands in the function that
    asks the database, `limit` is how many rows that function takes, if it says so.
    """
    found: dict[object, Collection] = {}
    for one in _handed_on(program, read, _Read(reading, program.scope_of(reading)), limit):
        made = _list_of(program, read, one)
        span, symbol = (one.node.span, "the stored conversation") if made is None else (made.span, _name(made))
        bound = _cut_later(program, one) if one.bound is ABSENT else one.bound
        overflow = ABSENT if bound is ABSENT else written(NOT_SHOWN, bound.span or span)
        collection = Collection(span, symbol, "", lives_on=True, stored=True, bound=bound, overflow=overflow)
        found.setdefault((span.path, span.line), collection._replace(confidence=Confidence.MEDIUM))
    return tuple(found.values())


def _cut_later(program: Program, one: _Read) -> Setting:
    """How many of the rows are read of the variable that holds them, where that is ever only a slice."""
    made = program.structure(one.scope).parent(one.node)
    if not isinstance(made, ir.Assign) or not isinstance(made.target, ir.Name):
        return ABSENT
    return _slice_of(program, one.scope, made.target.id, THROUGH) or ABSENT


def _slice_of(program: Program, scope: ir.Scope, name: str, through: int) -> Setting | None:
    """What is left of a list that code reads by slices alone, itself or in the functions that it hands it to."""
    structure = program.structure(scope)
    sizes: list[Setting] = []
    for node in structure.nodes:
        if not isinstance(node, ir.Name) or node.id != name:
            continue
        parent = structure.parent(node)
        around = structure.parent(parent) if isinstance(parent, ir.Member) else parent
        kept = kept_at_an_end(around, name) if isinstance(around, (ir.Index, ir.Call)) else None
        if kept is not None:
            sizes.append(size_kept(program, kept))
        elif isinstance(parent, ir.Call) and parent.callee is not node and not _looks(parent):
            size = _slice_of_callees(program, CallSite(parent, scope), node, through - 1)
            if size is None:
                return None
            sizes.append(size)
        elif not _only_looks(parent, node):
            return None
    return sizes[0] if sizes else None


def _looks(call: ir.Call) -> bool:
    return callee_name(call.callee) in LENGTH


def _slice_of_callees(program: Program, site: CallSite, given: ir.Name, through: int) -> Setting | None:
    callees = tuple(program.callees(site.call)) if through > 0 else ()
    found = [
        _slice_of(program, each, param.name, through)
        for each in callees
        for param in each.params
        if passed_argument(site, each, param) is given
    ]
    return found[0] if found and len(found) == len(callees) and all(size is not None for size in found) else None


def _only_looks(parent: ir.Node | None, node: ir.Name) -> bool:
    """Whether the list is set there, or only looked at: whether there is something in it."""
    match parent:
        case ir.Assign(target=target):
            return target is node
        case ir.If(test=test):
            return test is node
        case ir.Call():
            return _looks(parent)
        case ir.Operator(operands=operands):
            return len(operands) == 1
        case ir.Member(name=name):
            return name in LENGTH
        case _:
            return False


def _handed_on(
    program: Program, read: Recalled, one: _Read, limit: ir.Expr | None, through: int = THROUGH
) -> Iterator[_Read]:
    """The calls on the ways to a model that give what a function reads; what it reads itself where nobody does."""
    function = one.scope
    sites = program.callers(function) if isinstance(function, ir.Function) and through else ()
    taken = [site for site in sites if id(site.call) in read.nodes]
    if not taken:
        yield one
    for site in taken:
        bound = one.bound
        param = _parameter(function, limit) if isinstance(function, ir.Function) else None
        given = (
            passed_argument(site, function, param) if param is not None and isinstance(function, ir.Function) else None
        )
        if given is not None and not isinstance(given, Unknown):
            size = size_kept(program, given)
            bound = size if any(isinstance(value, int) for value in size.values) or not size.is_known else bound
        step = _Read(site.call, site.scope, bound)
        around = program.structure(site.scope).ancestors(site.call)
        if any(map(is_answer, around)):
            yield from _handed_on(program, read, step, None, through - 1)
        else:
            yield step


def _parameter(function: ir.Function, limit: ir.Expr | None) -> ir.Parameter | None:
    name = limit.id if isinstance(limit, ir.Name) else ""
    return next((param for param in function.params if name and param.name == name), None)


def _list_of(program: Program, read: Recalled, one: _Read) -> ir.Assign | None:
    """The last variable of the scope that holds the rows, or what is made of them for the model."""
    structure = program.structure(one.scope)
    made = next((each for each in structure.ancestors(one.node) if isinstance(each, ir.Assign)), None)
    for each in structure.nodes:
        if made is None or not isinstance(made.target, ir.Name):
            return made
        if not isinstance(each, ir.Assign) or each.value is None or not made.span < each.span:
            continue
        is_of_it = any(isinstance(n, ir.Name) and n.id == made.target.id for n in ir.walk(each.value))
        if is_of_it and isinstance(each.target, ir.Name) and id(each.value) in read.nodes:
            made = each
    return made


def _name(made: ir.Assign) -> str:
    if isinstance(made.target, ir.Name):
        return made.target.id
    return called(made.value) if isinstance(made.value, ir.Call) else "the stored conversation"
