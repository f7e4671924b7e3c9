"""Logs of a project's own: a class that keeps what was learnt or said in a file or a database, and that a
model is asked with.

It stands where it is kept; one of which each use makes an object of its own stands where the class does. A cache,
settings and templates are read and written, too: the class says by its name that it remembers, or it only adds to what
is there, and an agent's tools read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import default
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.conversations.messages import is_turn
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.memories.containers import asks, holders, is_own
from agent_architecture.semantics.topics.memories.kept_files import DEPTH, PROGRAMS_OWN, AgentCode, opens_to_add
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.semantics.topics.memories.own_stores import KEEPING, place_of, touched_by
from agent_architecture.semantics.topics.memories.retention import kept_by
from agent_architecture.semantics.topics.memories.tables import SAID, SPEAKERS
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled

REMEMBERS: Final = regex(r"(?i)memor|histor|conversation|transcript|journal|reflection|lesson|knowledge")
LEARNS: Final = regex(
    r"(?<!In)Memor(?:y|ies)(?![a-z]|Queue|Task|Event|Rate|Transport|Pool|Lock|Bus|Broker|Backend|Leak|Monitor|Limit)"
    r"|Reflection|Lesson"
)
HANDBOOK: Final = regex(r"(?i)knowledge")
TALKS: Final = regex(r"(?i)conversation|chat|dialog|transcript|session|histor")
"""What a class is called that keeps what an agent learnt or heard; what those are called that keep it for the agent
itself, whatever way it takes from there, those that may keep what people give it to look things up in, and those that
keep what was said.
"""

TURNS: Final = regex(r"(?:^|_)(?:messages|history|turns?|conversation|transcript|chat_message|exchange)$")
"""What a method calls the turns that it is given."""
ADDS: Final = frozenset({"rpush", "lpush", "rPush", "lPush", "xadd", "xAdd", "appendFile", "appendFileSync"})
"""Calls that add to what is there."""


def logs(context: Context, agents: Agents, read: Recalled) -> Iterator[ByHand]:
    """The logs, each once, in the order in which models are asked with them; then those that tools read."""
    program, effects = context.program, agents.facts.effects
    owners = (function.outer for function in read.entered)
    found: dict[ir.Class, ByHand] = {}
    by_tools = AgentCode(context, agents, read)
    for cls in dict.fromkeys(owner for owner in owners if isinstance(owner, ir.Class)):
        touched = touched_by(context, effects, cls) if REMEMBERS.search(cls.name) else {}
        where = place_of(touched)
        if where and not asks(program, read, cls) and _is_its_own(program, by_tools, cls, touched[KEEPING[where][1]]):
            found[cls] = _log(context, cls, touched, where, _holder(program, read, cls))
    for cls in _remembering(program):
        touched = touched_by(context, effects, cls) if cls not in found and not asks(program, read, cls) else {}
        where = place_of(touched)
        if where and all(any(by_tools.has(program.scope_of(c)) for c in touched[kind]) for kind in KEEPING[where]):
            found[cls] = _log(context, cls, touched, where, _holder(program, read, cls))
    for cls in dict.fromkeys(_adding(program)):
        touched = touched_by(context, effects, cls) if cls not in found and not asks(program, read, cls) else {}
        where = place_of(touched)
        if where and any(by_tools.reads(call, program.scope_of(call)) for call in touched[KEEPING[where][0]]):
            found[cls] = _log(context, cls, touched, where, _holder(program, read, cls))
    yield from found.values()


def _is_its_own(program: Program, by_agents: AgentCode, cls: ir.Class, puts: list[ir.Call]) -> bool:
    """Whether agents write what is kept: what is called knowledge may be what people upload."""
    may_be_told = HANDBOOK.search(cls.name) is not None
    return not may_be_told or any(by_agents.has(program.scope_of(call)) for call in puts)


def _holder(program: Program, read: Recalled, cls: ir.Class) -> ir.Call | None:
    """Where an object of a class is kept: what others make of it, before what its own file does to try it out."""
    made = tuple(holders(program, read, cls, later=True))
    return next((call for call in made if call.span.path != cls.span.path), next(iter(made), None))


def _remembering(program: Program) -> Iterator[ir.Class]:
    """The classes of the application that say by their names that they remember what was learnt."""
    for module in program.modules:
        if module.role is not Role.TEST:
            yield from (cls for cls in module.index.classes if learns(cls))


def learns(cls: ir.Class) -> bool:
    """Whether a class says by its name that it keeps what an agent learnt."""
    return LEARNS.search(cls.name) is not None and not PROGRAMS_OWN.search(cls.name)


def keeps_turns(context: Context, cls: ir.Class, puts: Iterable[ir.Node]) -> bool:
    """Whether a class only keeps what was said as it was said: its name or a library's class that it extends says so,
    or each of its methods that puts something in is told turns, or writes who said what.
    """
    bases = (dotted(base).rpartition(".")[2] for base in cls.bases)
    if any(TALKS.search(name) for name in (cls.name, *bases)):
        return True
    scopes = {id(scope): scope for put in puts if isinstance(scope := context.program.scope_of(put), ir.Function)}
    return bool(scopes) and all(is_told_turns(each) or _writes_turn(context, each) for each in scopes.values())


def is_told_turns(method: ir.Function) -> bool:
    """Whether a method is given turns, or what a turn says and who says it, by the names of its parameters."""
    names = {words_of(param.name) for param in method.params}
    return bool(names & SPEAKERS and names & SAID) or any(map(TURNS.search, names))


def _writes_turn(context: Context, method: ir.Function) -> bool:
    return any(isinstance(node, ir.Map) and is_turn(context, node) for node in context.program.structure(method).nodes)


def _adding(program: Program) -> Iterator[ir.Class]:
    """The classes of which a method adds to a file or a list of a store; a file that the method is told the path of is
    its caller's: a tool that writes any file keeps no memory.
    """
    sites = [site for name in sorted(ADDS) for site in program.calls(name)]
    sites += [site for site in program.calls("open") if opens_to_add(site.call)]
    for site in sites:
        owner = site.scope.outer if isinstance(site.scope, ir.Function) else None
        if isinstance(owner, ir.Class) and not PROGRAMS_OWN.search(owner.name) and not _is_told_where(program, site):
            yield owner


def _is_told_where(program: Program, site: CallSite) -> bool:
    """Whether the path of a file is made of nothing but what its method is given: neither a text nor a part of the
    object stands in it.
    """
    given, seen, depth = [site.call.args[0].value] if site.call.args else [], False, 0
    while given and depth < DEPTH:
        parts = [part for expr in given for part in _parts(expr)]
        if any(isinstance(part, ir.Literal) or (isinstance(part, ir.Member) and is_own(part)) for part in parts):
            return False
        given, depth = [], depth + 1
        for name in (part for part in parts if isinstance(part, ir.Name)):
            for bound in visible_bindings(program, name):
                seen |= bound.kind == "parameter"
                if bound.value is not None and bound.kind != "parameter":
                    given.append(bound.value)
    return seen and not given


def _parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The names and texts that an expression is made of; what is called with them is none."""
    match expr:
        case ir.Call():
            for argument in expr.args:
                yield from _parts(argument.value)
        case ir.Name() | ir.Member() | ir.Literal():
            yield expr
        case _:
            yield from (part for part in ir.walk(expr) if isinstance(part, (ir.Name, ir.Literal)))


def _log(
    context: Context, cls: ir.Class, touched: dict[str, list[ir.Call]], where: str, holder: ir.Call | None
) -> ByHand:
    taking, putting = KEEPING[where]
    methods = (node for node in cls.body if isinstance(node, ir.Function))
    told = kept_by(context, methods, touched[putting])
    symbol = cls.name if holder is None else context.symbol(holder) or cls.name
    is_talk = keeps_turns(context, cls, touched[putting])
    memory = Memory(
        cls.name_span if holder is None else holder.span,
        symbol,
        "",
        Holding.CONVERSATION if is_talk else Holding.FACTS,
        durable=default(True, where),
        bound=told.bound,
        ttl=told.ttl,
        namespace=told.namespace,
        deletes=told.deletes,
        contexts=(cls.name_span,) if is_talk else (),
    )
    return ByHand(memory, tuple(touched[putting]), tuple(touched[taking]))
