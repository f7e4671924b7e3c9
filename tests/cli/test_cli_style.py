"""When to colour, what a stream can write, and the line of progress."""

from __future__ import annotations

import io

import pytest

from agent_architecture.render.progress import Progress
from agent_architecture.render.style import ASCII, RED, Style, wants_color, writes_unicode


@pytest.mark.parametrize(
    ("choice", "environ", "is_terminal", "wanted"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": ""}, False, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour_is_decided_by_flag_environment_and_stream(
    choice: str, environ: dict[str, str], is_terminal: bool, wanted: bool
) -> None:
    assert wants_color(choice, environ, is_terminal=is_terminal) == wanted


@pytest.mark.parametrize(
    ("encoding", "can"),
    [("utf-8", True), ("utf-16", True), ("ascii", False), ("cp1252", False), (None, False), ("no such", False)],
)
def test_an_encoding_writes_every_mark_or_gets_ascii(encoding: str | None, can: bool) -> None:
    assert writes_unicode(encoding) == can


def test_every_mark_has_an_ascii_form() -> None:
    assert all(value.isascii() for value in ASCII.values())
    assert Style(unicode=False).mark("".join(ASCII)).isascii()


def test_paint_without_colour_is_the_text() -> None:
    assert Style(color=False).paint("text", RED) == "text"
    assert Style(color=True).paint("text", RED) == "\x1b[31mtext\x1b[0m"
    assert Style(color=True).paint("", RED) == ""


def test_progress_overwrites_its_line_and_wipes_it() -> None:
    stream = io.StringIO()
    progress = Progress(stream)
    progress("reading", 0, 10)
    progress("reading", 10, 10)
    progress("judging", 1, 0)
    progress.close()
    lines = stream.getvalue().split("\r")
    assert lines[:3] == ["", "reading 0/10", "reading 10/10"]
    assert lines[3] == "judging".ljust(len("reading 10/10"))
    assert lines[4].strip() == ""
    assert lines[5] == ""
    assert "\n" not in stream.getvalue()


def test_progress_says_how_long_a_long_stage_takes() -> None:
    stream, now = io.StringIO(), [0.0]
    progress = Progress(stream, clock=lambda: now[0])
    for seconds, done in ((0.0, 0), (1.0, 10), (4.0, 20), (300.0, 30), (400.0, 100)):
        now[0] = seconds
        progress("parsing", done, 100)
    told = [text.strip() for text in stream.getvalue().split("\r") if text.strip()]
    assert told == [
        "parsing 0/100", "parsing 10/100", "parsing 20/100, about 16 s left", "parsing 30/100, about 12 min left",
        "parsing 100/100",
    ]  # fmt: skip


def test_a_stage_is_measured_from_its_own_beginning() -> None:
    stream, now = io.StringIO(), [0.0]
    progress = Progress(stream, clock=lambda: now[0])
    for stage, seconds, done in (("parsing", 0.0, 0), ("judging", 100.0, 0), ("judging", 101.0, 1)):
        now[0] = seconds
        progress(stage, done, 9)
    assert "left" not in stream.getvalue()


def test_progress_that_never_showed_anything_writes_nothing() -> None:
    stream = io.StringIO()
    Progress(stream).close()
    assert stream.getvalue() == ""


def test_progress_without_a_stream_does_nothing() -> None:
    progress = Progress(None)
    progress("reading", 1, 2)
    progress.close()
