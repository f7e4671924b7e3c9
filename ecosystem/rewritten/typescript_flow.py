"""Rewritings of how JavaScript flows: tests turned round, loops of another kind, parts in functions of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecosystem.rewritten.spans import (
    BLOCKS,
    FUNCTIONS,
    JUMPS,
    LEAVING,
    Writer,
    bare,
    binders,
    braced,
    field,
    functions_around,
    has,
    is_async,
    negated,
    raw,
    reads,
    statements,
    written,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def _branches(node: Node) -> tuple[Node | None, Node | None, Node | None]:
    """Test, block and other block of an `if`."""
    other = field(node, "alternative")
    return field(node, "condition"), field(node, "consequence"), other.named_children[0] if other else None


def tests_inverted(source: str, ending: str) -> str:
    """`if (c) a; else b;` is `if (!c) b; else a;`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "if_statement":
            return None
        test, first, other = _branches(node)
        if test is None or other is None:
            return None
        return f"if ({negated(writer, test)}) {braced(writer, other)} else {braced(writer, first)}"

    return written(source, ending, rule)


def _leaves(block: Node | None) -> bool:
    inner = statements(block)
    return bool(inner) and inner[-1].type in LEAVING


def guards_nested(source: str, ending: str) -> str:
    """`if (c) return x;` and what follows is `if (!c) { what follows } else { return x; }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "statement_block":
            return None
        inner = statements(node)
        for at, one in enumerate(inner[:-1]):
            test, first, other = _branches(one) if one.type == "if_statement" else (None, None, None)
            if test is not None and other is None and _leaves(first):
                if any(s.type == "function_declaration" for s in inner[at + 1 :]):
                    return None
                rest = writer.all(inner[at + 1 :])
                turned = f"if ({negated(writer, test)}) {{\n{rest}\n}} else {braced(writer, first)}"
                return "{\n" + "\n".join([*(writer.text(s) for s in inner[:at]), turned]) + "\n}"
        return None

    return written(source, ending, rule)


def elses_left_out(source: str, ending: str) -> str:
    """`if (c) { return x; } else { y; }` is `if (c) { return x; }` and `y;`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "if_statement" or node.parent is None or node.parent.type not in BLOCKS:
            return None
        test, first, other = _branches(node)
        if test is None or other is None or not _leaves(first):
            return None
        if any(s.type in ("lexical_declaration", "class_declaration") for s in statements(other)):
            names = {n for s in statements(other) for _, n in binders(s)}
            if names & {n for s in statements(node.parent) if s != node for n in reads(s)}:
                return None
        return f"if ({bare(writer, test)}) {braced(writer, first)}\n{writer.all(statements(other))}"

    return written(source, ending, rule)


def counts_as_whiles(source: str, ending: str) -> str:
    """`for (let i = 0; i < n; i++) …` is `let i = 0; while (i < n) { …; i++; }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "for_statement" or node.parent is None or node.parent.type not in BLOCKS:
            return None
        first, test, step, body = (field(node, f) for f in ("initializer", "condition", "increment", "body"))
        if first is None or step is None or test is None or has(node, "continue_statement"):
            return None
        counted = {n for _, n in binders(first)}
        if counted & {n for s in statements(node.parent) if s != node for n in reads(s)}:
            return None
        inner = writer.all(statements(body))
        asked = raw(test).rstrip(";") or "true"
        return f"{writer.text(first)}\nwhile ({asked}) {{\n{inner}\n{writer.text(step)};\n}}"

    return written(source, ending, rule)


def whiles_as_breaks(source: str, ending: str) -> str:
    """`while (c) …` is `while (true) { if (!c) break; … }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        test = field(node, "condition")
        if node.type != "while_statement" or test is None or raw(test) in ("(true)", "(1)"):
            return None
        inner = writer.all(statements(field(node, "body")))
        return f"while (true) {{\nif ({negated(writer, test)}) break;\n{inner}\n}}"

    return written(source, ending, rule)


def breaks_as_whiles(source: str, ending: str) -> str:
    """`while (true) { if (c) break; … }` is `while (!c) { … }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type != "while_statement" or raw(field(node, "condition")) not in ("(true)", "(1)"):
            return None
        inner = statements(field(node, "body"))
        if not inner or inner[0].type != "if_statement":
            return None
        test, first, other = _branches(inner[0])
        left = statements(first)
        if test is None or other is not None or len(left) != 1 or raw(left[0]).rstrip(";") != "break":
            return None
        return f"while ({negated(writer, test)}) {{\n{writer.all(inner[1:])}\n}}"

    return written(source, ending, rule)


def _over_list(node: Node) -> tuple[str, Node, Node | None] | None:
    """Element, list and body of a loop over what is surely a list."""
    over, left = field(node, "right"), field(node, "left")
    if node.type != "for_in_statement" or raw(field(node, "operator")) != "of" or over is None or left is None:
        return None
    if over.type not in ("identifier", "member_expression") or any(c.type == "await" for c in node.children):
        return None
    return raw(left), over, field(node, "body")


def of_as_foreach(source: str, ending: str) -> str:
    """`for (const x of xs) …` is `xs.forEach((x) => …)`."""

    def rule(writer: Writer, node: Node) -> str | None:
        found = _over_list(node)
        if found is None or has(node, "await_expression", *JUMPS):
            return None
        element, over, body = found
        return f"{writer.text(over)}.forEach(({element}) => {braced(writer, body)});"

    return written(source, ending, rule)


def of_as_index(source: str, ending: str) -> str:
    """`for (const x of xs) …` is `for (let i = 0; i < xs.length; i++) { const x = xs[i]; … }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        found = _over_list(node)
        if found is None:
            return None
        element, over, body = found
        new, listed = writer.new(), writer.text(over)
        inner = writer.all(statements(body))
        return (
            f"for (let {new} = 0; {new} < {listed}.length; {new}++) {{\nconst {element} = {listed}[{new}];\n{inner}\n}}"
        )

    return written(source, ending, rule)


def tried(source: str, ending: str) -> str:
    """A statement with a call, in a function, is `try { … } catch (error) { throw error; }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.type not in ("expression_statement", "return_statement") or not functions_around(node):
            return None
        if node.parent is None or node.parent.type not in BLOCKS or not has(node, "call_expression", "new_expression"):
            return None
        if has(node, "super"):
            return None
        return f"try {{ {writer.inside(node)} }} catch (partError) {{ throw partError; }}"

    return written(source, ending, rule)


def bodies_tried(source: str, ending: str) -> str:
    """The whole of a function stands in `try { … } catch (error) { throw error; }`."""

    def rule(writer: Writer, node: Node) -> str | None:
        function = node.parent
        if node.type != "statement_block" or function is None or function.type not in FUNCTIONS:
            return None
        if not has(node, "call_expression", "new_expression") or has(node, "super"):
            return None
        return f"{{\ntry {writer.inside(node)} catch (partError) {{ throw partError; }}\n}}"

    return written(source, ending, rule)


def awaits_as_thens(source: str, ending: str) -> str:
    """`const x = await f(); return g(x);` is `return f().then((x) => g(x));`."""

    def rule(writer: Writer, node: Node) -> str | None:
        function = node.parent
        if node.type != "statement_block" or function is None or function.type not in FUNCTIONS:
            return None
        inner = statements(node)
        if not is_async(function) or len(inner) < len(("asked", "returned")) or inner[-1].type != "return_statement":
            return None
        declared, last = inner[-2], inner[-1]
        if declared.type != "lexical_declaration" or len(declared.named_children) != 1 or not last.named_children:
            return None
        name, value = field(declared.named_children[0], "name"), field(declared.named_children[0], "value")
        if name is None or value is None or value.type != "await_expression":
            return None
        asked, given = value.named_children[0], last.named_children[0]
        if asked.type != "call_expression":
            return None
        waits = "async " if has(given, "await_expression") else ""
        then = f"return {writer.text(asked)}.then({waits}({raw(name)}) => {{ return {writer.text(given)}; }});"
        return "{\n" + "\n".join([*(writer.text(s) for s in inner[:-2]), then]) + "\n}"

    return written(source, ending, rule)


ALONE = (
    tests_inverted,
    guards_nested,
    elses_left_out,
    counts_as_whiles,
    whiles_as_breaks,
    breaks_as_whiles,
    of_as_foreach,
    of_as_index,
    tried,
    bodies_tried,
    awaits_as_thens,
)
