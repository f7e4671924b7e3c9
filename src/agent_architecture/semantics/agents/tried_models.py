"""Requests that only try a model: nobody takes the answer, so nobody runs what it picks.

Whether a model takes tools is found out by a request with a made-up one that fails, or does not. Must not know why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def is_dropped(program: Program, call: ir.Call) -> bool:
    """Whether nobody takes the answer to a request, no callback either."""
    calls_back = any(isinstance(node, ir.Function) for node in ir.walk(*(argument.value for argument in call.args)))
    return not calls_back and program.structure(program.scope_of(call)).is_statement(call)


def is_tried(program: Program, call: ir.Call) -> bool:
    """Whether all that code learns of a request is whether it failed."""
    tries = program.structure(program.scope_of(call)).enclosing(call, ir.Try)
    return is_dropped(program, call) and any(tried.handlers for tried in tries)


def made_up(context: Context, tools_of: Callable[[Match], tuple[Tool, ...]], code: Container[int]) -> frozenset[Tool]:
    """The tools that no code runs, and that only such requests are given; `code` has those that code runs, by id."""
    asks = [match for match in context.of_kind("model_call") if isinstance(match.node, ir.Call)]
    tried = {id(m) for m in asks if isinstance(m.node, ir.Call) and is_tried(context.program, m.node)}
    given = {tool for match in asks if id(match) in tried for tool in tools_of(match)}
    if not given:
        return frozenset()
    others = (match for match in context.of_kind("agent", "run", "model_call") if id(match) not in tried)
    taken = {tool for match in others for tool in tools_of(match)}
    return frozenset(tool for tool in given - taken if id(tool) not in code)
