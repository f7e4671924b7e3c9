"""Lines that only say where routes stand: the path of a router, and the import of one that is taken up as it is.

`APIRouter(prefix="/auth", tags=["auth"])` answers under a path of that name and asks nobody; what its routes ask for
stands in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import literal_of
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

TAKING_UP: Final = frozenset({"include_router", "register_blueprint"})
"""Calls that put the routes of a router beside others."""
MADE: Final = frozenset({"APIRouter", "Blueprint", *TAKING_UP})
NAMES: Final = frozenset({"prefix", "url_prefix", "tags"})
ASKING: Final = frozenset({"dependencies"})
"""What a router may be given that asks for each of its routes."""


def placed(program: Program, path: str) -> frozenset[int]:
    """The lines of a file that only say where routes stand."""
    module = program.table.get(path)
    return frozenset() if module is None else frozenset((*_paths(program, module), *_imports(program, module)))


def _paths(program: Program, module: ir.Module) -> Iterator[int]:
    for call in program.structure(module).calls:
        given = {argument.keyword: argument.value for argument in call.args}
        if callee_name(call.callee) in MADE and ASKING.isdisjoint(given):
            for value in (value for name, value in given.items() if name in NAMES):
                yield value.span.line
                named = literal_of(program, value)
                if named is not None and named.span.path == module.path:
                    yield named.span.line


def _imports(program: Program, module: ir.Module) -> Iterator[int]:
    """Those of routers that the file takes up, and does nothing else with."""
    structure = program.structure(module)
    taken = {id(a.value) for c in structure.calls if callee_name(c.callee) in TAKING_UP for a in c.args}
    for name, bindings in program.bindings(module).items():
        uses = [node for node in structure.nodes if isinstance(node, ir.Name) and node.id == name]
        if uses and all(id(node) in taken for node in uses):
            yield from (each.node.span.line for each in bindings if each.kind == "import")
