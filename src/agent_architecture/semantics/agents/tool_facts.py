"""What a tool does to the world, what checks stand inside it, and who approves its calls.

Facts about the tool alone; what its agents put in front of it is for `bindings`.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import CHANGING, Effect, Gate, Guard, GuardStage, Shaped
from agent_architecture.model.vocabulary import SANDBOXES
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.adapters.run_steps import steps_run
from agent_architecture.semantics.agents.dispatch import Dispatch
from agent_architecture.semantics.agents.guards import Guards
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.callgraph.tool_arguments import of_function
from agent_architecture.semantics.control.answer_uses import is_heeded
from agent_architecture.semantics.control.checks import Check, checks_before
from agent_architecture.semantics.control.conditions_of_project import ways_through
from agent_architecture.semantics.control.refusal import asks_person, is_skipped
from agent_architecture.semantics.effects.effects import Effects
from agent_architecture.semantics.matching.context import label
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.matching.wrappers import Around, around
from agent_architecture.semantics.taint.argument_checks import LOG, asked_before_answers, asked_of, owner_asked
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

NONE: Final = "none"
"""The word of a row for a tool that touches nothing."""


NAMED_AFTER: Final = ("{}", "{}_tool", "{}Tool", "tool_{}")
"""What functions are called that a tool's name stands for."""
NAMESAKES: Final = 8
"""Functions of one name of which it is asked whether they hand on to each other: more are of a word for anything."""


class ToolFacts:
    """Completes tools, one at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._named: dict[str, list[ir.Function]] | None = None
        self.dispatch = Dispatch(context)
        self.effects = Effects(context, partial(steps_run, context))
        self.guards = Guards(context)

    def complete(
        self, tool: Tool, match: Match | None, function: ir.Function | None, handing_on: tuple[ir.Call, ...] = ()
    ) -> Tool:
        """The tool with its effects, guards and gate; `function` is what it runs, where that is known. Where that is
        what several tools are registered with, it stands around the tool: `handing_on` are the calls by which it comes
        to a dispatcher.
        """
        wrappers = () if function is None else around(self._context.program, function)
        if function is not None and handing_on:
            wrappers, function = (Around(function, handing_on, everywhere=True), *wrappers), None
        effects = [*self._declared(match), *(self.effects.of(function) if function is not None else ())]
        for wrapper, hands_on, _ in wrappers:
            effects += self.effects.among(wrapper.body, wrapper, frozenset(map(id, hands_on)))
        if function is None and (handing_on or not effects):
            effects.extend(self._dispatched(tool))
        located = function is not None or bool(wrappers or effects or self.dispatch.serving(tool.name, tool.span.path))
        effects = sorted(dict.fromkeys(effects), key=lambda e: (e.span, e.kind))
        tool = tool._replace(effects=tuple(effects), located=located)
        if match is not None:
            before = self.guards.around(match)
            gate = Gate(self.guards.own_gate(match, tool.name, before))
            isolation = effective(self._context, match, "isolation")
            is_agent = self._context.at(match.node, "handoff") is not None
            stated = bool(self._kinds(match))
            tool = tool._replace(guards=before.guards, gate=gate, isolation=isolation, is_agent=is_agent, stated=stated)
        tool = tool if function is None else self._inside(tool, function)
        for one in wrappers:
            tool = self._behind(tool, one)
        return tool

    def _dispatched(self, tool: Tool) -> Iterator[Effect]:
        """The effects of the code that a dispatcher runs for a tool's name."""
        for body in self.dispatch.bodies(tool.name, tool.span.path):
            for effect in self.effects.among(body.statements, body.function):
                yield effect._replace(shaped=Shaped.UNKNOWN) if effect.shaped is Shaped.NOT else effect

    def function_named(self, name: str, path: str) -> ir.Function | None:
        """The one function with this name, or called as the tool of this name, in the file `path`, which speaks of it
        (one that hands on to a namesake stands for both);
        else what a mapping in that file runs under the name; else the one of the project, unless the programs that load
        the one load nothing of the other.
        """
        if self._named is None:
            self._named = {}
            for module in self._context.program.modules:
                for function in module.index.functions:
                    if function.name:
                        self._named.setdefault(function.name, []).append(function)
        found = next((each for form in NAMED_AFTER if (each := self._named.get(form.format(name)))), [])
        found = self._outer(found)
        near = [function for function in found if function.span.path == path]
        if len(near) == 1:
            return near[0]
        beside, alone = self.dispatch.beside(name, path), found[0] if len(found) == 1 else None
        is_apart = alone is not None and self._context.once(Programs).apart(alone.span.path, path)
        return alone if beside is None and not is_apart else beside

    def _outer(self, namesakes: list[ir.Function]) -> list[ir.Function]:
        """Those functions of one name that no other of them hands on to: `def look(self, x): return look(x)`."""
        program = self._context.program
        inner = {
            id(function)
            for outer in (namesakes if 1 < len(namesakes) <= NAMESAKES else ())
            for call in program.structure(outer).calls
            if callee_name(call.callee) == outer.name
            for function in program.callees(call)
            if function is not outer
        }
        return [function for function in namesakes if id(function) not in inner]

    def _declared(self, match: Match | None) -> Iterator[Effect]:
        """The effect that a library's own tool has."""
        if match is None:
            return
        span, pack, symbol = match.node.span, match.row.where.pack, label(match)
        kinds = self._kinds(match)
        shaped = Shaped.NOT if self._is_fixed(match) else Shaped.WHOLLY
        yield from (Effect(span, symbol, pack, each, shaped) for each in kinds if each != NONE)
        sink = self._context.at(match.node, "code_sink")
        if sink is not None and "execute_code" not in kinds:
            places = effective(self._context, sink, "isolation")
            if not places.is_known or not all(place in SANDBOXES for place in places.values):
                yield Effect(span, symbol, pack, "execute_code", Shaped.WHOLLY)

    def _is_fixed(self, match: Match) -> bool:
        """Whether code says where a library's own tool goes, so that a model has nothing to say of it."""
        address = match.row.properties.get("address")
        if address is None or match.arguments is None:
            return False
        given = expressions(self._context.program, match.arguments, address)
        return bool(given) and None not in effective(self._context, match, "address").values

    def _kinds(self, match: Match) -> list[str]:
        kind = effective(self._context, match, "effect").value
        return kind.split() if isinstance(kind, str) else []

    # -------------------------------------------------------------------------------------------- inside the tool
    def _inside(self, tool: Tool, function: ir.Function) -> Tool:
        """What stands inside the tool before what it does: a check that can refuse, a question to a person."""
        changing = tuple(effect for effect in tool.effects if effect.kind in CHANGING) or tool.effects
        at = {effect.span for effect in changing}
        whole = extent(self._context.program, function.body, set())
        doing = [(scope, _calls_at(nodes, at)) for scope, nodes in whole.called]
        tool = self._apart(tool, whole)
        scopes = [(function, self._leading(function, at)), *((scope, calls) for scope, calls in doing if calls)]
        asking = [function, *(scope for scope, _ in whole.called)]
        return self._asked(self._checked(tool, scopes), asking, dict(scopes), at)

    def _behind(self, tool: Tool, one: Around) -> Tool:
        """The tool with what stands in a function around it before it is come to: a check, a question to a person."""
        wrapper, hands_on, everywhere = one
        check = checks_before(self._context, wrapper, hands_on)
        if check is not None and all(guard.span != check.span for guard in tool.guards):
            name = f"a check in {wrapper.outer.qualname}"
            guard = Guard(check.span, name, "", GuardStage.PRE_TOOL, fails_open=check.skipped or not everywhere)
            tool = tool._replace(guards=(*tool.guards, guard))
        if tool.gate.inside is not None:
            return tool
        called = extent(self._context.program, wrapper.body, set(map(id, hands_on))).called
        return self._asked(tool, [wrapper, *(scope for scope, _ in called)], {wrapper: hands_on}, set())

    def _apart(self, tool: Tool, whole: Extent) -> Tool:
        """The tool with the place where its code works, where all that it is known to do is asked of a sandbox."""
        if tool.isolation.is_known or any(effect.kind != LOG for effect in tool.effects) or not self._has_sandboxes:
            return tool
        for node in whole.nodes():
            if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member):
                values = self._context.program.value_of(node.callee.target)
                for made in self._context.made_by(values, "sandbox"):
                    return tool._replace(isolation=effective(self._context, made, "isolation"))
        return tool

    @cached_property
    def _has_sandboxes(self) -> bool:
        return any(self._context.of_kind("sandbox"))

    def _checked(self, tool: Tool, scopes: list[tuple[ir.Function, tuple[ir.Call, ...]]]) -> Tool:
        """A check counts when it stands before everything that the tool does: in the tool, or in all that it calls."""
        filled = of_function(scopes[0][0]).names
        found = [checks_before(self._context, scope, calls, filled=filled) for scope, calls in scopes[:1]]
        found += [checks_before(self._context, scope, calls) for scope, calls in scopes[1:]]
        own, inner = found[0], found[1:]
        if own is None or own.skipped:
            is_idle = all(effect.kind == LOG for effect in tool.effects)
            own = self._asked_of_arguments(tool, scopes, is_idle=is_idle) or own
        covering = [own] if own is not None else inner if inner and all(inner) else []
        guards = tuple(
            Guard(check.span, f"a check in {tool.name}", "", GuardStage.PRE_TOOL, fails_open=check.skipped)
            for check in covering
            if check is not None
        )
        return tool._replace(guards=(*tool.guards, *guards))

    def _asked_of_arguments(
        self, tool: Tool, scopes: list[tuple[ir.Function, tuple[ir.Call, ...]]], *, is_idle: bool
    ) -> Check | None:
        """What is asked of an argument, or of the owner of what it names, on every way to each effect that is given it;
        in a tool that does nothing outside, to each answer that does not refuse. So is an owner in one that only reads.
        """
        body = of_function(scopes[0][0])
        calls = [call for _, leading in scopes for call in leading if self.effects.rows(call)]
        places = [call for call in calls if any(row.effect != LOG for row, _ in self.effects.rows(call))] or calls
        if not body.names or not (places or is_idle):
            return None
        ways = ways_through(self._context, body.statements, body.function)
        if not places:
            asking = asked_before_answers(self._context, body, ways)
            return None if asking is None else Check(asking)
        found = [next(asked_of(self._context, body, ways, place), None) for place in places]
        if found[0] is not None and all(found):
            return Check(found[0])
        is_changing = any(effect.kind in CHANGING for effect in tool.effects)
        whose = owner_asked(self._context, body, ways, frozenset(tool.parameters), places if is_changing else ())
        return None if whose is None else Check(whose)

    def _asked(
        self, tool: Tool, scopes: list[ir.Function], doing: dict[ir.Function, tuple[ir.Call, ...]], at: set[Span]
    ) -> Tool:
        for scope in scopes:
            structure = self._context.program.structure(scope)
            for node in own_nodes(scope, ir.Call):
                if asks_person(self._context, node) and is_heeded(self._context, node):
                    if not self._comes_to(scopes[0], scope):
                        continue  # another function may run there, which asks nobody
                    calls = doing.get(scope, ())
                    if calls and all(call.span < node.span and not structure.excludes(call, node) for call in calls):
                        continue  # it is asked behind them
                    conditional = is_skipped(self._context, scope, node, calls) or self._beside(scopes[0], node, at)
                    return tool._replace(gate=tool.gate._replace(inside=node.span, conditional=conditional))
        return tool

    def _comes_to(self, function: ir.Function, other: ir.Function) -> bool:
        """Whether a function leads to another one by calls of which each runs one function alone, or two of which the
        second is told apart by `_beside`: in the function itself.
        """
        program = self._context.program

        def certain(each: ir.Function) -> Iterator[ir.Function]:
            structure = program.structure(each)
            yield from (inner for inner in structure.definitions if isinstance(inner, ir.Function))
            for call in structure.calls:
                callees = (*program.callees(call), *self.effects.run_by(call))
                if each is function or len(callees) == 1:
                    yield from callees

        return any(each is other for each in reached((function,), certain))

    def _beside(self, function: ir.Function, question: ir.Call, at: set[Span]) -> bool:
        """Whether one call of the tool leads to the question or, in another function that it can be, to an effect."""
        program = self._context.program
        for call in own_nodes(function, ir.Call):
            if self._leads(call, {question.span}):
                inside = [
                    {node.span for node in extent(program, callee.body, set()).nodes() if isinstance(node, ir.Call)}
                    for callee in program.callees(call)
                ]
                if any(spans & at and question.span not in spans for spans in inside):
                    return True
        return False

    def _leading(self, function: ir.Function, at: set[Span]) -> tuple[ir.Call, ...]:
        """The calls of the tool's own code that have the effects, or lead to them through the project's functions."""
        return tuple(node for node in own_nodes(function, ir.Call) if (node.span in at or self._leads(node, at)))

    def _leads(self, call: ir.Call, at: set[Span]) -> bool:
        program = self._context.program
        return any(
            isinstance(inner, ir.Call) and inner.span in at
            for callee in (*program.callees(call), *self.effects.run_by(call))
            for inner in extent(program, callee.body, set()).nodes()
        )


def _calls_at(nodes: Iterable[ir.Node], at: set[Span]) -> tuple[ir.Call, ...]:
    return tuple(node for node in nodes if isinstance(node, ir.Call) and node.span in at)
