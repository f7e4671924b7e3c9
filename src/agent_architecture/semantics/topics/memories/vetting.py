"""What looks at a text before it is remembered: screens, schemas, checks that can refuse, models, people.

Asked of the way that a text takes and of the code around the write. Must not judge whether that is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import GuardStage
from agent_architecture.model.memory import Vetting
from agent_architecture.model.outputs import Boundary
from agent_architecture.names.predicates import spelled_out
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.control.checks import checks_before
from agent_architecture.semantics.control.choices import choices
from agent_architecture.semantics.control.condition import Condition, all_in
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.constant_tests import may_raise
from agent_architecture.semantics.control.refusal import asks_person, is_skipped
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.taint.boundaries import INJECTION, names_in, of_way
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Binding, Tool
    from agent_architecture.names.flow import Origin
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.taint.boundaries import Boundaries
    from agent_architecture.semantics.topics.memories.authors import Author
    from agent_architecture.sources.source import Span

ABOVE: Final = 2
"""Calls upwards from a write to the code that decides whether it is made."""
OF_BOUNDARY: Final = {
    Boundary.SANITISED: Vetting.SCREENED,
    Boundary.SCHEMA_ONLY: Vetting.CLOSED,
    Boundary.QUARANTINED: Vetting.CLOSED,
}

_ORDER: Final = tuple(Vetting)


class Checked(NamedTuple):
    """What was found, and where."""

    kind: Vetting
    span: Span | None = None


NOTHING: Final = Checked(Vetting.NONE)


def weakest(kind: Vetting) -> int:
    """The rank of a check: the higher, the more it says."""
    return _ORDER.index(kind)


def _strongest(*found: Checked) -> Checked:
    return max(found, key=lambda one: weakest(one.kind), default=NOTHING)


class Vettings:
    """Checks, found on demand."""

    def __init__(self, work: Work, boundaries: Boundaries, bindings: tuple[Binding, ...]) -> None:
        self._work = work
        self._context = work.context
        self._boundaries = boundaries
        self._bindings = bindings

    def on_way(self, origin: Origin, author: Author) -> Checked:
        """What a text passes between its author and the write."""
        if author.closed:
            return Checked(Vetting.CLOSED, author.span)
        passed = OF_BOUNDARY.get(of_way(origin.passed))
        found = [] if passed is None else [Checked(passed)]
        if author.ask is not None:
            places = (author.ask, *(run_agents(self._context, author.ask) if author.ask.row.kind == "run" else ()))
            if any(self._boundaries.is_quarantine(place, has_tools=False) for place in places):
                found.append(Checked(Vetting.CLOSED, author.span))
            elif any(written_values(self._context, place, "output_schema") for place in places):
                found.append(Checked(Vetting.SHAPED, author.span))
        if author.tool is not None:
            found.append(self._of_tool(author.tool))
        return _strongest(NOTHING, *found)

    def _of_tool(self, tool: Tool) -> Checked:
        """What stands in front of a tool, for the agent that has the least."""
        own = [self._in_front(tool, None)]
        own += [self._in_front(tool, binding) for binding in self._bindings if binding.tool is tool]
        return min(own[1:] or own, key=lambda one: weakest(one.kind))

    def _in_front(self, tool: Tool, binding: Binding | None) -> Checked:
        gates = (tool.gate, *(() if binding is None else (binding.gate,)))
        if any(gate.always for gate in gates):
            return Checked(Vetting.PERSON, tool.span)
        if any(gate.conditional or gate.approval.value == "conditional" for gate in gates):
            return Checked(Vetting.SKIPPED, tool.span)
        guards = (*tool.guards, *(() if binding is None else binding.mediated))
        refusing = [g for g in guards if g.stage in {GuardStage.PRE_TOOL, GuardStage.MEMORY} and g.blocks]
        outside = [guard for guard in refusing if not tool.span.contains(guard.span)]
        return Checked(Vetting.REFUSES, outside[0].span) if outside else NOTHING

    # ------------------------------------------------------------------------------------------------- around the write
    def at(self, node: ir.Node, names: frozenset[str]) -> Checked:
        """What stands before a write, in its function and in those that call it."""
        found: list[Checked] = []
        places = [(self._context.program.scope_of(node), node, names)]
        for _ in range(ABOVE + 1):
            found += [self._before(scope, at, wanted) for scope, at, wanted in places]
            functions = [scope for scope, _, _ in places if isinstance(scope, ir.Function)]
            sites = [site for function in functions for site in self._context.program.callers(function)]
            if len(sites) != 1:
                break  # of several callers the least careful counts
            call = sites[0].call
            places = [(sites[0].scope, call, frozenset().union(*(names_in(a.value) for a in call.args)))]
        return _strongest(NOTHING, *found)

    def _before(self, scope: ir.Scope, node: ir.Node, names: frozenset[str]) -> Checked:
        if self._boundaries.is_checked(scope, node, names):
            return Checked(Vetting.SCREENED, node.span)
        found = (
            *self._questions(scope, node, names),
            *self._tests(scope, node, names),
            *self._raising(scope, node, names),
        )
        return _strongest(NOTHING, *found)

    def _questions(self, scope: ir.Scope, node: ir.Node, names: frozenset[str]) -> Iterator[Checked]:
        if not isinstance(node, ir.Call):
            return
        structure = self._context.program.structure(scope)
        decided = choices(self._context.program, conditions_of(self._context), structure.nodes)
        tests = [test for choice in decided for test in choice.tests]
        for call in structure.calls:
            if call.span < node.span and asks_person(self._context, call):
                answer = next((names_in(a.target) for a in structure.enclosing(call, ir.Assign)), frozenset[str]())
                if not any(test.span.contains(call.span) or answer & names_in(test) for test in tests):
                    continue  # it asks for something to work with, not for consent
                if answer & names:
                    continue  # the answer is what is handed on
                skipped = is_skipped(self._context, scope, call, (node,))
                yield Checked(Vetting.SKIPPED if skipped else Vetting.PERSON, call.span)

    def _tests(self, scope: ir.Scope, node: ir.Node, names: frozenset[str]) -> Iterator[Checked]:
        """Checks on every way to the write that look at what is written, with a call of their own."""
        check = checks_before(self._context, scope, (node,)) if isinstance(node, ir.Call) else None
        tests = {id(check.node): (check.node, check.node)} if check is not None else {}
        known = conditions_of(self._context).at(node)
        ahead = (one for one in known if isinstance(one, Condition) and one.holds is not None)
        for one in (*(each for each in all_in(known) if each.at.span.contains(node.span)), *ahead):
            tests.setdefault(id(one.at), (one.at, one.expr))
        for test, asked in tests.values():
            looked = test.test if isinstance(test, ir.If) else asked
            written = spelled_out(self._context.program, looked)  # type: ignore[arg-type]
            if names & names_in(written) and any(map(_is_phrase, ir.walk(written))):
                yield Checked(Vetting.SCREENED, test.span)
            calls = [call for call in self._asked(scope, looked) if names & names_in(call)]
            if any(self._work.inside(call).asks for call in calls):
                yield Checked(Vetting.JUDGED, test.span)
            elif any(self._context.program.callees(call) for call in calls):
                yield Checked(Vetting.REFUSES, test.span)

    def _raising(self, scope: ir.Scope, node: ir.Node, names: frozenset[str]) -> Iterator[Checked]:
        """Functions of the project that are given the text first and can raise: `check(text)`."""
        structure = self._context.program.structure(scope)
        for call in structure.calls:
            given = frozenset().union(*(names_in(argument.value) for argument in call.args))
            if call is node or not names & given or not structure.dominates(call, node):
                continue
            made = next((names_in(each.target) for each in structure.enclosing(call, ir.Assign)), frozenset[str]())
            for function in self._context.program.callees(call):
                if not may_raise(self._context.program, function):
                    continue
                screens = self._boundaries.is_screen(function)
                asks = not screens and bool(self._work.inside(*function.body).asks)
                if asks and made & names:
                    continue  # what the model answers is written beside the text: a vector, a title
                kind = Vetting.SCREENED if screens else Vetting.JUDGED if asks else Vetting.REFUSES
                yield Checked(kind, call.span)

    def _asked(self, scope: ir.Scope, looked: ir.Node) -> Iterator[ir.Call]:
        """The calls whose answer a test looks at: in it, or assigned to what it names."""
        yield from (node for node in ir.walk(looked) if isinstance(node, ir.Call))
        wanted = names_in(looked)
        for node in self._context.program.structure(scope).nodes:
            if isinstance(node, ir.Assign) and node.value is not None and names_in(node.target) & wanted:
                value = node.value.value if isinstance(node.value, ir.Await) else node.value
                if isinstance(value, ir.Call) and node.span < looked.span:
                    yield value


def _is_phrase(node: ir.Node) -> bool:
    return isinstance(node, ir.Literal) and isinstance(node.value, str) and INJECTION.search(node.value) is not None
