"""Paths of URLs: which path a server's file answers by its place, and whether two paths are the same.

The conventions of places are those of Next.js, SvelteKit and Nitro, as their documentation of routes states them.
Knows texts alone; who answers and who asks is for `semantics.callgraph.routes` to say.
"""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

Segments = tuple[str, ...]
"""The parts of a path; "" stands for a part that is only known at run time."""

PLACES: Final = regex(
    r"(?:^|/)(?:app/(?P<app>.*/)?route\.[jt]sx?|pages/(?P<pages>api/.*)\.[jt]sx?|src/routes/(?P<kit>.*/)?\+server\.[jt]s"
    r"|server/(?P<nitro>(?:api|routes)/.*)\.[jt]s)$"
)
"""Files that answer requests for the path that their place in the project says."""
METHOD: Final = regex(r"\.(?:get|post|put|patch|delete)$")
"""Nitro's ending of a file that answers one method."""
PARAMETER: Final = regex(r"^(?:[:{<\[*].*|\$\{.*)$")
"""A part of a path that stands for any: `:id`, `{id}`, `<int:id>`, `[id]`, `*`."""
LOCAL: Final = regex(r"^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+)(?::\d+)?$")
"""Hosts of the project's own servers: this machine, and names without a dot, as containers have them."""


def of_file(path: str) -> Segments | None:
    """The path that a file answers by its place; None for one that says nothing by it."""
    found = PLACES.search(path)
    if found is None:
        return None
    text = METHOD.sub("", next((text for text in found.groups() if text is not None), ""))
    parts = [part for part in segments(text) if not re.fullmatch(r"\(.*\)|@.*", part)]
    return tuple(parts[:-1] if parts[-1:] == ["index"] else parts)


def segments(text: str) -> Segments:
    """The parts of a written path, those that stand for any as ""."""
    path = text.partition("?")[0].partition("#")[0]
    return tuple("" if PARAMETER.match(part) else part for part in path.split("/") if part)


def asked_path(text: str) -> Segments | None:
    """The path that an address asks for, where a null character stands for what is only known at run time; None for a
    host that is somebody else's, or nothing that is known.
    """
    scheme, found, rest = text.partition("://")
    if found and scheme.lower() in {"http", "https"}:
        host, _, text = rest.partition("/")
        if not (LOCAL.match(host) or "\0" in host):
            return None
    elif text.startswith("\0"):
        text = text.partition("/")[2]  # the address of the server, told elsewhere
    elif not text.startswith("/"):
        return None
    return tuple("" if "\0" in part else part for part in segments(text)) or None


def answers(served: Segments, asked: Segments) -> bool:
    """Whether what asks for a path comes to what is served under one: its last parts are the same, part by part; in
    front of them stands what a server, a proxy or a router puts there.
    """
    last = asked[len(asked) - len(served) :]
    if not served or len(served) > len(asked) or not any(served):
        return False
    return all(one in {"", other} or not other for one, other in zip(served, last, strict=True)) and any(
        one and one == other for one, other in zip(served, last, strict=True)
    )
