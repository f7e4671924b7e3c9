"""Who sent a message, as the platform says that brought it: `update.effective_user.id` of Telegram, `message.author.id`
of Discord. The platform signed its sender in; nobody writes that into a message.

Which parts of which libraries' objects say it is for packs (`sender`). Handlers seldom write down of which type their
messages are, so that in a file which imports the library a part of that name is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.packs.api_paths import root_of
from agent_architecture.sources.languages import is_python

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.syntax import ir

MARK: Final = "sender"
REQUEST: Final = regex(r"(?:req|request|body|payload|data)\b.*")
"""What servers call what their own clients send, in a file that has a bot, too."""
MESSAGES: Final = frozenset({"event", "message", "msg", "update", "ctx", "context", "interaction"})
"""What handlers call what they are handed: the owner of a part that is one step long."""


def is_sender(context: Context, expr: ir.Member) -> bool:
    """Whether a part of a message is its sender, in a file that imports a platform's library."""
    said = dotted(expr)
    steps = tuple(said.split("."))
    libraries = context.program.once(_known, context.packs).get(steps[-1], {})
    found = {root for root, parts in libraries.items() if any(_ends_in(steps, part) for part in parts)}
    if not found or REQUEST.fullmatch(said):
        return False
    module = context.program.module_of(expr)
    prefix = "py:" if is_python(module.path) else "npm:"
    return any(root_of(prefix + node.module) in found for _, node in module.index.imports if node.module)


def _ends_in(steps: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether a chain of members ends in a part that a pack names, taken of something."""
    owner = steps[: -len(part)]
    return steps[-len(part) :] == part and bool(owner) and (len(part) > 1 or owner[-1] in MESSAGES)


def _known(_program: Program, packs: Packs) -> Mapping[str, Mapping[str, set[tuple[str, ...]]]]:
    """By its last step, and by its library, each part that says who sent something: `("author", "id")`."""
    found: dict[str, dict[str, set[tuple[str, ...]]]] = {}
    marks = (row for source in packs.sources for row in source.marks if row.covers == MARK)
    for path in (path for row in marks for path in row.attribute):
        steps = tuple(path.rpartition("().")[2].split("."))
        found.setdefault(steps[-1], {}).setdefault(root_of(path), set()).add(steps)
    return found
