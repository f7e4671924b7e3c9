"""The libraries that a program imports from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.packs.api_paths import root_of
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def imported_roots(program: Program) -> Iterator[str]:
    """What the modules import from, as `root_of` names it; the project's own modules among them do no harm."""
    for module in program.modules:
        prefix = "py:" if module.language in (Language.PYTHON, Language.NOTEBOOK) else "npm:"
        named = (*(node.module for _, node in module.index.imports), *(node.module for node in module.index.exports))
        yield from (root_of(prefix + name.removeprefix("node:")) for name in named if name)
