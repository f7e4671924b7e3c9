"""The server: what the editor tells and asks, and what it is answered. It thinks nothing of its own."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from agent_architecture.errors import UsageError
from agent_architecture.language_server.actions import IGNORE
from agent_architecture.language_server.client import client_of
from agent_architecture.language_server.lenses import SHOW
from agent_architecture.language_server.roots import path_of, root_at
from agent_architecture.language_server.service import Service
from agent_architecture.render.safe import visible
from agent_architecture.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Generator

    from agent_architecture.language_server.roots import Root

NAME: Final = "agent-architecture"
LONGEST: Final = 500
"""Characters of an error that the editor's log shows."""


class Protocol(LanguageServerProtocol):
    """The protocol, without the library's own copies of the texts: it ends lines where editors do not (U+2028)."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """A file is opened."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """A file is edited."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """A file is closed."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    """A server that says in the log what went wrong, and goes on."""

    def __init__(self) -> None:
        """Texts are sent as what changed in them."""
        super().__init__(
            NAME, VERSION, text_document_sync_kind=types.TextDocumentSyncKind.Incremental, protocol_cls=Protocol
        )
        self.was_shut_down = False

    def report_server_error(self, error: Exception, source: object) -> None:
        """A message that is none, or a mistake of ours."""
        del source
        said = visible(f"{type(error).__name__}: {error}")[:LONGEST]
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, said))


def server_of() -> Server:
    """A server with all that it answers."""
    server = Server()
    service = Service(server)
    _add_life(server, service)
    _add_files(server, service)
    _add_questions(server, service)
    return server


def run() -> bool:
    """Serve over standard input and output until the editor goes away; whether it said good-bye before.

    Whatever else prints goes to standard error: a line among the messages would end the conversation.
    """
    import os

    logging.getLogger("pygls").setLevel(logging.ERROR)
    server = server_of()
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as messages:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        server.start_io(sys.stdin.buffer, messages)
    return server.was_shut_down


def roots_of(params: types.InitializeParams) -> list[Root]:
    """The folders that the editor has open."""
    folders = [folder.uri for folder in params.workspace_folders or ()]
    if not folders and params.root_uri:
        folders = [params.root_uri]
    paths = [path_of(uri) for uri in folders]
    if not folders and params.root_path:
        from pathlib import Path

        paths = [Path(params.root_path)]
    return [root_at(path) for path in paths if path is not None]


# --------------------------------------------------------------------------------------------------------- what is told
def _add_life(server: Server, service: Service) -> None:
    @server.feature(types.INITIALIZE)
    def begin(params: types.InitializeParams) -> None:
        encoding = types.PositionEncodingKind(server.workspace.position_encoding or "utf-16").value
        service.begin(client_of(params, encoding), roots_of(params))

    @server.feature(types.INITIALIZED)
    async def begun(_: types.InitializedParams) -> None:
        await service.begun()

    @server.feature(types.SHUTDOWN)
    def end(_: None) -> None:
        server.was_shut_down = True
        service.end()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        event = params.event
        added = [root_at(path) for one in event.added if (path := path_of(one.uri)) is not None]
        removed = [root_at(path) for one in event.removed if (path := path_of(one.uri)) is not None]
        service.folders(added, removed)


def _add_files(server: Server, service: Service) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        service.opened(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        service.edited(params.text_document.uri, params.text_document.version, params.content_changes)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        service.touched([params.text_document.uri])

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        service.closed(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: types.DidChangeWatchedFilesParams) -> None:
        service.touched([change.uri for change in params.changes])


# -------------------------------------------------------------------------------------------------------- what is asked
def _add_questions(server: Server, service: Service) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await service.hover(params.text_document.uri, params.position)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        return service.lenses(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        return service.links(params.text_document.uri)

    kinds = [types.CodeActionKind.QuickFix]
    options = types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return service.actions(params.text_document.uri, params.context)

    @server.feature(types.CODE_ACTION_RESOLVE)
    def resolved(action: types.CodeAction) -> types.CodeAction:
        return service.resolved(action)

    @server.command(SHOW)
    def verdicts(uri: str, line: int) -> None:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, service.verdicts(uri, line)))

    @server.command(IGNORE)
    async def ignore(uri: str, line: int, rule: str, reason: str) -> None:
        try:
            await service.ignore(uri, line, rule, reason)
        except UsageError as error:
            said = visible(str(error))
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, said))
