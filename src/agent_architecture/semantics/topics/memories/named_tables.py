"""Tables and collections that code names by a text, and in which agents' conversations or facts are kept: by
statements (`insert into turns (role, content) …`), and by a client's methods (`db.from("turns").insert(…)`).

What makes a table one are its columns (who spoke and what was said, a question and its answer, a list of turns) or its
name, where it holds what was learnt. Code of an agent writes it, and what is read comes to a model or to the code
around a run: business data that tools look up and change are none. Tables that classes or calls declare: `tables.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import NOT_SHOWN, Holding, Memory
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.options import as_written
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of, text_of, with_gaps
from agent_architecture.names.values import Api
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.effects.statements import SET, TABLE
from agent_architecture.semantics.topics.instructions.client_turns import TURNS
from agent_architecture.semantics.topics.memories.containers import asks, holders, is_own
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.semantics.topics.memories.table_reads import shown
from agent_architecture.semantics.topics.memories.tables import ANSWERED, ASKED, OWNERS, SAID, SPEAKERS
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.kept_files import AgentCode
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled
    from agent_architecture.sources.source import Span

MADE: Final = regex(rf"(?is)^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?{TABLE}\s*\((.*)\)")
ADDED: Final = regex(rf"(?is)^\s*(?:insert\s+(?:or\s+\w+\s+|ignore\s+)?|replace\s+)into\s+{TABLE}\s*(?:\(([^)]*)\))?")
CHANGED: Final = regex(rf"(?is)^\s*update\s+{TABLE}\s+set\s+(.*?)(?:\swhere\s.*)?$")
ASKED_FOR: Final = regex(rf"(?is)^\s*(?:with\b.*?\)\s*)?select\s+(.*?)\sfrom\s+{TABLE}(.*)$")
TAKEN: Final = regex(rf"(?is)^\s*delete\s+from\s+{TABLE}")
WORD: Final = regex(r"^\W*(\w+)")
LIMIT: Final = regex(r"(?i)\blimit\s+(\d+)?")
STATEMENT: Final = regex(r"(?i)^\s*(?:select|with|insert|replace|update|delete|create)\s")

STATING: Final = ("execute", "executemany", "executescript", "query", "prepare", "fetch", "fetchrow", "fetch_all",
                  "fetchOne", "fetch_one", "fetchAll", "unsafe", "$queryRawUnsafe", "$executeRawUnsafe")  # fmt: skip
"""Calls that hand a statement to a database."""
SAYING: Final = ("run", "all", "get", "exec", "raw")
"""The same, of which most are something else: a statement stands in the call."""
PUTTING: Final = ("insert", "upsert", "update", "insertOne", "insertMany", "insert_one", "insert_many", "updateOne",
                  "update_one", "replace_one", "replaceOne", "find_one_and_update", "findOneAndUpdate", "create",
                  "createMany", "add", "set")  # fmt: skip
TAKING: Final = ("select", "find", "findOne", "findMany", "findFirst", "findUnique", "find_one", "aggregate", "get",
                 "stream", "getDocs")  # fmt: skip
CHANGING: Final = regex(r"(?i)update|replace|find")
"""Those that may change a row that is there."""
DELETING: Final = ("delete", "deleteOne", "deleteMany", "delete_one", "delete_many")
NAMING: Final = frozenset({"from", "from_", "table", "collection", "get_collection", "subcollection"})
"""Calls of a client that name a table."""
CLIENTS: Final = regex(r"(?i)PrismaClient|MongoClient|firestore|supabase")
"""Whose attributes are tables, by a library's path."""
TALK: Final = regex(r"(?:^|_)(?:messages|history|conversation|transcript|turns|dialog(?:ue)?)(?:_(?:json|data|log))?$")
"""Columns that hold turns, in lower case with `_` between words."""
CHAT: Final = regex(
    r"(?:^|_)(?:(?:chat|conversation|message|dialog(?:ue)?|session|thread)s?_?(?:history|logs?|messages|turns|events)"
    r"|messages|turns|utterances)$"
)
"""What tables of turns are called."""
FACTS: Final = regex(
    r"(?:^|_)(?:memory|memories|facts|preferences|lessons|insights|notes|reflections)(?:_(?:snapshots?|entries|items))?$"
)
"""What tables are called that keep what was learnt."""
WRITES: Final = ("put", "changed")
"""Where a table stands: at what adds to it, before what changes it."""
DEPTH: Final = 2
"""Variables through which a table is followed."""


class _Use(NamedTuple):
    """A call that reads, writes or empties a table. `bound` is how many rows it asks for."""

    table: str
    kind: str
    columns: frozenset[str]
    call: ir.Call
    scope: ir.Scope
    bound: Setting = ABSENT


def named_tables(context: Context, own: AgentCode, read: Recalled, known: frozenset[Span]) -> Iterator[ByHand]:
    """The memories, each once; none of those that the calls at `known` places put something in."""
    found: dict[str, list[_Use]] = {}
    for use in sorted(_uses(context), key=lambda one: one.call.span):
        found.setdefault(use.table.lower(), []).append(use)
    places: set[tuple[str, int]] = set()
    for table, uses in found.items():
        for one in _memories(context, own, read, table, uses):
            at = (one.memory.span.path, one.memory.span.line)
            if at not in places and not any(node.span in known for node in one.put):
                places.add(at)
                yield one


def _memories(context: Context, own: AgentCode, read: Recalled, table: str, uses: list[_Use]) -> Iterator[ByHand]:
    """One for each class that writes the table, and one for all functions that do."""
    columns = frozenset().union(*(use.columns for use in uses))
    is_talk = _is_talk(table, columns)
    if not is_talk and not FACTS.search(words_of(table)):
        return
    by_class: dict[ir.Class | None, list[_Use]] = {}
    for use in uses:
        by_class.setdefault(enclosing_class(context.program, use.scope), []).append(use)
    for own_uses in by_class.values():
        puts = [use for kind in WRITES for use in own_uses if use.kind == kind and own.has(use.scope)]
        reads = [use for use in (*own_uses, *uses) if use.kind == "read"]
        asked = [use for use in reads if own.reads(use.call, use.scope) or (is_talk and own.has(use.scope))]
        asked = asked or [use for use in reads if is_talk and _is_sent_back(context.program, own, puts)]
        if puts and asked:
            yield _memory(context, read, uses, puts, asked)


def _memory(context: Context, read: Recalled, uses: list[_Use], puts: list[_Use], asked: list[_Use]) -> ByHand:
    table, columns = puts[0].table, frozenset().union(*(use.columns for use in uses))
    is_talk = _is_talk(table, columns)
    place, symbol = _kept_at(context, read, puts[0], table)
    owner = next((name for name in sorted(columns) if OWNERS.search(words_of(name))), None)
    deleted = next((use.call.span for use in uses if use.kind == "deleted" and _runs(context.program, use)), None)
    first = next((use for use in asked if id(use.call) in read.nodes), asked[0])
    lists = shown(context.program, read, first.call, None) if is_talk and id(first.call) in read.nodes else ()
    overflow = ABSENT if first.bound is ABSENT else written(NOT_SHOWN, first.call.span)
    if first.bound is not ABSENT:
        lists = tuple(one._replace(bound=first.bound, overflow=overflow) for one in lists)
    memory = Memory(
        place,
        symbol,
        "",
        Holding.CONVERSATION if is_talk else Holding.FACTS,
        durable=default(True, "a database"),
        bound=first.bound,
        overflow=overflow,
        namespace=ABSENT if owner is None else written(owner, puts[0].call.span),
        deletes=ABSENT if deleted is None else written(True, deleted),
        contexts=tuple(one.span for one in lists),
    )
    return ByHand(memory, tuple(use.call for use in puts), tuple(use.call for use in asked), shown=lists)


def _is_sent_back(program: Program, own: AgentCode, puts: list[_Use]) -> bool:
    """Whether the code around a run that writes turns is sent those before by its client, who reads them here."""
    return any(
        TURNS.fullmatch(binding.name) and _is_of_request(binding)
        for use in puts
        for scope in own.around(use.scope)
        for group in program.bindings(scope).values()
        for binding in group
    )


def _is_of_request(binding: Binding) -> bool:
    value = binding.value
    parts = ir.walk(value) if value is not None and binding.kind == "assign" else ()
    return any(
        (isinstance(part, ir.Call) and callee_name(part.callee) in {"json", "get_json"})
        or (isinstance(part, ir.Member) and part.name == "body")
        for part in parts
    )


def _runs(program: Program, use: _Use) -> bool:
    return not isinstance(use.scope, ir.Function) or bool(use.scope.decorators or program.callers(use.scope))


def _is_talk(table: str, columns: frozenset[str]) -> bool:
    """Whether rows are turns, or hold them."""
    words = {words_of(name) for name in columns}
    if CHAT.search(words_of(table)) and any(word in SAID or ASKED.match(word) for word in words):
        return True
    if words & SPEAKERS and words & SAID:
        return True
    if all(any(form.match(word) for word in words) for form in (ASKED, ANSWERED, OWNERS)):
        return True
    return any(map(TALK.search, words)) and any(map(OWNERS.search, words))


def _kept_at(context: Context, read: Recalled, put: _Use, table: str) -> tuple[Span, str]:
    """The object or the class that writes a table; where that runs the agent itself, or there is none, the function."""
    cls = enclosing_class(context.program, put.scope)
    if cls is None or asks(context.program, read, cls):
        return ir.place_of(put.scope) if isinstance(put.scope, ir.Function) else put.call.span, table
    holder = next(holders(context.program, read, cls, later=True), None)
    if holder is None or cls.span.contains(holder.span):
        return cls.name_span, cls.name
    return holder.span, context.symbol(holder) or cls.name


# ------------------------------------------------------------------------------------------------------ what calls do
def _uses(context: Context) -> Iterator[_Use]:
    program = context.program
    for name in (*STATING, *SAYING):
        for site in _application(program, name):
            text = _statement(program, site.call, written_there=name in SAYING)
            yield from _stated(site, text) if STATEMENT.match(text) else ()
    for names, kind in ((PUTTING, "put"), (TAKING, "read"), (DELETING, "deleted")):
        for name in names:
            for site in _application(program, name):
                callee = site.call.callee
                table = _table(program, callee.target, DEPTH) if isinstance(callee, ir.Member) else ""
                if table:
                    columns = frozenset(_columns(program, site.call))
                    how = "changed" if kind == "put" and CHANGING.match(name) else kind
                    yield _Use(table, how, columns, site.call, site.scope, _chained(program, site, kind))


def _application(program: Program, name: str) -> Iterator[CallSite]:
    return (site for site in program.calls(name) if program.module_of(site.call).role is not Role.TEST)


def _statement(program: Program, call: ir.Call, *, written_there: bool) -> str:
    given = call.args[0].value if call.args else None
    if isinstance(given, ir.Call) and len(given.args) == 1:  # text("…")
        given = given.args[0].value
    if given is None or (written_there and isinstance(given, (ir.Name, ir.Member, ir.Call))):
        return ""
    return with_gaps(pieces_of(program, given))


def _stated(site: CallSite, text: str) -> Iterator[_Use]:
    """What a statement does with the table that it names first."""
    if (made := MADE.match(text)) is not None:
        yield _Use(made[1], "made", _listed(made[2]), site.call, site.scope)
    elif (added := ADDED.match(text)) is not None:
        yield _Use(added[1], "put", _listed(added[2] or ""), site.call, site.scope)
    elif (changed := CHANGED.match(text)) is not None:
        yield _Use(changed[1], "changed", frozenset(SET.findall(changed[2])), site.call, site.scope)
    elif (asked := ASKED_FOR.match(text)) is not None:
        limit = LIMIT.search(asked[3])
        size = int(limit[1]) if limit is not None and limit[1] else "a limit"
        bound = ABSENT if limit is None or size == 1 else written(size, site.call.span)
        yield _Use(asked[2], "read", _listed(asked[1]), site.call, site.scope, bound)
    elif (taken := TAKEN.match(text)) is not None:
        yield _Use(taken[1], "deleted", frozenset(), site.call, site.scope)


def _listed(text: str) -> frozenset[str]:
    """The columns that a list names."""
    return frozenset(found[1] for part in text.split(",") if (found := WORD.match(part.rpartition(".")[2])) is not None)


def _chained(program: Program, site: CallSite, kind: str) -> Setting:
    """How many rows the chain behind a call takes: `.select("*").limit(20)`."""
    for around in program.structure(site.scope).ancestors(site.call) if kind == "read" else ():
        if isinstance(around, ir.Call) and callee_name(around.callee) == "limit" and around.args:
            return written("a limit", around.span)
        if not isinstance(around, (ir.Call, ir.Member)):
            break
    return ABSENT


def _table(program: Program, target: ir.Expr, depth: int) -> str:
    """The table that an expression stands for; "" for anything else."""
    match target:
        case ir.Call(callee=ir.Member(name=name), args=[given, *_]) if name in NAMING:
            return text_of(program, given.value) or ""
        case ir.Call(callee=ir.Member(name="document" | "doc", target=inner)):
            return _table(program, inner, depth)
        case ir.Member(target=inner, name=name) if not is_own(target) and _is_client(program, inner):
            return name
        case ir.Index(target=inner, key=ir.Literal(value=str() as name)) if _is_client(program, inner):
            return name
        case ir.Name() | ir.Member() if depth:
            made = (_table(program, value, depth - 1) for value in _made(program, target))
            return next((name for name in made if name), "")
        case _:
            return ""


def _made(program: Program, target: ir.Name | ir.Member) -> Iterator[ir.Expr]:
    """What a variable, or an attribute of the object around, is set to."""
    if isinstance(target, ir.Name):
        yield from (b.value for b in visible_bindings(program, target) if b.kind == "assign" and b.value is not None)
        return
    around = enclosing_class(program, program.scope_of(target)) if is_own(target) else None
    bindings = program.attributes(around).get(target.name, ()) if around is not None else ()
    yield from (b.value for b in bindings if b.value is not None)


def _is_client(program: Program, expr: ir.Expr) -> bool:
    return any(isinstance(value, Api) and CLIENTS.search(value.path) is not None for value in program.value_of(expr))


def _columns(program: Program, call: ir.Call) -> Iterator[str]:
    """The keys of the objects that a call is given, and the columns that a text lists."""
    for argument in call.args:
        given = as_written(program, argument.value)
        if isinstance(given, ir.Literal) and isinstance(given.value, str):
            yield from _listed(given.value)
        for part in ir.walk(given):
            if isinstance(part, ir.Map):
                yield from (str(entry.key.value) for entry in part.entries if isinstance(entry.key, ir.Literal))
