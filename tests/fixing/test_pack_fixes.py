"""What `--fix` writes for each library: every fix of a pack that a program can write has an example on the pack's page.

A section with a `diff` block is an example: the block is all that `--fix --unsafe-fixes` changes there. With
AGENT_ARCHITECTURE_ACCEPT=1 it is written anew.
"""

from __future__ import annotations

import ast
import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from folders import repaired

from agent_architecture.contract import short
from agent_architecture.fixing.applied import applied
from agent_architecture.fixing.outcomes import identity
from agent_architecture.fixing.trying import trying
from agent_architecture.semantics.packs.compiled import shipped_packs
from agent_architecture.session import Session
from agent_architecture.sources.languages import language_of
from agent_architecture.sources.source import Role, SourceFile
from agent_architecture.syntax.parse import parse
from page_checks import write
from pages import Page, Section, read_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.fixing.applied import Applied
    from agent_architecture.report import Report

PAGES: Final = Path(__file__).parents[1] / "frameworks"
ROWS: Final = sorted((row.where.pack, row.where.number) for row in shipped_packs().fixes if row.edit is not None)
WHAT: Final = {(row.where.pack, row.where.number): f"{row.ecosystem} {row.detector}" for row in shipped_packs().fixes}
PACKS: Final = sorted({pack for pack, _ in ROWS})


@pytest.mark.parametrize("pack", PACKS)
def test_every_fix_of_a_pack_has_an_example_that_it_mends(pack: str, tmp_path: Path) -> None:
    page = read_page(PAGES / f"{pack.replace('-', '_')}.md")
    written = set[tuple[str, int]]()
    for number, section in enumerate(page.sections):
        if any(block.language == "diff" for block in section.blocks):
            folder = tmp_path / str(number)
            write(section, folder)
            done = _fixed(folder.resolve())
            _check_difference(page, section, folder, done.texts)
            _check_rest(folder.resolve(), done)
            written |= {row for repair in done.repairs for row in repair.rows}
    missing = [f"{WHAT[row]} (fix {row[1]})" for row in ROWS if row[0] == pack and row not in written]
    assert not missing, f"no example on {page.path.name} for: {', '.join(missing)}"


def _fixed(folder: Path) -> Applied:
    """What is fixed, where no other verdict has changed for the worse, and every gap that a fix is for is gone."""
    analyze = trying(Session([folder]), folder)
    before = _risks(analyze({}).report)
    done = applied(analyze, lambda path: _text(folder, path), unsafe=True)
    assert done.repairs
    assert not done.dropped, "what is marked as fixable is not"
    after = _risks(done.outcome.report)
    fixed = {repair.about for repair in done.repairs}
    opened = {rule for repair in done.repairs for rule in repair.opens}
    for about in before.keys() | after.keys():
        old, new = before.get(about, []), after.get(about, [])
        more = [0.0] * (len(new) - len(old))
        is_worse = any(one > other for one, other in zip(new, [*old, *more], strict=False))
        assert not is_worse or (more and about[0] in opened and max(new) <= 1), about
        assert about not in fixed or new != old, about
    return done


def _text(folder: Path, path: str) -> bytes | None:
    file = folder / path
    return file.read_bytes() if file.is_file() else None


def _risks(report: Report) -> dict[tuple[str, str, str], list[float]]:
    """The risks of all verdicts, the greatest first, by what they are about; what cannot be told is no gap, and worse
    than none.
    """
    found: dict[tuple[str, str, str], list[float]] = {}
    for row in report.subjects:
        risk = 0.01 if row.verdict.risk is None else row.verdict.risk
        found.setdefault(identity(short(row.key), row.verdict), []).append(risk)
    return {about: sorted(risks, reverse=True) for about, risks in found.items()}


def _check_difference(page: Page, section: Section, folder: Path, texts: Mapping[str, bytes]) -> None:
    """The `diff` block is what is written."""
    said = "".join(
        line if line.endswith("\n") else f"{line}\n"
        for path, text in sorted(texts.items())
        for line in difflib.unified_diff(
            (folder / path).read_text(encoding="utf-8").splitlines(keepends=True),
            text.decode().splitlines(keepends=True),
            path,
            path,
            n=0,
        )
    )
    (block,) = (block for block in section.blocks if block.language == "diff")
    if block.text.strip() != said.strip() and os.environ.get("AGENT_ARCHITECTURE_ACCEPT") == "1":
        lines = page.path.read_text(encoding="utf-8").split("\n")
        heading = lines.index(f"### {section.name.rpartition(' / ')[2]}")
        begin = lines.index("```diff", heading) + 1
        end = lines.index("```", begin)
        page.path.write_text("\n".join([*lines[:begin], *said.strip().split("\n"), *lines[end:]]), encoding="utf-8")
        return
    assert block.text.strip() == said.strip(), section.name


def _check_rest(folder: Path, done: Applied) -> None:
    """What is written parses, and a second run writes nothing."""
    for path, text in done.texts.items():
        assert not _errors(path, text)
        (folder / path).write_bytes(text)
    again = repaired(folder)
    assert not again.texts
    assert not again.dropped


def _errors(path: str, text: bytes) -> int:
    if path.endswith(".py"):
        ast.parse(text)
    language = language_of(path.rpartition("/")[2], "")
    assert language is not None
    return len(parse(SourceFile(path, language, Role.APP, text)).notices)
