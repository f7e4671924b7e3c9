"""Answers that are worked out once: kept where they hold for good, and only there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from values_project import open_program

from agent_architecture.names.memoized import Once
from agent_architecture.names.rests import Rests
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from pathlib import Path

    from agent_architecture.names.program import Program

CLASSES = """
class A:
    def run(self): return 1

class B:
    def run(self): return 2

def use(unknown):
    A().run()
    B().run()
    unknown.run()
"""


def test_an_answer_is_worked_out_once_for_what_it_is_about() -> None:
    asked: list[object] = []
    one, other = object(), object()
    once = Once(cast("Program", SimpleNamespace(unsettled=0, rests=Rests())))

    def question(_: Program, about: object) -> tuple[object, ...]:
        asked.append(about)
        return (about,)

    assert [once.ask(question, about) for about in (one, other, one)] == [(one,), (other,), (one,)]
    assert asked == [one, other]
    once.forget()
    once.ask(question, one)
    assert asked == [one, other, one]


def test_an_answer_that_rests_on_an_open_question_is_not_kept() -> None:
    program = SimpleNamespace(unsettled=0, rests=Rests(), found=1)
    once = Once(cast("Program", program))

    def question(_: Program, about: object) -> int:
        del about
        program.unsettled += 1 if program.found == 1 else 0
        return cast("int", program.found)

    about = object()
    assert once.ask(question, about) == 1
    program.found = 2
    assert once.ask(question, about) == 2
    program.found = 3
    assert once.ask(question, about) == 2


def test_each_function_of_a_name_has_the_calls_that_run_it(tmp_path: Path) -> None:
    program = open_program(tmp_path, {"app.py": CLASSES})
    (module,) = program.modules
    lines = {
        f.qualname: [(site.call.span.line, site.inferred) for site in program.callers(f)]
        for f in module.index.functions
        if f.name == "run" and isinstance(f.outer, ir.Class)
    }
    assert lines == {"A.run": [(8, False)], "B.run": [(9, False)]}
