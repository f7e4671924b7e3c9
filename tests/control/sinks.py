"""The pages' one sink, a program that is started, with another one in its place: a path, an address, a statement, code.

A sink is what a line of imports and a call become; everything else of a section, the check above all, stays.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pages import Section


class Sink(NamedTuple):
    """What stands for the import of the program's library, and for the call; `\\1` is the argument that is checked."""

    imported: str
    call: str


PYTHON: Final = {
    "a path that is written": Sink("from pathlib import Path", r'str(Path(\1).write_text("x"))'),
    "a tree that is removed": Sink("import shutil", r"str(shutil.rmtree(\1))"),
    "an address": Sink("import requests", r"requests.get(\1, timeout=5).text"),
    "a statement": Sink("import sqlite3", r'str(sqlite3.connect("desk.db").execute(\1).fetchall())'),
    "code": Sink("import os", r"str(exec(\1))"),
}
TYPESCRIPT: Final = {
    "a path that is written": Sink('import { writeFileSync } from "node:fs";', r'String(writeFileSync(\1, "x"))'),
    "a tree that is removed": Sink('import { rmSync } from "node:fs";', r"String(rmSync(\1, { recursive: true }))"),
    "an address": Sink('import axios from "axios";', r"String(axios.get(\1, { timeout: 500 }))"),
    "a statement": Sink(
        'import Database from "better-sqlite3";\nconst db = new Database("desk.db");', r"String(db.prepare(\1).all())"
    ),
    "code": Sink("", r"String(eval(\1))"),
}
SINKS: Final = {"python": PYTHON, "typescript": TYPESCRIPT}
IMPORTED: Final = {"python": "import subprocess", "typescript": 'import { execFileSync } from "node:child_process";'}
CALLED: Final = {
    "python": re.compile(r"subprocess\.run\(\[(.+?)\], capture_output=True, text=True, check=True\)\.stdout"),
    "typescript": re.compile(
        r"execFileSync\((\w+(?:\(\w+\))?), (?:\[\]|\{ encoding: \"utf8\" \})\)(?:\.toString\(\))?"
    ),
}


def with_sink(section: Section, language: str, name: str) -> Section:
    """The section with another sink.

    Raises:
        ValueError: the page's sink stands in none of its blocks, or in several places.
    """
    sink, found, blocks = SINKS[language][name], 0, []
    for block in section.blocks:
        text, count = CALLED[language].subn(sink.call, block.text.replace(IMPORTED[language], sink.imported))
        blocks.append(block._replace(text=text))
        found += count
    if found != 1:
        raise ValueError(f"{section.name}: the sink of the page stands in {found} places")
    return section._replace(blocks=tuple(blocks))
