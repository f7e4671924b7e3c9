"""Requests to models through a library that no pack knows, whatever the method is called: what is given messages and
tools by these names, and whose answer is used, asks a model.

On an object that a library makes the two names are enough; a function of a library or of a class of it, and a method
of what is handed in and of which nothing is known, have to say so besides (`Generation.call`, `llm.ask`). What the
project does itself is followed instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Entries, Unknown
from agent_architecture.semantics.agents.shapes.requests import OF_NAMES, PACK, keys_given
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.matches import holds
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs

GIVEN: Final = frozenset({"messages", "tools"})
ASKING: Final = frozenset(
    {
        *("achat", "acomplete", "agenerate", "ai", "ask", "chat", "complete", "completion", "completions", "converse"),
        *("generate", "generation", "infer", "inference", "invoke", "llm", "model", "predict", "prompt", "respond"),
    }
)
"""Words of a call that asks a model, or of what is asked."""
DOING: Final = frozenset(
    {
        *("add", "append", "apply", "assert", "build", "cache", "check", "convert", "debug", "dispatch"),
        *("dump", "dumps", "emit", "encode", "error", "estimate", "evaluate", "format", "from", "grade"),
        *("hash", "info", "insert", "judge", "load", "log", "measure", "parse", "pick", "prepare", "print"),
        *("put", "record", "register", "render", "replace", "save", "score", "serialize", "set", "store"),
        *("stringify", "to", "tokenize", "trace", "track", "trim", "truncate", "update", "validate", "warning"),
        *("with", "write"),
    }
)
"""First words of a method that does something else with messages and tools: renders, records, grades, keeps them."""
MAKING: Final = frozenset(
    {
        *("copy", "count", "event", "fake", "json", "key", "metric", "metrics", "mock", "schema", "setter", "span"),
        *("state", "stub", "template", "test", "token", "tokens"),
    }
)
"""Words of what such a method makes, or asks about."""


def tool_requests(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[Match]:
    """The requests with messages and tools; `known` are the ids of the calls of which rows speak."""
    row = packs.named(PACK, "model_call", OF_NAMES)
    names = {name for module in program.modules for name in module.index.calls if _may_ask(name)}
    for site in (site for name in sorted(names) for site in program.calls(name)):
        call = site.call
        if row is not None and id(call) not in known and _is_given(program, call) and _asks(program, packs, call):
            match = Match(row, call, call, Api(f"shape:{OF_NAMES}", call.callee), degree=Degree.INFERRED)
            if not program.structure(site.scope).is_statement(call) and holds(program, match):
                yield match


def _may_ask(name: str) -> bool:
    """Whether a method is called as nothing else than what asks."""
    words = words_of(name)
    return name[:1].islower() and DOING.isdisjoint(words[:1]) and MAKING.isdisjoint(words)


def _is_given(program: Program, call: ir.Call) -> bool:
    """Whether a call is given messages and tools by these names: where it is written, or by a table with a name."""
    if keys_given(call) >= GIVEN:
        return True
    tables = [argument.value for argument in call.args if argument.spread == "**"]
    tables = tables or [argument.value for argument in call.args[:1] if not argument.keyword]
    named = (table for table in tables if isinstance(table, ir.Name))
    found = (value for table in named for value in program.value_of(table) if isinstance(value, Entries))
    return any({key for key, _ in value.entries} | keys_given(call) >= GIVEN for value in found)


def _asks(program: Program, packs: Packs, call: ir.Call) -> bool:
    """Whether a call is of a method of a library's object that no pack knows, or of something unknown that says that it
    asks.
    """
    if not isinstance(call.callee, ir.Member):
        return False
    values = program.value_of(call.callee)
    if any(not isinstance(value, (Api, Unknown)) for value in values):
        return False
    made = [value for value in values if isinstance(value, Api)]
    if any(packs.package_of(value.path) is not None for value in made):
        return False
    if made and all("()" in value.path for value in made):
        return True
    return not ASKING.isdisjoint(word for name in _names(call.callee) for word in words_of(name))


def _names(expr: ir.Expr) -> Iterator[str]:
    """The names by which something is reached, the last one first."""
    while isinstance(expr, ir.Member):
        yield expr.name
        expr = expr.target
    yield callee_name(expr.callee if isinstance(expr, ir.Call) else expr)
