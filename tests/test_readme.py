"""What the README shows is what the command prints, and what it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CHOICE = "--select code-execution-sandbox-gap,loop-guard-absence,handoff-cycle-risk,human-approval-absence"
"""What is shown, for the sake of the page: as few rules as have something to fix first."""
BEGIN, END = "<!-- transcript: begin -->", "<!-- transcript: end -->"


def printed() -> str:
    """What analysing the example prints, with the width of the page."""
    command = [
        sys.executable,
        "-m",
        "agent_architecture",
        "analyze",
        "examples/support-agent",
        *CHOICE.split(),
        "--width",
        "100",
    ]
    done = subprocess.run([*command, "--color", "never"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_transcript_is_what_the_command_prints() -> None:
    text = README.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    shown = f"{BEGIN}\n\n```console\n$ ./dev analyze examples/support-agent {CHOICE}\n{printed()}```\n\n{END}"
    if os.environ.get("AGENT_ARCHITECTURE_ACCEPT"):
        README.write_text(f"{head}{shown}{tail}", "utf-8")
    assert README.read_text("utf-8") == f"{head}{shown}{tail}"


def test_every_file_that_the_readme_links_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def commands() -> list[list[str]]:
    """The commands of the README's tables and blocks, as words, without what stands for a value."""
    text = README.read_text("utf-8").partition(BEGIN)[0]
    lines = re.findall(r"`agent-architecture ([^`]+)`|^agent-architecture(.*)$", text, re.MULTILINE)
    return [re.sub(r"\[[^\]]*\]|\b[A-Z]+\b", "", table or block).split() for table, block in lines]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_that_the_readme_names_is_one(words: list[str]) -> None:
    command = words[:1] or ["analyze"]
    done = subprocess.run(
        [sys.executable, "-m", "agent_architecture", *command, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [word for word in words[1:] if word.isalpha() and word not in done.stdout] == []


def test_every_flag_that_the_readme_names_is_one() -> None:
    text = README.read_text("utf-8").partition(BEGIN)[0]
    table = text.partition("| flag | effect |")[2].partition("\n\n")[0]
    said = "".join(
        subprocess.run(
            [sys.executable, "-m", "agent_architecture", command, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for command in ("analyze", "explain")
    )
    flags = set(re.findall(r"`(-{1,2}[a-z][\w-]*)", table))
    assert len(flags) > 15
    assert {flag for flag in flags if not re.search(rf"(?<![\w-]){flag}\b", said)} == set()
