"""Code that does again what it did: retries, durable steps, steps that begin anew after a pause, webhooks.

By the place of each effect. That a model may call a tool a second time goes without saying.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.repeats import Repetition
from agent_architecture.names.values import Const, Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import label
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.resilience import Pause, Retry
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

HOOK: Final = regex(r"web_?hook", re.IGNORECASE)
NAMED: Final = regex(
    r"^_?(?:(?:handle|receive|process|on|incoming|accept|post)_?)?(?:stripe|github|gitlab|slack|telegram|twilio|whatsapp"
    r"|discord|shopify|jira|linear|sentry|mail\w*|payment\w*)?_?web_?hook(?:_?(?:handler|endpoint|event|message|receiver))?$",
    re.IGNORECASE,
)
"""Names of functions that answer a webhook: not of those that register or call one."""
ANSWERING: Final = ("post", "route", "all", "api_route")
"""Calls and decorators that say at which address a function answers."""


class Repeated:
    """What is repeated: effects and repetitions by place."""

    def __init__(self) -> None:
        self.effects: dict[Span, Effect] = {}
        self._by_place: dict[Span, dict[Span, Repetition]] = {}

    def add(self, effects: Iterable[Effect], repetition: Repetition) -> None:
        """These effects are repeated by this."""
        for effect in effects:
            self.effects.setdefault(effect.span, effect)
            self._by_place.setdefault(effect.span, {}).setdefault(repetition.span, repetition)

    def get(self, place: Span, default: tuple[Repetition, ...]) -> tuple[Repetition, ...]:
        """What repeats the effect at a place."""
        found = self._by_place.get(place)
        return default if found is None else tuple(found[span] for span in sorted(found))


def repeating(work: Work, retries: tuple[Retry, ...], pauses: tuple[Pause, ...]) -> Repeated:
    """All that is repeated without a model's asking for it."""
    found = Repeated()
    for retry in retries:
        if not tries_once(retry):
            found.add(retry.repeats, Repetition(retry.span, f"the retry {retry.symbol}"))
    for match in work.context.of_kind("durable_step"):
        for function in _steps(work, match):
            effects = work.inside(*function.body).once
            found.add(effects, Repetition(match.node.span, f"the durable step {function.name or label(match)}"))
    for pause in pauses:
        if pause.before is not None:
            how = f"the step that begins anew after the pause {pause.symbol}"
            found.add((pause.before,), Repetition(pause.span, how))
    for function in _webhooks(work.context.program):
        effects = work.inside(*function.body).once
        found.add(
            effects, Repetition(function.name_span if function.name else function.span, "whoever calls the webhook")
        )
    return found


def tries_once(retry: Retry) -> bool:
    """Whether a retry is told not to try again."""
    values = retry.attempts.values
    return retry.attempts.is_known and all(isinstance(v, (int, float)) and v <= 1 for v in values)


def _steps(work: Work, match: Match) -> Iterator[ir.Function]:
    """The functions that an engine runs again until they have succeeded once."""
    if isinstance(match.node, ir.Function):
        yield match.node
    elif isinstance(match.node, ir.Call):
        address = match.row.relations.get("function")
        values = (
            ()
            if address is None
            else at_call(work.context.program, match.arguments, match.api.receiver, address).values
        )
        yield from (value.function for value in values if isinstance(value, Func))


# ------------------------------------------------------------------------------------------------------------ webhooks
def _webhooks(program: Program) -> Iterator[ir.Function]:
    """The functions that answer webhooks, whose senders try again: by their names, or by their addresses."""
    found: dict[int, ir.Function] = {}
    for module in program.modules:
        for function in module.index.functions:
            if function.name and NAMED.search(function.name):
                found[id(function)] = function
    for name in ANSWERING:
        for site in program.calls(name):
            first = site.call.args[0].value if site.call.args else None
            values = program.value_of(first) if isinstance(first, ir.Literal) else ()
            if any(isinstance(v, Const) and isinstance(v.value, str) and HOOK.search(v.value) for v in values):
                for function in _answering(program, site.call, site.scope):
                    found[id(function)] = function
    yield from found.values()


def _answering(program: Program, call: ir.Call, scope: ir.Scope) -> Iterator[ir.Function]:
    """The handlers in a call, or the function that it decorates."""
    for argument in call.args[1:]:
        yield from (value.function for value in program.value_of(argument.value) if isinstance(value, Func))
    for definition in program.structure(scope).definitions:
        if isinstance(definition, ir.Function) and any(d.span.contains(call.span) for d in definition.parts.decorators):
            yield definition
