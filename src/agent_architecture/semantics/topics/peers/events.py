"""What code tells of a task: which calls send an event, and the state that each says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Const, Entries
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

OVER: Final = frozenset({"completed", "failed", "canceled", "rejected"})
ASKING: Final = frozenset({"input_required", "auth_required"})
GOING: Final = frozenset({"submitted", "working", "unknown", "unspecified"})
STATES: Final = OVER | ASKING | GOING
ENDING: Final = frozenset({"complete", "failed", "reject", "cancel", "requires_input", "requires_auth", "fail"})
"""Methods of the SDK's updater that bring a task to an end, or to a question."""
UPDATING: Final = frozenset({"update_status", "start_work", "submit", "add_artifact", *ENDING})
SENDING: Final = frozenset({"enqueue_event", "publish", "put_event", "update_task_status", "send_event"})
FINISHING: Final = frozenset({"completed_task", "new_completed_task"})
MESSAGES: Final = regex(r"^(?:new_)?(?:agent_)?(?:text_|parts_)?message$|^Message$|^newAgent(?:Text)?Message$")
OLD: Final = regex(r"^[a-z]")
"""How states are spelled before version 1: `TaskState.completed`."""
UPDATER: Final = "TaskUpdater"
OWNERS: Final = regex(r"updater|queue|bus|task", re.IGNORECASE)
DEPTH: Final = 4
PUBLISH: Final = "publish"
"""How the SDK for JavaScript sends an event."""
STATUS: Final = "status"
KINDS: Final = frozenset({"kind", "$case", "payload"})
"""The keys by which it tells events apart, in its versions."""


class Event(NamedTuple):
    """A call that tells of a task. `states` are those that it may say; `message`: it answers without a task."""

    call: ir.Call
    states: frozenset[str] = frozenset()
    message: bool = False
    said: frozenset[str] = frozenset()
    """The states as they are written, where they are written as texts."""

    @property
    def ends(self) -> bool:
        """Whether it may bring the task to an end or to a question, or answers by itself."""
        return self.message or bool(self.states & (OVER | ASKING))

    @property
    def is_over(self) -> bool:
        """Whether nothing may follow."""
        return bool(self.states) and self.states <= OVER


def event_of(program: Program, call: ir.Call) -> Event | None:
    """The event that a call sends; None for any other call."""
    name = callee_name(call.callee)
    owner = _owner(call)
    if name in UPDATING and (OWNERS.search(owner) or _is_updater(program, call)):
        said = {
            "complete": "completed",
            "reject": "rejected",
            "cancel": "canceled",
            "fail": "failed",
            "failed": "failed",
        }
        asks = {"requires_input": "input_required", "requires_auth": "auth_required", "start_work": "working"}
        state = {**said, **asks, "submit": "submitted"}.get(name)
        if state is not None:
            return Event(call, frozenset({state}))
        return Event(call, *_states(program, call)) if name == "update_status" else Event(call, frozenset({"working"}))
    if name not in SENDING:
        return None
    texts, states, message = set[str](), set[str](), False
    for argument in call.args if not _lacks_kind(program, call) else ():
        found, said_texts = _states_in(program, argument.value)
        states |= found
        texts |= said_texts
        message = message or _is_message(program, argument.value)
    return Event(call, frozenset(states), message and not states, frozenset(texts))


def _lacks_kind(program: Program, call: ir.Call) -> bool:
    """Whether an event is an object that is written out and says nowhere which kind it is of, where the SDK tells them
    apart by that alone: it drops such a one (@a2a-js/sdk before 1, dist/server/result_manager: `event.kind`). A cast
    hides that from the types.
    """
    given = call.args[0].value if call.args else None
    if callee_name(call.callee) != PUBLISH or is_python(call.span.path) or given is None:
        return False
    values = program.value_of(given)
    told = [dict(value.entries) for value in values if isinstance(value, Entries) and value.complete]
    status = bool(told) and all(STATUS in entries for entries in told)
    return len(told) == len(values) and status and not any(KINDS & entries.keys() for entries in told)


def is_old(program: Program, call: ir.Call) -> bool:
    """Whether a call names a state as it was spelled before version 1."""
    nodes = (node for argument in call.args for node in _reached(program, argument.value))
    return any(
        isinstance(node, ir.Member) and "TaskState" in _text(node.target) and OLD.match(node.name) is not None
        for node in nodes
    )


def _is_updater(program: Program, call: ir.Call) -> bool:
    """Whether a method is the SDK's updater's, whatever the updater is called here."""
    values = program.value_of(call.callee) if isinstance(call.callee, ir.Member) else ()
    return any(isinstance(value, Api) and UPDATER in value.path for value in values)


def _owner(call: ir.Call) -> str:
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    names = (
        [
            node.name if isinstance(node, ir.Member) else node.id
            for node in ir.walk(target)
            if isinstance(node, (ir.Member, ir.Name))
        ]
        if target is not None
        else []
    )
    return ".".join(names)


def _states(program: Program, call: ir.Call) -> tuple[frozenset[str], bool, frozenset[str]]:
    """The states that the arguments of an update say; `final` marks an end, whatever it is called."""
    states, texts = set[str](), set[str]()
    for argument in call.args[:1] if call.args and call.args[0].keyword is None else ():
        found, said = _states_in(program, argument.value, words_too=True)
        states |= found
        texts |= said
    for argument in call.args:
        if argument.keyword in {"state", "status"}:
            found, said = _states_in(program, argument.value, words_too=True)
            states |= found
            texts |= said
        if argument.keyword == "final" and isinstance(argument.value, ir.Literal) and argument.value.value is True:
            states.add("completed" if not states else "")
    return frozenset(states - {""}), False, frozenset(texts)


def _states_in(program: Program, expr: ir.Expr, *, words_too: bool = False) -> tuple[set[str], set[str]]:
    """The states in what an expression gives, and those that are written as texts under a key of that name."""
    states, texts = set[str](), set[str]()
    for node in _reached(program, expr):
        if isinstance(node, ir.Member):
            state = normal(node.name)
            if state in STATES and ("TaskState" in _text(node.target) or node.name.isupper()):
                states.add(state)
        elif isinstance(node, ir.Map):
            for entry in node.entries:
                if isinstance(entry.key, ir.Literal) and entry.key.value == "state":
                    texts |= set(_words(program, entry.value))
        elif isinstance(node, ir.Call):
            if callee_name(node.callee) in FINISHING:
                states.add("completed")
            for argument in node.args:
                if argument.keyword == "state":
                    texts |= set(_words(program, argument.value))
    if words_too:
        texts |= set(_words(program, expr))
    states |= {normal(text) for text in texts if normal(text) in STATES}
    return states, texts


def _words(program: Program, expr: ir.Expr) -> Iterator[str]:
    yield from (v.value for v in program.value_of(expr) if isinstance(v, Const) and isinstance(v.value, str))


def _reached(program: Program, expr: ir.Expr) -> Iterator[ir.Node]:
    """The nodes of an expression and of the objects that it names."""
    seen: set[int] = set()
    stack: list[tuple[ir.Node, int]] = [(expr, 0)]
    while stack:
        node, depth = stack.pop()
        for inner in ir.walk(node):
            if id(inner) in seen:
                continue
            seen.add(id(inner))
            yield inner
            if isinstance(inner, ir.Name) and depth < DEPTH:
                values = program.value_of(inner)
                stack += [(v.node, depth + 1) for v in values if isinstance(v, (Entries, Api)) and v.node is not inner]


def _is_message(program: Program, expr: ir.Expr) -> bool:
    for node in _reached(program, expr):
        if isinstance(node, ir.Call) and MESSAGES.search(callee_name(node.callee) or ""):
            return True
        if isinstance(node, ir.Map):
            kinds = (
                e.value for e in node.entries if isinstance(e.key, ir.Literal) and e.key.value in {"kind", "$case"}
            )
            return any(isinstance(kind, ir.Literal) and kind.value == "message" for kind in kinds)
    return False


def _text(expr: ir.Expr) -> str:
    return expr.id if isinstance(expr, ir.Name) else expr.name if isinstance(expr, ir.Member) else ""


def normal(word: str) -> str:
    """A state in one spelling: `TASK_STATE_INPUT_REQUIRED` and `input-required` are `input_required`."""
    word = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower().replace("-", "_").removeprefix("task_state_")
    return "canceled" if word == "cancelled" else word
