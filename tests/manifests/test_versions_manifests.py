"""What each kind of manifest declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from agent_architecture.semantics.manifests.versions import Versions

Read = Callable[[Mapping[str, str]], Versions]

PYTHON = {
    "PEP 621": ("pyproject.toml", "[project]\ndependencies = [\"LangGraph[all] >=0.2,<1.1 ; python_version>'3.9'\"]\n"),
    "extra": ("pyproject.toml", '[project.optional-dependencies]\ngraph = ["langgraph<1.1"]\n'),
    "group": ("pyproject.toml", '[dependency-groups]\na = [{include-group = "b"}]\nb = ["langgraph<1.1"]\n'),
    "poetry": ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.11"\nlanggraph = ">=0.2,<1.1"\n'),
    "poetry table": ("pyproject.toml", '[tool.poetry.dependencies]\nlanggraph = {version = "~1.0", extras = ["x"]}\n'),
    "poetry list": (
        "pyproject.toml",
        '[tool.poetry.dependencies]\nlanggraph = [{version = "^0.2", python = "<3.10"}, {version = "~1.0"}]\n',
    ),
    "poetry group": ("pyproject.toml", '[tool.poetry.group.dev.dependencies]\nlanggraph = "<1.1"\n'),
    "poetry dev": ("pyproject.toml", '[tool.poetry.dev-dependencies]\nlanggraph = "<1.1"\n'),
    "pdm": ("pyproject.toml", '[tool.pdm.dev-dependencies]\nt = ["langgraph<1.1", "-e file:///x#egg=x"]\n'),
    "uv": ("pyproject.toml", '[tool.uv]\ndev-dependencies = ["langgraph<1.1"]\n'),
    "setup.cfg": ("setup.cfg", "[options]\ninstall_requires =\n    requests\n    langgraph<1.1  # why\n"),
    "setup.cfg extra": ("setup.cfg", "[options.extras_require]\nall =\n    langgraph<1.1\n"),
    "Pipfile": ("Pipfile", '[packages]\nlanggraph = "<1.1"\n[requires]\npython_version = "3.11"\n'),
    "Pipfile table": ("Pipfile", '[dev-packages]\nlanggraph = {version = "<1.1", extras = ["x"]}\n'),
    "requirements": ("requirements.txt", "# a comment\nlanggraph<1.1  # why\n"),
    "requirements.in": ("requirements.in", "langgraph<1.1\n"),
    "continued": ("requirements.txt", "langgraph \\\n  <1.1 \\\n  --hash=sha256:00\n"),
    "marker": (
        "requirements-dev.txt",
        "langgraph==0.2.0; python_version < '3.10'\nlanggraph<1.1; python_version >= '3.10'\n",
    ),
    "folder": ("requirements/base.txt", "langgraph<1.1\n"),
}


@pytest.mark.parametrize(("name", "text"), PYTHON.values(), ids=PYTHON)
def test_a_python_manifest_bounds_the_version(read: Read, name: str, text: str) -> None:
    found = read({name: text})
    answer = found.of("pypi", "langgraph", "src/agent.py")
    assert (answer.version, answer.origin, answer.path) == ("1.0.6", "manifest", name)
    assert [notice for notice in found.notices if "egg" not in notice.message] == []


NPM = {
    "dependencies": '{"dependencies": {"ai": "^5.0.0"}}',
    "dev": '{"devDependencies": {"ai": "~5.0"}}',
    "optional": '{"optionalDependencies": {"ai": ">=4 <6"}}',
    "peer": '{"peerDependencies": {"ai": "^4.0.0 || ^5.0.0"}}',
    "own before peer": '{"peerDependencies": {"ai": ">=4"}, "devDependencies": {"ai": "5.x"}}',
    "alias": '{"dependencies": {"ai": "npm:@fork/ai@^5.0.0"}}',
    "workspace": '{"dependencies": {"ai": "workspace:^5.0.0"}}',
}


@pytest.mark.parametrize("text", NPM.values(), ids=NPM)
def test_a_package_json_bounds_the_version(read: Read, text: str) -> None:
    answer = read({"package.json": text}).of("npm", "ai", "src/agent.ts")
    assert (answer.version, answer.origin, answer.path) == ("5.0.0", "manifest", "package.json")


@pytest.mark.parametrize(
    "written", ["latest", "*", "workspace:*", "git+ssh://git@host/x.git", "file:../x", "npm:ai", ""]
)
def test_an_open_range_gives_the_newest_known_version(read: Read, written: str) -> None:
    answer = read({"package.json": f'{{"dependencies": {{"ai": "{written}"}}}}'}).of("npm", "ai", "a.ts")
    assert (answer.version, answer.origin) == ("6.0.0", "manifest")


CATALOGS = {
    "pnpm": {"pnpm-workspace.yaml": "packages: ['p/*']\ncatalog:\n  ai: ^5.0.0\n"},
    "yarn": {".yarnrc.yml": "catalog:\n  ai: ^5.0.0\n"},
    "bun": {"package.json": '{"workspaces": {"packages": ["p/*"], "catalog": {"ai": "^5.0.0"}}}'},
    "bun, at the top": {"package.json": '{"workspaces": ["p/*"], "catalog": {"ai": "^5.0.0"}}'},
}


@pytest.mark.parametrize("files", CATALOGS.values(), ids=CATALOGS)
def test_a_catalog_is_looked_up_in_the_folders_above(read: Read, files: Mapping[str, str]) -> None:
    found = read({**files, "p/a/package.json": '{"dependencies": {"ai": "catalog:"}}'})
    assert found.of("npm", "ai", "p/a/src/x.ts").version == "5.0.0"


def test_a_named_catalog_is_told_from_the_default_one(read: Read) -> None:
    workspace = "catalog:\n  ai: ^6.0.0\ncatalogs:\n  old:\n    ai: ^4.0.0\n"
    manifest = '{"dependencies": {"ai": "catalog:old"}}'
    assert read({"pnpm-workspace.yaml": workspace, "package.json": manifest}).of("npm", "ai", "a.ts").version == "4.0.0"


def test_includes_and_constraints_are_followed_inside_the_root(read: Read) -> None:
    found = read(
        {
            "requirements.txt": "-r requirements/base.txt\n-c constraints.txt\nlangchain_core\n--index-url https://host/x\n",
            "requirements/base.txt": "-r ../requirements.txt\nlanggraph\n",
            "constraints.txt": "langgraph<1.1\nother==1\n",
            "sub/requirements.txt": "-r ../../outside.txt\nlanggraph==0.2.0\n",
        }
    )
    assert found.of("pypi", "langgraph", "a.py").version == "1.0.6"
    assert found.of("pypi", "langgraph", "sub/a.py").version == "0.2.0"
    assert found.of("pypi", "other", "a.py").version == ""
    assert [(notice.path, notice.line) for notice in found.notices] == [("sub/requirements.txt", 1)]


def test_places_instead_of_versions_are_no_error(read: Read) -> None:
    lines = (
        "-e .",
        "./local",
        "git+https://host/x@v1#egg=x",
        "https://host/x.whl",
        "x @ git+https://h/x",
        "${HOME}/x",
        "x.whl",
    )
    found = read({"requirements.txt": "\n".join(lines)})
    assert found.notices == ()
    assert [dependency.name for dependency in found.dependencies()] == ["x"]


def test_files_in_one_folder_narrow_each_other(read: Read) -> None:
    found = read(
        {"pyproject.toml": '[project]\ndependencies = ["langgraph>=0.2"]\n', "requirements.txt": "langgraph<1.1\n"}
    )
    assert found.of("pypi", "langgraph", "a.py").version == "1.0.6"
    open_range = read({"pyproject.toml": '[project]\ndependencies = ["langgraph"]\n'})
    assert open_range.of("pypi", "langgraph", "a.py").path == "requirements.txt"


def test_dependencies_are_what_the_project_declares(read: Read) -> None:
    found = read(
        {
            "pyproject.toml": '[project]\nname = "own"\ndependencies = ["LangGraph==1.0.6", "own[x]"]\n',
            "uv.lock": '[[package]]\nname = "langgraph"\nversion = "1.0.6"\n[[package]]\nname = "x"\nversion = "1"\n',
            "web/package.json": '{"dependencies": {"ai": "^5.0.0"}, "devDependencies": {"unheard-of": "^1"}}',
            "tests/fixtures/package.json": '{"dependencies": {"left-pad": "1.0.0"}}',
            "vendor/x/requirements.txt": "vendored\n",
        }
    )
    assert [(d.name, d.ecosystem, d.version, d.origin, d.path) for d in found.dependencies()] == [
        ("ai", "npm", "5.0.0", "manifest", "web/package.json"),
        ("langgraph", "pypi", "1.0.6", "lock", "uv.lock"),
        ("unheard-of", "npm", "1.0.0", "manifest", "web/package.json"),
    ]
