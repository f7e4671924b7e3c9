"""IR nodes for statements (see `ir`, which gathers all nodes; nobody else imports this module)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Literal as Lit

from agent_architecture.syntax.ir_expressions import identity
from agent_architecture.syntax.ir_record import Record

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir import Expr, Node
    from agent_architecture.syntax.ir_words import Op


@identity
class Assign(Record):
    """`target = value`, also as an expression (`:=`, JavaScript assignment) and as a declaration.

    `op` is the operator of an augmented assignment (`+`, `or`, `??`, …), else None. A declaration without a value has
    None as its `value`. Destructuring has a `List` or `Map` as its target. `a = b = c` is two of one value node.
    `declares`: it is JavaScript's `const`, `let`, `var` or `using`, so its names belong to this scope; a JavaScript
    assignment without it may mean a name of an outer scope. Always False in Python.
    """

    span: Span
    target: Expr
    value: Expr | None
    op: Op | None = None
    annotation: Expr | None = None
    declares: bool = False


class ImportedName(Record):
    """One imported name: `name` in the other module (`*` for all, `default` for JavaScript's default), `alias` here."""

    name: str
    alias: str
    span: Span


@identity
class Import(Record):
    """An import of any form.

    `module` is as written, without leading dots; `level` counts Python's dots. `names` is empty for a whole-module
    import; the
    module is then bound to `alias` (`import a.b` binds `a`: alias "a", `binds_root` True; a side-effect import and
    an unbound
    `require` have alias None). `kind`: `import`, `require`, `dynamic` (`import("x")`, `importlib.import_module("x")`
    of a
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


@identity
class Export(Record):
    """A JavaScript export of one name: `exported` is the outer name, `local` the inner one.

    `export {a as b}`: exported b, local a. `export {a as b} from "m"`: the same with `module` m. `export * from
    "m"`: exported `*`,
    local `*`. `export * as ns from "m"`: exported ns, local `*`. `export default <expr>` and `module.exports = <expr>`:
    exported `default`, `value` the expression (a named default function or class: local is its name). `exports.a =
    <expr>`: exported a,
    `value` the expression. `export const a = …`: the `Assign`, then an `Export` with exported and local a.
    """

    span: Span
    exported: str
    local: str | None = None
    module: str | None = None
    value: Expr | None = None


@identity
class If(Record):
    """`if test: then else: otherwise`; an `elif` is a single `If` in `otherwise`."""

    span: Span
    test: Expr
    then: tuple[Node, ...]
    otherwise: tuple[Node, ...]


class Case(Record):
    """One case: the values or patterns it compares with (empty: default), its guard and body."""

    patterns: tuple[Expr, ...]
    guard: Expr | None
    body: tuple[Node, ...]


@identity
class Match(Record):
    """`match`, `switch`."""

    span: Span
    subject: Expr
    cases: tuple[Case, ...]


@identity
class Loop(Record):
    """Every repetition. `kind`: `while`, `do`, `for` (C style), `each` (over `source`), `comprehension`.

    `while`/`do`: `test`. `for`: `init`, `test`, `update`. `each`: `target`, `source`. `comprehension`: `target`,
    `source`, `test` (its
    condition) and the element expression(s) as `body`; nested `for` clauses nest. `span` covers the whole loop;
    `header` its
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


class Handler(Record):
    """`except types as name: body`; `catch (name) {body}` has no types."""

    types: tuple[Expr, ...]
    name: str | None
    body: tuple[Node, ...]
    span: Span


@identity
class Try(Record):
    """`try`, its handlers, `else` and `finally`."""

    span: Span
    body: tuple[Node, ...]
    handlers: tuple[Handler, ...]
    otherwise: tuple[Node, ...]
    final: tuple[Node, ...]


class Context(Record):
    """One item of a `With`: the expression and what it is bound to."""

    value: Expr
    target: Expr | None


@identity
class With(Record):
    """`with`, `async with`, `using`."""

    span: Span
    items: tuple[Context, ...]
    body: tuple[Node, ...]
    is_async: bool = False


@identity
class Return(Record):
    """`return value`. An arrow function or lambda with an expression body is a `Return` of it."""

    span: Span
    value: Expr | None


@identity
class Raise(Record):
    """`raise`, `throw`."""

    span: Span
    value: Expr | None


@identity
class Break(Record):
    """`break`, with JavaScript's label."""

    span: Span
    label: str | None = None


@identity
class Continue(Record):
    """`continue`, with JavaScript's label."""

    span: Span
    label: str | None = None


@identity
class Block(Record):
    """A bare block, or a labelled statement (`label` set)."""

    span: Span
    body: tuple[Node, ...]
    label: str | None = None


@identity
class Global(Record):
    """`global` and `nonlocal`: these names belong to an outer scope."""

    span: Span
    names: tuple[str, ...]


class Parameter(Record):
    """One parameter. `kind`: "" plain, `*` rest, `**` keyword rest. A destructured parameter has `pattern` and a
    name like `_0`.
    """

    name: str
    span: Span
    default: Expr | None = None
    annotation: Expr | None = None
    kind: Lit["", "*", "**"] = ""
    pattern: Expr | None = None
