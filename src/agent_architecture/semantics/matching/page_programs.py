"""Programs that code runs in a page that is open in a browser: whether one only looks around, or does something there.
So does the address of a page, where the code says whose it is.

Reads the words of the text or function; knows no browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Func, Text, Value
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.matching.web_addresses import ADDRESS

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.addresses import Address
    from agent_architecture.syntax import ir

ACTS: Final = regex(
    r"\.(?:click|submit|requestSubmit|dispatchEvent|reset|execCommand|setItem|send|sendBeacon|postMessage|pushState)\s*\("
    r"|\b(?:fetch|eval|Function|open|alert|XMLHttpRequest|WebSocket)\s*\(|\bimport\s*\("
    r"|(?:\.(?:value|checked|selected|selectedIndex|cookie|href|src|action)|\blocation)\s*=(?!=)"
)
"""What a program says that fills something in, presses it, goes elsewhere or sends something."""


def only_looks(program: Program, call: ir.Call, receiver: Api | None, address: Address) -> bool:
    """Whether the project has written all that a call may run in a page, and none of it does anything there."""
    values = at_call(program, call, receiver, address).values
    texts = [_text(program, value) for value in values]
    return bool(texts) and all(text is not None and ACTS.search(text) is None for text in texts)


def _text(program: Program, value: Value) -> str | None:
    match value:
        case Const(value=str() as text):
            return text
        case Func(function=function):
            file = program.table.file(function.span.path)
            lines = b"" if file is None else file.data
            whole = lines.decode("utf-8", "replace").split("\n")[function.span.line - 1 : function.span.end_line]
            return "\n".join(whole)
        case Text(parts=(first, *_)):
            begins = [v.value for v in program.value_of(first) if isinstance(v, Const) and isinstance(v.value, str)]
            hosts = [found.group(2) for text in begins if (found := ADDRESS.match(text)) and found.group(1)]
            return begins[0] if begins and len(hosts) == len(begins) and all(hosts) else None
        case _:
            return None
