"""The text of the IR: layout, spans, and what is nested too deeply to be written."""

from __future__ import annotations

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax.dump import WIDTH, dump
from agent_architecture.syntax.parse import parse


def dumped(code: str, *, spans: bool = False) -> str:
    return dump(parse(SourceFile("a.py", Language.PYTHON, Role.APP, code.encode())), spans=spans)


def test_spans_follow_the_heads_of_forms_and_words() -> None:
    assert dumped("x = f(a.b)\n", spans=True) == "(=@1:1 x@1:1 (call@1:5 f@1:5 a.b@1:7))"


def test_a_form_that_does_not_fit_is_broken_over_lines() -> None:
    lines = dumped(f"f({', '.join(f'argument_{at}' for at in range(20))})").split("\n")
    assert lines[0] == "(call f"
    assert lines[1] == "  argument_0"
    assert all(len(line) <= WIDTH for line in lines)


def test_one_node_can_be_dumped_alone() -> None:
    module = parse(SourceFile("a.py", Language.PYTHON, Role.APP, b"x = 1\ny = 2\n"))
    assert dump(module.body[1]) == "(= y 2)"


def test_what_is_nested_too_deeply_is_cut_short() -> None:
    assert "…" in dumped("x = " + "a() + " * 5000 + "b")
