"""Functions and classes that a decorator declares as tools, which is called like one and of which no pack knows: of an
unknown library, or of the project itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Entries, Func, Instance
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    NAMES,
    SAYING,
    Described,
    joined,
    named_object,
    of_object,
    own_text,
)
from agent_architecture.semantics.agents.shapes import evidence
from agent_architecture.semantics.agents.shapes.words import is_decorator_of_abilities, is_decorator_of_tools
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

NAME: Final = regex(r"^[\w.\-/:]+$")
"""How a tool is called, other than described."""


def decorated(context: Context) -> Iterator[Described]:
    """The tools that such decorators declare, by position."""
    with_models = evidence.has_models(context)
    for module in context.program.modules:
        if any(_is_wanted(name, with_models=with_models) for name in module.index.calls):
            definitions: tuple[ir.Function | ir.Class, ...] = (*module.index.functions, *module.index.classes)
            for node in definitions:
                if node.name and context.at(node, "tool", "handoff") is None:
                    yield from _first(context, node, with_models=with_models)


def _is_wanted(name: str, *, with_models: bool) -> bool:
    """Whether a decorator may declare a tool, by its last name."""
    return is_decorator_of_tools(f"tool.{name}") or (with_models and is_decorator_of_abilities(f"agent.{name}"))


def _first(context: Context, node: ir.Function | ir.Class, *, with_models: bool) -> Iterator[Described]:
    """What the first of such decorators of a definition declares."""
    for decorator in node.decorators:
        found = _declared(context, node, decorator, with_models=with_models)
        if found is not None:
            yield found
            return


def _declared(
    context: Context, node: ir.Function | ir.Class, decorator: ir.Expr, *, with_models: bool
) -> Described | None:
    """The tool that one decorator makes of a definition."""
    program = context.program
    callee = decorator.callee if isinstance(decorator, ir.Call) else decorator
    written = dotted(callee)
    is_of_tools = is_decorator_of_tools(written)
    if not is_of_tools and not (with_models and is_decorator_of_abilities(written)):
        return None
    if any(context.packs.decorators(api.path) for api in resolved(program, callee)):
        return None
    entries, outside = _said(program, decorator), _is_outside(program, callee)
    name = next((text for key in NAMES if key in entries and (text := own_text(program, entries[key]))), "")
    if isinstance(node, ir.Class):
        value = Instance(node)
        found = named_object(program, value, name, node) if name else of_object(program, value)
        return None if found is None or found.node is not node else found._replace(outside=outside)
    told = evidence.says(entries) or evidence.is_documented(node)
    if not told and not (with_models and is_of_tools):
        return None
    return Described(node, name or node.name, entries, (node,), outside=outside)


def _said(program: Program, decorator: ir.Expr) -> Mapping[str, ir.Expr]:
    """What is told to a decorator: its name first, keywords, an object that describes the tool."""
    said: dict[str, ir.Expr] = {}
    for argument in decorator.args if isinstance(decorator, ir.Call) else ():
        if argument.keyword is not None:
            said[argument.keyword] = argument.value
            continue
        for value in program.value_of(argument.value):
            if isinstance(value, Entries) and isinstance(value.node, ir.Map):
                said |= joined(program, value)
        text = own_text(program, argument.value)
        key = NAMES[0] if NAME.match(text) else SAYING[0]
        if text:
            said.setdefault(key, argument.value)
    return said


def _is_outside(program: Program, callee: ir.Expr) -> bool:
    """Whether what a name means is not code of the project: an unknown library may check what it is given."""
    values = program.value_of(callee)
    return not values or any(isinstance(value, Api) or not isinstance(value, Func) for value in values)
