"""What the text of a request says that it is for: it asks for something, or has something done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import DEEDS, words_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Text
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

QUERY: Final = regex(
    r"completion|/messages|/responses|/generate|embed|search|query|graphql|(?<!/)/chat(?!\.)|rerank|token(?!s?=)|auth|login",
    re.IGNORECASE,
)
"""A request that is posted to such a place asks for something; it leaves nothing behind."""
HOST: Final = regex(r"^\w+://[^/]*")
"""What stands before the path of an address."""


def texts_in(program: Program, call: ir.Call) -> Iterator[str]:
    """The readable text in a call's arguments: constants, the constant parts of texts, and keys."""
    for node in ir.walk(*(argument.value for argument in call.args)):
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield node.value
    yield from (argument.keyword for argument in call.args if argument.keyword and "idempot" in argument.keyword)
    addressed = 2 if callee_name(call.callee) == "request" else 1  # `request("POST", url)`
    for argument in call.args[:addressed]:
        for value in program.value_of(argument.value):
            if isinstance(value, Const) and isinstance(value.value, str):
                yield value.value
            elif isinstance(value, Text):
                yield from (
                    str(inner.value)
                    for part in value.parts
                    for inner in program.value_of(part)
                    if isinstance(inner, Const) and isinstance(inner.value, str)
                )


def has_done(program: Program, call: ir.Call) -> bool:
    """Whether the path that a request goes to names a deed (`/refunds`, `/orders/7/cancel`), and no question: what the
    code around it is called does not matter then.
    """
    texts = tuple(texts_in(program, call))
    if any(map(QUERY.search, texts)):
        return False
    paths = (HOST.sub("", text) for text in texts if "/" in text and " " not in text)
    return any(word in DEEDS for path in paths for word in words_of(path))
