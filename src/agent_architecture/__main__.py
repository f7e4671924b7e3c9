"""The process: `python -m agent_architecture`, and the command `agent-architecture`."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line, and end the process at once.

    What it made lives to its end: neither the cycle collector nor taking everything apart at the end frees anything
    that is still needed, and both walk over all of it (gptme: 5 s of 90).
    """
    gc.disable()  # before anything is imported: there is much to import

    from agent_architecture.cli import main

    code = main()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
