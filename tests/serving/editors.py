"""An editor for the tests: pygls' own client, which starts the language server as a program."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from lsprotocol import types
from pygls.lsp.client import LanguageClient

COMMAND: Final = (sys.executable, "-m", "agent_architecture", "lsp")
PATIENCE: Final = 120.0
"""Seconds until a test gives up: a loaded machine is slow, and no answer depends on it."""


class Editor:
    """One editor with folders open."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.told: dict[Path, types.PublishDiagnosticsParams] = {}
        self.count = 0
        """How often it was told of diagnostics."""
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.bars: list[object] = []
        self.registered: list[str] = []
        self.applied: list[types.WorkspaceEdit] = []
        self.capabilities: types.ServerCapabilities | None = None
        self._news = asyncio.Event()
        self._versions: dict[Path, int] = {}
        self.texts: dict[Path, str] = {}
        self._listen()

    def _listen(self) -> None:
        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(params: types.PublishDiagnosticsParams) -> None:
            self.told[path_of(params.uri)] = params
            self.count += 1
            self._news.set()

        @self.client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)
            self._news.set()

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.shown.append(params.message)
            self._news.set()

        @self.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def made(_: types.WorkDoneProgressCreateParams) -> None:
            return None

        @self.client.feature(types.PROGRESS)
        def bar(params: types.ProgressParams) -> None:
            self.bars.append(params.value)

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def registered(params: types.RegistrationParams) -> None:
            self.registered += [one.method for one in params.registrations]
            self._news.set()

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def applied(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            self.applied.append(params.edit)
            return types.ApplyWorkspaceEditResult(applied=True)

    # ------------------------------------------------------------------------------------------------------------ files
    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file, with another text than it has if there is one; its address."""
        self.texts[path] = path.read_text(encoding="utf-8") if text is None else text
        self._versions[path] = 1
        item = types.TextDocumentItem(path.as_uri(), "python", 1, self.texts[path])
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return path.as_uri()

    def replace(self, path: Path, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Edit a part of a file, as somebody who types does; places are lines and UTF-16 units."""
        place = types.Range(types.Position(*start), types.Position(*end))
        self.change(path, types.TextDocumentContentChangePartial(place, text))

    def write(self, path: Path, text: str) -> None:
        """Put another text in the place of all of it."""
        self.texts[path] = text
        self.change(path, types.TextDocumentContentChangeWholeDocument(text))

    def change(self, path: Path, *changes: types.TextDocumentContentChangeEvent) -> None:
        self._versions[path] += 1
        name = types.VersionedTextDocumentIdentifier(self._versions[path], path.as_uri())
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(name, list(changes)))

    def close(self, path: Path) -> None:
        named = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(named))

    def touched(self, *paths: Path) -> None:
        """Say that files changed on the disk."""
        events = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    # ---------------------------------------------------------------------------------------------------------- answers
    def rules(self, path: Path) -> set[str]:
        """The rules that a file breaks, as last told."""
        params = self.told.get(path)
        return {str(one.code) for one in params.diagnostics if one.code} if params else set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""

        async def wait() -> None:
            while not holds():
                self._news.clear()
                await self._news.wait()

        await asyncio.wait_for(wait(), PATIENCE)

    async def current(self, path: Path) -> list[types.Diagnostic]:
        """The diagnostics of an open file, for the text that was sent last."""
        await self.until(lambda: path in self.told and self.told[path].version == self._versions[path])
        return list(self.told[path].diagnostics)

    async def actions(self, path: Path, diagnostics: Sequence[types.Diagnostic]) -> list[types.CodeAction]:
        named = types.TextDocumentIdentifier(path.as_uri())
        context = types.CodeActionContext(list(diagnostics))
        params = types.CodeActionParams(named, diagnostics[0].range, context)
        found = await self.client.text_document_code_action_async(params)
        return [one for one in found or () if isinstance(one, types.CodeAction)]

    def apply(self, edit: types.WorkspaceEdit) -> None:
        """Make an edit of open files, as an editor does, and tell of it."""
        for uri, edits in (edit.changes or {}).items():
            path = path_of(uri)
            lines = self.texts[path].split("\n")
            starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines) + 1)]
            text = self.texts[path]
            for one in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
                start = starts[one.range.start.line] + one.range.start.character
                end = starts[one.range.end.line] + one.range.end.character
                text = text[:start] + one.new_text + text[end:]
            self.write(path, text)


def path_of(uri: str) -> Path:
    from urllib.parse import unquote, urlparse

    return Path(unquote(urlparse(uri).path))


@asynccontextmanager
async def editor(
    *folders: Path, capabilities: types.ClientCapabilities | None = None, options: object = None
) -> AsyncIterator[Editor]:
    """An editor with these folders open; the server has to end well, and to have said nothing beside its messages."""
    client = LanguageClient("editor", "1")
    one = Editor(client)
    await client.start_io(*COMMAND)
    params = types.InitializeParams(
        capabilities=capabilities or types.ClientCapabilities(),
        workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders] or None,
        initialization_options=options,
    )
    one.capabilities = (await client.initialize_async(params)).capabilities
    client.initialized(types.InitializedParams())
    yield one
    server = client._server
    assert server is not None
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.wait_for(server.wait(), PATIENCE) == 0
    await client.stop()


def run(question: Callable[[], Awaitable[Any]]) -> Any:
    """What a conversation comes to."""

    async def conversation() -> Any:
        return await question()

    return asyncio.run(conversation())
