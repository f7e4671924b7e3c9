"""Keys that the code and its settings name: what is kept under them has as many entries as there are names.

`self.states[provider] = …` where every caller says which provider, or takes it from the environment. A number that is
counted, a time and an id are new each time, and so is what comes from outside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.builtins import is_reading
from agent_architecture.names.flow import ends
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.flow import End
    from agent_architecture.names.program import Program

SPELLING: Final = frozenset({
    "str", "String", "strip", "lower", "upper", "casefold", "removeprefix", "removesuffix", "trim", "toLowerCase",
    "toUpperCase",
})  # fmt: skip
"""Calls that give a name in another spelling."""
SETTINGS: Final = frozenset({"py:os", "npm:globalThis:process", "process", "os"})
"""What holds the environment."""


def is_fixed(program: Program, key: ir.Expr) -> bool:
    """Whether all that a key can be made of is written in the project or set in the environment."""
    found = ends(program, key)
    named = any(end.kind == "constant" for end in found)
    return named and all(_is_fixed(program, end) for end in found)


def _is_fixed(program: Program, end: End) -> bool:
    node = end.node
    match end.kind:
        case "constant":
            return isinstance(node, ir.Literal) and (node.value is None or isinstance(node.value, str))
        case "name":
            return end.name in SETTINGS
        case "call":
            return isinstance(node, ir.Call) and (_is_setting(node.callee) or callee_name(node.callee) in SPELLING)
        case "parameter":
            return isinstance(node, ir.Function) and _is_only_called(program, node)
        case _:
            return False


def _is_setting(callee: ir.Expr) -> bool:
    """Whether a call reads the environment: `getenv("X")`, `environ.get("X")`."""
    return is_reading(callee) or (isinstance(callee, ir.Member) and is_reading(callee.target))


def _is_only_called(program: Program, function: ir.Function) -> bool:
    """Whether nobody but calls that are seen hands a function its arguments: what these hand in is among the ends."""
    sites = program.callers(function)
    return bool(sites) and not function.decorators and not any(site.escapes for site in sites)
