"""Whatever the bytes: nothing raises, spans stay inside the file, and children stay inside their parents."""

from __future__ import annotations

import pytest
from documents_read import read
from hypothesis import given
from hypothesis import strategies as st
from test_documents_dockerfile import TEXT as DOCKERFILE
from test_documents_env import TEXT as ENV
from test_documents_prompts import PROMPTY
from test_documents_toml import PROJECT as TOML

from agent_architecture.syntax import ir

YAML = "a: &x\n  k: [1, 'é', {q: *x}]\n<<: *x\nd: |\n  text\n--- !t\n? [k]\n: v\n"
JSON = '// c\n{"a": [1, {"b": "\\u00e9"}, null,], c: \'x\', /* d */ "e": -1e5}\n'
SAMPLES = {
    "json": JSON,
    "yaml": YAML,
    "toml": TOML,
    "env": ENV,
    "dockerfile": DOCKERFILE,
    "markdown": PROMPTY,
    "prompt": PROMPTY,
}
languages = st.sampled_from(sorted(SAMPLES))


def check(language: str, data: bytes) -> None:
    module = read(language, data)
    lines = data.count(b"\n") + 1
    for node in ir.walk(*module.body):
        assert (1, 1) <= (node.span.line, node.span.col) <= (node.span.end_line, node.span.end_col)
        assert node.span.end_line <= lines
        assert module.span.contains(node.span)
    assert all(notice.line is not None and 1 <= notice.line <= lines for notice in module.notices)


@given(languages, st.binary(max_size=200))
def test_any_bytes_are_read(language: str, data: bytes) -> None:
    check(language, data)


@given(languages, st.text("{}[]:,\"'\\\n\t #-+=&*<>|!?%./ab1é", max_size=120))
def test_any_mix_of_marks_is_read(language: str, text: str) -> None:
    check(language, text.encode())


@given(languages, st.data())
def test_a_file_cut_anywhere_is_read(language: str, data: st.DataObject) -> None:
    whole = SAMPLES[language].encode()
    start = data.draw(st.integers(0, len(whole)))
    check(language, whole[start : data.draw(st.integers(start, len(whole)))])


@given(languages, st.data())
def test_a_file_with_a_hole_is_read(language: str, data: st.DataObject) -> None:
    whole = SAMPLES[language].encode()
    start = data.draw(st.integers(0, len(whole)))
    check(language, whole[:start] + data.draw(st.binary(max_size=4)) + whole[start + data.draw(st.integers(0, 9)) :])


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_children_stand_inside_their_parents_in_order(language: str) -> None:
    (root, *_) = read(language, SAMPLES[language].replace("*x", "x")).body
    for node in ir.walk(root):
        spans = [child.span for child in ir.children(node)]
        assert all(node.span.contains(span) for span in spans)
        if language not in {"toml", "yaml"}:
            assert spans == sorted(spans)


DEEP = {
    "json": ["[" * 50_000, '{"a":' * 50_000],
    "yaml": ["[" * 50_000, "- " * 50_000, "{a: " * 20_000, "? " * 20_000],
    "toml": ["a = " + "[" * 50_000, "a." * 50_000 + "b = 1", "a = " + "{b = " * 20_000],
    "env": ["A='" * 20_000],
    "dockerfile": ["ONBUILD " * 20_000, "CMD " + "[" * 50_000, "ENV a=b " + "c " * 20_000, 'RUN "' * 20_000],
    "markdown": ["---\n" + "[" * 50_000, "---\na: " + "[" * 50_000 + "\n---\n"],
    "prompt": ["{{" * 50_000, "{%" * 50_000, "{{ " + "a." * 50_000 + "b }}", "{{ " + "(" * 50_000 + " }}"],
}


@pytest.mark.parametrize(("language", "text"), [(language, text) for language, texts in DEEP.items() for text in texts])
def test_deep_or_endless_text_ends_in_bounded_depth(language: str, text: str) -> None:
    module = read(language, text)
    levels, below = 0, list(module.body)
    while below:
        levels += 1
        below = [child for parent in below for child in ir.children(parent)]
    assert levels <= 110
