"""Programs in a folder of templates are copied out: they are the application only where there is nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.source import Role
from agent_architecture.sources.walk import walk

if TYPE_CHECKING:
    from pathlib import Path


def roles(folder: Path, *paths: str) -> dict[str, Role]:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("{}" if path.endswith(".json") else "x = 1\n", encoding="utf-8")
    return {file.path: file.role for file in walk([folder]).files if file.path.endswith((".py", ".ts"))}


def test_a_program_below_templates_is_an_example(tmp_path: Path) -> None:
    found = roles(
        tmp_path,
        "agents/run.py",
        "agents/templates/web/front/package.json",
        "agents/templates/web/front/src/app.ts",
        "agents/templates/web/back/requirements.txt",
        "agents/templates/web/back/main.py",
    )
    assert found == {
        "agents/run.py": Role.APP,
        "agents/templates/web/front/src/app.ts": Role.EXAMPLE,
        "agents/templates/web/back/main.py": Role.EXAMPLE,
    }


def test_what_has_no_manifest_of_its_own_is_the_application(tmp_path: Path) -> None:
    found = roles(tmp_path, "package.json", "src/templates/mail.ts", "src/templates/prompts/tone.py")
    assert set(found.values()) == {Role.APP}


def test_a_package_called_so_is_the_application(tmp_path: Path) -> None:
    found = roles(tmp_path, "templates/pyproject.toml", "templates/app.py", "main.py")
    assert found == {"templates/app.py": Role.APP, "main.py": Role.APP}
