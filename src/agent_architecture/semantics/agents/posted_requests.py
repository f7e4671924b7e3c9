"""Model calls by plain HTTP: `requests.post("…/chat/completions", json={"model": …, "messages": …})`.

A row cannot say this: the same call of an HTTP library asks a model or anything else, by its address and body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.exports import SCRIPTS
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import KEEPING, pieces_of
from agent_architecture.names.values import Api, Const, Entries, Func, Instance, Text, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.matches import effect_rows
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.addresses import Address
    from agent_architecture.semantics.packs.packs import Packs

SENDING: Final = ("$fetch", "axios", "fetch", "got", "ky", "ofetch", "post", "request", "send", "stream", "urlopen")
"""The last names of calls of HTTP libraries that can send a body."""

FETCH: Final = "fetch"
"""The word in the names of what JavaScript's own `fetch`, or another one like it, is handed in as."""
FIRST: Final = parse_address("0")
TRIMMING: Final = KEEPING | {"replace", "removeprefix"}

SENT: Final = frozenset({"network_read", "network_write"})

ADDRESS: Final = regex(
    r"/chat/completions\b|/v1/(?:messages|responses|completions)\b|:(?:stream)?[gG]enerateContent\b|:11434/api/(?:chat|generate)\b"
)
"""Addresses of model APIs: OpenAI's and what is compatible, Anthropic's, Gemini's, Ollama's."""

OWN: Final = regex(r"^/(?!/)")
"""An address without a host: the project's own server, asked by its page; or one of a client that has the host."""

COOKIES: Final = {"credentials": frozenset({"include", "same-origin"}), "withCredentials": frozenset({True})}
"""How a page says that its visitor's cookies go with a request (`fetch`; axios): it asks the project's own server,
which may ask a model. No model's API takes them.
"""

BASES: Final = frozenset({"baseURL", "baseUrl", "prefixUrl", "prefix"})
"""What clients in JavaScript call the address that theirs are relative to (axios; ofetch; got and ky)."""

OLLAMA: Final = regex(r"/api/(?:chat|generate)\b")
ASKED_OLLAMA: Final = frozenset({"model", "prompt", "stream"})
"""What a body to Ollama has that asks for a text, at whatever host (docs/api.md of Ollama: `/api/generate`); a body
without `stream` gets a line for each token, and other services make pictures of a prompt at this path.
"""

BODIES: Final = frozenset({"body", "content", "data", "json"})
"""Where HTTP libraries take the body from: a keyword, or a key of their options."""

NESTED: Final = 3
"""Encodings around a body that are taken off."""

ENCODERS: Final = frozenset({"dumps", "stringify"})

QUESTIONS: Final = (
    *(frozenset({"messages", word}) for word in ("model", "model_id", "modelId", "temperature", "max_tokens")),
    frozenset({"inputs", "parameters"}),
    frozenset({"input", "model_id"}),
    frozenset({"prompt", "max_tokens"}),
)
"""Keys that together make a body a question to a model: OpenAI's and the like, also where the address or a key of its
own names the model (Azure, watsonx.ai, vLLM); Hugging Face's (huggingface.co/docs/inference-providers, tasks;
text-generation-inference, `/generate`).
"""


def posted(program: Program, packs: Packs) -> Iterator[Match]:
    """The calls that send a question to a model's API, as matches whose arguments are the body."""
    row = packs.named("model-apis", "model_call", "POST")
    if row is None:
        return
    named = {name for module in program.modules for name in module.index.calls if FETCH in words_of(name)}
    for name in (*SENDING, *sorted(named.difference(SENDING))):
        for site in program.calls(name):
            body, degree = _question(program, packs, site.call)
            if body is not None:
                yield Match(row, site.call, body, Api(f"http:{name}", site.call.callee), degree=degree)


def _question(program: Program, packs: Packs, call: ir.Call) -> tuple[ir.Call | ir.Map | None, Degree]:
    """What a call sends to a model: the body, or the call itself where that cannot be read; and how it is known that
    the call sends it.
    """
    addresses = [row.argument for row in effect_rows(program, packs, call) if row.effect in SENT and row.argument]
    degree = Degree.RESOLVED if addresses else Degree.INFERRED
    if not addresses and _is_handed_in(program, call):
        addresses = [FIRST]
    return (_body(program, call, addresses) if addresses else None), degree


def _is_handed_in(program: Program, call: ir.Call) -> bool:
    """Whether what is called is named as `fetch` is, and nobody knows what it does: `this.fetchImpl(url, options)`."""
    if FETCH not in words_of(callee_name(call.callee)) or not call.args:
        return False
    values = program.value_of(call.callee)
    return any(isinstance(v, Unknown) for v in values) and not any(isinstance(v, (Func, Instance)) for v in values)


def _body(program: Program, call: ir.Call, addresses: list[Address]) -> ir.Call | ir.Map | None:
    body = next(_bodies(program, call), None)
    urls = [
        url for address in addresses for expr in expressions(program, call, address) for url in _texts(program, expr)
    ]
    if (any(OWN.match(url) for url in urls) and not _has_base(program, call)) or _sends_cookies(program, call):
        return None
    if body is not None and any(_keys(body) >= keys for keys in QUESTIONS):
        return body
    if body is not None and _keys(body) >= ASKED_OLLAMA and any(OLLAMA.search(url) for url in urls):
        return body
    return (body or call) if any(ADDRESS.search(url) for url in urls) else None


def _has_base(program: Program, call: ir.Call) -> bool:
    """Whether a call is one of a client that was made with the address that others are relative to. No page is written
    in Python: there a path alone is always one of a client.
    """
    if program.module_of(call).language not in SCRIPTS:
        return True
    made = program.value_of(call.callee.target) if isinstance(call.callee, ir.Member) else ()
    given = (a.value for v in made if isinstance(v, Api) and isinstance(v.node, ir.Call) for a in v.node.args)
    return any(BASES & _keys(options) for argument in given for options in _mappings(program, argument))


def _sends_cookies(program: Program, call: ir.Call) -> bool:
    """Whether the options of a request say that the visitor's cookies go with it."""
    options = (
        options for argument in call.args if not argument.keyword for options in _mappings(program, argument.value)
    )
    return any(
        isinstance(entry.key, ir.Literal)
        and isinstance(value, Const)
        and value.value in COOKIES.get(str(entry.key.value), ())
        for each in options
        for entry in each.entries
        for value in program.value_of(entry.value)
    )


def _texts(program: Program, expr: ir.Expr) -> Iterator[str]:
    """What an address can be: its constant parts, with a space for each of the others."""
    for value in program.value_of(expr):
        if isinstance(value, Const) and isinstance(value.value, str):
            yield value.value
        elif isinstance(value, Text):
            pieces = pieces_of(program, value.node)
            yield "".join(piece if isinstance(piece, str) else " " for piece in pieces)
            yield from (
                f" /{path}" for piece in pieces if not isinstance(piece, str) for path in _paths(program, piece)
            )


def _paths(program: Program, piece: ir.Expr) -> Iterator[str]:
    """What a part of an address can be, without its slash: one of several paths, of which that may be taken off."""
    while isinstance(piece, ir.Call) and isinstance(piece.callee, ir.Member) and piece.callee.name in TRIMMING:
        piece = piece.callee.target
    values = program.value_of(piece)
    yield from (v.value.lstrip("/") for v in values if isinstance(v, Const) and isinstance(v.value, str))


def _bodies(program: Program, call: ir.Call) -> Iterator[ir.Map]:
    """The mappings that a call may send, encoded or not."""
    for argument in (*call.args, *_of_request(program, call)):
        if argument.keyword in BODIES:
            yield from _mappings(program, argument.value)
        elif argument.keyword is None:
            for options in _mappings(program, argument.value):
                named = {e.key.value: e.value for e in options.entries if isinstance(e.key, ir.Literal)}
                inner = [made for key in sorted(BODIES) if key in named for made in _mappings(program, named[key])]
                yield from inner or (options,)


def _of_request(program: Program, call: ir.Call) -> tuple[ir.Argument, ...]:
    """What the request object was made with that a call sends: `urlopen(Request(url, data=body))`."""
    values = program.value_of(call.args[0].value) if call.args else ()
    return tuple(a for v in values if isinstance(v, Api) and isinstance(v.node, ir.Call) for a in v.node.args)


def _mappings(program: Program, expr: ir.Expr, depth: int = NESTED) -> Iterator[ir.Map]:
    """The mappings that an expression can be, or the encoding of."""
    for value in program.value_of(expr):
        if isinstance(value, Entries) and isinstance(value.node, ir.Map):
            yield program.made.mapping(value.node, value.entries)
        elif isinstance(value, Api) and isinstance(value.node, ir.Call) and depth:
            callee, given = value.node.callee, value.node.args
            if callee_name(callee) in ENCODERS and given:
                yield from _mappings(program, given[0].value, depth - 1)
            elif callee_name(callee) == "encode" and isinstance(callee, ir.Member):
                yield from _mappings(program, callee.target, depth - 1)  # json.dumps(…).encode()


def _keys(body: ir.Map) -> frozenset[object]:
    return frozenset(entry.key.value for entry in body.entries if isinstance(entry.key, ir.Literal))
