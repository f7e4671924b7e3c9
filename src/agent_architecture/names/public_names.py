"""What a star import brings: a Python module's `__all__`, as far as it can be read without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.definition_sites import WholeModule
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.exports import Exports

_DEPTH: Final = 8
"""Lists that are made of other modules' lists, this deep."""

Names = frozenset[str]


def public_names(exports: Exports, module: ir.Module, depth: int = 0) -> Names | None:
    """The names in `__all__`; None when there is none, or a part of it is not readable."""
    names: Names | None = None
    for node in ir.walk(*module.body):
        part = _added(node)
        if part is not None:
            more = _names_of(exports, module, part, depth)
            starts_anew = isinstance(node, ir.Assign) and not node.op
            if more is None or (names is None and not starts_anew):
                return None
            names = more if starts_anew or names is None else names | more
    return names


def _added(node: ir.Node) -> ir.Expr | None:
    """What a statement puts into `__all__`: `__all__ = x`, `__all__ += x`, `__all__.extend(x)`, `__all__.append(x)`."""
    match node:
        case ir.Assign(target=ir.Name(id="__all__"), value=value):
            return value
        case ir.Call(callee=ir.Member(target=ir.Name(id="__all__"), name="extend"), args=(argument,)):
            return argument.value
        case ir.Call(callee=ir.Member(target=ir.Name(id="__all__"), name="append"), args=(argument,)):
            return ir.List(node.span, (argument.value,))
        case _:
            return None


def _names_of(exports: Exports, module: ir.Module, expr: ir.Expr, depth: int) -> Names | None:
    """The texts in an expression that is a list of names; None when it is not readable."""
    if depth > _DEPTH:
        return None
    match expr:
        case ir.Literal(value=str() as text):
            return frozenset({text})
        case ir.List(items=parts) | ir.Operator(op=ir.Op.ADD, operands=parts):
            found = [_names_of(exports, module, part, depth + 1) for part in parts]
        case (
            ir.Spread(value=inner)
            | ir.Call(callee=ir.Name(id="list" | "tuple" | "sorted"), args=(ir.Argument(value=inner),))
        ):
            return _names_of(exports, module, inner, depth + 1)
        case ir.Member(target=target, name="__all__"):
            other = _module_of(exports, module, target, depth)
            return None if other is None else public_names(exports, other, depth + 1)
        case _:
            return None
    return frozenset().union(*(names for names in found if names is not None)) if None not in found else None


def _module_of(exports: Exports, module: ir.Module, expr: ir.Expr, depth: int) -> ir.Module | None:
    """The project module that a dotted name means."""
    around: ir.Module | None = module
    name = ""
    if isinstance(expr, ir.Name):
        name = expr.id
    elif isinstance(expr, ir.Member) and depth <= _DEPTH:
        around, name = _module_of(exports, module, expr.target, depth + 1), expr.name
    if around is None or not name:
        return None
    found = exports.locate(around, name)
    return next((place.module for place in found if isinstance(place, WholeModule)), None)
