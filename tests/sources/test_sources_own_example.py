"""A project that is called an example, and has nothing beside it, is the application."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_architecture.sources.roles import example_folder
from agent_architecture.sources.source import Role
from agent_architecture.sources.walk import walk

if TYPE_CHECKING:
    from pathlib import Path


def roles(folder: Path, *paths: str) -> dict[str, Role]:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x = 1\n", encoding="utf-8")
    return {file.path: file.role for file in walk([folder]).files}


def test_a_package_called_an_example_is_the_application_where_it_is_all_there_is(tmp_path: Path) -> None:
    found = roles(
        tmp_path, "src/desk_example/app.py", "src/desk_example/work/steps.py", "tests/test_app.py", "notebooks/a.ipynb"
    )
    assert found == {
        "src/desk_example/app.py": Role.APP,
        "src/desk_example/work/steps.py": Role.APP,
        "tests/test_app.py": Role.TEST,
        "notebooks/a.ipynb": Role.EXAMPLE,
    }


def test_what_it_has_of_its_own_keeps_its_role(tmp_path: Path) -> None:
    found = roles(tmp_path, "examples/app.py", "examples/tests/check.py", "examples/more/demo/try.py")
    assert found == {
        "examples/app.py": Role.APP,
        "examples/tests/check.py": Role.TEST,
        "examples/more/demo/try.py": Role.EXAMPLE,
    }


@pytest.mark.parametrize("beside", ["app.py", "src/desk/app.ts", "samples/other.py"])
def test_beside_an_application_or_another_folder_of_examples_it_is_an_example(tmp_path: Path, beside: str) -> None:
    assert roles(tmp_path, "desk_example/app.py", beside)["desk_example/app.py"] is Role.EXAMPLE


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("src/Desk_Example/more/examples/a.py", "src/Desk_Example"),
        ("examples/a.py", "examples"),
        ("src/desk/example.py", ""),
        ("a.py", ""),
    ],
)
def test_the_outermost_folder_of_examples_counts(path: str, folder: str) -> None:
    assert example_folder(path) == folder
