"""Of several manifests and lock files the one that governs the file counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from agent_architecture.semantics.manifests.versions import Versions, read_versions
from agent_architecture.sources.walk import walk

Read = Callable[[Mapping[str, str]], Versions]


def uv_lock(version: str) -> str:
    return f'[[package]]\nname = "langgraph"\nversion = "{version}"\n'


def pyproject(requirement: str) -> str:
    return f'[project]\ndependencies = ["{requirement}"]\n'


def version_at(versions: Versions, path: str) -> tuple[str, str, str | None]:
    found = versions.of("pypi", "langgraph", path)
    return found.version, found.origin, found.path


def test_nothing_says_anything_so_the_newest_known_version_holds(read: Read) -> None:
    assert version_at(read({}), "a.py") == ("1.2.22", "newest", None)


def test_a_package_that_nobody_knows_has_no_version(read: Read) -> None:
    found = read({}).of("npm", "unheard-of", "a.ts")
    assert (found.version, found.origin) == ("", "newest")


def test_a_lock_file_at_the_top_serves_the_packages_below(read: Read) -> None:
    found = read({"uv.lock": uv_lock("1.0.3"), "packages/a/pyproject.toml": pyproject("langgraph>=1")})
    assert version_at(found, "packages/a/src/x.py") == ("1.0.3", "lock", "uv.lock")


def test_a_nearer_lock_file_wins(read: Read) -> None:
    found = read({"uv.lock": uv_lock("1.0.3"), "a/uv.lock": uv_lock("0.9.0")})
    assert version_at(found, "a/b/x.py") == ("0.9.0", "lock", "a/uv.lock")
    assert version_at(found, "ab/x.py") == ("1.0.3", "lock", "uv.lock")


def test_a_project_outside_the_workspace_keeps_its_own_range(read: Read) -> None:
    found = read({"uv.lock": uv_lock("1.2.0"), "examples/old/pyproject.toml": pyproject("langgraph<1.1")})
    assert version_at(found, "examples/old/x.py") == ("1.0.6", "manifest", "examples/old/pyproject.toml")


def test_a_nearer_manifest_that_says_nothing_of_the_package_is_passed_over(read: Read) -> None:
    found = read({"pyproject.toml": pyproject("langgraph<1.1"), "a/pyproject.toml": pyproject("requests")})
    assert version_at(found, "a/x.py") == ("1.0.6", "manifest", "pyproject.toml")


def test_files_beside_and_below_do_not_count(read: Read) -> None:
    found = read({"a/pyproject.toml": pyproject("langgraph<1.1"), "b/c/uv.lock": uv_lock("1.0.3")})
    assert version_at(found, "b/x.py") == ("1.2.22", "newest", None)


def test_the_ecosystems_are_apart(read: Read) -> None:
    found = read({"package.json": '{"dependencies": {"langgraph": "^0.2.0"}}'})
    assert version_at(found, "a.py") == ("1.2.22", "newest", None)


def test_of_two_lock_files_in_one_folder_the_one_that_keeps_to_the_manifest_counts(read: Read) -> None:
    poetry = '[[package]]\nname = "langgraph"\nversion = "0.9.0"\n'
    found = read({"uv.lock": uv_lock("1.0.3"), "poetry.lock": poetry, "pyproject.toml": pyproject("langgraph<1")})
    assert version_at(found, "x.py") == ("0.9.0", "lock", "poetry.lock")


def test_the_order_of_the_files_does_not_matter(read: Read, tmp_path: Path) -> None:
    read(
        {
            "pyproject.toml": pyproject("langgraph>=1"),
            "requirements.txt": "langgraph<1.2\n!\n",
            "a/package.json": '{"dependencies": {"ai": "^5"}}',
            "a/package-lock.json": "{",
        }
    )
    files = walk([tmp_path]).manifests
    first, second = read_versions(files, {}), read_versions(files[::-1], {})
    assert first.dependencies() == second.dependencies()
    assert first.notices == second.notices
    assert len(first.notices) == 2
