"""Build the documentation as a site: the pages of `docs`, and the detectors' own, which stand beside their code.

The pages are put together in a folder, where the builder (Zensical, the successor of Material for MkDocs) makes HTML
of them and fails on a link that leads nowhere.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from agent_architecture.registry import load

ROOT: Final = Path(__file__).resolve().parent.parent
BESIDE_THE_CODE: Final = re.compile(r"\.\./src/agent_architecture/detectors/\w+/(\w+\.md)")


def main() -> int:
    """Put the pages together and build the site; the builder's exit code."""
    parser = argparse.ArgumentParser(prog="./dev site", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build", help="where it is built (default: build)")
    folder: Path = parser.parse_args().folder
    assemble(folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(command, cwd=folder, check=False).returncode


def assemble(folder: Path) -> None:
    """Write the builder's configuration and all pages below `folder`."""
    pages = folder / "docs"
    shutil.rmtree(pages, ignore_errors=True)
    (pages / "detectors").mkdir(parents=True)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = BESIDE_THE_CODE.sub(r"detectors/\1", page.read_text("utf-8"))
        (pages / page.name).write_text(text, "utf-8")
    for picture in sorted((ROOT / "docs").glob("*.png")):
        shutil.copy(picture, pages)
    for detector in load():
        (pages / "detectors" / f"{detector.key}.md").write_text(detector.page, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
