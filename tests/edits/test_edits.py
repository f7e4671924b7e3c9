"""A gap keeps its fingerprint while its code is edited: every example of every detector's page, with a comment and a
line break in each list of arguments, named arguments and keys in the opposite order, and a key that nobody reads.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

import agent_architecture.detectors
from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.detector import Detector
from agent_architecture.findings import every_evidence
from agent_architecture.registry import judge_one, load
from agent_architecture.sources.source import Span
from edits import Ways, edit
from pages import Page, Section, read_page

PAGES: Final = Path(agent_architecture.detectors.__path__[0])
ALL: Final = Ways(remarks=True, reorder=True, keys=True)

MEANT: Final = {
    ("mcp_structured_output_gap", "Gaps / A schema that admits anything"): "the added key is one more of the schema",
    (
        "instruction_boundary_violation",
        "Gaps / Instructions that a function writes, and that are set later",
    ): "of several places on one line one is told, and the break parts them",
    (
        "instruction_boundary_violation",
        "Gaps / A retrieval template of its own, and a state that a nested function reads",
    ): "of several places on one line one is told, and the break parts them",
    ("tool_policy_absence", "Gaps / A toolkit that is added to other tools"): "two bindings on one line are one",
}
"""Examples where an edit changes what is found, and why."""


def prints(files: dict[str, str], detector: Detector, folder: Path) -> dict[str, Span]:
    """The fingerprint of each gap in a project, with its place."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    system = pipeline.understand_agents(walked, packs, versions, program)
    report = pipeline.report(walked, program, system, [judge_one(detector, system)], Config()).report
    pieces = (piece for finding in report.findings for piece in every_evidence(finding))
    return {piece.fingerprint: piece.span for piece in pieces if piece.span is not None}


def edited(files: dict[str, str], gaps: dict[str, Span]) -> dict[str, str]:
    """The project after all edits."""
    lines: defaultdict[str, set[int]] = defaultdict(set)
    for span in gaps.values():
        lines[span.path].add(span.line)
    return {name: edit(name, text, lines[name], ALL) for name, text in files.items()}


def lost(detector: Detector, section: Section, folder: Path) -> list[str]:
    """What is new and what is gone after the edits, by place."""
    files = {block.name: block.text for block in section.blocks if block.language != "model"}
    before = prints(files, detector, folder / "before")
    changed = edited(files, before)
    if not before or changed == files:
        return []
    after = prints(changed, detector, folder / "after")
    told = [f"{section.name}: gone: {before[one]}" for one in before.keys() - after.keys()]
    return told + [f"{section.name}: new: {after[one]}" for one in after.keys() - before.keys()]


@pytest.mark.parametrize("detector", load(), ids=lambda detector: detector.key)
def test_the_gaps_of_a_page_keep_their_fingerprints(detector: Detector, tmp_path: Path) -> None:
    page: Page = read_page(PAGES / detector.group / f"{detector.key}.md")
    sections = [section for section in page.sections if section.blocks]
    problems = {section.name: lost(detector, section, tmp_path / str(at)) for at, section in enumerate(sections)}
    excused = {name for key, name in MEANT if key == detector.key}
    assert [text for name, texts in problems.items() for text in texts if name not in excused] == []
    assert {name for name in excused if not problems.get(name)} == set(), "an edit no longer changes these"


def test_edits_of_python_do_what_they_say() -> None:
    text = 'run(a, turns=3, name="x")\nother({"b": 1, **more, "c": 2})\n'
    assert edit("a.py", text, {1}, ALL) == (
        'run(  # a remark\na, note_to_readers="none", name="x", turns=3)\n'
        'other(  # a remark\n{  # a remark\n"b": 1, **more, "c": 2})\n'
    )


def test_edits_of_typescript_do_what_they_say() -> None:
    text = "// först\nconst a = run(b, { turns: 3, name: `${x}` });\n"
    assert edit("a.ts", text, {2}, ALL) == (
        '// först\nconst a = run( // a remark\nb, { // a remark\n noteToReaders: "none", name: `${x}`, turns: 3 });\n'
    )


def test_edits_of_documents_do_what_they_say() -> None:
    assert edit("a.yaml", "a:\n  b: 1\nc: 2\n", {1}, ALL) == "# a remark\na:\n  b: 1\n# a remark\nc: 2\n"
    assert edit("a.json", '{"a": {"c": 1}, "b": [1]}', {1}, ALL) == (
        '{\n   "b": [\n      1\n   ],\n   "a": {\n      "c": 1\n   }\n}'
    )
