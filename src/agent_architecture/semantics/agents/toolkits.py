"""Toolkits: tools that are declared for a model, and that no agent of the project is seen to take.

One site for what is declared together: at the object that is given them all by statements, at the list, mapping or
class that has them all, else at the first one of the file. What a server offers is that server's, and so is what
stands in its file: how it lists that is what is not seen; a file all of whose tools are called as those of a server of
the project only says again what that server offers. Where something takes tools that cannot be read, any may be
among them, and so may what a file with an agent or a server imports, unless no code of another file says its name.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree, strongest
from agent_architecture.model.effects import Enforcement
from agent_architecture.model.system import PROTOCOL_SITES, Site, SiteKind, Tool
from agent_architecture.names.classes import lineage
from agent_architecture.names.select import imported
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue, Func, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.mcp_servers import registered_handlers
from agent_architecture.semantics.agents.named_tools_elsewhere import may_be_taken, names_of
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.set_calls import SetCall
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir import Module

GIVING: Final = ("tools", "toolkits")
"""Relations by which an object is given tools after it was made."""


class Takers(NamedTuple):
    """Who takes tools: `taken` is where those stand that somebody has, `servers` are the files whose handlers run
    whatever a server lists, and in files of the roles `apart` nobody takes any of the application's.
    """

    taken: frozenset[Span]
    servers: frozenset[str]
    apart: frozenset[Role]


def toolkits(context: Context, agents: Agents, every: Sequence[Site], takers: Takers) -> tuple[Site, ...]:
    """A site for each object or file with tools that nobody takes, by position; `every` site is one of an agent or a
    server.
    """
    program, (taken, servers, apart) = context.program, takers
    sites = [site for site in every if _role(program, site.span.path) not in apart]
    taking = (m for m in context.of_kind("agent", "run", "model_call") if _role(program, m.node.span.path) not in apart)
    unread = {match.node.span.path for match in taking if id(match.node) in agents.open_ended}
    known = taken | frozenset(_handed_over(context, {site.framework for site in sites})) | frozenset(_served(context))
    left = [tool for tool in agents.all_tools() if tool.span not in known and _is_declared(agents, tool)]
    of_servers = {site.span.path for site in sites if site.kind in PROTOCOL_SITES}
    agentic = {site.span.path for site in sites} - of_servers
    left = [tool for tool in left if tool.span.path not in servers | unread | agentic]
    left = [tool for tool in left if not (agentic and agents.by_hand.looks_up(tool))]
    # Tools that cannot be read may be any, and what a file with an agent or a server imports may be taken unseen.
    specifiers = context.program.exports.specifiers
    beside = imported(specifiers, agentic) if left else set()
    beside |= imported(specifiers, of_servers) - of_servers if left else set()
    languages = set(map(is_python, unread))
    doubtful = [tool.span for tool in left if tool.span.path in beside or is_python(tool.span.path) in languages]
    by_name = may_be_taken(context.program, doubtful, apart)
    left = [tool for tool in left if tool.span not in by_name]
    given = tuple(_given(context, left)) if left else ()
    in_objects = {tool.span for kit in given for tool in kit.tools}
    alone = (tool for tool in left if tool.span not in in_objects)
    files = [tuple(group) for _, group in groupby(alone, key=lambda tool: tool.span.path)]
    served = {tool.name for tool in agents.all_tools() if tool.annotations is not None} if files else set()
    # A list of schemas of what a server of the project offers is how a host tells a model of it.
    told = {tool.span for tool in left if tool.name in served and tool.degree is not Degree.RESOLVED}
    kits = (_site(context.program, tools) for tools in files if not all(tool.span in told for tool in tools))
    return tuple(sorted((*given, *kits), key=_place))


def _role(program: Program, path: str) -> Role:
    file = program.table.file(path)
    return Role.APP if file is None else file.role


def _place(site: Site) -> Span:
    return site.span


def _given(context: Context, left: Sequence[Tool]) -> Iterator[Site]:
    """A site for each object that is given several of these tools by statements of their own, if nobody is given it:
    `kernel.add_plugin(Orders())`.
    """
    for made, calls in context.set_calls.made_on():
        spans = [span for one in calls for span in _put_in(context, one)]
        tools = tuple(tool for tool in left if any(span.contains(tool.span) for span in spans))
        if len(tools) > 1:
            framework, degree = calls[0].row.where.pack, strongest(tool.degree for tool in tools)
            symbol = context.symbol(made) if isinstance(made, ir.Call) else ""
            yield Site(ir.place_of(made), symbol or "tools", framework, SiteKind.TOOLKIT, (), tools, degree=degree)


def _put_in(context: Context, set_call: SetCall) -> Iterator[Span]:
    """Where what a statement puts into an object is defined: classes, functions, calls."""
    addresses = [set_call.row.relations[name] for name in GIVING if name in set_call.row.relations]
    for address in addresses:
        for expr in expressions(context.program, set_call.call, address):
            for value in context.program.value_of(expr):
                match value:
                    case Instance(cls=cls) | ClassValue(cls=cls):
                        yield from (one.span for one in lineage(context.program, cls))
                    case Func(function=function):
                        yield function.span
                    case _:
                        node = getattr(value, "node", None)
                        yield from () if node is None else (node.span,)


def _served(context: Context) -> Iterator[Span]:
    """Where the tools stand that servers are made with, whoever declares them."""
    for _, _, value in registered_handlers(context):
        made = context.made(value, "tool")
        node = made.node if made is not None else getattr(value, "node", None)
        yield from () if node is None else (node.span,)


def _handed_over(context: Context, running: set[str]) -> Iterator[Span]:
    """Where tools are told to a library alone, by a call whose result nobody wants (`useCopilotAction({…})`), and the
    project runs or serves an agent of that library, or of one in the row's `scope`, which is given them.
    """
    running |= {match.row.where.pack for match in context.of_kind("exported")}
    for match in context.of_kind("tool"):
        given = {match.row.where.pack, *str(match.row.constants.get("scope", "")).split()}
        if isinstance(match.node, ir.Call) and given & running:
            around = context.program.structure(context.program.scope_of(match.node)).parent(match.node)
            if around is None or isinstance(around, (ir.Function, ir.If, ir.Try)):
                yield match.node.span


def _is_declared(agents: Agents, tool: Tool) -> bool:
    """Whether the project tells a model of a tool, by its code or its schema: not what a library brings, an agent
    answers, a server serves, or only a name says.
    """
    is_own = id(tool) in agents.code or bool(tool.parameters) or tool.schema.enforcement is not Enforcement.UNKNOWN
    is_elsewhere = tool.stated or tool.is_agent or tool.annotations is not None
    return is_own and not is_elsewhere and tool.degree is not Degree.GUESSED


def _site(program: Program, tools: Sequence[Tool]) -> Site:
    module = program.table.get(tools[0].span.path)
    span, symbol = (None, "") if module is None else _holder(module, tools)
    if module is not None and span is None:
        span, symbol = _listing(program, module, tools)
    degree = strongest(tool.degree for tool in tools)
    framework = tools[0].framework
    symbol = symbol or (tools[0].name if len(tools) == 1 else "tools")
    return Site(span or tools[0].span, symbol, framework, SiteKind.TOOLKIT, (), tuple(tools), degree=degree)


def _holder(module: Module, tools: Sequence[Tool]) -> tuple[Span | None, str]:
    """The smallest list, mapping or class in which all of these tools stand, and its name."""
    found: list[tuple[Span, Span, str]] = []
    for cls in module.index.classes:
        found += [(cls.span, cls.name_span, cls.name)] if _has(cls.span, tools) else []
    for scope in module.code:
        for node in own_nodes(scope):
            if (
                isinstance(node, ir.Assign)
                and isinstance(node.value, (ir.Map, ir.List))
                and _has(node.value.span, tools)
            ):
                name = node.target.id if isinstance(node.target, ir.Name) else ""
                found.append((node.value.span, node.span, name))
            elif isinstance(node, (ir.Map, ir.List)) and len(tools) > 1 and _has(node.span, tools):
                found.append((node.span, node.span, ""))
    _, span, name = min(found, key=lambda one: (one[0].end_line - one[0].line, one[2] == ""), default=(None, None, ""))
    return span, name


def _listing(program: Program, module: Module, tools: Sequence[Tool]) -> tuple[Span | None, str]:
    """The list or mapping of a module that names all of several tools, and its name."""
    names = [frozenset(names_of(program, module, tool.span)) for tool in tools]
    for node in module.body:
        if len(tools) > 1 and isinstance(node, ir.Assign) and isinstance(node.value, (ir.Map, ir.List)):
            said = {each.id for each in ir.walk(node.value) if isinstance(each, ir.Name)}
            if all(said & own for own in names):
                return node.span, node.target.id if isinstance(node.target, ir.Name) else ""
    return None, ""


def _has(span: Span, tools: Sequence[Tool]) -> bool:
    return all(span.contains(tool.span) for tool in tools)
