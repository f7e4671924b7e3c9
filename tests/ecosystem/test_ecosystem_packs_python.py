"""Paths and defaults of a pack against made-up wheels."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from made_packages import check, install, unchecked, wrong

METADATA = {"made-1.0.dist-info/METADATA": "Name: made\nRequires-Dist: elsewhere (>=2)\n"}
CODE = {
    "made/__init__.py": """\
from made._core import Agent, run as run
from made.lazy import *
_TABLE = {"Late": "made.later"}

def __getattr__(name):
    import importlib
    return getattr(importlib.import_module(_TABLE[name]), name)
""",
    "made/later.py": "class Late:\n    def go(self): ...\n",
    "made/lazy.py": '__all__ = ["Shown"]\nclass Shown: ...\nclass Hidden: ...\n',
    "made/_core.py": """\
from __future__ import annotations
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, AsyncIterator, Self
from elsewhere import Base
if TYPE_CHECKING:
    from made.session import Session

LIMIT = 10 * 2

class Agent(Base):
    max_steps: int = 7
    tools: list[Tool]

    def __init__(self, name: str, *, timeout: float = 2.5, width: int | None = None) -> None:
        self.hooks = Hooks()

    def run(self, text: str) -> Result: ...
    async def start(self) -> "Session": ...
    def named(self) -> Self: ...
    @property
    def chat(self) -> Chat: ...
    @asynccontextmanager
    async def open(self) -> AsyncIterator[Session]: ...

class Tool:
    def call(self): ...
class Hooks:
    def add(self): ...
class Result:
    def text(self): ...
class Chat:
    def create(self): ...

def run(limit=LIMIT): return Result()
""",
    "made/session.py": "class Session:\n    def send(self): ...\n",
    **METADATA,
}
ELSEWHERE = {"elsewhere/__init__.py": "class Base:\n    def stop(self): ...\n"}
PACK = """
[framework]
id = "made"
[[package]]
pypi = "made"
verified = "1.0"
"""


def row(*paths: str, more: str = "") -> str:
    return f"{PACK}\n[[entity]]\nkind = 'agent'\ncall = {list(paths)}\n{more}\n"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    install(tmp_path, "pypi", "made", "1.0", CODE)
    install(tmp_path, "pypi", "elsewhere", "%3E%3D2", ELSEWHERE)
    return tmp_path


@pytest.mark.parametrize(
    "path",
    [
        "made:Agent", "made._core:Agent", "made:run", "made:Shown", "made:Late().go",
        "made:Agent().run().text", "made:run().text", "made:Agent().start().send", "made:Agent().named().run",
        "made:Agent().chat.create", "made:Agent().hooks.add", "made:Agent().open().send", "made:Agent().tools[].call",
        "made:Agent().stop", "made.session:Session", "made:Agent[]",
    ],
)  # fmt: skip
def test_a_path_that_is_there_is_found(cache: Path, path: str) -> None:
    results = check(cache, row(f"py:{path}"))
    assert (wrong(results), unchecked(results)) == ([], [])


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("made:Agents", "made has no Agents"),
        ("made:Hidden", "made has no Hidden"),
        ("made:Agent().halt", "Agent has no halt"),
        ("made:Agent().run().texts", "Result has no texts"),
        ("made:Agent().chat.make", "Chat has no make"),
        ("made.sessions:Session", "made has no sessions"),
    ],
)
def test_a_path_that_drifted_fails_with_its_reason(cache: Path, path: str, why: str) -> None:
    assert wrong(check(cache, row(f"py:{path}"))) == [f"py:{path.replace(':', '.')}: {why}"]


def test_a_line_names_pack_row_path_and_version(cache: Path) -> None:
    lines = [str(one) for one in check(cache, row("py:made:Gone")) if one.answer.why]
    assert lines == ["made: entity 1: py:made.Gone: made 1.0: made has no Gone"]


def test_a_base_in_a_package_that_cannot_be_had_leaves_the_path_unchecked(tmp_path: Path) -> None:
    install(tmp_path, "pypi", "made", "1.0", CODE)
    assert unchecked(check(tmp_path, row("py:made:Agent().stop"))) == [
        "py:made.Agent().stop: Agent inherits from elsewhere.Base, which is not unpacked"
    ]


def test_a_package_that_cannot_be_had_is_no_drift(tmp_path: Path) -> None:
    results = check(tmp_path, row("py:made:Agent"))
    assert wrong(results) == []
    assert unchecked(results)[0] == "made: made 1.0 is not in the cache"


def test_rows_may_use_one_name_that_only_an_alias_has_but_names_of_aliases_are_there(cache: Path) -> None:
    alias = '\n[[alias]]\nof = "py:made"\nnames = ["py:made.session", "py:made.gone"]\n'
    results = check(cache, row("py:made:Session") + alias)
    assert wrong(results) == ["py:made.gone: made has no gone"]


def test_of_a_family_every_part_is_there_once_and_not_every_pair(cache: Path) -> None:
    assert wrong(check(cache, row("py:made:{Agent().stop,Late().go,Late().stop}"))) == [
        "py:made.Late().stop: Late has no stop"
    ]
    assert wrong(check(cache, row("py:made:{Agent(),Late()}.{stop,go}"))) == []
    lines = wrong(check(cache, row("py:made:{Agent(),Late()}.{stop,gone}")))
    assert [line.partition(":made.")[2].partition(":")[0] for line in lines] == [
        "Agent().gone", "Late().stop", "Late().gone",
    ]  # fmt: skip


DEFAULTS = [
    ("step_limit = 'max_steps'", "value = 7", "made/_core.py:Agent.max_steps", None),
    ("step_limit = 'max_steps'", "value = 8", "made/_core.py:Agent.max_steps", "its value is 7, not 8"),
    ("time_limit = 'timeout'", "value = 2.5", "made/_core.py:Agent.__init__", None),
    ("time_limit = 'timeout'", "none = true", "made/_core.py:Agent.__init__", "its value is 2.5, not None"),
    ("concurrency = 'width'", "none = true", "made/_core.py:Agent.__init__", None),
    ("step_limit = 'limit'", "value = 20", "made/_core.py:run", None),
    ("step_limit = 'limit'", "value = 20", "made/_core.py:LIMIT", None),
    ("step_limit = 'limit'", "value = 20", "made/_core.py:LIMITS", "_core.py has no LIMITS"),
    ("step_limit = 'limit'", "value = 20", "made/core.py:LIMIT", "the package has no file made/core.py"),
]


@pytest.mark.parametrize(("address", "value", "source", "why"), DEFAULTS)
def test_a_default_has_its_source_and_its_value(
    cache: Path, address: str, value: str, source: str, why: str | None
) -> None:
    name = address.partition(" ")[0]
    more = f"{address}\ndefaults.{name} = {{ {value}, source = '{source}' }}"
    expected = [] if why is None else [f"default of {name} ({source}): {why}"]
    assert wrong(check(cache, row("py:made:Agent", more=more))) == expected


SWITCH = """
step_limit = 'max_steps'
[[entity.defaults.step_limit]]
before = "0.9"
value = 3
source = "made/_core.py:Agent.max_steps"
[[entity.defaults.step_limit]]
value = 7
source = "made/_core.py:Agent.max_steps"
"""


@pytest.mark.parametrize(
    ("below", "at", "expected"),
    [
        (3, 7, []),
        (7, 7, ["its value is 7, not 3"]),
        (3, 3, ["its value is 3, not 7"]),
    ],
)
def test_a_switch_is_looked_at_from_both_sides(cache: Path, below: int, at: int, expected: list[str]) -> None:
    for version, steps in (("%3C0.9", below), ("0.9", at)):
        code = {"made/__init__.py": "from made._core import Agent\n"}
        install(cache, "pypi", "made", version, {**code, "made/_core.py": f"class Agent:\n    max_steps = {steps}\n"})
    found = wrong(check(cache, row("py:made:Agent", more=SWITCH)))
    assert [line.rpartition("): ")[2] for line in found] == expected


@pytest.mark.parametrize(("newest", "expected"), [(7, []), (3, ["its value is 3, not 7"])])
def test_a_switch_whose_own_version_is_nowhere_is_held_against_the_newest(
    cache: Path, newest: int, expected: list[str]
) -> None:
    for version, steps in (("%3C0.9", 3), ("1.0", newest)):
        code = {"made/__init__.py": "from made._core import Agent\n"}
        shutil.rmtree(cache / "pypi" / "made" / version, ignore_errors=True)
        install(cache, "pypi", "made", version, {**code, "made/_core.py": f"class Agent:\n    max_steps = {steps}\n"})
    found = wrong(check(cache, row("py:made:Agent", more=SWITCH), thinned=True))
    assert [line.rpartition("): ")[2] for line in found] == expected


def test_the_row_is_there_on_both_sides_of_a_switch(cache: Path) -> None:
    for version in ("%3C0.9", "0.9"):
        install(cache, "pypi", "made", version, {"made/_core.py": "class Agent:\n    max_steps = 3\n"})
    assert "py:made.Agent: made has no Agent" in wrong(check(cache, row("py:made:Agent", more=SWITCH)))


def test_the_data_file_says_what_is_gone_and_what_nobody_can_read(cache: Path) -> None:
    install(cache, "pypi", "made", "0.5", {"made/__init__.py": "class Old: ...\n"})
    data = """
[[older]]
package = "pypi:made"
version = "0.5"
why = "renamed to Agent"
paths = ["py:made:{Old,Older}"]
[[unreadable]]
paths = ["py:made:Agent().service.**"]
reason = "lives on a service"
"""
    results = check(cache, row("py:made:{Old,Older}", "py:made:Agent().service.list"), data)
    assert wrong(results) == ["py:made.Older: made has no Older (made 0.5)"]
    assert unchecked(results) == ["py:made.Agent().service.list: lives on a service"]


def test_what_cannot_be_read_is_not_wrong_for_an_older_version(tmp_path: Path) -> None:
    install(tmp_path, "pypi", "made", "1.0", CODE)
    install(tmp_path, "pypi", "made", "0.5", {"made/__init__.py": ""})
    data = "[[older]]\npackage = 'pypi:made'\nversion = '0.5'\nwhy = 'before'\npaths = ['py:made.**']\n"
    results = check(tmp_path, row("py:made:Agent().stop"), data)
    assert (wrong(results), len(unchecked(results))) == ([], 1)


def test_a_package_that_is_only_a_name_of_another_is_read_there(tmp_path: Path) -> None:
    metadata = {"made-1.0.dist-info/METADATA": "Name: made\nRequires-Dist: made-core==1.0\n"}
    install(tmp_path, "pypi", "made", "1.0", metadata)
    install(tmp_path, "pypi", "made-core", "1.0", {"made/__init__.py": "class Agent:\n    steps = 4\n"})
    more = "step_limit = 'steps'\ndefaults.step_limit = { value = 4, source = 'made/__init__.py:Agent.steps' }"
    results = check(tmp_path, row("py:made:Agent", more=more))
    assert (wrong(results), unchecked(results)) == ([], [])


def test_a_default_in_another_unit_is_said_in_the_data_file(cache: Path) -> None:
    more = "retry_attempts = 'tries'\ndefaults.retry_attempts = { value = 19, source = 'made/_core.py:LIMIT' }"
    data = "[[converted]]\nsource = 'made/_core.py:LIMIT'\nwritten = 20\nmeans = 19\nreason = 'tries'\n"
    assert len(wrong(check(cache, row("py:made:Agent", more=more)))) == 1
    assert wrong(check(cache, row("py:made:Agent", more=more), data)) == []
    assert len(wrong(check(cache, row("py:made:Agent", more=more), data.replace("20", "21")))) == 1
