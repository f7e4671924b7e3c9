"""The value of a symbol in a Python file: a constant, a field, the default of a parameter. Read, never run."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from agent_architecture.model.settings import Scalar
from ecosystem.packs.problems import PackageError

Found: TypeAlias = "ast.expr | ast.stmt | ast.arg"
_SPECIFIERS: Final = frozenset({"Field", "field", "PrivateAttr", "attrib", "ib", "Param", "Option", "Query"})
_OPERATORS: Final[dict[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b if b else math.nan,
}  # fmt: skip
_SECONDS: Final = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "milliseconds": 0.001}


class PythonSource:
    """One file."""

    def __init__(self, file: Path) -> None:
        """Raises `PackageError` when the file cannot be parsed."""
        try:
            self._tree = ast.parse(file.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
            raise PackageError(f"{file.name} cannot be parsed: {error}") from None

    def has(self, symbol: str) -> bool:
        """Whether the file has the symbol: `CONSTANT`, `Class.field`, `function`, `Class.method.parameter`."""
        return bool(self._found(symbol))

    def literals(self, symbol: str, names: tuple[str, ...]) -> list[Scalar]:
        """What the symbol is set to where that is a literal; of a function or class, its parameters or fields called
        one of `names`.
        """
        found: list[Scalar] = []
        for node in self._found(symbol):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for name in names:
                    inner = [value for one in self._inside(node, name) for value in self._values(one)]
                    if inner:
                        found += inner
                        break
            else:
                found += self._values(node)
        return found

    def _found(self, symbol: str) -> list[Found]:
        current: list[Found | ast.Module] = [self._tree]
        for part in symbol.removesuffix("()").split("."):
            current = [inner for one in current for inner in self._inside(one, part)]
        return [one for one in current if not isinstance(one, ast.Module)]

    def _inside(self, node: Found | ast.Module, name: str) -> list[Found]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return [*_parameters(node, name), *_bound(node.body, name)]
            case ast.ClassDef():
                own = [*_bound(node.body, name)]
                return own or [*_in_constructor(node, name)]
            case ast.Module():
                return [*_bound(node.body, name)]
            case (
                ast.Assign(value=ast.Dict() as table) | ast.AnnAssign(value=ast.Dict() as table) | (ast.Dict() as table)
            ):
                pairs = zip(table.keys, table.values, strict=True)
                return [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == name]
            case ast.Assign(value=ast.Call() as call) | ast.AnnAssign(value=ast.Call() as call) | (ast.Call() as call):
                return [keyword.value for keyword in call.keywords if keyword.arg == name]
            case _:
                return []

    def _values(self, node: Found) -> Iterator[Scalar]:
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else node
        if isinstance(value, ast.Name):
            for constant in _bound(self._tree.body, value.id):
                if isinstance(constant, (ast.Assign, ast.AnnAssign)) and constant.value is not None:
                    yield from _literal(constant.value)
        elif isinstance(value, ast.expr):
            yield from _literal(value)


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[Found]:
    """A parameter: its default, or itself when it has none."""
    plain = [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [*node.args.defaults]
    pairs = [
        *zip(plain, [*([None] * (len(plain) - len(defaults))), *defaults], strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    for argument, default in pairs:
        if argument.arg == name:
            yield argument if default is None else default
    for rest in (node.args.vararg, node.args.kwarg):
        if rest is not None and rest.arg == name:
            yield rest


def _bound(body: list[ast.stmt], name: str) -> Iterator[Found]:
    """What binds a name in statements, those of branches included."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if node.name == name:
                    yield node
                continue
            case ast.Assign(targets=targets):
                if any(_is_called(target, name) for target in targets):
                    yield node
            case ast.AnnAssign(target=target):
                if _is_called(target, name):
                    yield node
            case _:
                pass
        for field in ("body", "orelse", "finalbody"):
            yield from _bound(getattr(node, field, []), name)
        for handler in getattr(node, "handlers", []):
            yield from _bound(handler.body, name)


def _is_called(target: ast.expr, name: str) -> bool:
    match target:
        case ast.Name(id=bound):
            return bound == name
        case ast.Attribute(attr=bound, value=ast.Name(id="self" | "cls")):
            return bound == name
        case ast.Tuple(elts=items):
            return any(_is_called(item, name) for item in items)
        case _:
            return False


def _in_constructor(node: ast.ClassDef, name: str) -> Iterator[Found]:
    """A field that the constructor takes, or that a method sets."""
    methods = [one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    methods.sort(key=lambda one: one.name != "__init__")
    for method in methods:
        found = [*(_parameters(method, name) if method.name in {"__init__", "__new__"} else ())]
        found = found or [*_bound(method.body, name)]
        if found:
            yield from found
            return


def _literal(node: ast.expr) -> Iterator[Scalar]:
    """The value of an expression that is a literal, a field with one, or arithmetic of literals."""
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            yield value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from (-v for v in _literal(operand) if isinstance(v, (int, float)))
        case ast.BinOp(left=left, op=operator, right=right):
            for one in _literal(left):
                for other in _literal(right):
                    work = _OPERATORS.get(type(operator))
                    if work and isinstance(one, (int, float)) and isinstance(other, (int, float)):
                        yield work(one, other)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value="inf")]):
            yield math.inf
        case ast.Attribute(attr="inf"):
            yield math.inf
        case ast.Call(func=callee) if _name(callee) in _SPECIFIERS:
            yield from _specified(node)
        case ast.Call(func=callee) if _name(callee) == "timedelta" and not node.args:
            parts = [(_SECONDS.get(k.arg or ""), [*_literal(k.value)]) for k in node.keywords]
            if all(unit and len(values) == 1 and isinstance(values[0], (int, float)) for unit, values in parts):
                yield sum((unit or 0) * float(str(values[0])) for unit, values in parts)
        case _:
            pass


def _specified(call: ast.Call) -> Iterator[Scalar]:
    for keyword in call.keywords:
        if keyword.arg == "default":
            yield from _literal(keyword.value)
            return
    if call.args:
        yield from _literal(call.args[0])


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
