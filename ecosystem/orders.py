"""`./dev ecosystem --orders PROJECT…`: whether a report depends on the order in which questions are asked.

Each project is judged as it is, and again for each seed: first a part of all questions about its program is asked in an
order drawn with that seed (callers of functions, values of calls and callees, callees), the modules and their scopes in
an order of its own, too; then the parts of the model are worked out in another order, the second time in two processes.
The reports must be the same, byte for byte.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from unittest.mock import patch

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.recursion import with_room
from agent_architecture.render import json
from agent_architecture.report import Outcome
from agent_architecture.semantics import build
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agent_architecture.model.system import AgentSystem
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.wiring import Wiring

SEEDS: Final = (1, 2)
PART: Final = 0.4
"""The share of the scopes, and of the questions about each, that is asked: a draw of its own for each seed."""


class Compared(NamedTuple):
    """One project in several orders."""

    reports: tuple[str, ...]

    @property
    def differ(self) -> tuple[int, ...]:
        """The numbers of the reports that are not the first one, from 1."""
        return tuple(number for number, text in enumerate(self.reports) if text != self.reports[0])


def compare(root: Path, seeds: Sequence[int] = SEEDS, part: float = PART) -> Compared:
    """Judge the project at `root` as it is, and once for each seed. Raises `UsageError` where there is none."""
    plain = _report(root, Config())
    shuffled = (_shuffled(root, seed, part, jobs) for jobs, seed in enumerate(seeds, start=1))
    return Compared((plain, *shuffled))


def _report(root: Path, config: Config, ask: Callable[[Program], None] | None = None) -> str:
    walked = pipeline.read_sources([root], config)
    packs, versions, program = pipeline.understand_names(walked)
    if ask is not None:
        with_room(lambda: ask(program))
    found = pipeline.judged(walked, config, packs, versions, program, lambda _: None)
    return json.render(Outcome(found.report), subjects=True)


def _shuffled(root: Path, seed: int, part: float, jobs: int) -> str:
    draw, questions_of = random.Random(seed), build.further_questions  # noqa: S311 - an order, no secret

    def in_other_order(wiring: Wiring, system: AgentSystem) -> Mapping[str, Callable[[], object]]:
        questions = list(questions_of(wiring, system).items())
        draw.shuffle(questions)
        return dict(questions)

    with patch.object(build, "further_questions", in_other_order):
        return _report(root, Config(jobs=jobs), lambda program: _ask(program, draw, part))


def _ask(program: Program, draw: random.Random, part: float) -> None:
    scopes: list[ir.Scope] = []
    for module in program.modules:
        scopes += [module, *module.index.functions]
    draw.shuffle(scopes)
    questions = [ask for scope in scopes if draw.random() < part for ask in _about(program, scope)]
    draw.shuffle(questions)
    for ask in questions[: int(len(questions) * part) + 1]:
        ask()


def _about(program: Program, scope: ir.Scope) -> Iterator[Callable[[], object]]:
    if isinstance(scope, ir.Function):
        yield lambda: program.callers(scope)
    for call in program.structure(scope).calls:
        yield lambda call=call: program.value_of(call)  # type: ignore[misc]
        yield lambda call=call: program.value_of(call.callee)  # type: ignore[misc]
        yield lambda call=call: program.callees(call)  # type: ignore[misc]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare; exit code 1 when a report depends on the order."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --orders", description=__doc__)
    parser.add_argument("projects", nargs="+", type=Path, help="folders of projects")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS), help="an order for each (default: 1 2)")
    options = parser.parse_args(arguments)
    wrong = 0
    for project in options.projects:
        found = compare(project, options.seeds)
        wrong += bool(found.differ)
        text = (
            f"differs in the orders {', '.join(map(str, found.differ))}" if found.differ else "the same in every order"
        )
        print(f"{project.name}: {text}", flush=True)
    print(f"orders: {len(options.projects) - wrong} of {len(options.projects)} projects are judged the same")
    return int(wrong > 0)
