"""`mcp`: the analyser for coding agents, as an MCP server."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, command_parser

if TYPE_CHECKING:
    from agent_architecture.mcp_server.history import Histories
    from agent_architecture.mcp_server.roots import Roots

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} mcp                          over stdio, for the current folder
  {PROGRAM} mcp --root services/agent    nothing outside of this folder
  {PROGRAM} mcp --http 8765              streamable HTTP on this machine alone, at /mcp
"""
LIBRARY: Final = "mcp"
LOOPBACK: Final = "127.0.0.1"
TOKEN: Final = "AGENT_ARCHITECTURE_MCP_TOKEN"  # noqa: S105 - the name of a variable
"""What every request over HTTP has to bring; without it, a new one is made at each start."""
SHORTEST: Final = 16
"""Characters of a token that nobody guesses."""


def parser() -> argparse.ArgumentParser:
    """The flags of `mcp`."""
    made = command_parser(
        "mcp",
        "Serve the analyser over the Model Context Protocol. It reads the roots alone, and writes nothing.\n"
        "Needs the extra: pip install 'agent-architecture[mcp]'.",
        EXAMPLES,
        usage=f"{PROGRAM} mcp [FLAGS]",
    )
    made.add_argument(
        "--root",
        metavar="FOLDER",
        action="append",
        default=[],
        type=Path,
        help="what may be read (default: the current folder); may be repeated",
    )
    made.add_argument(
        "--http",
        metavar="PORT",
        type=int,
        help=f"streamable HTTP at http://{LOOPBACK}:PORT/mcp instead of stdio; only this machine reaches it, with the\n"
        f"token in {TOKEN}, or the one that is shown at the start",
    )
    return made


def run(flags: argparse.Namespace) -> int:
    """Serve until the client goes away, or Ctrl-C."""
    if find_spec(LIBRARY) is None:
        raise UsageError(f"`{PROGRAM} mcp` needs a library: pip install '{PROGRAM}[mcp]'")
    if flags.http is not None and not 0 < flags.http < 1 << 16:
        raise UsageError(f"--http {flags.http} is no port")
    from agent_architecture.mcp_server.history import Histories
    from agent_architecture.mcp_server.roots import roots_of

    roots = roots_of(flags.root or [Path.cwd()])
    with closing(Histories(roots)) as histories:
        _serve(roots, histories, flags.http)
    return PASSED


def _serve(roots: Roots, histories: Histories, port: int | None) -> None:
    from agent_architecture.mcp_server.server import http_server_of, server_of

    if port is None:
        server_of(roots, histories).run("stdio")
        return
    from mcp.server.transport_security import TransportSecuritySettings

    hosts = [f"{name}:{port}" for name in (LOOPBACK, "localhost")]
    # A page on another port of this machine is somebody else, too.
    own = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    url = f"http://{LOOPBACK}:{port}/mcp"
    server = http_server_of(roots, histories, url, _token(url))
    server.run("streamable-http", host=LOOPBACK, port=port, transport_security=own)


def _token(address: str) -> str:
    """The token of the user's environment, or a new one, which is shown."""
    given = os.environ.get(TOKEN, "")
    if given:
        if len(given) < SHORTEST or not given.isascii() or not given.isprintable() or " " in given:
            raise UsageError(f"{TOKEN} has to be at least {SHORTEST} signs of ASCII without a blank")
        return given
    made = secrets.token_urlsafe(32)
    sys.stderr.write(f"{PROGRAM}: {address} answers requests with this header:\nAuthorization: Bearer {made}\n")
    return made
