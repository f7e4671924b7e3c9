"""Places in a text, as the analyser counts them and as an editor does: held against the encodings themselves."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, Range, TextDocumentContentChangePartial

from agent_architecture.language_server.moved import Moved
from agent_architecture.language_server.positions import Text
from agent_architecture.recursion import CALLS, with_room
from agent_architecture.sources.source import Span

BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
TEXTS = st.text(st.sampled_from("ab \t\n\r\u2028\u0085\x0cäß€😀🙂"), max_size=40)
ENCODINGS = st.sampled_from(sorted(BYTES))


def units(text: str, encoding: str) -> int:
    name, size = BYTES[encoding]
    return len(text.encode(name)) // size


@given(TEXTS, ENCODINGS, st.data())
def test_an_offset_is_a_position_and_back(text: str, encoding: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        offset += 1  # no editor's position lies within what ends a line
    place = Text(text, encoding).position(offset)
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    assert place.line == before.count("\n")
    assert place.character == units(before.rpartition("\n")[2], encoding)
    assert Text(text, encoding).offset(place) == offset


@given(TEXTS, st.data())
def test_a_place_of_the_analyser_is_a_line_and_a_column_of_code_points(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    line, column = text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1
    assert Text(text).place(line, column) == offset
    assert Text(text).row(offset) == line


@given(TEXTS, TEXTS, ENCODINGS, st.data())
def test_an_edit_of_a_part_gives_the_text_that_the_editor_has(
    text: str, new: str, encoding: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if "\r\n" in {text[start - 1 : start + 1], text[end - 1 : end + 1]}:
        return
    held = Text(text, encoding)
    place = Range(held.position(start), held.position(end))
    assert held.changed([TextDocumentContentChangePartial(place, new)]).text == text[:start] + new + text[end:]


@given(TEXTS, TEXTS)
def test_the_edit_from_one_text_to_another_is_between_what_is_equal(one: str, other: str) -> None:
    one, other = one.replace("\r", ""), other.replace("\r", "")  # an edit may begin within what ends a line
    held = Text(one)
    edit = held.edit_to(other)
    start, end = held.offset(edit.range.start), held.offset(edit.range.end)
    assert one[:start] + edit.new_text + one[end:] == other


def test_positions_beyond_the_text_are_its_end() -> None:
    held = Text("ab\ncd")
    assert held.offset(Position(0, 99)) == 2
    assert held.offset(Position(99, 0)) == 5
    assert held.offset(Position(0, 1)) == 1
    assert Text("😀").offset(Position(0, 1)) == 0  # between the two halves of a character


def test_a_span_over_several_lines_is_shown_on_its_first_and_a_file_on_the_first_of_all() -> None:
    held = Text("while True:\n    pass\n")
    assert held.range(Span("a.py", 1, 1, 2, 9)) == Range(Position(0, 0), Position(0, 11))
    assert held.range(Span("a.py", 2, 5, 2, 9)) == Range(Position(1, 4), Position(1, 8))
    assert held.range(Span("a.py", 0, 1, 0, 1)) == Range(Position(0, 0), Position(0, 11))
    assert held.range(Span("a.py", 9, 1, 9, 3)) == Range(Position(2, 0), Position(2, 0))


def test_lines_are_followed_through_an_edit_and_lost_where_it_is() -> None:
    moved = Moved(Text("a\nb\nc\nd"), Text("a\nx\ny\nc\nd"))
    assert [moved.line(line) for line in range(4)] == [0, None, 3, 4]
    same = Moved(Text("a\nb"), Text("a\nb"))
    assert [same.line(line) for line in range(2)] == [0, 1]
    doubled = Moved(Text("a\na"), Text("a\na\na"))
    assert [doubled.line(line) for line in range(2)] == [0, 1]


def test_room_for_deep_work_lasts_until_the_last_thread_has_left_it() -> None:
    """The limit of calls holds for the whole process: two projects are analysed in two threads."""
    second_is_in, first_is_out = threading.Event(), threading.Event()

    def deep(calls: int) -> int:
        return 0 if calls == 0 else 1 + deep(calls - 1)

    def second() -> int:
        second_is_in.set()
        first_is_out.wait()
        return deep(CALLS // 2)

    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(with_room(second)))

    def first() -> None:
        thread.start()
        second_is_in.wait()

    with_room(first)
    first_is_out.set()
    thread.join()
    assert found == [CALLS // 2]
