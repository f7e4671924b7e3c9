"""Places that only keep what was worked out before: caches, and clients that are made when they are first needed.

A model may be asked with what they hold, and a pass may fill them, but what it answered is not in them: a loop over
questions is no agent's for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import words_of
from agent_architecture.names.builtins import is_reading
from agent_architecture.names.flow import ends
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.effects.in_passing import CACHES
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.flow import End
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.loop_path import Path
    from agent_architecture.semantics.taint.access_paths import Place

PATHS: Final = frozenset({"Path", "resolve", "join", "dirname", "abspath", "str"})
"""Calls that make paths of where the code lies."""
SAID: Final = frozenset(
    "message messages history conversation conversations session sessions chat turns thread".split()  # noqa: SIM905
)
"""Words of what keeps a conversation, whatever else it is called."""


def only_keeps(program: Program, path: Path, place: Place, change: ir.Node) -> bool:
    """Whether a change only puts away what no model of the path answered: into a cache, or a library's object that is
    made of what code says.
    """
    if not isinstance(change, ir.Assign) or change.op is not None or change.value is None:
        return False
    value = change.value
    words = set(words_of(place[1]))
    if words & CACHES and not words & SAID:
        asks = {id(ask.node) for ask in path.asks}
        return not any(id(end.node) in asks for end in ends(program, value))
    return _is_made(program, value)


def _is_made(program: Program, value: ir.Expr) -> bool:
    """Whether a value is an object of a library's class, made of constants and settings."""
    if not isinstance(value, ir.Call) or not callee_name(value.callee)[:1].isupper():
        return False
    of_library = [isinstance(each, Api) for each in program.value_of(value.callee)]
    given = (end for argument in value.args for end in ends(program, argument.value))
    return bool(of_library) and all(of_library) and all(map(_is_setting, given))


def _is_setting(end: End) -> bool:
    """Whether a value begins in the code, in its own place, or in the environment."""
    if end.kind != "call" or not isinstance(end.node, ir.Call):
        return end.kind in {"constant", "name"}
    return is_reading(end.node.callee) or callee_name(end.node.callee) in PATHS
