"""What the text of a request says that it is for: it asks for something, or has something done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import DEEDS, words_of
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Text
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.sent_commands import commands_on, looks, named_in
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import Program

QUERY: Final = regex(
    r"completion|/v\d+\w*/(?:messages|responses)|/generate|embed|search|query|graphql|(?<!/)/chat(?!\.)|rerank|token(?!s?=)|auth|login"
    r"|[/:_-](?:evaluate|classify|predict|moderations?|infer)(?![A-Za-z])",
    re.IGNORECASE,
)
"""A request that is posted to such a place asks for something; it leaves nothing behind: an answer, a judgement."""
ANSWERED: Final = regex(r"^/?(?:messages|responses)(?![\w/-])", re.IGNORECASE)
"""Where APIs of models answer, below the address of their version: nothing else stands before it in the path."""
QUESTION: Final = regex(r"completion|embed|search|query|graphql|rerank", re.IGNORECASE)
"""What is posted and says this is a question, wherever it goes."""
ASKER: Final = frozenset({"headers", "auth", "cookies", "cert"})
"""Arguments that say who asks, not for what."""
HOST: Final = regex(r"^\w+://[^/]*")
"""What stands before the path of an address."""


def texts_in(program: Program, call: ir.Call) -> Iterator[str]:
    """The readable text in a call's arguments: constants, the constant parts of texts, and keys."""
    for node in ir.walk(*(argument.value for argument in call.args)):
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield node.value
    yield from (argument.keyword for argument in call.args if argument.keyword and "idempot" in argument.keyword)
    for argument in call.args[: _addressed(call)]:
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


def asks(program: Program, call: ir.Call, ways: tuple[Calls, ...] = ()) -> bool:
    """Whether a request only asks for something, by where it goes or by what is sent. A header that says who asks
    (`Authorization`) says nothing of it. `ways` are the calls by which the code around was entered: what these hand in
    counts, not what others do.
    """
    places = _places(call)
    if all(map(_asks_there, told_places(program, call, ways))):
        return True
    commands = _commands(program, call, ways)
    if commands and all(each and all(map(looks, each)) for each in commands):
        return True
    sent = (argument for argument in call.args if argument not in places and argument.keyword not in ASKER)
    return any(QUESTION.search(text) for argument in sent for text in _sent(argument.value))


def told_places(program: Program, call: ir.Call, ways: tuple[Calls, ...]) -> tuple[tuple[str, ...], ...]:
    """The readable texts of where a request goes, on each of the ways to the code around it; of all where none are
    given.
    """
    to = call._replace(args=_places(call))
    return tuple(tuple(_texts_on(program, to, way)) for way in ways) or (tuple(texts_in(program, to)),)


def _asks_there(parts: tuple[str, ...]) -> bool:
    """Whether the constant parts of an address are those of a place that answers: `/search`, `/v1/messages`; what is
    posted to `/channels/7/messages` is a message that is left there.
    """
    if any(map(QUERY.search, parts)):
        return True
    paths = [part for part in parts if "/" in part and "://" not in part]
    return len(paths) == 1 and ANSWERED.search(paths[0]) is not None


def commands_of(program: Program, call: ir.Call, ways: tuple[Calls, ...]) -> tuple[str, ...]:
    """The commands that a helper is told to send, on all ways to it."""
    return tuple(command for told in _commands(program, call, ways) for command in told)


def _commands(program: Program, call: ir.Call, ways: tuple[Calls, ...]) -> list[tuple[str, ...]]:
    """The commands that a helper is told to send on each way to it: in the address, else in what is sent."""
    if not ways:
        return []
    places = _places(call)
    address = tuple(argument.value for argument in places)
    sent = named_in(program, tuple(argument.value for argument in call.args if argument not in places))
    return [commands_on(program, address, way) or commands_on(program, sent, way) for way in ways]


def _places(call: ir.Call) -> tuple[ir.Argument, ...]:
    """The arguments that say where a request goes."""
    addressed = _addressed(call)
    return tuple(a for n, a in enumerate(call.args) if a.keyword == "url" or (a.keyword is None and n < addressed))


def _texts_on(program: Program, call: ir.Call, way: Calls) -> Iterator[str]:
    """The constant texts that a call's arguments are made of on one way."""
    found = (constant for argument in call.args for constant in flow.constants(program, argument.value, way))
    yield from (constant for constant in found if isinstance(constant, str))


def _addressed(call: ir.Call) -> int:
    """The number of first arguments that say where a request goes: two of `request("POST", url)`."""
    return 2 if callee_name(call.callee) == "request" else 1


def _sent(value: ir.Expr) -> Iterator[str]:
    """The texts in what is sent, but not those that say who asks."""
    nodes = tuple(ir.walk(value))
    entries = (entry for node in nodes if isinstance(node, ir.Map) for entry in node.entries)
    asker = [e.value.span for e in entries if isinstance(e.key, ir.Literal) and e.key.value in ASKER]
    for node in nodes:
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield from () if any(span.contains(node.span) for span in asker) else (node.value,)


def has_done(program: Program, call: ir.Call) -> bool:
    """Whether the path that a request goes to names a deed (`/refunds`, `/orders/7/cancel`), and no question: what the
    code around it is called does not matter then.
    """
    if asks(program, call):
        return False
    texts = texts_in(program, call)
    paths = (HOST.sub("", text) for text in texts if "/" in text and " " not in text)
    return any(word in DEEDS for path in paths for word in words_of(path))
