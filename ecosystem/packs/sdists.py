"""Source archives of packages that have no wheel.

`pip download` builds the metadata of an sdist, which runs code of the package. So pip is asked where the archive is and
fetches it, and goes no further. These are pip's inner parts: where they changed, the package counts as not to be had.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ecosystem.packs.registry import Wanted

TIME: Final = 300
_SCRIPT: Final = """
import sys
from pip._internal.commands import create_command
from pip._internal.network.download import Downloader
from pip._vendor.packaging.requirements import Requirement

requirement = Requirement(sys.argv[1])
command = create_command("download")
options, _ = command.parse_args(["--no-deps", "--no-binary=:all:", "--ignore-requires-python", sys.argv[1]])
with command.main_context():
    session = command.get_default_session(options)
    finder = command._build_package_finder(options=options, session=session, ignore_requires_python=True)
    best = finder.find_best_candidate(requirement.name, requirement.specifier).best_candidate
    if best is None:
        sys.exit(1)
    try:
        fetch = Downloader(session, "off")
    except TypeError:
        fetch = Downloader(session, "off", 3)
    fetch(best.link, sys.argv[2])
"""


def download_sdist(wanted: Wanted, folder: Path) -> bool:
    """Whether the source archive now stands in `folder`."""
    command = [sys.executable, "-c", _SCRIPT, wanted.requirement, str(folder)]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=TIME, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and any(folder.iterdir())
