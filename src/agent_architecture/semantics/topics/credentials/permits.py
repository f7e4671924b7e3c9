"""Views of Django REST that say themselves whom they let in: `permission_classes = [AllowAny]`.

Reads a class and its decorators; whether a check stands elsewhere is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

STATED: Final = "permission_classes"
ANYBODY: Final = "AllowAny"


def lets_in_all(view: ir.Function) -> bool:
    """Whether a view says that nobody is asked, or asks only where a setting wants it."""
    return any(map(_is_open, _stated(view)))


def _stated(view: ir.Function) -> Iterator[ir.Expr]:
    """What a view states, by a decorator or in its class."""
    calls = (each for each in view.decorators if isinstance(each, ir.Call) and callee_name(each.callee) == STATED)
    own = [argument.value for call in calls for argument in call.args[:1]]
    yield from own
    body = view.outer.body if isinstance(view.outer, ir.Class) and not own else ()
    for node in body:
        if isinstance(node, ir.Assign) and node.value is not None and callee_name(node.target) == STATED:
            yield node.value


def _is_open(stated: ir.Expr) -> bool:
    """Whether any list that may be taken has nothing in it but who lets in everybody."""
    match stated:
        case ir.Conditional(then=then, otherwise=otherwise):
            return _is_open(then) or _is_open(otherwise)
        case ir.List(items=items):
            return all(callee_name(item) == ANYBODY for item in items)
        case _:
            return False
