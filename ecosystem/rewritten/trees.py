"""What every rewriting of Python needs: statements by themselves, names that are free, names that are new."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
SHORT: Final = 3
"""Statements of a function that has no second half."""
PART: Final = "part"
"""How the name of what a rewriting adds begins: a word that no rule reads anything from."""


class Names:
    """Names that a module does not have yet."""

    def __init__(self, tree: ast.Module) -> None:
        """Those that `tree` has are taken."""
        self._taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {
            n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        self._next = 0

    def new(self) -> str:
        """The next one."""
        while True:
            self._next += 1
            name = f"{PART}_{self._next}"
            if name not in self._taken:
                return name


def bodies(node: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """Every list of statements in `node`, with whose field it is."""
    for each in ast.walk(node):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(each, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield each, field, block


def each_statement(tree: ast.Module, change: Callable[[ast.stmt, ast.AST], Sequence[ast.stmt]]) -> None:
    """Replace every statement by those that `change` makes of it, innermost first."""
    for owner, field, block in reversed(list(bodies(tree))):
        setattr(owner, field, [new for old in block for new in change(old, owner)])


def functions(tree: ast.AST) -> Iterator[Function]:
    """All functions of a tree."""
    return (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def shallow(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of `node` that run where it runs: functions and classes inside are not entered."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, SCOPES):
            yield from shallow(child)


def first_expressions(statement: ast.stmt) -> tuple[ast.expr, ...]:
    """What a statement evaluates once, before anything else happens in it."""
    match statement:
        case ast.Expr(value=value) | ast.Assign(value=value) | ast.Return(value=ast.expr() as value):
            return (value,)
        case ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value):
            return (value,)
        case ast.If(test=value) | ast.For(iter=value) | ast.AsyncFor(iter=value):
            return (value,)
    return ()


def sure_calls(expression: ast.expr) -> Iterator[ast.Call]:
    """The calls of an expression that are made in any case, outermost first."""
    match expression:
        case ast.Call():
            yield expression
            yield from sure_calls(expression.func)
            for value in (*expression.args, *(k.value for k in expression.keywords)):
                yield from sure_calls(value)
        case ast.Await(value=value) | ast.Attribute(value=value) | ast.Starred(value=value):
            yield from sure_calls(value)
        case ast.Subscript(value=value, slice=index):
            yield from sure_calls(value)
            yield from sure_calls(index)
        case ast.UnaryOp(operand=value):
            yield from sure_calls(value)
        case ast.Compare(left=value):
            yield from sure_calls(value)
        case ast.BinOp(left=left, right=right):
            yield from sure_calls(left)
            yield from sure_calls(right)
        case ast.BoolOp(values=[value, *_]):
            yield from sure_calls(value)
        case ast.List(elts=values) | ast.Tuple(elts=values):
            for value in values:
                yield from sure_calls(value)
        case ast.Dict(values=values):
            for value in values:
                yield from sure_calls(value)


def loads(node: ast.AST) -> set[str]:
    """Names that are read in `node`."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def stores(node: ast.AST) -> set[str]:
    """Names that are bound in `node`, functions and classes inside aside."""
    found = set[str]()
    for each in shallow(node):
        match each:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((a.asname or a.name).split(".")[0] for a in names)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                found.add(name)
        for child in ast.iter_child_nodes(each):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(child.name)
    return found


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters."""
    a = function.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs]
    return [p.arg for p in every] + [p.arg for p in (a.vararg, a.kwarg) if p is not None]


def local_names(function: Function) -> set[str]:
    """Names of a function's own scope."""
    declared = {name for n in shallow(function) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    return (set(parameters(function)) | {n for s in function.body for n in stores(s)}) - declared


def after_imports(tree: ast.Module) -> int:
    """Where a module's own statements begin."""
    at = 0
    for number, statement in enumerate(tree.body):
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, ast.Import | ast.ImportFrom) or is_text:
            at = number + 1
        else:
            break
    return at


def name(of: str) -> ast.Name:
    """The name, read."""
    return ast.Name(of, ast.Load())


def assigned(to: str, value: ast.expr) -> ast.Assign:
    """`to = value`."""
    return ast.Assign([ast.Name(to, ast.Store())], value)


def helper(called: str, takes: Sequence[str], body: list[ast.stmt], *, waits: bool) -> Function:
    """A function of the module of these parameters."""
    (made,) = ast.parse(f"{'async ' if waits else ''}def {called}({', '.join(takes)}): ...").body
    if not isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef):
        raise TypeError(called)
    made.body = body
    return made


def class_of(called: str, body: list[ast.stmt]) -> ast.ClassDef:
    """A class of the module."""
    (made,) = ast.parse(f"class {called}: ...").body
    if not isinstance(made, ast.ClassDef):
        raise TypeError(called)
    made.body = body
    return made
