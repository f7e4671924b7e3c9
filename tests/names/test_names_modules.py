from pathlib import Path

from names_project import open_project

from agent_architecture.names.modules import ModuleTable
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse


def python_file(path: str, text: bytes) -> SourceFile:
    return SourceFile(path, Language.PYTHON, Role.APP, text)


def test_a_file_is_parsed_when_it_is_first_asked_for_and_only_once() -> None:
    parsed: list[str] = []

    def recording(file: SourceFile) -> ir.Module:
        parsed.append(file.path)
        return parse(file)

    table = ModuleTable([python_file("a.py", b"x = 1"), python_file("b.py", b"y = 2")], recording)
    assert parsed == []
    assert table.get("b.py") is table.get("b.py")
    assert parsed == ["b.py"]


def test_a_path_that_was_not_scanned_has_neither_module_nor_file(tmp_path: Path) -> None:
    table = open_project(tmp_path, {"a.py": "x = 1"}).table
    assert table.get("nowhere.py") is None
    assert table.file("nowhere.py") is None
    assert table.paths == {"a.py"}


def test_loaded_modules_are_sorted_by_path_whatever_the_order_of_asking(tmp_path: Path) -> None:
    table = open_project(tmp_path, {"a.py": "", "b.py": "", "c.py": "x = 1"}).table
    for path in ("c.py", "a.py"):
        table.get(path)
    assert [module.path for module in table.loaded()] == ["a.py", "c.py"]


def test_notices_are_those_of_the_modules_that_were_parsed(tmp_path: Path) -> None:
    table = open_project(tmp_path, {"bad.py": "def (:\n", "good.py": "x = 1"}).table
    table.get("good.py")
    assert table.notices() == ()
    table.get("bad.py")
    assert {notice.path for notice in table.notices()} == {"bad.py"}
