"""Comparisons of the owner of something with somebody: `account.user_id != ctx.deps.user_id`."""

from __future__ import annotations

from typing import Final

from agent_architecture.model.words import words_of
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

OWNING: Final = regex(
    r"(?:user|vendor|customer|client|tenant|account|member|patient|employee|owner|org|organi[sz]ation|merchant|student"
    r"|supplier|workspace)_(?:id|uid|uuid|email|number)"
)
"""Names of what says whose something is, in words parted by `_`."""
EQUAL: Final = frozenset({ir.Op.EQ, ir.Op.NE})


def asks_whose(node: ir.Node) -> bool:
    """Whether a comparison has the owner of something on a side."""
    if not isinstance(node, ir.Operator) or node.op not in EQUAL:
        return False
    return any(isinstance(o, ir.Member) and OWNING.fullmatch("_".join(words_of(o.name))) for o in node.operands)
