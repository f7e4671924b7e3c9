"""What code by hand writes down of requests to models and of what goes wrong around them: events, records with fields,
lines of text.

Looked for where the run's own signals are (`signals.places`), for failures in the handler and in the functions that it
calls. What is only printed counts for nothing; an error on the console of a service is a line of its log.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.request_records import Form, Observed, ObservedKind, Written
from agent_architecture.model.system import SiteKind
from agent_architecture.model.tracing import Extent, WorkKind
from agent_architecture.names.exits import some_raise
from agent_architecture.names.in_place import called_from, calls_done
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.run_steps import graph_of, run_steps
from agent_architecture.semantics.control.failure_handlers import is_wide, of_failures, only_ends
from agent_architecture.semantics.effects.own_logs import OwnLogs
from agent_architecture.semantics.effects.records import (
    LOGS,
    is_log,
    is_marked,
    is_spoken,
    records,
    speaks_of_failure,
    texts,
)
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.tracing.decision_logs import Logged
from agent_architecture.semantics.topics.tracing.forwarded_errors import hands_on
from agent_architecture.semantics.topics.tracing.model_trials import is_trial
from agent_architecture.semantics.topics.tracing.run_rows import TOKENS, RunRows
from agent_architecture.semantics.topics.tracing.signals import USAGE, places
from agent_architecture.semantics.topics.tracing.switches import is_on
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.model.tracing import Recording, TracedWork
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.sources.source import Span

OPERATION: Final = regex(r"gen_ai\.client\.inference\.operation\.details")
MESSAGE: Final = regex(r"gen_ai\.(?:(?:system|user|assistant|tool)\.message|choice)\b")
ASKED: Final = regex(r"(?:^|_|\b)model(?:$|_(?:name|id)|\b)", re.IGNORECASE)
CAME: Final = regex(r"(?:finish|stop)_?reason|duration|latency|elapsed", re.IGNORECASE)
"""What a record says beside the model that makes it one of a request, where it says nothing of tokens."""
OF_TOOL: Final = regex(r"\btool_?name\b", re.IGNORECASE)
"""What the record of a tool says, which may name the model and a time, too."""
WITHOUT_FIELDS: Final = frozenset({"exc_info", "stack_info", "stacklevel", "file", "end", "flush"})
"""Keywords of loggers that are no fields of what is written."""
RECORDS_ERRORS: Final = frozenset({"exception", "aexception"})
"""Methods of loggers that write the exception that is being handled, with its type and trace."""
KEEPING_ERRORS: Final = ("py:opentelemetry.", "py:logfire:")
"""Libraries whose spans keep the exception with which they end (`record_exception` is on by default)."""
BY_LIBRARY: Final = frozenset({SiteKind.RUN, SiteKind.EXPORTED_GRAPH})
DEPTH: Final = 2
"""Functions of the project that a handler calls and that are looked into."""


def observed(work: Work, traced: tuple[TracedWork, ...], sites: Iterable[Site]) -> tuple[Observed, ...]:
    """Every request, run and loop of a project that runs an agent, and every handler around one."""
    return tuple(_Found(work, tuple(sites)).all(traced)) if traced else ()


class _Found:
    """Asks each question of the program once."""

    def __init__(self, work: Work, sites: tuple[Site, ...]) -> None:
        self._context = context = work.context
        self._kinds = {site.span: site.kind for site in sites}
        self._of_runs = _of_runs(work) if BY_LIBRARY & set(self._kinds.values()) else frozenset()
        self._asks = {match.node.span: match.node for match in context.of_kind("model_call", "run")}
        self._work = work
        self._written: dict[int, tuple[Written, ...]] = {}
        self._logged = Logged(context)
        library = context.program.library
        self._keeping = {
            match.node.span
            for match in context.of_kind("span")
            if library.canonical(match.api.path).startswith(KEEPING_ERRORS)
        }

    def all(self, traced: tuple[TracedWork, ...]) -> Iterator[Observed]:
        for work in traced:
            if work.kind is WorkKind.SITE or (work.kind is WorkKind.CALL and work.span not in self._of_runs):
                yield self._of(work)
        spans = {work.span: tuple(filter(self._sees_errors, work.recordings)) for work in traced}
        handlers = {
            handler.span: (handler, around, node)
            for node in self._asks.values()
            if not is_trial(self._context, node)
            for handler, around in self._around(node)
        }
        for handler, around, node in handlers.values():
            yield self._of_handler(handler, around, node, spans.get(node.span, ()))

    def _of(self, work: TracedWork) -> Observed:
        kind = ObservedKind.CALL
        if work.kind is WorkKind.SITE:
            by_library = self._kinds.get(work.span) in BY_LIBRARY
            kind = ObservedKind.RUN if by_library else ObservedKind.LOOP
        recordings = (*work.recordings, *work.asked)
        own = self._of_request(work.span)
        written = own if own or kind is not ObservedKind.RUN else self._of_steps(work.span)
        return Observed(work.span, work.symbol, work.framework, kind, recordings, written)

    # -------------------------------------------------------------------------------------------------------- requests
    def _of_request(self, at: Span) -> tuple[Written, ...]:
        node = self._asks.get(at)
        owner = self._scope_at(at) if node is None else self._context.program.scope_of(node)
        if owner is None:
            return ()
        found: list[Written] = []
        for scope, _ in places(self._context, owner, at):
            if id(scope) not in self._written:
                self._written[id(scope)] = tuple(self._in(scope))
            found.extend(self._written[id(scope)])
        return tuple(dict.fromkeys(found))

    def _of_steps(self, at: Span) -> tuple[Written, ...]:
        """What is written of the requests of a graph's steps, which are one with its run, if it is of all of them."""
        node = self._asks.get(at)
        match = None if node is None else self._context.at(node, "run")
        if match is None:
            return ()
        graphs = dict.fromkeys(graph_of(self._context, each) for each in (match, *run_agents(self._context, match)))
        steps = [step for graph in graphs for step in run_steps(self._context).get(graph, ())]
        asks = {ask.node.span: ask for step in steps for ask in self._work.inside(*step.body).asks}
        each = [self._of_request(span) for span in asks if span != at]
        return tuple(dict.fromkeys(one for written in each for one in written)) if each and all(each) else ()

    def _scope_at(self, at: Span) -> ir.Scope | None:
        """The innermost function around a loop, or its module."""
        module = self._context.program.table.get(at.path)
        around = [f for f in module.index.functions if f.span.contains(at)] if module is not None else []
        return max(around, key=lambda function: (function.span.line, function.span.col), default=module)

    def _in(self, scope: ir.Scope) -> Iterator[Written]:
        """The records of requests that a scope writes."""
        for call in calls_done(self._context.program, self._context.program.structure(scope).calls):
            event = self._context.at(call, "event")
            said = effective(self._context, event, "name").values if event is not None else ()
            names = " ".join(str(value) for value in said)
            if OPERATION.search(names):
                yield self._by(Form.EVENT, call)
            elif MESSAGE.search(names):
                yield self._by(Form.MESSAGES, call)
            elif _has_fields(call) and self._keeps(call):
                words = " ".join(texts(self._context, scope, call))
                if OPERATION.search(_constants(call)) or (
                    ASKED.search(words) and (USAGE.search(words) or (CAME.search(words) and not OF_TOOL.search(words)))
                ):
                    yield self._by(Form.STRUCTURED, call)
            elif ASKED.search(row := self._context.once(RunRows).said(call)) and (
                TOKENS.search(row) or CAME.search(row)
            ):
                yield self._by(Form.STRUCTURED, call)

    def _by(self, form: Form, call: ir.Call) -> Written:
        return Written(form, f"{dotted(call.callee)} ({call.span.path}:{call.span.line})", call.span)

    # -------------------------------------------------------------------------------------------------------- handlers
    def _around(self, node: ir.Node) -> Iterator[tuple[ir.Handler, ir.Try]]:
        """The handlers that an error of a request comes to, where it is asked or where a helper is called that asks."""
        program = self._context.program
        for place, scope in called_from(program, node, program.scope_of(node)):
            yield from self._around_place(place, program.structure(scope))

    def _around_place(self, node: ir.Node, structure: Structure) -> Iterator[tuple[ir.Handler, ir.Try]]:
        tries: Iterator[ir.Try] = structure.enclosing(node, ir.Try)
        for around in tries:
            if any(part.span.contains(node.span) for part in around.body):
                handlers = [handler for handler in around.handlers if not only_ends(handler)]
                yield from ((handler, around) for handler in handlers)
                if any(is_wide(handler) and not some_raise(ir.walk(*handler.body)) for handler in handlers):
                    return  # no error of the call comes further

    def _of_handler(self, handler: ir.Handler, around: ir.Try, node: ir.Node, spans: tuple[Recording, ...]) -> Observed:
        inside = tuple(of_failures(self._context.program, handler.body))
        calls = [each for each in inside if isinstance(each, ir.Call)]
        written = tuple(dict.fromkeys(one for call in calls for one in self._of_failure(call, handler.name, DEPTH)))
        raises = some_raise(inside) or hands_on(self._context.program, handler)
        written += tuple(
            Written(Form.EVENT, span.by, span.span)
            for span in spans
            if span.span is not None and (raises or any(part.span.contains(span.span) for part in around.body))
        )
        match = self._context.at(node, "model_call", "run")
        framework = match.row.where.pack if match is not None else ""
        return Observed(handler.span, called(node), framework, ObservedKind.HANDLER, (), written, raises)

    def _of_failure(self, call: ir.Call, error: str | None, depth: int) -> Iterator[Written]:
        """What a call of a handler writes of what went wrong, by itself or through functions of the project."""
        if self._context.at(call, "event") is not None:
            yield self._by(Form.EVENT, call)
        elif self._logs(call):
            yield self._by(Form.STRUCTURED if _shows_error(call, error) else Form.TEXT, call)
        elif speaks_of_failure(self._context, call):
            yield self._by(Form.TEXT, call)
        else:
            functions = self._context.program.callees(call) if depth else ()
            for function in functions:
                for inner in self._calls(function):
                    yield from self._of_failure(inner, _name_in(call, function, error), depth - 1)

    def _calls(self, function: ir.Function) -> Iterator[ir.Call]:
        """The calls of a function, and of those that are written in it for others to call."""
        structure = self._context.program.structure(function)
        yield from structure.calls
        for inner in structure.definitions:
            yield from self._context.program.structure(inner).calls

    def _sees_errors(self, recording: Recording) -> bool:
        """Whether it is a span by hand, around every way, that keeps the exception which leaves it."""
        whole = recording.by_hand and recording.extent is not Extent.SOME_WAYS
        return whole and is_on(recording.enabled) and recording.span in self._keeping

    def _logs(self, call: ir.Call) -> bool:
        """Whether a call writes a log or an event; a number, a status and a line on a terminal are neither."""
        if is_spoken(self._context, call):
            return False
        is_own = self._context.once(OwnLogs).writes(call)
        return is_own or is_log(self._context, call) or is_marked(self._context, call.callee, LOGS)

    def _keeps(self, call: ir.Call) -> bool:
        """Whether a call writes a log, or is of a function of the project that keeps what it is given."""
        return self._logs(call) or (not records(self._context, call) and self._logged.writes(call))


def _of_runs(work: Work) -> frozenset[Span]:
    """The requests that the steps of graphs come to: they are one with the run."""
    steps = (step for run in run_steps(work.context).values() for step in run)
    return frozenset(ask.node.span for step in steps for ask in work.inside(*step.body).asks)


def _shows_error(call: ir.Call, error: str | None) -> bool:
    """Whether what is written has the error in a field: its trace, itself as an object, or fields of its own."""
    if callee_name(call.callee) in RECORDS_ERRORS or any(_is_on(argument) for argument in call.args):
        return True
    if _has_fields(call) or any(_names_type(node, error) for a in call.args for node in ir.walk(a.value)):
        return True
    plain = [argument.value for argument in call.args if argument.keyword is None]
    return call.span.path.endswith(SCRIPTS) and any(isinstance(e, ir.Name) and e.id == error for e in plain)


def _names_type(node: ir.Node, error: str | None) -> bool:
    """Whether a line says of which type an error is: `type(error).__name__`, `error.name`, its stack."""
    match node:
        case ir.Call(callee=ir.Name(id="type"), args=(ir.Argument(value=ir.Name(id=found)),)):
            return found == error
        case ir.Member(target=ir.Name(id=found), name=name):
            return found == error and name in SAYING_TYPE
        case _:
            return False


SAYING_TYPE: Final = frozenset({"__class__", "name", "stack", "constructor"})
"""Attributes of an error that say of which type it is."""
SCRIPTS: Final = (".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs")
"""Loggers of JavaScript take an error as an object."""


def _is_on(argument: ir.Argument) -> bool:
    value = argument.value
    is_off = isinstance(value, ir.Literal) and value.value in {False, None}
    return argument.keyword == "exc_info" and not is_off


def _has_fields(call: ir.Call) -> bool:
    """Whether what is written has fields: keywords, or an object."""
    if any(argument.keyword and argument.keyword not in WITHOUT_FIELDS for argument in call.args):
        return True
    return any(isinstance(node, ir.Map) for argument in call.args for node in ir.walk(argument.value))


def _constants(call: ir.Call) -> str:
    nodes = (node for argument in call.args for node in ir.walk(argument.value))
    return " ".join(node.value for node in nodes if isinstance(node, ir.Literal) and isinstance(node.value, str))


def _name_in(call: ir.Call, function: ir.Function, error: str | None) -> str | None:
    """What a function calls the error that a handler gives to it."""
    plain = [argument.value for argument in call.args if argument.keyword is None]
    position = next((n for n, expr in enumerate(plain) if isinstance(expr, ir.Name) and expr.id == error), None)
    known = error is not None and position is not None and position < len(function.params)
    return function.params[position].name if known and position is not None else None
