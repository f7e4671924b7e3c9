"""The arguments of a call as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_architecture.syntax import ir


def argument_of(call: ir.Call, name: str) -> ir.Expr | None:
    """The argument at a position (`"0"`) or with a keyword; None when it is not written as such."""
    if name.isdigit():
        plain = [argument for argument in call.args if argument.keyword is None]
        position = int(name)
        if position < len(plain) and not any(argument.spread for argument in plain[: position + 1]):
            return plain[position].value
        return None
    return next((argument.value for argument in call.args if argument.keyword == name), None)
