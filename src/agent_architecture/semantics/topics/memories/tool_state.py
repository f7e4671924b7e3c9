"""What the code of tools keeps between calls: containers of modules and objects that calls add to, caches of libraries,
handles that stay open, files for passing things.

State of one run (a context that the tool is handed) and what agents remember are none of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.model.state import Held, StateHolder
from agent_architecture.names import flow
from agent_architecture.names.classes import library_bases
from agent_architecture.names.named_parts import part_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.memories.tool_containers import Containers
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.access_paths import Place
    from agent_architecture.sources.source import Span

OPENING: Final = frozenset({
    "open", "connect", "launch", "launch_persistent_context", "launchPersistentContext", "Popen", "spawn",
    "create_subprocess_exec", "create_subprocess_shell", "open_session", "createConnection", "start_session",
})  # fmt: skip
"""Calls of libraries whose results stay open until they are closed."""
CLOSING: Final = frozenset({
    "close", "aclose", "quit", "terminate", "kill", "stop", "shutdown", "disconnect", "dispose", "cleanup", "exit",
    "end", "destroy",
})  # fmt: skip
SCRATCH: Final = frozenset({"mkdtemp", "mkstemp", "mkdtempSync", "NamedTemporaryFile"})
"""Calls that make a file or folder which stays."""
REMOVING: Final = frozenset({
    "rmtree", "unlink", "unlinkSync", "remove", "rm", "rmSync", "rmdir", "rmdirSync", "removeSync", "cleanup",
})  # fmt: skip
ASKING: Final = frozenset({"exists", "isfile", "is_file", "existsSync", "pathExists", "pathExistsSync"})
"""Calls that say whether a file is there."""
WRITING: Final = frozenset({
    "to_csv", "to_parquet", "to_json", "to_pickle", "to_feather", "write_text", "write_bytes", "writeFile",
    "writeFileSync",
})  # fmt: skip
READING: Final = regex(r"(?i)^(?:open|read|load|parse|from_|create_?read|send_?file)")
"""What calls are named that take what a file holds."""
AGE: Final = frozenset({"getmtime", "getctime", "mtimeMs", "st_mtime", "mtime"})
"""Calls and properties that say how old a file is."""


LIFE: Final = regex(
    r"(?i)^(?:on|a?close|dispose|shutdown|teardown|cleanup|stop|end|finali[sz]e|destroy|exit)(?:_|$|[A-Z])"
)
"""What libraries call methods that they run when the work is done."""
CLOSERS: Final = 20
"""Methods through which a call that closes is looked for."""


class _Code(NamedTuple):
    """The code that a tool runs."""

    tool: Tool
    functions: tuple[ir.Function, ...]
    nodes: tuple[ir.Node, ...]


def state_holders(context: Context, agents: Agents, memories: frozenset[Place]) -> Iterator[StateHolder]:
    """The holders, each once, with the tools that use it."""
    containers = Containers(context, memories)
    caches = tuple(match for match in context.of_kind("state_holder") if _is_cache(match))
    found: dict[tuple[Span, str], StateHolder] = {}
    for code in _codes(context, agents):
        held = (
            *containers.of(code.functions, code.nodes),
            *_caches(context, caches, code),
            *_handles(context, code),
            *_files(context, code),
            *_cached_files(context, code),
        )
        for holder in held:
            key = (holder.span, holder.symbol)
            known = found.get(key)
            tools = (code.tool,) if known is None else tuple(dict.fromkeys((*known.tools, code.tool)))
            found[key] = (known or holder)._replace(tools=tools)
    yield from found.values()


def _codes(context: Context, agents: Agents) -> Iterator[_Code]:
    for tool in agents.all_tools():
        function = agents.code.get(id(tool))
        if function is not None:
            yield _code(context, tool, function, function.body)
            continue
        for body in agents.facts.dispatch.bodies(tool.name, tool.span.path):
            yield _code(context, tool, body.function, body.statements)


def _code(context: Context, tool: Tool, function: ir.Function, statements: tuple[ir.Node, ...]) -> _Code:
    inside = extent(context.program, statements, set())
    return _Code(tool, (function, *(each for each, _ in inside.called)), tuple(inside.nodes()))


# --------------------------------------------------------------------------------------------------------------- caches
def _is_cache(match: Match) -> bool:
    return any(name in match.row.properties or name in match.row.defaults for name in ("bound", "ttl"))


def _caches(context: Context, caches: Iterable[Match], code: _Code) -> Iterator[StateHolder]:
    """Caches of libraries around functions that the tool runs, and those that its code reads. One around a function
    that is given nothing holds one object, such as the settings.
    """
    for match in caches:
        node = match.node
        if isinstance(node, ir.Function):
            if node.params and any(function is node for function in code.functions):
                yield _cache(context, match, node.name_span, node.name or "a function")
        elif isinstance(node, ir.Call) and _is_read(context, node, code.nodes):
            yield _cache(context, match, node.span, context.symbol(node))


def _is_read(context: Context, made: ir.Call, nodes: tuple[ir.Node, ...]) -> bool:
    name = context.symbol(made).rpartition(".")[2]
    for node in nodes:
        named = node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Member) else ""
        if named == name and isinstance(node, (ir.Name, ir.Member)):
            return any(isinstance(v, Api) and v.node is made for v in context.program.value_of(node))
    return False


def _cache(context: Context, match: Match, span: Span, symbol: str) -> StateHolder:
    bound, ttl = (effective(context, match, name) for name in ("bound", "ttl"))
    return StateHolder(span, symbol, match.row.where.pack, Held.CACHE, bound=bound, ttl=ttl)


# -------------------------------------------------------------------------------------------------------------- handles
def _handles(context: Context, code: _Code) -> Iterator[StateHolder]:
    """What the tool opens and keeps in an object or module: one at a time."""
    for node in code.nodes:
        value = node.value if isinstance(node, ir.Assign) else None
        opened = value.value if isinstance(value, ir.Await) else value
        if not isinstance(node, ir.Assign) or not isinstance(opened, ir.Call) or not _opens(context, opened):
            continue
        if isinstance(node.target, ir.Member) or (isinstance(node.target, ir.Name) and _is_global(context, node)):
            name = dotted(node.target)
            one = default(1, "one is kept at a time")
            closed = _closed(context, node, name.rpartition(".")[2])
            cleans = ABSENT if closed is None else written(True, closed)
            yield StateHolder(node.span, name, "", Held.HANDLE, bound=one, cleans=cleans)


def _opens(context: Context, call: ir.Call) -> bool:
    return callee_name(call.callee) in OPENING and bool(tuple(resolved(context.program, call.callee)))


def _is_global(context: Context, node: ir.Assign) -> bool:
    scope = context.program.scope_of(node)
    bindings = context.program.bindings(scope).get(dotted(node.target), ())
    return any(binding.kind == "global" for binding in bindings)


def _closed(context: Context, opened: ir.Assign, name: str) -> Span | None:
    """Where what is kept under a name is closed, in the file that opens it."""
    for method in sorted(CLOSING):
        for site in context.program.calls(method):
            callee = site.call.callee
            is_here = site.call.span.path == opened.span.path
            is_it = (
                is_here
                and isinstance(callee, ir.Member)
                and callee_name(part_of(context.program, callee.target)) == name
            )
            if is_it and _may_run(context.program, site.scope, context.program.scope_of(opened)):
                return site.call.span
    return None


def _may_run(program: Program, scope: ir.Scope, opener: ir.Scope) -> bool:
    """Whether a method of the project's is called by anybody, by its name, or may be by a library: where only methods
    that nobody calls do what it does, it never happens.
    """
    queue, seen = [scope], set[int]()
    for each in queue:  # grows
        if not isinstance(each, ir.Function) or each is opener or each.decorators or not each.name:
            return True
        if each.name.startswith("__") or not isinstance(each.outer, ir.Class):
            return True
        if LIFE.search(each.name) and any(library_bases(program, each.outer)):
            return True
        if id(each) not in seen and len(seen) < CLOSERS:
            seen.add(id(each))
            calls = (site for site in program.calls(each.name) if site.scope is not each)
            queue.extend(site.scope for site in calls if not _is_library_s(program, site.call))
    return len(seen) >= CLOSERS


def _is_library_s(program: Program, call: ir.Call) -> bool:
    return any(isinstance(value, Api) for value in program.value_of(call.callee))


# ---------------------------------------------------------------------------------------------------------------- files
def _files(context: Context, code: _Code) -> Iterator[StateHolder]:
    """Files and folders for passing things that the tool makes with each call, and what removes them."""
    made = [node for node in code.nodes if isinstance(node, ir.Call) and _stays(context, node)]
    if not made:
        return
    removed = next((n.span for n in code.nodes if isinstance(n, ir.Call) and callee_name(n.callee) in REMOVING), None)
    cleans = ABSENT if removed is None else written(True, removed)
    bound = ABSENT if removed is None else default(1, "each call removes its own")
    for call in made[:1]:
        yield StateHolder(
            call.span, called(call), "", Held.FILES, bound=bound, cleans=cleans, confidence=Confidence.MEDIUM
        )


def _cached_files(context: Context, code: _Code) -> Iterator[StateHolder]:
    """A file for every key that the tool is given, which stays for the calls after it: asked for and read, else
    written. What is only asked for is what the tool makes, and is not to be written over.
    """
    asked = {(_scope_id(context, n), name) for n in code.nodes for name in _named(n, ASKING)}
    asked &= {(_scope_id(context, n), name) for n in code.nodes if asked for name in _read(n)}
    for node in code.nodes if asked else ():
        names = [name for name in _named(node, WRITING) if (_scope_id(context, node), name) in asked]
        if not names or not isinstance(node, ir.Call) or not any(_is_keyed(context, code, n) for n in _paths(node)):
            continue
        ends = (n.span for n in code.nodes if _named(n, REMOVING) or (isinstance(n, ir.Member) and n.name in AGE))
        removed = next(ends, None)
        cleans = ABSENT if removed is None else written(True, removed)
        yield StateHolder(node.span, called(node), "", Held.FILES, cleans=cleans, confidence=Confidence.MEDIUM)
        return


def _scope_id(context: Context, node: ir.Node) -> int:
    return id(context.program.scope_of(node))


def _paths(call: ir.Call) -> tuple[ir.Name, ...]:
    """The variables that a call may take a path from: its arguments, and what its method belongs to."""
    return tuple(each for each in ir.parts_of(call) if isinstance(each, ir.Name))


def _named(node: ir.Node, names: frozenset[str]) -> tuple[str, ...]:
    """The variables that a call of one of these names may take a path from; opening a file to write is writing it."""
    if not isinstance(node, ir.Call):
        return ()
    name = callee_name(node.callee)
    opens = names is WRITING and name == "open" and any(_is_mode(argument.value) for argument in node.args)
    return tuple(path.id for path in _paths(node)) if opens or name in names else ()


def _read(node: ir.Node) -> tuple[str, ...]:
    """The variables of the paths from which a call takes what a file holds."""
    if not isinstance(node, ir.Call) or not READING.match(callee_name(node.callee)):
        return ()
    return () if any(_is_mode(argument.value) for argument in node.args) else tuple(p.id for p in _paths(node))


def _is_mode(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and isinstance(expr.value, str) and expr.value in {"w", "wb", "wt", "x", "xb"}


def _is_keyed(context: Context, code: _Code, path: ir.Name) -> bool:
    """Whether what the tool is given decides on a path."""
    ends = flow.ends(context.program, path)
    return any(end.kind == "parameter" and end.node is code.functions[0] for end in ends)


def _stays(context: Context, call: ir.Call) -> bool:
    name = callee_name(call.callee)
    if name not in SCRATCH or not tuple(resolved(context.program, call.callee)):
        return False
    keeps = any(a.keyword == "delete" and isinstance(a.value, ir.Literal) and a.value.value is False for a in call.args)
    return keeps or name != "NamedTemporaryFile"
