"""Lock files of every kind: what is fixed by a hash, what by a version alone, and on which line that stands."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.detector import Verdict
from agent_architecture.model.system import AgentSystem
from agent_architecture.registry import judge_one, load_one

PYPROJECT: Final = '[project]\nname = "desk"\ndependencies = ["crewai>=1"]\n'
PIPFILE: Final = '[packages]\ncrewai = "*"\n'
PACKAGE: Final = '{"name": "desk", "dependencies": {"@openai/agents": "^0.3.0"}}\n'

LOCKS: Final = {
    "uv.lock": (
        "pyproject.toml",
        PYPROJECT,
        '[[package]]\nname = "crewai"\nversion = "1.1.0"\nwheels = [\n  { url = "x", hash = "sha256:00" },\n]\n',
        2,
    ),
    "poetry.lock": (
        "pyproject.toml",
        PYPROJECT,
        '[[package]]\nname = "crewai"\nversion = "1.1.0"\nfiles = [\n    {file = "x", hash = "sha256:00"},\n]\n',
        2,
    ),
    "pdm.lock": (
        "pyproject.toml",
        PYPROJECT,
        '[metadata]\n\n[[package]]\nname = "crewai"\nversion = "1.1.0"\nfiles = [{file = "x", hash = "sha256:00"}]\n',
        4,
    ),
    "pylock.toml": (
        "pyproject.toml",
        PYPROJECT,
        '[[packages]]\nname = "crewai"\nversion = "1.1.0"\nwheels = [{ hashes = { sha256 = "00" } }]\n',
        2,
    ),
    "Pipfile.lock": (
        "Pipfile",
        PIPFILE,
        '{\n"default": {\n"crewai": {\n"hashes": ["sha256:00"],\n"version": "==1.1.0"\n}\n}\n}\n',
        3,
    ),
    "package-lock.json": (
        "package.json",
        PACKAGE,
        (
            '{\n"packages": {\n"": {"name": "desk"},\n"node_modules/@openai/agents": {\n"version": "0.3.1",\n'
            '"integrity": "sha512-00"\n}\n}\n}\n'
        ),
        4,
    ),
    "pnpm-lock.yaml": (
        "package.json",
        PACKAGE,
        (
            "lockfileVersion: '9.0'\n\npackages:\n\n"
            "  '@openai/agents@0.3.1':\n    resolution: {integrity: sha512-00}\n\n"
            "snapshots:\n\n  '@openai/agents@0.3.1':\n    dependencies:\n      zod: 4.0.0\n"
        ),
        5,
    ),
    "yarn.lock": (
        "package.json",
        PACKAGE,
        '# yarn lockfile v1\n\n"@openai/agents@^0.3.0":\n  version "0.3.1"\n  integrity sha512-00\n',
        3,
    ),
    "bun.lock": (
        "package.json",
        PACKAGE,
        '{\n"packages": {\n"@openai/agents": ["@openai/agents@0.3.1", "", {}, "sha512-00"],\n}\n}\n',
        3,
    ),
}
"""By name: the manifest, its text, the lock file with a hash, and the line of the package."""
HASHES: Final = (
    'wheels = [\n  { url = "x", hash = "sha256:00" },\n]\n',
    'files = [\n    {file = "x", hash = "sha256:00"},\n]\n',
    'files = [{file = "x", hash = "sha256:00"}]\n',
    'wheels = [{ hashes = { sha256 = "00" } }]\n',
    '"hashes": ["sha256:00"],\n',
    ',\n"integrity": "sha512-00"',
    "integrity: sha512-00",
    "  integrity sha512-00\n",
    ', "sha512-00"',
)


def _understood(folder: Path) -> AgentSystem:
    walked = pipeline.read_sources([folder], Config())
    return pipeline.understand_agents(walked, *pipeline.understand_names(walked))


def _verdicts(folder: Path) -> list[Verdict]:
    return list(judge_one(load_one("supply_chain_provenance_gap"), _understood(folder)).verdicts)


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_whose_packages_have_hashes_is_controlled_as_a_whole(lock: str, tmp_path: Path) -> None:
    manifest, declared, locked, _ = LOCKS[lock]
    _write(tmp_path, {manifest: declared, lock: locked})
    assert [(v.span.path, v.span.line, v.risk) for v in _verdicts(tmp_path)] == [(lock, 1, 0.0)]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_package_without_a_hash_keeps_its_version_alone(lock: str, tmp_path: Path) -> None:
    manifest, declared, locked, line = LOCKS[lock]
    bare = locked
    for text in HASHES:
        bare = bare.replace(text, "")
    assert bare != locked
    _write(tmp_path, {manifest: declared, lock: bare})
    assert [(v.span.path, v.span.line, v.risk) for v in _verdicts(tmp_path)] == [(lock, line, 0.2)]


def test_a_manifest_that_no_lock_file_covers_is_its_own_path(tmp_path: Path) -> None:
    _write(tmp_path, {"web/package.json": PACKAGE, "api/pyproject.toml": PYPROJECT, "api/uv.lock": LOCKS["uv.lock"][2]})
    assert [(v.span.path, v.risk) for v in _verdicts(tmp_path)] == [("api/uv.lock", 0.0), ("web/package.json", 0.7)]


def test_a_lock_file_above_covers_the_manifests_of_its_workspace(tmp_path: Path) -> None:
    _write(tmp_path, {"apps/web/package.json": PACKAGE, "yarn.lock": LOCKS["yarn.lock"][2]})
    assert [(v.span.path, v.risk) for v in _verdicts(tmp_path)] == [("yarn.lock", 0.0)]


def test_the_version_of_a_package_json_decides_without_a_lock_file(tmp_path: Path) -> None:
    for written, risk in (("0.3.1", 0.2), ("^0.3.0", 0.7), ("latest", 1.0), ("*", 1.0), ("github:a/b", 1.0)):
        _write(tmp_path, {"package.json": PACKAGE.replace("^0.3.0", written)})
        assert [verdict.risk for verdict in _verdicts(tmp_path)] == [risk], written


@pytest.mark.parametrize("lock", LOCKS)
def test_a_broken_lock_file_stops_nothing(lock: str, tmp_path: Path) -> None:
    manifest, declared, locked, _ = LOCKS[lock]
    for hostile in ("", "[" * 50_000, "\x00\xff" * 100, locked[: len(locked) // 2], "{" * 50_000):
        _write(tmp_path, {manifest: declared, lock: hostile})
        assert all(verdict.span.path in {manifest, lock} for verdict in _verdicts(tmp_path))


def test_a_declared_library_without_an_agent_is_told(tmp_path: Path) -> None:
    _write(tmp_path, {"requirements.txt": "crewai==1.15.0\n", "main.py": "print('hello')\n"})
    system = _understood(tmp_path)
    told = [(n.path, n.message, n.incomplete) for n in system.project.notices]
    assert told == [("requirements.txt", "crewai 1.15.0 is a dependency; no agent of it was found", False)]


IMAGE: Final = (
    "FROM node:24-alpine\nWORKDIR /app\n{}\nRUN --mount=type=cache,target=/root/.npm npm install --omit=dev\n"
)


@pytest.mark.parametrize(
    ("copy", "line", "risk"),
    [
        ("COPY desk /app", 4, 0.7),
        ("COPY desk/package.json ./", 4, 0.7),
        ("COPY package*.json ./", 1, 0.5),
        ("COPY . .", 1, 0.5),
        ("COPY --from=base /app /app", 3, 1.0),
        ("COPY elsewhere /app", 1, 0.5),
    ],
)
def test_an_image_that_is_given_no_lock_file_takes_the_ranges_of_its_manifest(
    copy: str, line: int, risk: float, tmp_path: Path
) -> None:
    manifest, declared, locked, _ = LOCKS["package-lock.json"]
    root = declared.replace('"desk",', '"all", "workspaces": ["desk"],')
    _write(tmp_path, {manifest: root, "package-lock.json": locked, f"desk/{manifest}": declared})
    _write(tmp_path, {"Dockerfile": IMAGE.format(copy)})
    assert [(v.span.line, v.risk) for v in _verdicts(tmp_path) if v.span.path == "Dockerfile"] == [(line, risk)]


def test_an_image_that_installs_from_the_lock_file_is_judged_by_its_base(tmp_path: Path) -> None:
    _write(tmp_path, {"package.json": PACKAGE})
    for command in ("npm ci", "npm install -g pnpm", "npm install left-pad"):
        _write(tmp_path, {"Dockerfile": IMAGE.format("COPY . .").replace("npm install --omit=dev", command)})
        assert [v.risk for v in _verdicts(tmp_path) if v.span.path == "Dockerfile"] == [0.5], command


PULL: Final = 'from langchain import hub\n\nprompt = hub.pull("someone/rag")\n'


def test_what_only_an_example_loads_is_no_install_path_of_the_application(tmp_path: Path) -> None:
    site = "from agents import Agent, Runner\n\nRunner.run_sync(Agent(name='desk', tools=[print]), 'Hello')\n"
    _write(tmp_path, {"main.py": site, "examples/rag.py": PULL})
    assert _verdicts(tmp_path) == []
    _write(tmp_path, {"prompts.py": PULL})
    assert [(v.span.path, v.risk) for v in _verdicts(tmp_path)] == [("prompts.py", 1.0)]
