"""What a TypeScript declaration file (or source, or plain JavaScript) declares, imports and exports, by name.

Reads one file's syntax tree; which file an import means, and what a type is, are for others to say.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.syntax.grammars import load_grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

ALL: Final = "*"
DEFAULT: Final = "default"
_DECLARING: Final = frozenset(
    {
        "class_declaration", "abstract_class_declaration", "interface_declaration", "type_alias_declaration",
        "function_declaration", "function_signature", "generator_function_declaration", "enum_declaration", "class",
        "function_expression",
    }
)  # fmt: skip
_IMPORT_TYPE: Final = re.compile(rb"import\(\s*([\"'])([^\"']{1,300})\1\s*(?:,[^()]{0,200})?\)")


class From(NamedTuple):
    """A name of another module; `name` `*` is the module itself."""

    specifier: str
    name: str


class Declared(NamedTuple):
    """One declaration, with the block whose names it sees."""

    node: Node
    block: Block


class Block:
    """A module, or a namespace in one: what its names are bound to, and what it gives."""

    def __init__(self, file: Path, parent: Block | None) -> None:
        self.file = file
        self.parent = parent
        self.declared: dict[str, list[Declared]] = {}
        self.spaces: dict[str, list[Block]] = {}
        self.imported: dict[str, From] = {}
        self.renamed: dict[str, tuple[str, ...]] = {}
        """`import A = B.C`: the dotted name."""
        self.exported: dict[str, str | From | Declared] = {}
        """Outer names: a name of the block, one of another module, or what is declared without a name."""
        self.stars: list[str] = []
        self.whole: str | None = None
        """The name behind `export =`."""
        self.modules: dict[str, Block] = {}
        """`declare module "x"`."""
        self.is_ambient = parent is not None

    def gives_all(self) -> bool:
        """Whether every declaration is an export, because none is marked as one."""
        return self.is_ambient or not (self.exported or self.stars or self.whole)


@cache
def _parser() -> Parser:
    import tree_sitter

    return tree_sitter.Parser(load_grammar("tree_sitter_typescript", "language_typescript"))


def text_of(node: Node | None) -> str:
    """The source text of a node; the content of a string."""
    text = (node.text or b"").decode("utf-8", "replace") if node is not None else ""
    return text[1:-1] if node is not None and node.type == "string" else text


def read_declarations(file: Path) -> Block:
    """The declarations of a file."""
    named: dict[bytes, bytes] = {}

    def name(found: re.Match[bytes]) -> bytes:
        return named.setdefault(found.group(2), b"__module_%d" % len(named))

    data = file.read_bytes()
    if file.name.endswith((".d.ts", ".d.mts", ".d.cts")):  # the grammar cannot read `import("x").Y` as a type
        data = _IMPORT_TYPE.sub(name, data)
    block = Block(file, None)
    _read(block, _parser().parse(data).root_node)
    for specifier, alias in named.items():
        block.imported[alias.decode()] = From(specifier.decode("utf-8", "replace"), ALL)
    return block


def _read(block: Block, body: Node) -> None:
    for node in body.named_children:
        _statement(block, node)


def _statement(block: Block, node: Node) -> None:
    match node.type:
        case "import_statement":
            _import(block, node)
        case "export_statement":
            _export(block, node)
        case "ambient_declaration":
            for inner in node.named_children:
                if inner.type == "statement_block":
                    continue  # `declare global`
                _statement(block, inner)
        case "expression_statement":
            for inner in node.named_children:
                if inner.type in {"internal_module", "module"}:
                    _space(block, inner)
                elif inner.type == "assignment_expression":
                    _assigned(block, inner)
        case "internal_module" | "module":
            _space(block, node)
        case "import_alias":
            names = [text_of(child) for child in node.named_children]
            block.renamed[names[0]] = tuple(names[1].split("."))
        case "lexical_declaration" | "variable_declaration":
            for inner in node.named_children:
                if inner.type == "variable_declarator":
                    _variable(block, inner)
        case kind if kind in _DECLARING:
            _declare(block, text_of(node.child_by_field_name("name")), node)
        case _:
            pass


def _declare(block: Block, name: str, node: Node) -> None:
    block.declared.setdefault(name, []).append(Declared(node, block))


def _variable(block: Block, node: Node) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    required = _required(value)
    if name is None:
        return
    if name.type == "identifier" and required is not None:
        block.imported[text_of(name)] = From(required, ALL)
    elif name.type == "identifier":
        _declare(block, text_of(name), node)


def _required(value: Node | None) -> str | None:
    """The specifier of `require("x")`."""
    if value is None or value.type != "call_expression" or text_of(value.child_by_field_name("function")) != "require":
        return None
    arguments = value.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    return text_of(first) if first is not None and first.type == "string" else None


def _space(block: Block, node: Node) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return
    if name.type == "string":
        inner = block.modules.setdefault(text_of(name), Block(block.file, block))
        _read(inner, body)
        return
    outer = block
    parts = text_of(name).split(".")
    for part in parts:
        inner = Block(block.file, outer)
        outer.spaces.setdefault(part, []).append(inner)
        outer = inner
    _read(outer, body)


def _import(block: Block, node: Node) -> None:
    specifier = text_of(node.child_by_field_name("source"))
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            names = [text_of(child) for child in clause.named_children]
            block.imported[names[0]] = From(names[-1], ALL)
        elif clause.type == "import_clause":
            for part in clause.named_children:
                if part.type == "identifier":
                    block.imported[text_of(part)] = From(specifier, DEFAULT)
                elif part.type == "namespace_import":
                    block.imported[text_of(part.named_children[-1])] = From(specifier, ALL)
                elif part.type == "named_imports":
                    for one in part.named_children:
                        name = text_of(one.child_by_field_name("name"))
                        block.imported[text_of(one.child_by_field_name("alias")) or name] = From(specifier, name)


def _export(block: Block, node: Node) -> None:
    source = node.child_by_field_name("source")
    declaration = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    words = {child.type for child in node.children if not child.is_named}
    if declaration is not None:
        for name in _names_of(block, declaration):
            block.exported[DEFAULT if "default" in words else name] = name
    elif value is not None:
        block.exported[DEFAULT] = _value(block, value)
    elif "=" in words:
        block.whole = text_of(node.named_children[-1])
    for part in node.named_children:
        if part.type == "namespace_export":
            block.exported[text_of(part.named_children[-1])] = From(text_of(source), ALL)
        elif part.type == "export_clause":
            for one in part.named_children:
                name = text_of(one.child_by_field_name("name"))
                outer = text_of(one.child_by_field_name("alias")) or name
                block.exported[outer] = name if source is None else From(text_of(source), name)
    if source is not None and "*" in words:
        block.stars.append(text_of(source))


def _names_of(block: Block, declaration: Node) -> list[str]:
    """Declare what an `export` statement declares; its names."""
    before = {name: len(found) for name, found in block.declared.items()}
    spaces, renamed = {name: len(found) for name, found in block.spaces.items()}, set(block.renamed)
    _statement(block, declaration)
    names = [name for name, found in block.declared.items() if len(found) > before.get(name, 0)]
    names += [name for name, found in block.spaces.items() if len(found) > spaces.get(name, 0)]
    return [*names, *(name for name in block.renamed if name not in renamed)]


def _value(block: Block, value: Node) -> str | Declared:
    return text_of(value) if value.type == "identifier" else Declared(value, block)


def _assigned(block: Block, node: Node) -> None:
    """CommonJS: `module.exports = x`, `exports.a = x`, `module.exports.a = x`; `X.prototype.m = function …`."""
    target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    if target is None or value is None:
        return
    written = text_of(target)
    required = _required(value)
    if written == "module.exports":
        if value.type == "object":
            _object(block, value)
        block.exported[DEFAULT] = From(required, ALL) if required else _value(block, value)
        if required:
            block.stars.append(required)
        return
    for prefix in ("module.exports.", "exports."):
        name = written.removeprefix(prefix)
        if name != written and name.isidentifier():
            block.exported[name] = From(required, ALL) if required else _value(block, value)
            return


def _object(block: Block, value: Node) -> None:
    """The entries of the object that a CommonJS module is."""
    for entry in value.named_children:
        if entry.type == "shorthand_property_identifier":
            block.exported[text_of(entry)] = text_of(entry)
        elif entry.type in {"pair", "method_definition"}:
            key = text_of(entry.child_by_field_name("key") or entry.child_by_field_name("name"))
            inner = entry.child_by_field_name("value")
            required = _required(inner)
            if required:
                block.exported[key] = From(required, ALL)
            else:
                block.exported[key] = _value(block, inner) if inner is not None else Declared(entry, block)


def enum_names(node: Node) -> frozenset[str]:
    """The members of an `enum`."""
    body = node.child_by_field_name("body")
    members = body.named_children if body is not None else []
    return frozenset(text_of(child.child_by_field_name("name") or child) for child in members)
