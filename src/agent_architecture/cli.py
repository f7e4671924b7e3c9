"""The command line: arguments in, text and an exit code out. No logic of its own; a command imports what it needs.

Exit codes: 0 passed, 1 a policy is violated, 2 usage or configuration, 3 the analysis is incomplete; 130 interrupted,
141 the reader of the output went away. A user's mistake is one sentence on standard error, never a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.commands import baseline as baseline_command
from agent_architecture.commands import cache as cache_command
from agent_architecture.commands import completion, init, rules
from agent_architecture.commands import config as config_command
from agent_architecture.commands import diff as diff_command
from agent_architecture.commands import explain as explain_command
from agent_architecture.commands import fleet as fleet_command
from agent_architecture.commands import graph as graph_command
from agent_architecture.commands import lsp as lsp_command
from agent_architecture.commands import mcp as mcp_command
from agent_architecture.commands import sbom as sbom_command
from agent_architecture.commands.scanned import existing
from agent_architecture.errors import INCOMPLETE, PASSED, USAGE, AgentArchitectureError, UsageError
from agent_architecture.flags import (
    HELP,
    PROGRAM,
    analyze_parser,
    nearest,
    parse,
)
from agent_architecture.render.safe import fit, visible
from agent_architecture.render.terminal import (
    complain,
    drop_output,
    progress_stream,
    repository_files,
    style_of,
    target_of,
    width_of,
    write,
)
from agent_architecture.sources.root import common_folder
from agent_architecture.version import VERSION

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractContextManager

    from agent_architecture.config import Config
    from agent_architecture.policy.snapshots import Snapshot
    from agent_architecture.render.progress import Progress
    from agent_architecture.render.view import SourceLine
    from agent_architecture.report import Outcome

INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
LONGEST_ERROR: Final = 300
STDIN: Final = Path("-")
LIKELY: Final = {
    **dict.fromkeys(("check", "lint", "scan", "run", "audit", "test", "report", "ci"), "analyze"),
    **dict.fromkeys(("rule", "why", "show", "man"), "explain"),
    **dict.fromkeys(("list", "detectors", "ls"), "rules"),
    "compare": "diff",
    "help": "--help",
    "version": "--version",
}
"""What users of other tools type, and what they mean."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(arguments)
    except AgentArchitectureError as error:
        complain(f"error: {visible(str(error))}")
        return error.exit_code
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - whatever it is, the user reads one line
        _internal_error(error, verbose=not {"-v", "--verbose"}.isdisjoint(arguments))
        return INCOMPLETE


def _run(arguments: list[str]) -> int:
    if not arguments:
        complain(HELP.rstrip())
        return USAGE
    name, *rest = arguments
    if name in {"-h", "--help"}:
        write(HELP)
    elif name in {"-V", "--version"}:
        write(f"{PROGRAM} {VERSION}\n")
    elif name in COMMANDS:
        return _command(name, rest)
    else:
        raise UsageError(_unknown_command(name))
    return PASSED


def _command(name: str, arguments: list[str]) -> int:
    make_parser, run = COMMANDS[name]
    parser = make_parser()
    if not {"-h", "--help"}.isdisjoint(arguments):
        write(parser.format_help())
        return PASSED
    try:
        flags = parse(parser, arguments)
    except SystemExit as stop:  # argparse has said what is wrong
        return stop.code if isinstance(stop.code, int) else USAGE
    return run(flags)


def _unknown_command(name: str) -> str:
    if name.startswith("-"):
        return f"flags come after a command: {PROGRAM} analyze {name}"
    if Path(name).exists():
        return f"there is no command {name!r}; to judge that path: {PROGRAM} analyze {name}"
    meant = LIKELY.get(name.lower())
    hint = f"; did you mean {meant}?" if meant else nearest(name, COMMANDS)
    return f"there is no command {name!r}{hint} (see {PROGRAM} --help)"


def _internal_error(error: Exception, *, verbose: bool) -> None:
    if verbose:
        import traceback

        complain(visible_lines("".join(traceback.format_exception(error))))
    said = fit(visible(" ".join(str(error).split())), LONGEST_ERROR)
    hint = "please report it" if verbose else "please report it with what -v shows"
    complain(f"internal error: {type(error).__name__}: {said or 'no message'} (a bug in {PROGRAM}: {hint})")


def visible_lines(text: str) -> str:
    """Each line of foreign `text` made safe to print."""
    return "\n".join(map(visible, text.rstrip("\n").split("\n")))


# ------------------------------------------------------------------------------------------------------------- commands
def _analyze(flags: argparse.Namespace) -> int:
    paths = [_stdin_name(flags)] if STDIN in flags.paths else [existing(path) for path in flags.paths or [Path()]]
    if flags.stdin_filename is not None and STDIN not in flags.paths:
        raise UsageError(f"--stdin-filename goes with the path {STDIN} (standard input)")

    from agent_architecture.commands.configured import configured  # after the paths: a mistake is said at once

    if flags.fix or flags.diff:
        from agent_architecture.commands import fix

        fix.check(flags)
    root = common_folder(paths)
    config = configured(flags, root)
    if STDIN in flags.paths:
        config = _with_stdin(config)
    if not config.metric.enabled:
        complain(f"nothing to do: {config.file} switches the metric off")
        return PASSED
    targets = [(output, target_of(output.file)) for output in config.report.outputs]
    if flags.add_ignore or flags.reason is not None:
        from agent_architecture.commands import add_ignore

        return add_ignore.run(flags, root, lambda: _outcome(paths, config, flags), config.data.max_file_size)
    if flags.diff:
        return _difference(paths, config, flags)
    before = _baseline(paths, config, flags)

    from agent_architecture.policy.gate import judge

    outcome = judge((_fixed if flags.fix else _outcome)(paths, config, flags), config.policy, before)
    for output, target in targets:
        if output.format == "console":
            write(_console(outcome, flags, config, paths, target), target)
        else:
            text = _html(outcome, config, root) if output.format == "html" else ""
            write(text or _for_programs(output.format, outcome, config, _prefix(root)), target, encoding="utf-8")
    return outcome.decision.exit_code


def _baseline(paths: Sequence[Path], config: Config, flags: argparse.Namespace) -> Snapshot | None:
    """What the result is compared with. A policy that cannot be obeyed is said before the scan."""
    from agent_architecture.policy.invariants import checked

    checked(config.policy.invariants)
    if config.policy.baseline is None:
        return None
    from agent_architecture.policy.baseline import load

    with _progress(flags) as progress:
        return load(config.policy.baseline, paths, config, progress)


def _for_programs(name: str, outcome: Outcome, config: Config, prefix: str) -> str:
    """The outcome in a format that no terminal decides about."""
    if name == "sarif":
        from agent_architecture.registry import load
        from agent_architecture.render import sarif

        return sarif.render(outcome, load(), prefix=prefix)
    if name == "markdown":
        from agent_architecture.render import markdown

        return markdown.render(outcome, markdown.Links(prefix, repository_files(os.environ)))
    if name == "github":
        from agent_architecture.render import github

        return github.render(outcome, prefix=prefix)
    if name == "junit":
        from agent_architecture.render import junit

        return junit.render(outcome)
    if name == "yaml":
        from agent_architecture.render import yaml

        return yaml.render(outcome, subjects=config.report.subjects)
    from agent_architecture.render import json

    return json.render(outcome, subjects=config.report.subjects)


def _html(outcome: Outcome, config: Config, root: Path) -> str:
    """The page, with the lines of code that it quotes."""
    from agent_architecture.registry import load
    from agent_architecture.render.html import page

    return page.render(outcome, load(), _source(config, root))


def _source(config: Config, root: Path) -> SourceLine:
    """What gives lines of the scanned files to formats that quote them."""
    from agent_architecture.sources.lines import line_reader, text_reader

    content = config.data.content
    return line_reader(root, config.data.max_file_size) if content is None else text_reader(content)


def _outcome(paths: Sequence[Path], config: Config, flags: argparse.Namespace) -> Outcome:
    from agent_architecture.pipeline import analyze

    with _progress(flags) as progress:
        return analyze(paths, config, progress)


def _fixed(paths: Sequence[Path], config: Config, flags: argparse.Namespace) -> Outcome:
    """What is left after repairs were written."""
    from agent_architecture.commands import fix

    with _progress(flags) as progress:
        return fix.fixed(paths, common_folder(paths), config, progress, unsafe=flags.unsafe_fixes)


def _difference(paths: Sequence[Path], config: Config, flags: argparse.Namespace) -> int:
    """Show what repairs would write."""
    from agent_architecture.commands import fix

    with _progress(flags) as progress:
        return fix.show(paths, common_folder(paths), config, progress, unsafe=flags.unsafe_fixes)


def _stdin_name(flags: argparse.Namespace) -> Path:
    """The name of the file that standard input is."""
    if len(flags.paths) > 1 or flags.add_ignore:
        raise UsageError("standard input is judged alone, and nothing can be written to it")
    if flags.stdin_filename is None:
        raise UsageError("standard input needs --stdin-filename FILE: its name says in which language it is")
    name: Path = flags.stdin_filename
    return name


def _with_stdin(config: Config) -> Config:
    """The configuration with standard input as the content of the one file; a baseline has no such file."""
    content = sys.stdin.buffer.read(config.data.max_file_size + 1) if sys.stdin is not None else b""
    policy = config.policy._replace(
        baseline=None, invariants=tuple(one for one in config.policy.invariants if not one.baseline)
    )
    return config._replace(data=config.data._replace(content=content), policy=policy)


def _console(
    outcome: Outcome, flags: argparse.Namespace, config: Config, paths: Sequence[Path], target: Path | None
) -> str:
    from agent_architecture.commands.fix import fixable
    from agent_architecture.render.console import render

    root = common_folder(paths)
    style = style_of(target, flags.color)
    return render(
        outcome,
        width=flags.width or width_of(target),
        color=style.color,
        unicode=style.unicode,
        verbose=flags.verbose,
        quiet=flags.quiet,
        subjects=config.report.subjects,
        counts=flags.statistics,
        source=_source(config, root),
        prefix=_prefix(root),
        least_risk=flags.min_risk,
        fixable=fixable(outcome.report, root, config, unsafe=flags.unsafe_fixes),
    )


def _prefix(root: Path) -> str:
    """What leads from the current folder down to `root`, so that a terminal can open the paths."""
    try:
        way = os.path.relpath(root)
    except ValueError:  # another drive
        return ""
    return "" if way.startswith(os.pardir) or way == os.curdir else Path(way).as_posix() + "/"


def _progress(flags: argparse.Namespace) -> AbstractContextManager[Progress]:
    from agent_architecture.render.progress import progress_on

    return progress_on(progress_stream(quiet=flags.quiet or flags.no_progress))


COMMANDS: Final[dict[str, tuple[Callable[[], argparse.ArgumentParser], Callable[[argparse.Namespace], int]]]] = {
    "analyze": (analyze_parser, _analyze),
    "baseline": (baseline_command.parser, baseline_command.run),
    "completion": (completion.parser, lambda flags: completion.run(flags, _parsers())),
    "cache": (cache_command.parser, cache_command.run),
    "config": (config_command.parser, config_command.run),
    "diff": (diff_command.parser, diff_command.run),
    "explain": (explain_command.parser, explain_command.run),
    "fleet": (fleet_command.parser, fleet_command.run),
    "graph": (graph_command.parser, graph_command.run),
    "init": (init.parser, init.run),
    "lsp": (lsp_command.parser, lsp_command.run),
    "mcp": (mcp_command.parser, mcp_command.run),
    "rules": (rules.parser, rules.run),
    "sbom": (sbom_command.parser, sbom_command.run),
}


def _parsers() -> dict[str, argparse.ArgumentParser]:
    return {name: make() for name, (make, _) in COMMANDS.items()}
