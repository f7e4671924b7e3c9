"""The program of the HTML report: builds it from `web/` into the package, or proves that what is shipped is that.

Node is needed for this alone: reports are made without it. Where there is none, the check says so and passes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from node import NOTE, installed, missing, node

ROOT: Final = Path(__file__).resolve().parent.parent
WEB: Final = ROOT / "web"
SHIPPED: Final = ROOT / "src" / "agent_architecture" / "render" / "html"
FILES: Final = ("report.js", "report.css")


def main() -> int:
    """Build, or check; 1 where what is shipped is not what the source gives."""
    parser = argparse.ArgumentParser(prog="./dev web", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when the shipped program is another")
    flags = parser.parse_args()
    if missing():
        print(f"{NOTE}{missing()}: the shipped program of the HTML report was not held against its source")
        return 0 if flags.check else 1
    failed = installed(WEB) or node(WEB, "node_modules/typescript/bin/tsc", "--noEmit")
    return failed or (check() if flags.check else node(WEB, "build.mjs", str(SHIPPED)))


def check() -> int:
    """Build beside, and compare byte by byte."""
    with TemporaryDirectory() as folder:
        failed = node(WEB, "build.mjs", folder)
        if failed:
            return failed
        other = [name for name in FILES if Path(folder, name).read_bytes() != (SHIPPED / name).read_bytes()]
    if other:
        print(f"{', '.join(other)}: not what web/ gives; run ./dev web")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
