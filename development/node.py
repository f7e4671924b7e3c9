"""Programs of Node in this repository: what they need is installed as their lock file says, and they are run.

No package runs a script of its own when it is installed.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

NOTE: Final = "note: "
"""How a line begins that `./dev check` shows although the check passed."""


def missing() -> str:
    """What is not on this machine; "" when all is."""
    found = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"there is no {' and no '.join(found)}" if found else ""


def installed(folder: Path) -> int:
    """Install the pinned packages of a folder, unless they are there."""
    stamp = folder / "node_modules" / ".installed"
    wanted = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return 0
    command = [shutil.which("npm") or "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    failed = subprocess.run(command, cwd=folder, check=False).returncode
    if not failed:
        stamp.write_text(wanted, "utf-8")
    return failed


def node(folder: Path, *arguments: str) -> int:
    """Run one of the programs of a folder."""
    return subprocess.run([shutil.which("node") or "node", *arguments], cwd=folder, check=False).returncode
