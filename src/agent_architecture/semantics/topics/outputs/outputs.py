"""What is done with what a model wrote: parsed, executed, rendered, or only shown; and what checks it before.

Goes backwards from the calls that consume text to the model calls, runs and tool arguments that it comes from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Consumer, ModelOutput, Validation
from agent_architecture.names import flow
from agent_architecture.names.in_place import looked_at
from agent_architecture.names.program import callee_name
from agent_architecture.names.result_parts import fields_taken
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.run_steps import run_steps
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.effects.log_files import log_files
from agent_architecture.semantics.effects.sanitisers import cleans
from agent_architecture.semantics.effects.served_tool_calls import runs_listed
from agent_architecture.semantics.effects.text_consumers import Use, is_check, only_wraps, uses
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.schemas.output_schemas import ORDER, shape_of
from agent_architecture.semantics.schemas.values import leaves_text
from agent_architecture.semantics.topics.outputs.envelopes import is_envelope
from agent_architecture.semantics.topics.outputs.extracted_arguments import is_tool_argument, taken_arguments
from agent_architecture.semantics.topics.outputs.failed_checks import gives_raw, is_used_after, refuses, stops
from agent_architecture.semantics.topics.outputs.interpreted_arguments import interpreted
from agent_architecture.semantics.topics.outputs.made_records import (
    answers_many,
    is_near,
    remakes_state,
    stands_in_some,
)
from agent_architecture.semantics.topics.outputs.one_use import each_once
from agent_architecture.semantics.topics.outputs.policies import is_on_way, lies_on, only_refuses, policy
from agent_architecture.semantics.topics.outputs.steered import word_tests
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

FOREIGN: Final = frozenset(
    {"network_read", "database_read", "read_file", "execute_shell", "execute_process", "execute_code"}
)
"""Effects whose result is no longer what the model wrote, though the model may have shaped their arguments."""
ACTED: Final = frozenset({Consumer.EFFECT, Consumer.RENDER})
"""Consumers that interpret a text: a schema gives it a place in an answer, and leaves it free."""
TYPED: Final = frozenset({"execute_shell", "execute_code"})
"""Effects that read a text as a program: a type of text says nothing of what it does."""
WRITERS: Final = frozenset({"dumps", "stringify", "safe_dump", "model_dump_json"})
_LOOKS: Final = frozenset({"success", "error"})
"""Where the safe forms of a check say whether it held."""


class _Source(NamedTuple):
    match: Match
    trail: tuple[Span, ...]
    passed: tuple[ir.Node, ...]
    """The library calls between the model and the use."""
    others: tuple[ir.Node, ...]
    """Those, and the calls on all other ways from a model to the use."""


def model_outputs(context: Context, agents: Agents, hosted: frozenset[int] = frozenset()) -> tuple[ModelOutput, ...]:
    """Every use of a model's output, by position; `hosted` are the ids of tools that only a host's agents call."""
    lifter = _Outputs(context, agents)
    found = {
        (output.span, output.consumer): output
        for output in (
            *each_once(context.program, lifter.uses()),
            *lifter.steered(),
            *lifter.asked(),
            *lifter.taken(),
            *interpreted(context, agents, hosted),
        )
    }
    return tuple(sorted(found.values(), key=lambda output: (output.span, output.consumer)))


class _Outputs:
    def __init__(self, context: Context, agents: Agents) -> None:
        self.context = context
        self.program = context.program
        self.agents = agents
        self.asks = {id(match.node): match for match in context.of_kind("model_call", "run")}
        self.used: set[int] = set()
        self._parsing: set[int] = set()
        """The ids of the calls that take an answer apart."""
        self._states = context.once(States)
        self._keeps_state = bool(run_steps(context))

    # ------------------------------------------------------------------------------------------------ uses of answers
    def uses(self) -> Iterator[ModelOutput]:
        """The parses, checks and effects that a model's answer reaches."""
        logs = frozenset(id(site.call) for site, _ in log_files(self.context))
        every = (use for use in uses(self.context) if id(use.call) not in logs)
        found = [
            (use, source) for use in every if (source := self._source(use.text, use.consumer, use.call)) is not None
        ]
        parsed = self._parsing = {id(use.call) for use, _ in found if _parses(use)}
        found = [one for one in found if not one[0].is_field or any(id(node) in parsed for node in one[1].passed)]
        found = [one for one in found if not (one[0].checks and remakes_state(self.context, one[0].call, one[1].match))]
        found.sort(key=lambda pair: pair[0].call.span)
        checked = self._checked(found)
        consumed = {id(use.call) for use, _ in found}
        taken = {id(node) for use, source in found if _parses(use) for node in source.others}
        taken_apart = {self._text_of(use, source) for use, source in found if use.looks and id(use.call) in taken}
        acting = [(source.match, source.trail) for use, source in found if use.effect]
        apart: set[tuple[object, Validation]] = set()
        for use, source in found:
            if use.looks and (
                self._text_of(use, source) in taken_apart or is_on_way(self.program, use.call, source.match, acting)
            ):
                continue  # a part that it finds, or that another look at the text does, is parsed; or it is acted on
            validation = self._validation(use, source, checked)
            if use.checks and any(id(node) in consumed for node in source.passed):
                continue
            if use.looks and (validation is Validation.ENFORCED or only_refuses(self.program, use.call)):
                continue
            if use.checks and self.asked_shape(source.match) is Validation.ENFORCED:
                continue  # the library has checked the answer that the record is made of
            self.used.add(id(source.match.node))
            one = (self._text_of(use, source), validation)
            if use.consumer is Consumer.PARSE and one in apart:
                continue  # one answer that several expressions take apart is one use
            apart.add(one)
            written, trail = source.match.node.span, source.trail
            place = use.call.span
            if use.consumer is Consumer.STORE and self.program.scope_of(source.match.node) is not self.program.scope_of(
                use.call
            ):
                place, trail = written, (*trail, place)  # a row is kept for whoever hands it over
            made = ModelOutput(place, called(use.call), use.framework, use.consumer, validation, written, trail)
            made = made._replace(is_argument=any(map(is_tool_argument, (use.text, *source.passed))))
            alone = use.looks or made.is_argument or id(use.call) in checked
            handed = () if alone else self._handed(use, source)
            yield from (self._at_caller(made, call, one) for call, one in handed) if len(handed) > 1 else (made,)

    def _checked(self, found: list[tuple[Use, _Source]]) -> dict[int, Validation]:
        """What checks come after the calls that take an answer apart, by their ids."""
        checked: dict[int, Validation] = {}
        checking = {id(self.program.scope_of(use.call)) for use, _ in found if use.checks}
        for use, source in found:
            for node in source.passed if use.checks else ():
                near = not use.is_field or is_near(self.program, node, use.call)
                if near and not stands_in_some(self.program, node, use.call, checking):
                    checked[id(node)] = self._of_check(use.call, source)
        return checked

    def _handed(self, use: Use, source: _Source) -> tuple[tuple[ir.Call, _Source], ...]:
        """The calls that hand a model's answers to a parser that several of them share: each answer is one use. What a
        model calls tools with is one of their dispatcher.
        """
        scope = self.program.scope_of(use.call)
        within = use.consumer is not Consumer.PARSE or use.checks or self.program.scope_of(source.match.node) is scope
        if within or not isinstance(scope, ir.Function):
            return ()
        found = []
        for call in {id(site.call): site.call for site in self.program.callers(scope)}.values():
            sources = (self._source(argument.value, use.consumer, call) for argument in call.args)
            handed = next((one for one in sources if one is not None), None)
            if handed is not None and self.program.scope_of(call) is not scope:
                found.append((call, handed))
        is_given = any(
            call.span.contains(place) or place.contains(call.span) for call, _ in found for place in source.trail
        )
        return tuple(found) if is_given else ()

    def _at_caller(self, made: ModelOutput, call: ir.Call, source: _Source) -> ModelOutput:
        """A use by a shared parser, where the answer is handed to it."""
        is_refused = made.validation is Validation.NONE and self._refuses(call)
        return made._replace(
            span=call.span,
            symbol=called(call),
            validation=Validation.CHECKED if is_refused else made.validation,
            source=source.match.node.span,
            trail=(*source.trail, made.span),
        )

    def _text_of(self, use: Use, source: _Source) -> tuple[object, ...]:
        """What tells a text from others in the same body of code: its name, and who wrote it."""
        return id(self.program.scope_of(use.call)), id(source.match.node), dotted(use.text) or id(use.call)

    def _source(self, text: ir.Expr, consumer: Consumer, at: ir.Node) -> _Source | None:
        """The nearest model call that the text comes from, unless something else wrote it in between."""
        ends = flow.ends(self.program, text)
        if any(end.kind == "call" and self._asked_by(end.node) is not None for end in ends):
            origins = flow.origins(self.program, text)
        else:
            origins = flow.origins(self.program, text, self._in_state) if self._keeps_state else ()
        own = [origin for origin in origins if origin.kind == "call" and self._asked_by(origin.node) is not None]
        nearest = min(own, key=lambda origin: (len(origin.trail), origin.node.span), default=None)
        if nearest is None:
            return None
        asked = self._asked_by(nearest.node)
        calls = [origin.node for origin in origins if origin.kind == "call" and origin.node is not nearest.node]
        passed = tuple(node for node in calls if node is not at and lies_on(nearest.trail, node, nearest.node))
        if asked is None or any(self._is_foreign(node) for node in passed):
            return None
        if consumer in {Consumer.PARSE, Consumer.KEEP} and any(_writes_text(node) for node in passed):
            return None  # the code knows what it will find; a record of what was said is no use of it
        if consumer is Consumer.PARSE and is_envelope(self.program, asked, text, passed):
            return None
        return _Source(asked, nearest.trail, passed, tuple(calls))

    def _in_state(self, node: ir.Expr, passed: frozenset[str]) -> tuple[flow.Step, ...] | None:
        """What the steps of a graph put under the key of its state that an expression reads; in a conversation others
        speak, too.
        """
        del passed
        read = self._states.read(node)
        if read is None or not read.values or read.is_conversation:
            return None
        return tuple(flow.Step(value) for value in read.values)

    def _asked_by(self, node: ir.Node) -> Match | None:
        """The model call or run whose answer a call gives: itself, or the run before it (`agent.last_message()`)."""
        known = self.asks.get(id(node))
        if known is not None or not isinstance(node, ir.Call) or "answers" not in marks_of(self.context, node):
            return known
        inside = own_nodes(self.program.scope_of(node))
        before = [self.asks[id(each)] for each in inside if id(each) in self.asks and each.span < node.span]
        return before[-1] if before else None

    def _is_foreign(self, node: ir.Node) -> bool:
        if not isinstance(node, ir.Call):
            return False
        if kinds_of(self.context, node) & FOREIGN or (id(node) not in self.asks and runs_listed(self.program, node)):
            return True
        for api in resolved(self.program, node.callee):
            if any(row.kind == "source" and row.name != "model" for row in self.context.packs.flows(api.path)):
                return True
        return False

    def _validation(self, use: Use, source: _Source, checked: dict[int, Validation]) -> Validation:
        if use.checks:
            return self._of_check(use.call, source)
        if id(use.call) in checked:
            return checked[id(use.call)]
        parsed, has_place = any(id(node) in self._parsing for node in source.passed), False
        for node in source.passed:
            if isinstance(node, ir.Call) and is_check(self.context, node) and (parsed or not only_wraps(node)):
                found = self._of_check(node, source)
                has_place = found is Validation.ENFORCED and use.effect in TYPED and leaves_text(self.program, node)
                if not has_place:
                    return found
        if use.effect and any(cleans(self.context, node, use.effect) for node in source.passed):
            return Validation.SANITISED
        asked = Validation.NONE if is_tool_argument(use.text) else self.asked_shape(source.match)
        asked = Validation.ENFORCED if has_place else asked
        if use.consumer in ACTED:
            # A schema gives a command or a page its place in an answer; its text stays free.
            listed = policy(self.context, use.call, source.match, use.effect)
            return Validation.CHECKED if asked is Validation.ENFORCED and listed is Validation.NONE else listed
        if asked is Validation.UNKNOWN and use.looks:
            asked = Validation.NONE
        if asked in {Validation.NONE, Validation.UNKNOWN} and self._refuses(use.call):
            return Validation.CHECKED
        return asked

    def _of_check(self, call: ir.Call, source: _Source) -> Validation:
        """Whether a failed check stops the use: it raises past the use, or its result is looked at."""
        scope = self.program.scope_of(call)
        raises = any(
            row.covers == "asserts_schema"
            for api in resolved(self.program, call.callee)
            for row in self.context.packs.marks(api.path)
        )
        if not raises:
            looks = any(isinstance(node, ir.Member) and node.name in _LOOKS for node in own_nodes(scope))
            return Validation.ENFORCED if looks else Validation.FALLS_THROUGH
        places = looked_at(self.program, call, scope)
        through = any(self._falls_through(node, around, source) for node, around in places)
        return Validation.FALLS_THROUGH if through else Validation.ENFORCED

    def _falls_through(self, call: ir.Expr, scope: ir.Scope, source: _Source) -> bool:
        """Whether what a check raises is caught, and what it was to keep out goes on."""
        name = self._name(call)
        for block in self.program.structure(scope).enclosing(call, ir.Try):
            if any(statement.span.contains(call.span) for statement in block.body):
                asked = source.match.node
                return any(not stops(e, name) or gives_raw(self.program, e, asked) for e in block.handlers)
        return False

    def _refuses(self, call: ir.Expr) -> bool:
        """Whether code looks at what was parsed and can refuse it, or handles the failure of the parse."""
        places = looked_at(self.program, call, self.program.scope_of(call))
        return all(self._refuses_in(node, scope) for node, scope in places)

    def _refuses_in(self, call: ir.Expr, scope: ir.Scope) -> bool:
        for block in self.program.structure(scope).enclosing(call, ir.Try):
            inside = any(statement.span.contains(call.span) for statement in block.body)
            if inside and block.handlers and all(stops(handler, self._name(call)) for handler in block.handlers):
                return True
            if inside and block.handlers and not is_used_after(scope, block, self._name(call)):
                return True
        return refuses(self.context, scope, {self._name(call), *self._noted(scope, call)} - {""})

    def _noted(self, scope: ir.Scope, call: ir.Expr) -> Iterator[str]:
        """The names in which handlers keep that the parse failed: `error = f"no JSON: {e}"`."""
        for block in self.program.structure(scope).enclosing(call, ir.Try):
            for handler in block.handlers:
                yield from (dotted(node.target) for node in ir.walk(*handler.body) if isinstance(node, ir.Assign))

    def _name(self, call: ir.Expr) -> str:
        for around in self.program.structure(self.program.scope_of(call)).ancestors(call):
            if isinstance(around, ir.Assign):
                return dotted(around.target)
        return ""

    def steered(self) -> Iterator[ModelOutput]:
        """Answers of which no more is taken than which words they hold: what the program does next. A label that is
        compared as a whole is one of those that code lists, whatever the model wrote.
        """
        loose: dict[int, tuple[_Source, ir.Expr]] = {}
        whole: dict[int, tuple[_Source, ir.Expr]] = {}
        for each in word_tests(self.program):
            ends = flow.ends(self.program, each.text)  # under a key of a state, labels of code may stand, too
            if not any(end.kind == "call" and self._asked_by(end.node) is not None for end in ends):
                continue
            source = self._source(each.text, Consumer.BRANCH, each.test)
            if not each.whole and only_refuses(self.program, each.test):
                continue
            if source is not None and id(source.match.node) not in self.used:
                (whole if each.whole else loose).setdefault(id(source.match.node), (source, each.test))
        for key, (source, test) in {**whole, **loose}.items():
            if self.asked_shape(source.match) is not Validation.NONE:
                continue
            if key not in loose and answers_many(self.program, source.match.node):
                continue
            checked = Validation.NONE if key in loose else Validation.LISTED
            asked, pack = source.match.node, source.match.row.where.pack
            trail, symbol = (*source.trail, test.span), called(asked)
            yield ModelOutput(asked.span, symbol, pack, Consumer.BRANCH, checked, asked.span, trail)

    # ------------------------------------------------------------------------------------------------- what was asked
    def asked(self) -> Iterator[ModelOutput]:
        """Calls that ask for a schema and whose answer no text consumer takes: the library has parsed it already, but
        for the parts of an answer that it hands on before it is whole.
        """
        for match in self.asks.values():
            shape = self.asked_shape(match)
            if id(match.node) in self.used or shape is not Validation.ENFORCED:
                continue
            shape = Validation.SHAPE_ASKED if self._takes_parts(match) else shape
            span = match.node.span
            yield ModelOutput(span, called(match.node), match.row.where.pack, Consumer.PARSE, shape, span)

    def taken(self) -> Iterator[ModelOutput]:
        """The arguments of a tool call that are the answer, and that no schema has checked."""
        for match in self.asks.values():
            for node, calls in taken_arguments(self.program, match.node) if isinstance(match.node, ir.Call) else ():
                around = self.program.structure(self.program.scope_of(node)).ancestors(node)
                if any(isinstance(each, ir.Call) and is_check(self.context, each) for each in around):
                    continue
                validation = Validation.CHECKED if self._refuses(node) else Validation.NONE
                where = match.row.where.pack
                yield ModelOutput(node.span, dotted(calls), where, Consumer.PARSE, validation, match.node.span)

    def _takes_parts(self, match: Match) -> bool:
        """Whether only such parts of an answer are used as come before its schema has checked the whole."""
        taken = fields_taken(self.program, match.node) if isinstance(match.node, ir.Call) else None
        path = self.context.packs.canonical(match.api.path)
        marks = [{mark.covers for mark in self.context.packs.marks(f"{path}().{field}")} for field in taken or ()]
        return bool(marks) and all("partial" in covers for covers in marks)

    def asked_shape(self, match: Match) -> Validation:
        """What the call, its receivers or its agents ask of an answer."""
        agents = run_agents(self.context, match) if match.row.kind == "run" else ()
        for place in (match, *agents):
            values = written_values(self.context, place, "output_schema")
            given = "output_schema" not in place.row.properties
            # What is handed to a method that only takes schemas is one, readable or not.
            shapes = [Validation.ENFORCED if given and isinstance(v, Unknown) else shape_of(v) for v in values]
            if shapes:
                return min(shapes, key=ORDER.index)
        return Validation.NONE


def _parses(use: Use) -> bool:
    return use.consumer is Consumer.PARSE and not use.checks


def _writes_text(node: ir.Node) -> bool:
    """Whether a call writes data as text, so that what parses it knows what it will find."""
    return isinstance(node, ir.Call) and callee_name(node.callee) in WRITERS
