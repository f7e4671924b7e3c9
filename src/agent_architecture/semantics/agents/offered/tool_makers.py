"""Tools that a project declares by a maker of its own: `defineTool({name, description, handler})`, `ToolSpec(name=…)`.

What the maker is called, and that each call names and describes something, makes them unmistakably tools, though the
registry that offers them may not be readable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.options import as_written
from agent_architecture.names.values import ClassValue, Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    NAMES,
    PARAMETERS,
    SAYING,
    Described,
    described,
    own_text,
    running,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MAKER: Final = regex(r"(?:^t|_t|T)ool(?:_?(?:[Ss]pec|[Dd]ef|[Dd]efinition))?$")
"""How makers of tools are called, at the end: `Tool`, `define_tool`, `ToolSpec`; not `ToolCall`, `ToolParameter`."""

SEVERAL: Final = 2
"""Calls of one maker from which on it is taken for a project's own kind of tool."""


def declared(program: Program) -> Iterator[Described]:
    """The tools that such makers make, by position."""
    names = {name for module in program.modules for name in module.index.calls if MAKER.search(name)}
    for name in sorted(names):
        found = [tool for site in program.calls(name) if (tool := _declared(program, site.call)) is not None]
        if len(found) >= SEVERAL:
            yield from sorted(found, key=lambda tool: tool.node.span)


def makers_of(program: Program, tool: Described) -> tuple[object, ...]:
    """What made a declared tool: the project's class or function that its call runs."""
    values = program.value_of(tool.node.callee) if isinstance(tool.node, ir.Call) else ()
    return tuple(
        v.cls if isinstance(v, ClassValue) else v.function for v in values if isinstance(v, (ClassValue, Func))
    )


def can_work(tool: Described) -> bool:
    """Whether something of a tool can be called: its code, or an input that a model is to fill. A record that has a
    name and a text alone repeats what stands elsewhere.
    """
    return bool(tool.functions) or bool(tool.entries.keys() & {*PARAMETERS})


def _declared(program: Program, call: ir.Call) -> Described | None:
    """The tool that a call declares, if it is one of the project's own makers."""
    makers = program.value_of(call.callee)
    if not makers or not all(isinstance(maker, (Func, ClassValue)) for maker in makers):
        return None
    if all(isinstance(maker, ClassValue) for maker in makers):
        found = described(program, call, is_offered=True) or _written(program, call)
        return found if found is not None and isinstance(found.node, ir.Call) and _says(found) else None
    given = [each for argument in call.args if isinstance(each := as_written(program, argument.value), ir.Map)]
    found = described(program, given[0]) if given else None
    return found._replace(node=call) if found is not None and found.functions and _says(found) else None


def _written(program: Program, call: ir.Call) -> Described | None:
    """The tool that stands in the keywords of a call, whatever the constructor does with them."""
    entries = {argument.keyword: argument.value for argument in call.args if argument.keyword is not None}
    name = next((text for key in NAMES if key in entries and (text := own_text(program, entries[key]))), "")
    return Described(call, name, entries, running(program, entries)) if name else None


def _says(tool: Described) -> bool:
    return any(key in tool.entries for key in SAYING)
