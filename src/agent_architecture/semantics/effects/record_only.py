"""Functions that only write down that something happened: events, lines of an audit, telemetry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import words_of
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

RECORDING: Final = regex(
    r"^_*(?:emit|log|audit|track|trace|capture|record_(?:event|usage|metric)|publish_event|notify_progress)|telemetry|analytics",
    re.IGNORECASE,
)
"""Names of functions that write down what happened."""
OF_RECORDS: Final = regex(
    r"(?:logs?|logg\w+|record(?:s|ed|er|ing)?|audit\w*|trac(?:es?|ed|er|ing)|emit\w*|track\w*|print\w*|debug\w*|usage|metrics?)"
)
"""Words of such names, wherever they stand: `save_audit`, not `login`."""

COPYING: Final = regex(r"snapshot|back_?up", re.IGNORECASE)
"""Names of functions that keep what was there before it is changed."""


def speaks_of_records(name: str) -> bool:
    """Whether a function is called as one that writes for people to read, not to go on with."""
    return any(OF_RECORDS.fullmatch(word) for word in words_of(name))


def keeps_copy(program: Program, call: ir.Call | None, own: ir.Scope | None = None) -> bool:
    """Whether a call only keeps a copy of what was there before a change; `own` is the tool."""
    return _stands_in(program, call, own, COPYING)


def records(program: Program, call: ir.Call | None, own: ir.Scope | None = None) -> bool:
    """Whether a call only writes down that something happened, an event or a line of an audit; `own` is the tool."""
    return _stands_in(program, call, own, RECORDING)


def _stands_in(program: Program, call: ir.Call | None, own: ir.Scope | None, names: re.Pattern[str]) -> bool:
    """Whether a call stands in a function of such a name."""
    scope: ir.Scope | None = None if call is None else program.scope_of(call)
    while isinstance(scope, ir.Function) and scope is not own:
        if names.search(scope.name):
            return True
        scope = scope.outer
    return False
