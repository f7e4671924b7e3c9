"""What the detectors are known to get wrong: `MISSING` and `SPURIOUS` on their pages, in code (an expectation that is
held by the tests: it fails once it is mended) and in the lists of real places under *Known limits*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from agent_architecture.detector import Detector

HEADING: Final = re.compile(r"#{2,3} +(?P<title>.+)")
COMMENT: Final = re.compile(r"(?:#|//) *(?:[^;]*; *)*(?:MISSING|SPURIOUS) (?:gap|ok|unknown)\b")
MARK: Final = re.compile(r"\b(?P<mark>MISSING|SPURIOUS) (?P<what>gap|ok|unknown)\b")
PLACE: Final = re.compile(r"- (?:MISSING|SPURIOUS): ")


class KnownWrong(NamedTuple):
    """What is known to be wrong of one detector."""

    key: str
    missing: int
    """Verdicts in code of the page that should be there and are not."""
    spurious: int
    sections: tuple[str, ...]
    """The headings of the code that they stand in."""
    places: tuple[str, ...]
    """Lines about real projects, as the page has them."""


def known_wrong(detector: Detector) -> KnownWrong:
    """What the page of a detector says that it gets wrong."""
    title, fenced = "", False
    marks, sections, places = list[str](), list[str](), list[str]()
    for line in detector.page.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced and COMMENT.search(line):
            marks += [found["mark"] for found in MARK.finditer(line)]
            sections.append(title)
        elif not fenced and (heading := HEADING.fullmatch(line)):
            title = heading["title"]
        elif not fenced and PLACE.match(line):
            places.append(line.removeprefix("- "))
    counts = marks.count("MISSING"), marks.count("SPURIOUS")
    return KnownWrong(detector.key, *counts, tuple(dict.fromkeys(sections)), tuple(places))
