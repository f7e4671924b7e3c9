"""Calls of an enumeration of the project: `Program(text)` comes back only where the text is one of its values.

What comes back is a member, but whoever goes on with the text knows of it what `text in {"date", "df"}` would say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import is_enum, library_bases, lineage
from agent_architecture.names.values import ClassValue
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

ELSE: Final = "_missing_"
"""The method that says which member stands for a value that is none."""
JOINED: Final = frozenset({"Flag", "IntFlag"})
"""Classes that take several members at once for one."""


def looked_up(program: Program, call: ir.Call) -> ir.Expr | None:
    """What a call looks up among the members of an enumeration; None for any other call, and where whatever is looked
    up may be found.
    """
    if len(call.args) != 1 or call.args[0].spread or not isinstance(call.callee, (ir.Name, ir.Member)):
        return None
    values = program.value_of(call.callee)
    lists = bool(values) and all(isinstance(v, ClassValue) and _is_closed(program, v.cls) for v in values)
    return call.args[0].value if lists else None


def _is_closed(program: Program, cls: ir.Class) -> bool:
    """Whether a class has members and takes nothing else for one of them: flags are joined, and `_missing_` decides."""
    if not is_enum(program, cls) or any(last_name(base.path) in JOINED for base in library_bases(program, cls)):
        return False
    if any(ELSE in program.attributes(each) for each in lineage(program, cls)):
        return False
    return any(
        isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and not node.target.id.startswith("_")
        for node in cls.body
    )
