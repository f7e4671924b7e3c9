"""What an editor shows of rules: their screens on hover, and links to their pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from lsprotocol.types import DocumentLink, MarkupContent, MarkupKind, Range

from agent_architecture.language_server.roots import uri_of
from agent_architecture.language_server.rules_named import named_rules
from agent_architecture.library_fixes import LibraryFixes, library_fixes
from agent_architecture.registry import load_one, page_of
from agent_architecture.render.findings_text import short
from agent_architecture.render.rule_help import marked_screen, one_screen
from agent_architecture.render.standards import address_of
from agent_architecture.render.style import Style

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_architecture.language_server.positions import Text

MOST: Final = 3
"""Rules that are told in full at one place; the others are named."""
WIDTH: Final = 80


class Screens:
    """The screens of rules for the libraries of projects, each worked out once until a project changes."""

    def __init__(self) -> None:
        """None yet."""
        self._fixes: dict[tuple[str, Path], LibraryFixes] = {}

    def forget(self, folder: Path) -> None:
        """A project has changed: what it declares may be other libraries."""
        self._fixes = {asked: fixes for asked, fixes in self._fixes.items() if asked[1] != folder}

    async def of(self, rules: Sequence[str], folder: Path, *, marked: bool) -> MarkupContent:
        """The screens of some rules, the gravest first, in Markdown or as plain text."""
        told, rest = rules[:MOST], rules[MOST:]
        shown = [await self._one(rule, folder, marked=marked) for rule in told]
        if rest:
            names = (load_one(rule) for rule in rest)
            shown.append("Also here: " + "; ".join(f"{one.title} ({short(one.rule_id)})" for one in names) + "\n")
        kind, line = (MarkupKind.Markdown, "\n---\n\n") if marked else (MarkupKind.PlainText, "\n")
        return MarkupContent(kind, line.join(shown))

    async def _one(self, rule: str, folder: Path, *, marked: bool) -> str:
        detector = load_one(rule)
        asked = detector.key, folder
        if asked not in self._fixes:  # manifests and packs are read: not in the thread that answers
            self._fixes[asked] = await asyncio.to_thread(library_fixes, detector.key, folder)
        fixes = self._fixes[asked]
        if marked:
            return marked_screen(detector, fixes.shown)
        return one_screen(detector, fixes.shown, fixes.written, width=WIDTH, style=Style(color=False, unicode=True))


def links(path: Path, text: Text) -> list[DocumentLink]:
    """From each rule that a file names to the rule's page, or where that is in an archive, to the weakness's."""
    found = []
    for one in named_rules(path, text.text):
        page, detector = page_of(one.rule), load_one(one.rule.name)
        place = Range(text.position(one.start), text.position(one.end))
        target = uri_of(page) if page.is_file() else address_of(detector)
        found.append(DocumentLink(place, target, detector.title))
    return found
