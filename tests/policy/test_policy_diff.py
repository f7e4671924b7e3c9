"""`diff` and `baseline write`, and what changed in every format: on real files and a real repository."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator
from tests.policy.policy_project import AGENT, SHELL, commit, git, run, write

from agent_architecture.render.json import SCHEMA_FILE

pytestmark = [pytest.mark.skipif(shutil.which("git") is None, reason="needs git"), pytest.mark.usefixtures("project")]

CLIENT = '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@x/files@1.0.0", "--token=s3cret"]}}}'
TWO = """\
from agents import Agent

billing = Agent(name="billing")
triage = Agent(name="triage", handoffs=[billing])
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an agent on `main` and one with a shell on the branch that is checked out; we stand in it."""
    folder = write(tmp_path / "project")
    commit(folder, "an agent")
    write(folder, SHELL)
    commit(folder, "with a shell")
    monkeypatch.chdir(folder)
    return folder


# ---------------------------------------------------------------------------------------------------------------- diff
def test_two_refs_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    changes = run(capsys, "diff", "HEAD~1", "HEAD", "--format", "json").json
    assert (changes["before"].split()[0], changes["after"].split()[0]) == ("HEAD~1", "HEAD")
    assert [(part["kind"], part["name"]) for part in changes["added"]] == [
        ("edge", "helper → order"),
        ("tool", "order"),
    ]
    assert changes["removed"] == []
    assert all(gap["path"] == "agent.py" and gap["line"] > 0 for gap in changes["new"])
    assert any(gap["rule_id"] == "arxo/agent-shell-capable" for gap in changes["new"])


def test_a_tool_whose_reach_grew_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    (grown,) = run(capsys, "diff", "HEAD~1", "HEAD", "--format", "json").json["grown"]
    assert grown["tool"]["name"] == "search"
    assert grown["more"] == ["runs a command line, and the model decides all of it"]
    assert run(capsys, "diff", "HEAD", "HEAD~1", "--format", "json").json["grown"] == []


def test_the_json_of_a_difference_has_the_form_of_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads(SCHEMA_FILE.read_bytes())
    alone = {"$ref": "#/$defs/changes", "$defs": schema["$defs"]}
    changes = run(capsys, "diff", "HEAD~1", "HEAD", "--format", "json").json
    assert list(Draft202012Validator(alone).iter_errors(changes)) == []
    severities = [gap["severity"] for gap in changes["new"]]
    assert severities == sorted(severities, key=["critical", "high", "medium", "low"].index)


def test_the_other_way_round_it_is_fixed_and_gone(capsys: pytest.CaptureFixture[str]) -> None:
    there = run(capsys, "diff", "HEAD~1", "HEAD", "--format", "json").json
    back = run(capsys, "diff", "HEAD", "HEAD~1", "--format", "json").json
    worse = [gap for gap in there["new"] if gap not in back["fixed"]]
    assert [gap for gap in there["new"] if gap in back["fixed"]] == back["fixed"] != []
    assert {gap["line"] for gap in worse} <= {7, 16, 20}, "the tool that now runs a command line, its agent and its run"
    assert back["new"] == there["fixed"]
    assert (back["removed"], back["added"]) == (there["added"], [])
    assert [(score["before"], score["after"]) for score in back["scores"]] == [
        (score["after"], score["before"]) for score in there["scores"]
    ]


def test_a_score_says_whether_it_got_better(capsys: pytest.CaptureFixture[str]) -> None:
    scores = {score["key"]: score for score in run(capsys, "diff", "HEAD~1", "HEAD", "--format", "json").json["scores"]}
    health, shell, count = (
        scores[f"agent_architecture.{name}"]
        for name in ("overall_agent_health", "agent_shell_capable", "agent_files_with_process")
    )
    assert (health["better"], health["after"] < health["before"]) == (False, True)
    assert (shell["better"], shell["after"] > shell["before"]) == (False, True)
    assert count["better"] is None


def test_without_a_second_name_the_work_tree_is_compared(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "diff", "HEAD").out.endswith("nothing changed\n")
    write(project, AGENT)
    changes = run(capsys, "diff", "HEAD", "--format", "json").json
    assert (changes["after"], [part["kind"] for part in changes["removed"]]) == ("the working tree", ["edge", "tool"])


def test_saved_reports_are_compared(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reports = [project.parent / "old.json", project.parent / "new.json"]
    for text, file in zip((AGENT, SHELL), reports, strict=True):
        write(project, text)
        run(capsys, "analyze", project, "--format", "json", "--output", file)
    from_files = run(capsys, "diff", *reports, "--format", "json").json
    from_refs = run(capsys, "diff", "HEAD~1", "HEAD", "--format", "json").json
    names = {"before": "", "after": ""}
    assert from_files | names == from_refs | names


def test_what_moved_in_its_file_has_not_changed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "# A comment.\n\n" + SHELL)
    assert run(capsys, "diff", "HEAD").out.endswith("nothing changed\n")


def test_new_agents_handoffs_and_servers_are_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, TWO, "team.py")
    (project / ".mcp.json").write_text(CLIENT)
    changes = run(capsys, "diff", "HEAD", "--format", "json").json
    added = {(part["kind"], part["name"], part["detail"]) for part in changes["added"]}
    assert ("server", "files", "used stdio npx") in added
    assert ("edge", "triage → billing", "") in added
    assert {name for kind, name, _ in added if kind == "agent"} == {"billing", "triage"}
    assert "s3cret" not in json.dumps(changes)


def test_what_flags_leave_out_is_not_called_fixed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project.parent / "old.json"
    run(capsys, "analyze", project, "--format", "json", "--output", file)
    few = ("analyze", "--select", "agent_shell_capable", "--format", "json")
    changes = run(capsys, *few, "--baseline", file).json["changes"]
    assert (changes["fixed"], changes["new"]) == ([], [])
    assert changes["remarks"] == ["the working tree has only what --select let through: what is fixed is not told."]
    assert run(capsys, *few, "--baseline", "HEAD").json["changes"]["remarks"] == []


def test_a_suppressed_finding_is_neither_fixed_nor_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "ignore:\n  - {rule: agent_shell_capable, path: agent.py, reason: A sandbox of its own.}\n"
    (project / "agent-architecture.yaml").write_text(text)
    file = project.parent / "old.json"
    run(capsys, "analyze", "--isolated", "--format", "json", "--output", file)
    done = run(capsys, "analyze", "--baseline", file, "--format", "sarif")
    results = done.json["runs"][0]["results"]
    assert {"baselineState" in result for result in results if "suppressions" in result} == {False}
    changes = run(capsys, "analyze", "--baseline", file, "--format", "json").json["changes"]
    assert (changes["fixed"], changes["new"]) == ([], [])


def test_reports_of_different_versions_are_marked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = project.parent / "old.json"
    run(capsys, "analyze", project, "--format", "json", "--output", file)
    document = json.loads(file.read_text())
    document["tool"]["version"] = "0.0.1"
    file.write_text(json.dumps(document))
    (remark,) = run(capsys, "diff", file, "--format", "json").json["remarks"]
    assert remark.startswith("The reports are of different versions of the tool, 0.0.1 and ")


# ---------------------------------------------------------------------------------------------------------- exit codes
def test_the_exit_code_is_0_unless_it_is_asked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "diff", "HEAD~1", "HEAD").code == 0
    assert run(capsys, "diff", "HEAD~1", "HEAD", "--exit-code").code == 1
    assert run(capsys, "diff", "HEAD", "HEAD", "--exit-code").code == 0
    write(project / "second", SHELL)
    commit(project, "another agent")
    assert run(capsys, "diff", "HEAD~1", "HEAD", "--exit-code").code == 1
    assert run(capsys, "diff", "HEAD", "HEAD~1", "--exit-code").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-ref",), "error: there is no git ref no-such-ref here (and no such file)"),
        (("HEAD", "agent.py"), "error: agent.py is no JSON report"),
        ((), "error: the following arguments are required: OLD"),
        (("HEAD", "--format", "sarif"), "error: argument --format: invalid choice"),
        (("HEAD", "--output", "nowhere/x"), "error: cannot write nowhere/x: there is no folder nowhere"),
    ],
)
def test_a_mistake_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    done = run(capsys, "diff", *arguments)
    assert (done.code, done.out, done.err.startswith(said)) == (2, "", True), done.err


# ------------------------------------------------------------------------------------------------------------- formats
def test_the_text_names_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "diff", "HEAD~1", "HEAD", "--width", "200", "-v").out
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "+ tool order agent.py:12 openai-agents" in lines
    assert "! tool search agent.py:7 now runs a command line, and the model decides all of it" in lines
    assert next(line for line in lines if line.startswith("overall_agent_health")).endswith("worse")
    assert "new gap" in lines[-1]


def test_the_comment_for_a_pull_request_names_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "diff", "HEAD~1", "HEAD", "--format", "markdown").out
    assert text.startswith("## Agent architecture: HEAD")
    assert "- **tool search** now runs a command line, and the model decides all of it" in text
    assert "### New findings: " in text
    assert "- new tool order (`agent.py:12`)" in text


def test_names_of_the_project_cannot_write_markup(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, AGENT.replace('name="helper"', 'name="<img src=x> @all [x](http://y)"'))
    comment = run(capsys, "diff", "HEAD", "--format", "markdown").out
    assert "<img" not in comment
    assert "@all" not in comment
    assert "](http" not in comment
    write(project, AGENT.replace('name="helper"', 'name="\\x1b[31mred"'))
    assert "\x1b" not in run(capsys, "diff", "HEAD").out


def test_a_report_shows_the_changes_since_its_baseline_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    shown = {
        name: run(capsys, "analyze", "--baseline", "HEAD~1", "--fail-on", "high", "--format", name)
        for name in ("console", "json", "sarif", "markdown", "github", "junit", "yaml")
    }
    assert {done.code for done in shown.values()} == {1}
    document = shown["json"].json
    schema = json.loads(SCHEMA_FILE.read_bytes())
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    new = {gap["fingerprint"] for gap in document["changes"]["new"]}
    states = {
        next(iter(result["partialFingerprints"].values())): result["baselineState"]
        for result in shown["sarif"].json["runs"][0]["results"]
    }
    assert {state for print_, state in states.items() if print_ in new} == {"new"}
    assert {state for print_, state in states.items() if print_ not in new} == {"unchanged"}
    assert "Against the baseline" in shown["console"].out
    assert "fixed since the baseline" in shown["console"].out
    assert " against the baseline)" in shown["markdown"].out.splitlines()[0]
    assert f" in {len(new)} places\n" in shown["markdown"].out.partition("### New findings: ")[2]
    assert "- **failed**: " in shown["markdown"].out
    assert "changes:" in shown["yaml"].out
    (reason,) = document["decision"]["reasons"]
    (invocation,) = shown["sarif"].json["runs"][0]["invocations"]
    assert (invocation["exitCode"], invocation["exitCodeDescription"]) == (1, reason)
    assert f"::error title=failed::{reason}" in shown["github"].out.splitlines()


def test_violations_are_in_every_format(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = "{metric: overall_agent_health, op: '==', value: 1, message: We agreed on it.}"
    (project / "agent-architecture.yaml").write_text(f"policy:\n  invariants:\n    - {rule}\n")
    said = "overall_agent_health == 1 does not hold: it is "
    shown = {
        name: run(capsys, "analyze", "--format", name, "--width", "300")
        for name in ("console", "json", "sarif", "markdown", "github", "junit")
    }
    assert {done.code for done in shown.values()} == {1}
    assert said in shown["console"].out
    assert shown["json"].json["violations"][0]["message"] == "We agreed on it."
    assert said in shown["markdown"].out.replace("\\", "")
    assert f"::error title=policy::{said}" in shown["github"].out
    failures = [node.get("message", "") for node in ET.fromstring(shown["junit"].out).iter("failure")]  # noqa: S314
    assert any(text.startswith(said) and text.endswith("We agreed on it.") for text in failures)


# ------------------------------------------------------------------------------------------------------ baseline write
def test_what_a_baseline_holds_is_accepted_and_what_comes_later_fails(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, AGENT)
    done = run(capsys, "baseline", "write")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("wrote agent-architecture-baseline.json: ")
    gate = ("analyze", "--baseline", "agent-architecture-baseline.json", "--fail-on", "low")
    assert run(capsys, *gate).code == 0
    write(project, SHELL)
    assert run(capsys, *gate).code == 1


def test_the_baseline_goes_where_the_configuration_looks_for_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "policy:\n  baseline: {mode: file, path: ci/known.json}\n  fail_on: low\n"
    (project / "agent-architecture.yaml").write_text(text)
    (project / "ci").mkdir()
    missing = run(capsys, "analyze")
    assert (missing.code, "agent-architecture.yaml:2" in missing.err) == (2, True)
    assert run(capsys, "baseline", "write").code == 0
    assert (project / "ci" / "known.json").is_file()
    assert run(capsys, "analyze").code == 0


def test_a_baseline_is_the_json_report_of_the_paths(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = run(capsys, "baseline", "write", project, "--output", "-")
    assert written.out == run(capsys, "analyze", project, "--format", "json").out


def test_baseline_wants_to_know_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "baseline", "read")
    assert (done.code, "invalid choice: 'read'" in done.err) == (2, True)


# ------------------------------------------------------------------------------------------------------------ examples
def test_the_policy_of_the_documentation_is_obeyed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "policy.md").read_text("utf-8")
    (project / "agent-architecture.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0])
    git(project, "tag", "origin/main", "HEAD~1")
    assert run(capsys, "config", "validate").code == 0
    done = run(capsys, "analyze", "--format", "json")
    assert (done.code, {item["metric"].partition(".")[2] for item in done.json["violations"]}) == (
        1,
        {"overall_agent_health", "agent_shell_capable", "weakest_axis_min"},
    )


def test_every_example_of_the_help_runs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("before.json", AGENT), ("after.json", SHELL)):
        write(project, text)
        run(capsys, "analyze", "--format", "json", "--output", name)
    for tag, ref in (("v1.0", "HEAD~1"), ("v1.1", "HEAD"), ("origin/main", "HEAD~1")):
        git(project, "tag", tag, ref)
    examples = [
        line.strip().partition("   ")[0].split()[1:]
        for command in ("diff", "baseline")
        for line in run(capsys, command, "--help").out.partition("examples:")[2].splitlines()
        if line.strip()
    ]
    assert len(examples) == 5
    codes = [run(capsys, *example).code for example in examples]
    assert [code for code in codes if code not in {0, 1}] == [], (examples, codes)
