"""Rewritings of how a value is written: in place, under a name, through a record, built up, formatted otherwise."""

from __future__ import annotations

import ast
from keyword import iskeyword
from typing import TYPE_CHECKING

from ecosystem.rewritten.trees import (
    PART,
    Names,
    after_imports,
    assigned,
    class_of,
    each_statement,
    first_expressions,
    loads,
    name,
    sure_calls,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SIMPLE = (ast.Name, ast.Constant, ast.Attribute, ast.Lambda)


def keywords_spread(tree: ast.Module) -> None:
    """`f(a, key=value)` is `given = {"key": value}; f(a, **given)`."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        before = list[ast.stmt]()
        for expression in first_expressions(statement):
            for call in list(sure_calls(expression)):
                plain = [k for k in call.keywords if k.arg]
                if not plain or len(plain) != len(call.keywords):
                    continue
                given = names.new()
                table = ast.Dict([ast.Constant(k.arg) for k in plain], [k.value for k in plain])
                before.insert(0, assigned(given, table))
                call.keywords = [ast.keyword(None, name(given))]
        return [*before, statement]

    each_statement(tree, change)


def arguments_named(tree: ast.Module) -> None:
    """`f(g(x), key=[1])` is `first = g(x); second = [1]; f(first, key=second)`."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        before = list[ast.stmt]()

        def hoist(call: ast.Call) -> None:
            for number, value in enumerate(call.args):
                call.args[number] = put(value)
            for keyword in call.keywords:
                keyword.value = put(keyword.value)

        def put(value: ast.expr) -> ast.expr:
            if isinstance(value, (*SIMPLE, ast.Starred, ast.GeneratorExp)):
                return value
            for inner in sure_calls(value):
                hoist(inner)
                break
            new = names.new()
            before.append(assigned(new, value))
            return name(new)

        for expression in first_expressions(statement):
            for call in sure_calls(expression):
                hoist(call)
                break
        return [*before, statement]

    each_statement(tree, change)


def _constants(tree: ast.Module, put: ast.expr | None = None) -> list[tuple[str, ast.Constant]]:
    """Name the numbers and texts that functions hand to calls by keyword, or compare with; what they are now."""
    names, found = Names(tree), list[tuple[str, ast.Constant]]()

    def named(value: ast.expr) -> ast.expr:
        if not isinstance(value, ast.Constant) or not isinstance(value.value, int | float | str):
            return value
        if isinstance(value.value, bool) or (isinstance(value.value, str) and not value.value):
            return value
        new = names.new()
        found.append((new, value))
        return ast.Attribute(put, new, ast.Load()) if put is not None else name(new)

    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg:
                    keyword.value = named(keyword.value)
            if isinstance(node.func, ast.Name) and node.func.id == "range":
                node.args = [named(a) for a in node.args]
        elif isinstance(node, ast.Compare):
            node.comparators = [
                named(c) if isinstance(c, ast.Constant) and isinstance(c.value, int) else c for c in node.comparators
            ]
    return found


def constants_named(tree: ast.Module) -> None:
    """`f(limit=5)` is `LIMIT = 5` and `f(limit=LIMIT)`."""
    found = _constants(tree)
    tree.body[after_imports(tree) : after_imports(tree)] = [assigned(n, v) for n, v in found]


def constants_of_settings(tree: ast.Module) -> None:
    """`f(limit=5)` is `f(limit=settings.limit)` of an object whose class says 5."""
    found = _constants(tree, name(f"{PART}_settings"))
    if found:
        held = class_of(f"{PART.title()}Settings", [assigned(n, v) for n, v in found])
        made = assigned(f"{PART}_settings", ast.Call(name(held.name), [], []))
        tree.body[after_imports(tree) : after_imports(tree)] = [held, made]


class _Formatted(ast.NodeTransformer):
    """An f-string by another way."""

    def __init__(self, how: str) -> None:
        self._how = how

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        parts = node.values
        plain = all(
            isinstance(p, ast.Constant)
            or (isinstance(p, ast.FormattedValue) and p.conversion == -1 and not p.format_spec)
            for p in parts
        )
        if not plain or not any(isinstance(p, ast.FormattedValue) for p in parts):
            return node
        for part in parts:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        if self._how == "format":
            text = "".join(
                str(p.value).replace("{", "{{").replace("}", "}}") if isinstance(p, ast.Constant) else "{}"
                for p in parts
            )
            values = [p.value for p in parts if isinstance(p, ast.FormattedValue)]
            return ast.Call(ast.Attribute(ast.Constant(text), "format", ast.Load()), values, [])
        if self._how == "%":
            text = "".join(str(p.value).replace("%", "%%") if isinstance(p, ast.Constant) else "%s" for p in parts)
            values = [p.value for p in parts if isinstance(p, ast.FormattedValue)]
            return ast.BinOp(ast.Constant(text), ast.Mod(), ast.Tuple(values, ast.Load()))
        texts: list[ast.expr] = [
            p if isinstance(p, ast.Constant) else ast.Call(name("str"), [p.value], [])
            for p in parts
            if isinstance(p, ast.Constant | ast.FormattedValue)
        ]
        if self._how == "join":
            return ast.Call(ast.Attribute(ast.Constant(""), "join", ast.Load()), [ast.List(texts, ast.Load())], [])
        whole = texts[0]
        for text_ in texts[1:]:
            whole = ast.BinOp(whole, ast.Add(), text_)
        return whole


def texts_formatted(tree: ast.Module) -> None:
    """`f"{a} b"` is `"{} b".format(a)`."""
    _Formatted("format").visit(tree)


def texts_by_percent(tree: ast.Module) -> None:
    """`f"{a} b"` is `"%s b" % (a,)`."""
    _Formatted("%").visit(tree)


def texts_added(tree: ast.Module) -> None:
    """`f"{a} b"` is `str(a) + " b"`."""
    _Formatted("+").visit(tree)


def texts_joined(tree: ast.Module) -> None:
    """`f"{a} b"` is `"".join([str(a), " b"])`."""
    _Formatted("join").visit(tree)


def _put_arguments(statement: ast.stmt, put: Callable[[ast.expr], ast.expr]) -> None:
    """Put others for the arguments of all calls that a statement surely makes first."""
    for expression in first_expressions(statement):
        for call in sure_calls(expression):
            call.args = [put(a) for a in call.args]
            for keyword in call.keywords:
                keyword.value = put(keyword.value)


def _built(tree: ast.Module, *, tables: bool) -> None:
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        if isinstance(owner, ast.ClassDef):
            return [statement]
        before = list[ast.stmt]()

        def put(value: ast.expr, called: str = "") -> ast.expr:
            if tables and isinstance(value, ast.Dict) and value.keys and all(value.keys):
                new = called or names.new()
                before.append(assigned(new, ast.Dict([], [])))
                for key, item in zip(filter(None, value.keys), value.values, strict=True):
                    inner = put(item)
                    before.append(ast.Assign([ast.Subscript(name(new), key, ast.Store())], inner))
                return name(new)
            if not tables and isinstance(value, ast.List) and value.elts:
                if any(isinstance(e, ast.Starred) for e in value.elts):
                    return value
                new = called or names.new()
                before.append(assigned(new, ast.List([], ast.Load())))
                for item in value.elts:
                    inner = put(item)
                    appended = ast.Call(ast.Attribute(name(new), "append", ast.Load()), [inner], [])
                    before.append(ast.Expr(appended))
                return name(new)
            return value

        _put_arguments(statement, put)
        match statement:
            case ast.Assign([ast.Name(id=to)], value) if to not in loads(value) and before == []:
                # What it is called is what is built, as it is written by hand.
                if put(value, to) is not value:
                    return before
            case ast.Assign(value=value) | ast.Return(value=ast.expr() as value):
                statement.value = put(value)
        return [*before, statement]

    each_statement(tree, change)


def tables_by_item(tree: ast.Module) -> None:
    """`{"a": 1}` is `table = {}; table["a"] = 1`."""
    _built(tree, tables=True)


def lists_by_append(tree: ast.Module) -> None:
    """`[a, b]` is `items = []; items.append(a); items.append(b)`."""
    _built(tree, tables=False)


class _Tables(ast.NodeTransformer):
    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        self.generic_visit(node)
        keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
        if keys and all(isinstance(k, str) and k.isidentifier() and not iskeyword(k) for k in keys):
            return ast.Call(name("dict"), [], [ast.keyword(str(k), v) for k, v in zip(keys, node.values, strict=True)])
        return node


def tables_called(tree: ast.Module) -> None:
    """`{"a": 1}` is `dict(a=1)`."""
    _Tables().visit(tree)


def results_named(tree: ast.Module) -> None:
    """`return f(x)` is `result = f(x); return result`."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        if (
            isinstance(statement, ast.Return)
            and statement.value is not None
            and not isinstance(statement.value, SIMPLE)
        ):
            new = names.new()
            return [assigned(new, statement.value), ast.Return(name(new))]
        return [statement]

    each_statement(tree, change)


def receivers_named(tree: ast.Module) -> None:
    """`a.b.c(x)` is `method = a.b.c; method(x)`; `a.b.c(x)` of a chain names the object: `part = a.b; part.c(x)`."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        before = list[ast.stmt]()
        for expression in first_expressions(statement):
            for call in sure_calls(expression):
                if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Attribute):
                    new = names.new()
                    before.append(assigned(new, call.func.value))
                    call.func.value = name(new)
                break
        return [*before, statement]

    each_statement(tree, change)


def ternaries_as_ifs(tree: ast.Module) -> None:
    """`x = a if c else b` is an `if` with two assignments."""

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        if isinstance(statement, ast.Assign | ast.Return) and isinstance(statement.value, ast.IfExp):
            kept = statement.value
            make = (lambda v: ast.Assign(statement.targets, v)) if isinstance(statement, ast.Assign) else ast.Return
            return [ast.If(kept.test, [make(kept.body)], [make(kept.orelse)])]
        return [statement]

    each_statement(tree, change)


def comprehensions_as_loops(tree: ast.Module) -> None:
    """`x = [f(i) for i in y if c]` is a loop that appends."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        before = list[ast.stmt]()

        def put(value: ast.expr) -> ast.expr:
            if not isinstance(value, ast.ListComp):
                return value
            new = names.new()
            appended = ast.Call(ast.Attribute(name(new), "append", ast.Load()), [value.elt], [])
            body: list[ast.stmt] = [ast.Expr(appended)]
            for part in reversed(value.generators):
                for test in reversed(part.ifs):
                    body = [ast.If(test, body, [])]
                kind = ast.AsyncFor if part.is_async else ast.For
                body = [kind(part.target, part.iter, body, [])]
            before.extend([assigned(new, ast.List([], ast.Load())), *body])
            return name(new)

        _put_arguments(statement, put)
        if isinstance(statement, ast.Assign | ast.Return) and statement.value is not None:
            statement.value = put(statement.value)
        return [*before, statement]

    each_statement(tree, change)
