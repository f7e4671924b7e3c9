"""Imports and exports of JavaScript and TypeScript to IR, those of CommonJS too.

The index lowers them once and the bodies show the same nodes, so that an import of the index is found in the body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.source import Span
from agent_architecture.syntax.ir import Assign, Export, Expr, Import, ImportedName, Node
from agent_architecture.syntax.javascript_cst import first, has_token, named, unwrap
from agent_architecture.syntax.javascript_names import assignment_chain, bound_names, constant_string, export_target
from agent_architecture.syntax.javascript_patterns import pattern

if TYPE_CHECKING:
    import tree_sitter

    from agent_architecture.syntax.javascript_context import Lowering


# --------------------------------------------------------------------------------------------------------- import forms
def import_statement(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    """An `import` statement of any form; `import d, * as ns` is two imports."""
    if node.id not in low.known:
        low.known[node.id] = _import(low, node)
    return low.known[node.id]


def _import(low: Lowering, node: tree_sitter.Node) -> tuple[Import, ...]:
    clause = next((c for c in node.named_children if c.type in {"import_clause", "import_require_clause"}), None)
    span, is_type = low.text.span(node), has_token(node, "type")
    if clause is not None and clause.type == "import_require_clause":
        name, module = first(clause), constant_string(low.text, clause.child_by_field_name("source"))
        alias = low.text.of(name) if name is not None else None
        return (Import(span, module or "", alias=alias, kind="require", type_only=is_type),)
    module = constant_string(low.text, node.child_by_field_name("source")) or ""
    if clause is None:
        return (Import(span, module, type_only=is_type),)
    names, namespace, all_types = _bindings(low, clause)
    is_type = is_type or all_types
    found = [Import(span, module, names=names, type_only=is_type)] if names or namespace is None else []
    if namespace is not None:
        found.append(Import(span, module, alias=namespace, type_only=is_type))
    return tuple(found)


def _bindings(low: Lowering, clause: tree_sitter.Node) -> tuple[tuple[ImportedName, ...], str | None, bool]:
    names: list[ImportedName] = []
    namespace: str | None = None
    all_types = False
    for child in named(clause):
        if child.type == "identifier":
            names.append(ImportedName("default", low.text.of(child), low.text.span(child)))
        elif child.type == "namespace_import":
            inner = first(child)
            namespace = low.text.of(inner) if inner is not None else None
        elif child.type == "named_imports":
            specifiers = [item for item in named(child) if item.type == "import_specifier"]
            all_types = bool(specifiers) and not names and all(has_token(item, "type") for item in specifiers)
            names.extend(_specifier(low, item) for item in specifiers)
    return tuple(names), namespace, all_types


def _specifier(low: Lowering, node: tree_sitter.Node) -> ImportedName:
    name = _outer_name(low, node.child_by_field_name("name"))
    alias = node.child_by_field_name("alias")
    return ImportedName(name, low.text.of(alias) if alias is not None else name, low.text.span(node))


def _outer_name(low: Lowering, node: tree_sitter.Node | None) -> str:
    """The name of an export, which can be a string."""
    if node is None:
        return ""
    constant = constant_string(low.text, node)
    return low.text.of(node) if constant is None else constant


# --------------------------------------------------------------------------------------------------------- export forms
def export_statement(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    """What an `export` statement declares, then what it exports. In a namespace, only what it declares."""
    declaration = node.child_by_field_name("declaration")
    declared = low.statements(low, declaration) if declaration is not None else ()
    if node.id in low.local_exports:
        return declared
    return (*declared, *exports(low, node))


def exports(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    """The exports of an `export` statement, without what it declares."""
    if node.id not in low.known:
        low.known[node.id] = _exports(low, node)
    return low.known[node.id]


def _exports(low: Lowering, node: tree_sitter.Node) -> tuple[Export, ...]:
    declaration = node.child_by_field_name("declaration")
    source = constant_string(low.text, node.child_by_field_name("source"))
    if declaration is not None:
        return _declared(low, node, declaration)
    if has_token(node, "default") or has_token(node, "="):
        return _default(low, node)
    for child in named(node):
        if child.type == "export_clause":
            items = [item for item in named(child) if item.type == "export_specifier"]
            return tuple([_export_specifier(low, item, source) for item in items])
        if child.type == "namespace_export":
            return (Export(low.text.span(node), _outer_name(low, first(child)), "*", source),)
    if source is not None:
        return (Export(low.text.span(node), "*", "*", source),)
    return ()


def _declared(low: Lowering, node: tree_sitter.Node, declaration: tree_sitter.Node) -> tuple[Export, ...]:
    names = bound_names(low.text, declaration)
    if has_token(node, "default"):
        span = low.text.span(node)
        return tuple([Export(span, "default", name) for name, _ in names[:1]])
    return tuple([Export(low.text.span(place), name, name) for name, place in names])


def _default(low: Lowering, node: tree_sitter.Node) -> tuple[Export, ...]:
    candidates = [child for child in named(node) if child.type not in {"decorator", "ERROR"}]
    if not candidates:
        return ()
    return (Export(low.text.span(node), "default", value=low.expression(low, candidates[-1])),)


def _export_specifier(low: Lowering, node: tree_sitter.Node, source: str | None) -> Export:
    local = _outer_name(low, node.child_by_field_name("name"))
    alias = node.child_by_field_name("alias")
    return Export(low.text.span(node), _outer_name(low, alias) if alias is not None else local, local, source)


# ---------------------------------------------------------------------------------------------- assignment and CommonJS
def assignment_statement(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    """An assignment that is a statement: one node a target, all with the same value. CommonJS exports are `Export`."""
    if node.id not in low.export_assignments:
        return _assignment(low, node, exporting=False)
    if node.id not in low.known:
        low.known[node.id] = _assignment(low, node, exporting=True)
    return low.known[node.id]


def _assignment(low: Lowering, node: tree_sitter.Node, *, exporting: bool) -> tuple[Node, ...]:
    targets, last = assignment_chain(node)
    value = low.expr(last)
    result: list[Node] = []
    for target in targets:
        exported = export_target(low.text, unwrap(target)) if exporting else None
        span = low.text.span(target, node)
        result.append(_assigned(low, span, target, value) if exported is None else Export(span, exported, value=value))
    return tuple(result) or (low.expression(low, node),)


def _assigned(low: Lowering, span: Span, target: tree_sitter.Node, value: Expr | None) -> Assign:
    return Assign(span, pattern(low, target), value)
