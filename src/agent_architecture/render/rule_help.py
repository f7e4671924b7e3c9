"""One rule on one screen: what it finds, why it matters, how to fix it in the libraries at hand, how to ignore it.

`--full` shows its whole page; what the page notes for the tool's own authors is left out of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.render.findings_text import COLORS, short
from agent_architecture.render.layout import wrap, wrap_code
from agent_architecture.render.page import MAX_WIDTH
from agent_architecture.render.style import BOLD, CYAN, DIM, UNDERLINE

if TYPE_CHECKING:
    import re

    from agent_architecture.detector import Detector
    from agent_architecture.render.style import Style

LANGUAGES: Final = {"pypi": "Python", "npm": "TypeScript"}
NO_LIBRARY: Final[Mapping[str, Sequence[str]]] = MappingProxyType({})
FLAGS: Final = {"safe": "--fix", "unsafe": "--fix --unsafe-fixes"}
"""What writes fixes of each kind."""
LISTED: Final = 6
"""Libraries that are named, and not counted."""
MORE: Final = "--full: how it is judged, with code that is a gap and code that is fine."
WHY: Final = "Why it matters."
_NOTE: Final = regex(r"\s*(?:#|//)\s*(?:[^#/;]*;\s*)?(?:MISSING|SPURIOUS)\b.*$")
_ITEM: Final = regex(r"(?m)^[-*] +(?:MISSING|SPURIOUS)\b.*(?:\n[ \t]+\S.*)*\n?")
_LINK: Final = regex(r"\[([^\]]+)\]\([^)\s]+\)")
_MARKS: Final = regex(r"\*\*|`|\[([^\]]+)\]\([^)\s]+\)")


class LibraryFix(NamedTuple):
    """The line that closes the gap in one library."""

    library: str
    ecosystem: str
    text: str


def one_screen(
    detector: Detector,
    fixes: Sequence[LibraryFix],
    written: Mapping[str, Sequence[str]] = NO_LIBRARY,
    *,
    width: int,
    style: Style,
) -> str:
    """The answer to `explain RULE`; `fixes` are those of the project's libraries, `written` the libraries for which
    `--fix` writes them, by the flags that it takes.
    """
    room = min(width, MAX_WIDTH)
    blocks = [
        [style.paint(style.safe(detector.title), BOLD, UNDERLINE), *_facts(detector, room, style)],
        *(wrap(style.safe(text), room) for text in told(detector.page)),
        [style.paint("How to fix it", BOLD), *_fixes(detector, fixes, room, style), *_written(written, room, style)],
        [style.paint("How to ignore it, with a reason", BOLD), *_ignoring(detector)],
        [style.paint(line, DIM) for line in wrap(MORE, room)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def marked_screen(detector: Detector, fixes: Sequence[LibraryFix]) -> str:
    """The same as Markdown, for an editor; all of it is the tool's own text."""
    name = short(detector.rule_id)
    blocks = [
        f"### {detector.title}",
        f"`{name}`, at most {detector.impact.upper()}, effort {detector.effort}; {', '.join(detector.references)}",
        *_told(detector.page, _LINK),
        f"**How to fix it**\n\n{detector.fix}",
        *(f"{fix.library}:\n\n{_fenced(fix.text, fix.ecosystem)}" for fix in fixes),
        f"**How to ignore it, with a reason**, beside the line or above it:\n\n{_fenced(_comment(name), '')}",
    ]
    return "\n\n".join(blocks) + "\n"


def told(page: str) -> Iterator[str]:
    """What a page says first, and why that matters, without markup."""
    return _told(page, _MARKS)


def _told(page: str, unwanted: re.Pattern[str]) -> Iterator[str]:
    paragraphs = [" ".join(block.split()) for block in page.partition("\n## ")[0].replace("\r\n", "\n").split("\n\n")]
    prose = [text for text in paragraphs if text and not text.startswith(("#", "|", "-"))]
    why = [text for text in prose[1:] if _MARKS.sub(r"\1", text).startswith(WHY)]
    yield from (unwanted.sub(r"\1", text) for text in (*prose[:1], *why[:1]))


def _fenced(text: str, ecosystem: str) -> str:
    return f"```{LANGUAGES.get(ecosystem, '').lower()}\n{text}\n```"


def without_notes(page: str) -> str:
    """The page without what it notes for the tool's authors: verdicts that are known to be missing or wrong."""
    kept = []
    for line in _ITEM.sub("", page).split("\n"):
        bare = _NOTE.sub("", line)
        if bare.strip() or not line.strip():
            kept.append(bare if bare != line else line)
    return "\n".join(kept)


def _facts(detector: Detector, width: int, style: Style) -> Iterator[str]:
    worst = style.paint(detector.impact.upper(), *COLORS[Severity(detector.impact)])
    yield f"{style.paint(short(detector.rule_id), CYAN)}  at most {worst}, effort {detector.effort}"
    for line in wrap(style.safe(", ".join(detector.references)), width):
        yield style.paint(line, DIM)


def _fixes(detector: Detector, fixes: Sequence[LibraryFix], width: int, style: Style) -> Iterator[str]:
    yield from ("  " + line for line in wrap(style.safe(detector.fix), width - 2))
    for fix in fixes:
        yield f"  {style.paint(style.safe(fix.library), CYAN)} ({LANGUAGES.get(fix.ecosystem, fix.ecosystem)}):"
        yield from ("    " + line for line in wrap_code(style.safe(fix.text), width - 4))


def _written(written: Mapping[str, Sequence[str]], width: int, style: Style) -> Iterator[str]:
    """What the tool writes by itself."""
    for kind, flags in FLAGS.items():
        if written.get(kind):
            names = written[kind]
            listed = ", ".join(names) if len(names) <= LISTED else f"{len(names)} libraries"
            told = f"fixable: `analyze {flags}` writes it for {listed}"
            yield from ("  " + line for line in wrap(style.safe(told), width - 2))


def _ignoring(detector: Detector) -> Iterator[str]:
    name = short(detector.rule_id)
    yield "  in the code, beside the line or above it:"
    yield f"    {_comment(name)}"
    yield "  in agent-architecture.yaml:"
    yield f"    ignore: [{{rule: {name}, path: legacy/**, reason: goes in May}}]"


def _comment(name: str) -> str:
    return f"# agent-architecture: ignore[{name}] one turn, no tools"
