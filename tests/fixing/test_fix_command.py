"""`analyze --fix` and `--diff` on real files, through the command line."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from folders import written

from agent_architecture.cli import main
from agent_architecture.errors import UsageError
from agent_architecture.fixing.written import Files

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("orders")


@mcp.tool()  # the catalogue
def look_up(order: str) -> str:
    return "shipped"
"""
SAFE = SERVER.replace("@mcp.tool()", "@mcp.tool(annotations=ToolAnnotations(read_only_hint=True))").replace(
    "import FastMCP\n", "import FastMCP\nfrom mcp.types import ToolAnnotations\n"
)
RUN = """\
from agents import Agent, Runner

clerk = Agent(name="clerk")
Runner.run_sync(clerk, "hello")
"""
CAPPED = RUN.replace("Runner\n", "Runner, ModelSettings\n").replace(
    '"clerk")\n', '"clerk", model_settings=ModelSettings(max_tokens=4000))\n'
)


def analyze(folder: Path, *flags: str) -> int:
    return main(["analyze", str(folder), "--isolated", "--no-progress", *flags])


def test_only_safe_fixes_are_written_unless_the_others_are_asked_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, {"server.py": SERVER, "run.py": RUN})
    assert analyze(tmp_path, "--fix", "-q") == 0
    assert (tmp_path / "server.py").read_text() == SAFE
    assert (tmp_path / "run.py").read_text() == RUN
    told = capfd.readouterr()
    assert told.err == "fixed 1 gap in 1 file (1 more with --unsafe-fixes)\n"
    assert told.out.splitlines()[-2] == "1 fixable with --fix --unsafe-fixes"

    assert analyze(tmp_path, "--fix", "--unsafe-fixes", "-q") == 0
    assert (tmp_path / "run.py").read_text() == CAPPED
    assert capfd.readouterr().err == "fixed 1 gap in 1 file\n"

    assert analyze(tmp_path, "--fix", "--unsafe-fixes", "-q") == 0
    told = capfd.readouterr()
    assert told.err == "fixed 0 gaps in 0 files\n"
    assert "fixable" not in told.out


def test_a_difference_is_shown_and_nothing_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, {"server.py": SERVER})
    assert analyze(tmp_path, "--diff") == 1
    told = capfd.readouterr()
    assert told.out == (
        "--- a/server.py\n+++ b/server.py\n@@ -1,9 +1,10 @@\n"
        " from mcp.server.fastmcp import FastMCP\n+from mcp.types import ToolAnnotations\n \n"
        ' mcp = FastMCP("orders")\n \n \n'
        "-@mcp.tool()  # the catalogue\n+@mcp.tool(annotations=ToolAnnotations(read_only_hint=True))  # the catalogue\n"
        ' def look_up(order: str) -> str:\n     return "shipped"\n'
    ).replace("@@ -1,9 +1,10 @@", "@@ -1,8 +1,9 @@")
    assert told.err == "would fix 1 gap in 1 file\n"
    assert (tmp_path / "server.py").read_text() == SERVER

    written(tmp_path, {"server.py": SAFE})
    assert analyze(tmp_path, "--diff") == 0
    assert capfd.readouterr().out == ""


def test_fixable_places_are_marked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, {"server.py": SERVER, "run.py": RUN})
    analyze(tmp_path, "-q")
    plain = capfd.readouterr().out
    assert "server.py:7:5  look_up  [*]" in plain
    assert plain.count("[*]") == 2
    assert plain.splitlines()[-2] == "[*] 1 fixable with --fix (1 more with --unsafe-fixes)"
    analyze(tmp_path, "-q", "--unsafe-fixes")
    assert capfd.readouterr().out.splitlines()[-2] == "[*] 2 fixable with --fix"


def test_what_is_hidden_is_not_fixed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    mark = "# agent-architecture: ignore[mcp-tool-annotation-gap] told elsewhere"
    written(tmp_path, {"server.py": SERVER.replace(" -> str:", f" -> str:  {mark}")})
    before = (tmp_path / "server.py").read_bytes()
    analyze(tmp_path, "--fix", "-q")
    assert (tmp_path / "server.py").read_bytes() == before
    assert "fixed 0 gaps" in capfd.readouterr().err


def test_a_file_keeps_its_mark_its_line_ends_and_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "server.py"
    file.write_bytes(b"\xef\xbb\xbf" + f"# Straße\n{SERVER}".replace("\n", "\r\n").encode())
    file.chmod(0o754)
    analyze(tmp_path, "--fix", "-q")
    assert file.read_bytes() == b"\xef\xbb\xbf" + f"# Straße\n{SAFE}".replace("\n", "\r\n").encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o754
    assert [path.name for path in tmp_path.iterdir()] == ["server.py"]


def test_the_code_after_a_fix_is_judged_by_the_gate(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, {"server.py": SERVER})
    assert analyze(tmp_path, "--select", "mcp-tool-annotation-gap", "--fail-on", "low") == 1
    capfd.readouterr()
    assert analyze(tmp_path, "--select", "mcp-tool-annotation-gap", "--fail-on", "low", "--fix") == 0
    assert "no findings" in capfd.readouterr().out


@pytest.mark.parametrize("flags", [("--fix", "--add-ignore", "--reason", "later"), ("--diff", "--add-ignore")])
def test_flags_that_do_not_go_together_are_refused(
    flags: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert analyze(tmp_path, *flags) == 2
    assert "do not go together" in capfd.readouterr().err


def test_standard_input_cannot_be_fixed(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "-", "--stdin-filename", "main.py", "--fix"]) == 2
    assert "--fix needs files" in capfd.readouterr().err


def test_a_file_that_changed_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    written(tmp_path, {"a.py": "a = 1\n", "b.py": "b = 1\n"})
    files = Files(tmp_path, 1000)
    assert files.text("a.py") == b"a = 1\n"
    assert files.text("b.py") == b"b = 1\n"
    (tmp_path / "b.py").write_text("b = 2\n")
    with pytest.raises(UsageError, match=r"b\.py has changed"):
        files.write({"a.py": b"a = 3\n", "b.py": b"b = 3\n"})
    assert (tmp_path / "a.py").read_text() == "a = 1\n"
    assert (tmp_path / "b.py").read_text() == "b = 2\n"


def test_a_link_is_never_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    written(outside, {"server.py": SERVER})
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "server.py").symlink_to(outside / "server.py")
    (inside / "folder").symlink_to(outside)
    analyze(inside, "--fix", "--unsafe-fixes", "-q")
    files = Files(inside, 1000)
    for path in ("server.py", "folder/server.py", "../outside/server.py", "/etc/passwd", ""):
        assert files.text(path) is None
    assert (outside / "server.py").read_text() == SERVER


def test_a_file_that_is_no_text_in_utf_8_is_left_alone(tmp_path: Path) -> None:
    data = f"# Stra\u00dfe\n{SERVER}".encode("latin-1")
    (tmp_path / "server.py").write_bytes(data)
    analyze(tmp_path, "--fix", "-q")
    assert (tmp_path / "server.py").read_bytes() == data
