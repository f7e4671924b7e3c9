"""What a session keeps of questions that `semantics` asks of the program alone: the same bytes as from nothing,
whichever file is edited that they rest on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from agent_architecture.names.memoized import Once
from test_session import PYTHON, Disk, answered, from_nothing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES: Final = {
    **PYTHON,
    "app/tools.py": PYTHON["app/tools.py"]
    .replace("import subprocess\n", "import subprocess\n\nfrom app.guards import allowed\n")
    .replace("    return subprocess", "    allowed(words)\n    return subprocess"),
    "app/loop.py": """\
import os

from openai import OpenAI

from app.guards import allowed, spend
from app.steps import answer_one, ask_again
from app.settings import Settings

client = OpenAI(api_key=os.environ["DESK_API_KEY"])


def research(items, command):
    while True:
        spend(items)
        reply = answer_one(client, items)
        items += reply.output
        if not allowed(command):
            return None
        os.system(command)
        if not any(item.type == "function_call" for item in reply.output):
            return reply.output_text


def patient(items):
    for _ in range(5):
        try:
            return ask_again(client, items)
        except Exception:
            continue
""",
    "app/guards.py": """\
ALLOWED = {"ls", "date"}


def allowed(command):
    if command not in ALLOWED:
        raise ValueError(command)
    return True


def spend(items):
    if len(items) > 20:
        raise RuntimeError("too many")
""",
    "app/steps.py": """\
def answer_one(client, items):
    return client.responses.create(model="gpt-5", input=items)


def ask_again(client, items):
    return client.responses.create(model="gpt-5", input=items)
""",
    "app/settings.py": """\
from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    desk_api_key: str
    desk_secret_token: str = ""
""",
    "app/web.py": """\
from fastapi import FastAPI

from app.handlers import chat

app = FastAPI()
app.post("/chat")(chat)
app.add_api_route("/ask", chat)
""",
    "app/handlers.py": """\
from app.loop import patient, research


def chat(text, command):
    return research([{"role": "user", "content": text}], command) or patient([{"role": "user", "content": text}])
""",
}
"""A loop whose model call, bound, guard, handler and credential each stand in another file."""

EDITS: Final = {
    "a guard of another file lets all pass": ("app/guards.py", "        raise ValueError(command)\n", "        pass\n"),
    "a guard of another file says no": (
        "app/guards.py",
        "        raise ValueError(command)\n",
        "        return False\n",
    ),
    "a bound of another file goes": ("app/guards.py", '        raise RuntimeError("too many")\n', "        return\n"),
    "a step of another file asks no model": (
        "app/steps.py",
        'def answer_one(client, items):\n    return client.responses.create(model="gpt-5", input=items)\n',
        "def answer_one(client, items):\n    return items[-1]\n",
    ),
    "a step of another file repeats": (
        "app/steps.py",
        'def ask_again(client, items):\n    return client.responses.create(model="gpt-5", input=items)\n',
        'def ask_again(client, items):\n    while True:\n        client.responses.create(model="gpt-5", input=items)\n',
    ),
    "a handler is registered no longer": (
        "app/web.py",
        'app.post("/chat")(chat)\napp.add_api_route("/ask", chat)\n',
        "",
    ),
    "settings are spoken of no longer": ("app/loop.py", "from app.settings import Settings\n", ""),
    "a variable is only asked for being there": (
        "app/loop.py",
        'client = OpenAI(api_key=os.environ["DESK_API_KEY"])',
        'client = OpenAI() if os.environ["DESK_API_KEY"] == "" else None',
    ),
    "lines move": ("app/guards.py", "ALLOWED", "# a remark\n\n\nALLOWED"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), EDITS.values(), ids=EDITS)
def test_an_edit_reaches_what_was_kept_of_other_files(tmp_path: Path, path: str, old: str, new: str) -> None:
    assert old in FILES[path]
    disk = Disk(tmp_path / "project", FILES, 0)
    session = disk.session
    before = answered(session)
    disk.files[path] = FILES[path].replace(old, new)
    session.edit(disk.folder / path, disk.files[path])
    after = answered(session)
    assert after == from_nothing(tmp_path / "new" / "project", disk.files, disk.config)
    assert after != before
    session.forget(disk.folder / path)
    assert answered(session) == before


@pytest.mark.parametrize("seed", range(2))
def test_after_any_edit_what_was_kept_says_the_same(tmp_path: Path, seed: int) -> None:
    disk = Disk(tmp_path / "project", FILES, seed + 40)
    for number in range(8):
        said = answered(disk.session)
        assert said == from_nothing(tmp_path / str(number) / "project", disk.files, disk.config)
        disk.change()


def test_what_does_not_rest_on_the_edited_file_is_not_worked_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path / "project", FILES, 0)
    worked = [0]
    keep = Once.keep

    def noted(once: Once, question: Callable[..., object], *about: object) -> object:
        known = len(once.answers.get(question, ()))
        found = keep(once, question, *about)
        worked[0] += len(once.answers.get(question, ())) > known
        return found

    monkeypatch.setattr(Once, "keep", noted)
    disk.session.outcome()
    at_first, worked[0] = worked[0], 0
    disk.session.edit(disk.folder / "app/limits.py", "TURNS = 3\n")
    disk.session.outcome()
    assert worked[0] < at_first / 4
