"""What the editor tells changes files and projects; what it asks is answered from what was last found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from agent_architecture.language_server.actions import edit_of, ignore_action, ignoring
from agent_architecture.language_server.diagnostics import SOURCE
from agent_architecture.language_server.documents import Documents
from agent_architecture.language_server.moved import Moved
from agent_architecture.language_server.progress import Bar
from agent_architecture.language_server.projects import Project, Projects
from agent_architecture.language_server.publishing import Publishing
from agent_architecture.language_server.roots import is_read, path_of, root_of_file
from agent_architecture.language_server.rules_named import named_rules
from agent_architecture.language_server.screens import Screens, links
from agent_architecture.language_server.work import Work
from agent_architecture.render.safe import visible
from agent_architecture.suppressions.write import checked_reason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_architecture.language_server.analysis import Gone, Refused
    from agent_architecture.language_server.client import Client
    from agent_architecture.language_server.documents import Document
    from agent_architecture.language_server.projects import View
    from agent_architecture.language_server.roots import Root

WATCHED: Final = "**/*"
"""Which files the editor tells of when they change on the disk; `is_read` chooses."""


class Service:
    """One editor's workspace. For the thread of the event loop."""

    def __init__(self, server: LanguageServer) -> None:
        """Nothing is open."""
        self._server = server
        self._client: Client | None = None
        self._folders: list[Root] = []
        self._projects = Projects()
        self._documents = Documents()
        self._screens = Screens()
        self._publishing = Publishing(server)

    # --------------------------------------------------------------------------------------------------------- its life
    def begin(self, client: Client, folders: Sequence[Root]) -> None:
        """The editor says what it can do, and which folders are open."""
        self._client = client
        self._folders = list(folders)

    async def begun(self) -> None:
        """It is ready: the folders are analysed."""
        for root in self._folders:
            self._add(root)
        if self._client is not None and self._client.watches:
            watchers = [types.FileSystemWatcher(glob_pattern=WATCHED)]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await self._server.client_register_capability_async(types.RegistrationParams([wanted]))

    def end(self) -> None:
        """Nothing is worked on any more."""
        for project in list(self._projects):
            self._projects.remove(project.root)

    def folders(self, added: Sequence[Root], removed: Sequence[Root]) -> None:
        """Folders are opened and closed."""
        gone = {root.given for root in removed}
        self._folders = [one for one in self._folders if one.given not in gone]
        for project in list(self._projects):
            if project.root.given in gone and not project.root.file:
                self._projects.remove(project.root)
        for root in added:
            self._folders.append(root)
            self._add(root)
        for document in self._documents:
            self._alone(document)
        self._look_again(None)
        self._publish()

    # -------------------------------------------------------------------------------------------------------- its files
    def opened(self, item: types.TextDocumentItem) -> None:
        """A file is opened."""
        document = None if self._client is None else self._documents.open(item, self._client.encoding)
        if document is not None:
            self._alone(document)
            self._edited(document.path)

    def edited(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        """A file is edited."""
        document = self._documents.change(uri, version, changes)
        if document is not None:
            self._edited(document.path)

    def closed(self, uri: str) -> None:
        """A file is closed."""
        document = self._documents.close(uri)
        if document is not None:
            self._projects.remove(root_of_file(document.path))
            self._edited(document.path)
            self._publish()

    def touched(self, uris: Sequence[str]) -> None:
        """Files changed on the disk. A configuration above all projects may be one of them."""
        for uri in uris:
            path = path_of(uri)
            if path is not None and is_read(path):
                self._look_again(path if self._projects.of(path) is not None else None)

    def _alone(self, document: Document) -> None:
        """A file that no folder holds is looked at alone, if no folder is open at all; else it is not ours."""
        root = root_of_file(document.path)
        if self._folders:
            self._projects.remove(root)
        elif not self._projects.has(root):
            self._add(root)

    def _edited(self, path: Path) -> None:
        """The text of a file has changed, for all projects that hold it."""
        for project in self._projects:
            if project.work is not None and project.root.holds(path):
                project.work.edit()

    def _look_again(self, path: Path | None) -> None:
        """What is on the disk has changed, for all projects that hold it; None: for all."""
        for project in self._projects:
            if project.work is not None and (path is None or project.root.holds(path)):
                project.work.look_again()

    def _add(self, root: Root) -> None:
        if self._client is None or self._projects.has(root):
            return
        project = Project(root, self._client.encoding)
        self._projects.add(project)

        def texts() -> dict[Path, str]:
            return {one.path: one.text.text for one in self._documents if root.holds(one.path)}

        def bar() -> Bar | None:
            shows = self._client is not None and self._client.progress
            return Bar(self._server, f"Analysing {visible(root.target.name)}") if shows else None

        project.work = Work(project, texts, lambda found: self._found(project, found), self._failed, bar)
        project.work.look_again()

    # ------------------------------------------------------------------------------------------------- what comes of it
    def _found(self, project: Project, found: View | Refused | Gone) -> None:
        project.take(found)
        self._screens.forget(project.root.given)
        self._publish()
        if self._client is not None and self._client.refreshes:
            self._server.workspace_code_lens_refresh(None)

    def _failed(self, error: Exception) -> None:
        said = visible(f"The analysis failed: {type(error).__name__}: {error} (a bug: please report it)")
        self._server.window_log_message(types.LogMessageParams(types.MessageType.Error, said))

    def _publish(self) -> None:
        self._publishing.publish(self._projects.found(), self._documents)

    # ---------------------------------------------------------------------------------------------------- what is asked
    async def hover(self, uri: str, position: types.Position) -> types.Hover | None:
        """The screens of the rules that are broken at a place, or named there."""
        document = self._documents.at(uri)
        if document is None or self._client is None:
            return None
        project = self._projects.of(document.path)
        at = document.text.offset(position)
        named = [one.rule.name for one in named_rules(document.path, document.text.text) if one.start <= at <= one.end]
        broken = [] if project is None else _broken(project, document, position)
        rules = list(dict.fromkeys(named or broken))
        folder = document.path.parent if project is None else project.root.given
        return types.Hover(await self._screens.of(rules, folder, marked=self._client.marked)) if rules else None

    def lenses(self, uri: str) -> list[types.CodeLens]:
        """How many verdicts of which kind there are at each site, where its line is now."""
        document = self._documents.at(uri)
        project = None if document is None else self._projects.of(document.path)
        if document is None or project is None or project.view is None:
            return []
        before = project.view.texts.of(document.path)
        return project.view.judged.lenses(document.path, before, Moved(before, document.text), document.uri)

    def verdicts(self, uri: str, line: int) -> str:
        """What the lenses of a line count."""
        document = self._documents.at(uri)
        project = None if document is None else self._projects.of(document.path)
        if document is None or project is None or project.view is None:
            return "nothing is known of this file yet"
        before = project.view.texts.of(document.path)
        told = project.view.judged.told(document.path, before, Moved(before, document.text), line)
        return told or "nothing is judged at this line"

    def links(self, uri: str) -> list[types.DocumentLink]:
        """From the rules that a file names to what is written of them."""
        document = self._documents.at(uri)
        return [] if document is None else links(document.path, document.text)

    def actions(self, uri: str, context: types.CodeActionContext) -> list[types.CodeAction]:
        """What can be done about the diagnostics that the editor asks about: it knows where they are now."""
        document = self._documents.at(uri)
        wanted = context.only is None or any(
            str(types.CodeActionKind.QuickFix).startswith(str(only)) for only in context.only
        )
        if document is None or self._client is None or not wanted:
            return []
        project = self._projects.of(document.path)
        made: list[types.CodeAction] = []
        for one in context.diagnostics:
            if one.source == SOURCE and isinstance(one.code, str):
                if project is not None and project.view is not None:
                    made += project.view.repairs.actions(document.path, one, self._documents, self._client)
                action = ignore_action(document, one.code, one.range.start.line, self._client)
                if action is not None:
                    action.diagnostics = [one]
                    made.append(action)
        return made

    def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """The same action with its edit.

        Raises:
            UsageError: no comment fits there.
        """
        data = action.data
        document = self._documents.at(str(data.get("uri"))) if isinstance(data, dict) else None
        if document is not None and self._client is not None and isinstance(data, dict):
            edit = ignoring(document, str(data.get("rule")), int(data.get("line", 0)), "")
            action.edit = edit_of(document, edit, self._client)
        return action

    async def ignore(self, uri: str, line: int, rule: str, reason: str) -> None:
        """Have the editor write a comment with a reason.

        Raises:
            UsageError: the reason is none, or no comment fits there.
        """
        document = self._documents.at(uri)
        if document is not None and self._client is not None:
            edit = edit_of(document, ignoring(document, rule, line, checked_reason(reason)), self._client)
            await self._server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, f"Ignore {rule}"))


def _broken(project: Project, document: Document, position: types.Position) -> list[str]:
    """The rules of the findings at a place, the gravest first."""
    if project.view is None:
        return []
    moved = Moved(project.view.texts.of(document.path), document.text)
    return [
        one.code
        for one in project.view.gaps.get(document.path, ())
        if isinstance(one.code, str)
        and moved.line(one.range.start.line) == position.line
        and one.range.start.character
        <= position.character
        <= max(one.range.end.character, one.range.start.character + 1)
    ]
