"""Who sent a message, as the platform says that brought it: `update.effective_user.id` of Telegram, `message.author.id`
of Discord. The platform signed its sender in; nobody writes that into a message.

Reads parts of what a platform's library hands over; must not know what the ids are used for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.packs.api_paths import root_of
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

PYTHON: Final = ("telegram", "aiogram", "telebot", "pyrogram", "telethon", "discord", "nextcord", "disnake")
NODE: Final = ("telegraf", "grammy", "node-telegram-bot-api", "discord.js", "whatsapp-web.js")
PLATFORMS: Final = frozenset({f"py:{each}" for each in PYTHON} | {f"npm:{each}" for each in NODE})
"""Libraries that hand a platform's messages to handlers, with the sender that the platform knows."""
SENDER: Final = regex(
    r"\w+\.(?:\w+\.)*?(?:from_user|effective_user|effective_chat|author|sender|from|user|member|chat|channel|guild)\.id"
    r"|(?:event|message|msg|update|ctx|context|interaction)\.(?:user|user_id|sender_id|chat_id|from_id|author_id|channel)"
)
"""Parts of such messages that say who wrote, and where: `update.message.from_user.id`, `interaction.user.id`."""
REQUEST: Final = regex(r"(?:req|request|body|payload|data)\b.*")
"""What servers call what their own clients send, in a file that has a bot, too."""


def is_sender(program: Program, expr: ir.Member) -> bool:
    """Whether a part of a message is its sender, in a file that imports a platform's library."""
    said = dotted(expr)
    if SENDER.fullmatch(said) is None or REQUEST.fullmatch(said):
        return False
    module = program.module_of(expr)
    prefix = "py:" if is_python(module.path) else "npm:"
    return any(root_of(prefix + node.module) in PLATFORMS for _, node in module.index.imports if node.module)
