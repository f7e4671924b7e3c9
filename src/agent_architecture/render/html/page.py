"""The report as one HTML file that fetches nothing: a program, a style and the outcome as a JSON document.

No text of the project is ever markup: it stands in an inert JSON block, and the program makes text nodes of it. The
policy of the page lets run and show nothing but this program and this style.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.render.html.document import document
from agent_architecture.render.html.frame import framed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.detector import Detector
    from agent_architecture.render.json import Json
    from agent_architecture.render.view import SourceLine
    from agent_architecture.report import Outcome

BUNDLE: Final = Path(__file__).parent / "report.js"
STYLE: Final = Path(__file__).parent / "report.css"
"""What `npm run build` in `web/` made; `./dev check` holds it against a new build."""

BODY: Final = """\
<noscript>This report needs JavaScript. `agent-architecture analyze` prints the same in a terminal.</noscript>
<div id="report"></div>
<script type="application/json" id="data">{data}</script>
<script>{bundle}</script>"""
ESCAPED: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def render(outcome: Outcome, detectors: Iterable[Detector], source: SourceLine) -> str:
    """The page, with a final newline; `source` gives lines of scanned files."""
    bundle, style = BUNDLE.read_text("utf-8"), STYLE.read_text("utf-8")
    body = BODY.format(data=inert(document(outcome, detectors, source)), bundle=bundle)
    report = outcome.report
    return framed(body, title=report.project.name, style=style, version=report.tool.version, program=bundle)


def inert(value: Json) -> str:
    """A JSON value that cannot end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign, escape in ESCAPED.items():
        text = text.replace(sign, escape)
    return text
