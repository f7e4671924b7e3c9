"""Flags and defaults as one configuration, and the lines that a report quotes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_architecture.config import Config, Output, configure
from agent_architecture.flags import analyze_parser, parse, source_of
from agent_architecture.sources.lines import line_reader


def configured(*arguments: str) -> Config:
    return configure(source_of(parse(analyze_parser(), list(arguments))))


def test_without_flags_the_defaults_hold() -> None:
    assert configured() == Config()


def test_each_flag_changes_its_own_value_and_no_other() -> None:
    config = configured(
        "--include", "src/**", "--include", "lib/**", "--exclude", "old", "--include-tests", "--max-file-size", "1000",
        "--format", "json", "--output", "out.json", "--subjects", "--require-loop-guards",
    )  # fmt: skip
    assert config.data == Config().data._replace(
        include=("src/**", "lib/**"), exclude=("old",), include_tests=True, max_file_size=1000
    )
    assert (config.report.outputs, config.report.subjects) == ((Output("json", "out.json"),), True)
    scoring = config.metric.scoring
    assert (scoring.require_loop_guards, scoring.require_tool_policy, scoring.require_eval_harness) == (
        True,
        False,
        False,
    )


def test_the_last_source_wins_and_keeps_what_it_does_not_name() -> None:
    def file(config: Config) -> Config:
        return config._replace(data=config.data._replace(exclude=("from file",), include_examples=True))

    config = configure(file, source_of(parse(analyze_parser(), ["--exclude", "from flag"])))
    assert (config.data.exclude, config.data.include_examples) == (("from flag",), True)


def test_flags_and_paths_come_in_any_order() -> None:
    flags = parse(analyze_parser(), ["a", "-q", "b", "--format", "json", "c", "--", "-d"])
    assert flags.paths == [Path("a"), Path("b"), Path("c"), Path("-d")]
    assert (flags.quiet, flags.outputs) == (True, [{"format": "json"}])


# ---------------------------------------------------------------------------------------------------------------- lines
def test_a_line_is_read_by_number(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes("one\r\ntwo\x0cstill two\nthrée".encode())
    line = line_reader(tmp_path, 100)
    assert [line("a.py", number) for number in range(5)] == [None, "one", "two\x0cstill two", "thrée", None]


@pytest.mark.parametrize(
    ("data", "first"),
    [
        ("\ufeffx = 1\n".encode(), "x = 1"),
        ("x = 'é'\n".encode("utf-16"), "x = 'é'"),
        (b"x = '\xff'\n", "x = '\ufffd'"),
        (b"", None),
    ],
)
def test_encodings_are_read_as_the_scan_reads_them(tmp_path: Path, data: bytes, first: str | None) -> None:
    (tmp_path / "a.py").write_bytes(data)
    assert line_reader(tmp_path, 100)("a.py", 1) == first


def test_what_cannot_be_quoted_is_none(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret.py").write_text("secret")
    (root / "link.py").symlink_to(tmp_path / "secret.py")
    (root / "large.py").write_text("x" * 101)
    (root / "folder.py").mkdir()
    os.mkfifo(root / "pipe.py")
    line = line_reader(root, 100)
    names = [
        "gone.py",
        "link.py",
        "../secret.py",
        "large.py",
        "folder.py",
        "pipe.py",
        "nul\0.py",
        str(tmp_path / "secret.py"),
    ]
    assert [line(name, 1) for name in names] == [None] * len(names)
