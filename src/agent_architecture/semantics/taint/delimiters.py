"""Whether the constant text around a place marks what stands there as data: tags, fences, a sentence that says so.

Pure functions on text. Knows no program.
"""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

TAG: Final = regex(r"<(/?)([A-Za-z_][\w.:-]*)(?:\s[^<>]*)?>")
"""An opening or closing tag; `<br/>` opens nothing that closes, so it does no harm."""

FENCE: Final = regex(r"`{3,}|~{3,}|\"{3}|'{3}|={3,}|-{3,}|\*{4,}|#{5,}|<{3,}|>{3,}|\[{2,}|\]{2,}")
"""Signs that open and close a passage when they are repeated."""
PARTNERS: Final = {"<": ">", "[": "]"}

LABEL: Final = regex(r"\b(BEGIN|START|END)(?:[ _-]OF)?[ _:-]{1,3}([A-Z][A-Z0-9 _-]{0,60})", re.IGNORECASE)
"""`--- BEGIN PAGE ---` and `[END OF PAGE]`."""

_ORDERS: Final = r"\b(?:instruction|command|order|directive|request)s?\b"
STATEMENT: Final = regex(
    r"untrusted|\bexternal (?:content|data|source|text|material)"
    r"|\b(?:treat|consider|regard|handle)\b[^.\n]{0,80}\bas\b[^.\n]{0,20}\bdata\b"
    r"|\b(?:treat|consider|regard|use)\b[^.\n]{0,80}\bas\b[^.\n]{0,30}\b(?:information|content|reference|text)\b"
    r"[^.\n]{0,20}\b(?:only|not|never|rather)\b"
    r"|\bdata,? (?:and )?not\b|\bnot (?:as )?(?:an? )?(?:instruction|command|order)s?\b"
    r"|\b(?:do not|don't|never|must not|should not)\b[^.\n]{0,30}"
    rf"\b(?:follow|obey|execute|act (?:up)?on|comply|carry out|trust|heed)\b[^.\n]{{0,60}}{_ORDERS}"
    rf"|\bignore\b[^.\n]{{0,30}}{_ORDERS}[^.\n]{{0,40}}\b(?:in|inside|within|from|contained|found|embedded)\b",
    re.IGNORECASE,
)
"""A sentence that says of a text that it is data, or that what it asks for is not to be done."""

NEAR: Final = 20_000
"""Characters on each side that are looked at; prompts are shorter, and what is longer is no prompt."""


def marks(before: str, after: str) -> bool:
    """Whether a text that stands between these two is marked as data."""
    before, after = before[-NEAR:], after[:NEAR]
    return _in_tags(before, after) or _in_fences(before, after) or _in_labels(before, after) or states(before + after)


def states(text: str) -> bool:
    """Whether a text says that something in it is data and no instruction."""
    return STATEMENT.search(text) is not None


def _in_tags(before: str, after: str) -> bool:
    """A tag that is open at the place is closed behind it."""
    opened: list[str] = []
    for close, name in TAG.findall(before):
        if not close:
            opened.append(name)
        elif name in opened:
            del opened[len(opened) - 1 - opened[::-1].index(name) :]
    closing = {name for close, name in TAG.findall(after) if close}
    return bool(closing.intersection(opened))


def _in_fences(before: str, after: str) -> bool:
    """A fence opens on the line before the place or right before it, and the same one closes behind it."""
    opening = _last_fence(before)
    if not opening:
        return False
    closing = PARTNERS.get(opening[0], opening[0]) * 3
    closes = re.match(rf"[^\n]*\n?\s*(?:{re.escape(closing)})|\s*{re.escape(closing)}", after)
    return closes is not None or (closing in after and before.count(opening) % 2 == 1)


def _last_fence(before: str) -> str:
    """The fence that stands last in a text, with no more than a word and white space behind it."""
    found = list(FENCE.finditer(before))
    return found[-1].group() if found and re.fullmatch(r"[\w.-]*\s*", before[found[-1].end() :]) else ""


def _in_labels(before: str, after: str) -> bool:
    began = [name for word, name in LABEL.findall(before) if word.upper() != "END"]
    ended = [name for word, name in LABEL.findall(after) if word.upper() == "END"]
    return bool(began and ended) and _plain(began[-1]) in {_plain(name) for name in ended}


def _plain(label: str) -> str:
    return re.sub(r"[^A-Z0-9]+", " ", label.upper()).strip()
