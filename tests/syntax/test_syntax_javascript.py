"""The index of a JavaScript or TypeScript file says what its lowered IR says, whatever the file, and nothing raises."""

from __future__ import annotations

import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_pages import PAGES, twins
from syntax_scopes import PLAIN, scopes

from agent_architecture.names.program import callee_name
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.ir import Class, Function, Module
from agent_architecture.syntax.javascript import lower_javascript

LANGUAGES = {"typescript": Language.TYPESCRIPT, "tsx": Language.TSX, "javascript": Language.JAVASCRIPT}
CODES = sorted({(t.language, t.code) for page in PAGES for t in twins(page) if t.language in LANGUAGES})


def lowered(code: str | bytes, language: Language = Language.TYPESCRIPT) -> Module:
    return lower_javascript(SourceFile("a.ts", language, Role.APP, code.encode() if isinstance(code, str) else code))


def is_element(call: ir.Call) -> bool:
    """An element of JSX begins with its attributes; no other call begins with an argument."""
    first = call.args[0].value if call.args else call.callee
    return isinstance(first, ir.Map) and first.span[:3] == call.span[:3]


def called(nodes: list[ir.Node]) -> set[str]:
    """The last names of calls, and of decorators without parentheses; an element of JSX is no call."""
    callees: list[ir.Node] = []
    for node in nodes:
        if isinstance(node, ir.Call) and not is_element(node):
            callees.append(node.callee)
        elif isinstance(node, (Function, Class)):
            callees += node.decorators
        elif isinstance(node, ir.Opaque) and node.name == "decorator":
            callees += node.parts
    return {callee_name(node) for node in callees} - {""}


def assert_index_agrees(module: Module) -> None:
    """The index and the IR say the same; around a syntax error the IR may say more, and its scopes are a guess."""
    calls = set()
    reached: Counter[ir.Scope] = Counter()
    imports = set()
    for scope, nodes in scopes(module):
        reached[scope] += 1
        calls |= {(name, scope) for name in called(nodes)}
        imports |= {(node, scope) for node in nodes if isinstance(node, ir.Import)}
    index = module.index
    indexed = {(name, scope) for name, found in index.calls.items() for scope in found}
    indexed_imports = {(node, scope) for scope, node in index.imports}
    assert {one for one in calls if one[0] in PLAIN} <= indexed or module.notices
    calls, indexed = [{one for one in found if one[0] not in PLAIN} for found in (calls, indexed)]
    assert reached == Counter([module, *index.functions, *index.classes])
    if module.notices:
        assert dict(indexed).keys() <= dict(calls).keys()
        assert dict(indexed_imports).keys() <= dict(imports).keys()
    else:
        assert indexed == calls
        assert indexed_imports == imports


@pytest.mark.parametrize(("language", "code"), CODES)
def test_index_and_ir_agree_on_every_page(language: str, code: str) -> None:
    assert_index_agrees(lowered(code, LANGUAGES[language]))


# ------------------------------------------------------------------------------------------------------- broken files
def assert_whole(data: bytes, language: Language) -> None:
    module = lowered(data, language)
    assert_index_agrees(module)
    lines = data.decode("utf-8", "replace").split("\n")
    for _, nodes in scopes(module):
        for node in nodes:
            span = node.span
            assert (1, 1) <= (span.line, span.col) <= (span.end_line, span.end_col)
            assert span.end_line <= len(lines)
            assert span.end_col <= len(lines[span.end_line - 1]) + 1
    assert dump(module, spans=True) == dump(lowered(data, language), spans=True)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_file_cut_anywhere_is_read_as_far_as_it_goes(data: st.DataObject) -> None:
    language, code = data.draw(st.sampled_from(CODES))
    whole = code.encode()
    start = data.draw(st.integers(0, len(whole)))
    assert_whole(whole[start : data.draw(st.integers(start, len(whole)))], LANGUAGES[language])


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_a_file_with_wrong_bytes_is_read_around_them(data: st.DataObject) -> None:
    language, code = data.draw(st.sampled_from(CODES))
    whole = bytearray(code.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole)))
        width = data.draw(st.integers(0, 3))
        whole[at : at + width] = data.draw(
            st.sampled_from([bytes([byte]) for byte in b"()[]{}<>:,.=*@`\"'\\\n\x00\xff/"])
        )
    assert_whole(bytes(whole), LANGUAGES[language])


def test_a_call_whose_name_an_error_took_has_none() -> None:
    assert_whole(b"@(wh. (!done) {\n  step();\n}\n", Language.TYPESCRIPT)


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200), st.sampled_from(sorted(LANGUAGES.values())))
def test_any_bytes_are_read(data: bytes, language: Language) -> None:
    assert_whole(data, language)


def test_what_stands_around_a_syntax_error_is_kept() -> None:
    module = lowered(
        'import {a} from "m";\nfunction f() { before(); const = ; after(); }\nclass A { run() {} }\nlast(); ]'
    )
    assert {"before", "after", "last"} <= module.index.calls.keys()
    assert [function.qualname for function in module.index.functions] == ["f", "A.run"]
    assert [notice.line for notice in module.notices] == [2, 4]


# -------------------------------------------------------------------------------------------------- length and nesting
LONG = {
    "operators": "x = " + " + ".join("f()" for _ in range(5000)),
    "calls": "x = a" + ".b()" * 5000,
    "subscripts": "x = a" + "[0]" * 5000,
    "casts": "x = f()" + " as any" * 5000,
    "assertions": "x = a" + "!.b()" * 5000,
    "conditions": "x = " + "".join("a ? b() : " for _ in range(5000)) + "c()",
    "branches": "if (a) b();" + " else if (a) b();" * 5000,
    "parentheses": "x = " + "(" * 5000 + "f()" + ")" * 5000,
    "assignments": "a = " * 5000 + "f()",
    "unions": "let x: " + " | ".join("A" for _ in range(5000)),
    "one line": ";".join("!function(a){return a&&b(a),c()}(f())" for _ in range(500)),
    "arrows": "x = " + "a => " * 2000 + "f()",
    "classes": "class A { x = " * 500 + "f()" + "}" * 500,
}
DEEP = {
    "lists": "x = " + "[" * 5000 + "f(), () => g()" + "]" * 5000,
    "objects": "x = " + "{a:" * 5000 + "f()" + "}" * 5000,
    "arguments": "x = " + "f(" * 5000 + ")" * 5000,
    "blocks": "{" * 5000 + "f(() => 1)" + "}" * 5000,
    "statements": "if (a) " * 5000 + "f()",
    "negations": "x = " + "!" * 5000 + "f()",
    "templates": "x = " + "`${" * 1000 + "f()" + "}`" * 1000,
    "patterns": "const " + "{a:" * 5000 + "b" + "}" * 5000 + " = c()",
    "labels": "a: " * 3000 + "f()",
    "namespaces": "namespace A {" * 2000 + "f()" + "}" * 2000,
}


@pytest.mark.parametrize("code", LONG.values(), ids=LONG)
def test_length_is_no_depth(code: str) -> None:
    module = lowered(code)
    assert_index_agrees(module)
    assert module.notices == ()


@pytest.mark.parametrize("code", DEEP.values(), ids=DEEP)
def test_what_is_nested_too_deep_is_kept_and_told(code: str) -> None:
    module = lowered("\n" + code)
    assert_index_agrees(module)
    assert [(notice.line, notice.message[:18]) for notice in module.notices] == [(2, "nested deeper than")]


def test_types_are_cut_where_they_are_too_deep() -> None:
    module = lowered("let x: " + "A<" * 5000 + "B" + ">" * 5000 + " = f()")
    assert "(opaque generic_type)" in dump(lowered("let x: " + "A<" * 80 + "B" + ">" * 80))
    assert_index_agrees(module)
    assert len(module.notices) == 1


def test_elements_of_jsx_nest_deep() -> None:
    module = lowered("x = " + "<a>" * 2000 + "{f()}" + "</a>" * 2000, Language.TSX)
    assert_index_agrees(module)
    assert len(module.notices) == 1


def test_a_body_is_the_same_when_it_is_asked_for_deep_in_a_recursion() -> None:
    code = "function f() { if (a) { for (const b of c) { d(e(f(g({h: [i]})))); } } }"

    def at(depth: int) -> Module:
        if depth:
            return at(depth - 1)
        module = lowered(code)
        assert module.index.functions[0].body
        return module

    deep = at(sys.getrecursionlimit() - 400)
    assert deep.notices == ()
    assert dump(deep) == dump(lowered(code))


# -------------------------------------------------------------------------------------------------------------- index
def test_the_index_names_the_scope_of_every_call() -> None:
    module = lowered(
        "import {tool} from 'm';\n"
        "run();\n"
        "class Agent extends mixin() {\n"
        "  @tool() search(limit = size()) { return () => this.call(); }\n"
        "  state = start();\n"
        "}\n"
    )
    scopes_of = {name: [scope.qualname for scope in found] for name, found in module.index.calls.items()}
    assert scopes_of == {
        "run": [""],
        "mixin": [""],
        "tool": ["Agent"],
        "size": ["Agent"],
        "call": ["Agent.search.<lambda:4>"],
        "start": ["Agent"],
    }


def test_qualified_names_and_receivers() -> None:
    module = lowered(
        "const make = () => { function inner() {} };\n"
        "class A { constructor() {} static s() {} f = () => 1; o = { m() {} }; }\n"
        "export default function () {}\n"
    )
    assert [(f.qualname, f.receiver) for f in module.index.functions] == [
        ("make", None),
        ("make.inner", None),
        ("A.__init__", "self"),
        ("A.s", None),
        ("A.f", "self"),
        ("A.m", "self"),
        ("<lambda:3>", None),
    ]


def test_exports_and_imports_are_the_nodes_of_the_body() -> None:
    module = lowered('import a from "m";\nexport const b = require("n");\nexport default { c: () => import("o") };\n')
    body = list(ir.walk(*module.body, *module.index.functions[0].body))
    assert [export.exported for export in module.index.exports] == ["b", "default"]
    assert set(module.index.exports) == {node for node in body if isinstance(node, ir.Export)}
    assert {node for _, node in module.index.imports} == {node for node in body if isinstance(node, ir.Import)}
    assert [(scope.qualname, node.module) for scope, node in module.index.imports] == [("", "m"), ("", "n"), ("c", "o")]


def test_a_body_is_lowered_once() -> None:
    module = lowered("class A { run() { return 1; } }")
    run = module.index.functions[0]
    assert run.body is run.body
    assert module.index.classes[0].body[0] is run


# ------------------------------------------------------------------------------------------------------ files and spans
def test_angle_brackets_are_a_cast_in_typescript_and_an_element_in_tsx() -> None:
    assert dump(lowered("x = <T>y;")) == "(= x y)"
    assert dump(lowered("x = <T>y</T>;", Language.TSX)) == '(= x (call T (map) "y"))'
    assert dump(lowered("x = <T>y</T>;", Language.JAVASCRIPT)) == '(= x (call T (map) "y"))'


def test_a_hashbang_a_byte_order_mark_and_windows_lines_are_read() -> None:
    assert dump(lowered(b"#!/usr/bin/env node\nrun();")) == "(call run)"
    assert dump(lowered(b"\xef\xbb\xbfrun();")) == "(call run)"
    assert dump(lowered(b"run();\r\nx = `a\r\nb${c}`;\r\n")) == '(call run)\n(= x (template "a\\nb" c))'


def test_columns_count_characters() -> None:
    call = lowered("const é = 'ü🙂'; run(é);").body[1]
    assert call.span[1:] == (1, 17, 1, 23)


def test_the_header_of_a_loop_is_its_first_line() -> None:
    for code in ("while (\na()) {\n}", "for (const a of\n b) {\n}"):
        loop = lowered(code).body[0]
        assert isinstance(loop, ir.Loop)
        assert (loop.header.line, loop.header.end_line, loop.span.end_line) == (1, 2, 3)


def test_names_are_told_exactly() -> None:
    module = lowered("class Agent {\n  async run() {\n    this.step();\n  }\n}")
    run = module.index.functions[0]
    assert (module.index.classes[0].name_span[1:], run.name_span[1:]) == ((1, 7, 1, 12), (2, 9, 2, 12))
    call = run.body[0]
    assert isinstance(call, ir.Call)
    assert isinstance(call.callee, ir.Member)
    assert call.callee.name_span[1:] == (3, 10, 3, 14)
