"""Notebooks beside an application are examples of it; alone, or started by another file, they are the application."""

from pathlib import Path

import pytest

from agent_architecture.config import Config
from agent_architecture.pipeline import read_sources
from agent_architecture.sources.source import Role

NOTEBOOK = '{"cells": [{"cell_type": "code", "source": "import desk"}], "metadata": {}, "nbformat": 4}\n'
APP = "from agents import Agent\n\nagent = Agent(name='desk')\n"


@pytest.mark.parametrize(
    ("others", "role"),
    [
        ({"app.py": APP}, Role.EXAMPLE),
        ({"src/app.ts": "export const desk = 1;\n"}, Role.EXAMPLE),
        ({}, Role.APP),
        ({"README.md": "Run try.ipynb.\n"}, Role.APP),
        ({"tests/test_app.py": APP}, Role.APP),
        ({"app.py": APP, "README.md": "Run try.ipynb.\n"}, Role.EXAMPLE),
        ({"app.py": APP, "Dockerfile": 'CMD ["papermill", "try.ipynb", "out.json"]\n'}, Role.APP),
        ({"app.py": f"{APP}\nimport papermill\n\npapermill.execute_notebook('try.ipynb', 'out.ipynb')\n"}, Role.APP),
    ],
)
def test_a_notebook_beside_an_application(tmp_path: Path, others: dict[str, str], role: Role) -> None:
    for name, content in {"try.ipynb": NOTEBOOK, **others}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    walked = read_sources([tmp_path], Config())
    assert {file.path: file.role for file in walked.files}["try.ipynb"] is role
