"""Comments and entries of the configuration that hide findings: what they hide, what they never touch, what is said."""

from __future__ import annotations

import json
from datetime import date
from xml.etree import ElementTree as ET

import pytest
from configuration_project import AGENT, Project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_architecture import analyze
from agent_architecture.config import Config, Ignore
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.suppressions.marks import MOST_TOLD, from_comments
from agent_architecture.syntax.comments import LINE_COMMENT, comments

FILE = "agent-architecture.yaml"
RUN = "    return Runner.run_sync(agent, text, max_turns=None).final_output"
GUARD = "loop-guard-absence"


def with_comment(comment: str) -> str:
    return AGENT.replace(RUN, f"{RUN}  {comment}")


# ------------------------------------------------------------------------------------------------------------- comments
def test_a_comment_hides_its_rule_on_its_line_and_nothing_else(project: Project) -> None:
    """The score stays: the contract's 90 keys are the same, table by table; only findings go."""
    plain = project.analyze()
    project.write("app/agent.py", with_comment("# agent-architecture: ignore[loop_guard_absence] ends by itself"))
    said = project.analyze()
    assert [place for place in plain.places() if place not in said.places()] == [f"{GUARD} app/agent.py:16"]
    assert said.keys == plain.keys
    assert said.report["project"]["suppressed"] == {"comments": 1, "configuration": 0}
    (hidden,) = said.report["results"][0]["suppressed"]
    assert (hidden["rule_id"], hidden["path"], hidden["line"], hidden["kind"], hidden["reason"]) == (
        f"arxo/agent-{GUARD}", "app/agent.py", 16, "inSource", "ends by itself",
    )  # fmt: skip
    assert said.notices() == plain.notices()


def test_the_other_findings_of_the_line_keep_their_fingerprints(project: Project) -> None:
    """Else a baseline would take them for new ones."""

    def prints() -> set[str]:
        findings = project.analyze().report["results"][0]["findings"]
        return {piece["fingerprint"] for one in findings for piece in one["evidence"] if "fingerprint" in piece}

    plain = prints()
    project.write("app/agent.py", with_comment(f"# agent-architecture: ignore[{GUARD}] ends by itself"))
    assert len(plain - prints()) == 1


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        (f"# agent-architecture: ignore[{GUARD}]", "this comment gives no reason and hides nothing"),
        (f"# agent-architecture: ignore[{GUARD}] --", "this comment gives no reason and hides nothing"),
        ("# agent-architecture: ignore it runs once", "this comment names no rule and hides nothing"),
        ("# agent-architecture: ignore[] it runs once", "this comment names no rule and hides nothing"),
        (
            "# agent-architecture: ignore[loop_gard_absence] it runs once",
            "this comment hides nothing: there is no rule 'loop_gard_absence'; the nearest is loop_guard_absence",
        ),
        (
            "# agent-architecture: ignore[deadlock_risk] it runs once",
            "this comment hides nothing: deadlock_risk has no finding on line 16",
        ),
    ],
)
def test_what_was_meant_to_hide_and_does_not_is_a_notice(project: Project, comment: str, told: str) -> None:
    project.write("app/agent.py", with_comment(comment))
    said = project.analyze("--strict")
    assert f"{GUARD} app/agent.py:16" in said.places()
    assert [notice for notice in said.notices() if notice.startswith(f"app/agent.py:16 {told}")]
    assert said.code == 0


def test_where_nothing_is_judged_nothing_is_unused(project: Project) -> None:
    project.write("app/agent.py", "import os  # agent-architecture: ignore[deadlock_risk] later\n")
    assert [notice for notice in project.analyze().notices() if "comment" in notice] == []


def test_of_very_many_rules_that_are_none_the_first_are_told_and_the_rest_is_counted() -> None:
    """To find the nearest rule takes 10 ms each: a file of 2 MB has room for 400,000."""
    rules = ",".join(f"r{number}" for number in range(20_000))
    text = f"x = 1  # agent-architecture: ignore[{rules},{GUARD},{GUARD}] no reason to believe it\n"
    found = from_comments([SourceFile("a.py", Language.PYTHON, Role.APP, text.encode())], lambda _: True)
    assert [mark.key for mark in found.marks] == ["loop_guard_absence"]
    *told, last = [notice.message for notice in found.notices]
    assert len(told) == MOST_TOLD
    assert "there is no rule 'r0'; the nearest is " in told[0]
    assert last == f"{20_000 - MOST_TOLD} more rules named by comments of this file, which hide nothing"


def of(language: Language, text: str) -> list[tuple[int, int, str]]:
    file = SourceFile("a", language, Role.APP, text.encode())
    return [(found.line, found.about, found.text) for found in comments(file, "mark:")]


LANGUAGES = {
    "python": (Language.PYTHON, "x = 'é'  # mark: a\n# mark: b\ny = '# mark: no'\n", [(1, 1, "a"), (2, 3, "b")]),
    "several lines above": (Language.PYTHON, "# mark: a\n# more\n  # mark: b\nx = 1\n", [(1, 4, "a"), (3, 4, "b")]),
    "a docstring is no comment": (Language.PYTHON, 'def f():\n    """# mark: no"""\n', []),
    "the end of a file": (Language.PYTHON, "x = 1\n# mark: a", [(2, 3, "a")]),
    "broken code": (Language.PYTHON, "def (:\n    x = 1  # mark: a\n", [(2, 2, "a")]),
    "windows lines": (Language.PYTHON, "x = 1  # mark: a\r\n# mark: b\r\ny = 1\r\n", [(1, 1, "a"), (2, 3, "b")]),
    "typescript": (
        Language.TYPESCRIPT,
        "run(); // mark: a\n/* mark: b */\nrun('// mark: no');\n/* mark: c */ run();\n",
        [(1, 1, "a"), (2, 3, "b"), (4, 4, "c")],
    ),
    "a comment of several lines": (Language.JAVASCRIPT, "/*\n * mark: a\n */\nrun();\n", [(2, 4, "a")]),
    "jsx": (Language.TSX, "x = <a>\n  {/* mark: a */}\n  <b/> mark: no\n</a>;\n", [(2, 3, "a")]),
    "a template": (Language.TYPESCRIPT, "x = `\n// mark: no\n`;\n", []),
    "yaml": (
        Language.YAML,
        "a: 1 # mark: a\n# mark: b\nb: 'x # mark: no'\nc: |\n  # mark: no\nd: x# mark: no\n",
        [(1, 1, "a"), (2, 3, "b")],
    ),
    "broken yaml": (Language.YAML, "a: 1 # mark: a\nb: 'open\n# mark: no\n", [(1, 1, "a")]),
    "toml": (
        Language.TOML,
        "a = 1 # mark: a\n# mark: b\nb = '# mark: no'\n",
        [(1, 1, "a"), (2, 3, "b")],
    ),
    "json has none": (Language.JSON, '{"a": 1} // mark: no\n', []),
}


@pytest.mark.parametrize(("language", "text", "found"), LANGUAGES.values(), ids=list(LANGUAGES))
def test_comments_are_what_the_language_says(language: Language, text: str, found: list[tuple[int, int, str]]) -> None:
    assert of(language, text) == [(line, about, f"mark: {said}") for line, about, said in found]


def test_one_comment_may_name_several_rules_in_every_spelling() -> None:
    text = b"x = 1  # agent-architecture: ignore[deadlock_risk, arxo/agent-loop-guard-absence] - it is fine\n"
    found = from_comments([SourceFile("a.py", Language.PYTHON, Role.APP, text)], lambda _: True)
    assert [(mark.key, mark.reason, mark.hides("a.py", 1)) for mark in found.marks] == [
        ("deadlock_risk", "it is fine", True),
        ("loop_guard_absence", "it is fine", True),
    ]


@given(
    language=st.sampled_from(sorted(LINE_COMMENT)),
    pieces=st.lists(st.sampled_from([*"#/*'\"`{}[]<>:\\\n ", "mark:", "# mark: a", "|\n  ", "é", "\r\n", "\t"])),
)
@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
def test_whatever_a_file_holds_a_comment_stands_on_one_of_its_lines(language: Language, pieces: list[str]) -> None:
    text = "".join(pieces)
    for line, about, said in of(language, text):
        assert 1 <= line <= about <= text.count("\n") + 2
        assert said.startswith("mark:")


def test_a_file_full_of_comments_is_read_in_reasonable_time() -> None:
    line = "x = 1  # agent-architecture: ignore[deadlock_risk] fine\n"
    files = [SourceFile("a.py", Language.PYTHON, Role.APP, (line * 20_000).encode())]
    assert len(from_comments(files, lambda _: True).marks) == 1000


# -------------------------------------------------------------------------------------------------------- configuration
def test_an_entry_hides_its_rule_in_its_files(project: Project) -> None:
    """The path is a glob from the file's folder, whatever part of the project is scanned."""
    project.write("lib/agent.py", AGENT)
    project.write(FILE, f"ignore: [{{rule: {GUARD}, path: app/**, reason: ends by itself}}]\n")
    said = project.analyze()
    assert said.places(GUARD) == [f"{GUARD} lib/agent.py:16"]
    assert said.report["project"]["suppressed"] == {"comments": 0, "configuration": 1}
    assert said.report["project"]["configuration"] == FILE
    part = project.analyze("app")
    assert (part.places(GUARD), part.report["project"]["configuration"]) == ([], f"../{FILE}")
    assert part.notices() == []


def test_an_entry_that_hides_nothing_is_a_notice_unless_its_files_were_not_asked_for(project: Project) -> None:
    entries = ["{rule: deadlock_risk, reason: x}", "{rule: deadlock_risk, path: app, reason: x}"]
    project.write(FILE, "ignore:\n" + "".join(f"- {entry}\n" for entry in entries))
    assert project.analyze().notices() == [
        f"{FILE}:2 this entry hides nothing: there is no finding of deadlock_risk",
        f"{FILE}:3 this entry hides nothing: there is no finding of deadlock_risk in app",
    ]
    assert project.analyze("app").notices() == [
        f"../{FILE}:3 this entry hides nothing: there is no finding of deadlock_risk in app"
    ]
    for name in ("console", "github", "sarif"):  # seen from where the command runs, as every path
        out = project.run("analyze", "app", "--format", name).out
        assert FILE in out
        assert f"../{FILE}" not in out


def test_after_its_last_day_the_finding_is_back(project: Project) -> None:
    entry = Ignore("loop_guard_absence", "a pilot", until=date(2026, 3, 31), line=7)
    config = Config(ignore=(entry,), file=project.root / FILE)

    def on(day: date) -> tuple[bool, list[str]]:
        report = analyze([project.root], config, today=day).report
        hidden = not any(finding.rule_id.endswith(GUARD) for finding in report.findings)
        return hidden, [notice.message for notice in report.notices]

    assert on(date(2026, 3, 31)) == (True, [])
    assert on(date(2026, 4, 1)) == (
        False,
        ["ignoring loop_guard_absence ended on 2026-03-31: its findings are back"],
    )


def test_dates_of_the_file_are_held_against_today(project: Project) -> None:
    project.write(
        FILE,
        f"ignore:\n- {{rule: {GUARD}, reason: x, until: 2999-12-31}}\n"
        "- {rule: agent_shell_capable, reason: x, until: 2020-01-01}\n",
    )
    said = project.analyze()
    assert (said.places(GUARD), said.places("shell-capable") != []) == ([], True)
    assert said.notices() == [f"{FILE}:3 ignoring agent_shell_capable ended on 2020-01-01: its findings are back"]


def test_what_is_left_of_a_finding_is_counted_anew(project: Project) -> None:
    """Seven runs in one file: five places and a text that counts two; with three hidden, four places and no text."""
    calls = [f"def answer{n}(text):\n    return Runner.run_sync(agent, text, max_turns=None)\n" for n in range(7)]

    def evidence() -> list[str]:
        said = project.analyze().report["results"][0]["findings"]
        (finding,) = [one for one in said if one["rule_id"].endswith(GUARD)]
        assert len(finding["other_fingerprints"]) == max(0, len(finding["evidence"]) - 6 + 2)
        return [str(piece.get("line") or piece["message"]) for piece in finding["evidence"]]

    head = AGENT[: AGENT.index("def answer")]
    project.write("app/agent.py", head + "\n".join(calls))
    assert evidence()[-1] == "2 more places in this file"
    hidden = [call.replace("None)", "None)  # agent-architecture: ignore[loop-guard] fine") for call in calls[:3]]
    project.write("app/agent.py", head + "\n".join([*hidden, *calls[3:]]))
    assert len(evidence()) == 4


# -------------------------------------------------------------------------------------------------------------- formats
def test_every_format_says_what_is_hidden(project: Project) -> None:
    project.write("app/agent.py", with_comment(f"# agent-architecture: ignore[{GUARD}] ends by itself"))
    project.write(FILE, "ignore: [{rule: agent_shell_capable, reason: it is its job}]\n")
    said = project.run("analyze", "--format", "console", "--format", "sarif", "--output", "report.sarif")
    text = " ".join(said.out.split())
    assert "Not shown: 1 place by comments; 2 places by agent-architecture.yaml. The scores count them." in text
    assert "· 3 places not shown ·" in text
    cases = ET.fromstring(project.run("analyze", "--format", "junit").out)  # noqa: S314 - our own output
    (case,) = [one for one in cases.iter("testcase") if one.get("name") == f"arxo/agent-{GUARD}"]
    assert [child.tag for child in case] == ["skipped"]
    for suite in cases.findall("testsuite"):
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    results = json.loads((project.root / "report.sarif").read_text())["runs"][0]["results"]
    told = [one["suppressions"][0] for one in results if "suppressions" in one]
    assert told == [
        {"kind": "inSource", "status": "accepted", "justification": "ends by itself"},
        {"kind": "external", "status": "accepted", "justification": "it is its job"},
        {"kind": "external", "status": "accepted", "justification": "it is its job"},
    ]


def test_a_hostile_reason_cannot_write_to_the_terminal(project: Project) -> None:
    project.write("app/agent.py", with_comment(f"# agent-architecture: ignore[{GUARD}] \x1b[2J\u202e fine"))
    for name in ("console", "sarif", "json", "markdown", "yaml"):
        out = project.run("analyze", "--format", name).out
        assert "\x1b" not in out
        assert "\u202e" not in out
