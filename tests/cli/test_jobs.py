"""`--jobs`: the same answer, worked out in several processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def started(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    quiet = {"PYTHONPATH": str(ROOT / "src"), "AGENT_ARCHITECTURE_NO_CACHE": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, **quiet},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def analyzed(folder: Path, jobs: str) -> subprocess.CompletedProcess[str]:
    return started("-m", "agent_architecture", "analyze", folder, "--format", "json", "--jobs", jobs)


@pytest.mark.parametrize("folder", [ROOT / "examples" / "support-agent", ROOT / "examples"])
def test_the_report_is_the_same_bytes_whatever_the_number_of_processes(folder: Path) -> None:
    alone = analyzed(folder, "1")
    assert alone.returncode == 0, alone.stderr
    for jobs in ("2", "5", "0"):
        assert analyzed(folder, jobs).stdout == alone.stdout


def test_a_number_of_processes_that_makes_no_sense_is_a_usage_error() -> None:
    for jobs in ("-1", "two", "65", ""):
        done = analyzed(ROOT / "examples", jobs)
        assert done.returncode == 2
        assert "is not a number of processes from 0 to 64" in done.stderr


ASKED = """
import os
from agent_architecture.semantics.parallel import shared_out

here = os.getpid()
thing = (object(),)

def where():
    return os.getpid()

def fails():
    if os.getpid() != here:
        raise ValueError("in a fork")
    return "answered at home"

"""


@needs_fork
def test_what_both_processes_know_stays_the_same_thing() -> None:
    code = ASKED + (
        "questions = {str(n): lambda: (os.getpid(), thing) for n in range(40)}\n"
        "found = shared_out(questions, 3, known=[thing])\n"
        "assert list(found) == list(questions)\n"
        "assert all(known is thing for _, known in found.values())\n"
    )
    done = started("-c", code)
    assert done.returncode == 0, done.stderr


@needs_fork
def test_further_processes_do_take_part() -> None:
    code = ASKED + (
        "import time\n"
        "def slow():\n"
        "    time.sleep(0.2)\n"
        "    return os.getpid()\n"
        "print(len(set(shared_out({str(n): slow for n in range(8)}, 2).values())))\n"
    )
    assert started("-c", code).stdout == "2\n"


@needs_fork
def test_what_a_process_does_not_bring_back_is_worked_out_here() -> None:
    code = ASKED + (
        "def unpicklable():\n"
        "    return (lambda: 1) if os.getpid() != here else 'a lambda stays at home'\n"
        "def killed():\n"
        "    os._exit(9) if os.getpid() != here else None\n"
        "    return 'survived'\n"
        "for question in (fails, unpicklable, killed):\n"
        "    answers = set(shared_out({str(n): question for n in range(8)}, 4).values())\n"
        "    assert len(answers) == 1, answers\n"
        "    print(answers.pop())\n"
    )
    done = started("-c", code)
    assert done.stdout == "answered at home\na lambda stays at home\nsurvived\n", done.stderr
