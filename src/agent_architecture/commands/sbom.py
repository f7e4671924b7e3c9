"""`sbom`: what the agent system consists of, as CycloneDX."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, add_configuration, add_files, command_parser
from agent_architecture.render.terminal import target_of, write

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} sbom -o agents.cdx.json
  {PROGRAM} sbom services/agent --include-tests
"""
LIBRARY: Final = "cyclonedx"


def parser() -> argparse.ArgumentParser:
    """The flags of `sbom`."""
    made = command_parser(
        "sbom",
        "List the agents, tools, models, prompts, MCP servers and A2A peers below PATH, with the packages of their\n"
        "libraries, as a CycloneDX 1.6 document. Needs the extra: pip install 'agent-architecture[sbom]'.",
        EXAMPLES,
        usage=f"{PROGRAM} sbom [PATH ...] [FLAGS]",
    )
    made.add_argument(
        "paths", metavar="PATH", nargs="*", type=Path, help="folders or files (default: the current folder)"
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write to this file; - is standard output (default)")
    add_files(made.add_argument_group("files"))
    add_configuration(made.add_argument_group("configuration"))
    return made


def run(flags: argparse.Namespace) -> int:
    """List it."""
    if find_spec(LIBRARY) is None:
        raise UsageError(f"`{PROGRAM} sbom` needs a library: pip install '{PROGRAM}[sbom]'")

    from agent_architecture.commands.scanned import scanned
    from agent_architecture.render import sbom

    target = target_of(flags.output)
    write(sbom.render(scanned(flags).report), target, encoding="utf-8")
    return PASSED
