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
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.topics.coordination.owned_rows import asks_whose
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.topics.coordination.owner_keys import Keys

READS: Final = ("database", "database_read")
OPENS: Final = ("read_file",)
JOINS: Final = frozenset({"join", "resolve", "Path", "joinpath", "str", "with_suffix", "expanduser", "absolute"})
"""Calls that make a path of parts, or of another path."""
PARTS: Final = 40
"""Expressions of a path that are looked at."""
WHERE: Final = frozenset({"where", "filter", "filter_by"})
INSERTS: Final = regex(r"\s*(?:insert|create)\b", re.IGNORECASE)
"""Statements that only put a row where others are."""
KEY: Final = regex(
    r"(?:^|_)(?:session|user|thread|conversation|chat|tenant|customer|account|owner|org|organi[sz]ation|workspace|vendor"
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

    def all(self) -> Iterator[Shared]:
        """Every key that a client sends, once for the function that answers it."""
        seen: set[tuple[int, str]] = set()
        asked = [(call, key, Sharing.RECORDS) for call, key in self._queries()]
        asked += [(call, key, Sharing.FILES) for call, key in self._files()]
        for call, key, what in asked:
            for function, expr in self._keys.taken_from_client(key):
                name = expr.name if isinstance(expr, ir.Member) else dotted(key).rpartition(".")[2]
                if (id(function), name) in seen or not self._is_open(function) or not self._near.to_agent(function):
                    continue
                seen.add((id(function), name))
                related = (call.span,) if call.span != expr.span else ()
                one = Shared(expr.span, called(call), "", what, name, chosen_by="client", related=related)
                yield one._replace(confidence=Confidence.MEDIUM)

    def _queries(self) -> Iterator[tuple[ir.Call, ir.Expr]]:
        """Requests to databases that look rows up, with the keys of owners in them; not those that look among the rows
        of who is signed in: `findOne({ _id: chatId, userId: req.session.userId })`.
        """
        for name in sorted(self._work.context.packs.effect_names(*READS)):
            for site in self._program.calls(name):
                if not isinstance(site.scope, ir.Function):
                    continue
                chain = self._chain(site.call, site.scope)
                whole = tuple(ir.walk(chain, *self._statements(site.call)))
                keys = tuple(node for node in whole if isinstance(node, (ir.Name, ir.Member)) and _is_key(node))
                texts = (node.value for node in whole if isinstance(node, ir.Literal))
                if not keys or any(isinstance(text, str) and INSERTS.match(text) for text in texts):
                    continue
                if any(row.effect in READS for row, _ in self._work.effects.rows(site.call)):
                    yield from ((site.call, key) for key in (() if any(map(self._keys.is_known, keys)) else keys))

    def _statements(self, call: ir.Call) -> Iterator[ir.Expr]:
        """The statements that a request is given by name: `statement = select(…).where(…)`."""
        for argument in call.args[:1]:
            bound = visible_bindings(self._program, argument.value) if isinstance(argument.value, ir.Name) else ()
            made = (b.value for b in bound if b.kind == "assign" and b.value is not None and not b.steps)
            yield from (one for one in made if any(map(_looks_up, ir.walk(one))))

    def _files(self) -> Iterator[tuple[ir.Call, ir.Expr]]:
        """Files that are read, with the keys of owners in their paths: `open(f"{folder}/{session_id}.json")`."""
        for name in sorted(self._work.context.packs.effect_names(*OPENS)):
            for site in self._program.calls(name):
                if not isinstance(site.scope, ir.Function):
                    continue
                given = [argument.value for argument in site.call.args[:1]]
                given += [site.call.callee.target] if isinstance(site.call.callee, ir.Member) else []
                parts = reached(given, self._parts, PARTS)
                keys = [part for part in parts if isinstance(part, (ir.Name, ir.Member)) and _is_key(part)]
                if keys and any(row.effect in OPENS for row, _ in self._work.effects.rows(site.call)):
                    yield from ((site.call, key) for key in keys)

    def _parts(self, path: ir.Expr) -> Iterator[ir.Expr]:
        """What a path is put together of, also by a function of the project."""
        match path:
            case ir.Name():
                bound = visible_bindings(self._program, path)
                yield from (b.value for b in bound if b.kind == "assign" and b.value is not None and not b.steps)
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
        """Whether the function that answers does not find out who asks, and compares nobody."""
        structure = self._program.structure(function)
        knows = any(KNOWS.search(callee_name(call.callee)) for call in structure.calls)
        return not knows and not any(asks_whose(node) for node in structure.nodes)


def _looks_up(node: ir.Node) -> bool:
    """Whether a statement that is put together asks for some rows alone: `select(Row).where(…)`."""
    return isinstance(node, ir.Call) and callee_name(node.callee) in WHERE


def _is_key(node: ir.Name | ir.Member) -> bool:
    return KEY.search(words_of(node.id if isinstance(node, ir.Name) else node.name)) is not None
