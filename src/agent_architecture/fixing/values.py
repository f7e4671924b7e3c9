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
Pairs: TypeAlias = "Sequence[tuple[str, str]]"
Changes: TypeAlias = "tuple[Change, ...]"

CALLS: Final = frozenset({"call", "call_expression", "new_expression"})
OBJECTS: Final = frozenset({"dictionary", "object"})
AROUND: Final = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression"})
"""What may stand around a value and says nothing of it."""
SHORT: Final = "shorthand_property_identifier"
SPREADS: Final = frozenset({"list_splat", "spread_element"})
NOTHING: Final = frozenset({"none", "null", "undefined"})
KEY: Final = regex(r"^[A-Za-z_$][\w$]*$")


class Written(NamedTuple):
    """What is to be written: the text of a value; or keys with their values, of which `fills` only where they are
    missing. `makes` are the calls that make what holds it, outermost first (none: a dictionary).
    """

    value: str
    makes: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    fills: tuple[tuple[str, str], ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    """What a call that stands there is to call instead."""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """All keys with their values."""
        return (*self.keys, *self.fills)

    def within(self, steps: Steps, *, python: bool) -> bytes:
        """The text of the value with everything that these steps lead through."""
        depth = len(steps)
        text = self.value or _holding(self.pairs, self._maker(depth), python=python)
        for number in range(depth - 1, -1, -1):
            text = _holding([(str(steps[number]), text)], self._maker(number), python=python)
        return text.encode()

    def inner(self) -> Written:
        """What is left to write one step further in."""
        return self._replace(makes=self.makes[1:])

    def _maker(self, depth: int) -> str:
        return self.makes[depth] if depth < len(self.makes) else ""


def _holding(pairs: Pairs, maker: str, *, python: bool) -> str:
    """An object with these keys, in the language at hand."""
    if python and maker:
        return f"{maker}({_keywords(pairs)})"
    held = "{" + _entries(pairs) + "}" if python else "{ " + _options(pairs) + " }"
    return f"{maker}({held})" if maker else held


def _keywords(pairs: Pairs) -> str:
    return ", ".join(f"{key}={text}" for key, text in pairs)


def _entries(pairs: Pairs) -> str:
    return ", ".join(f'"{key}": {text}' for key, text in pairs)


def _options(pairs: Pairs) -> str:
    return ", ".join(f"{_spelled(key)}: {text}" for key, text in pairs)


def in_call(data: bytes, call: Node, at: Sequence[Steps], written: Written) -> Changes:
    """The value at the first of these places of a call that has something, or else can be given something; nothing
    where the value stands there already, or nobody can tell whether something does.
    """
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return _without_brackets(call, at, written)
    if arguments.type not in {"argument_list", "arguments"}:  # a generator, a template
        return ()
    present = [(found, steps) for steps in at if (found := _argument(arguments, steps[0])) is not None]
    if present:
        found, steps = max(present, key=lambda one: _depth(one[0], one[1][1:]))
        return in_value(data, found, steps[1:], written)
    return next((made for steps in at if (made := _new_argument(data, arguments, steps, written))), ())


def _depth(node: Node, steps: Steps) -> int:
    """How many of these steps what is written there has."""
    inner = _bare(node)
    inner = named_value(inner) or inner
    if not steps or inner.type not in OBJECTS:
        return 0
    entry = next((one for one in items_of(inner) if _key(one) == steps[0] or one.text == str(steps[0]).encode()), None)
    value = entry.child_by_field_name("value") if entry is not None else None
    return int(entry is not None) + (_depth(value, steps[1:]) if value is not None else 0)


def in_value(data: bytes, node: Node, steps: Steps, written: Written) -> Changes:
    """The value at a place inside of what stands there."""
    if written.renames and not steps:
        return _renamed(node, written)
    if not steps and not written.pairs:
        return _over(data, node, written.value.encode())
    inner = _bare(node)
    inner = named_value(inner) or inner
    if inner.type in NOTHING or (inner.type == "identifier" and inner.text == b"undefined"):
        return _over(data, node, written.within(steps, python=inner.type == "none"))
    if not steps:
        return _pairs_in(data, inner, written)
    if inner.type in OBJECTS:
        return in_object(data, inner, steps, written)
    if inner.type in CALLS:
        has_place = inner.type == "call" or isinstance(steps[0], int)
        return in_call(data, inner, (steps if has_place else (0, *steps),), written.inner())
    return ()


def _renamed(node: Node, written: Written) -> Changes:
    """Another word in the place of one, or a call of something else with the same arguments."""
    inner = _bare(node)
    inner = named_value(inner) or inner
    word = inner.child_by_field_name("function") if inner.type in CALLS else inner
    new = dict(written.renames).get((word.text or b"").decode("utf-8", "replace")) if word is not None else None
    return (Change(word.start_byte, word.end_byte, new.encode()),) if word is not None and new else ()


def in_object(data: bytes, node: Node, steps: Steps, written: Written) -> Changes:
    """The value under a key of a dictionary or object, and the keys behind it."""
    key, rest, python = str(steps[0]), steps[1:], node.type == "dictionary"
    for entry in reversed(items_of(node)):
        if entry.type == SHORT:
            if entry.text == key.encode():
                return _in_short(data, entry, rest, written)
        elif _key(entry) == key:
            value = entry.child_by_field_name("value")
            return in_value(data, value, rest, written) if entry.type == "pair" and value is not None else ()
    if written.renames:
        return ()
    text = written.inner().within(rest, python=python)
    name = _quoted(node, key) if python or _is_json(node) else _spelled(key)
    return (added(data, node, f"{name}: ".encode() + text),)


def _in_short(data: bytes, entry: Node, steps: Steps, written: Written) -> Changes:
    """The value of a key that is the name of a variable, too."""
    held = named_value(entry)
    if held is not None and (steps or written.pairs or written.renames):
        return in_value(data, held, steps, written)
    return (
        () if steps or not written.value else (Change(entry.end_byte, entry.end_byte, f": {written.value}".encode()),)
    )


def _pairs_in(data: bytes, node: Node, written: Written) -> Changes:
    """The keys of what is to be written, in an object or call: over what stands there, and beside it in one go."""
    changes: list[Change] = []
    missing: list[tuple[str, str]] = []
    brackets = node.child_by_field_name("arguments") if node.type == "call" else node
    if brackets is None or brackets.type not in {"argument_list", *OBJECTS}:
        return ()
    if any(_held(brackets, _other_spelling(key)) is not None for key, _ in written.pairs):
        return ()
    for key, text in written.pairs:
        there = _held(brackets, key)
        if there is None:
            missing.append((key, text))
        elif (key, text) in written.keys:
            changes += _over(data, there, text.encode())
    if missing:
        listed = {"argument_list": _keywords, "dictionary": _entries}.get(brackets.type, _options)
        changes.append(added(data, brackets, listed(missing).encode()))
    return tuple(changes)


def _other_spelling(key: str) -> str:
    """`read_only` of `readOnly`, and the other way round: a library may take both, in one call only one."""
    if "_" in key:
        first, *rest = key.split("_")
        return first + "".join(word.capitalize() for word in rest)
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)


def _held(brackets: Node, key: str) -> Node | None:
    """What stands under a key or keyword; the whole entry where it is no value that can be written over."""
    if brackets.type == "argument_list":
        return _argument(brackets, key)
    entry = next((one for one in items_of(brackets) if _key(one) == key or one.text == key.encode()), None)
    return (entry.child_by_field_name("value") or entry) if entry is not None else None


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


def _new_argument(data: bytes, arguments: Node, steps: Steps, written: Written) -> Changes:
    """An argument more, where the call says all of its own: what is spread into it may hold one already."""
    items, first = items_of(arguments), steps[0]
    if written.renames or any(item.type in {*SPREADS, "dictionary_splat"} for item in items):
        return ()
    python = arguments.type == "argument_list"
    text = written.within(steps[1:], python=python)
    if isinstance(first, str):
        return (added(data, arguments, first.encode() + b"=" + text),) if python else ()
    return (added(data, arguments, text),) if not python and len(items) == first else ()


def _without_brackets(call: Node, at: Sequence[Steps], written: Written) -> Changes:
    """`new Agent` has no arguments, and takes some."""
    steps = next((one for one in at if one[0] == 0), None)
    if steps is None or call.type != "new_expression":
        return ()
    return (Change(call.end_byte, call.end_byte, b"(" + written.within(steps[1:], python=False) + b")"),)


def at_decorator(name: Node, at: Sequence[Steps], written: Written) -> Changes:
    """The first argument of a decorator that has none, nor brackets for them."""
    steps = next((one for one in at if isinstance(one[0], str)), None)
    if steps is None:
        return ()
    text = f"({steps[0]}=".encode() + written.within(steps[1:], python=True) + b")"
    return (Change(name.end_byte, name.end_byte, text),)


# --------------------------------------------------------------------------------------------------------------- parts
def named_value(name: Node) -> Node | None:
    """The object or call that a variable of the file holds, where it is given a value once."""
    if name.type not in {"identifier", SHORT}:
        return None
    root = name
    while root.parent is not None:
        root = root.parent
    values: list[Node | None] = []
    stack = [root]
    while stack:
        node = stack.pop()
        target, value = _ASSIGNED.get(node.type, ("", ""))
        left = node.child_by_field_name(target) if target else None
        if left is not None and left.text == name.text:
            values.append(node.child_by_field_name(value))
        stack.extend(node.named_children)
    found = values[0] if len(values) == 1 else None
    found = _bare(found) if found is not None else None
    return found if found is not None and found.type in CALLS | OBJECTS else None


_ASSIGNED: Final = {
    "assignment": ("left", "right"),
    "augmented_assignment": ("left", "right"),
    "named_expression": ("name", "value"),
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "augmented_assignment_expression": ("left", "right"),
    "for_statement": ("left", "right"),
    "for_in_statement": ("left", "right"),
    "default_parameter": ("name", "value"),
}
"""What gives a variable a value: the fields for its name and for the value."""


def _over(data: bytes, node: Node, text: bytes) -> Changes:
    """What stands there, written over; nothing where it is the same, or a number that is lower already."""
    there = data[node.start_byte : node.end_byte]
    old, new = _number(there), _number(text)
    if there == text or (old is not None and new is not None and 0 < old <= new):
        return ()
    return (Change(node.start_byte, node.end_byte, text),)


def _number(text: bytes) -> float | None:
    try:
        return float(text.replace(b"_", b""))
    except ValueError:
        return None


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
