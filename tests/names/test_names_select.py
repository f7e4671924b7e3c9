"""Which files are parsed."""

import random
from pathlib import Path

import pytest
from names_project import Opened, open_project

from agent_architecture.names.import_scan import mentions
from agent_architecture.names.select import ROLES, imports_of, select, worth_parsing
from agent_architecture.sources.source import Language, Role, SourceFile


def hits(data: bytes) -> bool:
    return b"langgraph" in data or b"@openai/agents" in data


SEED = "from langgraph.graph import StateGraph\n"


def test_without_a_seed_nothing_is_parsed(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"a.py": "import b", "b.py": ""})
    assert select(project.specifiers, hits) == ()
    assert project.table.loaded() == ()


def test_a_seed_brings_what_it_imports_through_others(tmp_path: Path) -> None:
    files = {"seed.py": SEED + "import a", "a.py": "from pkg import b", "pkg/b.py": "", "far.py": "x = 1"}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("a.py", "pkg/b.py", "seed.py")


def test_a_seed_brings_the_files_that_import_it_through_others(tmp_path: Path) -> None:
    files = {"seed.py": SEED, "a.py": "import seed", "b.py": "from a import x", "far.py": "x = 1"}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("a.py", "b.py", "seed.py")


def test_a_program_that_reaches_a_seed_is_taken_with_all_that_it_imports(tmp_path: Path) -> None:
    files = {"seed.py": SEED, "main.py": "import seed\nimport tools", "tools.py": "import shell", "shell.py": ""}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("main.py", "seed.py", "shell.py", "tools.py")


def test_another_program_that_shares_a_module_is_left_out(tmp_path: Path) -> None:
    files = {"seed.py": SEED + "import shared", "shared.py": "", "other.py": "import shared"}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("seed.py", "shared.py")


def test_a_file_that_asks_for_a_path_of_the_program_is_taken_with_those_that_import_it(tmp_path: Path) -> None:
    files = {
        "seed.py": SEED + 'import app\n@app.post("/v1/turn/{room}")\ndef turn(): ...\n',
        "client.ts": "export const ask = () => fetch(`${base}/v1/turn/7`);",
        "page.ts": 'import { ask } from "./client";',
        "other.ts": 'fetch("/v2/turn");',
        "words.ts": 'export const path = "/v1/turn";',
    }
    assert select(open_project(tmp_path, files).specifiers, hits) == ("client.ts", "page.ts", "seed.py")


def test_a_file_that_only_talks_about_a_seed_is_left_out(tmp_path: Path) -> None:
    files = {"seed.py": SEED, "a.py": '"""Usage:\n\nimport seed\n"""\nx = 1'}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("seed.py",)


def test_tests_are_selected_only_when_asked_for(tmp_path: Path) -> None:
    files = {"seed.py": SEED, "tests/test_seed.py": "import seed"}
    specifiers = open_project(tmp_path, files).specifiers
    assert select(specifiers, hits) == ("seed.py",)
    assert select(specifiers, hits, ROLES | {Role.TEST}) == ("seed.py", "tests/test_seed.py")


def test_reexports_and_aliases_connect_typescript_files(tmp_path: Path) -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
        "src/agent.ts": "import { Agent } from '@openai/agents'; import { tool } from './tool.js';",
        "src/tool.ts": "export const tool = 1;",
        "src/index.ts": "export * from './agent';",
        "src/app.tsx": "const agent = await import('@/index');",
        "src/legacy.cjs": "const app = require('./app');",
        "src/far.ts": "import { tool } from './tool';",
    }
    found = select(open_project(tmp_path, files).specifiers, hits)
    assert found == ("src/agent.ts", "src/app.tsx", "src/index.ts", "src/legacy.cjs", "src/tool.ts")


def test_every_selected_file_is_parsed_and_documents_are_not_selected(tmp_path: Path) -> None:
    files = {"a.ts": "import { Agent } from '@openai/agents'; import data from './data.json';", "data.json": "{}"}
    project = open_project(tmp_path, files)
    assert select(project.specifiers, hits) == ("a.ts",)
    assert [module.path for module in project.table.loaded()] == ["a.ts"]


def connected(project: Opened) -> tuple[str, ...]:
    """The same selection by parsing everything and walking the whole import graph."""
    files = [file for file in project.table.files() if file.role in ROLES and file.path.endswith((".py", ".ts"))]
    edges = {file.path: imports_of(project.specifiers, project.module(file.path)) for file in files}
    above = {file.path for file in files if hits(file.data)}
    while more := {path for path in edges if edges[path] & above} - above:
        above |= more
    below = set(above)
    while more := {target for path in below for target in edges[path] if target in edges} - below:
        below |= more
    return tuple(sorted(below))


PYTHON_FORMS = (
    "import {0}",
    "import os, {0} as alias",
    "from {0} import x",
    "from . import {0}",
    "from .{0} import (\n    x,  # (not the end)\n    y,\n)",
    "from .import {0}",
    "from . import (  # first\n    a,\n    {0},\n)",
    "try:\n    import {0}\nexcept ImportError: pass",
    "def f():\n    from \\\n        .{0} import x",
    "import importlib\nm = importlib.import_module('{0}')",
    "x = 1; import {0}",
    "if x: import {0}",
    "# import {0}",
    "TEXT = 'import {0}'",
)
SCRIPT_FORMS = (
    "import '../{0}';",
    "import x from './{0}.js'",
    "import type {{ X }} from './{0}'",
    "import {{\n  a, // it's\n  b,\n}} from\n  './{0}'",
    "export * from './{0}';",
    'export {{ x as y }} from "./{0}";',
    "const m = await import(/* webpackChunkName: 'x' */ './{0}');",
    "const m = require( `./{0}` );",
    "import m = require('./{0}');",
    "import/**/x from/**/'./{0}'",
    "// import x from './{0}'",
    "const text = \"import './{0}'\";",
)


@pytest.mark.parametrize("seed", range(25))
def test_the_selection_is_the_connected_part_of_the_whole_import_graph(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - made-up projects
    files: dict[str, str] = {}
    for ending, forms, library in ((".py", PYTHON_FORMS, SEED), (".ts", SCRIPT_FORMS, "import '@openai/agents';\n")):
        names = [f"m{number}" for number in range(14)]
        for name in names:
            lines = [chance.choice(forms).format(chance.choice(names)) for _ in range(chance.choice((0, 1, 1, 2)))]
            text = (library if chance.random() < 0.15 else "") + "\n".join(lines) + "\n"
            files[chance.choice(("", "", "pkg/")) + name + ending] = text
    project = open_project(tmp_path, files)
    assert select(project.specifiers, hits) == connected(open_project(tmp_path, {}))


@pytest.mark.parametrize("form", PYTHON_FORMS[:12])
def test_every_python_form_of_import_is_seen_in_the_bytes(tmp_path: Path, form: str) -> None:
    files = {"seed.py": SEED, "a.py": form.format("seed")}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("a.py", "seed.py")


@pytest.mark.parametrize("form", SCRIPT_FORMS[1:10])
def test_every_javascript_form_of_import_is_seen_in_the_bytes(tmp_path: Path, form: str) -> None:
    files = {"seed.ts": "import { Agent } from '@openai/agents';", "a.ts": form.format("seed")}
    assert select(open_project(tmp_path, files).specifiers, hits) == ("a.ts", "seed.ts")


def test_imports_in_a_notebook_are_seen_through_its_json() -> None:
    data = rb'{"cells": [{"source": "import os\nfrom pkg import agent\n"}, {"source": ["import tools\n"]}]}'
    found = mentions(SourceFile("a.ipynb", Language.NOTEBOOK, Role.APP, data))
    assert {(mention.specifier, mention.names) for mention in found} == {("os", ()), ("pkg", ("agent",)), ("tools", ())}


@pytest.mark.parametrize(
    "text", [b"from ", b"from a ", b"import ", b"import(/*", b"from x import (", b"require(//", b"."]
)
@pytest.mark.parametrize("language", [Language.PYTHON, Language.TYPESCRIPT])
def test_hostile_repetition_is_read_in_bounded_time(text: bytes, language: Language) -> None:
    """Quadratic work on a megabyte would take hours; it is enough that this ends."""
    assert isinstance(mentions(SourceFile("a", language, Role.APP, text * (1_000_000 // len(text)))), frozenset)


def test_folders_that_are_loaded_by_computed_names_are_taken(tmp_path: Path) -> None:
    files = {
        "seed.py": SEED + 'import importlib\n\n\ndef load(name):\n    importlib.import_module(f"skills.{name}")\n',
        "skills/erase.py": "import shared\n",
        "shared.py": "",
        "elsewhere.py": "",
    }
    found = select(open_project(tmp_path, files).specifiers, hits)
    assert found == ("seed.py", "shared.py", "skills/erase.py")


LOADER = """
import importlib

KINDS = {"asking": "app.kinds.asking.AskingAgent"}


def load(kind):
    module, name = KINDS[kind].rsplit(".", 1)
    return getattr(importlib.import_module(module), name)
"""


def test_modules_that_a_text_of_a_loader_names_are_taken(tmp_path: Path) -> None:
    files = {
        "src/app/agents.py": SEED + LOADER,
        "src/app/kinds/asking.py": "import app.shared\n",
        "src/app/kinds/other.py": "",
        "src/app/shared.py": "",
    }
    found = select(open_project(tmp_path, files).specifiers, hits)
    assert found == ("src/app/agents.py", "src/app/kinds/asking.py", "src/app/shared.py")


def test_files_that_are_asked_for_alone_come_without_their_imports_and_only_beside_a_seed(tmp_path: Path) -> None:
    def alone(data: bytes) -> bool:
        return b"SECRET" in data

    files = {"keys.py": "import far\nSECRET = 1\n", "far.py": ""}
    assert select(open_project(tmp_path / "none", files).specifiers, hits, alone=alone) == ()
    project = open_project(tmp_path / "one", {**files, "seed.py": SEED})
    assert select(project.specifiers, hits, alone=alone) == ("keys.py", "seed.py")


def test_where_most_files_are_taken_all_are(tmp_path: Path) -> None:
    files = {"seed.py": SEED + "import a", "a.py": "", "far.py": "x = 1", "tests/test_a.py": "import a"}
    specifiers = open_project(tmp_path, files).specifiers
    assert worth_parsing(specifiers, hits, lambda _: False) == ("a.py", "far.py", "seed.py")


def test_where_few_files_are_taken_the_rest_is_left_out(tmp_path: Path) -> None:
    files = {"seed.py": SEED, **{f"far{number}.py": "x = 1" for number in range(3)}}
    specifiers = open_project(tmp_path, files).specifiers
    assert worth_parsing(specifiers, hits, lambda _: False) == ("seed.py",)
