"""What imports bring in, and what a project module offers under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import exports
from agent_architecture.names.arguments import argument_of
from agent_architecture.names.configuration_files import texts_of
from agent_architecture.names.values import Api, ModuleValue, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

SPEC: Final = "py:importlib.util.spec_from_file_location"


def imported_module(program: Program, node: ir.Import) -> Values:
    """The module that an import expression (`require`, `import()`) gives."""
    module = program.module_of(node)
    return tuple(_located(program, exports.imported(program.exports, module, node, None), node))


def imported_name(program: Program, binding: Binding) -> Iterator[Value]:
    """What an import binds a name to."""
    node = binding.node
    if not isinstance(node, ir.Import):
        raise TypeError(f"an import binding without an import at {node.span}")
    module = program.module_of(node)
    extra = binding.extra if isinstance(binding.extra, ir.ImportedName) else None
    yield from _located(program, exports.imported(program.exports, module, node, extra), node)


def offered(program: Program, module: ir.Module, name: str, node: ir.Expr) -> Iterator[Value]:
    """What a project module offers under a name."""
    yield from _located(program, program.exports.locate(module, name), node)


def named_module(program: Program, name: str, node: ir.Call) -> Iterator[Value]:
    """The module that a text names: `importlib.import_module(PLACES[kind])`. A relative name counts only with the
    module's own package.
    """
    bare = name.lstrip(".")
    place = program.module_of(node)
    package = node.args[1].value if len(node.args) > 1 else None
    own = isinstance(package, ir.Name) and package.id in {"__package__", "__name__"}
    if not bare or (bare != name and not own):
        yield Unknown("a module of another package", node)
        return
    targets = program.exports.specifiers.resolve(place.path, place.language, bare, len(name) - len(bare), whole=True)
    yield from _located(program, program.exports.whole(targets), node)


def modules_by_place(program: Program, spec: ir.Expr, node: ir.Call) -> Values:
    """The modules that a file's place names: `module_from_spec(spec_from_file_location("crew", folder / "crew.py"))`.
    Which of several files of one name is meant is not written, so each of them may be.
    """
    calls = (v.node for v in program.value_of(spec) if isinstance(v, Api) and v.path == f"{SPEC}()")
    places = (argument_of(call, "1") or argument_of(call, "location") for call in calls if isinstance(call, ir.Call))
    named = {text for place in places if place is not None for text in texts_of(program, place) if text.endswith(".py")}
    names = tuple(f"/{text.replace('../', '').removeprefix('./').lstrip('/')}" for text in named)
    paths = [path for path in sorted(program.table.paths) if names and f"/{path}".endswith(names)]
    modules = (program.table.get(path) for path in paths if path != node.span.path)
    role = program.module_of(node).role
    found = tuple(ModuleValue(module) for module in modules if module is not None and module.role is role)
    return found or (Unknown("a module of a file that is only known at run time", node),)


def _located(program: Program, places: tuple[exports.Located, ...], node: ir.Expr) -> Iterator[Value]:
    from agent_architecture.names.lookup import value_at_end

    if not places:
        yield Unknown("an import that is not part of the project", node)
    for place in places:
        match place:
            case exports.InModule():
                yield from value_at_end(program, place.module, place.name)
            case exports.WholeModule():
                yield ModuleValue(place.module)
            case exports.Outside():
                yield Api(place.path, node)
            case exports.Inline():
                yield from program.value_of(place.expr)


def required_names(program: Program) -> frozenset[str]:
    """The variables of modules that hold what `require` gives as a whole: a function, under any name."""
    found: set[str] = set()
    for module in program.modules:
        file = program.table.file(module.path)
        if file is not None and b"require(" in file.data:
            bindings = (binding for group in program.bindings(module).values() for binding in group)
            found.update(b.name for b in bindings if isinstance(b.value, ir.Import) and not b.steps)
    return frozenset(found)


def maker_names(program: Program) -> frozenset[str]:
    """The variables of JavaScript that hold a `constructor`: of a function, what makes functions of texts."""
    found: set[str] = set()
    for module in program.modules:
        file = program.table.file(module.path)
        if file is not None and b".constructor" in file.data:
            scopes: tuple[ir.Scope, ...] = (module, *module.index.functions)
            found.update(name for scope in scopes for name in program.indexes.renamed(scope, "constructor"))
    return frozenset(found)


def aliases(modules: Iterable[ir.Module]) -> dict[str, frozenset[str]]:
    """For each name that is imported, or handed on (`export { a as b } from "m"`), the other names that it is given."""
    table: dict[str, set[str]] = {}
    for module in modules:
        for name, other in renamings(module):
            table.setdefault(name, set()).add(other)
    return {known: frozenset(others) for known, others in table.items()}


def renamings(module: ir.Module) -> Iterator[tuple[str, str]]:
    """The names that a module takes or hands on under another name, each with that."""
    for _, node in module.index.imports:
        yield from ((name.name, name.alias) for name in node.names if name.alias != name.name)
    for export in module.index.exports:
        if export.module is not None and export.local is not None and export.local not in {"*", export.exported}:
            yield export.local, export.exported


def with_aliases(names: frozenset[str], table: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """These names, and all under which a module takes one of them, or what another offers as its `default`."""
    found, queue = {*names, "default"}, [*names, "default"]
    for name in queue:  # grows
        new = table.get(name, frozenset()) - found
        found |= new
        queue.extend(new)
    return frozenset(found)
