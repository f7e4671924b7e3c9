"""One call that makes a text harmless, wherever it stands on the way, is one sanitiser: every detector says the same.

The pages have the ways, with `SINK(x)` and `CLEAN(x)` in the place of the calls; here stand the calls. The first
section of each page says what all others are judged like, and that is less than without the sanitiser.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agent_architecture.registry import judge_one, load_one
from page_checks import understand, write
from pages import Section, pages_in

ASKING: Final = (
    "tool_policy_absence",
    "schema_validation_gap",
    "output_validation_gap",
    "hallucination_propagation_risk",
    "tool_sandbox_enforcement_gap",
    "agent_shell_capable",
    "agent_tools_external_api",
    "human_approval_absence",
    "idempotency_gap",
)
"""The detectors that ask what a text can do where it is interpreted."""
SINK: Final = re.compile(r"SINK\(((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*)\)")
CLEAN: Final = re.compile(r"CLEAN\(((?:[^()]|\([^()]*\))*)\)")
PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}


class Pair(NamedTuple):
    """A call that interprets a text and one that makes it harmless there, and what they import."""

    imported: str
    sink: str
    clean: str


PAIRS: Final = {
    "python": {
        "a shell": Pair(
            "import shlex\nimport subprocess",
            'subprocess.run(f"convert {<TEXT>}", shell=True, check=True)',
            "shlex.quote(<TEXT>)",
        ),
        "a shell, by another name": Pair(
            "import subprocess\nfrom shlex import quote as one_word",
            'subprocess.run("convert " + <TEXT>, shell=True, check=True)',
            "one_word(<TEXT>)",
        ),
        "a database": Pair(
            "import psycopg\nfrom psycopg import sql",
            'psycopg.connect("").execute(sql.SQL("DELETE FROM notes WHERE title = {}").format(<TEXT>))',
            "sql.Literal(<TEXT>)",
        ),
        "a number": Pair(
            "import psycopg",
            'psycopg.connect("").execute(f"DELETE FROM notes WHERE id = {<TEXT>}")',
            "int(<TEXT>)",
        ),
        "a path": Pair(
            "import os\nfrom pathlib import Path",
            'Path("notes", <TEXT>).write_text("done")',
            "os.path.basename(<TEXT>)",
        ),
        "a page": Pair(
            "import html\n\nimport streamlit as st",
            'st.markdown(f"<b>{<TEXT>}</b>", unsafe_allow_html=True)',
            "html.escape(<TEXT>)",
        ),
    },
    "typescript": {
        "a database": Pair(
            'import mysql from "mysql2";',
            'mysql.createConnection({}).query("DELETE FROM notes WHERE title = " + <TEXT>)',
            "mysql.escape(<TEXT>)",
        ),
        "a database, by another name": Pair(
            'import { createConnection, escape as literal } from "mysql2";',
            "createConnection({}).query(`DELETE FROM notes WHERE title = ${<TEXT>}`)",
            "literal(<TEXT>)",
        ),
        "a number": Pair(
            'import mysql from "mysql2";',
            "mysql.createConnection({}).query(`DELETE FROM notes WHERE id = ${<TEXT>}`)",
            "Number(<TEXT>)",
        ),
        "a shell": Pair(
            'import { execSync } from "node:child_process";\nimport { quote } from "shell-quote";',
            "execSync(`convert ${<TEXT>}`)",
            "quote([<TEXT>])",
        ),
    },
}
WAYS: Final = {f"{name}: {s.name}": (name, s) for name in PAIRS for s in PAGES[name].sections if s.blocks}
CASES: Final = [(way, what) for way, (name, _) in WAYS.items() for what in PAIRS[name]]
FIRST: Final = {name: next(s for s in PAGES[name].sections if s.blocks) for name in PAIRS}


def filled(section: Section, pair: Pair, *, clean: bool = True) -> Section:
    """A section with one pair of calls in the place of `SINK(x)` and `CLEAN(x)`; without `clean` nothing is cleaned."""

    def text(of: str) -> str:
        with_imports = of.replace("import CLEAN", pair.imported)
        sinks = SINK.sub(lambda at: pair.sink.replace("<TEXT>", at[1]), with_imports)
        return CLEAN.sub(lambda at: pair.clean.replace("<TEXT>", at[1]) if clean else at[1], sinks)

    return section._replace(blocks=tuple(block._replace(text=text(block.text)) for block in section.blocks))


def risks(section: Section, folder: Path) -> dict[str, list[float | None]]:
    """The risks that each of the detectors sees."""
    folder.mkdir(parents=True)
    write(section, folder)
    system, notices = understand(folder)
    assert notices == ()
    judged = {key: judge_one(load_one(key), system).verdicts for key in ASKING}
    return {key: sorted((verdict.risk for verdict in verdicts), key=str) for key, verdicts in judged.items()}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, list[float | None]]]:
    """What is said where the sanitiser stands in place."""
    folder = tmp_path_factory.mktemp("sanitisers")
    return {
        (name, what): risks(filled(FIRST[name], pair), folder / name / what)
        for name, pairs in PAIRS.items()
        for what, pair in pairs.items()
    }


@pytest.mark.parametrize(("name", "what"), [(name, what) for name, pairs in PAIRS.items() for what in pairs])
def test_it_counts(
    name: str, what: str, plain: dict[tuple[str, str], dict[str, list[float | None]]], tmp_path: Path
) -> None:
    without = risks(filled(FIRST[name], PAIRS[name][what], clean=False), tmp_path / "way")
    seen = plain[name, what]
    assert seen != without
    assert all(sum(r or 0 for r in seen[key]) <= sum(r or 0 for r in without[key]) for key in ASKING)


@pytest.mark.parametrize(("way", "what"), CASES)
def test_it_counts_the_same(
    way: str, what: str, plain: dict[tuple[str, str], dict[str, list[float | None]]], tmp_path: Path
) -> None:
    name, section = WAYS[way]
    assert risks(filled(section, PAIRS[name][what]), tmp_path / "way") == plain[name, what]
