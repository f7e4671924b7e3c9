"""Which findings are shown: flags that choose, counts, comments that are written, standard input."""

from __future__ import annotations

import io
import json
import sys

import pytest
from configuration_project import AGENT, Project

from agent_architecture.contract import contract
from agent_architecture.flags import analyze_parser, parse, source_of
from agent_architecture.registry import resolve_all

GUARD = "loop-guard-absence"
SHOWN_AT = "app/agent.py:16"


# -------------------------------------------------------------------------------------------------------------- choice
def test_a_choice_hides_findings_and_never_changes_a_key(project: Project) -> None:
    plain = project.analyze()
    chosen = project.analyze("--select", "loop-guard,governance", "--min-severity", "high")
    rules = {place.split()[0] for place in chosen.places()}
    governance = {s.rule_id.removeprefix("arxo/agent-") for s in contract().scalars if s.group == "governance"}
    assert GUARD in rules
    assert rules <= {GUARD, *governance}
    assert chosen.keys == plain.keys
    left = chosen.report["project"]["left_out"]
    gone = len(plain.report["results"][0]["findings"]) - len(chosen.report["results"][0]["findings"])
    assert (left["findings"], left["by"]) == (gone, ["select", "min-severity"])
    assert left["evidence"] >= gone
    assert plain.report["project"]["left_out"] == {"findings": 0, "evidence": 0, "by": []}


def test_ignoring_and_confidence_leave_out_too(project: Project) -> None:
    plain = project.analyze()
    said = project.analyze("--ignore", "arxo/agent-loop-guard-absence,safety", "--min-confidence", "high")
    safety = {s.rule_id.removeprefix("arxo/agent-") for s in contract().scalars if s.axis == "safety"}
    expected = [
        f"{one['rule_id'].removeprefix('arxo/agent-')}"
        for one in plain.report["results"][0]["findings"]
        if one["confidence"] == "high"
    ]
    assert {place.split()[0] for place in said.places()} == set(expected) - safety - {GUARD}


def test_the_console_says_what_is_left_out(project: Project) -> None:
    said = project.run("analyze", "--select", "mcp-auth", "--min-confidence", "medium")
    text = " ".join(said.out.split())
    assert "findings by --select, --min-confidence. The scores count them." in text
    assert said.out.splitlines()[-1].startswith("no findings · ")


def test_a_rule_may_be_named_in_every_way() -> None:
    for name in (
        "loop_guard_absence",
        "arxo/agent-loop-guard-absence",
        "loop-guard",
        "agent_architecture.loop_guard_absence",
    ):
        assert [scalar.name for scalar in resolve_all(name)] == ["loop_guard_absence"]
    assert {scalar.group for scalar in resolve_all("tool-execution")} == {"tool_execution"}
    assert {scalar.axis for scalar in resolve_all("Safety")} == {"safety"}
    assert len(resolve_all("mcp")) == 9


@pytest.mark.parametrize("flag", ["--select", "--ignore"])
def test_a_rule_that_is_not_there_names_the_nearest(project: Project, flag: str) -> None:
    said = project.run("analyze", flag, "deadlock,loop_gard_absence")
    assert (said.code, said.err) == (
        2,
        "error: there is no rule 'loop_gard_absence'; the nearest is loop_guard_absence\n",
    )


def test_lists_may_be_repeated_and_hold_spaces() -> None:
    from agent_architecture.config import configure

    flags = parse(analyze_parser(), ["--select", "deadlock, loop-guard", "--select", "deadlock_risk"])
    assert configure(source_of(flags)).choice.select == ("deadlock_risk", "loop_guard_absence")


def test_statistics_counts_instead_of_quoting(project: Project) -> None:
    project.write("lib/agent.py", AGENT)
    said = project.run("analyze", "--statistics", "--width", "200")
    line = next(line for line in said.out.splitlines() if f"arxo/agent-{GUARD}" in line)
    assert line.split()[:3] == ["2", "high", f"arxo/agent-{GUARD}"]
    assert "max_turns=None" not in said.out
    assert "explain" not in said.out


# ---------------------------------------------------------------------------------------------------------- add-ignore
def test_comments_are_written_on_the_lines_of_findings_and_then_nothing_is_found(project: Project) -> None:
    """Every comment that is written is read back as one: a second run has nothing left but what has no comments."""
    plain = project.analyze("app")
    said = project.run("analyze", "app", "--add-ignore", "--reason", "a pilot")
    assert (said.code, said.out, said.err) == (0, "wrote 4 comments in 1 file\n", "")
    lines = (project.root / "app" / "agent.py").read_text().splitlines()
    assert lines[15].startswith("    return Runner.run_sync(agent, text, max_turns=None).final_output  # agent-arch")
    assert lines[15].endswith("] a pilot")
    assert lines[1] == AGENT.splitlines()[1]
    after = project.analyze("app")
    assert (after.places(), after.notices()) == ([], [])
    assert after.keys == plain.keys
    assert project.run("analyze", "app", "--add-ignore", "--reason", "x").out == "wrote 0 comments in 0 files\n"


def test_only_chosen_findings_get_a_comment_and_files_without_comments_are_named(project: Project) -> None:
    source = "# é\r\n" + AGENT.replace("\n", "\r\n")
    file = project.write("app/agent.py", source)
    said = project.run("analyze", "--add-ignore", "--reason", "a pilot", "--select", "loop-guard,supply-chain")
    assert said.out == "wrote 1 comment in 1 file\n"
    assert said.err == (
        "not written: requirements.txt: its language has no comments that are read: use `ignore` in the configuration\n"
    )
    wanted = source.replace(
        "final_output\r\n", "final_output  # agent-architecture: ignore[loop_guard_absence] a pilot\r\n"
    )
    assert file.read_bytes().decode() == wanted


def test_where_no_comment_fits_beside_the_code_it_stands_above_or_nowhere() -> None:
    from agent_architecture.sources.source import Language, Role, SourceFile
    from agent_architecture.suppressions.write import with_comment

    def written(language: Language, text: str, line: int) -> str | None:
        made = with_comment(SourceFile("a", language, Role.APP, text.encode()), line, "agent-architecture: ignore[x] r")
        return None if made is None else made.decode()

    said = "agent-architecture: ignore[x] r"
    assert written(Language.PYTHON, "a = 1 + \\\n    2\n", 1) == f"# {said}\na = 1 + \\\n    2\n"
    assert written(Language.PYTHON, 'a = """\nb\n"""\n', 2) is None
    assert written(Language.PYTHON, 'a = f(\n    """x\n""")\n', 2) == f'a = f(\n    # {said}\n    """x\n""")\n'
    assert written(Language.TSX, "x = <a>\n  <b/>\n</a>;\n", 2) == f"x = <a>\n  {{/* {said} */}}\n  <b/>\n</a>;\n"
    assert written(Language.TYPESCRIPT, "run();", 1) == f"run();  // {said}"
    assert written(Language.YAML, "a:\n- b: 1\n", 2) == f"a:\n- b: 1  # {said}\n"
    assert written(Language.YAML, "a: |\n  b\n", 2) is None


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--add-ignore"], "--add-ignore needs --reason TEXT: why the findings are acceptable"),
        (["--add-ignore", "--reason", " - "], "--add-ignore needs --reason TEXT: why the findings are acceptable"),
        (["--reason", "x"], "--reason goes with --add-ignore"),
        (["--add-ignore", "--reason", "a\nb"], "--reason is one line of at most 200 characters, and closes no comment"),
        (
            ["--add-ignore", "--reason", "a */ b"],
            "--reason is one line of at most 200 characters, and closes no comment",
        ),
        (
            ["--add-ignore", "--reason", "x" * 201],
            "--reason is one line of at most 200 characters, and closes no comment",
        ),
    ],
)
def test_a_comment_needs_a_reason_that_fits(project: Project, flags: list[str], told: str) -> None:
    said = project.run("analyze", *flags)
    assert (said.code, said.err) == (2, f"error: {told}\n")


# ------------------------------------------------------------------------------------------------------ standard input
def with_stdin(project: Project, monkeypatch: pytest.MonkeyPatch, text: str, *flags: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    said = project.run("analyze", "-", *flags)
    assert said.code == 0, said.err
    return said.out


def test_standard_input_is_judged_as_the_file_that_it_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an editor has not saved: the file on the disk holds something else, or is not there yet."""
    flags = ["--format", "json", "--stdin-filename"]
    expected = project.run("analyze", "app/agent.py", "--format", "json").out
    assert with_stdin(project, monkeypatch, AGENT, *flags, "app/agent.py") == expected
    project.write("app/agent.py", "import os\n")
    assert with_stdin(project, monkeypatch, AGENT, *flags, "app/agent.py") == expected
    new = json.loads(with_stdin(project, monkeypatch, AGENT, *flags, "new/folder/bot.py"))
    assert {site["path"] for site in new["project"]["sites"]} == {"bot.py"}
    quoted = with_stdin(project, monkeypatch, AGENT, "-v", "--stdin-filename", "app/agent.py")
    assert "Runner.run_sync(agent, text, max_turns=None)" in quoted


def test_the_configuration_of_the_folder_holds_for_standard_input(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("agent-architecture.yaml", f"ignore: [{{rule: {GUARD}, path: app/agent.py, reason: x}}]\n")
    out = with_stdin(project, monkeypatch, AGENT, "--format", "json", "--stdin-filename", "app/agent.py")
    assert json.loads(out)["project"]["suppressed"] == {"comments": 0, "configuration": 1}


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["-"], "standard input needs --stdin-filename FILE: its name says in which language it is"),
        (["-", "app", "--stdin-filename", "a.py"], "standard input is judged alone, and nothing can be written to it"),
        (["--stdin-filename", "a.py"], "--stdin-filename goes with the path - (standard input)"),
    ],
)
def test_standard_input_is_one_file_with_a_name(project: Project, flags: list[str], told: str) -> None:
    said = project.run("analyze", *flags)
    assert (said.code, said.err) == (2, f"error: {told}\n")


def test_standard_input_that_is_no_code_is_a_notice(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = ["--format", "json", "--stdin-filename"]
    for text, name, told in (
        ("x", "notes.rst", "is in no language that is analysed: not read"),
        ("x = 1\n" * 100, "a.py", "has 101 bytes, more than the limit of 100: not read"),
        ("\0", "a.py", "is binary (it has NUL bytes): not read"),
    ):
        report = json.loads(with_stdin(project, monkeypatch, text, *flags, name, "--max-file-size", "100"))
        assert [notice["message"] for notice in report["project"]["notices"]] == [told]
