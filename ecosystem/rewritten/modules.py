"""Rewritings of where something stands: imported otherwise, behind a getter, on a holder, in another file."""

from __future__ import annotations

import ast
import copy

from ecosystem.rewritten.trees import (
    PART,
    Names,
    after_imports,
    assigned,
    bodies,
    class_of,
    functions,
    helper,
    loads,
    local_names,
    name,
    parameters,
    stores,
)

OWN = f"{PART}_own"
"""The module that a rewriting adds beside a file, with the name of the file behind it."""
FOUND_BY_NAME = frozenset({"root_agent"})
"""Names by which a library finds what a module offers."""


def _imports(tree: ast.Module) -> list[ast.ImportFrom]:
    return [
        s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module != "__future__" and s.names[0].name != "*"
    ]


class _Renamed(ast.NodeTransformer):
    """Names of a module that are read become other expressions, where no scope inside binds them."""

    def __init__(self, table: dict[str, ast.expr]) -> None:
        self._table = table

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._table:
            return copy.deepcopy(self._table[node.id])
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._scope(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._scope(node)

    def _scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        own = local_names(node)
        inner = _Renamed({k: v for k, v in self._table.items() if k not in own})
        node.body = [inner.visit(s) for s in node.body]
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args = self.visit(node.args)
        if node.returns is not None:
            node.returns = self.visit(node.returns)
        return node


def imports_by_module(tree: ast.Module) -> None:
    """`from a.b import c` is `import a.b as part`, and `c` is `part.c`."""
    names, table = Names(tree), dict[str, ast.expr]()
    for number, statement in enumerate(tree.body):
        if isinstance(statement, ast.ImportFrom) and statement in _imports(tree) and not statement.level:
            new = names.new()
            tree.body[number] = ast.Import([ast.alias(statement.module or "", new)])
            for alias in statement.names:
                table[alias.asname or alias.name] = ast.Attribute(name(new), alias.name, ast.Load())
    taken = {n for s in tree.body if not isinstance(s, ast.Import) for n in stores(s)}
    _Renamed({k: v for k, v in table.items() if k not in taken}).visit(tree)


def imports_renamed(tree: ast.Module) -> None:
    """`from a import b` is `from a import b as part`."""
    names, table = Names(tree), dict[str, ast.expr]()
    rebound = {n for s in tree.body if not isinstance(s, ast.ImportFrom | ast.Import) for n in stores(s)}
    for statement in _imports(tree):
        for alias in statement.names:
            if (alias.asname or alias.name) in rebound:
                continue
            new = names.new()
            table[alias.asname or alias.name] = name(new)
            alias.asname = new
    _Renamed(table).visit(tree)


def imports_inside(tree: ast.Module) -> None:
    """What only functions need is imported in them."""
    moved = [s for s in _imports(tree) if s.level == 0]
    outside = set[str]()
    for statement in tree.body:
        outside |= _read_at_once(statement)
    for statement in moved:
        bound = {a.asname or a.name for a in statement.names}
        if bound & outside or len(bound) != len(statement.names):
            continue
        users = [f for f in functions(tree) if any(bound & loads(s) for s in f.body)]
        if not users:
            continue
        for function in users:
            at = 1 if ast.get_docstring(function) and len(function.body) > 1 else 0
            function.body.insert(at, copy.deepcopy(statement))
        tree.body.remove(statement)


def _read_at_once(statement: ast.stmt) -> set[str]:
    """Names that are read when a module is loaded, annotations included."""
    found = set[str]()

    def walk(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in (*node.decorator_list, node.args, *([node.returns] if node.returns else [])):
                walk(part)
            return
        if isinstance(node, ast.Name):
            found.add(node.id)
        for child in ast.iter_child_nodes(node):
            walk(child)

    walk(statement)
    return found


def _own_module(tree: ast.Module, stem: str) -> tuple[str, ast.Module]:
    return f"{OWN}_{stem}", ast.Module(
        [s for s in tree.body if isinstance(s, ast.ImportFrom) and s.module == "__future__"], []
    )


def imports_handed_on(tree: ast.Module, stem: str) -> dict[str, ast.Module]:
    """`from a import b` is `from .own import b`, of a module that imports it from `a`."""
    called, other = _own_module(tree, stem)
    for statement in _imports(tree):
        if statement.level:
            continue
        other.body.append(copy.deepcopy(statement))
        for alias in statement.names:
            alias.name, alias.asname = alias.asname or alias.name, None
        statement.module, statement.level = called, 0
    return {called: other} if other.body else {}


def functions_moved(tree: ast.Module, stem: str) -> dict[str, ast.Module]:
    """Functions that need nothing of their module but its imports stand in another file."""
    own = {n for s in tree.body if not isinstance(s, ast.Import | ast.ImportFrom) for n in stores_of(s)}
    moved = list[ast.stmt]()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            others = own - {statement.name}
            if not (loads(statement) & others) and not any(isinstance(n, ast.Global) for n in ast.walk(statement)):
                moved.append(statement)
    if not moved:
        return {}
    called, other = _own_module(tree, stem)
    other.body = [copy.deepcopy(s) for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    other.body += moved
    tree.body = [s for s in tree.body if s not in moved]
    names = [ast.alias(s.name, None) for s in moved if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef)]
    at = after_imports(tree)
    tree.body.insert(at, ast.ImportFrom(called, names, 0))
    return {called: other}


def stores_of(statement: ast.stmt) -> set[str]:
    """Names that a statement of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    return stores(statement)


def _objects(tree: ast.Module) -> list[tuple[str, ast.Assign]]:
    """Module names that are bound once, to what a call makes; neither those that other files name, which would find
    them no longer, nor those by which a library finds them.
    """
    asked = {*getattr(tree, "asked", ()), *FOUND_BY_NAME}
    bound = [s for s in tree.body if isinstance(s, ast.Assign)]
    once = [n for s in tree.body for n in stores_of(s)]
    globals_ = {n for g in ast.walk(tree) if isinstance(g, ast.Global) for n in g.names}
    found = list[tuple[str, ast.Assign]]()
    for statement in bound:
        match statement:
            case ast.Assign([ast.Name(id=to)], ast.Call()):
                if once.count(to) == 1 and to not in globals_ and to not in asked:
                    found.append((to, statement))
    return found


def objects_behind_getters(tree: ast.Module) -> None:
    """`client = Client()` is `def part(): return Client()`, asked once, and `client` is `part()`."""
    names, table = Names(tree), dict[str, ast.expr]()
    decorators = {n for s in ast.walk(tree) for d in getattr(s, "decorator_list", []) for n in loads(d)}
    for target, statement in _objects(tree):
        if target in decorators:
            continue
        new = names.new()
        made = helper(new, [], [ast.Return(statement.value)], waits=False)
        made.decorator_list = [ast.Attribute(name(f"{PART}_functools"), "cache", ast.Load())]
        tree.body[tree.body.index(statement)] = made
        table[target] = ast.Call(name(new), [], [])
    if table:
        _Renamed(table).visit(tree)
        tree.body.insert(after_imports(tree), ast.Import([ast.alias("functools", f"{PART}_functools")]))


def objects_held(tree: ast.Module) -> None:
    """`client = Client()` is `holder.client = Client()`, and `client` is `holder.client`."""
    table = dict[str, ast.expr]()
    holder = f"{PART}_holder"
    for target, statement in _objects(tree):
        at = tree.body.index(statement)
        tree.body[at] = ast.Assign([ast.Attribute(name(holder), target, ast.Store())], statement.value)
        table[target] = ast.Attribute(name(holder), target, ast.Load())
    if table:
        _Renamed(table).visit(tree)
        kind = class_of(f"{PART.title()}Holder", [ast.Pass()])
        at = after_imports(tree)
        tree.body[at:at] = [kind, assigned(holder, ast.Call(name(kind.name), [], []))]


def decorators_called(tree: ast.Module) -> None:
    """`@d def f` is `def f` and `f = d(f)`."""
    for owner, field, block in reversed(list(bodies(tree))):
        new = list[ast.stmt]()
        for statement in block:
            new.append(statement)
            if isinstance(owner, ast.Module) and isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                value: ast.expr = name(statement.name)
                for decorator in reversed(statement.decorator_list):
                    value = ast.Call(decorator, [value], [])
                if statement.decorator_list:
                    statement.decorator_list = []
                    new.append(assigned(statement.name, value))
        setattr(owner, field, new)


def functions_of_classes(tree: ast.Module) -> None:
    """Plain functions of a module are static methods of a class: `f(x)` is `Part.f(x)`."""
    used = {n for s in ast.walk(tree) for d in getattr(s, "decorator_list", []) for n in loads(d)}
    moved = [
        s
        for s in tree.body
        if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef) and not s.decorator_list and s.name not in used
    ]
    exported = {s.name for s in moved}
    if not moved:
        return
    holder = f"{PART.title()}Functions"
    _Renamed({n: ast.Attribute(name(holder), n, ast.Load()) for n in exported}).visit(tree)
    at = tree.body.index(moved[0])
    for statement in moved:
        statement.decorator_list = [name("staticmethod")]
        tree.body.remove(statement)
    kind = class_of(holder, list(moved))
    tree.body.insert(at, kind)


def names_of_locals(tree: ast.Module) -> None:
    """Variables of functions have names that say nothing; parameters keep theirs."""
    names = Names(tree)
    for function in functions(tree):
        inner = {n for f in functions(function) if f is not function for n in local_names(f)}
        imported = {
            (a.asname or a.name).split(".")[0]
            for n in ast.walk(function)
            if isinstance(n, ast.Import | ast.ImportFrom)
            for a in n.names
        }
        defined = {
            n.name for n in ast.walk(function) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        caught = {n.name for n in ast.walk(function) if isinstance(n, ast.ExceptHandler) and n.name}
        own = local_names(function) - set(parameters(function)) - inner - imported - defined - caught
        table = {n: names.new() for n in sorted(own) if not n.startswith("part_")}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in table:
                node.id = table[node.id]
            if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name in table:
                node.name = table[node.name]
