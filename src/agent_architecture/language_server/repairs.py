"""Quick fixes: the edits of `fixing` that close a gap, as the editor makes them.

They are edits of the texts that the answer speaks of, and are offered while these are still the editor's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    OptionalVersionedTextDocumentIdentifier,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)

from agent_architecture.contract import scalars
from agent_architecture.fixing import Applicability
from agent_architecture.language_server.roots import uri_of
from agent_architecture.render.findings_text import short
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from lsprotocol.types import Diagnostic

    from agent_architecture.fixing import Edit, Repair
    from agent_architecture.language_server.client import Client
    from agent_architecture.language_server.documents import Documents
    from agent_architecture.language_server.roots import Root
    from agent_architecture.language_server.texts import Texts

REVIEWED: Final = " (unsafe: fit the value to the task)"
"""What is said of a fix that a run may meet."""


class Repairs:
    """The repairs of one answer."""

    def __init__(self, repairs: Iterable[Repair], root: Root, texts: Texts) -> None:
        """`texts` are those that the repairs were found in."""
        self._repairs = tuple(repairs)
        self._root = root
        self._texts = texts

    def actions(self, path: Path, gap: Diagnostic, documents: Documents, client: Client) -> Iterator[CodeAction]:
        """What closes a gap of a file, as long as no file that it changes has been edited since."""
        for repair in self._repairs:
            if self._is_about(repair, path, gap) and self._is_current(repair, documents):
                is_safe = repair.applicability is Applicability.SAFE
                title = visible(repair.message[:1].upper() + repair.message[1:]) + ("" if is_safe else REVIEWED)
                edit = self._edit(repair, documents, client)
                yield CodeAction(title, CodeActionKind.QuickFix, [gap], is_preferred=is_safe, edit=edit)

    def _is_about(self, repair: Repair, path: Path, gap: Diagnostic) -> bool:
        place = self._root.path(repair.place.path)
        rule = short(scalars()[repair.key].rule_id)
        return (place, rule) == (path, gap.code) and self._texts.of(path).range(repair.place) == gap.range

    def _is_current(self, repair: Repair, documents: Documents) -> bool:
        paths = {repair.place.path, *(edit.path for edit in repair.edits)}
        return all(self._is_same(self._root.path(path), documents) for path in paths)

    def _is_same(self, path: Path, documents: Documents) -> bool:
        document = documents.of(path)
        return document is None or document.text.text == self._texts.of(path).text

    def _edit(self, repair: Repair, documents: Documents, client: Client) -> WorkspaceEdit:
        edits: dict[Path, list[TextEdit]] = {}
        for edit in repair.edits:
            path = self._root.path(edit.path)
            edits.setdefault(path, []).append(self._text_edit(edit, path))
        if not client.versions:
            return WorkspaceEdit(changes={_uri(path, documents): some for path, some in edits.items()})
        return WorkspaceEdit(
            document_changes=[TextDocumentEdit(_named(path, documents), some) for path, some in edits.items()]
        )

    def _text_edit(self, edit: Edit, path: Path) -> TextEdit:
        text, span = self._texts.of(path), edit.span
        start, end = text.place(span.line, span.col), text.place(span.end_line, span.end_col)
        return TextEdit(Range(text.position(start), text.position(end)), edit.text)


def _uri(path: Path, documents: Documents) -> str:
    document = documents.of(path)
    return uri_of(path) if document is None else document.uri


def _named(path: Path, documents: Documents) -> OptionalVersionedTextDocumentIdentifier:
    document = documents.of(path)
    return OptionalVersionedTextDocumentIdentifier(
        _uri(path, documents), None if document is None else document.version
    )
