"""Hostile text: what a terminal would obey or hide is written out, and what is left is measured in cells."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.render.excerpt import excerpt
from agent_architecture.render.layout import shortened, wrap, wrap_code
from agent_architecture.render.safe import cells, fit, pad, visible

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
"""Surrogates, too: broken file names hold them."""


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\x00\x07\x7f", "\\x00\\x07\\x7f"),
        ("\x9b31m", "\\x9b31m"),
        ("user\u202etxt.py", "user\\u202etxt.py"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("line\u2028end", "line\\u2028end"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("\udcff.py", "\\udcff.py"),
        ("blank\u3164", "blank\\u3164"),
        ("hidden\ufe01\U000e0101", "hidden\\ufe01\\U000e0101"),
    ],
)
def test_what_a_terminal_obeys_or_hides_is_written_out(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


@pytest.mark.parametrize(
    "text", ["plain", "größer", "名前 グラフ", "naïve cafe\u0301", "emoji 🚀", "ideographic\u3000space", "C:\\n"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_more_marks_than_any_script_needs_are_written_out() -> None:
    assert visible("a" + "\u0301" * 4) == "a" + "\u0301" * 4
    assert visible("a" + "\u0301" * 6) == "a" + "\u0301" * 4 + "\\u0301" * 2


def test_a_stream_without_unicode_gets_ascii_alone() -> None:
    assert visible("größe 🚀\x1b", ascii_only=True) == "gr\\xf6\\xdfe \\U0001f680\\x1b"


@given(ANY_TEXT)
def test_nothing_visible_controls_the_terminal(text: str) -> None:
    shown = visible(text)
    assert [char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}] == []
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_ascii_is_ascii_and_takes_one_cell_each(text: str) -> None:
    shown = visible(text, ascii_only=True)
    assert shown.isascii()
    assert cells(shown) == len(shown)


@given(ANY_TEXT, ANY_TEXT)
def test_a_prefix_shows_as_a_prefix(before: str, after: str) -> None:
    assert visible(before + after).startswith(visible(before))


def test_cells_count_wide_characters_twice_and_marks_not_at_all() -> None:
    assert cells("abc") == 3
    assert cells("グラフ") == 6
    assert cells("cafe\u0301") == 4
    assert pad("グラフ", 8) == "グラフ  "


@given(ANY_TEXT, st.integers(3, 40))
def test_what_is_cut_fits(text: str, width: int) -> None:
    shown = visible(text)
    cut = fit(shown, width)
    assert cells(cut) <= width
    assert cut == shown or cut.endswith("…")


@given(st.lists(ANY_TEXT, max_size=8), st.integers(4, 40))
def test_wrapped_lines_lose_nothing_and_break_no_word(words: list[str], width: int) -> None:
    text = visible(" ".join(words))
    lines = wrap(text, width)
    assert [word for line in lines for word in line.split()] == text.split()


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_a_word_that_is_longer_than_the_line_has_one_of_its_own(width: int) -> None:
    path = "packages/" + "deep/" * width + "file.ts:120:7"
    lines = wrap(f"see also {path} and what is beside it in the same folder", width)
    assert lines[:2] == ["see also", path]
    assert all(cells(line) <= width for line in lines if line != path)


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_only_a_single_word_is_wider_than_the_line(width: int) -> None:
    text = " ".join("x" * size for size in range(1, 2 * width, 7))
    assert [line for line in wrap(text, width) if cells(line) > width and " " in line] == []


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("langchain 1.3.13, langgraph 1.2.9", 28, ["langchain 1.3.13,", "langgraph 1.2.9"]),
        ("text from outside (see line 41)", 29, ["text from outside (see", "line 41)"]),
        ("14 agents, 7 tools", 13, ["14 agents,", "7 tools"]),
    ],
)
def test_a_number_stays_with_its_word(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


def test_what_does_not_fit_beside_a_comment_stays_code() -> None:
    python = "graph.invoke(state, limits)  # and handle the error that it raises"
    assert wrap_code(python, 100) == [python]
    assert wrap_code(python, 30) == ["graph.invoke(state, limits)", "# and handle the error that it", "# raises"]
    script = 'fetch("https://shop.example", options); // on refund'
    assert wrap_code(script, 44) == ['fetch("https://shop.example", options);', "// on refund"]


@pytest.mark.parametrize("width", range(8, 60, 4))
def test_a_shortened_title_ends_with_a_whole_word(width: int) -> None:
    title = "Working context without a bound and an overflow policy"
    short = shortened(title, width)
    words = short.removesuffix(" …").split()
    assert cells(short) <= width
    assert words == title.split()[: len(words)]


# ----------------------------------------------------------------------------------------------------------- excerpts
def parts(line: str, col: int, end_col: int | None, width: int = 40) -> tuple[str, str, str]:
    return tuple(excerpt(line, col, end_col, width))  # type: ignore[return-value]


def test_a_line_that_fits_loses_only_its_indentation() -> None:
    assert parts("    result = run(agent)  ", 14, 24) == ("result = ", "run(agent)", "")


def test_a_span_inside_the_indentation_keeps_it() -> None:
    assert parts("    x", 1, 3) == ("", "  ", "  x")


def test_a_long_line_is_cut_around_its_span() -> None:
    before, span, after = parts("a" * 100 + "run(agent)" + "b" * 100, 101, 111)
    assert (before[0], span, after[-1]) == ("…", "run(agent)", "…")
    assert cells(before + span + after) == 40


def test_a_span_at_the_end_of_a_long_line_has_all_that_fits_before_it() -> None:
    before, span, after = parts("a" * 60 + "run(agent)", 61, 71)
    assert (before[0], span, after) == ("…", "run(agent)", "")
    assert cells(before + span) == 40


def test_a_span_longer_than_the_line_is_cut_at_its_end() -> None:
    before, span, after = parts("x = " + "a" * 100, 5, 105)
    assert (before, after) == ("x = ", "…")
    assert set(span) == {"a"}


def test_a_span_of_several_lines_runs_to_the_end_of_the_first() -> None:
    assert parts("while True:  ", 1, None) == ("", "while True:", "")


def test_wide_characters_keep_the_underline_in_place() -> None:
    piece = excerpt("結果 = グラフ.invoke(質問)", 6, 20, 80)
    assert (piece.before, piece.offset) == ("結果 = ", 7)
    assert piece.length == cells("グラフ.invoke(質問)")


def test_tabs_and_controls_keep_the_underline_in_place() -> None:
    piece = excerpt('a\t"\x1b[31m" run()', 11, 16, 80)
    assert piece.before + piece.span == 'a    "\\x1b[31m" run()'
    assert piece.offset == len('a    "\\x1b[31m" ')


@pytest.mark.parametrize(("col", "end_col"), [(50, 60), (0, 0), (1, 1), (4, 2)])
def test_a_span_that_is_not_in_the_line_underlines_one_cell_at_most_past_its_end(col: int, end_col: int) -> None:
    piece = excerpt("abc", col, end_col, 40)
    assert piece.before + piece.span + piece.after == "abc"
    assert piece.length == 1


@given(
    ANY_TEXT.filter(lambda text: "\n" not in text),
    st.integers(0, 70),
    st.one_of(st.none(), st.integers(0, 70)),
    st.integers(20, 80),
)
def test_an_excerpt_fits_whatever_the_line_and_the_span(line: str, col: int, end_col: int | None, width: int) -> None:
    piece = excerpt(line, col, end_col, width)
    assert cells(piece.before + piece.span + piece.after) <= width
    assert piece.before + piece.span + piece.after == visible(piece.before + piece.span + piece.after)


def test_a_line_of_megabytes_is_cut_like_any_other() -> None:
    piece = excerpt("é" * 3_000_000, 1_500_000, 1_500_005, 40)
    assert (cells(piece.before + piece.span + piece.after), piece.span) == (40, "ééééé")
