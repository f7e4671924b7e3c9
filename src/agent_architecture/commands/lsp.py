"""`lsp`: the analyser for editors, as a language server."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, command_parser

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} lsp          over stdio; editors start it, see docs/editors.md
"""
LIBRARY: Final = "pygls"
UNASKED: Final = 1
"""What the protocol wants of a server that is ended without having been asked to shut down."""


def parser() -> argparse.ArgumentParser:
    """The flags of `lsp`."""
    made = command_parser(
        "lsp",
        "Serve the analyser to an editor over the Language Server Protocol. It reads the folders that the editor has\n"
        "open, and writes nothing. Needs the extra: pip install 'agent-architecture[lsp]'.",
        EXAMPLES,
        usage=f"{PROGRAM} lsp [FLAGS]",
    )
    made.add_argument("--stdio", action="store_true", help="over standard input and output, as without it")
    return made


def run(flags: argparse.Namespace) -> int:
    """Serve until the editor goes away, or Ctrl-C."""
    del flags
    if find_spec(LIBRARY) is None:
        raise UsageError(f"`{PROGRAM} lsp` needs a library: pip install '{PROGRAM}[lsp]'")
    from agent_architecture.language_server import server

    return PASSED if server.run() else UNASKED
