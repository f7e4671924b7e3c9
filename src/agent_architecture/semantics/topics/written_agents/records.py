"""Records of agents: objects that say what they are called and what a model is told, in whose words other code asks the
model (`client.ask(system=agent.system_prompt, …)`).

What makes such a record an agent is that its words reach a model call; a class that is only called an agent is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import constructions
from agent_architecture.names.super_arguments import passed_to_base
from agent_architecture.semantics.loops.model_inputs import ANYWHERE, places_of
from agent_architecture.semantics.topics.written_agents.identities import NAMES, TOLD, is_told_apart, made_apart
from agent_architecture.semantics.topics.written_agents.naming import is_called_agent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir

SAID: Final = TOLD.difference(NAMES)
"""Where a record keeps the words for its model."""
SEVERAL: Final = 2


def recorded(program: Program, calls: Iterable[ir.Call], known: Collection[ir.Class]) -> Iterator[ir.Class]:
    """The classes of such records, those that are `known` apart: of several, since one that is all there is tells
    nothing apart. What the `calls` to models are asked with is only followed where there is such a class.
    """
    classes = (cls for module in program.modules for cls in module.index.classes)
    kept = [cls for cls in classes if cls not in known and _may_record(program, cls)]
    places = frozenset(place for call in calls for place in places_of(program, call, ANYWHERE)) if kept else frozenset()
    for cls in kept:
        if any((f".{cls.span}", name) in places for name in SAID):
            yield cls


def _may_record(program: Program, cls: ir.Class) -> bool:
    """Whether a class is called an agent, and several objects of it, or of the classes below it, are told apart."""
    if not is_called_agent(program, cls) or not is_told_apart(program, cls):
        return False
    below = program.subclasses(cls)
    told = [one for one in below if _says(one) and any(made is one for made, _ in constructions(program, one))]
    return len(told) >= SEVERAL or bool(made_apart(program, cls))


def _says(cls: ir.Class) -> bool:
    """Whether a class says itself what its objects are called and tell a model."""
    given = passed_to_base(cls)
    names = frozenset() if given is None else {argument.keyword for argument in given.args}
    return bool(names & SAID) and not names.isdisjoint(NAMES)
