"""The wheel: it has the packs compiled, so that the first run reads no TOML, for a user without a cache folder, too."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agent_architecture.semantics.packs import compiled
from agent_architecture.semantics.packs.compiled import SHIPPED
from agent_architecture.semantics.packs.packs import Packs, own_packs

ROOT = Path(__file__).resolve().parents[2]

ASK = """
import json, sys
from pathlib import Path
opened = []
sys.addaudithook(lambda event, values: opened.append(str(values[0])) if event == "open" else None)
from agent_architecture.cli import main
from agent_architecture.registry import resolve
code = main(["analyze", sys.argv[1], "--format", "json", "--output", sys.argv[2]])
own = [Path(name) for name in opened if name.startswith(sys.argv[3])]
assert not [path for path in own if path.suffix == ".toml"]
(result,) = json.loads(Path(sys.argv[2]).read_text("utf-8"))["results"]
pages = [path.stem for path in own if path.suffix == ".md"]
assert {resolve(finding["rule_id"]).name for finding in result["findings"]} == {*pages}

from agent_architecture.semantics.packs import compiled; from agent_architecture.semantics.packs import packs
shipped, read = compiled.shipped_packs(cached=False), packs.load_packs()
slots = (name for name in packs.Packs.__slots__ if name != "_aliases")
different = [name for name in slots if getattr(shipped, name) != getattr(read, name)]
assert not different, different
assert [*shipped._aliases.pairs()] == [*read._aliases.pairs()]
print(compiled.__file__)
sys.exit(code)
"""


def build(kind: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the wheel is installed."""
    folder = tmp_path_factory.mktemp("site")
    options = ("--quiet", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check", "--target")
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(folder), str(wheel)], check=True)
    return folder


def run(site: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Analyse the example with what is installed, as a user whose cache folder cannot be written."""
    (folder / "file").write_text("a file, no folder", encoding="utf-8")
    homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"), str(folder / "file"))
    arguments = (str(ROOT / "examples" / "support-agent"), str(folder / "report.json"), str(site))
    return subprocess.run(
        [sys.executable, "-c", ASK, *arguments],
        env=os.environ | homes | {"PYTHONPATH": str(site)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_installed_wheel_reads_no_toml_and_has_the_same_packs(site: Path, tmp_path: Path) -> None:
    done = run(site, tmp_path)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(site)


def test_the_wheel_of_a_source_distribution_has_the_same_packs(wheel: Path, tmp_path: Path) -> None:
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    again = build("wheel", tmp_path / sdist.name.removesuffix(".tar.gz"), tmp_path / "wheel")
    name = f"agent_architecture/{SHIPPED}"
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert one.read(name) == other.read(name)


def test_the_source_tree_has_no_compiled_packs() -> None:
    assert not (compiled.PACKAGE / SHIPPED).exists()


# ----------------------------------------------------------------------------------------------------- what it rests on
@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of two files, with packs that were compiled of them."""
    for name in ("frameworks/a.toml", "semantics/packs/rows.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("x = 1", encoding="utf-8")
    with (tmp_path / SHIPPED).open("wb") as file:
        pickle.dump({"frameworks/a.toml": 5, "semantics/packs/rows.py": 5}, file)
        pickle.dump(own_packs(), file)
    return tmp_path


def test_what_was_compiled_of_the_same_files_is_taken(package: Path) -> None:
    assert isinstance(compiled._shipped(package), Packs)


@pytest.mark.parametrize("name", ["frameworks/a.toml", "frameworks/b.toml", "semantics/packs/rows.py"])
def test_a_file_of_another_size_and_a_further_pack_make_it_worthless(package: Path, name: str) -> None:
    (package / name).write_text("x = 10", encoding="utf-8")
    assert compiled._shipped(package) is None


def test_so_does_a_file_that_was_written_long_after_it(package: Path) -> None:
    written = (package / SHIPPED).stat().st_mtime_ns
    os.utime(package / "frameworks" / "a.toml", ns=(written, written + compiled.INSTALLED_WITHIN + 10**9))
    assert compiled._shipped(package) is None


@pytest.mark.parametrize("damage", [b"", b"\x80\x05.", b"cos\nnothing\n."])
def test_a_damaged_file_is_none(package: Path, damage: bytes) -> None:
    (package / SHIPPED).write_bytes(damage)
    assert compiled._shipped(package) is None


def test_what_serves_is_an_extra_and_the_plain_install_is_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        said = archive.read(name).decode("utf-8")
    needed = [Requirement(str(each)) for each in Metadata.from_email(said).requires_dist or ()]
    plain = {canonicalize_name(one.name) for one in needed if one.marker is None}
    extras = {
        extra: {one.name for one in needed if one.marker is not None and one.marker.evaluate({"extra": extra})}
        for extra in ("mcp", "lsp")
    }
    assert extras == {"mcp": {"mcp"}, "lsp": {"pygls"}}
    assert plain == {
        "ahocorasick-rs", "packaging", "pathspec", "pyyaml", "tree-sitter", "tree-sitter-json", "tree-sitter-python",
        "tree-sitter-toml", "tree-sitter-typescript",
    }  # fmt: skip
