"""What the code around a read calls it: a variable whose own name does not say that it holds a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.topics.secrets.secrets import is_secret_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


def is_called_secret(program: Program, node: ir.Expr) -> bool:
    """Whether what code reads is kept or handed on under a secret's name: `api_key = os.getenv("GEMINI")`."""
    structure = program.structure(program.scope_of(node))
    around = structure.parent(node)
    while isinstance(around, ir.Operator):
        node, around = around, structure.parent(around)
    match around:
        case ir.Assign(target=ir.Name(id=name) | ir.Member(name=name)) if around.value is node:
            return is_secret_name(name)
        case ir.Call(args=args):
            return any(a.value is node and a.keyword is not None and is_secret_name(a.keyword) for a in args)
        case ir.Map(entries=entries):
            keys = (entry.key for entry in entries if entry.value is node)
            return any(isinstance(key, ir.Literal) and is_secret_name(str(key.value)) for key in keys)
        case _:
            return False
