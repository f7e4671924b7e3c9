"""The name layer held against call graphs and API graphs that others wrote down, in checkouts of small made ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ecosystem.callgraph.api_graphs import held
from ecosystem.callgraph.expectations import expectations
from ecosystem.callgraph.micro import LANGUAGE, OTHERS, Edge, snippets
from ecosystem.run import main


def write(folder: Path, files: dict[str, str]) -> Path:
    """Files of a checkout."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def pycg(folder: Path, code: str, graph: dict[str, list[str]]) -> Path:
    """A checkout with one program."""
    place = "micro-benchmark/snippets/group/name"
    return write(folder, {f"{place}/main.py": code, f"{place}/callgraph.json": json.dumps(graph)})


CODE = "import ext\n\ndef f():\n    return g\n\ndef g():\n    len('')\n\nx = lambda: ext.run()\nx()\nf()()\n"
GRAPH = {"main": ["main.<lambda1>", "main.f", "main.g"], "main.g": ["<builtin>.len"], "main.<lambda1>": ["ext.run"]}


def test_an_edge_is_found_missed_or_not_counted_with_a_reason(tmp_path: Path) -> None:
    """An edge that nothing in the code shows is missed."""
    graph = {**GRAPH, "main.f": ["main.g"]}
    (found,) = snippets(pycg(tmp_path, CODE, graph) / "micro-benchmark" / "snippets")
    assert found.missed == {Edge("main.f", "main.g")}
    assert found.left_out == {Edge("main.g", "<builtin>.len"): LANGUAGE, Edge("main.<lambda1>", "ext.run"): OTHERS}
    assert not found.odd
    assert not found.outdated


def test_an_expectation_of_codeql_is_read_from_a_comment(tmp_path: Path) -> None:
    """What CodeQL itself misses is none."""
    write(
        tmp_path,
        {
            "a.py": 'import a #$ use=moduleImport("a") MISSING: use=moduleImport("b")\n',
            "b.js": '/* def=moduleImport("b").getParameter(0) */ x // MISSING: use=moduleImport("c")\n',
        },
    )
    assert [(one.path, one.line, one.text) for one in expectations(tmp_path)] == [
        ("a.py", 1, 'use=moduleImport("a")'),
        ("b.js", 1, 'def=moduleImport("b").getParameter(0)'),
    ]


PYTHON = """\
import lib #$ use=moduleImport("lib")

def start(event): #$ use=moduleImport("lib").getMember("on").getParameter(0).getParameter(0)
    event.end() #$ use=moduleImport("lib").getMember("on").getParameter(0).getParameter(0).getMember("end").getReturn()

lib.on(start) #$ def=moduleImport("lib").getMember("on").getParameter(0)
lib.off(2) #$ def=moduleImport("lib").getMember("on").getParameter(0) use=entryPoint("Own")
"""
SCRIPT = """\
const lib = require("lib");
lib.set({
    limit: 5 /* def=moduleImport("lib").getMember("exports").getMember("set").getParameter(0).getMember("limit") */
});
class A extends lib.Base {}
new A().run(); /* use=moduleImport("lib").getMember("exports").getMember("Base").getInstance().getMember("run") */
"""
EXPECTED = """\
missed  python py3/a.py:7 def=moduleImport("lib").getMember("on").getParameter(0)
ApiGraphs, javascript: 2 of 2 expectations that apply
ApiGraphs, python: 4 of 5 expectations that apply
ApiGraphs: 85.7%
  not counted: 1 a rule of the test's own query
"""


def codeql(folder: Path) -> Path:
    """A checkout with one folder of tests for each language."""
    places = {
        "python/ql/test/library-tests/ApiGraphs/py3/a.py": PYTHON,
        "javascript/ql/test/ApiGraphs/set/a.js": SCRIPT,
    }
    return write(folder, places)


def test_a_use_is_an_access_path_and_a_def_what_is_given(tmp_path: Path) -> None:
    """Callbacks, objects that are given, and classes of a library that the project derives from."""
    found = {(one.expected.path, one.expected.line, one.holds) for one in held(codeql(tmp_path))}
    assert ("a.py", 4, True) in found
    assert ("a.js", 3, True) in found
    assert ("a.js", 6, True) in found


def test_the_command_says_what_is_missed_and_what_is_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both checkouts at once; nothing that is wrong with the tool fails the run."""
    pycg(tmp_path / "one", CODE, GRAPH)
    assert main(["--edges", "--pycg", str(tmp_path / "one"), "--codeql", str(codeql(tmp_path / "two"))]) == 0
    first, *rest = capsys.readouterr().out.splitlines(keepends=True)
    assert first == "PyCG: 3 of 3 edges that count, in 1 programs; 0 not expected\n"
    assert "".join(rest[2:]) == EXPECTED


def test_an_edge_that_is_found_although_it_is_written_down_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that the reason goes once it does not hold."""
    place = "micro-benchmark/snippets/dynamic/eval"
    code = "def func():\n    pass\n\nfunc()\n"
    write(tmp_path, {f"{place}/main.py": code, f"{place}/callgraph.json": json.dumps({"main": ["main.func"]})})
    assert main(["--edges", "--pycg", str(tmp_path)]) == 1
    assert "outdated  dynamic/eval: main -> main.func\n" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--edges"], ["--edges", "--pycg", "/nowhere/at/all"]])
def test_a_checkout_has_to_be_named_and_there(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A usage error, with the reason."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "--pycg" in capsys.readouterr().err or "no folder" in capsys.readouterr().err
