"""Repositories that git fetches: at their refs, shallow, bounded, and with nothing obeyed that they hold."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest
from tests.fleet.fleets import asked, command, committed, git, repository

from agent_architecture.fleet.entries import fleet_of


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository with an agent at `v1` and on `old`, and without one since."""
    folder = repository(tmp_path / "origin", 3)
    committed(folder)
    git(folder, "tag", "-a", "v1", "-m", "the first")
    git(folder, "branch", "old")
    (folder / "desk.py").write_text("VALUE = 1\n", "utf-8")
    committed(folder)
    return folder


def scan(folder: Path, lines: list[str], *flags: str, **changes: str) -> dict[str, tuple[str, str, int, bool]]:
    """Error, commit, agents and whether it was known, by the name of the repository."""
    (folder / "list.txt").write_text("\n".join(lines), "utf-8")
    done = command("scan", "list.txt", "-q", *flags, cwd=folder, **changes)
    assert "Traceback" not in done.stderr
    query = """
        SELECT repository, error, "commit", unchanged, (SELECT count(*) FROM agents a WHERE a.scan = l.scan)
        FROM latest l ORDER BY repository
    """
    found = asked(folder / "fleet.duckdb", query)
    return {name: (error, commit, agents, unchanged) for name, error, commit, unchanged, agents in found}


def test_each_ref_is_judged_at_its_own_commit(origin: Path, tmp_path: Path) -> None:
    url = f"file://{origin}"
    first, head = git(origin, "rev-parse", "old"), git(origin, "rev-parse", "HEAD")
    found = scan(tmp_path, [url, f"{url} v1", f"{url} old", f"{url} {first}", f"{url} gone", "origin v1"])
    assert found == {
        url: ("", head, 0, False),
        f"{url}@v1": ("", first, 1, False),
        f"{url}@old": ("", first, 1, False),
        f"{url}@{first}": ("", first, 1, False),
        f"{url}@gone": ("it has no ref gone", "", 0, False),
        f"{origin}@v1": ("", first, 1, False),
    }


def test_a_repository_is_fetched_again_only_when_its_ref_has_moved(origin: Path, tmp_path: Path) -> None:
    url = f"file://{origin}"
    assert [one[3] for one in scan(tmp_path, [url, f"{url} v1"]).values()] == [False, False]
    before = asked(tmp_path / "fleet.duckdb", "SELECT count(*) FROM findings")
    assert [one[3] for one in scan(tmp_path, [url, f"{url} v1"]).values()] == [True, True]
    assert asked(tmp_path / "fleet.duckdb", "SELECT count(*) FROM findings") == before
    (origin / "desk.py").write_text("VALUE = 2\n", "utf-8")
    head = committed(origin)
    found = scan(tmp_path, [url, f"{url} v1"])
    assert [one[3] for one in found.values()] == [False, True]
    assert found[url][1] == head
    assert [one[3] for one in scan(tmp_path, [url, f"{url} v1"], "--no-cache").values()] == [False, False]


def test_nothing_that_a_repository_or_its_server_holds_is_run(origin: Path, tmp_path: Path) -> None:
    """Hooks of the user's template, filters, submodules, links: none is obeyed."""
    ran = tmp_path / "ran"
    hook = f"#!/bin/sh\ntouch {ran}\n"
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    for name in ("post-checkout", "post-merge", "reference-transaction", "post-index-change"):
        (template / name).write_text(hook, "utf-8")
        (template / name).chmod(0o755)
    settings = tmp_path / "settings"
    settings.write_text(
        f'[init]\n\ttemplateDir = {template.parent}\n[filter "run"]\n\tsmudge = touch {ran}\n\tprocess = touch {ran}\n'
        "\trequired = true\n[fetch]\n\trecurseSubmodules = true\n",
        "utf-8",
    )
    (origin / ".gitattributes").write_text("* filter=run\n", "utf-8")
    (origin / ".gitmodules").write_text(f'[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch {ran}"\n', "utf-8")
    (origin / "outside").symlink_to("/etc")
    repository(origin / "again", 6)
    head = committed(origin)
    plain = ["git", "-c", "protocol.file.allow=always", "clone", "-q", f"file://{origin}", str(tmp_path / "plain")]
    subprocess.run(plain, env={**os.environ, "GIT_CONFIG_GLOBAL": str(settings)}, capture_output=True, check=False)
    assert ran.exists()  # that is what git does by itself
    ran.unlink()
    found = scan(tmp_path, [f"file://{origin}"], GIT_CONFIG_GLOBAL=str(settings))
    assert found == {"origin": ("", head, 1, False)}
    assert not ran.exists()


def test_what_is_too_large_to_fetch_is_an_error(origin: Path, tmp_path: Path) -> None:
    (origin / "data.bin").write_bytes(os.urandom(3 << 20))
    committed(origin)
    found = scan(tmp_path, [f"file://{origin}", f"file://{origin} v1"], "--max-download", "1")
    assert [one[0] for one in found.values()] == ["it is larger than 1 MB (--max-download)", ""]


def test_nobody_is_asked_for_a_password(tmp_path: Path) -> None:
    """An address that git cannot reach without one is an error; whatever would ask is not started."""
    ran = tmp_path / "ran"
    ssh = tmp_path / "ssh"
    ssh.write_text(f'#!/bin/sh\necho "$@" > {ran}\necho "Permission denied (publickey)." >&2\nexit 255\n', "utf-8")
    ssh.chmod(ssh.stat().st_mode | stat.S_IXUSR)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    found = scan(tmp_path, ["git@git.example.org:owner/name.git main"], PATH=path)
    assert "Permission denied" in found["owner/name"][0] or "Could not read from remote" in found["owner/name"][0]
    assert "BatchMode=yes" in ran.read_text("utf-8")


@pytest.mark.parametrize(
    ("address", "name", "problem"),
    [
        ("https://git.example.org/owner/name.git", "owner/name", ""),
        ("ssh://git@git.example.org/owner/name", "owner/name", ""),
        ("git@git.example.org:owner/name.git", "owner/name", ""),
        ("file:///srv/git/name.git", "name", ""),
        ("http://git.example.org/owner/name", "owner/name", "not by http"),
        ("git://git.example.org/owner/name", "owner/name", "not by git"),
        ("https://u:secret@git.example.org/owner/name", "owner/name", "password"),
    ],
)
def test_addresses_and_what_is_refused(address: str, name: str, problem: str) -> None:
    [entry] = fleet_of([address]).entries
    assert (entry.name, entry.remote) == (name, True)
    assert problem in entry.problem
    assert bool(problem) == bool(entry.problem)
    assert "secret" not in entry.location
