"""What the pages cannot show: identity, spans, qualified names, and what the index holds."""

from __future__ import annotations

from syntax_scopes import scopes

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.ir import Function, Module
from agent_architecture.syntax.python import lower_python


def lowered(code: str) -> Module:
    return lower_python(SourceFile("a.py", Language.PYTHON, Role.APP, code.encode()))


def lines(node: ir.Node) -> tuple[int, int]:
    return node.span.line, node.span.end_line


def test_the_definitions_of_the_index_stand_in_the_lowered_bodies() -> None:
    module = lowered("class A:\n  def run(self):\n    return lambda: 1\n")
    cls, (run, inner) = module.index.classes[0], module.index.functions
    assert module.body == (cls,)
    assert cls.body == (run,)
    returned = run.body[0]
    assert isinstance(returned, ir.Return)
    assert returned.value is inner


def test_the_imports_of_the_index_stand_in_the_lowered_bodies() -> None:
    module = lowered("import a, b\ndef f():\n  from c import d\n  return __import__('e')\n")
    found = {node for _, nodes in scopes(module) for node in nodes if isinstance(node, ir.Import)}
    assert found == {imported for _, imported in module.index.imports}
    assert [(scope.qualname, imported.module) for scope, imported in module.index.imports] == [
        ("", "a"),
        ("", "b"),
        ("f", "c"),
        ("f", "e"),
    ]


def test_qualified_names_are_dotted_from_the_module() -> None:
    module = lowered("class A:\n  def run(self):\n    def helper(): pass\n    return lambda: 1\n")
    assert [function.qualname for function in module.index.functions] == [
        "A.run",
        "A.run.helper",
        "A.run.<lambda:4>",
    ]
    assert [function.outer.qualname for function in module.index.functions] == ["A", "A.run", "A.run"]


def test_a_definition_spans_its_decorators_and_its_name_stands_where_it_is_defined() -> None:
    function = lowered("@tool\n@other(1)\ndef run():\n  pass\n").index.functions[0]
    assert lines(function) == (1, 4)
    assert (function.name_span.line, function.name_span.col, function.name_span.end_col) == (3, 5, 8)


def test_calls_are_found_by_last_name_in_the_scope_whose_code_they_are() -> None:
    module = lowered(
        "@tool\ndef run(x=default()):\n  a.b.call(x)\nclass A(base()):\n  y = field()\n  def m(self): call()\n"
    )
    calls = {name: [scope.qualname for scope in found] for name, found in module.index.calls.items()}
    assert calls == {
        "tool": [""],
        "default": [""],
        "base": [""],
        "field": ["A"],
        "call": ["run", "A.m"],
    }


def test_a_chain_of_assignments_shares_its_value() -> None:
    first, second = lowered("a = b = f()").body
    assert isinstance(first, ir.Assign)
    assert isinstance(second, ir.Assign)
    assert first.value is second.value


def test_the_header_of_a_loop_ends_before_its_body() -> None:
    loops = [node for node in lowered("for x in (\n  y):\n  z\nwhile a:\n  b\n").body if isinstance(node, ir.Loop)]
    assert [(loop.header.line, loop.header.end_line, loop.span.end_line) for loop in loops] == [(1, 2, 3), (4, 4, 5)]


def test_an_elif_spans_what_follows_it() -> None:
    statement = lowered("if a: b\nelif c: d\nelse: e\n").body[0]
    assert isinstance(statement, ir.If)
    assert lines(statement) == (1, 3)
    assert lines(statement.otherwise[0]) == (2, 3)


def test_an_import_of_one_module_spans_the_statement_and_its_names_their_own_text() -> None:
    (_, imported), (_, named) = lowered("import a.b\nfrom c import d as e\n").index.imports
    assert (imported.span.col, imported.span.end_col) == (1, 11)
    assert (named.names[0].span.col, named.names[0].span.end_col) == (15, 21)


def test_a_function_knows_that_it_is_asynchronous_or_a_generator() -> None:
    module = lowered("async def a(): pass\ndef b():\n  def c(): yield\n  x = [(yield y)]\ndef d(): lambda: (yield)\n")
    flags = {function.qualname: (function.is_async, function.is_generator) for function in module.index.functions}
    assert flags == {
        "a": (True, False),
        "b": (False, True),
        "b.c": (False, True),
        "d": (False, False),
        "d.<lambda:5>": (False, True),
    }


def test_the_module_spans_the_whole_file() -> None:
    span = lowered("\n# comment\nx = 1\n").span
    assert (span.line, span.col, span.end_line) == (1, 1, 4)


def test_two_readings_of_a_file_give_the_same_index_order() -> None:
    code = "\n".join(f"def f{at}(): g{at % 7}(); h()" for at in range(50))
    first, second = lowered(code).index, lowered(code).index
    assert [*first.calls] == [*second.calls] == sorted(first.calls)
    assert [function.name for function in first.functions] == [f"f{at}" for at in range(50)]
    assert all(isinstance(scope, Function) for scope in first.calls["h"])
    assert [scope.qualname for scope in first.calls["h"]] == [f"f{at}" for at in range(50)]
