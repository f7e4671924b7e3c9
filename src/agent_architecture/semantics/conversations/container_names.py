"""What containers are called that hold a conversation."""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

SAID: Final = regex(
    r"(?:^|_)(?:history|histories|messages?|msgs|conversations?|chats?|turns|transcripts?|dialog(?:ue)?s?|memory"
    r"|memories|interactions|sessions|threads)$"
)
"""What a container of a conversation is called, in lower case with `_` between words."""
COUNTED: Final = regex(
    r"(?:^|_)(?:counters?|counts|metrics?|stats|timings?|histograms?|gauges?|latenc(?:y|ies)(?:_ms)?)$"
)
COUNTING: Final = regex(r"Metrics?(?:[A-Z]|$)|Telemetry|Counters?$|(?:Rate|Window|Usage)Limit\w*$")
"""What programs count of themselves, an entry for each name that the code gives; the classes that do."""


def is_said(name: str) -> bool:
    """Whether a container is called as a conversation is."""
    return SAID.search(words_of(name)) is not None


def words_of(name: str) -> str:
    """A name in lower case, its words parted by `_`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def is_counted(owner: str, name: str) -> bool:
    """Whether a container of a class ("" for a module) holds what a program counts of itself."""
    return COUNTING.search(owner) is not None or COUNTED.search(words_of(name)) is not None
