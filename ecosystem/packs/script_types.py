"""What members and results the types of declaration files have.

A type is a node of the syntax tree with the block whose names it sees, and what its type parameters stand for. Where
the type is a choice, or joined from several, each part may have the member.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ecosystem.packs.declarations import DEFAULT, Block, Declared, enum_names, text_of
from ecosystem.packs.script_kinds import (
    BODIES,
    CLASSES,
    FUNCTIONS,
    JOINING,
    LASTS,
    LISTS,
    PASSING,
    RESULTS,
    WRAPPING,
)  # fmt: skip
from ecosystem.packs.script_scope import Meant, ScriptScope, Space

if TYPE_CHECKING:
    from tree_sitter import Node

_DEPTH: Final = 40
_MOST: Final = 200


class Typed(NamedTuple):
    """An object of a type. `bound` says what the type's parameters stand for."""

    node: Node
    block: Block
    bound: tuple[tuple[str, Typed], ...] = ()


Value: TypeAlias = "Meant | Typed"


class Members(NamedTuple):
    """What a member is (None: there is none), and why one might be there that is not seen."""

    found: tuple[Value, ...] | None
    hidden: str = ""


class ScriptTypes:
    """Answers for one set of packages."""

    def __init__(self, scope: ScriptScope) -> None:
        self._scope = scope
        self._depth = 0

    # ---------------------------------------------------------------------------------------------------------- members
    def member(self, value: Value, name: str) -> Members:
        """The member `name` of a value: static of a class, else of what it is an object of."""
        if self._depth > _DEPTH:
            return Members(None, "too deep a type")
        self._depth += 1
        try:
            if isinstance(value, Space):
                return Members(self._scope.exported(value.block, name) or None)
            if isinstance(value, Declared):
                return self._of_declared(value, name)
            return self._of_type(value, name)
        finally:
            self._depth -= 1

    def _of_declared(self, value: Declared, name: str) -> Members:
        node = value.node
        if node.type in CLASSES:
            return self._in_class(Typed(node, value.block), name, static=True)
        if node.type == "enum_declaration":
            return Members(() if name in enum_names(node) else None)
        if node.type in FUNCTIONS:
            return Members(None, "a function" if value.block.file.suffix in {".js", ".cjs", ".mjs"} else "")
        if node.type in {"interface_declaration", "type_alias_declaration"}:
            return self._of_type(Typed(node, value.block), name)
        return self._any_of(tuple(self.typed(value)), name) or Members(None, "of no type that can be read")

    def _any_of(self, values: tuple[Value, ...], name: str) -> Members | None:
        hidden = ""
        for value in values:
            members = self.member(value, name)
            if members.found is not None:
                return members
            hidden = hidden or members.hidden
        return Members(None, hidden) if values else None

    def _of_type(self, value: Typed, name: str) -> Members:
        node = value.node
        if node.type in CLASSES:
            return self._in_class(value, name, static=False)
        if node.type == "interface_declaration":
            return self._in_interface(value, name)
        if node.type in BODIES:
            return self._in_body(node, value, name, static=False)
        if text_of(node.child_by_field_name("name")) == "Record" and name in self._keys(value):
            return Members(tuple(self.elements(value)))
        parts = tuple(self.parts(value))
        if parts:
            return self._any_of(parts, name) or Members(None)
        if node.type in {"function_type", *FUNCTIONS}:
            return Members(None, "a function")
        return Members(None, f"of the type {text_of(node)[:60]!r}")

    def _keys(self, record: Typed) -> frozenset[str]:
        """The names that `Record<"a" | "b", T>` has."""
        queue = [Typed(record.node.named_children[-1].named_children[0], record.block, record.bound)]
        found: set[str] = set()
        while queue and len(found) < _MOST:
            one = queue.pop()
            if one.node.type == "literal_type":
                found.add(text_of(one.node).strip("'\""))
            queue.extend(part for part in self.parts(one) if isinstance(part, Typed))
        return frozenset(found)

    def _in_class(self, value: Typed, name: str, *, static: bool) -> Members:
        body = value.node.child_by_field_name("body")
        found = self._in_body(body, value, name, static=static) if body is not None else Members(None)
        if found.found is not None:
            return found
        hidden = found.hidden
        for heritage in (child for child in value.node.named_children if child.type == "class_heritage"):
            typed = any(child.type in {"extends_clause", "implements_clause"} for child in heritage.named_children)
            for clause in heritage.named_children if typed else (heritage,):  # JavaScript has no clauses
                if clause.type == "implements_clause":
                    continue
                members = self._of_base(clause, value, name, static=static)
                if members.found is not None:
                    return members
                hidden = hidden or members.hidden
        merged = self._merged(value, name) if not static else Members(None)
        return merged if merged.found is not None else Members(None, hidden or merged.hidden)

    def _of_base(self, clause: Node, value: Typed, name: str, *, static: bool) -> Members:
        target = clause.child_by_field_name("value") or (clause.named_children[0] if clause.named_children else None)
        if target is None:
            return Members(None)
        written = text_of(target)
        if target.type not in {"identifier", "member_expression"}:
            return Members(None, f"derived from {written[:40]!r}")
        meant = self._scope.dotted(value.block, tuple(written.split(".")))
        arguments = next((child for child in clause.named_children if child.type == "type_arguments"), None)
        if not meant:
            if written in PASSING and arguments is not None and arguments.named_children:
                return self.member(Typed(arguments.named_children[0], value.block, value.bound), name)
            return Members(None, f"derived from {written}, which is not unpacked")
        hidden = ""
        for one in meant:
            if isinstance(one, Space):
                continue
            if one.node.type in CLASSES:
                base = Typed(one.node, one.block, self._given(one, arguments, value))
                members = self._in_class(base, name, static=static) if self._depth < _DEPTH else Members(None, "deep")
            elif static:
                members = self.member(one, name)
            else:
                inner = tuple(self.called(one))
                members = self._any_of(inner, name) or Members(None, f"derived from {written}")
            if members.found is not None:
                return members
            hidden = hidden or members.hidden
        return Members(None, hidden)

    def _in_interface(self, value: Typed, name: str) -> Members:
        body = value.node.child_by_field_name("body")
        found = self._in_body(body, value, name, static=False) if body is not None else Members(None)
        if found.found is not None:
            return found
        bases = [
            Typed(base, value.block, value.bound)
            for clause in value.node.named_children
            if clause.type == "extends_type_clause"
            for base in clause.named_children
        ]
        inherited = self._any_of(tuple(bases), name) or Members(None)
        if inherited.found is not None:
            return inherited
        merged = self._merged(value, name)
        return merged if merged.found is not None else Members(None, found.hidden or inherited.hidden or merged.hidden)

    def _merged(self, value: Typed, name: str) -> Members:
        """A class or interface and the interfaces of its name are one."""
        own = text_of(value.node.child_by_field_name("name"))
        hidden = ""
        for one in value.block.declared.get(own, ()):
            if one.node == value.node or one.node.type != "interface_declaration":
                continue
            if self._depth > _DEPTH or one.node.start_byte < value.node.start_byte:
                continue  # each pair is looked at once
            members = self.member(Typed(one.node, one.block, value.bound), name)
            if members.found is not None:
                return members
            hidden = hidden or members.hidden
        return Members(None, hidden)

    def _in_body(self, body: Node, value: Typed, name: str, *, static: bool) -> Members:
        found: list[Value] = []
        is_there, hidden = False, ""
        for node in body.named_children:
            if node.type == "index_signature":
                hidden = "a type with any name in it"
            if text_of(node.child_by_field_name("name") or node.child_by_field_name("key")).strip("'\"") != name:
                continue
            words = {child.type for child in node.children}
            if ("static" in words) != static and body.type == "class_body":
                continue
            is_there = True
            found.extend(self._of_signature(node, value, words))
        return Members(tuple(found)) if is_there else Members(None, hidden)

    def _of_signature(self, node: Node, value: Typed, words: set[str]) -> Iterator[Value]:
        inner = Typed(node, value.block, (("this", value), *(pair for pair in value.bound if pair[0] != "this")))
        if "get" in words:
            yield from self.called(inner)
        elif node.type in FUNCTIONS:
            yield inner
        else:
            annotation = node.child_by_field_name("type")
            initial = node.child_by_field_name("value")
            if annotation is not None:
                yield Typed(annotation, value.block, value.bound)
            elif initial is not None:
                yield from self._expression(initial, value.block)

    # ------------------------------------------------------------------------------------------------------------ types
    def typed(self, value: Declared) -> Iterator[Value]:
        """The type of what a declaration declares."""
        node = value.node
        if node.type == "variable_declarator":
            annotation = node.child_by_field_name("type")
            initial = node.child_by_field_name("value")
            if annotation is not None:
                yield Typed(annotation, value.block)
            elif initial is not None:
                yield from self._expression(initial, value.block)
        else:
            yield from self._expression(node, value.block)

    def _expression(self, node: Node, block: Block) -> Iterator[Value]:
        """The value of an expression in code, as far as it is a name, a construction, a function or an object."""
        match node.type:
            case "identifier":
                yield from self._scope.meant(block, text_of(node))
            case "member_expression" if all(part.isidentifier() for part in text_of(node).split(".")):
                yield from self._scope.dotted(block, tuple(text_of(node).split(".")))
            case "new_expression":
                made = node.child_by_field_name("constructor")
                if made is not None and made.type == "identifier":
                    for one in self._scope.meant(block, text_of(made)):
                        yield from self.called(one)
            case "as_expression" | "satisfies_expression" | "parenthesized_expression":
                yield from self._expression(node.named_children[0], block)
            case kind if kind in FUNCTIONS or kind in CLASSES:
                yield Typed(node, block) if kind in FUNCTIONS else Declared(node, block)
            case "object":
                yield Typed(node, block)
            case _:
                pass

    def parts(self, value: Typed) -> Iterator[Value]:
        """What a type stands for: its parts, what its name means, what it is made of."""
        node, block, bound = value
        match node.type:
            case kind if kind in WRAPPING or kind in JOINING:
                for child in node.named_children:
                    yield Typed(child, block, bound)
            case "type_alias_declaration":
                inner = node.child_by_field_name("value")
                if inner is not None:
                    yield Typed(inner, block, bound)
            case "type_identifier" | "nested_type_identifier" | "identifier" | "this_type" | "this":
                yield from self._named(text_of(node), None, value)
            case "generic_type":
                target = node.child_by_field_name("name") or node.named_children[0]
                yield from self._named(text_of(target), node, value)
            case "type_query":
                yield from self._queried(node, block)
            case "conditional_type":
                for field in ("consequence", "alternative"):
                    branch = node.child_by_field_name(field)
                    if branch is not None:
                        yield Typed(branch, block, bound)
            case "lookup_type":
                yield from self._looked_up(node, value)
            case _:
                pass

    def _named(self, name: str, generic: Node | None, value: Typed) -> Iterator[Value]:
        arguments = None
        if generic is not None:
            arguments = next((child for child in generic.named_children if child.type == "type_arguments"), None)
        inside = arguments.named_children if arguments is not None else []
        for parameter, meant in value.bound:
            if parameter == name:
                yield meant
                return
        found = self._scope.dotted(value.block, tuple(name.split(".")))
        for one in found:
            if isinstance(one, Declared):
                yield from self._instance(one, arguments, value)
        if found or not inside:
            return
        if name in PASSING:
            yield Typed(inside[0], value.block, value.bound)
        elif name in RESULTS:
            yield from self.called(Typed(inside[0], value.block, value.bound))

    def _instance(self, one: Declared, arguments: Node | None, value: Typed) -> Iterator[Value]:
        if one.node.type in CLASSES or one.node.type in {"interface_declaration", "type_alias_declaration"}:
            yield Typed(one.node, one.block, self._given(one, arguments, value))

    def _given(self, declared: Declared, arguments: Node | None, value: Typed) -> tuple[tuple[str, Typed], ...]:
        """What the type parameters of a declaration stand for: the arguments, else their defaults or bounds."""
        parameters = declared.node.child_by_field_name("type_parameters")
        if parameters is None:
            return ()
        given = [Typed(child, value.block, value.bound) for child in arguments.named_children] if arguments else []
        bound: list[tuple[str, Typed]] = []
        for number, parameter in enumerate(c for c in parameters.named_children if c.type == "type_parameter"):
            name = text_of(parameter.child_by_field_name("name"))
            default = parameter.child_by_field_name("value") or parameter.child_by_field_name("constraint")
            if number < len(given):
                bound.append((name, given[number]))
            elif default is not None and default.named_children:
                bound.append((name, Typed(default.named_children[0], declared.block, tuple(bound))))
        return tuple(bound)

    def _queried(self, node: Node, block: Block) -> Iterator[Value]:
        """What `typeof x` is the type of."""
        target = node.named_children[0]
        if target.type in {"identifier", "member_expression"}:
            yield from self._scope.dotted(block, tuple(text_of(target).split(".")))

    def _looked_up(self, node: Node, value: Typed) -> Iterator[Value]:
        """What `T["name"]` is."""
        owner, key = node.named_children[0], node.named_children[-1]
        name = text_of(key).strip("'\"")
        members = self.member(Typed(owner, value.block, value.bound), name)
        yield from members.found or ()

    # ---------------------------------------------------------------------------------------------- calls and elements
    def called(self, value: Value) -> Iterator[Value]:
        """What a call (or `new`) of a value gives."""
        if self._depth > _DEPTH:
            return
        self._depth += 1
        try:
            if isinstance(value, Space):
                for one in self._scope.exported(value.block, DEFAULT):
                    yield from self.called(one)
            elif isinstance(value, Declared):
                yield from self._made(value)
            else:
                yield from self._returned(value)
        finally:
            self._depth -= 1

    def _made(self, value: Declared) -> Iterator[Value]:
        node = value.node
        if node.type in CLASSES or node.type == "interface_declaration":
            yield Typed(node, value.block, self._given(value, None, Typed(node, value.block)))
        elif node.type in FUNCTIONS:
            yield from self._returned(Typed(node, value.block))
        else:
            for one in self.typed(value):
                yield from self.called(one)

    def _returned(self, value: Typed) -> Iterator[Value]:
        node = value.node
        if node.type in FUNCTIONS:
            field = "type" if node.type in {"construct_signature", "constructor_type"} else "return_type"
            result = node.child_by_field_name(field) or node.child_by_field_name("return_type")
            if result is None:
                return
            bound = (*self._given(Declared(node, value.block), None, value), *value.bound)
            yield Typed(result, value.block, bound)
        elif node.type in {"interface_declaration", *BODIES}:
            body = node.child_by_field_name("body") if node.type == "interface_declaration" else node
            for child in body.named_children if body is not None else ():
                if child.type in {"call_signature", "construct_signature"}:
                    yield from self._returned(Typed(child, value.block, value.bound))
            for clause in node.named_children:
                if clause.type == "extends_type_clause":
                    for base in clause.named_children:
                        yield from self.called(Typed(base, value.block, value.bound))
        else:
            for part in self.parts(value):
                yield from self.called(part)

    def elements(self, value: Value) -> Iterator[Value]:
        """What stands in a list, or under any key of a mapping."""
        if not isinstance(value, Typed) or self._depth > _DEPTH:
            return
        self._depth += 1
        try:
            node = value.node
            if node.type == "array_type":
                yield Typed(node.named_children[0], value.block, value.bound)
                return
            target = text_of(node.child_by_field_name("name")) if node.type == "generic_type" else ""
            if target in LISTS | LASTS:
                inside = node.named_children[-1].named_children
                yield Typed(inside[-1 if target in LASTS else 0], value.block, value.bound)
                return
            for part in self.parts(value):
                yield from self.elements(part)
        finally:
            self._depth -= 1
