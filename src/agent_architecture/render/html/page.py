"""The report as one HTML file that fetches nothing: a program, a style and the outcome as a JSON document.

No text of the project is ever markup: it stands in an inert JSON block, and the program makes text nodes of it. The
policy of the page lets run and show nothing but this program and this style.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.render.html.document import document
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.detector import Detector
    from agent_architecture.render.json import Json
    from agent_architecture.render.view import SourceLine
    from agent_architecture.report import Outcome

BUNDLE: Final = Path(__file__).parent / "report.js"
STYLE: Final = Path(__file__).parent / "report.css"
"""What `npm run build` in `web/` made; `./dev check` holds it against a new build."""

PAGE: Final = """\
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
<noscript>This report needs JavaScript. `agent-architecture analyze` prints the same in a terminal.</noscript>
<div id="report"></div>
<script type="application/json" id="data">{data}</script>
<script>{bundle}</script>
</body>
</html>
"""
ESCAPED: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(outcome: Outcome, detectors: Iterable[Detector], source: SourceLine) -> str:
    """The page, with a final newline; `source` gives lines of scanned files."""
    bundle, style = BUNDLE.read_text("utf-8"), STYLE.read_text("utf-8")
    return PAGE.format(
        policy=policy(bundle, style),
        version=outcome.report.tool.version,
        title=escaped_text(f"{outcome.report.project.name} · agent architecture"),
        style=style,
        data=inert(document(outcome, detectors, source)),
        bundle=bundle,
    )


def policy(bundle: str, style: str) -> str:
    """What the browser may do: run this program and obey this style, and nothing else."""
    allowed = f"script-src '{_digest(bundle)}'; style-src '{_digest(style)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def policy_of_style(style: str) -> str:
    """What the browser may do with a page that has no program: obey this style, and nothing else."""
    return f"default-src 'none'; style-src '{_digest(style)}'; base-uri 'none'; form-action 'none'"


def inert(value: Json) -> str:
    """A JSON value that cannot end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign, escape in ESCAPED.items():
        text = text.replace(sign, escape)
    return text


def escaped_text(text: str) -> str:
    """A text as the content of an element."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
