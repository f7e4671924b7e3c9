"""The tests by which code leaves a loop, whichever way round they are written and wherever they stand.

`if n > 9: break`, `if not n <= 9: break`, `if n <= 9: … else: break`, and the same in a function that only answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import always, answer_of, is_answer, is_raised, leaves, leaves_function
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.test_parts import parted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.reach import Extent


def ways_out(program: Program, loop: ir.Loop | None, extent: Extent) -> Iterator[tuple[ir.Expr, bool, bool]]:
    """The tests that leave the loop: in its own body by any exit, in called functions by raising.

    With each, whether it leaves when the test holds, and whether it stands in the loop's own body.
    """
    for node in extent.own:
        for test, exits in _leaving(program, node, leaves):
            yield test, exits, True
            yield from ((asked, each, False) for asked, each in (_decided(program, test) if exits else ()))
    for _, nodes in extent.called:
        does = is_raised if loop is not None else leaves_function
        for node in nodes:
            yield from ((test, exits, loop is None) for test, exits in _leaving(program, node, does))


def _leaving(program: Program, node: ir.Node, does: Callable[[ir.Node], bool]) -> Iterator[tuple[ir.Expr, bool]]:
    """The tests by which an `if` or an assertion leaves."""
    match node:
        case ir.If(test=test, then=then, otherwise=otherwise):
            inside = tuple(any(map(does, ir.walk(*block))) for block in (then, otherwise))
            if any(inside):
                # where both sides have something that leaves, the one that does nothing else
                exits = inside[0] and not (inside[1] and does(otherwise[-1]) and not does(then[-1]))
                yield from _asked(program, test, exits=exits)
        case ir.Opaque(kind=ir.OpaqueKind.ASSERT, parts=(test, *_)):
            yield from _asked(program, test, exits=False)  # type: ignore[arg-type]
        case _:
            return


def _decided(program: Program, test: ir.Expr) -> Iterator[tuple[ir.Expr, bool]]:
    """The tests for which a function answers that the loop is left: `stop, why = self.check()`, `if stop: break`. What
    stands behind an answer that lets the loop go on is not always asked.
    """
    call, part = _answered(program, test)
    functions = program.callees(call) if call is not None else ()
    for node in functions[0].body if len(functions) == 1 else ():
        answers = [each for each in ir.walk(node) if is_answer(each)]
        leaving = all(_is_true(answer_of(each), part) for each in answers)
        if answers and not leaving:
            return
        if isinstance(node, ir.If) and answers and not node.otherwise and always(node.then, is_answer):
            yield from parted(spelled_out(program, node.test), exits=True)


def _answered(program: Program, test: ir.Expr) -> tuple[ir.Call | None, str]:
    """The call that answers a test, and which part of its answer is asked for ("" for the whole)."""
    part = ""
    if isinstance(test, ir.Name):
        bindings = visible_bindings(program, test)
        if len(bindings) != 1 or bindings[0].value is None or len(bindings[0].steps) > 1:
            return None, ""
        test, part = bindings[0].value, "".join(bindings[0].steps)
    asked = test.value if isinstance(test, ir.Await) else test
    return (asked, part) if isinstance(asked, ir.Call) else (None, "")


def _is_true(answer: ir.Expr | None, part: str) -> bool:
    """Whether an answer, or a part of it, is written as true."""
    if part and isinstance(answer, ir.List):
        answer = next((item for number, item in enumerate(answer.items) if part == f"[{number}]"), None)
    elif part:
        return False
    return isinstance(answer, ir.Literal) and answer.value is True


def _asked(program: Program, test: ir.Expr, *, exits: bool) -> Iterator[tuple[ir.Expr, bool]]:
    """The parts of a test as they are spelled out, then the calls that ask for them."""
    written = spelled_out(program, test)
    yield from parted(written, exits=exits)
    if written is not test:
        yield from (each for each in parted(test, exits=exits) if isinstance(each[0], (ir.Call, ir.Await)))
