"""Entries of a list that say by a field what they are: `{ type: "thought", text }` beside `{ type: "result", text }`.

Code that reads such a list asks for the field first, `if step.type == "thought"` or `switch (step.type)`. What it takes
of an entry there comes from none that says something else. Says nothing of where texts come from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.test_parts import joined_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

ONLY: Final = "only entries of "
"""How the word begins for a way that goes on to the entries that say one thing."""
SAYS: Final = " = "
MET: Final = "met "
"""Before such a word, once a way has come to one of these entries."""


def tag_at(program: Program, name: ir.Name) -> str:
    """The word for what is known where a variable stands of the field by which its entry says what it is; "" for
    nothing.
    """
    child: ir.Node = name
    for around in program.structure(program.scope_of(name)).ancestors(name):
        if isinstance(around, ir.If) and any(node.span.contains(child.span) for node in around.then):
            found = next((tag for test in joined_by(ir.Op.AND, around.test) if (tag := _of_test(test, name.id))), "")
        elif isinstance(around, ir.Match):
            found = _of_case(around, child, name.id)
        else:
            found = ""
        if found:
            return found
        child = around
    return ""


def says_else(entry: ir.Map, passed: frozenset[str]) -> bool:
    """Whether an entry says that it is none of those that a way goes on to."""
    return any(said != wanted for _, said, wanted in _asked(entry, passed))


def met(entry: ir.Map, passed: frozenset[str]) -> str:
    """The word for an entry of those that a way goes on to: what stands inside it may say of itself what it is."""
    return next((MET + word for word, said, wanted in _asked(entry, passed) if said == wanted), "")


def _asked(entry: ir.Map, passed: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """Each word that speaks of an entry, with what the entry says of itself, and what it should."""
    for word in sorted(passed):
        field, _, wanted = word.removeprefix(ONLY).partition(SAYS)
        if not word.startswith(ONLY) or MET + word in passed:
            continue
        for each in entry.entries:
            if isinstance(each.key, ir.Literal) and each.key.value == field and isinstance(each.value, ir.Literal):
                yield word, str(each.value.value), wanted


def _of_test(test: ir.Expr, name: str) -> str:
    """The word of `step.type == "thought"`, either way round."""
    if not isinstance(test, ir.Operator) or test.op is not ir.Op.EQ:
        return ""
    sides = test.operands
    return next((tag for n, side in enumerate(sides[:2]) if (tag := _word(_field(side, name), sides[1 - n]))), "")


def _of_case(match: ir.Match, inside: ir.Node, name: str) -> str:
    """The word of the one case in which something stands."""
    field = _field(match.subject, name)
    here = (case for case in match.cases if any(node.span.contains(inside.span) for node in case.body))
    patterns = next((case.patterns for case in here), ())
    return _word(field, patterns[0]) if len(patterns) == 1 else ""


def _field(expr: ir.Expr, name: str) -> str:
    """The field of the variable that an expression reads: `step.type`, `step["type"]`, `step.get("type")`."""
    read = part_read(expr)
    return read.key if read is not None and isinstance(read.mapping, ir.Name) and read.mapping.id == name else ""


def _word(field: str, value: ir.Expr) -> str:
    said = value.value if isinstance(value, ir.Literal) else None
    return f"{ONLY}{field}{SAYS}{said}" if field and isinstance(said, str) else ""
