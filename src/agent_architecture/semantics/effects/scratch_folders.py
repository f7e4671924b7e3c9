"""Files below a folder that the code makes for itself and that removes itself: nothing outside is left by them. And
folders that are made so that there is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.flow import Origin, Step
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EffectRow

MAKER: Final = "TemporaryDirectory"
PATH: Final = "py:tempfile.TemporaryDirectory"
"""The maker of folders that are gone when their block ends."""
PATHS: Final = frozenset({"Path", "PurePath", "PurePosixPath", "str", "fspath", "join", "realpath", "abspath"})
"""Calls that make a path of their first argument."""
METHODS: Final = frozenset({"joinpath", "resolve", "absolute", "as_posix", "expanduser", "with_suffix"})
"""Methods that make a path of the one that they are called on, below it."""
MAKING: Final = frozenset(
    {"mkdir", "makedirs", "mkdirs", "mkdirSync", "mkdirp", "ensureDir", "ensureDirSync", "ensure_dir"}
)
"""Calls that make a folder."""


def only_makes_folder(call: ir.Call) -> bool:
    """Whether a call makes a folder, so that there is one for what is written into it."""
    return callee_name(call.callee) in MAKING


def stays_in_scratch(context: Context, row: EffectRow, call: ir.Call) -> bool:
    """Whether all paths that a call writes to begin with a folder that removes itself. What stands behind the first
    part of a path may lead out of it: that no model shapes it, is for whoever asks to know.
    """
    if row.argument is None:
        return False
    program = context.program
    found = [
        origin
        for expr in expressions(program, call, row.argument)
        for origin in flow.origins(program, expr, lambda node, _: _begins(program, node))
    ]
    begun = [origin for origin in found if origin.kind != "parameter"]  # what callers give is followed further
    return bool(begun) and all(origin.name == PATH for origin in begun)


def _begins(program: Program, node: ir.Expr) -> list[Step | Origin] | None:
    """What a path begins with; None for what the language says."""
    match node:
        case ir.Operator(op=ir.Op.DIV, operands=(left, *_)):
            return [Step(left)]
        case ir.Call(callee=callee) if callee_name(callee) == MAKER:
            is_it = any(isinstance(value, Api) and value.path == PATH for value in program.value_of(callee))
            return [Origin("name", node, PATH)] if is_it else None
        case ir.Call(callee=ir.Member(name=name, target=target)) if name in METHODS:
            return [Step(target)]
        case ir.Call(callee=callee, args=(first, *_)) if callee_name(callee) in PATHS and not program.callees(node):
            return [Step(first.value)]
        case _:
            return None
