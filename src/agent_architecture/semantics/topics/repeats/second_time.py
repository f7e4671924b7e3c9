"""What a call leaves that is done twice: the same, or more; read from its method, its statement, its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.repeats import Again
from agent_architecture.model.touches import Choice
from agent_architecture.model.words import words_of
from agent_architecture.names import flow
from agent_architecture.names.options import as_written, entries_of, keyed
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import GAP
from agent_architecture.names.values import Const, Entries, Text
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.call_paths_in import call_paths_to
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.effects.calls import given_to
from agent_architecture.semantics.effects.idempotency import is_fresh
from agent_architecture.semantics.effects.requests import commands_of, texts_in, told_places
from agent_architecture.semantics.effects.statements import statements_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.repeats.edits import only_evaluates, replaces_part
from agent_architecture.semantics.topics.repeats.new_entries import under_new_key
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.touches import Touch
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.call_paths_in import CallPathsIn
    from agent_architecture.semantics.matching.context import Context

WRITES: Final = frozenset({
    "execute_code", "execute_shell", "execute_process", "write_file", "network_write", "database", "database_write",
    "mail", "message", "payment", "deploy", "browser",
})  # fmt: skip
STATEMENTS: Final = frozenset({"database", "database_write"})
RUNS: Final = frozenset({"execute_code", "execute_shell", "execute_process"})
SENDS: Final = frozenset({"mail", "message", "payment"})

ADDING: Final = frozenset(
    """add append incr increment incrby decr decrement lpush rpush push insert xadd zincrby post publish send
    submit reply say charge pay transfer refund withdraw tweet comment fork invoke enqueue trigger dispatch
    purchase order book click dblclick press type act evaluate tap""".split()  # noqa: SIM905 - shorter
)
"""First words of calls that add one more each time."""
MAKING: Final = frozenset({"create", "run", "start", "index", "bulk", "new", "upload", "register", "issue", "commit"})
"""First words of calls that make one more each time, where nothing says that it has a name of its own."""
SETTING: Final = frozenset(
    """put delete del remove unlink rm rmdir rmtree removedirs upsert update replace set patch merge apply
    cancel close archive mkdir makedirs mkdirp ensure rename renames move copy copyfile cp symlink link write
    output truncate terminate stop drop clear unset expire flush attach detach edit revoke lock touch chmod
    chown hset hmset setex psetex setnx mset goto fill check select get find extract hover enable disable checkout reset
    restore switch change assign enforce clean save finalize void confirm capture complete accept decline resolve reopen
    deactivate activate""".split()  # noqa: SIM905 - shorter
)
"""First words of calls that end in the same state each time, or that fail the second time."""
NAMED: Final = frozenset(
    {"namespaced", "branch", "ref", "tag", "bucket", "table", "collection", "head", "remote", "index"}
)
"""What is made under a name of its own: a second one of that name is refused."""

INSERT: Final = regex(r"^\s*(?:with\b.*?\)\s*)?insert\b(?!\s+or\s+(?:ignore|replace))", re.IGNORECASE | re.DOTALL)
HARMLESS: Final = regex(
    r"\bon\s+conflict\b|\bon\s+duplicate\s+key\b|\bwhere\s+not\s+exists\b|\bmerge\s+into\b", re.IGNORECASE
)
COUNTING: Final = regex(
    r"\bset\b.*?\b(\w+)\s*=\s*(?:coalesce\(\s*)?\1\s*(?:,\s*[^\s,()]{1,8}\s*\)\s*)?(?:[-+]|\|\|)",
    re.IGNORECASE | re.DOTALL,
)
"""A statement that adds to what is there: a number, or an end to a text."""
STATING: Final = regex(
    r"^\s*(?:update|delete|create|drop|alter|replace|merge|truncate|insert|vacuum|pragma|grant)\b", re.IGNORECASE
)
LAST: Final = regex(r"/([A-Za-z]+)/?(?:\?.*)?$")
"""The last word of an address."""
STATES: Final = frozenset({
    "cancel", "close", "archive", "unarchive", "disable", "enable", "deactivate", "activate", "stop", "pause", "resume",
    "lock", "unlock", "revoke", "delete", "void", "finalize", "complete", "approve", "reject", "resolve",
})  # fmt: skip
"""Words of addresses that put something into a state in which a second request finds it."""
OBJECT_KEYS: Final = frozenset({"key", "object_key", "objectkey", "object_name", "objectname", "blob_name", "pathname"})
"""What stores of objects call the name of one."""
FILES: Final = frozenset({"write_file"})
METHOD: Final = regex(r"^(?:post|put|patch|delete|get|head)$", re.IGNORECASE)


def again(context: Context, touch: Touch, call: ir.Call | None, ways: CallPathsIn | None = None) -> Again:
    """What a second time leaves of one effect; `call` is where code has it, None where a library's own tool does.
    `ways` are those into the functions that a tool comes to: what it hands to helpers counts, not what others do.
    """
    kind = touch.effect.kind
    if kind == "execute_code" and call is not None and only_evaluates(context.program, call):
        return Again.SAME
    if kind in RUNS:
        return Again.ANYTHING if touch.choice is Choice.ALL else Again.UNKNOWN
    if call is None:
        return _declared(touch)
    if "idempotent" in marks_of(context, call):
        return Again.SAME
    if kind in STATEMENTS:
        found = _statement(context, call)
        if found is not None:
            return found
        if kind == "database":
            return Again.ANYTHING if touch.choice is Choice.ALL else Again.UNKNOWN
    if kind == "network_write":
        found = _request(context, call, ways)
        return Again.MORE if found is Again.SAME and _puts_new(context, call, ways) else found
    if kind == "write_file":
        is_more = _appends(context, call) or _is_new_file(context, call, ways) or replaces_part(context.program, call)
        return Again.MORE if is_more else Again.SAME
    found = by_name(callee_name(call.callee))
    if found is Again.SAME and kind == "database_write" and under_new_key(context, call, _entered(context, call, ways)):
        return Again.MORE
    return found or (Again.MORE if kind in SENDS else Again.UNKNOWN)


def by_name(name: str) -> Again | None:
    """What the name of a call says; None where it says nothing."""
    words = words_of(name)
    if {"or", "if", "upsert", "ensure", "conflict"} & set(words):  # getOrCreate, createOrUpdate, insertIfAbsent
        return Again.SAME
    if "increment" in words:
        return Again.MORE
    for number, word in enumerate(words):
        if word in ADDING:
            return Again.MORE
        if word in SETTING:
            return Again.SAME
        if word in MAKING:
            return Again.SAME if set(words[number + 1 :]) & NAMED else Again.MORE
    return None


def _declared(touch: Touch) -> Again:
    """What a library's own tool does: files are written over, all that is sent is there twice."""
    kind = touch.effect.kind
    if kind == "write_file":
        return Again.SAME
    if kind in SENDS:
        return Again.MORE
    if kind == "browser":
        return Again.ANYTHING
    return by_name(touch.symbol) or Again.UNKNOWN


def _statement(context: Context, call: ir.Call) -> Again | None:
    """What a statement of a database leaves, where one can be read."""
    texts = [text for text in _texts(context, call) if STATING.match(text)]
    for text in texts:
        if HARMLESS.search(text):
            return Again.SAME
    if any(INSERT.match(text) or COUNTING.search(text) for text in texts):
        return Again.MORE
    return Again.SAME if texts else None


def _texts(context: Context, call: ir.Call) -> Iterator[str]:
    """The texts of a call, and those of what its arguments are made of: `execute(text("INSERT …"))`."""
    yield from texts_in(context.program, call)
    yield from (text.replace(GAP, "…") for text in statements_of(context, call, STATEMENTS))
    for argument in call.args[:1]:
        yield from map(_with_names, (node for node in ir.walk(argument.value) if isinstance(node, ir.Template)))
        for value in context.program.value_of(argument.value):
            yield from map(_with_names, (value.node,) if isinstance(value, Text) else ())
            made = getattr(value, "node", None)
            if isinstance(made, ir.Call) and made is not call:
                yield from texts_in(context.program, made)
                yield f"{callee_name(made.callee)} …"
                if isinstance(made.callee, ir.Member) and isinstance(made.callee.target, ir.Call):
                    yield f"{callee_name(made.callee.target.callee)} …"


def _with_names(text: ir.Expr) -> str:
    """A text with the names of what is put into it: `set {column} = {column} - ?` counts."""
    parts = text.parts if isinstance(text, ir.Template) else ()
    return "".join(
        str(part.value) if isinstance(part, ir.Literal) else dotted(part).replace(".", "_") or "…" for part in parts
    )


def _request(context: Context, call: ir.Call, ways: CallPathsIn | None) -> Again:
    """A request by its method; one whose method cannot be read, or is one of several, is unknown."""
    name = callee_name(call.callee)
    if name.startswith("upload"):  # an object under its key
        return Again.SAME
    told = (
        [frozenset({name.lower()})] if METHOD.match(name) else [each for each in _methods(context, call, ways) if each]
    )
    if any(methods == {"post"} for methods in told):  # a way that posts; others may ask what is there
        ends = _ends_a_state(context, call, ways) or _is_told_a_state(context, call, ways)
        return Again.SAME if ends else Again.MORE
    if told:
        return Again.UNKNOWN if any("post" in methods for methods in told) else Again.SAME
    return by_name(name) or _by_chain(call) or Again.UNKNOWN


def _puts_new(context: Context, call: ir.Call, ways: CallPathsIn | None) -> bool:
    """Whether a request puts something at an address, or under a key, that is another one each time."""
    entered = _entered(context, call, ways)
    if any(is_fresh(context, key, entered=entered) for key in _object_keys(context, call)):
        return True
    named = callee_name(call.callee).lower() == "put" or any(each == {"put"} for each in _methods(context, call, ways))
    return named and bool(call.args) and is_fresh(context, call.args[0].value, entered=entered)


def _object_keys(context: Context, call: ir.Call) -> Iterator[ir.Expr]:
    """The names under which an object is put into a store: `put_object(Key=…)`, `new PutObjectCommand({ Key: … })`."""
    if words_of(callee_name(call.callee))[:1] not in (["put"], ["upload"], ["copy"]):
        return
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.lower() in OBJECT_KEYS:
            yield argument.value
        written = as_written(context.program, argument.value)
        yield from (
            entry.value
            for entry in (written.entries if isinstance(written, ir.Map) else ())
            if isinstance(entry.key, ir.Literal) and str(entry.key.value).lower() in OBJECT_KEYS
        )


def _ends_a_state(context: Context, call: ir.Call, ways: CallPathsIn | None) -> bool:
    """Whether the last word of an address puts something into a state, on each way to the call: `…/orders/7/cancel`."""
    entered = call_paths_to(context.program, ways, call) if ways else ()
    told = told_places(context.program, call, entered)
    words = ([found[1].lower() for text in texts if (found := LAST.search(text)) is not None] for texts in told)
    return all(not STATES.isdisjoint(each) for each in words)


def _is_told_a_state(context: Context, call: ir.Call, ways: CallPathsIn | None) -> bool:
    """Whether the commands that a helper is told to send end in the same state: `call("ship_delete", args)`."""
    entered = call_paths_to(context.program, ways, call) if ways else ()
    commands = commands_of(context.program, call, entered)
    return bool(commands) and all(by_name(command) is Again.SAME for command in commands)


def _is_new_file(context: Context, call: ir.Call, ways: CallPathsIn | None) -> bool:
    """Whether the name of a file is another one each time: `f"notes-{time.time()}.md"`."""
    entered = _entered(context, call, ways)
    return any(is_fresh(context, path, entered=entered) for _, path in given_to(context, call, FILES))


def _entered(context: Context, call: ir.Call, ways: CallPathsIn | None) -> frozenset[int]:
    """The ids of the calls by which a tool comes to another one."""
    found = call_paths_to(context.program, ways, call) if ways else ()
    return frozenset(id(one) for calls in found for one in calls)


def _by_chain(call: ir.Call) -> Again | None:
    """What a request is that is built first: `events().insert(…).execute()`."""
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    return by_name(callee_name(target.callee)) if isinstance(target, ir.Call) else None


def _methods(context: Context, call: ir.Call, ways: CallPathsIn | None) -> Iterator[frozenset[str]]:
    """The methods that a request names: `request("POST", url)`, `fetch(url, { method: "POST" })`, on each way."""
    program = context.program
    named: list[ir.Expr] = []
    for argument in call.args:
        options = [value for value in program.value_of(argument.value) if isinstance(value, Entries)]
        named += [expr for one in options for name, expr in one.entries if name == "method"]
        named += _handed_methods(program, argument.value)
        if argument.keyword == "method" or (argument is call.args[0] and not options):
            named.append(argument.value)
    for expr in named:
        entered = call_paths_to(program, ways, expr) if ways else ()
        told = [frozenset(_told(program, expr, way)) for way in entered]
        texts = told if any(told) else [frozenset(_known(program, expr))]
        yield from (frozenset(text.lower() for text in each if METHOD.match(text)) for each in texts)


def _handed_methods(program: Program, options: ir.Expr) -> Iterator[ir.Expr]:
    """What a method is that a wrapper's caller says: `fetch(url, { ...options, signal })`."""
    entries = tuple(entries_of(program, options))
    if not any(isinstance(entry.key, ir.Literal) and entry.key.value == "method" for entry in entries):
        spread = (entry.value for entry in entries if entry.key is None)
        whole = (each.value if isinstance(each, ir.Spread) else each for each in spread)
        yield from (program.made.member(each, "method") for each in whole if isinstance(each, (ir.Name, ir.Member)))


def _told(program: Program, expr: ir.Expr, way: Calls) -> Iterator[str]:
    """The texts that an expression is on one way; a default only where nothing is handed in."""
    match expr:
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *others)):
            handed = tuple(_told(program, first, way))
            yield from handed or (text for other in others for text in _told(program, other, way))
        case _:
            yield from (text for text in flow.constants(program, expr, way) if isinstance(text, str))


def _known(program: Program, expr: ir.Expr) -> Iterator[str]:
    values = (value.value for value in program.value_of(expr) if isinstance(value, Const))
    yield from (value for value in values if isinstance(value, str))


def _appends(context: Context, call: ir.Call) -> bool:
    """Whether a file is made longer: a mode with `a`, `appendFile`, a commit of a repository."""
    name = callee_name(call.callee)
    if name.lower().startswith("append") or (name == "commit" and isinstance(call.callee, ir.Member)):
        return True
    if name not in {"open", "fdopen", "openSync", "createWriteStream", "writeFile", "writeFileSync"}:
        return False
    for argument in call.args[0:3]:
        parts = [argument.value]
        if isinstance(as_written(context.program, argument.value), ir.Map):
            parts = [value for key, value in keyed(context.program, argument.value) if key in {"flag", "flags"}]
        elif argument is call.args[0] and name != "open":
            continue
        for part in parts:
            values = context.program.value_of(part)
            if any(
                isinstance(v, Const) and isinstance(v.value, str) and re.fullmatch(r"[abtx+s]*a[abtx+s]*", v.value)
                for v in values
            ):
                return True
    return False
