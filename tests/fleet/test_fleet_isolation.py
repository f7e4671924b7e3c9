"""One run over repositories of which some do the worst: each is a row, the others are right, nothing stays behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.test_cli_command import environment
from tests.fleet.fleets import LONG, asked, command, committed, contents, fleet, harm, left_behind, scanned

MARK = "AGENT_ARCHITECTURE_FLEET_TEST"
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


HEEDING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are deaf to it
from agent_architecture.__main__ import run
run()
"""


@needs_linux
def test_the_worst_repositories_are_rows_with_errors_and_the_others_are_right(tmp_path: Path) -> None:
    root = fleet(tmp_path / "fleet", 4)
    for name in ("empty", "hangs", "crashes", "leaves", "fails", "explodes"):
        (root / name).mkdir()
    (root / "huge").mkdir()
    with (root / "huge" / "agent.py").open("wb") as file:
        file.truncate(1 << 30)
    (root / "locked").mkdir(mode=0o000)
    (tmp_path / "round").symlink_to("round")
    for number in range(4):
        committed(root / f"service-{number:03}")
    silent = socket.create_server(("127.0.0.1", 0))  # it takes a connection, and never says a word
    listed = tmp_path / "list.txt"
    listed.write_text(
        f"{tmp_path / 'round'}\n{tmp_path / 'nowhere'}\nfile://{tmp_path}/no-repository.git\n"
        f"https://127.0.0.1:{silent.getsockname()[1]}/owner/silent.git\nhttp://example.org/owner/plain.git\n"
        "https://somebody:secret@example.org/owner/told.git\n",
        "utf-8",
    )
    mark = f"{MARK}={tmp_path}"
    done = command(
        "scan", root, listed, "--timeout", "30", "--memory", "400", "--jobs", "3", "--csv", "out.csv",
        cwd=tmp_path, **harm(tmp_path / "harm"), **{MARK: str(tmp_path)},
    )  # fmt: skip
    silent.close()
    assert done.returncode == 0, done.stderr
    rows = dict(asked(tmp_path / "fleet.duckdb", "SELECT repository, error FROM repositories"))
    assert rows.pop("hangs") == "it was not done after 30 seconds (--timeout)"
    assert rows.pop("owner/silent") == "it was not done after 30 seconds (--timeout)"
    assert rows.pop("crashes") == "its process was ended by SIGSEGV"
    assert rows.pop("leaves") == "its process ended without an answer (exit code 3)"
    assert rows.pop("fails") == "internal error: ValueError: something of fails"
    assert rows.pop("explodes") == "it takes more memory than it may (--memory)"
    assert rows.pop("round") == "cannot read the folder: Too many levels of symbolic links"
    assert rows.pop("nowhere") == "cannot read the folder: No such file or directory"
    assert "does not appear to be a git repository" in rows.pop("no-repository")
    assert "not by http" in rows.pop("owner/plain")
    assert "holds a password" in rows.pop("owner/told")
    assert rows.pop("locked") == ("" if os.geteuid() == 0 else "cannot read the folder: Permission denied")
    assert rows == dict.fromkeys(["empty", "huge", "service-000", "service-001", "service-002", "service-003"], "")
    assert "secret" not in (tmp_path / "out.csv").read_text("utf-8")
    [(message,)] = asked(tmp_path / "fleet.duckdb", "SELECT message FROM latest_notices WHERE repository = 'huge'")
    assert "more than the limit" in message
    scanned([root / f"service-{number:03}" for number in range(4)], tmp_path / "alone.duckdb")
    wanted = (
        "SELECT repository, health, critical, high, medium, low FROM latest WHERE repository LIKE 'service%' ORDER BY 1"
    )
    assert asked(tmp_path / "fleet.duckdb", wanted) == asked(tmp_path / "alone.duckdb", wanted)
    assert left_behind(mark) == []
    (root / "locked").chmod(0o700)


@needs_linux
def test_a_run_that_is_stopped_keeps_what_is_finished_and_goes_on(tmp_path: Path) -> None:
    root = fleet(tmp_path / "fleet", 12)
    for number in range(20):
        (root / f"slow-{number:02}").mkdir()
    variables = {**harm(tmp_path / "harm"), MARK: str(tmp_path), "SLOW": "5"}
    line = [sys.executable, "-c", HEEDING, "fleet", "scan", str(root), "--jobs", "1", "-v"]
    with subprocess.Popen(
        line, cwd=tmp_path, env=environment(**variables), stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        said = []
        for text in running.stderr:
            said.append(text)
            if "slow-00" in text:
                running.send_signal(signal.SIGINT)
        assert running.wait(LONG) == 130, said
    assert any("the same command goes on from there" in text for text in said)
    assert left_behind(f"{MARK}={tmp_path}") == []
    kept = asked(tmp_path / "fleet.duckdb", "SELECT count(*) FROM repositories")[0][0]
    assert 12 <= kept < 32

    done = command("scan", root, "--jobs", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{kept} of 32 were done already" in done.stderr
    scanned([root], tmp_path / "whole.duckdb")
    assert contents(tmp_path / "fleet.duckdb") == contents(tmp_path / "whole.duckdb")
    assert asked(tmp_path / "fleet.duckdb", "SELECT run, finished IS NULL FROM runs") == [(1, False)]


@needs_linux
def test_what_a_nursery_runs_ends_with_it(tmp_path: Path) -> None:
    """Also where nobody can end it: whoever asked was killed."""
    (tmp_path / "fleet" / "hangs").mkdir(parents=True)
    variables = {**harm(tmp_path / "harm"), MARK: str(tmp_path)}
    line = [sys.executable, "-m", "agent_architecture", "fleet", "scan", str(tmp_path / "fleet")]
    with subprocess.Popen(line, cwd=tmp_path, env=environment(**variables), stderr=subprocess.DEVNULL) as running:
        end = time.monotonic() + LONG
        while not any("sleep 1000" in text for text in _running(tmp_path)) and time.monotonic() < end:
            time.sleep(0.2)
        running.kill()
    assert left_behind(f"{MARK}={tmp_path}") == []


def _running(folder: Path) -> list[str]:
    from tests.fleet import fleets

    return fleets._marked(f"{MARK}={folder}")
