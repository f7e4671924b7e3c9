"""Rewritings of JavaScript: objects and lists taken apart, variables bound later, lists made by methods or by loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecosystem.rewritten.spans import (
    BLOCKS,
    Writer,
    bare,
    declared_alone,
    every,
    field,
    has,
    raw,
    statements,
    sure,
    written,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def members_destructured(source: str, ending: str) -> str:
    """`const x = a.b` is `const { b: x } = a`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "variable_declarator" or field(node, "type") is not None:
            return None
        name, value = field(node, "name"), field(node, "value")
        if name is None or value is None or name.type != "identifier" or value.type != "member_expression":
            return None
        if any(c.type == "optional_chain" for c in every(value)):
            return None
        key, new = raw(field(value, "property")), raw(name)
        return f"{{ {key if key == new else f'{key}: {new}'} }} = {writer.text(field(value, 'object'))}"

    return written(source, ending, rule)


def _taken_apart(writer: Writer, pattern: Node, whole: str) -> list[str] | None:
    """The statements that bind what an object's pattern binds."""
    lines = list[str]()
    for part in pattern.named_children:
        match part.type:
            case "shorthand_property_identifier_pattern":
                lines.append(f"const {raw(part)} = {whole}.{raw(part)};")
            case "pair_pattern":
                key, value = field(part, "key"), field(part, "value")
                if key is None or value is None or key.type != "property_identifier" or value.type != "identifier":
                    return None
                lines.append(f"const {raw(value)} = {whole}.{raw(key)};")
            case "object_assignment_pattern":
                left, right = field(part, "left"), field(part, "right")
                if left is None or left.type != "shorthand_property_identifier_pattern":
                    return None
                lines.append(f"const {raw(left)} = {whole}.{raw(left)} ?? {writer.text(right)};")
            case "comment":
                continue
            case _:
                return None
    return lines


def destructured_as_members(source: str, ending: str) -> str:
    """`const { a, b = 1 } = x` is `const a = x.a; const b = x.b ?? 1`."""

    def rule(writer: Writer, node: Node) -> str | None:
        declared = declared_alone(node)
        if declared is None:
            return None
        pattern, value = field(declared, "name"), field(declared, "value")
        if pattern is None or pattern.type != "object_pattern" or value is None:
            return None
        simple = value.type == "identifier"
        whole = raw(value) if simple else writer.new()
        lines = _taken_apart(writer, pattern, whole)
        if lines is None:
            return None
        return "\n".join([] if simple else [f"const {whole} = {writer.text(value)};"]) + "\n" + "\n".join(lines)

    return written(source, ending, rule)


def _parameters(source: str, ending: str, *, members: bool) -> str:
    def rule(writer: Writer, node: Node) -> str | None:
        if node.type not in ("arrow_function", "function_declaration", "method_definition", "function_expression"):
            return None
        parameters, body = field(node, "parameters"), field(node, "body")
        if parameters is None or body is None or not parameters.named_children:
            return None
        first = parameters.named_children[0]
        pattern = field(first, "pattern")
        if pattern is None or pattern.type != "object_pattern" or field(first, "value") is not None:
            return None
        new = writer.new()
        lines = _taken_apart(writer, pattern, new) if members else [f"const {writer.text(pattern)} = {new};"]
        if lines is None:
            return None
        rest = [writer.text(p) for p in parameters.named_children[1:]]
        handed = ", ".join([new + writer.text(field(first, "type")), *rest])
        block = body.type == "statement_block"
        inner = writer.all(statements(body)) if block else f"return {bare(writer, body)};"
        out = ""
        for child in node.children:
            if child == parameters:
                out += f"({handed})"
            elif child == body:
                out += " {\n" + "\n".join(lines) + f"\n{inner}\n}}"
            else:
                out += f" {writer.text(child)}"
        return out.strip()

    return written(source, ending, rule)


def parameters_unpacked_inside(source: str, ending: str) -> str:
    """`({ a, b }) => …` is `(input) => { const { a, b } = input; … }`."""
    return _parameters(source, ending, members=False)


def parameters_read_by_member(source: str, ending: str) -> str:
    """`({ a, b }) => …` is `(input) => { const a = input.a; const b = input.b; … }`."""
    return _parameters(source, ending, members=True)


def calls_not_first(source: str, ending: str) -> str:
    """`const x = await f()` is `let x; x = await f()`."""

    def rule(writer: Writer, node: Node) -> str | None:
        declared = declared_alone(node)
        if declared is None:
            return None
        name, value = field(declared, "name"), field(declared, "value")
        if name is None or value is None or name.type != "identifier":
            return None
        if value.type not in ("call_expression", "await_expression", "new_expression"):
            return None
        kind = raw(field(declared, "type")) or writer.kind()
        return f"let {raw(name)}{kind};\n{raw(name)} = {writer.text(value)};"

    return written(source, ending, rule)


def _single(function: Node | None) -> tuple[str, Node] | None:
    """The one plain parameter of a function and the expression that it gives."""
    if function is None or function.type != "arrow_function" or raw(function).startswith("async"):
        return None
    parameters, body = field(function, "parameters") or field(function, "parameter"), field(function, "body")
    if parameters is None or body is None:
        return None
    named = [raw(parameters)] if parameters.type == "identifier" else [raw(p) for p in parameters.named_children]
    if body.type == "statement_block":
        inner = statements(body)
        if len(inner) != 1 or inner[0].type != "return_statement" or not inner[0].named_children:
            return None
        body = inner[0].named_children[0]
    return (named[0], body) if len(named) == 1 else None


def maps_as_loops(source: str, ending: str) -> str:
    """`xs.map((x) => f(x))` is a loop that pushes, and so is `xs.filter(…)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        callee, given = field(node, "function"), field(node, "arguments")
        if node.type != "call_expression" or callee is None or callee.type != "member_expression" or given is None:
            return None
        how = raw(field(callee, "property"))
        single = _single(given.named_children[0]) if len(given.named_children) == 1 else None
        if how not in ("map", "filter") or single is None or not sure(node):
            return None
        name, body = single
        new, over = writer.new(), writer.text(field(callee, "object"))
        put = f"{new}.push({bare(writer, body)});"
        if how == "filter":
            put = f"if ({bare(writer, body)}) {{ {new}.push({name.split(':')[0]}); }}"
        name = name.split(":")[0] if name[0] not in "{[" else name
        writer.hoist(f"const {new}{writer.kind('any[]')} = [];\nfor (const {name} of {over}) {{ {put} }}")
        return new

    return written(source, ending, rule)


def loops_as_maps(source: str, ending: str) -> str:
    """`const out = []; for (const x of xs) { out.push(f(x)); }` is `const out = xs.map((x) => f(x))`."""
    dropped = set[int]()

    def rule(writer: Writer, node: Node) -> str | None:
        if node.start_byte in dropped and node.type == "for_in_statement":
            return ""
        if node.type != "lexical_declaration" or node.parent is None or node.parent.type not in BLOCKS:
            return None
        after, declared = node.next_named_sibling, node.named_children[0]
        name, value = field(declared, "name"), field(declared, "value")
        if after is None or after.type != "for_in_statement" or name is None or value is None or raw(value) != "[]":
            return None
        inner, over = statements(field(after, "body")), field(after, "right")
        if len(inner) != 1 or inner[0].type != "expression_statement" or has(after, "await_expression", "await"):
            return None
        call = inner[0].named_children[0]
        given = field(call, "arguments")
        if raw(field(call, "function")) != f"{raw(name)}.push" or given is None or len(given.named_children) != 1:
            return None
        if over is None or over.type not in ("identifier", "member_expression"):
            return None
        dropped.add(after.start_byte)
        one, element = given.named_children[0], raw(field(after, "left"))
        text = writer.text(one) if one.type != "object" else f"({writer.text(one)})"
        return f"const {raw(name)} = {writer.text(over)}.map(({element}) => {text});"

    return written(source, ending, rule)


ALONE = (
    members_destructured,
    destructured_as_members,
    parameters_unpacked_inside,
    parameters_read_by_member,
    calls_not_first,
    maps_as_loops,
    loops_as_maps,
)
