"""The JSON report as YAML: the same document, for people who read it and tools that prefer it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml

from agent_architecture.render.json import document

if TYPE_CHECKING:
    from agent_architecture.report import Outcome


def render(outcome: Outcome, *, subjects: bool = False) -> str:
    """The outcome as YAML text in the order of the JSON report; what is not printable is escaped."""
    plain = json.loads(json.dumps(document(outcome, subjects=subjects)))  # without the enumerations of the model
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=120)
