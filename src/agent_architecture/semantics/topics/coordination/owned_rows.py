"""Tools that look up a row by an id which a model gives, where the project elsewhere asks whose such a row is.

That the project compares the owner of a `document` somewhere tells that documents have owners; a tool that fetches one
without doing so gives the model anybody's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.patterns import leaves
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.owner_tests import OWNING, asks_whose
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.topics.coordination.owner_keys import is_owner
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

OWNERS: Final = (
    rb"(?:user|owner|customer|tenant|account|org|organi[sz]ation|workspace|vendor|member|author)_?[iI][dD]\b"
)
COMPARED: Final = regex(rb"\b(\w+)\??\.%s\s*[!=]==?(?!=)|[!=]==?\s*(\w+)\??\.%s(?!\s*[!=]=)" % (OWNERS, OWNERS))
"""A comparison of the owner of something: `document.userId !== session.user.id`."""
ROW: Final = regex(r"(?:(\w+)_)?(?:id|uuid)")
"""A parameter that names a row, with what the row is."""


class OwnedRows:
    """Answers for the code of tools."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._owned: frozenset[str] | None = None

    def named_by_model(self, function: ir.Function, parameters: tuple[str, ...]) -> str:
        """The parameter by which a model may name anybody's row, in code that does not ask whose it is
        (`asks_whose_by`); "" for none.
        """
        structure = self._program.structure(function)
        for name in parameters:
            row = ROW.fullmatch(words_of(name))
            if row is None or OWNING.fullmatch(words_of(name)):
                continue
            for call in structure.calls:
                given = [node for argument in call.args for node in ir.walk(argument.value)]
                if not any(isinstance(node, ir.Name) and node.id == name for node in given):
                    continue
                if any(
                    is_owner(node) for node in given if isinstance(node, (ir.Name, ir.Member)) and not _is(node, name)
                ):
                    return ""
                if self._known() & {row[1] or "", *self._kept_as(function, call)}:
                    return name
        return ""

    def asks_whose_by(self, function: ir.Function, parameters: tuple[str, ...]) -> bool:
        """Whether a tool's code holds the owner of what it found against somebody whom the model does not name."""
        nodes = self._program.structure(function).nodes
        return any(asks_whose(node) and not _mentions_any(node, parameters) for node in nodes)

    def _known(self) -> frozenset[str]:
        """What the project calls rows whose owners it compares."""
        if self._owned is None:
            files = (self._program.table.file(module.path) for module in self._program.modules)
            texts = (file.data for file in files if file is not None and file.role is Role.APP)
            found = {match[1] or match[2] for text in texts for match in COMPARED.finditer(text)}
            self._owned = frozenset(words_of(each.decode("ascii", "replace")) for each in found)
        return self._owned

    def _kept_as(self, function: ir.Function, call: ir.Call) -> Iterator[str]:
        """The names under which the answer of a call is kept."""
        structure = self._program.structure(function)
        around: ir.Node | None = structure.parent(call)
        while isinstance(around, (ir.Await, ir.Member, ir.Index, ir.Call)):
            around = structure.parent(around)
        for leaf in leaves(around.target) if isinstance(around, ir.Assign) else ():
            if isinstance(leaf.place, ir.Name):
                yield words_of(leaf.place.id)


def _is(node: ir.Node, name: str) -> bool:
    return isinstance(node, ir.Name) and node.id == name


def _mentions_any(node: ir.Node, names: tuple[str, ...]) -> bool:
    return isinstance(node, ir.Operator) and any(isinstance(o, ir.Name) and o.id in names for o in node.operands)
