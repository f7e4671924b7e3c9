"""Every place where a secret, personal data or what was said comes out: records, traces, prompts, tools' results,
memories; and the reads of secrets that go nowhere but to what they are for.

Joins sinks with ways back. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.credentials import CredentialSource
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.outputs import Slot
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.conversations.prompt_slots import text_slots
from agent_architecture.semantics.conversations.text_provenance import Reading
from agent_architecture.semantics.conversations.tool_runs import ToolRuns
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.boundaries import Boundaries
from agent_architecture.semantics.taint.sources import sources_of
from agent_architecture.semantics.topics.credentials.reads import reads as credential_reads
from agent_architecture.semantics.topics.credentials.reads import unused
from agent_architecture.semantics.topics.disclosure.closed_texts import is_closed
from agent_architecture.semantics.topics.disclosure.conversation_texts import Talk
from agent_architecture.semantics.topics.disclosure.conversation_words import WROTE
from agent_architecture.semantics.topics.disclosure.environment_dumps import NAME as EVERY_VARIABLE
from agent_architecture.semantics.topics.disclosure.environment_dumps import environment_dumps
from agent_architecture.semantics.topics.disclosure.personal_records import declared_record, personal_records
from agent_architecture.semantics.topics.disclosure.private_sources import CUT, PERSONAL, PII, REDACTED, SECRET, Ways
from agent_architecture.semantics.topics.disclosure.records import Put, Records
from agent_architecture.semantics.topics.disclosure.request_errors import request_errors
from agent_architecture.semantics.topics.disclosure.stated import attribute
from agent_architecture.semantics.topics.disclosure.told_once import told_once
from agent_architecture.semantics.topics.disclosure.tracers import tracers, wrapped
from agent_architecture.semantics.topics.secrets.called import asked_for
from agent_architecture.semantics.topics.secrets.literals import JUDGED, reads, written
from agent_architecture.semantics.topics.secrets.secrets import LABEL, is_variable, told
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

VALUE: Final = regex(r"^(?:\w+_)?val(?:ue)?$|Value$")
"""What a value is called that has no name of its own."""
CALLED: Final = regex(r"^(?:full|first|last)_?name$|^name of ", re.IGNORECASE)
"""What only tells how somebody is called."""
PART: Final = "text"
"""Where a part of a message says its text."""
PASSED: Final = 6
"""Places on the way of a number of a person's life, beyond which an answer is more likely another one's."""


def disclosures(
    context: Context, agents: Agents, near: Near, served: Served, visited: Served
) -> tuple[Disclosure, ...]:
    """All, by position; of one line what matters most. `served` says of code whether it runs for several users,
    `visited` the same, those included whom a page asks.
    """
    found: dict[tuple[str, int, Sink], Disclosure] = {}
    reader = _Found(context, agents, near, served, visited)
    every = [*_written(context, near), *environment_dumps(context), *_once(tuple(reader.all()))]
    for each in sorted(every, key=lambda one: tuple(Kept).index(one.kept)):
        found.setdefault((each.span.path, each.span.line, each.sink), each)
    out = {(e.source.path, e.source.line) for e in found.values() if e.source is not None and e.kept is Kept.SECRET}
    out |= reader.begun
    literal = {(e.span.path, e.span.line) for e in found.values() if e.sink is Sink.CODE}
    said = out | literal | _idle(context)
    programs = context.once(Programs)
    told_of = programs.beside_any(each.span.path for each in found.values() if each.name == EVERY_VARIABLE)
    all_reads = (read for read in (*_read(context), *reads(context)) if _may_be_agent_s(context, near, read))
    own = {(read.span.path, read.span.line): read for read in all_reads}
    return (
        *found.values(),
        *(read for place, read in sorted(own.items()) if place not in said and place[0] not in told_of),
    )


def _written(context: Context, near: Near) -> Iterator[Disclosure]:
    """The secrets that stand in files; what only stands in for one counts where an agent's program uses it."""
    standing = {
        (one.credential.span.path, one.credential.span.line)
        for one in context.once(credential_reads)
        if one.credential.stand_in and not near.is_beside(one.credential.span.path)
    }
    yield from (one for one in written(context) if (one.span.path, one.span.line) not in _idle(context) | standing)


def _idle(context: Context) -> frozenset[tuple[str, int]]:
    """The lines that read or hold a secret which nothing uses: it goes nowhere."""
    return frozenset((one.credential.span.path, one.credential.span.line) for one in unused(context))


def _read(context: Context) -> Iterator[Disclosure]:
    """What is known as the read of a credential: as a field of settings, by a helper, under a name of the project's."""
    for read in context.once(credential_reads):
        one = read.credential
        role = context.program.module_of(read.node).role
        if one.source is CredentialSource.ENVIRONMENT and role in JUDGED:
            yield Disclosure(one.span, one.symbol, "", Kept.SECRET, Sink.CLIENT, one.symbol)


def _may_be_agent_s(context: Context, near: Near, read: Disclosure) -> bool:
    """Whether a secret that goes where it should is read where an agent may be, in code or in a file of settings."""
    file = context.program.table.file(read.span.path)
    return file is None or file.language not in CODE or near.is_loaded_with(read.span.path)


def _once(found: tuple[Disclosure, ...]) -> Iterator[Disclosure]:
    """What a tool returns, the code that runs it asks a model with: it came out where the tool returns it."""
    returned = {(one.source, one.name) for one in found if one.sink is Sink.RESULT and one.source is not None}
    yield from (one for one in found if one.sink is not Sink.PROMPT or (one.source, one.name) not in returned)


class _Found:
    def __init__(self, context: Context, agents: Agents, near: Near, served: Served, visited: Served) -> None:
        self._context = context
        self.begun: set[tuple[str, int]] = set()
        """Where the secrets begin that come out somewhere: the lines that read them."""
        self._agents = agents
        self._running = agents.running()
        self._records = Records(context, visited, agents.doing())
        boundaries, sources = context.once(Boundaries), sources_of(context, frozenset(agents.functions()))
        reading = Reading(context, sources, boundaries, ToolRuns(context))
        self._ways = Ways(context, reading, boundaries)
        self._served = served
        self._near = near
        self._talk = Talk(context, agents, served, sources, self._ways, near)

    def all(self) -> Iterator[Disclosure]:
        """What comes out, by sink; a record that is a line of a log and a part of a trace in one is told once."""
        logged = tuple(self._logged())
        yield from logged
        told = {one.span for one in logged}
        yield from (one for one in self._recorded() if one.span not in told)
        yield from self._prompted()
        yield from self._returned()
        yield from self._given()
        yield from self._answered()
        yield from self._remembered()
        yield from request_errors(self._context, self._ways, frozenset(self._running))
        yield from tracers(self._context)
        yield from wrapped(self._context, self._talk.is_in)

    # -------------------------------------------------------------------------------- records
    def _logged(self) -> Iterator[Disclosure]:
        every = [(put, each) for put in self._records.all() for each in self._written(put)]
        yield from told_once(self._context.program, every)

    def _written(self, put: Put) -> tuple[Disclosure, ...]:
        """What a record receives that is written as the project is: asked last, since it takes long to tell."""
        begun, self.begun = self.begun, set()
        found = tuple(self._at(put, Sink.LOG))
        is_kept = bool(found) and not self._records.is_off(put)
        self.begun = begun | self.begun if is_kept else begun
        return found if is_kept else ()

    def _recorded(self) -> Iterator[Disclosure]:
        for match in self._context.of_kind("span_attribute", "event", "span"):
            if isinstance(match.node, ir.Call) and self._context.program.module_of(match.node).role in JUDGED:
                texts = tuple(argument.value for argument in match.node.args)
                yield from self._at(Put(match.node, self._context.program.scope_of(match.node), texts), Sink.TRACE)

    def _is_agent_s(self, scope: ir.Scope) -> bool:
        """Whether code is an agent's, beyond doubt; a script's own is what it is about."""
        return isinstance(scope, ir.Module) or self._near.is_empty or self._near.to_agent(scope)

    def _at(self, put: Put, sink: Sink) -> Iterator[Disclosure]:
        """What a record receives: secrets first, then what says something of a person, then what was said."""
        found = [each for text in put.texts for each in self._kept(put.call, sink, text)]
        found += [
            Disclosure(put.call.span, called(put.call), "", Kept.SECRET, sink, name, confidence=Confidence.MEDIUM)
            for text in put.texts
            for name in _labelled(text)
        ]
        found += [
            _personal(put.call.span, called(put.call), sink, record)
            for text in put.texts
            for record in personal_records(self._context, text)
        ]
        found = [one for one in found if one.kept is not Kept.PERSONAL or self._is_agent_s(put.scope)]
        if found:
            yield min(found, key=lambda one: (one.redacted, tuple(Kept).index(one.kept)))
            return
        texts = () if put.shown else [text for text in put.texts if not is_closed(self._context, text)]
        is_own = not texts or self._talk.may_be_said_in(put.scope)
        told = (one for text in texts for one in self._talk.of(put, sink, text))
        said = next((one for one in told if is_own or one.name == WROTE), None)
        if said is None and not put.shown:
            said = next(iter(self._talk.announced(put, sink)), None)
        key = attribute(self._context, put.call) if said is None and sink is Sink.TRACE else None
        if key is not None:
            said = Disclosure(
                put.call.span, called(put.call), "", Kept.TALK, sink, key, confidence=Confidence.MEDIUM
            )  # fmt: skip
        if said is not None:
            yield said

    def _kept(self, call: ir.Node, sink: Sink, text: ir.Expr, *, strict: bool = False) -> Iterator[Disclosure]:
        """The secrets and personal data of a text; of a strict sink what tells who somebody is does not count, nor a
        variable that only has such a name: a tool gives back what it was asked about.
        """
        for origin in flow.origins(self._context.program, text, self._ways):
            sort, _, name = origin.name.partition(":")
            if origin.kind != "name" or f"{sort}:" not in {SECRET, PERSONAL}:
                continue
            is_secret = f"{sort}:" == SECRET
            named = isinstance(origin.node, ir.Name) or len(origin.trail) > PASSED
            named |= sink is Sink.RESULT and not is_secret and self._ways.is_handed_in(origin.node)
            if sink is Sink.PROMPT and not is_secret and CALLED.search(name) is not None:
                continue  # how to address somebody
            if strict and not is_secret and (named or (PII.match(name) is None and sink is not Sink.PROMPT)):
                continue
            redacted = REDACTED in origin.passed or (is_secret and CUT in origin.passed)
            begun: tuple[Span, ...] = ()
            if is_secret and not redacted:
                begun = tuple(end.node.span for end in flow.ends(self._context.program, origin.node))  # type: ignore[arg-type]
                self.begun.update((span.path, span.line) for span in begun)
            yield Disclosure(
                call.span, called(call), "", Kept.SECRET if is_secret else Kept.PERSONAL, sink, name, redacted,
                source=origin.node.span, trail=origin.trail,
                confidence=Confidence.HIGH if is_secret else Confidence.MEDIUM, begun=begun,
            )  # fmt: skip

    # ---------------------------------------------------------------------------------- prompts, results and memories
    def _prompted(self) -> Iterator[Disclosure]:
        for slot in text_slots(self._context):
            for text in slot.texts:
                for each in self._kept(slot.node, Sink.PROMPT, text, strict=True):
                    yield each._replace(span=_place(slot.node, text), symbol=slot.symbol, framework=slot.framework)
                for node, name in personal_records(self._context, text):
                    yield Disclosure(
                        _place(slot.node, text), slot.symbol, slot.framework, Kept.PERSONAL, Sink.PROMPT, name,
                        source=node.span, confidence=Confidence.MEDIUM,
                    )  # fmt: skip
                literal = next((n for n in ir.walk(text) if isinstance(n, ir.Literal) and _tells(n)), None)
                literal = literal or self._constant(text)
                if literal is not None and slot.slot is Slot.SYSTEM:
                    yield Disclosure(
                        literal.span, slot.symbol, slot.framework, Kept.SECRET, Sink.PROMPT, "a secret in words"
                    )

    def _constant(self, text: ir.Expr) -> ir.Literal | None:
        origins = (
            flow.origins(self._context.program, text, self._ways) if isinstance(text, (ir.Name, ir.Member)) else ()
        )
        return next((o.node for o in origins if isinstance(o.node, ir.Literal) and _tells(o.node)), None)

    def _returned(self) -> Iterator[Disclosure]:
        """What the project's tools give to the model that calls them."""
        for function in self._running.values():
            found = tuple(self._given_back(function))
            yield from found
            record = None if found else declared_record(self._context.program, function)
            if record is not None:
                yield _personal(function.name_span, function.name or "a tool", Sink.RESULT, record)

    def _given_back(self, function: ir.Function) -> Iterator[Disclosure]:
        for text in self._context.program.structure(function).returns:
            for each in self._kept(text, Sink.RESULT, text, strict=True):
                part = each.source if each.source is not None and text.span.contains(each.source) else text.span
                yield each._replace(symbol=function.name or "a tool", span=part)
            for record in personal_records(self._context, text):
                yield _personal(text.span, function.name or "a tool", Sink.RESULT, record)

    def _given(self) -> Iterator[Disclosure]:
        """The secrets that models have to know, since tools ask for them."""
        for tool in self._agents.all_tools():
            asked = asked_for(tool)
            if asked is not None:
                (name, span), symbol = asked, tool.name or tool.symbol
                yield Disclosure(span, symbol, tool.framework, Kept.SECRET, Sink.ARGUMENT, name)

    def _answered(self) -> Iterator[Disclosure]:
        """What the project's routes answer of the secrets in their own environment: a token that they make is meant
        for who asks.
        """
        program = self._context.program
        every = ((module.path, program.table.file(module.path)) for module in program.modules)
        reading = {path for path, file in every if file is not None and b"env" in file.data}
        for module in program.modules:
            for function in module.index.functions if module.path in reading else ():
                if self._served.is_routed(function):
                    yield from self._told_by(function)

    def _told_by(self, function: ir.Function) -> Iterator[Disclosure]:
        for text in self._context.program.structure(function).returns:
            for each in self._kept(text, Sink.RESPONSE, text, strict=True):
                if each.kept is Kept.SECRET and each.name.isupper() and is_variable(each.name):
                    yield each._replace(symbol=function.name or "a route")

    def _remembered(self) -> Iterator[Disclosure]:
        for match in self._context.of_kind("memory_write"):
            address = match.row.properties.get("content")
            if address is not None and isinstance(match.node, ir.Call):
                for text in expressions(self._context.program, match.node, address):
                    yield from self._kept(match.node, Sink.MEMORY, text, strict=True)


def _personal(span: Span, symbol: str, sink: Sink, record: tuple[ir.Node, str]) -> Disclosure:
    """A record of somebody that comes out: where it is held, and what it is called."""
    held, name = record
    return Disclosure(span, symbol, "", Kept.PERSONAL, sink, name, source=held.span, confidence=Confidence.MEDIUM)


def _place(message: ir.Node, text: ir.Expr) -> Span:
    """Where a text enters a prompt: at its message, or where it is written itself if that has several parts."""
    maps = (node for node in ir.walk(text) if isinstance(node, ir.Map)) if isinstance(text, ir.List) else ()
    for entry in (entry for node in maps for entry in node.entries):
        if isinstance(entry.key, ir.Literal) and entry.key.value == PART:
            return entry.value.span
    return message.span


def _labelled(text: ir.Expr) -> Iterator[str]:
    """The values in a text of which it says that they are secrets: `f"Environment variable {key} = {value}"`."""
    before = ""
    for part in text.parts if isinstance(text, ir.Template) else ():
        if isinstance(part, ir.Literal):
            before += str(part.value)
            continue
        if isinstance(part, (ir.Name, ir.Member)) and VALUE.match(callee_name(part)) and LABEL.search(before):
            yield dotted(part)
        before += "x"


def _tells(literal: ir.Literal) -> bool:
    return isinstance(literal.value, str) and len(literal.value) > len("password: ") and told(literal.value) is not None
