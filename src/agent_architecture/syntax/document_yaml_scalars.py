"""What a YAML scalar means: the standard types of YAML 1.1, as PyYAML resolves them, with two exceptions.

`on`, `off`, `yes` and `no` as a mapping's key stay text (a workflow's `on:` is a word); dates and binary stay text,
because the IR has no such constants. It knows nothing of mappings and lists.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import re

    import yaml

    from agent_architecture.syntax.ir import Constant

Event: TypeAlias = Any  # PyYAML's `ScalarEvent`

_PREFIX: Final = "tag:yaml.org,2002:"
_LONGEST_NUMBER: Final = 100
"""Longer numbers stay text: base 60 and huge integers cost more than linear time."""


def scalar_value(event: Event, *, is_key: bool) -> Constant:
    """The constant that a scalar denotes; text where its tag is unknown or its text does not fit its tag."""
    text: str = event.value
    tag = _tag(event)
    if tag == "null":
        return None
    if tag == "bool":
        return _boolean(text, is_key=is_key)
    if tag in {"int", "float"} and len(text) <= _LONGEST_NUMBER:
        return _number(text, tag)
    return text


def _tag(event: Event) -> str:
    if event.tag and event.tag != "!":
        return event.tag.removeprefix(_PREFIX) if event.tag.startswith(_PREFIX) else "str"
    if event.tag or not event.implicit[0]:
        return "str"
    for tag, pattern in _resolvers().get(event.value[:1], ()):
        if pattern.match(event.value):
            return str(tag).removeprefix(_PREFIX)
    return "str"


def _boolean(text: str, *, is_key: bool) -> Constant:
    if is_key and text.lower() not in {"true", "false"}:
        return text
    value = _constructor().bool_values.get(text.lower())
    return text if value is None else value


def _number(text: str, tag: str) -> Constant:
    import yaml

    node = yaml.ScalarNode(_PREFIX + tag, text)
    construct = _constructor().construct_yaml_int if tag == "int" else _constructor().construct_yaml_float
    try:
        return construct(node)
    except (ValueError, OverflowError, IndexError):
        return text


@cache
def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    import yaml

    return yaml.SafeLoader.yaml_implicit_resolvers


@cache
def _constructor() -> yaml.constructor.SafeConstructor:
    import yaml

    return yaml.constructor.SafeConstructor()
