"""Paths that stay below a folder: code refuses `..` in them, and puts the folder before them wherever it uses them.

`if ".." in name: return "Denied"`, then `open(f"notes/{name}")`. Neither is enough alone: without the folder an
absolute path leads anywhere, and a call that joins paths takes an absolute one for the whole in Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

UPWARDS: Final = ".."


def stays_below(program: Program, function: ir.Function, path: ir.Expr) -> bool:
    """Whether a path without `..` is used behind a fixed folder alone in a function."""
    if not isinstance(path, ir.Name):
        return False
    structure = program.structure(function)
    uses = [node for node in structure.nodes if isinstance(node, ir.Name) and node.id == path.id]
    joined = [_is_joined(structure, use) for use in uses if not _is_asked(structure, use)]
    return bool(joined) and all(joined)


def _is_asked(structure: Structure, use: ir.Name) -> bool:
    """Whether a path is only tested for `..`."""
    around = structure.parent(use)
    if isinstance(around, ir.Member):
        around = structure.parent(around)
    parts = ir.parts_of(around) if isinstance(around, ir.Call) else getattr(around, "operands", ())
    return any(isinstance(part, ir.Literal) and part.value == UPWARDS for part in parts)


def _is_joined(structure: Structure, use: ir.Name) -> bool:
    match structure.parent(use):
        case ir.Template(parts=(ir.Literal(value=str() as folder), second, *_)):
            return second is use and _is_folder(folder)
        case ir.Operator(op=ir.Op.ADD, operands=(ir.Literal(value=str() as folder), second)):
            return second is use and _is_folder(folder)
        case ir.Call(callee=ir.Member(name="join"), args=(first, *_)) as call:
            return first.value is not use and not is_python(call.span.path)
        case _:
            return False


def _is_folder(text: str) -> bool:
    """Whether a text names a folder in which what follows stands."""
    return len(text) > 1 and text.endswith("/")
