"""What a bare name can be: the bindings that reach it, innermost scope first, then the language's own names."""

from __future__ import annotations

import builtins as python_builtins
from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes, mutations, reaching, scopes
from agent_architecture.names.binding_values import value_of_binding
from agent_architecture.names.definition_sites import InModule, Outside, WholeModule
from agent_architecture.names.narrowing import narrowed
from agent_architecture.names.null_checks import given, is_nothing
from agent_architecture.names.values import Api, ClassValue, Const, Instance, ModuleValue, Unknown, Value, Values
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

__all__ = ["SCRIPT", "value_at_end", "value_of_binding", "value_of_name", "visible_bindings"]

INFINITE: Final = frozenset({"Infinity"})
SCRIPT: Final = frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})


class Visible(NamedTuple):
    """The bindings that a name can refer to, and the scope that owns the name."""

    owner: ir.Scope
    bindings: tuple[Binding, ...]


def mentions(expr: ir.Node, name: str) -> bool:
    """Whether a variable of this name stands in an expression."""
    return any(isinstance(node, ir.Name) and node.id == name for node in ir.walk(expr))


def value_of_name(program: Program, name: ir.Name) -> Values:
    """The alternatives of a name at its place."""
    if name.id in {"self", "cls"}:
        receiver = _receiver(program, program.scope_of(name), name.id)
        if receiver:
            return receiver
    found = program.in_sight(name)
    if found is None:
        return _of_the_language(program, name)
    filled = reaching.filled_in(program, name, found.bindings)
    if filled is None:
        values = program.shared.named(found.owner, name.id, found.bindings)
        if _is_described(found) and all(isinstance(value, Unknown) for value in values):
            return _of_the_language(program, name)
        return narrowed(program, name, values) if _may_be_narrowed(values) else values
    before = tuple(binding for binding in found.bindings if binding is not filled)
    return given(program.shared.named(found.owner, name.id, before)) + tuple(value_of_binding(program, filled))


def _is_described(found: Visible) -> bool:
    """Whether a module only says of a name of the language that it is there: `declare const fetch: any`."""
    is_script = isinstance(found.owner, ir.Module) and found.owner.language in SCRIPT
    return is_script and all(isinstance(b.node, ir.Assign) and b.node.value is None for b in found.bindings)


def _may_be_narrowed(values: Values) -> bool:
    return len(values) > 1 or any(isinstance(value, Unknown) for value in values)


def value_at_end(program: Program, module: ir.Module, name: str) -> Values:
    """What a module offers under one of its own names, once it has run."""
    found = reaching.at_end(program, module, scopes.without_types(program.bindings(module).get(name, ())))
    return program.shared.named(module, name, found) if found else ()


def visible_bindings(program: Program, name: ir.Name) -> tuple[Binding, ...]:
    """The bindings that a name can refer to at its place; none for a name of the language itself."""
    return program.visible(name)


def only_value(program: Program, name: ir.Name) -> ir.Expr | None:
    """The one value that a variable is given; None for a parameter, and for one with several."""
    values = [b.value for b in visible_bindings(program, name) if b.kind == "assign" and not b.steps]
    return values[0] if len(values) == 1 else None


def literal_of(program: Program, expr: ir.Expr) -> ir.Literal | None:
    """The constant that an expression is, as it is written: there, or where the one name or place for it stands."""
    match expr:
        case ir.Literal():
            return expr
        case ir.Name():
            value = only_value(program, expr)
            return value if isinstance(value, ir.Literal) else None
        case ir.Member() | ir.Index():
            values = program.value_of(expr)
            only = values[0] if len(values) == 1 else None
            return ir.Literal(only.span, only.value) if isinstance(only, Const) else None
    return None


def find_visible(program: Program, name: ir.Name) -> Visible | None:
    """The work behind `Program.in_sight`."""
    scope = program.scope_of(name)
    module = scope if isinstance(scope, ir.Module) else scope.module
    if module.language in SCRIPT:
        sibling = program.function_with_header(scope, name)
        if sibling is not None:
            earlier = tuple(b for b in program.bindings(sibling).get(name.id, ()) if b.kind == "parameter")
            if earlier:
                return Visible(sibling, earlier)
    inner = scope
    for around in (scope, *scopes.enclosing_scopes(scope)):
        found = _in_sight(scopes.without_types(program.bindings(around).get(name.id, ())), name)
        if not found or any(binding.kind == "global" for binding in found):
            inner = around
            continue
        if around is scope:
            return Visible(around, reaching.reaching(program, around, name, found))
        return Visible(around, reaching.from_inside(program, around, inner, found))
    starred = _starred(program, module, name)
    return Visible(module, starred) if starred else None


def _in_sight(found: tuple[Binding, ...], name: ir.Name) -> tuple[Binding, ...]:
    """The bindings without those of comprehensions that the name does not stand in; in one, its own hide the others."""
    comprehended = [b for b in found if isinstance(b.node, ir.Loop) and b.node.kind == "comprehension"]
    if not comprehended:
        return found
    around = tuple(b for b in comprehended if b.node.span.contains(name.span) and not _is_its_source(b.node, name))
    return around or tuple(b for b in found if b not in comprehended)


def _is_its_source(loop: ir.Node, name: ir.Name) -> bool:
    """`for x in x`: what a comprehension runs over is looked up outside it."""
    return isinstance(loop, ir.Loop) and loop.source is not None and loop.source.span.contains(name.span)


def _starred(program: Program, module: ir.Module, name: ir.Name) -> tuple[Binding, ...]:
    """A name that only a star import of its module can give."""
    if "*" not in program.bindings(module):
        return ()
    places = program.exports.locate(module, name.id)
    return tuple(
        b for place in places if isinstance(place, InModule) for b in program.bindings(place.module).get(place.name, ())
    )


def combined(program: Program, owner: ir.Scope, name: str, found: tuple[Binding, ...]) -> Values:
    """The values of several bindings, of which one may change what another gave: the work behind `Shared.named`."""
    plain = tuple(b for b in found if not reaching.changes(b))
    values: list[Value] = []
    defaults: list[Binding] = []
    for binding in plain:
        if len(plain) > 1 and reaching.is_default(program, binding):
            defaults.append(binding)
        elif binding.kind == "parameter":
            values.extend(program.shared.parameter(binding))
        else:
            values.extend(value_of_binding(program, binding))
    if defaults and any(is_nothing(v) or isinstance(v, Unknown) for v in values):
        values = [v for v in values if not (isinstance(v, Const) and v.value is ir.UNDEFINED)]
        given_instead = [v for binding in defaults for v in value_of_binding(program, binding)]
        values.extend(v for v in given_instead if not is_nothing(v) or len(given_instead) == 1)
    return mutations.of_name(program, owner, name, tuple(values), tuple(b for b in found if reaching.changes(b)))


def _receiver(program: Program, scope: ir.Scope, name: str) -> Values:
    """The class whose method encloses the scope, as `self` or `cls`; the object literal that the method stands in."""
    current: ir.Scope = scope
    while not isinstance(current, ir.Module):
        if isinstance(current, ir.Function) and current.receiver == name and isinstance(current.outer, ir.Class):
            return (Instance(current.outer) if name == "self" else ClassValue(current.outer),)
        if isinstance(current, ir.Function) and current.receiver == name and current.module.language in SCRIPT:
            around = program.structure(current.outer).parent(current)
            return program.value_of(around) if isinstance(around, ir.Map) else ()
        if name == "self" and isinstance(current, ir.Class) and current.module.language in SCRIPT:
            return (Instance(current),)
        current = current.outer
    return ()


def _of_the_language(program: Program, name: ir.Name) -> Values:
    module = program.module_of(name)
    if "*" in program.bindings(module):
        places = program.exports.locate(module, name.id)
        below = tuple(ModuleValue(place.module) for place in places if isinstance(place, WholeModule))
        if below:
            return below  # a module that the `__all__` of its package names
        outside = tuple(Api(place.path, name) for place in places if isinstance(place, Outside))
        if outside and not hasattr(python_builtins, name.id):
            return outside
    if module.language not in SCRIPT:
        return (Api(f"py:builtins.{name.id}", name),)
    if name.id in INFINITE:
        return (Const(float("inf"), name.span),)
    if name.id == "super":
        cls = classes.enclosing_class(program, name)
        found = program.value_of(cls.bases[0]) if cls is not None and cls.bases else ()
        return tuple(v for v in found if isinstance(v, (ClassValue, Api)))
    return (Api(f"npm:globalThis:{name.id}", name),)
