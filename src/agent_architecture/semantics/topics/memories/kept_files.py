"""Files of a project's own in which its agents keep things: code adds to the file that it names, and an agent reads it.

A file that each run writes anew is a result, one that a program keeps for itself (settings, caches, keys) is nobody's
text. What a class keeps that says by its name that it remembers is found in `logs.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import default
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.langgraph import node_functions
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.taint.access_paths import places_at
from agent_architecture.semantics.topics.memories.containers import is_own
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.semantics.topics.memories.retention import kept_by
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled
    from agent_architecture.sources.source import Span

ADDING: Final = ("open", "appendFile", "appendFileSync")
REWRITING: Final = ("open", "write_text", "writeFile", "writeFileSync")
"""Calls that add to a file, and such as write it anew."""
READING: Final = ("open", "read_text", "readFile", "readFileSync")
LOADING: Final = frozenset({"load", "loads", "parse"})
DUMPING: Final = frozenset({"dump", "dumps", "stringify"})
"""Calls that make objects of what a file holds, and the text of objects."""
NAMED: Final = regex(r"(?i)[\w-]\.(?:jsonl?|md|txt|csv)$")
"""How the path of a file ends that holds text or objects."""
RECORDS: Final = regex(r"(?i)\.jsonl?$")
PROGRAMS_OWN: Final = regex(
    r"(?i)cache|config|setting|token|credential|secret|package|lock\b|schema|metric|\bstats?\b|version|usage|prompt"
    r"|fixture|manifest|result|output|report|checkpoint|state\b|registry|index|catalog"
)
"""What programs keep for themselves or hand out, by its name."""
MODES: Final = frozenset({"a", "ab", "at", "a+"})
DEPTH: Final = 4
"""Variables through which the name of a file is followed."""


class _At(NamedTuple):
    """A call that opens a file, with the name of the file and where it is written."""

    call: ir.Call
    scope: ir.Scope
    name: str
    place: Span


def kept_files(context: Context, agents: Agents, read: Recalled, known: frozenset[Span]) -> Iterator[ByHand]:
    """The files, each once; none of those that the calls at `known` places put something in."""
    own = AgentCode(context, agents, read)
    found: dict[str, list[_At]] = {}
    for at in _put(context, agents):
        found.setdefault(at.name, []).append(at)
    every = tuple(_taken(context, agents)) if found else ()
    for name, puts in found.items():
        near = [at for at in puts if own.has(at.scope)]
        taken = [at for at in every if at.name == name or _may_be(at, near)]
        is_sent = bool(taken) and _is_sent(context.program, read, puts)
        asked = [at for at in taken if is_sent or own.reads(at.call, at.scope) or _starts(context.program, at)]
        if near and asked and near[0].call.span not in known:
            yield _memory(context, name, near, asked, taken)


def _is_sent(program: Program, read: Recalled, puts: list[_At]) -> bool:
    """Whether a model is asked with the objects that are written, so that what is loaded is sent again."""
    dumped = (given for at in puts for given in _dumped(program, at.scope) if is_said(callee_name(given)))
    return any(place in read.places for given in dumped for place in places_at(program, given))


def _starts(program: Program, at: _At) -> bool:
    """Whether a file is read when its module is loaded: what it holds is there for all that the module does."""
    return any(isinstance(each, ir.Module) and each.path == at.call.span.path for each in above(program, [at.scope]))


def _memory(context: Context, name: str, puts: list[_At], asked: list[_At], taken: list[_At]) -> ByHand:
    calls = tuple(at.call for at in puts)
    scopes = dict.fromkeys(at.scope for at in (*puts, *taken))
    told = kept_by(context, (each for each in scopes if isinstance(each, ir.Function)), calls)
    is_talk = any(_is_talk(context.program, at.scope) for at in puts)
    memory = Memory(
        puts[0].place,
        name,
        "",
        Holding.CONVERSATION if is_talk else Holding.FACTS,
        durable=default(True, "a file"),
        bound=told.bound,
        ttl=told.ttl,
        namespace=told.namespace,
        deletes=told.deletes,
        contexts=(puts[0].place,) if is_talk else (),
    )
    places = (place for at in puts for given in _dumped(context.program, at.scope)
              for place in places_at(context.program, given))  # fmt: skip
    return ByHand(memory, calls, tuple(at.call for at in asked), next(places, None))


def _is_talk(program: Program, scope: ir.Scope) -> bool:
    """Whether the objects that a function writes into a file are called as a conversation is."""
    return any(is_said(callee_name(given)) for given in _dumped(program, scope))


def _dumped(program: Program, scope: ir.Scope) -> tuple[ir.Expr, ...]:
    """The objects of which a function makes the text of a file."""
    calls = (call for call in program.structure(scope).calls if callee_name(call.callee) in DUMPING)
    return tuple(call.args[0].value for call in calls if call.args)


class AgentCode:
    """Which functions an agent of the project runs: its tools, what asks a model, and the steps of its graphs."""

    def __init__(self, context: Context, agents: Agents, read: Recalled) -> None:
        self._program = context.program
        own = (tool for tool in agents.all_tools() if tool.annotations is None)
        self._tools = {id(code) for tool in own if (code := agents.code.get(id(tool))) is not None}
        steps = (step for group in node_functions(context).values() for step in group) if read.asking else ()
        self._own = self._tools | set(read.asking) | {id(step) for step in steps}
        self._entered = {id(function) for function in read.entered}
        self._nodes = read.nodes

    def has(self, scope: ir.Scope) -> bool:
        """Whether a function is one of these, or they call it."""
        return next(self.around(scope), None) is not None

    def around(self, scope: ir.Scope) -> Iterator[ir.Scope]:
        """Those of these functions that call a function, or in which it, or one that calls it, is written."""
        for each in above(self._program, [scope]):
            inner: ir.Scope | None = each
            while isinstance(inner, ir.Function):
                if id(inner) in self._own:
                    yield inner
                inner = inner.outer
            if id(each) in self._own and not isinstance(each, ir.Function):
                yield each

    def reads(self, call: ir.Call, scope: ir.Scope) -> bool:
        """Whether what a call reads comes to a model: on a way to what it is asked with, or in the code of a tool."""
        if id(call) in self._nodes or id(scope) in self._entered:
            return True
        return any(id(each) in self._tools for each in above(self._program, [scope]))


def _put(context: Context, agents: Agents) -> Iterator[_At]:
    """The calls of application code that add to a file under a name, or write its objects anew."""
    for at in _calls(context, agents, dict.fromkeys((*ADDING, *REWRITING)), "write_file"):
        around = enclosing_class(context.program, at.scope)
        if not at.name or PROGRAMS_OWN.search(at.name) or (around is not None and PROGRAMS_OWN.search(around.name)):
            continue
        names = {callee_name(call.callee) for call in context.program.structure(at.scope).calls}
        anew = RECORDS.search(at.name) is not None and bool(names & DUMPING)
        if _adds(at.call) or (anew and _is_loaded(context.program, at)):
            yield at


def _is_loaded(program: Program, at: _At) -> bool:
    """Whether code of the same file makes objects of what the file holds."""
    module = program.module_of(at.call)
    return any(site.call.span.path == module.path for name in LOADING for site in program.calls(name))


def _taken(context: Context, agents: Agents) -> Iterator[_At]:
    yield from _calls(context, agents, dict.fromkeys(READING), "read_file")


def _calls(context: Context, agents: Agents, names: dict[str, None], effect: str) -> Iterator[_At]:
    program = context.program
    for name in names:
        for site in program.calls(name):
            if program.module_of(site.call).role is not Role.TEST and any(
                row.effect == effect for row, _ in agents.facts.effects.rows(site.call)
            ):
                yield _At(site.call, site.scope, *_path(program, site.call))


def _adds(call: ir.Call) -> bool:
    """Whether a call adds at the end of a file."""
    return callee_name(call.callee) in ADDING[1:] or opens_to_add(call)


def opens_to_add(call: ir.Call) -> bool:
    """Whether a call opens a file to add to its end: with the mode `a`, `ab` or `a+`."""
    modes = (a.value.value for a in call.args if isinstance(a.value, ir.Literal) and isinstance(a.value.value, str))
    return any(mode in MODES for mode in modes)


def _path(program: Program, call: ir.Call) -> tuple[str, Span]:
    """The name of the file that a call opens, as the code writes it, and where: the variable of a module, or the call.
    "" for a path that is put together of what nobody wrote down.
    """
    callee = call.callee
    is_method = isinstance(callee, ir.Member) and callee.name in {"read_text", "write_text", "open"}
    first = callee.target if is_method and isinstance(callee, ir.Member) else call.args[0].value if call.args else None
    queue = [(first, 0, call.span)] if first is not None else []
    for expr, depth, place in queue:  # grows
        for part in ir.walk(expr):
            match part:
                case ir.Literal(value=str() as text) if NAMED.search(text):
                    return text, place
                case ir.Name() | ir.Member() if depth < DEPTH:
                    for bound in _bound(program, part):
                        stays = isinstance(part, ir.Member) or isinstance(program.scope_of(bound.node), ir.Module)
                        if bound.value is not None and bound.kind == "assign":
                            queue.append((bound.value, depth + 1, bound.node.span if stays else place))
                        queue.extend((given, depth + 1, place) for given in _given_for(program, bound))
                case _:
                    continue
    return "", call.span


def _given_for(program: Program, bound: Binding) -> Iterator[ir.Expr]:
    """What callers hand in for a parameter."""
    function, param = bound.node, bound.extra
    if bound.kind == "parameter" and isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
        given = (passed_argument(site, function, param) for site in program.callers(function))
        yield from (each for each in given if each is not None and not isinstance(each, Unknown))


def _bound(program: Program, part: ir.Name | ir.Member) -> tuple[Binding, ...]:
    """What a variable, or an attribute of the object around, is set to."""
    if isinstance(part, ir.Name):
        return visible_bindings(program, part)
    around = enclosing_class(program, program.scope_of(part)) if is_own(part) else None
    return program.attributes(around).get(part.name, ()) if around is not None else ()


def _may_be(at: _At, puts: list[_At]) -> bool:
    """Whether a read of a file that its caller names may be of this one: it stands in the file of a write."""
    if at.name or not isinstance(at.scope, ir.Function) or isinstance(at.scope.outer, ir.Class):
        return False
    return bool(at.scope.params) and any(at.call.span.path == put.call.span.path for put in puts)
