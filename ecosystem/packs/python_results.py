"""What functions return, names are bound to and containers hold in unpacked packages: annotations before code.

A library says with its annotations what a call gives; only where it says nothing is its code evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.annotations import instances_of_type, quoted
from agent_architecture.names.binding_values import value_of_binding
from agent_architecture.names.elements import entries_of
from agent_architecture.names.evaluate import returned
from agent_architecture.names.values import Api, Const, Entries, Func, Instance, Items, Unknown, Value, Values
from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

_ENTERED: Final = frozenset(
    {
        "AsyncContextManager", "ContextManager", "AbstractContextManager", "AbstractAsyncContextManager",
        "_GeneratorContextManager", "_AsyncGeneratorContextManager", "TypeGuard", "Future", "Task",
    }
)  # fmt: skip
"""Generic types whose first argument is what a `with` or an `await` gives."""
_SELF: Final = frozenset({"Self"})
_PLAIN: Final = ("py:builtins.", "py:typing.", "py:typing_extensions.")


_SUPPOSED: Final = ir.Call(Span("", 1, 1, 1, 1), ir.Name(Span("", 1, 1, 1, 1), ""), ())


def is_supposed(value: Instance) -> bool:
    """Whether an object is only what the code of a function seems to return: a subclass may come instead."""
    return value.call is _SUPPOSED


class Results:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def of(self, value: Value, receiver: Instance | None) -> Values:
        """What a call of a value returns."""
        return self.returned(value.function, receiver) if isinstance(value, Func) else ()

    def returned(self, function: ir.Function, receiver: Instance | None) -> Values:
        """What a function returns, by its annotation, else by its code."""
        if function.returns is not None:
            promised = self._promised(function.returns, receiver)
            if promised:
                return promised
        found = _useful(returned(self._program, function, receiver))
        return tuple(value._replace(call=_SUPPOSED) if isinstance(value, Instance) else value for value in found)

    def of_binding(self, binding: Binding) -> Values:
        """What a name or attribute is."""
        annotation = binding.node.annotation if isinstance(binding.node, ir.Assign) else None
        if annotation is not None:
            promised = self._promised(annotation, None)
            if promised:
                return promised
        return _useful(tuple(value_of_binding(self._program, binding)))

    def elements(self, value: Items | Entries) -> Values:
        """What stands in a container."""
        inside = entries_of(value) if isinstance(value, Entries) else value.items
        return tuple(v for item in inside for v in _useful(self._program.value_of(item)))

    def _promised(self, annotation: ir.Expr, receiver: Instance | None) -> Values:
        plain = _without_entering(annotation)
        name = plain.id if isinstance(plain, ir.Name) else plain.name if isinstance(plain, ir.Member) else ""
        if receiver is not None and (name in _SELF or (name and self._is_variable(plain))):
            return (receiver,)
        return _useful(instances_of_type(self._program, plain))

    def _is_variable(self, annotation: ir.Expr) -> bool:
        """Whether a type is a variable: what a method then returns is most often its own object."""
        values = self._program.value_of(annotation)
        return any(isinstance(v, Api) and v.path.endswith(".TypeVar()") for v in values)


def _without_entering(annotation: ir.Expr) -> ir.Expr:
    """`X` of `AsyncContextManager[X]` and of the same in quotes."""
    if isinstance(annotation, ir.Literal) and isinstance(annotation.value, str):
        inner = quoted(annotation.value, annotation.span)
        return annotation if inner is None else _without_entering(inner)
    if isinstance(annotation, ir.Index):
        target, key = annotation.target, annotation.key
        name = target.id if isinstance(target, ir.Name) else target.name if isinstance(target, ir.Member) else ""
        if name in _ENTERED:
            return _without_entering(key.items[0] if isinstance(key, ir.List) and key.items else key)
    return annotation


def _useful(values: Values) -> Values:
    """What a further step can be asked of."""
    return tuple(
        value
        for value in values
        if not isinstance(value, (Unknown, Const)) and not (isinstance(value, Api) and value.path.startswith(_PLAIN))
    )
