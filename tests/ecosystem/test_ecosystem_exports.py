"""What packages offer, held against packs and rules: of packages made up here, and of one real pack in a made cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from ecosystem.exports.measured import Measured, read_measured, write_measured
from ecosystem.exports.offered import Offered, offered
from ecosystem.exports.weighed import Rule, Scales, read_rules
from ecosystem.run import main
from made_packages import install

from agent_architecture.semantics.packs.packs import load_packs

PYTHON = {
    "made/__init__.py": "from made.core import Agent, run_all as run\n__version__ = '1'\n",
    "made/core.py": "class Agent: ...\n\nclass _Hidden: ...\n\ndef run_all(): ...\n\ndef helper(): ...\n",
    "made/errors.py": "__all__ = ['Gone']\n\nclass Base(Exception):\n    pass\n\nclass Gone(Base):\n    pass\n",
    "made/tests/thing.py": "class Thing:\n    pass\n",
    "made/_inner.py": "class Inner:\n    pass\n",
}
SCRIPT = {
    "package.json": '{"name": "made", "exports": {".": {"types": "./a.d.ts"}, "./sub": {"types": "./b.d.ts"}}}',
    "a.d.ts": "export * from './c';\nexport declare class Agent extends Other {}\nexport interface Options {}\n",
    "b.d.ts": "export { run } from './c';\nexport declare const limit: number;\n",
    "c.d.ts": "export declare function run(): void;\n",
}


def names(tmp_path: Path, ecosystem: str, files: dict[str, str]) -> list[Offered]:
    """What a made package offers."""
    install(tmp_path, ecosystem, "made", "1.0", files)
    return list(offered(ecosystem, "made", tmp_path / ecosystem / "made" / "1.0"))


def test_a_python_package_offers_each_definition_once_under_all_its_paths(tmp_path: Path) -> None:
    """Not what begins with `_`, nor tests; a function that only its own module gives is told apart."""
    assert names(tmp_path, "pypi", PYTHON) == [
        Offered(("py:made.Agent", "py:made.core.Agent"), "class"),
        Offered(("py:made.core.helper",), "inner"),
        Offered(("py:made.errors.Gone",), "class", ("Base", "Exception")),
        Offered(("py:made.run", "py:made.core.run_all"), "function"),
    ]


def test_an_npm_package_offers_the_names_of_its_sub_paths(tmp_path: Path) -> None:
    """Those of a module that is given on whole, too."""
    found = {one.paths: one.kind for one in names(tmp_path, "npm", SCRIPT)}
    assert found == {
        ("npm:made:Agent",): "class",
        ("npm:made:Options",): "type",
        ("npm:made:run", "npm:made/sub:run"): "function",
        ("npm:made/sub:limit",): "value",
    }


def test_an_export_is_in_a_pack_irrelevant_by_the_first_rule_or_left() -> None:
    """A row counts under any spelling, and before every rule; what an alias or a method names is named, too."""
    rules = (
        Rule("agents", (), ("py:agents.*",), (), ("class",), ("Keep*",)),
        Rule("anything", (), (), (), ("function",), ()),
    )
    agent, tool = Offered(("py:agents.agent.Agent",), "class"), Offered(("py:agents.function_tool",), "function")
    one, two = Offered(("py:agents.One",), "class"), Offered(("py:agents.KeepTwo",), "class")
    found = Scales(load_packs(), rules).weigh([agent, tool, one, two])
    assert found.in_packs == (agent, tool)
    assert found.irrelevant == {"agents": (one,)}
    assert found.left == (two,)
    assert (found.total, found.share) == (4, 0.75)


def test_every_rule_has_a_word_and_says_something() -> None:
    """A rule without a pattern would call everything irrelevant."""
    rules = read_rules()
    assert all(rule.word and (rule.names or rule.paths or rule.bases or rule.kinds) for rule in rules)


def test_counts_are_kept_by_package(tmp_path: Path) -> None:
    """What is measured again replaces what was measured before."""
    file = tmp_path / "measured.toml"
    first, other = Measured("pypi", "made", "1.0", 1, 2, 1), Measured("npm", "made", "1.0", 0, 0, 0)
    write_measured([first, other], file)
    write_measured([first._replace(left=0)], file)
    assert read_measured(file) == {("pypi", "made"): first._replace(left=0), ("npm", "made"): other}
    assert str(first) == "pypi made 1.0: 75.0% of 4: 1 in packs, 2 irrelevant, 1 left"
    assert other.share == 1


def test_the_command_says_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a package that is in the cache; one that cannot be had fails the run."""
    version = next(p.verified for p in load_packs().packs["langgraph"].packages if p.name == "langgraph-swarm")
    code = "class SwarmGuard:\n    pass\n\ndef create_swarm():\n    pass\n"
    install(tmp_path, "pypi", "langgraph-swarm", version, {"langgraph_swarm/__init__.py": code})
    asked = ["--exports", "langgraph", "--offline", "--cache", str(tmp_path), "--left"]
    assert main([*asked, "--package", "langgraph-swarm"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"langgraph pypi langgraph-swarm {version}: 50.0% of 2: 1 in packs, 0 irrelevant, 1 left",
        "  class py:langgraph_swarm.SwarmGuard",
    ]
    assert main([*asked, "--package", "langgraph-supervisor"]) == 1
    assert "unread" in capsys.readouterr().err


def test_a_pack_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A usage error."""
    assert main(["--exports", "no-such-pack"]) == 2
    assert "no-such-pack" in capsys.readouterr().err
