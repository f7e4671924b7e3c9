"""Requests that only ask whether somebody answers yet: a server that starts, a machine that boots.

A loop around one waits until it is up, which takes as long as it takes: it is a wait, not a retry. States what is
written; judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers
from agent_architecture.names.log_calls import says
from agent_architecture.names.options import options_of
from agent_architecture.names.pauses import sleeps
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

STATUS: Final = frozenset({"ok", "is_success", "is_error", "status_code", "statusCode", "status"})
"""What says of an answer whether it is a good one."""
_LOOKS: Final = frozenset({"get", "head", "fetch", "ping", "urlopen", "connect", "create_connection"})
_SENDS: Final = frozenset({"json", "data", "body", "content", "files"})
_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
ENDS: Final = frozenset({"raise_for_status", "close", "getcode"})
"""What is done with an answer that asks nobody anything more."""
_OPENS: Final = frozenset({
    "Client", "AsyncClient", "ClientSession", "Session", "AbortController", "Timeout", "timeout", "ClientTimeout",
    "time", "monotonic", "now", "perf_counter", "Promise",
})  # fmt: skip
"""Calls that make what asks, gives up or waits, and that read a clock."""
_WAITS: Final = frozenset({"wait_for", "waitFor", "timeout", "run", "to_thread"})
"""Calls that wait for what they are given."""
SAID: Final = frozenset({"messages", "input", "prompt", "contents", "content", "text"})
"""Arguments of a request to a model, and keys of its messages, that hold what is said."""
TRIES: Final = regex(r"test|check|ping|health|verif|valid|connect|reach|ready|warm", re.IGNORECASE)
"""What a function is called that looks whether somebody is there."""
WORDS: Final = 60
"""Characters of a greeting: `Say OK`, with the roles of its messages."""
_HEALTH: Final = regex(r"/(?:health\w*|ready\w*|readiness|live\w*|ping)/?$", re.IGNORECASE)
"""How the address ends at which a server says whether it is up: what stands in its answer is its status."""
_UNPACKS: Final = frozenset({"json", "loads", "parse", "read", "decode"})
"""Calls that take an answer apart."""
_FAILING: Final = "catch"
"""The method that says what a request answers that fails."""


def asks_whether_up(program: Program, structure: Structure, attempt: ir.Try) -> bool:
    """Whether what is tried makes requests that change nothing, and does no more with their answers than look at
    their status.
    """
    body = tuple(ir.walk(*attempt.body, *attempt.otherwise))
    said = any(not isinstance(answer, ir.Literal) for answer in answers(body))
    return not said and only_asks_whether_up(program, structure, body)


def only_asks_whether_up(program: Program, structure: Structure, nodes: Iterable[ir.Node], through: int = 2) -> bool:
    """Whether code asks others, and nothing but whether they are up: by requests, or by functions of the project that
    do nothing else.
    """
    calls = [node for node in nodes if isinstance(node, ir.Call) and not _asks_nobody(node)]
    if any(map(_asks_health, calls)):
        calls = [call for call in calls if not _takes_apart(call)]
    return bool(calls) and all(
        looks_whether_up(program, structure, call) or (through > 0 and _probes(program, call, through - 1))
        for call in calls
    )


def _probes(program: Program, call: ir.Call, through: int) -> bool:
    found = program.callees(call)
    structures = [program.structure(function) for function in found]
    return bool(found) and all(only_asks_whether_up(program, each, each.nodes, through) for each in structures)


def looks_whether_up(program: Program, structure: Structure, node: ir.Node) -> bool:
    """Whether a call asks somebody else, changes nothing there, and of the answer nothing but the status is looked at:
    what was answered decides nothing then, only that somebody did.
    """
    looks = isinstance(node, ir.Call) and _only_looks(program, node)
    return isinstance(node, ir.Call) and looks and (_asks_health(node) or _unused(structure, node))


def _asks_health(call: ir.Call) -> bool:
    """Whether a call asks the address at which a server says how it is."""
    first = call.args[0].value if call.args else None
    texts = (node.value for node in ir.walk(first) if isinstance(node, ir.Literal)) if first is not None else ()
    return callee_name(call.callee) in _LOOKS and any(isinstance(t, str) and _HEALTH.search(t) for t in texts)


def _takes_apart(call: ir.Call) -> bool:
    """Whether a call reads what was answered: `json.loads(…)`, `answer.get("status")`."""
    key = call.args[0].value if call.args else None
    is_key = isinstance(key, ir.Literal) and isinstance(key.value, str) and key.value.isidentifier()
    name = callee_name(call.callee)
    return name in _UNPACKS or (name == "get" and is_key) or (name == "format" and not _asks_health(call))


def _asks_nobody(call: ir.Call) -> bool:
    return callee_name(call.callee) in ENDS | _OPENS | {_FAILING} or says(call) or sleeps(call)


def _only_looks(program: Program, call: ir.Call) -> bool:
    if callee_name(call.callee) not in _LOOKS:
        return False
    options = options_of(program, call)
    method = options.get("method")
    reads = method is None or (isinstance(method, ir.Literal) and str(method.value).upper() in _READING)
    return reads and _SENDS.isdisjoint(options)


def _unused(structure: Structure, call: ir.Call) -> bool:
    """Whether nothing but the status of an answer is looked at."""
    around: ir.Node = call
    parent = structure.parent(call)
    while isinstance(parent, ir.Await | ir.Call) or (isinstance(parent, ir.Member) and parent.name == _FAILING):
        if isinstance(parent, ir.Call) and callee_name(parent.callee) != _FAILING:
            return False
        around, parent = parent, structure.parent(parent)
    match parent:
        case None | ir.Try() | ir.Block():
            return True
        case ir.With(items=items):
            return all(_only_entered(structure, item) for item in items if item.value is around)
        case ir.Member(name=name):
            return name in STATUS
        case ir.Assign(target=ir.Name(id=name), value=value) if value is around:
            return all(_is_looked_at(structure, use) for use in _uses(structure, name, parent))
        case _:
            return False


def _only_entered(structure: Structure, item: ir.Context) -> bool:
    target = item.target
    if isinstance(target, ir.Name):
        return all(_is_looked_at(structure, use) for use in _uses(structure, target.id, item))
    return target is None


def _uses(structure: Structure, name: str, held: ir.Assign | ir.Context) -> Iterator[ir.Name]:
    """Where a name is used from where it is given its value on, behind the loop, too."""
    first = held.value.span if held.value is not None else None
    later = (
        n for n in structure.nodes if isinstance(n, ir.Name) and n.id == name and (first is None or n.span >= first)
    )
    return (n for n in later if n is not held.target)


def _is_looked_at(structure: Structure, use: ir.Name) -> bool:
    parent = structure.parent(use)
    return isinstance(parent, ir.Member) and parent.name in STATUS | ENDS


def tries_model(structure: Structure, call: ir.Call) -> bool:
    """Whether a request to a model only tries whether it answers: a few constant words, of what comes back nothing
    is used but that it came, in a function that is called as one that looks; or such words where a module that is
    started by itself shows what it does.
    """
    looks = isinstance(structure.scope, ir.Function) and TRIES.search(structure.scope.name or "") is not None
    if not (looks and _is_dropped(structure, call)) and not _is_shown(structure, call):
        return False
    said = [node for argument in call.args if _is_said(argument.keyword) for node in _spoken(argument.value)]
    words = [node.value for node in said if isinstance(node, ir.Literal) and isinstance(node.value, str)]
    constant = all(isinstance(node, (ir.Literal, ir.List, ir.Map, ir.Call)) for node in said)
    return bool(words) and constant and sum(map(len, words)) <= WORDS


def _is_shown(structure: Structure, call: ir.Call) -> bool:
    """Whether a call stands where a module is started by itself, and in no function."""
    if not isinstance(structure.scope, ir.Module):
        return False
    tests = (each.test for each in structure.ancestors(call) if isinstance(each, ir.If))
    names = (node for test in tests for node in ir.walk(test))
    return any(isinstance(node, ir.Name) and node.id == "__name__" for node in names)


def _is_said(keyword: str | None) -> bool:
    return keyword is None or keyword in SAID


def _spoken(expr: ir.Expr) -> Iterator[ir.Expr]:
    """What is said in an argument: texts, and the messages that hold them."""
    yield expr
    match expr:
        case ir.List(items=items):
            inner: list[ir.Expr] = list(items)
        case ir.Map(entries=entries):
            asked = [e for e in entries if isinstance(e.key, ir.Literal) and e.key.value in SAID]
            inner = [entry.value for entry in asked or entries]
        case ir.Call(args=args):
            inner = [argument.value for argument in args]
        case _:
            return
    for part in inner:
        yield from _spoken(part)


def _is_dropped(structure: Structure, call: ir.Call) -> bool:
    """Whether nothing is made of an answer: nobody takes it, or who does asks only whether it is there."""
    around, parent = _awaited(structure, call)
    if structure.is_statement(around):
        return True
    if not isinstance(parent, ir.Assign) or parent.value is not around or not isinstance(parent.target, ir.Name):
        return False
    return all(_is_test(structure, use) for use in _uses(structure, parent.target.id, parent))


def _awaited(structure: Structure, call: ir.Call) -> tuple[ir.Node, ir.Node | None]:
    """A call with what waits for it, and what stands around that."""
    around: ir.Node = call
    parent = structure.parent(call)
    while isinstance(parent, ir.Await) or (isinstance(parent, ir.Call) and callee_name(parent.callee) in _WAITS):
        around, parent = parent, structure.parent(parent)
    return around, parent


def _is_test(structure: Structure, use: ir.Name) -> bool:
    parent = structure.parent(use)
    return isinstance(parent, ir.If) and parent.test is use
