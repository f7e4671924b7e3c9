"""Text of a scanned project in Markdown: it cannot open a link, an image, a mention or HTML of its own."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from agent_architecture.regexes import regex
from agent_architecture.render.safe import visible

SHOWN: Final = 50
"""Items of a list in full; a comment of GitHub holds 65,536 characters."""
MENTION: Final = "@<!-- -->"
"""A mention that reaches nobody."""
_MARKUP: Final = regex(r"([\\`*_{}\[\]()#+\-.!|~$:])")


def safe(text: str) -> str:
    """Text that Markdown shows as it is: no markup, no HTML, no mention."""
    plain = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKUP.sub(r"\\\1", plain).replace("@", MENTION)


def code(text: str) -> str:
    """Text as code: a fence longer than any run of backticks within (CommonMark 0.31, 6.1)."""
    plain = visible(text)
    fence = "`" * (max(map(len, re.findall("`+", plain)), default=0) + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def linked(path: str, line: int, base: str) -> str:
    """The same as a link to the line: below `base`, the address of the repository's files, else as a relative one."""
    target = quote(path, safe="/", errors="surrogatepass") + (f"#L{line}" if line else "")
    return f"[{place(path, line)}]({base}{target})"


def place(path: str, line: int) -> str:
    """Where something stands, as code; `line` 0: the whole file."""
    return code(f"{path}:{line}" if line else path)
