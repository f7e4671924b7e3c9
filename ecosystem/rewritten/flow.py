"""Rewritings of how control flows: tests turned round, loops of another kind, parts in functions of their own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from ecosystem.rewritten.trees import (
    LEAVING,
    SHORT,
    Names,
    after_imports,
    assigned,
    bodies,
    each_statement,
    first_expressions,
    helper,
    loads,
    local_names,
    name,
    parameters,
    shallow,
    stores,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ecosystem.rewritten.trees import Function


TURNED: Final[Mapping[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
"""Comparisons that are written the other way round by another word."""


def _not(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and (turned := TURNED.get(type(test.ops[0]))):
        return ast.Compare(test.left, [turned()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def tests_inverted(tree: ast.Module) -> None:
    """`if c: a else: b` is `if not c: b else: a`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and node.orelse:
            node.test, node.body, node.orelse = _not(node.test), node.orelse, node.body


def guards_nested(tree: ast.Module) -> None:
    """`if c: return x` and what follows is `if not c: what follows; else: return x`."""
    for owner, field, block in reversed(list(bodies(tree))):
        for at, statement in enumerate(block):
            if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], LEAVING):
                rest = block[at + 1 :]
                if rest and not isinstance(owner, ast.Module | ast.ClassDef):
                    turned = ast.If(_not(statement.test), rest, statement.body)
                    setattr(owner, field, [*block[:at], turned])
                    break


def elses_left_out(tree: ast.Module) -> None:
    """`if c: return x else: y` is `if c: return x` and `y`."""

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        if isinstance(statement, ast.If) and statement.orelse and isinstance(statement.body[-1], LEAVING):
            return [ast.If(statement.test, statement.body, []), *statement.orelse]
        return [statement]

    each_statement(tree, change)


def _has(block: Sequence[ast.stmt], *kinds: type[ast.AST]) -> bool:
    return any(isinstance(n, kinds) for s in block for n in shallow(s))


def counts_as_whiles(tree: ast.Module) -> None:
    """`for i in range(n): …` is `i = 0; while i < n: …; i += 1`."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        match statement:
            case ast.For(ast.Name(id=counter), ast.Call(ast.Name("range"), args=[limit], keywords=[]), body, []):
                if _has(body, ast.Continue) or any(counter in stores(s) for s in body):
                    return [statement]
                new = counter if counter != "_" else names.new()
                test = ast.Compare(name(new), [ast.Lt()], [limit])
                up = ast.AugAssign(ast.Name(new, ast.Store()), ast.Add(), ast.Constant(1))
                return [assigned(new, ast.Constant(0)), ast.While(test, [*body, up], [])]
        return [statement]

    each_statement(tree, change)


def whiles_as_breaks(tree: ast.Module) -> None:
    """`while c: …` is `while True: if not c: break; …`."""

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        if isinstance(statement, ast.While) and not isinstance(statement.test, ast.Constant) and not statement.orelse:
            leave = ast.If(_not(statement.test), [ast.Break()], [])
            return [ast.While(ast.Constant(True), [leave, *statement.body], [])]
        return [statement]

    each_statement(tree, change)


def breaks_as_flags(tree: ast.Module) -> None:
    """`while True: …; if c: break` (the last statement) is `going = True; while going: …; going = not c`."""
    names = Names(tree)

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        del owner
        match statement:
            case ast.While(ast.Constant(True), [*first, ast.If(test, [ast.Break()], [])], []) if not _has(
                first, ast.Continue
            ):
                new = names.new()
                body = [*first, assigned(new, _not(test))]
                return [assigned(new, ast.Constant(True)), ast.While(name(new), body, [])]
        return [statement]

    each_statement(tree, change)


def tried(tree: ast.Module) -> None:
    """A statement with a call is `try: … except Exception: raise`."""

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        if isinstance(owner, ast.Module | ast.ClassDef) or not isinstance(
            statement, ast.Expr | ast.Assign | ast.Return
        ):
            return [statement]
        if not any(isinstance(n, ast.Call) for n in shallow(statement)):
            return [statement]
        handler = ast.ExceptHandler(name("Exception"), None, [ast.Raise(None, None)])
        return [ast.Try([statement], [handler], [], [])]

    each_statement(tree, change)


def _free(node: ast.AST, known: set[str]) -> list[str]:
    return sorted(loads(node) & known)


def _in_functions(tree: ast.Module) -> Iterator[tuple[Function, set[str]]]:
    """Functions that stand in no other function, with their own names: parameters of what is taken out of them."""

    def inside(node: ast.AST) -> Iterator[Function]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield child
            else:
                yield from inside(child)

    for function in inside(tree):
        yield function, local_names(function)


def _has_super(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Name) and n.id in ("super", "__class__") for n in ast.walk(node))


def calls_taken_out(tree: ast.Module) -> None:
    """`x = f(a, key=b)` in a function is `x = part(a, b)` and `def part(a, b): return f(a, key=b)`, in a method
    `x = self.part(a, b)`. Tests are for `tests_taken_out`; nobody puts a loop's `range(n)` into a function.
    """
    names, added = Names(tree), list[ast.stmt]()
    for function, known, of in _all_functions(tree):
        for statement in list(_own_statements(function)):
            for expression in first_expressions(statement):
                waits = isinstance(expression, ast.Await)
                is_test = isinstance(statement, ast.If) and not waits
                if isinstance(statement, ast.Return) or is_test or _has_super(expression):
                    continue
                if isinstance(statement, ast.For | ast.AsyncFor) and _only_counts(expression):
                    continue
                call = expression.value if isinstance(expression, ast.Await) else expression
                if not isinstance(call, ast.Call) or _yields(call):
                    continue
                inner_waits = any(isinstance(n, ast.Await) for n in shallow(call))
                if inner_waits and not waits:
                    continue
                new, takes = names.new(), _free(expression, known - _bound_inside(expression))
                if any(isinstance(n, ast.NamedExpr) for n in ast.walk(expression)):
                    continue
                kind, own = of if of is not None and of[1] in takes else (None, "")
                takes = [t for t in takes if t != own]
                called: ast.expr = name(new) if kind is None else ast.Attribute(name(own), new, ast.Load())
                made = ast.Call(called, [name(t) for t in takes], [])
                taken = helper(new, [own, *takes] if own else takes, [ast.Return(expression)], waits=waits)
                if kind is None:
                    added.append(taken)
                else:
                    kind.body.append(taken)
                _replace(statement, expression, ast.Await(made) if waits else made)
    _add(tree, added)


def _bound_inside(expression: ast.expr) -> set[str]:
    """Names that comprehensions and lambdas in an expression bind for themselves."""
    targets = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return targets | {a.arg for n in ast.walk(expression) if isinstance(n, ast.Lambda) for a in n.args.args}


def _only_counts(source: ast.expr) -> bool:
    """Whether a loop goes over numbers, or over what there is anyhow in another order."""
    match source:
        case ast.Call(ast.Name("range" | "enumerate" | "zip" | "reversed" | "sorted" | "list")):
            return True
        case ast.Call(ast.Attribute(attr="items" | "values" | "keys"), args=[]):
            return True
    return False


def _all_functions(tree: ast.Module) -> list[tuple[Function, set[str], tuple[ast.ClassDef, str] | None]]:
    """All functions with the names of their own and of the functions around them, and, in a method, the class and what
    the method calls its object.
    """
    found: list[tuple[Function, set[str], tuple[ast.ClassDef, str] | None]] = []

    def inside(node: ast.AST, known: set[str], of: tuple[ast.ClassDef, str] | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                own, names = of, known | local_names(child)
                if isinstance(node, ast.ClassDef):
                    first = parameters(child)[:1]
                    own = (node, first[0]) if first == ["self"] else None
                found.append((child, names, own))
                inside(child, names, own)
            else:
                inside(child, known, None if isinstance(child, ast.ClassDef) else of)

    inside(tree, set(), None)
    return found


def _own_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function, at any depth, without those of functions and classes inside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from _own_statements(child)


def _yields(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))


def _replace(statement: ast.stmt, old: ast.expr, new: ast.expr) -> None:
    for field, value in ast.iter_fields(statement):
        if value is old:
            setattr(statement, field, new)


def _add(tree: ast.Module, added: Sequence[ast.stmt]) -> None:
    """Functions stand before the first statement that may call them."""
    at = after_imports(tree)
    tree.body[at:at] = added


def tests_taken_out(tree: ast.Module) -> None:
    """`if a > b:` is `if part(a, b):` and `def part(a, b): return a > b`."""
    names, added = Names(tree), list[ast.stmt]()
    for function, known in _in_functions(tree):
        for node in list(shallow(function)):
            if isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Constant | ast.Name):
                odd = (ast.Await, ast.NamedExpr, ast.Yield)
                if any(isinstance(n, odd) for n in ast.walk(node.test)) or _has_super(node.test):
                    continue
                new, takes = names.new(), _free(node.test, known)
                added.append(helper(new, takes, [ast.Return(node.test)], waits=False))
                node.test = ast.Call(name(new), [name(t) for t in takes], [])
    _add(tree, added)


def ends_taken_out(tree: ast.Module) -> None:
    """The second half of a function is a function of its own, to which it hands what it has: `return part(a, b)`.

    That of a method is a method: `return self._part(a, b)`.
    """
    names, added = Names(tree), list[ast.stmt]()
    methods = {id(m): c for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for m in c.body}
    for function, known in _in_functions(tree):
        if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for n in ast.walk(function)):
            continue
        if len(function.body) < SHORT or _has_super(function):
            continue
        at = len(function.body) // 2 + 1
        rest = function.body[at:]
        if not rest or (len(rest) == 1 and isinstance(rest[0], ast.Return)):
            continue
        defined = {
            s.name for s in function.body[:at] if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        bound = set(parameters(function)) | {n for s in function.body[:at] for n in stores(s)}
        takes = sorted({n for s in rest for n in loads(s)} & ((known & bound) | defined))
        waits = isinstance(function, ast.AsyncFunctionDef)
        cls, new = methods.get(id(function)), names.new()
        itself = next(iter(parameters(function)), "") if cls is not None and not function.decorator_list else ""
        callee: ast.expr = name(new)
        if cls is not None and itself == "self":
            takes, callee = [t for t in takes if t != itself], ast.Attribute(name(itself), f"_{new}", ast.Load())
            cls.body.insert(cls.body.index(function), helper(f"_{new}", [itself, *takes], rest, waits=waits))
        else:
            added.append(helper(new, takes, rest, waits=waits))
        made: ast.expr = ast.Call(callee, [name(t) for t in takes], [])
        function.body = [*function.body[:at], ast.Return(ast.Await(made) if waits else made)]
    _add(tree, added)


def loops_taken_out(tree: ast.Module) -> None:
    """The body of a loop that leaves nothing behind is a function of its own: `for x in y: part(x, z)`."""
    names, added = Names(tree), list[ast.stmt]()
    for function, known in _in_functions(tree):
        waits = isinstance(function, ast.AsyncFunctionDef)
        for node in list(shallow(function)):
            if not isinstance(node, ast.For | ast.While | ast.AsyncFor) or _has_super(node):
                continue
            odd = (ast.Continue, ast.Break, ast.Return, ast.Yield, ast.YieldFrom, ast.Global, ast.Nonlocal)
            if _has(node.body, *odd):
                continue
            bound = {n for s in node.body for n in stores(s)}
            elsewhere = {
                n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
            } - {n for s in node.body for n in loads(s)}
            first_read = bound & {n for s in node.body for n in loads(s)} & _bound_before(function, node)
            if bound & elsewhere or first_read or (isinstance(node, ast.While) and bound & loads(node.test)):
                continue
            takes = sorted({n for s in node.body for n in loads(s)} & known - bound)
            new = names.new()
            made: ast.expr = ast.Call(name(new), [name(t) for t in takes], [])
            added.append(helper(new, takes, node.body, waits=waits))
            node.body = [ast.Expr(ast.Await(made) if waits else made)]
    _add(tree, added)


def _bound_before(function: Function, loop: ast.AST) -> set[str]:
    """Names that a function binds outside of a loop, as far as can be said: all that it binds there."""
    inside = {id(n) for n in ast.walk(loop)}
    return {
        n.id
        for n in ast.walk(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and id(n) not in inside
    } | set(parameters(function))


def assigned_in_tests(tree: ast.Module) -> None:
    """`x = f(); if x: …` is `if x := f(): …`."""
    for owner, field, block in reversed(list(bodies(tree))):
        new = list[ast.stmt]()
        for statement in block:
            before = new[-1] if new else None
            match before, statement:
                case ast.Assign([ast.Name(id=first)], value), ast.If(ast.Name(id=second)) if first == second:
                    statement.test = ast.NamedExpr(ast.Name(first, ast.Store()), value)
                    new[-1] = statement
                case ast.Assign([ast.Name(id=first)], value), ast.If(
                    ast.UnaryOp(ast.Not(), ast.Name(id=second)) as test
                ) if first == second:
                    test.operand = ast.NamedExpr(ast.Name(first, ast.Store()), value)
                    new[-1] = statement
                case _:
                    new.append(statement)
        setattr(owner, field, new)


def calls_not_first(tree: ast.Module) -> None:
    """`x = f()` is `x = None; x = f()`: who looks at the first binding alone sees nothing."""

    def change(statement: ast.stmt, owner: ast.AST) -> Sequence[ast.stmt]:
        if isinstance(owner, ast.ClassDef):
            return [statement]
        match statement:
            case ast.Assign([ast.Name(id=to)], ast.Call() | ast.Await()):
                if to not in loads(statement):
                    return [assigned(to, ast.Constant(None)), statement]
        return [statement]

    each_statement(tree, change)
