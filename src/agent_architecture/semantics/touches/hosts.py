"""Where a request goes: the host in its address, and whether a model chooses it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.touches import Choice
from agent_architecture.names.pieces import pieces_of
from agent_architecture.names.values import Const
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.touches.shaping import Shaping
    from agent_architecture.syntax import ir

ADDRESS: Final = regex(r"^[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#]*)([/?#]|$)", re.IGNORECASE)
SCHEME: Final = regex(r"^[a-z][a-z0-9+.-]*:/{0,2}$", re.IGNORECASE)
LOOPBACK: Final = regex(r"^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])(?::\d+)?$", re.IGNORECASE)
NOWHERE: Final = regex(r"^(?:about|data|blob|chrome|edge):", re.IGNORECASE)
"""Addresses that a browser opens without asking anybody: `about:blank`."""


class Aim(NamedTuple):
    """Where a request goes: how much a model chooses of it, the host where it is written, and by which arguments."""

    choice: Choice
    host: str = ""
    names: frozenset[str] = frozenset()


def aim(shaping: Shaping, expr: ir.Expr) -> Aim:
    """The aim of a request to the address that an expression is."""
    pieces = address_of(shaping.program, expr)
    names = shaping.arguments(expr)
    part = Choice.PART if names else Choice.NOTHING
    text = pieces[0] if pieces and isinstance(pieces[0], str) else ""
    found = ADDRESS.match(text)
    if _leads_nowhere(shaping, expr):
        return Aim(part, "localhost")
    if host := host_of(pieces):
        return Aim(part, host)
    begins = pieces[int(SCHEME.match(text) is not None) :]
    if found is not None and found.group(1):
        return Aim(Choice.ALL if _is_chosen(shaping, pieces[1:2]) else part, "", names)
    if begins and not isinstance(begins[0], str) and _is_chosen(shaping, begins[:1]):
        return Aim(Choice.ALL, "", names)
    return Aim(part, "", names)


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


def _leads_nowhere(shaping: Shaping, expr: ir.Expr) -> bool:
    """Whether an address asks no other machine, as it is written or by default."""
    written = [value.value for value in shaping.program.value_of(expr) if isinstance(value, Const)]
    return bool(written) and all(isinstance(text, str) and NOWHERE.match(text) for text in written)


def _is_chosen(shaping: Shaping, pieces: tuple[str | ir.Expr, ...]) -> bool:
    """Whether a part of an address is what a model wrote, not what was answered to it."""
    exprs = [piece for piece in pieces if not isinstance(piece, str)]
    return any(shaping.arguments(expr) and shaping.chooses(expr) for expr in exprs)
