"""Which file a Python import means."""

from pathlib import Path

import pytest
from names_project import open_project, target_text


def test_an_absolute_import_of_a_module_beside_the_script_is_that_file(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"main.py": "import tools", "tools.py": ""})
    assert project.target("main.py") == "tools.py"


def test_a_package_is_its_init_file_and_wins_over_a_module_of_its_name(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"main.py": "import tools", "tools.py": "", "tools/__init__.py": ""})
    assert project.target("main.py") == "tools/__init__.py"


def test_a_library_is_named_by_its_module(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"main.py": "from langgraph.graph import StateGraph"})
    assert project.targets("main.py") == ["py:langgraph.graph"]


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("from desk.agents.tools import x", "agents/tools.py"),
        ("import desk.agents.tools", "agents/tools.py"),
        ("from desk import x", "__init__.py"),
        ("from desk.gone import x", "py:desk.gone"),
        ("from shop.agents import x", "py:shop.agents"),
    ],
)
def test_a_package_that_is_scanned_alone_is_known_by_its_name(tmp_path: Path, statement: str, meant: str) -> None:
    files = {"__init__.py": "", "agents/__init__.py": "", "agents/tools.py": "x = 1", "main.py": statement}
    assert open_project(tmp_path / "desk", files).target("main.py") == meant


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("from shop.desk.agents.tools import x", "agents/tools.py"),
        ("from desk.agents.tools import x", "agents/tools.py"),
        ("from shop.desk.gone import x", "py:shop.desk.gone"),
        ("from stock.desk.agents.tools import x", "py:stock.desk.agents.tools"),
        ("from shop.agents.tools import x", "py:shop.agents.tools"),
    ],
)
def test_a_part_of_a_package_that_is_scanned_alone_is_known_by_its_full_name(
    tmp_path: Path, statement: str, meant: str
) -> None:
    files = {"__init__.py": "", "agents/__init__.py": "", "agents/tools.py": "x = 1", "main.py": statement}
    assert open_project(tmp_path / "shop" / "desk", files).target("main.py") == meant


def test_a_scanned_folder_that_is_no_package_counts_for_files_that_put_the_one_above_on_their_path(
    tmp_path: Path,
) -> None:
    statement = "from desk.agents.tools import x"
    files = {
        "agents/tools.py": "x = 1",
        "main.py": statement,
        "run.py": f"{statement}\nimport sys\nsys.path.insert(0, UP)",
    }
    project = open_project(tmp_path / "desk", files)
    assert project.target("main.py") == "py:desk.agents.tools"
    assert project.target("run.py") == "agents/tools.py"


@pytest.mark.parametrize(
    ("statement", "meant"),
    [
        ("from . import b", "pkg/sub/__init__.py"),
        ("from .b import x", "pkg/sub/b.py"),
        ("from .. import c", "pkg/__init__.py"),
        ("from ..c import x", "pkg/c.py"),
        ("from ..other.d import x", "pkg/other/d.py"),
        ("from .nothing import x", "missing"),
        ("from .... import x", "missing"),
    ],
)
def test_relative_imports_count_levels_from_the_importing_file(tmp_path: Path, statement: str, meant: str) -> None:
    files = ["pkg/__init__.py", "pkg/c.py", "pkg/other/__init__.py", "pkg/other/d.py"]
    files += ["pkg/sub/__init__.py", "pkg/sub/b.py"]
    project = open_project(tmp_path, {**dict.fromkeys(files, ""), "pkg/sub/a.py": statement})
    assert project.target("pkg/sub/a.py") == meant


def test_a_relative_import_in_an_init_file_starts_in_its_own_folder(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"pkg/__init__.py": "from .a import x", "pkg/a.py": "x = 1"})
    assert project.target("pkg/__init__.py") == "pkg/a.py"


def test_a_missing_relative_import_says_what_was_written(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"pkg/a.py": "from ..gone.b import x"})
    module = project.module("pkg/a.py")
    (target,) = project.specifiers.targets(module, module.index.imports[0][1])
    assert "..gone.b" in getattr(target, "why", "")


def test_a_package_without_init_file_is_a_folder_and_its_submodules_are_files(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"main.py": "from pkg import a\nfrom pkg.a import x", "pkg/a.py": "x = 1"})
    assert project.target("main.py", 0) == "pkg/"
    assert project.target("main.py", 1) == "pkg/a.py"


@pytest.mark.parametrize("root", ["src", "lib", "python", "packages/app/src"])
def test_a_source_folder_is_an_import_root(tmp_path: Path, root: str) -> None:
    project = open_project(tmp_path, {"scripts/run.py": "from app.core import go", f"{root}/app/core.py": "go = 1"})
    assert project.target("scripts/run.py") == f"{root}/app/core.py"


def test_a_folder_with_a_build_file_is_an_import_root(tmp_path: Path) -> None:
    files = {"services/one/pyproject.toml": "", "services/one/one.py": "", "tools/run.py": "import one"}
    assert open_project(tmp_path, files).target("tools/run.py") == "services/one/one.py"


def test_a_folder_around_the_importing_file_is_an_import_root(tmp_path: Path) -> None:
    files = {"backend/app/api/routes.py": "from app.llm import ask", "backend/app/llm.py": ""}
    assert open_project(tmp_path, files).target("backend/app/api/routes.py") == "backend/app/llm.py"


def test_of_two_roots_the_one_nearest_to_the_importing_file_is_meant(tmp_path: Path) -> None:
    files = {f"{part}/src/shared/{name}.py": "" for part in ("one", "two") for name in ("util",)}
    files["two/src/app.py"] = "from shared.util import x"
    assert open_project(tmp_path, files).targets("two/src/app.py")[:1] == ["two/src/shared/util.py"]


def test_inside_a_package_its_root_is_searched_before_its_own_folder(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/main.py": "import tools", "pkg/tools.py": "", "tools.py": ""}
    assert open_project(tmp_path, files).targets("pkg/main.py")[:2] == ["tools.py", "pkg/tools.py"]


def test_a_script_that_edits_its_path_can_import_from_any_folder(tmp_path: Path) -> None:
    edited = "import sys\nsys.path.append('../shared')\nimport common"
    project = open_project(tmp_path, {"app/run.py": edited, "app/plain.py": "import common", "shared/common.py": ""})
    assert project.target("app/run.py", 1) == "shared/common.py"
    assert project.targets("app/plain.py") == ["py:common"]


def test_a_script_that_puts_a_package_on_its_path_imports_what_is_in_it(tmp_path: Path) -> None:
    edited = "import sys\nsource = HERE / 'code'\nsys.path.insert(0, str(source))\nfrom shop.desk import ask"
    files = {"deploy/run.py": edited, "code/__init__.py": "", "code/shop/__init__.py": "", "code/shop/desk.py": ""}
    assert open_project(tmp_path, files).target("deploy/run.py", 1) == "code/shop/desk.py"
    files["deploy/run.py"] = edited.replace("'code'", "'other'")
    assert open_project(tmp_path, files).targets("deploy/run.py", 1) == ["py:shop.desk"]


def test_a_source_folder_that_was_made_a_package_is_an_import_root_beside_a_build_file(tmp_path: Path) -> None:
    files = {
        "main.py": "from shop.desk import ask",
        "src/__init__.py": "",
        "src/shop/desk.py": "",
        "pyproject.toml": "",
    }
    assert open_project(tmp_path / "built", files).target("main.py") == "src/shop/desk.py"
    del files["pyproject.toml"]
    assert open_project(tmp_path / "plain", files).targets("main.py") == ["py:shop.desk"]


def test_a_local_package_shadows_a_library_and_the_library_stays_a_candidate(tmp_path: Path) -> None:
    files = {"main.py": "from agents import Agent", "agents/__init__.py": ""}
    assert open_project(tmp_path, files).targets("main.py") == ["agents/__init__.py", "py:agents"]


def test_a_local_package_does_not_shadow_a_submodule_that_it_lacks(tmp_path: Path) -> None:
    files = {"main.py": "from agents.mcp import MCPServer", "agents/__init__.py": ""}
    assert open_project(tmp_path, files).targets("main.py") == ["py:agents.mcp"]


def test_a_bare_folder_does_not_hide_a_library_that_is_imported_as_a_whole(tmp_path: Path) -> None:
    files = {"main.py": "import agents", "agents/triage.py": ""}
    assert open_project(tmp_path, files).targets("main.py") == ["py:agents", "agents/"]


def test_a_module_never_means_itself_by_its_absolute_name(tmp_path: Path) -> None:
    assert open_project(tmp_path, {"agents.py": "from agents import Agent"}).targets("agents.py") == ["py:agents"]


def test_example_code_elsewhere_is_not_what_an_application_imports(tmp_path: Path) -> None:
    files = {"app/main.py": "from agents.tool import function_tool", "examples/demo/agents/tool.py": ""}
    assert open_project(tmp_path, files).targets("app/main.py") == ["py:agents.tool"]


def test_application_code_in_an_unmarked_folder_is_found_by_its_dotted_name(tmp_path: Path) -> None:
    files = {"scripts/run.py": "from core.llm import ask", "backend/core/llm.py": ""}
    assert open_project(tmp_path, files).target("scripts/run.py") == "backend/core/llm.py"


def test_a_module_of_the_standard_library_is_not_hidden_by_a_file_in_a_package(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/logging.py": "", "pkg/main.py": "import logging\nfrom logging import info"}
    project = open_project(tmp_path, files)
    assert project.targets("pkg/main.py", 0) == ["py:logging"]
    assert project.targets("pkg/main.py", 1) == ["py:logging"]


def test_a_whole_dotted_import_binds_its_top_package(tmp_path: Path) -> None:
    files = {"main.py": "import pkg.sub.mod\nimport lib.a.b", "pkg/__init__.py": "", "pkg/sub/mod.py": ""}
    project = open_project(tmp_path, files)
    module = project.module("main.py")
    bound = [target_text(project.specifiers.bound(module, imp)[0]) for _, imp in module.index.imports]
    assert bound == ["pkg/__init__.py", "py:lib"]


def test_a_stub_is_read_only_where_the_code_is_not_there(tmp_path: Path) -> None:
    files = {"main.py": "import a\nimport b", "a.py": "", "a.pyi": "", "b.pyi": ""}
    project = open_project(tmp_path, files)
    assert [project.target("main.py", 0), project.target("main.py", 1)] == ["a.py", "b.pyi"]


def test_a_module_that_imports_its_own_name_wraps_the_library_of_that_name(tmp_path: Path) -> None:
    wrapper = "def connect():\n    import pinecone\n    return pinecone\n"
    files = {"shop/__init__.py": "", "shop/pinecone.py": wrapper, "shop/make.py": "import pinecone"}
    assert open_project(tmp_path, files).targets("shop/make.py") == ["py:pinecone"]
    dotted = {**files, "shop/make.py": "from shop.pinecone import connect"}
    assert open_project(tmp_path, dotted).target("shop/make.py") == "shop/pinecone.py"
    inside = {"src/desk/__init__.py": "from desk.desk import x", "src/desk/desk.py": "from desk.other import x"}
    assert open_project(tmp_path / "inside", inside).target("src/desk/__init__.py") == "src/desk/desk.py"


def test_a_package_inside_a_package_that_is_named_like_a_library_imports_the_library(tmp_path: Path) -> None:
    files = dict.fromkeys(["app/__init__.py", "app/openai/__init__.py", "tools/__init__.py", "tools/parts.py"], "")
    files |= {"app/openai/client.py": "import openai", "app/main.py": "import openai", "tools/run.py": "import tools"}
    project = open_project(tmp_path, files)
    assert project.targets("app/openai/client.py")[0] == "py:openai"
    assert project.targets("app/main.py")[0] == "app/openai/__init__.py"
    assert project.targets("tools/run.py")[0] == "tools/__init__.py"
