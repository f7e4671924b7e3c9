"""What many expressions ask alike, asked once: what a name is by some of its bindings, what a parameter is given, what
a class gives its objects.

Without these questions each of N places that read something asks each of M places that it comes from; with them
there are N + M ways, and circles are small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.alternatives import in_order, limited_in_circle, shape_of
from agent_architecture.names.memory import Kind
from agent_architecture.names.program_answers import joined_values, place
from agent_architecture.names.values import Instance
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.memory import Place
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Values
    from agent_architecture.syntax import ir


class Named(NamedTuple):
    """What a name of a scope is by some of its bindings: asked wherever the name stands and these reach it."""

    owner: ir.Scope
    name: str
    bindings: tuple[Binding, ...]


class OfClass(NamedTuple):
    """An attribute `name` of the objects of `cls`, as `own` has it: the class itself, or one of its lineage."""

    own: ir.Class
    name: str
    cls: ir.Class


class Shared:
    """These questions, of one program."""

    __slots__ = ("_field", "_member", "_named", "_parameter", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._named = _kind(self._by_bindings, _of_name)
        self._parameter = _kind(self._given, _of_name)
        self._member = _kind(self._of_class, _of_member)
        self._field = _kind(self._of_constructions, _of_member)

    def named(self, owner: ir.Scope, name: str, bindings: tuple[Binding, ...]) -> Values:
        """What a name of a scope is by these of its bindings."""
        subject = Named(owner, name, bindings)
        return self._program.ask((id(owner), name, *map(id, bindings)), subject, self._named)

    def parameter(self, binding: Binding) -> Values:
        """What a parameter can be, or what its destructuring takes out of it."""
        subject = Named(self._program.scope_of(binding.node), binding.name, (binding,))
        return self._program.ask(("parameter", id(binding)), subject, self._parameter)

    def of_class(self, own: ir.Class, name: str, cls: ir.Class) -> Values:
        """What a class, or one of its lineage (`own`), has as an attribute of those objects of `cls` that are known by
        their type alone.
        """
        return self._program.ask(("member", id(own), name, id(cls)), OfClass(own, name, cls), self._member)

    def field(self, cls: ir.Class, name: str) -> Values:
        """What the constructions of a class give its objects as a field; nothing where there are none."""
        return self._program.ask(("field", id(cls), name), OfClass(cls, name, cls), self._field)

    def _by_bindings(self, subject: Named) -> Values:
        from agent_architecture.names.lookup import combined

        self._program.reads(subject.owner)
        return self._each_once(combined(self._program, *subject))

    def _given(self, subject: Named) -> Values:
        from agent_architecture.names.parameters import parameter

        self._program.reads(subject.bindings[0].node)
        return self._each_once(tuple(parameter(self._program, subject.bindings[0])))

    def _of_class(self, subject: OfClass) -> Values:
        from agent_architecture.names.members import own_member

        self._program.reads(subject.own, subject.cls)
        found = own_member(self._program, subject.own, subject.name, Instance(subject.cls))
        return self._each_once(tuple(found))

    def _of_constructions(self, subject: OfClass) -> Values:
        from agent_architecture.names.fields import by_constructions

        self._program.reads(subject.own)
        return self._each_once(tuple(by_constructions(self._program, subject.cls, subject.name)))

    def _each_once(self, values: Values) -> Values:
        """What an answer is that only other answers are made of, most of them of the very same objects."""
        if self._program.is_in_circle:
            return limited_in_circle(values, None)
        return tuple({id(value): value for value in values}.values()) if len(values) > 1 else values


def _kind(work: Callable[..., Values], where: Callable[..., Place]) -> Kind:
    return Kind(work, (), shape_of, _nothing, joined_values, where, in_order)


def _of_name(subject: Named) -> Place:
    return place(subject.bindings[0].node, subject.name)


def _of_member(subject: OfClass) -> Place:
    return place(subject.own, f"{subject.name} of {subject.cls.span}")


def _nothing(subject: object, why: str) -> Values:
    """Those that are made of this answer say themselves that they are not readable."""
    del subject, why
    return ()
