"""Tests for a class: what `isinstance(x, Box)` and `x instanceof Box` say of a name where they hold.

Only classes of the project narrow: of a library's objects it is not known what they inherit from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import is_protocol, lineage
from agent_architecture.names.null_checks import same
from agent_architecture.names.values import ClassValue, Instance, Unknown, Value, Values
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

TEST: Final = "isinstance"
TEST_OF_CLASSES: Final = "issubclass"
TESTS: Final = frozenset({TEST, TEST_OF_CLASSES})
ERROR: Final = regex(r"^(?:Base)?Exception(?:Group)?$|^\w*Error$")
"""What classes of errors are called."""
_PAIR: Final = 2


def narrowed(program: Program, name: ir.Name, values: Values) -> Values:
    """The alternatives of a name without those that a test around it excludes.

    A value that is not readable is an object of the class that was asked for.
    """
    for test in _asking_for_classes(program, name):
        wanted = tuple(v for expr in _classes(test, name) for v in program.value_of(expr))
        classes = tuple(v.cls for v in wanted if isinstance(v, ClassValue))
        if wanted and len(classes) == len(wanted):
            kept = tuple(
                v for v in values if isinstance(v, Instance) and not {*classes}.isdisjoint(program.lineage(v.cls))
            )
            unreadable = any(isinstance(v, Unknown) for v in values)
            values = kept or (tuple(Instance(cls) for cls in classes) if unreadable else values)
    return values


def asked_below(program: Program, name: ir.Name) -> tuple[ir.Class, ...]:
    """The classes of the project below which a name's value is, as a test around it says: `issubclass(found, Base)`."""
    wanted = (
        v
        for test in _asking_for_classes(program, name)
        for expr in _classes(test, name, TEST_OF_CLASSES)
        for v in program.value_of(expr)
    )
    return tuple(v.cls for v in wanted if isinstance(v, ClassValue))


def is_error(program: Program, name: ir.Name) -> bool:
    """Whether a test around a name says that it holds an error: `isinstance(x, Exception)`, `x instanceof Error`."""
    asked = (expr for test in _asking_for_classes(program, name) for expr in _classes(test, name))
    return any(_is_raised(program, expr) for expr in asked)


def _is_raised(program: Program, expr: ir.Expr) -> bool:
    called = expr.id if isinstance(expr, ir.Name) else expr.name if isinstance(expr, ir.Member) else ""
    own = any(isinstance(value, ClassValue) for value in program.value_of(expr))  # which may be a record, too
    return ERROR.match(called) is not None and not own


def fits(program: Program, value: Value, promised: Values) -> bool:
    """Whether an object can be what an annotation promises: of one of its classes, or of a base or subclass of one.

    Where the annotation promises anything but plain classes of the project, every value fits.
    """
    if not isinstance(value, Instance) or not promised:
        return True
    of = lineage(program, value.cls)
    for wanted in promised:
        if not isinstance(wanted, Instance) or is_protocol(program, wanted.cls):
            return True
        if wanted.cls in of or value.cls in lineage(program, wanted.cls):
            return True
    return False


def holding(program: Program, name: ir.Name) -> Iterator[ir.Expr]:
    """The tests that hold where a name stands, unless it was given another value since."""
    scope, here = program.scope_of(name), name.span
    repeated = False
    for around in program.structure(scope).ancestors(name):
        repeated = repeated or isinstance(around, ir.Loop)
        if isinstance(around, ir.Operator) and around.op == ir.Op.AND:
            yield from (part for part in around.operands[:-1] if not part.span.contains(here))
        if not isinstance(around, (ir.If, ir.Conditional)):
            continue
        sides: tuple[tuple[ir.Node, ...], tuple[ir.Node, ...]] = (
            ((around.then,), (around.otherwise,))
            if isinstance(around, ir.Conditional)
            else (around.then, around.otherwise)
        )
        for holds, inside in zip((True, False), sides, strict=True):
            if any(node.span.contains(here) for node in inside):
                rebound = [b.node for b in program.bindings(scope).get(name.id, ()) if isinstance(b.node, ir.Assign)]
                before = [change for change in rebound if repeated or change.span < here]
                if not any(node.span.contains(change.span) for node in inside for change in before):
                    yield from _parts(program, around.test, holds=holds)


def _asking_for_classes(program: Program, name: ir.Name) -> Iterator[ir.Expr]:
    """The tests that hold where a name stands, if its scope asks for the class of such a name at all: few do."""
    return holding(program, name) if name.id in program.once(_told_apart, program.scope_of(name)) else iter(())


def _told_apart(program: Program, scope: ir.Scope) -> frozenset[str]:
    """The names of whose values a scope asks for the class."""
    return frozenset(tested.id for node in program.structure(scope).nodes for tested in _tested(node))


def _tested(node: ir.Node) -> Iterator[ir.Name]:
    match node:
        case ir.Call(callee=ir.Name(id=called), args=(ir.Argument(value=ir.Name() as tested), _)) if called in TESTS:
            yield tested
        case ir.Operator(op=ir.Op.INSTANCEOF, operands=(ir.Name() as tested, *_)):
            yield tested
        case _:
            return


def _parts(program: Program, test: ir.Expr, *, holds: bool) -> Iterator[ir.Expr]:
    """The parts of a test that hold where it was answered so."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            yield from _parts(program, inner, holds=not holds)
        case ir.Operator(op=op, operands=operands) if op == (ir.Op.AND if holds else ir.Op.OR):
            for operand in operands:
                yield from _parts(program, operand, holds=holds)
        case ir.Operator(op=ir.Op.NE, operands=(one, other)) if not holds:
            yield program.made.equal(one, other)
        case _ if holds:
            yield test
        case _:
            return


def _classes(test: ir.Expr, name: ir.Name, asking: str = TEST) -> tuple[ir.Expr, ...]:
    """The classes that a test asks for, if it is one of this name."""
    match test:
        case ir.Call(callee=ir.Name(id=called), args=args) if called == asking and len(args) == _PAIR:
            tested, wanted = args[0].value, args[1].value
        case ir.Operator(op=ir.Op.INSTANCEOF, operands=(tested, wanted)) if asking == TEST:
            pass
        case _:
            return ()
    if not same(tested, name):
        return ()
    return wanted.items if isinstance(wanted, ir.List) else (wanted,)
