"""Calls that put texts where later runs find them, of memories that no library makes: the project's own classes that
keep facts in files, and objects that say by their names that they remember. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Holding
from agent_architecture.model.settings import ABSENT, unknown, written
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.model.memory import Memory, MemoryWrite
    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

REPLAYED: Final = frozenset({Holding.CONVERSATION, Holding.PROGRESS})
"""Memories whose entries only go on with what was said."""
KEEPER: Final = regex(
    r"(?:^|[._])(?:memory|memories|memory_?(?:store|manager|service|bank|client|provider)|long_?term_?memory|mem|ltm"
    r"|knowledge_?base|vector_?(?:store|db|memory))$",
    re.IGNORECASE,
)
"""What an object is called that remembers, and that nobody in the project makes."""
KEEPING: Final = regex(
    r"^a?(?:store|save|add|insert|upsert|put|remember|write|record|create)"
    r"(?:_?(?:memory|memories|fact|facts|texts?|documents?|entry|entries|item|experience|episode))?$",
    re.IGNORECASE,
)
FINDING: Final = regex(r"^a?(?:search|retrieve|recall|query|get|load|find|similarity_?search|fetch)\w*$", re.IGNORECASE)
"""What its methods are called that put something in, and take something out."""

MOVING: Final = frozenset({
    "mkdir", "makedirs", "replace", "rename", "unlink", "touch", "rmdir", "remove", "chmod", "delete", "del", "expire",
    "ltrim", "lTrim", "flushdb", "flushDb", "rm", "rmtree", "copy", "copyfile", "copyFile", "move", "mkdirp",
    "ensureDir", "ensureFile", "emptyDir", "truncate", "utimes",
})  # fmt: skip
OPENING: Final = frozenset({"open", "openSync", "createWriteStream"})
PUTTING: Final = frozenset({"write", "writelines", "dump", "writerow", "writerows"})
"""Calls that change files or stores and write no text, those that open a file, and those that write into it."""
WHOLE: Final = frozenset({"dump"})
"""Such as write all of a file anew, which begins where it is opened."""
TAKING_OUT: Final = regex(r"\s*(?:delete\s+from|drop\s|truncate\s)", re.IGNORECASE)
"""Statements of a database that leave less than was there."""
ADDING: Final = regex(r"(?is)\s*(?:insert\s+(?:or\s+\w+\s+|ignore\s+)?|replace\s+)into\s+[^\s(]+\s*\(([^)]*)\)")
"""Statements that say of which columns the row is that they add."""
WORDLESS: Final = regex(
    r"(?i)(?:^|_)(?:id|uuid|key|hash|digest|checksum|sha\d*|md5|count|counter|total|size|length|offset|position|rank"
    r"|score|version|time|timestamp|date|ts|at|on|expires|expiry)$"
)
"""Columns and keys under which no sentence stands: what a row is found by, what is counted, and when it was."""


class Put(NamedTuple):
    """A call that puts texts into a memory."""

    node: ir.Node
    symbol: str
    framework: str
    texts: tuple[ir.Expr, ...]
    match: Match | None = None
    namespace: Setting = ABSENT
    ttl: Setting = ABSENT
    memories: tuple[Memory, ...] = ()
    confidence: Confidence = Confidence.HIGH


Puts: TypeAlias = tuple[Put, ...]


def of_rows(
    context: Context, writes: Iterable[MemoryWrite]
) -> Iterator[tuple[MemoryWrite, Match, ir.Call, tuple[ir.Expr, ...]]]:
    """What rows of packs put into memories: each write with its match, the call, and the texts that it is given."""
    by_span = {write.span: write for write in writes}
    for match in context.of_kind("memory_write"):
        write, address = by_span.get(match.node.span), match.row.properties.get("content")
        if write is not None and address is not None and isinstance(match.node, ir.Call):
            yield write, match, match.node, expressions(context.program, match.node, address)


def by_hand(context: Context, writes: tuple[MemoryWrite, ...]) -> Iterator[Put]:
    """Facts that the project's own classes keep in files."""
    for write in writes:
        memory = write.memories[0] if write.memories and not write.framework else None
        if memory is None or memory.framework or memory.holds in REPLAYED:
            continue
        scope = context.program.scope_of(ir.Name(write.span, ""))
        nodes = (n for n in context.program.structure(scope).nodes if n.span == write.span)
        found = next((n for n in nodes if isinstance(n, ir.Call)), None)
        node = _putting(context, found, scope) if found is not None else None
        if node is not None:
            texts = tuple(argument.value for argument in node.args)
            at = found if found is not None and callee_name(node.callee) in WHOLE else node
            yield Put(at, called(node), "", texts, None, _by_key(memory.namespace), memory.ttl, write.memories)


def _by_key(namespace: Setting) -> Setting:
    """Whose the entries of the project's own code are: what is written is the name of the key, or of the column that
    keeps them apart, and not the one owner that all of them have.
    """
    return namespace if namespace.span is None else unknown(str(namespace.value or "a key"), namespace.span)


def _putting(context: Context, call: ir.Call, scope: ir.Scope) -> ir.Call | None:
    """The call that puts a text into a file: of one that opens it, what is written next, first of all what the function
    is told; none that moves it, and no statement that takes rows out of a database.
    """
    if callee_name(call.callee).removesuffix("Sync") in MOVING or _takes_out(context, call) or _is_mark(context, call):
        return None
    if callee_name(call.callee) not in OPENING:
        return call
    calls = (c for c in context.program.structure(scope).calls if c.span > call.span)
    later = [c for c in calls if callee_name(c.callee) in PUTTING]
    given = {param.name for param in scope.params} if isinstance(scope, ir.Function) else set[str]()
    told = (c for c in later if any(isinstance(p, ir.Name) and p.id in given for a in c.args for p in ir.walk(a.value)))
    return next(told, next(iter(later), None))


def _takes_out(context: Context, call: ir.Call) -> bool:
    values = context.program.value_of(call.args[0].value) if call.args else ()
    texts = [value.value for value in values if isinstance(value, Const)]
    return bool(texts) and len(texts) == len(values) and all(TAKING_OUT.match(str(text)) for text in texts)


def _is_mark(context: Context, call: ir.Call) -> bool:
    """Whether a row that is added has only what it is found by, counts and times: that something was done, no text."""
    values = context.program.value_of(call.args[0].value) if call.args else ()
    texts = [ADDING.match(str(value.value)) if isinstance(value, Const) else None for value in values]
    columns = [column.strip(" \t\n`\"'[]") for text in texts if text is not None for column in text[1].split(",")]
    return bool(columns) and None not in texts and all(map(WORDLESS.search, columns))


def by_name(context: Context, comes_to_agents: Callable[[ir.Call], bool]) -> tuple[Put, ...]:
    """Calls that say by their names what they do, of objects that nobody in the project makes and that an agent's code
    asks somewhere what they keep: what only a route hands out is nobody's memory.
    """
    calls = [call for m in context.program.modules for s in m.code for call in _named(context, s)]
    finding = [call for call in calls if FINDING.match(_name(call)) and comes_to_agents(call)]
    found = {dotted(call.callee.target) for call in finding if isinstance(call.callee, ir.Member)}
    return tuple(_puts(context, calls, found))


def _puts(context: Context, calls: list[ir.Call], found: set[str]) -> Iterator[Put]:
    for call in calls:
        target = call.callee.target if isinstance(call.callee, ir.Member) else None
        if target is None or not KEEPING.match(_name(call)) or dotted(target) not in found or not call.args:
            continue
        if context.at(call, "memory_write") is None:
            texts = tuple(argument.value for argument in call.args if not _is_owner(argument.keyword))
            owner = next((a for a in call.args if _is_owner(a.keyword)), None)
            namespace = ABSENT if owner is None else _owner(owner.value)
            yield Put(call, called(call), "", texts, None, namespace, confidence=Confidence.MEDIUM)


def _named(context: Context, scope: ir.Scope) -> Iterator[ir.Call]:
    for name, calls in context.program.calls_in(scope).items():
        if KEEPING.match(name) or FINDING.match(name):
            for call in calls:
                if not isinstance(call.callee, ir.Member) or not KEEPER.search(dotted(call.callee.target)):
                    continue
                if not context.program.callees(call) and not resolved(context.program, call.callee):
                    yield call


def _owner(expr: ir.Expr) -> Setting:
    return written("", expr.span) if isinstance(expr, ir.Literal) else unknown(dotted(expr) or "a key", expr.span)


def _name(call: ir.Call) -> str:
    return call.callee.name if isinstance(call.callee, ir.Member) else ""


def _is_owner(keyword: str | None) -> bool:
    return (
        keyword is not None
        and re.search(r"(?i)(?:user|tenant|owner|session|agent)_?(?:id)?$|namespace", keyword) is not None
    )
