"""Whether a function says what its model is told and gives it its tools, or only hands on what it is handed.

A text is a function's own where its message stands in it, in a helper that it calls (what a class says is the class's),
or outside of functions, or where the function hands the text to a method that says it. Without a message of the system
the constant words of the user's first one count.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Slot
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.conversations.prompt_slots import text_slots
from agent_architecture.semantics.loops.model_inputs import came_from
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import EntityRow, SettingRow

INSTRUCTING: Final = 8
"""Constant words of a user's message that make it what a model is told to do; a label in front of what a user wrote has
fewer (`Question: …`).
"""
THROUGH: Final = 3
"""Functions between an agent and its model through which a text or a list of tools is handed on."""


class Whose(Enum):
    """Who says a text, as one function sees it."""

    ITS_OWN = "the function"
    HANDED_IN = "its callers"
    OF_OTHERS = "somebody else"


class Prompting:
    """What functions of one program tell their models."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._program = context.program
        self._slots = [slot for slot in text_slots(context) if slot.slot in {Slot.SYSTEM, Slot.USER}]

    def has_its_own(self, function: ir.Function, asks: tuple[Match, ...]) -> bool:
        """Whether a function tells its model what to do, or tells it for others with tools of its own."""
        told = {self._whose(function, slot) for slot in self._said_to(function, asks)}
        if Whose.ITS_OWN in told:
            return True
        return Whose.HANDED_IN in told and not self._tools_are_handed_in(function, asks)

    def _said_to(self, function: ir.Function, asks: tuple[Match, ...]) -> Iterator[TextSlot]:
        """What is said to these requests, and by a function to no others."""
        own = {id(ask.node) for ask in asks}
        said = frozenset[int]().union(*(came_from(self._program, a.node) for a in asks if isinstance(a.node, ir.Call)))
        for slot in self._slots:
            is_known = slot.ask is not None
            reaches = id(slot.node) in said if slot.ask is None else id(slot.ask.node) in own
            if (reaches or (not is_known and _stands_in(self._program, function, slot.node))) and self._tells(slot):
                yield slot

    def _tells(self, slot: TextSlot) -> bool:
        """Whether a message tells a model what to do: the system's, or a template of the user's."""
        if slot.slot is Slot.SYSTEM:
            return True
        pieces = (piece for text in slot.texts for one in _written(self._program, text) for piece in one)
        return sum(len(piece.split()) for piece in pieces if isinstance(piece, str)) >= INSTRUCTING

    def _whose(self, function: ir.Function, slot: TextSlot) -> Whose:
        scope = self._program.scope_of(slot.node)
        if isinstance(scope, ir.Module):
            return Whose.ITS_OWN
        texts = {self._text(function, text) for text in slot.texts}
        if _stands_in(self._program, function, slot.node):
            return Whose.HANDED_IN if texts == {Whose.HANDED_IN} else Whose.ITS_OWN
        if scope in set(ir.functions_around(function)):
            return Whose.OF_OTHERS  # the function around it, which is asked next
        if id(scope) not in _entered(self._program, function):
            return Whose.HANDED_IN
        if Whose.ITS_OWN in texts or enclosing_class(self._program, scope) is None:
            return Whose.HANDED_IN if texts == {Whose.HANDED_IN} else Whose.ITS_OWN
        return Whose.HANDED_IN if Whose.HANDED_IN in texts else Whose.OF_OTHERS

    def _text(self, function: ir.Function, expr: ir.Expr, depth: int = THROUGH) -> Whose:
        """Who writes an expression: the function where it stands there, those who hand it in, or somebody else."""
        root = root_of(expr)
        for binding in visible_bindings(self._program, root) if root is not None else ():
            owner, param = binding.node, binding.extra
            if binding.kind == "parameter" and isinstance(owner, ir.Function) and isinstance(param, ir.Parameter):
                if owner is function:
                    return Whose.HANDED_IN if param.default is None else Whose.ITS_OWN
                passed = self._passed(function, owner, param) if depth else ()
                found = {self._text(function, one, depth - 1) for one in passed}
                return next((whose for whose in Whose if whose in found), Whose.OF_OTHERS)
            if binding.kind == "loop" and binding.value is not None and depth:  # one of the messages that are handed in
                return self._text(function, binding.value, depth - 1)
        return Whose.ITS_OWN if _stands_in(self._program, function, expr) else Whose.OF_OTHERS

    def _passed(self, function: ir.Function, owner: ir.Function, param: ir.Parameter) -> Iterator[ir.Expr]:
        """What the calls hand in by which a function enters another one."""
        inside = _entered(self._program, function)
        for site in self._program.callers(owner):
            if id(site.scope) in inside or _stands_in(self._program, function, site.call):
                passed = passed_argument(site, owner, param)
                if passed is not None and not isinstance(passed, Unknown):
                    yield passed

    def _tools_are_handed_in(self, function: ir.Function, asks: Iterable[Match]) -> bool:
        given = [expr for ask in asks for expr in tools_written(self._context, ask)]
        return bool(given) and {self._text(function, expr) for expr in given} == {Whose.HANDED_IN}


def tools_written(context: Context, ask: Match) -> Iterator[ir.Expr]:
    """Where the tools of a request are written: at its call, and at those that set them before."""
    calls: list[tuple[EntityRow | SettingRow, ir.Call | ir.Map | None]] = [(ask.row, ask.arguments)]
    calls += [(row, call) for row, call, _ in context.set_calls.of(ask)]
    for row, call in calls:
        if call is not None and "tools" in row.relations:
            yield from expressions(context.program, call, row.relations["tools"].whole())


def _stands_in(program: Program, function: ir.Function, node: ir.Node) -> bool:
    """Whether a node stands in a function, or in one that is written in it."""
    return any(around is function for around in ir.functions_around(program.scope_of(node)))


def _entered(program: Program, function: ir.Function) -> frozenset[int]:
    """The ids of the functions that one runs."""
    return frozenset(id(one) for one, _ in extent(program, function.body, set()).called)


def _written(program: Program, text: ir.Expr) -> Iterator[tuple[str | ir.Expr, ...]]:
    """The parts of a text, and of what a name of one is set to."""
    yield pieces_of(program, text)
    for binding in visible_bindings(program, text) if isinstance(text, ir.Name) else ():
        if binding.kind == "assign" and binding.value is not None:
            yield pieces_of(program, binding.value)
