"""What closes a gap: a line for the library and version at hand, with the project's own names, or advice in words.

Knows verdicts and the lines of the packs; it must not know how a report shows them.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.wording import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.detector import Detector, Verdict
    from agent_architecture.model.project import Fix

ECOSYSTEMS: Final = {
    **dict.fromkeys((".py", ".pyi", ".ipynb"), "pypi"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), "npm"),
}
"""File extension → ecosystem of the libraries used there, as framework packs write it."""
COMMENTS: Final = {"pypi": "  # ", "npm": " // "}
PLACE: Final = regex(r"<tool:(\w+)>")
"""Where a line of a pack names a tool, with the name that it has where the project's is not known."""
NAME: Final = regex(r"^[A-Za-z_$][\w$]*$")
"""A name of a tool that may stand in code; a scanned project may call its tools anything."""


def advice(detector: Detector, gaps: Sequence[Verdict], fixes: Iterable[Fix]) -> str:
    """What closes gaps of one rule, of which the first is the worst: the line for its library, else words."""
    worst = gaps[0]
    line = next(_lines(detector, worst, fixes), None)
    if line is None:
        return in_words(detector, worst)
    same = [gap for gap in gaps if (gap.subject.framework, _ecosystem(gap)) == (line.framework, line.ecosystem)]
    return _with_names(line, [name for gap in same if (name := tool_name(gap))])


def in_words(detector: Detector, gap: Verdict) -> str:
    """The detector's own advice, for what the gap lacks alone."""
    if not gap.lacks or set(gap.lacks) >= set(detector.parts):
        return detector.fix
    return " ".join(detector.parts[part] for part in detector.parts if part in gap.lacks) or detector.fix


def _lines(detector: Detector, gap: Verdict, fixes: Iterable[Fix]) -> Iterator[Fix]:
    """The lines for the library and version at the gap that bring something that it lacks."""
    at = (detector.key, gap.subject.framework, _ecosystem(gap))
    for fix in fixes:
        is_here = (fix.detector, fix.framework, fix.ecosystem) == at
        is_installed = fix.files is None or gap.span.path in fix.files
        brings = not (fix.parts and gap.lacks) or set(fix.parts) & set(gap.lacks)
        if is_here and is_installed and brings:
            yield fix


def _ecosystem(gap: Verdict) -> str:
    return ECOSYSTEMS.get(PurePosixPath(gap.span.path).suffix.lower(), "")


def tool_name(gap: Verdict) -> str:
    """The name of the tool that a gap is about; "" where it is about none, or about one whose name is no plain name."""
    tool = getattr(gap.subject, "tool", gap.subject)
    name = getattr(tool, "name", "")
    return name if isinstance(name, str) and NAME.match(name) else ""


def plain(text: str) -> str:
    """A line as it stands in no project: with the names that the pack gives."""
    return PLACE.sub(lambda found: found[1], text)


def _with_names(line: Fix, names: Sequence[str]) -> str:
    """The line for these tools: in the place that it has for one, else in a comment."""
    text = PLACE.sub(lambda found: names[0] if names else found[1], line.text)
    if not names or names[0] in text:
        return text
    comment = COMMENTS[line.ecosystem]
    code, mark, rest = text.partition(comment)
    on = f"on {named(tuple(dict.fromkeys(names)))}"
    return f"{code}{comment}{on}; {rest}" if mark else f"{text}{comment}{on}"
