"""Reading JSON configuration: package.json and tsconfig.json, comments and trailing commas included.

Returns plain Python values. Must not know what a configuration means.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.source import Notice

if TYPE_CHECKING:
    from agent_architecture.names.modules import ModuleTable

_COMMENT: Final = regex(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA: Final = regex(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')


class JsonDocuments:
    """The JSON objects among the files of a scan, each read once; a broken one is a notice and an empty object."""

    __slots__ = ("_objects", "_table", "notices")

    def __init__(self, table: ModuleTable) -> None:
        self._table = table
        self._objects: dict[str, dict[str, Any]] = {}
        self.notices: list[Notice] = []

    def read(self, path: str) -> dict[str, Any]:
        """The object in this file; empty if there is no such file or no object in it."""
        if path not in self._objects:
            self._objects[path] = self._load(path)
        return self._objects[path]

    def _load(self, path: str) -> dict[str, Any]:
        file = self._table.file(path)
        if file is None:
            return {}
        try:
            value = _loads(file.data.decode("utf-8", "replace"))
        except json.JSONDecodeError as error:
            self.notices.append(
                Notice(path, error.lineno, f"not readable as JSON ({error.msg}): imports are resolved without it")
            )
        except (ValueError, RecursionError):
            self.notices.append(Notice(path, None, "not readable as JSON: imports are resolved without it"))
        else:
            return value if isinstance(value, dict) else {}
        return {}


def _loads(text: str) -> object:
    """JSON, at first as it is (most files are), then without comments and trailing commas, line numbers kept."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        plain = _COMMENT.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text)
        return json.loads(_TRAILING_COMMA.sub(lambda match: match[1] or "", plain))


def text_of(value: object) -> str:
    """The value if it is a text, else the empty string."""
    return value if isinstance(value, str) else ""


def map_of(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def texts_of(value: object) -> tuple[str, ...]:
    """The texts in a list, or the one text that stands for it."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
