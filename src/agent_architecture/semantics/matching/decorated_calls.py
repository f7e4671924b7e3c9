"""Calls of the project's functions in whose place a library's decorator puts something that asks a model when it is
called: `@prompt("Name {count} rivers")` above `def rivers(count): ...`, and `rivers(3)` somewhere else.

The row of such a call is that of the object which the decorator makes, called: `prompt()()` where it takes arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.imported import aliases, with_aliases
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Func
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow

ASKING: Final = frozenset({"model_call", "run"})


def decorated_calls(program: Program, packs: Packs, makers: frozenset[str]) -> Iterator[tuple[EntityRow, ir.Call, Api]]:
    """Each call of such a function with its row and the object that is called; `makers` are names of decorators."""
    for function in (one for module in program.modules for one in module.index.functions if one.parts.decorators):
        made = tuple(_made(program, packs, function, makers))
        for site in _calls_of(program, function) if made else ():
            yield from ((row, site, api) for row, api in made)


def _made(
    program: Program, packs: Packs, function: ir.Function, makers: frozenset[str]
) -> Iterator[tuple[EntityRow, Api]]:
    """What the decorators of a function put in its place, where a row says what its calls are."""
    for decorator in function.parts.decorators:
        if callee_name(decorator.callee if isinstance(decorator, ir.Call) else decorator) in makers:
            for api in (value for value in program.value_of(decorator) if isinstance(value, Api)):
                put = Api(f"{api.path}()", decorator, api)
                yield from ((row, put) for row in packs.entities(put.path) if row.kind in ASKING)


def _calls_of(program: Program, function: ir.Function) -> Iterator[ir.Call]:
    """The calls of a function by its own name, or one that imports give it."""
    for name in sorted(with_aliases(frozenset({function.name}), aliases(program.modules))):
        for site in program.calls(name):
            values = program.value_of(site.call.callee)
            if any(isinstance(value, Func) and value.function is function for value in values):
                yield site.call
