"""What is inside a value: members, elements, imported names, and what an annotation promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import exports
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Text,
    Unknown,
    Value,
    Values,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

MRO_LIMIT: Final = 30
"""Classes looked at for one attribute; a hierarchy of more is not followed to its end."""

WRAPPERS: Final = frozenset(
    {
        "Optional", "Annotated", "Final", "ClassVar", "Promise", "Awaitable", "Coroutine", "Required", "NotRequired",
        "Readonly", "Partial", "NonNullable", "Type", "type", "Self", "InstanceType",
    }
)  # fmt: skip
"""Generic types whose (first) argument is the type of the value itself, here or once awaited."""

ABSTRACT: Final = frozenset({"py:typing.Protocol", "py:typing_extensions.Protocol", "py:abc.ABC"})


# ------------------------------------------------------------------------------------------------------------- members
def member(program: Program, target: Value, name: str, node: ir.Expr) -> Iterator[Value]:
    """What `target.name` can be; `node` is the expression that asks."""
    match target:
        case Api():
            dot = "" if target.path.endswith(":") else "."
            yield Api(f"{target.path}{dot}{name}", node, target)
        case ModuleValue():
            yield from offered(program, target.module, name, node)
        case Instance():
            yield from instance_member(program, target, name, node)
        case ClassValue():
            yield from class_member(program, target.cls, name, node)
        case Entries():
            yield from element(program, target, name, node)
        case Func():
            yield from _function_member(program, target, name, node)
        case Unknown():
            yield Unknown(target.why, node)
        case _:
            yield Unknown(f"the attribute {name} of a plain value", node)


def _function_member(program: Program, target: Func, name: str, node: ir.Expr) -> Iterator[Value]:
    """A member of a decorated function is a member of what the decorator makes of it."""
    for decorator in target.function.decorators:
        for value in program.value_of(decorator):
            if isinstance(value, Api):
                made = Api(value.path + "()", decorator, value)
                yield Api(f"{made.path}.{name}", node, made)
                return
    if name in {"bind", "call", "apply"}:
        yield target
    else:
        yield Unknown(f"the attribute {name} of a function", node)


def instance_member(program: Program, target: Instance, name: str, node: ir.Expr) -> Iterator[Value]:
    """An attribute of an object: given to its constructor, assigned, a method, or its library base's."""
    given = _constructor_field(program, target, name)
    if given is not None:
        yield from given
        return
    for cls in (*lineage(program, target.cls), *program.subclasses(target.cls)):
        bindings = program.attributes(cls).get(name, ())
        found = [v for b in bindings for v in _attribute(program, b, target)]
        found = _implemented(program, cls, name, found, target)
        if found:
            yield from found
            return
    base = library_base(program, target.cls)
    if base is not None:
        made = Api(base.path + "()", target.call or node, base)
        yield Api(f"{made.path}.{name}", node, made)
    else:
        yield Unknown(f"the attribute {name} of {target.cls.name}", node)


def _attribute(program: Program, binding: Binding, target: Instance) -> Iterator[Value]:
    from agent_architecture.names.lookup import value_of_binding

    if not isinstance(binding.node, ir.Function):
        yield from value_of_binding(program, binding)
    elif _is_property(binding.node):
        from agent_architecture.names.evaluate import returned

        yield from returned(program, binding.node)
    else:
        yield Func(binding.node, target)


def _is_property(function: ir.Function) -> bool:
    names = {"property", "cached_property", "get"}
    return any(
        isinstance(d, (ir.Name, ir.Member)) and (d.id if isinstance(d, ir.Name) else d.name) in names
        for d in function.decorators
    )


def _implemented(program: Program, cls: ir.Class, name: str, found: list[Value], target: Instance) -> list[Value]:
    """An abstract method stands for the methods that implement it; so does a method called on `self` that a subclass
    overrides.
    """
    methods = [value for value in found if isinstance(value, Func) and isinstance(value.function.outer, ir.Class)]
    if not methods or target.call is not None:
        return found
    overriding = [
        m for sub in program.subclasses(cls) for m in sub.body if isinstance(m, ir.Function) and m.name == name
    ]
    if not overriding and _is_protocol(program, cls):
        overriding = [m for m in program.methods_named(name) if m.outer is not cls]
    implementations = [Func(m, Instance(m.outer) if isinstance(m.outer, ir.Class) else None) for m in overriding]
    if all(_is_empty(method.function) for method in methods):
        return [*implementations] or found
    return [*found, *implementations]


def _is_protocol(program: Program, cls: ir.Class) -> bool:
    if cls.kind == "interface":
        return True
    return any(isinstance(v, Api) and v.path in ABSTRACT for base in cls.bases for v in program.value_of(base))


def _is_empty(function: ir.Function) -> bool:
    """Whether a method only declares: a docstring, `...`, `pass`, a raise, or nothing."""
    return all(isinstance(node, (ir.Literal, ir.Opaque, ir.Raise, ir.Name)) for node in function.body)


def _constructor_field(program: Program, target: Instance, name: str) -> Values | None:
    """A field of a class without a constructor of its own (dataclass, pydantic model) as its constructor call gave
    it.
    """
    if target.call is None or any("__init__" in program.attributes(cls) for cls in lineage(program, target.cls)):
        return None
    for argument in target.call.args:
        if argument.keyword == name:
            return program.value_of(argument.value)
    return None


def class_member(program: Program, cls: ir.Class, name: str, node: ir.Expr) -> Iterator[Value]:
    """An attribute of a class itself, its bases included."""
    from agent_architecture.names.lookup import value_of_binding

    for ancestor in lineage(program, cls):
        bindings = [b for b in program.attributes(ancestor).get(name, ()) if not _through_self(b)]
        if bindings:
            for binding in bindings:
                yield from value_of_binding(program, binding)
            return
    base = library_base(program, cls)
    if base is not None:
        yield Api(f"{base.path}.{name}", node, base)
    else:
        yield Unknown(f"the attribute {name} of {cls.name}", node)


def _through_self(binding: Binding) -> bool:
    return isinstance(binding.node, ir.Assign) and isinstance(binding.node.target, ir.Member)


# ------------------------------------------------------------------------------------------------------------- classes
def project_bases(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The bases of a class that are classes of the project."""
    found = [v.cls for base in cls.bases for v in program.value_of(_plain(base)) if isinstance(v, ClassValue)]
    return tuple(base for base in found if base is not cls)


def lineage(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The class and its project ancestors, breadth first."""
    found = [cls]
    for current in found:
        if len(found) > MRO_LIMIT:
            break
        found.extend(base for base in project_bases(program, current) if base not in found)
    return tuple(found)


def library_bases(program: Program, cls: ir.Class) -> tuple[Api, ...]:
    """The library classes that a class inherits from, through its project ancestors."""
    found: list[Api] = []
    for ancestor in lineage(program, cls):
        for base in ancestor.bases:
            found.extend(v for v in program.value_of(_plain(base)) if isinstance(v, Api))
    return tuple(found)


def library_base(program: Program, cls: ir.Class) -> Api | None:
    """The first library class that a class inherits from; abstract markers do not count."""
    plain = {"py:builtins.object", "py:builtins.Exception", "py:typing.Generic", "py:enum.Enum", "py:builtins.str"}
    candidates = [base for base in library_bases(program, cls) if base.path not in ABSTRACT | plain]
    return candidates[0] if candidates else None


def _plain(base: ir.Expr) -> ir.Expr:
    """`Base[T]` is `Base`."""
    return base.target if isinstance(base, ir.Index) else base


# ------------------------------------------------------------------------------------------------------------- elements
def element(program: Program, target: Value, key: ir.Constant, node: ir.Expr) -> Iterator[Value]:
    """What `target[key]` can be; a key of None is any element."""
    match target:
        case Entries() if isinstance(key, (str, int)) and not isinstance(key, bool):
            found = dict(target.entries).get(str(key))
            if found is not None:
                yield from program.value_of(found)
            elif target.complete:
                yield Const(ir.UNDEFINED, node.span)
            else:
                yield Unknown(f"the key {key!r} of a dictionary that is not fully readable", node)
        case Entries():
            for _, entry in target.entries:
                yield from program.value_of(entry)
            if not target.entries:
                yield Unknown("an element of a dictionary", node)
        case Items() if isinstance(key, int) and target.complete and -len(target.items) <= key < len(target.items):
            yield from program.value_of(target.items[key])
        case Items():
            for item in target.items:
                yield from program.value_of(item)
            if not target.items or not target.complete:
                yield Unknown("an element of a list that is not fully readable", node)
        case Api():
            yield Api(_element_path(target.path, key), node, target)
        case Text() | Const():
            yield Unknown("a part of a text", node)
        case Unknown():
            yield Unknown(target.why, node)
        case _:
            yield Unknown("an element of an object", node)


def _element_path(path: str, key: ir.Constant) -> str:
    """`os.environ["X"]` is `os.environ.X`-like nowhere: an element of a library object is `[]`, whatever its key."""
    del key
    return path + "[]"


def taken(program: Program, values: Values, steps: tuple[str, ...], node: ir.Expr) -> Iterator[Value]:
    """What is left of values after taking these steps into them (see `scopes.Binding.steps`)."""
    current = list(values)
    for step in steps:
        if step.startswith("."):
            current = [v for value in current for v in member(program, value, step[1:], node)]
        elif step == "...":
            current = [Unknown("the rest of a destructuring", node)]
        else:
            inner = step[1:-1]
            key = int(inner) if inner.lstrip("-").isdigit() else None
            current = [v for value in current for v in element(program, value, key, node)]
    yield from current


# -------------------------------------------------------------------------------------------------------------- modules
def imported_module(program: Program, node: ir.Import) -> Values:
    """The module that an import expression (`require`, `import()`) gives."""
    module = program.module_of(node)
    return tuple(_located(program, exports.imported(program.exports, module, node, None), node))


def imported_name(program: Program, binding: Binding) -> Iterator[Value]:
    """What an import binds a name to."""
    node = binding.node
    if not isinstance(node, ir.Import):
        raise TypeError(f"an import binding without an import at {node.span}")
    module = program.module_of(node)
    extra = binding.extra if isinstance(binding.extra, ir.ImportedName) else None
    yield from _located(program, exports.imported(program.exports, module, node, extra), node)


def offered(program: Program, module: ir.Module, name: str, node: ir.Expr) -> Iterator[Value]:
    """What a project module offers under a name."""
    yield from _located(program, program.exports.locate(module, name), node)


def _located(program: Program, places: tuple[exports.Located, ...], node: ir.Expr) -> Iterator[Value]:
    from agent_architecture.names.lookup import value_of_binding

    if not places:
        yield Unknown("an import that is not part of the project", node)
    for place in places:
        match place:
            case exports.InModule():
                for binding in program.bindings(place.module).get(place.name, ()):
                    yield from value_of_binding(program, binding)
            case exports.WholeModule():
                yield ModuleValue(place.module)
            case exports.Outside():
                yield Api(place.path, node)
            case exports.Inline():
                yield from program.value_of(place.expr)


# ----------------------------------------------------------------------------------------------------------- parameters
def parameter(program: Program, binding: Binding) -> Iterator[Value]:
    """What a parameter can be: what any caller passes, its default where a caller does not, what its annotation
    promises.
    """
    function, param = binding.node, binding.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        raise TypeError(f"a parameter binding without a parameter at {binding.node.span}")
    if param.kind:
        yield Unknown(f"the arguments collected in {param.name}", None)
        return
    found = list(_passed_by_callers(program, function, param))
    if param.default is not None and (not found or any(value is None for value in found)):
        found.extend(program.value_of(param.default))
    values = [value for value in found if value is not None]
    readable = [value for value in values if not isinstance(value, Unknown)]
    if not readable and param.annotation is not None:
        typed = instances_of_type(program, param.annotation)
        if typed:
            values = list(typed)
    values = values or [Unknown(f"the caller of {function.name or 'this function'}() (parameter {param.name})", None)]
    if binding.steps:
        yield from taken(program, tuple(values), binding.steps, param.pattern or _any_node(function))
    else:
        yield from values


def _any_node(function: ir.Function) -> ir.Expr:
    return function


def _passed_by_callers(program: Program, function: ir.Function, param: ir.Parameter) -> Iterator[Value | None]:
    """The values that callers pass; None for a caller that leaves the parameter to its default."""
    from agent_architecture.names.calls import passed_argument

    for site in program.callers(function):
        argument = passed_argument(site, function, param)
        if argument is None:
            yield None
        elif isinstance(argument, Unknown):
            yield argument
            yield None
        else:
            yield from program.value_of(argument)


# ---------------------------------------------------------------------------------------------------------------- types
def instances_of_type(program: Program, annotation: ir.Expr) -> Values:
    """The objects that an annotation promises: of project classes or library classes; empty when it says nothing
    useful.
    """
    match annotation:
        case ir.Literal(value=str() as text) if text.isidentifier():
            return instances_of_type(program, ir.Name(annotation.span, text))
        case ir.Operator(op="|"):
            return tuple(v for operand in annotation.operands for v in instances_of_type(program, operand))
        case ir.Index():
            return _generic(program, annotation)
        case ir.Name() | ir.Member():
            return tuple(v for value in program.value_of(annotation) for v in _instance_of(value, annotation))
        case _:
            return ()


def _generic(program: Program, annotation: ir.Index) -> Values:
    target = annotation.target
    name = target.id if isinstance(target, ir.Name) else target.name if isinstance(target, ir.Member) else ""
    if name == "Union":
        inner = annotation.key.items if isinstance(annotation.key, ir.List) else (annotation.key,)
        return tuple(v for item in inner for v in instances_of_type(program, item))
    if name in WRAPPERS:
        key = annotation.key
        first = key.items[0] if isinstance(key, ir.List) and key.items else key
        return instances_of_type(program, first)
    return instances_of_type(program, target)


def _instance_of(value: Value, annotation: ir.Expr) -> Iterator[Value]:
    if isinstance(value, ClassValue) and value.cls.kind != "enum":
        yield Instance(value.cls)
    elif isinstance(value, Api) and not value.path.startswith(("py:builtins.", "npm:globalThis:", "py:typing.")):
        yield Api(value.path + "()", annotation, value)
