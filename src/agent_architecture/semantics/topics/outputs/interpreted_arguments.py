"""What models call tools with, where it reaches something that interprets it: a shell, a statement, a page.

Of a server's tools the agent lives elsewhere, and what it writes is no output of this project, unless its own programs
connect to the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Enforcement, Shaped
from agent_architecture.model.outputs import Consumer, ModelOutput, Validation
from agent_architecture.model.touches import Choice
from agent_architecture.semantics.callgraph.tool_arguments import of_function
from agent_architecture.semantics.conversations.effects_of_tools import InCode
from agent_architecture.semantics.effects.statements import is_keyed
from agent_architecture.semantics.effects.text_consumers import EXECUTES, consumer_of
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.schemas.shapes import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir

ARGUMENT_EXECUTES: Final = (*EXECUTES, "deserialise")
CHOSEN: Final = frozenset({"execute_shell", "execute_code"})
"""Effects of tools that do what a model says: a line for a shell, a program."""
ENFORCING: Final = frozenset({Enforcement.TYPES, Enforcement.CLOSED})


def interpreted(context: Context, agents: Agents, hosted: frozenset[int]) -> Iterator[ModelOutput]:
    """Every such argument; `hosted` are the ids of tools that only a host's agents call."""
    effects = agents.facts.effects
    code = agents.code
    opened = _opened(context)
    tools = {id(code[id(tool)]): tool for tool in agents.known_tools() if id(tool) in code}
    for function in agents.running().values():
        tool = tools.get(id(function))
        if tool is not None and id(tool) in hosted:
            continue
        for effect in effects.of(function):
            if is_keyed(effect.kind, effect.symbol.rpartition(".")[2]):
                continue
            if effect.kind in ARGUMENT_EXECUTES and effect.shaped in {Shaped.WHOLLY, Shaped.PARTLY}:
                use = consumer_of(effect.kind)
                checked = Validation.SANITISED if effect.quoted else _checked(tool, use)
                pack, trail = effect.framework, effect.trail
                yield ModelOutput(effect.span, effect.symbol, pack, use, checked, function.span, trail)
        if tool is not None:
            yield from _chosen(InCode(context, effects, tool, of_function(function)), tool, function, opened)


def _chosen(code: InCode, tool: Tool, function: ir.Function, opened: frozenset[Span]) -> Iterator[ModelOutput]:
    """The lines and programs that a tool hands on in other ways, and the pages that it opens."""
    for touch in code.touches():
        opens = touch.effect.kind == "browser" and touch.effect.span in opened
        if touch.choice is Choice.ALL and (opens or touch.effect.kind in CHOSEN):
            effect, place, use = touch.effect, touch.typed or touch.effect.span, Consumer.EFFECT
            yield ModelOutput(place, effect.symbol, effect.framework, use, _checked(tool, use), function.span)


def _opened(context: Context) -> frozenset[Span]:
    """Where a browser is sent to a page."""
    packs, program = context.packs, context.program
    sites = (site for name in packs.mark_names("remote") for site in program.calls(name))
    return frozenset(
        site.call.span
        for site in sites
        for api in resolved(program, site.call.callee)
        if any(mark.covers == "remote" for mark in packs.marks(api.path))
    )


def _checked(tool: Tool | None, consumer: Consumer) -> Validation:
    """What checks the arguments of a tool before its effects: free text is what a row is for."""
    if tool is None:
        return Validation.NONE
    schema = tool.schema
    is_row = consumer is Consumer.STORE
    if schema.parameters and schema.enforcement in ENFORCING and (is_row or not any(texts_of(schema.parameters))):
        return Validation.ENFORCED
    return Validation.CHECKED if tool.guards else Validation.NONE
