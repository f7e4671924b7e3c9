"""Which reads of files take one out of a folder of the project's own, by a name without a folder in it: a text that is
asked for by such a name (`PACKS / f"{Path(name).stem}.yaml"`) chooses what is read, and is not in it.

A folder that the project writes to may hold what others said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.effects.calls import given_to, rows_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.flow import Step
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

BARE: Final = frozenset({"stem", "name"})
"""Parts of a path that have no folder in them."""
BARING: Final = frozenset({"basename", "secure_filename"})
"""Calls that leave none in it."""
PATHS: Final = ("py:pathlib", "py:os.path", "py:os:path", "npm:path", "npm:node:path", "npm:url", "npm:process")
THERE: Final = frozenset({"is_file", "exists"})
"""Methods of a path that say whether a file is there."""
READ: Final = frozenset({"read_file"})
WRITE: Final = "write_file"


def is_selected(context: Context, call: ir.Call) -> bool:
    """Whether a call reads a file that a bare name picks in a folder to which the project writes nothing."""
    paths = [expr for _, expr in given_to(context, call, READ)]
    return bool(paths) and _are_picked(context, paths)


def names_one(context: Context, node: ir.Member) -> bool:
    """Whether a name is that of such a file, which was found to be there: `path.stem` behind `path.is_file()`."""
    if node.name not in BARE or not (path := dotted(node.target)):
        return False
    known = (each for each in conditions_of(context).at(node) if isinstance(each, Condition) and each.holds)
    asked = (each.expr.callee for each in known if isinstance(each.expr, ir.Call))
    is_there = any(isinstance(c, ir.Member) and c.name in THERE and dotted(c.target) == path for c in asked)
    return is_there and _are_picked(context, [node.target])


def _are_picked(context: Context, paths: list[ir.Expr]) -> bool:
    program, bare = context.program, list[ir.Node]()

    def reader(node: ir.Expr, passed: frozenset[str]) -> list[Step | flow.Origin] | None:
        if passed or not _is_bare(program, node):
            return None
        bare.append(node)
        return []

    ends = [end for path in paths for end in flow.origins(program, path, reader)]
    if not bare or not all(_is_own(program, end) for end in ends):
        return False
    folder = {text for end in ends if (text := _folder(end.node))}
    return bool(folder) and not any(folder & written for written in context.once(_written))


def _is_bare(program: Program, node: ir.Expr) -> bool:
    match node:
        case ir.Member(name=name) if name in BARE:
            return not any(not isinstance(value, Api) for value in program.value_of(node.target))
        case ir.Call(callee=callee):
            return callee_name(callee) in BARING
        case _:
            return False


def _is_own(program: Program, end: flow.Origin) -> bool:
    """Whether a part of a path stands in the code, or is where the code lies."""
    if end.kind in {"constant", "name"}:
        return True
    values = program.value_of(end.node) if isinstance(end.node, ir.Call) else ()
    return bool(values) and all(isinstance(value, Api) and value.path.startswith(PATHS) for value in values)


def _folder(node: ir.Node) -> str:
    """The name of a folder that a constant part of a path has: `packs`, not `.yaml`, `..` or a mode."""
    text = node.value if isinstance(node, ir.Literal) else None
    return text.strip("/") if isinstance(text, str) and text.strip("/.") and not text.startswith(".") else ""


def _written(context: Context) -> tuple[frozenset[str], ...]:
    """The constant parts of the paths that each call of the project writes to."""
    program, found = context.program, []
    for name in sorted(context.packs.effect_names(WRITE)):
        for site in program.calls(name):
            if any(row.effect == WRITE for row, _ in rows_of(context, site.call)):
                own = (site.call.callee.target,) if isinstance(site.call.callee, ir.Member) else ()
                parts = (*own, *(argument.value for argument in site.call.args[:1]))
                texts = (_folder(end.node) for part in parts for end in flow.ends(program, part))
                found.append(frozenset(texts) - {""})
    return tuple(found)
