"""Python's imports to the IR, the calls that import included.

Made once, by the index; the statements find them there. Knows no file system: what an import means, `names` finds out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import Import, ImportedName
from agent_architecture.syntax.python_grammar import EXTRAS
from agent_architecture.syntax.python_strings import text_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.cst import Text

DYNAMIC: Final = {
    "import_module": ("import_module", "importlib.import_module"),
    "__import__": ("__import__", "builtins.__import__"),
}
"""Last name of a callee that imports, and the ways in which the callee is written."""

_OWN_PACKAGE: Final = frozenset({"__package__", "__name__", "package=__package__", "package=__name__"})


def lower_import(text: Text, node: Tree) -> tuple[Import, ...]:
    """`import a.b, c as d`: one `Import` for each module. A single one spans the statement."""
    names = [child for child in node.children_by_field_name("name") if not child.is_missing]
    return tuple([_module(text, name, node if len(names) == 1 else name) for name in names])


def _module(text: Text, name: Tree, whole: Tree) -> Import:
    dotted, alias = _alias(text, name)
    if alias is not None:
        return Import(text.span(whole), dotted, alias=alias)
    root, dot, _ = dotted.partition(".")
    return Import(text.span(whole), dotted, alias=root, binds_root=bool(dot))


def _alias(text: Text, node: Tree) -> tuple[str, str | None]:
    if node.type != "aliased_import":
        return _dotted(text, node), None
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    return "" if name is None else _dotted(text, name), None if alias is None else text.of(alias)


def _dotted(text: Text, node: Tree) -> str:
    """A dotted name without what may stand between its parts (`a . b`)."""
    return ".".join([text.of(child) for child in node.named_children if child.type == "identifier"])


def lower_from_import(text: Text, node: Tree, renames: Mapping[str, str]) -> tuple[Import, ...]:
    """`from ..a import b as c, d`, `from a import *`, `from __future__ import annotations`.

    What the code of this file calls by its own name is bound to that, too.
    """
    module, level = _source(text, node)
    names = [_imported(text, child) for child in node.children_by_field_name("name") if not child.is_missing]
    names += [ImportedName(n.name, n.name, n.span) for n in names if n.alias != n.name == renames.get(n.alias)]
    names += [
        ImportedName("*", "*", text.span(child)) for child in node.named_children if child.type == "wildcard_import"
    ]
    return (Import(text.span(node), module, level, tuple(names)),)


def _source(text: Text, node: Tree) -> tuple[str, int]:
    source = node.child_by_field_name("module_name")
    if source is None:
        return ("__future__" if node.type == "future_import_statement" else ""), 0
    if source.type != "relative_import":
        return _dotted(text, source), 0
    level = sum(text.of(child).count(".") for child in source.named_children if child.type == "import_prefix")
    dotted = [child for child in source.named_children if child.type == "dotted_name"]
    return (_dotted(text, dotted[0]) if dotted else ""), level


def _imported(text: Text, node: Tree) -> ImportedName:
    name, alias = _alias(text, node)
    return ImportedName(name, alias or name, text.span(node))


def lower_dynamic_import(text: Text, node: Tree, name: str) -> Import | None:
    """`importlib.import_module("x")` and `__import__("x")` of a constant; None for any other call.

    A relative name counts only with the module's own package: `import_module(".x", __package__)`.
    """
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if node.has_error or callee is None or arguments is None or text.of(callee) not in DYNAMIC[name]:
        return None
    parts = [child for child in arguments.named_children if child.type not in EXTRAS]
    module = _constant(text, parts[0]) if parts else None
    if not module:
        return None
    bare = module.lstrip(".")
    level = len(module) - len(bare)
    if level and (len(parts) != 2 or text.of(parts[1]) not in _OWN_PACKAGE):  # noqa: PLR2004 - the name and the package
        return None
    binds_root = name == "__import__" and "." in bare and len(parts) == 1
    return Import(text.span(node), bare, level, binds_root=binds_root, kind="dynamic")


def _constant(text: Text, node: Tree) -> str | None:
    """The value of a plain string; None for anything else, f-strings included."""
    inner = node.named_children if node.type == "string" else []
    if [child.type for child in inner] != ["string_start", "string_content", "string_end"]:
        return None
    prefix = text.of(inner[0]).rstrip("\"'").lower()
    return text_value(text.of(inner[1]), raw="r" in prefix) if prefix in ("", "r", "u") else None
