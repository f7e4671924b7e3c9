"""Names of imports that a file gives other names: `from pydantic import Field as F` makes every `F` a `Field`.

What a name means is told by what it is imported as, so the IR has the name that its own module gives it, wherever the
file has no other use for that name or for the one that it gives. Knows which identifiers bind; nothing of the IR.
"""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.cst import Text

_MOST: Final = 5000
"""Places that are looked at in one file; one that has more keeps its names."""

_BUILTINS: Final = frozenset(dir(builtins))
_BINDING: Final = frozenset({
    "parameters", "lambda_parameters", "typed_parameter", "list_splat_pattern", "dictionary_splat_pattern",
    "pattern_list", "tuple_pattern", "list_pattern", "as_pattern_target", "global_statement", "nonlocal_statement",
    "delete_statement", "aliased_import", "case_pattern", "dotted_name", "splat_pattern", "as_pattern",
    "keyword_pattern", "ERROR",
})  # fmt: skip
"""Kinds of which an identifier that stands in them is bound there, or cannot be told."""

_TARGETS: Final = {
    "assignment": "left", "augmented_assignment": "left", "for_statement": "left", "for_in_clause": "left",
    "named_expression": "name", "default_parameter": "name", "typed_default_parameter": "name",
    "function_definition": "name", "class_definition": "name",
}  # fmt: skip
_NO_NAMES: Final = {"attribute": "attribute", "keyword_argument": "name"}
_GROUPS: Final = frozenset({"tuple", "list", "parenthesized_expression", "list_splat"})


def own_names(text: Text, root: Tree) -> dict[str, str]:
    """The names that a file gives to what it imports, with those that they have in their own modules."""
    if b" as " not in text.data or root.has_error:
        return {}
    given = dict[str, str]()
    for statement in root.named_children:
        if statement.type == "import_from_statement":
            source = statement.child_by_field_name("module_name")
            if source is not None and source.type == "dotted_name":
                given.update(_given(text, statement))
    names = list(given.values())
    found = {alias: name for alias, name in given.items() if names.count(name) == 1 and name not in given}
    return {alias: name for alias, name in found.items() if _is_free(text, root, alias, name)}


def _given(text: Text, statement: Tree) -> Iterator[tuple[str, str]]:
    for child in statement.children_by_field_name("name"):
        name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
        if child.type == "aliased_import" and name is not None and alias is not None:
            own, here = text.of(name), text.of(alias)
            if own != here and own not in _BUILTINS and own.isidentifier():
                yield here, own


def _is_free(text: Text, root: Tree, alias: str, name: str) -> bool:
    """Whether a file binds `alias` by one import alone, uses it, and says `name` nowhere else."""
    imported = used = 0
    for count, (word, node) in enumerate(_places(text, root, {alias, name})):
        parent = node.parent
        if count > _MOST or parent is None:
            return False
        if (field := _NO_NAMES.get(parent.type)) is not None and parent.child_by_field_name(field) == node:
            continue
        if parent.type == "dotted_name" and _is_imported(parent):
            if word == name and parent.parent is not None and parent.parent.type == "aliased_import":
                imported += 1
                continue
            if parent.parent is not None and parent.parent.child_by_field_name("module_name") == parent:
                continue
            return False
        if parent.type == "aliased_import" and word == alias:
            continue
        if word == name or _is_bound(node):
            return False
        used += 1
    return imported == 1 and used > 0


def _places(text: Text, root: Tree, words: set[str]) -> Iterator[tuple[str, Tree]]:
    """The identifiers of a file that are one of these words."""
    pattern = b"|".join(re.escape(word.encode()) for word in sorted(words))
    for found in re.finditer(rb"(?<![\w.])(?:" + pattern + rb")(?!\w)", text.data):
        node = root.descendant_for_byte_range(found.start(), found.end())
        if node is not None and node.type == "identifier" and (node.start_byte, node.end_byte) == found.span():
            yield found[0].decode(), node


def _is_imported(node: Tree) -> bool:
    above = node.parent
    return above is not None and ("import" in above.type)


def _is_bound(node: Tree) -> bool:
    parent = node.parent
    while parent is not None and parent.type in _GROUPS:
        node, parent = parent, parent.parent
    if parent is None:
        return True
    field = _TARGETS.get(parent.type)
    return parent.type in _BINDING or (field is not None and parent.child_by_field_name(field) == node)
