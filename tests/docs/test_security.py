"""Every promise of SECURITY.md names a test that keeps it, and that test is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TEXT: Final = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TESTS: Final = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", TEXT)
WITHOUT: Final = ("Start the installed command",)
"""What is no promise, but what a user has to do."""


def test_every_test_that_is_named_is_there() -> None:
    assert len(TESTS) > 20
    for file, name in TESTS:
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
        assert name in names, f"{file} has no {name}"


def test_every_promise_names_one() -> None:
    promises = [text for text in re.split(r"(?m)^- ", TEXT)[1:] if not text.startswith(WITHOUT)]
    assert len(promises) > 12
    assert [text for text in promises if "`tests/" not in text] == []
