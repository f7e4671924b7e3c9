"""Which answers a session keeps when a file is edited: those that rest on nothing that changed."""

from __future__ import annotations

from operator import ge
from pathlib import Path
from typing import Final

import pytest

from agent_architecture import Session
from agent_architecture.names.memory import Memory
from test_session import PYTHON, Disk, answered, from_nothing


def test_answers_that_do_not_rest_on_the_edited_file_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Disk(tmp_path / "project", PYTHON, 0).folder
    session, asked = Session([project]), [0]
    work = Memory._work

    def noted(memory: Memory, guess: object) -> None:
        asked[0] += 1
        work(memory, guess)  # type: ignore[arg-type]

    monkeypatch.setattr(Memory, "_work", noted)
    session.outcome()
    at_first, asked[0] = asked[0], 0
    loop = project / "app/loop.py"
    session.edit(loop, f"{loop.read_text()}\n\nlimit = 3\n")
    session.outcome()
    assert 0 < asked[0] < at_first / 2


INDEXES: Final = {
    "a call": ("app/tools.py", "", "from app.more import handed\n\n\ndef late():\n    return handed(open('x'))\n"),
    "a method": ("app/tools.py", "", "class Two:\n    def run(self, x):\n        return eval(x)\n"),
    "a class that derives": (
        "app/tools.py",
        "",
        "from app.more import Base\n\n\nclass Sub(Base):\n    def step(self, x):\n        return eval(x)\n",
    ),
    "another name of an import": ("app/limits.py", "", "from app.more import handed as given\n\ngiven(eval)\n"),
    "a mention": ("app/limits.py", "", "from app.more import handed\n\nTABLE = {'x': handed}\n"),
    "what is handed to a runner": ("app/limits.py", "", "from app.more import handed\n\nlist(map(handed, [eval]))\n"),
    "what a module offers": ("app/more.py", "LIMIT = 1\n", "LIMIT = None\n"),
}  # fmt: skip
"""Edits by which an index of the whole program has more, of a name that another file asks for."""

MORE: Final = '''\
from agents import Agent, Runner, function_tool

LIMIT = 1


class Base:
    def step(self, x):
        return x


class One:
    def run(self, x):
        return x


def handed(value):
    return value


@function_tool
def step_once(text: str, base: Base, one):
    """Do a step."""
    return base.step(text), one.run(text), handed(text)


def start(text):
    return Runner.run_sync(Agent(name="more", tools=[step_once]), text, max_turns=LIMIT)
'''


@pytest.mark.parametrize(("path", "old", "new"), INDEXES.values(), ids=INDEXES)
def test_what_an_index_has_more_of_changes_the_answers_that_asked_it(
    tmp_path: Path, path: str, old: str, new: str
) -> None:
    files = {**PYTHON, "app/more.py": MORE}
    disk = Disk(tmp_path / "project", files, 0)
    session = disk.session
    before = answered(session)
    disk.files[path] = files[path].replace(old, new) if old else f"{files[path]}\n\n{new}"
    session.edit(disk.folder / path, disk.files[path])
    assert answered(session) == from_nothing(tmp_path / "new" / "project", disk.files, disk.config)
    session.forget(disk.folder / path)
    assert answered(session) == before


def test_a_session_does_not_grow_with_its_edits(tmp_path: Path) -> None:
    project = Disk(tmp_path / "project", PYTHON, 0).folder
    session, agent = Session([project]), project / "app" / "agent.py"
    text = agent.read_text("utf-8")
    sizes = []
    for number in range(4):
        session.edit(agent, f"{text}\n\ndef more_{number}():\n    return answer('{number}')\n")
        session.outcome()
        sizes.append(_known(session))
    assert len(set(sizes[1:])) == 1
    assert all(map(ge, *sizes[:2]))  # the first is worked out from nothing


def _known(session: Session) -> tuple[int, ...]:
    kept = session._kept
    by_scope = (kept.structures, kept.bindings, kept.calls, kept.uncalled)
    tables = (*by_scope, kept.exported, kept.scopes, kept.put, kept.seen, kept.visible, session._files._known)
    program = kept.before
    assert program is not None
    answers = (program.memory.final, program.naming.final, program.sites.told, program.exports.known)
    flows = [point for way in program.ways.known.values() for point in way.points]
    once = [about for known in program.answers.answers.values() for about in known]
    return tuple(len(table) for table in (*tables, *answers, flows, once))
