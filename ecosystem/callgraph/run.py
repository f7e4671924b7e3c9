"""`./dev ecosystem --edges [--pycg FOLDER] [--codeql FOLDER] [--all]`: the name layer against what others wrote down.

PyCG's micro-benchmark holds small programs beside their call graphs (github.com/vitsalis/PyCG, `micro-benchmark`),
CodeQL's tests of API graphs say in comments what the expressions of their lines are (github.com/github/codeql). FOLDER
is a checkout of each; nothing of it is kept here. What is missed is listed, what does not count is summed up by reason
(`--all` lists it, too).
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.recursion import with_room
from ecosystem.callgraph.api_graphs import held
from ecosystem.callgraph.micro import snippets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 1 when an edge is found that is written down as not counted."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --edges", description=__doc__)
    parser.add_argument("--pycg", type=Path, help="a checkout of PyCG")
    parser.add_argument("--codeql", type=Path, help="a checkout of CodeQL")
    parser.add_argument("--all", action="store_true", help="list what does not count, too")
    options = parser.parse_args(arguments)
    if options.pycg is None and options.codeql is None:
        parser.error("name a checkout: --pycg FOLDER, --codeql FOLDER")
    failed = 0
    for folder, measured in ((options.pycg, _of_pycg), (options.codeql, _of_codeql)):
        if folder is not None and not folder.is_dir():
            parser.error(f"there is no folder {folder}")
        if folder is not None:
            lines, outdated = with_room(partial(measured, folder, every=options.all))
            print("\n".join(lines))
            failed += outdated
    return int(failed > 0)


def _of_pycg(folder: Path, *, every: bool) -> tuple[list[str], int]:
    found = list(snippets(folder / "micro-benchmark" / "snippets"))
    lines = [f"missed    {s.name}: {edge.caller} -> {edge.callee}" for s in found for edge in sorted(s.missed)]
    lines += [f"outdated  {s.name}: {edge.caller} -> {edge.callee}" for s in found for edge in sorted(s.outdated)]
    if every:
        lines += [f"not counted  {s.name}: {e.caller} -> {e.callee}" for s in found for e in sorted(s.left_out)]
        lines += [f"not expected  {s.name}: {e.caller} -> {e.callee}" for s in found for e in sorted(s.odd)]
    reasons = Counter(why for snippet in found for why in snippet.left_out.values())
    expected, missed = (sum(map(len, part)) for part in ([s.expected for s in found], [s.missed for s in found]))
    counted = expected - reasons.total()
    odd = sum(len(snippet.odd) for snippet in found)
    lines.append(
        f"PyCG: {counted - missed} of {counted} edges that count, in {len(found)} programs; {odd} not expected"
    )
    return [*lines, *_summed(reasons)], sum(len(snippet.outdated) for snippet in found)


def _of_codeql(folder: Path, *, every: bool) -> tuple[list[str], int]:
    found = list(held(folder))
    lines = [
        f"{'not counted' if one.left_out else 'missed'}  {one.suite}/{one.expected.path}:{one.expected.line} "
        f"{one.expected.text}"
        for one in found
        if not one.holds and (every or not one.left_out)
    ]
    for language in sorted({one.suite.partition(" ")[0] for one in found}):
        apply = [one for one in found if one.suite.startswith(language) and not one.left_out]
        lines.append(
            f"ApiGraphs, {language}: {sum(one.holds for one in apply)} of {len(apply)} expectations that apply"
        )
    apply = [one for one in found if not one.left_out]
    share = sum(one.holds for one in apply) / max(len(apply), 1)
    lines.append(f"ApiGraphs: {share:.1%}")
    return [*lines, *_summed(Counter(one.left_out for one in found if one.left_out))], 0


def _summed(reasons: Counter[str]) -> Iterator[str]:
    yield from (f"  not counted: {number} {why}" for why, number in sorted(reasons.items()))
