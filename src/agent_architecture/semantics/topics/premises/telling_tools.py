"""Tools through which a model says or keeps something: those that bring a text of its arguments into an effect.

What a model orders (a path to delete, a query to run, an address to fetch) is no text that it tells anybody.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import CHANGING
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.callgraph.tool_arguments import ALL, mentioned, of_function, taking
from agent_architecture.semantics.schemas.shapes import texts_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.answers import Answers
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.sources.source import Span

SAYING: Final = CHANGING - {"execute_code", "execute_shell", "execute_process", "browser", "database"}
"""Effects that carry what a model says to others, or keep it; the others carry out what it orders."""
CARRYING: Final = frozenset({"mail", "message"})
"""Effects that have a text whatever they are called with."""
WRITING: Final = frozenset({"write", "writelines", "write_text", "dump", "writeFile", "writeFileSync", "appendFile",
                            "appendFileSync"})  # fmt: skip
"""Calls that put a text into a file."""
ADDRESSED: Final = frozenset({
    "writeFile", "writeFileSync", "appendFile", "appendFileSync", "execute", "executemany", "query", "raw", "run",
    "all", "exec", "post", "put", "patch", "request", "fetch", "urlopen",
    "update_one", "update_many", "replace_one", "find_one_and_update", "find_one_and_replace",
    "updateOne", "updateMany", "replaceOne", "findOneAndUpdate", "findOneAndReplace", "findByIdAndUpdate",
})  # fmt: skip
"""Calls whose first argument says where or how: a path, a statement, an address, a filter of documents."""
ORDERED: Final = regex(
    r"(?i)(?:\w*_)?(?:url|uri|link|web_?site|web_?page|domain|host|query|queries|q|search_?terms?|keywords?|id)s?"
    r"|\w*(?-i:Url|Uri|Query|Queries|Id)s?"
)
"""Parameters that say what to fetch or look for: what is sent or noted with them asks, and tells nobody anything."""
NAMING: Final = regex(r"(?i)(?:\w*_)?(?:id|uuid|key)s?|\w*(?-i:Id|Uuid|Key)s?")
"""Parameters that say which one of what is there: a row that is found by them is told nothing."""
ASKING: Final = frozenset({"network_write", "write_file"})
"""Effects that a question has, too: it is posted, and what was asked is noted."""
REMOVING: Final = regex(r"\s*_?(?:delete|remove|drop|truncate|purge|unlink)", re.IGNORECASE)
PLACES: Final = frozenset({"url", "path", "file", "params", "method", "headers", "sql", "statement"})


class Told:
    """Asked one tool at a time."""

    def __init__(self, work: Work, agents: Agents, reader: Answers) -> None:
        self._work = work
        self._context = work.context
        self._agents = agents
        self._reader = reader

    def by(self, tool: Tool) -> Effect | None:
        """The first effect into which the tool brings a text that a model wrote; None for a tool that has none."""
        effects = [effect for effect in tool.effects if effect.kind in SAYING]
        function = self._agents.code.get(id(tool))
        if not effects or not tool.schema.has_local_input:
            return None
        if function is None:
            return next((effect for effect in effects if effect.kind != "network_write"), None)
        texts = frozenset(texts_of(tool.schema.parameters))
        if not texts:
            return None
        said = frozenset(name for name in texts if ORDERED.fullmatch(name) is None)
        unnamed = frozenset(name for name in texts if NAMING.fullmatch(name) is None)
        carried = next((effect for effect in effects if effect.kind in CARRYING), None)
        given = ((effect, said if effect.kind in ASKING else unnamed) for effect in effects)
        return carried or next(
            (effect for effect, told in given if told and self._carries(function, effect, told)), None
        )

    def _carries(self, function: ir.Function, effect: Effect, texts: frozenset[str]) -> bool:
        for node in extent(self._context.program, function.body, set()).nodes():
            if not isinstance(node, ir.Call):
                continue
            name = callee_name(node.callee)
            is_it = name in WRITING if effect.kind == "write_file" else node.span == effect.span
            if effect.kind == "network_write":  # a search that is posted leaves nothing behind
                is_it = is_it and any(done.span == node.span for done in self._work.inside(node).once)
            if (
                is_it
                and not _removes(node, name)
                and any(self._is_told(function, given, texts) for given in _contents(node, name))
            ):
                return True
        return False

    def _is_told(self, function: ir.Function, expr: ir.Expr, texts: frozenset[str]) -> bool:
        return way_from(self._context.program, function, expr, texts, self._reader) is not None


def way_from(
    program: Program, function: ir.Function, expr: ir.Expr, texts: frozenset[str], reader: flow.Reader
) -> tuple[Span, ...] | None:
    """The way to an expression of one of these arguments of a tool; None where none of them comes there."""
    body = taking(of_function(function), texts)
    for origin in flow.origins(program, expr, reader):
        if origin.kind == "parameter" and origin.node is function:
            if origin.name in texts:
                return origin.trail
            if origin.name not in body.names and not mentioned(program, body, expr).isdisjoint({*texts, ALL}):
                return origin.trail  # all arguments come in one object
    return None


def _contents(call: ir.Call, name: str) -> Iterator[ir.Expr]:
    """What a call is given to tell, of objects what they hold, without where it goes."""
    given: list[ir.Expr] = []
    for number, argument in enumerate(call.args):
        is_place = (number == 0 and argument.keyword is None and name in ADDRESSED) or argument.keyword in PLACES
        given += [] if is_place else [argument.value]
    for expr in given:
        if isinstance(expr, ir.Map):
            named = ((entry.key.value if isinstance(entry.key, ir.Literal) else "", entry) for entry in expr.entries)
            given.extend(entry.value for key, entry in named if key not in PLACES)
        else:
            yield expr


def _removes(call: ir.Call, name: str) -> bool:
    """Whether a call takes something away: it tells nobody anything."""
    first = call.args[0].value if call.args else None
    statement = first.value if isinstance(first, ir.Literal) else ""
    return REMOVING.match(name) is not None or (isinstance(statement, str) and REMOVING.match(statement) is not None)
