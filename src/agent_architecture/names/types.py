"""What a name means where a type stands: TypeScript keeps types apart, `const Order` and `type Order` go together.

Says which definition a name leads to; what objects a type promises is for `annotations` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import exports
from agent_architecture.names.scopes import is_type
from agent_architecture.names.values import ClassValue, ModuleValue, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.definition_sites import Located
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding


def named_type(program: Program, name: ir.Name | ir.Member) -> Values:
    """What a name or member chain in an annotation stands for: an interface or alias before a value of that name."""
    if isinstance(name, ir.Name):
        for scope in _scopes(program, name):
            found = program.bindings(scope).get(name.id, ())
            if isinstance(scope, ir.Class):  # what a class binds are members; types among them are its parameters
                found = tuple(binding for binding in found if is_type(binding))
            if found:
                return _bound(program, found) or program.value_of(name)
        return program.value_of(name)
    targets = program.value_of(name.target)
    places = [
        place
        for target in targets
        if isinstance(target, ModuleValue)
        for place in program.exports.locate(target.module, name.name)
    ]
    return _located(program, tuple(places)) or program.value_of(name)


def _scopes(program: Program, name: ir.Name) -> Iterator[ir.Scope]:
    """The scopes around a type, innermost first: the function in whose header it stands, and classes, included."""
    scope = program.scope_of(name)
    function = program.function_with_header(scope, name)
    yield from (function, scope) if function is not None else (scope,)
    while not isinstance(scope, ir.Module):
        scope = scope.outer
        yield scope


def _bound(program: Program, found: tuple[Binding, ...]) -> Values:
    own = tuple(ClassValue(b.node) for b in found if is_type(b) and isinstance(b.node, ir.Class))
    if own:
        return own
    imported = [
        place
        for binding in found
        if binding.kind == "import" and isinstance(binding.node, ir.Import)
        for place in exports.imported(
            program.exports,
            program.module_of(binding.node),
            binding.node,
            binding.extra if isinstance(binding.extra, ir.ImportedName) else None,
        )
    ]
    return _located(program, tuple(imported))


def _located(program: Program, places: tuple[Located, ...]) -> Values:
    """The types that stand at places of modules; nothing where only values do."""
    named = [place for place in places if isinstance(place, exports.InModule)]
    found = (b for place in named for b in program.bindings(place.module).get(place.name, ()))
    return tuple(ClassValue(b.node) for b in found if is_type(b) and isinstance(b.node, ir.Class))
