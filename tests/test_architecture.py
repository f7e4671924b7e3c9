"""The house rules that can be measured: layers, sizes, names, pairs of files, and what no file may say."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from importlinter.cli import lint_imports

import agent_architecture

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "agent_architecture"
DETECTORS = PACKAGE / "detectors"
FRAMEWORKS = PACKAGE / "frameworks"
PAGES = ROOT / "tests" / "frameworks"

SOURCES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = [ROOT / "dev", *sorted((ROOT / "benchmarks").glob("*.py")), *sorted((ROOT / "development").glob("*.py"))]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
EVERYTHING = [*SOURCES, *SCRIPTS, *TESTS]
JUDGES = sorted(file for file in DETECTORS.glob("*/*.py") if file.name != "__init__.py")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LONGEST_FILE = 400
LONGEST_FUNCTION = 50
LONGER = {
    "src/agent_architecture/model/vocabulary.py": "one table of kinds, with what each one has",
    "src/agent_architecture/names/mutations.py": "one question: what is put into a container",
    "src/agent_architecture/semantics/control/conditions.py": "one question: what has been found out where code runs",
    "src/agent_architecture/semantics/agents/agents.py": "one question: which agents and tools there are",
    "src/agent_architecture/semantics/agents/tool_schemas.py": "one question: what a tool takes, and what checks it",
    "src/agent_architecture/semantics/bounds/trims.py": "one question: what keeps a container small",
    "src/agent_architecture/semantics/matching/read.py": "one question: what stands at an address",
    "src/agent_architecture/semantics/topics/results/served_results.py": "one question: what a served tool returns",
    "tests/serving/test_serving_mcp.py": "one server, asked by one client",
    "tests/test_one_home.py": "one table of facts, and how each is read",
}
"""Files that hold one thought that 400 lines would cut in two, and why; 800 lines at most."""
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}

MENTION = re.compile(r"(?<![\w/@.:~*$<{-])((?:[\w-]+/)+[\w.-]+\.(?:py|md|toml|ts))\b")
"""A file that a text speaks of."""
QUOTING = {"CHANGELOG.md", "docs/accuracy.md", "docs/reasons.md", "docs/rulings.md", "docs/session.md"}
"""Documents that name files of scanned projects."""
INVENTED = {"ecosystem/blind/ROUND.toml", "frameworks/name.toml", "frameworks/x.toml", "docs/api.md", "src/a/b.py"}
"""Files of no project: forms, and a library's own."""

ALLOWED_IN_DETECTORS = (
    "agent_architecture.detector",
    "agent_architecture.model",
    "agent_architecture.limits",  # the rule about limits that several detectors share; it sees the model only
    "agent_architecture.impact",  # what a tool can do to the world, by its effects; it sees the model only
    "agent_architecture.sources.source",  # `Span`, the type of every place
    "agent_architecture.wording",  # words that reasons share
    "agent_architecture.records",  # `NamedTuple`
    "agent_architecture.regexes",
)

GENERIC_WORDS = {
    "together": "what belongs to each other, also the client of a service",
    "ai": "half of the names of standards: NIST AI RMF",
    "mcp": "the protocol, whose SDK has its name",
    "a2a": "the protocol, whose SDKs have its name",
    "agents": "what this is about",
    "effect": "what a call does to the world",
    "backoff": "to wait longer after each failure",
    "node": "a node of a graph of agents",
    "shapes": "what is known by its shape, and the fields of a schema",
}
"""Names of packs and packages that are plain English words, each with the reason why a detector may say it."""


def shown(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name}:{node.lineno} imports relatively"
            yield node.module or ""


def packs() -> dict[Path, dict[str, object]]:
    return {file: tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(FRAMEWORKS.glob("*.toml"))}


def pack_ids() -> set[str]:
    return {str(pack["framework"]["id"]) for pack in packs().values()}  # type: ignore[index]


def library_names() -> set[str]:
    """Ids of packs, and names of published packages (`runtime` is a language's own library, not a framework)."""
    packages = [package for pack in packs().values() for package in pack["package"]]  # type: ignore[attr-defined]
    return pack_ids() | {str(package[kind]) for package in packages for kind in ("pypi", "npm") if kind in package}


def committed() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


# ------------------------------------------------------------------------------------------------------------- layers
def test_every_module_imports_only_what_stands_below_it() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0


@pytest.mark.parametrize("file", JUDGES, ids=shown)
def test_a_detector_imports_the_model_and_the_standard_library_only(file: Path) -> None:
    foreign = [
        module
        for module in imports(file)
        if module.split(".")[0] not in sys.stdlib_module_names
        and not any(module == allowed or module.startswith(allowed + ".") for allowed in ALLOWED_IN_DETECTORS)
    ]
    assert foreign == []


@pytest.mark.parametrize("file", JUDGES, ids=shown)
def test_a_detector_names_no_library(file: Path) -> None:
    text = file.read_text(encoding="utf-8").lower()
    wanted = library_names() - GENERIC_WORDS.keys()
    said = {name for name in wanted if re.search(rf"(?<![\w@/-]){re.escape(name.lower())}(?![\w/-])", text)}
    assert said == set()


def test_every_generic_word_is_the_name_of_a_library() -> None:
    assert GENERIC_WORDS.keys() <= library_names()


# ------------------------------------------------------------------------------------------------------ pairs of files
def test_a_detector_is_exactly_two_files() -> None:
    found = {file.relative_to(DETECTORS).as_posix() for file in DETECTORS.rglob("*") if file.is_file()}
    found = {name for name in found if "__pycache__" not in name and not name.endswith("__init__.py")}
    keys = {name.rpartition(".")[0] for name in found}
    assert found == {f"{key}.{kind}" for key in keys for kind in ("py", "md")}
    assert all(key.count("/") == 1 for key in keys)


def test_a_library_is_exactly_two_files() -> None:
    assert {file.stem for file in packs()} == {page.stem for page in PAGES.glob("*")}
    assert pack_ids() == {file.stem.replace("_", "-") for file in packs()}


def test_the_packs_hold_no_code() -> None:
    assert [file.name for file in FRAMEWORKS.rglob("*") if file.is_file() and file.suffix != ".toml"] == []


# ------------------------------------------------------------------------------------------------------------- start-up
@pytest.mark.parametrize("file", SOURCES, ids=shown)
def test_what_a_module_makes_when_it_is_imported_is_cheap(file: Path) -> None:
    """Records are those of `records`, which take a tenth of the time; expressions are compiled when they are used."""
    taken = {
        alias.name
        for node in ast.walk(tree(file))
        if isinstance(node, ast.ImportFrom) and node.module in {"typing", "collections", "dataclasses"}
        for alias in node.names
    }
    assert file == PACKAGE / "records.py" or not taken & {"NamedTuple", "namedtuple"}
    assert "re.compile" not in {ast.unparse(call.func) for call in _calls_at_import(tree(file))}


def _calls_at_import(node: ast.AST) -> Iterator[ast.Call]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child
        if not isinstance(child, (*FUNCTIONS, ast.Lambda)):
            yield from _calls_at_import(child)


# -------------------------------------------------------------------------------------------------------- sizes, names
def test_a_file_fits_in_the_head() -> None:
    lines = {shown(file): len(file.read_text(encoding="utf-8").splitlines()) for file in EVERYTHING}
    assert {name: count for name, count in lines.items() if count > LONGEST_FILE * (1 + (name in LONGER))} == {}
    assert [name for name in LONGER if lines[name] <= LONGEST_FILE] == []


def test_a_function_fits_on_a_screen() -> None:
    functions = [(file, node) for file in EVERYTHING for node in ast.walk(tree(file)) if isinstance(node, FUNCTIONS)]
    lines = {f"{shown(file)}:{node.lineno} {node.name}": _length(node) for file, node in functions}
    assert {name: count for name, count in lines.items() if count > LONGEST_FUNCTION} == {}


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_a_module_says_what_it_is_for() -> None:
    written = [file for file in [*SOURCES, *SCRIPTS] if file.read_text(encoding="utf-8").strip()]
    assert [shown(file) for file in written if not ast.get_docstring(tree(file))] == []


def test_a_file_has_a_name_that_says_something() -> None:
    assert [shown(file) for file in EVERYTHING if VAGUE_NAMES & set(re.split(r"[_\W]+", file.stem))] == []


def test_the_public_interface_is_listed_and_documented() -> None:
    assert agent_architecture.__doc__
    assert agent_architecture.__all__
    for name in agent_architecture.__all__:
        member = getattr(agent_architecture, name)
        assert name.startswith("__") or member.__doc__, name


# ------------------------------------------------------------------------------------------------- what no file may say
def test_no_file_names_a_package_registry() -> None:
    hosts = [
        b"pypi" + b".org",
        b"python" + b"hosted.org",
        b"npmjs" + b".org",
        b"npmjs" + b".com",
        b"yarn" + b"pkg.com",
        b"npm.pkg" + b".github.com",
        b"jsr" + b".io",
        b"crates" + b".io",
        b"anaconda" + b".org",
        b"golang" + b".org",
    ]
    said = [
        f"{shown(file)}: {host.decode()}" for file in committed() for host in hosts if host in file.read_bytes().lower()
    ]
    assert said == []


def test_every_dependency_is_pinned_with_digests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    pinned = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    names = {re.split(r"[<>=!~\[; ]", line)[0].lower().replace("_", "-") for line in wanted}
    pins = re.findall(r"^([a-z0-9-]+)==\S+ (?:; .+ )?\\\n    --hash=sha256:", pinned, re.MULTILINE)
    assert names <= set(pins)
    assert len(pins) == len(re.findall(r"^[a-z]", pinned, re.MULTILINE))


# -------------------------------------------------------------------------------------------------- what is spoken of
@cache
def tails() -> frozenset[str]:
    """Every file of the repository, by each end of its path."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    parts = [path.split("/") for path in listed]
    return frozenset("/".join(path[start:]) for path in parts for start in range(len(path)))


def said_in(file: Path) -> Iterator[str]:
    """The prose of a file: a document as a whole, of code the comments and docstrings."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        yield text
        return
    yield from (line.partition("# ")[2] for line in text.splitlines() if "# " in line)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def test_nothing_refers_to_a_file_that_is_not_in_the_repository() -> None:
    """Whoever reads here has what is here. Paths of libraries and of scanned projects (`crewai/task.py`) are told by
    their first folder: it is none of ours, and they are no documents.
    """
    if not tails() - {""}:
        pytest.skip("no git repository")
    documents = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md")))
    read = [file for file in documents if file.relative_to(ROOT).as_posix() not in QUOTING]
    ours = {
        folder.name for top in (ROOT, PACKAGE, PACKAGE / "semantics") for folder in top.iterdir() if folder.is_dir()
    }
    missing = [
        f"{file.relative_to(ROOT)}: {path}"
        for file in (*read, *SOURCES, *sorted((ROOT / "development").glob("*.py")))
        for text in said_in(file)
        for path in MENTION.findall(text)
        if path not in tails() | INVENTED and (path.split("/")[0] in ours - {"src", "agents"} or path.endswith(".md"))
    ]
    assert missing == []
