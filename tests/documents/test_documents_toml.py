"""TOML: values as tomllib reads them, spans, and broken files."""

from __future__ import annotations

import tomllib

import pytest
from documents_read import cut, entry, key, messages, read, value_of, value_of_document
from hypothesis import given
from hypothesis import strategies as st

PROJECT = '''\
title = "Crëw 😀 \\u00e9 \\"q\\""
a.b.c = 1

[tool.agents]
limit = 25  # steps
hex = 0xFF
big = 1_000
ratio = 6.5e-1
path = 'C:\\temp'
text = """
first \\
    second
third"""
on = true
nested = [1, [2, 3], {x = "y", z.w = 4}]
empty = {}

[[server]]
name = "one"
[server.env]
KEY = ""

[[server]]
"quoted key" = inf

[tool]
late = false

[nothing]
'''


def test_reads_a_project_file_as_pythons_reader_does() -> None:
    assert value_of("toml", PROJECT) == tomllib.loads(PROJECT)
    assert read("toml", PROJECT).notices == ()


def test_spans_cut_keys_and_values_out_of_the_text() -> None:
    (root,) = read("toml", PROJECT).body
    assert cut(PROJECT, root.span) == PROJECT
    assert cut(PROJECT, entry(root, "title").span) == '"Crëw 😀 \\u00e9 \\"q\\""'
    assert cut(PROJECT, key(root, "tool").span) == "tool"
    assert key(root, "tool").span.line == 4
    assert cut(PROJECT, key(entry(root, "tool"), "agents").span) == "agents"
    assert cut(PROJECT, entry(root, "tool", "agents", "nested", 2).span) == '{x = "y", z.w = 4}'
    assert cut(PROJECT, entry(root, "tool", "agents").span).startswith("[tool.agents]")
    assert cut(PROJECT, entry(root, "tool", "agents").span).endswith("empty = {}")
    assert cut(PROJECT, entry(root, "server", 1).span) == '[[server]]\n"quoted key" = inf'
    assert cut(PROJECT, entry(root, "nothing").span) == "[nothing]"


def test_a_table_in_two_places_spans_both() -> None:
    (root,) = read("toml", PROJECT).body
    tool = entry(root, "tool").span
    assert (tool.line, tool.end_line) == (4, PROJECT[: PROJECT.index("late")].count("\n") + 1)


def test_dates_stay_text() -> None:
    assert value_of("toml", "a = 1979-05-27\nb = 07:32:00\n") == {"a": "1979-05-27", "b": "07:32:00"}


strings = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))


@given(st.dictionaries(st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True), st.integers() | st.booleans() | strings))
def test_reads_generated_tables_as_pythons_reader_does(table: dict[str, int | bool | str]) -> None:
    text = "".join(f"{name} = {_written(value)}\n" for name, value in table.items())
    assert value_of("toml", text) == table


def _written(value: int | bool | str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def test_a_broken_line_loses_itself() -> None:
    text = 'good = 1\nbad = \n[tool]\nx = "open\ny = 2\n[more]\nz = 3\n'
    module = read("toml", text)
    assert value_of_document(entry(module.body[0], "good")) == 1
    assert value_of_document(entry(module.body[0], "more")) == {"z": 3}
    assert all(message == "TOML: this line cannot be read" for _, message in messages(module))
    assert {line for line, _ in messages(module)} <= {2, 3, 4, 5}
    assert module.notices


def test_a_table_under_a_value_is_kept_without_a_name() -> None:
    module = read("toml", "a = 1\n[a.b]\nc = 2\n[d]\ne = 3\n")
    assert value_of_document(module.body[0]) == {"a": 1, "d": {"e": 3}, "<error>": {"c": 2}}
    assert messages(module) == [(2, "TOML: 'a' is a value already, not a table")]


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 150 + "]" * 150, ".".join("a" * 150) + " = 1", "[" + ".".join("a" * 150) + "]"]
)
def test_what_is_nested_too_deep_is_told(text: str) -> None:
    module = read("toml", f"before = 1\n{text}\n")
    assert value_of_document(entry(module.body[0], "before")) == 1
    assert [line for line, _ in messages(module)] == [2]
