"""The one function of the project that a callee names, told by bindings and types alone: for who works on values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.definition_sites import InModule, WholeModule
from agent_architecture.names.values import Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding


def named_function(program: Program, callee: ir.Expr) -> ir.Function | None:
    """The function; None where the callee may be another one, or none of the project's."""
    match callee:
        case ir.Name():
            return _only(program, program.visible(callee), program.module_of(callee))
        case ir.Member(target=ir.Name(id=holder) as target, name=name) if holder not in {"self", "cls"}:
            return _of_holder(program, target, name) or _of_type(program, callee)
        case ir.Member():
            return _of_type(program, callee)
        case _:
            return None


def imported_function(program: Program, module: ir.Module, binding: Binding) -> ir.Function | None:
    """The function of another module that a module's import binds."""
    for place in _imported(program, module, binding):
        if isinstance(place, InModule):
            return _only(program, program.bindings(place.module).get(place.name, ()), place.module)
    return None


def given_to(program: Program, site: CallSite, function: ir.Function) -> dict[str, ir.Expr]:
    """What a call gives to the parameters of a function that have no other value in it."""
    from agent_architecture.names.callers import passed_argument

    found: dict[str, ir.Expr] = {}
    bindings = program.bindings(function)
    for param in function.params:
        value = passed_argument(site, function, param) if not param.kind else None
        value = param.default if value is None and isinstance(param.default, ir.Literal) else value
        if value is not None and not isinstance(value, Unknown) and len(bindings.get(param.name, ())) == 1:
            found[param.name] = value
    return found


def _only(program: Program, found: tuple[Binding, ...], module: ir.Module) -> ir.Function | None:
    if len(found) != 1 or found[0].steps:
        return None
    binding = found[0]
    if binding.kind == "import":
        return imported_function(program, module, binding)
    defined = binding.value if binding.kind == "assign" else binding.node
    return defined if isinstance(defined, ir.Function) and binding.kind in {"assign", "function"} else None


def _imported(program: Program, module: ir.Module, binding: Binding) -> Iterator[object]:
    node = binding.node
    if binding.kind == "import" and isinstance(node, ir.Import):
        name = binding.extra if isinstance(binding.extra, ir.ImportedName) else None
        yield from program.exports.imported(module, node, name)


def _of_holder(program: Program, holder: ir.Name, name: str) -> ir.Function | None:
    """A function of a module, or one of a class that takes no object: `Desk.keep(said, text)`."""
    found = program.visible(holder)
    if len(found) != 1:
        return None
    node = found[0].node
    if isinstance(node, ir.Class):
        function = _only(program, program.attributes(node).get(name, ()), program.module_of(node))
        return None if function is None or function.receiver else function
    for place in _imported(program, program.module_of(holder), found[0]):
        if isinstance(place, WholeModule):
            return _only(program, program.bindings(place.module).get(name, ()), place.module)
    return None


def _of_type(program: Program, callee: ir.Member) -> ir.Function | None:
    methods = program.by_types.methods(callee) or ()
    return methods[0].function if len(methods) == 1 and methods[0].bound is None else None
