"""The JSON report as YAML: the same document, for people who read it and tools that prefer it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import yaml

from agent_architecture.regexes import regex
from agent_architecture.render.json import document, json_text

if TYPE_CHECKING:
    import re

    from agent_architecture.report import Outcome


def render(outcome: Outcome, *, subjects: bool = False) -> str:
    """The outcome as YAML text in the order of the JSON report; what is not printable is escaped."""
    text = json_text(document(outcome, subjects=subjects))
    plain = json.loads(text)  # without the enumerations of the model
    # PyYAML takes marks that turn the direction of text for printable: with one of them, all beyond ASCII is escaped.
    made = yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode="\\u" not in text, width=120)
    return _COMMAND.sub(_escaped, made)


def _escaped(found: re.Match[str]) -> str:
    sign = found[1] or found[2]
    return f"{sign}\\x{ord(sign):x}"


class _Dumper(yaml.SafeDumper):
    """Puts texts that hold the beginning of a command of a CI into quotes, in which it can be escaped."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _COMMAND.search(text) else None)


_Dumper.add_representer(str, _text)
_COMMAND: Final = regex(r"(#)#(?=(?:vso)?\[)|(?:(?<=\s)|(?<=\")|^)(:):")
"""Where a command of a CI begins: anywhere in a line, or before the first letter of one."""
