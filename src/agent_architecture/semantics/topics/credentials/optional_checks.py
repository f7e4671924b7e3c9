"""Checks of who calls that are made only where a setting is there: `if TOKEN and given != TOKEN: refuse`.

As the project is, nobody is asked. A setting that the program does not start without is no such one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.builtins import is_environment
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.conditions_of_project import conditions_in
from agent_architecture.semantics.control.leaving import decided, leavings
from agent_architecture.semantics.control.presence_tests import is_missing, is_there
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.protocols.credential_checks import configured_in
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.packs import Packs


SETTING: Final = regex(r"^[A-Z][A-Z0-9_]+$|(?:^|\.)(?i:env|settings|config)\.\w+$")


def asks_where_set(context: Context, function: ir.Function) -> bool:
    """Whether all that a function compares with a setting is compared only where the setting is there."""
    return context.program.kept(_asks_where_set, context.packs, function)


def compared_settings(program: Program, function: ir.Function) -> frozenset[str]:
    """What the settings are called with which a function compares what it is given."""
    return frozenset(callee_name(setting) for _, settings in _compared(program, function) for setting in settings)


def _asks_where_set(program: Program, packs: Packs, function: ir.Function) -> bool:
    compared = _compared(program, function)
    asked = _Asked(program, conditions_in(program, packs), function)
    return bool(compared) and all(
        any(asked.is_optional(node, setting) for setting in settings) for node, settings in compared
    )


def _compared(program: Program, function: ir.Function) -> list[tuple[ir.Node, list[ir.Expr]]]:
    """The comparisons of a function with settings, each with these."""
    return [
        (node, settings)
        for node in program.structure(function).nodes
        if (settings := [each for each in configured_in(program, node) if _is_set_outside(program, each)])
    ]


def _is_set_outside(program: Program, setting: ir.Expr) -> bool:
    """Whether who runs the program says what a setting is, not who sends a request."""
    return SETTING.search(dotted(setting)) is not None or any(map(is_environment, program.value_of(setting)))


class _Asked:
    """What a function and its module ask of settings."""

    def __init__(self, program: Program, conditions: Conditions, function: ir.Function) -> None:
        self._program = program
        self._conditions = conditions
        self._function = function

    def is_optional(self, comparison: ir.Node, setting: ir.Expr) -> bool:
        """Whether a comparison stands behind the question whether its setting is there, and nothing needs it to be."""
        name = dotted(setting)
        known = decided(self._conditions.at(comparison)) if name else ()
        if not any(is_there(one, name) for one in known):
            return False
        return not self._is_required(name) and not _must_be_there(self._program, setting)

    def _is_required(self, name: str) -> bool:
        """Whether the module, or the function itself, fails where the setting is not there."""
        scopes = (self._function, self._program.module_of(self._function))
        nodes = (node for scope in scopes for node in self._program.structure(scope).nodes)
        return any(
            leaving.fails and any(is_missing(one, name) for one in leaving.reasons)
            for leaving in leavings(self._conditions, nodes)
        )


def _must_be_there(program: Program, setting: ir.Expr) -> bool:
    """Whether a setting is read so that the program does not start without it: `os.environ["TOKEN"]`."""
    nodes = (origin.node for origin in flow.origins(program, setting))
    return any(isinstance(each, ir.Index) and is_python(each.span.path) for each in nodes)
