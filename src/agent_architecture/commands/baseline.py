"""`baseline write`: the report of today, saved, so that later runs are compared with it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED
from agent_architecture.flags import PROGRAM, add_configuration, add_files, command_parser
from agent_architecture.render.counted import counted
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import complain, progress_stream, target_of, write

if TYPE_CHECKING:
    from agent_architecture.config import Config

FILE: Final = "agent-architecture-baseline.json"
EXAMPLES: Final = f"""\
examples:
  {PROGRAM} baseline write
  {PROGRAM} analyze --baseline {FILE} --fail-on low
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `baseline`."""
    made = command_parser(
        "baseline",
        "Save the report of today: what is in it is accepted, what comes later is new.",
        EXAMPLES,
    )
    made.add_argument("action", choices=("write",), help="what to do")
    made.add_argument(
        "paths", metavar="PATH", nargs="*", type=Path, help="folders or files (default: the current folder)"
    )
    made.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"where to (default: policy.baseline.path, else {FILE}); - is standard output",
    )
    add_files(made.add_argument_group("files"))
    add_configuration(made.add_argument_group("configuration"))
    made.add_argument("--no-progress", action="store_true", help="no progress line")
    return made


def run(flags: argparse.Namespace) -> int:
    """Analyse and save."""
    from agent_architecture.commands.configured import configured
    from agent_architecture.pipeline import analyze
    from agent_architecture.render import json
    from agent_architecture.render.progress import progress_on
    from agent_architecture.sources.root import common_folder

    paths = flags.paths or [Path()]
    config = configured(flags, common_folder(paths))
    file = flags.output or _file(config)
    target = target_of(file)
    with progress_on(progress_stream(quiet=flags.no_progress)) as progress:
        outcome = analyze(paths, config, progress)
    write(json.render(outcome), target, encoding="utf-8")
    if target is not None:
        count = len(outcome.report.findings)
        complain(f"wrote {visible(file)}: {counted(count, 'finding')}")
    return PASSED


def _file(config: Config) -> str:
    baseline = config.policy.baseline
    return baseline.path if baseline is not None and baseline.mode == "file" else FILE
