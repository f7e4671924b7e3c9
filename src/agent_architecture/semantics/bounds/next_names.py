"""Tries that each take another name: what a name is refused for that is taken already, the next number is tried for.

`except ValueError: number += 1; name = f"Desk {number}"` around `create(name)` repeats nothing. A request that is only
counted in a text, and that fails for another reason, is a retry.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

TAKEN: Final = regex(
    r"exist|duplicat|conflict|unique|integrity|collision|taken|P2002|23505|11000|\bValueError$", re.IGNORECASE
)
"""How code says that something is there already, or that a value will not do."""


def tries_another_name(loop: ir.Loop, attempt: ir.Try, handlers: Iterable[ir.Handler]) -> bool:
    """Whether each pass hands what it tries a text with the number of the pass, because the last one was taken."""
    steps = (n for n in ir.walk(*loop.body, *loop.update) if isinstance(n, ir.Assign) and n.op)
    numbers = (n for n in ir.walk(loop.target) if isinstance(n, ir.Name)) if loop.target is not None else ()
    counted = {name for step in steps for name in _named(step)} | {name.id for name in numbers}
    texts = (n for n in ir.walk(*loop.body) if isinstance(n, ir.Assign) and not n.op and _is_text_of(n.value, counted))
    made = {name for node in texts for name in _named(node)}
    given = (a.value for node in ir.walk(*attempt.body) if isinstance(node, ir.Call) for a in node.args)
    return any(_uses(value, made) for value in given) and all(map(_says_taken, handlers))


def _named(assign: ir.Assign) -> tuple[str, ...]:
    return (assign.target.id,) if isinstance(assign.target, ir.Name) else ()


def _is_text_of(value: ir.Expr | None, counted: set[str]) -> bool:
    """Whether a value is a text in which one of these numbers stands."""
    made = isinstance(value, ir.Template) or (isinstance(value, ir.Operator) and value.op is ir.Op.ADD)
    return made and value is not None and any(_uses(node, counted) for node in ir.walk(value))


def _uses(node: ir.Node, names: set[str]) -> bool:
    return isinstance(node, ir.Name) and node.id in names


def _says_taken(handler: ir.Handler) -> bool:
    """Whether the error is of what is there already: by its type, else by what the handler looks for in it."""
    if handler.types:
        return all(TAKEN.search(dotted(kind)) for kind in handler.types)
    tests = (node.test for node in ir.walk(*handler.body) if isinstance(node, (ir.If, ir.Conditional)))
    words = (node for test in tests for node in ir.walk(test))
    return any(isinstance(node, ir.Literal) and TAKEN.search(str(node.value)) for node in words)
