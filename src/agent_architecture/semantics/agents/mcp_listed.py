"""Tools of MCP servers that no call registers one by one: those that a handler of `tools/list` returns as objects, and
those that a wrapper of the project registers for its callers.

Finds the objects and what they say; their schemas and code are read by the modules that read all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.model.system import Annotations
from agent_architecture.names.mutations import filled
from agent_architecture.names.objects import given_by
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Entries, Func, Instance, Items, Value
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.offered.tool_descriptions import method_of, own_text
from agent_architecture.semantics.agents.offered.tool_makers import declared
from agent_architecture.semantics.agents.offered.tool_wrappers import wrapped
from agent_architecture.semantics.agents.offered.trace import Trace
from agent_architecture.semantics.matching.read import Read, at_call, to_setting
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

HANDLER: Final = "tools/call"
"""The name that packs give to the one handler of a low-level server, after the protocol's method."""
HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
ANNOTATIONS: Final = "annotations"
INPUT: Final = ("inputSchema", "input_schema", "parameters")
NESTED: Final = ("schema", "definition", "tool", "config", "metadata")
"""Where the objects of projects keep what they send to clients."""
RUNNING: Final = ("handle", "handler", "execute", "run", "call", "callback", "cb", "fn")


class Listed(NamedTuple):
    """A tool as an object: what it says, all levels joined, and the function that runs it, where that is named."""

    value: Entries
    name: str
    entries: dict[str, ir.Expr]
    function: ir.Function | None = None
    cls: ir.Class | None = None
    """The class whose objects are all this tool, where the object is one that each of several classes makes."""

    @property
    def node(self) -> ir.Node:
        """What defines the tool."""
        return self.value.node if self.cls is None else self.cls


def listed(context: Context) -> tuple[tuple[Match, Listed], ...]:
    """The tools that list handlers return, and those of wrappers, each with the row that leads to it."""
    return context.once(_listed)


def _listed(context: Context) -> tuple[tuple[Match, Listed], ...]:
    return tuple(_every(context))


def _every(context: Context) -> Iterator[tuple[Match, Listed]]:
    for match in context.of_kind("tool_set"):
        address = match.row.relations.get("tools")
        if address is None or "server" not in match.row.relations:
            continue
        for handler in at_call(context.program, match.arguments, match.api.receiver, address).values:
            if isinstance(handler, Func):
                yield from ((match, tool) for tool in _returned(context, handler.function))
    for match in context.of_kind("tool"):
        always = match.row.constants.get("served") is not False
        if "read_only" in match.row.properties and always and match.arguments is not None:
            found = registered(context, match)
            yield from ((match, tool) for tool in (*found, *_kin(context.program, found)))


def _kin(program: Program, found: Iterable[Listed]) -> Iterator[Listed]:
    """The other tools of a maker whose tools one call registers: a list of very many is not followed to its end."""
    known = {id(tool.node) for tool in found}
    makers = {callee_name(around.callee) for tool in found if isinstance(around := _around(program, tool), ir.Call)}
    for tool in declared(program) if makers else ():
        if isinstance(tool.node, ir.Call) and callee_name(tool.node.callee) in makers:
            for argument in tool.node.args:
                for each in _objects(program, program.value_of(argument.value)):
                    if id(each.node) not in known:
                        yield each


def _around(program: Program, tool: Listed) -> ir.Node | None:
    node = tool.node
    return program.structure(program.scope_of(node)).parent(node)


def registered(context: Context, match: Match) -> tuple[Listed, ...]:
    """The objects whose tools one registering call registers: `server.registerTool(tool.name, tool.config, …)`."""
    owners = {id(a.value.target): a.value.target for a in match.given if isinstance(a.value, ir.Member)}
    found: dict[int, Listed] = {}
    for owner in owners.values():
        for value in context.program.value_of(owner):
            for tool in _objects(context.program, (value,)):
                found.setdefault(id(tool.node), tool)
    return tuple(found.values()) or tuple(_described(context.program, wrapped(context, match)))


def _described(program: Program, tools: Iterable[Described]) -> Iterator[Listed]:
    """Tools that were traced back to the mappings that describe them."""
    for tool in tools:
        for value in filled(program, tool.node) if isinstance(tool.node, ir.Map) else ():
            if isinstance(value, Entries):
                function = tool.functions[0] if tool.functions else None
                yield Listed(value, tool.name, dict(tool.entries), function)


def _returned(context: Context, handler: ir.Function) -> Iterator[Listed]:
    """The tools in what a list handler returns: `{ tools: [...] }`, `{ tools: all.map(...) }`."""
    program = context.program
    for expr in program.structure(handler).returns:
        for value in program.value_of(expr):
            tools = dict(value.entries).get("tools") if isinstance(value, Entries) else None
            if tools is not None:
                yield from tuple(in_list(program, tools)) or traced(context, tools)


def traced(context: Context, tools: ir.Expr) -> Iterator[Listed]:
    """The tools that a list is made of, followed back."""
    trace = Trace(context)
    trace.back([tools])
    if trace.tools or trace.known:
        yield from _described(context.program, sorted(trace.tools.values(), key=lambda tool: tool.node.span))
    else:
        yield from (tool for cls, form in trace.forms.items() for tool in _of_kind(context.program, cls, form))


def _of_kind(program: Program, base: ir.Class, form: ir.Map) -> Iterator[Listed]:
    """The tools of a kind whose objects are made out of sight, by code that finds classes in a folder: each class of
    the kind that has a name of its own, as its objects describe themselves.
    """
    written = [(str(e.key.value), e.value) for e in form.entries if isinstance(e.key, ir.Literal)]
    for cls in (base, *program.subclasses(base)):
        said = {key: given_by(program, Instance(cls), expr) for key, expr in written}
        entries = {key: exprs[0] for key, exprs in said.items() if len(exprs) == 1}
        name = own_text(program, entries["name"]) if "name" in entries else ""
        if name and entries.keys() & {*INPUT}:
            value = Entries(tuple(entries.items()), form)
            yield Listed(value, name, entries, method_of(program, cls), cls)


def in_list(program: Program, expr: ir.Expr) -> Iterator[Listed]:
    """The tools that stand in a list as objects."""
    if isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Member) and callee_name(expr.callee) in _PASSING:
        yield from in_list(program, expr.callee.target)
        return
    for value in program.value_of(expr):
        items = value.items if isinstance(value, Items) else ()
        for item in items:
            yield from _objects(program, program.value_of(item))


_PASSING: Final = frozenset({"map", "filter", "slice", "concat", "sort", "flat"})


def _objects(program: Program, values: Iterable[Value]) -> Iterator[Listed]:
    for value in values:
        if not isinstance(value, Entries):
            continue
        entries = _joined(program, value)
        name = _text(program, entries.get("name"))
        if name and entries.keys() & set(INPUT):
            yield Listed(value, name, entries, _function(program, entries))


def _joined(program: Program, value: Entries) -> dict[str, ir.Expr]:
    """An object's entries and, below them, those of the object in which it describes itself."""
    entries = dict(value.entries)
    for key in NESTED:
        for inner in program.value_of(entries[key]) if key in entries else ():
            if isinstance(inner, Entries) and dict(inner.entries).keys() & {"name", *INPUT}:
                return {**dict(inner.entries), **{k: v for k, v in entries.items() if k != key}}
    return entries


def _text(program: Program, expr: ir.Expr | None) -> str:
    values = program.value_of(expr) if expr is not None else ()
    return next((v.value for v in values if isinstance(v, Const) and isinstance(v.value, str)), "")


def _function(program: Program, entries: dict[str, ir.Expr]) -> ir.Function | None:
    exprs = (entries[key] for key in RUNNING if key in entries)
    return next((v.function for expr in exprs for v in program.value_of(expr) if isinstance(v, Func)), None)


def said(program: Program, entries: Mapping[str, ir.Expr]) -> Annotations:
    """The hints in what the object of a tool says."""
    given = program.value_of(entries[ANNOTATIONS]) if ANNOTATIONS in entries else ()
    return Annotations(*(_hint(program, given, name) for name in HINTS))


def _hint(program: Program, given: tuple[Value, ...], name: str) -> Setting:
    read: list[Value] = []
    for value in given:
        if isinstance(value, Entries) and name in dict(value.entries):
            read.extend(program.value_of(dict(value.entries)[name]))
        elif not isinstance(value, Entries) or not value.complete:
            return to_setting(program, Read((value,), missing=False))
    return to_setting(program, Read(tuple(read), missing=False)) if read else ABSENT
