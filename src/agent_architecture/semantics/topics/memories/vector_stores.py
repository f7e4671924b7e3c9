"""Stores of a project's own over a client that holds vectors: the class that makes texts into vectors is the memory,
where it is given the client, and the client a part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.packs.api_paths import root_of
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

NAMED: Final = regex(r"(?i)^(?:index|collection|namespace|table|class|tenant)_?(?:name|id)?$")


class Wrapped(NamedTuple):
    """A call that gives a client to a class of the project which searches it and adds to it."""

    call: ir.Call
    cls: ir.Class
    client: Match
    named: ir.Parameter | None
    """What the class is told to name its own part of the client by."""


def wrapped(context: Context) -> Iterator[Wrapped]:
    """Every such call, by class."""
    clients = [m for m in context.of_kind("memory") if m.row.constants.get("holds") == Holding.VECTORS]
    if not clients:
        return
    asking = {id(context.program.scope_of(m.node)) for m in context.of_kind("model_call", "run")}
    for cls in _classes(context.program, {root_of(match.api.path) for match in clients}):
        methods = [node for node in cls.body if isinstance(node, ir.Function)]
        if any(id(method) in asking for method in methods):
            continue
        held = {id(client): client for client in _held(context, cls)}
        for client in held.values():
            for method in (each for each in methods if each.name == CONSTRUCTOR):
                for site in context.program.callers(method):
                    if not cls.span.contains(site.call.span) or site.call.span.path != cls.span.path:
                        named = (p for p in method.params if NAMED.search(p.name))
                        yield Wrapped(site.call, cls, client, next(named, None))


def _classes(program: Program, roots: set[str]) -> Iterator[ir.Class]:
    """The classes of modules that import from these roots."""
    for module in program.modules:
        prefix = "py:" if module.language in {Language.PYTHON, Language.NOTEBOOK} else "npm:"
        if any(node.module and root_of(prefix + node.module) in roots for _, node in module.index.imports):
            yield from (cls for cls in module.index.classes if cls.kind == "class")


def _held(context: Context, cls: ir.Class) -> Iterator[Match]:
    """The clients that the class's attributes hold, and that its constructor is given: who fetches one that everybody
    uses is not the store.
    """
    given = {p.name for m in cls.body if isinstance(m, ir.Function) and m.name == CONSTRUCTOR for p in m.params}
    for group in context.program.attributes(cls).values():
        for binding in group:
            if binding.value is None or isinstance(binding.node, ir.Function):
                continue
            if not any(isinstance(part, ir.Name) and part.id in given for part in ir.walk(binding.value)):
                continue
            for made in context.made_by(context.program.value_of(binding.value), "memory"):
                inside = made.node.span.path == cls.span.path and cls.span.contains(made.node.span)
                if made.row.constants.get("holds") == Holding.VECTORS and not inside:
                    yield made
