"""Tools that a library has ready made: what is known of their input without reading the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

SAID: Final = frozenset({"name", "address"})
"""All that rows say of a library's ready-made tool, of which code defines nothing."""
MODELS: Final = "models"
"""The library checks typed schemas (a signature, a pydantic model, a zod object), not JSON Schemas."""
SCHEMAS: Final = "schemas"
"""It checks JSON Schemas, too."""
TOLD: Final = frozenset({
    "network_read", "network_write", "read_file", "write_file", "execute_shell", "execute_code", "database", "mail",
    "message",
})  # fmt: skip
"""Effects of ready-made tools of which a text says what they are on: an address, a question, a path, a command."""


def is_told_in_text(packs: Packs, match: Match) -> bool:
    """Whether a ready-made tool does what a text says (an address, a path, a command, a question), in a library that
    checks the types of what it calls its tools with. What stands for several, under a name of the pack's
    (`FilesystemBackend`, a toolkit), is no such tool.
    """
    constants = match.row.constants
    effect = constants.get("effect")
    told = isinstance(effect, str) and not TOLD.isdisjoint(effect.split()) and "name" not in constants
    return told and "function" not in match.row.relations and _validates(packs, match)


def _validates(packs: Packs, match: Match) -> bool:
    """Whether the library of a match checks what it calls the tools of its language with."""
    language = match.api.path.partition(":")[0]
    return any(
        row.where.pack == match.row.where.pack
        and row.kind == "tool"
        and row.constants.get("validates") in {MODELS, SCHEMAS}
        and any(path.startswith(language) for path in (*row.call, *row.decorator))
        for pack in packs.sources
        for row in pack.entities
    )
