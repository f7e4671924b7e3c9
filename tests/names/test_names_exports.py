"""Where a name that a module offers is really defined."""

from pathlib import Path

import pytest
from names_project import located_text, open_project

from agent_architecture.names.exports import imported


# -------------------------------------------------------------------------------------------------------------- Python
def test_a_name_that_the_module_binds_is_defined_there(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"a.py": "x = 1\ndef f(): pass\nclass C: pass"})
    assert [project.located("a.py", name) for name in "xfC"] == [["a.py x"], ["a.py f"], ["a.py C"]]
    assert project.located("a.py", "nothing") == []


def test_a_reexport_is_followed_to_its_definition_under_its_first_name(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .a import Two as Three",
        "pkg/a.py": "from .b import One as Two",
        "pkg/b.py": "One = 1",
    }
    assert open_project(tmp_path, files).located("pkg/__init__.py", "Three") == ["pkg/b.py One"]


def test_a_reexport_of_a_library_is_its_api_path(tmp_path: Path) -> None:
    project = open_project(
        tmp_path, {"a.py": "from langgraph.graph import StateGraph as G\nimport os.path\nimport json as j"}
    )
    assert project.located("a.py", "G") == ["py:langgraph.graph.StateGraph"]
    assert project.located("a.py", "os") == ["py:os"]
    assert project.located("a.py", "j") == ["py:json"]


def test_the_branches_of_a_guarded_import_are_all_returned(tmp_path: Path) -> None:
    text = """
        from typing import TYPE_CHECKING
        try:
            from fast import run
        except ImportError:
            from slow import run
        if TYPE_CHECKING:
            from kinds import K
        else:
            K = None
    """
    project = open_project(tmp_path, {"a.py": text})
    assert project.located("a.py", "run") == ["py:fast.run", "py:slow.run"]
    assert project.located("a.py", "K") == ["py:kinds.K", "a.py K"]


def test_a_submodule_is_an_attribute_of_its_package(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "",
        "pkg/sub/b.py": "",
        "bare/c.py": "",
        "main.py": "from bare import c\nimport bare.c",
    }
    project = open_project(tmp_path, files)
    assert project.located("pkg/__init__.py", "a") == ["pkg/a.py"]
    assert project.located("pkg/__init__.py", "sub") == ["pkg/sub/"]
    assert project.located("main.py", "c") == ["bare/c.py"]
    assert project.located("main.py", "bare") == ["bare/"]
    assert project.located("pkg/a.py", "b") == []


def test_a_binding_of_the_package_wins_over_a_submodule_of_its_name(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "from .agent import agent", "pkg/agent.py": "agent = 1"}
    assert open_project(tmp_path, files).located("pkg/__init__.py", "agent") == ["pkg/agent.py agent"]


def test_a_local_folder_shadows_a_library_only_for_names_that_it_has(tmp_path: Path) -> None:
    files = {"main.py": "from agents import Agent, triage", "agents/triage.py": ""}
    project = open_project(tmp_path, files)
    assert project.located("main.py", "Agent") == ["py:agents.Agent"]
    assert project.located("main.py", "triage") == ["agents/triage.py"]


def test_a_local_package_shadows_a_library_only_for_names_that_it_has(tmp_path: Path) -> None:
    files = {"main.py": "from agents import Agent, mine", "agents/__init__.py": "mine = 1"}
    project = open_project(tmp_path, files)
    assert project.located("main.py", "Agent") == ["py:agents.Agent"]
    assert project.located("main.py", "mine") == ["agents/__init__.py mine"]


def test_a_star_import_brings_public_names_and_the_last_one_wins(tmp_path: Path) -> None:
    files = {"a.py": "from b import *\nfrom c import *", "b.py": "x = 1\ny = 1\n_hidden = 1", "c.py": "x = 2"}
    project = open_project(tmp_path, files)
    assert project.located("a.py", "x") == ["c.py x"]
    assert project.located("a.py", "y") == ["b.py y"]
    assert project.located("a.py", "_hidden") == []


@pytest.mark.parametrize(
    "written",
    [
        "__all__ = ['_x']",
        "__all__: list[str] = ['_x']",
        "__all__ = ['z'] + ['_x']",
        "__all__ = []\n__all__ += ['_x']",
        "__all__ = []\n__all__.extend(['_x'])",
        "__all__ = []\n__all__.append('_x')",
        "import c\n__all__ = c.__all__ + ['z']",
        "import c\n__all__ = [*c.__all__, 'z']",
        "from p import c\n__all__ = ['z']\n__all__ += c.__all__",
        "import p.c\n__all__ = list(p.c.__all__)",
    ],
)
def test_a_star_import_brings_exactly_what_all_lists(tmp_path: Path, written: str) -> None:
    files = {"a.py": "from b import *", "b.py": f"{written}\n_x = 1\nunlisted = 2", "c.py": "__all__ = ['_x']"}
    files |= {"p/__init__.py": "", "p/c.py": "__all__ = ['_x']"}
    project = open_project(tmp_path, files)
    assert project.located("a.py", "_x") == ["b.py _x"]
    assert project.located("a.py", "unlisted") == []


def test_an_unreadable_all_counts_as_every_public_name(tmp_path: Path) -> None:
    files = {"a.py": "from b import *", "b.py": "__all__ = names()\nx = 1\n_y = 2"}
    project = open_project(tmp_path, files)
    assert project.located("a.py", "x") == ["b.py x"]
    assert project.located("a.py", "_y") == []


def test_a_later_all_replaces_an_earlier_one(tmp_path: Path) -> None:
    files = {"a.py": "from b import *", "b.py": "__all__ = ['x']\n__all__ = ['y']\nx = 1\ny = 2"}
    project = open_project(tmp_path, files)
    assert (project.located("a.py", "x"), project.located("a.py", "y")) == ([], ["b.py y"])


def test_a_star_import_of_a_library_may_bring_any_public_name_but_no_builtin(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"a.py": "from langgraph.graph import *\nfrom b import *", "b.py": "own = 1"})
    assert project.located("a.py", "StateGraph") == ["py:langgraph.graph.StateGraph"]
    assert project.located("a.py", "own") == ["b.py own"]
    assert project.located("a.py", "print") == []


@pytest.mark.parametrize(
    "text",
    [
        "_T = {'Agent': 'impl'}\ndef __getattr__(name): return load(_T[name])",
        "_T = {'Agent': '.impl'}\ndef __getattr__(name): return load(_T[name])",
        "_T = {'Agent': 'pkg.impl'}\ndef __getattr__(name): return load(_T[name])",
        "_T = {'Agent': ('.impl', 'Agent')}\ndef __getattr__(name): return load(_T[name])",
        "_T = {'.impl': ['Other', 'Agent']}\ndef __getattr__(name): return load(_T)",
        "def __getattr__(name):\n    if name == 'Agent':\n        from .impl import Agent\n        return Agent\n",
    ],
)
def test_a_lazy_module_is_read_by_its_table(tmp_path: Path, text: str) -> None:
    project = open_project(tmp_path, {"pkg/__init__.py": text, "pkg/impl.py": "class Agent: pass"})
    assert project.located("pkg/__init__.py", "Agent") == ["pkg/impl.py Agent"]


def test_a_dictionary_of_a_module_that_is_not_lazy_exports_nothing(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"pkg/__init__.py": "T = {'Agent': '.impl'}", "pkg/impl.py": "Agent = 1"})
    assert project.located("pkg/__init__.py", "Agent") == []


def test_a_name_that_a_function_gives_the_module_is_offered(tmp_path: Path) -> None:
    project = open_project(
        tmp_path, {"a.py": "from b import client", "b.py": "def init():\n    global client\n    client = 1"}
    )
    assert project.located("a.py", "client") == ["b.py client"]


def test_reexports_in_a_circle_end(tmp_path: Path) -> None:
    files = {"a.py": "from b import x, y", "b.py": "from a import x\nfrom c import y", "c.py": "y = 1"}
    project = open_project(tmp_path, files)
    assert project.located("a.py", "x") == []
    assert project.located("a.py", "y") == ["c.py y"]


def test_what_a_circle_cut_short_is_not_remembered(tmp_path: Path) -> None:
    """Asked from `a` first, `b` is in the middle of a circle; asked later it gives the same as without that."""
    files = {
        "a.py": "from b import *\nfrom c import *",
        "b.py": "from a import *",
        "c.py": "x = 1",
    }
    fresh = open_project(tmp_path / "one", files)
    asked = open_project(tmp_path / "two", files)
    assert asked.located("a.py", "x") == ["c.py x"]
    assert asked.located("b.py", "x") == fresh.located("b.py", "x") == ["c.py x"]


def test_star_imports_among_many_modules_do_not_explode(tmp_path: Path) -> None:
    count = 30
    stars = [f"from m{number} import *" for number in range(count)]
    files = {f"m{number}.py": "\n".join(stars[:number] + stars[number + 1 :]) for number in range(count)}
    files |= {"m29.py": "\n".join([*stars[:-1], "from end import x"]), "end.py": "x = 1"}
    project = open_project(tmp_path, files)
    assert project.located("m0.py", "nothing") == []
    assert project.located("m0.py", "x") == ["end.py x"]


def test_a_very_long_chain_of_reexports_gives_nothing_and_does_not_crash(tmp_path: Path) -> None:
    files = {f"m{number}.py": f"from m{number + 1} import x" for number in range(400)} | {"m400.py": "x = 1"}
    project = open_project(tmp_path, files)
    assert project.located("m0.py", "x") == []
    assert project.located("m395.py", "x") == ["m400.py x"]


# ---------------------------------------------------------------------------------------------------------- JavaScript
@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("export const a = 1;", "a", "m.ts a"),
        ("export function a() {}", "a", "m.ts a"),
        ("export class a {}", "a", "m.ts a"),
        ("export interface a {}", "a", "m.ts a"),
        ("export type a = string;", "a", "m.ts a"),
        ("export const { a, b: c } = f();", "c", "m.ts c"),
        ("const x = 1; export { x as a };", "a", "m.ts x"),
        ("const x = 1; export default x;", "default", "m.ts x"),
        ("export default function named() {}", "default", "m.ts named"),
        ("export default 5;", "default", "m.ts = 5"),
        ("export { a } from './n';", "a", "n.ts a"),
        ("export { a as z } from './n';", "z", "n.ts a"),
        ("export { default as a } from './n';", "a", "n.ts d"),
        ("export { default } from './n';", "default", "n.ts d"),
        ("export * from './n';", "a", "n.ts a"),
        ("export * as ns from './n';", "ns", "n.ts"),
        ("import { a } from './n'; export { a };", "a", "n.ts a"),
        ("import type { a } from './n'; export type { a };", "a", "n.ts a"),
        ("import d from './n'; export { d as e };", "e", "n.ts d"),
        ("import * as ns from './n'; export { ns };", "ns", "n.ts"),
        ("import * as ns from './n'; export default ns;", "default", "n.ts"),
        ("export { Agent } from '@openai/agents';", "Agent", "npm:@openai/agents:Agent"),
        ("import OpenAI from 'openai'; export { OpenAI };", "OpenAI", "npm:openai:default"),
        ("import * as ai from 'ai'; export { ai };", "ai", "npm:ai:"),
        ("export * as ai from 'ai';", "ai", "npm:ai:"),
        ("export * from 'ai'; export * from './n';", "a", "n.ts a"),
        ("export * from 'ai'; export * from './n';", "generateText", "npm:ai:generateText"),
        ("import data from './d.json'; export { data };", "data", 'd.json = (map (entry "k" 1))'),
    ],
)
def test_an_export_leads_to_its_definition(tmp_path: Path, text: str, name: str, place: str) -> None:
    files = {"m.ts": text, "n.ts": "export const a = 1; const d = 2; export default d;", "d.json": '{"k": 1}'}
    found = open_project(tmp_path, files).located("m.ts", name)
    assert [" ".join(one.split()) for one in found] == [place]


def test_an_explicit_export_hides_one_through_a_star(tmp_path: Path) -> None:
    project = open_project(
        tmp_path, {"m.ts": "export * from './n'; export const a = 1;", "n.ts": "export const a = 2;"}
    )
    assert project.located("m.ts", "a") == ["m.ts a"]


def test_a_star_never_brings_the_default(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"m.ts": "export * from './n'; export * from 'ai';", "n.ts": "export default 1;"})
    assert project.located("m.ts", "default") == []


def test_what_is_not_exported_is_not_offered(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"m.ts": "const hidden = 1; export const a = 2;"})
    assert project.located("m.ts", "hidden") == []


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("exports.a = 5;", "a", "m.js = 5"),
        ("module.exports.a = 5;", "a", "m.js = 5"),
        ("const a = 1; module.exports = { a, b: 2 };", "a", "m.js a"),
        ("const a = 1; module.exports = { a, b: 2 };", "b", "m.js = 2"),
        ("function run() {} module.exports = run;", "default", "m.js run"),
        ("const api = { a: 7 }; module.exports = api;", "a", "m.js = 7"),
        ("module.exports = require('./n');", "a", "n.js a"),
        ("module.exports = { ...require('./n'), z: 1 };", "a", "n.js a"),
        ("const { a } = require('./n'); module.exports = { a };", "a", "n.js a"),
        ("const n = require('./n'); exports.n = n;", "n", 'n.js = (map (entry "a" a))'),
        ("exports.a = 1;", "default", "m.js"),
        (
            "const { Agent } = require('@openai/agents'); module.exports = { Agent };",
            "Agent",
            "npm:@openai/agents:Agent",
        ),
        ("const ai = require('ai'); exports.ai = ai;", "ai", "npm:ai:"),
    ],
)
def test_commonjs_exports_lead_to_their_definition(tmp_path: Path, text: str, name: str, place: str) -> None:
    files = {"m.js": text, "n.js": "const a = 1; module.exports = { a };"}
    found = open_project(tmp_path, files).located("m.js", name)
    assert [" ".join(one.split()) for one in found] == [place]


def test_an_import_of_a_commonjs_module_gives_its_exports(tmp_path: Path) -> None:
    files = {"m.ts": "import x, { a } from './n'; export { x, a };", "n.js": "const a = 1; module.exports = { a };"}
    project = open_project(tmp_path, files)
    assert project.located("m.ts", "a") == ["n.js a"]
    assert [place[:6] for place in project.located("m.ts", "x")] == ["n.js ="]


def test_javascript_reexports_in_a_circle_end(tmp_path: Path) -> None:
    files = {"a.ts": "export * from './b';", "b.ts": "export * from './a'; export const x = 1;"}
    project = open_project(tmp_path, files)
    assert project.located("a.ts", "x") == ["b.ts x"]
    assert project.located("a.ts", "nothing") == []


def test_an_import_of_a_missing_file_leads_nowhere(tmp_path: Path) -> None:
    project = open_project(tmp_path, {"m.ts": "export { a } from './gone';", "p.py": "from .gone import a"})
    assert project.located("m.ts", "a") == []
    assert project.located("p.py", "a") == []


def test_an_import_node_can_be_asked_for_each_of_its_names_and_for_the_module(tmp_path: Path) -> None:
    project = open_project(
        tmp_path, {"m.ts": "import d, { a as b } from './n';", "n.ts": "export const a = 1; export default 2;"}
    )
    module = project.module("m.ts")
    _, imp = module.index.imports[0]
    found = [imported(project.exports, module, imp, name) for name in (*imp.names, None)]
    assert [located_text(place) for places in found for place in places] == ["n.ts = 2", "n.ts a", "n.ts"]
