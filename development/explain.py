"""`./dev explain FILE:LINE`: what each stage makes of a line (`agent_architecture.explain`), of a page's blocks, too.

The section of a page (`tests/pages.py` says its form) is a small project: it is written to a folder of its own for as
long as it is explained, and the line of the page is that of its file.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = ".md"


def main(arguments: Sequence[str]) -> int:
    """Explain a line of a file, or of a block of a page."""
    from agent_architecture import explain

    file, _, line = arguments[0].rpartition(":") if len(arguments) == 1 else ("", "", "")
    if not (file.endswith(PAGES) and line.isdigit() and Path(file).is_file()):
        return explain.main(arguments)
    sys.path.insert(0, str(ROOT / "tests"))
    from page_checks import write  # type: ignore[import-not-found]
    from pages import PageError, read_page  # type: ignore[import-not-found]

    try:
        page = read_page(Path(file))
    except PageError as error:
        return _refused(str(error))
    for section in page.sections:
        for block in section.blocks:
            within = int(line) - block.line + 1
            if block.name and 1 <= within < len(block.text.split("\n")):
                with tempfile.TemporaryDirectory() as made:
                    write(section, Path(made))
                    return explain.main((f"{made}/{block.name}:{within}", made))
    return _refused(f"{file}:{line} stands in no block of code: only blocks are explained")


def _refused(why: str) -> int:
    sys.stderr.write(f"error: {why}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
