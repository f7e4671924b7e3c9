"""Which code may run before a route, or beside it: what it names, what its server is given, what a platform runs.

A check that nothing names, or that other routes alone name, keeps nobody out of this one. What is not followed (a
method that nobody is seen to call, an object that another file imports) may stand before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import InProject, Outside
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import header_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.taint.request_handlers import handing, is_route, registers
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.sources.source import Span

BETWEEN: Final = regex(r"(?:^|/)(?:_?middleware|proxy|hooks\.server)(?:\.\w+|/[^/]+)$")
"""Files that a framework puts before all routes without an import."""
REGISTERING: Final = frozenset({"get", "post", "put", "patch", "delete", "websocket", "add_api_route", "add_url_rule"})
"""Calls by which a server is given one route."""
PACKAGES: Final = frozenset({"index", "__init__"})
"""Files that are imported by the name of their folder."""


class BeforeRoutes:
    """Answers for lines of code, and remembers."""

    def __init__(self, program: Program, served: Served) -> None:
        self._program = program
        self._served = served
        self._known: dict[tuple[int, int], bool] = {}
        self._names: dict[str, tuple[ir.Name | ir.Member, ...]] = {}
        self._own: dict[str, tuple[tuple[int, int, ir.Function], ...]] = {}

    def may_stand(self, path: str, line: int, route: ir.Node) -> bool:
        """Whether what stands on a line may run for the requests of a route."""
        if any(first <= line <= last for first, last, each in self.routed(path) if each is not route):
            return False
        module = self._program.table.get(path)
        if module is None or BETWEEN.search(path):
            return True
        inside = [each for each in module.index.functions if _covers(each, line)]
        if not inside:
            return self._module_line(module, line, route)
        return any(each is route for each in inside) or self._runs(inside[0], route)

    def routed(self, path: str) -> tuple[tuple[int, int, ir.Function], ...]:
        """The functions of a file that answer the requests for a path, each with its lines, those of decorators too."""
        found = self._own.get(path)
        if found is None:
            module = self._program.table.get(path)
            scopes = () if module is None else module.code
            functions = [s for s in scopes if isinstance(s, ir.Function) and self._served.is_routed(s)]
            found = self._own[path] = tuple((_first_line(each), _last_line(each), each) for each in functions)
        return found

    def _runs(self, function: ir.Function, route: ir.Node) -> bool:
        """Whether a function outside of all others may run for the requests of a route."""
        key = id(function), id(route)
        if key not in self._known:
            self._known[key] = False
            self._known[key] = self._is_led_to(function, route)
        return self._known[key]

    def _is_led_to(self, function: ir.Function, route: ir.Node) -> bool:
        span = route.span
        if function is route or (span.path == function.span.path and function.span.contains(span)):
            return True
        if not function.name or function.decorators:
            return True
        places = tuple(self._places(function))
        if isinstance(function.outer, ir.Class) and not places:
            return True
        return any(self.may_stand(place.path, place.line, route) for place in places) or self._is_said(function)

    def _places(self, function: ir.Function) -> Iterator[Span]:
        """Where a function is called or named, but by itself; named, too, as a member of its module, or as its file."""
        called = (site.call.span for site in self._program.callers(function))
        for span in (*called, *self._named(function.name), *self._as_file(function.module)):
            if span.path != function.span.path or not function.span.contains(span):
                yield span

    def _as_file(self, module: ir.Module) -> Iterator[Span]:
        """Where other files name what they import of a file as a whole, or as its default."""
        for other, imp in self._imports(module):
            names = {name.alias for name in imp.names if name.name == "default"} | ({imp.alias} - {None})
            for name in names:
                yield from (node.span for node in self._names_of(other) if _called(node) == name)

    def _imports(self, module: ir.Module) -> Iterator[tuple[ir.Module, ir.Import]]:
        """The imports of a file by others."""
        targets = self._program.exports.specifiers.targets
        for other in self._program.modules:
            for _, imp in other.index.imports if other is not module else ():
                if any(isinstance(each, InProject) and each.path == module.path for each in targets(other, imp)):
                    yield other, imp

    def _named(self, name: str) -> Iterator[Span]:
        """Where the files of the program have a name, in the headers of functions, too: `user=Depends(known)`."""
        for module in self._program.modules:
            file = self._program.table.file(module.path)
            if file is not None and name.encode() in file.data:
                yield from (node.span for node in self._names_of(module) if _called(node) == name)

    def _names_of(self, module: ir.Module) -> tuple[ir.Name | ir.Member, ...]:
        """The names and members in a file."""
        found = self._names.get(module.path)
        if found is None:
            found = self._names[module.path] = tuple(_names(self._program, module))
        return found

    def _is_said(self, function: ir.Function) -> bool:
        """Whether a text names a function, as a list of what stands before all views does."""
        name = function.name.encode()
        texts = tuple(before + name + after for before in (b'"', b"'", b".", b":") for after in (b'"', b"'"))
        files = self._program.table.files()
        return any(name in file.data and any(text in file.data for text in texts) for file in files)

    def _module_line(self, module: ir.Module, line: int, route: ir.Node) -> bool:
        """Whether a line outside of all functions says something of a route: not what imports code of the project, not
        another route, and an object only where the route comes to what names it.
        """
        if any(_covers(imp, line) and not self._is_library(module, imp) for _, imp in module.index.imports):
            return False
        for node in self._program.structure(module).nodes:
            if isinstance(node, ir.Call) and _covers(node, line) and self._is_other_route(node, route):
                return False
            if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and _covers(node, line):
                return self._is_used(module, node.target, route)
        return True

    def _is_library(self, module: ir.Module, imp: ir.Import) -> bool:
        first = next(iter(self._program.exports.specifiers.targets(module, imp)), None)
        return first is None or isinstance(first, Outside)

    def _is_other_route(self, call: ir.Call, route: ir.Node) -> bool:
        if callee_name(call.callee) not in REGISTERING or not (is_route(call) and registers(call)):
            return False
        own = handing(self._program, route) if isinstance(route, ir.Function) else None
        return own is not call and not call.span.contains(route.span)

    def _is_used(self, module: ir.Module, target: ir.Name, route: ir.Node) -> bool:
        """Whether what names an object of a module may run for a route, or another file takes it."""
        key = id(target), id(route)
        if key not in self._known:
            self._known[key] = False
            self._known[key] = self._is_taken(module, target.id) or any(
                self.may_stand(module.path, node.span.line, route)
                for node in self._names_of(module)
                if isinstance(node, ir.Name) and node.id == target.id and node is not target
            )
        return self._known[key]

    def _is_taken(self, module: ir.Module, name: str) -> bool:
        """Whether another file may take an object of a module: both have to be named in it."""
        folder, _, file = module.path.rpartition("/")
        stem = file.partition(".")[0]
        known = stem if stem not in PACKAGES else folder.rpartition("/")[2]
        words = name.encode(), known.encode()
        files = (self._program.table.file(other.path) for other in self._program.modules if other is not module)
        return any(file is not None and all(word in file.data for word in words) for file in files)


def _names(program: Program, module: ir.Module) -> Iterator[ir.Name | ir.Member]:
    """The names and members in the code of a file, those in the headers of functions and classes, too."""
    for scope in (*module.code, *module.index.classes):
        structure = program.structure(scope)
        headers = (node for definition in structure.definitions for node in header_nodes(definition))
        yield from (node for node in (*structure.nodes, *headers) if isinstance(node, (ir.Name, ir.Member)))


def _called(node: ir.Name | ir.Member) -> str:
    return node.id if isinstance(node, ir.Name) else node.name


def _covers(node: ir.Node, line: int) -> bool:
    return node.span.line <= line <= node.span.end_line


def _first_line(function: ir.Function) -> int:
    return min((function.span.line, *(decorator.span.line for decorator in function.decorators)))


def _last_line(function: ir.Function) -> int:
    return max((function.span.end_line, *(decorator.span.end_line for decorator in function.decorators)))
