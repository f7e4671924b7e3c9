"""Notebooks: their code cells are one Python module whose spans lie in the .ipynb file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syntax_scopes import scopes

from agent_architecture.sources.languages import content_language
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.ir import Module
from agent_architecture.syntax.notebook import lower_notebook


def code(*lines: str) -> dict[str, object]:
    source = [line + "\n" for line in lines[:-1]] + list(lines[-1:])
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}


def notebook(*cells: dict[str, object], language: str = "python") -> str:
    metadata = {"kernelspec": {"name": f"{language}3"}, "language_info": {"name": language}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def lowered(text: str | bytes) -> Module:
    data = text.encode() if isinstance(text, str) else text
    return lower_notebook(SourceFile("a.ipynb", content_language(Language.NOTEBOOK, data), Role.APP, data))


def calls(module: Module) -> dict[str, ir.Call]:
    """The calls by name, in source order."""
    found = [node for _, nodes in scopes(module) for node in nodes if isinstance(node, ir.Call)]
    return {call.callee.id: call for call in found if isinstance(call.callee, ir.Name)}


def test_code_cells_are_one_module_and_text_cells_none() -> None:
    text = {"cell_type": "markdown", "source": ["run()"]}
    module = lowered(notebook(code("import a", "x = one()"), text, code("def f():", "    two(x)")))
    assert dump(module) == '(import "a" (as a))\n(= x (call one))\n(function f\n  (call two x))'
    assert module.notices == ()


def test_spans_are_lines_and_columns_of_the_notebook_file() -> None:
    text = notebook(code("import a", "é = one()"), code('if "\U0001f600" == "\\n":', '    x = "é"; two("a")'))
    lines = text.split("\n")
    for name, call in calls(lowered(text)).items():
        assert lines[call.span.line - 1][call.span.col - 1 :].startswith(f"{name}(")


@pytest.mark.parametrize("language", ["typescript", "javascript"])
def test_the_cells_of_a_script_kernel_are_a_script(language: str) -> None:
    cells = [code('import { a } from "@x/a";', "const y = await a.one();"), code("for (const z of y) { two(z); }")]
    kernel = {"display_name": "Deno", "language": language, "name": "deno"}
    text = json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4}, indent=1)
    module = lowered(text)
    assert module.language == language
    assert [imp.module for _, imp in module.index.imports] == ["@x/a"]
    two = calls(module)["two"]
    assert text.split("\n")[two.span.line - 1][two.span.col - 1 :].startswith("two(z)")
    assert module.notices == ()


def test_what_a_cell_printed_says_nothing_of_the_kernel() -> None:
    printed = {"output_type": "stream", "text": ['{"kernelspec": {"language": "typescript"}}']}
    module = lowered(notebook({**code("x = one()"), "outputs": [printed]}))
    assert module.language is Language.NOTEBOOK


def test_a_cell_can_be_a_single_string() -> None:
    text = '{"cells": [{"cell_type": "code",\n  "source": "one()\\n\\ntwo()"}]}'
    found = calls(lowered(text))
    line = text.split("\n")[1]
    assert [line[call.span.col - 1 :][:4] for call in found.values()] == ["one(", "two("]
    assert {call.span.line for call in found.values()} == {2}


def test_strings_without_line_ends_are_one_line() -> None:
    text = '{"cells": [{"cell_type": "code", "source": ["one(", "1)\\n", "two()"]}]}'
    assert dump(lowered(text)) == "(call one 1)\n(call two)"


def test_the_older_format_with_worksheets() -> None:
    cell = {"cell_type": "code", "language": "python", "input": ["one()"]}
    assert set(calls(lowered(json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3})))) == {"one"}


@pytest.mark.parametrize(
    "magic",
    [
        "%matplotlib inline",
        "!pip install x",
        "!pip install x \\\n  y",
        "files = !ls",
        "t = %timeit -o f()",
        "run?",
        "?run",
        "a.b??",
        "%%time",
    ],
)
def test_lines_that_only_ipython_reads_are_blank(magic: str) -> None:
    module = lowered(notebook(code(*magic.split("\n"), "one()")))
    assert dump(module) == "(call one)"
    assert module.notices == ()


def test_a_magic_in_a_block_leaves_the_block() -> None:
    module = lowered(notebook(code("if x:", "    !ls", "one()")))
    assert dump(module) == "(if x)\n(call one)"
    assert module.notices == ()


def test_a_cell_of_another_language_is_skipped() -> None:
    assert dump(lowered(notebook(code("%%bash", "ls -l"), code("one()")))) == "(call one)"


def test_operators_at_the_start_of_a_line_are_no_magic() -> None:
    assert dump(lowered(notebook(code("x = (a", "  % b", "  != c)")))) == "(= x (!= (% a b) c))"


@pytest.mark.parametrize("language", ["R", "julia"])
def test_a_kernel_of_another_language_has_no_module(language: str) -> None:
    module = lowered(notebook(code("one()"), language=language))
    assert (module.body, module.notices) == ((), ())


def test_broken_json_is_a_notice_and_the_cells_before_it_are_read() -> None:
    text = notebook(code("one()"), code("two()"))
    module = lowered(text[: text.index("two()")])
    assert "one" in module.index.calls
    assert module.notices


def test_what_is_no_notebook_is_a_notice() -> None:
    assert [notice.message for notice in lowered("[1]").notices] == ["not a notebook"]


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_a_notebook_cut_anywhere_is_read_as_far_as_it_goes(data: st.DataObject) -> None:
    whole = notebook(code("import a", "x = one(é)"), code("%time", "two('\U0001f600')")).encode()
    start = data.draw(st.integers(0, len(whole)))
    cut = whole[start : data.draw(st.integers(start, len(whole)))]
    module = lowered(cut)
    lines = cut.decode("utf-8", "replace").split("\n")
    for _, nodes in scopes(module):
        for node in nodes:
            assert 1 <= node.span.line <= node.span.end_line <= len(lines)
            assert node.span.end_col <= len(lines[node.span.end_line - 1]) + 1
