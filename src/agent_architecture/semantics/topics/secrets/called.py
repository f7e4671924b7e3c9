"""What code calls a secret: around the read of a variable whose own name does not say it, and as a tool's parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Enforcement
from agent_architecture.regexes import regex
from agent_architecture.semantics.topics.secrets.secrets import is_secret_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

SHORT: Final = frozenset({"token", "key", "secret", "pat"})
"""What code calls a secret that says elsewhere which one it is."""
WITHIN: Final = regex(r"(?:^|_)(?:API_?KEY|TOKEN|SECRET|PAT)_")


def is_called_secret(program: Program, node: ir.Expr) -> bool:
    """Whether what code reads is kept or handed on under a secret's name: `api_key = os.getenv("GEMINI")`."""
    return called_secret(program, node) != ""


def called_secret(program: Program, node: ir.Expr) -> str:
    """That name; "" where it is none of a secret's."""
    structure, read = program.structure(program.scope_of(node)), node
    around = structure.parent(node)
    while isinstance(around, ir.Operator):
        node, around = around, structure.parent(around)
    names: list[str] = []
    match around:
        case ir.Assign(target=ir.Name(id=name) | ir.Member(name=name)) if around.value is node:
            names = [name]
        case ir.Call(args=args):
            names = [a.keyword for a in args if a.value is node and a.keyword is not None]
        case ir.Map(entries=entries):
            keys = (entry.key for entry in entries if entry.value is node)
            names = [str(key.value) for key in keys if isinstance(key, ir.Literal)]
    return next((name for name in names if is_secret_name(name) or (name in SHORT and _is_of_one(read))), "")


def _is_of_one(node: ir.Expr) -> bool:
    """Whether the variable that is read has a word of secrets in its name: `token = os.getenv("DESK_TOKEN_2026")`."""
    match node:
        case ir.Call(args=(first, *_)):
            key: ir.Expr | None = first.value
        case ir.Index(key=key):
            pass
        case _:
            return False
    return isinstance(key, ir.Literal) and isinstance(key.value, str) and WITHIN.search(key.value) is not None


def asked_for(tool: Tool) -> tuple[str, Span] | None:
    """The parameter of a tool that is a credential, and where its model is told of it: the parameter, where the schema
    stands in the tool's file, else the tool. Where its schema cannot be read, the function's own say nothing of what a
    model is asked for.
    """
    shown = {parameter.name: parameter.span for parameter in tool.schema.parameters}
    is_read = bool(shown) or tool.schema.enforcement is not Enforcement.UNKNOWN
    names = dict.fromkeys((*tool.parameters, *shown) if is_read else ())
    name = next((name for name in names if is_secret_name(name)), None)
    if name is None:
        return None
    span = shown.get(name, tool.span)
    return name, span if span.path == tool.span.path else tool.span
