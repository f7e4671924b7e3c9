"""The flags of each command. Knows argparse and the names; what a flag means is decided in `cli` and `config`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from agent_architecture.errors import USAGE, UsageError
from agent_architecture.flag_values import jobs_of, positive, risk, width
from agent_architecture.render.formats import FORMATS, format_of
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import WIDEST
from agent_architecture.render.view import LEAST_RISK

if TYPE_CHECKING:
    from agent_architecture.config import Baseline, Config, Output, Source

PROGRAM: Final = "agent-architecture"

CUSTOMS: Final = """\
configuration: agent-architecture.yaml (or [tool.agent-architecture] in pyproject.toml), for example
  data: {exclude: [legacy/**], include_tests: true}
ignoring: a comment on the line or above it, with a reason, for example
  # agent-architecture: ignore[loop-guard-absence] one turn, no tools
"""
HELP: Final = f"""\
Reads Python and TypeScript agent code and shows which guardrails it lacks. It never runs that code.

usage: {PROGRAM} COMMAND [ARGUMENTS]

commands:
  analyze [PATH ...]   judge a project (the current folder by default)
  explain RULE         what a rule finds, why, how to fix it, how to ignore it
  rules                list the rules
  graph [PATH ...]     draw agents, tools, servers and what ties them: Mermaid, DOT, JSON
  sbom [PATH ...]      agents, tools, models, servers and packages, as CycloneDX
  mcp                  serve the analyser to coding agents, over MCP
  fleet ACTION         scan, report, query and export many repositories
  lsp                  serve the analyser to editors, over the Language Server Protocol
  diff OLD [NEW]       what changed between two reports or git refs
  baseline write       save today's report; later runs are compared with it
  init [FOLDER]        write a commented configuration file, fitted to the project
  config ACTION        validate, show or describe the configuration file
  completion SHELL     completion for bash, zsh or fish
  cache ACTION         clean, or name, the folder in which earlier answers are kept

options:
  -h, --help           this text; `{PROGRAM} COMMAND --help` for one command
  -V, --version        the version

examples:
  {PROGRAM} analyze
  {PROGRAM} analyze services/agent --exclude 'legacy/**' --subjects
  {PROGRAM} analyze . -o report.json
  {PROGRAM} analyze --format console --format sarif --output agents.sarif
  {PROGRAM} analyze --baseline origin/main --fail-on high
  {PROGRAM} diff origin/main
  {PROGRAM} explain loop-guard-absence

{CUSTOMS}
exit codes:
  0  passed, findings or not        2  a mistake in usage or configuration
  1  a policy is violated           3  the analysis is incomplete
"""
ANALYZE_EXAMPLES: Final = f"""\
examples:
  {PROGRAM} analyze src --include-tests
  {PROGRAM} analyze . --format json | jq '.results[0].findings'
  {PROGRAM} analyze . --select safety,mcp --min-severity high
  {PROGRAM} analyze - --stdin-filename app/agent.py < app/agent.py
  {PROGRAM} analyze . --add-ignore --reason "known since the pilot" --select loop-guard
  {PROGRAM} analyze . --strict --no-progress      in CI: an unread file fails the run
  {PROGRAM} analyze . --baseline origin/main --fail-on high      fail on what a branch adds

{CUSTOMS}"""


class Parser(argparse.ArgumentParser):
    """A parser that is never wordy: one sentence, the nearest flag, where to look."""

    @property
    def known(self) -> tuple[argparse.Action, ...]:
        """Its flags and arguments, in the order of its help."""
        return tuple(self._actions)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and leave with exit code 2."""
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown != message:
            flag = unknown.split()[0].split("=")[0]
            flags = [name for action in self._actions for name in action.option_strings]
            kind = "flag" if flag.startswith("-") else "argument"
            message = f"there is no {kind} {flag}{nearest(flag, flags)}"
        self.exit(USAGE, f"error: {visible(message)}\nTry: {self.prog} --help\n")


def command_parser(name: str, description: str, examples: str, *, usage: str | None = None) -> Parser:
    """The parser of a command, with examples at the end of its help and no abbreviated flags."""
    return Parser(
        prog=f"{PROGRAM} {name}",
        usage=usage,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a sentence that names the most similar of `names`, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(names), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def parse(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """Parse with flags and paths in any order; after `--` everything is a path."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = parser.parse_intermixed_args(arguments[:end])
    flags.paths = [*getattr(flags, "paths", ()), *map(Path, arguments[end + 1 :])]
    return flags


def source_of(flags: argparse.Namespace) -> Source:
    """What the flags of `analyze` change in a configuration: those that were given, by the names of its fields."""
    frozen = {name: tuple(value) if isinstance(value, list) else value for name, value in vars(flags).items()}
    given: dict[str, Any] = {name: value for name, value in frozen.items() if value is not None}
    if "outputs" in given:
        given["outputs"] = outputs_of(given["outputs"])
    for name in {"include", "exclude"} & given.keys():
        given |= {name: tuple(map(glob_of, given[name])), f"{name}_from": None}
    if "baseline" in given:
        given["baseline"] = baseline_of(given["baseline"])
    if "fail_on" in given:
        from agent_architecture.detector import Severity

        given["fail_on"] = Severity(given["fail_on"])

    chosen = _choice(given)

    def source(config: Config) -> Config:
        def of(names: Iterable[str]) -> dict[str, Any]:
            return {name: given[name] for name in names if name in given}

        scoring = config.metric.scoring
        return config._replace(
            data=config.data._replace(**of(config.data._fields)),
            metric=config.metric._replace(scoring=scoring._replace(**of(scoring._fields))),
            policy=config.policy._replace(**of(config.policy._fields)),
            report=config.report._replace(**of(config.report._fields)),
            choice=config.choice._replace(**chosen),
        )

    return source


def _choice(given: Mapping[str, Any]) -> dict[str, Any]:
    """Which findings the flags choose: rules by their short keys, levels by their types."""
    from agent_architecture.detector import Severity
    from agent_architecture.model.system import Confidence

    made: dict[str, Any] = {name: _keys(given[name]) for name in ("select", "ignore") if name in given}
    if "min_severity" in given:
        made["min_severity"] = Severity(given["min_severity"])
    if "min_confidence" in given:
        made["min_confidence"] = Confidence(given["min_confidence"])
    return made


def _keys(texts: Iterable[str]) -> tuple[str, ...]:
    """The short keys that these lists of rules and groups name, each once."""
    from agent_architecture.registry import resolve_all

    names = [name for text in texts for name in text.split(",") if name.strip()]
    return tuple(dict.fromkeys(scalar.name for name in names for scalar in resolve_all(name)))


def glob_of(text: str, separator: str = os.sep) -> str:
    """A glob as it was typed; on Windows a backslash stands between folders, elsewhere it escapes."""
    return text.replace("\\", "/") if separator == "\\" else text


def analyze_parser() -> argparse.ArgumentParser:
    """The flags of `analyze`. A flag that was not given is None, so that it changes nothing in the configuration."""
    parser = command_parser(
        "analyze",
        "Judge the agent code below PATH, without running it.",
        ANALYZE_EXAMPLES,
        usage=f"{PROGRAM} analyze [PATH ...] [FLAGS]",
    )
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        type=Path,
        help="folders or files (default: the current folder); - is standard input",
    )
    files = parser.add_argument_group("files")
    files.add_argument("--stdin-filename", metavar="FILE", type=Path, help="which file standard input (-) is")
    add_files(files)
    add_configuration(parser.add_argument_group("configuration"))
    _add_requirements(parser.add_argument_group("requirements (a risk above 0.2 is then critical)"))
    _add_choice(parser.add_argument_group("which findings are shown (scores do not depend on it)"))
    _add_fixes(parser.add_argument_group("fixes (each is tried first: it closes its gap, and opens no other)"))
    _add_gate(parser.add_argument_group("what fails a run (exit code 1; findings alone do not)"))
    _add_output(parser.add_argument_group("output"))
    return parser


def add_files(group: argparse._ArgumentGroup) -> None:
    """The flags that say which files are read, and as what."""
    group.add_argument("--include", metavar="GLOB", action="append", help="read only what matches (.gitignore syntax)")
    group.add_argument(
        "--exclude", metavar="GLOB", action="append", help="leave out what matches; both may be repeated"
    )
    group.add_argument("--language", choices=("auto", "python", "typescript"), help="judge code in this one alone")
    group.add_argument("--include-tests", action="store_true", default=None, help="judge tests, too")
    group.add_argument("--include-examples", action="store_true", default=None, help="judge examples, too")
    group.add_argument(
        "--no-cache",
        action="store_true",
        help="read everything anew, keep nothing (also: AGENT_ARCHITECTURE_NO_CACHE=1)",
    )
    group.add_argument(
        "--jobs",
        metavar="N",
        type=jobs_of,
        help="work in N processes (default 1; 0: one for each processor); each takes memory of its own",
    )
    group.add_argument(
        "--max-file-size", metavar="BYTES", type=positive, help="do not read larger files (default 2000000)"
    )


def add_configuration(group: argparse._ArgumentGroup) -> None:
    """The flags that say which configuration file holds."""
    one = group.add_mutually_exclusive_group()
    one.add_argument(
        "--config", metavar="FILE", type=Path, help="this file instead of the one that is found from PATH upwards"
    )
    one.add_argument("--isolated", "--no-config", action="store_true", help="obey no configuration file")


def _add_requirements(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--require-loop-guards", action="store_true", default=None, help="agent runs need step limits")
    group.add_argument("--require-tool-policy", action="store_true", default=None, help="tools need a policy")
    group.add_argument("--require-eval-harness", action="store_true", default=None, help="agents need evaluations")


def _add_choice(group: argparse._ArgumentGroup) -> None:
    rules = "keys, rule ids, groups or unique beginnings, with commas; may be repeated"
    group.add_argument("--select", metavar="RULES", action="append", help=f"only these rules: {rules}")
    group.add_argument("--ignore", metavar="RULES", action="append", help="all but these rules")
    group.add_argument(
        "--min-severity", choices=("low", "medium", "high", "critical"), help="only findings of this severity or worse"
    )
    group.add_argument(
        "--min-confidence", choices=("low", "medium", "high"), help="only findings of this confidence or more"
    )
    group.add_argument(
        "--min-risk",
        metavar="RISK",
        type=risk,
        default=LEAST_RISK,
        help=f"on the console, only count places of less risk (0 to 1, default {LEAST_RISK})",
    )
    group.add_argument("--statistics", action="store_true", help="on the console, a count for each rule alone")
    group.add_argument(
        "--add-ignore", action="store_true", help="write a comment on the line of each finding; needs --reason"
    )
    group.add_argument("--reason", metavar="TEXT", help="why the findings of --add-ignore are acceptable")


def _add_fixes(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--fix", action="store_true", help="write the fixes that leave what the program does as it is")
    group.add_argument("--unsafe-fixes", action="store_true", help="count limits, time-outs and questions among them")
    group.add_argument(
        "--diff", action="store_true", help="print them as a diff and write nothing; exits with 1 where there are some"
    )


def _add_gate(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--fail-on",
        choices=("low", "medium", "high", "critical"),
        help="fail on findings of this severity or worse; with --baseline only on new ones",
    )
    group.add_argument("--require-agents", action="store_true", default=None, help="fail when no agent is found")
    group.add_argument(
        "--baseline", metavar="REF_OR_FILE", help="compare with a git ref (origin/main) or a saved JSON report"
    )
    group.add_argument(
        "--fail-fast", action="store_true", default=None, help="end the check of the policy at its first error"
    )
    group.add_argument("--strict", action="store_true", default=None, help="exit with 3 when something was left unread")


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--format",
        dest="outputs",
        action=_OutputPart,
        choices=tuple(FORMATS),
        help=f"{', '.join(FORMATS)} (default: console, or what the name of --output says)",
    )
    group.add_argument(
        "-o",
        "--output",
        dest="outputs",
        action=_OutputPart,
        metavar="FILE",
        help="write to this file; - is standard output (default). For several formats repeat both",
    )
    group.add_argument("--subjects", action="store_true", default=None, help="list every verdict, the good ones too")
    group.add_argument("-q", "--quiet", action="store_true", help="only findings and the last line; no progress")
    group.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="list every place, with the code; a traceback if the tool itself fails",
    )
    group.add_argument("--no-progress", action="store_true", help="no progress line")
    add_terminal(group)


class _OutputPart(argparse.Action):
    """Joins each `--format` with the `--output` beside it, whichever comes first."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Complete the last output, or begin another one."""
        part = "format" if option_string == "--format" else "file"
        outputs: list[dict[str, str]] = list(getattr(namespace, self.dest) or ())
        if outputs and part not in outputs[-1]:
            outputs[-1] = {**outputs[-1], part: str(values)}
        else:
            outputs.append({part: str(values)})
        setattr(namespace, self.dest, outputs)


def outputs_of(parts: Iterable[Mapping[str, str]]) -> tuple[Output, ...]:
    """The outputs that the flags ask for. Raises `UsageError` where two of them would be written to one place."""
    from agent_architecture.config import Output

    outputs = tuple(Output(part.get("format") or format_of(part["file"]), part.get("file")) for part in parts)
    places = ["-" if output.file is None else output.file for output in outputs]
    for place in places:
        if places.count(place) > 1:
            where = "standard output" if place == "-" else place
            raise UsageError(f"two formats would be written to {where}; give each its --output")
    return outputs


def baseline_of(name: str) -> Baseline:
    """What `--baseline` names: a file that is there, else a git ref."""
    from agent_architecture.config import Baseline

    return Baseline("file", path=name) if Path(name).is_file() else Baseline("git", ref=name)


def add_terminal(group: argparse._ActionsContainer) -> None:
    """The flags that say how text is shown."""
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto obeys NO_COLOR, FORCE_COLOR and TERM=dumb",
    )
    group.add_argument(
        "--width", metavar="COLUMNS", type=width, help=f"width of the text (default: the terminal's, at most {WIDEST})"
    )
