"""Agents that a deployment file or a call exports: `langgraph.json` names a file and a variable, `to_a2a(agent)` makes
an application of an agent, and a platform or server runs it.

A row says which document or call it is and where in it the reference stands; following `./file.py:name` into the
program is what this module does.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Func, Instance, Items, Value, Values
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.documents import places
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import Address
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import DocumentRow


DOTTED: Final = regex(r"^\w+(?:\.\w+)*$")
"""A module as Python imports it."""
ROOTS: Final = ("", "src", "..")
"""Where packages stand, seen from the document that names them."""
ITSELF: Final = Address(((),))
"""A class that is an agent and that a platform runs."""


def exported_agents(context: Context) -> tuple[Match, ...]:
    """The agents that deployment files and calls name, by position, each once; what tests serve is not deployed."""
    found: dict[int, Match] = {id(match.node): match for _, match in _in_calls(context)}
    for _, _, match, value in _in_documents(context):
        found[id(match.node)] = _with_settings(match, value)
    return tuple(sorted(found.values(), key=lambda match: match.node.span))


def exported_by(context: Context) -> dict[int, Match]:
    """The calls that name agents to be served, by the agent's node."""
    return {id(match.node): call for call, match in _in_calls(context)}


def _in_calls(context: Context) -> Iterator[tuple[Match, Match]]:
    """Calls that name agents to be served, each with an agent."""
    for call in context.of_kind("exported"):
        file = context.program.table.file(call.node.span.path)
        address = call.row.relations.get("agent")
        if address is None or (file is not None and file.role is Role.TEST):
            continue
        own = context.at(call.node, "agent") if address == ITSELF else None
        if own is not None:
            yield call, own
        for value in at_call(context.program, call.arguments, call.api.receiver, address).values:
            match = context.made(value, "agent")
            if match is not None:
                yield call, _with_settings(match, value)


def exported_through(context: Context, constant: str) -> dict[int, str]:
    """The documents whose rows say this of what runs the agents that they name, by the agent's node."""
    named = _in_documents(context)
    return {id(match.node): path for row, path, match, _ in named if row.constants.get(constant)}


def _in_documents(context: Context) -> Iterator[tuple[DocumentRow, str, Match, Value]]:
    """The agents that deployment files name: row, path of the file, agent, and what the name there stands for."""
    for row in context.packs.documents:
        if row.kind != "exported":
            continue
        for path, node in places(context, row):
            for reference in _references(node):
                for value in _named(context, path, reference):
                    match = context.made(value, "agent")
                    if match is not None:
                        yield row, path, match, value


def _with_settings(match: Match, value: Value) -> Match:
    """The match as the exported value knows it: with the calls that were made on the agent before it was exported."""
    return match._replace(api=match.api._replace(receiver=value)) if isinstance(value, Api) else match


def _references(node: ir.Node) -> tuple[str, ...]:
    """The `file:name` texts at or in a node."""
    return tuple(
        n.value for n in ir.walk(node) if isinstance(n, ir.Literal) and isinstance(n.value, str) and ":" in n.value
    )


def _named(context: Context, document: str, reference: str) -> Values:
    """What a reference names: a variable, or what the function or object of that name gives when it is called."""
    file, _, name = reference.rpartition(":")
    module = _module(context, posixpath.dirname(document), file)
    if module is None:
        return ()
    from agent_architecture.names.members import offered

    anchor = ir.Name(module.span, name)
    return tuple(made for value in offered(context.program, module, name, anchor) for made in _given(context, value))


def _module(context: Context, folder: str, named: str) -> ir.Module | None:
    """The module that a reference means: a file beside the document, or a dotted module below it or below `src`."""
    table = context.program.table
    module = table.get(posixpath.normpath(posixpath.join(folder, named)))
    if module is not None or not DOTTED.match(named):
        return module
    path = named.replace(".", "/")
    places = (posixpath.join(folder, root, f"{path}{end}") for root in ROOTS for end in (".py", "/__init__.py"))
    return next((found for place in places if (found := table.get(posixpath.normpath(place))) is not None), None)


def _given(context: Context, value: Value) -> Values:
    """A value, or what a factory gives: what a function returns, a context manager yields, an object's call gives."""
    from agent_architecture.names.callable_objects import run_by_call
    from agent_architecture.names.evaluate import returned

    match value:
        case Func(function=function):
            functions: tuple[ir.Function, ...] = (function,)
        case Instance(cls=cls) if context.made(value, "agent") is None and run_by_call(context.program, cls):
            functions = run_by_call(context.program, cls)
        case _:
            return (value,)
    found: list[Value] = []
    for function in functions:
        for given in returned(context.program, function):
            items = given.items if isinstance(given, Items) and function.is_generator else None
            found.extend((given,) if items is None else (v for i in items for v in context.program.value_of(i)))
    return tuple(found)
