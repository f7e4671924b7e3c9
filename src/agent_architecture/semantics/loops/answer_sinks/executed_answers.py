"""Model calls whose answer code runs, once: a program, a command, a statement, an address, a call that is looked up by
a word of it, a branch that a word of it chooses and that acts. With or without tools, however the answer is parsed.

The place is the model call, behind the project's own client the call of that client in the function that has it done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Degree, weakest
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.answer_branches import ACTING, KEEPING, Branch, acts, branches, decides
from agent_architecture.semantics.callgraph.lookups import words_for
from agent_architecture.semantics.effects.served_tool_calls import called_by_name
from agent_architecture.semantics.loops.answer_sinks.answer_sources import Answers, Written
from agent_architecture.semantics.loops.answer_sinks.dispatch_lookups import looked_up
from agent_architecture.semantics.loops.answer_sinks.execution_sinks import Executions
from agent_architecture.semantics.loops.answer_sinks.planned_work import Listed, listed_work
from agent_architecture.semantics.loops.answer_sinks.request_scopes import leads_to, near
from agent_architecture.semantics.loops.single_dispatches import begins
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.loops.answer_sinks.answer_sources import KeptStates
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

HOPS = 4
"""Functions of the project's own client that an answer is handed up through."""


class Acted(NamedTuple):
    """A model call whose answer is run: the request, and the call that stands for it where that is done."""

    ask: Match
    place: ir.Call
    degree: Degree
    """Resolved where a call is known to run the text; how code of the project takes a choice out of it is a shape."""


class ActedOn:
    """What is done with the answers of a program's model calls."""

    def __init__(self, context: Context, effects: Effects, states: KeptStates | None = None) -> None:
        self._context = context
        self._program = context.program
        self._effects = effects
        self.answers = Answers(context, effects, "model_call")
        self._executions = Executions(context, effects)
        self._listing = Answers(context, effects, "model_call", "run", states=states)
        self._at_once = Answers(context, effects, "model_call", "run")
        calls = [m.node for m in context.of_kind("model_call", "run") if isinstance(m.node, ir.Call)]
        self.scopes = near(self._program, calls) if calls else ()

    def listed(self) -> Iterator[Listed]:
        """The loops over work that a model, or an agent, listed."""
        return listed_work(self._context, self._effects, self._listing, self._at_once, self.scopes)

    def found(self, loops: Collection[Span], covered: Collection[int]) -> Iterator[Acted]:
        """The model calls whose answer is run, outside the agents' `loops` (the spans of their headers) and of what is
        `covered` by these.
        """
        for scope in self.scopes:
            found = ((self._run(scope), Degree.RESOLVED), (self._picked(scope), Degree.INFERRED))
            for answers, degree in found:
                for written in answers:
                    place = self._place(written, scope, loops, covered)
                    if place is not None:
                        yield Acted(written.ask, place, weakest((written.ask.degree, degree)))

    def _run(self, scope: ir.Scope) -> Iterator[Written]:
        """The answers of which a scope runs the text."""
        for call in self._program.structure(scope).calls:
            for text in self._executions.of(call):
                yield from self.answers.of(text)

    def _picked(self, scope: ir.Scope) -> Iterator[Written]:
        """The answers by a word of which a scope picks what it does."""
        for call in self._program.structure(scope).calls:
            if self._context.at(call, "model_call", "run") is None:
                keys = (lookup.key for lookup in looked_up(self._program, call))
                for key in (*keys, *called_by_name(self._context, call)):
                    yield from (w for w in self.answers.of(key) if w.parsed)
        yield from self._chosen(scope)

    def _chosen(self, scope: ir.Scope) -> Iterator[Written]:
        """The answers that choose among several branches, or that a branch acts with."""
        deciding = [branch for branch in branches(own_nodes(scope, ir.If, ir.Conditional, ir.Match)) if decides(branch)]
        active = [branch for branch in deciding if acts(self._context, self._effects, branch.body)]
        words = [(branch, word) for branch in active for word in words_for(self._program, branch.choice)]
        known = [(branch, _named_by_model(word, self.answers.of(word))) for branch, word in words]
        acting = [(branch, written) for branch, written in known if written]
        if len({branch.word for branch, _ in acting}) > 1:
            yield from (one for _, written in acting for one in written)
            return
        yield from (one for branch, written in acting for one in written if self._hands_on(branch, one))

    def _hands_on(self, branch: Branch, written: Written) -> bool:
        """Whether a branch does something with what the same answer says, more than to keep it."""
        calls = (node for node in ir.walk(*branch.body) if isinstance(node, ir.Call))
        acting = (call for call in calls if acts(self._context, self._effects, (call,), ACTING - KEEPING))
        given = (argument.value for call in acting for argument in call.args)
        return any(one.ask is written.ask for expr in given for one in self.answers.of(expr))

    def _place(
        self, written: Written, scope: ir.Scope, loops: Collection[Span], covered: Collection[int]
    ) -> ir.Call | None:
        """The call in the function that has it done; None in an agent's loop, or behind one."""
        program = self._program
        place, at = written.ask.node, program.scope_of(written.ask.node)
        on_way = {id(node) for node in written.way}
        if any(self._is_looped(node, loops) for node in written.way):
            return None  # the loop runs it
        for _ in range(HOPS + 1):
            if not isinstance(place, ir.Call) or self._is_looped(place, loops):
                return None
            at = program.scope_of(place)
            if leads_to(program, at, scope) or not isinstance(at, ir.Function):
                break
            above = [site.call for site in program.callers(at) if id(site.call) in on_way]
            if not above:
                break
            place = above[0]
        if not isinstance(place, ir.Call) or id(place) in covered or begins(program, at, place, covered):
            return None
        return place

    def _is_looped(self, place: ir.Node, loops: Collection[Span]) -> bool:
        scope = self._program.scope_of(place)
        around: Iterable[ir.Loop] = self._program.structure(scope).enclosing(place, ir.Loop)
        return any(loop.header in loops for loop in around) or (
            isinstance(scope, ir.Function) and scope.name_span in loops
        )


def _named_by_model(choice: ir.Expr, written: tuple[Written, ...]) -> tuple[Written, ...]:
    """The answers of which a choice is the whole text, or a part that the model named: not one that its API names."""
    is_part = any(isinstance(node, (ir.Member, ir.Index)) for node in ir.walk(choice))
    return tuple(one for one in written if one.parsed or not is_part)
