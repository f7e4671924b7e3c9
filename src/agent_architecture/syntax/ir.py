"""The intermediate representation (IR): what every language lowers to.

About thirty node kinds. They say what a program *does*, in the words that Python and JavaScript share; what only one
of them can say becomes `Opaque`, with its parts kept, so that nothing inside it is lost to a walk.

Invariants
- Nodes are frozen and compare by identity: two equal spellings at two places are two nodes.
- A node's `span` covers its source text. Children lie inside it, in source order.
- The IR knows languages only by their normal form. It knows no framework and resolves no name.

Normal forms (both languages lower to these):
- `this` and the first parameter of a Python method are `Name("self")`, that of a class method and of
  `__init_subclass__` is `Name("cls")`; a method's `params` do not list the receiver.
- The constructor is named `__init__` in both languages.
- `None`, `null` are `Literal(None)`; `undefined` is `Literal(UNDEFINED)`. `True`/`true` are `Literal(True)`.
- Operators have the words of `Op` (`ir_words.py`): `neg` and `pos` are the unary signs; `===` is `==`, `!==` is `!=`,
  `&&` is `and`, `||` is `or`, `!` is `not`, `is not` is `not(is)`, `not in` is `not(in)`. `a < b < c` is
  `and(a < b, b < c)`. `a ?? b` is Operator `??`. `x?.y` is a plain `Member`.
- An object key or a Python keyword is a `Literal` string when it is constant; `{a}` is an entry `"a": Name("a")`.
- `x += 1` and `x++` are `Assign(op="+")` with the value that is added.
- A statement that is only an expression is that expression.
- A last handler that only raises again what it caught is none; a `try` of which nothing else is left is its body.
- `const f = () => …` and `function f() {…}` both give a `Function` named `f`; the first inside an `Assign`.
- A text that is filled, added or joined where it stands is a `Template`, `dict(a=1)` and `Object.assign({}, a)` are a
  `Map` (`plain_forms.py`); a display that the statements after it complete is whole at once (`built_up.py`; the parts
  stand behind the span of the display); keywords that a table before a call gives are its arguments (`spread_out.py`).
- JSX elements are `Call(Name(tag), (Argument(None, Map(attributes)), *children))`.
- Type annotations lower as expressions (`list[int]`, `Array<number>` are `Index`; `A | B` is Operator `|`).
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias, Union

from agent_architecture.syntax.ir_expressions import (
    UNDEFINED,
    Argument,
    Await,
    Call,
    Conditional,
    Constant,
    Entry,
    Index,
    List,
    Literal,
    Map,
    Member,
    Name,
    Opaque,
    Operator,
    Slice,
    Spread,
    Template,
    Undefined,
    Yield,
    unformed,
)
from agent_architecture.syntax.ir_scopes import Class, ClassParts, Function, FunctionParts, Module, ModuleIndex
from agent_architecture.syntax.ir_statements import (
    Assign,
    Block,
    Break,
    Case,
    Context,
    Continue,
    Export,
    Global,
    Handler,
    If,
    Import,
    ImportedName,
    Loop,
    Match,
    Parameter,
    Raise,
    Return,
    Try,
    With,
)
from agent_architecture.syntax.ir_words import OPS, Op, OpaqueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir_record import Record

    Taker: TypeAlias = Callable[[object], tuple[object, ...]]

__all__ = [
    "OPS",
    "UNDEFINED",
    "Argument",
    "Assign",
    "Await",
    "Block",
    "Break",
    "Call",
    "Case",
    "Class",
    "ClassParts",
    "Conditional",
    "Constant",
    "Context",
    "Continue",
    "Entry",
    "Export",
    "Expr",
    "Function",
    "FunctionParts",
    "Global",
    "Handler",
    "If",
    "Import",
    "ImportedName",
    "Index",
    "List",
    "Literal",
    "Loop",
    "Map",
    "Match",
    "Member",
    "Module",
    "ModuleIndex",
    "Name",
    "Node",
    "Op",
    "Opaque",
    "OpaqueKind",
    "Operator",
    "Parameter",
    "Raise",
    "Return",
    "Scope",
    "Slice",
    "Spread",
    "Statement",
    "Template",
    "Try",
    "Undefined",
    "With",
    "Yield",
    "children",
    "place_of",
    "unformed",
    "walk",
]

Scope: TypeAlias = "Module | Class | Function"
Expr: TypeAlias = Union[  # noqa: UP007 - a string alias would hide the names from readers' editors
    Name, Member, Index, Slice, Call, Literal, Template, List, Map, Spread, Operator, Conditional, Await, Yield, Opaque,
    Assign, Import, Loop, Function, Class,
]  # fmt: skip
Statement: TypeAlias = Union[  # noqa: UP007
    Assign, Import, Export, If, Match, Loop, Try, With, Return, Raise, Break, Continue, Block, Global, Function, Class
]
Node: TypeAlias = Expr | Statement


def children(node: Node) -> list[Node]:
    """The direct children of a node, in source order. A `Function` or `Class` has none: its parts are lazy and its
    own scope.
    """
    out: list[Node] = []
    fields_of = _FIELDS.get(type(node))
    if fields_of is not None:
        _collect(fields_of(node), out)
    return out


def _collect(fields: Iterable[object], out: list[Node]) -> None:
    """Add the nodes among these, in tuples, and in parts that are no nodes themselves."""
    for field in fields:
        kind = type(field)
        if kind in _NODE_TYPES:
            out.append(field)  # type: ignore[arg-type]
        elif kind is tuple:
            _collect(field, out)  # type: ignore[arg-type]
        elif kind in _GROUPS:
            _collect(_FIELDS[kind](field), out)


def place_of(node: Node | Scope) -> Span:
    """Where a node is pointed at: a definition at its name, anything else as a whole."""
    return node.name_span if isinstance(node, (Function, Class)) else node.span


def parts_of(call: Call) -> tuple[Expr, ...]:
    """What a call works on: the object of its method, and its arguments (`Path(name).write_text(text)`)."""
    target = (call.callee.target,) if isinstance(call.callee, Member) else ()
    return (*target, *(argument.value for argument in call.args))


def is_true(expr: Expr) -> bool:
    """Whether an expression is the word `True` or `true`."""
    return isinstance(expr, Literal) and expr.value is True


def functions_around(scope: Scope | None) -> Iterator[Function]:
    """A function and those that it is written in, the innermost first; nothing for a module."""
    while isinstance(scope, Function):
        yield scope
        scope = scope.outer


def walk(*nodes: Node) -> Iterator[Node]:
    """These nodes and all below them in source order, staying in their scope: functions and classes are yielded, not
    entered.
    """
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        yield node
        if type(node) not in LEAVES:
            inside = children(node)
            inside.reverse()
            stack.extend(inside)


_PARTS = (Argument, Entry, Case, Handler, Context, Parameter)
_TUPLES = (
    Name, Member, Index, Slice, Call, Literal, Template, List, Map, Spread, Operator, Conditional, Await, Yield, Opaque,
    Assign, Import, Export, If, Match, Loop, Try, With, Return, Raise, Break, Continue, Block, Global,
)  # fmt: skip
_GROUPS = frozenset(_PARTS)
_NODE_TYPES = frozenset({*_TUPLES, Function, Class})
_PLAIN = frozenset(
    [
        "span",
        "name_span",
        "header",
        "id",
        "name",
        "op",
        "kind",
        "is_new",
        "is_async",
        "delegate",
        "label",
        "names",
        "keyword",
        "level",
        "alias",
        "binds_root",
        "type_only",
        "exported",
        "local",
        "module",
        "declares",
    ]
)
"""Fields that hold no node in any class."""
LEAVES = frozenset({Name, Literal, Import, Break, Continue, Global, Function, Class})
"""Nodes without children."""


def _taking(cls: type[Record]) -> Taker:
    """What takes the fields out of a node that can hold nodes."""
    first, *others = (place for place, field in enumerate(cls._fields) if field not in _PLAIN)
    # Of one place alone, `itemgetter` would give no tuple.
    return itemgetter(first, *others) if others else itemgetter(slice(first, first + 1))  # type: ignore[return-value]


_FIELDS: Final[dict[type, Taker]] = {cls: _taking(cls) for cls in (*_TUPLES, *_PARTS) if cls not in LEAVES}
"""For each type of nodes with children, and of their parts, what takes out the fields that can hold nodes."""
WITH_PARTS: Final = frozenset(_FIELDS)
"""The types of nodes with children, and of their parts."""
