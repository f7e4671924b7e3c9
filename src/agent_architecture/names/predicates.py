"""Tests that stand in functions of their own, as they would be written where they are asked.

`if over(spent, 100)` with `def over(cost, limit): return cost > limit` asks `spent > 100`, and `budget.is_spent()` asks
what its method answers of `budget`. Only a function that does nothing but answer is read so: one that returns a test,
or says yes and no by tests, with names for parts of them. Of any other one, `semantics/control` knows what it asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.program_answers import CallSite
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import tests_in
from agent_architecture.names.values import Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program

DEPTH: Final = 3
"""Functions that ask each other which are looked through."""
LARGE: Final = 60
"""Nodes of a function that does more than answer."""
TESTS: Final = 4
"""Tests by which a function says yes and no."""
_LEFT: Final = (ir.Loop, ir.Assign)
"""What has names of its own: it is left as it stands."""


def spelled_out(program: Program, test: ir.Expr) -> ir.Expr:
    """A test with what the project's functions answer in the place of the calls that ask them; itself where it asks
    none that only answers.
    """
    return program.once(_spelled, test)


def tests_asked(program: Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Expr]:
    """Every test among these nodes (`tests_in`), spelled out."""
    return (spelled_out(program, test) for test in tests_in(nodes))


def straight(program: Program, node: ir.If) -> tuple[ir.Expr, tuple[ir.Node, ...], tuple[ir.Node, ...]]:
    """What a statement asks, spelled out, without a `not` or `!=`, what is done then, and what otherwise."""
    test, then, otherwise = spelled_out(program, node.test), node.then, node.otherwise
    while isinstance(test, ir.Operator) and test.op == ir.Op.NOT:
        test, then, otherwise = test.operands[0], otherwise, then
    match test:
        case ir.Operator(op=ir.Op.NE, operands=(one, other)):
            return program.made.equal(one, other), otherwise, then
        case _:
            return test, then, otherwise


def _spelled(program: Program, test: ir.Expr) -> ir.Expr:
    return _written(program, test, ())


def _written(program: Program, test: ir.Expr, entered: tuple[ir.Function, ...]) -> ir.Expr:
    match test:
        case ir.Operator(op=ir.Op.NOT | ir.Op.AND | ir.Op.OR, operands=operands):
            found = tuple(_written(program, each, entered) for each in operands)
            same = all(one is other for one, other in zip(found, operands, strict=True))
            return test if same else program.made.with_parts(test, found)
        case ir.Call() | ir.Await(value=ir.Call()) if len(entered) < DEPTH:
            call = test.value if isinstance(test, ir.Await) else test
            functions = program.callees(call) if isinstance(call, ir.Call) else ()
            if not isinstance(call, ir.Call) or len(functions) != 1 or functions[0] in entered:
                return test
            answer = _answer(program, call, functions[0], waits=call is not test)
            return test if answer is None else _written(program, answer, (*entered, functions[0]))
        case _:
            return test


def _answer(program: Program, call: ir.Call, function: ir.Function, *, waits: bool) -> ir.Expr | None:
    """What the one function that a call runs answers, in the words of the call; None where that is not all it does."""
    if function.is_generator or function.is_async is not waits or function.decorators:
        return None
    if len(own_nodes(function)) > LARGE or len(own_nodes(function, ir.If)) > TESTS:
        return None
    site = program.sites.running(CallSite(call, program.scope_of(call)), function)
    if site is None or site.inferred or site.skipped:
        return None
    given = _given(site, function)
    if given is None:
        return None
    return program.made.said_by(call, function, lambda: _answered(function.body, given, call))


def _given(site: CallSite, function: ir.Function) -> dict[str, ir.Expr] | None:
    """What stands for the parameters of a function at a call; None where that cannot be told of each."""
    found: dict[str, ir.Expr] = {}
    if function.receiver == "self":
        if not isinstance(site.call.callee, ir.Member):
            return None
        found["self"] = site.call.callee.target
    elif function.receiver is not None:
        return None
    for parameter in function.params:
        value = passed_argument(site, function, parameter)
        value = parameter.default if value is None else value
        if parameter.kind or parameter.pattern is not None or value is None or isinstance(value, Unknown):
            return None
        found[parameter.name] = value
    return found


def _answered(body: Sequence[ir.Node], given: Mapping[str, ir.Expr], call: ir.Call) -> ir.Expr | None:
    """What some statements answer, for what is given to the names in them."""
    known = dict(given)
    for at, statement in enumerate(body):
        match statement:
            case ir.Literal(value=str()):
                continue
            case ir.Assign(target=ir.Name(id=name), value=value, op=None) if value is not None and name not in known:
                known[name] = _put(value, known, call)
            case ir.Return(value=value):
                return ir.Literal(call.span, None) if value is None else _put(value, known, call)
            case ir.If(test=test, then=then, otherwise=otherwise):
                rest = body[at + 1 :]
                yes, no = _answered((*then, *rest), known, call), _answered((*otherwise, *rest), known, call)
                return None if yes is None or no is None else _either(_put(test, known, call), yes, no)
            case ir.Block(body=inner):
                return _answered((*inner, *body[at + 1 :]), known, call)
            case _:
                return None
    return ir.Literal(call.span, None)


def _either(test: ir.Expr, yes: ir.Expr, no: ir.Expr) -> ir.Expr | None:
    """The test that says what is answered behind another one; None where both answers are tests themselves."""
    span = test.span
    turned = ir.Operator(span, ir.Op.NOT, (test,))
    match _says(yes), _says(no):
        case True, False:
            return test
        case False, True:
            return turned
        case True, None:
            return ir.Operator(span, ir.Op.OR, (test, no))
        case False, None:
            return ir.Operator(span, ir.Op.AND, (turned, no))
        case None, True:
            return ir.Operator(span, ir.Op.OR, (turned, yes))
        case None, False:
            return ir.Operator(span, ir.Op.AND, (test, yes))
        case _:
            return None


def _says(answer: ir.Expr) -> bool | None:
    """Whether an answer is yes or no as it is written."""
    return bool(answer.value) if isinstance(answer, ir.Literal) and answer.value is not ir.UNDEFINED else None


def _put(expr: ir.Expr, known: Mapping[str, ir.Expr], call: ir.Call) -> ir.Expr:
    """An expression with what is known for the names in it; what is made anew stands where the call does."""
    return _replaced(expr, known, call)  # type: ignore[return-value]


def _replaced(part: object, known: Mapping[str, ir.Expr], call: ir.Call) -> object:
    if isinstance(part, ir.Name):
        return known.get(part.id, part)
    if not isinstance(part, tuple) or isinstance(part, _LEFT):
        return part
    fields = [_replaced(field, known, call) for field in part]
    if not isinstance(part, ir.Operator) and all(one is other for one, other in zip(fields, part, strict=True)):
        return part
    if type(part) is tuple:
        return tuple(fields)
    names: tuple[str, ...] = getattr(part, "_fields", ())
    made = [call.span if name == "span" else field for name, field in zip(names, fields, strict=True)]
    return type(part)(*made)  # type: ignore[arg-type]
