"""What stands between a model's text and what takes it for true: verifiers, people, thresholds, schemas with sources.

Asked of the functions that a text passes on its way. Must not judge whether that is enough.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import GuardStage
from agent_architecture.model.outputs import Verification
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import COMPARISONS, ORDERED
from agent_architecture.names.values import Const, Func, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.choices import choices
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.refusal import asks_person, only_rewrites
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.effects import Guard, Parameter
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.guards import Guards
    from agent_architecture.semantics.control.choices import Choice
    from agent_architecture.semantics.conversations.answers import Answers
    from agent_architecture.semantics.conversations.requests import Requests
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.boundaries import Boundaries
    from agent_architecture.sources.source import Span

SOURCES: Final = regex(
    r"(?:^|_)(?i:sources?|citations?|references?|evidence|quotes?|excerpts?|urls?|links?|(?:doc|source|chunk|page)_?ids?)$"
    r"|(?<=[a-z])(?:Sources?|Citations?|References?|Evidence|Quotes?|Urls?|(?:Source|Doc|Chunk)Ids?)$"
)
"""Fields of a schema that say where a claim comes from."""
CONFIDENCE: Final = regex(r"confiden|certain|score|probabil|likelihood|grounded|faithful", re.IGNORECASE)
COMPARING: Final = COMPARISONS | {ir.Op.IN}
CONSENT: Final = regex(
    r"(?i)y|yes|ok|okay|n|no|1|true|go|continue|proceed|(?:approv|accept|confirm|agree|reject|den)\w*"
)
"""What a person says to a question whether something may go on."""
PRESENCE: Final = frozenset({"len", "bool", "isinstance", "hasattr", "Boolean", "any", "all"})
"""Calls that say whether something is there."""

ABOVE: Final = 2
"""Calls upwards from a request to the code that decides by its answer."""

_ORDER: Final = tuple(Verification)


class Check(NamedTuple):
    """What was found, and where."""

    kind: Verification
    span: Span | None = None


NOTHING: Final = Check(Verification.NONE)


def strongest(found: Iterable[Check]) -> Check:
    """Of several checks on one way, the one that says most; one that some way skips says nothing of another one that
    cannot be read.
    """
    checks = tuple(found)
    best = max(checks, key=lambda check: _ORDER.index(check.kind), default=NOTHING)
    unread = (check for check in checks if check.kind is Verification.UNKNOWN)
    return next(unread, best) if best.kind is Verification.SKIPPED else best


class Verifications:
    """Checks, found on demand and remembered."""

    def __init__(  # noqa: PLR0913, PLR0917 - what is known of the program
        self,
        work: Work,
        graphs: Graphs,
        guards: Guards,
        boundaries: Boundaries,
        reader: Answers,
        requests: Requests,
    ) -> None:
        self._work = work
        self._graphs = graphs
        self._context = work.context
        self._guards = guards
        self._boundaries = boundaries
        self._reader = reader
        self._requests = requests
        self._tests: dict[int, tuple[tuple[_Test, ...], ir.Scope]] = {}
        self.judged_by: Mapping[int, frozenset[int]] = {}
        """The answers that each request to a model is given, by the ids of both."""

    # ------------------------------------------------------------------------------------------------- where it begins
    def of_source(self, ask: Match) -> Check:
        """What its own agent has: a schema with sources, guards of its output."""
        agents = run_agents(self._context, ask) if ask.row.kind == "run" else ()
        found = [self._guard(guard) for place in (ask, *agents) for guard in self._guards.around(place).guards]
        for place in (ask, *agents):
            for value in written_values(self._context, place, "output_schema"):
                if isinstance(value, Unknown):
                    found.append(Check(Verification.UNKNOWN, ask.node.span))
                elif any(map(SOURCES.search, _names(self._boundaries.shape(value).fields))):
                    found.append(Check(Verification.SOURCES, ask.node.span))
        return strongest(found)

    def _guard(self, guard: Guard) -> Check:
        if guard.stage is not GuardStage.OUTPUT or not guard.blocks:
            return NOTHING
        return self.of_guard(guard)

    def of_guard(self, guard: Guard) -> Check:
        """A guard that can refuse: with a model it can look at what is claimed, without one it applies a rule. One that
        only rewrites does neither.
        """
        function = next((f for m in self._context.program.modules for f in m.index.functions
                         if guard.span in {f.name_span, f.span}), None)  # fmt: skip
        if function is not None and only_rewrites(function, conditions_of(self._context).never):
            return NOTHING
        asks = function is not None and bool(self._work.inside(*function.body).asks)
        return Check(Verification.VERIFIED if asks else Verification.REFUSES, guard.span)

    def says_nothing(self, ask: Match) -> bool:
        """Whether an answer holds, or only such parts of it are used as hold, no free text."""
        agents = run_agents(self._context, ask) if ask.row.kind == "run" else ()
        return any(self._boundaries.is_quarantine(place, has_tools=False) for place in (ask, *agents))

    def of_step(self, step: ir.Call) -> Check:
        """What a step has whose answer a framework hands on: guards, an approval, a schema with sources."""
        found = [Check(Verification.PERSON, step.span)] if self._context.at(step, "approval") is not None else []
        for guard in self._context.all_at(step, "guard"):
            values = at_call(self._context.program, guard.arguments, None, guard.row.relations["function"]).values
            in_words = any(isinstance(value, Const) and isinstance(value.value, str) for value in values)
            made = self._context.made_by(values, "guard")
            asks = in_words or any(one.row.constants.get("blocks") is True for one in made)
            functions = [value.function for value in values if isinstance(value, Func)]
            asks = asks or any(self._work.inside(*function.body).asks for function in functions)
            if asks or functions:
                found.append(Check(Verification.VERIFIED if asks else Verification.REFUSES, step.span))
        parser = self._context.at(step, "output_parser")
        for value in written_values(self._context, parser, "schema") if parser is not None else ():
            if isinstance(value, Unknown):
                found.append(Check(Verification.UNKNOWN, step.span))
            elif any(map(SOURCES.search, _names(self._boundaries.shape(value).fields))):
                found.append(Check(Verification.SOURCES, step.span))
        return strongest(found)

    # ------------------------------------------------------------------------------------------------------ on the way
    def on_way(self, trail: tuple[Span, ...], ask: Match) -> Check:
        """What the functions that a text passes do with it: a check has to stand between its first and last place."""
        passed: dict[ir.Scope, tuple[Span, Span]] = {}
        for span in trail:
            scope = scope_at(self._context.program, span)
            passed[scope] = passed.get(scope, (span, span))[0], span
        inside = [self._in_scope(scope, *ends, ask) for scope, ends in passed.items()]
        return strongest((*inside, *self._between(tuple(passed), ask)))

    def _between(self, scopes: tuple[ir.Scope, ...], ask: Match) -> Iterator[Check]:
        """What the functions do that decide between the steps of a graph that a text passes."""
        for first, last in pairwise(scopes):
            for function in self._graphs.between(first, last):
                kinds = [(self._kind(test, ask, None), test.choice.node.span) for test in self._of(function)]
                yield from (Check(kind, span) for kind, span in kinds if kind is not Verification.NONE)

    def _in_scope(self, scope: ir.Scope, first: Span, last: Span, ask: Match) -> Check:
        tests = self._of(scope)
        structure = self._context.program.structure(scope)
        nodes = {node.span: node for node in reversed(structure.nodes)} if tests else {}
        at, begun = nodes.get(last), nodes.get(first)
        after = first if isinstance(begun, (ir.Call, ir.Await)) else None
        found = []
        for test in tests:
            kind = self._kind(test, ask, after)
            if kind is Verification.NONE or at is None or test.choice.node.span > at.span:
                continue
            stops = test.choice.turns_away and structure.dominates(test.choice.node, at)
            inside = test.choice.is_around(at.span)
            if test.choice.turns_away or inside:
                found.append(Check(kind if stops or inside else Verification.SKIPPED, test.choice.node.span))
        return strongest(found)

    def _kind(self, test: _Test, ask: Match, after: Span | None) -> Verification:
        """What a test has to do with an answer; a person who was asked before it was there judged something else, and
        one request that several agents make through a helper is no other one that judges.
        """
        if any(after is None or question.span > after for question in test.questions):
            return Verification.PERSON
        if any(id(ask.node) in self.judged_by.get(judge, ()) for judge in test.asks - {id(ask.node)}):
            return Verification.VERIFIED
        return Verification.CONFIDENCE if test.threshold and id(ask.node) in test.asks else Verification.NONE

    def judges(self, ask: Match, place: ir.Node) -> bool:
        """Whether what a request answers decides where the work goes on: in the code around it, in that which reads or
        calls it; or holds no text that could be told on.
        """
        if self.says_nothing(ask):
            return True
        scope = self._context.program.scope_of(ask.node)
        called = (function for function, _ in extent(self._context.program, scope.body, set()).called)
        reading = (function for function in called if self._only_decides(function))
        scopes = [self._context.program.scope_of(place), scope, *self._graphs.deciding(), *reading]
        near = above(self._context.program, scopes, ABOVE - 1, MANY)
        return any(self.decides(each, frozenset({id(ask.node)})) for each in near)

    def is_dropped(self, ask: Match) -> bool:
        """Whether nobody takes an answer: the last line of a notebook's cell shows it to whoever tries it."""
        if self._work.agents.tools_of(ask):
            return False
        return self._context.program.structure(self._context.program.scope_of(ask.node)).is_statement(ask.node)

    def decides(self, scope: ir.Scope, asks: frozenset[int]) -> bool:
        """Whether a test in a scope looks at what one of these requests answered. What a function asks of what it is
        given decides how its own work goes on.
        """
        tests = (test for test in self._of(scope) if not test.choice.is_value)
        return any(not asks.isdisjoint(test.asks) for test in tests if not isinstance(test.choice.node, ir.Call))

    def _only_decides(self, function: ir.Function) -> bool:
        """Whether a function gives back nothing but what its code says: yes or no, a word."""
        returns = self._context.program.structure(function).returns
        return bool(returns) and all(isinstance(value, ir.Literal) for value in returns)

    def _of(self, scope: ir.Scope) -> tuple[_Test, ...]:
        found = self._tests.get(id(scope))
        if found is None:
            found = self._tests[id(scope)] = tuple(self._found(scope)), scope
        return found[0]

    def _found(self, scope: ir.Scope) -> Iterator[_Test]:
        program = self._context.program
        for choice in choices(program, conditions_of(self._context), program.structure(scope).nodes):
            test = self._read(choice)
            if test.asks or test.questions:
                yield test

    def _read(self, choice: Choice) -> _Test:
        asks: set[int] = set()
        questions: list[ir.Node] = []
        for test in choice.tests:
            scope = self._context.program.scope_of(test)
            for part, compared in _parts(test):
                for origin in flow.origins(self._context.program, part, self._reader):
                    call, ask = origin.node, self._requests.by_call.get(id(origin.node))
                    if ask is not None and (compared or self._is_verdict(part, ask)):
                        asks.add(id(call))
                    if not isinstance(call, ir.Call) or not asks_person(self._context, call):
                        continue
                    if self._is_answer(part, test, scope, call, compared=compared):
                        questions.append(choice.node if isinstance(choice.node, ir.Call) else call)
        inside = tuple(ir.walk(*choice.tests))
        compared_with = (each for each in inside if isinstance(each, ir.Operator) and each.op in ORDERED)
        threshold = any(CONFIDENCE.search(dotted(part)) for each in compared_with for part in each.operands)
        return _Test(choice, frozenset(asks), tuple(questions), threshold)

    def _is_answer(self, part: ir.Expr, test: ir.Expr, scope: ir.Scope, question: ir.Call, *, compared: bool) -> bool:
        """Whether a test looks at what a person answers to a question there and then, or holds it against consent: in
        what was told long before, such as a conversation, it may be any word, or a text that was edited.
        """
        if self._context.program.scope_of(question) is scope:
            return True
        if not compared or _says_yes(test):
            return compared
        return _is_kept(part) or any(
            question in extent(self._context.program, function.body, set()).nodes()
            for call in own_nodes(scope, ir.Call)
            for function in self._context.program.callees(call)
        )

    def _is_verdict(self, part: ir.Expr, ask: Match) -> bool:
        """Whether it says something of an answer that a part of it is there or true: not of a text, which always is."""
        if isinstance(part, ir.Index):
            return True
        agents = run_agents(self._context, ask) if ask.row.kind == "run" else ()
        return any(written_values(self._context, place, "output_schema") for place in (ask, *agents))


class _Test(NamedTuple):
    choice: Choice
    asks: frozenset[int]
    """The requests whose answers it looks at."""
    questions: tuple[ir.Node, ...]
    """Those to a person, of a helper the call of it."""
    threshold: bool


def scope_at(program: Program, span: Span) -> ir.Scope:
    """The scope that a place is in."""
    return program.scope_of(ir.Name(span, ""))


def _parts(test: ir.Expr) -> Iterator[tuple[ir.Expr, bool]]:
    """The names and attributes that a test looks at, calls as a whole; whether each is compared with something, and not
    only asked whether it is there.
    """
    queue = [(test, False)]
    for expr, compared in queue:
        match expr:
            case ir.Operator(op=ir.Op.IN, operands=(left, right)) if not isinstance(left, ir.Literal):
                queue += [(left, True), (right, False)]  # what a table holds is not what is asked
            case ir.Operator(op=op, operands=operands):
                against = op in COMPARING and not any(map(_is_nothing, operands))
                queue.extend((operand, against) for operand in operands)
            case ir.Call(callee=callee, args=args) if callee_name(callee) not in PRESENCE:
                yield expr, True
                queue.extend((argument.value, True) for argument in args)
                queue += [(callee.target, True)] if isinstance(callee, ir.Member) else []
            case ir.Name() | ir.Member() | ir.Index():
                yield expr, compared
            case ir.Await(value=value):
                queue.append((value, compared))
            case _:
                continue


def _is_kept(part: ir.Expr) -> bool:
    """Whether it is kept by an object: `self.decision`."""
    while isinstance(part, (ir.Member, ir.Index)):
        part = part.target
        if isinstance(part, ir.Name) and part.id in {"self", "this"}:
            return True
    return False


def _says_yes(test: ir.Expr) -> bool:
    """Whether what a test compares with is consent, or its refusal; a size is neither."""
    inside = tuple(ir.walk(test))
    sizes = {
        id(one) for node in inside if isinstance(node, ir.Operator) and node.op in ORDERED for one in node.operands
    }
    words = (node.value for node in inside if isinstance(node, ir.Literal) and id(node) not in sizes)
    return any(word is True or word is False or CONSENT.fullmatch(str(word)) is not None for word in words)


def _is_nothing(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and (not expr.value or expr.value is ir.UNDEFINED)


def _names(parameters: Iterable[Parameter]) -> Iterator[str]:
    for parameter in parameters:
        yield parameter.name
        yield from _names(parameter.fields)
