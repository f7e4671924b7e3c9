"""Agents of libraries that no pack knows: constructors that are given a model, or what to do, and a list of tools; and
the calls of such an agent that run it.

The row of the pack `shapes` says where the parts of an agent stand; what its library does with them nobody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.classes import enclosing_class, library_base, lineage, project_bases
from agent_architecture.names.options import options_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.super_arguments import SUPER
from agent_architecture.names.values import Api, ClassValue, Entries, Func, Instance, Items, Unknown
from agent_architecture.semantics.agents.shapes.words import OTHERWISE, words_of
from agent_architecture.semantics.matching.makers import makers
from agent_architecture.semantics.matching.match import Match
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow
    from agent_architecture.sources.source import Span

PACK: Final = "shapes"
MODELS: Final = frozenset({"chat_model", "chatModel", "language_model", "languageModel", "llm", "model"}) | {
    "model_client", "model_name", "modelName", "chat",
}  # fmt: skip
TOLD: Final = frozenset({"instruction", "instructions", "prompt", "system", "system_message", "system_prompt"}) | {
    "systemMessage", "systemPrompt", "goal", "role",
}  # fmt: skip
TOOLS: Final = ("tools", "functions")
SERVERS: Final = ("mcp_servers", "mcpServers")
AGENT: Final = frozenset({"agent", "agents", "assistant", "copilot"})
DATA: Final = frozenset(
    {"args", "card", "config", "configuration", "event", "info", "message", "options", "output", "params", "payload"}
    | {"record", "request", "response", "result", "schema", "settings", "spec", "state", "step", "test", "type"}
    | {"blueprint", "definition", "descriptor", "draft", "manifest", "profile", "specification", "template"}
)
"""Words of what only holds such parts, for somebody else."""
ASKED: Final = frozenset({"contents", "input", "messages"})
"""What a request to a model is given, besides."""
ROW: Final = frozenset({"__tablename__", "__table__", "objects", "_meta"})
"""Attributes of classes whose objects are rows of a database: they are looked at, and run by nothing."""
TEXTS: Final = frozenset({"dumps", "stringify", "join", "str", "String"})
"""Calls that make a text of something."""
AT_WORK: Final = frozenset({"agent", "graph", "run", "model_call"})
"""Kinds of rows that say that code makes or runs an agent, or asks a model."""
MAKING: Final = frozenset({"build", "create", "make", "new"})
RUNNING: Final = frozenset(
    {"acall", "achat", "ainvoke", "arun", "ask", "astream", "chat", "execute", "go", "invoke", "kickoff", "query"}
    | {"respond", "run", "runSync", "run_async", "run_stream", "run_sync", "start", "step", "stream"}
    | {"generate", "generateObject", "generateText", "generate_text", "streamObject", "streamText", "stream_text"}
)
"""Methods by which libraries run an agent."""


def constructed(program: Program, packs: Packs, named: Sequence[Match]) -> Iterator[Match]:
    """The agents that such constructors make, and their runs; `named` is all of which rows speak."""
    known = frozenset(id(match.node) for match in named)
    made_by, run = packs.named(PACK, "agent", "agent"), packs.named(PACK, "run", "run")
    if made_by is None or run is None:
        return
    calls = tuple(_agents(program, packs, known))
    working = frozenset(_working(program, named)) if calls else frozenset()
    made = (call for call in calls if is_unknown(program, packs, call) or _only_holds(program, call, working))
    agents = tuple(
        Match(made_by, call, call, Api(f"shape:{callee_name(call.callee)}()", call), degree=Degree.INFERRED)
        for call in made
    )
    yield from agents
    if agents:
        yield from _runs(program, run, frozenset(id(match.node) for match in agents), known)


def _working(program: Program, named: Sequence[Match]) -> Iterator[int]:
    """The ids of the classes that make or run agents of a library themselves, or ask a model."""
    for match in named:
        cls = enclosing_class(program, match.node) if match.row.kind in AT_WORK else None
        if cls is not None:
            yield id(cls)


def _agents(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[ir.Call]:
    """The calls that are given an agent's parts, in order."""
    names = {name for module in program.modules for name in module.index.calls if _may_make(name)}
    for name in sorted(names):
        for site in program.calls(name):
            if id(site.call) not in known and _is_agent(program, packs, site.call):
                yield site.call


def _may_make(name: str) -> bool:
    """Whether something is called as what makes an object: a class, `create_agent`."""
    words = words_of(name)
    return bool(words) and (name[:1].isupper() or (bool(AGENT & {*words}) and bool(MAKING & {*words})))


def _is_agent(program: Program, packs: Packs, call: ir.Call) -> bool:
    """Whether a call gives an agent's parts to a constructor that nobody knows."""
    told = options_of(program, call)
    words = {*words_of(callee_name(call.callee))}
    has_model, is_told = bool(told.keys() & MODELS), bool(told.keys() & TOLD)
    tools = next((told[key] for key in (*TOOLS, *(SERVERS if words & AGENT else ())) if key in told), None)
    is_bare = tools is None and has_model and is_told and _is_imported(program, call)
    if not is_bare and (tools is None or not (has_model or is_told) or not _is_list(program, tools)):
        return False
    if is_bare and not words & AGENT:
        return False
    if words & (OTHERWISE | DATA) or told.keys() & ASKED or not (words & AGENT or has_model):
        return False
    return bool(words & AGENT) or is_unknown(program, packs, call)


def _is_imported(program: Program, call: ir.Call) -> bool:
    """Whether a constructor is a library's, and no name that leads nowhere."""
    values = program.value_of(call.callee)
    return bool(values) and all(isinstance(value, Api) for value in values)


def _only_holds(program: Program, call: ir.Call, working: frozenset[int]) -> bool:
    """Whether a class of the project only keeps an agent's parts, for what runs all of its agents; `working` are those
    that make or run one themselves.
    """
    values = program.value_of(call.callee)
    family = [one for v in values if isinstance(v, ClassValue) for one in lineage(program, v.cls)]
    kept = {name for one in family for name in program.attributes(one)}
    return bool(family) and not kept & RUNNING and not kept & ROW and not working & {id(one) for one in family}


def is_unknown(program: Program, packs: Packs, call: ir.Call) -> bool:
    """Whether a callee is neither the project's, nor of a library of which a pack says what makes an agent in it."""
    values = program.value_of(call.callee)
    if any(isinstance(value, (Func, ClassValue, Instance)) for value in values):
        return False
    if _is_own_method(program, call) or _is_own_base(program, call):
        return False
    known = packs.libraries("agent", "run", "mcp_client")
    return not any(packs.package_of(value.path) in known for value in values if isinstance(value, Api))


def _is_own_method(program: Program, call: ir.Call) -> bool:
    """Whether a method of an object that cannot be read is named, and takes all that it is given by name, like one that
    the project defines: `session.api.create_agent(model=…, tools=…)`.
    """
    if not isinstance(call.callee, ir.Member):
        return False
    name, told = call.callee.name, {argument.keyword for argument in call.args} - {None}
    every = (each for module in program.parsed for each in module.index.functions if each.name == name)
    methods = (each for each in every if isinstance(each.outer, ir.Class))
    return bool(told) and any(told <= {parameter.name for parameter in each.params} for each in methods)


def _is_own_base(program: Program, call: ir.Call) -> bool:
    """Whether a class hands on to what it derives from, and that is the project's alone: a record of it has a
    constructor that nobody wrote (`super().__init__(servers=…)`).
    """
    above: ir.Node = call
    while isinstance(above, (ir.Call, ir.Member)):
        above = above.callee if isinstance(above, ir.Call) else above.target
    owner = enclosing_class(program, call) if isinstance(above, ir.Name) and above.id == SUPER else None
    return owner is not None and bool(project_bases(program, owner)) and library_base(program, owner) is None


def _is_list(program: Program, expr: ir.Expr) -> bool:
    """Whether something may be tools: a list or mapping that is not empty, or what cannot be read and is no text."""
    written = expr.then if isinstance(expr, ir.Conditional) else expr
    if isinstance(written, ir.Call) and callee_name(written.callee) in TEXTS:
        return False
    return any(
        bool(value.items) if isinstance(value, Items) else bool(value.entries) if isinstance(value, Entries) else True
        for value in program.value_of(expr)
        if isinstance(value, (Items, Entries, Unknown, Api))
    )


def _runs(program: Program, row: EntityRow, agents: frozenset[int], known: frozenset[int]) -> Iterator[Match]:
    """The calls that run one of these agents."""
    for name in sorted(RUNNING):
        for site in program.calls(name):
            callee = site.call.callee
            if id(site.call) in known or not isinstance(callee, ir.Member):
                continue
            for value in program.value_of(callee.target):
                if isinstance(value, Api) and any(id(node) in agents for node in makers(value)):
                    api = Api(f"{value.path}.{name}", callee, value)
                    yield Match(row, site.call, site.call, api, degree=Degree.INFERRED)
                    break


def held(matches: Iterable[Match], program: Program) -> frozenset[Span]:
    """Where agents are only kept by a class of the project: a loop of the project runs them, if it has one."""
    kept = (m for m in matches if m.row.where.pack == PACK and m.row.kind == "agent" and isinstance(m.node, ir.Call))
    return frozenset(
        m.node.span
        for m in kept
        if isinstance(m.node, ir.Call) and any(isinstance(v, ClassValue) for v in program.value_of(m.node.callee))
    )
