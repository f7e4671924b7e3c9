"""Which parts of what a call gives back are used: `const { text } = ask()`, `answer.text`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


def fields_taken(program: Program, call: ir.Call) -> frozenset[str] | None:
    """The fields that are taken out of an answer; None where it is used as a whole."""
    structure = program.structure(program.scope_of(call))
    around = [node for node in structure.ancestors(call) if not isinstance(node, ir.Await)]
    match around[0] if around else None:
        case ir.Member(name=name):
            return frozenset({name})
        case ir.Assign(target=ir.Map(entries=entries)):
            return frozenset(str(e.key.value) for e in entries if isinstance(e.key, ir.Literal))
        case ir.Assign(target=ir.Name(id=name)):
            uses = [node for node in structure.nodes if isinstance(node, ir.Name) and node.id == name]
            taken = [structure.parent(node) for node in uses if not isinstance(structure.parent(node), ir.Assign)]
            fields = frozenset(node.name for node in taken if isinstance(node, ir.Member))
            return fields if taken and all(isinstance(node, ir.Member) for node in taken) else None
        case _:
            return None
