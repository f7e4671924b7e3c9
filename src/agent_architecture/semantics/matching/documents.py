"""Configuration documents as rows describe them: which files a row speaks of, and the places in them.

Reads the document's IR by key path. Knows no format and no library.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.packs.addresses import ELEMENT, EVERY
from agent_architecture.semantics.packs.globs import fits
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.addresses import Address, Step
    from agent_architecture.semantics.packs.rows import DocumentRow, Match
    from agent_architecture.sources.source import SourceFile

FRONT_MATTER: Final = "front_matter"
"""The key under which the head of a Markdown file stands, which is not written there."""


def places(context: Context, row: DocumentRow) -> Iterator[tuple[str, ir.Node]]:
    """Each place of a row's entities: the document's path and the node, in order of path and position."""
    return ((path, node) for path, _, node in entries(context, row))


def entries(context: Context, row: DocumentRow) -> Iterator[tuple[str, ir.Literal | None, ir.Node]]:
    """The same, with the key under which each place stands in a mapping."""
    for file in context.program.table.files():
        if file.language in CODE or not _is_meant(row, file):
            continue
        module = context.program.table.get(file.path)
        for document in module.body if module is not None else ():
            for steps in row.each:
                for key, node in _keyed(document, steps):
                    if row.only is None or is_like(node, row.only):
                        yield file.path, key, node


def is_like(node: ir.Node, match: Match) -> bool:
    """Whether a text at the place that a match names is like one of its patterns."""
    texts = (
        found.value for steps in match.at.alternatives for found in at(node, steps) if isinstance(found, ir.Literal)
    )
    return any(fnmatchcase(str(text), pattern) for text in texts for pattern in match.patterns)


def _is_meant(row: DocumentRow, file: SourceFile) -> bool:
    """Whether a row speaks of a file: by its path, and by the keys that lead to one of the row's places."""
    if not any(fits(file.path, pattern) for pattern in row.glob):
        return False
    if row.only is not None and not any(
        pattern.partition("*")[0].encode() in file.data for pattern in row.only.patterns
    ):
        return False
    return any(all(_key(step) in file.data for step in steps) for steps in row.each)


def _key(step: Step) -> bytes:
    """What the bytes of a file hold that has this key; escapes in keys are not looked for."""
    if step == FRONT_MATTER:
        return b"---"
    return b"" if isinstance(step, int) or step in {EVERY, ELEMENT} else step.encode()


def at(node: ir.Node, steps: tuple[Step, ...]) -> tuple[ir.Node, ...]:
    """The nodes at a key path; `*` and `[]` give every value or element."""
    return tuple(found for _, found in _keyed(node, steps))


def _keyed(node: ir.Node, steps: tuple[Step, ...]) -> tuple[tuple[ir.Literal | None, ir.Node], ...]:
    found: tuple[tuple[ir.Literal | None, ir.Node], ...] = ((None, node),)
    for step in steps:
        found = tuple(inner for _, outer in found for inner in _inside(outer, step))
    return found


def _inside(node: ir.Node, step: Step) -> Iterator[tuple[ir.Literal | None, ir.Node]]:
    if isinstance(node, ir.Map):
        for entry in node.entries:
            key = entry.key if isinstance(entry.key, ir.Literal) else None
            if step == EVERY or (key is not None and str(key.value) == str(step)):
                yield key, entry.value
    elif isinstance(node, ir.List):
        if step in {EVERY, ELEMENT}:
            yield from ((None, item) for item in node.items)
        elif isinstance(step, int) and step < len(node.items):
            yield None, node.items[step]


def first(node: ir.Node, address: Address) -> ir.Node | None:
    """The node at the first alternative of an address that is there."""
    return next((found[0] for steps in address.alternatives if (found := at(node, steps))), None)
