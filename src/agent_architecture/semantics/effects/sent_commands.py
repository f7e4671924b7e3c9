"""Which command a request carries where one helper sends them all: `call("ship_list", args)`, a path that ends in it,
or a body that names it (`{"method": method, "params": args}`).

Says what the command's words say: that it asks. What a second time leaves of it is for others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import words_of
from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import Program

NAME: Final = regex(r"^(?:.*[/:])?([A-Za-z]\w*(?:[.-]\w+)*)$", re.DOTALL)
"""A name, or the last part of a path."""
METHODS: Final = frozenset({"post", "put", "patch", "delete", "get", "head"})
"""Words that say themselves how a request is sent."""
PUTTING: Final = frozenset({"post", "put", "patch", "add", "insert", "create", "save", "write", "push"})
"""Words of helpers' names after which a noun follows: `post("shopping_list", item)`."""
LOOKING: Final = frozenset({
    "get", "list", "read", "fetch", "search", "find", "query", "show", "describe", "count", "view", "lookup",
    "retrieve", "info", "ping",
})  # fmt: skip
"""First or last words of commands that only ask: `getUpdates`, `ship_list`, `conversations.list`."""


COMMAND: Final = frozenset({"method", "action", "command", "cmd", "operation", "rpc", "function"})
"""Under which keys of a body a command is named."""


def commands_on(program: Program, address: tuple[ir.Expr, ...], way: Calls) -> tuple[str, ...]:
    """The names that the calls of one way hand to the address of a request, where these do not tell its method, too."""
    handed = tuple(_handed(program, address, way))
    if any(text.lower() in METHODS for text in handed) or any(PUTTING & set(words_of(_name(call))) for call in way):
        return ()
    return tuple(found.group(1) for text in handed if (found := NAME.match(text)) is not None)


def looks(command: str) -> bool:
    """Whether a command only asks, by its first or last word, or by those of its last part (`graph.Pages.getPage`)."""
    named = (words_of(command), words_of(command.rpartition(".")[2]))
    return any(len(words) > 1 and (words[0] in LOOKING or words[-1] in LOOKING) for words in named)


def named_in(program: Program, sent: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """What stands in a body where the name of a command does, also in one that is given by a name."""
    nodes = tuple(ir.walk(*sent))
    names = (node for node in nodes if isinstance(node, ir.Name))
    bound = (binding.value for name in names for binding in visible_bindings(program, name))
    maps = (node for node in (*nodes, *bound) if isinstance(node, ir.Map))
    entries = ((e.key.value, e.value) for each in maps for e in each.entries if isinstance(e.key, ir.Literal))
    return tuple(value for key, value in entries if key in COMMAND and not isinstance(value, ir.Literal))


def _handed(program: Program, address: tuple[ir.Expr, ...], way: Calls) -> Iterator[str]:
    """The texts of an address that stand in the calls by which a way came in."""
    given = tuple(a.value.span for call in way for a in call.args if not isinstance(a.value, ir.Function))
    for expr in address:
        for origin in flow.origins(program, expr, calls=way) if given else ():
            node = origin.node
            text = node.value if origin.kind == "constant" and isinstance(node, ir.Literal) else None
            if isinstance(text, str) and any(span.contains(node.span) for span in given):
                yield text


def _name(call: ir.Call) -> str:
    return callee_name(call.callee)
