"""What in the code of a tool refuses a path, host or command that the model chose.

Finds the tests and checks; which effect they stand before is told by the arguments that they look at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Enforcement, ParameterKind
from agent_architecture.model.touches import Fence, FenceKind
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.tool_arguments import ALL, confined, mentioned, resolved_in, whole
from agent_architecture.semantics.control.argument_tests import looked_at
from agent_architecture.semantics.control.chosen_values import chosen
from agent_architecture.semantics.control.condition import Saying
from agent_architecture.semantics.control.conditions_of_project import marks_of, ways_through
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.shaping import Shaping

PRIVATE: Final = regex(
    r"is_?private|is_?loopback|is_?link_?local|is_?reserved|is_?global|is_?internal|private_?(?:ip|address|host|network)"
    r"|internal_?(?:ip|address|host)|blocked_?(?:ip|host|network)|ssrf",
    re.IGNORECASE,
)
"""Names that tell an address of the inside from one of the outside."""


class Key(NamedTuple):
    """One argument that code looks at and can refuse, and how; `first`: only its first word is looked at."""

    kind: FenceKind
    name: str
    first: bool = False


class Fences:
    """The fences of one body of a tool's code."""

    def __init__(self, context: Context, tool: Tool, shaping: Shaping) -> None:
        self._context = context
        self._shaping = shaping
        self._ways = ways_through(context, shaping.body.statements, shaping.body.function)
        self._closed = dict(_closed(tool))
        self._all = frozenset(parameter.name for parameter in tool.schema.parameters)
        self._saying = Saying(self._of)
        self._keys: dict[tuple[ir.Expr, bool | None], tuple[Key, ...]] = {}
        self._known: dict[int, dict[Key, Fence]] = {}

    def before(self, call: ir.Call, names: frozenset[str], *kinds: FenceKind, words: bool = False) -> tuple[Fence, ...]:
        """The fences of these kinds that stand before a call on every way, around all of these arguments; `words`: a
        command is run word by word, so that its first one says what runs.
        """
        looked = self._at(call)
        names = (names - {ALL}) | self._all if ALL in names and self._all else names
        found: list[Fence] = []
        for kind in kinds:
            of_kind = {key[1]: fence for key, fence in looked.items() if key[0] is kind and (words or not key[2])}
            if of_kind and (names <= set(of_kind) or ALL in of_kind):
                found.append(next(iter(of_kind.values())))
        return tuple(found)

    def _at(self, call: ir.Call) -> dict[Key, Fence]:
        if id(call) not in self._known:
            taken = chosen(self._context, self._shaping.body, call, self._of)
            self._known[id(call)] = self._closed | self._saying.held(self._ways.to(call)) | taken
        return self._known[id(call)]

    def _of(self, condition: Condition) -> dict[Key, Fence]:
        told = condition.expr, condition.holds
        if told not in self._keys:
            self._keys[told] = tuple(self._looks(condition))
        span = condition.at.span
        return {key: Fence(key.kind, span) for key in self._keys[told]}

    def _looks(self, condition: Condition) -> Iterator[Key]:
        """What a condition looks at, wherever it stands."""
        program, body = self._shaping.program, self._shaping.body
        for looked in looked_at(program, body, condition):
            if looked.kind != "content" or looked.ordered:
                continue
            whose = FenceKind.PREFIX if looked.loose else FenceKind.ROOT
            kind = whose if looked.prefix else FenceKind.LISTED
            found = [each for each in whole(program, body, looked.expr) if each.resolved or not looked.prefix]
            yield from (Key(kind, each.name) for each in found)
            if not looked.prefix and _is_equal(condition.expr):  # the root itself lies in the root: `target === root`
                roots = (FenceKind.ROOT, FenceKind.PREFIX)
                yield from (Key(root, each.name) for each in found if each.resolved for root in roots)
            if not found and looked.prefix:
                yield from (Key(kind, name) for name in resolved_in(program, body, looked.expr))
            is_part = isinstance(looked.expr, (ir.Index, ir.Name)) and not looked.prefix and not looked.empty
            if not found and is_part:
                yield from (Key(kind, name, first=True) for name in mentioned(program, body, looked.expr))
        if _names_private(condition.expr):
            yield Key(FenceKind.ADDRESS, ALL)
        if isinstance(condition.expr, ir.Call) and condition.holds is not False:
            yield from self._of_call(condition.expr)

    def _of_call(self, call: ir.Call) -> Iterator[Key]:
        marks = marks_of(self._context, call)
        program, body = self._shaping.program, self._shaping.body
        if "screens_url" in marks:
            yield Key(FenceKind.ADDRESS, ALL)
        if "confines_path" in marks:
            yield from (Key(FenceKind.ROOT, name) for name in confined(program, body, call))


def _is_equal(test: ir.Expr) -> bool:
    """Whether a test compares with something that is not written there."""
    if not isinstance(test, ir.Operator) or test.op not in {ir.Op.EQ, ir.Op.NE}:
        return False
    return not any(isinstance(operand, ir.Literal) for operand in test.operands)


def _closed(tool: Tool) -> Iterator[tuple[Key, Fence]]:
    """The arguments for which the schema lists what they may be, where something checks it."""
    if tool.schema.enforcement in {Enforcement.TYPES, Enforcement.CLOSED}:
        for parameter in tool.schema.parameters:
            if parameter.kind is ParameterKind.CLOSED:
                yield Key(FenceKind.LISTED, parameter.name), Fence(FenceKind.LISTED, parameter.span)


def _names_private(test: ir.Expr) -> bool:
    return any(isinstance(n, (ir.Name, ir.Member)) and PRIVATE.search(callee_name(n)) for n in ir.walk(test))
