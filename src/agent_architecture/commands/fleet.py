"""`fleet scan`, `fleet report`, `fleet query`, `fleet export` and `fleet prune`: many repositories, in one store."""

from __future__ import annotations

import argparse
import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flag_values import jobs_of
from agent_architecture.flags import PROGRAM, add_configuration, add_terminal, command_parser
from agent_architecture.render.counted import counted
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import complain, progress_stream, style_of, target_of, width_of, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.fleet.entries import Threshold
    from agent_architecture.fleet.scanning import Engine, Told
    from agent_architecture.fleet.store import Store
    from agent_architecture.fleet.tasks import Answer, Asked, Bounds
    from agent_architecture.render.progress import Progress

STORE: Final = Path("fleet.duckdb")
EXAMPLES: Final = f"""\
examples:
  {PROGRAM} fleet scan ~/checkouts                  each repository below a folder, into {STORE}
  {PROGRAM} fleet scan repositories.txt --jobs 8    a path or git URL a line, with a ref behind it
  {PROGRAM} fleet scan repositories.json --html fleet.html --fail-on critical
  {PROGRAM} fleet scan repositories.json --engine ray --ray-address ray-head:6379
  {PROGRAM} fleet report --csv fleet.csv
  {PROGRAM} fleet query "SELECT repository, health FROM ranking LIMIT 20"
  {PROGRAM} fleet export --parquet tables
  {PROGRAM} fleet prune --runs 30

A run that was stopped (Ctrl-C) goes on with the same command. Repositories that have not changed are not judged again.
"""  # noqa: S608 - an example
MOST_REASONS: Final = 20
"""Reasons of a failed run that are said: the report has them all."""
MOST_DAYS: Final = 365_000
"""A thousand years: nothing is older."""
LIBRARIES: Final = {"duckdb": "fleet", "ray": "ray"}
"""What has to be installed, and the extra that installs it."""


def parser() -> argparse.ArgumentParser:
    """The flags of `fleet`."""
    made = command_parser(
        "fleet",
        "scan: judge many repositories, each in a process of its own, and keep what is found.\n"
        "report: show the last run. query: ask the store in SQL. export: write its tables as Parquet.\n"
        "prune: take old runs out of the store, and what only they have found.\n"
        "Needs the extra: pip install 'agent-architecture[fleet]' (with Ray: 'agent-architecture[ray]').",
        EXAMPLES,
        usage=f"{PROGRAM} fleet ACTION [INPUT ...] [FLAGS]",
    )
    made.add_argument("action", choices=("scan", "report", "query", "export", "prune"), help="what to do")
    made.add_argument(
        "inputs",
        metavar="INPUT",
        nargs="*",
        help="for scan: folders of checkouts, lists (.txt), JSON lists (.json), git URLs; for query: the SQL",
    )
    made.add_argument("--store", metavar="FILE", type=Path, default=STORE, help=f"the DuckDB file (default: {STORE})")
    _add_scan(made.add_argument_group("how scan works"))
    group = made.add_argument_group("what prune keeps (the last run in any case)")
    group.add_argument("--runs", metavar="N", type=_positive, help="the last N runs")
    group.add_argument("--days", metavar="N", type=_positive, help="the runs that were begun in the last N days")
    add_configuration(made.add_argument_group("configuration (default: each repository's own)"))
    _add_output(made.add_argument_group("what is shown, and what fails a run (exit code 1)"))
    return made


def _add_scan(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--engine", choices=("local", "ray"), default="local", help="this machine, or a Ray cluster")
    group.add_argument("--ray-address", metavar="ADDRESS", default="", help="of the cluster (default: RAY_ADDRESS)")
    group.add_argument(
        "--jobs",
        metavar="N",
        type=jobs_of,
        default=jobs_of("0"),
        help="repositories at once (default: one a processor)",
    )
    group.add_argument("--timeout", metavar="S", type=_positive, default=600, help="seconds a repository (default 600)")
    group.add_argument(
        "--memory", metavar="MB", type=_positive, default=2000, help="megabytes of its process (default 2000; Linux)"
    )
    group.add_argument(
        "--max-download", metavar="MB", type=_positive, default=1000, help="megabytes that git may fetch (default 1000)"
    )
    group.add_argument("--no-resume", action="store_true", help="begin a new run, also where the last was stopped")
    group.add_argument("--no-cache", action="store_true", help="judge anew what has not changed since the last run")


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--html", metavar="FILE", help="write the report as one HTML file")
    group.add_argument("--csv", metavar="FILE", help="write one line a repository; - is standard output")
    group.add_argument("--parquet", metavar="FOLDER", type=Path, help="for export: where the tables go")
    group.add_argument("--format", choices=("table", "csv", "json"), default="table", help="of query (default: table)")
    group.add_argument(
        "--fail-on", choices=("low", "medium", "high", "critical"), help="fail on findings of this severity or worse"
    )
    group.add_argument("--strict", action="store_true", help="exit with 3 when a repository could not be read")
    group.add_argument("-q", "--quiet", action="store_true", help="no report on the console, and no progress")
    group.add_argument("-v", "--verbose", action="store_true", help="whole lists, and a line for each repository done")
    group.add_argument("--no-progress", action="store_true", help="no progress line")
    add_terminal(group)


def run(flags: argparse.Namespace) -> int:
    """Do it.

    Raises:
        UsageError: an input, the store or a library is not there, or the SQL is wrong.
    """
    for name, extra in LIBRARIES.items():
        if find_spec(name) is None and (name == "duckdb" or (flags.action, flags.engine) == ("scan", name)):
            raise UsageError(f"`{PROGRAM} fleet` needs {name}: pip install '{PROGRAM}[{extra}]'")
    inputs: list[str] = [*flags.inputs, *map(str, getattr(flags, "paths", ()))]
    actions = {"scan": _scan, "report": _report, "query": _query, "export": _export, "prune": _prune}
    return actions[flags.action](flags, inputs)


# ---------------------------------------------------------------------------------------------------------------- scan
def _scan(flags: argparse.Namespace, inputs: Sequence[str]) -> int:
    import gc

    from agent_architecture.fleet.entries import fleet_of
    from agent_architecture.fleet.scanning import Plan, scan
    from agent_architecture.fleet.store import Store
    from agent_architecture.fleet.tasks import Bounds
    from agent_architecture.render.progress import progress_on

    gc.enable()  # this process lives long
    if not inputs:
        raise UsageError(f"name the repositories: {PROGRAM} fleet scan FOLDER, a list, or a JSON list")
    targets = _targets(flags)
    fleet = fleet_of(inputs)
    bounds = Bounds(flags.timeout, flags.memory, flags.max_download)
    plan = Plan(fleet.entries, _asked(flags), bounds, resume=not flags.no_resume, cached=not flags.no_cache)
    with Store(flags.store) as store:
        with progress_on(progress_stream(quiet=flags.quiet or flags.no_progress), rate=True) as progress:
            try:
                done = scan(plan, store, _engine(flags, bounds), _told(progress, verbose=flags.verbose))
            except KeyboardInterrupt:
                progress.close()
                complain(f"stopped: what is finished is in {flags.store}; the same command goes on from there")
                raise
        if done.kept and not flags.quiet:
            complain(f"went on with run {done.run}: {done.kept} of {done.kept + done.scanned} were done already")
        return _shown(store, flags, targets, fleet.thresholds)


def _asked(flags: argparse.Namespace) -> Asked:
    """What is asked of each repository: with its own configuration, none, or the one that the flag names."""
    from agent_architecture.configuration.discover import named
    from agent_architecture.fleet.scanning import asked_of

    if flags.config is None:
        return asked_of(isolated=flags.isolated)
    file = named(flags.config).path
    return asked_of(config_name=file.name, config_text=file.read_text("utf-8"))


def _engine(flags: argparse.Namespace, bounds: Bounds) -> Engine:
    if flags.engine == "ray":
        from agent_architecture.fleet import on_ray

        return partial(
            on_ray.judged, address=flags.ray_address or os.environ.get("RAY_ADDRESS", ""), memory=bounds.memory
        )
    from agent_architecture.fleet import local

    return partial(local.judged, jobs=flags.jobs)


def _told(progress: Progress, *, verbose: bool) -> Told:
    def told(answer: Answer, done: int, total: int) -> None:
        if verbose:
            progress.close()
            complain(f"{done}/{total} {visible(answer.name)}: {_state(answer)}")
        progress("repositories", done, total)

    return told


def _state(answer: Answer) -> str:
    return answer.error or ("unchanged" if answer.unchanged else "done")


# -------------------------------------------------------------------------------------------------------------- report
def _report(flags: argparse.Namespace, inputs: Sequence[str]) -> int:
    from agent_architecture.fleet.store import Store

    _no_input(inputs, "report")
    targets = _targets(flags)
    with Store(flags.store, reading=True) as store:
        return _shown(store, flags, targets, ())


def _targets(flags: argparse.Namespace) -> dict[str, Path | None]:
    """Where each form goes: hopeless files are refused before any work is done."""
    return {name: target_of(file) for name in ("html", "csv") if (file := getattr(flags, name)) is not None}


def _shown(
    store: Store, flags: argparse.Namespace, targets: dict[str, Path | None], thresholds: Sequence[Threshold]
) -> int:
    from agent_architecture.fleet.overview import overview_of
    from agent_architecture.fleet.thresholds import decided

    found = overview_of(store)
    if "html" in targets:
        from agent_architecture.fleet import page

        write(page.render(found), targets["html"], encoding="utf-8")
    if "csv" in targets:
        from agent_architecture.fleet.sheet import repositories_csv

        write(repositories_csv(found.repositories), targets["csv"], encoding="utf-8")
    if not flags.quiet and None not in targets.values():
        from agent_architecture.fleet.summary import render

        width = flags.width or width_of(None)
        write(render(found, width=width, style=style_of(None, flags.color), verbose=flags.verbose))
    decision = decided(found.repositories, thresholds, flags.fail_on, strict=flags.strict)
    for reason in decision.reasons[:MOST_REASONS]:
        complain(f"failed: {visible(reason)}")
    if len(decision.reasons) > MOST_REASONS:
        complain(f"failed: and {len(decision.reasons) - MOST_REASONS} more reasons")
    return decision.exit_code


# ----------------------------------------------------------------------------------------------------- query and export
def _query(flags: argparse.Namespace, inputs: Sequence[str]) -> int:
    from agent_architecture.fleet.store import Store

    if len(inputs) != 1:
        raise UsageError(f'give the SQL as one argument: {PROGRAM} fleet query "FROM ranking"')
    with Store(flags.store, reading=True) as store:
        answer = store.ask(inputs[0])
    if flags.format == "csv":
        from agent_architecture.fleet.sheet import csv_text

        write(csv_text(answer.columns, answer.rows), encoding="utf-8")
    elif flags.format == "json":
        import json

        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        write(json.dumps(rows, ensure_ascii=False, indent=2, default=str) + "\n", encoding="utf-8")
    else:
        from agent_architecture.fleet.summary import table_text

        write(table_text(answer.columns, answer.rows, style_of(None, flags.color)))
    return PASSED


def _export(flags: argparse.Namespace, inputs: Sequence[str]) -> int:
    from agent_architecture.fleet.store import Store

    _no_input(inputs, "export")
    folder: Path | None = flags.parquet
    if folder is None:
        raise UsageError(f"say where the tables go: {PROGRAM} fleet export --parquet FOLDER")
    with Store(flags.store, reading=True) as store:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write to {folder}: {error.strerror}") from None
        for file in store.export(folder):
            write(f"{visible(str(file))}\n")
    return PASSED


# --------------------------------------------------------------------------------------------------------------- prune
def _prune(flags: argparse.Namespace, inputs: Sequence[str]) -> int:
    from datetime import UTC, datetime, timedelta

    from agent_architecture.fleet.store import Store

    _no_input(inputs, "prune")
    if flags.runs is None and flags.days is None:
        raise UsageError(f"say what is kept: {PROGRAM} fleet prune --runs N, or --days N")
    if not flags.store.is_file():
        raise UsageError(f"there is no store {flags.store}: nothing is pruned")
    now = datetime.now(tz=UTC).replace(tzinfo=None)
    since = None if flags.days is None else now - timedelta(days=min(flags.days, MOST_DAYS))
    with Store(flags.store) as store:
        gone = store.prune(flags.runs, since)
    if not flags.quiet:
        taken = f"{counted(gone.runs, 'run')} and {counted(gone.scans, 'scan')}"
        write(f"taken out of {visible(str(flags.store))}: {taken}\n")
    return PASSED


def _no_input(inputs: Sequence[str], action: str) -> None:
    if inputs:
        raise UsageError(f"`fleet {action}` takes no {visible(inputs[0])}; --store names the store")


def _positive(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text[:10]) < 10**7:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
