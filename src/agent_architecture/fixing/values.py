"""A value at a place in a call or an object: written over what stands there, or put there, with what is to hold it.

Knows calls and objects of both languages as their grammars see them; it must not know libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.fixing.lists import Change, added, items_of
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

Steps: TypeAlias = "tuple[int | str, ...]"

CALLS: Final = frozenset({"call", "call_expression", "new_expression"})
OBJECTS: Final = frozenset({"dictionary", "object"})
AROUND: Final = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression"})
"""What may stand around a value and says nothing of it."""
SPREADS: Final = frozenset({"list_splat", "spread_element"})
NOTHING: Final = frozenset({"none", "null", "undefined"})
KEY: Final = regex(r"^[A-Za-z_$][\w$]*$")


class Written(NamedTuple):
    """What is to be written: the text of a value, and what makes an object to hold it (none: a dictionary)."""

    value: str
    makes: str = ""

    def within(self, steps: Steps, *, python: bool) -> bytes:
        """The text of the value with everything that these steps lead through."""
        text = self.value
        for number in range(len(steps) - 1, -1, -1):
            key = str(steps[number])
            if self.makes and number == 0:
                text = f"{self.makes}({key}={text})" if python else f"{self.makes}({{ {key}: {text} }})"
            elif python:
                text = f'{{"{key}": {text}}}'
            else:
                text = f"{{ {_spelled(key)}: {text} }}"
        return text.encode()


def in_call(data: bytes, call: Node, at: Sequence[Steps], written: Written) -> Change | None:
    """The value at the first of these places of a call that has something, or else can be given something; None where
    the value stands there already, or nobody can tell whether something does.
    """
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return _without_brackets(call, at, written)
    if arguments.type not in {"argument_list", "arguments"}:  # a generator, a template
        return None
    for steps in at:
        found = _argument(arguments, steps[0])
        if found is not None:
            return in_value(data, found, steps[1:], written)
    return next((made for steps in at if (made := _new_argument(data, arguments, steps, written)) is not None), None)


def in_value(data: bytes, node: Node, steps: Steps, written: Written) -> Change | None:
    """The value at a place inside of what stands there."""
    inner = _bare(node)
    if not steps:
        return _over(data, node, written.value.encode())
    if inner.type in OBJECTS:
        return in_object(data, inner, steps, written)
    if inner.type in CALLS:
        return in_call(data, inner, (steps if inner.type == "call" else (0, *steps),), written)
    if inner.type in NOTHING or (inner.type == "identifier" and inner.text == b"undefined"):
        return _over(data, node, written.within(steps, python=_is_python(node)))
    return None


def in_object(data: bytes, node: Node, steps: Steps, written: Written) -> Change | None:
    """The value under a key of a dictionary or object, and the keys behind it."""
    key, rest, python = str(steps[0]), steps[1:], node.type == "dictionary"
    for entry in reversed(items_of(node)):
        if entry.type in {"shorthand_property_identifier", "shorthand_property_identifier_pattern"}:
            if entry.text == key.encode():
                return None if rest else Change(entry.end_byte, entry.end_byte, f": {written.value}".encode())
        elif _key(entry) == key:
            value = entry.child_by_field_name("value")
            return in_value(data, value, rest, written) if entry.type == "pair" and value is not None else None
    text = Written(written.value).within(rest, python=python)
    name = _quoted(node, key) if python or _is_json(node) else _spelled(key)
    return added(data, node, f"{name}: ".encode() + text)


# ---------------------------------------------------------------------------------------------------------- arguments
def _argument(arguments: Node, step: int | str) -> Node | None:
    """What stands at a keyword or position."""
    items = items_of(arguments)
    if isinstance(step, str):
        named = (item for item in items if item.type == "keyword_argument")
        return next((n.child_by_field_name("value") for n in named if _name_of(n) == step), None)
    plain = [item for item in items if item.type not in {"keyword_argument", "dictionary_splat"}]
    if step >= len(plain) or any(item.type in SPREADS for item in plain[: step + 1]):
        return None
    return plain[step]


def _new_argument(data: bytes, arguments: Node, steps: Steps, written: Written) -> Change | None:
    """An argument more, where the call says all of its own: what is spread into it may hold one already."""
    items, first = items_of(arguments), steps[0]
    if any(item.type in {*SPREADS, "dictionary_splat"} for item in items):
        return None
    python = arguments.type == "argument_list"
    text = written.within(steps[1:], python=python)
    if isinstance(first, str):
        return added(data, arguments, first.encode() + b"=" + text) if python else None
    return added(data, arguments, text) if not python and len(items) == first else None


def _without_brackets(call: Node, at: Sequence[Steps], written: Written) -> Change | None:
    """`new Agent` has no arguments, and takes some."""
    steps = next((one for one in at if one[0] == 0), None)
    if steps is None or call.type != "new_expression":
        return None
    return Change(call.end_byte, call.end_byte, b"(" + written.within(steps[1:], python=False) + b")")


def at_decorator(name: Node, at: Sequence[Steps], written: Written) -> Change | None:
    """The first argument of a decorator that has none, nor brackets for them."""
    steps = next((one for one in at if isinstance(one[0], str)), None)
    if steps is None:
        return None
    text = f"({steps[0]}=".encode() + written.within(steps[1:], python=True) + b")"
    return Change(name.end_byte, name.end_byte, text)


# --------------------------------------------------------------------------------------------------------------- parts
def _over(data: bytes, node: Node, text: bytes) -> Change | None:
    """What stands there, written over; None where it is the same."""
    return None if data[node.start_byte : node.end_byte] == text else Change(node.start_byte, node.end_byte, text)


def _bare(node: Node) -> Node:
    while node.type in AROUND and node.named_children:
        node = node.named_children[0]
    return node


def _name_of(argument: Node) -> str:
    name = argument.child_by_field_name("name")
    return (name.text or b"").decode("utf-8", "replace") if name is not None else ""


def _key(entry: Node) -> str | None:
    """The key of an entry, a method or an accessor, where it is written out."""
    key = entry.child_by_field_name("key") or entry.child_by_field_name("name")
    if key is None or key.type == "computed_property_name":
        return None
    text = (key.text or b"").decode("utf-8", "replace")
    return text[1:-1] if key.type == "string" and text[:1] in "\"'" else text


def _is_python(node: Node) -> bool:
    return node.type == "none"


def _is_json(node: Node) -> bool:
    """Whether an object stands in JSON, where every key is in quotes."""
    root = node
    while root.parent is not None:
        root = root.parent
    return root.type == "document"


def _spelled(key: str) -> str:
    return key if KEY.match(key) else f'"{key}"'


def _quoted(node: Node, key: str) -> str:
    """A key in the quotes of its neighbours."""
    first = next((item.child_by_field_name("key") for item in items_of(node) if item.type == "pair"), None)
    mark = "'" if first is not None and (first.text or b"").startswith(b"'") else '"'
    return f"{mark}{key}{mark}"
