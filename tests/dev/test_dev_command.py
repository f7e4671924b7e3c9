"""`./dev`: its help, its mistakes, and what decides whether the environment is made anew."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def dev() -> ModuleType:
    loader = SourceFileLoader("dev_command", str(ROOT / "dev"))
    spec = importlib.util.spec_from_loader("dev_command", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "dev"), *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_help_lists_every_command(tmp_path: Path, dev: ModuleType) -> None:
    done = run(cwd=tmp_path)
    assert done.returncode == 0
    listed = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    assert listed == set(dev.COMMANDS)


def test_an_unknown_command_is_a_mistake_of_use(tmp_path: Path) -> None:
    done = run("tset", cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no command 'tset'" in done.stderr
    assert "test [PYTEST ARGUMENT…]" in done.stderr


def test_an_older_python_can_read_the_file_far_enough_to_be_told() -> None:
    ast.parse((ROOT / "dev").read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
@pytest.mark.parametrize("name", ["dev", ".ci/run"])
def test_the_commands_can_be_run(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)


def test_the_environment_depends_on_pins_and_metadata(tmp_path: Path, dev: ModuleType) -> None:
    dev.ROOT, dev.REQUIREMENTS = tmp_path, tmp_path / "requirements-dev.txt"
    project = tmp_path / "pyproject.toml"
    stamps = set()
    for pins, metadata in [("a==1", "x"), ("a==2", "x"), ("a==2", "y")]:
        dev.REQUIREMENTS.write_text(pins)
        project.write_text(metadata)
        stamps.add(dev.wanted_stamp())
    assert len(stamps) == 3


def leading_to(folder: Path, sources: Path) -> Path:
    """An environment in which the project is installed from these sources."""
    packages = folder / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "_agent_architecture.pth").write_text(f"{sources}\n", encoding="utf-8")
    return folder


def test_an_environment_that_is_current_is_left_alone(tmp_path: Path, dev: ModuleType) -> None:
    dev.PYTHON, dev.STAMP = Path(sys.executable), tmp_path / "stamp"
    dev.VENV = leading_to(tmp_path / "venv", ROOT / "src")
    dev.STAMP.write_text(dev.wanted_stamp())
    dev.pip = None  # it would not be called
    assert dev.prepare() == 0


def test_the_environment_of_a_copied_checkout_is_led_to_the_copy(tmp_path: Path, dev: ModuleType) -> None:
    """What is checked is what stands here, not what the copy was made of."""
    dev.PYTHON, dev.STAMP = Path(sys.executable), tmp_path / "stamp"
    dev.VENV = leading_to(tmp_path / "venv", tmp_path / "origin" / "src")
    dev.STAMP.write_text(dev.wanted_stamp())
    asked: list[tuple[str, ...]] = []
    dev.pip = lambda *arguments: asked.append(arguments) or 0
    assert dev.prepare() == 0
    assert asked[-1][-2:] == ("-e", ".")


def test_pins_that_cannot_be_installed_leave_no_stamp(
    tmp_path: Path, dev: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    dev.REQUIREMENTS, dev.STAMP = tmp_path / "requirements-dev.txt", tmp_path / "stamp"
    dev.PYTHON = Path(sys.executable)
    dev.REQUIREMENTS.write_text("a-package-without-a-digest==1\n")
    assert dev.prepare() == 2
    assert not dev.STAMP.exists()
    assert "cannot be installed" in capfd.readouterr().err
