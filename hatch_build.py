"""What the wheel has beside the files of the source tree: the packs, compiled, so that no first run reads TOML.

The build backend (hatchling) calls this; what the compiled form is, `agent_architecture.semantics.packs.compiled`
knows.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "agent_architecture/semantics/packs.pickle"
COMPILE = (
    "import sys; from pathlib import Path; from agent_architecture.semantics.packs.compiled import write_shipped; "
)


class PacksHook(BuildHookInterface[Any]):
    """Compiles the packs for a wheel. An editable install has none: its files change."""

    folder: str | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a folder outside of the source tree, which stays as it is."""
        if version == "editable":
            return
        self.folder = mkdtemp()
        target = Path(self.folder, "packs.pickle")
        # In a process of its own, so that it is known which modules take part, and the same files give the same bytes.
        environment = os.environ | {"PYTHONPATH": str(Path(self.root, "src")), "PYTHONHASHSEED": "0"}
        code = f"{COMPILE}write_shipped(Path(sys.argv[1]))"
        subprocess.run([sys.executable, "-B", "-c", code, str(target)], env=environment, check=True)
        build_data["force_include"][str(target)] = PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        del version, build_data, artifact_path
        if self.folder is not None:
            rmtree(self.folder, ignore_errors=True)
