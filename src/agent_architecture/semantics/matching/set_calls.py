"""The calls that set something on an object, as rows of packs say: in the chain that made it
(`model.bind_tools(tools)`), or as statements of their own (`builder.set_max_steps(9)`), whose results nobody uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.classes import enclosing_class
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Api
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import SettingRow


class SetCall(NamedTuple):
    """A call and what a row says of it; `receiver` is the object that it was called on."""

    row: SettingRow
    call: ir.Call
    receiver: Api | None


class SetCalls:
    """All such calls of a program, found on demand."""

    def __init__(self, program: Program, packs: Packs) -> None:
        self._program = program
        self._packs = packs
        self._statements: dict[int, list[SetCall]] | None = None
        self._made: dict[int, ir.Node] = {}
        self._known: dict[int, tuple[Match, tuple[SetCall, ...]]] = {}

    def of(self, match: Match) -> tuple[SetCall, ...]:
        """What was set on the receivers of a match, nearest first, and then on what it made."""
        known = self._known.get(id(match))
        if known is None:
            known = self._known[id(match)] = match, tuple(self._of(match))
        return known[1]

    def _of(self, match: Match) -> Iterator[SetCall]:
        statements = self._of_statements()
        for api in receivers(match.api):
            if isinstance(api.node, ir.Call) and api.receiver is not None:
                for row in self._packs.settings(api.receiver.path):
                    yield SetCall(row, api.node, api.receiver.receiver)
            yield from statements.get(id(api.node), ())
        yield from statements.get(id(match.node), ())

    def on(self, made: ir.Node) -> tuple[SetCall, ...]:
        """What statements set on the object that a call made."""
        return tuple(self._of_statements().get(id(made), ()))

    def made_on(self) -> Iterator[tuple[ir.Node, tuple[SetCall, ...]]]:
        """Every object of which statements set something, as the node that made it, with these."""
        yield from ((self._made[made], tuple(calls)) for made, calls in self._of_statements().items())

    def _of_statements(self) -> dict[int, list[SetCall]]:
        """The statements, by the node that made the object that they are called on."""
        if self._statements is None:
            self._statements = {}
            for name in sorted(self._packs.setting_names()):
                for site in self._program.calls(name):
                    structure = self._program.structure(site.scope)
                    for made, found in self._set_by(site.call) if structure.is_statement(site.call) else ():
                        self._made[id(made)] = made
                        self._statements.setdefault(id(made), []).append(found)
        return self._statements

    def _set_by(self, call: ir.Call) -> Iterator[tuple[ir.Node, SetCall]]:
        """What a call sets, each with the call or class that makes the object it is set on."""
        for api in resolved(self._program, call.callee):
            rows = self._packs.settings(api.path) if api.receiver is not None else ()
            calls = (one.node for one in receivers(api) if isinstance(one.node, ir.Call)) if rows else iter(())
            made: ir.Node | None = next(calls, None)
            if made is None and rows and _is_on_own(call):
                made = enclosing_class(self._program, call)
            if made is not None:
                yield from ((made, SetCall(row, call, api.receiver)) for row in rows)


def _is_on_own(call: ir.Call) -> bool:
    """Whether a method calls one of its own object, or of what its class derives from."""
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    named = target.callee if isinstance(target, ir.Call) else target
    return isinstance(named, ir.Name) and named.id in {"self", "super"}
