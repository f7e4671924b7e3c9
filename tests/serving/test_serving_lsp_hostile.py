"""The language server under a client that sends anything, and projects that are none: it goes on answering, shows
nothing from outside of its folders, and what it shows is text.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any, Final

import pytest
from lsprotocol import types
from tests.serving.agents import AGENT, TOOL, named
from tests.serving.editors import COMMAND, PATIENCE, editor, run

EVIL: Final = "</code><img src=x onerror=alert(1)>[a](command:x)\x1b[2J\x9b31m\u202e```"


def framed(text: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(text) + text


def request(method: str, number: Any, parameters: Any = None) -> bytes:
    return framed(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}).encode("ascii"))


OUTSIDE: Final = {"textDocument": {"uri": "file:///etc/passwd"}, "position": {"line": 0, "character": 1}}
MALFORMED: Final = {
    "no JSON": framed(b"hello"),
    "nothing": framed(b""),
    "half of it": framed(b'{"jsonrpc": "2.0", "id": 1, "meth'),
    "no UTF-8": framed(b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}'),
    "a number": framed(b"1"),
    "a list": framed(b"[]"),
    "no method": framed(b'{"jsonrpc": "2.0", "id": 1}'),
    "an unknown method": request("workspace/destroy", 1),
    "parameters of another kind": request("textDocument/hover", 1, [1, 2]),
    "parameters of none": request("textDocument/codeAction", 1, None),
    "a place before the file": request("textDocument/hover", 1, OUTSIDE | {"position": {"line": -1, "character": -1}}),
    "a place far behind it": request(
        "textDocument/hover", 1, OUTSIDE | {"position": {"line": 2**31 - 1, "character": 2**31 - 1}}
    ),
    "an answer that nobody asked for": framed(b'{"jsonrpc": "2.0", "id": 99, "result": {}}'),
    "a cancellation of nothing": framed(b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "none"}}'),
    "a change of what is not open": framed(
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": '
        b'{"uri": "file:///etc/shadow", "version": 2}, "contentChanges": [{"text": "x"}]}}'
    ),
    "an address that is none": request("textDocument/hover", 1, OUTSIDE | {"textDocument": {"uri": "file:///%00%ff"}}),
    "deep": framed(b'{"jsonrpc": "2.0", "id": 1, "method": "x", "params": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"),
    "large": request("workspace/destroy", 1, {"x": "a" * 5_000_000}),
    "half a surrogate pair": request("\ud800", 1, {"\udfff": "\ud800"}),
    "a command that is none": request("workspace/executeCommand", 1, {"command": "rm", "arguments": ["-rf", "/"]}),
    "a command with other arguments": request(
        "workspace/executeCommand", 1, {"command": "agent-architecture.ignore", "arguments": [{}, None, [], 3]}
    ),
}


class Server:
    """A server of a folder, spoken to byte by byte."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            COMMAND, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._answers: Queue[dict[str, Any]] = Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        folders = [{"uri": folder.as_uri(), "name": "project"}]
        self.send(request("initialize", "hello", {"capabilities": {}, "workspaceFolders": folders}))
        self.answer("hello")
        self.send(framed(b'{"jsonrpc": "2.0", "method": "initialized", "params": {}}'))

    def _listen(self) -> None:
        stream = self._process.stdout
        while stream is not None and (line := stream.readline()):
            size = int(line.partition(b":")[2])
            while stream.readline().strip():
                continue
            self._answers.put(json.loads(stream.read(size)))

    def send(self, message: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(message)
        self._process.stdin.flush()

    def answer(self, to: str) -> dict[str, Any]:
        """The answer to a request; others are passed over."""
        while (said := self._answers.get(timeout=PATIENCE)).get("id") != to or "method" in said:
            continue
        return said

    def end(self) -> int:
        self.send(request("shutdown", "bye"))
        self.answer("bye")
        self.send(framed(b'{"jsonrpc": "2.0", "method": "exit"}'))
        try:
            return self._process.wait(timeout=PATIENCE)
        finally:
            self._process.kill()
            self._listener.join(PATIENCE)
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "agent.py").write_text(AGENT, encoding="utf-8")
    server = Server(folder)
    yield server
    assert server.end() == 0


@pytest.mark.parametrize("kind", MALFORMED)
def test_after_a_malformed_message_the_next_one_is_answered(kind: str, served: Server) -> None:
    served.send(MALFORMED[kind])
    served.send(request("textDocument/hover", f"after {kind}", OUTSIDE))
    said = served.answer(f"after {kind}")
    assert said["result"] is None
    assert "root:" not in json.dumps(said)


def test_a_request_that_is_cancelled_at_once_leaves_the_next_one_answered(served: Server) -> None:
    for number in range(20):
        served.send(request("textDocument/hover", f"gone {number}", OUTSIDE))
        served.send(framed(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"gone %d"}}' % number))
    served.send(request("textDocument/hover", "kept", OUTSIDE))
    assert served.answer("kept")["result"] is None


def test_nothing_outside_of_the_folders_is_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside.py"
    root.mkdir()
    outside.write_text(TOOL + AGENT, encoding="utf-8")
    (root / "linked.py").symlink_to(outside)
    (root / "agent.py").write_text(AGENT, encoding="utf-8")

    async def question() -> None:
        async with editor(root) as one:
            await one.until(lambda: bool(one.rules(root / "agent.py")))
            one.touched(outside, root / "linked.py", Path("/etc/passwd"))
            one.open(root / "agent.py")
            await one.current(root / "agent.py")
            assert {path.name for path in one.told if one.rules(path)} == {"agent.py"}

    run(question)


def test_a_file_that_changes_and_vanishes_while_it_is_read_ends_nothing(project: Path) -> None:
    agent, file = project / "agent.py", project / "changing.py"
    stopped = threading.Event()

    def change() -> None:
        """Write it, make it a link out, a folder and a pipe, and take it away, without a pause."""
        while not stopped.wait(0.005):
            file.write_text(TOOL, encoding="utf-8")
            file.unlink()
            file.symlink_to("/etc/passwd")
            file.unlink()
            file.mkdir()
            file.rmdir()
            os.mkfifo(file)
            file.unlink()

    async def question() -> None:
        async with editor(project) as one:
            one.open(agent)
            for number in range(4):
                one.touched(file)
                one.write(agent, f"# {number}\n{one.texts[agent]}")
                assert await one.current(agent)
            assert "root:" not in str(one.told)

    writer = threading.Thread(target=change)
    writer.start()
    try:
        run(question)
    finally:
        stopped.set()
        writer.join()


def test_what_is_shown_of_a_project_is_text(tmp_path: Path) -> None:
    """In what an editor renders, an element, a link or an escape sequence of the project is none."""
    file = tmp_path / "agent.py"
    file.write_text(TOOL + AGENT.replace('"helper"', f"{EVIL!r}, tools=[look]"), encoding="utf-8")
    marked = types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown])
    capabilities = types.ClientCapabilities(text_document=types.TextDocumentClientCapabilities(hover=marked))

    async def question() -> list[str]:
        async with editor(tmp_path, capabilities=capabilities) as one:
            one.open(file)
            found = await one.current(file)
            shown = [one.message for one in found]
            for diagnostic in found:
                params = types.HoverParams(named(file), diagnostic.range.start)
                hover = await one.client.text_document_hover_async(params)
                assert hover is not None
                assert isinstance(hover.contents, types.MarkupContent)
                shown.append(outside_of_code(hover.contents.value))
            return shown

    shown = run(question)
    assert len(shown) > 2
    for text in shown:
        assert not any(char in text for char in "\x1b\x9b\u202e")
    for text in shown[len(shown) // 2 :]:
        assert "<img" not in text
        assert "](command:" not in text


def outside_of_code(markdown: str) -> str:
    """A Markdown text without its fenced blocks, in which nothing is an element or a link."""
    kept, inside = [], ""
    for line in markdown.split("\n"):
        fence = line[: len(line) - len(line.lstrip("`"))]
        if inside:
            inside = "" if line.strip() == inside else inside
        elif len(fence) >= 3:
            inside = fence
        else:
            kept.append(line)
    return "\n".join(kept)
