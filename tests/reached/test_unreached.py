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
HERE: Final = "unreached here"
"""On the line of a statement in a method that nothing asks for."""


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


def left(folder: Path) -> set[str]:
    """The first statements of methods that nothing asks for."""
    packs, versions, program = understand_names(read_sources([folder], Config()))

    def found() -> set[str]:
        answers = Wiring(recognised(program, packs, versions)).unreached
        methods = (each for m in program.parsed for each in m.index.functions if isinstance(each.outer, ir.Class))
        inside = (method.body[-1].span for method in methods if method.body)
        dead = {each.span for m in program.parsed for each in m.index.classes if answers.holds(each.name_span)}
        alone = (at for at in inside if answers.holds(at) and not any(span.contains(at) for span in dead))
        return {f"{at.path}:{at.line}" for at in alone}

    return with_room(found)


def marked(section: Section, mark: str = MARK) -> set[str]:
    """The places that a section's blocks mark."""
    lines = (
        (block.name, number, line) for block in section.blocks for number, line in enumerate(block.text.split("\n"), 1)
    )
    return {f"{name}:{number}" for name, number, line in lines if line.endswith((f"# {mark}", f"// {mark}"))}


@pytest.mark.parametrize("name", SECTIONS)
def test_nothing_reaches(name: str, tmp_path: Path) -> None:
    write(SECTIONS[name], tmp_path)
    assert unreached(tmp_path) == marked(SECTIONS[name])
    assert left(tmp_path) == marked(SECTIONS[name], HERE)


def test_the_traps_have_no_mark() -> None:
    assert not any(marked(section, mark) for mark in (MARK, HERE) for section in PAGES["traps"].sections)


def test_a_copy_is_left_out_where_all_that_imports_it_has_the_same_file_nearer_by(tmp_path: Path) -> None:
    halls = "class Halls:\n    def ask(self, text):\n        return text\n"
    room = "from agents.halls import Halls\n\n\ndef book(room: str) -> str:\n    return Halls().ask(room)\n"
    main = "from langchain.agents import create_agent\n\nfrom desk.rooms import book\n\n"
    main += 'create_agent("openai:gpt-5", [book]).invoke({"messages": []})\n'
    files = {"main.py": main, "desk/rooms.py": room, "desk/agents/halls.py": halls, "agents/halls.py": halls}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert unreached(tmp_path) == {"agents/halls.py:1"}
    (tmp_path / "agents/halls.py").write_text(halls.replace("text", "words"))
    assert unreached(tmp_path) == set()
