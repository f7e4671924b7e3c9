"""What functions of the project put into something that they are handed: `keep(said, text)` after
`def keep(items, text): items.append(text)`.

It is told as if it stood where the function is called: the change is one that nobody wrote, in which what the call
gives stands for the parameters. So what one caller puts in is not put in by another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names.named_functions import given_to, imported_function, named_function
from agent_architecture.names.program import CallSite
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program

    Change: TypeAlias = ir.Call | ir.Assign
    Direct: TypeAlias = Callable[[Program, ir.Scope, Callable[[ir.Expr], bool]], Iterator[Change]]
    """What tells the changes that a scope's own code makes."""

DEPTH: Final = 2
"""Functions that hand a container on to each other."""


def handed(
    program: Program, scope: ir.Scope, is_target: Callable[[ir.Expr], bool], direct: Direct, depth: int = DEPTH
) -> Iterator[Change]:
    """What functions put into what a scope's own code hands them."""
    for call in program.structure(scope).calls:
        if any(not argument.spread and is_target(argument.value) for argument in call.args):
            yield from handed_at(program, CallSite(call, scope), is_target, direct, depth)


def handed_at(
    program: Program, site: CallSite, is_target: Callable[[ir.Expr], bool], direct: Direct, depth: int = DEPTH
) -> Iterator[Change]:
    """The same for one call."""
    function = named_function(program, site.call.callee) if depth else None
    if function is None or function.is_generator:
        return
    given = given_to(program, site, function)
    structure = program.structure(site.scope)
    for name, value in given.items():
        if is_target(value):
            for change in _put_into(program, function, name, direct, depth):
                made = program.made.handed(site.call, change, given)
                structure.adopt(made, site.call)
                yield made


def _put_into(program: Program, function: ir.Function, name: str, direct: Direct, depth: int) -> Iterator[Change]:
    """What a function, or one that it hands it on to, puts into what its parameter is given."""

    def is_it(target: ir.Expr) -> bool:
        return isinstance(target, ir.Name) and target.id == name

    yield from direct(program, function, is_it)
    yield from handed(program, function, is_it, direct, depth - 1)


def handing(
    program: Program,
    module: ir.Module,
    put: Mapping[str, Sequence[tuple[ir.Function, Change]]],
    storing: Mapping[str, tuple[ir.Function, ...]],
    growing: Callable[[ir.Module], Mapping[ir.Function, None]],
) -> dict[ir.Function, None]:
    """The functions of a module that call one which may put something into what it is handed: `put` and `storing` are
    what its own functions put in, by the names of what has it, `growing` those of a module that call such a method.
    """
    taking = {scope for name, found in put.items() for scope, _ in found if _takes(scope, name)}
    taking |= {scope for name, scopes in storing.items() for scope in scopes if _takes(scope, name)}
    names = {scope.name for scope in taking} | set(_taking_elsewhere(program, module, growing))
    found: dict[ir.Function, None] = {}
    for _ in range(DEPTH):
        calling = (scope for name in sorted(names - {""}) for scope in module.index.calls.get(name, ()))
        found |= {scope: None for scope in calling if isinstance(scope, ir.Function)}
        names = {scope.name for scope in found if scope.params}
    return found


def _takes(function: ir.Function, name: str) -> bool:
    return any(param.name == name for param in function.params)


def _taking_elsewhere(
    program: Program, module: ir.Module, growing: Callable[[ir.Module], Mapping[ir.Function, None]]
) -> Iterator[str]:
    """The names that a module imports, and calls, of functions which may put something into what they are handed."""
    for name, found in program.bindings(module).items():
        scopes = module.index.calls.get(name, ())
        if not any(isinstance(scope, ir.Function) for scope in scopes):
            continue
        for binding in found:
            function = imported_function(program, module, binding)
            if function is not None and function.params and function in growing(function.module):
                yield name
