"""The effects in one body of a tool's code: how much of each a model chooses, and what confines it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import confidence_of
from agent_architecture.model.effects import Effect, Shaped
from agent_architecture.model.settings import Origin
from agent_architecture.model.touches import Choice, Fence, FenceKind, Touch
from agent_architecture.model.vocabulary import SANDBOXES
from agent_architecture.names.made_once import makes_ready
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Entries, Instance
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.call_paths_in import call_paths_in, call_paths_to
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.arithmetic_only import is_arithmetic
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.control.read_only_statements import in_reading, sets_reading
from agent_architecture.semantics.effects.calls import rows_on
from agent_architecture.semantics.effects.effects import IMPORTING, PREPARED
from agent_architecture.semantics.effects.requests import asks as is_question
from agent_architecture.semantics.effects.scratch_folders import only_makes_folder, stays_in_scratch
from agent_architecture.semantics.effects.statements import is_keyed
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.matching.web_addresses import LOOPBACK
from agent_architecture.semantics.taint.commands import argument_list, command_line, typed
from agent_architecture.semantics.taint.hosts import aim
from agent_architecture.semantics.taint.shaping import Shaping
from agent_architecture.semantics.taint.sink_guards import Fences
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import EffectRow

PROCESSES: Final = ("execute_shell", "execute_process")
NETWORK: Final = frozenset({"network_read", "network_write"})
SERVICES: Final = frozenset({"mail", "message", "payment", "deploy"})
TOUCHING: Final = frozenset({
    *PROCESSES, *NETWORK, *SERVICES, "database", "database_read", "database_write", "execute_code", "write_file",
    "read_file", "browser",
})  # fmt: skip
SAYS_ADDRESS: Final = regex(
    r"(?:ur[li]|link|href|web_?site|domain|address|web_?page)s?$|extract|crawl|scrape|get_?contents|fetch|similar",
    re.IGNORECASE,
)
"""What arguments are called that are an address, and calls of services that open one for who asks."""
TIMES: Final = frozenset({"timeout", "timeoutMs", "timeout_ms", "time_limit", "max_execution_time"})

Exprs = tuple[ir.Expr, ...]

FILES: Final = frozenset({"write_file", "read_file"})
DATABASES: Final = frozenset({"database", "database_read", "database_write"})
_RECORDS: Final = (ClassValue, Entries, Instance)


class InCode:
    """One body of code that runs a tool."""

    def __init__(self, context: Context, effects: Effects, tool: Tool, body: Body) -> None:
        self._context = context
        self._effects = effects
        self._tool = tool
        own = tuple(extent(context.program, body.statements, set()).nodes())
        steps = (extent(context.program, step.body, set()).nodes() for step in effects.steps_of(own))
        self._nodes = (*own, *(node for nodes in steps for node in nodes))
        self._ways = call_paths_in(context.program, body.statements)
        self._shaping = Shaping(context, effects, tool, body)

    @cached_property
    def _fences(self) -> Fences:
        return Fences(self._context, self._tool, self._shaping)

    def touches(self) -> Iterator[Touch]:
        """Every effect, in the order of the code; what the tool asks a model for is none."""
        for node in self._nodes:
            if not isinstance(node, ir.Call) or self._context.at(node, "model_call", "run") is not None:
                continue
            sink = self._context.at(node, "code_sink")
            if sink is not None:
                yield from self._code(sink)
            for row, made in rows_on(self._context, node, self._ways):
                is_code = sink is not None and row.effect == "execute_code"
                if row.effect in TOUCHING and not is_code and not self._is_left_out(row, made, node):
                    yield self._done(row, made, node)

    def _is_left_out(self, row: EffectRow, made: ir.Call, node: ir.Call) -> bool:
        """Whether a call is no touch: an object that is made once makes itself ready by it, the code alone decides
        which module is loaded, it writes to a folder that removes itself, or makes one that the code names.
        """
        imports = callee_name(made.callee) in IMPORTING
        own = [effect for effect in self._tool.effects if effect.span == node.span]
        if row.effect == PREPARED and only_makes_folder(made) and all(e.shaped is Shaped.NOT for e in own):
            return True
        if not (imports or row.effect == PREPARED) or own:
            return False
        calls = (each for each in self._nodes if isinstance(each, ir.Call))
        ready = imports or makes_ready(self._context.program, node, calls)
        return ready or stays_in_scratch(self._context, row, made)

    def _touch(self, effect: Effect) -> Touch:
        tool = self._tool
        sure = confidence_of(tool.degree)
        return Touch(tool.span, tool.name or tool.symbol, tool.framework, effect, tool=tool, confidence=sure)

    def _names(self, exprs: Exprs) -> frozenset[str]:
        return frozenset(name for expr in exprs for name in self._shaping.arguments(expr))

    def _code(self, sink: Match) -> Iterator[Touch]:
        """Program text that is executed, where it is."""
        address = sink.row.properties.get("code")
        if address is None or sink.arguments is None:
            return
        texts = expressions(self._context.program, sink.arguments, address)
        computes = isinstance(sink.node, ir.Call) and all(
            is_arithmetic(self._context, sink.node, text) for text in texts
        )
        names = frozenset[str]() if computes else self._names(texts)
        if not names:
            return
        touch = self._touch(Effect(sink.node.span, called(sink.node), sink.row.where.pack, "execute_code"))
        places = effective(self._context, sink, "isolation")
        if places.origin is Origin.UNKNOWN:
            yield touch._replace(choice=Choice.UNKNOWN)
            return
        apart = bool(places.values) and all(place in SANDBOXES for place in places.values)
        fences: tuple[Fence, ...] = ()
        if apart:
            fences = (Fence(FenceKind.SANDBOX, sink.node.span, str(places.values[0])),)
        elif isinstance(sink.node, ir.Call):
            fences = self._fences.before(sink.node, names, FenceKind.LISTED)
        yield touch._replace(choice=Choice.ALL, fences=fences)

    def _done(self, row: EffectRow, made: ir.Call, node: ir.Call) -> Touch:
        own = (e for e in self._tool.effects if e.span == node.span)
        found = next((e for e in own if row.effect in {e.kind, "database"}), None)
        touch = self._touch(found or Effect(node.span, called(made), row.where.pack, row.effect))
        exprs = () if row.argument is None else expressions(self._context.program, made, row.argument)
        match row.effect:
            case "execute_shell" | "execute_process" as kind:
                return self._command(touch, kind, exprs, made, node)
            case "network_read" | "network_write" if row.service:
                names, asks = self._names(exprs), row.effect == "network_read"
                addressed = any(map(SAYS_ADDRESS.search, (callee_name(made.callee), *names)))
                choice = Choice.PART if names else Choice.NOTHING
                return touch._replace(choice=choice, asks=asks, searches=asks and not addressed)
            case "network_read" | "network_write" | "browser":
                return self._request(touch, exprs, made, node)
            case kind if kind in SERVICES:
                return touch
            case kind if is_keyed(kind, callee_name(made.callee)):
                return touch
            case kind:
                names = frozenset(name for expr in exprs for name in self._shaping.arguments(expr, effect=kind))
                if kind in FILES and not names and any(map(self._shaping.enters, exprs)):
                    # the last part of a path leads nowhere else
                    return touch._replace(choice=Choice.PART, fences=(Fence(FenceKind.ROOT, node.span),))
                kinds = (FenceKind.ROOT, FenceKind.LISTED, FenceKind.PREFIX)
                fences = self._fences.before(node, names, *kinds) if names else ()
                fences = (*fences, *self._reading(node)) if names and kind in DATABASES else fences
                whole = Choice.PART if kind in DATABASES and self._are_records(exprs) else Choice.ALL
                return touch._replace(choice=whole if names else Choice.NOTHING, fences=fences)

    def _reading(self, node: ir.Call) -> Iterator[Fence]:
        """The transaction or connection around a statement that changes nothing."""
        begun = in_reading(self._context.program, node)
        if begun is not None:
            holds = bool(self._tool.guards) or sets_reading(self._context.program, begun)
            yield Fence(FenceKind.READS if holds else FenceKind.BEGUN, begun.span)

    def _are_records(self, exprs: Exprs) -> bool:
        """Whether what a database is given are objects and structures whose parts the code names, and no statement."""
        found = [self._context.program.value_of(expr) for expr in exprs]
        return all(values and all(isinstance(value, _RECORDS) for value in values) for values in found)

    def _command(self, touch: Touch, kind: str, exprs: Exprs, made: ir.Call, node: ir.Call) -> Touch:
        is_line = kind == "execute_shell"
        found = command_line(self._shaping, exprs) if is_line else argument_list(self._shaping, exprs, made)
        if found.choice is Choice.NOTHING:
            written = typed(self._shaping, exprs, made, self._nodes)
            found = found if written is None else written._replace(place=found.place)
        listed = self._fences.before(node, found.names, FenceKind.LISTED, words=not found.line) if found.names else ()
        effect = touch.effect._replace(kind="execute_shell") if found.line else touch.effect
        fences = (*found.place, *listed, *self.timed(made))
        return touch._replace(effect=effect, choice=found.choice, fences=fences, typed=found.typed)

    def _request(self, touch: Touch, exprs: Exprs, made: ir.Call, node: ir.Call) -> Touch:
        program, aims = self._context.program, [aim(self._shaping, expr) for expr in exprs]
        bare = (a for a in aims if not a.encoded)
        worst = next((a for a in aims if a.choice is Choice.ALL), None) or next(bare, None) or next(iter(aims), None)
        ways = call_paths_to(program, self._ways, node) if touch.effect.kind == "network_write" else ()
        asks = touch.effect.kind == "network_read" or is_question(program, made, ways)
        if worst is None:
            return touch._replace(asks=asks)
        fences = self._fences.before(node, worst.names, FenceKind.LISTED, FenceKind.ADDRESS) if worst.names else ()
        host = "loopback" if LOOPBACK.match(worst.host) else worst.host
        return touch._replace(choice=worst.choice, host=host, asks=asks, fences=fences, encoded=worst.encoded)

    def timed(self, call: ir.Call) -> Iterator[Fence]:
        """The time after which a call is ended, where it says one."""
        yield from time_limits(self._context, call)


def time_limits(context: Context, call: ir.Call) -> Iterator[Fence]:
    """The times after which a call is ended: its own, and those of what is around it."""
    for argument in call.args:
        value = argument.value
        keys = {argument.keyword: value} if argument.keyword is not None else {}
        if isinstance(value, ir.Map):
            keys |= {str(e.key.value): e.value for e in value.entries if isinstance(e.key, ir.Literal)}
        for name, given in keys.items():
            if name in TIMES and not (isinstance(given, ir.Literal) and not given.value):
                yield Fence(FenceKind.TIME, argument.value.span)
    structure = context.program.structure(context.program.scope_of(call))
    for around in structure.enclosing(call, ir.Call):
        if "bounds_time" in marks_of(context, around):
            yield Fence(FenceKind.TIME, around.span)
