"""Spans that the project opens by hand, and what runs in them: blocks, decorated functions, functions handed to one.

A span counts only where somebody takes it: a tracer of its library, or one that carries what is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin, written
from agent_architecture.model.tracing import Extent, Recording, Signal
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective, library_default
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.replaced_methods import replacing_at
from agent_architecture.semantics.matching.wrappers import around as runs_around
from agent_architecture.semantics.topics.tracing.switches import OPENED, Switches, is_off
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.values import Api
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

CALLS: Final = 60
"""Calls above a place that are looked at; with more of them it is not known that each lies in a span."""
TRACED: Final = "traced"
OWN: Final = "own"
SILENT: Final = "npm:@opentelemetry/api:"
"""Its spans do not see errors: `recordException` and `setStatus` do."""


class Opened(NamedTuple):
    """A span that is opened: the call or decorator, and the code that runs in it. `made` is what rows speak of: the
    call, or the decorated function.
    """

    node: ir.Expr
    made: ir.Node
    pack: str
    inside: Span


class Spans:
    """Which spans lie around a place. Remembers nothing but the switches."""

    def __init__(self, context: Context, switches: Switches) -> None:
        self._context = context
        self._switches = switches
        runs = context.of_kind("run", "agent")
        self._by_default = {m.row.where.pack for m in runs if library_default(context, m, "tracing").value is True}

    def around(self, node: ir.Node, scope: ir.Scope, whole: Span | None = None) -> Recording | None:
        """The span in which a node runs, on the ways through the callers of its function; of a loop that stands at
        `whole`, one that lies inside it holds only its steps together. Where some ways have none, it says so.
        """
        opened, every_way = on_ways(
            self._context.program, node, scope, lambda place, owner: next(self._at(place, owner), None)
        )
        found = [self._recording(each, _extent(each, whole)) for each in opened]
        if not found:
            return None
        worst = max(found, key=lambda one: (is_off(one.enabled), one.enabled.origin is Origin.UNKNOWN))
        return worst if every_way else worst._replace(extent=Extent.SOME_WAYS)

    def of_function(self, function: ir.Function) -> Recording | None:
        """A span of its own that a function has: around it, or opened in it."""
        opened = next(self._of_owner(function), None)
        if opened is None:
            items = [i.value for n in own_nodes(function, ir.With) for i in n.items]
            calls = self._context.program.structure(function).calls
            opened = next((o for expr in (*items, *calls) if (o := self._opens(expr, function.span)) is not None), None)
        return self._of_wrappers(function) if opened is None else self._recording(opened, Extent.WHOLE)

    def _of_wrappers(self, function: ir.Function) -> Recording | None:
        """The span that a function which runs in the place of this one has around it."""
        program = self._context.program
        for one in runs_around(program, function):
            for call in one.hands_on:
                found = self.around(call, program.scope_of(call))
                if found is not None:
                    return found if one.everywhere else found._replace(extent=Extent.SOME_WAYS)
        return None

    def at(self, node: ir.Node) -> Recording | None:
        """The span in which a node runs; of a library's method in whose place a function stands, that function's."""
        program = self._context.program
        found = self.around(node, program.scope_of(node))
        apis = resolved(program, node.callee) if found is None and isinstance(node, ir.Call) else ()
        for one in (one for api in apis if isinstance(node, ir.Call) for one in replacing_at(program, node, api)):
            spans = (self.around(*inner) for inner in one.hands_on)
            recorded = next((span for span in spans if span is not None), None)
            if recorded is not None:
                return recorded if one.everywhere else recorded._replace(extent=Extent.SOME_WAYS)
        return found

    def for_tools(self, scopes: Iterable[ir.Scope]) -> Recording | None:
        """A span that code opens around the tools which it runs: one that says so by its kind or its name."""
        searched = tuple(scopes)
        owners = [scope for scope in searched if isinstance(scope, ir.Function)]
        calls = (call for scope in searched for call in self._context.program.structure(scope).calls)
        of_calls = (self._opens(call, call.span) for call in calls)
        for opened in (*(one for owner in owners for one in self._of_owner(owner)), *of_calls):
            if opened is None:
                continue
            match = self._context.at(opened.made, "span")
            said = [] if match is None else [effective(self._context, match, word) for word in ("work", "name")]
            words = [str(value).lower() for setting in said for value in setting.values]
            words += [opened.made.name.lower()] if isinstance(opened.made, ir.Function) else []
            if any("tool" in word for word in words):
                return self._recording(opened, Extent.WHOLE)
        return None

    # ---------------------------------------------------------------------------------------------------------- found
    def _at(self, node: ir.Node, scope: ir.Scope) -> Iterator[Opened]:
        """The spans around a node in its own function, and those around the function itself."""
        for around in self._context.program.structure(scope).ancestors(node):
            if isinstance(around, ir.With) and not any(item.value.span.contains(node.span) for item in around.items):
                found = (self._opens(item.value, around.span) for item in around.items)
            elif isinstance(around, ir.Call):
                found = (self._opens(expr, around.span) for expr in (around,))
            else:
                continue
            yield from (opened for opened in found if opened is not None)
        if isinstance(scope, ir.Function):
            yield from self._of_owner(scope)

    def _of_owner(self, function: ir.Function) -> Iterator[Opened]:
        program = self._context.program
        for decorator in function.decorators:
            called = decorator.callee if isinstance(decorator, ir.Call) else decorator
            for api in resolved(program, called):
                if any(mark.covers == TRACED for mark in self._context.packs.decorator_marks(api.path)):
                    yield Opened(decorator, function, self._pack(api), function.span)
        handed = [(function.outer, function), *program.mentions(function)]
        for scope, node in handed:
            parent = program.structure(scope).parent(node)
            opened = self._opens(parent, function.span) if isinstance(parent, ir.Call) else None
            if opened is not None:
                yield opened

    def _opens(self, expr: ir.Expr, inside: Span) -> Opened | None:
        if not isinstance(expr, ir.Call):
            return None
        for api in resolved(self._context.program, expr.callee):
            if any(mark.covers == TRACED for mark in self._context.packs.marks(api.path)):
                return Opened(expr, expr, self._pack(api), inside)
        return None

    def _pack(self, api: Api) -> str:
        packs = self._context.packs
        marks = (*packs.marks(api.path), *packs.decorator_marks(api.path))
        return next(mark.where.pack for mark in marks if mark.covers == TRACED)

    # --------------------------------------------------------------------------------------------------------- counts
    def _recording(self, opened: Opened, extent: Extent) -> Recording:
        named = dotted(opened.node.callee if isinstance(opened.node, ir.Call) else opened.node)
        span = opened.node.span
        by = f"the span of {named} ({span.path}:{span.line})"
        taken, why_not = self._taken(opened)
        signals = self._signals(opened)
        if taken is None:
            on = written(value=True, span=span)
            return Recording(by, on, span, extent=extent, signals=signals, by_hand=True)
        why_not = why_not or f"is not exported: {taken.by} {taken.why_not}"
        return Recording(by, taken.enabled, span, why_not, extent, signals, by_hand=True)

    def _signals(self, opened: Opened) -> tuple[Signal, ...]:
        """What a span says by itself: how long it took, and whether it raised, where its library looks."""
        callee = opened.node.callee if isinstance(opened.node, ir.Call) else opened.node
        paths = [self._context.program.library.canonical(api.path) for api in resolved(self._context.program, callee)]
        by_hand = any(path.startswith(SILENT) for path in paths)
        return (Signal.LATENCY,) if by_hand else (Signal.LATENCY, Signal.ERRORS)

    def _taken(self, opened: Opened) -> tuple[Recording | None, str]:
        """What decides whether the span is recorded; None where it is."""
        off, at = Recording("", written(value=False, span=opened.node.span)), opened.node.span.path
        if self._switches.speak_of(opened.pack):
            switch = self._switches.of(opened.pack, at)
            if switch is None and opened.pack in self._by_default:
                return None, ""
            return (off, f"is not exported: nothing switches {opened.pack} on") if switch is None else (switch, "")
        match = self._context.at(opened.made, "span")
        own = self._switches.of_library(opened.pack, at)
        if match is not None and effective(self._context, match, "convention").value == OWN:
            return (own, "") if own is not None and is_off(own.enabled) else (None, "")
        switch = self._switches.of(OPENED, at)
        return (off, "has no exporter") if switch is None else (switch, "")


def _extent(opened: Opened, whole: Span | None) -> Extent:
    if whole is None or whole.path != opened.inside.path or not whole.contains(opened.inside):
        return Extent.WHOLE
    return Extent.WHOLE if opened.inside.contains(whole) else Extent.STEPS
