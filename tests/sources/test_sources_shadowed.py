"""Modules that a package of the same name hides: nothing imports them."""

from pathlib import Path

import pytest

from agent_architecture.config import Config
from agent_architecture.pipeline import read_sources

TOOL = "from agents import function_tool\n\n\n@function_tool\ndef look_up(name: str) -> str:\n    return name\n"


@pytest.mark.parametrize(
    ("text", "package", "is_read"),
    [
        (TOOL, "tools/__init__.py", False),
        (TOOL, "tools/web.py", True),
        (TOOL, "other/__init__.py", True),
        (f'{TOOL}\nif __name__ == "__main__":\n    look_up("x")\n', "tools/__init__.py", True),
        (f'{TOOL}\nlook_up("x")\n', "tools/__init__.py", True),
    ],
    ids=["hidden", "a folder alone", "another package", "started", "does something"],
)
def test_a_module_beside_a_package_of_its_name(tmp_path: Path, text: str, package: str, *, is_read: bool) -> None:
    (tmp_path / "tools.py").write_text(text, encoding="utf-8")
    (tmp_path / package).parent.mkdir()
    (tmp_path / package).write_text("", encoding="utf-8")
    walked = read_sources([tmp_path], Config())
    assert ("tools.py" in {file.path for file in walked.files}) is is_read
    assert any(notice.path == "tools.py" for notice in walked.notices) is not is_read
