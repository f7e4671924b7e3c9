"""What is assigned to an attribute of an object of a library after it was made: `settings.limit = 5`.

Looks in the scope that makes the object alone; knows no library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Api, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value, Values


def assigned(program: Program, made: ir.Call, name: str) -> Values:
    """The values that the attribute `name` of what a call made is given; none where nobody assigns it."""
    return tuple(
        value
        for store in program.structure(program.scope_of(made)).stores
        if isinstance(store.target, ir.Member) and store.target.name == name and store.value is not None
        if any(isinstance(one, Api) and one.node is made for one in program.value_of(store.target.target))
        for value in program.value_of(store.value)
    )


def is_unset(value: Value, name: str) -> bool:
    """Whether a member says nothing of its value: unreadable, or only known to be that of a library's class."""
    return isinstance(value, Unknown) or (isinstance(value, Api) and value.path.endswith(f"().{name}"))
