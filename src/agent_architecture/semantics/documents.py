"""Configuration documents as rows describe them: which files a row speaks of, and the places in them.

Reads the document's IR by key path. Knows no format and no library.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from agent_architecture.semantics.addresses import ELEMENT, EVERY
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.addresses import Address, Step
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.rows import DocumentRow


def places(context: Context, row: DocumentRow) -> Iterator[tuple[str, ir.Node]]:
    """Each place of a row's entities: the document's path and the node, in order of path and position."""
    table = context.program.table
    for path in sorted(table.paths):
        if not any(fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}") for pattern in row.glob):
            continue
        module = table.get(path)
        for document in module.body if module is not None else ():
            for steps in row.each:
                for node in at(document, steps):
                    yield path, node


def at(node: ir.Node, steps: tuple[Step, ...]) -> tuple[ir.Node, ...]:
    """The nodes at a key path; `*` and `[]` give every value or element."""
    found: tuple[ir.Node, ...] = (node,)
    for step in steps:
        found = tuple(inner for outer in found for inner in _inside(outer, step))
    return found


def _inside(node: ir.Node, step: Step) -> Iterator[ir.Node]:
    if isinstance(node, ir.Map):
        for entry in node.entries:
            if step == EVERY or (isinstance(entry.key, ir.Literal) and str(entry.key.value) == str(step)):
                yield entry.value
    elif isinstance(node, ir.List):
        if step in {EVERY, ELEMENT}:
            yield from node.items
        elif isinstance(step, int) and step < len(node.items):
            yield node.items[step]


def first(node: ir.Node, address: Address) -> ir.Node | None:
    """The node at the first alternative of an address that is there."""
    return next((found[0] for steps in address.alternatives if (found := at(node, steps))), None)
