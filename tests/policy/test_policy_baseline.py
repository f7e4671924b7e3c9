"""Baselines: the tree of a git ref, read from git's objects, and saved reports. Real repositories, made here."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from tests.policy.policy_project import AGENT, SHELL, commit, git, run, write

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository whose first commit has an agent, and whose work tree has one with a shell."""
    folder = write(tmp_path / "project")
    commit(folder)
    return write(folder, SHELL)


# -------------------------------------------------------------------------------------------------------------- git
def test_a_ref_is_what_the_run_is_compared_with(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "analyze", project, "--baseline", "main", "--format", "json")
    changes = done.json["changes"]
    assert (done.code, changes["after"], changes["before"].startswith("main (")) == (0, "the working tree", True)
    assert [part["name"] for part in changes["added"]] == ["helper → order", "order"]
    assert changes["worse"] is True


def test_nothing_changed_since_a_ref_that_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(write(tmp_path))
    changes = run(capsys, "analyze", tmp_path, "--baseline", "HEAD", "--format", "json").json["changes"]
    assert (changes["worse"], changes["new"], changes["fixed"], changes["scores"]) == (False, [], [], [])


def test_the_work_tree_and_the_index_stay_as_they_are(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "new.py").write_text("x = 1\n")
    git(project, "add", "new.py")
    before = git(project, "status", "--porcelain"), git(project, "stash", "list"), (project / "agent.py").read_text()
    assert run(capsys, "analyze", project, "--baseline", "main").code == 0
    after = git(project, "status", "--porcelain"), git(project, "stash", "list"), (project / "agent.py").read_text()
    assert before == after


def test_with_a_baseline_only_new_findings_fail_the_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(project, "a shell")
    assert run(capsys, "analyze", project, "--fail-on", "low").code == 1
    assert run(capsys, "analyze", project, "--fail-on", "low", "--baseline", "HEAD").code == 0
    done = run(capsys, "analyze", project, "--fail-on", "low", "--baseline", "HEAD~1")
    assert (done.code, "that the baseline does not have" in " ".join(done.out.split())) == (1, True)


def test_a_part_of_a_repository_is_compared_with_the_same_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "services" / "one")
    write(tmp_path / "services" / "two", SHELL)
    commit(tmp_path)
    done = run(capsys, "analyze", tmp_path / "services" / "one", "--baseline", "HEAD", "--format", "json")
    assert (done.json["changes"]["added"], done.json["changes"]["removed"]) == ([], [])


def test_objects_of_other_folders_need_not_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As in a partial clone of which only one folder is checked out."""
    write(tmp_path / "one")
    write(tmp_path / "two", SHELL)
    commit(tmp_path)
    blob = git(tmp_path, "rev-parse", "HEAD:two/agent.py").strip()
    (tmp_path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert run(capsys, "analyze", tmp_path / "one", "--baseline", "HEAD").code == 0
    done = run(capsys, "analyze", tmp_path / "two", "--baseline", "HEAD")
    assert (done.code, "the git object of two/agent.py is missing or damaged" in done.err) == (2, True)


def test_a_folder_that_was_not_there_yet_is_new_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "one")
    commit(tmp_path)
    write(tmp_path / "two")
    done = run(capsys, "analyze", tmp_path / "one", tmp_path / "two", "--baseline", "HEAD", "--format", "json")
    assert {part["path"] for part in done.json["changes"]["added"]} == {"two/agent.py"}
    assert done.json["changes"]["removed"] == []


def test_a_file_is_compared_with_itself_and_a_new_one_with_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, AGENT, "new.py")
    for name, path in (("agent.py", "agent.py"), ("new.py", "new.py")):
        changes = run(capsys, "analyze", project / name, "--baseline", "main", "--format", "json").json["changes"]
        assert {part["path"] for part in changes["added"]} == {path}


def test_an_ignored_finding_is_ignored_in_the_baseline_too(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "ignore:\n  - {rule: trace_linkage_gap, path: agent.py, reason: Traced by the platform.}\n"
    write(project, AGENT)
    (project / "agent-architecture.yaml").write_text(text)
    commit(project)
    done = run(capsys, "analyze", project, "--baseline", "HEAD", "--format", "json")
    assert (done.json["changes"]["new"], done.json["changes"]["fixed"]) == ([], [])


def test_what_the_globs_leave_out_is_left_out_of_the_baseline(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project / "old", SHELL)
    commit(project)
    (project / "agent-architecture.yaml").write_text("data:\n  exclude: [old/]\n")
    done = run(capsys, "analyze", project, "--baseline", "HEAD", "--format", "json")
    assert done.json["changes"]["removed"] == []


def test_an_ignore_file_above_the_folder_holds_in_the_baseline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "service")
    write(tmp_path / "service" / "generated", SHELL)
    (tmp_path / ".arxoignore").write_text("generated/\n")
    commit(tmp_path)
    done = run(capsys, "analyze", tmp_path / "service", "--baseline", "HEAD", "--format", "json")
    assert done.json["changes"]["removed"] == []


# ------------------------------------------------------------------------------------------------------------ mistakes
@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("no-such-branch", "there is no git ref no-such-branch here (and no such file)"),
        ("HEAD:agent.py", "there is no git ref HEAD:agent.py here"),
        ("a\x1bb", "cannot be a git ref"),
        ("", "cannot be a git ref"),
    ],
)
def test_a_ref_that_there_is_not_is_said(
    project: Path, capsys: pytest.CaptureFixture[str], ref: str, said: str
) -> None:
    done = run(capsys, "analyze", project, f"--baseline={ref}")
    assert (done.code, said in done.err, "Traceback" in done.err) == (2, True, False)


def test_a_ref_that_looks_like_an_option_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "analyze", project, "--baseline=--output=/tmp/x")
    assert (done.code, done.err) == (2, "error: '--output=/tmp/x' cannot be a git ref\n")


def test_a_folder_outside_of_any_repository_has_no_refs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "analyze", write(tmp_path), "--baseline", "main")
    assert (done.code, "lies in no git repository" in done.err) == (2, True)


def test_without_git_a_ref_cannot_be_read(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = run(capsys, "analyze", project, "--baseline", "main")
    assert (done.code, "needs git, which is not installed" in done.err) == (2, True)


# ------------------------------------------------------------------------------------------------- hostile repositories
@posix
def test_the_repositorys_own_configuration_runs_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hooks, a file-system monitor, filters, a pager, text conversions: each would leave a file."""
    trap = project.parent / "ran"
    script = project.parent / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    hooks = project.parent / "hooks"
    hooks.mkdir()
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-commit"):
        shutil.copy(script, hooks / hook)
    (project / ".gitattributes").write_text("*.py filter=evil diff=evil export-subst\n")
    commit(project)
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.askPass", "filter.evil.smudge", "filter.evil.clean",
        "filter.evil.process", "diff.evil.textconv", "diff.external", "core.alternateRefsCommand", "gpg.program",
    ):  # fmt: skip
        git(project, "config", key, str(script))
    git(project, "config", "filter.evil.required", "true")
    git(project, "config", "core.hooksPath", str(hooks))
    assert run(capsys, "analyze", project, "--baseline", "main").code == 0
    assert not trap.exists()


@posix
def test_objects_that_are_missing_are_not_fetched(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A partial clone names a remote that git would start a program for."""
    trap = project.parent / "ran"
    blob = git(project, "rev-parse", "HEAD:agent.py").strip()
    (project / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", f"ext::sh -c 'touch {trap}'"),
        ("remote.origin.uploadpack", f"touch {trap};"),
        ("protocol.ext.allow", "always"),
    ):
        git(project, "config", key, value)
    done = run(capsys, "analyze", project, "--baseline", "main")
    assert (done.code, trap.exists(), "Traceback" in done.err) == (2, False, False)


@posix
def test_a_link_of_the_tree_is_not_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = project.parent / "secret.py"
    secret.write_text(SHELL)
    (project / "link.py").symlink_to(secret)
    (project / "folder").symlink_to(project.parent)
    commit(project)
    done = run(capsys, "analyze", project, "--baseline", "HEAD", "--format", "json")
    assert (done.code, done.json["changes"]["removed"]) == (0, [])


def test_a_tree_made_by_hand_writes_nothing_outside_of_its_folder(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git makes no entry called `..`, but whoever writes the object by hand can."""
    monkeypatch.setattr(tempfile, "tempdir", str(project.parent))
    blob = git(project, "hash-object", "-w", "agent.py").strip()
    inner = _tree(project, f"100644 blob {blob}\tescaped.py")
    outer = _tree(project, f"100644 blob {blob}\tagent.py", f"040000 tree {inner}\t..", f"040000 tree {inner}\t.git")
    head = git(project, "commit-tree", outer, "-m", "by hand").strip()
    done = run(capsys, "analyze", project, "--baseline", head, "--format", "json")
    assert done.code == 0
    assert not (project.parent / "escaped.py").exists()
    assert {gap["path"] for gap in done.json["changes"]["fixed"]} <= {"agent.py"}


def test_a_tree_with_more_files_than_fit_anywhere_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten entries that are one tree, ten levels deep: some kilobytes stand for ten thousand million files."""
    entry = "100644 blob " + git(project, "rev-parse", "HEAD:agent.py").strip()
    for _ in range(10):
        entry = "040000 tree " + _tree(project, *(f"{entry}\t{number}.py" for number in range(10)))
    head = git(project, "commit-tree", entry.split()[2], "-m", "a bomb").strip()
    done = run(capsys, "analyze", project, "--baseline", head)
    assert (done.code, done.err) == (2, "error: the tree of the git ref is too large to compare with\n")


def _tree(folder: Path, *entries: str) -> str:
    """A tree object of these entries, in the format of git's own objects: `mode name NUL id`."""
    body = b""
    for entry in entries:
        about, _, name = entry.partition("\t")
        mode, _, identity = about.split()
        body += f"{mode.lstrip('0')} {name}".encode() + b"\0" + bytes.fromhex(identity)
    file = folder.parent / "tree.bin"
    file.write_bytes(body)
    return git(folder, "hash-object", "-t", "tree", "--literally", "-w", str(file)).strip()


# -------------------------------------------------------------------------------------------------------------- files
@pytest.fixture
def saved(project: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A report of the first commit's agent, saved."""
    file = project.parent / "baseline.json"
    write(project, AGENT)
    assert run(capsys, "analyze", project, "--format", "json", "--output", file).code == 0
    write(project, SHELL)
    return file


def test_a_saved_report_says_the_same_as_the_ref(
    project: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from_file = run(capsys, "analyze", project, "--baseline", saved, "--format", "json").json["changes"]
    from_ref = run(capsys, "analyze", project, "--baseline", "main", "--format", "json").json["changes"]
    assert from_file | {"before": ""} == from_ref | {"before": ""}


def test_a_saved_report_of_before_servers_and_effects_is_still_read(
    project: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(saved.read_text())
    del document["decision"], document["project"]["servers"]
    for tool in document["project"]["tools"]:
        del tool["effects"]
    saved.write_text(json.dumps(document))
    changes = run(capsys, "analyze", project, "--baseline", saved, "--format", "json").json["changes"]
    assert (changes["grown"], [part["kind"] for part in changes["added"]]) == ([], ["edge", "tool"])


def test_a_report_that_a_later_version_added_to_is_read(
    project: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved.write_text(json.dumps(json.loads(saved.read_text()) | {"weather": "fine"}))
    assert run(capsys, "analyze", project, "--baseline", saved).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no JSON report"),
        ("{}", "is no report of this tool: the report has no schema_version"),
        ("[]", "is no report of this tool: the report is not of the type object"),
        ('{"schema_version": NaN}', "NaN is no JSON number"),
        ("[" * 100_000, "is no JSON report"),
        ('{"version": "2.1.0", "runs": []}', "is no report of this tool"),
    ],
)
def test_a_file_that_is_no_report_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = project.parent / "other.json"
    file.write_text(text)
    done = run(capsys, "analyze", project, "--baseline", file)
    assert (done.code, said in done.err, "Traceback" in done.err) == (2, True, False)


@pytest.mark.parametrize(
    ("way", "value", "said"),
    [
        (("schema_version",), 2, "the report.schema_version is 2, not 1"),
        (("project", "applicable"), "yes", "the report.project.applicable is not of the type boolean"),
        (("results", 0, "data", 0, "value"), 3, "the report.results[0].data[0] has none of the forms"),
        (("project", "tools", 0, "line"), -1, "the report.project.tools[0].line is less than 0"),
    ],
)
def test_a_report_is_held_against_the_schema(  # noqa: PLR0913, PLR0917 - fixtures and the cases
    project: Path,
    saved: Path,
    capsys: pytest.CaptureFixture[str],
    way: tuple[str | int, ...],
    value: object,
    said: str,
) -> None:
    document = json.loads(saved.read_text())
    place = document
    for step in way[:-1]:
        place = place[step]
    place[way[-1]] = value
    saved.write_text(json.dumps(document))
    done = run(capsys, "analyze", project, "--baseline", saved)
    assert (done.code, said in done.err) == (2, True)


# ------------------------------------------------------------------------------------------------ in the configuration
def test_an_invariant_compares_with_the_value_of_the_baseline(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = "policy:\n  baseline: {mode: git, ref: main}\n  invariants:\n"
    policy += "    - {metric: overall_agent_health, op: '>=', baseline: true, message: No step back.}\n"
    (project / "agent-architecture.yaml").write_text(policy)
    done = run(capsys, "analyze", project, "--format", "json")
    (violation,) = done.json["violations"]
    assert (done.code, violation["baseline"], violation["message"]) == (1, True, "No step back.")
    assert violation["actual"] < violation["value"]
    write(project, AGENT)
    assert run(capsys, "analyze", project).code == 0


def test_a_metric_that_there_is_not_is_said_with_its_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "policy:\n  invariants:\n    - {metric: overal_health, op: '>=', value: 0.5}\n"
    (project / "agent-architecture.yaml").write_text(text)
    done = run(capsys, "analyze", project)
    assert done.code == 2
    assert "agent-architecture.yaml:3" in done.err
    assert "the nearest name is overall_agent_health" in done.err
