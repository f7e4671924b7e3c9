"""`./dev ecosystem --packs [ID …]`: what packs say of libraries, against the libraries themselves.

Packages are fetched by the registries' own clients into a cache, unpacked, and read. Nothing of them is run.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from agent_architecture.semantics.packs.documents import read_documents
from agent_architecture.semantics.packs.packs import Packs, load_packs
from ecosystem.packs.answers import State
from ecosystem.packs.changed import changed_packs
from ecosystem.packs.check import Checker, Result
from ecosystem.packs.known import Known, read_known
from ecosystem.packs.registry import Registry

MINUTES: Final = 10.0
"""How long `--changed` may take: what is left then is said to be unchecked."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check; exit code 1 when a pack is wrong, 2 when it cannot be asked for."""
    options = _options(arguments)
    packs = load_packs()
    ids = list(dict.fromkeys(options.ids)) or list(packs.packs)
    unknown = [name for name in ids if name not in packs.packs]
    if unknown:
        print(f"packs: there is no pack {unknown[0]!r}", file=sys.stderr)
        return 2
    if options.changed:
        ids = [name for name in changed_packs(packs) if name in ids]
        if not ids:
            print("packs: skipped, for this change touches no pack")
            return 0
    known = read_known()
    checker = Checker(packs, Registry(options.cache, offline=options.offline), known)
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    wrong = 0
    for name in ids:
        if end is not None and time.monotonic() > end:
            print(f"{name}: unchecked, for the time is up")
            continue
        wrong += _check(name, packs, checker, verbose=options.unchecked)
    wrong += _unused(known, checker) if len(ids) == len(packs.packs) else 0
    print(f"packs: {wrong} wrong" if wrong else "packs: nothing is wrong")
    return 1 if wrong else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev ecosystem --packs", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="only these packs")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where unpacked packages are kept")
    parser.add_argument("--changed", action="store_true", help="only packs that differ from the merge base")
    parser.add_argument("--minutes", type=float, help=f"stop after so long (with --changed: {MINUTES:g})")
    parser.add_argument("--offline", action="store_true", help="read the cache alone")
    parser.add_argument("--unchecked", action="store_true", help="list what could not be checked, too")
    options = parser.parse_args(arguments)
    if options.changed and options.minutes is None:
        options.minutes = MINUTES
    return options


def default_cache() -> Path:
    """The folder for packages in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "agent-architecture" / "packs"


def _check(name: str, packs: Packs, checker: Checker, *, verbose: bool) -> int:
    """Print what is wrong with one pack, and its counts."""
    rows = next(source for source in packs.sources if source.pack.id == name)
    document = dict(read_documents())[rows.pack.file]
    start = time.monotonic()
    results: list[Result] = []
    for result in checker.check(rows, document):
        results.append(result)
        if result.answer.state is State.DRIFT:
            print(f"wrong: {result}")
        elif verbose and result.answer.state is State.UNCHECKED:
            print(f"unchecked: {result}")
    counts = Counter(result.answer.state for result in results)
    said = ", ".join(f"{counts[state]} {state}" for state in State if counts[state]) or "no claims"
    print(f"{name}: {said} ({time.monotonic() - start:.0f} s)", flush=True)
    return counts[State.DRIFT]


def _unused(known: Known, checker: Checker) -> int:
    """Entries of the data file that speak of nothing any more."""
    idle = [entry for entry in known.older if entry not in checker.used]
    for entry in idle:
        print(f"wrong: known.toml: no pack needs {entry}")
    return len(idle)


if __name__ == "__main__":
    sys.exit(main())
