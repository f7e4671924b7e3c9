"""What a library takes from the files of a folder: the default export of each, with the file's variables for arguments.
An object that is exported carries its own.

Finds functions and objects by where their file stands and what it imports. Says nothing about what they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.definition_sites import Inline, InModule
from agent_architecture.names.values import Api, Func
from agent_architecture.semantics.packs.api_paths import root_of
from agent_architecture.semantics.packs.globs import fits
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.rows import EntityRow


def placed(
    program: Program, rows: Iterable[EntityRow]
) -> Iterator[tuple[EntityRow, ir.Function | ir.Map, ir.Map, Api]]:
    """For each such row what the files that it speaks of export, and what stands for its arguments."""
    for row in rows:
        package = row.file.rpartition(":")[0]
        for module in program.modules:
            if is_placed(module, row):
                for node in _offered(program, module):
                    given = node if isinstance(node, ir.Map) else _variables(module, node)
                    yield row, node, given, Api(f"{package}:default", node)


def is_placed(module: ir.Module, row: EntityRow) -> bool:
    """Whether a file stands where a row says, and imports its package."""
    package, _, pattern = row.file.rpartition(":")
    return fits(module.path, pattern) and _imports(module, package)


def _imports(module: ir.Module, package: str) -> bool:
    return any(root_of(f"npm:{node.module}") == package for _, node in module.index.imports if node.module)


def _offered(program: Program, module: ir.Module) -> Iterator[ir.Function | ir.Map]:
    """The functions and objects that a module exports by default."""
    for place in program.exports.locate(module, "default"):
        if isinstance(place, Inline):
            yield from _things(program, place.expr)
        elif isinstance(place, InModule):
            for binding in program.exports.bindings(place.module).get(place.name, ()):
                if isinstance(binding.node, ir.Function):
                    yield binding.node
                elif binding.value is not None:
                    yield from _things(program, binding.value)


def _things(program: Program, expr: ir.Expr) -> Iterator[ir.Function | ir.Map]:
    if isinstance(expr, ir.Function | ir.Map):
        yield expr
    elif isinstance(expr, ir.List):
        for item in expr.items:
            yield from _things(program, item)
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
