"""What a library takes from the files of a folder: the default export of each, with the file's variables for arguments.

Finds functions by where their file stands and what it imports. Says nothing about what they are.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from agent_architecture.names.located import Inline, InModule
from agent_architecture.names.values import Api, Func
from agent_architecture.semantics.paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.rows import EntityRow


def placed(program: Program, rows: Iterable[EntityRow]) -> Iterator[tuple[EntityRow, ir.Function, ir.Map, Api]]:
    """For each such row the functions of the files that it speaks of, and what stands for their arguments."""
    for row in rows:
        package, _, pattern = row.file.rpartition(":")
        for module in program.modules:
            fits = fnmatchcase(module.path, pattern) or fnmatchcase(module.path, f"*/{pattern}")
            if fits and _imports(module, package):
                for function in _offered(program, module):
                    yield row, function, _variables(module, function), Api(f"{package}:default", function)


def _imports(module: ir.Module, package: str) -> bool:
    return any(root_of(f"npm:{node.module}") == package for _, node in module.index.imports if node.module)


def _offered(program: Program, module: ir.Module) -> Iterator[ir.Function]:
    """The functions that a module exports by default."""
    for place in program.exports.locate(module, "default"):
        if isinstance(place, Inline):
            yield from _functions(program, place.expr)
        elif isinstance(place, InModule):
            for binding in program.exports.bindings(place.module).get(place.name, ()):
                if isinstance(binding.node, ir.Function):
                    yield binding.node
                elif binding.value is not None:
                    yield from _functions(program, binding.value)


def _functions(program: Program, expr: ir.Expr) -> Iterator[ir.Function]:
    if isinstance(expr, ir.Function):
        yield expr
    else:
        yield from (value.function for value in program.value_of(expr) if isinstance(value, Func))


def _variables(module: ir.Module, function: ir.Function) -> ir.Map:
    """The variables of a module as an object."""
    entries = (
        ir.Entry(ir.Literal(node.span, node.target.id), node.value)
        for node in module.body
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.value is not None
    )
    return ir.Map(function.span, tuple(entries))
