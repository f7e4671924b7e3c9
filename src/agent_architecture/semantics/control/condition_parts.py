"""What of a test, an answer or a case is written out in the code: constants, parts, the names of what is called.

It looks at expressions alone, and asks for no values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.names.program import Program

EACH: Final = frozenset({"all", "any", "every", "some"})
"""Calls that ask the same of many."""
ASSERTING: Final = frozenset({"assert", "assert.ok", "invariant", "strictEqual", "assert.strictEqual", "assert.equal"})
"""Calls that come back where what they are given holds."""
EQUAL: Final = ("strictEqual", "equal")
"""Those of them that compare two values."""
SEARCHING: Final = frozenset({"indexOf", "find", "index"})
"""Calls that answer with a place, or with -1."""


def truth(value: ir.Expr) -> bool | None:
    """Whether a value that is written out counts as yes; None where that is not written."""
    if isinstance(value, ir.Literal):
        return value.value is not ir.UNDEFINED and bool(value.value)
    if isinstance(value, ir.Template):
        return True if any(isinstance(part, ir.Literal) and part.value for part in value.parts) else None
    if isinstance(value, ir.List):
        return True if any(not isinstance(item, ir.Spread) for item in value.items) else None
    return True if isinstance(value, ir.Function) or (isinstance(value, ir.Map) and value.entries) else None


def yielded(program: Program, expr: ir.Expr) -> Iterator[ir.Expr]:
    """What a comprehension or callback asks of each element."""
    if isinstance(expr, ir.Loop):
        yield from (part for part in expr.body if not isinstance(part, ir.Loop))  # type: ignore[misc]
    elif isinstance(expr, ir.Function):
        yield from program.structure(expr).returns


def set_by(test: ir.Expr, block: Sequence[ir.Node]) -> Iterator[Condition]:
    """What a block makes true of names that its test looks at: `if program not in ALLOWED: program = "date"`."""
    for statement in block:
        for target, value in given_constants(statement):
            if any(isinstance(part, ir.Name) and part.id == target.id for part in ir.walk(test)):
                yield Condition(ir.Operator(statement.span, ir.Op.EQ, (target, value)), holds=True, at=statement)


def given_constants(statement: ir.Node) -> Iterator[tuple[ir.Name, ir.Literal]]:
    """The names that a statement gives a constant: `kind = "other"`, `kind, why = "other", ""`."""
    match statement:
        case ir.Assign(target=ir.Name() as target, value=ir.Literal() as value, op=None):
            yield target, value
        case ir.Assign(target=ir.List(items=targets), value=ir.List(items=values), op=None):
            pairs = zip(targets, values, strict=True) if len(targets) == len(values) else ()
            yield from ((t, v) for t, v in pairs if isinstance(t, ir.Name) and isinstance(v, ir.Literal))
        case _:
            return


def is_default(case: ir.Case) -> bool:
    """Whether a case takes whatever comes."""
    return case.guard is None and (not case.patterns or any(isinstance(each, ir.Name) for each in case.patterns))


def tests_of(program: Program, match: ir.Match, case: ir.Case) -> tuple[tuple[ir.Expr, bool], ...]:
    """What a case asks, each test with its answer, of which one has it: the subject's own (`match x in LISTED`), or the
    case's (`switch (true)`); else that the subject is one of its constants, in the words of the first.
    """
    if isinstance(match.subject, ir.Literal) and isinstance(match.subject.value, bool):
        return tuple((each, match.subject.value) for each in case.patterns)
    texts = [each for each in case.patterns if isinstance(each, ir.Literal)]
    if not texts or len(texts) != len(case.patterns):
        return ()
    if all(isinstance(each.value, bool) for each in texts):
        return tuple((match.subject, bool(each.value)) for each in texts)
    return ((program.made.equal(match.subject, texts[0]), True),)


def part_of(value: ir.Expr, part: str) -> ir.Expr | None:
    """The part of a value that is written out: an element, an entry, an argument of what makes it."""
    match value:
        case ir.List(items=items) if (place := whole_number(part)) is not None and place < len(items):
            return items[place]
        case ir.Map(entries=entries):
            return next((e.value for e in entries if isinstance(e.key, ir.Literal) and e.key.value == part), None)
        case ir.Call(args=args):
            return next((a.value for a in args if a.keyword == part), None)
        case _:
            return None


def is_nothing(value: object) -> bool:
    """Whether a constant is `None`, `null` or `undefined`."""
    return value is None or value is ir.UNDEFINED


def is_search(call: ir.Call, right: ir.Expr) -> bool:
    """Whether a comparison asks whether something was found: `list.indexOf(x) !== -1`."""
    is_edge = isinstance(right, ir.Literal) and right.value in {-1, 0}
    minus = isinstance(right, ir.Operator) and right.op == ir.Op.NEG
    return callee_name(call.callee) in SEARCHING and (is_edge or minus)


def owner_and_name(callee: ir.Expr) -> str:
    """`name` or `owner.name`; "" for any other callee."""
    match callee:
        case ir.Name(id=name):
            return name
        case ir.Member(target=ir.Name(id=owner), name=name):
            return f"{owner}.{name}"
        case _:
            return ""


def asserted(program: Program, call: ir.Call) -> ir.Expr | None:
    """The test that a call asserts; None for any other call."""
    said = owner_and_name(call.callee)
    if said not in ASSERTING or not call.args:
        return None
    first, *others = (argument.value for argument in call.args)
    return program.made.equal(first, others[0]) if others and said.endswith(EQUAL) else first
