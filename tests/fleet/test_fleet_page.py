"""`docs/fleet.md` says what is true of the store, and its examples work."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from tests.fleet.fleets import repository, scanned

from agent_architecture.fleet.entries import fleet_of
from agent_architecture.fleet.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "fleet.md").read_text("utf-8")


def block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    scanned([repository(folder / "desk", 9)], folder / "fleet.duckdb", jobs=1)
    return folder / "fleet.duckdb"


def test_the_page_has_the_tables_as_they_are(store: Path) -> None:
    with duckdb.connect(str(store), read_only=True) as base:
        columns = base.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        tables = dict(
            base.execute("SELECT table_name, comment FROM duckdb_tables() WHERE table_name <> 'about'").fetchall()
        )
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (`\w+` [A-Z].*) \|$", PAGE, re.MULTILINE)
    assert {name: about for name, about, _ in rows} == tables
    for name, _, said in rows:
        real = [f"`{column}` {kind}" for table, column, kind in columns if table == name]
        assert said == ", ".join(real)


def test_the_page_has_the_views_as_they_are(store: Path) -> None:
    said = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", PAGE, re.MULTILINE)
    with duckdb.connect(str(store), read_only=True) as base:
        views = [name for (name,) in base.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()]
    assert sorted(said) == sorted(views)


def test_the_queries_of_the_page_are_answered(store: Path) -> None:
    queries = [query for query in block("sql").split(";") if query.strip()]
    assert len(queries) == 3
    with Store(store, reading=True) as opened:
        for query in queries:
            assert opened.ask(query).columns


def test_the_list_of_the_page_is_understood(tmp_path: Path) -> None:
    file = tmp_path / "repositories.json"
    file.write_text(block("json"), "utf-8")
    fleet = fleet_of([str(file)])
    assert [(entry.name, entry.ref, entry.problem) for entry in fleet.entries] == [
        ("desk", "", ""),
        ("shop/payments", "v2", ""),
    ]
    assert [threshold.tag for threshold in fleet.thresholds] == ["*", "money"]
