"""Tables of calls that only say something, and of calls that wait for a time: by how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from names_project import open_project

from agent_architecture.names.log_calls import prints, says, warns
from agent_architecture.names.pauses import may_pause, sleeps, with_callbacks
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from pathlib import Path


def first_call(folder: Path, code: str, name: str = "a.py") -> ir.Call:
    """The first call of a file."""
    nodes = with_callbacks(ir.walk(*open_project(folder, {name: code}).module(name).body))
    return next(node for node in nodes if isinstance(node, ir.Call))


@pytest.mark.parametrize(
    "code",
    [
        "print(text)", "pprint(text)", "console.print(text)", "typer.echo(text)", "console.table(rows)",
        "logger.info(text)", "logging.getLogger(name)", "logger.bind(a=1)", "self._logger.opt(lazy=True).debug(text)",
        "self._log(text)", "log_failure(text)", "warn(text)", "self.console.rule(text)",
    ],
)  # fmt: skip
def test_it_only_says_something(code: str, tmp_path: Path) -> None:
    assert says(first_call(tmp_path, code))


@pytest.mark.parametrize(
    "code", ["login(user)", "catalog.add(row)", "save_dialog(text)", "blueprint(x)", "log.append(x)", "send(text)"]
)
def test_it_does_something(code: str, tmp_path: Path) -> None:
    assert not says(first_call(tmp_path, code))


@pytest.mark.parametrize(
    ("code", "expected"), [("print(x)", True), ("console.log(x)", True), ("logger.info(x)", False), ("log(x)", False)]
)
def test_it_shows_on_a_terminal(code: str, expected: bool, tmp_path: Path) -> None:
    assert prints(first_call(tmp_path, code)) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [("log.warning(x)", True), ("await_(x)", False), ("log.aerror(x)", True), ("log.info(x)", False)],
)
def test_it_speaks_of_what_went_wrong(code: str, expected: bool, tmp_path: Path) -> None:
    assert warns(first_call(tmp_path, code)) is expected


@pytest.mark.parametrize(
    ("code", "alone"),
    [
        ("time.sleep(1)", True),
        ("delay(500)", True),
        ("backoff_for(n)", False),
        ("event.wait()", False),
        ("_asleep(1)", False),
    ],
)
def test_it_waits_for_a_time(code: str, alone: bool, tmp_path: Path) -> None:
    call = first_call(tmp_path, code)
    assert sleeps(call) is alone
    assert may_pause(call)


@pytest.mark.parametrize("code", ["wait_for_user(x)", "waiter(x)", "sheep(1)", "display(x)"])
def test_it_waits_for_no_time(code: str, tmp_path: Path) -> None:
    assert not may_pause(first_call(tmp_path, code))


def test_a_promise_that_a_timer_keeps_waits(tmp_path: Path) -> None:
    module = open_project(tmp_path, {"a.ts": "await new Promise((go) => setTimeout(() => go(), 500));"}).module("a.ts")
    assert any(map(may_pause, with_callbacks(ir.walk(*module.body))))
