"""The store: what its tables and views say, that nothing else can be asked of it, and what leaves it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from tests.fleet.fleets import AGENT, asked, command, committed, contents, fleet, repository, scanned

from agent_architecture.fleet.store import Store
from agent_architecture.fleet.tables import FOUND, TABLES, VIEWS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs over twenty repositories; between them one is mended, one breaks, one goes and one comes."""
    folder = tmp_path_factory.mktemp("store")
    root = fleet(folder / "fleet", 20)
    (root / "service-000" / "desk.py").write_text(AGENT.format(number=0, turns="None"), "utf-8")
    scanned([root], folder / "fleet.duckdb")
    (root / "service-000" / "desk.py").write_text(AGENT.format(number=0, turns="5"), "utf-8")
    (root / "service-001").rename(root / "moved-away")
    (root / "service-003" / "agent-architecture.yaml").write_text("data: {inclde: []}\n", "utf-8")
    scanned([root], folder / "fleet.duckdb")
    return folder / "fleet.duckdb"


# ------------------------------------------------------------------------------------------------------------- the rows
def test_rows_do_not_depend_on_the_number_of_processes(store: Path, tmp_path: Path) -> None:
    root = store.parent / "fleet"
    for jobs in (1, 3):
        scanned([root], tmp_path / f"{jobs}.duckdb", jobs)
    assert contents(tmp_path / "1.duckdb") == contents(tmp_path / "3.duckdb")
    exported = {}
    for jobs in (1, 3):
        (tmp_path / f"{jobs}").mkdir()
        with Store(tmp_path / f"{jobs}.duckdb", reading=True) as opened:
            files = opened.export(tmp_path / f"{jobs}")
        exported[jobs] = {file.name: file.read_bytes() for file in files if file.stem != "runs"}
    assert exported[1] == exported[3]
    assert set(exported[1]) == {f"{table.name}.parquet" for table in TABLES} - {"runs.parquet"}
    count = duckdb.read_parquet(f"{tmp_path}/1/findings.parquet").count("*").fetchall()
    assert count == asked(tmp_path / "1.duckdb", "SELECT count(*) FROM findings")


def test_what_has_not_changed_is_kept_once(store: Path) -> None:
    known = asked(store, "SELECT repository FROM repositories WHERE run = 2 AND NOT unchanged ORDER BY 1")
    assert known == [("moved-away",), ("service-000",), ("service-003",)]
    assert asked(store, "SELECT count(*), count(DISTINCT scan) FROM scans") == [
        (22, 22)
    ]  # twenty, one that was mended, one that has another name
    assert asked(store, "SELECT count(*) FROM (FROM findings GROUP BY ALL HAVING count(*) > 1)") == [(0,)]


def test_what_is_ignored_until_a_day_is_back_the_day_after(tmp_path: Path) -> None:
    """Though nothing in the repository has changed."""
    root = repository(tmp_path / "desk", 3)
    entry = "ignore: [{rule: loop-guard-absence, reason: the pilot, until: 2030-01-01}]\n"
    (root / "agent-architecture.yaml").write_text(entry, "utf-8")
    committed(root)
    (tmp_path / "list.txt").write_text("desk\ndesk main\n", "utf-8")
    seen = []
    for today in ("2029-12-31", "2030-01-01", "2030-01-02"):
        scanned([tmp_path / "list.txt"], tmp_path / "fleet.duckdb", jobs=1, today=today)
        seen += asked(
            tmp_path / "fleet.duckdb",
            "SELECT bool_and(unchanged), count(*) FILTER (key = 'loop_guard_absence')"
            " FROM latest JOIN findings USING (scan)",
        )
    assert seen == [(False, 0), (True, 0), (False, 2)]


def test_the_views_say_what_moved(store: Path) -> None:
    assert asked(store, "SELECT repository, change FROM moved ORDER BY repository") == [
        ("moved-away", "added"),
        ("service-000", "changed"),
        ("service-001", "removed"),
        ("service-003", "changed"),
    ]
    changes = asked(store, "SELECT DISTINCT change, repository, key FROM changes")
    assert ("fixed", "service-000", "loop_guard_absence") in changes
    [(error,)] = asked(store, "SELECT error_after FROM moved WHERE repository = 'service-003'")
    assert "inclde" in error


def test_the_views_say_what_is_shared(store: Path) -> None:
    [(names, users)] = asked(store, "SELECT names, users FROM shared_tools WHERE name = 'look_up'")
    assert names == ["service-000", "service-006", "service-009", "service-012", "service-015", "service-018"]
    assert "service-006: Desk 6" in users
    [(names,)] = asked(store, "SELECT names FROM shared_servers WHERE name = 'tracker'")
    assert names == ["service-000", "service-009", "service-018"]
    [(names,)] = asked(store, "SELECT names FROM shared_credentials WHERE name = 'TRACKER_TOKEN'")
    assert names == ["service-000", "service-009", "service-018"]


def test_the_trend_has_every_run(store: Path) -> None:
    rows = asked(store, "SELECT run, repositories, errors FROM trend ORDER BY run")
    assert rows == [(1, 20, 0), (2, 20, 1)]
    assert asked(
        store, "SELECT (SELECT health FROM trend WHERE run = 1) < (SELECT health FROM trend WHERE run = 2)"
    ) == [(True,)]


# ---------------------------------------------------------------------------------------------------------- the command
def test_a_query_reads_the_store_and_nothing_else(store: Path, tmp_path: Path) -> None:
    told = command(
        "query", "SELECT repository FROM ranking LIMIT 1", "--store", store, "--format", "json", cwd=tmp_path
    )
    assert [set(row) for row in json.loads(told.stdout)] == [{"repository"}]
    table = command("query", "SELECT 1 AS one, 'a' || chr(27) AS two", "--store", store, cwd=tmp_path)
    assert table.stdout == "one  two\n1    a\\x1b\n"
    for query in (
        "SELECT * FROM read_text('/etc/passwd')",
        "COPY runs TO 'out.csv'",
        "ATTACH 'other.duckdb'",
        "SET enable_external_access = true",
        "DELETE FROM runs",
        "INSTALL httpfs",
        "SELECT nonsense",
    ):
        refused = command("query", query, "--store", store, cwd=tmp_path)
        assert refused.returncode == 2, query
        assert refused.stderr.startswith("error: the store does not answer that: "), refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_export_writes_each_table(store: Path, tmp_path: Path) -> None:
    done = command("export", "--parquet", "tables", "--store", store, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(Path(line).stem for line in done.stdout.splitlines()) == sorted(table.name for table in TABLES)
    assert duckdb.read_parquet(f"{tmp_path}/tables/repositories.parquet").count("*").fetchall() == [(40,)]


def test_old_runs_are_pruned_with_what_only_they_found(store: Path, tmp_path: Path) -> None:
    mine = tmp_path / "fleet.duckdb"
    shutil.copy(store, mine)
    ranking = asked(mine, "FROM ranking")
    for arguments, said in (
        (("--runs", "2"), "taken out of fleet.duckdb: 0 runs and 0 scans\n"),
        (("--days", "3000000"), "taken out of fleet.duckdb: 0 runs and 0 scans\n"),
        (("--runs", "1"), "taken out of fleet.duckdb: 1 run and 3 scans\n"),
    ):
        done = command("prune", *arguments, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, said), done.stderr
    assert asked(mine, "SELECT run FROM runs") == [(2,)]
    assert asked(mine, "FROM ranking") == ranking
    for table in FOUND:
        assert asked(mine, f"FROM {table.name} ANTI JOIN scans USING (scan)") == []
    with duckdb.connect(str(mine)) as base:
        base.execute("INSERT INTO runs SELECT run + 1, '2001-01-01', NULL, version, asked, inputs, 0 FROM runs")
        base.execute("UPDATE runs SET started = '2000-01-01' WHERE run = 2")
    done = command("prune", "--days", "9", cwd=tmp_path)
    assert done.stdout == "taken out of fleet.duckdb: 1 run and 19 scans\n"
    assert asked(mine, "SELECT run FROM runs") == [(3,)]  # the last one stays, however old it is


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("scan",), "name the repositories"),
        (("scan", "nowhere.txt"), "cannot read nowhere.txt: No such file or directory"),
        (("report",), "there is no store fleet.duckdb"),
        (("report", "more"), "takes no more"),
        (("query",), "give the SQL as one argument"),
        (("export",), "say where the tables go"),
        (("prune",), "say what is kept"),
        (("prune", "--runs", "1"), "there is no store fleet.duckdb"),
        (("prune", "--runs", "0"), "is not a whole number above 0"),
        (("scan", ".", "--timeout", "0"), "is not a whole number above 0"),
        (("scan", ".", "--html", "no/such/folder.html"), "cannot write no/such/folder.html"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = command(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_store_is_left_alone(store: Path, tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text("not a database, for sure\n" * 100, "utf-8")
    assert "cannot open the store" in command("report", "--store", "text.duckdb", cwd=tmp_path).stderr
    with duckdb.connect(str(tmp_path / "other.duckdb")) as base:
        base.execute("CREATE TABLE mine (a INTEGER)")
    done = command("scan", store.parent / "fleet", "--store", "other.duckdb", cwd=tmp_path)
    assert (done.returncode, "no store of this version" in done.stderr) == (2, True)


def test_one_writes_at_a_time(store: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from agent_architecture.fleet.store import Store\n"
        "with Store(Path(sys.argv[1])): print('open', flush=True); input()"
    )
    line = [sys.executable, "-c", code, str(tmp_path / "fleet.duckdb")]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        done = command("scan", store.parent / "fleet", cwd=tmp_path)
        other.communicate("\n")
    assert (done.returncode, "cannot open the store" in done.stderr) == (2, True)


def test_each_table_and_view_has_a_description(store: Path) -> None:
    comments = dict(asked(store, "SELECT table_name, comment FROM duckdb_tables() WHERE comment IS NOT NULL"))
    assert comments == {table.name: table.about for table in TABLES}
    views = asked(store, "SELECT view_name FROM duckdb_views() WHERE NOT internal")
    assert {name for (name,) in views} == {view.name for view in VIEWS}
