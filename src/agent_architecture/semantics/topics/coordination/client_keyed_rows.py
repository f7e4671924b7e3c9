"""Rows of databases, and files, that code around an agent asks for under an owner's key which a client sends.

A conversation that is kept under `request.session_id` is anybody's who knows, or guesses, the id, unless the code
finds out who asks. Stands where the key is taken from what the client sent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.owner_tests import asks_whose
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.memory import Memory
    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.topics.coordination.owner_keys import Keys

READS: Final = ("database", "database_read")
SENT: Final = "file_answer"
FILTER: Final = "filter"
OPENS: Final = ("read_file",)
JOINS: Final = frozenset({"join", "resolve", "Path", "joinpath", "str", "with_suffix", "expanduser", "absolute"})
"""Calls that make a path of parts, or of another path."""
PARTS: Final = 40
"""Expressions of a path that are looked at."""
WHERE: Final = frozenset({"where", "filter", "filter_by"})
INSERTS: Final = regex(r"\s*(?:insert|create)\b", re.IGNORECASE)
"""Statements that only put a row where others are."""
KEY: Final = regex(
    r"(?:^|_)(?:session|user|thread|conversation|chat|tenant|customer|client|account|owner|org|organi[sz]ation|workspace|vendor"
    r"|member|patient|employee|student)_?(?:id|uuid|uid)$"
)
"""What keys of owners are called."""
KNOWS: Final = regex(
    r"auth|token|jwt|claims|principal|identity|current_?user|get_?user|server_?session|login|permission"
)
"""Calls by which code finds out who asks."""


class AskedRows:
    """Answers for all code around agents."""

    def __init__(self, work: Work, near: Near, keys: Keys) -> None:
        self._work = work
        self._program = work.context.program
        self._near = near
        self._keys = keys

    def all(self, memories: Iterable[Memory]) -> Iterator[Shared]:
        """Every key that a client sends, once for the function that answers it: one around an agent, or one that asks
        for what agents remember (`memories`), or in a folder that code around agents knows.
        """
        kept = frozenset(memory.symbol for memory in memories if not memory.framework)
        found: dict[tuple[int, str], list[tuple[ir.Expr, Shared]]] = {}
        asked = [(call, key, Sharing.RECORDS) for call, key in (*self._queries(), *self._filters())]
        asked += [(call, key, Sharing.FILES) for call, key in self._files()]
        seen: set[tuple[int, str]] = set()
        for call, key, what in asked:
            for function, expr in self._keys.taken_from_client(key):
                name = expr.name if isinstance(expr, ir.Member) else dotted(key).rpartition(".")[2]
                if (id(function), name) in seen or not self._is_open(function):
                    continue
                if not self._near.to_agent(function) and not self._is_beside(call, kept):
                    continue
                seen.add((id(function), name))
                related = (call.span,) if call.span != expr.span else ()
                one = Shared(expr.span, called(call), "", what, name, chosen_by="client", related=related)
                holder = self._program.scope_of(key) if what is Sharing.FILES else function
                found.setdefault((id(holder), name), []).append((key, one._replace(confidence=Confidence.MEDIUM)))
        for (key, one), *more in found.values():
            # A folder is one holder: where several functions have a helper make its path, it stands there.
            yield one._replace(span=key.span, related=(one.span, *one.related)) if more else one

    def _is_beside(self, call: ir.Call, kept: frozenset[str]) -> bool:
        """Whether a call asks a table of what agents remember, or for a file of a folder, kept by a variable of the
        module, that code around agents uses as well.
        """
        scope = self._program.scope_of(call)
        module = self._program.module_of(call)
        if not isinstance(scope, ir.Function):
            return False
        said = {node.id for node in ir.walk(self._chain(call, scope)) if isinstance(node, ir.Name)}
        if said & kept:
            return True
        paths = (part.id for part in self._path(call) if isinstance(part, ir.Name))
        folders = {name for name in paths if name in self._program.bindings(module)}
        others = (f for f in module.index.functions if folders and f is not scope and self._near.to_agent(f))
        return any(
            isinstance(node, ir.Name) and node.id in folders
            for function in others
            for node in self._program.structure(function).nodes
        )

    def _filters(self) -> Iterator[tuple[ir.Call, ir.Expr]]:
        """Searches of stores of texts, with the keys of owners by which what they find is chosen:
        `collection.query(where={"client_id": client_id})`.
        """
        for match in self._work.context.of_kind("memory_read"):
            address = match.row.properties.get(FILTER)
            if address is None or match.arguments is None or not isinstance(match.node, ir.Call):
                continue
            for given in expressions(self._program, match.arguments, address):
                for node in ir.walk(given, *self._bound(given)):
                    for entry in node.entries if isinstance(node, ir.Map) else ():
                        if isinstance(entry.key, ir.Literal) and KEY.search(words_of(str(entry.key.value))):
                            yield match.node, entry.value

    def _bound(self, expr: ir.Expr) -> Iterator[ir.Expr]:
        bound = visible_bindings(self._program, expr) if isinstance(expr, ir.Name) else ()
        yield from (b.value for b in bound if b.kind == "assign" and b.value is not None and not b.steps)

    def _queries(self) -> Iterator[tuple[ir.Call, ir.Expr]]:
        """Requests to databases that look rows up, with the keys of owners in them; not those that look among the rows
        of who is signed in: `findOne({ _id: chatId, userId: req.session.userId })`.
        """
        for name in sorted(self._work.context.packs.effect_names(*READS)):
            for site in self._program.calls(name):
                for call, chain in self._chains(site.call, site.scope):
                    whole = tuple(ir.walk(chain, *self._statements(site.call)))
                    keys = tuple(node for node in whole if isinstance(node, (ir.Name, ir.Member)) and _is_key(node))
                    texts = (node.value for node in whole if isinstance(node, ir.Literal))
                    if not keys or any(isinstance(text, str) and INSERTS.match(text) for text in texts):
                        continue
                    if any(row.effect in READS for row, _ in self._work.effects.rows(site.call)):
                        yield from ((call, key) for key in (() if any(map(self._keys.is_known, keys)) else keys))

    def _chains(self, call: ir.Call, scope: ir.Scope) -> Iterator[tuple[ir.Call, ir.Expr]]:
        """The chain of a request, and those of the calls of a function that only begins one, and gives it back:
        `Turn.active(db).filter(…)`.
        """
        if isinstance(scope, ir.Function):
            chain = self._chain(call, scope)
            yield call, chain
            begins = any(chain is given for given in self._program.structure(scope).returns)
            for site in self._program.callers(scope) if begins else ():
                if isinstance(site.scope, ir.Function):
                    yield site.call, self._chain(site.call, site.scope)

    def _statements(self, call: ir.Call) -> Iterator[ir.Expr]:
        """The statements that a request is given by name: `statement = select(…).where(…)`."""
        for argument in call.args[:1]:
            bound = visible_bindings(self._program, argument.value) if isinstance(argument.value, ir.Name) else ()
            made = (b.value for b in bound if b.kind == "assign" and b.value is not None and not b.steps)
            yield from (one for one in made if any(map(_looks_up, ir.walk(one))))

    def _files(self) -> Iterator[tuple[ir.Call, ir.Expr]]:
        """Files that are read or sent, with keys of owners in their paths: `open(f"{folder}/{session_id}.json")`."""
        for name in sorted(self._work.context.packs.effect_names(*OPENS)):
            for site in self._program.calls(name):
                keys = self._keys_of(site)
                if keys and any(row.effect in OPENS for row, _ in self._work.effects.rows(site.call)):
                    yield from ((site.call, key) for key in keys)
        for site in self._sending():
            yield from ((site.call, key) for key in self._keys_of(site))

    def _sending(self) -> Iterator[CallSite]:
        """The calls that answer a client with a file."""
        packs = self._work.context.packs
        for name in sorted(packs.mark_names(SENT)):
            for site in self._program.calls(name):
                apis = resolved(self._program, site.call.callee)
                if any(row.covers == SENT for api in apis for row in packs.marks(api.path)):
                    yield site

    def _keys_of(self, site: CallSite) -> list[ir.Name | ir.Member]:
        parts = self._path(site.call) if isinstance(site.scope, ir.Function) else ()
        return [part for part in parts if isinstance(part, (ir.Name, ir.Member)) and _is_key(part)]

    def _path(self, call: ir.Call) -> tuple[ir.Expr, ...]:
        """What the path is put together of that a call is given, or is called on."""
        given = [argument.value for argument in call.args[:1]]
        given += [call.callee.target] if isinstance(call.callee, ir.Member) else []
        return tuple(reached(given, self._parts, PARTS))

    def _parts(self, path: ir.Expr) -> Iterator[ir.Expr]:
        """What a path is put together of, also by a function of the project."""
        match path:
            case ir.Name():
                yield from self._bound(path)
            case ir.Template(parts=parts):
                yield from parts
            case ir.Operator(op=ir.Op.DIV | ir.Op.ADD, operands=operands):
                yield from operands
            case ir.Call(callee=callee, args=args):
                own = self._program.callees(path)
                yield from (text for each in own for text in self._program.structure(each).returns)
                if not own and callee_name(callee) in JOINS:
                    yield from (argument.value for argument in args)
                    yield from (callee.target,) if isinstance(callee, ir.Member) else ()
            case _:
                return

    def _chain(self, call: ir.Call, scope: ir.Function) -> ir.Expr:
        """A call with all that is called on what it gives: `db.select().eq("session_id", id).execute()`."""
        structure = self._program.structure(scope)
        found: ir.Expr = call
        while isinstance(around := structure.parent(found), (ir.Member, ir.Call)):
            if isinstance(around, ir.Call) and around.callee is not found:
                break
            found = around
        return found

    def _is_open(self, function: ir.Function) -> bool:
        """Whether the function that answers does not find out who asks, compares nobody, and asks for no row that its
        owner has marked for others: `Talk.shared == True`.
        """
        structure = self._program.structure(function)
        knows = any(KNOWS.search(callee_name(call.callee)) for call in structure.calls)
        return not knows and not any(asks_whose(node) or _is_mark(node) for node in structure.nodes)


def _looks_up(node: ir.Node) -> bool:
    """Whether a statement that is put together asks for some rows alone: `select(Row).where(…)`."""
    return isinstance(node, ir.Call) and callee_name(node.callee) in WHERE


def _is_mark(node: ir.Node) -> bool:
    sides = node.operands if isinstance(node, ir.Operator) and node.op is ir.Op.EQ else ()
    is_true = any(isinstance(side, ir.Literal) and side.value is True for side in sides)
    return is_true and any(isinstance(side, ir.Member) for side in sides)


def _is_key(node: ir.Name | ir.Member) -> bool:
    return KEY.search(words_of(node.id if isinstance(node, ir.Name) else node.name)) is not None
