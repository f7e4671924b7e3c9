"""zod schemas: what each parameter of an object admits, read from the chain of calls that makes it.

A schema's value is the call that begins its chain; the checks that follow stand around that call in the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Entries, Func, Value
from agent_architecture.records import NamedTuple
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

_BASES: Final = {
    **dict.fromkeys(("boolean", "literal", "enum", "nativeEnum", "null", "undefined"), CLOSED),
    **dict.fromkeys(("void", "never", "stringbool"), CLOSED),
    **dict.fromkeys(("email", "url", "httpUrl", "uuid", "guid", "cuid2", "ulid", "nanoid", "ipv4", "ipv6"), BOUNDED),
    **dict.fromkeys(("cidrv4", "cidrv6", "base64", "date", "datetime", "time", "duration", "hash", "e164"), BOUNDED),
    **dict.fromkeys(("string", "templateLiteral"), TEXT),
    **dict.fromkeys(("number", "bigint", "int", "float32", "float64", "int32", "uint32"), NUMBER),
}  # fmt: skip
_CHECKS: Final = frozenset(
    [
        "max",
        "length",
        "regex",
        "email",
        "url",
        "uuid",
        "guid",
        "cuid",
        "cuid2",
        "ulid",
        "nanoid",
        "datetime",
        "date",
        "time",
        "duration",
        "ip",
        "ipv4",
        "ipv6",
        "cidr",
        "startsWith",
        "endsWith",
        "base64",
        "emoji",
        "jwt",
        "refine",
        "superRefine",
        "check",
        "min",
        "gt",
        "gte",
        "lt",
        "lte",
        "positive",
        "negative",
        "nonnegative",
        "nonpositive",
        "multipleOf",
        "step",
    ]
)
"""Methods that let less through; `min` of a string alone does not bound it."""
_AT_MOST: Final = frozenset({"max", "length"})
_AROUND: Final = frozenset({"optional", "nullable", "nullish", "lazy", "readonly", "promise", "array", "set"})
_UNIONS: Final = frozenset({"union", "discriminatedUnion", "intersection", "tuple", "or", "and"})
_OBJECTS: Final = frozenset({"object", "strictObject", "looseObject", "interface"})
_PARTS: Final = frozenset({"shape", "element"})
"""Attributes of a schema that are schemas."""
_LOOSE: Final = frozenset({"passthrough", "loose", "looseObject", "catchall"})


class Chain(NamedTuple):
    """The calls that make a schema: the first, and the names and calls of the methods called on it, in order."""

    base: ir.Call
    methods: tuple[tuple[str, ir.Call], ...]


def is_zod(value: Value) -> bool:
    """Whether a value is a schema of zod."""
    if not isinstance(value, Api) or not value.path.startswith(("npm:zod:", "npm:zod/")):
        return False
    return isinstance(value.node, ir.Call) or (isinstance(value.node, ir.Member) and value.node.name in _PARTS)


def _is_call(value: Api) -> bool:
    return isinstance(value.node, ir.Call)


def is_readable(program: Program, value: Api) -> bool:
    """Whether the keys of an object's schema can be read: `z.object(shape)` of a shape that code fills cannot."""
    call = _chain(program, value).base if isinstance(value.node, ir.Call) else None
    if call is None or not call.args or callee_name(call.callee) not in _OBJECTS:
        return True
    shapes = (v for v in program.value_of(call.args[0].value) if isinstance(v, Entries))
    return all(shape.complete or shape.entries for shape in shapes)


def limited(program: Program, value: Value) -> Iterator[str]:
    """The keys of an object's schema that refuse longer texts and lists than they say: `z.array(turn).max(20)`."""
    call = _chain(program, value).base if is_zod(value) and isinstance(value, Api) and _is_call(value) else None
    if call is None or not call.args or callee_name(call.callee) not in _OBJECTS:
        return
    for shape in (v for v in program.value_of(call.args[0].value) if isinstance(v, Entries)):
        for key, expr in shape.entries:
            chains = [_chain(program, v) for v in program.value_of(expr) if isinstance(v, Api) and _is_call(v)]
            if any(method in _AT_MOST for chain in chains for method, _ in chain.methods):
                yield key


def of_value(program: Program, value: Value, level: Level | None = None) -> Shape:
    """What a schema admits; what is no zod schema admits anything."""
    level = level or top()
    if not isinstance(value, Api) or not is_zod(value) or level.is_deep:
        return UNTYPED
    if isinstance(value.node, ir.Member):
        shapes = [of_value(program, v, level.deeper()) for v in program.value_of(value.node.target)]
        return either(shape._replace(closed=False) for shape in shapes)
    chain = _chain(program, value)
    last = chain.methods[-1][1] if chain.methods else chain.base
    return level.once(last, lambda inner: _of_chain(program, chain, inner))


def of_shape(program: Program, entries: Entries, level: Level | None = None) -> Shape:
    """An object of zod schemas by key, as `z.object` and the SDKs of MCP take it."""
    level = level or top()
    fields = (
        either(of_value(program, v, level.deeper()) for v in program.value_of(expr)).named(key, expr.span)
        for key, expr in entries.entries
    )
    return structure(fields)


def _chain(program: Program, value: Api) -> Chain:
    call = value.node
    inner: list[tuple[str, ir.Call]] = []
    while isinstance(call, ir.Call) and isinstance(call.callee, ir.Member) and isinstance(call.callee.target, ir.Call):
        inner.insert(0, (call.callee.name, call))
        call = call.callee.target
    assert isinstance(call, ir.Call)  # noqa: S101 - `is_zod` asked
    last = inner[-1][1] if inner else call
    return Chain(call, (*inner, *_outer(program, last)))


def _outer(program: Program, call: ir.Call) -> list[tuple[str, ir.Call]]:
    """The methods called on a call's result in the same expression."""
    found: list[tuple[str, ir.Call]] = []
    structure_of = program.structure(program.scope_of(call))
    child: ir.Node = call
    while isinstance(member := structure_of.parent(child), ir.Member) and member.target is child:
        outer = structure_of.parent(member)
        if not isinstance(outer, ir.Call) or outer.callee is not member:
            break
        found.append((member.name, outer))
        child = outer
    return found


def _of_chain(program: Program, chain: Chain, level: Level) -> Shape:
    name = callee_name(chain.base.callee)
    earlier = _earlier(program, chain.base)
    methods = chain.methods if earlier is None else ((name, chain.base), *chain.methods)
    shape = _of_base(program, name, chain.base, level) if earlier is None else of_value(program, earlier, level)
    names = {method for method, _ in methods}
    for method, call in methods:
        if method in {"extend", "safeExtend", "merge", "or", "and"}:
            shape = either((shape, *(_argument(program, call, 0, level),)))
        elif method in _CHECKS and (name in _BASES or earlier is not None) and (method, name) != ("min", "string"):
            shape = constrained(shape)
    if names & _LOOSE or name in _LOOSE:
        return structure((*shape.fields, UNTYPED.named(FURTHER, chain.base.span)))
    return shape._replace(closed=True) if "strict" in names or name == "strictObject" else shape


def _earlier(program: Program, call: ir.Call) -> Api | None:
    """The schema under another name that a chain goes on from: `text.max(5)`."""
    if not isinstance(call.callee, ir.Member) or not isinstance(call.callee.target, (ir.Name, ir.Member)):
        return None
    return next((v for v in program.value_of(call.callee.target) if isinstance(v, Api) and is_zod(v)), None)


def _of_base(program: Program, name: str, call: ir.Call, level: Level) -> Shape:
    if name in _OBJECTS:
        return _argument(program, call, 0, level)
    if name in _UNIONS:
        return _members(program, call, level)
    if name in _AROUND or name in {"pipe", "codec"}:
        return _argument(program, call, 0, level)
    if name == "preprocess":
        return _argument(program, call, 1, level)
    if name in {"record", "map", "partialRecord", "looseRecord"}:
        value = _argument(program, call, len(call.args) - 1, level)
        return TEXT if value.kind in {CLOSED.kind, BOUNDED.kind} else value
    return _BASES.get(name, UNTYPED)


def _members(program: Program, call: ir.Call, level: Level) -> Shape:
    shapes: list[Shape] = []
    for argument in call.args:
        items = argument.value.items if isinstance(argument.value, ir.List) else (argument.value,)
        values = (value for item in items for value in program.value_of(item) if is_zod(value))
        shapes.extend(of_value(program, value, level.deeper()) for value in values)
    return either(shapes)


def _argument(program: Program, call: ir.Call, position: int, level: Level) -> Shape:
    if not 0 <= position < len(call.args):
        return UNTYPED
    shapes: list[Shape] = []
    for value in program.value_of(call.args[position].value):
        match value:
            case Entries():
                shapes.append(of_shape(program, value, level.deeper()))
            case Func(function=function):
                returns = program.structure(function).returns
                shapes.extend(of_value(program, v, level.deeper()) for r in returns for v in program.value_of(r))
            case _:
                shapes.append(of_value(program, value, level.deeper()))
    return either(shapes)
