"""What code does in passing, on the way of something else: an answer is put into a cache, a hook of the project runs.

A cache holds what was asked for, under what it was asked with: nobody misses it. What a model says, or what a request
left, is kept there as in any other store, however the store is called and whenever it forgets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import words_of
from agent_architecture.names import flow
from agent_architecture.names.flow import Origin
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.call_paths_in import call_paths_to
from agent_architecture.semantics.effects.calls import rows_of
from agent_architecture.semantics.effects.idempotency import is_fresh
from agent_architecture.semantics.effects.requests import asks
from agent_architecture.semantics.effects.service_clients import ServiceClients
from agent_architecture.semantics.effects.statement_words import STATEMENT, by_first_word
from agent_architecture.semantics.effects.statements import statements_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.callgraph.call_paths_in import CallPathsIn
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EffectRow

CACHES: Final = frozenset({"cache", "cached", "caches", "caching", "memo", "memoize", "memoized"})
"""Words of what keeps results by what they were asked for."""
HOOKS: Final = frozenset({"hook", "hooks"})
"""Words of what runs programs of whoever runs the agent, before or after what it does."""
STORES: Final = frozenset({"database_write", "write_file"})
LINES: Final = frozenset({"execute_shell", "execute_process"})
FOLDERS: Final = frozenset({"mkdir", "makedirs", "mkdirp", "mkdirSync"})
"""Calls that only make a folder."""
ASKED: Final = frozenset({"database_read", "network_read", "read_file"})
"""Effects that bring an answer and leave nothing."""
DATABASE: Final = "database"
"""The effect of a statement that may do either."""
UNDER: Final = frozenset({"database_read", "read_file"})
"""Those that bring what is kept under a key."""
HASHES: Final = frozenset({"sha1", "sha256", "sha512", "md5", "blake2b", "blake2s", "xxh64", "hash", "createHash"})
"""Calls of whose answer nobody tells what it was made of."""
WRITING: Final = frozenset({"write", "writelines", "dump"})
"""Calls that write to what was opened before, or to a file that they are handed."""
REMOTE: Final = "remote"
"""The mark of what is asked for over the network and leaves nothing there: an embedding, a picture."""
ANSWER: Final = "answer"
OWN: Final = "kept before"


class Code(NamedTuple):
    """The code of a tool: its function, or a dispatcher, and the ids of all calls that it comes to."""

    scope: ir.Scope
    calls: frozenset[int]


def is_in_passing(  # noqa: PLR0913, PLR0917 - one effect of one call, where a tool comes to it
    context: Context, row: EffectRow, made: ir.Call, at: ir.Call, tool: Code, ways: CallPathsIn
) -> bool:
    """Whether the call `at` of the code of a tool, which makes a library's call, only does something on the way."""
    if row.effect in LINES:
        return _stands_in(context, at, tool.scope, HOOKS)
    if row.effect not in STORES:
        return False
    if callee_name(made.callee) in FOLDERS:
        return _stands_in(context, at, tool.scope, CACHES)
    keys = () if row.argument is None else tuple(expressions(context.program, made, row.argument))
    before = frozenset(_kept_before(context, at, keys))
    is_cache = bool(before) or _stands_in(context, at, tool.scope, CACHES) or not CACHES.isdisjoint(_on(made))
    if not is_cache or not keys or any(is_fresh(context, key) for key in keys):
        return False
    put = tuple(_put(context, made, at, keys))
    entered = call_paths_to(context.program, ways, at) or ((),)
    return bool(put) and all(_holds_answers(context, keys, put, before, tool, way) for way in entered)


def _stands_in(context: Context, call: ir.Call, tool: ir.Scope, words: frozenset[str]) -> bool:
    """Whether a call stands in a function or class, below the tool, that has one of these words in its name."""
    scope: ir.Scope | None = context.program.scope_of(call)
    while isinstance(scope, (ir.Function, ir.Class)) and scope is not tool:
        if not words.isdisjoint(words_of(scope.name)):
            return True
        scope = scope.outer
    return False


def _on(call: ir.Call) -> set[str]:
    """The words of what a method is called on: `self.cache.set(key, value)`."""
    return set(words_of(dotted(call.callee.target))) if isinstance(call.callee, ir.Member) else set()


def _kept_before(context: Context, at: ir.Call, keys: tuple[ir.Expr, ...]) -> Iterator[int]:
    """The ids of the calls before it, in its function, that ask what is kept under the same key."""
    names = {name for key in keys if isinstance(key, (ir.Name, ir.Member)) and (name := dotted(key))}
    structure = context.program.structure(context.program.scope_of(at))
    for call in structure.calls if names else ():
        if call.span < at.span and not structure.excludes(call, at):
            for row, made in rows_of(context, call):
                asked = () if row.argument is None or row.effect not in UNDER else (row.argument,)
                if any(dotted(key) in names for one in asked for key in expressions(context.program, made, one)):
                    yield id(call)


def _put(context: Context, made: ir.Call, at: ir.Call, keys: tuple[ir.Expr, ...]) -> Iterator[ir.Expr]:
    """What is put under a key: the other arguments of the call; of a file that it opens, all that is written there."""
    given = [argument.value for argument in made.args if not any(argument.value is key for key in keys)]
    if callee_name(made.callee) != "open":
        yield from given
        return
    for call in context.program.structure(context.program.scope_of(at)).calls:
        if callee_name(call.callee) in WRITING:
            yield from (argument.value for argument in call.args[:1])


def _holds_answers(  # noqa: PLR0913, PLR0917 - one store, on one way
    context: Context,
    keys: tuple[ir.Expr, ...],
    put: tuple[ir.Expr, ...],
    before: frozenset[int],
    tool: Code,
    way: Calls,
) -> bool:
    """Whether what is put there was asked of others, and holds nothing of what the tool was told but its key."""
    program = context.program
    under = _words_of_keys(context, keys, way)

    def reader(node: ir.Expr, passed: frozenset[str]) -> list[Origin] | None:
        del passed
        if isinstance(node, (ir.Name, ir.Member)) and (id(program.scope_of(node)), dotted(node)) in under:
            return []
        if not isinstance(node, ir.Call):
            return None
        if id(node) in before or (id(node) not in tool.calls and context.at(node, "model_call", "run") is not None):
            return [Origin("name", node, OWN)]  # what a model answers outside of the tool, it tells the tool
        if callee_name(node.callee) in HASHES:
            return []
        return [Origin("name", node, ANSWER)] if _is_asked(context, node) else None

    found = [origin for expr in put for origin in flow.origins(program, expr, reader, way)]
    told = any(origin.name == OWN or (origin.kind == "parameter" and origin.node is tool.scope) for origin in found)
    return not told and any(origin.name == ANSWER for origin in found)


def _words_of_keys(context: Context, keys: tuple[ir.Expr, ...], way: Calls) -> frozenset[tuple[int, str]]:
    """The variables and parts of objects that keys are made of, each with the id of the scope that it is named in."""
    program, found = context.program, set[tuple[int, str]]()

    def reader(node: ir.Expr, passed: frozenset[str]) -> None:
        del passed
        if isinstance(node, (ir.Name, ir.Member)) and (name := dotted(node)):
            scope = program.scope_of(node)
            structure = program.structure(scope)
            around = structure.parent(node)
            of_part = isinstance(around, ir.Member)
            outer = structure.parent(around) if of_part and around is not None else None
            if not of_part or (isinstance(outer, ir.Call) and outer.callee is around):
                found.add((id(scope), name))

    for key in keys:
        flow.origins(program, key, reader, way)
    return frozenset(found)


def _only_reads(context: Context, call: ir.Call) -> bool:
    """Whether all statements that a call hands to a database can be read, and ask for something."""
    texts = statements_of(context, call, (DATABASE,))
    return bool(texts) and all(STATEMENT.match(text) and by_first_word(text) in ASKED for text in texts)


def _is_asked(context: Context, call: ir.Call) -> bool:
    """Whether a call asks others: a model, a service, a store, another machine."""
    if context.at(call, "model_call", "run", "retrieval") is not None:
        return True
    rows = rows_of(context, call)
    if rows:
        return all(
            row.effect in ASKED
            or (row.effect == "network_write" and asks(context.program, made))
            or (row.effect == DATABASE and _only_reads(context, made))
            for row, made in rows
        )
    apis = [api.path for api in resolved(context.program, call.callee)]
    if any(mark.covers == REMOTE for path in apis for mark in context.packs.marks(path)):
        return True
    return any(map(context.once(ServiceClients).may_ask, apis))
