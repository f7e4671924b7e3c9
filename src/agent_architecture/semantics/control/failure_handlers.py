"""Where code deals with the failure of what it calls: handlers around a place, in its function or its callers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.predicates import straight
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

CALLERS: Final = 30
ENDINGS: Final = frozenset(
    {
        "KeyboardInterrupt", "CancelledError", "GeneratorExit", "StopIteration", "StopAsyncIteration", "ImportError",
        "EOFError", "SystemExit", "WebSocketDisconnect",
    }
)  # fmt: skip
"""What is no failure of a request: somebody ended it, or left."""
EVERY_ERROR: Final = frozenset({"Exception", "BaseException"})
CATCH: Final = "catch"
GIVEN_UP: Final = regex(r"abort|cancel", re.IGNORECASE)
"""What a handler asks to know whether a run was given up: `isAbortError(error)`, `signal.aborted`, `self.cancelled`."""


OPPOSITES: Final = frozenset({ir.Op.NOT, ir.Op.NE})


def handled_at(program: Program, node: ir.Node) -> Span | None:
    """The first handler around a place, or around the calls that lead there; one that only raises again is none."""
    found, _ = on_ways(program, node, program.scope_of(node), lambda place, owner: _around(program, place, owner))
    return found[0] if found else None


def _around(program: Program, node: ir.Node, scope: ir.Scope) -> Span | None:
    child = node
    for around in program.structure(scope).ancestors(node):
        if isinstance(around, ir.Try) and any(part.span.contains(node.span) for part in around.body):
            for handler in around.handlers:
                if not only_ends(handler) and not all(isinstance(each, ir.Raise) for each in handler.body):
                    return handler.span
        if isinstance(around, ir.Member) and around.name == CATCH and around.target is child:
            return around.span
        child = around
    return None


def only_ends(handler: ir.Handler) -> bool:
    """Whether a handler is there for who ended the request."""
    kinds = _kinds(handler)
    return bool(kinds) and kinds <= ENDINGS


def of_failures(program: Program, body: tuple[ir.Node, ...]) -> Iterator[ir.Node]:
    """All that a handler does with failures: without what it does when the run was given up, which is none."""
    for node in body:
        if isinstance(node, ir.If) and _asks_whether_given_up(node.test):
            yield from of_failures(program, straight(program, node)[2])
        else:
            yield from ir.walk(node)


def _asks_whether_given_up(test: ir.Expr) -> bool:
    """Whether a test, or the opposite of it, asks for nothing but that."""
    turned = isinstance(test, ir.Operator) and test.op in OPPOSITES
    inside = [
        node
        for each in (test.operands if isinstance(test, ir.Operator) and turned else (test,))
        for node in ir.walk(each)
    ]
    if any(isinstance(node, ir.Operator) and node.op in OPPOSITES for node in inside):
        return False
    return any(GIVEN_UP.search(word) for node in inside for word in _words(node))


def _words(node: ir.Node) -> tuple[str, ...]:
    match node:
        case ir.Name(id=word) | ir.Member(name=word) | ir.Literal(value=str() as word):
            return (word,)
        case _:
            return ()


def is_wide(handler: ir.Handler) -> bool:
    """Whether a handler takes every error."""
    kinds = _kinds(handler)
    return not kinds or bool(kinds & EVERY_ERROR)


def _kinds(handler: ir.Handler) -> set[str]:
    parts = (one for t in handler.types for one in (t.items if isinstance(t, ir.List) else (t,)))
    return {dotted(part).rpartition(".")[2] for part in parts}
