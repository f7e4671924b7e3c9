"""Where text comes in that the project did not write: calls that packs name, by the origin of what they return.

Says whose text it is; must not know where it goes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.names import flow
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import pieces_of, with_gaps
from agent_architecture.names.values import Api
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.refusal import asks_person
from agent_architecture.semantics.effects.calls import rows_of
from agent_architecture.semantics.effects.catalogues import asks_catalogue, asks_ids
from agent_architecture.semantics.effects.own_tables import reads_own_rows
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import made_there, resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.selected_files import is_selected
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Container

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.rows import EffectRow

READING: Final = {
    "network_read": "web",
    "browser": "web",
    "read_file": "file",
    "execute_shell": "tool",
    "execute_process": "tool",
    "database_read": "memory",
    "database": "memory",
}
"""Effects whose result is text that others may have written, with its origin."""
CHOSEN: Final = frozenset({"read_file", "execute_shell", "execute_process"})
"""Effects that bring in what others wrote only when somebody else chooses what is read: a constant path is the
project's own file.
"""

MODEL_API: Final = regex(
    r"/chat/completions|/v1/(?:messages|responses|completions)\b|:(?:stream)?[gG]enerateContent|/api/(?:chat|generate)$"
)
"""Addresses of model APIs: what comes back a model wrote."""

LOOPBACK: Final = regex(r"^(?:https?|wss?)://(?:localhost|127\.|0\.0\.0\.0|\[::1\])|^/(?!/)", re.IGNORECASE)
"""Addresses of the project's own services."""
VECTORS: Final = regex(r"/(?:embeddings|rerank)(?:[?\"'].*)?$|:(?:batch)?[eE]mbedContents?\b|/api/embed$")
"""Addresses that answer with vectors or scores: numbers say nothing."""

CALLED: Final = (
    ("memory", regex(
        r"(?:^|[._])(?:memory|memories|memory_store|long_term_memory)"
        r"\.(?:a?search|recall|retrieve|query|get_relevant)\w*$")),
    ("retrieval", regex(
        r"(?:^|[._])(?:retriever|vector_?store|vector_?db|knowledge_base)\.(?:a?search|query|retrieve|a?invoke|get_)\w*$"
        r"|similarity_?search$", re.IGNORECASE)),
    ("web", regex(
        r"(?:^|[._])(?:inner_?(?:text|html)|text_?content|all_?inner_?texts|all_?text_?contents)$"
        r"|(?:^|[._])page\.(?:content|evaluate)$", re.IGNORECASE)),
)  # fmt: skip
"""Calls that say by their names whose text they return, for objects that nobody in the project makes."""

RETRIEVING: Final = regex(
    r"(?:Retriever|VectorStore)(?:\.\w+)?\(\)\.(?:a?invoke|a?get_relevant_documents|a?retrieve|a?similarity_search\w*)$"
)
"""Methods of retrievers of libraries that no pack names."""
SETTINGS: Final = regex(r"(?:^|_)(?:cfg|conf|config|configuration|settings)(?:_|$)|[cC]onfig(?:Path|File)?$")
"""Names of what the operator sets, and of the path of the file that he writes."""
DECLARED: Final = (
    ("mail", regex(r"e?mails?(?:_?(?:body|thread|content|text|input|markdown))?|inbox", re.IGNORECASE)),
    ("web", regex(
        r"(?:web_?)?pages?_?(?:content|text|body|html)s?|web_?pages?(?:_?content)?|scraped\w*|crawled\w*"
        r"|(?:web_?)?search_?results?|tweets?|html_?content|url_?contents?", re.IGNORECASE)),
    ("retrieval", regex(
        r"retrieved(?:_?\w+)?|(?:rag|retrieval)_?(?:context|results?|docs|documents)", re.IGNORECASE)),
    ("tool", regex(r"tool_?(?:outputs?|results?|responses?)|observations?", re.IGNORECASE)),
)  # fmt: skip
"""Names by which code says that somebody else wrote what it is handed, for values that nobody in the project gives."""


TEXTUAL: Final = regex(r"(?i)text|html|content|value|title|attribute|href|url|query")
"""What a script asks a page for, where that is text."""
WITH_ADDRESS: Final = (
    regex(r"(?:raw_?)?(?:content|text|html|body|markdown)", re.IGNORECASE),
    regex(r"(?:web_?|page_?)?(?:url|link|uri)", re.IGNORECASE),
)
"""Parameters that together say the same: a text, and the address that it was found at."""


class Source(NamedTuple):
    """Text that comes in: its origin, a word of `vocabulary.ORIGINS`."""

    origin: str
    node: ir.Node
    confidence: Confidence = Confidence.HIGH


def sources_of(context: Context, tools: frozenset[int] = frozenset()) -> Sources:
    """The sources of a program in which these functions, by their ids, run as tools: made once for each such set."""
    kept = context.once(_kept)
    if tools not in kept:
        kept[tools] = Sources(context, tools)
    return kept[tools]


def _kept(_context: Context) -> dict[frozenset[int], Sources]:
    return {}


class Sources:
    """Sources, found on demand and remembered: ask `sources_of` for them."""

    def __init__(self, context: Context, tools: Container[int]) -> None:
        self._context = context
        self._tools = tools
        """The ids of the functions that run as tools: a model chooses their arguments."""
        self._known: dict[int, tuple[Source | None, ir.Call]] = {}
        self._picked: dict[int, tuple[bool, ir.Call]] = {}

    def of_call(self, call: ir.Call) -> Source | None:
        """What a call brings in; None for one that brings in nothing of others."""
        found = self._known.get(id(call))
        if found is None:
            source = self._of_call(made_there(self._context.program, call))
            found = self._known[id(call)] = source and source._replace(node=call), call
        return found[0]

    def selects(self, call: ir.Call) -> bool:
        """Whether a call reads a file of the project's own that what it is given only picks."""
        if id(call) not in self._picked:
            self._picked[id(call)] = is_selected(self._context, call), call
        return self._picked[id(call)][0]

    def fetches(self, call: ir.Call) -> bool:
        """Whether what a call gives back stood elsewhere, whoever wrote it there: it is not what the call is given."""
        return any(effect.effect in READING for effect, _ in rows_of(self._context, call))

    def answers_numbers(self, call: ir.Call) -> bool:
        """Whether a request, or a call of the project's own that sends it, goes to what answers with vectors or scores,
        though the same code asks models elsewhere: `post(base + "/embeddings", body)`.
        """
        return self._asks(call, VECTORS)

    def _of_call(self, call: ir.Call) -> Source | None:
        packs = self._context.packs
        for api in resolved(self._context.program, call.callee):
            for row in packs.flows(api.path):
                if row.kind == "source" and not self._asks(call, LOOPBACK):
                    if self._asks(call, VECTORS) or (row.name == "memory" and self._is_wordless(call)):
                        return None
                    return Source("model" if self._is_question(call) else row.name, call)
        for effect, _ in rows_of(self._context, call):
            origin = READING.get(effect.effect)
            if origin is not None and self._is_others(call, effect) and not self.selects(call):
                return Source(origin, call, Confidence.MEDIUM)
        if asks_person(self._context, call):
            return Source("user", call)
        return self._by_name(call)

    def _is_question(self, call: ir.Call) -> bool:
        """Whether a request asks a model: by its address, or by its body."""
        return self._asks(call, MODEL_API) or self._context.at(call, "model_call") is not None

    def _by_name(self, call: ir.Call) -> Source | None:
        """A method of an object that nobody in the project makes, by what both are called."""
        if not isinstance(call.callee, ir.Member) or self._context.program.callees(call):
            return None
        library = [value for value in self._context.program.value_of(call.callee) if isinstance(value, Api)]
        if any(RETRIEVING.search(value.path) for value in library):
            return Source("retrieval", call, Confidence.MEDIUM)
        if library:
            return None
        name = dotted(call.callee)
        word = next((word for word, pattern in CALLED if pattern.search(name)), None)
        return Source(word, call, Confidence.MEDIUM) if word is not None and not measures(call) else None

    def _asks(self, call: ir.Call, addresses: re.Pattern[str]) -> bool:
        """Whether a request goes to one of these addresses: the constant texts of its first argument or URL."""
        given = [argument.value for argument in call.args[:1]]
        given += [argument.value for argument in call.args if argument.keyword in {"url", "href"}]
        program = self._context.program
        written = (only_value(program, expr) or expr if isinstance(expr, ir.Name) else expr for expr in given)
        return any(addresses.search(with_gaps(pieces_of(program, expr))) for expr in written)

    def _is_others(self, call: ir.Call, effect: EffectRow) -> bool:
        """Whether what is read may be others': not where the project itself says which file or command."""
        if effect.effect not in CHOSEN:
            silent = self._asks(call, LOOPBACK) or self._asks(call, VECTORS)
            return not silent and not self._is_wordless(call) and not reads_own_rows(self._context, call)
        given = expressions(self._context.program, call, effect.argument) if effect.argument is not None else ()
        origins = (origin for expr in given for origin in flow.ends(self._context.program, expr))
        return any(not self._is_project_s(origin) for origin in origins)

    def _is_wordless(self, call: ir.Call) -> bool:
        """Whether a database is only asked how it is built, or for ids and numbers."""
        return asks_catalogue(self._context, call) or asks_ids(self._context, call)

    def _is_project_s(self, origin: flow.End) -> bool:
        """Whether a path or command begins in the code itself, or where the code lies."""
        if origin.kind in {"constant", "name"}:
            return True
        if origin.kind == "parameter" and isinstance(origin.node, ir.Function):
            if id(origin.node) not in self._tools and SETTINGS.search(origin.name):
                return True
            return id(origin.node) not in self._tools and bool(self._context.program.callers(origin.node))
        if origin.kind != "call" or not isinstance(origin.node, ir.Call):
            return False
        if callee_name(origin.node.callee) == "copy" or _asks_settings(origin.node):
            return True
        values = self._context.program.value_of(origin.node)
        return all(isinstance(value, Api) and value.path.startswith(_PATHS) for value in values)

    def declared(self, origin: flow.Origin) -> Source | None:
        """What the name of a parameter, or of a part of a graph's state, says of its text, where nobody in the project
        gives it one. A model writes what a tool is called with.
        """
        if origin.kind == "name" and isinstance(origin.node, (ir.Member, ir.Index, ir.Call)):
            return declared(origin.name, origin.node)
        if origin.kind != "parameter" or not isinstance(origin.node, ir.Function):
            return None
        if id(origin.node) in self._tools or self._context.program.callers(origin.node):
            return None
        return declared(origin.name, origin.node) or _found_at(origin.name, origin.node)


def _found_at(name: str, function: ir.Function) -> Source | None:
    """The text of a page, by the name of the parameter and by that of one beside it: `summarize(url, content)`."""
    text, address = WITH_ADDRESS
    if text.fullmatch(name) is None or not any(address.fullmatch(parameter.name) for parameter in function.params):
        return None
    return Source("web", function, Confidence.LOW)


def measures(call: ir.Call) -> bool:
    """Whether a script that is run in a page, and written out, asks for none of its text."""
    script = call.args[0].value if call.args else None
    if callee_name(call.callee) != "evaluate" or not isinstance(script, ir.Literal):
        return False
    return TEXTUAL.search(str(script.value)) is None


def _asks_settings(call: ir.Call) -> bool:
    """`config.get("path")`: what the operator has set."""
    if not isinstance(call.callee, ir.Member) or call.callee.name != "get":
        return False
    return SETTINGS.search(dotted(call.callee.target).rpartition(".")[2]) is not None


def declared(name: str, node: ir.Node) -> Source | None:
    """Whose text a value is by its name alone."""
    word = next((word for word, pattern in DECLARED if pattern.fullmatch(name)), None)
    return Source(word, node, Confidence.LOW) if word is not None else None


_PATHS: Final = ("py:pathlib", "py:os.path", "py:os.getcwd", "py:os.environ", "py:os.getenv", "npm:path:", "npm:url:",
                 "npm:globalThis:process", "py:importlib", "py:tempfile", "npm:os:")  # fmt: skip
"""Library calls that put a path together, or say where the project lies."""
