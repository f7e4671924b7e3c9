"""What stands between a model's choice and the tool that hand-written code then runs: checks, questions to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Gate, Guard, GuardStage
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.answer_uses import is_heeded
from agent_architecture.semantics.control.checks import checks_before
from agent_architecture.semantics.control.refusal import asks_person, is_skipped
from agent_architecture.semantics.control.tool_allowlists import is_for_others
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span


DEPTH: Final = 3
"""Calls followed upwards from the one that runs a tool."""

LOOKUPS: Final = frozenset({"get", "get_tool", "getTool", "find", "lookup", "resolve"})

RUN_METHODS: Final = frozenset(
    {"invoke", "ainvoke", "run", "arun", "call", "acall", "execute", "func", "coroutine", "fn"}
)
"""Methods and attributes by which libraries let code run a tool."""


class InFront(NamedTuple):
    """What the dispatching code puts in front of a tool."""

    guards: tuple[Guard, ...] = ()
    gate: Gate = Gate()


class Dispatchers:
    """The dispatching code around model calls; `beside` gives the functions that a graph runs as steps beside the one
    that makes a model call.
    """

    def __init__(self, context: Context, beside: Callable[[ir.Node], tuple[ir.Function, ...]] | None = None) -> None:
        self._context = context
        self._beside = beside
        self._scopes: dict[int, tuple[tuple[ir.Scope, ...], ...]] = {}
        self._by_name: dict[ir.Scope, frozenset[ir.Call]] = {}

    def in_front(self, call: ir.Call, function: ir.Function | None, doing: frozenset[Span], tool: str = "") -> InFront:
        """What stands in front of a tool where the code around a model call runs it; `doing` are its effects' calls,
        `tool` is the name by which it is picked.
        """
        guards: list[Guard] = []
        gates: list[Gate] = []
        for scope, every in self._running(call, function, doing):
            runs = tuple(run for run in every if not is_for_others(self._context, run, tool)) or every
            asks = self._asks(scope, call)
            check = checks_before(self._context, scope, runs, asks, beside=every, tool=tool)
            if check is not None:
                guards.append(
                    Guard(
                        check.span,
                        f"a check in {scope.qualname or 'the module'}",
                        "",
                        GuardStage.PRE_TOOL,
                        fails_open=check.skipped,
                    )
                )
            question = next(self._questions(scope, runs, asks), None)
            if question is not None:
                gates.append(Gate(inside=question.span, conditional=is_skipped(self._context, scope, question, runs)))
        return InFront(tuple(guards), min(gates, key=lambda gate: gate.conditional, default=Gate()))

    def _asks(self, scope: ir.Scope, call: ir.Call) -> tuple[ir.Call, ...]:
        """The model call, or the calls of a scope that enter the function that makes it."""
        own = self._context.program.scope_of(call)
        if scope is own:
            return (call,)
        callees = self._context.program.callees
        return tuple(node for node in self._context.program.structure(scope).calls if own in callees(node))

    def _running(
        self, call: ir.Call, function: ir.Function | None, doing: frozenset[Span]
    ) -> Iterator[tuple[ir.Scope, tuple[ir.Call, ...]]]:
        """The scopes that run the tool, and those that call them, each with its calls on the way.

        What the model call's own function reaches comes before what its callers do, and what runs the tool's function
        before what only does the same: another tool may, with a check of its own.
        """
        for around in self._around(call):
            ways = self._ways(around, function, frozenset()) if function is not None else {}
            found = ways or self._ways(around, function, doing)
            if found:
                yield from found.items()
                return

    def _ways(
        self, around: tuple[ir.Scope, ...], function: ir.Function | None, doing: frozenset[Span]
    ) -> dict[ir.Scope, tuple[ir.Call, ...]]:
        """The scopes among these from which the tool is run, each with its calls on the way."""
        found = dict(self._direct(around, function, doing))
        for _ in range(DEPTH - 1):
            further = dict(self._leading(tuple(scope for scope in around if scope not in found), frozenset(found)))
            if not further:
                break
            found |= further
        return found

    def _direct(
        self, scopes: tuple[ir.Scope, ...], function: ir.Function | None, doing: frozenset[Span]
    ) -> Iterator[tuple[ir.Scope, tuple[ir.Call, ...]]]:
        """The scopes with calls that run the tool: its effects, its function, or what was looked up by its name."""
        program = self._context.program
        for scope in scopes:
            picked, enters = self._picked(scope), function in program.run_by(scope)
            if doing or picked or enters:
                calls = tuple(
                    call
                    for call in program.structure(scope).calls
                    if call.span in doing or call in picked or (enters and function in program.callees(call))
                )
                if calls:
                    yield scope, calls

    def _leading(
        self, scopes: tuple[ir.Scope, ...], known: frozenset[ir.Scope]
    ) -> Iterator[tuple[ir.Scope, tuple[ir.Call, ...]]]:
        """The scopes with calls that run one of these functions."""
        program = self._context.program
        for scope in scopes:
            if not known.isdisjoint(program.run_by(scope)):
                calls = program.structure(scope).calls
                yield scope, tuple(call for call in calls if not known.isdisjoint(program.callees(call)))

    def _around(self, call: ir.Call) -> tuple[tuple[ir.Scope, ...], ...]:
        """The functions that one turn may run: that of the model call with what it calls, then those of its callers,
        then the steps of its graph.
        """
        found = self._scopes.get(id(call))
        if found is None:
            program = self._context.program
            own = program.scope_of(call)
            callers = [site.scope for site in program.callers(own)] if isinstance(own, ir.Function) else []
            groups = ((own,), tuple(callers), self._beside(call) if self._beside is not None else ())
            found = self._scopes[id(call)] = tuple(
                tuple(dict.fromkeys((*group, *(f for s in group for f, _ in extent(program, s.body, set()).called))))
                for group in groups
            )
        return found

    def _picked(self, scope: ir.Scope) -> frozenset[ir.Call]:
        """The calls of a scope that run whatever was looked up by a name."""
        found = self._by_name.get(scope)
        if found is None:
            calls = self._context.program.structure(scope).calls
            found = self._by_name[scope] = frozenset(filter(self._is_picked, calls))
        return found

    def _is_picked(self, call: ir.Call) -> bool:
        if isinstance(call.callee, ir.Member):  # `tools_by_name[name].invoke(args)`
            return call.callee.name in RUN_METHODS and self._is_looked_up(call.callee.target)
        spread = any(a.spread == "**" for a in call.args) or isinstance(call.callee, ir.Index)
        return spread and self._is_looked_up(call.callee)

    def _is_looked_up(self, callee: ir.Expr) -> bool:
        """Whether a callee was taken from a table by a name."""
        if isinstance(callee, ir.Index):
            return not isinstance(callee.key, ir.Literal)
        bound = visible_bindings(self._context.program, callee) if isinstance(callee, ir.Name) else ()
        return any(
            isinstance(value := binding.value, ir.Index)
            or (isinstance(value, ir.Call) and isinstance(value.callee, ir.Member) and value.callee.name in LOOKUPS)
            for binding in bound
        )

    def _questions(self, scope: ir.Scope, runs: tuple[ir.Call, ...], asks: tuple[ir.Call, ...]) -> Iterator[ir.Call]:
        """The questions to a person before a run; who is asked before the model answers has nothing to approve yet."""
        for node in self._context.program.structure(scope).calls:
            at = node.span
            after = [ask.span for ask in asks if at < ask.span or ask.span.contains(at)]
            ahead = any(at < run.span and not any(ask < run.span for ask in after) for run in runs)
            if ahead and asks_person(self._context, node) and is_heeded(self._context, node):
                yield node
