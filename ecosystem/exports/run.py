"""`./dev ecosystem --exports [ID …]`: which public names of a pack's packages are in a pack, irrelevant, or neither."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.semantics.packs import load_packs
from ecosystem.exports.offered import offered
from ecosystem.exports.weighed import Scales, read_rules
from ecosystem.packs.problems import PackageError
from ecosystem.packs.registry import Registry, Wanted
from ecosystem.packs.run import default_cache

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 1 when a package could not be read, 2 for a pack that is not there."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --exports", description=__doc__)
    parser.add_argument("ids", nargs="+", metavar="ID", help="these packs")
    parser.add_argument("--package", action="append", default=[], help="only this package of them (may be repeated)")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where unpacked packages are kept")
    parser.add_argument("--left", action="store_true", help="list what is neither")
    options = parser.parse_args(arguments)
    packs = load_packs()
    scales, registry, failed = Scales(packs, read_rules()), Registry(options.cache), 0
    for name in options.ids:
        if name not in packs.packs:
            print(f"exports: there is no pack {name!r}", file=sys.stderr)
            return 2
        for package in packs.packs[name].packages:
            if options.package and package.name not in options.package:
                continue
            try:
                folder = registry.folder(Wanted(package.ecosystem, package.name, package.verified))
            except PackageError as error:
                print(f"{name} {package.name}: {error}", file=sys.stderr)
                failed += 1
                continue
            found = scales.weigh(offered(package.ecosystem, package.name, folder))
            irrelevant = sum(map(len, found.irrelevant.values()))
            print(
                f"{name} {package.ecosystem} {package.name} {package.verified}: {found.share:.1%} of {found.total}: "
                f"{len(found.in_packs)} in packs, {irrelevant} irrelevant, {len(found.left)} left",
                flush=True,
            )
            if options.left:
                print("\n".join(f"  {one.kind} {one.paths[0]} ({', '.join(one.bases)})" for one in found.left))
    return int(failed > 0)
