"""JSON, and what people add to it."""

from __future__ import annotations

import json

from documents_read import cut, entry, key, messages, read, value_of, value_of_document
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.syntax import ir

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_reads_every_value_as_pythons_reader_does(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    module = read("json", text)
    assert value_of("json", text) == json.loads(text)
    assert module.notices == ()


@given(values, st.booleans())
def test_every_span_cuts_out_the_text_of_its_value(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=ascii_only)
    for node in ir.walk(*read("json", text).body):
        assert json.loads(cut(text, node.span)) == value_of_document(node)


def test_spans_cut_keys_and_values_out_of_the_text() -> None:
    text = '{\n  "näme": "sérver 😀",\n  "args": ["-m", {"x": -1.5e3}] }'
    (root,) = read("json", text).body
    assert cut(text, root.span) == text
    assert cut(text, key(root, "näme").span) == '"näme"'
    assert cut(text, entry(root, "näme").span) == '"sérver 😀"'
    assert cut(text, entry(root, "args").span) == '["-m", {"x": -1.5e3}]'
    assert cut(text, entry(root, "args", 1, "x").span) == "-1.5e3"
    assert cut(text, key(entry(root, "args", 1), "x").span) == '"x"'


def test_comments_trailing_commas_and_json5_are_no_errors() -> None:
    text = """// head
    {
      "a": [1, 2,], /* between */
      b: 'it\\'s',  // a key without quotes
      'c-d': +.5, hex: 0xFF, big: Infinity, $e: null,
    }
    """
    assert value_of("json", text) == {"a": [1, 2], "b": "it's", "c-d": 0.5, "hex": 255, "big": float("inf"), "$e": None}
    assert read("json", text).notices == ()


def test_undefined_is_not_null() -> None:
    assert value_of("json", "{a: undefined}") == {"a": ir.UNDEFINED}


def test_each_line_of_json_lines_is_a_value() -> None:
    module = read("json", '{"a": 1}\n{"a": 2}\n')
    assert [type(node) for node in module.body] == [ir.Map, ir.Map]
    assert module.notices == ()


def test_a_broken_value_loses_only_itself() -> None:
    text = '{"a": 1,\n "b": {"c": tru, "d": 4},\n "e": 5 "f": 6}'
    module = read("json", text)
    assert value_of("json", text) == {"a": 1, "b": {"c": "<error>", "d": 4}, "e": 5, "f": 6}
    assert messages(module) == [(2, "unexpected 'tru'"), (3, "a comma is missing here")]


def test_what_an_unclosed_bracket_holds_is_kept() -> None:
    text = '{"a": [1, {"b": "unfinished'
    assert value_of("json", text) == {"a": [1, {"b": "unfinished"}]}
    assert [line for line, _ in messages(read("json", text))] == [1, 1]


def test_a_key_without_a_value_is_seen_but_not_read() -> None:
    assert value_of("json", '{"limit": , "b": 1}') == {"limit": "<error>", "b": 1}


def test_a_wrong_closing_bracket_closes_what_is_open() -> None:
    text = '{"a": [1, 2}\n'
    assert value_of("json", text) == {"a": [1, 2]}
    assert messages(read("json", text)) == [(1, "the wrong bracket closes here")]


def test_half_a_surrogate_pair_never_reaches_an_encoder() -> None:
    assert value_of("json", '["\\ud83d\\ude00", "\\ud83d"]') == ["😀", "\ufffd"]


def test_too_many_digits_become_a_float() -> None:
    assert value_of("json", "9" * 5000) == float("inf")


def test_what_is_nested_too_deep_is_cut_and_what_follows_is_read() -> None:
    text = '{"deep": ' + "[" * 150 + "]" * 150 + ', "after": 1}'
    (root,) = read("json", text).body
    assert isinstance(entry(root, "after"), ir.Literal)
    assert messages(read("json", text)) == [(1, "nested deeper than 100 levels: not read")]


def test_many_errors_are_told_as_a_few() -> None:
    notices = read("json", "]\n" * 50).notices
    assert [notice.line for notice in notices] == [1, 2, 3, 4, 5, 6]
    assert notices[-1].message == "45 more places of this file could not be read"
