"""What is wrong with a detector's page: verdicts that its expectations do not name, and breaks of its form.

Analyses real files with the real pipeline; it knows no rule of any detector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.detector import Detector, Outcome, Verdict
from agent_architecture.model.system import AgentSystem
from agent_architecture.registry import judge_one
from agent_architecture.wording import LONGEST
from pages import NO_FILES, Expectation, Found, Page, Section, expectations

LANGUAGES: Final = {
    ".py": "Python",
    ".ts": "TypeScript",
    ".tsx": "TypeScript",
    ".js": "TypeScript",
    ".jsx": "TypeScript",
    ".mjs": "TypeScript",
}
"""What a page must show its detector in; JavaScript counts as TypeScript."""


def write(section: Section, folder: Path) -> None:
    """Write a section's project."""
    for block in section.blocks:
        if block.language not in NO_FILES:
            file = folder / block.name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")


def understand(folder: Path) -> tuple[AgentSystem, tuple[str, ...]]:
    """The agent system of the project at `folder`, and what was said of files that could not be read."""
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    system = pipeline.understand_agents(walked, packs, versions, program)
    notices = (*walked.notices, *program.table.notices())
    return system, tuple(f"{notice.path}:{notice.line}: {notice.message}" for notice in notices)


def check_section(page: Page, section: Section, detector: Detector, folder: Path) -> list[str]:
    """What is wrong with a section of a detector's page: nothing when every verdict is as expected."""
    expected = expectations(page, section)
    foreign = [
        f"page line {each.page_line}: the page is about {detector.key}, not {each.key}"
        for each in expected
        if each.key != detector.key
    ]
    write(section, folder)
    system, notices = understand(folder)
    judged = judge_one(detector, system)
    if judged.error is not None:
        return [f"{detector.key} failed: {judged.error}"]
    long = [f"{len(v.reason)} characters: {v.reason}" for v in judged.verdicts if len(v.reason) > LONGEST]
    parts = [
        f"{part!r} is no part of the control: {v.reason}"
        for v in judged.verdicts
        for part in v.lacks
        if part not in detector.parts
    ]
    return [*foreign, *notices, *long, *parts, *differences(expected, judged.verdicts)]


def differences(expected: Iterable[Expectation], verdicts: Iterable[Verdict]) -> list[str]:
    """Where verdicts and expectations differ, one sentence each, by place."""
    reasons: dict[Found, list[str]] = {}
    for verdict in verdicts:
        reasons.setdefault(_found(verdict), []).append(verdict.reason)
    left = Counter({found: len(texts) for found, texts in reasons.items()})
    problems: list[tuple[Found, str]] = []
    for each in expected:
        there = left[each.found] > 0
        if there and each.mark != "MISSING":
            left[each.found] -= 1
        problem = _problem(each, there=there)
        if problem:
            problems.append((each.found, f"page line {each.page_line}: {problem}"))
    missed = {each.found for each in expected if each.mark == "MISSING"}
    for found, count in left.items():
        if found not in missed:
            problems.extend((found, f"not expected: {found}: {reason}") for reason in reasons[found][:count])
    return [text for _, text in sorted(problems, key=lambda p: (p[0].path, p[0].line, p[1]))]


def _problem(each: Expectation, *, there: bool) -> str | None:
    match each.mark, there:
        case "MISSING", True:
            return f"{each.found} is found now: drop the word MISSING"
        case "SPURIOUS", False:
            return f"{each.found} is gone: drop the expectation"
        case "", False:
            return f"{each.found} is expected and not there"
        case _:
            return None


def _found(verdict: Verdict) -> Found:
    names = {Outcome.CONTROLLED: "ok", Outcome.UNKNOWN: "unknown"}
    risk = None if verdict.risk is None else round(verdict.risk, 2)  # thirds, as a page writes them
    return Found(verdict.span.path, verdict.span.line, names.get(verdict.outcome, "gap"), risk)


def form_problems(page: Page, detector: Detector) -> list[str]:
    """Where the page of a detector breaks the form that every such page has."""
    stated = [(section.chapter, each) for section in page.sections for each in expectations(page, section)]
    return [
        *_text_problems(page, detector),
        *(f"the heading {name} is missing" for name in _chapters(stated) - {s.chapter for s in page.sections}),
        *_language_problems(page, [each for _, each in stated if each.mark != "SPURIOUS"]),
        *(
            f"page line {each.page_line}: {each.found} stands under Fine"
            for chapter, each in stated
            if chapter == "Fine" and each.found.outcome != "ok" and not each.mark
        ),
    ]


def _text_problems(page: Page, detector: Detector) -> Iterator[str]:
    if page.title != detector.title:
        yield f"its title is {page.title!r}, the detector's is {detector.title!r}"
    if not page.intro:
        yield "no paragraph describes the detector before the first heading"


def _chapters(stated: Iterable[tuple[str, Expectation]]) -> frozenset[str]:
    always = frozenset({"Gaps", "Fine", "Known limits"})
    return always | {"Unknown"} if any(each.found.outcome == "unknown" for _, each in stated) else always


def _language_problems(page: Page, stated: Iterable[Expectation]) -> Iterator[str]:
    shown = {(LANGUAGES.get(Path(each.found.path).suffix), each.found.outcome) for each in stated}
    for language in ("Python", "TypeScript"):
        for outcome in ("gap", "ok"):
            if (language, outcome) not in shown and f"does not apply to {language}" not in page.text:
                yield f"no {outcome} in {language}, and no sentence that it does not apply to {language}"
