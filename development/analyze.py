"""`./dev analyze`: what the installed command does, and without a path it does it to the example.

The command's own parser says which words are paths: it alone knows the flags that take a value.
"""

from __future__ import annotations

import sys
from pathlib import Path

from agent_architecture.cli import main
from agent_architecture.flags import analyze_parser, parse

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "support-agent"


def completed(arguments: list[str]) -> list[str]:
    """The arguments, with the example where they name no path. A mistake ends the process, as in the command."""
    is_help = not {"-h", "--help"}.isdisjoint(arguments)
    return arguments if is_help or parse(analyze_parser(), arguments).paths else [*arguments, str(EXAMPLE)]


if __name__ == "__main__":
    sys.exit(main(["analyze", *completed(sys.argv[1:])]))
