"""Which code of small projects nothing reaches: the pages say it line by line, for both languages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from agent_architecture.config import Config
from agent_architecture.pipeline import read_sources, understand_names
from agent_architecture.recursion import with_room
from agent_architecture.semantics.agents.recognised import recognised
from agent_architecture.semantics.wiring import Wiring
from agent_architecture.syntax import ir
from page_checks import write
from pages import Section, pages_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.callgraph.unreached import Unreached
    from agent_architecture.sources.source import Span

PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}
SECTIONS: Final = {f"{name}: {s.name}": s for name, page in PAGES.items() for s in page.sections if s.blocks}
MARK: Final = "unreached"


def unreached(folder: Path) -> set[str]:
    """The places of the modules that nothing loads, and of the definitions in others that nothing reaches."""
    packs, versions, program = understand_names(read_sources([folder], Config()))

    def found() -> set[str]:
        wiring = Wiring(recognised(program, packs, versions))
        return {f"{place.path}:{place.line}" for module in program.parsed for place in _in(wiring.unreached, module)}

    return with_room(found)


def _in(answers: Unreached, module: ir.Module) -> Iterator[Span]:
    definitions = (*module.index.functions, *module.index.classes)
    outer = [each for each in definitions if isinstance(each.outer, ir.Module) and each.name]
    first = module.body[0].span if module.body else module.span
    if answers.holds(first) and not isinstance(module.body[0], (ir.Function, ir.Class, ir.Export)):
        yield first
    else:
        yield from (each.span for each in outer if answers.holds(each.span))


def marked(section: Section) -> set[str]:
    """The places that a section's blocks mark."""
    lines = (
        (block.name, number, line) for block in section.blocks for number, line in enumerate(block.text.split("\n"), 1)
    )
    return {f"{name}:{number}" for name, number, line in lines if line.endswith((f"# {MARK}", f"// {MARK}"))}


@pytest.mark.parametrize("name", SECTIONS)
def test_nothing_reaches(name: str, tmp_path: Path) -> None:
    write(SECTIONS[name], tmp_path)
    assert unreached(tmp_path) == marked(SECTIONS[name])


def test_the_traps_have_no_mark() -> None:
    assert not any(marked(section) for section in PAGES["traps"].sections)
