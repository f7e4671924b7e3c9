"""Records that tell who somebody is, where a text has them as a whole: `f"Sum up {letter}"` of a `class Letter` with a
field `sender`.

Must not know where the text goes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.values import ClassValue, Entries, Instance
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.disclosure.private_sources import CONTACT, PII
from agent_architecture.semantics.topics.disclosure.stated import written_out
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context

HOUSE: Final = regex(
    r"^(?:Bank|Branch|Compan(?:y|ies)|Organi[sz]ation|Store|Shop|Hotel|Airport|Airline|Vendor|Supplier)"
)
"""What classes are called whose numbers and addresses are a house's, and anybody may know them."""
PARTY: Final = regex(r"^(?:sender|recipients?|e?mail_?(?:from|to|body)|from_?address|to_?address)$", re.IGNORECASE)
"""What fields are called that say whose a letter is, or what stands in it."""


def personal_records(context: Context, text: ir.Expr) -> Iterator[tuple[ir.Expr, str]]:
    """The names in a text that stand for such a record, each with the field that says so."""
    for part in _put_together(context.program, text):
        for node in written_out(context, part):
            field = _personal_field(context.program, node)
            if field:
                yield node, f"{field} of {dotted(node)}"


def declared_record(program: Program, function: ir.Function) -> tuple[ir.Expr, str] | None:
    """The class of such records that a function says it gives back, `-> list[Customer]`, with its field."""
    for node in ir.walk(function.returns) if function.returns is not None else ():
        values = program.value_of(node) if isinstance(node, (ir.Name, ir.Member)) else ()
        kinds = (value.cls for value in values if isinstance(value, ClassValue))
        for cls in (each for each in kinds if HOUSE.match(each.name) is None):
            field = next((n for n in classes.fields(program, cls) if CONTACT.match(n) or PII.match(n)), None)
            if field is not None and isinstance(node, (ir.Name, ir.Member)):
                return node, f"{field} of {dotted(node)}"
    return None


def _put_together(program: Program, text: ir.Expr) -> Iterator[ir.Expr]:
    """A text, or what the code of its function makes a variable of: `prompt = "…"`, `prompt += f"…{letter}"`."""
    if not isinstance(text, ir.Name):
        yield text
        return
    for node in program.structure(program.scope_of(text)).nodes:
        if isinstance(node, ir.Assign) and dotted(node.target) == text.id and node.value is not None:
            yield from node.value.operands if isinstance(node.value, ir.Operator) else (node.value,)


def _personal_field(program: Program, node: ir.Expr) -> str:
    values = program.value_of(node)
    owners = [value.cls for value in values if isinstance(value, Instance)]
    owners += [value.cls for value in _annotated(program, node) if isinstance(value, ClassValue)]
    names = [name for cls in owners for name in classes.fields(program, cls)]
    names += [key for value in values if isinstance(value, Entries) for key, _ in value.entries]
    return next((n for n in names if PARTY.match(n) or CONTACT.match(n) or PII.match(n)), "")


def _annotated(program: Program, node: ir.Expr) -> Iterator[Value]:
    """What the parameter that a name stands for is said to be."""
    scope = program.scope_of(node)
    if isinstance(node, ir.Name) and isinstance(scope, ir.Function):
        for param in scope.params:
            if param.name == node.id and param.annotation is not None:
                yield from program.value_of(param.annotation)
