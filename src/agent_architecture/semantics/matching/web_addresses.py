"""Addresses of the web as code puts them together: their parts, and the host, where it is written to its end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.string_parts import pieces_of
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir

ADDRESS: Final = regex(r"^[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#]*)([/?#]|$)", re.IGNORECASE)
SCHEME: Final = regex(r"^[a-z][a-z0-9+.-]*:/{0,2}$", re.IGNORECASE)
LOOPBACK: Final = regex(r"^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(?::\d+)?$", re.IGNORECASE)


def address_of(program: Program, expr: ir.Expr) -> tuple[str | ir.Expr, ...]:
    """The parts of an address, texts that stand side by side as one."""
    parts: list[str | ir.Expr] = []
    for piece in pieces_of(program, expr):
        last = parts[-1] if parts else None
        if isinstance(piece, str) and isinstance(last, str):
            parts[-1] = last + piece
        else:
            parts.append(piece)
    return tuple(parts)


def host_of(pieces: tuple[str | ir.Expr, ...]) -> str:
    """The host that an address names, as it is written; empty where it is not written to its end."""
    first = pieces[0] if pieces and isinstance(pieces[0], str) else ""
    found = ADDRESS.match(first)
    return found.group(1) if found is not None and (found.group(2) or len(pieces) == 1) else ""
