"""The MCP server under a client that sends anything, and a project that changes while it is read: it says what is wrong
and goes on answering.
"""

# ruff: noqa: E501 - messages stand on one line each

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Final

import pytest
from hostile_runs import AGENT, PATIENCE, SOURCES, project

HELLO: Final = {
    "jsonrpc": "2.0", "id": "hello", "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
READY: Final = {"jsonrpc": "2.0", "method": "notifications/initialized"}
MALFORMED: Final = {
    "no JSON": b"hello\n",
    "nothing": b"\n\n\n",
    "half of it": b'{"jsonrpc": "2.0", "id": 1, "meth\n',
    "no UTF-8": b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}\n',
    "zero bytes": b"\x00\x00\x00\n",
    "a number": b"1\n",
    "an empty batch": b"[]\n",
    "another version": b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}\n',
    "no method": b'{"jsonrpc": "2.0", "id": 1}\n',
    "an unknown method": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/destroy"}\n',
    "parameters of another kind": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": [1, 2]}\n',
    "a name that is none": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": {}, "arguments": "x"}}\n',
    "an unknown tool": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "../../etc", "arguments": {}}}\n',
    "an id that is none": b'{"jsonrpc": "2.0", "id": {"a": []}, "method": "tools/list"}\n',
    "an answer that nobody asked for": b'{"jsonrpc": "2.0", "id": 99, "result": {}}\n',
    "a cancellation of nothing": b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}\n',
    "deep": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}\n",
    "large": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"x": "' + b"a" * 10_000_000 + b'"}}\n',
    "half a surrogate pair": b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800", "params": {"\\udfff": "\\ud800"}}\n',
    "large numbers": b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "tools/list"}\n',
}  # fmt: skip
ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "a root outside": {"path": "/etc"},
    "dots": {"path": "../../../../etc/passwd"},
    "an address": {"path": "file:///etc/passwd"},
    "a zero byte": {"path": "a\x00b"},
    "a long path": {"path": "a/" * 5000},
    "a longer one": {"path": "a" * 4096},
    "a list": {"path": ["."]},
    "a page of none": {"page_size": 0},
    "a page of all": {"page_size": 10**9},
    "another cursor": {"cursor": "../../etc"},
    "a cursor of another kind": {"cursor": {"a": 1}},
    "an unknown rule": {"rule": "\x1b[2J"},
    "an unknown severity": {"min_severity": "none"},
    "an unknown argument": {"write": "."},
}


class Server:
    """A server of a folder, spoken to byte by byte."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "agent_architecture", "mcp", "--root", str(folder)],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder.parent), "PYTHONPATH": SOURCES},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._lines: Queue[bytes] = Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)
        self._lines.put(b"")

    def send(self, message: bytes | dict[str, Any]) -> None:
        """Send bytes, or a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def answer(self, to: str) -> dict[str, Any]:
        """The answer to a request; others are passed over."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except Empty:
                pytest.fail(f"no answer to {to}")
            assert line, f"the server ended before it answered {to}"
            said = json.loads(line)
            if said.get("id") == to:
                return dict(said)

    def call(self, number: str, **arguments: Any) -> dict[str, Any]:
        """The answer of `analyze_architecture`."""
        parameters = {"name": "analyze_architecture", "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": parameters})
        return self.answer(number)

    def end(self) -> int:
        """The exit code after its client went away."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            return self._process.wait(timeout=PATIENCE)
        finally:
            self._process.kill()
            self._listener.join(PATIENCE)
            if self._process.stdout is not None:
                self._process.stdout.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(project(tmp_path_factory.mktemp("served") / "project"))
    server.send(HELLO)
    server.answer("hello")
    server.send(READY)
    yield server
    assert server.end() == 0


@pytest.mark.parametrize("kind", MALFORMED)
def test_after_a_malformed_message_the_next_one_is_answered(kind: str, served: Server) -> None:
    served.send(MALFORMED[kind])
    said = served.call(f"after {kind}")
    assert said["result"]["structuredContent"]["totals"]["tools"] == 1


@pytest.mark.parametrize("kind", ARGUMENTS)
def test_arguments_that_are_none_are_refused_and_nothing_outside_is_told(kind: str, served: Server) -> None:
    said = served.call(kind, **ARGUMENTS[kind])
    assert "root:" not in json.dumps(said)
    refused = "error" in said or said["result"].get("isError")
    assert refused or kind == "an unknown argument"


def test_malformed_before_the_first_greeting_does_not_end_it(tmp_path: Path) -> None:
    server = Server(project(tmp_path / "project"))
    for message in MALFORMED.values():
        server.send(message)
    server.send(HELLO)
    server.answer("hello")
    server.send(READY)
    assert server.call("first")["result"]["structuredContent"]["totals"]["tools"] == 1
    assert server.end() == 0


def test_a_client_that_goes_away_ends_it(tmp_path: Path) -> None:
    server = Server(project(tmp_path / "project"))
    server.send(HELLO)
    assert server.end() == 0


def test_a_file_that_changes_while_it_is_read_is_one_of_its_states(tmp_path: Path) -> None:
    folder = project(tmp_path / "project")
    server = Server(folder)
    server.send(HELLO)
    server.answer("hello")
    server.send(READY)
    stopped = threading.Event()

    def change() -> None:
        """Rewrite a file in place, replace it, take it away, make it a link out and a folder, without a pause."""
        file, other, number = folder / "changing.py", folder / "other.tmp", 0
        while not stopped.wait(0.002):
            number += 1
            match number % 5:
                case 0:
                    file.write_text(AGENT * (number % 7), encoding="utf-8")
                case 1:
                    other.write_text(AGENT, encoding="utf-8")
                    other.replace(file)
                case 2:
                    file.unlink()
                    file.symlink_to("/etc/passwd")
                case 3:
                    file.unlink()
                    file.mkdir()
                case _:
                    file.rmdir()

    writer = threading.Thread(target=change)
    writer.start()
    try:
        for number in range(8):
            said = server.call(str(number))
            assert "root:" not in json.dumps(said)
            assert said["result"]["structuredContent"]["totals"]["tools"] >= 1, said
    finally:
        stopped.set()
        writer.join()
    assert server.end() == 0
