"""Rewritings of JavaScript and TypeScript: a value in place, under a name, built up, formatted otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecosystem.rewritten.spans import (
    BLOCKS,
    SIMPLE,
    Writer,
    bare,
    field,
    functions_around,
    has,
    raw,
    sure,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node


QUOTES = "\"'`"


def _last_options(node: Node) -> Node | None:
    """The object that is the last argument of a call, where nothing before it has an effect."""
    if node.type != "object" or node.parent is None or node.parent.type != "arguments" or not node.named_children:
        return None
    given = node.parent.named_children
    if given[-1] != node or any(has(g, "call_expression", "await_expression", "new_expression") for g in given[:-1]):
        return None
    return node if sure(node) else None


def options_named(source: str, ending: str) -> str:
    """`f(a, { key: value })` is `const given = { key: value }; f(a, given)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if _last_options(node) is None:
            return None
        text, new = writer.inside(node), writer.new()
        writer.hoist(f"const {new} = {text};")
        return new

    return written(source, ending, rule)


def options_spread(source: str, ending: str) -> str:
    """`f({ key: value })` is `const given = { key: value }; f({ ...given })`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if _last_options(node) is None:
            return None
        text, new = writer.inside(node), writer.new()
        writer.hoist(f"const {new} = {text};")
        return f"{{ ...{new} }}"

    return written(source, ending, rule)


def arguments_named(source: str, ending: str) -> str:
    """`f(g(x), { key: [1] })` is `const first = g(x); const second = { key: [1] }; f(first, second)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.parent is None or node.parent.type != "arguments" or node.type in (*SIMPLE, "spread_element"):
            return None
        if not node.is_named or node.type == "comment" or not sure(node):
            return None
        if node.type == "unary_expression" and raw(node)[1:].isdigit():
            return None  # nobody names `-8`
        text, new = writer.inside(node), writer.new()
        writer.hoist(f"const {new} = {text};")
        return new

    return written(source, ending, rule)


def _constants(source: str, ending: str, name: Callable[[str], str]) -> tuple[str, list[tuple[str, str]]]:
    """Name the numbers and texts of options and of comparisons in functions; what they are now."""
    found = list[tuple[str, str]]()

    def rule(writer: Writer, node: Node) -> str | None:
        parent = node.parent
        if node.type not in ("number", "string") or parent is None or not functions_around(node):
            return None
        of_options = parent.type == "pair" and field(parent, "value") == node and raw(node) not in ('""', "''")
        compared = parent.type == "binary_expression" and node.type == "number"
        if not of_options and not compared:
            return None
        new = writer.new()
        found.append((new, raw(node)))
        return name(new)

    return written(source, ending, rule), found


def constants_named(source: str, ending: str) -> str:
    """`f({ limit: 5 })` in a function is `const LIMIT = 5` of the module and `f({ limit: LIMIT })`."""
    text, found = _constants(source, ending, str)
    return _after_imports(text, ending, [f"const {n} = {v};" for n, v in found])


def constants_of_settings(source: str, ending: str) -> str:
    """`f({ limit: 5 })` in a function is `f({ limit: settings.limit })` of an object that says 5."""
    text, found = _constants(source, ending, lambda n: f"partSettings.{n}")
    line = f"const partSettings = {{ {', '.join(f'{n}: {v}' for n, v in found)} }};"
    return _after_imports(text, ending, [line] if found else [])


def _after_imports(source: str, ending: str, lines: list[str]) -> str:
    writer = Writer(source, ending, lambda _w, _n: None)
    writer.tail += lines
    return writer.whole()


def _template(node: Node, writer: Writer) -> list[str] | None:
    """The parts of a template literal, as expressions."""
    if node.type != "template_string" or not any(c.type == "template_substitution" for c in node.named_children):
        return None
    if node.parent is not None and node.parent.type == "call_expression":
        return None
    parts, text = list[str](), ""
    for child in node.named_children:
        if child.type == "template_substitution":
            if text:
                parts.append(_quoted(text))
            text = ""
            inner = child.named_children[0]
            written = writer.text(inner)
            parts.append(written if inner.type in (*SIMPLE, "call_expression", "template_string") else f"({written})")
        else:
            text += raw(child)
    if text:
        parts.append(_quoted(text))
    return parts


def _quoted(text: str) -> str:
    """Part of a template as a string of its own."""
    plain = text.replace("\\`", "`").replace("\\$", "$").replace("\\{", "{")
    return '"' + plain.replace('"', '\\"').replace("\n", "\\n") + '"'


def texts_added(source: str, ending: str) -> str:
    """A template literal is `"a " + b`."""

    def rule(writer: Writer, node: Node) -> str | None:
        parts = _template(node, writer)
        if parts is None:
            return None
        whole = " + ".join(parts if parts[0].startswith('"') else ['""', *parts])
        in_list = node.parent is not None and node.parent.type in ("arguments", "pair", "array", "variable_declarator")
        return whole if in_list else f"({whole})"

    return written(source, ending, rule)


def texts_joined(source: str, ending: str) -> str:
    """A template literal is `["a ", b].join("")`."""

    def rule(writer: Writer, node: Node) -> str | None:
        parts = _template(node, writer)
        return None if parts is None else f'[{", ".join(parts)}].join("")'

    return written(source, ending, rule)


def _placed(node: Node) -> bool:
    """Whether a value stands where a name can stand for it: handed to something, kept or returned."""
    parent = node.parent
    return parent is not None and parent.type in (
        "arguments",
        "pair",
        "array",
        "variable_declarator",
        "return_statement",
    )


def objects_by_item(source: str, ending: str) -> str:
    """`{ a: 1 }` is `const table = {}; table.a = 1`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "object" or not node.named_children or not _placed(node) or not sure(node):
            return None
        items = [c for c in node.named_children if c.type != "comment"]
        if any(c.type not in ("pair", "shorthand_property_identifier") for c in items):
            return None
        keys = [raw(field(c, "key")) if c.type == "pair" else raw(c) for c in items]
        if any(k.startswith("[") for k in keys):
            return None
        new = writer.new()
        lines = list[str]()
        values = [writer.text(field(c, "value")) if c.type == "pair" else raw(c) for c in items]
        for key, value in zip(keys, values, strict=True):
            lines.append(f"{new}{f'[{key}]' if key[0] in QUOTES or key[0].isdigit() else f'.{key}'} = {value};")
        writer.hoist("\n".join([f"const {new}{writer.kind('Record<string, any>')} = {{}};", *lines]))
        return new

    return written(source, ending, rule)


def arrays_by_push(source: str, ending: str) -> str:
    """`[a, b]` is `const items = []; items.push(a); items.push(b)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "array" or not node.named_children or not _placed(node) or not sure(node):
            return None
        items = [c for c in node.named_children if c.type != "comment"]
        values = [writer.text(c) for c in items]
        new = writer.new()
        lines = [f"{new}.push({v});" for v in values]
        writer.hoist("\n".join([f"const {new}{writer.kind('any[]')} = [];", *lines]))
        return new

    return written(source, ending, rule)


def results_named(source: str, ending: str) -> str:
    """`return f(x)` is `const result = f(x); return result`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "return_statement" or not node.named_children or node.parent is None:
            return None
        value = node.named_children[0]
        if value.type in SIMPLE or value.type.startswith("jsx") or node.parent.type not in BLOCKS:
            return None
        text, new = bare(writer, value), writer.new()
        writer.hoist(f"const {new} = {text};")
        return f"return {new};"

    return written(source, ending, rule)


def receivers_named(source: str, ending: str) -> str:
    """`a.b.c(x)` is `const part = a.b; part.c(x)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        call = node.parent.parent if node.parent is not None else None
        if node.type != "member_expression" or call is None or call.type != "call_expression" or not sure(call):
            return None
        if field(call, "function") != node.parent or node.parent is None or field(node.parent, "object") != node:
            return None
        if has(node, "call_expression", "optional_chain") or any(
            c.type == "optional_chain" for c in node.parent.children
        ):
            return None
        new = writer.new()
        writer.hoist(f"const {new} = {writer.inside(node)};")
        return new

    return written(source, ending, rule)


def conditionals_as_ifs(source: str, ending: str) -> str:
    """`const x = c ? a : b` is `let x; if (c) { x = a; } else { x = b; }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.parent is None or node.parent.type not in BLOCKS:
            return None
        if node.type == "return_statement" and node.named_children:
            value, first, put = node.named_children[0], "", "return {};"
        elif node.type == "lexical_declaration" and len(node.named_children) == 1:
            declared = node.named_children[0]
            found, name = field(declared, "value"), field(declared, "name")
            if found is None or name is None or name.type != "identifier":
                return None
            value, put = found, raw(name) + " = {};"
            first = f"let {raw(name)}{raw(field(declared, 'type')) or writer.kind()};\n"
        else:
            return None
        if value.type != "ternary_expression":
            return None
        yes, no = (put.replace("{}", writer.text(field(value, f))) for f in ("consequence", "alternative"))
        return f"{first}if ({bare(writer, field(value, 'condition'))}) {{ {yes} }} else {{ {no} }}"

    return written(source, ending, rule)


ALONE = (
    options_named,
    options_spread,
    arguments_named,
    constants_named,
    constants_of_settings,
    texts_added,
    texts_joined,
    objects_by_item,
    arrays_by_push,
    results_named,
    receivers_named,
    conditionals_as_ifs,
)
