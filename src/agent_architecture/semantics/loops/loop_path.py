"""A hand-written feedback path before it becomes an entity: a loop, or the functions of a recursion, with what its
passes may run and what the model is asked with in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import Bound
    from agent_architecture.semantics.callgraph.call_paths import Step
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.access_paths import Place
    from agent_architecture.syntax import ir


class Path(NamedTuple):
    """A hand-written feedback path before it becomes an entity: a loop, or the functions of a recursion (the first
    stands for it).
    """

    node: ir.Loop | ir.Function
    scope: ir.Scope
    steps: tuple[Step, ...]
    extent: Extent
    members: Extent
    """Of a recursion only its own functions; of a loop all."""
    bounds: tuple[Bound, ...]
    asks: tuple[Match, ...]
    """The model calls and runs that a pass may make."""
    asked: frozenset[Place] = frozenset()
    """The places whose content these are given."""
    passes: frozenset[int] = frozenset()
    """Ids of all nodes that a pass may run, those of loops inside it and of the ways down to the model included."""
    choosing: frozenset[int] = frozenset()
    """Ids of the nodes at which a look at the model's choice is the path's own: `passes`, but of a recursion not
    what other functions do for each of many things.
    """
    ways: frozenset[int] = frozenset()
    """Ids of the functions on the ways down to the model."""
