"""Every operation of a tool that changes something outside, and every other one that code does again by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.repeats import Again, Operation, Repetition
from agent_architecture.model.touches import Choice, FenceKind, Touch
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.callgraph.call_paths_in import call_paths_in
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.effects.calls import given_to
from agent_architecture.semantics.effects.idempotency import following, key_of, looked_before
from agent_architecture.semantics.effects.log_files import log_files
from agent_architecture.semantics.effects.looking_programs import looks_as_written
from agent_architecture.semantics.effects.record_only import keeps_copy, records
from agent_architecture.semantics.topics.repeats.edits import READS, adds_to_read
from agent_architecture.semantics.topics.repeats.looks import retried_behind
from agent_architecture.semantics.topics.repeats.repeating import Repeated, repeating, tries_once
from agent_architecture.semantics.topics.repeats.second_time import RUNS, WRITES, again
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.resilience import Pause, Retry
    from agent_architecture.model.system import Tool
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

ROWS: Final = frozenset({"database", "database_write"})
IN_SANDBOX: Final = frozenset({*RUNS, "write_file"})
"""What a sandbox keeps to itself."""

LOOK: Final = "a look for what was done before"
HELPERS: Final = 3
"""Calls from a tool to the function that makes longer what it read."""


def operations(
    work: Work, agents: Agents, touches: Iterable[Touch], retries: Iterable[Retry], pauses: Iterable[Pause]
) -> tuple[Operation, ...]:
    """Every operation, once for each tool and effect."""
    tried = tuple(retry for retry in retries if not tries_once(retry))
    repeated = repeating(work, tried, tuple(pauses))
    done = _of_tools(work.context, agents, tuple(touches), repeated)
    found = [_unless_retried(work.context, agents, one, tried) for one in done]
    known = {operation.effect.span for operation in found}
    return (*found, *_of_code(work.context, agents, repeated, known))


def _of_tools(context: Context, agents: Agents, touches: tuple[Touch, ...], repeated: Repeated) -> Iterator[Operation]:
    """What tools do; that they write down what they did counts where nothing else is known of them."""
    acting: set[int] = set()
    logs = frozenset(id(site.call) for site, _ in log_files(context))
    written_down: list[Operation] = []
    for touch in touches:
        declared = touch.tool is None or touch.effect.span == touch.tool.span  # the call makes the library's own tool
        call = None if declared else _call_at(context, touch.effect)
        if touch.tool is None or not _changes(context, touch, call):
            continue
        function = agents.code.get(id(touch.tool))
        one = _operation(context, touch, call, _code_of(agents, touch.tool))
        kind = touch.effect.kind
        if one.again is Again.SAME and kind in READS:
            reached = _helpers(context, _code_of(agents, touch.tool))
            added = (adds_to_read(context, agents.facts.effects, kind, code) for code in reached)
            one = one._replace(again=Again.MORE) if any(added) else one
        one = _with_key(context, one, call, (function,) if function else ())
        is_copy = touch.effect.kind == "write_file" and keeps_copy(context.program, call, function)
        if is_copy or id(call) in logs:
            written_down.append(one)  # what a tool is there for, where it does nothing else
            continue
        if records(context.program, call, function) or _keeps_books(context, touch, call):
            written_down.append(one._replace(again=Again.UNKNOWN, key=None))
            continue
        acting.add(id(touch.tool))
        yield one._replace(repeated=repeated.get(touch.effect.span, ()))
    yield from (one for one in written_down if id(one.tool) not in acting)


def _unless_retried(context: Context, agents: Agents, operation: Operation, retries: tuple[Retry, ...]) -> Operation:
    """An operation with the retry that stands between its tool and it, without a look for what was done before that
    stands in front of that retry.
    """
    looked = operation.key_name == LOOK
    function = agents.code.get(id(operation.tool))
    begins = operation.key if looked else None if function is None else function.name_span
    call = _call_at(context, operation.effect) if looked or (operation.key is None and not operation.repeated) else None
    retry = None if call is None or begins is None else retried_behind(context.program, call, begins, retries)
    if retry is None:
        return operation
    known = operation.repeated or (Repetition(retry.span, f"the retry {retry.symbol}"),)
    return operation._replace(key=None, key_name="", repeated=known)


def _of_code(context: Context, agents: Agents, repeated: Repeated, known: set[Span]) -> Iterator[Operation]:
    """What code repeats besides."""
    for span in sorted(repeated.effects.keys() - known):
        effect = repeated.effects[span]
        call = _call_at(context, effect)
        if call is not None and (_asks_model(context, call) or "idempotent" in marks_of(context, call)):
            continue  # an answer is no change, and what a commit writes others have put there
        direct = _is_direct(context, call, repeated.get(span, ()))
        if effect.kind in WRITES and direct and not records(context.program, call):
            touch = _around(agents, effect)
            one = _with_key(context, _operation(context, touch, call), call, ())
            yield one._replace(repeated=repeated.get(span, ()))


def _is_direct(context: Context, call: ir.Call | None, repetitions: tuple[Repetition, ...]) -> bool:
    """Whether what is repeated does it itself: what it calls keeps books, which nobody can tell from acts."""
    scope: ir.Scope | None = None if call is None else context.program.scope_of(call)
    while isinstance(scope, ir.Function):
        places = (scope.span, *(decorator.span for decorator in scope.parts.decorators))
        if any(place.contains(one.span) for place in places for one in repetitions):
            return True
        scope = scope.outer
    return False


def _around(agents: Agents, effect: Effect) -> Touch:
    """An effect in a function that is handed over, as one of the tool that hands it over; else as one of nobody's."""
    for tool in agents.all_tools():
        function = agents.code.get(id(tool))
        if function is not None and function.span.contains(effect.span):
            return Touch(tool.span, tool.name or tool.symbol, tool.framework, effect, tool=tool)
    return Touch(effect.span, effect.symbol, effect.framework, effect)


def _changes(context: Context, touch: Touch, call: ir.Call | None) -> bool:
    """Whether an effect changes something outside: it does not only ask, nor is it done in passing, nor stays in a
    sandbox, nor is a command of the project's own.
    """
    if touch.effect.kind not in WRITES or touch.asks or touch.effect.in_passing:
        return False
    if call is not None and _asks_model(context, call):
        return False
    is_own = touch.choice is Choice.NOTHING  # a program of the project's own, with its words
    if touch.effect.kind in RUNS and (is_own or (call is not None and looks_as_written(context.program, call))):
        return False
    return not (touch.effect.kind in IN_SANDBOX and touch.fenced(FenceKind.SANDBOX) is not None)


def _asks_model(context: Context, call: ir.Call) -> bool:
    """Whether a request is one to a model, or stands in a method that other classes have, too, and ask a model in."""
    if context.at(call, "model_call", "run") is not None:
        return True
    scope = context.program.scope_of(call)
    if not isinstance(scope, ir.Function) or not isinstance(scope.outer, ir.Class) or scope.name == "__init__":
        return False
    others = context.program.methods_named(scope.name, scope)
    return any(
        context.at(node, "model_call") is not None
        for other in others
        for node in context.program.structure(other).calls
    )


def _keeps_books(context: Context, touch: Touch, call: ir.Call | None) -> bool:
    """Whether an object that is put into a database is the project's own: nothing of it comes from the model. Of
    `insert(table).values(row)` the argument is the table.
    """
    if call is None or any(link.args for link in following(context, call)):
        return False
    written = (given for _, given in given_to(context, call, ROWS))
    alone = len(call.args) == 1 and not any(isinstance(each, (ir.Literal, ir.Template)) for each in written)
    return alone and touch.effect.kind == "database_write" and touch.choice is Choice.NOTHING


def _code_of(agents: Agents, tool: Tool) -> tuple[tuple[ir.Node, ...], ...]:
    """The statements of a tool: of its function, or of its part of each dispatcher."""
    function = agents.code.get(id(tool))
    if function is not None:
        return (function.body,)
    return tuple(body.statements for body in agents.facts.dispatch.bodies(tool.name, tool.span.path))


def _helpers(context: Context, code: tuple[tuple[ir.Node, ...], ...]) -> Iterator[tuple[ir.Node, ...]]:
    """Each stretch of code, the functions written in it, and those that it calls by their names, through few calls:
    what a helper is handed is read where it is written, for others hand it theirs.
    """
    known: set[int] = set()
    layer = code
    for _ in range(HELPERS):
        yield from layer
        nodes = [node for body in layer for node in ir.walk(*body)]
        inner = [node for node in nodes if isinstance(node, ir.Function)]
        for call in (node for node in nodes if isinstance(node, ir.Call)):
            inner += [each for each in context.program.callees(call) if each.name == callee_name(call.callee)]
        found = {id(each): each for each in inner if id(each) not in known}
        known |= set(found)
        layer = tuple(each.body for each in found.values())


def _operation(
    context: Context, touch: Touch, call: ir.Call | None, code: tuple[tuple[ir.Node, ...], ...] = ()
) -> Operation:
    """The operation of a tool, whose code tells what helpers are handed."""
    ways: dict[int, tuple[Calls, ...]] = {}
    for statements in code:
        for key, entered in call_paths_in(context.program, statements).items():
            ways[key] = (*ways.get(key, ()), *entered)
    return Operation(
        touch.span, touch.symbol, touch.framework, touch.effect, again(context, touch, call, ways), tool=touch.tool,
        confidence=touch.confidence,
    )  # fmt: skip


def _with_key(
    context: Context, operation: Operation, call: ir.Call | None, around: tuple[ir.Function, ...]
) -> Operation:
    if call is None:
        return operation
    key = key_of(context, call)
    if key is not None and key.fresh:
        operation = operation._replace(fresh=key.span, key_name=key.name)
    elif key is not None:
        return operation._replace(key=key.span, key_name=key.name)
    looked = looked_before(context, call, around)
    return operation if looked is None else operation._replace(key=looked, key_name=LOOK)


def _call_at(context: Context, effect: Effect) -> ir.Call | None:
    """The call that has an effect; None where a library's own tool does."""
    name = effect.symbol.removesuffix("()").rpartition(".")[2]
    return next((site.call for site in context.program.calls(name) if site.call.span == effect.span), None)
