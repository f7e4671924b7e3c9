"""The packs that a change touches: those whose file differs from where the change left the main branch."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

from agent_architecture.semantics.packs.packs import Packs

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = "src/agent_architecture/frameworks"
_BRANCHES: Final = ("origin/main", "main")


def changed_packs(packs: Packs, root: Path = ROOT) -> tuple[str, ...]:
    """The ids of the packs that differ from the merge base, or, on the main branch itself, from the commit before."""
    base = _base(root)
    listed = _git(root, "diff", "--name-only", base, "--", FOLDER) if base else ""
    files = {Path(line).name for line in listed.splitlines()}
    return tuple(name for name, pack in packs.packs.items() if Path(pack.file).name in files)


def _base(root: Path) -> str:
    head = _git(root, "rev-parse", "HEAD")
    for branch in _BRANCHES:
        base = _git(root, "merge-base", branch, "HEAD")
        if base and base != head:
            return base
    return _git(root, "rev-parse", "--verify", "--quiet", "HEAD~1")


def _git(root: Path, *arguments: str) -> str:
    """What git says; "" where it has nothing to say."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
