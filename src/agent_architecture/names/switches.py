"""Switches that no caller turns on: tests which everybody who runs a function answers alike.

`if interrupt_on is not None: middleware.append(Asking(interrupt_on))` adds nothing where all callers leave the
parameter to its default. Only parameters, parts of parameters (`options.strict`) and what a constructor was given
(`self.strict`) are told, and only where all who call are seen, and theirs too: what nobody in the project calls may be
called by somebody else.
"""

from __future__ import annotations

import operator
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import constructor, enclosing_class
from agent_architecture.names.exits import ends
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.made_objects import calls_seen, held_by_objects
from agent_architecture.names.null_checks import absence, no_value, presence
from agent_architecture.names.outside_writes import OWN, is_put_elsewhere
from agent_architecture.names.structure import blocks
from agent_architecture.names.test_parts import of_part
from agent_architecture.names.values import Api, Const, Entries, Instance, Items, Text, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Value, Values
    from agent_architecture.sources.source import Span

DEPTH: Final = 8
"""Functions in each other that hand a parameter on."""
COMPARING: Final[Mapping[ir.Op, Callable[[Any, Any], object]]] = {
    ir.Op.EQ: operator.eq, ir.Op.IS: operator.eq, ir.Op.NE: operator.ne, ir.Op.LT: operator.lt, ir.Op.LE: operator.le,
    ir.Op.GT: operator.gt, ir.Op.GE: operator.ge,
}  # fmt: skip
"""Comparisons with what is written in a test."""


def switched_on(program: Program, items: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """The elements of a list without those that are only put in behind a switch that no caller turns on."""
    return tuple(item for item in items if not is_behind(program, item))


def is_behind(program: Program, item: ir.Expr) -> bool:
    """Whether a test around an expression is answered otherwise by all who call, or one before it sends them away."""
    scope = program.scope_of(item)
    child: ir.Node = item
    for around in program.structure(scope).ancestors(item):
        if any(_sends_away(program, each) for each in _before(blocks(around), child)):
            return True
        match around:
            case ir.If(test=test, then=then) if child is not test:
                if settled(program, test, as_made=True) is (not any(child is one for one in then)):
                    return True
            case ir.Conditional(test=test, then=then) if child is not test:
                if settled(program, test, as_made=True) is (child is not then):
                    return True
            case ir.Operator(op=ir.Op.AND, operands=(first, *rest)) if any(child is one for one in rest):
                if settled(program, first, as_made=True) is False:
                    return True
            case _:
                pass
        child = around
    return isinstance(scope, ir.Function) and any(_sends_away(program, e) for e in _before((scope.body,), child))


def _before(several: Iterable[tuple[ir.Node, ...]], child: ir.Node) -> Iterator[ir.Node]:
    """The statements of a block that stand before one of it."""
    for block in several:
        if any(child is one for one in block):
            yield from takewhile(lambda one: one is not child, block)


def _sends_away(program: Program, statement: ir.Node) -> bool:
    """Whether nobody comes past a statement: a test that all answer so that they leave."""
    if not isinstance(statement, ir.If) or not (ends(statement.then) or ends(statement.otherwise)):
        return False
    answer = settled(program, statement.test, as_made=True)
    return answer is not None and ends(statement.then if answer else statement.otherwise)


def is_off(program: Program, trail: Iterable[Span]) -> bool:
    """Whether a way passes a place to which no caller's switches lead: `if log_result: record["result"] = result`."""
    return any(program.kept(_is_off_at, span) for span in trail)


def _is_off_at(program: Program, span: Span) -> bool:
    nodes = program.structure(program.scope_of(ir.Name(span, ""))).nodes
    here = next((n for n in nodes if n.span == span and isinstance(n, (ir.Name, ir.Call, ir.Member))), None)
    return here is not None and is_behind(program, here)


def passed_values(program: Program, expr: ir.Expr) -> Values:
    """The values of an argument; of a parameter that nobody gives not what its annotation promises."""
    values = program.value_of(expr)
    if any(isinstance(value, (Api, Instance)) for value in values) and _is_given_by_nobody(program, expr):
        return tuple(value for value in values if isinstance(value, Const))
    return values


def _is_given_by_nobody(program: Program, expr: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether an expression is a parameter that every caller leaves to its default, and that default is nothing."""
    bindings = visible_bindings(program, expr) if isinstance(expr, ir.Name) and depth > 0 else ()
    return bool(bindings) and all(
        isinstance(b.extra, ir.Parameter)
        and isinstance(b.node, ir.Function)
        and not b.steps
        and _is_left_out(program, b.node, b.extra, depth)
        for b in bindings
    )


def _is_left_out(program: Program, function: ir.Function, param: ir.Parameter, depth: int) -> bool:
    if param.kind or param.default is None or not no_value(param.default):
        return False
    passed = [passed_argument(site, function, param) for site in calls_seen(program, function)]
    return bool(passed) and all(
        one is None
        or (not isinstance(one, Unknown) and (no_value(one) or _is_given_by_nobody(program, one, depth - 1)))
        for one in passed
    )


def settled(program: Program, test: ir.Expr, *, as_made: bool = False) -> bool | None:
    """How all callers answer a test; None where they differ, or where not all of it is seen. `as_made`: with what the
    objects hold that the project makes. That a mode could let a question out is a gap, though no object has that mode.
    """
    asked = _said_before(program, test) if isinstance(test, ir.Name) else None
    return answered(asked or test, lambda part: _values(program, part, as_made=as_made))


def _said_before(program: Program, name: ir.Name) -> ir.Expr | None:
    """What a variable that is given its value once was made of: `asks = confirm or self.strict`."""
    bindings = visible_bindings(program, name)
    binding = bindings[0] if len(bindings) == 1 else None
    is_once = binding is not None and binding.kind == "assign" and not binding.steps
    value = binding.value if binding is not None and is_once else None
    return value if isinstance(value, (ir.Operator, ir.Conditional, ir.Member, ir.Index)) else None


def answered(test: ir.Expr, values_of: Callable[[ir.Expr], Iterable[Value]]) -> bool | None:
    """How a test is answered where its parts are these values; None where that is not known."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            answer = answered(inner, values_of)
            return None if answer is None else not answer
        case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=operands):
            answers = [answered(each, values_of) for each in operands]
            ends = op == ir.Op.OR
            return ends if ends in answers else None if None in answers else not ends
        case ir.Operator(op=ir.Op.IS | ir.Op.EQ | ir.Op.NE) if (asked := presence(test) or absence(test)) is not None:
            given = _agreed({_is_given(value) for value in values_of(asked)})
            return given if presence(test) is not None or given is None else not given
        case ir.Operator(op=op, operands=(left, ir.Literal(value=known))) if op in COMPARING:
            return _agreed({_compared(value, op, known) for value in values_of(left)})
        case ir.Conditional(test=asked, then=then, otherwise=otherwise):
            answer = answered(asked, values_of)
            ways = (then, otherwise) if answer is None else (then if answer else otherwise,)
            return _agreed({answered(way, values_of) for way in ways})
        case ir.Name() | ir.Member() | ir.Index():
            return _agreed({_truth(value) for value in values_of(test)})
        case _:
            return None


def _compared(value: Value, op: ir.Op, known: object) -> bool | None:
    """How a value compares with one that is written; None where that is not known."""
    if not isinstance(value, Const) or value.value is ir.UNDEFINED or isinstance(value.value, bool):
        return None
    try:
        return bool(COMPARING[op](value.value, known))
    except TypeError:
        return None


def _agreed(answers: set[bool | None]) -> bool | None:
    return answers.pop() if len(answers) == 1 else None


def _values(program: Program, expr: ir.Expr, *, as_made: bool) -> Iterator[Value]:
    """What an expression may be, where everybody who decides that is seen."""
    if isinstance(expr, ir.Name) and not _is_parameter(program, expr):
        return
    if not _is_closed(program, expr, DEPTH):
        yield from held_by_objects(program, expr) if as_made else ()
        return
    values = program.value_of(expr)
    owner, part = of_part(expr)
    if values or owner is None:
        yield from values
        return
    for holder in program.value_of(owner):  # `options.strict` of `{}`
        if isinstance(holder, Entries) and holder.complete and part not in dict(holder.entries):
            yield Const(ir.UNDEFINED, expr.span)
        else:
            yield Unknown("a part that is not readable", expr)


def _is_closed(program: Program, expr: ir.Expr, depth: int) -> bool:
    """Whether the parameters that an expression rests on are given by callers in this project alone."""
    if depth <= 0:
        return False
    match expr:
        case ir.Member() | ir.Index():
            root, first = _root(expr)
            if isinstance(root, ir.Name) and root.id in OWN:
                return _is_made_here(program, root, first, depth)
            return isinstance(root, ir.Name) and _is_parameter(program, root) and _is_closed(program, root, depth)
        case ir.Name():
            return all(_decided(program, binding, depth) for binding in visible_bindings(program, expr))
        case ir.Literal() | ir.List() | ir.Map() | ir.Function():
            return True
        case _:
            return False


def _decided(program: Program, binding: Binding, depth: int) -> bool:
    """Whether a name is a parameter that is given in the project alone, or a constant."""
    if isinstance(binding.extra, ir.Parameter) and isinstance(binding.node, ir.Function):
        return _is_given_here(program, binding.node, binding.extra, depth)
    return binding.kind == "assign" and not binding.steps and isinstance(binding.value, ir.Literal)


def _is_parameter(program: Program, name: ir.Name) -> bool:
    return any(binding.kind == "parameter" for binding in visible_bindings(program, name))


def _is_given_here(program: Program, function: ir.Function, param: ir.Parameter, depth: int) -> bool:
    """Whether each call of a function is seen, and what it passes is decided in the project, too."""
    if param.kind:
        return False
    passed = [passed_argument(site, function, param) for site in calls_seen(program, function)]
    return bool(passed) and all(
        one is None or (not isinstance(one, Unknown) and _is_closed(program, one, depth - 1)) for one in passed
    )


def _is_made_here(program: Program, own: ir.Name, attribute: str, depth: int) -> bool:
    """Whether objects of the class around are made in the project alone, with what an attribute of them holds."""
    cls = enclosing_class(program, own)
    function = None if cls is None else constructor(program, cls)
    if cls is None or function is None:
        return False
    given = next((param for param in function.params if param.name == attribute.lstrip("_")), None)
    is_here = given is not None and _is_given_here(program, function, given, depth)
    return is_here and not is_put_elsewhere(program, cls, attribute)


def _root(expr: ir.Expr) -> tuple[ir.Expr, str]:
    """What a chain of members begins with, and its first part."""
    first = ""
    while (owner := of_part(expr))[0] is not None:
        expr, first = owner[0], owner[1]
    return expr, first


def _is_given(value: Value) -> bool | None:
    """Whether a value is something; None where that is not known."""
    if isinstance(value, Const):
        return value.value is not None and value.value is not ir.UNDEFINED
    return None if isinstance(value, (Unknown, Api)) else True


def _truth(value: Value) -> bool | None:
    """Whether a value counts as yes; None where that is not known."""
    match value:
        case Const(value=constant):
            return constant is not ir.UNDEFINED and bool(constant)
        case Items(items=inner) | Entries(entries=inner):
            return bool(inner) or None  # an empty one counts as no in one language alone
        case Unknown() | Api() | Text():
            return None
        case _:
            return True
