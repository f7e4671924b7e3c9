"""Objects of the project's classes that are called: `ask = Ask(); ask(text)` runs `Ask.__call__`, or the method that
the library's class runs which `Ask` derives from (`forward` of a module).

Such a call has the name of the variable, parameter or attribute that holds the object, or none (`Ask()(text)`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.indirect_calls import names_holding
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

CALL: Final = "__call__"

ITSELF: Final = frozenset({"self", ""})
"""Names of calls that may be calls of an object which no name holds outside of its class."""


def runners(program: Program, method: ir.Function) -> frozenset[str]:
    """The names of the methods of libraries that run a method where a class of the project writes it."""
    if not isinstance(method.outer, ir.Class) or not method.outer.bases:
        return frozenset()
    bases = classes.library_bases(program, method.outer)
    return frozenset().union(*(program.library.runners(f"{base.path}().{method.name}") for base in bases))


def names_of_objects(program: Program, cls: ir.Class) -> frozenset[str]:
    """The names under which the objects of a class and of its subclasses are called."""
    from agent_architecture.names.callers import constructions

    made = (call for _, call in constructions(program, cls))
    return ITSELF.union(*(names_holding(program, program.scope_of(call), call) for call in made))


def run_by_call(program: Program, cls: ir.Class) -> tuple[ir.Function, ...]:
    """The method that the call of an object of a class runs: what a Protocol only declares stands for no other."""
    own = _written(program, cls, CALL)
    base = None if own else classes.library_base(program, cls)
    method = program.library.runs(f"{base.path}().{CALL}") if base is not None else ""
    return own or (_written(program, cls, method) if method else ())


def _written(program: Program, cls: ir.Class, name: str) -> tuple[ir.Function, ...]:
    """The methods of one name that the nearest class of a lineage writes."""
    for ancestor in classes.lineage(program, cls):
        found = tuple(b.node for b in program.attributes(ancestor).get(name, ()) if isinstance(b.node, ir.Function))
        if found:
            return found
    return ()
