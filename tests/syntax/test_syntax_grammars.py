"""Grammars are loaded by the name of their package."""

from __future__ import annotations

import subprocess
import sys

import pytest
import tree_sitter

from agent_architecture.syntax.grammars import load_grammar


@pytest.mark.parametrize(
    ("package", "function"),
    [
        ("tree_sitter_python", "language"),
        ("tree_sitter_json", "language"),
        ("tree_sitter_toml", "language"),
        ("tree_sitter_typescript", "language_typescript"),
        ("tree_sitter_typescript", "language_tsx"),
    ],
)
def test_every_grammar_of_the_project_parses(package: str, function: str) -> None:
    parser = tree_sitter.Parser(load_grammar(package, function))
    assert parser.parse(b"").root_node.child_count == 0


def test_what_a_grammar_package_imports_for_itself_is_not_loaded() -> None:
    code = (
        "import sys; before = set(sys.modules);"
        "from agent_architecture.syntax.grammars import load_grammar; load_grammar('tree_sitter_python');"
        "print('importlib.resources' in set(sys.modules) - before)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "False\n"


def test_a_grammar_that_is_not_installed_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="tree_sitter_klingon"):
        load_grammar("tree_sitter_klingon")
