"""Variables that can hold one of a few words only, by a test that stands before a record: whoever chose the word, it
says nothing of what was said.

Reads tests of one scope; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import ends
from agent_architecture.names.lookup import only_value
from agent_architecture.names.test_parts import parts_of
from agent_architecture.semantics.control.argument_tests import CONTAINING
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span


class ClosedTexts:
    """Answers for one expression after the other."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, dict[str, Span]] = {}

    def is_closed(self, text: ir.Expr) -> bool:
        """Whether a text is one of a few words, whatever was given."""
        match text:
            case ir.Name(id=name, span=span):
                scope = self._program.scope_of(text)
                if id(scope) not in self._known:
                    self._known[id(scope)] = dict(self._closed_in(scope))
                behind = self._known[id(scope)].get(name)
                return behind is not None and behind < span
            case ir.Template(parts=parts):
                rest = [part for part in parts if not isinstance(part, ir.Literal)]
                return bool(rest) and all(map(self.is_closed, rest))
            case _:
                return False

    def _closed_in(self, scope: ir.Scope) -> Iterator[tuple[str, Span]]:
        """The names that only a written word or one that was tested is given, with the last test."""
        nodes = self._program.structure(scope).nodes
        tests = [(node, name) for node in nodes if isinstance(node, ir.If) and (name := self._refused(node))]
        for name in dict.fromkeys(name for _, name in tests):
            own = [test for test, tested in tests if tested == name]
            stores = [node for node in nodes if isinstance(node, ir.Assign) and name in _names(node.target)]
            if all(_is_word(store, name) or self._is_tested(scope, store, own) for store in stores):
                is_given = any(param.name == name for param in getattr(scope, "params", ()))
                if stores or is_given:
                    yield name, max(test.span for test in own)

    def _is_tested(self, scope: ir.Scope, store: ir.Assign, tests: list[ir.If]) -> bool:
        """Whether a test follows what is given, in the same block."""
        structure = self._program.structure(scope)
        around = structure.parent(store)
        return any(store.span < test.span and structure.parent(test) is around for test in tests)

    def _refused(self, test: ir.If) -> str:
        """The name that keeps no other word than those of a list behind a test; "" of another test."""
        parts = tuple(parts_of(test.test))
        if len(parts) != 1 or parts[0][1]:
            return ""
        name = self._listed(parts[0][0])
        replaced = any(isinstance(node, ir.Assign) and _is_word(node, name) for node in test.then)
        return name if replaced or ends(test.then) else ""

    def _listed(self, asked: ir.Expr) -> str:
        match asked:
            case ir.Operator(op=ir.Op.IN, operands=(ir.Name(id=name), listed)) if self._is_written(listed):
                return name
            case ir.Call(callee=ir.Member(target=listed, name=does), args=(first, *_)) if does in CONTAINING:
                return first.value.id if isinstance(first.value, ir.Name) and self._is_written(listed) else ""
            case _:
                return ""

    def _is_written(self, listed: ir.Expr) -> bool:
        made = only_value(self._program, listed) if isinstance(listed, ir.Name) else listed
        if isinstance(made, ir.Call) and len(made.args) == 1:  # `new Set([…])`, `frozenset({…})`
            made = made.args[0].value
        items = made.items if isinstance(made, ir.List) else ()
        keys = [entry.key for entry in made.entries] if isinstance(made, ir.Map) else []
        return bool(items or keys) and all(isinstance(item, ir.Literal) for item in (*items, *keys))


def _names(target: ir.Expr) -> frozenset[str]:
    parts = target.items if isinstance(target, ir.List) else (target,)
    return frozenset(part.id for part in parts if isinstance(part, ir.Name))


def _is_word(store: ir.Assign, name: str) -> bool:
    """Whether a name is given a word that is written there, alone or beside others."""
    match store.target, store.value:
        case ir.Name(id=target), ir.Literal():
            return target == name
        case ir.List(items=targets), ir.List(items=values) if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            return any(isinstance(t, ir.Name) and t.id == name and isinstance(v, ir.Literal) for t, v in pairs)
        case _:
            return False
