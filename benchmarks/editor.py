"""What an edit costs in an editor: from the edit to the diagnostics of that text, over the language server's own wire.

The time has everything in it: the quiet moment that the server waits for, the analysis, the messages. Beside it stand
the seconds of the processor, which other work on the machine does not change.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote, urlparse

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from agent_architecture.language_server.work import QUIET

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE: Final = 600.0
"""Seconds until a measurement is given up."""
CODE: Final = (".py", ".ts", ".tsx", ".js")


class Answered(NamedTuple):
    """Seconds, on the wall and of the processor."""

    wall: float
    processor: float


def measure(folder: Path, runs: int) -> dict[str, object]:
    """The first answer of a fresh server, and the medians of edits of a file that has findings."""
    first, edits = asyncio.run(_conversation(folder.resolve(), runs))
    return {
        "folder": str(folder),
        "runs": runs,
        "first answer, seconds": first.wall,
        "first answer, processor": first.processor,
        "edit, seconds": statistics.median(edit.wall for edit in edits),
        "edit, processor": statistics.median(edit.processor for edit in edits),
        "of these waited for quiet": QUIET,
    }


async def _conversation(folder: Path, runs: int) -> tuple[Answered, list[Answered]]:
    client = LanguageClient("bench", "1")
    told: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    def listen(params: types.PublishDiagnosticsParams) -> None:
        told.put_nowait(params)

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(listen)
    await client.start_io(sys.executable, "-m", "agent_architecture", "lsp")
    server = client._server  # noqa: SLF001 - it has no public name
    if server is None:
        raise SystemExit("bench: the server did not start")
    start = time.perf_counter(), _processor(server.pid)
    root = types.WorkspaceFolder(folder.as_uri(), folder.name)
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), workspace_folders=[root]))
    client.initialized(types.InitializedParams())
    found = [await asyncio.wait_for(told.get(), PATIENCE)]
    first = Answered(time.perf_counter() - start[0], _processor(server.pid) - start[1])
    await asyncio.sleep(QUIET)
    while not told.empty():
        found.append(told.get_nowait())
    uri = max((one for one in found if one.uri.endswith(CODE)), key=lambda one: (len(one.diagnostics), one.uri)).uri
    edits = await _edits(client, told, uri, runs)
    await client.shutdown_async(None)
    client.exit(None)
    await server.wait()
    return first, edits


async def _edits(
    client: LanguageClient, told: asyncio.Queue[types.PublishDiagnosticsParams], uri: str, runs: int
) -> list[Answered]:
    """A line of code at the end of a file, another one each time."""
    text = _text(unquote(urlparse(uri).path))
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "code", 0, text)))
    await _version(told, uri, 0)
    server = client._server  # noqa: SLF001
    edits = []
    for version in range(1, runs + 1):
        changed = types.TextDocumentContentChangeWholeDocument(f"{text}\nlast = {version}\n")
        name = types.VersionedTextDocumentIdentifier(version, uri)
        start = time.perf_counter(), _processor(server.pid if server else 0)
        client.text_document_did_change(types.DidChangeTextDocumentParams(name, [changed]))
        await _version(told, uri, version)
        edits.append(Answered(time.perf_counter() - start[0], _processor(server.pid if server else 0) - start[1]))
    return edits


async def _version(told: asyncio.Queue[types.PublishDiagnosticsParams], uri: str, version: int) -> None:
    """Wait for the diagnostics of a version of the file."""
    while True:
        params = await asyncio.wait_for(told.get(), PATIENCE)
        if (params.uri, params.version) == (uri, version):
            return


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        return file.read()


def _processor(pid: int) -> float:
    """Seconds of the processor that a process has taken; not a number where the system does not tell (Linux does)."""
    try:
        fields = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
