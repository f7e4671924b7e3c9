"""Write the two files of a new detector or of a new library's pack, as a start that already works.

Knows where files go and what form they have; the author knows what they are about.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from string import Template

from agent_architecture.contract import contract
from agent_architecture.errors import AgentArchitectureError
from agent_architecture.registry import resolve

ROOT = Path(__file__).resolve().parent.parent
SHARE = "controlled / len(judged) if judged else 1.0"
COUNT = "len(judged) - controlled"
TEMPLATES = Path(__file__).resolve().parent / "templates"


class ScaffoldError(AgentArchitectureError):
    """The files cannot be written; the message says why."""


def main() -> int:
    """Write the files and say where they are; 2 when they cannot be written."""
    parser = argparse.ArgumentParser(prog="./dev new", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the project to write into (default: this one)")
    kinds = parser.add_subparsers(dest="kind", required=True)
    of_detector = kinds.add_parser("detector", help="a detector: its judgement and its page")
    of_detector.add_argument("group")
    of_detector.add_argument("key")
    of_framework = kinds.add_parser("framework", help="a library's pack: its rows and its page")
    of_framework.add_argument("id")
    options = parser.parse_args()
    try:
        if options.kind == "detector":
            files = detector_files(options.group, options.key)
        else:
            files = framework_files(options.id)
        write(options.root, files)
    except AgentArchitectureError as error:
        print(f"dev: {error}", file=sys.stderr)
        return error.exit_code
    print("\n".join(files))
    return 0


def detector_files(group: str, key: str) -> dict[str, str]:
    """Paths and texts of a detector. Raises a `UsageError` or `ScaffoldError` where the contract differs."""
    scalar = resolve(key)
    if scalar.name != key or scalar.group != group:
        raise ScaffoldError(f"the contract has {scalar.name} in the group {scalar.group}: {scalar.group} {scalar.name}")
    folder = f"src/agent_architecture/detectors/{group}"
    signals = "".join(
        f'        "{signal.name}": {SHARE if signal.type == "ratio" else COUNT},\n'
        for signal in contract().signals
        if signal.owner == key
    )
    code = filled("detector.py", key=key, outcome="Outcome, " if signals else "")
    code += filled("signals.py", signals=signals) if signals else ""
    return {f"{folder}/{key}.py": code, f"{folder}/{key}.md": filled("detector.md", key=key)}


def framework_files(name: str) -> dict[str, str]:
    """Paths and texts of a pack. Raises a `ScaffoldError` for an id that cannot be a file's name."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ScaffoldError(f"{name!r} is no id: small letters, digits and single hyphens, such as openai-agents")
    module = name.replace("-", "_")
    return {
        f"src/agent_architecture/frameworks/{module}.toml": filled("framework.toml", id=name, module=module),
        f"tests/frameworks/{module}.md": filled("framework.md", id=name, module=module),
    }


def filled(template: str, **names: str) -> str:
    """A template with its names filled in."""
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(names)


def write(root: Path, files: dict[str, str]) -> None:
    """Write all files, or none if one is there already."""
    for path in files:
        if (root / path).exists():
            raise ScaffoldError(f"{path} is there already")
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
