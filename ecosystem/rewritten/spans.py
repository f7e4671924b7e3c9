"""What every rewriting of JavaScript needs: a text written anew from its tree, free and new names, what surely runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tree_sitter_typescript
from tree_sitter import Language, Parser

from ecosystem.rewritten.trees import PART

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

ENDINGS: Final = (".ts", ".tsx", ".js", ".mjs", ".jsx")
TYPED: Final = (".ts", ".tsx")
BLOCKS: Final = ("program", "statement_block")
FUNCTIONS: Final = (
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function_declaration",
    "generator_function",
)
JUMPS: Final = ("break_statement", "continue_statement", "return_statement", "yield_expression")
LEAVING: Final = ("return_statement", "throw_statement", "continue_statement", "break_statement")
SIMPLE: Final = (
    "identifier",
    "member_expression",
    "string",
    "number",
    "true",
    "false",
    "null",
    "undefined",
    "this",
    "regex",
    *FUNCTIONS,
)
_SURE: Final = (
    "arguments",
    "call_expression",
    "new_expression",
    "await_expression",
    "member_expression",
    "variable_declarator",
    "lexical_declaration",
    "expression_statement",
    "return_statement",
    "export_statement",
    "parenthesized_expression",
    "pair",
    "object",
    "array",
    "spread_element",
    "as_expression",
    "satisfies_expression",
    "non_null_expression",
    "template_string",
    "template_substitution",
    "unary_expression",
    "assignment_expression",
)
_STATEMENTS: Final = ("expression_statement", "return_statement", "lexical_declaration", "export_statement")
_NAMES: Final = ("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern")


class Writer:
    """Writes a file anew; `rule` gives the new text of a node, or None where the node stays, with what is in it."""

    def __init__(self, source: str, ending: str, rule: Callable[[Writer, Node], str | None]) -> None:
        """`source` is read once."""
        self._bytes = source.encode()
        self._rule = rule
        self._frames = list[list[str]]()
        self.typed = ending in TYPED
        self.root = parsed(source, ending)
        self.tail = list[str]()
        """What stands after the imports of the new text."""
        self._taken = {t for n in every(self.root) if "identifier" in n.type for t in (raw(n),)}
        self._next = 0

    def new(self) -> str:
        """A name that the file does not have."""
        while True:
            self._next += 1
            name = f"{PART}{self._next}"
            if name not in self._taken:
                return name

    def kind(self, annotation: str = "any") -> str:
        """An annotation, where the language has some."""
        return f": {annotation}" if self.typed else ""

    def hoist(self, line: str) -> None:
        """`line` stands before the statement that is being written."""
        self._frames[-1].append(line)

    def text(self, node: Node | None) -> str:
        """The new text of a node."""
        if node is None:
            return ""
        framed = node.parent is not None and node.parent.type in BLOCKS and node.is_named
        if framed:
            self._frames.append([])
        made = self._rule(self, node)
        out = self.inside(node) if made is None else made
        if framed:
            out = "\n".join([*self._frames.pop(), out])
        return out

    def inside(self, node: Node) -> str:
        """The text of a node whose parts are written anew."""
        out, at = list[bytes](), node.start_byte
        for child in node.children:
            out.append(self._bytes[at : child.start_byte])
            out.append(self.text(child).encode())
            at = child.end_byte
        out.append(self._bytes[at : node.end_byte])
        return b"".join(out).decode()

    def all(self, nodes: list[Node], between: str = "\n") -> str:
        """The texts of several nodes."""
        return between.join(self.text(n) for n in nodes)

    def whole(self) -> str:
        """The new file."""
        out, at = list[str](), 0
        children = self.root.children
        texts = list[str]()
        for child in children:
            texts.append(self._bytes[at : child.start_byte].decode() + self.text(child))
            at = child.end_byte
        last = max((n for n, c in enumerate(children) if c.type == "import_statement"), default=-1)
        if last < 0:
            strict = children and children[0].type == "expression_statement" and children[0].named_children
            last = 0 if strict and children[0].named_children[0].type == "string" else -1
        out = texts[: last + 1] + ["\n" + t for t in self.tail] + ["\n" if self.tail else ""] + texts[last + 1 :]
        return "".join(out) + self._bytes[at:].decode()


def parsed(source: str, ending: str) -> Node:
    """The tree of a file."""
    made = tree_sitter_typescript
    language = made.language_typescript() if ending == ".ts" else made.language_tsx()
    return Parser(Language(language)).parse(source.encode()).root_node


def raw(node: Node | None) -> str:
    """The text of a node as it was."""
    return node.text.decode() if node is not None and node.text is not None else ""


def every(node: Node) -> Iterator[Node]:
    """All nodes of a tree, parents first."""
    yield node
    for child in node.children:
        yield from every(child)


def shallow(node: Node) -> Iterator[Node]:
    """The nodes of `node` that run where it runs: functions and classes inside are not entered."""
    yield node
    for child in node.children:
        if child.type not in FUNCTIONS and child.type != "class_body":
            yield from shallow(child)


def field(node: Node, name: str) -> Node | None:
    """A part of a node."""
    return node.child_by_field_name(name)


def has(node: Node, *kinds: str) -> bool:
    """Whether something of these kinds runs where `node` runs."""
    return any(n.type in kinds for n in shallow(node))


def own(node: Node) -> bool:
    """Whether `node` rests on the object or call that it stands in, so that no other function can hold it."""
    return any(
        n.type in ("this", "super", "yield_expression") or raw(n) == "arguments"
        for n in every(node)
        if not n.named_children
    )


def is_async(function: Node) -> bool:
    """Whether a function is written `async`."""
    return any(c.type == "async" for c in function.children)


def statements(block: Node | None) -> list[Node]:
    """The statements of a block, comments aside; of a lone statement itself."""
    if block is None:
        return []
    if block.type not in BLOCKS:
        return [block]
    return [c for c in block.named_children if c.type != "comment"]


def braced(writer: Writer, block: Node | None) -> str:
    """A block, or a lone statement in braces."""
    text = writer.text(block)
    return text if block is not None and block.type == "statement_block" else f"{{ {text} }}"


def sure(node: Node) -> bool:
    """Whether `node` is evaluated once, whenever its statement is, and that statement stands in a block."""
    child, parent = node, node.parent
    while parent is not None:
        if parent.type in BLOCKS:
            return child.type in (*_STATEMENTS, "if_statement", "for_in_statement")
        if any(c.type == "optional_chain" for c in parent.children):
            return False
        if parent.type == "if_statement":
            if field(parent, "condition") != child:
                return False
        elif parent.type == "for_in_statement":
            if field(parent, "right") != child:
                return False
        elif parent.type == "binary_expression":
            if field(parent, "left") != child:
                return False
        elif parent.type not in _SURE:
            return False
        child, parent = parent, parent.parent
    return False


def bound(pattern: Node | None) -> list[str]:
    """The names that a pattern binds."""
    if pattern is None:
        return []
    match pattern.type:
        case "identifier" | "shorthand_property_identifier_pattern":
            return [raw(pattern)]
        case "pair_pattern":
            return bound(field(pattern, "value"))
        case "assignment_pattern" | "object_assignment_pattern":
            return bound(field(pattern, "left"))
        case "required_parameter" | "optional_parameter":
            return bound(field(pattern, "pattern"))
    return [n for c in pattern.named_children if c.type != "type_annotation" for n in bound(c)]


def binders(node: Node) -> Iterator[tuple[Node, str]]:
    """Everything in a tree that binds names, with the names: the node has the annotation, where there is one."""
    for each in every(node):
        match each.type:
            case "variable_declarator":
                yield from ((each, n) for n in bound(field(each, "name")))
            case "required_parameter" | "optional_parameter":
                yield from ((each, n) for n in bound(each))
            case "arrow_function" if field(each, "parameter"):
                yield each, raw(field(each, "parameter"))
            case "function_declaration" | "class_declaration" | "generator_function_declaration":
                yield each, raw(field(each, "name"))
            case "for_in_statement":
                yield from ((each, n) for n in bound(field(each, "left")))
            case "catch_clause":
                yield from ((each, n) for n in bound(field(each, "parameter")))
            case "import_specifier":
                yield each, raw(field(each, "alias") or field(each, "name"))
            case "import_clause" | "namespace_import":
                yield from ((each, raw(c)) for c in each.named_children if c.type == "identifier")


def functions_around(node: Node) -> list[Node]:
    """The functions that a node stands in, innermost first."""
    found, at = list["Node"](), node.parent
    while at is not None:
        if at.type in FUNCTIONS:
            found.append(at)
        at = at.parent
    return found


def known_in(node: Node) -> dict[str, str]:
    """The names that the functions around a node bind, each with its annotation."""
    around = functions_around(node)
    if not around:
        return {}
    found = dict[str, str]()
    for binder, name in binders(around[-1]):
        if binder != around[-1] or name != raw(field(around[-1], "name")):
            found.setdefault(name, _annotation(binder))
    return found


def _annotation(binder: Node) -> str:
    """What is written of the type of a single name."""
    parameter = binder.type in ("required_parameter", "optional_parameter")
    if not parameter and binder.type != "variable_declarator":
        return "any"
    name, written = field(binder, "pattern" if parameter else "name"), field(binder, "type")
    return (
        raw(written).lstrip(": ") if written is not None and name is not None and name.type == "identifier" else "any"
    )


def reads(node: Node) -> set[str]:
    """The names in a tree, whoever binds them."""
    return {raw(n) for n in every(node) if n.type in _NAMES}


def sets(node: Node) -> set[str]:
    """The names that a tree assigns to."""
    found = set[str]()
    for each in every(node):
        match each.type:
            case "assignment_expression" | "augmented_assignment_expression":
                found.update(
                    bound(field(each, "left")) if (field(each, "left") or each).type != "member_expression" else ()
                )
            case "update_expression":
                found.update(bound(field(each, "argument")))
    return found


def free(node: Node, known: dict[str, str]) -> list[str]:
    """The names of the functions around that a tree reads and does not bind."""
    return sorted((reads(node) & set(known)) - {n for _, n in binders(node)})


def takes(writer: Writer, names: list[str], known: dict[str, str]) -> str:
    """The parameters of a function that is handed these names."""
    return ", ".join(n + writer.kind(known[n]) for n in names)


def negated(writer: Writer, test: Node) -> str:
    """A test, turned round."""
    inner = test
    while inner.type == "parenthesized_expression":
        inner = inner.named_children[0]
    if inner.type == "unary_expression" and raw(field(inner, "operator")) == "!":
        return writer.text(field(inner, "argument"))
    text = writer.text(inner)
    return f"!{text}" if inner.type in ("identifier", "member_expression", "call_expression") else f"!({text})"


def bare(writer: Writer, test: Node | None) -> str:
    """A test without the parentheses around it."""
    while test is not None and test.type == "parenthesized_expression":
        test = test.named_children[0]
    return writer.text(test)


def written(source: str, ending: str, rule: Callable[[Writer, Node], str | None]) -> str:
    """The file with what a rule says of its nodes."""
    return Writer(source, ending, rule).whole()


def declared_alone(node: Node) -> Node | None:
    """The one thing that a declaration in a block declares; None for any other node, or several."""
    is_one = node.type == "lexical_declaration" and len(node.named_children) == 1
    return node.named_children[0] if is_one and node.parent is not None and node.parent.type in BLOCKS else None


def renamed(
    source: str, ending: str, table: dict[str, str], instead: Callable[[Node], str | None] = lambda _: None
) -> str:
    """The file in which names of the module are read as other expressions; `instead` says what stands for a node."""

    def rule(writer: Writer, node: Node) -> str | None:
        del writer
        if (other := instead(node)) is not None:
            return other
        if node.type in ("identifier", "type_identifier") and raw(node) in table:
            return table[raw(node)]
        if node.type == "shorthand_property_identifier" and raw(node) in table:
            return f"{raw(node)}: {table[raw(node)]}"
        return None

    return written(source, ending, rule)


def bound_once(root: Node) -> set[str]:
    """Names that one thing of the whole file binds, that nothing assigns to, and that no export renames."""
    names = [n for _, n in binders(root)]
    elsewhere = {raw(field(n, "name")) for n in every(root) if n.type == "export_specifier"}
    jsx = {
        raw(n)
        for n in every(root)
        if n.parent is not None and n.parent.type.startswith("jsx_") and n.type == "identifier"
    }
    return {n for n in names if names.count(n) == 1} - sets(root) - elsewhere - jsx
