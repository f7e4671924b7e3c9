"""`mcp`: the analyser for coding agents, as an MCP server."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, command_parser

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} mcp                          over stdio, for the current folder
  {PROGRAM} mcp --root services/agent    nothing outside of this folder
  {PROGRAM} mcp --http 8765              streamable HTTP on this machine alone, at /mcp
"""
LIBRARY: Final = "mcp"
LOOPBACK: Final = "127.0.0.1"


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
        help=f"streamable HTTP at http://{LOOPBACK}:PORT/mcp instead of stdio; only this machine reaches it",
    )
    return made


def run(flags: argparse.Namespace) -> int:
    """Serve until the client goes away, or Ctrl-C."""
    if find_spec(LIBRARY) is None:
        raise UsageError(f"`{PROGRAM} mcp` needs a library: pip install '{PROGRAM}[mcp]'")
    if flags.http is not None and not 0 < flags.http < 1 << 16:
        raise UsageError(f"--http {flags.http} is no port")
    from agent_architecture.mcp_server.roots import roots_of
    from agent_architecture.mcp_server.server import server_of

    server = server_of(roots_of(flags.root or [Path.cwd()]))
    if flags.http is None:
        server.run("stdio")
    else:
        from mcp.server.transport_security import TransportSecuritySettings

        hosts = [f"{name}:{flags.http}" for name in (LOOPBACK, "localhost")]
        # A page on another port of this machine is somebody else, too.
        own = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
        server.run("streamable-http", host=LOOPBACK, port=flags.http, transport_security=own)
    return PASSED
