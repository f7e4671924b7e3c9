"""Python that is huge, deep, oddly encoded or hostile is read without an exception, and its spans cut out its text."""

from __future__ import annotations

import pytest
from syntax_pages import PAGES, twins
from syntax_scopes import scopes

from agent_architecture.sources.source import Language, Role, SourceFile, Span
from agent_architecture.syntax import ir
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.ir import Module
from agent_architecture.syntax.python import lower_python

CODES = sorted({twin.code for page in PAGES for twin in twins(page) if twin.language == "python"})


def lowered(data: str | bytes) -> Module:
    return lower_python(SourceFile("a.py", Language.PYTHON, Role.APP, data.encode() if isinstance(data, str) else data))


def nodes(module: Module) -> list[ir.Node]:
    return [node for _, found in scopes(module) for node in found]


def cut(text: str, span: Span) -> str:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_col - 1]
    lines[0] = lines[0][span.col - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("code", CODES)
def test_the_span_of_a_name_cuts_out_the_name(code: str) -> None:
    code = code.replace("\n    ", "\n    'é😀'; ", 1) if ":\n    " in code and "case" not in code else code
    module = lowered(code)
    imported = [name for _, made in module.index.imports for name in made.names]
    own = {name.name: name.alias for name in imported if name.alias != name.name}
    for node in nodes(module):
        if isinstance(node, ir.Member):
            assert cut(code, node.name_span) == node.name
        if isinstance(node, ir.Name) and node.id not in ("self", "cls"):
            assert cut(code, node.span) in {node.id, own.get(node.id)}


def test_columns_count_code_points() -> None:
    calls = [node for node in nodes(lowered("x = 'é😀' + f(a); y = 'ö' + g()")) if isinstance(node, ir.Call)]
    assert [(call.span.col, call.span.end_col) for call in calls] == [(12, 16), (28, 31)]


CHAINS = {
    "a sum": "x = " + "a() + " * 5000 + "b",
    "a chain of methods": "x = a" + ".b(1)" * 5000,
    "a chain of members": "x = a" + ".b" * 5000,
    "a chain of elements": "x = a" + "[0]" * 5000,
    "a disjunction": "x = " + " or ".join(["a"] * 5000),
    "a comparison": "x = " + " < ".join(["a"] * 5000),
    "an assignment": "x = " * 5000 + "f()",
    "a conditional statement": "if a: b\n" + "elif c: d\n" * 5000,
    "adjacent strings": "x = " + '"a" ' * 5000,
    "nested lambdas": "x = " + "lambda: " * 5000 + "f()",
}


@pytest.mark.parametrize("code", CHAINS.values(), ids=CHAINS)
def test_long_chains_are_lowered_whole(code: str) -> None:
    module = lowered(code)
    kinds = {type(node) for node in nodes(module)}
    assert ir.Opaque not in kinds
    assert module.notices == ()
    assert dump(module)


NESTED = {
    "parentheses": "(" * 10_000 + "f(1)" + ")" * 10_000,
    "lists": "[" * 3000 + "]" * 3000,
    "calls": "f(" * 3000 + ")" * 3000,
    "unary operators": "not " * 3000 + "a",
    "conditionals": "a if b else " * 3000 + "c",
    "powers": "a ** " * 3000 + "b",
    "patterns": "match x:\n case " + "[" * 2000 + "]" * 2000 + ": pass",
    "a decorator": "@" + "(" * 3000 + "a" + ")" * 3000 + "\ndef f(): pass",
    "an annotation": "def f(x: " + "a[" * 3000 + "0" + "]" * 3000 + "): pass",
    "a base": "class A(" + "a[" * 3000 + "0" + "]" * 3000 + "): pass",
    "the value of a lambda": "f = lambda: " + "(" * 3000 + "a" + ")" * 3000,
}


@pytest.mark.parametrize("code", NESTED.values(), ids=NESTED)
def test_what_is_nested_too_deeply_is_a_notice_and_the_rest_is_read(code: str) -> None:
    module = lowered(f"before()\n{code}\nafter()\n")
    called = {
        node.callee.id for node in nodes(module) if isinstance(node, ir.Call) and isinstance(node.callee, ir.Name)
    }
    assert {"before", "after"} <= called
    assert [notice.message for notice in module.notices] == ["nested too deeply: not read"]
    assert module.notices[0].line in (2, 3)


def test_definitions_in_what_is_nested_too_deeply_are_kept() -> None:
    deep = "x = [" + "(" * 3000 + "a" + ")" * 3000 + ", lambda: found()]"
    module = lowered(deep)
    assert [function for function in nodes(module) if isinstance(function, ir.Function)] == list(module.index.functions)


def test_a_file_without_text() -> None:
    module = lowered(b"")
    assert (module.body, module.notices, module.index.calls) == ((), (), {})


def test_a_byte_order_mark_and_foreign_line_ends() -> None:
    module = lowered(b"\xef\xbb\xbfimport a\r\nx = '''b\r\nc'''\r\n")
    assert dump(module) == '(import "a" (as a))\n(= x "b\\nc")'
    assert module.notices == ()


def test_another_encoding_is_said() -> None:
    module = lowered("# -*- coding: latin-1 -*-\nx = 'é'; run(x)\n".encode("latin-1"))
    assert dump(module) == '(= x "é")\n(call run x)'
    assert [notice.message for notice in module.notices] == ["not UTF-8: read as Latin-1"]


def test_a_syntax_error_is_a_notice_with_its_line_and_what_is_around_it_is_read() -> None:
    module = lowered("a()\ndef f(x):\n  return b(1 2)\nc()\n")
    assert {"a", "b", "c"} == set(module.index.calls)
    assert [(notice.path, notice.line) for notice in module.notices] == [("a.py", 3)]


def test_half_a_surrogate_pair_can_be_written_out_again() -> None:
    assert dump(lowered('x = "\\ud83d"')).encode("utf-8") == '(= x "\ufffd")'.encode()
