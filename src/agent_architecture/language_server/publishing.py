"""What the editor has been told of each file: it is told again what has changed, and of nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import PublishDiagnosticsParams

from agent_architecture.language_server.roots import uri_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from lsprotocol.types import Diagnostic
    from pygls.lsp.server import LanguageServer

    from agent_architecture.language_server.documents import Documents


class Publishing:
    """The diagnostics that the editor shows."""

    def __init__(self, server: LanguageServer) -> None:
        """None yet."""
        self._server = server
        self._told: dict[Path, tuple[int | None, list[Diagnostic]]] = {}

    def publish(self, found: Mapping[Path, list[Diagnostic]], documents: Documents) -> None:
        """All that is found now. Of an open file each version is told of, for an editor moves what it was told."""
        versions = {document.path: document.version for document in documents}
        for path in sorted({*found, *self._told, *versions}):
            wanted = versions.get(path), found.get(path, [])
            if self._told.get(path, (None, [])) != wanted:
                self._tell(path, *wanted, documents)
            if wanted[1] or path in versions:
                self._told[path] = wanted
            else:
                self._told.pop(path, None)

    def _tell(self, path: Path, version: int | None, diagnostics: list[Diagnostic], documents: Documents) -> None:
        document = documents.of(path)
        uri = uri_of(path) if document is None else document.uri
        told = PublishDiagnosticsParams(uri, diagnostics, version)
        self._server.text_document_publish_diagnostics(told)
