"""The tests by which code leaves a loop, whichever way round they are written and wherever they stand.

`if n > 9: break`, `if not n <= 9: break`, `if n <= 9: … else: break`, and the same in a function that only answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import is_raised, leaves, leaves_function
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
        yield from ((test, exits, True) for test, exits in _leaving(program, node, leaves))
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


def _asked(program: Program, test: ir.Expr, *, exits: bool) -> Iterator[tuple[ir.Expr, bool]]:
    """The parts of a test as they are spelled out, then the calls that ask for them."""
    written = spelled_out(program, test)
    yield from parted(written, exits=exits)
    if written is not test:
        yield from (each for each in parted(test, exits=exits) if isinstance(each[0], (ir.Call, ir.Await)))
