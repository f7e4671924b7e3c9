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


def is_said(name: str) -> bool:
    """Whether a container is called as a conversation is."""
    return SAID.search(words_of(name)) is not None


def words_of(name: str) -> str:
    """A name in lower case, its words parted by `_`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
