"""A real editor: Neovim, set up as docs/editors.md says, with its own client. What it shows, and what it writes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from tests.serving.agents import RULE

NEOVIM: Final = shutil.which("nvim")
MISSING: Final = "there is no Neovim (Debian: apt-get install neovim): no editor is asked"
PAGE: Final = Path(__file__).parents[2] / "docs" / "editors.md"
SCRIPT: Final = Path(__file__).with_name("neovim.lua")
SECONDS: Final = 120
"""How long the editor waits for one thing: a loaded machine is slow."""


@pytest.mark.skipif(NEOVIM is None, reason=MISSING)
def test_neovim_shows_gaps_hovers_lenses_and_makes_fixes(project: Path, tmp_path: Path) -> None:
    assert NEOVIM is not None
    (setup,) = re.findall(r"(?ms)^```lua\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    config, out, file = tmp_path / "setup.lua", tmp_path / "told.json", project / "agent.py"
    config.write_text(setup, encoding="utf-8")
    (project / "pyproject.toml").write_text('[project]\nname = "desk"\nversion = "1"\n', encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    server = programs / "agent-architecture"
    server.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agent_architecture "$@"\n', encoding="utf-8")
    server.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "SETUP": str(config),
        "FILE": str(file),
        "TITLE": "max_turns",
        "OUT": str(out),
        "PATIENCE": str(SECONDS * 1000),
    }
    command = [NEOVIM, "--headless", "--clean", "-n", "-S", str(SCRIPT)]
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, timeout=4 * SECONDS, encoding="utf-8", check=False
    )
    assert out.is_file(), done.stderr
    told = json.loads(out.read_text(encoding="utf-8"))

    assert RULE in told["rules"]
    assert "Agent run without an effective step limit" in told["hover"]
    assert any(title.startswith("Runner.run_sync: ") for title in told["lenses"])
    assert "Set `max_turns` to `20` at `run_sync` (unsafe: fit the value to the task)" in told["offered"]
    assert told["fixed"] == before.replace("max_turns=None", "max_turns=20").rstrip("\n")
    assert told["is_closed"]
    assert f"# agent-architecture: ignore[{RULE}] one turn" in told["ignored"]
    assert told["is_hidden"]
    assert file.read_text(encoding="utf-8") == before
