"""`./dev ecosystem --exports ID …`: which public names of the packages of these packs a pack names, are irrelevant (by
a word of `irrelevant.toml`), or are neither (`--left` lists them). Packages are fetched as by `--packs`, and only read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.semantics.packs.packs import load_packs
from ecosystem.exports.measured import Measured, write_measured
from ecosystem.exports.offered import offered
from ecosystem.exports.weighed import Scales, read_rules
from ecosystem.packs.problems import PackageError
from ecosystem.packs.registry import Registry, Wanted
from ecosystem.packs.run import default_cache

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.semantics.packs.packs import Packs


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 1 when a package could not be read, 2 for a pack that is not there."""
    options = _options(arguments)
    packs = load_packs()
    unknown = [name for name in options.ids if name not in packs.packs]
    if unknown:
        print(f"exports: there is no pack {unknown[0]!r}", file=sys.stderr)
        return 2
    scales, registry, failed = Scales(packs, read_rules()), Registry(options.cache, offline=options.offline), 0
    measured: list[Measured] = []
    for pack, wanted in _wanted(packs, options):
        try:
            folder = registry.folder(wanted)
        except PackageError as error:
            print(f"{pack} {wanted}: unread: {error}", file=sys.stderr)
            failed += 1
            continue
        found = scales.weigh(offered(wanted.ecosystem, wanted.name, folder))
        irrelevant = sum(map(len, found.irrelevant.values()))
        counts = (len(found.in_packs), irrelevant, len(found.left))
        measured.append(Measured(wanted.ecosystem, wanted.name, wanted.version, *counts))
        print(f"{pack} {measured[-1]}", flush=True)
        for one in found.left if options.left else ():
            print(f"  {one.kind} {one.paths[0]} {' '.join(one.bases)}".rstrip())
    if options.write:
        write_measured(measured)
    return int(failed > 0)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev ecosystem --exports", description=__doc__)
    parser.add_argument("ids", nargs="+", metavar="ID", help="the packs")
    parser.add_argument("--package", action="append", default=[], help="only this package of them (may be repeated)")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where unpacked packages are kept")
    parser.add_argument("--offline", action="store_true", help="read the cache alone")
    parser.add_argument("--left", action="store_true", help="list what is neither")
    parser.add_argument("--write", action="store_true", help="keep the counts in measured.toml, for the documentation")
    return parser.parse_args(arguments)


def _wanted(packs: Packs, options: argparse.Namespace) -> Iterator[tuple[str, Wanted]]:
    """The packages of the packs that registries have."""
    for name in options.ids:
        for package in packs.packs[name].packages:
            is_asked = not options.package or package.name in options.package
            if is_asked and package.ecosystem in {"pypi", "npm"}:
                yield name, Wanted(package.ecosystem, package.name, package.verified)
