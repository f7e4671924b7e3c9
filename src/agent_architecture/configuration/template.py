"""The commented configuration file that `init` writes: every key with what it means and its default.

Made from the table of keys. A line `#key: value` takes effect without its `#`; `# Text.` is explanation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from agent_architecture.configuration.keys import Default, Key, Kind, below, section_path

FORCED: Final[Mapping[str, Default]] = {"metrics[].id": "agent_architecture"}
"""Keys without which their section is wrong: they are always written."""

_LEFT_OUT: Final = frozenset({"policy.invariants[].baseline", "metrics[].config.languages"})
"""Keys that another one in the file excludes, or stands for."""


def template(values: Mapping[str, Default], remarks: Mapping[str, str], head: str) -> str:
    """The file, where `values` (by the paths of keys) take effect; `remarks` go before a key, `head` on top."""
    return "\n".join([*(f"# {line}" for line in head.split("\n")), *_section("", "", values, remarks)]) + "\n"


def _section(path: str, indent: str, values: Mapping[str, Default], remarks: Mapping[str, str]) -> Iterator[str]:
    for key in _keys(path):
        written = values.get(key.path, FORCED.get(key.path))
        mark = "#" if written is None else ""
        if key.kind is Kind.NUMBER:  # a table of weights: one line each
            yield f"{indent}{mark}{key.name}: {_value(key, written)}  # {key.doc}"
            continue
        if not path:
            yield ""
        yield f"{indent}# {key.doc}{_range(key)}"
        if key.path in remarks:
            yield f"{indent}# {remarks[key.path]}"
        if key.kind is Kind.SECTION:
            yield f"{indent}{key.name}:"
            yield from _section(section_path(key), f"{indent}  ", values, remarks)
        elif key.path == "metrics":  # its one entry stands there, so that its keys are there to change
            yield f"{indent}{key.name}:"
            yield from _item(list(_section(section_path(key), f"{indent}    ", values, remarks)), f"{indent}    ")
        elif key.kind is Kind.LIST:
            yield f"{indent}#{key.name}:"
            yield from _sample(section_path(key), indent)
        else:
            yield f"{indent}{mark}{key.name}: {_value(key, written)}"


def _item(lines: list[str], indent: str) -> Iterator[str]:
    """The lines of a list's entry: its first key gets the dash."""
    first = next(number for number, line in enumerate(lines) if not line.lstrip().startswith("#"))
    for number, line in enumerate(lines):
        yield f"{indent[:-2]}- {line.removeprefix(indent)}" if number == first else line


def _sample(path: str, indent: str) -> Iterator[str]:
    """An entry of a list, commented out, with every key that fits beside the others."""
    for number, key in enumerate(_keys(path)):
        dash = "- " if number == 0 else "  "
        yield f"{indent}#  {dash}{key.name}: {_value(key, None)}  # {key.doc}"


def _keys(path: str) -> list[Key]:
    return [key for key in {key.path: key for key in below(path).values()}.values() if key.path not in _LEFT_OUT]


def _value(key: Key, written: Default) -> str:
    value = next((given for given in (written, key.default, key.example or None) if given is not None), None)
    if key.kind in {Kind.GLOBS, Kind.WORDS}:
        return f"[{json.dumps(key.example)}]"
    if isinstance(value, bool):
        return str(value).lower()
    plain = key.kind in {Kind.NUMBER, Kind.WHOLE, Kind.DATE} or str(value).isidentifier()
    return str(value) if plain else json.dumps(value)


def _range(key: Key) -> str:
    return f" ({' | '.join(key.words)})" if len(key.words) > 1 else ""
