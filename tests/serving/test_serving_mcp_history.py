"""What the MCP server says of a project as it was: at a git ref, and in a saved report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from tests.serving.test_serving_mcp import AGENT, LARGEST_ANSWER, answer, ask, refusal

RUNNER = "from agents import Runner\n\n" + "".join(f"LINE_{number} = {number}\n" for number in range(20))


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=folder, check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A project in a folder of a repository, which has one agent in its only commit."""
    project = tmp_path / "repository" / "services" / "agent"
    project.mkdir(parents=True)
    (project / "first.py").write_text(RUNNER + AGENT.format(name="first"), encoding="utf-8")
    (project / "huge.md").write_text("x" * 100_000, encoding="utf-8")
    (project.parent / "other.py").write_text(AGENT.format(name="other"), encoding="utf-8")
    git(project.parents[1], "init", "-q", "-b", "main")
    git(project.parents[1], "add", ".")
    git(project.parents[1], "commit", "-qm", "x")
    return project


def whole(root: Path, **arguments: Any) -> list[dict[str, Any]]:
    """All pages of a comparison."""

    async def question(client: Client) -> list[dict[str, Any]]:
        pages = [await answer(client, "compare_with_baseline", **arguments)]
        while (cursor := pages[-1]["next_cursor"]) is not None:
            pages.append(await answer(client, "compare_with_baseline", cursor=cursor, **arguments))
        return pages

    found: list[dict[str, Any]] = ask(root, question)
    return found


def test_a_ref_is_compared_from_the_folder_that_the_root_is(repository: Path) -> None:
    (repository / "second.py").write_text(AGENT.format(name="second"), encoding="utf-8")
    for ref in ("HEAD", "main", "HEAD^0"):
        (page,) = whole(repository, baseline=ref)
        assert any("agent second" in part for part in page["untrusted_added"])
        assert not page["untrusted_removed"], "neither the first one, nor what stands beside the folder"
        assert page["untrusted_before"].startswith(f"{ref} (")


def test_a_part_of_the_root_is_compared_with_that_part(repository: Path) -> None:
    (repository / "first.py").write_text(RUNNER + AGENT.format(name="changed"), encoding="utf-8")
    (page,) = whole(repository.parents[1], baseline="HEAD", path="services/agent")
    assert any("agent changed" in part for part in page["untrusted_added"])
    assert any("agent first" in part for part in page["untrusted_removed"])
    assert not any("other" in part for part in page["untrusted_removed"])


def test_what_was_committed_after_the_start_is_seen(repository: Path) -> None:
    async def question(client: Client) -> tuple[bool, bool]:
        before = await answer(client, "compare_with_baseline", baseline="HEAD")
        (repository / "second.py").write_text(AGENT.format(name="second"), encoding="utf-8")
        changed = await answer(client, "compare_with_baseline", baseline="HEAD")
        git(repository, "add", ".")
        git(repository, "commit", "-qm", "y")
        git(repository, "gc", "-q")
        after = await answer(client, "compare_with_baseline", baseline="HEAD")
        return changed["worse"], before["worse"] or after["worse"]

    assert ask(repository, question) == (True, False)


def test_a_file_that_is_called_otherwise_now_is_no_new_one(repository: Path) -> None:
    text = (repository / "first.py").read_text(encoding="utf-8")
    (repository / "first.py").unlink()
    (repository / "moved.py").write_text(f"{text}LAST = 1\n", encoding="utf-8")
    (page,) = whole(repository, baseline="HEAD")
    assert (page["new_count"], page["fixed_count"], page["untrusted_added"]) == (0, 0, [])


@pytest.mark.parametrize(
    "ref", ["--output=/tmp/x", "no-such", "HEAD\nHEAD", "HEAD:services", "main..HEAD", "@{upstream}", "x" * 499]
)
def test_what_is_no_ref_is_refused_and_the_next_one_is_answered(repository: Path, ref: str) -> None:
    async def question(client: Client) -> tuple[str, bool]:
        said = await refusal(client, "compare_with_baseline", baseline=ref)
        return said, bool((await answer(client, "compare_with_baseline", baseline="HEAD"))["worse"])

    said, worse = ask(repository, question)
    assert said.startswith("untrusted_message: ") or "git ref" in said
    assert not worse


def test_without_a_repository_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(AGENT.format(name="a"), encoding="utf-8")
    said = ask(tmp_path, lambda client: refusal(client, "compare_with_baseline", baseline="HEAD"))
    assert "no git repository holds the root" in said


def test_a_comparison_of_any_size_comes_in_pages_that_fit(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(AGENT.format(name="a"), encoding="utf-8")
    command = [sys.executable, "-m", "agent_architecture", "analyze", str(tmp_path), "--format", "json"]
    said = subprocess.run([*command, "--no-progress"], capture_output=True, check=True, text=True).stdout
    for number in range(80):
        name = f"{'look' * 60}_{number}"
        (tmp_path / f"agent_{number}_{name[:180]}.py").write_text(AGENT.format(name=name), encoding="utf-8")
    (tmp_path / "before.json").write_text(said, encoding="utf-8")
    pages = whole(tmp_path, baseline="before.json")
    assert len(pages) > 1
    assert max(len(json.dumps(page)) for page in pages) < LARGEST_ANSWER
    assert sum(len(page["new"]) for page in pages) == pages[0]["new_count"]
    added = [part for page in pages for part in page["untrusted_added"]]
    assert sum("agent " in part for part in added) == len({part for part in added if "agent " in part}) >= 80


def test_a_program_is_started_with_the_server_alone(repository: Path) -> None:
    trace = repository.parents[1].parent / "trace"
    code = (
        "import sys\n"
        f"seen = open({str(trace)!r}, 'a')\n"
        "sys.addaudithook(lambda name, a: name == 'subprocess.Popen' and print(a[1], file=seen, flush=True))\n"
        "from agent_architecture.__main__ import run\n"
        f"sys.argv = ['x', 'mcp', '--root', {str(repository)!r}]\n"
        "run()\n"
    )

    async def question() -> int:
        from mcp import StdioServerParameters, stdio_client

        async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=["-c", code]))) as client:
            await client.list_tools()
            started = len(trace.read_text(encoding="utf-8").splitlines())
            await answer(client, "compare_with_baseline", baseline="HEAD")
            await answer(client, "evaluate_policy", fail_on="high")
            await answer(client, "explain_rule", rule="loop-guard")
            return len(trace.read_text(encoding="utf-8").splitlines()) - started

    import anyio

    assert anyio.run(question) == 0
    assert "HEAD" not in trace.read_text(encoding="utf-8")
