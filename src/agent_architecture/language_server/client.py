"""What the editor at the other end can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import MarkupKind
from pygls.capabilities import get_capability

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from lsprotocol.types import InitializeParams


class Client(NamedTuple):
    """What it says at start."""

    encoding: str
    """Whose units its columns count."""
    marked: bool
    """It shows Markdown on hover."""
    versions: bool
    """It takes edits of one version of a file."""
    resolves: bool
    """It asks for an action's edit when the action is chosen."""
    refreshes: bool
    """It asks for lenses again when it is told to."""
    watches: bool
    """It tells of files that change on the disk, when asked to."""
    progress: bool
    """It shows how far work is."""
    asks: bool
    """It asks for the reason of an ignore comment (our own extension)."""


def client_of(params: InitializeParams, encoding: str) -> Client:
    """What an editor says of itself."""
    said = params.capabilities
    kinds = get_capability(said, "text_document.hover.content_format", None) or ()
    resolved = get_capability(said, "text_document.code_action.resolve_support.properties", None) or ()
    options = params.initialization_options
    return Client(
        encoding=encoding,
        marked=MarkupKind.Markdown in kinds,
        versions=bool(get_capability(said, "workspace.workspace_edit.document_changes", False)),
        resolves="edit" in resolved,
        refreshes=bool(get_capability(said, "workspace.code_lens.refresh_support", False)),
        watches=bool(get_capability(said, "workspace.did_change_watched_files.dynamic_registration", False)),
        progress=bool(get_capability(said, "window.work_done_progress", False)),
        asks=isinstance(options, dict) and options.get("asksReason") is True,
    )
