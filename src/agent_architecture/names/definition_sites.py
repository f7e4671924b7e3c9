"""Where something that a module offers is really defined: plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.import_targets import Outside
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    from agent_architecture.syntax.ir import Expr, Module


class InModule(NamedTuple):
    """The name `name` that the module itself binds."""

    module: Module
    name: str


class WholeModule(NamedTuple):
    """A module of the project. A Python package without `__init__.py` is an empty module whose path is its folder."""

    module: Module


class Inline(NamedTuple):
    """An expression exported without a name: `export default <expr>`, `module.exports = <expr>`, a JSON value."""

    module: Module
    expr: Expr


Located: TypeAlias = "InModule | WholeModule | Outside | Inline"

__all__ = ["InModule", "Inline", "Located", "Outside", "WholeModule"]
