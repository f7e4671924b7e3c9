"""What shows that something is declared for a model, besides its own shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, ClassValue, Entries, Items, Unknown
from agent_architecture.semantics.agents.offered.tool_descriptions import PARAMETERS, SAYING
from agent_architecture.semantics.schemas.zod import is_zod
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

AGENTIC: Final = ("agent", "graph", "run", "model_call", "mcp_server", "mcp_client")
SCHEMAS: Final = tuple(key for key in PARAMETERS if key not in {"params", "arguments", "args", "input"})
"""Keys under which a schema stands, and hardly anything else."""
IN_SCHEMA: Final = frozenset({"type", "properties", "anyOf", "oneOf", "$ref"})


def has_models(context: Context) -> bool:
    """Whether the program asks a model, has an agent, or speaks to one over a protocol."""
    return context.once(_has_models)


def _has_models(context: Context) -> bool:
    return any(True for _ in context.of_kind(*AGENTIC))


def says(entries: Mapping[str, ir.Expr]) -> bool:
    """Whether something is described to whoever reads of it."""
    return any(key in entries for key in SAYING)


def has_schema(program: Program, entries: Mapping[str, ir.Expr]) -> bool:
    """Whether a schema of what it is called with is given, in a form that models are told."""
    given = (entries[key] for key in SCHEMAS if key in entries)
    return any(_is_schema(program, expr) for expr in given)


def _is_schema(program: Program, expr: ir.Expr) -> bool:
    for value in program.value_of(expr):
        match value:
            case Entries(entries=entries):
                keys = {key for key, _ in entries}
                if not keys or keys & IN_SCHEMA or any(_is_schema(program, inner) for _, inner in entries):
                    return True
            case Items(items=items):
                return bool(items) and all(_is_parameter(program, item) for item in items)
            case ClassValue():
                return True
            case Api():
                if is_zod(value) or value.path.endswith(("schema()", "Schema()", "bject()")):
                    return True
            case Unknown():
                return isinstance(expr, ir.Call)
            case _:
                continue
    return False


def _is_parameter(program: Program, expr: ir.Expr) -> bool:
    """Whether an element of a list describes one parameter: `{name: "path", type: "string"}`."""
    values = program.value_of(expr)
    return any(isinstance(v, Entries) and {key for key, _ in v.entries} >= {"name", "type"} for v in values)


def is_documented(function: ir.Function) -> bool:
    """Whether a function says in words what it does."""
    first = function.body[0] if function.body else None
    return isinstance(first, ir.Literal) and isinstance(first.value, str) and bool(first.value.strip())
