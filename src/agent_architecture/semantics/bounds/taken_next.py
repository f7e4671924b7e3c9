"""Loops that serve: each pass takes the next thing from where things come in, a line of standard input, a message of a
socket, a job of a queue. A pass that failed is not repeated, the next one has something else.

A pack row cannot say this: what is read from is often an object of the project, so the readings are known by name.
States what is written; judges nothing.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.names.arguments import FORWARDING
from agent_architecture.names.log_calls import says
from agent_architecture.names.pauses import sleeps
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.bounds.readiness_probes import ENDS
from agent_architecture.semantics.effects.socket_reads import RECEIVING
from agent_architecture.syntax import ir

TAKES: Final = RECEIVING | {
    "accept", "blpop", "brpop", "consume", "dequeue", "get_nowait", "input", "lpop", "next", "poll", "pop", "popleft",
    "question", "readLine", "read_nonblocking", "readline", "receive", "receive_message", "receive_messages", "recv",
    "recvfrom", "rpop", "shift", "xread", "xreadgroup",
}  # fmt: skip
"""Calls that give the next of what comes in, by last name."""
CUTTING: Final = frozenset({"partition", "slice", "split", "substr", "substring"})
"""Calls that give a part of a text, or its parts."""
QUIET: Final = ENDS | {"flush", "write", "is_alive", "is_set", "isalive", "strip", "trim"}
"""What a pass may do before, beside waiting and saying something."""


def takes_next(loop: ir.Loop, body: tuple[ir.Node, ...]) -> bool:
    """Whether what a loop does again is done with something that each pass takes before it does anything else.

    What is received later answers what the pass sent: a pass that sends it again is a retry.
    """
    tested = () if loop.test is None else (loop.test,)
    nodes = tuple(ir.walk(*tested, *loop.body))
    calls = (node for node in nodes if isinstance(node, ir.Call))
    first = next((call for call in calls if not _is_quiet(call)), None)
    taken = {id(node) for node in ir.walk(first) if isinstance(node, ir.Call) and _takes(node)} if first else set()
    if first is None or not taken:
        return False
    if id(first) not in taken and any(node is first for node in ir.walk(*body)):
        return True  # handed on where it is taken
    targets = [node.target for node in nodes if isinstance(node, ir.Assign) and _holds(node, taken)]
    written = {id(node) for target in targets for node in ir.walk(target) if isinstance(node, ir.Name)}
    names = {node.id for target in targets for node in ir.walk(target) if isinstance(node, ir.Name)}
    used = (node for node in ir.walk(*body) if isinstance(node, ir.Name) and id(node) not in written)
    return any(node.id in names for node in used)


def cuts_next(loop: ir.Loop, body: tuple[ir.Node, ...]) -> bool:
    """Whether what a loop does is done with a piece that each pass cuts off a text (`line, rest = rest.split(mark, 1)`;
    `line = rest.slice(0, end)` before `rest = rest.slice(end)`). A buffer is gone through, nothing is done again.
    """
    tried = {id(node) for node in ir.walk(*body)}
    stores = [n for n in ir.walk(*loop.body) if isinstance(n, ir.Assign) and n.value is not None and id(n) not in tried]
    cut = {name for store in stores if _is_cut(store.value) for name in _names(store.target) & _names(store.value)}
    pieces = {
        name for store in stores if _is_cut(store.value) and _names(store.value) & cut for name in _names(store.target)
    }
    used = {node.id for node in ir.walk(*body) if isinstance(node, ir.Name)}
    return bool(cut) and bool(used & (pieces - cut))


def turns_pages(loop: ir.Loop) -> bool:
    """Whether a pass asks with what the pass before was answered, a cursor or the number of the next page: it asks for
    something else each time.
    """
    stores = [node for node in ir.walk(*loop.body) if isinstance(node, ir.Assign) and node.value is not None]
    asked = [store for store in stores if _is_call(store.value)]
    for store in asked:
        answered = _names(store.target)
        later = (each for each in stores if each.span > store.span and not each.op and not _is_call(each.value))
        carried = {name for each in later if _names(each.value) & answered for name in _names(each.target)} - answered
        if _names(store.value) & carried:
            return True
    return False


def _is_call(value: ir.Expr | None) -> bool:
    return isinstance(value.value if isinstance(value, ir.Await) else value, ir.Call)


def _is_cut(value: ir.Expr | None) -> bool:
    """Whether an expression is a part of a text, or its parts: `text[at:]`, `text.partition(mark)`."""
    for node in ir.walk(value) if value is not None else ():
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) and node.callee.name in CUTTING:
            return True
        if isinstance(node, ir.Index) and isinstance(node.key, ir.Slice):
            return True
    return False


def _names(expr: ir.Node | None) -> set[str]:
    return {node.id for node in ir.walk(expr) if isinstance(node, ir.Name)} if expr is not None else set()


def _is_quiet(call: ir.Call) -> bool:
    return callee_name(call.callee) in QUIET or says(call) or sleeps(call)


def _holds(store: ir.Assign, taken: set[int]) -> bool:
    return store.value is not None and any(id(node) in taken for node in ir.walk(store.value))


def _takes(call: ir.Call) -> bool:
    """Whether a call gives the next thing, in a thread, too (`to_thread(child.readline)`); `get` does where it is not
    told which one.
    """
    name = callee_name(call.callee)
    if name in FORWARDING and any(callee_name(argument.value) in TAKES for argument in call.args[:2]):
        return True
    return name in TAKES or (name == "get" and all(argument.keyword for argument in call.args))
