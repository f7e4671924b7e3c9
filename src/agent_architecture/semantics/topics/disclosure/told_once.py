"""One fact, one subject: records that tell the same thing again, at the place where it is told first.

An argument of a tool that one function mentions in each of its lines, a part of a request that it writes down again,
and what is told again in one block of lines that are printed one after the other, tell one thing. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.disclosure import Disclosure, Kept
from agent_architecture.names.log_calls import prints
from agent_architecture.names.structure import blocks, statements
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint.external_parameters import REQUESTS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.topics.disclosure.records import Put

ARGUMENT: Final = regex(r", an argument of ")
"""How what a tool is given is called."""


def told_once(program: Program, found: list[tuple[Put, Disclosure]]) -> Iterable[Disclosure]:
    """What comes out in records, each thing once, with the places of the others on its trail."""
    kept: list[Disclosure] = []
    known: dict[Hashable, int] = {}
    for put, each in sorted(found, key=lambda pair: pair[1].span):
        same = [(key, each.kept, each.redacted) for key in _keys(program, put, each)]
        at = next((known[key] for key in same if key in known), None)
        if at is None:
            at = len(kept)
            kept.append(each)
        else:
            kept[at] = kept[at]._replace(trail=(*kept[at].trail, each.span))
        for key in same:
            known.setdefault(key, at)
    return kept


def _keys(program: Program, put: Put, each: Disclosure) -> Iterator[Hashable]:
    """What a record has in common with others that tell the same; none for a secret, which is one at each place."""
    if each.kept is Kept.SECRET:
        return
    handed = each.name.partition(".")[0]
    if each.kept is Kept.TALK and REQUESTS.fullmatch(handed) is not None:
        parts = frozenset(_parts_of(put, handed))
        if parts:
            yield "parts", id(put.scope), parts
            return
    if ARGUMENT.search(each.name) is not None:
        yield "argument", id(put.scope), each.name
    if prints(put.call):
        yield "printed", id(_first_printed(program, put)), each.name


def _parts_of(put: Put, name: str) -> Iterator[str]:
    """The parts of a thing that a record tells: `event.body`."""
    for text in put.texts:
        yield from (
            dotted(node) for node in ir.walk(text) if isinstance(node, ir.Member) and dotted(node.target) == name
        )


def _first_printed(program: Program, put: Put) -> ir.Node:
    """The first of the lines that are printed one after the other in a block."""
    around = program.structure(put.scope).parent(put.call)
    every = [*blocks(around)] if around is not None else []
    block = next((one for one in (*every, statements(put.scope)) if any(each is put.call for each in one)), ())
    first: ir.Node = put.call
    for node in block:
        if not (isinstance(node, ir.Call) and prints(node)):
            first = put.call
        elif first is put.call:
            first = node
        if node is put.call:
            break
    return first
