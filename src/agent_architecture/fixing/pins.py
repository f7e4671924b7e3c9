"""Exact pins from the lock file: a range in a manifest becomes the version that the project is locked to.

The text around the version stays as it is: extras, markers, comments, quotes. Unsafe: what was installed without the
lock file may have been newer, and others may ask for another version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.fixing.edit import Applicability, Edit, Repair, edit_at, in_order
from agent_architecture.fixing.outcomes import identity
from agent_architecture.model.supply import InstallItem, InstallPath, Pin
from agent_architecture.regexes import regex
from agent_architecture.syntax.trees import bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.detector import Verdict

LOOSE: Final = (Pin.FLOATING, Pin.RANGE)
NAMED: Final = 3
"""Packages that a message names; the others are counted."""
EXACT: Final = "exact"
"""The part of the control that an exact version is."""
VERSION: Final = regex(r"[0-9][0-9A-Za-z.+!_-]{0,80}")
"""A version that may be written into a manifest; a lock file may say anything."""
_ONE: Final = rb"[<>=!~]{1,3}[ \t]*[\w.*+!-]+"
_ASKED: Final = regex(
    rb"(?P<name>[A-Za-z0-9](?:[\w.-]*\w)?(?:[ \t]*\[[^\]\n]*\])?)(?P<range>(?:[ \t]*\(?[ \t]*"
    + _ONE
    + rb"(?:[ \t]*,[ \t]*"
    + _ONE
    + rb")*[ \t]*,?(?:[ \t]*\))?)?)(?=[ \t]*(?:$|[\r\n;#\\\"']|--))"
)
"""A requirement as pip reads it: the name with its extras, then versions or none."""
_NPM: Final = regex(rb"\"[ \t\r\n]*:[ \t\r\n]*\"(?P<range>[^\"\\\n]*)\"")
"""What stands behind a key of `package.json`."""
_TABLE: Final = regex(
    rb"[\"']?[ \t]*=[ \t]*(?:\{[^}\n]*?\bversion[ \t]*=[ \t]*)?(?P<quote>[\"'])(?P<range>[^\"'\n]*)(?P=quote)"
)
"""What stands behind a key of Poetry's and pipenv's tables: a text, or a table on one line with a version."""


def pinned(key: str, gap: Verdict, read: Callable[[str], bytes | None]) -> Repair | None:
    """The repair that pins all that a way of installing takes loosely; None where a lock file does not have all of it,
    or where that cannot be written.
    """
    path = gap.subject
    if not isinstance(path, InstallPath) or EXACT not in gap.lacks:
        return None
    loose = [item for item in path.items if item.serves and item.pin in LOOSE]
    edits = [edit for item in loose if (edit := _pin(item, read)) is not None]
    if not loose or len(edits) < len(loose):
        return None
    said = ", ".join(dict.fromkeys(f"{item.name} to {item.locked}" for item in loose[:NAMED]))
    more = f" and {len(loose) - NAMED} more" if len(loose) > NAMED else ""
    message = f"pin {said}{more}, as the lock file has it"
    return Repair(key, gap.span, identity(key, gap)[2], message, Applicability.UNSAFE, in_order(edits), (EXACT,))


def _pin(item: InstallItem, read: Callable[[str], bytes | None]) -> Edit | None:
    place = item.written or item.span
    data = read(place.path) if VERSION.fullmatch(item.locked) else None
    found = bytes_of(data, place) if data is not None else None
    if data is None or found is None:
        return None
    start, end = found
    if place.path.endswith("package.json"):
        match, version = _NPM.match(data, end - (data[end - 1 : end] == b'"')), item.locked
    elif (match := _TABLE.match(data, end - (data[end - 1 : end] in b"\"'"))) is not None:
        version = f"=={item.locked}"
    else:
        match, version = _ASKED.match(data, start + (data[start : start + 1] in b"\"'")), f"=={item.locked}"
    if match is None:
        return None
    return edit_at(data, place.path, match.span("range"), version)
