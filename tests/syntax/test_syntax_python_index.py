"""The index of a Python file says what its lowered IR says, whatever the file, and nothing ever raises."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_pages import PAGES, twins
from syntax_scopes import PLAIN, called, scopes

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.ir import Module
from agent_architecture.syntax.python import lower_python

CODES = sorted({twin.code for page in PAGES for twin in twins(page) if twin.language == "python"})
ALL = "\n".join(CODES)


def lowered(code: str | bytes) -> Module:
    return lower_python(SourceFile("a.py", Language.PYTHON, Role.APP, code.encode() if isinstance(code, str) else code))


def assert_index_agrees(module: Module) -> None:
    calls = defaultdict(set)
    reached: Counter[ir.Scope] = Counter()
    imports = set()
    results_called = set()
    for scope, nodes in scopes(module):
        reached[scope] += 1
        if any(isinstance(node, ir.Call) and isinstance(node.callee, ir.Call) for node in nodes):
            results_called.add(scope)
        for name in called(nodes):
            calls[name].add(scope)
        imports.update((scope, node) for node in nodes if isinstance(node, ir.Import))
    index = module.index
    assert {name: set(found) for name, found in index.calls.items() if name and name not in PLAIN} == {
        name: found for name, found in calls.items() if name not in PLAIN
    }
    assert all(calls[name] <= set(index.calls[name]) for name in PLAIN & calls.keys())
    assert set(index.calls.get("", ())) >= results_called
    assert reached == Counter([module, *index.functions, *index.classes])
    assert set(index.imports) == imports


def assert_spans_lie_in_the_file(module: Module, data: bytes) -> None:
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        lines = data.decode("latin-1").split("\n")
    for _, nodes in scopes(module):
        for node in nodes:
            span = node.span
            assert (1, 1) <= (span.line, span.col) <= (span.end_line, span.end_col)
            assert span.end_line <= len(lines)
            assert span.end_col <= len(lines[span.end_line - 1]) + 1


@pytest.mark.parametrize("code", CODES)
def test_index_and_ir_agree_on_every_page(code: str) -> None:
    assert_index_agrees(lowered(code))


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_file_cut_anywhere_is_read_as_far_as_it_goes(data: st.DataObject) -> None:
    code = data.draw(st.sampled_from([*CODES, ALL])).encode()
    start = data.draw(st.integers(0, len(code)))
    cut = code[start : data.draw(st.integers(start, len(code)))]
    assert_whole(cut)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_file_with_wrong_bytes_is_read_around_them(data: st.DataObject) -> None:
    code = bytearray(data.draw(st.sampled_from(CODES)).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(code)))
        width = data.draw(st.integers(0, 3))
        code[at : at + width] = data.draw(
            st.sampled_from([*b"()[]{}:,.=*@\"'\\\n\x00\xff\xe9"]).map(lambda byte: bytes([byte]))
        )
    assert_whole(bytes(code))


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    assert_whole(data)


def assert_whole(data: bytes) -> None:
    module = lowered(data)
    assert_index_agrees(module)
    assert_spans_lie_in_the_file(module, data)
    assert dump(module, spans=True) == dump(lowered(data), spans=True)
