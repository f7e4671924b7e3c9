"""The command as a user starts it: exit codes, complaints, and what it does when its output goes away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
PIPELINE = SRC / "agent_architecture" / "pipeline.py"
needs_analysis = pytest.mark.skipif(not PIPELINE.exists(), reason="the pipeline is not written yet")


def environment(**changes: str) -> dict[str, str]:
    quiet = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LANG"}
    kept = {name: value for name, value in os.environ.items() if name not in quiet}
    return {**kept, "PYTHONPATH": str(SRC), **changes}


def run(
    *arguments: str | Path, cwd: Path | None = None, code: str | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    start = ["-m", "agent_architecture"] if code is None else ["-c", code]
    command = [sys.executable, *start, *map(str, arguments)]
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment(**({} if code is None else {"AGENT_ARCHITECTURE_NO_CACHE": "1"}), **changes),
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=60,
        check=False,
    )


# ----------------------------------------------------------------------------------------------------------- the basics
def test_without_a_command_it_shows_help_and_fails() -> None:
    done = run()
    assert done.returncode == 2
    assert done.stdout == ""
    assert "usage: agent-architecture COMMAND" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["analyze", "--help"], ["explain", "-h"], ["rules", "--help"]]
)
def test_help_goes_to_standard_output(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: agent-architecture" in done.stdout


def test_help_shows_examples() -> None:
    assert "agent-architecture analyze . -o report.json" in run("--help").stdout


def test_help_names_every_flag_of_the_specification() -> None:
    text = run("analyze", "--help").stdout
    flags = """--format --output --subjects --include --exclude --include-tests --include-examples --max-file-size
        --require-loop-guards --require-tool-policy --require-eval-harness --color --width --quiet --verbose
        --no-progress --strict --config --isolated --language --select --ignore
        --min-severity --min-confidence --statistics --add-ignore --reason --stdin-filename"""
    assert [flag for flag in flags.split() if flag not in text] == []


def test_the_version_is_one_line() -> None:
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("agent-architecture ")
    assert done.stdout.count("\n") == 1


# ------------------------------------------------------------------------------------------------------------- mistakes
def test_an_unknown_command_names_the_nearest() -> None:
    done = run("analyse")
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no command 'analyse'; did you mean analyze?")


def test_a_path_instead_of_a_command_says_how_to_judge_it(tmp_path: Path) -> None:
    (tmp_path / "service").mkdir()
    done = run("service", cwd=tmp_path)
    assert done.returncode == 2
    assert "agent-architecture analyze service" in done.stderr


def test_a_flag_before_the_command_is_explained() -> None:
    done = run("--format", "json", "analyze")
    assert done.returncode == 2
    assert "flags come after a command" in done.stderr


def test_an_unknown_flag_names_the_nearest() -> None:
    done = run("analyze", "--subject")
    assert done.returncode == 2
    assert (
        done.stderr
        == "error: there is no flag --subject; did you mean --subjects?\nTry: agent-architecture analyze --help\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "xml"],
        ["--width", "20"],
        ["--width", "wide"],
        ["--width", "²"],
        ["--max-file-size", "0"],
        ["--max-file-size", "-1"],
        ["--max-file-size", "9" * 5000],
        ["--color", "pink"],
    ],
)
def test_a_bad_value_is_refused_in_one_sentence(arguments: list[str]) -> None:
    done = run("analyze", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: argument {arguments[0]}: ")
    assert "Traceback" not in done.stderr


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    done = run("analyze", tmp_path / "nowhere")
    assert done.returncode == 2
    assert done.stderr == f"error: cannot read {tmp_path}/nowhere: No such file or directory\n"


def test_a_path_below_a_file_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text("")
    done = run("analyze", tmp_path / "file.py" / "inner")
    assert (done.returncode, "Not a directory" in done.stderr) == (2, True)


def test_a_path_that_is_too_long_is_unreadable() -> None:
    done = run("analyze", "x" * 5000)
    assert (done.returncode, "File name too long" in done.stderr) == (2, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused_and_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    done = run("analyze", tmp_path / "pipe.py")
    assert (done.returncode, "neither a folder nor a regular file" in done.stderr) == (2, True)


def test_a_path_after_two_dashes_may_begin_with_a_dash(tmp_path: Path) -> None:
    done = run("analyze", "--", "-v", cwd=tmp_path)
    assert done.stderr == "error: cannot read -v: No such file or directory\n"


def test_a_hostile_argument_is_shown_written_out() -> None:
    done = run("analyze", "\x1b[2Jgone\n")
    assert done.returncode == 2
    assert "\\x1b[2Jgone\\n" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("file", "why"), [(".", "it is a folder"), ("nowhere/report.json", "there is no folder nowhere")]
)
def test_an_output_file_that_cannot_be_written_is_refused(tmp_path: Path, file: str, why: str) -> None:
    done = run("analyze", "--output", file, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: cannot write {file}: {why}\n")


# ---------------------------------------------------------------------------------------------------- output that fails
def test_a_closed_pipe_ends_it_quietly() -> None:
    command = [sys.executable, "-m", "agent_architecture", "--help"]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaint = process.stderr.read()
    assert (process.returncode, complaint) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "agent_architecture", "--help"]
        done = subprocess.run(
            command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (2, "error: cannot write standard output: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_closed_standard_output_is_no_error() -> None:
    command = ["sh", "-c", '"$0" -m agent_architecture --help >&-', sys.executable]
    done = subprocess.run(command, env=environment(), stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# ----------------------------------------------------------------------------------------------- bugs and interruptions
BROKEN = """
import sys
sys.modules["agent_architecture.pipeline"] = None  # a damaged installation: importing it raises
from agent_architecture.cli import main
sys.exit(main(sys.argv[1:]))
"""
INTERRUPTED = """
import signal, sys, types
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are deaf to it
pipeline = types.ModuleType("pipeline")  # an analysis during which somebody presses Ctrl-C
pipeline.analyze = lambda *_: signal.raise_signal(signal.SIGINT)
sys.modules["agent_architecture.pipeline"] = pipeline
from agent_architecture.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_bug_is_one_line_that_says_so(tmp_path: Path) -> None:
    done = run("analyze", tmp_path, code=BROKEN)
    assert done.returncode == 3
    assert done.stderr.startswith("internal error: ModuleNotFoundError")
    assert "bug" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_bug_shows_its_traceback_when_asked(tmp_path: Path) -> None:
    done = run("analyze", tmp_path, "-v", code=BROKEN)
    assert done.returncode == 3
    assert "Traceback" in done.stderr


def test_an_interruption_is_quiet(tmp_path: Path) -> None:
    done = run("analyze", tmp_path, code=INTERRUPTED)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


# ------------------------------------------------------------------------------------------------------- rules, explain
def test_an_unknown_rule_names_the_nearest() -> None:
    done = run("explain", "loop-gard-absence")
    assert (done.returncode, "loop_guard_absence" in done.stderr) == (2, True)


def test_an_ambiguous_beginning_lists_the_candidates() -> None:
    done = run("explain", "mcp-tool")
    assert done.returncode == 2
    assert "mcp_tool_annotation_gap" in done.stderr
    assert "mcp_tool_poisoning_risk" in done.stderr


def test_explain_needs_a_rule() -> None:
    done = run("explain")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: the following arguments are required: RULE")


def test_rules_counts_the_rules_of_the_contract() -> None:
    done = run("rules")
    assert (done.returncode, done.stderr) == (0, "")
    assert "56 rules" in done.stdout.splitlines()[-1]


def test_rules_are_listed_with_id_axis_and_title_and_each_can_be_explained() -> None:
    lines = run("rules", "--width", "400").stdout.splitlines()
    if len(lines) < 3:
        pytest.skip("no detector is written yet")
    assert lines[0].split() == ["key", "axis", "rule", "id", "impact", "effort", "title"]
    key, _, rule_id = lines[1].split()[:3]
    for name in (key, rule_id, rule_id.removeprefix("arxo/agent-")):
        done = run("explain", name)
        assert (done.returncode, done.stderr) == (0, ""), name
        assert done.stdout.strip()


# -------------------------------------------------------------------------------------------------------- what it shows
STYLE = "from agent_architecture.render.terminal import style_of; print(*style_of(None, {choice!r}))"


@pytest.mark.parametrize(
    ("choice", "changes", "color"),
    [
        ("auto", {}, False),
        ("always", {}, True),
        ("always", {"NO_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_follows_the_flag_then_the_environment(choice: str, changes: dict[str, str], color: bool) -> None:
    done = run(code=STYLE.format(choice=choice), **changes)
    assert done.stdout.split()[0] == str(color)


@pytest.mark.parametrize(
    ("changes", "unicode"),
    [
        ({"LC_ALL": "C"}, True),
        ({"LC_ALL": "POSIX"}, True),
        ({"PYTHONIOENCODING": "utf-8"}, True),
        ({"PYTHONIOENCODING": "ascii"}, False),
        ({"PYTHONIOENCODING": "latin-1"}, False),
    ],
)
def test_marks_are_unicode_wherever_the_stream_can_write_them(changes: dict[str, str], unicode: bool) -> None:
    assert run(code=STYLE.format(choice="auto"), **changes).stdout.split()[1] == str(unicode)


@needs_analysis
def test_an_empty_folder_has_no_source_files(tmp_path: Path) -> None:
    done = run("analyze", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"no source files found in {tmp_path.name}" in done.stdout


@needs_analysis
@pytest.mark.parametrize("kind", ["console", "json"])
def test_a_report_written_to_a_file_is_the_one_that_is_printed(tmp_path: Path, kind: str) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "app.py").write_text("print('hello')\n")
    printed = run("analyze", "project", "--format", kind, cwd=tmp_path)
    dashed = run("analyze", "project", "--format", kind, "--output", "-", cwd=tmp_path)
    written = run("analyze", "project", "--format", kind, "--output", "report", cwd=tmp_path)
    assert [done.returncode for done in (printed, dashed, written)] == [0, 0, 0]
    assert printed.stdout == dashed.stdout == (tmp_path / "report").read_text(encoding="utf-8")
    assert written.stdout == ""


@needs_analysis
def test_strict_makes_an_unread_file_an_error(tmp_path: Path) -> None:
    (tmp_path / "large.py").write_text("x = 1\n" * 100)
    relaxed = run("analyze", tmp_path, "--max-file-size", "100")
    strict = run("analyze", tmp_path, "--max-file-size", "100", "--strict")
    assert (relaxed.returncode, strict.returncode) == (0, 3)
    assert "large.py" in relaxed.stdout


# ---------------------------------------------------------------------------------------------------- in a terminal
HEAVY = {
    "rich",
    "yaml",
    "tree_sitter",
    "msgpack",
    "ahocorasick_rs",
    "pathspec",
    "importlib.metadata",
    "dataclasses",
    "inspect",
}


@pytest.mark.parametrize(
    "arguments", ["--help", "analyze --help", "nonsense", "analyze --width 1", "analyze /nowhere/at/all"]
)
def test_help_and_mistakes_import_nothing_heavy(arguments: str) -> None:
    code = (
        "import sys; from agent_architecture.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = run(*arguments.split(), code=code)
    assert HEAVY & set(done.stderr.splitlines()[-1].split()) == set()


def in_terminal(*arguments: str | Path, **changes: str) -> tuple[int, str]:
    """Run the command with a terminal for all its streams; its exit code and what the terminal received."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "agent_architecture", *map(str, arguments)]
    env = environment(**{"TERM": "xterm", **changes})
    with subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        received = b""
        try:
            while piece := os.read(ours, 65536):
                received += piece
        except OSError:  # Linux says so when the other side is closed
            pass
    os.close(ours)
    return process.returncode, received.decode()


@needs_analysis
def test_a_terminal_gets_colour_and_a_progress_line_that_is_wiped(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("print('hello')\n")
    code, text = in_terminal("analyze", tmp_path)
    assert code == 0
    before, _, report = text.rpartition("\r\x1b[1m")
    assert "reading" in before
    assert before.rpartition("\r")[2].strip() == ""
    assert report.startswith(tmp_path.name)


@needs_analysis
@pytest.mark.parametrize("flag", ["--no-progress", "--quiet"])
def test_a_terminal_gets_no_progress_line_when_it_is_not_wanted(tmp_path: Path, flag: str) -> None:
    (tmp_path / "app.py").write_text("print('hello')\n")
    assert "reading" not in in_terminal("analyze", tmp_path, flag)[1]


@needs_analysis
def test_a_dumb_terminal_gets_neither_colour_nor_progress(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("print('hello')\n")
    text = in_terminal("analyze", tmp_path, TERM="dumb")[1]
    assert "\x1b" not in text
    assert "reading" not in text
