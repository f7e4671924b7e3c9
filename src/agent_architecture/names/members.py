"""What a member of a value can be: of objects, classes, modules and functions of the project, and of libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import mutations
from agent_architecture.names.annotations import held, held_by_base, instances_of_type
from agent_architecture.names.application_state import kept_by_application
from agent_architecture.names.attribute_writes import PROTOTYPE, patched
from agent_architecture.names.classes import (
    enclosing_class,
    is_protocol,
    library_base,
    library_bases,
    lineage,
    project_bases,
)
from agent_architecture.names.command_line import parsed_option
from agent_architecture.names.conforming import implementing
from agent_architecture.names.containers import METHODS
from agent_architecture.names.declarations import is_declaration
from agent_architecture.names.elements import element, taken
from agent_architecture.names.exports import SCRIPTS
from agent_architecture.names.fields import declared, given_to
from agent_architecture.names.imported import imported_module, imported_name, offered
from agent_architecture.names.null_checks import is_nothing, says_something
from agent_architecture.names.outside_writes import hung_on_unknown, put_elsewhere
from agent_architecture.names.parameters import parameter
from agent_architecture.names.session_state import put, put_on_function, put_on_module
from agent_architecture.names.standing_in import behind
from agent_architecture.names.super_arguments import kept_by_base
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    ModuleValue,
    Unknown,
    Value,
    Values,
)
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

__all__ = [
    "class_member",
    "element",
    "having",
    "imported_module",
    "imported_name",
    "instance_member",
    "instances_of_type",
    "is_property",
    "library_base",
    "library_bases",
    "lineage",
    "member",
    "offered",
    "parameter",
    "project_bases",
    "super_member",
    "taken",
]

ITS_CLASS: Final = frozenset({"__class__", "constructor"})
MAKER: Final = "npm:globalThis:Function"
"""What makes functions of texts, under whatever name: `(async () => {}).constructor`."""
LONGEST: Final = 2_000
"""Characters of a path whose members are still followed: each of a chain has a path of its own, with all before it."""
PROPERTIES: Final = frozenset({"property", "cached_property", "get"})
"""Decorators that make a method an attribute (JavaScript's getters carry `property`)."""
WRITING: Final = frozenset({"setter", "deleter"})
"""Decorators of methods that run when an attribute is written (`@name.setter`, JavaScript's `set name`) or deleted."""


def member(program: Program, target: Value, name: str, node: ir.Expr) -> Iterator[Value]:
    """What `target.name` can be; `node` is the expression that asks."""
    match target:
        case Api() if promised := held(program, target, name):
            yield from promised
        case Api() if (option := parsed_option(program, target, name)) is not None:
            yield from option
        case Api(path=path) if len(path) > LONGEST:
            yield Unknown("a chain of members that is longer than any that is written", node)
        case Api():
            dot = "" if target.path.endswith(":") else "."
            yield Api(f"{target.path}{dot}{name}", node, target)
            yield from put(program, target, name, node)
            yield from kept_by_application(program, node, name)
        case ModuleValue():
            yield from put_on_module(program, target.module, name, node)
            yield from offered(program, target.module, name, node)
        case Instance():
            yield from instance_member(program, target, name, node)
        case ClassValue() if name == PROTOTYPE and program.module_of(target.cls).language in SCRIPTS:
            yield target  # its methods are those of the class
        case ClassValue():
            yield from class_member(program, target.cls, name, node)
        case Entries():
            # What stands under keys that nobody knows is read by an attribute in JavaScript alone, and as no method.
            hidden = name in METHODS or program.module_of(node).language not in SCRIPTS
            for value in element(program, target._replace(others=None) if hidden else target, name, node):
                yield from _got(program, value)
        case Func() if name == "constructor" and program.module_of(node).language in SCRIPTS:
            yield Api(MAKER, node)
        case Func():
            yield from _function_member(program, target, name, node)
        case Const(value=ir.Undefined()):
            yield target  # what is not there has nothing in it: `a?.b`
        case Const(value=None) if program.module_of(node).language in SCRIPTS:
            yield Const(ir.UNDEFINED, node.span)
        case Const() if name == "value":
            yield target  # an enum's member stands for its value
        case Unknown():
            kept = tuple(kept_by_application(program, node, name)) or tuple(hung_on_unknown(program, node, name))
            yield from kept or (Unknown(target.why, node),)
        case _:
            yield Unknown(f"the attribute {name} of a plain value", node)


def _got(program: Program, value: Value) -> Values:
    """What is read of an object literal or a class: what its getters return."""
    from agent_architecture.names.evaluate import returned

    return returned(program, value.function) if isinstance(value, Func) and is_property(value.function) else (value,)


def _function_member(program: Program, target: Func, name: str, node: ir.Expr) -> Iterator[Value]:
    """A member of a decorated function is a member of what the decorator makes of it."""
    for decorator in target.function.decorators:
        for value in program.value_of(decorator):
            if isinstance(value, Api):
                made = Api(value.path + "()", decorator, value)
                yield Api(f"{made.path}.{name}", node, made)
                return
    if name in {"call", "apply"}:
        yield target
    elif own := tuple(put_on_function(program, target.function, name, node)):
        yield from own
    else:
        yield Unknown(f"the attribute {name} of a function", node)


# ------------------------------------------------------------------------------------------------------------- objects
def instance_member(program: Program, target: Instance, name: str, node: ir.Expr) -> Iterator[Value]:
    """An attribute of an object: given to its constructor, assigned, a method, or its library base's.

    Its own class comes first, then its bases; of an object that is only known by its type (`self`, an annotation) at
    last the subclasses, where those before have no value for it.
    """
    if name in ITS_CLASS:
        yield ClassValue(target.cls)
        return
    given = given_to(program, target, name, node)
    if given is not None:
        yield from given
        return
    derived = program.subclasses(target.cls) if target.call is None else ()
    found = next((own for cls in lineage(program, target.cls) if (own := _own(program, cls, name, target))), [])
    if all(is_nothing(value) for value in found) or (derived and is_left_open(program, target.cls, name)):
        found = [*found, *dict.fromkeys(v for cls in derived for v in _own(program, cls, name, target))]
    if found:
        yield from found
        return
    base = library_base(program, target.cls)
    if base is None:
        stands_for = (value for expr in behind(program, target, name) for value in program.value_of(expr))
        others = tuple(v for value in stands_for if value != target for v in member(program, value, name, node))
        put = () if others else tuple(dict.fromkeys(put_elsewhere(program, target.cls, name)))
        others = others or mutations.of_attribute(program, target.cls, name, put)
        yield from others or (Unknown(f"the attribute {name} of {target.cls.name}", node),)
        return
    made = Api(base.path + "()", target.call or node, base)
    if promised := held_by_base(program, target.cls, f"{made.path}.{name}") or kept_by_base(program, target.cls, name):
        yield from promised
        return
    written = program.library.runs(f"{made.path}.{name}")
    methods = [v for v in instance_member(program, target, written, node) if isinstance(v, Func)] if written else []
    yield from methods or (Api(f"{made.path}.{name}", node, made),)


def is_left_open(program: Program, cls: ir.Class, name: str) -> bool:
    """Whether a class leaves an attribute to its subclasses: where it has it at all, its body gives it nothing, or
    something empty (`tools = []`).
    """
    bindings = [(one, b) for one in lineage(program, cls) for b in program.attributes(one).get(name, ())]
    in_bodies = all(any(b.node is node for node in one.body) for one, b in bindings)
    return in_bodies and all(_is_empty(b.value) for _, b in bindings)


def _is_empty(value: ir.Expr | None) -> bool:
    match value:
        case None | ir.List(items=()) | ir.Map(entries=()):
            return True
        case ir.Literal(value=written):
            return written is None or written is ir.UNDEFINED
        case _:
            return False


def having(program: Program, targets: Values, name: str) -> Values:
    """The alternatives of which an attribute can be asked: where one object's class has it, those whose classes do not
    are not meant, nor is Python's None, which stands there until the object is made.
    """
    if any(isinstance(v, Instance) or (isinstance(v, Api) and v.path.endswith("()")) for v in targets):
        targets = tuple(v for v in targets if not _is_nothing(v))
    without = tuple(v for v in targets if isinstance(v, Instance) and _lacks(program, v, name))
    if not without or not any(isinstance(v, Instance) and v not in without for v in targets):
        return targets
    return tuple(v for v in targets if v not in without)


def _is_nothing(value: Value) -> bool:
    """Whether a value is Python's None, which has no attributes."""
    return isinstance(value, Const) and value.value is None and is_python(value.span.path)


def _lacks(program: Program, target: Instance, name: str) -> bool:
    if name in ITS_CLASS:
        return False
    family = (*lineage(program, target.cls), *(() if target.call is not None else program.subclasses(target.cls)))
    return not any(name in program.attributes(cls) for cls in family)


def _own(program: Program, cls: ir.Class, name: str, target: Instance) -> list[Value]:
    """What one class of a lineage has, asked once for all objects that are only known by their type."""
    if not program.attributes(cls).get(name):
        return _implemented(program, cls, name, [], target)
    if target.call is not None:
        return own_member(program, cls, name, target)
    return [*program.shared.of_class(cls, name, target.cls)]


def own_member(program: Program, cls: ir.Class, name: str, target: Instance) -> list[Value]:
    """What one class of a lineage has as an attribute of an object: the work behind `Shared.of_class`."""
    bindings = _read(program.attributes(cls).get(name, ()))
    found = [v for b in bindings if not _only_declares(b) for v in _attribute(program, b, target)]
    if not any(says_something(value) for value in found):
        found = [v for b in bindings for v in _attribute(program, b, target)]
    found = list(mutations.of_attribute(program, cls, name, tuple(found)))
    return _implemented(program, cls, name, found, target)


def _read(bindings: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """The bindings that an attribute is read by: not the functions that run when a property is written."""
    read = tuple(b for b in bindings if not (isinstance(b.node, ir.Function) and _is_setter(b.node)))
    return read or bindings


def _is_setter(function: ir.Function) -> bool:
    return any(isinstance(d, ir.Member) and d.name in WRITING for d in function.decorators)


def _only_declares(binding: Binding) -> bool:
    """Whether a binding gives an attribute a type and no value; where others give it one, that is what it is."""
    return isinstance(binding.node, ir.Assign) and binding.value is None


def _attribute(program: Program, binding: Binding, target: Instance) -> Iterator[Value]:
    from agent_architecture.names.evaluate import returned

    if not isinstance(binding.node, ir.Function):
        yield from (_of_object(value, target) for value in declared(program, binding))
    elif is_property(binding.node):
        yield from returned(program, binding.node)
    else:
        yield Func(binding.node, target)


def _of_object(value: Value, target: Instance) -> Value:
    """A field that holds a function of the class itself (`run = async () => {…}`) is a method of the object."""
    is_own = (
        isinstance(value, Func) and isinstance(value.function.outer, ir.Class) and value.function.receiver == "self"
    )
    return value._replace(receiver=target) if is_own and isinstance(value, Func) and value.receiver is None else value


def is_property(function: ir.Function) -> bool:
    """Whether a method is read as an attribute."""
    return any(
        isinstance(d, (ir.Name, ir.Member)) and (d.id if isinstance(d, ir.Name) else d.name) in PROPERTIES
        for d in function.decorators
    )


def _implemented(program: Program, cls: ir.Class, name: str, found: list[Value], target: Instance) -> list[Value]:
    """An abstract method stands for the methods that implement it; so does a method called on `self` that a subclass
    overrides.
    """
    if target.call is not None:
        return found
    methods = [value for value in found if isinstance(value, Func) and isinstance(value.function.outer, ir.Class)]
    declares = bool(methods) and all(is_declaration(method.function) for method in methods)
    signature = not methods and cls.kind == "interface" and name in program.attributes(cls)
    if not methods and not signature:
        return found
    overriding = [
        m for sub in program.subclasses(cls) for m in sub.body if isinstance(m, ir.Function) and m.name == name
    ]
    if not overriding and (signature or declares) and is_protocol(program, cls):
        overriding = [*implementing(program, cls, name)]
    implementations = [Func(m, Instance(m.outer) if isinstance(m.outer, ir.Class) else None) for m in overriding]
    if declares or signature:
        return [*implementations] or found
    return [*found, *implementations]


# ------------------------------------------------------------------------------------------------------------- classes
def class_member(program: Program, cls: ir.Class, name: str, node: ir.Expr) -> Iterator[Value]:
    """An attribute of a class itself, its bases included; what its file puts on it by name hides what it declares."""
    put_on = patched(program, cls, name)
    if put_on is not None and not _is_before(program, node, put_on):
        yield from program.value_of(put_on)
        return
    for ancestor in lineage(program, cls):
        bindings = [b for b in _read(program.attributes(ancestor).get(name, ())) if not _through_self(b)]
        if bindings:
            values = tuple(v for binding in bindings for v in declared(program, binding))
            if ancestor.module.language in SCRIPTS:
                values = tuple(v for value in values for v in _got(program, value))  # `static get limit()`
            yield from mutations.of_attribute(program, ancestor, name, values)
            return
    base = library_base(program, cls)
    if base is not None:
        yield Api(f"{base.path}.{name}", node, base)
    else:
        yield Unknown(f"the attribute {name} of {cls.name}", node)


def _is_before(program: Program, node: ir.Expr, put_on: ir.Expr) -> bool:
    """Whether a file's own statements read something before they put another thing there, or to make that."""
    here, put = node.span, put_on.span
    is_earlier = here.path == put.path and (here.line, here.col) < (put.end_line, put.end_col)
    return is_earlier and isinstance(program.scope_of(node), ir.Module)


def _through_self(binding: Binding) -> bool:
    """Whether a binding is an attribute of objects alone: `self.x = …`, not `cls.x = …` or `Name.x = …`."""
    target = binding.node.target if isinstance(binding.node, ir.Assign) else None
    return isinstance(target, ir.Member) and isinstance(target.target, ir.Name) and target.target.id == "self"


def super_member(program: Program, name: str, node: ir.Member) -> Iterator[Value]:
    """What `super().name` (JavaScript: `super.name`) is: of the bases only, never of a subclass. A class without such a
    base (a mixin) goes on with what stands behind it in the classes that take it in.
    """
    cls = enclosing_class(program, node)
    if cls is None:
        yield Unknown("super outside of a class", node)
        return
    found = [*_behind(program, cls, cls, name, node)]
    for sub in () if found or cls.module.language in SCRIPTS else program.subclasses(cls):
        found.extend(_behind(program, cls, sub, name, node))
    yield from found or (Unknown(f"the attribute {name} of a base of {cls.name}", node),)


def _behind(program: Program, cls: ir.Class, of: ir.Class, name: str, node: ir.Member) -> Iterator[Value]:
    """What objects of one class have under a name behind a class that it derives from, or is, in the order of bases."""
    family = lineage(program, of)
    for ancestor in family[family.index(cls) + 1 :] if cls in family else ():
        bindings = _read(program.attributes(ancestor).get(name, ()))
        if bindings:
            for binding in bindings:
                yield from _attribute(program, binding, Instance(of))
            return
    base = library_base(program, of)
    if base is not None:
        made = Api(base.path + "()", node, base)
        yield Api(f"{made.path}.{name}", node, made)
