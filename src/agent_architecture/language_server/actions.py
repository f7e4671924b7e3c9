"""Code actions: a comment that hides a finding, with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Command,
    OptionalVersionedTextDocumentIdentifier,
    TextDocumentEdit,
    WorkspaceEdit,
)

from agent_architecture.errors import UsageError
from agent_architecture.language_server.rules_named import language_of_text
from agent_architecture.registry import known
from agent_architecture.render.findings_text import short
from agent_architecture.sources.source import Role, SourceFile
from agent_architecture.suppressions.write import NO_COMMENTS, NO_PLACE, comment_of, with_comment
from agent_architecture.syntax.comments import LINE_COMMENT

if TYPE_CHECKING:
    from lsprotocol.types import TextEdit

    from agent_architecture.language_server.client import Client
    from agent_architecture.language_server.documents import Document

IGNORE: Final = "agent-architecture.ignore"
"""The command that writes such a comment with a reason."""
ASK: Final = "agent-architecture.askReason"
"""The editor's own command that asks for the reason, where the editor said at start that it has one."""


def ignoring(document: Document, rule: str, line: int, reason: str) -> TextEdit:
    """The edit that writes a comment for a line of the editor. Without a reason it hides nothing yet, and says so.

    Raises:
        UsageError: no rule is called so, or no comment fits there.
    """
    path, text = document.path, document.text
    scalar, language = known(rule), language_of_text(path, text.text)
    if scalar is None:
        raise UsageError(f"there is no rule {rule!r}")
    if language not in LINE_COMMENT:
        raise UsageError(NO_COMMENTS)
    file = SourceFile(path.name, language, Role.APP, text.text.encode("utf-8", "surrogatepass"))
    changed = with_comment(file, text.row(text.start(line)), comment_of([short(scalar.rule_id)], reason))
    if changed is None:
        raise UsageError(NO_PLACE)
    return text.edit_to(changed.decode("utf-8", "surrogatepass"))


def ignore_action(document: Document, rule: str, line: int, client: Client) -> CodeAction | None:
    """The action; None where no comment fits."""
    action = CodeAction(f"Ignore {rule} here, with a reason", CodeActionKind.QuickFix)
    if client.asks:
        action.command = Command("Ignore, with a reason", ASK, arguments=[document.uri, line, rule])
    elif client.resolves and language_of_text(document.path, document.text.text) in LINE_COMMENT:
        action.data = {"uri": document.uri, "line": line, "rule": rule}
    else:
        try:
            action.edit = edit_of(document, ignoring(document, rule, line, ""), client)
        except UsageError:
            return None
    return action


def edit_of(document: Document, edit: TextEdit, client: Client) -> WorkspaceEdit:
    """An edit of one file, which the editor refuses where it can when the file has changed since."""
    if not client.versions:
        return WorkspaceEdit(changes={document.uri: [edit]})
    named = OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return WorkspaceEdit(document_changes=[TextDocumentEdit(named, [edit])])
