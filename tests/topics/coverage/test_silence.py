"""What a report says where there is something of agents, and no site: what was seen, where, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecosystem.found import system_of

if TYPE_CHECKING:
    from pathlib import Path

ASKING = """\
from openai import OpenAI

client = OpenAI()


def title(text):
    return client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": text}])
"""


def said(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        folder.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
    notices = system_of(folder).project.notices
    return [f"{one.path}:{one.line} {one.message}" for one in notices if not one.incomplete]


def test_a_request_that_nothing_acts_on_says_so(tmp_path: Path) -> None:
    expected = (
        "main.py:7 no site: client.chat.completions.create asks a model; it has no tools, "
        "no loop sends its answer back, and no code runs what it answers"
    )
    assert said(tmp_path, main=ASKING) == [expected]


def test_a_library_that_is_imported_and_not_recognised_is_named_at_its_import(tmp_path: Path) -> None:
    assert said(tmp_path, main="import crewai\n\ncrewai.something_new()\n") == [
        "main.py:1 no site: crewai is imported; no agent of it is seen to be made or run"
    ]


def test_of_many_places_a_few_are_named_and_the_rest_is_counted(tmp_path: Path) -> None:
    one = '\n\ndef f{n}(text):\n    return client.responses.create(model="gpt-5", input=text)\n'
    many = "from openai import OpenAI\n\nclient = OpenAI()\n" + "".join(one.replace("{n}", str(n)) for n in range(8))
    found = said(tmp_path, main=many)
    assert len(found) == 5
    assert found[-1].endswith("(3 more places like this)")


def test_where_there_is_a_site_nothing_is_said(tmp_path: Path) -> None:
    agent = "from agents import Agent, Runner\n\nRunner.run_sync(Agent(name='desk'), 'hello')\n"
    assert not said(tmp_path, main=ASKING, agent=agent)


def test_a_project_without_any_of_it_says_nothing(tmp_path: Path) -> None:
    assert not said(tmp_path, main="import json\n\nprint(json.dumps({}))\n")
