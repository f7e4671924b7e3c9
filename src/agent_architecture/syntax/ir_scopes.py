"""IR nodes that are scopes: modules, classes and functions, lowered on demand (see `ir`; nobody else imports this
module).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Literal as Lit

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agent_architecture.sources.source import Language, Notice, Role, Span
    from agent_architecture.syntax.ir import Argument, Export, Expr, Import, Node, Parameter, Scope

    Own = dict[tuple[type, ...], tuple[Node, ...]]
    """The nodes of a scope's own code, by the kinds that somebody asked for (`names/structure.py`)."""


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
    without a name, where 12 is its line). `outer` is the scope it stands in. `receiver` is `self` for a method that
    gets
    its object, `cls` for a Python classmethod, None otherwise.
    """

    __slots__ = (
        "_lower",
        "_parts",
        "is_async",
        "is_generator",
        "module",
        "name",
        "name_span",
        "outer",
        "own",
        "qualname",
        "receiver",
        "span",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - a node has this many parts
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
        self._lower: Callable[[], FunctionParts] | None = lower
        self._parts: FunctionParts
        self.own: Own | None = None

    @property
    def parts(self) -> FunctionParts:
        """Header and body, lowered on first use."""
        if self._lower is not None:
            self._parts, self._lower = self._lower(), None  # what it was lowered from is no longer needed
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
    """A class, or a TypeScript interface, type alias or enum (`kind`). Heritage and body are lowered when first asked
    for.

    A type alias of an object type is an `interface`, with the types that it is joined to (`A & {…}`) as its bases. The
    body of any other `alias` is the type that it names.
    """

    __slots__ = ("_lower", "_parts", "kind", "module", "name", "name_span", "outer", "own", "qualname", "span")

    def __init__(  # noqa: PLR0913, PLR0917 - a node has this many parts
        self,
        span: Span,
        name: str,
        name_span: Span,
        qualname: str,
        module: Module,
        outer: Scope,
        lower: Callable[[], ClassParts],
        *,
        kind: Lit["class", "interface", "alias", "enum"] = "class",
    ) -> None:
        self.span = span
        self.name = name
        self.name_span = name_span
        self.qualname = qualname
        self.module = module
        self.outer = outer
        self.kind = kind
        self._lower: Callable[[], ClassParts] | None = lower
        self._parts: ClassParts
        self.own: Own | None = None

    @property
    def parts(self) -> ClassParts:
        """Heritage and body, lowered on first use."""
        if self._lower is not None:
            self._parts, self._lower = self._lower(), None  # what it was lowered from is no longer needed
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

    `calls` maps the last name of a callee (`run` of `a.b.run(…)`, `Agent` of `new Agent(…)`) to the scopes whose own
    code
    (not that of functions inside them) contains such a call; decorators without parentheses count as calls. A
    class's own
    code is its field initialisers and decorators. `imports` are all imports of the file, wherever they stand.
    """

    imports: tuple[tuple[Scope, Import], ...]
    exports: tuple[Export, ...]
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]
    calls: Mapping[str, tuple[Scope, ...]]


class Module:
    """One parsed file. `body` is lowered when first asked for; `notices` tell of what could not be read."""

    __slots__ = ("_body", "_lower", "index", "language", "notices", "own", "path", "role", "span")

    def __init__(self, path: str, language: Language, role: Role, span: Span) -> None:
        self.path = path
        self.language = language
        self.role = role
        self.span = span
        self.index = ModuleIndex((), (), (), (), {})
        self.notices: tuple[Notice, ...] = ()
        self._lower: Callable[[], tuple[Node, ...]] | None = tuple
        self._body: tuple[Node, ...]
        self.own: Own | None = None

    def complete(
        self, index: ModuleIndex, lower: Callable[[], tuple[Node, ...]], notices: tuple[Notice, ...] = ()
    ) -> Module:
        """Fill in what needs the module itself to exist. Called once, by the lowering that made it."""
        self.index = index
        self.notices = notices
        self._lower = lower
        return self

    @property
    def body(self) -> tuple[Node, ...]:
        """Top-level statements; for a document, its values (one, or one for each YAML document)."""
        if self._lower is not None:
            self._body, self._lower = self._lower(), None
        return self._body

    @property
    def code(self) -> tuple[Scope, ...]:
        """The scopes whose code runs: the module's own, and that of each of its functions."""
        return (self, *self.index.functions)

    @property
    def qualname(self) -> str:
        """The empty string: a module is the root of its scopes."""
        return ""

    def __repr__(self) -> str:
        return f"Module({self.path})"
