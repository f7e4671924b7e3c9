"""The ways on which model calls are reached: steps, and the calls that lead from one function to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.reached import reached
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.syntax import ir


class Step(NamedTuple):
    """A node in a scope from which the model call is reached; `inferred` when a callee on the way is known by name
    alone.
    """

    node: ir.Node
    scope: ir.Scope
    inferred: bool = False


class Ways:
    """The ways on which model calls are reached: from a call, up through the callers of the function that makes it."""

    def __init__(self) -> None:
        self.steps: dict[int, Step] = {}
        """By the id of their node."""
        self.scopes: dict[int, ir.Scope] = {}
        self._entered: dict[int, set[int]] = {}
        """For the id of a call the scopes that it enters on the way to a model."""
        self._functions: set[int] = set()
        """The ids of the scopes that are entered."""
        self._missed: set[tuple[int, int]] = set()
        """The ids of calls and steps that stand in a branch to which what the call hands in does not lead."""
        self._inside: dict[int, list[Step]] = {}

    def add(self, step: Step) -> None:
        """One more node from which a model call is reached."""
        if id(step.node) in self.steps:
            return
        self.steps[id(step.node)] = step
        self.scopes[id(step.scope)] = step.scope
        self._inside.setdefault(id(step.scope), []).append(step)

    def enter(self, caller: Step, function: ir.Scope) -> None:
        """A call that enters a function on the way."""
        self._entered.setdefault(id(caller.node), set()).add(id(function))
        self._functions.add(id(function))

    def is_entered(self, function: ir.Scope) -> bool:
        """Whether a call on a way enters a function."""
        return id(function) in self._functions

    def miss(self, call: ir.Call, step: Step) -> None:
        """A call that enters the function of a step and does not come to it."""
        self._missed.add((id(call), id(step.node)))

    def callers(self, without: frozenset[int]) -> dict[int, set[int]]:
        """For each scope those that call it, by id, leaving out the calls with these ids."""
        found: dict[int, set[int]] = {}
        for call, entered in self._entered.items():
            for scope in entered if call not in without else ():
                found.setdefault(scope, set()).add(id(self.steps[call].scope))
        return found

    def one_way(self, without: frozenset[int]) -> frozenset[int]:
        """The ids of the calls that lead back to themselves on no way, of those that have their ids not in `without`. A
        call that enters a function does not come to what stands in a branch to which what it hands in does not lead.
        """
        left = {call: self._led_to(call) for call in self._entered if call not in without}
        ends = set[int]()
        while new := {call for call, led in left.items() if led.isdisjoint(left)}:
            ends |= new
            left = {call: led for call, led in left.items() if call not in new}
        return frozenset(ends | {c for c, led in left.items() if c not in reached(led, lambda o: left.get(o, ()))})

    def _led_to(self, call: int) -> set[int]:
        """The ids of the steps in the functions that a call enters, but for those that it misses."""
        entered = self._entered[call]
        inside = {id(step.node) for scope in entered for step in self._inside.get(scope, ())}
        return {step for step in inside if (call, step) not in self._missed}

    def below(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """These steps, and all that lie between them and the model calls that they reach."""
        found: dict[int, Step] = {}
        queue = list(steps)
        for step in queue:
            if id(step.node) not in found:
                found[id(step.node)] = step
                inside = (s for scope in self._entered.get(id(step.node), ()) for s in self._inside.get(scope, ()))
                queue.extend(s for s in inside if (id(step.node), id(s.node)) not in self._missed)
        return tuple(found.values())

    def leads_past(self, step: Step, scope: ir.Scope) -> bool:
        """Whether a step reaches a model call on a way that does not enter this scope."""
        seen, queue = set[int](), [step]
        for each in queue:
            if id(each.node) in seen:
                continue
            seen.add(id(each.node))
            entered = self._entered.get(id(each.node))
            if entered is None:
                return True
            inside = (s for key in entered - {id(scope)} for s in self._inside.get(key, ()))
            queue.extend(s for s in inside if (id(each.node), id(s.node)) not in self._missed)
        return False
