"""What tools put into the state of the run that calls them, where instructions read it again:
`context.context.seat = seat` in a tool, `run.context.seat` in the function that writes the instructions.

Follows the state by the last two names of the way to it, since the framework hands it on. Graphs' states are
`graph_state`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

DEPTH: Final = 4
"""Local names between a parameter and what is read from it."""
SETTING: Final = frozenset({"set", "__setitem__", "setdefault"})
READING: Final = frozenset({"get", "pop", "setdefault"})

Path = tuple[str, str]


class RunState:
    """The states of runs, by what tools write into them."""

    def __init__(self, program: Program, tools: Iterable[ir.Function]) -> None:
        self._program = program
        self._tools = tuple(tools)
        self._written: dict[Path, list[ir.Expr]] | None = None

    @property
    def has_writers(self) -> bool:
        """Whether there is a tool that could write."""
        return bool(self._tools)

    def path_of(self, node: ir.Expr) -> Path | None:
        """Where in the state of a run an expression reads; None for what is none."""
        if not isinstance(node, (ir.Member, ir.Index, ir.Call)):
            return None
        place = self._taken(node)
        return None if place is None else self._path(*place, DEPTH)

    def written(self, holder: str, key: str) -> tuple[ir.Expr, ...]:
        """What tools put under a key of an object of this name."""
        return tuple(self._writes().get((holder, key), ())) if self._tools else ()

    def _writes(self) -> dict[Path, list[ir.Expr]]:
        if self._written is None:
            self._written = {}
            for function in self._tools:
                for place, value in self._stores(function):
                    path = self._path(*place, DEPTH)
                    if path is not None:
                        self._written.setdefault(path, []).append(value)
        return self._written

    def _stores(self, function: ir.Function) -> Iterator[tuple[tuple[ir.Expr, str], ir.Expr]]:
        structure = self._program.structure(function)
        for store in structure.stores:
            place = self._taken(store.target)
            if place is not None and store.value is not None:
                yield place, store.value
        for call in structure.calls:
            if isinstance(call.callee, ir.Member) and call.callee.name in SETTING and len(call.args) > 1:
                key = self._key(call.args[0].value)
                if key is not None:
                    yield (call.callee.target, key), call.args[1].value

    def _path(self, target: ir.Expr, key: str, left: int) -> Path | None:
        """The last two names of the way from what a framework hands in; None for the project's own objects."""
        match target:
            case ir.Member(target=inner, name=name):
                return (name, key) if self._is_handed(inner, left) else None
            case ir.Index(target=inner, key=ir.Literal(value=str() as name)):
                return (name, key) if self._is_handed(inner, left) else None
            case ir.Name() if left:
                for binding in visible_bindings(self._program, target):
                    if binding.kind == "assign" and binding.value is not None and not binding.steps:
                        return self._path(binding.value, key, left - 1)
                    if binding.kind == "parameter" and binding.steps and binding.steps[-1].startswith("."):
                        return binding.steps[-1][1:], key
                    if binding.kind == "parameter" and isinstance(binding.node, ir.Function):
                        return self._given(binding.node, binding.extra, key, left - 1)
                return None
            case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *_)):
                return self._path(first, key, left)
            case ir.Await(value=value):
                return self._path(value, key, left)
            case _:
                return None

    def _given(self, function: ir.Function, param: object, key: str, left: int) -> Path | None:
        """The same for what a function's callers hand to a parameter of it."""
        if not isinstance(param, ir.Parameter):
            return None
        given = (passed_argument(site, function, param) for site in self._program.callers(function))
        exprs = (expr for expr in given if expr is not None and not isinstance(expr, Unknown))
        return next((path for expr in exprs if (path := self._path(expr, key, left)) is not None), None)

    def _is_handed(self, expr: ir.Expr, left: int) -> bool:
        """Whether an expression is reached from a parameter of a function that a framework calls."""
        match expr:
            case ir.Member(target=inner) | ir.Index(target=inner):
                return self._is_handed(inner, left)
            case ir.Name(id=name) if left and name not in {"self", "cls", "this"}:
                for binding in visible_bindings(self._program, expr):
                    if binding.kind == "parameter" and isinstance(binding.node, ir.Function):
                        return not self._program.callers(binding.node)
                    if binding.kind == "assign" and binding.value is not None:
                        return self._is_handed(binding.value, left - 1)
                return False
            case _:
                return False

    def _taken(self, node: ir.Expr) -> tuple[ir.Expr, str] | None:
        """The object and the key that a node reads or writes."""
        match node:
            case ir.Member(target=target, name=name):
                return target, name
            case ir.Index(target=target, key=wanted) if (key := self._key(wanted)) is not None:
                return target, key
            case ir.Call(callee=ir.Member(target=target), args=(first, *_)) if callee_name(node.callee) in READING:
                key = self._key(first.value)
                return None if key is None else (target, key)
            case _:
                return None

    def _key(self, expr: ir.Expr) -> str | None:
        """A key that is written, or kept under a name."""
        if isinstance(expr, ir.Literal):
            return expr.value if isinstance(expr.value, str) else None
        values = self._program.value_of(expr) if isinstance(expr, (ir.Name, ir.Member)) else ()
        texts = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
        return texts[0] if len(texts) == len(values) == 1 else None
