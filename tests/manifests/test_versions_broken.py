"""A broken or hostile file is a notice with its line, and nothing else is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.semantics.manifests.versions import Versions, read_versions
from agent_architecture.sources.source import Language, Role, SourceFile

Read = Callable[[Mapping[str, str]], Versions]

GOOD = {"sub/pyproject.toml": '[project]\ndependencies = ["langgraph==1.0.6"]\n'}

BROKEN = {
    "TOML": ("pyproject.toml", '[project]\ndependencies = ["a"\n\nx = 1\n', 4),
    "TOML that ends": ("pyproject.toml", '[project]\nname = "', 2),
    "Pipfile": ("Pipfile", "[packages]\na b\n", 2),
    "JSON": ("package.json", '{\n "dependencies": {\n  "ai": ^5\n}}', 3),
    "JSON, but no object": ("package.json", "[]", 1),
    "package-lock": ("package-lock.json", '{"packages": {\n', 2),
    "Pipfile.lock": ("Pipfile.lock", "{,}", 1),
    "bun.lock": ("bun.lock", '{"packages": {"ai": ]}}', 1),
    "YAML": ("pnpm-workspace.yaml", "packages:\n  - 'a\ncatalog: {", 3),
    "yarnrc": (".yarnrc.yml", "a: b: c\n", 1),
    "pnpm-lock": ("pnpm-lock.yaml", "packages:\n", 1),
    "pnpm-lock line": ("pnpm-lock.yaml", "lockfileVersion: '9.0'\nimporters:\n  .:\n    what is this\n", 4),
    "yarn.lock": ("yarn.lock", "# yarn lockfile v1\nwhat is this\n", 2),
    "uv.lock": ("uv.lock", '[[package]\nname = "langgraph"\n', 1),
    "uv.lock name": ("uv.lock", '[[package]]\nname = "x"\nversion = "1"\n\n[[package]]\nname = x\n', 6),
    "setup.cfg": ("setup.cfg", "[options]\ninstall_requires = a\n??\n[x\n", 3),
    "setup.cfg head": ("setup.cfg", "a = 1\n", 1),
    "requirement": ("requirements.txt", "requests\nwhat is this\n", 2),
    "requirement in TOML": ("pyproject.toml", '[project]\ndependencies = [\n  "a",\n  "b c",\n]\n', 4),
}


@pytest.mark.parametrize(("name", "text", "line"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_a_notice_with_its_line(read: Read, name: str, text: str, line: int) -> None:
    found = read({name: text, **GOOD})
    assert [(notice.path, notice.line) for notice in found.notices] == [(name, line)]
    assert found.of("pypi", "langgraph", "sub/x.py").version == "1.0.6"


def conflict(ours: str, theirs: str) -> str:
    return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> branch\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", '[[package]]\nname = "langgraph"\nversion = "1.0.6"\n' + conflict("[[package]]\n", "x = 1\n")),
        ("yarn.lock", 'langgraph@^1.0.0:\n  version "1.0.6"\n' + conflict('  a "1"\n', '  a "2"\n')),
        (
            "pnpm-lock.yaml",
            "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      langgraph:\n        version: 1.0.6\n"
            + conflict("      x:\n", "      y:\n"),
        ),
    ],
)
def test_a_merge_conflict_does_not_lose_the_rest(read: Read, name: str, text: str) -> None:
    found = read({name: text})
    assert found.of("pypi" if name == "uv.lock" else "npm", "langgraph", "a").version == "1.0.6"
    assert [(n.path, n.line) for n in found.notices] == [(name, text.partition("<<<<")[0].count("\n") + 1)]


HOSTILE = {
    "deep JSON": ("package.json", '{"dependencies":' + "[" * 500_000),
    "deep JSON lock": ("bun.lock", "[" * 500_000),
    "deep YAML": ("pnpm-workspace.yaml", "[" * 500_000),
    "deep YAML mappings": (".yarnrc.yml", "{a: " * 200_000),
    "alias bomb": (
        "pnpm-workspace.yaml",
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 40)),
    ),
    "deep TOML": ("pyproject.toml", "a = " + "[" * 400_000),
    "dotted TOML": ("pyproject.toml", "a." * 200_000 + "a = 1"),
    "long number": ("package-lock.json", '{"a": ' + "1" * 100_000 + "}"),
    "long comments": ("bun.lock", "/*" * 500_000),
    "spaces": ("setup.cfg", "[options]\na" + " " * 500_000 + "b\n"),
}


@pytest.mark.parametrize(("name", "text"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_a_notice(read: Read, name: str, text: str) -> None:
    found = read({name: text, **GOOD})
    assert {notice.path for notice in found.notices} == {name}
    assert found.of("pypi", "langgraph", "sub/x.py").version == "1.0.6"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pnpm-lock.yaml", "lockfileVersion: 9\na: x" + " " * 500_000 + "x\n" + "'" * 500_000),
        ("yarn.lock", "a" + ": " * 500_000 + "\n" + '"' * 500_000 + ":\n  version 1\n"),
        ("uv.lock", "[[package]]\n" * 50_000 + "name = 1\n" * 50_000),
        ("requirements.txt", "a" * 500_000 + "\n" + "a b\n" * 1000 + "a" + " " * 900 + "b\n"),
        ("requirements.txt", "-r requirements.txt\n" * 1000),
        ("requirements.txt", "\\\n" * 200_000),
    ],
)
def test_a_hostile_file_ends(read: Read, name: str, text: str) -> None:
    assert read({name: text, **GOOD}).of("pypi", "langgraph", "sub/x.py").version == "1.0.6"


FORMATS = {
    "pyproject.toml": '[project]\ndependencies = ["langgraph>=1"]\n[tool.poetry.dependencies]\na = [{version = "^1"}]',
    "package.json": '{"dependencies": {"ai": "^5"}, "workspaces": {"catalog": {"ai": "^5"}}}',
    "package-lock.json": '{"packages": {"node_modules/ai": {"version": "5.0.0"}}, "dependencies": {"a": {}}}',
    "bun.lock": '{"workspaces": {"": {"name": "x"}}, "packages": {"ai": ["ai@5.0.0", "",],},}',
    "pnpm-lock.yaml": "lockfileVersion: 9\nimporters:\n  .:\n    dependencies:\n      ai:\n        version: 5.0.0\n",
    "yarn.lock": '"ai@^5.0.0", ai@5:\n  version "5.0.0"\n',
    "uv.lock": '[[package]]\nname = "langgraph"\nversion = "1.0.6"\n',
    "Pipfile.lock": '{"default": {"langgraph": {"version": "==1.0.6"}}}',
    "requirements.txt": "-r x.txt\nlanggraph[a]>=1 ; python_version > '3' --hash=sha256:0\n",
    "setup.cfg": "[options]\ninstall_requires =\n  langgraph>=1\n",
    "pnpm-workspace.yaml": "catalog:\n  ai: ^5\ncatalogs: {a: {ai: ^4}}\n",
}
LANGUAGE = {"toml": Language.TOML, "json": Language.JSON, "yaml": Language.YAML}


@given(
    name=st.sampled_from(sorted(FORMATS)), cut=st.integers(0, 120), junk=st.binary(max_size=6), keep=st.integers(0, 120)
)
def test_no_damage_to_a_file_raises(name: str, cut: int, junk: bytes, keep: int) -> None:
    text = FORMATS[name].encode()
    data = text[:cut] + junk + text[cut + keep :]
    file = SourceFile(name, LANGUAGE.get(name.rpartition(".")[2], Language.TEXT), Role.CONFIG, data)
    found = read_versions([file], {})
    found.dependencies()
    found.of("npm", "ai", "a.ts")
    found.of("pypi", "langgraph", "a.py")
