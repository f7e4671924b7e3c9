"""Rewritings of where something of JavaScript stands: imported otherwise, behind a getter, in another file."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ecosystem.rewritten.spans import (
    FUNCTIONS,
    Writer,
    binders,
    bound_once,
    every,
    field,
    functions_around,
    is_async,
    own,
    parsed,
    raw,
    reads,
    renamed,
)
from ecosystem.rewritten.trees import PART

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


def _named_imports(root: Node) -> Iterator[tuple[Node, list[Node]]]:
    """The imports of values by their names, with the names."""
    for one in root.named_children:
        if one.type == "import_statement" and not any(c.type == "type" for c in one.children):
            named = [n for n in every(one) if n.type == "import_specifier" and not raw(n).startswith("type ")]
            if named:
                yield one, named


def _spoken_of_as_type(root: Node) -> set[str]:
    return {raw(n) for n in every(root) if n.type == "type_identifier"}


def imports_by_namespace(source: str, ending: str) -> str:
    """`import { a } from "m"` is `import * as part from "m"`, and `a` is `part.a`."""
    root = parsed(source, ending)
    once, table, lines = bound_once(root) - _spoken_of_as_type(root), dict[str, str](), dict[int, str]()
    names = Writer(source, ending, lambda _w, _n: None)
    for one, named in _named_imports(root):
        every_named = [n for n in every(one) if n.type == "import_specifier"]
        if len(named) != len(every_named) or any(raw(field(n, "alias") or field(n, "name")) not in once for n in named):
            continue
        new = names.new()
        table.update({raw(field(n, "alias") or field(n, "name")): f"{new}.{raw(field(n, 'name'))}" for n in named})
        default = [raw(c) for clause in one.named_children for c in clause.named_children if c.type == "identifier"]
        module = raw(field(one, "source"))
        lines[one.start_byte] = f"import {', '.join([*default, f'* as {new}'])} from {module};"

    def kept(node: Node) -> str | None:
        return raw(node) if node.type == "import_statement" else None

    out = renamed(source, ending, table, kept)
    for one, _ in _named_imports(root):
        if one.start_byte in lines:
            out = out.replace(raw(one), lines[one.start_byte], 1)
    return out


def imports_renamed(source: str, ending: str) -> str:
    """`import { a } from "m"` is `import { a as part } from "m"`."""
    root = parsed(source, ending)
    once, names = bound_once(root), Writer(source, ending, lambda _w, _n: None)
    table = dict[str, str]()
    for _, named in _named_imports(root):
        for each in named:
            called = raw(field(each, "alias") or field(each, "name"))
            if called in once:
                table[called] = names.new()

    def imported(node: Node) -> str | None:
        if node.type != "import_specifier":
            return None
        called = raw(field(node, "alias") or field(node, "name"))
        return f"{raw(field(node, 'name'))} as {table[called]}" if called in table else raw(node)

    return renamed(source, ending, table, imported)


def _own_file(path: str) -> tuple[str, str]:
    """The file beside `path`, and how it is imported."""
    where = PurePosixPath(path)
    called = f"{PART}-own-{where.stem}"
    ending = where.suffix if where.suffix in (".js", ".mjs") else ""
    return (where.parent / f"{called}{where.suffix}").as_posix(), f"./{called}{ending}"


def imports_handed_on(source: str, ending: str, path: str) -> tuple[str, dict[str, str]]:
    """`import { a } from "m"` is `import { a } from "./own"`, of a file that hands it on."""
    file, module = _own_file(path)
    lines = list[str]()

    def rule(writer: Writer, node: Node) -> str | None:
        del writer
        if node.type != "import_statement" or raw(field(node, "source"))[1:2] == ".":
            return None
        clauses = [c for c in node.named_children if c.type == "import_clause"]
        if len(clauses) != 1 or any(c.type == "import_attribute" for c in node.named_children):
            return None
        typed = "type " if any(c.type == "type" for c in node.children) else ""
        given, taken = list[str](), list[str]()
        for part in clauses[0].named_children:
            match part.type:
                case "identifier":
                    given.append(f"default as {raw(part)}")
                    taken.append(raw(part))
                case "namespace_import":
                    lines.append(f"export * as {raw(part.named_children[0])} from {raw(field(node, 'source'))};")
                    taken.append(raw(part.named_children[0]))
                case _:
                    for each in part.named_children:
                        called = raw(field(each, "alias") or field(each, "name"))
                        given.append(raw(each))
                        taken.append(("type " if raw(each).startswith("type ") else "") + called)
        if given:
            lines.append(f"export {typed}{{ {', '.join(given)} }} from {raw(field(node, 'source'))};")
        return f'import {typed}{{ {", ".join(taken)} }} from "{module}";'

    text = Writer(source, ending, rule).whole()
    return text, {file: "\n".join(lines) + "\n"} if lines else {}


def _functions(root: Node) -> list[tuple[Node, Node]]:
    """The plain functions of a module, each with the statement that it stands in."""
    found = list[tuple["Node", "Node"]]()
    for one in root.named_children:
        function = field(one, "declaration") if one.type == "export_statement" else one
        if function is None or function.type != "function_declaration" or own(function):
            continue
        if not any(raw(c) == "default" for c in one.children):
            found.append((one, function))
    return found


def functions_moved(source: str, ending: str, path: str) -> tuple[str, dict[str, str]]:
    """Functions that need nothing of their file but its imports stand in another file."""
    root = parsed(source, ending)
    imports = [c for c in root.named_children if c.type == "import_statement"]
    of_imports = {n for i in imports for _, n in binders(i)}
    here = {n for c in root.named_children if c not in imports for b, n in binders(c) if not functions_around(b)}
    kinds = ("interface_declaration", "type_alias_declaration", "enum_declaration", "class_declaration")
    types = {raw(field(n, "name")) for n in every(root) if n.type in kinds}
    moved = list[tuple["Node", "Node"]]()
    for one, function in _functions(root):
        name = raw(field(function, "name"))
        written = reads(function) | {raw(n) for n in every(function) if n.type == "type_identifier"}
        if not written & ((here | types) - {name} - of_imports):
            moved.append((one, function))
    if not moved:
        return source, {}
    file, module = _own_file(path)
    at = [one.start_byte for one, _ in moved]

    def rule(writer: Writer, node: Node) -> str | None:
        if node.start_byte in at and node.parent is not None and node.parent.type == "program":
            handed_on = node.type == "export_statement"
            name = raw(field(field(node, "declaration") or node, "name"))
            return f"export {{ {name} }};" if handed_on else ""
        del writer
        return None

    writer = Writer(source, ending, rule)
    names = ", ".join(raw(field(f, "name")) for _, f in moved)
    writer.tail.append(f'import {{ {names} }} from "{module}";')
    body = [*map(raw, imports), *(f"export {raw(f)}" for _, f in moved)]
    return writer.whole(), {file: "\n".join(body) + "\n"}


def _objects(root: Node, *kinds: str) -> dict[str, Node]:
    """Names of a module that are bound once, to what such an expression makes, and handed to no other file."""
    once, found = bound_once(root), dict[str, "Node"]()
    for one in root.named_children:
        if one.type != "lexical_declaration" or len(one.named_children) != 1:
            continue
        declared = one.named_children[0]
        name, value = field(declared, "name"), field(declared, "value")
        if name is None or value is None or name.type != "identifier" or raw(name) not in once:
            continue
        if value.type in kinds:
            found[raw(name)] = one
    return found


def _replaced(source: str, ending: str, table: dict[str, str], lines: dict[int, str]) -> str:
    """The file in which names are read as other expressions, and some statements are other lines."""

    def rule(writer: Writer, node: Node) -> str | None:
        if node.start_byte in lines and node.parent is not None and node.parent.type == "program":
            value = field(node.named_children[0], "value") if node.type == "lexical_declaration" else None
            return lines[node.start_byte].replace("{}", writer.text(value))
        if node.type == "identifier" and raw(node) in table:
            return table[raw(node)]
        if node.type == "shorthand_property_identifier" and raw(node) in table:
            return f"{raw(node)}: {table[raw(node)]}"
        return None

    return Writer(source, ending, rule).whole()


def objects_behind_getters(source: str, ending: str) -> str:
    """`const client = new Client()` is made when `part()` first asks for it, and `client` is `part()`."""
    root, names = parsed(source, ending), Writer(source, ending, lambda _w, _n: None)
    table, lines = dict[str, str](), dict[int, str]()
    imported = {n for one in root.named_children if one.type == "import_statement" for _, n in binders(one)}
    for name, one in _objects(root, "new_expression").items():
        value = field(one.named_children[0], "value")
        made = raw(field(value, "constructor")) if value is not None else ""
        if made not in imported:
            continue  # containers and the project's own objects: what is kept in them is no client
        kept, new = names.new(), names.new()
        kind = names.kind(f"{made} | undefined")
        lines[one.start_byte] = (
            f"let {kept}{kind};\nfunction {new}() {{\nif (!{kept}) {{ {kept} = {{}}; }}\nreturn {kept};\n}}"
        )
        table[name] = f"{new}()"
    return _replaced(source, ending, table, lines)


def constants_behind_getters(source: str, ending: str) -> str:
    """`const table = { … }` is `function part() { return { … }; }`, and `table` is `part()`."""
    root, names = parsed(source, ending), Writer(source, ending, lambda _w, _n: None)
    table, lines = dict[str, str](), dict[int, str]()
    changed = {
        raw(field(n, "object"))
        for n in every(root)
        if n.type in ("member_expression", "subscript_expression") and _written_to(n)
    }
    for name, one in _objects(root, "object", "array", "string", "number").items():
        if name in changed:
            continue
        new = names.new()
        lines[one.start_byte] = f"function {new}() {{\nreturn {{}};\n}}"
        table[name] = f"{new}()"
    return _replaced(source, ending, table, lines)


def _written_to(node: Node) -> bool:
    """Whether something of an object is set, or a method of it called that may change it."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type in ("assignment_expression", "augmented_assignment_expression", "update_expression"):
        return True
    called = parent.type == "call_expression" and field(parent, "function") == node
    return called or (parent.type == "unary_expression" and raw(parent).startswith("delete"))


def objects_held(source: str, ending: str) -> str:
    """`const client = new Client()` is `const holder = { client: new Client() }`, and `client` is `holder.client`."""
    root = parsed(source, ending)
    table, lines = dict[str, str](), dict[int, str]()
    for name, one in _objects(root, "new_expression", "call_expression").items():
        lines[one.start_byte] = f"partHolder.{name} = {{}};"
        table[name] = f"partHolder.{name}"
    if not table:
        return source
    text = _replaced(source, ending, table, lines)
    writer = Writer(text, ending, lambda _w, _n: None)
    writer.tail.append(f"const partHolder{writer.kind('Record<string, any>')} = {{}};")
    return writer.whole()


def _gathered(source: str, ending: str, *, of_class: bool) -> str:
    root = parsed(source, ending)
    once = bound_once(root)
    moved = {raw(field(f, "name")): (s, f) for s, f in _functions(root) if s == f and raw(field(f, "name")) in once}
    if not moved:
        return source
    holder = "PartFunctions" if of_class else "partFunctions"
    table = {n: f"{holder}.{n}" for n in moved}
    methods = list[str]()
    at = {s.start_byte for s, _ in moved.values()}

    def rule(writer: Writer, node: Node) -> str | None:
        if node.start_byte in at and node.type == "function_declaration" and not functions_around(node):
            parts = [writer.text(field(node, f)) for f in ("type_parameters", "parameters", "return_type", "body")]
            kind = ("static " if of_class else "") + ("async " if is_async(node) else "")
            methods.append(f"{kind}{raw(field(node, 'name'))}{''.join(parts[:3])} {parts[3]}")
            return ""
        if node.type == "identifier" and raw(node) in table:
            return table[raw(node)]
        if node.type == "shorthand_property_identifier" and raw(node) in table:
            return f"{raw(node)}: {table[raw(node)]}"
        return None

    text = Writer(source, ending, rule).whole()
    writer = Writer(text, ending, lambda _w, _n: None)
    head, between, foot = ("class PartFunctions {", "\n", "}") if of_class else ("const partFunctions = {", ",\n", "};")
    writer.tail.append(f"{head}\n{between.join(methods)}\n{foot}")
    return writer.whole()


def functions_of_classes(source: str, ending: str) -> str:
    """Plain functions of a module are static methods of a class: `f(x)` is `Part.f(x)`."""
    return _gathered(source, ending, of_class=True)


def functions_of_objects(source: str, ending: str) -> str:
    """Plain functions of a module are methods of one object: `f(x)` is `part.f(x)`."""
    return _gathered(source, ending, of_class=False)


def names_of_locals(source: str, ending: str) -> str:
    """Variables of functions have names that say nothing; parameters keep theirs."""
    root, names = parsed(source, ending), Writer(source, ending, lambda _w, _n: None)
    once = bound_once(root)
    table = dict[str, str]()
    for binder, name in binders(root):
        target = field(binder, "name") if binder.type == "variable_declarator" else None
        value = field(binder, "value") if target is not None else None
        if target is None or target.type != "identifier" or not functions_around(binder) or name not in once:
            continue
        if value is None or value.type not in FUNCTIONS:
            table[name] = names.new()
    return renamed(source, ending, table)


ALONE = (
    imports_by_namespace,
    imports_renamed,
    objects_behind_getters,
    constants_behind_getters,
    objects_held,
    functions_of_classes,
    functions_of_objects,
    names_of_locals,
)
WITH_FILES = (imports_handed_on, functions_moved)
