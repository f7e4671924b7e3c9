"""`.env` files."""

from __future__ import annotations

from documents_read import cut, entry, key, messages, read, value_of

TEXT = """\
# keys
export OPENAI_API_KEY=sk-é  # secret
EMPTY=
QUOTED="a # b\\n\\"c\\" \\d"
SINGLE='raw \\n
two lines'
BACK=`it's "fine"`
HASH=a#b
SPACED = x y\x20
URL=http://h/?a=b&c=d
COLON: yes
INHERITED
"""


def test_values_are_read_as_the_readers_of_env_files_do() -> None:
    assert value_of("env", TEXT) == {
        "OPENAI_API_KEY": "sk-é",
        "EMPTY": "",
        "QUOTED": 'a # b\n"c" \\d',
        "SINGLE": "raw \\n\ntwo lines",
        "BACK": 'it\'s "fine"',
        "HASH": "a#b",
        "SPACED": "x y",
        "URL": "http://h/?a=b&c=d",
        "COLON": "yes",
        "INHERITED": None,
    }
    assert read("env", TEXT).notices == ()


def test_windows_line_ends_are_no_part_of_a_value() -> None:
    assert value_of("env", TEXT.replace("\n", "\r\n"))["SPACED"] == "x y"
    assert value_of("env", "A=1\r\nB\r\nC=\r\n") == {"A": "1", "B": None, "C": ""}


def test_spans_cut_names_and_values_out_of_the_text() -> None:
    (root,) = read("env", TEXT).body
    assert cut(TEXT, key(root, "OPENAI_API_KEY").span) == "OPENAI_API_KEY"
    assert cut(TEXT, entry(root, "OPENAI_API_KEY").span) == "sk-é"
    assert cut(TEXT, entry(root, "SINGLE").span) == "'raw \\n\ntwo lines'"
    assert cut(TEXT, entry(root, "EMPTY").span) == ""
    assert entry(root, "EMPTY").span.line == 3
    assert cut(TEXT, entry(root, "SPACED").span) == "x y"


def test_a_line_that_is_no_assignment_is_told_and_the_rest_is_read() -> None:
    text = "A=1\nthis is prose\nB='x' y\nC=3\n"
    assert value_of("env", text) == {"A": "1", "B": "x", "C": "3"}
    assert messages(read("env", text)) == [
        (2, "neither NAME=value nor a comment"),
        (3, "text after the value is not read"),
    ]
