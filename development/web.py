"""The program of the HTML report: builds it from `web/` into the package, or proves that what is shipped is that.

Node is needed for this alone: reports are made without it. Where there is none, the check says so and passes.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WEB: Final = ROOT / "web"
SHIPPED: Final = ROOT / "src" / "agent_architecture" / "render" / "html"
FILES: Final = ("report.js", "report.css")
STAMP: Final = WEB / "node_modules" / ".installed"
NOTE: Final = "note: "
"""How a line begins that `./dev check` shows although the check passed."""


def main() -> int:
    """Build, or check; 1 where what is shipped is not what the source gives."""
    parser = argparse.ArgumentParser(prog="./dev web", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when the shipped program is another")
    flags = parser.parse_args()
    if missing():
        print(f"{NOTE}{missing()}: the shipped program of the HTML report was not held against its source")
        return 0 if flags.check else 1
    failed = installed() or node("node_modules/typescript/bin/tsc", "--noEmit")
    return failed or (check() if flags.check else node("build.mjs", str(SHIPPED)))


def missing() -> str:
    """What is not on this machine; "" when all is."""
    found = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"there is no {' and no '.join(found)}" if found else ""


def installed() -> int:
    """Install the pinned packages, unless they are there. No package runs a script of its own."""
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text("utf-8") == wanted:
        return 0
    command = [npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    failed = subprocess.run(command, cwd=WEB, check=False).returncode
    if not failed:
        STAMP.write_text(wanted, "utf-8")
    return failed


def check() -> int:
    """Build beside, and compare byte by byte."""
    with TemporaryDirectory() as folder:
        failed = node("build.mjs", folder)
        if failed:
            return failed
        other = [name for name in FILES if Path(folder, name).read_bytes() != (SHIPPED / name).read_bytes()]
    if other:
        print(f"{', '.join(other)}: not what web/ gives; run ./dev web")
    return 1 if other else 0


def node(*arguments: str) -> int:
    """Run one of the programs in `web/`."""
    return subprocess.run([shutil.which("node") or "node", *arguments], cwd=WEB, check=False).returncode


def npm() -> str:
    """The package manager that comes with Node."""
    return shutil.which("npm") or "npm"


if __name__ == "__main__":
    sys.exit(main())
