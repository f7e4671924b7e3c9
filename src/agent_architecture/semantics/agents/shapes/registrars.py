"""Calls that declare tools, by functions and constructors which are called like that and of which no pack knows:
`registry.register_tool("search", search)`, `server.addTool({name, description, execute})`, `XTool(name=…, func=…)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.classes import lineage
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Entries, Func, Instance
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    NAMES,
    SAYING,
    Described,
    described,
    of_object,
    own_text,
    running,
)
from agent_architecture.semantics.agents.shapes import evidence
from agent_architecture.semantics.agents.shapes.decorators import NAME
from agent_architecture.semantics.agents.shapes.words import REGISTERING, is_registrar, puts_in, says_tool
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

SHOWN: frozenset[str] = frozenset(
    {"active", "component", "cursor", "element", "hotkey", "href", "icon", "keybinding", "onActivate", "onClick"}
    | {"onPointerDown", "onSelect", "route", "shortcut", "tooltip"}
)
"""Keys of what a person is shown: tools of an editor, items of a menu."""


_NAMED: frozenset[str | None] = frozenset({*NAMES, *SAYING})
"""Arguments that tell of a tool, and are none."""


def registered(context: Context) -> Iterator[Described]:
    """The tools that such calls declare, by name of the call and position."""
    program = context.program
    called = {name for module in program.modules for name in module.index.calls}
    names = {name for name in called if is_registrar(f"tools.{name}") or puts_in(name)}
    for name in sorted(names):
        for site in program.calls(name):
            if _is_registrar(program, site.call) and not _is_known(context, site.call):
                yield from _declared(program, site.call)


def _is_registrar(program: Program, call: ir.Call) -> bool:
    """Whether a call is spelled as one that declares a tool, or registers something with an object of such a class."""
    callee = call.callee
    if is_registrar(dotted(callee) or callee_name(callee)):
        return True
    if not isinstance(callee, ir.Member) or not puts_in(callee.name):
        return False
    owners = [v.cls for v in program.value_of(callee.target) if isinstance(v, Instance) and says_tool(v.cls.name)]
    return any(callee.name in REGISTERING or _keeps_tools(program, cls, callee.name) for cls in owners)


def _keeps_tools(program: Program, cls: ir.Class, name: str) -> bool:
    """Whether a method of a registry puts what it is given among its tools, under the name that it is given:
    `self._tools[name] = Definition(name, run)`, `this.tools.set(name, run)`. What else a registry keeps is no tool.
    """
    methods = (one for each in lineage(program, cls) for one in each.body)
    method = next((one for one in methods if isinstance(one, ir.Function) and one.name == name), None)
    if method is None:
        return False
    structure = program.structure(method)
    given = {param.name for param in method.params}
    kept = [(n.target.target, n.target.key) for n in structure.stores if isinstance(n.target, ir.Index)]
    kept += [
        (call.callee.target, call.args[0].value)
        for call in structure.calls
        if isinstance(call.callee, ir.Member) and call.callee.name == "set" and len(call.args) > 1
    ]
    return any(
        isinstance(holder, ir.Member) and says_tool(holder.name) and isinstance(key, ir.Name) and key.id in given
        for holder, key in kept
    )


def _is_known(context: Context, call: ir.Call) -> bool:
    """Whether a pack speaks of a call, or it makes a class instead of a tool: the project's own constructor says what
    its objects are by itself.
    """
    if context.all_at(call, "tool", "agent", "handoff", "tool_set", "run", "model_call", "mcp_server"):
        return True
    apis = resolved(context.program, call.callee)
    return any(context.packs.entities(api.path) or context.packs.settings(api.path) for api in apis)


def _declared(program: Program, call: ir.Call) -> Iterator[Described]:
    """The tools that one call declares."""
    callees = program.value_of(call.callee)
    outside = not callees or not all(isinstance(value, (Func, ClassValue)) for value in callees)
    if any(isinstance(value, ClassValue) for value in callees):
        found = described(program, call)
        if found is not None and found.functions and evidence.says(found.entries):
            yield found
        return
    own = _by_arguments(program, call)
    if own is not None:
        yield own._replace(outside=outside)
        return
    first = next(iter(call.args), None)  # what follows a name that cannot be read is no tool's own
    given = _given(program, first.value) if first is not None and first.keyword not in _NAMED else None
    if given is not None and first is not None:  # an object that is written there is known by the call around it
        yield given._replace(outside=outside, node=call if isinstance(first.value, ir.Map) else given.node)


def _by_arguments(program: Program, call: ir.Call) -> Described | None:
    """The tool of a call that is told its name: `register("search", search, "Looks it up.")`, `Tool(name=…)`."""
    entries = {argument.keyword: argument.value for argument in call.args if argument.keyword is not None}
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    texts = [text for expr in plain if (text := own_text(program, expr))]
    name = next((text for key in NAMES if key in entries and (text := own_text(program, entries[key]))), "")
    if not name and plain and texts and own_text(program, plain[0]) and NAME.match(texts[0]):
        name = texts[0]
    if not name:
        return None
    for expr in plain[1:]:
        if " " in own_text(program, expr):
            entries.setdefault(SAYING[0], expr)
        for value in program.value_of(expr) if isinstance(expr, (ir.Map, ir.Name, ir.Member)) else ():
            if isinstance(value, Entries):
                entries = {**dict(value.entries), **entries}
    functions = running(program, entries) or tuple(_functions(program, plain)) or _further(program, call, plain)
    if not functions or SHOWN & entries.keys():
        return None
    says = evidence.says(entries) or any(map(evidence.is_documented, functions))
    return Described(call, name, entries, functions) if says else None


def _functions(program: Program, exprs: list[ir.Expr]) -> Iterator[ir.Function]:
    for expr in exprs:
        if isinstance(expr, (ir.Function, ir.Name, ir.Member)):
            yield from (value.function for value in program.value_of(expr) if isinstance(value, Func))


def _further(program: Program, call: ir.Call, plain: list[ir.Expr]) -> tuple[ir.Function, ...]:
    """The functions that a call is handed under a key of its own, out of a table, or as a maker gives them."""
    if not isinstance(call.callee, ir.Member):
        return ()
    given = [*plain, *(argument.value for argument in call.args if argument.keyword is not None)]
    values = (value for expr in given for value in program.value_of(expr))
    return tuple(dict.fromkeys(value.function for value in values if isinstance(value, Func)))


def _given(program: Program, expr: ir.Expr) -> Described | None:
    """The tool that is handed to a registrar as a whole: a mapping, a function that is documented, an object."""
    if isinstance(expr, ir.Map):
        found = described(program, expr)
        is_one = found is not None and found.functions and evidence.says(found.entries)
        return found if is_one and found is not None and not SHOWN & found.entries.keys() else None
    for value in program.value_of(expr):
        match value:
            case Func(function=function) if function.name and evidence.is_documented(function):
                return Described(function, function.name, {}, (function,))
            case Instance():
                return of_object(program, value)
            case ClassValue(cls=cls):
                return of_object(program, Instance(cls))
            case Entries(node=ir.Map() as node):
                return _given(program, node)
            case _:
                continue
    return None
