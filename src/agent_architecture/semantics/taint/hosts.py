"""Where a request goes: the host in its address, and whether a model chooses it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.touches import Choice
from agent_architecture.names.values import Const
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.sanitisers import ADDRESS as ENCODED
from agent_architecture.semantics.matching.web_addresses import ADDRESS, SCHEME, address_of, host_of

if TYPE_CHECKING:
    from agent_architecture.semantics.taint.shaping import Shaping
    from agent_architecture.syntax import ir

NOWHERE: Final = regex(r"^(?:about|data|blob|chrome|edge):", re.IGNORECASE)
"""Addresses that a browser opens without asking anybody: `about:blank`."""


class Aim(NamedTuple):
    """Where a request goes: how much a model chooses of it, the host where it is written, and by which arguments."""

    choice: Choice
    host: str = ""
    names: frozenset[str] = frozenset()
    encoded: bool = False
    """Whether all that a model writes of it is encoded: it stays what it is written as, a word of a query or path."""


def aim(shaping: Shaping, expr: ir.Expr) -> Aim:
    """The aim of a request to the address that an expression is."""
    found = _aim(shaping, expr)
    is_part = found.choice is Choice.PART
    return found._replace(encoded=True) if is_part and not shaping.arguments(expr, ENCODED) else found


def _aim(shaping: Shaping, expr: ir.Expr) -> Aim:
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


def _leads_nowhere(shaping: Shaping, expr: ir.Expr) -> bool:
    """Whether an address asks no other machine, as it is written or by default."""
    written = [value.value for value in shaping.program.value_of(expr) if isinstance(value, Const)]
    return bool(written) and all(isinstance(text, str) and NOWHERE.match(text) for text in written)


def _is_chosen(shaping: Shaping, pieces: tuple[str | ir.Expr, ...]) -> bool:
    """Whether a part of an address is what a model wrote, not what was answered to it."""
    exprs = [piece for piece in pieces if not isinstance(piece, str)]
    return any(shaping.arguments(expr) and shaping.chooses(expr) for expr in exprs)
