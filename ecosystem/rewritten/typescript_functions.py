"""Rewritings of JavaScript: parts of functions in functions of their own, functions of another kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecosystem.rewritten.spans import (
    BLOCKS,
    FUNCTIONS,
    JUMPS,
    Writer,
    bare,
    binders,
    field,
    free,
    functions_around,
    has,
    is_async,
    known_in,
    own,
    raw,
    reads,
    sets,
    shallow,
    statements,
    takes,
    written,
)
from ecosystem.rewritten.trees import SHORT

if TYPE_CHECKING:
    from tree_sitter import Node


def tests_taken_out(source: str, ending: str) -> str:
    """`if (a > b)` in a function is `if (part(a, b))` and `function part(a, b) { return a > b; }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        parent = node.parent
        if node.type != "parenthesized_expression" or parent is None or not functions_around(node):
            return None
        if parent.type not in ("if_statement", "while_statement") or field(parent, "condition") != node:
            return None
        test = node.named_children[0]
        if test.type in ("identifier", "true", "number") or own(test) or sets(test):
            return None
        if has(test, "await_expression"):
            return None
        known, new = known_in(node), writer.new()
        names = free(test, known)
        back = writer.kind("boolean") if _is_boolean(test) else ""
        writer.tail.append(f"function {new}({takes(writer, names, known)}){back} {{ return {raw(test)}; }}")
        return f"({new}({', '.join(names)}))"

    return written(source, ending, rule)


def _is_boolean(test: Node) -> bool:
    if test.type == "unary_expression":
        return True
    return test.type == "binary_expression" and raw(field(test, "operator")) not in ("&&", "||", "??")


def calls_taken_out(source: str, ending: str) -> str:
    """`const x = await f(a)` in a function is `await part(a)` and `async function part(a) { return await f(a); }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        parent = node.parent
        if node.type not in ("call_expression", "await_expression") or parent is None or not functions_around(node):
            return None
        if parent.type not in ("variable_declarator", "expression_statement"):
            return None
        waits = node.type == "await_expression"
        call = node.named_children[0] if waits else node
        if call.type != "call_expression" or own(node) or sets(node) or has(call, "await_expression"):
            return None
        known, new = known_in(node), writer.new()
        names = free(node, known)
        kind = "async " if waits else ""
        writer.tail.append(f"{kind}function {new}({takes(writer, names, known)}) {{ return {raw(node)}; }}")
        return f"{'await ' if waits else ''}{new}({', '.join(names)})"

    return written(source, ending, rule)


def ends_taken_out(source: str, ending: str) -> str:
    """The second half of a function is a function of its own: `return part(a, b)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        function = node.parent
        if node.type != "statement_block" or function is None or function.type not in FUNCTIONS:
            return None
        if functions_around(function) or "generator" in function.type or raw(field(function, "name")) == "constructor":
            return None
        inner = statements(node)
        at = len(inner) // 2 + 1
        rest, first = inner[at:], inner[:at]
        if len(inner) < SHORT or not rest or any(own(s) or s.type == "function_declaration" for s in rest):
            return None
        if len(rest) == 1 and rest[0].type == "return_statement":
            return None
        if any(c.type == "*" for c in function.children):
            return None
        bound_later = {n for s in rest for _, n in binders(s)}
        if bound_later & {n for s in first for n in reads(s)}:
            return None
        known = known_in(rest[0])
        names = sorted({n for s in rest for n in free(s, known)} - bound_later)
        waits = is_async(function)
        new = writer.new()
        body = "\n".join(raw(s) for s in rest)
        kind = "async " if waits else ""
        back = writer.text(field(function, "return_type"))
        writer.tail.append(f"{kind}function {new}({takes(writer, names, known)}){back} {{\n{body}\n}}")
        call = f"return {'await ' if waits else ''}{new}({', '.join(names)});"
        return "{\n" + "\n".join([*(writer.text(s) for s in first), call]) + "\n}"

    return written(source, ending, rule)


def loops_taken_out(source: str, ending: str) -> str:
    """The body of a loop that leaves nothing behind is a function of its own: `for (const x of y) part(x, z)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        body, around = field(node, "body"), functions_around(node)
        if node.type not in ("for_in_statement", "while_statement", "for_statement") or body is None or not around:
            return None
        if has(body, *JUMPS) or own(body) or any(n.type in node.type for n in _loops_above(node)):
            return None
        inside = {n for _, n in binders(body)}
        if sets(body) - inside:
            return None
        known, new = known_in(body), writer.new()
        names = free(body, known)
        waits = has(body, "await_expression", "await")
        kind = "async " if waits else ""
        block = raw(body) if body.type == "statement_block" else f"{{ {raw(body)} }}"
        writer.tail.append(f"{kind}function {new}({takes(writer, names, known)}) {block}")
        head = raw(node)[: body.start_byte - node.start_byte] if raw(node).isascii() else None
        return None if head is None else f"{head}{{ {'await ' if waits else ''}{new}({', '.join(names)}); }}"

    return written(source, ending, rule)


def _loops_above(node: Node) -> list[Node]:
    """The loops around a loop in the same function: they are taken out whole."""
    found, at = list["Node"](), node.parent
    while at is not None and at.type not in FUNCTIONS:
        if at.type in ("for_in_statement", "while_statement", "for_statement"):
            found.append(at)
        at = at.parent
    return found


def _plain(function: Node) -> bool:
    """Whether nothing in a function rests on its own object, so that it can be of another kind."""
    return not own(function) and "generator" not in function.type


def arrow_bodies_as_blocks(source: str, ending: str) -> str:
    """`(x) => f(x)` is `(x) => { return f(x); }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        parent = node.parent
        if parent is None or parent.type != "arrow_function" or field(parent, "body") != node:
            return None
        if node.type == "statement_block":
            return None
        inner = node.named_children[0] if node.type == "parenthesized_expression" else node
        return f"{{ return {writer.text(inner) if inner != node else writer.inside(node)}; }}"

    return written(source, ending, rule)


def blocks_as_arrow_bodies(source: str, ending: str) -> str:
    """`(x) => { return f(x); }` is `(x) => f(x)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        parent, inner = node.parent, statements(node) if node.type == "statement_block" else []
        if parent is None or parent.type != "arrow_function" or len(inner) != 1 or len(node.named_children) != 1:
            return None
        if inner[0].type != "return_statement" or not inner[0].named_children:
            return None
        value = inner[0].named_children[0]
        text = writer.text(value)
        return f"({text})" if text.startswith("{") or value.type in ("object", "sequence_expression") else text

    return written(source, ending, rule)


def functions_as_arrows(source: str, ending: str) -> str:
    """`function f(x) { … }` of a module is `const f = (x) => { … }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "function_declaration" or not _plain(node) or not _before_its_use(node):
            return None
        parts = [writer.text(field(node, f)) for f in ("type_parameters", "parameters", "return_type")]
        kind = "async " if is_async(node) else ""
        return f"const {raw(field(node, 'name'))} = {kind}{''.join(parts)} => {writer.text(field(node, 'body'))};"

    return written(source, ending, rule)


def _before_its_use(function: Node) -> bool:
    """Whether a function of a module stands before all that its module does when it is loaded."""
    parent = function.parent
    at = parent if parent is not None and parent.type == "export_statement" else function
    if at.parent is None or at.parent.type != "program":
        return False
    if any(raw(c) == "default" for c in at.children) or field(function, "type_parameters") is not None:
        return False
    name = raw(field(function, "name"))
    before, one = list["Node"](), at.prev_named_sibling
    while one is not None:
        before.append(one)
        one = one.prev_named_sibling
    kinds = ("import_statement", "function_declaration", "class_declaration", "interface_declaration", "comment")
    others = [s for s in before if s.type not in kinds and not _declares_function(s)]
    return not any(name in reads(s) or _calls_own(s) for s in others)


def _declares_function(statement: Node) -> bool:
    return statement.type == "export_statement" and any(c.type == "function_declaration" for c in statement.children)


def _kind(node: Node | None) -> str:
    return node.type if node is not None else ""


def _calls_own(statement: Node) -> bool:
    """Whether a statement of a module calls functions of its file when it is loaded."""
    return (
        any(n.type == "call_expression" and _kind(field(n, "function")) == "identifier" for n in shallow(statement))
        and statement.type == "expression_statement"
    )


def arrows_as_functions(source: str, ending: str) -> str:
    """`const f = (x) => …` of a module is `function f(x) { … }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "lexical_declaration" or len(node.named_children) != 1 or node.parent is None:
            return None
        declared = node.named_children[0]
        arrow, name = field(declared, "value"), field(declared, "name")
        if arrow is None or arrow.type != "arrow_function" or not _plain(arrow) or field(declared, "type") is not None:
            return None
        if node.parent.type not in (*BLOCKS, "export_statement") or raw(node).startswith("let"):
            return None
        handed = writer.text(field(arrow, "parameters")) or f"({raw(field(arrow, 'parameter'))})"
        body = field(arrow, "body")
        block = writer.text(body)
        if body is not None and body.type != "statement_block":
            block = f"{{ return {bare(writer, body)}; }}"
        kind = "async " if is_async(arrow) else ""
        parts = writer.text(field(arrow, "type_parameters")), handed, writer.text(field(arrow, "return_type"))
        return f"{kind}function {raw(name)}{''.join(parts)} {block}"

    return written(source, ending, rule)


ALONE = (
    tests_taken_out,
    calls_taken_out,
    ends_taken_out,
    loops_taken_out,
    arrow_bodies_as_blocks,
    blocks_as_arrow_bodies,
    functions_as_arrows,
    arrows_as_functions,
)
