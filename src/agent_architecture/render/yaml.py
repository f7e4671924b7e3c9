"""The JSON report as YAML: the same document, for people who read it and tools that prefer it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

from agent_architecture.render.json import document, json_text

if TYPE_CHECKING:
    from agent_architecture.report import Outcome


def render(outcome: Outcome, *, subjects: bool = False) -> str:
    """The outcome as YAML text in the order of the JSON report; what is not printable is escaped."""
    text = json_text(document(outcome, subjects=subjects))
    plain = json.loads(text)  # without the enumerations of the model
    # PyYAML takes marks that turn the direction of text for printable: with one of them, all beyond ASCII is escaped.
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode="\\u" not in text, width=120)
