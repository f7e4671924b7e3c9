"""What is put on spans: where they are opened, on the object afterwards, on the span that is current, by functions of
the project that are handed one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.tracing import PutAttribute
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Api, Const, Entries, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.model.settings import Scalar
    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

DEPTH: Final = 3
"""Functions between a span and what is put on it; mappings in mappings."""
CONSTANT: Final = "ATTR_"
"""How constants of attributes begin in JavaScript."""
VALUE: Final = parse_address("1 | value")
"""Where what is put on a span stands beside its name."""
EMPTY: Final = (None, ir.UNDEFINED)
MEMBER: Final = ".value"
"""What stands behind a member of an enumeration for its text."""


class _Owner(NamedTuple):
    """A span that something is put on, and the call through which: its arguments are what the function is given."""

    node: ir.Node
    site: CallSite | None = None
    function: ir.Function | None = None


class Put:
    """All that is put on the spans of a program, read once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._found: dict[int, list[PutAttribute]] = {}
        self._hidden: dict[int, str] = {}
        for match in context.of_kind("span_attribute"):
            for owner in self._owners(match):
                self._read(match, owner)

    def on(self, span: Match) -> tuple[tuple[PutAttribute, ...], str]:
        """What is put on a span, each name once, and where more of it may come from."""
        node = id(span.node)
        self._read(span, _Owner(span.node), named=False)
        each = {attribute.name: attribute for attribute in self._found.get(node, ())}
        return tuple(each.values()), self._hidden.get(node, "")

    # --------------------------------------------------------------------------------------------------------- whose
    def _owners(self, match: Match) -> Iterator[_Owner]:
        made = self._context.made(match.api.receiver, "span") if match.api.receiver is not None else None
        if made is not None:
            yield _Owner(made.node)
            return
        program, node = self._context.program, match.node
        scope = program.scope_of(node)
        target = node.callee.target if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) else None
        param = _parameter(scope, target)
        found = list(self._handed(scope, param, DEPTH)) if param is not None else []
        yield from found or (_Owner(each) for each in self._current(node, scope, DEPTH))

    def _handed(self, scope: ir.Scope, param: ir.Parameter, depth: int) -> Iterator[_Owner]:
        """The spans that a function is given for a parameter."""
        if not isinstance(scope, ir.Function) or not depth:
            return
        program = self._context.program
        for site in program.callers(scope):
            given = passed_argument(site, scope, param)
            if given is None or isinstance(given, Unknown):
                continue
            made = self._context.made_by(program.value_of(given), "span")
            yield from (_Owner(each.node, site, scope) for each in made)
            above = _parameter(site.scope, given)
            if not made and above is not None:
                yield from (_Owner(each.node, site, scope) for each in self._handed(site.scope, above, depth - 1))
            if not made:
                yield from (_Owner(each, site, scope) for each in self._current(site.call, site.scope, 1))

    def _current(self, node: ir.Node, scope: ir.Scope, calls: int) -> tuple[ir.Node, ...]:
        """The innermost span that is open where a node stands."""
        found, _ = on_ways(self._context.program, node, scope, self._open_at, calls)
        return tuple(one for one in found if isinstance(one, (ir.Call, ir.Function)))

    def _open_at(self, node: ir.Node, scope: ir.Scope) -> ir.Call | ir.Function | None:
        program = self._context.program
        for around in program.structure(scope).ancestors(node):
            values = [item.value for item in around.items] if isinstance(around, ir.With) else [around]
            opened = next((v for v in values if isinstance(v, ir.Call) and self._context.at(v, "span")), None)
            if opened is not None:
                return opened
        if not isinstance(scope, ir.Function):
            return None
        if self._context.at(scope, "span") is not None:
            return scope
        mentions = ((scope.outer, scope), *program.mentions(scope))
        parents = (program.structure(owner).parent(mention) for owner, mention in mentions)
        return next((p for p in parents if isinstance(p, ir.Call) and self._context.at(p, "span") is not None), None)

    # ---------------------------------------------------------------------------------------------------------- what
    def _read(self, match: Match, owner: _Owner, *, named: bool = True) -> None:
        if match.arguments is None:
            return
        words = match.row.values.get("name", {}) if named else {}
        for name in ("name", "attributes") if named else ("attributes",):
            address = match.row.properties.get(name)
            exprs = expressions(self._context.program, match.arguments, address) if address is not None else ()
            for expr in exprs:
                given = _bound(expr, owner)
                if name == "attributes":
                    self._map(given, owner, DEPTH)
                else:
                    value = expressions(self._context.program, match.arguments, VALUE)
                    self._one(given, value[0] if value else None, owner, words)

    def _one(self, key: ir.Expr, value: ir.Expr | None, owner: _Owner, words: Mapping[str, Scalar]) -> None:
        names = tuple(self._names(key, words)) or self._begun(key)
        values = () if value is None else tuple(self._texts(_bound(value, owner)))
        place = key.span
        for name in names:
            self._found.setdefault(id(owner.node), []).append(PutAttribute(name, values, place))
        if not names and not self._each(key, owner):
            self._hidden.setdefault(id(owner.node), f"a name that is only known at run time ({place})")

    def _each(self, key: ir.Expr, owner: _Owner) -> bool:
        """Whether a name is that of each entry in turn: `for name, value in attributes.items()`."""
        program = self._context.program
        if not isinstance(key, ir.Name):
            return False
        for loop in program.structure(program.scope_of(key)).enclosing(key, ir.Loop):
            source = loop.source
            names = {node.id for node in ir.walk(loop.target) if isinstance(node, ir.Name)} if loop.target else set()
            if key.id in names and isinstance(source, ir.Call):
                entries = source.callee.target if isinstance(source.callee, ir.Member) and not source.args else None
                of = source.args[0].value if source.args else entries
                if of is not None:
                    self._map(_bound(of, owner), owner, DEPTH)
                    return True
        return False

    def _map(self, expr: ir.Expr, owner: _Owner, depth: int) -> None:
        values = self._context.program.value_of(expr) if depth else ()
        for value in values:
            if isinstance(value, Entries):
                literal = value.node.entries if isinstance(value.node, ir.Map) else ()
                written = {key for key, _ in value.entries}
                for entry in literal:
                    if entry.key is None:
                        self._map(entry.value, owner, depth - 1)
                    elif not (isinstance(entry.key, ir.Literal) and entry.key.value in written):
                        self._one(entry.key, entry.value, owner, {})
                for key, inner in value.entries:
                    found = PutAttribute(_spelled(key), tuple(self._texts(inner)), inner.span)
                    self._found.setdefault(id(owner.node), []).append(found)
                if not value.complete and not literal:
                    self._hidden.setdefault(id(owner.node), f"a mapping that is not fully readable ({expr.span})")
            elif not (isinstance(value, Const) and value.value in EMPTY):
                self._hidden.setdefault(id(owner.node), f"a mapping that is not readable ({expr.span})")

    def _names(self, key: ir.Expr, words: Mapping[str, Scalar]) -> Iterator[str]:
        for value in self._context.program.value_of(key):
            if isinstance(value, Const) and isinstance(value.value, str):
                yield _spelled(value.value)
            elif isinstance(value, Api):
                known = words.get(value.path.lower())
                yield _spelled(str(known)) if known is not None else _spelled(_last(value).removeprefix(CONSTANT))

    def _begun(self, key: ir.Expr) -> tuple[str, ...]:
        """A name of which only the beginning is constant, with its last `.`: it is no other name."""
        first = next(iter(pieces_of(self._context.program, key)), "")
        return (_spelled(first),) if isinstance(first, str) and first.endswith(".") else ()

    def _texts(self, expr: ir.Expr) -> Iterator[str]:
        for value in self._context.program.value_of(expr):
            if isinstance(value, Const) and isinstance(value.value, str):
                yield value.value
            elif isinstance(value, Api):
                yield _last(value).lower()


def _parameter(scope: ir.Scope, expr: ir.Expr | None) -> ir.Parameter | None:
    if not isinstance(scope, ir.Function) or not isinstance(expr, ir.Name):
        return None
    return next((param for param in scope.params if param.name == expr.id), None)


def _bound(expr: ir.Expr, owner: _Owner) -> ir.Expr:
    """What an expression of a function stands for at the call through which a span came to it."""
    if owner.site is None or owner.function is None:
        return expr
    param = _parameter(owner.function, expr)
    given = passed_argument(owner.site, owner.function, param) if param is not None else None
    return expr if given is None or isinstance(given, Unknown) else given


def _last(value: Api) -> str:
    return last_name(value.path.removesuffix(MEMBER))


def _spelled(name: str) -> str:
    return name.lower().replace(".", "_")
