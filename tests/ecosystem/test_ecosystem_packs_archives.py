"""Archives that want to do harm, the cache, and the command that checks packs."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from ecosystem.packs import archives
from ecosystem.packs import run as packs_run
from ecosystem.packs.archives import unpack
from ecosystem.packs.changed import changed_packs
from ecosystem.packs.problems import ArchiveError
from ecosystem.packs.registry import Wanted
from made_packages import tarball, wheel

from agent_architecture.semantics.packs.packs import load_packs
from ecosystem import run


@pytest.mark.parametrize("name", ["../evil.py", "a/../../evil.py", "/evil.py", "C:/evil.py", "a\\..\\evil.py"])
def test_an_archive_that_leaves_its_folder_is_refused_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    bad = wheel(tmp_path / "bad.whl", {"good.py": "x = 1\n", name: "x = 1\n"})
    with pytest.raises(ArchiveError, match="wants to write"):
        unpack(bad, tmp_path / "in" / "out")
    assert list(tmp_path.rglob("*.py")) == []
    bad = tmp_path / "bad.tgz"
    with tarfile.open(bad, "w:gz") as archive:
        info = tarfile.TarInfo(name)
        info.size = 1
        archive.addfile(info, io.BytesIO(b"x"))
    with pytest.raises(ArchiveError, match="wants to write"):
        unpack(bad, tmp_path / "in" / "out")
    assert list(tmp_path.rglob("*.py")) == []


def test_links_and_devices_are_left_out(tmp_path: Path) -> None:
    bad = tmp_path / "bad.tgz"
    with tarfile.open(bad, "w:gz") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            info = tarfile.TarInfo(f"package/{kind.decode()}.js")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    unpack(bad, tmp_path / "out")
    assert list((tmp_path / "out").rglob("*")) == []
    with zipfile.ZipFile(tmp_path / "bad.whl", "w") as zipped:
        entry = zipfile.ZipInfo("link.py")
        entry.external_attr = 0o120777 << 16
        zipped.writestr(entry, "/etc/passwd")
    unpack(tmp_path / "bad.whl", tmp_path / "out")
    assert list((tmp_path / "out").rglob("*")) == []


def test_a_bomb_ends_at_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = wheel(tmp_path / "bomb.whl", {f"{number}.py": "#" * 90_000 for number in range(10)})
    monkeypatch.setattr(archives, "MAX_TOTAL", 500_000)
    with pytest.raises(ArchiveError, match="unpacks to more than"):
        unpack(bomb, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr(archives, "MAX_TOTAL", 5_000_000)
    monkeypatch.setattr(archives, "MAX_FILE", 80_000)
    unpack(bomb, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []
    monkeypatch.setattr(archives, "MAX_MEMBERS", 5)
    with pytest.raises(ArchiveError, match="more than 5 files"):
        unpack(bomb, tmp_path / "out")


def test_a_damaged_archive_is_a_sentence(tmp_path: Path) -> None:
    for name in ("bad.whl", "bad.tgz"):
        (tmp_path / name).write_bytes(b"nothing of the kind")
        with pytest.raises(ArchiveError, match="cannot be unpacked"):
            unpack(tmp_path / name, tmp_path / "out")


def test_only_sources_are_kept_and_machine_code_by_name_alone(tmp_path: Path) -> None:
    unpack(tarball(tmp_path / "a.tgz", {"a.d.ts": "x", "a.wasm": "x", "b.so": "machine"}), tmp_path / "out")
    kept = {path.name: path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert kept == {"a.d.ts": "x", "b.so": ""}


def test_a_package_is_asked_for_at_a_version_or_below_one() -> None:
    assert Wanted("pypi", "made", "1.0").requirement == "made==1.0"
    assert Wanted("pypi", "made", "<1.0").requirement == "made<1.0"
    assert Wanted("npm", "@a/b", "<1.0.0").requirement == "@a/b@<1.0.0"
    assert Wanted("npm", "@types/a", "").requirement == "@types/a@latest"


# ---------------------------------------------------------------------------------------------------------- the command
def test_the_command_checks_one_pack_from_a_cache(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--packs", "tenacity", "--cache", str(tmp_path), "--offline", "--unchecked"]) == 0
    assert "unchecked: tenacity: package 0: tenacity:" in capsys.readouterr().out
    assert run.main(["--packs", "nobody", "--cache", str(tmp_path), "--offline"]) == 2


def test_a_change_that_touches_no_pack_is_skipped_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs_run, "changed_packs", lambda _: ())
    assert run.main(["--packs", "--changed", "--cache", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "packs: skipped, for this change touches no pack\n"


def test_touched_packs_are_those_that_differ_from_the_merge_base(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    folder = tmp_path / "src" / "agent_architecture" / "frameworks"
    folder.mkdir(parents=True)
    git("init", "-b", "main")
    for name in ("tenacity", "crewai"):
        (folder / f"{name}.toml").write_text("a = 1\n")
    git("add", ".")
    git("commit", "-m", "first")
    packs = load_packs()
    assert changed_packs(packs, tmp_path) == ()
    git("checkout", "-b", "change")
    (folder / "tenacity.toml").write_text("a = 2\n")
    git("commit", "-am", "second")
    (tmp_path / "other").write_text("b")
    git("add", ".")
    git("commit", "-m", "third")
    assert changed_packs(packs, tmp_path) == ("tenacity",)
    git("checkout", "main")
    (folder / "crewai.toml").write_text("a = 3\n")
    git("commit", "-am", "on main itself")
    assert changed_packs(packs, tmp_path) == ("crewai",)
