"""Requests to a model that is handed in, of a kind which the project declares and leaves to others to make: a method of
an interface that no class of the project brings, and that is given messages and tools.

Whom it asks nobody here knows; that it is a model says what it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.classes import is_protocol
from agent_architecture.names.declarations import is_declaration
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Func, Instance
from agent_architecture.semantics.agents.shapes.requests import OPEN, PACK
from agent_architecture.semantics.matching.match import Match
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs

GIVEN: Final = ("messages", "tools")
"""What such a method is given first, by the names of its arguments or of what stands there."""


def interface_models(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[Match]:
    """The calls of such methods; `known` are the ids of the calls of which other rows speak."""
    row = packs.named(PACK, "model_call", OPEN)
    classes = (cls for module in program.modules for cls in module.index.classes)
    for cls in (one for one in classes if _is_left_open(program, one)):
        for call in (site.call for name in _declared(cls) for site in program.calls(name)):
            if row is not None and id(call) not in known and _is_told(call) and _is_of(program, call, cls):
                yield Match(row, call, call, Api(f"shape:{OPEN}", call.callee), degree=Degree.INFERRED)


def _is_left_open(program: Program, cls: ir.Class) -> bool:
    """Whether a class only declares, and no class of the project brings what it declares."""
    return (cls.kind == "interface" or is_protocol(program, cls)) and not program.subclasses(cls)


def _declared(cls: ir.Class) -> Iterator[str]:
    """The names of what a class declares."""
    for node in cls.body:
        if isinstance(node, ir.Function) and is_declaration(node):
            yield node.name
        elif isinstance(node, ir.Assign) and node.value is None:
            yield callee_name(node.target)


def _is_told(call: ir.Call) -> bool:
    """Whether a call is given messages and tools."""
    given = call.args[: len(GIVEN)]
    return tuple(argument.keyword or callee_name(argument.value) for argument in given) == GIVEN


def _is_of(program: Program, call: ir.Call, cls: ir.Class) -> bool:
    """Whether a call is of what a class declares, and of no other code of the project."""
    if not isinstance(call.callee, ir.Member):
        return False
    owners = [value for value in program.value_of(call.callee.target) if isinstance(value, Instance)]
    brought = (value.function for value in program.value_of(call.callee) if isinstance(value, Func))
    return any(owner.cls is cls for owner in owners) and all(is_declaration(each) for each in brought)
