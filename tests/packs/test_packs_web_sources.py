"""What one row knows of a call, the other knows, too: whoever gets text from the web has asked another machine."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import agent_architecture.frameworks

FOLDER: Final = Path(agent_architecture.frameworks.__path__[0])
BROWSERS: Final = frozenset({"browser_use", "browsers", "stagehand"})
"""What reads a page asks nobody: the browser has loaded it, which has an effect of its own."""
PARTS: Final = frozenset(
    {"py:http.client:HTTPConnection().getresponse", "py:socket:socket().recv", "py:socket:socket().recvfrom"}
)
"""Answers that another call has asked for, which has the effect."""


def expanded(path: str) -> set[str]:
    inner = re.search(r"\{([^{}]*)\}", path)
    if inner is None:
        return {path}
    ways = inner[1].split(",")
    return set().union(*(expanded(path[: inner.start()] + way + path[inner.end() :]) for way in ways))


def calls(rows: list[dict[str, Any]]) -> set[str]:
    named = (row.get("call", []) for row in rows)
    paths = (path for one in named for path in ([one] if isinstance(one, str) else one))
    return {each for path in paths for each in expanded(path)}


def test_a_call_that_brings_text_from_the_web_has_an_effect() -> None:
    packs = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.toml")}
    sources = {
        name: calls([row for row in pack.get("flow", []) if (row["kind"], row.get("origin")) == ("source", "web")])
        for name, pack in packs.items()
        if name not in BROWSERS
    }
    acting = set().union(*(calls(pack.get("effect", [])) for pack in packs.values()))
    assert sum(map(len, sources.values())) > 300
    assert {(name, path) for name, paths in sources.items() for path in paths - acting - PARTS} == set()


def test_the_spellings_of_a_row_are_told_apart() -> None:
    assert expanded("a{b,c{,d}}") == {"ab", "ac", "acd"}
