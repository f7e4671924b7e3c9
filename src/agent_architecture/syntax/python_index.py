"""One walk over the syntax tree of a Python file: its imports, definitions and calls, by scope.

Lowers nothing but imports. This is the hot loop of a scan: a stack, one look-up for each node, no recursion. A node
that the lowering hands to another scope than the one it stands in (a header, a body) is handed to the same one here.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span
from agent_architecture.syntax.ir import Class, Function, Import, ModuleIndex, Scope
from agent_architecture.syntax.python_definitions import (
    Header,
    class_parts,
    decorators_below,
    definition_strays,
    first_parameter,
    function_parts,
    header_trees,
    inside,
    lambda_parts,
    receiver_of,
)
from agent_architecture.syntax.python_grammar import field, numbers, table
from agent_architecture.syntax.python_imports import DYNAMIC, lower_dynamic_import, lower_from_import, lower_import
from agent_architecture.syntax.python_lowering import Lowering, callee_name, kids

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_LEAVES: Final = (
    "identifier", "integer", "float", "true", "false", "none", "ellipsis", "comment", "line_continuation",
    "pass_statement", "break_statement", "continue_statement", "global_statement", "nonlocal_statement",
    "keyword_separator", "positional_separator", "string_start", "string_end", "type_conversion", "wildcard_import",
)  # fmt: skip
"""Kinds in which nothing can stand that an index holds."""

_LONGEST_NAME: Final = 500
"""A longer qualified name starts anew: in a file of nested lambdas the names would need the square of its size."""

_LEAF: Final = 0
_CALL: Final = 1
_STRING: Final = 2
_FIELD: Final = 3
_OTHER: Final = 4

_ONLY_FIELD: Final = {"attribute": "object", "keyword_argument": "value"}
"""Kinds of which one field is all that can hold something."""


class _Kinds(NamedTuple):
    actions: dict[int, int]
    others: dict[int, str]
    fields: dict[int, int]
    identifiers: frozenset[int]
    attributes: frozenset[int]
    function: int
    attribute: int


@cache
def _kinds() -> _Kinds:
    others = (
        "function_definition", "class_definition", "decorated_definition", "lambda", "assignment", "yield",
        "import_statement", "import_from_statement", "future_import_statement", "class_pattern", "print_statement",
        "exec_statement",
    )  # fmt: skip
    actions = {
        **dict.fromkeys(_LEAVES, _LEAF),
        **dict.fromkeys(_ONLY_FIELD, _FIELD),
        **dict.fromkeys(others, _OTHER),
        "call": _CALL,
        "string": _STRING,
    }
    return _Kinds(
        table(actions),
        table({kind: kind for kind in others}),
        table({kind: field(name) for kind, name in _ONLY_FIELD.items()}),
        numbers(["identifier"]),
        numbers(["attribute"]),
        field("function"),
        field("attribute"),
    )


class _Visit(NamedTuple):
    """A scope that is still to be walked, and the names of what it calls."""

    scope: Scope
    low: Lowering
    stack: list[Tree]
    names: set[str]


def index_python(low: Lowering, root: Tree) -> ModuleIndex:
    """The index of a file. Fills `low.definitions` and `low.imports`, where the lowering finds what was made here."""
    indexer = _Indexer(low)
    indexer.run(root)
    return indexer.result()


class _Indexer:
    """The state of one walk."""

    __slots__ = ("_calls", "_definitions", "_imports", "_kinds", "_lambda_names", "_low", "_pending")

    def __init__(self, low: Lowering) -> None:
        self._low = low
        self._kinds = _kinds()
        self._pending: list[_Visit] = []
        self._imports: list[tuple[int, Scope, Import]] = []
        self._definitions: list[tuple[int, Function | Class]] = []
        self._calls: dict[str, list[Scope]] = {}
        self._lambda_names: dict[int, str] = {}

    def run(self, root: Tree) -> None:
        self._pending.append(_Visit(self._low.module, self._low, [root], set()))
        while self._pending:
            visit = self._pending.pop()
            self._walk(visit)
            for name in visit.names:
                self._calls.setdefault(name, []).append(visit.scope)

    def result(self) -> ModuleIndex:
        definitions = [definition for _, definition in sorted(self._definitions, key=lambda entry: entry[0])]
        return ModuleIndex(
            tuple([(scope, imported) for _, scope, imported in sorted(self._imports, key=lambda entry: entry[0])]),
            (),
            tuple([definition for definition in definitions if isinstance(definition, Function)]),
            tuple([definition for definition in definitions if isinstance(definition, Class)]),
            {name: tuple(sorted(self._calls[name], key=_position)) for name in sorted(self._calls)},
        )

    def _walk(self, visit: _Visit) -> None:
        actions, fields, stack, broken = self._kinds.actions, self._kinds.fields, visit.stack, self._low.broken
        while stack:
            node = stack.pop()
            action = actions.get(node.kind_id)
            if action is None:
                stack.extend(node.named_children)
            elif action == _CALL:
                self._call(visit, node)
            elif action == _OTHER:
                self._other(visit, node)
            elif broken and node.has_error:
                stack.extend(node.named_children)
            elif action == _FIELD:
                stack.append(node.child_by_field_id(fields[node.kind_id]) or node.named_children[0])
            elif action == _STRING and self._has_interpolation(node):
                stack.extend(node.named_children)

    def _has_interpolation(self, node: Tree) -> bool:
        start = node.start_byte
        opening = self._low.text.data[start : start + 3]
        return opening[:1] in b"fFtT" or (opening[:1] in b"rR" and opening[1:2] in b"fFtT")

    def _call(self, visit: _Visit, node: Tree) -> None:
        name = self._callee(visit.low, node)
        if name is None and self._is_call_of_result(node):
            visit.names.add("")
        if name:
            imported = lower_dynamic_import(self._low.text, node, name) if name in DYNAMIC else None
            if imported is not None:
                self._imported(visit, node, (imported,))
                return
            visit.names.add(name)
        visit.stack.extend(node.named_children)

    def _is_call_of_result(self, node: Tree) -> bool:
        """Whether what is called is what another call made: `Ask()(text)`."""
        callee = node.child_by_field_id(self._kinds.function)
        while callee is not None and callee.type == "parenthesized_expression" and callee.named_child_count == 1:
            callee = callee.named_children[0]
        return callee is not None and self._kinds.actions.get(callee.kind_id) == _CALL

    def _callee(self, low: Lowering, node: Tree) -> str | None:
        kinds = self._kinds
        callee = node.child_by_field_id(kinds.function)
        if callee is None:
            return None
        if low.broken and callee.has_error:
            return callee_name(low, callee)
        if callee.kind_id in kinds.identifiers:
            name = low.text.of(callee)
            return low.renames.get(name, name) if low.renames else name
        attribute = callee.child_by_field_id(kinds.attribute) if callee.kind_id in kinds.attributes else None
        return callee_name(low, callee) if attribute is None else low.text.of(attribute)

    def _other(self, visit: _Visit, node: Tree) -> None:  # one line a kind
        kind = self._kinds.others[node.kind_id]
        match kind:
            case "function_definition" | "class_definition":
                self._define(visit, node, node, ())
                return
            case "decorated_definition":
                self._decorated(visit, node)
                return
            case "lambda":
                self._lambda(visit, node)
                return
            case "import_statement":
                self._imported(visit, node, lower_import(self._low.text, node))
            case "import_from_statement" | "future_import_statement":
                self._imported(visit, node, lower_from_import(self._low.text, node, self._low.renames))
            case "assignment":
                self._name_lambda(node)
            case "yield" if isinstance(visit.scope, Function):
                visit.scope.is_generator = True
            case "print_statement" | "exec_statement":
                visit.names.add(kind.removesuffix("_statement"))
            case "class_pattern":
                parts = kids(self._low, node)
                visit.names.update({callee_name(visit.low, parts[0]) or ""} - {""} if parts else ())
        visit.stack.extend(node.named_children)

    def _imported(self, visit: _Visit, node: Tree, imports: tuple[Import, ...]) -> None:
        self._low.imports[node.id] = imports
        self._imports += [(node.start_byte + at, visit.scope, imported) for at, imported in enumerate(imports)]

    def _name_lambda(self, node: Tree) -> None:
        """`f = lambda: …` is a function named f, as in JavaScript."""
        right = node.child_by_field_name("right")
        if right is not None and right.type == "lambda":
            left = node.child_by_field_name("left")
            if left is not None and left.type == "identifier":
                self._lambda_names[right.id] = self._low.text.of(left)

    def _decorated(self, visit: _Visit, node: Tree) -> None:
        definition = node.child_by_field_name("definition")
        if definition is None:
            visit.stack.extend(node.named_children)
            return
        decorators = []
        for child in node.named_children:
            inner = kids(self._low, child) if child.type == "decorator" else []
            decorators += inner
            visit.stack.extend(child.named_children if child.type == "decorator" else [child] if child.is_error else [])
        self._define(visit, definition, node, tuple(decorators))

    def _define(self, visit: _Visit, node: Tree, whole: Tree, decorators: tuple[Tree, ...]) -> None:
        low = visit.low
        decorators = (*decorators_below(low, node, whole), *decorators)
        bare = {callee_name(low, decorator) or "" for decorator in decorators if decorator.type != "call"} - {""}
        visit.names.update(bare)
        if node.type == "class_definition":
            self._class(visit, Header(low, low, node, decorators, has_receiver=False), whole)
            return
        name = low.text.of(node.child_by_field_name("name") or node) if isinstance(visit.scope, Class) else ""
        first = first_parameter(low, node) if isinstance(visit.scope, Class) else None
        applied = tuple(callee_name(low, decorator) or "" for decorator in decorators)
        receiver = receiver_of(name, first, applied) if isinstance(visit.scope, Class) else None
        first = first if receiver is not None else None
        inner = inside(low, node, receiver, first)
        self._function(visit, Header(low, inner, node, decorators, first is not None), whole, receiver)

    def _class(self, visit: _Visit, header: Header, whole: Tree) -> None:
        named = self._named(header.node)
        lower = partial(class_parts, header)
        qualname = _qualified(visit.scope, named.name or f"<class:{named.span.line}>")
        span = self._low.text.span(whole)
        made = Class(span, named.name, named.span, qualname, self._low.module, visit.scope, lower)
        self._defined(visit, header, made)

    def _function(self, visit: _Visit, header: Header, whole: Tree, receiver: str | None) -> None:
        named = self._named(header.node)
        made = Function(
            self._low.text.span(whole),
            named.name,
            named.span,
            _qualified(visit.scope, named.name or f"<function:{named.span.line}>"),
            self._low.module,
            visit.scope,
            partial(function_parts, header),
            receiver=receiver,
            is_async=header.node.children[0].type == "async",
        )
        self._defined(visit, header, made)

    def _lambda(self, visit: _Visit, node: Tree) -> None:
        low = visit.low
        header = Header(low, inside(low, node, None, None), node, (), has_receiver=False)
        name, span = self._lambda_names.get(node.id, ""), low.text.span(node)
        qualname = _qualified(visit.scope, name or f"<lambda:{span.line}>")
        word = low.text.span(node.children[0])
        made = Function(span, name, word, qualname, low.module, visit.scope, partial(lambda_parts, header))
        self._defined(visit, header, made)

    def _named(self, node: Tree) -> _Named:
        name = node.child_by_field_name("name")
        return _Named("" if name is None else self._low.text.of(name), self._low.text.span(name or node))

    def _defined(self, visit: _Visit, header: Header, made: Function | Class) -> None:
        node, tables, has_receiver = header.node, self._low.tables, header.has_receiver
        self._low.definitions[node.id] = made
        self._definitions.append((node.start_byte, made))
        visit.stack.extend(header_trees(tables, node, has_receiver=has_receiver))
        nodes = definition_strays(tables, node, has_receiver=has_receiver) if self._low.broken else []
        body = node.child_by_field_name("body")
        if body is not None:
            nodes.append(body)
        self._pending.append(_Visit(made, header.inner, nodes, set()))


class _Named(NamedTuple):
    """The name of a definition, and where it stands."""

    name: str
    span: Span


def _qualified(scope: Scope, name: str) -> str:
    outer = scope.qualname
    if len(outer) > _LONGEST_NAME:
        outer = "…"
    return f"{outer}.{name}" if outer else name


def _position(scope: Scope) -> tuple[int, int, str]:
    """Source order of scopes; the module comes first."""
    return (scope.span.line, scope.span.col, scope.qualname) if scope.qualname else (0, 0, "")
