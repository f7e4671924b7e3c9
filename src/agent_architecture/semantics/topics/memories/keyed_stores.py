"""Conversations under a key of a store: code reads what stands there, asks a model with it, and writes it back, longer
(`store.get(f"chat:{user}")` … `store.set(f"chat:{user}", turns)`).

The key makes them one: its constant words are the same where it is read and written. Which calls read and write is
known from the packs, in functions of the project that only hand on to them, too. A cache of anything else is no memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.options import as_written, options_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of, with_gaps
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.trims import kept_of, size_kept
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.semantics.topics.memories.table_reads import shown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled
    from agent_architecture.sources.source import Span

# Methods of stores whose first argument is a key: of lists and records, too.
READING: Final = ("get", "lrange", "lRange", "hget", "hGet", "hgetall", "hGetAll")
WRITING: Final = ("set", "setex", "setEx", "rpush", "rPush", "lpush", "lPush", "hset", "hSet")
DELETING: Final = ("delete", "del", "unlink")
ENDS: Final = frozenset({"lrange", "lRange"})
EXPIRING: Final = ("expire", "pexpire", "expireat", "pExpire")
TIMED: Final = frozenset({"setex", "setEx"})
TIMES: Final = frozenset({"ex", "px", "EX", "PX", "ttl", "expire", "expiration", "exat", "EXAT"})
"""What says, of what is written, when it goes."""
READ: Final = "database_read"
WRITTEN: Final = "database_write"
WORD: Final = regex(r"[A-Za-z]+(?:[_-][A-Za-z]+)*")
LAST: Final = ("value", "ttl")
"""What a call that writes is given behind the key."""


class _At(NamedTuple):
    site: CallSite
    key: ir.Expr
    name: str
    """The constant words of the key, with a gap for each that is not."""


def keyed_stores(context: Context, effects: Effects, read: Recalled, known: frozenset[Span]) -> Iterator[ByHand]:
    """The memories, one for each key; none of those that the calls at `known` places put something in."""
    taken: dict[str, list[_At]] = {}
    for at in _calls(context, effects, READING, READ):
        if id(at.site.call) in read.nodes:
            taken.setdefault(at.name, []).append(at)
    if not taken:
        return
    puts = [at for at in _calls(context, effects, WRITING, WRITTEN) if at.site.call.span not in known]
    for name, reads in taken.items():
        put = [at for at in puts if at.name == name]
        if put and (_is_talk(name) or any(map(_keeps_talk, put))):
            yield _memory(context, effects, read, reads, put)


def _calls(context: Context, effects: Effects, names: tuple[str, ...], effect: str) -> Iterator[_At]:
    for name in names:
        for site in context.program.calls(name):
            if (
                isinstance(site.call.callee, ir.Member)
                and site.call.args
                and _does(context.program, effects, site, effect)
            ):
                key = site.call.args[0].value
                words = with_gaps(pieces_of(context.program, key))
                if WORD.search(words):
                    yield _At(site, key, words)


def _does(program: Program, effects: Effects, site: CallSite, effect: str) -> bool:
    if any(row.effect == effect for row, _ in effects.rows(site.call)):
        return True
    return any(one.kind == effect for function in program.callees(site.call) for one in effects.of(function))


def _is_talk(words: str) -> bool:
    """Whether the words of a key say that a conversation stands there: `chat-history:…`."""
    return any(is_said(word.replace("-", "_")) for word in WORD.findall(words))


def _keeps_talk(at: _At) -> bool:
    """Whether what is written is called as a conversation is, as it is or as a text made of it."""
    given = (node for argument in at.site.call.args[1:] for node in ir.walk(argument.value))
    return any(is_said(dotted(node).rpartition(".")[2]) for node in given if isinstance(node, (ir.Name, ir.Member)))


def _memory(context: Context, effects: Effects, read: Recalled, reads: list[_At], puts: list[_At]) -> ByHand:
    program, name = context.program, reads[0].name
    place, symbol = _kept_at(context, puts[0].site.call)
    gap = next((piece for piece in pieces_of(program, puts[0].key) if not isinstance(piece, str)), None)
    deleted = next(_calls_of(context, effects, DELETING, name), None)
    expiring = next(_calls_of(context, effects, EXPIRING, name), None)
    times = (each for at in puts if (each := _time(program, at.site.call)) is not None)
    ttl = next(times, written("a time", expiring.site.call.span) if expiring is not None else ABSENT)
    bound = next((size for at in (*puts, *reads) if (size := _size(program, at)) is not None), ABSENT)
    overflow = ABSENT if bound is ABSENT else written("drop", bound.span or place)
    lists = shown(program, read, reads[0].site.call, None)
    if bound is not ABSENT:
        lists = tuple(one._replace(bound=bound, overflow=overflow) for one in lists)
    memory = Memory(
        place,
        symbol,
        "",
        Holding.CONVERSATION,
        durable=default(True, "a database"),
        bound=bound,
        overflow=overflow,
        ttl=ttl,
        namespace=ABSENT if gap is None else written(dotted(gap) or "a key", gap.span),
        deletes=ABSENT if deleted is None else written(True, deleted.site.call.span),
        contexts=tuple(one.span for one in lists),
    )
    return ByHand(memory, tuple(at.site.call for at in puts), tuple(at.site.call for at in reads), shown=lists)


def _calls_of(context: Context, effects: Effects, names: tuple[str, ...], key: str) -> Iterator[_At]:
    return (at for at in _calls(context, effects, names, WRITTEN) if at.name == key)


def _kept_at(context: Context, put: ir.Call) -> tuple[Span, str]:
    """Where the store is made that a call writes to: the variable of a module; else the call."""
    target = put.callee.target if isinstance(put.callee, ir.Member) else put.callee
    for binding in visible_bindings(context.program, target) if isinstance(target, ir.Name) else ():
        if binding.kind == "assign" and isinstance(context.program.scope_of(binding.node), ir.Module):
            return binding.node.span, binding.name
    return put.span, dotted(target) or "the store"


def _time(program: Program, call: ir.Call) -> Setting | None:
    """When what a call writes goes again: `set(k, v, ex=60)`, `set(k, v, { EX: 60 })`, `setex(k, 60, v)`."""
    found = [value for key, value in options_of(program, call).items() if key in TIMES]
    behind = [argument.value for argument in call.args[1:] if argument.keyword is None]
    if callee_name(call.callee) in TIMED:
        found += behind[:1]
    elif len(behind) == len(LAST) and not isinstance(as_written(program, behind[1]), ir.Map):
        found += behind[1:]
    return size_kept(program, found[0]) if found else None


def _size(program: Program, at: _At) -> Setting | None:
    """How much stays of what is written, or is read of it: a slice of what a variable holds, the end of a list."""
    call = at.site.call
    if callee_name(call.callee) in ENDS:
        first = call.args[1].value if len(call.args) > 1 else None
        return size_kept(program, first) if isinstance(first, (ir.Operator, ir.Name, ir.Member)) else None
    for argument in call.args[1:]:
        for node in ir.walk(argument.value):
            bound = visible_bindings(program, node) if isinstance(node, ir.Name) else ()
            made = [binding.value for binding in bound if binding.kind == "assign"]
            kept = next((size for value in (*made, node) if (size := _slice(value)) is not None), None)
            if kept is not None:
                return size_kept(program, kept)
    return None


def _slice(value: ir.Node | None) -> ir.Expr | None:
    """What says how many the slice of a variable keeps: `turns[-8:]`, `turns.slice(-8)`."""
    match value:
        case ir.Index(target=ir.Name(id=name)) | ir.Call(callee=ir.Member(target=ir.Name(id=name))):
            return kept_of(value, name)
        case _:
            return None
