"""How names of code stand where they are written: in texts, in what is only imported or handed on, and in a function
that uses up what it makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.sources.source import Span

SPECIFIER: Final = regex(rb"\bfrom\s*(?P<quote>[\"'])[^\"']*$")
"""What stands before a word in what a file of JavaScript imports or hands on."""


def is_quoted(data: bytes, place: int) -> bool:
    """Whether a word stands in a text: code of one language names code of another so."""
    return data[place - 1 : place] in {b'"', b"'", b"`", b".", b":", b"/"}


def is_part(data: bytes, place: int, size: int) -> bool:
    """Whether a word of code is asked of an object, `manager.get_service()`: not at the end of a text that is a path,
    nor behind the dots of a spread.
    """
    before, after = data[max(place - 2, 0) : place], data[place + size : place + size + 1]
    return before.endswith(b".") and before != b".." and after not in {b'"', b"'", b"`"}


def is_specifier(data: bytes, place: int) -> bool:
    """Whether a word stands in the name of a file that is imported or handed on: `export { rooms } from "./rooms"`."""
    return SPECIFIER.search(data, data.rfind(b"\n", 0, place) + 1, place) is not None


def is_handed_on(module: ir.Module, span: Span) -> bool:
    """Whether a name stands in an import, in an export of something defined elsewhere, or in `__all__`."""
    for _, node in module.index.imports:
        if node.span.contains(span) and all(name.alias == name.name for name in node.names):
            return True
    exports = (each for each in module.index.exports if each.local == each.exported and each.value is None)
    if any(export.span.contains(span) for export in exports):
        return True
    return any(
        isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.target.id == "__all__"
        for node in module.body
        if node.span.contains(span)
    )


def uses_up(function: ir.Function, span: Span, runs: Callable[[ir.Call], bool]) -> bool:
    """Whether a function only asks something of what it makes at a place, or has it run by a call that `runs` what it
    is given: it hands it to nobody.
    """
    made = [n for n in function.body if isinstance(n, ir.Assign) and n.value is not None and n.value.span == span]
    names = {node.target.id for node in made if isinstance(node.target, ir.Name)}
    inside = [node for statement in function.body for node in ir.walk(statement)]
    asked = {id(node.target) for node in made} | {id(node.target) for node in inside if isinstance(node, ir.Member)}
    asked |= {id(node.callee) for node in inside if isinstance(node, ir.Call)}
    given = [node for node in inside if isinstance(node, ir.Call) and names & _names_given(node)]
    asked |= {id(each.value) for node in given if runs(node) for each in node.args}
    return bool(names) and all(id(n) in asked for n in inside if isinstance(n, ir.Name) and n.id in names)


def _names_given(call: ir.Call) -> frozenset[str]:
    return frozenset(each.value.id for each in call.args if isinstance(each.value, ir.Name))
