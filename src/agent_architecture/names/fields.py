"""Fields that a generated constructor fills: dataclasses, pydantic models, NamedTuples, TypedDicts.

Rule: PEP 681 (`dataclass_transform`): annotated fields in order, bases first, with field specifiers for defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.annotations import instances_of_type
from agent_architecture.names.binding_values import value_of_binding
from agent_architecture.names.values import SPREAD, Api, Const, Entries, Instance, Items, Unknown, Value, Values
from agent_architecture.sources.source import Language, Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

SCRIPT: Final = frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})

SPECIFIERS: Final = frozenset({"field", "Field", "PrivateAttr", "attrib", "ib"})
"""Last names of the calls that describe a field instead of being its value."""


ASKING: Final = ir.unformed(Span("", 1, 1, 1, 1), "asking", ())
"""Stands for the expression that asks for a field, where all that ask are answered at once."""


def given_to(program: Program, target: Instance, name: str, node: ir.Expr) -> Values | None:
    """A field of an object as the call of its generated constructor gave it; None when it is no such field.

    Of an object that is only known by its type: as any construction of its class in the project gives it. JavaScript
    generates no constructors.
    """
    if target.cls.module.language in SCRIPT:
        return None
    if classes.constructor(program, target.cls) is not None or name not in classes.fields(program, target.cls):
        return None
    if target.call is not None:
        return _given(program, target.cls, target.call, name, node)
    found = tuple(
        v._replace(node=node) if isinstance(v, Unknown) and v.node is ASKING else v
        for v in program.shared.field(target.cls, name)
    )
    return found or None


def is_filled(program: Program, cls: ir.Class, name: str) -> bool:
    """Whether an attribute is one that whoever makes an object gives it: a field of a generated constructor, or of a
    class of JavaScript that has nothing but fields, as what describes a request is.
    """
    if classes.constructor(program, cls) is not None or name not in classes.fields(program, cls):
        return False
    own = classes.lineage(program, cls)
    if cls.module.language in SCRIPT:
        return cls.kind != "interface" and all(isinstance(node, ir.Assign) for one in own for node in one.body)
    return any(one.decorators or one.bases for one in own)


def by_constructions(program: Program, cls: ir.Class, name: str) -> Iterator[Value]:
    """A field as the constructions of its class give it: the work behind `Shared.field`."""
    from agent_architecture.names.callers import constructions

    calls = constructions(program, cls)
    if calls and all(made is not cls for made, _ in calls):  # a library makes it, of settings or of a document
        found = tuple(v for made, call in calls for v in _given(program, made, call, name, ASKING))
        yield from (*_default(program, cls, name), *found) if found else ()
        return
    for made, call in calls:
        yield from _given(program, made, call, name, ASKING)


def _given(program: Program, cls: ir.Class, call: ir.Call, name: str, node: ir.Expr) -> Values:
    argument = _argument(program, cls, call, name)
    if argument is None:
        return _default(program, cls, name) or (Unknown(f"the field {name} of {cls.name}", node),)
    if isinstance(argument, Unknown):
        return (*_default(program, cls, name), argument)
    found = program.value_of(argument)
    given = tuple(v for v in found if not (isinstance(v, Const) and v.value is ir.UNDEFINED))
    return given if len(given) == len(found) else (*given, *_default(program, cls, name))


def _argument(program: Program, cls: ir.Class, call: ir.Call, name: str) -> ir.Expr | Unknown | None:
    doubtful: Unknown | None = None
    for argument in call.args:
        if argument.keyword == name:
            return argument.value
        if argument.spread == "**":
            found = _in_mapping(program, argument.value, name)
            if found is not None and not isinstance(found, Unknown):
                return found
            doubtful = found or doubtful
    plain = [argument for argument in call.args if argument.keyword is None and argument.spread != "**"]
    fields = classes.fields(program, cls)
    if name not in fields:  # within a circle of classes that is not worked out yet
        return doubtful
    position = fields.index(name)
    if any(argument.spread for argument in plain[: position + 1]):
        return Unknown(SPREAD, call)
    return plain[position].value if position < len(plain) else doubtful


def _in_mapping(program: Program, mapping: ir.Expr, name: str) -> ir.Expr | Unknown | None:
    values = program.value_of(mapping)
    if len(values) == 1 and isinstance(values[0], Entries):
        found = dict(values[0].entries).get(name)
        if found is not None or values[0].complete:
            return found
    return Unknown(SPREAD, mapping)


def _default(program: Program, cls: ir.Class, name: str) -> Values:
    for ancestor in classes.lineage(program, cls):
        bindings = program.attributes(ancestor).get(name, ())
        found = tuple(v for b in bindings if not isinstance(b.node, ir.Function) for v in declared(program, b))
        if bindings:
            return found
    return ()


def declared(program: Program, binding: Binding) -> Iterator[Value]:
    """What the binding of an attribute gives it: for a field specifier (`Field(default=3)`) the default in it."""
    value = binding.value
    specifier = _specifier(program, value) if isinstance(value, ir.Call) and not binding.steps else None
    if specifier is None:
        yield from value_of_binding(program, binding)
    else:
        default = tuple(_specified(program, specifier))
        annotation = binding.node.annotation if isinstance(binding.node, ir.Assign) else None
        yield from default or (() if annotation is None else instances_of_type(program, annotation))


def _specifier(program: Program, call: ir.Call) -> ir.Call | None:
    callee = call.callee
    name = callee.id if isinstance(callee, ir.Name) else callee.name if isinstance(callee, ir.Member) else ""
    if name not in SPECIFIERS:
        return None
    return call if all(isinstance(value, Api) for value in program.value_of(callee)) else None


def _specified(program: Program, call: ir.Call) -> Iterator[Value]:
    named = {argument.keyword: argument.value for argument in call.args if argument.keyword}
    if "default" in named:
        yield from program.value_of(named["default"])
    elif "default_factory" in named or "factory" in named:
        factory = named.get("default_factory") or named["factory"]
        yield from _made(program, factory)
    elif call.args and call.args[0].keyword is None and not call.args[0].spread:
        yield from (v for v in program.value_of(call.args[0].value) if not isinstance(v, Unknown))


def _made(program: Program, factory: ir.Expr) -> Iterator[Value]:
    call = program.made.call_of(factory)
    for value in program.value_of(call):
        if isinstance(value, Api) and value.path in {"py:builtins.set()", "py:builtins.tuple()"}:
            yield Items((), call)
        elif isinstance(value, Api) and value.path == "py:builtins.str()":
            yield Const("", factory.span)
        else:
            yield value
