"""Names, links and special files: nothing outside is read, nothing is waited for, and the rest is judged."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hostile_runs import AGENT, HEALTHY, analyze, is_intact, noticed, outcome_of, project

from agent_architecture.registry import load
from agent_architecture.render import json, sarif
from agent_architecture.render.console import render

ASKED_FOR = (
    "agent.py", "agent.ts", "agent.ipynb", ".gitignore", ".arxoignore", "pyproject.toml", "uv.lock", "package.json",
    "package-lock.json", "tsconfig.json", "requirements.txt", ".mcp.json", "Dockerfile", "Makefile", "CLAUDE.md",
    ".env", "langgraph.json", "agent.yaml",
)  # fmt: skip
"""Names of files that are read for what they are."""
NAMES = (
    "new\nline.py",
    "escape\x1b[2J.py",
    "bell\x07.py",
    "\u202eyp.txt.py",
    "zero\u200bwidth.py",
    "-rf.py",
    "a b.py",
    "'\"`$(x).py",
)


@pytest.mark.parametrize("name", ASKED_FOR)
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(project(tmp_path / "p") / name)
    assert is_intact(outcome_of(tmp_path / "p"))


def test_sockets_and_links_to_devices_are_not_opened(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / "zero.py").symlink_to("/dev/zero")
    (folder / "tty.ts").symlink_to("/dev/tty")
    (folder / "self.py").symlink_to("/proc/self/mem")
    held = socket.socket(socket.AF_UNIX)
    home = os.open(".", os.O_RDONLY)
    os.chdir(folder)  # the path of a socket is short
    try:
        held.bind("socket.py")
    finally:
        os.fchdir(home)
        os.close(home)
        held.close()
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert noticed(outcome, "socket.py") == ["is not a regular file: not read"]
    for name in ("zero.py", "tty.ts", "self.py"):
        assert noticed(outcome, name) == ["is a link out of the scanned folder: not followed"]


def test_links_in_circles_and_out_of_the_root_end(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    secret = tmp_path / "secret"
    project(secret)
    (folder / "circle.py").symlink_to("other.py")
    (folder / "other.py").symlink_to("circle.py")
    (folder / "up").symlink_to("..")
    (folder / "here").symlink_to(".")
    (folder / "out.py").symlink_to(secret / HEALTHY)
    (folder / "out").symlink_to(secret)
    (folder / "again").symlink_to("again/again")
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert {tool.span.path for tool in outcome.report.project.tools} == {HEALTHY}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_commands_no_terminal_and_breaks_no_line(name: str, tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / name).write_text(AGENT, encoding="utf-8")
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert len(outcome.report.project.tools) == 2
    shown = render(outcome, width=100, color=False, verbose=True, source=lambda _, __: None)
    texts = (shown, json.render(outcome, subjects=True), sarif.render(outcome, load()))
    assert not any(sign in text for text in texts for sign in ("\x1b", "\x07", "\u202e", "\u200b"))
    assert "new\nline" not in shown


def test_a_name_that_is_no_utf8_is_shown_and_its_file_judged(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff\xfe.py")).write_text(AGENT, encoding="utf-8")
    ran = analyze(".", "--format", "json", at=folder)
    assert {tool["path"] for tool in ran.document["project"]["tools"]} == {HEALTHY, "bad\ufffd\ufffd.py"}


def test_names_that_differ_in_case_alone_are_two_files(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    for name in ("Agent.py", "agent.py", "AGENT.PY"):
        (folder / name).write_text(AGENT, encoding="utf-8")
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert {tool.span.path for tool in outcome.report.project.tools} >= {"Agent.py", "agent.py", HEALTHY}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_notice(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / "closed.py").write_text(AGENT, encoding="utf-8")
    (folder / "closed.py").chmod(0)
    (folder / "shut").mkdir(mode=0)
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert noticed(outcome, "closed.py") == ["cannot be read: Permission denied"]
    assert noticed(outcome, "shut") == ["cannot be read: Permission denied"]


def test_ten_thousand_files_in_a_folder_are_read(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    for number in range(10_000):
        (folder / f"m{number}.py").write_text("x = 1\n", encoding="utf-8")
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    assert outcome.report.notices == ()


def test_five_hundred_folders_inside_each_other_are_a_notice(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    deep = folder.joinpath(*["d"] * 500)
    deep.mkdir(parents=True)
    (deep / "agent.py").write_text(AGENT, encoding="utf-8")
    outcome = outcome_of(folder)
    assert is_intact(outcome)
    (notice,) = outcome.report.notices
    assert notice.message == "lies more than 64 folders deep: not read"


def test_a_configuration_writes_nowhere_but_below_its_folder(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    (folder / ".git").mkdir()
    (folder / "link").symlink_to(".git")
    (folder / "out").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.json")
    for target in ("../x.json", "/srv/x.json", "out/x.json", ".git/config", ".GIT/config", "link/config", "pipe.json"):
        (folder / "agent-architecture.yaml").write_text(f"report:\n  file: {target}\n", encoding="utf-8")
        assert "report.file" in analyze(".", at=folder, code=2).said
    assert sorted(path.name for path in (folder / ".git").iterdir()) == []
    assert not (tmp_path / "x.json").exists()


def test_a_baseline_that_is_a_pipe_or_a_device_is_not_opened(tmp_path: Path) -> None:
    folder = project(tmp_path / "p")
    os.mkfifo(folder / "pipe.json")
    for target in ("pipe.json", "/dev/zero", "/dev/stdin", "."):
        text = f"policy:\n  baseline:\n    mode: file\n    path: {target}\n"
        (folder / "agent-architecture.yaml").write_text(text, encoding="utf-8")
        assert "is not a regular file" in analyze(".", at=folder, code=2).said
