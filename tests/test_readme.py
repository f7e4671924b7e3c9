"""What the README shows is what the command prints, and what it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
CHOICE = "--min-severity critical"
"""What is left out, for the sake of the page."""
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
