"""Addresses that are put together: what is written of them, where that is enough to know the machine."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import HOLE
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Text
    from agent_architecture.syntax import ir

HOSTED: Final = regex(r"(?:https?|wss?)://[^/?#{}]+(?::\{…\})?(?:[/?#]|$)", re.IGNORECASE)
"""The host is written; a port and what follows may not be."""


def reached(program: Program, text: Text) -> str:
    """The address with holes, variables of the environment as they are by default; "" where its host is not written."""
    address = "".join(
        piece if isinstance(piece, str) else _written(program, piece) for piece in pieces_of(program, text.node)
    )
    return address if HOSTED.match(address) else ""


def _written(program: Program, part: ir.Expr) -> str:
    constants = {str(value.value) for value in program.value_of(part) if isinstance(value, Const)}
    return constants.pop() if len(constants) == 1 else HOLE
