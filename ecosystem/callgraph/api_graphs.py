"""CodeQL's tests of API graphs, held against what the name layer says of the same lines.

A `use` holds where something on the line has the access path that is meant, a `def` where something on the line is what
the path's call is given. What does not apply is said with its reason: it is counted as neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from agent_architecture.names.binding_values import value_of_binding
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Func, Instance, Items, Text, Value
from agent_architecture.syntax import ir
from ecosystem.callgraph.expectations import expectations
from ecosystem.callgraph.opened import opened
from ecosystem.callgraph.reached import reached

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span
    from ecosystem.callgraph.expectations import Expectation
    from ecosystem.callgraph.reached import Reached

FOLDERS: Final = ("python/ql/test/library-tests/ApiGraphs", "javascript/ql/test/ApiGraphs")

_EXPRESSIONS: Final = get_args(ir.Expr)


class Held(NamedTuple):
    """One expectation, and whether it holds."""

    suite: str
    expected: Expectation
    holds: bool
    left_out: str
    """Why it does not apply; "" where it does."""


def held(root: Path) -> Iterator[Held]:
    """Every expectation of the tests in a checkout of CodeQL, by folder and place."""
    for name in FOLDERS:
        for folder in sorted(path for path in (root / name).iterdir() if path.is_dir()):
            program = opened(folder)
            for one in expectations(folder):
                holds = _holds(program, one, folder.name)
                left_out = "" if holds else _reason(program, one, folder.name)
                yield Held(f"{name.partition('/')[0]} {folder.name}", one, holds, left_out)


def _reason(program: Program, expected: Expectation, folder: str) -> str:
    """Why an expectation does not apply; "" where it does."""
    kinds = [step.kind for step in expected.steps]
    if folder == "py2":
        return "Python 2"
    if "entryPoint" in kinds or folder == "custom-use-steps":
        return "a rule of the test's own query"
    if _is_starred_in_function(program, expected):
        return "a star import in a function, which Python 3 refuses"
    if expected.steps[0].name == folder and "getParameter" in kinds[:-1]:
        return "what the users of the package hand in, who are not part of the project"
    for number, kind in enumerate(kinds):
        before = reached(program, expected.steps[:number], python=False, own=folder)
        if kind == "getInstance" and any(isinstance(value, Func) for value in before.values):
            return "a function that is used as a class, as before ES2015"
    return ""


def _is_starred_in_function(program: Program, expected: Expectation) -> bool:
    module = program.table.get(expected.path)
    stars = (scope for scope, one in module.index.imports if any(n.name == "*" for n in one.names)) if module else ()
    is_inside = any(isinstance(scope, ir.Function) for scope in stars)
    return is_inside and expected.path.endswith(".py")


def _holds(program: Program, expected: Expectation, own: str) -> bool:
    python = expected.path.endswith(".py")
    found = reached(program, expected.steps, python=python, own=own)
    module = program.table.get(expected.path)
    if module is None:
        return False
    return _is_used(program, module, expected, found) if expected.is_use else _is_given(program, expected, found)


def _is_used(program: Program, module: ir.Module, expected: Expectation, found: Reached) -> bool:
    if any(param.span.line == expected.line and param.span.path == expected.path for param in found.parameters):
        return True
    if any(isinstance(v, ClassValue) and _is_at(v.cls.span, expected) for v in found.values):
        return True
    return any(_is_meant(value, found) for node in _on_line(program, module, expected) for value in node)


def _on_line(program: Program, module: ir.Module, expected: Expectation) -> Iterator[tuple[Value, ...]]:
    """The values of everything that begins on the line: expressions, headers, parameters, imported names."""
    scopes: list[ir.Scope] = [module, *module.index.classes, *module.index.functions]
    for scope in scopes:
        if isinstance(scope, ir.Function):
            places = (program.bindings(scope).get(p.name, ()) for p in scope.params if _is_at(p.span, expected))
            yield from (tuple(value_of_binding(program, binding)) for bindings in places for binding in bindings)
        structure = program.structure(scope)
        for node in (*structure.nodes, *(part for one in structure.definitions for part in _header(one))):
            if not _is_at(node.span, expected):
                continue
            if isinstance(node, ir.Import):
                yield from _imported(program, module, node)
            elif isinstance(node, _EXPRESSIONS):
                yield program.value_of(node)


def _header(definition: ir.Function | ir.Class) -> Iterator[ir.Node]:
    from agent_architecture.names.structure import header_nodes

    yield from header_nodes(definition)
    if isinstance(definition, ir.Function):
        yield from (n for p in definition.params if p.annotation is not None for n in ir.walk(p.annotation))


def _imported(program: Program, module: ir.Module, node: ir.Import) -> Iterator[tuple[Value, ...]]:
    yield program.value_of(node)
    for name in node.names:
        for place in program.exports.imported(module, node, name):
            path = getattr(place, "path", None)
            if path is not None:
                yield (Api(path, node),)


def _is_meant(value: Value, found: Reached) -> bool:
    match value:
        case Api():
            return value.path in found.paths
        case ClassValue() | Func():
            return value in found.values
        case Instance():
            return any(isinstance(one, Instance) and one.cls is value.cls for one in found.values)
        case _:
            return False


def _is_given(program: Program, expected: Expectation, found: Reached) -> bool:
    places = [node.span for node in found.given]
    places += [span for node in found.given for value in program.value_of(node) for span in _place(value)]
    places += [span for value in found.values for span in _place(value)]
    return any(_is_at(span, expected) for span in places)


def _place(value: Value) -> Iterator[Span]:
    match value:
        case Const():
            yield value.span
        case Func():
            yield value.function.span
        case ClassValue() | Instance():
            yield value.cls.span
        case Items() | Entries() | Text() | Api():
            yield value.node.span
        case _:
            return


def _is_at(span: Span, expected: Expectation) -> bool:
    return span.line == expected.line and span.path == expected.path
