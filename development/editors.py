"""The extension for VS Code: proves that it type-checks and builds from what its lock file pins.

Node is needed for this alone. Where there is none, the check says so and passes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from node import NOTE, installed, missing, node

EXTENSION: Final = Path(__file__).resolve().parent.parent / "editors" / "vscode"
BUILT: Final = "extension.js"


def main() -> int:
    """1 where it does not type-check, or does not build."""
    if missing():
        print(f"{NOTE}{missing()}: the extension for VS Code was not checked")
        return 0
    with TemporaryDirectory() as folder:
        return (
            installed(EXTENSION)
            or node(EXTENSION, "node_modules/typescript/bin/tsc", "--noEmit")
            or node(EXTENSION, "build.mjs", folder)
            or node(EXTENSION, "--check", str(Path(folder, BUILT)))
        )


if __name__ == "__main__":
    sys.exit(main())
