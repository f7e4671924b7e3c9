"""What every page of this tool stands in: a head that says what the browser may do, and names no address.

The policy lets run and show nothing but the page's own program and style, and nothing where it has no program.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Final

from agent_architecture.render.safe import visible

FRAME: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="agent-architecture {version}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def framed(body: str, *, title: str, style: str, version: str, program: str = "") -> str:
    """A page with a final newline. `body` is markup, and holds the program where there is one; `title` is text."""
    return FRAME.format(
        policy=policy(style, program),
        version=version,
        title=escaped_text(f"{title} · agent architecture"),
        style=style,
        body=body,
    )


def policy(style: str, program: str = "") -> str:
    """What the browser may do: run this program, if there is one, and obey this style, and nothing else."""
    run = f"script-src '{_digest(program)}'; " if program else ""
    return f"default-src 'none'; {run}style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"


def escaped_text(text: str) -> str:
    """A text as the content of an element."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
