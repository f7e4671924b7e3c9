"""Checks of who calls that are made only where a setting is there: `if TOKEN and given != TOKEN: refuse`.

As the project is, nobody is asked. A setting that the program does not start without is no such one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.builtins import is_environment
from agent_architecture.names.exits import error_of, leaves_function, some_leave, some_raise
from agent_architecture.names.program import callee_name
from agent_architecture.names.test_parts import has, joined_by, lacks
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.protocols.credential_checks import configured_in
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


SETTING: Final = regex(r"^[A-Z][A-Z0-9_]+$|(?:^|\.)(?i:env|settings|config)\.\w+$")


def asks_where_set(program: Program, function: ir.Function) -> bool:
    """Whether all that a function compares with a setting is compared only where the setting is there."""
    return program.kept(_asks_where_set, function)


def compared_settings(program: Program, function: ir.Function) -> frozenset[str]:
    """What the settings are called with which a function compares what it is given."""
    return frozenset(callee_name(setting) for _, settings in _compared(program, function) for setting in settings)


def _asks_where_set(program: Program, function: ir.Function) -> bool:
    compared = _compared(program, function)
    return bool(compared) and all(
        any(_is_optional(program, function, node, setting) for setting in settings) for node, settings in compared
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


def _is_optional(program: Program, function: ir.Function, comparison: ir.Node, setting: ir.Expr) -> bool:
    """Whether a comparison stands behind the question whether its setting is there, and nothing needs it to be."""
    name = dotted(setting)
    if not name or _is_required(program, function, name) or _must_be_there(program, setting):
        return False
    below: ir.Node = comparison
    for around in program.structure(function).ancestors(comparison):
        if isinstance(around, ir.Operator) and _names(around, name, below):
            return True
        if isinstance(around, ir.If) and below is not around.test and _names(around.test, name, None):
            return any(below is each for each in around.then)
        below = around
    return any(_passes(node, name) for node in program.structure(function).nodes)


def _names(test: ir.Expr, name: str, but: ir.Node | None) -> bool:
    """Whether a test asks for a setting to be there, beside one of its parts."""
    return any(dotted(has(part)) == name for part in joined_by(ir.Op.AND, test) if part is not but)


def _passes(node: ir.Node, name: str) -> bool:
    """`if not TOKEN: return`: without the setting, nobody is refused."""
    if not isinstance(node, ir.If):
        return False
    lacked = lacks(node.test)
    leaves = any(leaves_function(each) and error_of(each) is None for each in node.then)
    return lacked is not None and dotted(lacked) == name and leaves and not some_raise(ir.walk(*node.then))


def _is_required(program: Program, function: ir.Function, name: str) -> bool:
    """Whether a module, or the function itself, stops where the setting is not there."""
    module = program.module_of(function)
    tests = (node for scope in (function, module) for node in program.structure(scope).nodes if isinstance(node, ir.If))
    lacking = (test for test in tests if (lacked := lacks(test.test)) is not None and dotted(lacked) == name)
    return any(some_raise(ir.walk(*test.then)) or (test in module.body and some_leave(*test.then)) for test in lacking)


def _must_be_there(program: Program, setting: ir.Expr) -> bool:
    """Whether a setting is read so that the program does not start without it: `os.environ["TOKEN"]`."""
    nodes = (origin.node for origin in flow.origins(program, setting))
    return any(isinstance(each, ir.Index) and is_python(each.span.path) for each in nodes)
