"""What the modules of a program have under a name, each table made once: calls, methods, other names of imports, what
is handed to the languages' own runners. Whoever looks something up rests on what stands there, and on nothing more
coming to it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agent_architecture.names.program import CallSite, Program


class Indexes:
    """These tables, of one program."""

    __slots__ = ("_aliases", "_calling", "_handed", "_methods", "_program", "_renamed", "_rests", "_siblings")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._calling: dict[str, list[ir.Scope]] | None = None
        self._handed: dict[str, tuple[CallSite, ...]] | None = None
        self._aliases: dict[str, frozenset[str]] | None = None
        self._methods: dict[tuple[str, bool], tuple[ir.Function, ...]] | None = None
        self._renamed: dict[ir.Scope, dict[str, frozenset[str]]] = {}
        self._siblings: dict[ir.Scope, list[ir.Function]] = {}
        self._rests: dict[tuple[str, str], int] = {}

    def scopes_calling(self, name: str) -> Sequence[ir.Scope]:
        """The scopes with calls or decorators whose last name is `name`, by module."""
        if self._calling is None:
            self._calling = {}
            for called, places in (item for module in self._program.parsed for item in module.index.calls.items()):
                self._calling.setdefault(called, []).extend(places)
        found = self._calling.get(name, ())
        self._reads("call", name, found)
        return found

    def calls_that_pass(self, name: str) -> tuple[CallSite, ...]:
        """The calls of the languages' own runners (`callers.RUNNERS`) that are handed something called `name`."""
        from agent_architecture.names.callers import handing

        if self._handed is None:
            around = self._program.rests.read
            self._handed = handing(self._program)
            self._program.rests.read = around
        found = self._handed.get(name, ())
        self._reads("handed", name, (site.scope for site in found))
        return found

    def import_aliases(self, name: str) -> frozenset[str]:
        """The other names under which the modules import something called `name`, or hand it on to such that do."""
        from agent_architecture.names.imported import aliases

        if self._aliases is None:
            self._aliases = aliases(self._program.parsed)
        found = [name]
        for each in found:  # grows
            self._reads("alias", each, ())
            found.extend(sorted(self._aliases.get(each, frozenset()).difference(found)))
        return frozenset(found[1:])

    def methods_named(self, name: str, place: ir.Node | ir.Scope) -> tuple[ir.Function, ...]:
        """All methods of project classes with this name, in the language of the file in which something stands."""
        if self._methods is None:
            table: dict[tuple[str, bool], list[ir.Function]] = {}
            for function in (function for module in self._program.parsed for function in module.index.functions):
                if isinstance(function.outer, ir.Class):
                    table.setdefault((function.name, is_python(function.span.path)), []).append(function)
            self._methods = {key: tuple(value) for key, value in table.items()}
        found = self._methods.get((name, is_python(place.span.path)), ())
        self._reads("method", name, found)
        return found

    def renamed(self, scope: ir.Scope, name: str) -> frozenset[str]:
        """The names in a scope that are bound to something called `name`, or to a call that is handed it first
        (`functools.partial`), or to what its `bind` makes.
        """
        from agent_architecture.names.indirect_calls import named_first

        found = self._renamed.get(scope)
        if found is None:
            table: dict[str, set[str]] = {}
            for alias, group in self._program.bindings(scope).items():
                for binding in group:
                    if binding.kind == "assign" and not binding.steps and (original := named_first(binding.value)):
                        table.setdefault(original, set()).add(alias)
            found = self._renamed[scope] = {known: frozenset(aliases) for known, aliases in table.items()}
        return found.get(name, frozenset())

    def function_with_header(self, scope: ir.Scope, node: ir.Node) -> ir.Function | None:
        """The function directly inside `scope` in whose parameters `node` stands, which is code of `scope` itself."""
        found = self._siblings.get(scope)
        if found is None:
            functions = self._program.module_of(node).index.functions
            for function in sorted(functions, key=lambda function: function.span):
                self._siblings.setdefault(function.outer, []).append(function)
            found = self._siblings.setdefault(scope, [])
        place = bisect_right(found, node.span, key=lambda function: function.span) - 1
        # The function that starts last before the node is the only one of its siblings that can contain it.
        return found[place] if place >= 0 and found[place].span.contains(node.span) else None

    def _reads(self, index: str, name: str, found: Iterable[ir.Scope]) -> None:
        """Note that a question reads what an index has under a name."""
        rests = self._program.rests
        if rests.is_kept:
            known = self._rests.get((index, name))
            if known is None:
                known = rests.named(index, name)
                for node in found:
                    known |= rests.of(node.span.path)
                self._rests[index, name] = known
            rests.read |= known
