"""The intermediate representation (IR): what every language lowers to.

About thirty node kinds. They say what a program *does*, in the words that Python and JavaScript share; what only one
of them can say becomes `Opaque`, with its parts kept, so that nothing inside it is lost to a walk.

Invariants
- Nodes are frozen and compare by identity: two equal spellings at two places are two nodes.
- A node's `span` covers its source text. Children lie inside it, in source order.
- The IR knows languages only by their normal form. It knows no framework and resolves no name.

Normal forms (both languages lower to these):
- `this` and the first parameter of a Python method are `Name("self")`; a method's `params` do not list the receiver.
- The constructor is named `__init__` in both languages.
- `None`, `null` are `Literal(None)`; `undefined` is `Literal(UNDEFINED)`. `True`/`true` are `Literal(True)`.
- Operators: `and or not == != < <= > >= in is + - * / // % ** @ & | ^ << >> ~ ??`, `neg` and `pos` for the unary signs,
  `typeof`, `void`, `delete`, `instanceof`; `===` is `==`, `!==` is `!=`, `is not` is `not(is)`, `not in` is `not(in)`. `a < b < c` is
  `and(a < b, b < c)`. `a ?? b` is Operator `??`. `x?.y` is a plain `Member`.
- An object key or a Python keyword is a `Literal` string when it is constant; `{a}` is an entry `"a": Name("a")`.
- `x += 1` and `x++` are `Assign(op="+")` with the value that is added.
- A statement that is only an expression is that expression.
- `const f = () => …` and `function f() {…}` both give a `Function` named `f`; the first inside an `Assign`.
- JSX elements are `Call(Name(tag), (Argument(None, Map(attributes)), *children))`.
- Type annotations lower as expressions (`list[int]`, `Array<number>` are `Index`; `A | B` is Operator `|`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal as Lit, NamedTuple, TypeVar, Union

from agent_architecture.sources.source import Language, Notice, Role, Span

if TYPE_CHECKING:
    from typing import TypeAlias

_T = TypeVar("_T")


def _node(cls: type[_T]) -> type[_T]:
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
Constant: TypeAlias = "str | int | float | bool | bytes | None | Undefined"


# ---------------------------------------------------------------------------------------------------------- expressions
@_node
class Name(NamedTuple):
    """A bare identifier."""

    span: Span
    id: str


@_node
class Member(NamedTuple):
    """`target.name`, optional or not. `name_span` is the span of the name alone."""

    span: Span
    target: Expr
    name: str
    name_span: Span


@_node
class Index(NamedTuple):
    """`target[key]`. A slice has the key `Slice`; several keys are a `List` of kind `tuple`."""

    span: Span
    target: Expr
    key: Expr


@_node
class Slice(NamedTuple):
    """`lower:upper:step` inside an index."""

    span: Span
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


class Argument(NamedTuple):
    """One argument: positional (`keyword` None), by keyword, or spread (`*x`/`...x` is `*`, `**x` is `**`)."""

    keyword: str | None
    value: Expr
    spread: Lit["", "*", "**"] = ""


@_node
class Call(NamedTuple):
    """`callee(args)`; `new X(args)` has `is_new`. A tagged template is a call with one `Template` argument."""

    span: Span
    callee: Expr
    args: tuple[Argument, ...]
    is_new: bool = False


@_node
class Literal(NamedTuple):
    """A constant: string (joined if adjacent), number, boolean, bytes, `None`, `UNDEFINED`. A regular expression is its pattern."""

    span: Span
    value: Constant


@_node
class Template(NamedTuple):
    """An f-string or a template literal: constant parts are `Literal`, the others what is interpolated."""

    span: Span
    parts: tuple[Expr, ...]


@_node
class List(NamedTuple):
    """A list, tuple or set display."""

    span: Span
    items: tuple[Expr, ...]
    kind: Lit["list", "tuple", "set"] = "list"


class Entry(NamedTuple):
    """One entry of a `Map`; a key of None spreads `value` into the map."""

    key: Expr | None
    value: Expr


@_node
class Map(NamedTuple):
    """A dictionary, an object literal, a YAML or JSON mapping, a TOML table."""

    span: Span
    entries: tuple[Entry, ...]


@_node
class Spread(NamedTuple):
    """`*x` or `...x` inside a list."""

    span: Span
    value: Expr


@_node
class Operator(NamedTuple):
    """A unary, binary, boolean or comparing operator in its normal form (see the module's docstring)."""

    span: Span
    op: str
    operands: tuple[Expr, ...]


@_node
class Conditional(NamedTuple):
    """`then if test else otherwise`, `test ? then : otherwise`."""

    span: Span
    test: Expr
    then: Expr
    otherwise: Expr


@_node
class Await(NamedTuple):
    """`await value`."""

    span: Span
    value: Expr


@_node
class Yield(NamedTuple):
    """`yield value`; `delegate` for `yield from` and `yield*`."""

    span: Span
    value: Expr | None
    delegate: bool = False


@_node
class Opaque(NamedTuple):
    """A construct without a normal form; `kind` is the grammar's name for it, `parts` are what it contains."""

    span: Span
    kind: str
    parts: tuple[Node, ...]


# ----------------------------------------------------------------------------------------------------------- statements
@_node
class Assign(NamedTuple):
    """`target = value`, also as an expression (`:=`, JavaScript assignment) and as a declaration.

    `op` is "" or the operator of an augmented assignment (`+`, `or`, `??`, …). A declaration without a value has `value`
    None. Destructuring has a `List` or `Map` as its target. `a = b = c` is two assigns of the same value node.
    `declares`: it is JavaScript's `const`, `let`, `var` or `using`, so its names belong to this scope; a JavaScript
    assignment without it may mean a name of an outer scope. Always False in Python.
    """

    span: Span
    target: Expr
    value: Expr | None
    op: str = ""
    annotation: Expr | None = None
    declares: bool = False


class ImportedName(NamedTuple):
    """One imported name: `name` in the other module (`*` for all, `default` for JavaScript's default), `alias` here."""

    name: str
    alias: str
    span: Span


@_node
class Import(NamedTuple):
    """An import of any form.

    `module` is as written, without leading dots; `level` counts Python's dots. `names` is empty for a whole-module import; the
    module is then bound to `alias` (`import a.b` binds `a`: alias "a", `binds_root` True; a side-effect import and an unbound
    `require` have alias None). `kind`: `import`, `require`, `dynamic` (`import("x")`, `importlib.import_module("x")` of a
    constant). An expression form (`require`, `dynamic`) appears where the call stood.
    """

    span: Span
    module: str
    level: int = 0
    names: tuple[ImportedName, ...] = ()
    alias: str | None = None
    binds_root: bool = False
    kind: Lit["import", "require", "dynamic"] = "import"
    type_only: bool = False


@_node
class Export(NamedTuple):
    """A JavaScript export of one name: `exported` is the outer name, `local` the inner one.

    `export {a as b}`: exported b, local a. `export {a as b} from "m"`: the same with `module` m. `export * from "m"`: exported `*`,
    local `*`. `export * as ns from "m"`: exported ns, local `*`. `export default <expr>` and `module.exports = <expr>`:
    exported `default`, `value` the expression (a named default function or class: local is its name). `exports.a = <expr>`: exported a,
    `value` the expression. `export const a = …`: the `Assign`, then an `Export` with exported and local a.
    """

    span: Span
    exported: str
    local: str | None = None
    module: str | None = None
    value: Expr | None = None


@_node
class If(NamedTuple):
    """`if test: then else: otherwise`; an `elif` is a single `If` in `otherwise`."""

    span: Span
    test: Expr
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


class Case(NamedTuple):
    """One case: the values or patterns it compares with (empty: default), its guard and body."""

    patterns: tuple[Expr, ...]
    guard: Expr | None
    body: tuple[Node, ...]


@_node
class Match(NamedTuple):
    """`match`, `switch`."""

    span: Span
    subject: Expr
    cases: tuple[Case, ...]


@_node
class Loop(NamedTuple):
    """Every repetition. `kind`: `while`, `do`, `for` (C style), `each` (over `source`), `comprehension`.

    `while`/`do`: `test`. `for`: `init`, `test`, `update`. `each`: `target`, `source`. `comprehension`: `target`, `source`, `test` (its
    condition) and the element expression(s) as `body`; nested `for` clauses nest. `span` covers the whole loop; `header` its
    first line, where a verdict stands. `otherwise` is Python's `else`.
    """

    span: Span
    kind: Lit["while", "do", "for", "each", "comprehension"]
    header: Span
    body: tuple[Node, ...]
    target: Expr | None = None
    source: Expr | None = None
    test: Expr | None = None
    init: tuple[Node, ...] = ()
    update: tuple[Node, ...] = ()
    otherwise: tuple[Node, ...] = ()
    is_async: bool = False


class Handler(NamedTuple):
    """`except types as name: body`; `catch (name) {body}` has no types."""

    types: tuple[Expr, ...]
    name: str | None
    body: tuple[Node, ...]
    span: Span


@_node
class Try(NamedTuple):
    """`try`, its handlers, `else` and `finally`."""

    span: Span
    body: tuple[Node, ...]
    handlers: tuple[Handler, ...]
    otherwise: tuple[Node, ...]
    final: tuple[Node, ...]


class Context(NamedTuple):
    """One item of a `With`: the expression and what it is bound to."""

    value: Expr
    target: Expr | None


@_node
class With(NamedTuple):
    """`with`, `async with`, `using`."""

    span: Span
    items: tuple[Context, ...]
    body: tuple[Node, ...]
    is_async: bool = False


@_node
class Return(NamedTuple):
    """`return value`. An arrow function or lambda with an expression body is a `Return` of it."""

    span: Span
    value: Expr | None


@_node
class Raise(NamedTuple):
    """`raise`, `throw`."""

    span: Span
    value: Expr | None


@_node
class Break(NamedTuple):
    """`break`, with JavaScript's label."""

    span: Span
    label: str | None = None


@_node
class Continue(NamedTuple):
    """`continue`, with JavaScript's label."""

    span: Span
    label: str | None = None


@_node
class Block(NamedTuple):
    """A bare block, or a labelled statement (`label` set)."""

    span: Span
    body: tuple[Node, ...]
    label: str | None = None


@_node
class Global(NamedTuple):
    """`global` and `nonlocal`: these names belong to an outer scope."""

    span: Span
    names: tuple[str, ...]


class Parameter(NamedTuple):
    """One parameter. `kind`: "" plain, `*` rest, `**` keyword rest. A destructured parameter has `pattern` and a name like `_0`."""

    name: str
    span: Span
    default: Expr | None = None
    annotation: Expr | None = None
    kind: Lit["", "*", "**"] = ""
    pattern: Expr | None = None


# --------------------------------------------------------------------------------------------------------- lazy nodes
class FunctionParts(NamedTuple):
    """What a `Function` lowers on demand."""

    params: tuple[Parameter, ...]
    returns: Expr | None
    decorators: tuple[Expr, ...]
    body: tuple[Node, ...]


class ClassParts(NamedTuple):
    """What a `Class` lowers on demand. `keywords` are Python's class keywords; `implements` counts among the bases."""

    bases: tuple[Expr, ...]
    keywords: tuple[Argument, ...]
    decorators: tuple[Expr, ...]
    body: tuple[Node, ...]


class Function:
    """A function, method, lambda or arrow function. Its header and body are lowered when first asked for.

    `name` is "" for one without a name; `qualname` is dotted from the module (`Agent.run.helper`, `<lambda:12>` for one
    without a name, where 12 is its line). `outer` is the scope it stands in. `receiver` is `self` for a method that gets
    its object, `cls` for a Python classmethod, None otherwise.
    """

    __slots__ = ("_lower", "_parts", "is_async", "is_generator", "module", "name", "name_span", "outer", "qualname", "receiver", "span")

    def __init__(  # noqa: PLR0913 - a node has this many parts
        self,
        span: Span,
        name: str,
        name_span: Span,
        qualname: str,
        module: Module,
        outer: Scope,
        lower: Callable[[], FunctionParts],
        *,
        receiver: str | None = None,
        is_async: bool = False,
        is_generator: bool = False,
    ) -> None:
        self.span = span
        self.name = name
        self.name_span = name_span
        self.qualname = qualname
        self.module = module
        self.outer = outer
        self.receiver = receiver
        self.is_async = is_async
        self.is_generator = is_generator
        self._lower = lower
        self._parts: FunctionParts | None = None

    @property
    def parts(self) -> FunctionParts:
        """Header and body, lowered on first use."""
        if self._parts is None:
            self._parts = self._lower()
        return self._parts

    @property
    def params(self) -> tuple[Parameter, ...]:
        """Parameters without the receiver."""
        return self.parts.params

    @property
    def body(self) -> tuple[Node, ...]:
        """Statements."""
        return self.parts.body

    @property
    def decorators(self) -> tuple[Expr, ...]:
        """Decorator expressions, in source order."""
        return self.parts.decorators

    @property
    def returns(self) -> Expr | None:
        """The return annotation."""
        return self.parts.returns

    def __repr__(self) -> str:
        return f"Function({self.qualname} at {self.span})"


class Class:
    """A class, or a TypeScript interface or enum (`kind`). Heritage and body are lowered when first asked for."""

    __slots__ = ("_lower", "_parts", "kind", "module", "name", "name_span", "outer", "qualname", "span")

    def __init__(
        self,
        span: Span,
        name: str,
        name_span: Span,
        qualname: str,
        module: Module,
        outer: Scope,
        lower: Callable[[], ClassParts],
        *,
        kind: Lit["class", "interface", "enum"] = "class",
    ) -> None:
        self.span = span
        self.name = name
        self.name_span = name_span
        self.qualname = qualname
        self.module = module
        self.outer = outer
        self.kind = kind
        self._lower = lower
        self._parts: ClassParts | None = None

    @property
    def parts(self) -> ClassParts:
        """Heritage and body, lowered on first use."""
        if self._parts is None:
            self._parts = self._lower()
        return self._parts

    @property
    def bases(self) -> tuple[Expr, ...]:
        """Base expressions, then implemented interfaces."""
        return self.parts.bases

    @property
    def body(self) -> tuple[Node, ...]:
        """Statements: fields as `Assign`, methods as `Function`."""
        return self.parts.body

    @property
    def decorators(self) -> tuple[Expr, ...]:
        """Decorator expressions."""
        return self.parts.decorators

    def __repr__(self) -> str:
        return f"Class({self.qualname} at {self.span})"


class ModuleIndex(NamedTuple):
    """What one cheap walk over the syntax tree finds, without lowering anything.

    `calls` maps the last name of a callee (`run` of `a.b.run(…)`, `Agent` of `new Agent(…)`) to the scopes whose own code
    (not that of functions inside them) contains such a call; decorators without parentheses count as calls. A class's own
    code is its field initialisers and decorators. `imports` are all imports of the file, wherever they stand.
    """

    imports: tuple[tuple[Scope, Import], ...]
    exports: tuple[Export, ...]
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    calls: Mapping[str, tuple[Scope, ...]]


class Module:
    """One parsed file. `body` is lowered when first asked for; `notices` tell of what could not be read."""

    __slots__ = ("_body", "_lower", "index", "language", "notices", "path", "role", "span")

    def __init__(self, path: str, language: Language, role: Role, span: Span) -> None:
        self.path = path
        self.language = language
        self.role = role
        self.span = span
        self.index = ModuleIndex((), (), (), (), {})
        self.notices: tuple[Notice, ...] = ()
        self._lower: Callable[[], tuple[Node, ...]] = tuple
        self._body: tuple[Node, ...] | None = None

    def complete(self, index: ModuleIndex, lower: Callable[[], tuple[Node, ...]], notices: tuple[Notice, ...] = ()) -> Module:
        """Fill in what needs the module itself to exist. Called once, by the lowering that made it."""
        self.index = index
        self.notices = notices
        self._lower = lower
        return self

    @property
    def body(self) -> tuple[Node, ...]:
        """Top-level statements; for a document, its values (one, or one for each YAML document)."""
        if self._body is None:
            self._body = self._lower()
        return self._body

    @property
    def qualname(self) -> str:
        """The empty string: a module is the root of its scopes."""
        return ""

    def __repr__(self) -> str:
        return f"Module({self.path})"


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
    """The direct children of a node, in source order. A `Function` or `Class` has none: its parts are lazy and its own scope."""
    out: list[Node] = []
    for position in _FIELDS.get(type(node), ()):
        _collect(node[position], out)  # type: ignore[index]
    return out


def _collect(field: object, out: list[Node]) -> None:
    kind = type(field)
    if kind in _NODE_TYPES:
        out.append(field)  # type: ignore[arg-type]
    elif kind is tuple or kind in _GROUPS:
        for item in field:  # type: ignore[attr-defined]
            _collect(item, out)


def walk(*nodes: Node) -> Iterator[Node]:
    """These nodes and all below them in source order, staying in their scope: functions and classes are yielded, not entered."""
    stack = list(reversed(nodes))
    while stack:
        node = stack.pop()
        yield node
        inside = children(node)
        if inside:
            inside.reverse()
            stack.extend(inside)


_GROUPS = frozenset({Argument, Entry, Case, Handler, Context, Parameter})
_TUPLES = (
    Name, Member, Index, Slice, Call, Literal, Template, List, Map, Spread, Operator, Conditional, Await, Yield, Opaque,
    Assign, Import, Export, If, Match, Loop, Try, With, Return, Raise, Break, Continue, Block, Global,
)  # fmt: skip
_NODE_TYPES = frozenset({*_TUPLES, Function, Class})
_PLAIN = frozenset(
    "span name_span header id name op kind is_new is_async delegate label names keyword level alias binds_root type_only "
    "exported local module declares".split()
)
"""Fields that hold no node in any class."""
_LEAVES = frozenset({Name, Literal, Import, Break, Continue, Global})
_FIELDS: dict[type, tuple[int, ...]] = {
    cls: () if cls in _LEAVES else tuple(n for n, field in enumerate(cls._fields) if field not in _PLAIN) for cls in _TUPLES
}
"""For each node type the positions of the fields that can hold nodes."""
