"""IR nodes for expressions (see `ir`, which gathers all nodes; nobody else imports this module)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar
from typing import Literal as Lit

from agent_architecture.syntax.ir_record import Record
from agent_architecture.syntax.ir_words import KINDS, Op, OpaqueKind

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir import Expr, Node

_T = TypeVar("_T")


def identity(cls: type[_T]) -> type[_T]:
    """Make a NamedTuple compare and hash by identity, so that a node can be a key at no cost."""
    for name in ("__eq__", "__ne__", "__hash__"):
        setattr(cls, name, getattr(object, name))
    return cls


class Undefined:
    """The type of JavaScript's `undefined`: a value that counts as not given."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED: Final = Undefined()
Constant: TypeAlias = "str | int | float | bool | bytes | Undefined | None"


@identity
class Name(Record):
    """A bare identifier."""

    span: Span
    id: str


@identity
class Member(Record):
    """`target.name`, optional or not. `name_span` is the span of the name alone."""

    span: Span
    target: Expr
    name: str
    name_span: Span


@identity
class Index(Record):
    """`target[key]`. A slice has the key `Slice`; several keys are a `List` of kind `tuple`."""

    span: Span
    target: Expr
    key: Expr


@identity
class Slice(Record):
    """`lower:upper:step` inside an index."""

    span: Span
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


class Argument(Record):
    """One argument: positional (`keyword` None), by keyword, or spread (`*x`/`...x` is `*`, `**x` is `**`)."""

    keyword: str | None
    value: Expr
    spread: Lit["", "*", "**"] = ""


@identity
class Call(Record):
    """`callee(args)`; `new X(args)` has `is_new`. A tagged template is a call with one `Template` argument."""

    span: Span
    callee: Expr
    args: tuple[Argument, ...]
    is_new: bool = False


@identity
class Literal(Record):
    """A constant: string (joined if adjacent), number, boolean, bytes, `None`, `UNDEFINED`. A regular expression is
    its pattern.
    """

    span: Span
    value: Constant


@identity
class Template(Record):
    """An f-string or a template literal: constant parts are `Literal`, the others what is interpolated."""

    span: Span
    parts: tuple[Expr, ...]


@identity
class List(Record):
    """A list, tuple or set display."""

    span: Span
    items: tuple[Expr, ...]
    kind: Lit["list", "tuple", "set"] = "list"


class Entry(Record):
    """One entry of a `Map`; a key of None spreads `value` into the map."""

    key: Expr | None
    value: Expr


@identity
class Map(Record):
    """A dictionary, an object literal, a YAML or JSON mapping, a TOML table."""

    span: Span
    entries: tuple[Entry, ...]


@identity
class Spread(Record):
    """`*x` or `...x` inside a list."""

    span: Span
    value: Expr


@identity
class Operator(Record):
    """A unary, binary, boolean or comparing operator in its normal form (see the module's docstring)."""

    span: Span
    op: Op
    operands: tuple[Expr, ...]


@identity
class Conditional(Record):
    """`then if test else otherwise`, `test ? then : otherwise`."""

    span: Span
    test: Expr
    then: Expr
    otherwise: Expr


@identity
class Await(Record):
    """`await value`."""

    span: Span
    value: Expr


@identity
class Yield(Record):
    """`yield value`; `delegate` for `yield from` and `yield*`."""

    span: Span
    value: Expr | None
    delegate: bool = False


@identity
class Opaque(Record):
    """A construct without a normal form; `parts` are what it contains, `name` is the grammar's name for it, or the
    reader's.
    """

    span: Span
    kind: OpaqueKind
    parts: tuple[Node, ...]
    name: str


def unformed(span: Span, name: str, parts: tuple[Node, ...] = ()) -> Opaque:
    """A construct without a normal form, by the name that its grammar or its reader has for it."""
    return Opaque(span, KINDS.get(name, OpaqueKind.OTHER), parts, name)
