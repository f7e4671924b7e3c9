"""The report in a terminal: snapshots of what people read, and what no hostile project may do to it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_outcomes import (
    EMPTY,
    NOTHING_FOUND,
    NOTICES,
    PROJECT,
    SYSTEM,
    judged,
    loop_guards,
    outcome,
    schemas,
    source,
    span,
)

from agent_architecture.detector import Severity, gap
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import Agent, AgentSystem, Dependency, Handoff, Project, Site, SiteKind, Tool
from agent_architecture.render.console import render
from agent_architecture.render.safe import cells
from agent_architecture.report import Outcome, Violation
from agent_architecture.sources.source import Notice, Role

SNAPSHOTS = Path(__file__).parent / "snapshots"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def show(result: Outcome, **options: object) -> str:
    settings: dict[str, object] = {"width": 100, "color": False, "verbose": False, "source": source}
    return render(result, **{**settings, **options})  # type: ignore[arg-type]


def failed() -> Outcome:
    broken = judged(
        "memory_unbounded", "reliability", title="Memory", impact=Severity.LOW, fix="Bound it.", error="KeyError: 'x'"
    )
    return outcome(results=(loop_guards(), broken))


def violated() -> Outcome:
    return outcome()._replace(
        violations=(
            Violation("agent_architecture.overall_agent_health", ">=", 0.9, 0.8021, "error", "The team agreed on 0.9."),
            Violation("agent_architecture.loop_guard_absence", "==", 0.0, 0.6667, "warning", ""),
        )
    )


CASES: dict[str, Callable[[], str]] = {
    "findings_40": lambda: show(outcome(notices=NOTICES), width=40, subjects=True),
    "findings_80": lambda: show(outcome(notices=NOTICES), width=80, subjects=True),
    "findings_200": lambda: show(outcome(notices=NOTICES), width=200, subjects=True),
    "findings_ascii": lambda: show(outcome(notices=NOTICES), width=80, subjects=True, unicode=False),
    "findings_color": lambda: show(outcome(notices=NOTICES), color=True, subjects=True),
    "findings_verbose": lambda: show(outcome(), verbose=True),
    "findings_quiet": lambda: show(outcome(notices=NOTICES), quiet=True),
    "not_applicable": lambda: show(outcome(NOTHING_FOUND)),
    "no_files": lambda: show(outcome(EMPTY)),
    "failed": lambda: show(failed()),
    "violated": lambda: show(violated(), quiet=False),
}


@pytest.mark.parametrize("name", CASES)
def test_the_report_reads_as_accepted(name: str) -> None:
    file = SNAPSHOTS / f"{name}.txt"
    text = CASES[name]()
    if os.environ.get("AGENT_ARCHITECTURE_ACCEPT") == "1":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_colour_changes_nothing_but_colour() -> None:
    assert ANSI.sub("", CASES["findings_color"]()) == show(outcome(notices=NOTICES), subjects=True)


def test_ascii_is_ascii() -> None:
    assert CASES["findings_ascii"]().isascii()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_only_a_single_word_is_wider_than_the_terminal(width: int) -> None:
    lines = show(outcome(notices=NOTICES), width=width, subjects=True).splitlines()
    assert [line for line in lines if cells(line) > width and len(line.split()) > 1] == []


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_no_word_is_broken_however_narrow_the_terminal(width: int) -> None:
    wide = {
        word for line in show(outcome(notices=NOTICES), width=400, subjects=True).splitlines() for word in line.split()
    }
    text = show(outcome(notices=NOTICES), width=width, subjects=True)
    words = {word for line in text.splitlines() if "│" not in line for word in line.split()}
    assert {word for word in words if word.strip("^…█░")} <= wide


@pytest.mark.parametrize("width", [60, 100])
def test_the_underline_stands_below_its_span(width: int) -> None:
    lines = show(outcome(), width=width).splitlines()
    at = next(number for number, line in enumerate(lines) if line.lstrip().startswith("4 │"))
    start = lines[at + 1].index("^")
    assert lines[at][start:].startswith("graph.invoke(")


def test_findings_come_worst_first() -> None:
    lines = show(outcome(results=(schemas(), loop_guards()))).splitlines()
    levels = [line.split()[0] for line in lines if line.split() and line.split()[0] in {"HIGH", "LOW"}]
    assert levels == ["HIGH", "LOW"]


def test_a_rule_is_explained_once_however_many_files_it_concerns() -> None:
    text = show(outcome())
    assert text.count("explain loop-guard-absence") == 1
    assert text.count("Agent run without an effective step limit") == 1
    assert text.count("fix:  Pass config=") == 1


def test_a_long_list_is_cut_and_says_by_how_many() -> None:
    tools = tuple(Tool(span("app/tools.py", line), f"tool{line}", "langgraph", f"tool{line}") for line in range(1, 18))
    system = SYSTEM._replace(tools=tools)
    assert "  … 7 more (-v lists all)" in show(outcome(system)).splitlines()
    verbose = show(outcome(system), verbose=True)
    assert "more (-v" not in verbose
    assert "tool17" in verbose


def test_unwritten_detectors_are_counted_and_listed_only_when_asked() -> None:
    plain, verbose = show(outcome()), show(outcome(), verbose=True)
    assert "54 of 56 detectors are not written yet" in plain
    assert "retry_storm_risk" not in plain
    assert "retry_storm_risk" in verbose


def test_without_a_site_no_score_is_shown() -> None:
    text = show(outcome(NOTHING_FOUND))
    assert "not applicable, not a pass" in text
    assert "Scores" not in text
    assert "100.0" not in text


def test_examples_that_are_judged_as_the_application_are_said_to_be() -> None:
    system = SYSTEM._replace(project=PROJECT._replace(judged_role=Role.EXAMPLE))
    assert "the examples are judged as the application" in show(outcome(system))


def test_a_prefix_goes_before_every_path() -> None:
    text = show(outcome(notices=NOTICES), prefix="services/bot/", subjects=True)
    assert text.count("app/") == text.count("services/bot/app/")


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (Setting(Origin.WRITTEN, (12,), span("app/config.py", 3)), "step limit 12 (app/config.py:3)"),
        (Setting(Origin.WRITTEN, (12,), span("app/agent.py", 4, 30)), "step limit 12"),
        (Setting(Origin.WRITTEN, (None,), span("app/agent.py", 4, 30)), "limit switched off"),
        (Setting(Origin.WRITTEN, (5, 10), span("app/agent.py", 4, 30)), "step limit 5 or 10"),
        (Setting(Origin.DEFAULT, (25,), None, "langgraph 1.0.5"), "step limit 25 (langgraph 1.0.5 default)"),
        (Setting(Origin.DEFAULT, (None,), None, "x 1"), "no step limit (x 1 default)"),
        (Setting(Origin.UNKNOWN, (), None, "os.getenv('LIMIT')"), "step limit not readable (os.getenv('LIMIT'))"),
        (Setting(Origin.ABSENT), "no step limit"),
    ],
)
def test_a_site_shows_its_effective_step_limit_and_whose_it_is(limit: Setting, said: str) -> None:
    site = Site(span("app/agent.py", 4), "run", "langgraph", SiteKind.RUN, step_limit=limit)
    text = show(outcome(SYSTEM._replace(sites=(site,))))
    assert next(line for line in text.splitlines() if line.startswith("  run ")).endswith(f"langgraph  {said}")


def test_a_site_without_a_limit_of_its_own_shows_its_agents() -> None:
    agent = Agent(span("app/agents.py", 1), "bot", "x", step_limit=Setting(Origin.DEFAULT, (20,), None, "x 2"))
    site = Site(span("app/agent.py", 4), "run", "x", SiteKind.RUN, (agent,))
    assert "x  step limit 20 (x 2 default)\n" in show(outcome(SYSTEM._replace(sites=(site,))))


# ---------------------------------------------------------------------------------------------------- hostile projects
EVIL = "\x1b]0;pwned\x07\x1b[2J\u202e\nHIGH  forged\r\x9b31m\u200b\udcff" + "long" * 200


def hostile() -> Outcome:
    place = span(f"app/{EVIL}.py", 3, 2, 9)
    tool = Tool(place, EVIL, EVIL, EVIL, (EVIL,))
    limit = Setting(Origin.WRITTEN, (EVIL,), place, EVIL)
    agent = Agent(place, EVIL, EVIL, (tool,), limit)
    unreadable = Setting(Origin.UNKNOWN, (), None, EVIL)
    sites = tuple(Site(place, EVIL, EVIL, kind, (agent,), step_limit=limit) for kind in SiteKind)
    sites += (Site(place, EVIL, EVIL, SiteKind.RUN, step_limit=unreadable),)
    project = Project({Role.APP: 1}, {"python": 1}, (Dependency(EVIL, "pypi", EVIL, "lock", EVIL),))
    system = AgentSystem(project, sites, (agent,), (tool,), (Handoff(place, EVIL, EVIL, agent, agent),))
    verdict = gap(sites[0], EVIL, related=(place,))
    guards = judged("loop_guard_absence", "reliability", verdict, title=EVIL, impact=Severity.HIGH, fix=EVIL)
    broken = judged("memory_unbounded", "reliability", title="Memory", impact=Severity.LOW, fix=EVIL, error=EVIL)
    return outcome(system, (guards, broken), (Notice(EVIL, 1, EVIL),), EVIL)


@pytest.mark.parametrize("width", [40, 100])
@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("verbose", [True, False])
def test_a_hostile_project_cannot_reach_the_terminal(width: int, unicode: bool, verbose: bool) -> None:
    text = show(
        hostile(), width=width, unicode=unicode, verbose=verbose, subjects=True, source=lambda *_: EVIL, prefix=EVIL
    )
    assert [char for char in text if not char.isprintable() and char != "\n"] == []
    assert [line for line in text.splitlines() if line.startswith("HIGH  forged")] == []
    text.encode("utf-8")


def test_a_hostile_project_without_sites_cannot_reach_the_terminal() -> None:
    project = Project({Role.APP: 1}, {"python": 1}, (Dependency(EVIL, "pypi", EVIL, EVIL, EVIL),))
    for system in (AgentSystem(project), EMPTY):
        text = show(outcome(system, name=EVIL))
        assert [char for char in text if not char.isprintable() and char != "\n"] == []


def test_the_same_outcome_gives_the_same_text_in_any_order() -> None:
    shuffled = SYSTEM._replace(sites=SYSTEM.sites[::-1], agents=SYSTEM.agents[::-1], tools=SYSTEM.tools[::-1])
    assert show(outcome(shuffled, (schemas(), loop_guards()))) == show(outcome())
