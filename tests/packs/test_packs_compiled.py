"""The compiled form of the packs: the same packs, made anew whenever they may have changed, and never in the way."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import pytest

from agent_architecture import cache
from agent_architecture.semantics.packs import compiled, packs
from agent_architecture.semantics.packs.compiled import shipped_packs
from agent_architecture.semantics.packs.packs import Packs, load_packs

_all_packs = lru_cache(maxsize=1)(load_packs)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that is empty at first."""
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Packs]:
    """What was read from TOML, each time that it was."""
    read: list[Packs] = []

    def load() -> Packs:
        read.append(_all_packs())
        return read[-1]

    monkeypatch.setattr(packs, "load_packs", load)
    return read


def test_the_second_time_the_same_packs_come_without_reading_toml(reads: list[Packs]) -> None:
    first, second = shipped_packs(), shipped_packs()
    assert len(reads) == 1
    assert first is not second
    same = [name for name in Packs.__slots__ if name != "_aliases" and getattr(first, name) == getattr(second, name)]
    assert set(same) == {*Packs.__slots__} - {"_aliases"}
    path = "py:langgraph.graph.state.StateGraph().compile"
    assert first.canonical(path) == second.canonical(path) != path


def test_a_changed_file_is_read(reads: list[Packs], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    shipped_packs()
    monkeypatch.setattr(compiled, "SOURCES", (*compiled.SOURCES, "syntax"))
    shipped_packs()
    assert len(reads) == len(list(folder.iterdir())) == 2


def test_the_state_of_a_file_is_its_size_and_time(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("x = 1", encoding="utf-8")
    before = tuple(cache.looks(tmp_path, (".toml",)))
    os.utime(file, ns=(1, 1))
    assert tuple(cache.looks(tmp_path, (".toml",))) != before
    assert not tuple(cache.looks(tmp_path, (".py",)))


@pytest.mark.parametrize("damage", [b"", b"\x80\x05.", b"cos\nnothing\n."])
def test_a_damaged_file_is_made_anew(reads: list[Packs], folder: Path, damage: bytes) -> None:
    shipped_packs()
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    shipped_packs()
    assert len(reads) == 2
    shipped_packs()
    assert len(reads) == 2


def test_a_folder_that_cannot_be_written_is_no_obstacle(reads: list[Packs], folder: Path) -> None:
    folder.write_text("a file, no folder", encoding="utf-8")
    assert shipped_packs().words == shipped_packs().words
    assert len(reads) == 2


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for number in range(4):
        cache.keep(tmp_path / f"{number}.packs", b"x", at_most=2)
        os.utime(tmp_path / f"{number}.packs", ns=(number, number))
    cache.keep(tmp_path / "other.kind", b"x", at_most=2)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["2.packs", "3.packs", "other.kind"]


def test_what_somebody_else_wrote_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.packs"
    cache.keep(file, b"x", at_most=1)
    assert cache.load(file) == b"x"
    monkeypatch.setattr(os, "getuid", lambda: file.stat().st_uid + 1)
    assert cache.load(file) is None


@pytest.mark.skipif(os.name == "nt", reason="the variable is that of other systems")
def test_a_relative_cache_folder_is_not_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_folder() == tmp_path / "agent-architecture"
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.cache_folder() == tmp_path / ".cache" / "agent-architecture"
