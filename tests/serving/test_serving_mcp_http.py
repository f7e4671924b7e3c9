"""The MCP server over streamable HTTP: the same answers, for this machine and the server's own port alone."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.serving.test_serving_mcp import AGENT, COMMAND, EXAMPLE, answer, ask


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the example."""
    shutil.copytree(EXAMPLE, tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def served(project: Path) -> Iterator[int]:
    """The port of a server of the example on this machine."""
    with serving(project) as port:
        yield port


@contextmanager
def serving(project: Path) -> Iterator[int]:
    """A server on this machine, by its port, which ends without an error."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [*COMMAND, "--root", str(project), "--http", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        for _ in range(200):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


def crowd(folder: Path, size: int) -> Path:
    """A project of as many agents, each in a file."""
    folder.mkdir()
    for number in range(size):
        (folder / f"agent_{number}.py").write_text(AGENT.format(name=f"a{number}"), encoding="utf-8")
    return folder


def test_the_same_answers_come_over_http(served: int, project: Path) -> None:
    async def over_http() -> dict[str, Any]:
        async with Client(streamable_http_client(f"http://127.0.0.1:{served}/mcp")) as client:
            return await answer(client, "analyze_architecture")

    assert anyio.run(over_http) == ask(project, lambda client: answer(client, "analyze_architecture"))


def test_a_client_is_told_of_progress_over_http(tmp_path: Path) -> None:
    stages: list[str | None] = []

    async def told(done: float, total: float | None, message: str | None) -> None:
        assert total is None or 0 <= done <= total
        stages.append(message)

    async def question(port: int) -> int:
        async with Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp")) as client:
            await client.call_tool("analyze_architecture", {}, progress_callback=told)
            return int((await answer(client, "analyze_architecture"))["totals"]["agents"])

    with serving(crowd(tmp_path / "crowd", 60)) as port:
        assert anyio.run(question, port) == 60
    assert "reading" in stages


def test_an_analysis_that_is_cancelled_over_http_ends_and_the_next_one_is_answered(tmp_path: Path) -> None:
    async def question(port: int) -> tuple[bool, int]:
        begun = anyio.Event()

        async def told(done: float, total: float | None, message: str | None) -> None:
            del done, total, message
            begun.set()

        async with (
            Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp")) as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(partial(client.call_tool, "analyze_architecture", {}, progress_callback=told))
            await begun.wait()
            group.cancel_scope.cancel()
        async with Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp")) as client:
            totals = (await answer(client, "analyze_architecture"))["totals"]
        return begun.is_set(), int(totals["agents"])

    with serving(crowd(tmp_path / "crowd", 400)) as port:
        assert anyio.run(question, port) == (True, 400)


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("evil.example", "", b"421"),
        ("127.0.0.1:1", "", b"421"),
        ("127.0.0.1:{port}", "http://evil.example", b"403"),
        ("127.0.0.1:{port}", "http://localhost:3000", b"403"),
        ("localhost:{port}", "null", b"403"),
    ],
)
def test_a_page_of_another_host_cannot_ask_over_http(served: int, host: str, origin: str, status: bytes) -> None:
    asked_by = f"Origin: {origin}\r\n" if origin else ""
    request = (
        f"POST /mcp HTTP/1.1\r\nHost: {host.format(port=served)}\r\n{asked_by}Content-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    with socket.create_connection(("127.0.0.1", served)) as connection:
        connection.sendall(request.encode())
        assert connection.recv(64).split()[1] == status


def test_only_this_machine_reaches_the_server(served: int) -> None:
    listening = Path("/proc/net/tcp").read_text(encoding="ascii") if Path("/proc/net/tcp").exists() else ""
    lines = [line.split() for line in listening.splitlines()[1:]]
    hosts = {fields[1].split(":")[0] for fields in lines if fields[1].endswith(f":{served:04X}") and fields[3] == "0A"}
    assert hosts <= {"0100007F"}
