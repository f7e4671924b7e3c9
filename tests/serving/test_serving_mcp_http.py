"""The MCP server over streamable HTTP: the same answers, for this machine and the server's own port alone."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from tests.serving.test_serving_mcp import AGENT, COMMAND, EXAMPLE, answer, ask

TOKEN = "a-token-of-the-test"  # noqa: S105


@asynccontextmanager
async def asking(port: int, token: str = TOKEN) -> AsyncIterator[Client]:
    """A client that was told the token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        create_mcp_http_client(headers=headers) as http,
        Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)) as client,
    ):
        yield client


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
    port = free_port()
    command = [*COMMAND, "--root", str(project), "--http", str(port)]
    environment = os.environ | {"AGENT_ARCHITECTURE_MCP_TOKEN": TOKEN}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        for _ in range(200):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def crowd(folder: Path, size: int) -> Path:
    """A project of as many agents, each in a file."""
    folder.mkdir()
    for number in range(size):
        (folder / f"agent_{number}.py").write_text(AGENT.format(name=f"a{number}"), encoding="utf-8")
    return folder


def test_the_same_answers_come_over_http(served: int, project: Path) -> None:
    async def over_http() -> dict[str, Any]:
        async with asking(served) as client:
            return await answer(client, "analyze_architecture")

    assert anyio.run(over_http) == ask(project, lambda client: answer(client, "analyze_architecture"))


def test_a_client_is_told_of_progress_over_http(tmp_path: Path) -> None:
    stages: list[str | None] = []

    async def told(done: float, total: float | None, message: str | None) -> None:
        assert total is None or 0 <= done <= total
        stages.append(message)

    async def question(port: int) -> int:
        async with asking(port) as client:
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
            asking(port) as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(partial(client.call_tool, "analyze_architecture", {}, progress_callback=told))
            await begun.wait()
            group.cancel_scope.cancel()
        async with asking(port) as client:
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
    more = f"Authorization: Bearer {TOKEN}\r\n{asked_by}"
    assert status_of(served, host.format(port=served), more) == status


@pytest.mark.parametrize(
    "header", ["", "Authorization: Bearer \r\n", f"Authorization: Bearer {TOKEN}x\r\n", f"Authorization: {TOKEN}\r\n"]
)
def test_a_program_that_was_not_told_the_token_cannot_ask_over_http(served: int, header: str) -> None:
    assert status_of(served, f"127.0.0.1:{served}", header) == b"401"


def test_a_token_is_made_and_shown_where_none_is_given(project: Path) -> None:
    command = [*COMMAND, "--root", str(project), "--http", str(free_port())]
    environment = {name: value for name, value in os.environ.items() if name != "AGENT_ARCHITECTURE_MCP_TOKEN"}
    shown = []
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment) as process:
            assert process.stderr is not None
            shown.append(next(line for line in process.stderr if line.startswith(b"Authorization: Bearer ")))
            process.terminate()
            process.stderr.read()
    assert len(set(shown)) == 2
    assert min(map(len, shown)) > 60


def test_a_token_that_is_soon_guessed_is_refused(project: Path) -> None:
    environment = os.environ | {"AGENT_ARCHITECTURE_MCP_TOKEN": "secret"}
    command = [*COMMAND, "--root", str(project), "--http", "8765"]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, text=True)
    assert done.returncode == 2
    assert "at least 16" in done.stderr


def status_of(port: int, host: str, more: str) -> bytes:
    """The status of the answer to a request with these further lines."""
    request = (
        f"POST /mcp HTTP/1.1\r\nHost: {host}\r\n{more}Content-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request.encode())
        return connection.recv(64).split()[1]


def test_only_this_machine_reaches_the_server(served: int) -> None:
    listening = Path("/proc/net/tcp").read_text(encoding="ascii") if Path("/proc/net/tcp").exists() else ""
    lines = [line.split() for line in listening.splitlines()[1:]]
    hosts = {fields[1].split(":")[0] for fields in lines if fields[1].endswith(f":{served:04X}") and fields[3] == "0A"}
    assert hosts <= {"0100007F"}
