"""Python's annotations as schemas: what pydantic and the libraries built on it make of a signature or a class.

Reads types by their names; it says nothing of who checks them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Parameter, ParameterKind
from agent_architecture.names.annotations import quoted
from agent_architecture.names.classes import is_enum, library_bases, lineage
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Api, ClassValue, Const, Entries
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.schemas.shapes import (
    BOUNDED,
    CLOSED,
    FURTHER,
    NUMBER,
    TEXT,
    UNTYPED,
    Level,
    Shape,
    constrained,
    either,
    structure,
    top,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

_PLAIN: Final = {
    **dict.fromkeys(("bool", "NoneType", "None"), CLOSED),
    **dict.fromkeys(("str", "bytes", "Text", "AnyStr", "LiteralString", "Path", "PurePath", "SecretStr"), TEXT),
    **dict.fromkeys(("FilePath", "DirectoryPath", "NewPath", "StrictStr"), TEXT),
    **dict.fromkeys(("int", "float", "complex", "Decimal", "StrictInt", "StrictFloat"), NUMBER),
    **dict.fromkeys(("datetime", "date", "time", "timedelta", "UUID", "UUID4", "AwareDatetime", "ZoneInfo"), BOUNDED),
    **dict.fromkeys(("EmailStr", "HttpUrl", "AnyUrl", "AnyHttpUrl", "IPv4Address", "IPv6Address"), BOUNDED),
    **dict.fromkeys(("PositiveInt", "NonNegativeInt", "NegativeInt", "PositiveFloat", "NonNegativeFloat"), BOUNDED),
}
"""What the types of the standard library and pydantic admit, by name."""
_DATA: Final = ("py:builtins.", "py:typing.", "py:typing_extensions.", "py:collections", "py:datetime.", "py:uuid.",
    "py:decimal.", "py:pathlib.", "py:pydantic.", "py:pydantic_core.", "py:pydantic_extra_types.", "py:ipaddress.",
    "py:enum.", "py:zoneinfo.")  # fmt: skip
"""Where types of data come from. An annotation from any other library means an object that the library supplies."""

CONSTRAINTS: Final = frozenset(
    ["pattern", "regex", "max_length", "max_items", "gt", "ge", "lt", "le", "multiple_of", "max_digits"]
)
"""Keywords of pydantic's `Field`, `constr`, `StringConstraints` and the like that bound what is let through."""
VALIDATORS: Final = frozenset(
    [
        "AfterValidator",
        "BeforeValidator",
        "WrapValidator",
        "PlainValidator",
        "Gt",
        "Ge",
        "Lt",
        "Le",
        "Interval",
        "Len",
        "MaxLen",
        "Predicate",
    ]
)
"""Calls inside `Annotated` that check the value (pydantic, annotated_types)."""
CONSTRAINED: Final = frozenset(["constr", "conint", "confloat", "condecimal", "conlist", "conbytes", "condate"])
SUPPLIED: Final = frozenset(
    ["Depends", "CurrentContext", "InjectedToolArg", "InjectedState", "InjectedStore", "ToolRuntime"]
)
"""What marks a parameter that the library fills in and the model never sees."""
RESERVED: Final = frozenset({"tool_context", "run_manager", "callbacks"})
"""Names of parameters that libraries fill in by name (google-adk, langchain)."""
_CARRIERS: Final = frozenset(
    {"FunctionCallParams", "FunctionInvocationContext", "CallToolRequest", "CallToolRequestParams"}
)
"""Objects of libraries that hold what the model gave (`.arguments`): pipecat 1.14, agent-framework 1.0, mcp 1.x."""

_ITEMS: Final = frozenset(
    [
        "list",
        "set",
        "frozenset",
        "tuple",
        "List",
        "Set",
        "FrozenSet",
        "Tuple",
        "Sequence",
        "Iterable",
        "Collection",
        "MutableSequence",
        "AbstractSet",
    ]
)
_MAPS: Final = frozenset(["dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"])
_INNER: Final = frozenset(
    ["Optional", "Required", "NotRequired", "ReadOnly", "Final", "ClassVar", "SkipJsonSchema", "Type", "type"]
)


def of_function(program: Program, function: ir.Function) -> tuple[tuple[str, Shape, Span], ...]:
    """The parameters that a model gives to a function, with their shapes; without those that a library fills in."""
    found = []
    for parameter in function.params:
        if parameter.kind == "*" or is_supplied(program, parameter):
            continue
        if parameter.kind == "**":
            found.append((FURTHER, UNTYPED, parameter.span))
            continue
        shape = UNTYPED if parameter.annotation is None else of_annotation(program, parameter.annotation)
        found.append((parameter.name, _checked(program, shape, parameter.default), parameter.span))
    return tuple(found)


def is_supplied(program: Program, parameter: ir.Parameter, *, own: bool = True) -> bool:
    """Whether a library fills a parameter in, so that no model is shown it (a context). `own`: an object of
    a class of the project counts, too, unless it is a model of data.
    """
    if parameter.name in RESERVED:
        return True
    if isinstance(parameter.default, ir.Call) and _callee(parameter.default) in SUPPLIED:
        return True
    annotation = _unquoted(parameter.annotation)
    if isinstance(annotation, ir.Index) and _named(annotation.target) == "Annotated":
        items = _items(annotation)
        return any(_mark_name(item) in SUPPLIED for item in items[1:]) or _is_object(program, items[0], own=own)
    return annotation is not None and _is_object(program, annotation, own=own)


def holds_arguments(parameter: ir.Parameter) -> bool:
    """Whether a library hands in, as this parameter, the arguments that the model gave."""
    annotation = _unquoted(parameter.annotation)
    return annotation is not None and _named(annotation) in _CARRIERS


def _mark_name(item: ir.Expr) -> str:
    return _callee(item) if isinstance(item, ir.Call) else _named(item)


def _is_object(program: Program, annotation: ir.Expr, *, own: bool) -> bool:
    """Whether an annotation promises an object that no model can write: a context, a session, a runtime."""
    annotation = _unquoted(annotation) or annotation
    if isinstance(annotation, ir.Operator):
        kept = [part for part in annotation.operands if not (isinstance(part, ir.Literal) and part.value is None)]
        return bool(kept) and all(_is_object(program, part, own=own) for part in kept)
    if isinstance(annotation, ir.Index):
        if _named(annotation.target) in _INNER:
            return _is_object(program, _items(annotation)[0], own=own)
        annotation = annotation.target
    if not isinstance(annotation, (ir.Name, ir.Member)):
        return False
    for value in program.value_of(annotation):
        if isinstance(value, Api):
            return not value.path.startswith(_DATA) and not isinstance(value.node, (ir.Index, ir.Operator))
        if isinstance(value, ClassValue):
            return own and not is_model(program, value.cls) and not is_enum(program, value.cls)
    return False


def of_annotation(program: Program, annotation: ir.Expr, level: Level | None = None) -> Shape:
    """What an annotation admits."""
    level = level or top()
    if level.is_deep:
        return structure(())
    match annotation:
        case ir.Literal(value=None):
            return CLOSED
        case ir.Literal(value=str()):
            inner = _unquoted(annotation)
            return UNTYPED if inner is None or inner is annotation else of_annotation(program, inner, level.deeper())
        case ir.Operator(op=ir.Op.BITOR):
            return either(of_annotation(program, part, level.deeper()) for part in annotation.operands)
        case ir.Index():
            return _generic(program, annotation, level)
        case ir.Call():
            return BOUNDED if _callee(annotation) in CONSTRAINED else UNTYPED
        case ir.Name() | ir.Member():
            return _type(program, annotation, level)
        case _:
            return UNTYPED


def _generic(program: Program, annotation: ir.Index, level: Level) -> Shape:
    name, items = _named(annotation.target), _items(annotation)
    if name == "Literal":
        return CLOSED
    if name == "Annotated":
        shape = of_annotation(program, items[0], level.deeper())
        return constrained(shape) if any(_constrains(item) for item in items[1:]) else shape
    if name == "Union":
        return either(of_annotation(program, item, level.deeper()) for item in items)
    if name in _INNER:
        return of_annotation(program, items[0], level.deeper())
    if name in _ITEMS:
        return either(of_annotation(program, item, level.deeper()) for item in items if not _is_ellipsis(item))
    if name in _MAPS:
        value = of_annotation(program, items[-1], level.deeper())
        return value if value.kind in {ParameterKind.UNTYPED, ParameterKind.STRUCTURE} else TEXT
    return of_annotation(program, annotation.target, level.deeper())


def _type(program: Program, annotation: ir.Name | ir.Member, level: Level) -> Shape:
    alias = _alias(program, annotation)
    if alias is not None:
        return of_annotation(program, alias, level.deeper())
    shapes = [shape for v in program.value_of(annotation) if (shape := _of_value(program, v, annotation, level))]
    return either(shapes)


def _alias(program: Program, annotation: ir.Name | ir.Member) -> ir.Expr | None:
    """The expression that a type's name stands for: `Mode = Literal["a", "b"]`."""
    if isinstance(annotation, ir.Name):
        for binding in visible_bindings(program, annotation):
            if binding.kind == "assign" and isinstance(binding.value, (ir.Index, ir.Operator, ir.Call)):
                return binding.value
    for value in program.value_of(annotation):
        if isinstance(value, Api) and isinstance(value.node, (ir.Index, ir.Operator)):
            return value.node
    return None


def _of_value(program: Program, value: object, annotation: ir.Expr, level: Level) -> Shape | None:
    match value:
        case ClassValue(cls=cls):
            return CLOSED if is_enum(program, cls) else of_class(program, cls, level.deeper())
        case Const(value=str() as text):
            inner = quoted(text, annotation.span)
            return None if inner is None else of_annotation(program, inner, level.deeper())
        case Api(path=path) if path.startswith(_DATA):
            return _PLAIN.get(last_name(path), UNTYPED)
        case Api():
            return structure(())
        case _:
            return UNTYPED


# -------------------------------------------------------------------------------------------------------------- classes
def is_model(program: Program, cls: ir.Class) -> bool:
    """Whether a class declares data: a pydantic model, a TypedDict, a named tuple or a dataclass."""
    bases = {base.path for base in library_bases(program, cls)}
    if any(path.startswith("py:pydantic") or last_name(path) in {"TypedDict", "NamedTuple"} for path in bases):
        return True
    names = {_callee(d) if isinstance(d, ir.Call) else _named(d) for c in lineage(program, cls) for d in c.decorators}
    return "dataclass" in names


def of_class(program: Program, cls: ir.Class, level: Level | None = None) -> Shape:
    """The fields of a class that declares data, bases first."""
    return (level or top()).once(cls, lambda inner: _fields(program, cls, inner))


def _fields(program: Program, cls: ir.Class, level: Level) -> Shape:
    fields: dict[str, Parameter] = {}
    extra = ""
    for ancestor in reversed(lineage(program, cls)):
        checked = frozenset(_validated(program, ancestor))
        for node in ancestor.body:
            if not isinstance(node, ir.Assign) or not isinstance(node.target, ir.Name):
                continue
            name = node.target.id
            if name == "model_config" and node.value is not None:
                extra = _extra(program, node.value) or extra
            elif node.annotation is not None and not name.startswith("_") and not _is_class_variable(node.annotation):
                shape = _checked(program, of_annotation(program, node.annotation, level.deeper()), node.value)
                shape = constrained(shape) if checked & {name, "*"} else shape
                fields[name] = shape.named(name, node.target.span)
        extra = _keyword_extra(program, ancestor) or extra
    if extra == "allow":
        fields[FURTHER] = UNTYPED.named(FURTHER, cls.name_span)
    return structure(fields.values(), closed=extra == "forbid")


def _is_class_variable(annotation: ir.Expr) -> bool:
    return _named(annotation.target if isinstance(annotation, ir.Index) else annotation) == "ClassVar"


def _validated(program: Program, cls: ir.Class) -> Iterator[str]:
    """The fields that a validator of the class checks; `*` for every one."""
    for node in cls.body:
        for decorator in node.decorators if isinstance(node, ir.Function) else ():
            if isinstance(decorator, ir.Call) and _callee(decorator) in {"field_validator", "validator"}:
                for argument in (a.value for a in decorator.args if a.keyword is None):
                    yield from (str(v.value) for v in program.value_of(argument) if isinstance(v, Const))


def _keyword_extra(program: Program, cls: ir.Class) -> str:
    """What `class M(BaseModel, extra="forbid")` or an inner `class Config` says of further keys."""
    for keyword in cls.parts.keywords:
        if keyword.keyword == "extra":
            return _word(program, keyword.value)
    for node in cls.body:
        if isinstance(node, ir.Class) and node.name == "Config":
            for inner in node.body:
                if isinstance(inner, ir.Assign) and _named(inner.target) == "extra" and inner.value is not None:
                    return _word(program, inner.value)
    return ""


def _extra(program: Program, config: ir.Expr) -> str:
    if isinstance(config, ir.Call):
        return next((_word(program, a.value) for a in config.args if a.keyword == "extra"), "")
    for value in program.value_of(config):
        if isinstance(value, Entries) and "extra" in dict(value.entries):
            return _word(program, dict(value.entries)["extra"])
    return ""


def _word(program: Program, expr: ir.Expr) -> str:
    """`"forbid"`, or the last name of pydantic 1's `Extra.forbid`."""
    for value in program.value_of(expr):
        if isinstance(value, Const):
            return str(value.value)
    return _named(expr)


# ---------------------------------------------------------------------------------------------------------- constraints
def _checked(program: Program, shape: Shape, default: ir.Expr | None) -> Shape:
    """A shape whose default is a `Field(...)` with constraints."""
    del program
    return constrained(shape) if default is not None and _constrains(default) else shape


def _constrains(item: ir.Expr) -> bool:
    if not isinstance(item, ir.Call):
        return False
    return _callee(item) in VALIDATORS or any(argument.keyword in CONSTRAINTS for argument in item.args)


def _unquoted(annotation: ir.Expr | None) -> ir.Expr | None:
    if isinstance(annotation, ir.Literal) and isinstance(annotation.value, str):
        return quoted(annotation.value, annotation.span)
    return annotation


def _items(annotation: ir.Index) -> tuple[ir.Expr, ...]:
    key = annotation.key
    return tuple(key.items) if isinstance(key, ir.List) and key.items else (key,)


def _is_ellipsis(item: ir.Expr) -> bool:
    return _named(item) == "Ellipsis" or (isinstance(item, ir.Opaque) and not item.parts)


def _named(expr: ir.Expr | None) -> str:
    return expr.id if isinstance(expr, ir.Name) else expr.name if isinstance(expr, ir.Member) else ""


def _callee(call: ir.Call) -> str:
    return _named(call.callee)
