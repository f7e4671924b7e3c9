"""Graphs whose every step can be read and only arranges data: no model, tool or agent is reached, so a run of one is no
agent's. In doubt a step reaches one: a call that cannot be followed, or that leads to a library or another machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import EXTENT, extent
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.matching.match import Match

ARRANGING: Final = regex(
    r"py:builtins\.(?:abs|all|any|bool|dict|enumerate|float|format|frozenset|int|isinstance|len|list|max|min|print|"
    r"range|reversed|round|set|sorted|str|sum|tuple|zip)\b.*|"
    r"py:(?:copy|datetime|json|logging|math|random|re|string|textwrap|time|uuid)\..*|"
    r"npm:globalThis:(?:Array|Boolean|Date|JSON|Math|Number|Object|Set|String|console)\b.*"
)
"""Calls of the languages' own libraries that compute something or say it."""
OF_DATA: Final = frozenset({"copy", "get", "items", "keys", "values"})
"""Methods of a graph's state."""


def is_idle(program: Program, graphs: Graphs, agents: Collection[Match]) -> bool:
    """Whether each of the agents that a run may execute is such a graph."""
    return bool(agents) and all(_only_arranges(program, graphs, agent) for agent in agents)


def _only_arranges(program: Program, graphs: Graphs, agent: Match) -> bool:
    steps = graphs.read_steps(agent)
    return bool(steps) and all(_is_plain(program, step) for step in steps)


def _is_plain(program: Program, step: ir.Function) -> bool:
    found = extent(program, step.body, ())
    calls = [node for node in found.nodes() if isinstance(node, ir.Call)]
    state = {parameter.name for parameter in step.params}
    return len(found.called) < EXTENT and all(_arranges(program, call, state) for call in calls)


def _arranges(program: Program, call: ir.Call, state: Collection[str]) -> bool:
    """Whether a call runs the project's own code, which is looked at by itself, or nothing but the language's."""
    if any(isinstance(v, Func) for given in call.args for v in program.value_of(given.value)):
        return False
    callee = call.callee
    if isinstance(callee, ir.Member) and callee.name in OF_DATA and isinstance(callee.target, ir.Name):
        return callee.target.id in state
    values = program.value_of(callee)
    return bool(values) and all(
        ARRANGING.fullmatch(value.path) is not None if isinstance(value, Api) else isinstance(value, Func)
        for value in values
    )
