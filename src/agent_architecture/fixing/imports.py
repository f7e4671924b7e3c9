"""A name of a library that a new value needs: imported already, put into an import that is there, or into a new one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.fixing.lists import Change, added, added_between

if TYPE_CHECKING:
    from tree_sitter import Node

    from agent_architecture.model.fix_places import Way

IMPORTS: Final = frozenset({"import_statement", "import_from_statement", "future_import_statement"})


def imported(data: bytes, root: Node, way: Way) -> tuple[Change, ...] | None:
    """The changes that import what a way needs; None where the file has another thing of that name, or no place."""
    changes: list[Change] = []
    for name in way.imports:
        module, _, wanted = name.rpartition(":")
        change = _one(data, root, module, wanted)
        if change is None:
            return None
        changes += change
    return tuple(changes)


def _one(data: bytes, root: Node, module: str, name: str) -> tuple[Change, ...] | None:
    statements = [node for node in root.named_children if node.type in IMPORTS]
    mine = [node for node in statements if _module_of(node) == module and not _is_type_only(node)]
    if any(name in _names(node) for node in mine):
        return ()
    if re.search(rb"\b" + re.escape(name.encode()) + rb"\b", data):
        return None
    extended = next((change for node in mine if (change := _extended(data, node, name)) is not None), None)
    if extended is not None:
        return (extended,)
    python = root.type == "module"
    text = f"from {module} import {name}" if python else f'import {{ {name} }} from "{module}";'
    place = statements[-1] if statements else None
    if place is None:
        return None
    line = b"\r\n" if data[place.end_byte : place.end_byte + 2] == b"\r\n" else b"\n"
    return (Change(place.end_byte, place.end_byte, line + text.encode()),)


def _module_of(node: Node) -> str:
    source = node.child_by_field_name("module_name") or node.child_by_field_name("source")
    return (source.text or b"").decode("utf-8", "replace").strip("\"'") if source is not None else ""


def _is_type_only(node: Node) -> bool:
    return any(child.type == "type" for child in node.children)


def _names(node: Node) -> list[str]:
    """The names that a statement binds under their own names."""
    if node.type == "import_from_statement":
        found = node.children_by_field_name("name")
        return [(one.text or b"").decode("utf-8", "replace") for one in found if one.type == "dotted_name"]
    named = _named_imports(node)
    specifiers = named.named_children if named is not None else []
    plain = (one for one in specifiers if one.type == "import_specifier" and one.child_by_field_name("alias") is None)
    return [(one.text or b"").decode("utf-8", "replace") for one in plain]


def _named_imports(node: Node) -> Node | None:
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    return next((child for child in clause.named_children if child.type == "named_imports"), None) if clause else None


def _extended(data: bytes, node: Node, name: str) -> Change | None:
    """The import with a name more; None where it imports a module as a whole."""
    if node.type != "import_from_statement":
        named = _named_imports(node)
        return added(data, named, name.encode()) if named is not None else None
    names = node.children_by_field_name("name")
    if not names:
        return None
    opening = next((number for number, child in enumerate(node.children) if child.type == "("), None)
    if opening is not None:
        return added_between(data, node.children[opening:], name.encode())
    return Change(names[-1].end_byte, names[-1].end_byte, f", {name}".encode())
