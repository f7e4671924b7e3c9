"""Which calls ask another machine: a host, a server of tools, a sandbox that runs at its provider's. A request to a
model and a run of an agent are none.

Facts for every sheet that speaks of remote calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.effects.served_tool_calls import REMOTE_TOOLS, called_by_name
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import call_sites, resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.reached_work import Work

SENDING: Final = frozenset({"network_read", "network_write", "mail", "message", "payment"})
"""Effects of a call that goes over the network whatever it is given."""
TOOL: Final = "tool"
"""What servers' tools bring in."""
MARK: Final = "remote"
PROTOCOL: Final = "mcp"
"""The pack of what clients of servers are called, where only the name of the method is known."""


class Elsewhere:
    """Answers for one program."""

    def __init__(self, work: Work) -> None:
        self._work = work
        packs = work.context.packs
        self.names: Final = (
            packs.effect_names(*SENDING) | packs.flow_names("source") | packs.mark_names(MARK) | REMOTE_TOOLS
        )
        """The last names of such calls, but for sandboxes."""

    def is_asked(self, call: ir.Call) -> bool:
        """Whether a call asks another machine."""
        return self.by(call) is not None

    def is_named(self, call: ir.Call) -> bool:
        """The same of a call that is no sandbox's, told by its name first."""
        return callee_name(call.callee) in self.names and self.is_asked(call)

    def by(self, call: ir.Call) -> str | None:
        """The pack that says so of a call."""
        return next(self._packs(call), None)

    def chosen(self) -> Iterator[ir.Call]:
        """The calls that run a server's tool whose name is no text of the project: a model chose it, wherever they
        stand.
        """
        context = self._work.context
        for site in call_sites(context.program, REMOTE_TOOLS):
            if callee_name(site.call.callee) not in REMOTE_TOOLS:
                continue  # a call of a class of the project, which may be a library's
            if any(True for _ in called_by_name(context, site.call)) or (
                self._is_nobody(site.call) and _is_open(site.call)
            ):
                yield site.call

    def _packs(self, call: ir.Call) -> Iterator[str]:
        context = self._work.context
        yield from (row.where.pack for row, _ in self._work.effects.rows(call) if row.effect in SENDING)
        sink = context.at(call, "code_sink")
        if sink is not None and effective(context, sink, "isolation").value == "remote":
            yield sink.row.where.pack
        for api in resolved(context.program, call.callee) if callee_name(call.callee) in self.names else ():
            yield from (mark.where.pack for mark in context.packs.marks(api.path) if mark.covers == MARK)
            for row in context.packs.flows(api.path):
                if row.kind == "source" and row.name == TOOL:
                    yield row.where.pack
        if callee_name(call.callee) in REMOTE_TOOLS and self._is_nobody(call):
            yield PROTOCOL

    def _is_nobody(self, call: ir.Call) -> bool:
        """Whether nothing is known of what is called, but that it is not of the project; the function around it, which
        may have the same name, aside.
        """
        program = self._work.context.program
        around = program.scope_of(call)
        return (
            isinstance(call.callee, ir.Member)
            and all(function is around for function in program.callees(call))
            and all(isinstance(value, Unknown) for value in program.value_of(call.callee))
        )


def _is_open(call: ir.Call) -> bool:
    """Whether what names a tool is no text that is written there."""
    first = next((argument.value for argument in call.args if argument.keyword in {None, "name"}), None)
    return first is not None and not isinstance(first, (ir.Literal, ir.Map))
