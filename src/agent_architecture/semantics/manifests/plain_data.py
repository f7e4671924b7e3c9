"""TOML, JSON and YAML files as plain data, within bounds of time and depth.

A manifest may come from an attacker. Every reader either gives data or raises `BrokenFileError` with a line; none can
be made to
hang, to overflow the stack or to fill the memory. It must not know what the data means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

# tomllib 3.11 takes time quadratic in the parts of a dotted key; real manifests have 50 kB.
_MAX_TOML: Final = 500_000
_MAX_DOTS: Final = 100
# PyYAML composes recursively in C, without a check: 300 000 brackets end the process (PyYAML 6.0.3).
_MAX_YAML: Final = 1_000_000
_MAX_YAML_DEPTH: Final = 50
_MAX_YAML_ALIASES: Final = 200


class BrokenFileError(ValueError):
    """A file that cannot be read: `line` (from 1) is where, when that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def table(value: object) -> Mapping[str, object]:
    """`value` when it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> tuple[object, ...]:
    """The elements of `value` when it is a list, else none."""
    return tuple(value) if isinstance(value, list) else ()


def text(value: object) -> str | None:
    """`value` when it is a string."""
    return value if isinstance(value, str) else None


def texts(value: object) -> dict[str, str]:
    """The entries of the mapping `value` that are strings."""
    return {key: item for key, item in table(value).items() if isinstance(item, str)}


def toml(data: bytes) -> Mapping[str, object]:
    """The TOML document in `data`.

    Raises:
        BrokenFileError: it is not TOML, or is too large or too deep to be a manifest.
    """
    import tomllib

    source = data.decode("utf-8", "replace")
    if len(source) > _MAX_TOML:
        raise BrokenFileError(f"has more than {_MAX_TOML} characters")
    for number, line in enumerate(source.split("\n"), 1):
        if line.count(".") > _MAX_DOTS and re.sub(r"\"[^\"]*\"|'[^']*'", "", line).count(".") > _MAX_DOTS:
            raise BrokenFileError(f"has a key of more than {_MAX_DOTS} parts", number)
    try:
        return tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        place = int(found[1]) if found else source.count("\n") + 1
        raise BrokenFileError(f"is not valid TOML: {error}", place) from error
    except RecursionError as error:
        raise BrokenFileError("is nested too deep") from error
    except ValueError as error:  # a number of more than 4300 digits
        raise BrokenFileError(f"is not valid TOML: {error}") from error


def from_json(data: bytes, *, relaxed: bool = False) -> object:
    """The JSON document in `data`; `relaxed` allows comments and trailing commas.

    Raises:
        BrokenFileError: it is not JSON, or is nested too deep.
    """
    source = data.decode("utf-8", "replace")
    try:
        parsed: object = json.loads(_strict(source) if relaxed else source)
    except json.JSONDecodeError as error:
        raise BrokenFileError(f"is not valid JSON: {error.msg}", error.lineno) from error
    except RecursionError as error:
        raise BrokenFileError("is nested too deep") from error
    except ValueError as error:  # a number of more than 4300 digits
        raise BrokenFileError(f"is not valid JSON: {error}") from error
    return parsed


def _strict(source: str) -> str:
    """JSON with comments and trailing commas, without them; every line keeps its number."""
    lexeme = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[}\]])'

    def plain(found: re.Match[str]) -> str:
        return found[0] if found[0].startswith('"') else "\n" * found[0].count("\n")

    return re.sub(lexeme, plain, source, flags=re.DOTALL)


def yaml(data: bytes) -> object:
    """The first YAML document in `data`; every scalar is a string, as it is written (a version `1.10` is no number).

    Raises:
        BrokenFileError: it is not YAML, or is too large, too deep or too full of aliases.
    """
    import yaml as pyyaml

    loader = getattr(pyyaml, "CBaseLoader", pyyaml.BaseLoader)
    if len(data) > _MAX_YAML:
        raise BrokenFileError(f"has more than {_MAX_YAML} bytes")
    try:
        _check_yaml(data, loader)
        parsed: object = pyyaml.load(data, Loader=loader)  # noqa: S506 - the base loader makes plain data only
    except pyyaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise BrokenFileError(f"is not valid YAML: {error.problem}", mark.line + 1 if mark else None) from error
    except (pyyaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        if isinstance(error, BrokenFileError):
            raise
        raise BrokenFileError(f"is not valid YAML: {error}") from error
    return parsed


def _check_yaml(data: bytes, loader: type) -> None:
    """Read the events alone, which needs no stack, and refuse what composing would choke on."""
    import yaml as pyyaml

    depth = aliases = 0
    for event in pyyaml.parse(data, Loader=loader):
        if isinstance(event, pyyaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, pyyaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, pyyaml.AliasEvent):
            aliases += 1
        if depth > _MAX_YAML_DEPTH or aliases > _MAX_YAML_ALIASES:
            problem = "is nested too deep" if depth > _MAX_YAML_DEPTH else "has too many aliases"
            raise BrokenFileError(problem, event.start_mark.line + 1 if event.start_mark else None)
