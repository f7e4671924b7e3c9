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
from agent_architecture.semantics.argument_checks import marks_of
from agent_architecture.semantics.argument_tests import following, looked_at, refuses
from agent_architecture.semantics.tool_arguments import ALL, mentioned, resolved_in, whole
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.touches.shaping import Shaping

PRIVATE: Final = regex(
    r"is_?private|is_?loopback|is_?link_?local|is_?reserved|is_?global|is_?internal|private_?(?:ip|address|host|network)"
    r"|internal_?(?:ip|address|host)|blocked_?(?:ip|host|network)|ssrf",
    re.IGNORECASE,
)
"""Names that tell an address of the inside from one of the outside."""


class Checked(NamedTuple):
    """One argument that code looks at and can refuse; `first`: only its first word is looked at."""

    name: str
    fence: Fence
    first: bool = False


class Fences:
    """The fences of one body of a tool's code."""

    def __init__(self, context: Context, tool: Tool, shaping: Shaping, nodes: Iterable[ir.Node]) -> None:
        self._context = context
        self._shaping = shaping
        self._checked = (*_closed(tool), *(each for node in nodes for each in self._of(node)))

    def before(self, names: frozenset[str], *kinds: FenceKind, words: bool = False) -> tuple[Fence, ...]:
        """The fences of these kinds that stand before all of these arguments; `words`: a command is run word by word,
        so that its first one says what runs.
        """
        found: list[Fence] = []
        for kind in kinds:
            fences = [(c.name, c.fence) for c in self._checked if c.fence.kind is kind and (words or not c.first)]
            looked = {name for name, _ in fences}
            if fences and (names <= looked or ALL in looked):
                found.append(fences[0][1])
        return tuple(found)

    def _of(self, node: ir.Node) -> Iterator[Checked]:
        program, body = self._shaping.program, self._shaping.body
        for looked in looked_at(program, node):
            if looked.kind != "content" or looked.ordered:
                continue
            kind = FenceKind.ROOT if looked.prefix else FenceKind.LISTED
            found = [each for each in whole(program, body, looked.expr) if each.resolved or not looked.prefix]
            yield from (Checked(each.name, Fence(kind, node.span)) for each in found)
            if not found and looked.prefix:
                yield from (Checked(name, Fence(kind, node.span)) for name in resolved_in(program, body, looked.expr))
            if not found and isinstance(looked.expr, (ir.Index, ir.Name)) and not looked.prefix:
                for name in mentioned(program, body, looked.expr):
                    yield Checked(name, Fence(kind, node.span), first=True)
        if isinstance(node, ir.Call):
            yield from self._of_call(node)
        elif isinstance(node, ir.If) and _names_private(node.test) and _stops(program, node):
            yield Checked(ALL, Fence(FenceKind.ADDRESS, node.span))

    def _of_call(self, call: ir.Call) -> Iterator[Checked]:
        marks = marks_of(self._context, call)
        program, body = self._shaping.program, self._shaping.body
        if "screens_url" in marks:
            yield Checked(ALL, Fence(FenceKind.ADDRESS, call.span))
        if "confines_path" in marks:
            target = (call.callee.target,) if isinstance(call.callee, ir.Member) else ()
            for expr in (*target, *(argument.value for argument in call.args)):
                for each in whole(program, body, expr):
                    yield Checked(each.name, Fence(FenceKind.ROOT, call.span))


def _closed(tool: Tool) -> Iterator[Checked]:
    """The arguments for which the schema lists what they may be, where something checks it."""
    if tool.schema.enforcement in {Enforcement.TYPES, Enforcement.CLOSED}:
        for parameter in tool.schema.parameters:
            if parameter.kind is ParameterKind.CLOSED:
                yield Checked(parameter.name, Fence(FenceKind.LISTED, parameter.span))


def _stops(program: Program, test: ir.If) -> bool:
    return refuses(test.then) or refuses(test.otherwise or following(program, test))


def _names_private(test: ir.Expr) -> bool:
    return any(isinstance(n, (ir.Name, ir.Member)) and PRIVATE.search(callee_name(n)) for n in ir.walk(test))
