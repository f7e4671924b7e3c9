"""What the rows of packs say of the lines of a page: effects, marks, flows and kinds of entities.

A comment at the end of a line states them all: `requests.get(url)  # → network_read, source web`. Where a section has
one such comment, every line of its code is compared; a line without one must have none. The words are those of
`model/vocabulary.py`: an effect, a mark, a kind; `source` with an origin, `sink` and `sanitizer` with an effect.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.names.exports import Exports
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.program import Program
from agent_architecture.names.specifiers import Specifiers
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.matching.matches import effect_rows, matches, resolved
from agent_architecture.semantics.packs.library import PackLibrary
from agent_architecture.semantics.packs.packs import Packs, own_packs
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse
from page_checks import write
from pages import FILE_NAMES, Section

STATED: Final = re.compile(r"(?:#|//) → (?P<facts>.+)$")
_Place: TypeAlias = tuple[str, int]


def states_facts(section: Section) -> bool:
    """Whether a section's code has comments that state facts."""
    return bool(_stated(section))


def check_facts(section: Section, folder: Path) -> list[str]:
    """Where the packs say something else of a section's lines than its comments."""
    write(section, folder)
    packs = own_packs()
    table = ModuleTable(pipeline.read_sources([folder], Config()).files, parse)
    for block in section.blocks:
        table.get(block.name)
    program = Program(table, Exports(Specifiers(table)), PackLibrary(packs))
    stated, found = _stated(section), _found(program, packs)
    places = sorted(stated.keys() | found.keys())
    return [
        f"{path}:{line}: stated {_joined(stated, (path, line))}, found {_joined(found, (path, line))}"
        for path, line in places
        if stated.get((path, line)) != found.get((path, line))
    ]


def _joined(facts: dict[_Place, set[str]], place: _Place) -> str:
    return ", ".join(sorted(facts.get(place, ()))) or "nothing"


def _stated(section: Section) -> dict[_Place, set[str]]:
    return {
        (block.name, number): {fact.strip() for fact in comment["facts"].split(",")}
        for block in section.blocks
        if block.language in FILE_NAMES
        for number, line in enumerate(block.text.split("\n"), start=1)
        if (comment := STATED.search(line))
    }


def _found(program: Program, packs: Packs) -> dict[_Place, set[str]]:
    facts: defaultdict[_Place, set[str]] = defaultdict(set)
    for module in program.modules:
        scopes: tuple[ir.Scope, ...] = (module, *module.index.functions)
        for scope in scopes:
            for call in (call for group in program.calls_in(scope).values() for call in group):
                facts[module.path, call.span.line].update(_of_call(program, packs, call))
            for part in own_nodes(scope, ir.Member):
                facts[module.path, part.span.line].update(_of_part(program, packs, part))
        for definition in (*module.index.functions, *module.index.classes):
            facts[module.path, definition.name_span.line].update(_of_definition(program, packs, definition))
    for match in matches(program, packs):
        span = getattr(match.node, "name_span", match.node.span)
        facts[span.path, span.line].add(match.row.kind)
    return {place: words for place, words in facts.items() if words}


def _of_call(program: Program, packs: Packs, call: ir.Call) -> Iterator[str]:
    yield from (row.effect for row in effect_rows(program, packs, call))
    for api in resolved(program, call.callee):
        yield from (mark.covers for mark in packs.marks(api.path))
        yield from (f"{flow.kind} {flow.name}" for flow in packs.flows(api.path))


def _of_part(program: Program, packs: Packs, part: ir.Member) -> Iterator[str]:
    """The marks of a part of a library's object."""
    for api in resolved(program, part):
        known = packs.canonical(api.path)
        yield from (row.covers for source in packs.sources for row in source.marks if known in row.attribute)


def _of_definition(program: Program, packs: Packs, definition: ir.Function | ir.Class) -> Iterator[str]:
    for decorator in definition.parts.decorators:
        callee = decorator.callee if isinstance(decorator, ir.Call) else decorator
        for api in resolved(program, callee):
            yield from (mark.covers for mark in packs.decorator_marks(api.path))
    for base in definition.bases if isinstance(definition, ir.Class) else ():
        for api in resolved(program, base):
            yield from (mark.covers for mark in packs.subclass_marks(api.path))
