"""Objects of the project's own classes that a library makes: `Model.model_validate(data)`, `Settings.load()`.

Which calls do that, and of which class, is a fact about the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import argument_of
from agent_architecture.names.values import ClassValue, Instance, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

RECEIVER: Final = "self"


def made_objects(program: Program, path: str, call: ir.Call) -> Values:
    """What a call of a library returns where that is an object of a class of the project; empty where it is not.

    What its fields were given cannot be read: they are their defaults, or whatever the project gives them elsewhere.
    """
    of = program.library.makes(path)
    if of is None:
        return ()
    if of == RECEIVER:
        source = call.callee.target if isinstance(call.callee, ir.Member) else None
    else:
        source = argument_of(call, of)
    values = program.value_of(source) if source is not None else ()
    made = (Instance(value.cls) if isinstance(value, ClassValue) else value for value in values)
    return tuple(value for value in made if isinstance(value, Instance))
