"""The store: one DuckDB file with what all runs found (`tables`). The only module that knows DuckDB."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Self, TypeAlias

import duckdb

from agent_architecture.errors import UsageError
from agent_architecture.fleet.tables import FOUND, REPOSITORIES, SCANS, SCHEMA, TABLES, VIEWS
from agent_architecture.fleet.tasks import Known
from agent_architecture.records import NamedTuple
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from agent_architecture.fleet.entries import Entry
    from agent_architecture.fleet.rows import Row
    from agent_architecture.fleet.tables import Table
    from agent_architecture.fleet.tasks import Answer

MEMORY: Final = "512MB"
"""What the database may take; beyond it, it writes to a file beside the store."""

_ALL: Final = 2**62
"""More runs than there are."""

Value: TypeAlias = object


class Answered(NamedTuple):
    """What a query gives: the names of the columns, and the rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


class Run(NamedTuple):
    """A run that goes on or begins, and the repositories that it has already."""

    number: int
    done: frozenset[str] = frozenset()


class Pruned(NamedTuple):
    """What was taken out: runs, and scans that no run leads to any more."""

    runs: int
    scans: int


class Store:
    """An open store. Of one file there is one that writes, or there are any number that read."""

    def __init__(self, file: Path, *, reading: bool = False) -> None:
        """Open it, and make it where there is none and it is to be written.

        Raises:
            UsageError: it is not there, in use, damaged, or of another version.
        """
        if reading and not file.is_file():
            raise UsageError(f"there is no store {file}: `fleet scan` makes one, and --store names another")
        self._locked = False
        settings: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        try:
            self._base = duckdb.connect(str(file), read_only=reading, config=settings)
            self._base.execute(f"SET memory_limit = '{MEMORY}'")
            self._base.execute("SET threads = 1")
            self._base.execute("SET TimeZone = 'UTC'")
            self._prepare(file, reading=reading)
        except duckdb.Error as error:
            raise UsageError(f"cannot open the store {file}: {_first_line(error)}") from None

    def _prepare(self, file: Path, *, reading: bool) -> None:
        tables = {name for (name,) in self._base.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        if not tables and not reading:
            self._base.begin()
            for table in TABLES:
                self._base.execute(table.statement)
                self._base.execute(f"COMMENT ON TABLE {table.name} IS '{table.about.replace(chr(39), chr(39) * 2)}'")
            for view in VIEWS:
                self._base.execute(f"CREATE VIEW {view.name} AS {view.query}")
            self._base.execute("CREATE TABLE about AS SELECT ? AS schema", [SCHEMA])
            self._base.commit()
        elif "about" not in tables or self._base.execute("SELECT schema FROM about").fetchall() != [(SCHEMA,)]:
            raise UsageError(f"{file} is no store of this version: --store names another file")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    # ------------------------------------------------------------------------------------------------------------ runs
    def begin(self, asked: str, inputs: str, version: str, count: int, *, resume: bool) -> Run:
        """The run that was stopped, if it was asked the same of the same repositories; else a new one."""
        last = self._base.execute("SELECT run, asked, inputs, finished FROM runs ORDER BY run DESC LIMIT 1").fetchone()
        if resume and last is not None and last[1:] == (asked, inputs, None):
            names = self._base.execute("SELECT repository FROM repositories WHERE run = ?", [last[0]]).fetchall()
            return Run(int(last[0]), frozenset(str(name) for (name,) in names))
        number = 1 if last is None else int(last[0]) + 1
        row = [number, _now(), None, version, asked, inputs, count]
        self._base.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return Run(number)

    def finish(self, run: Run) -> None:
        """The run is at its end."""
        self._base.execute("UPDATE runs SET finished = ? WHERE run = ?", [_now(), run.number])

    def known(self, asked: str, today: str) -> dict[str, tuple[str, str, Known]]:
        """By name: location, ref, and what the last run that asked the same found there and still holds."""
        found = self._base.execute(
            """
            SELECT repository, location, ref, scan, "commit" FROM repositories JOIN scans USING (scan)
            WHERE status = 'ok' AND asked = ? AND (until IS NULL OR until >= ?::DATE)
            QUALIFY row_number() OVER (PARTITION BY repository ORDER BY run DESC) = 1
            """,
            [asked, today],
        ).fetchall()
        return {name: (location, ref, Known(scan, commit)) for name, location, ref, scan, commit in found}

    def keep(self, run: Run, asked: str, answers: Sequence[tuple[Entry, Answer]]) -> None:
        """Keep what became of these repositories, all of it or nothing."""
        scans = {answer.scan: answer for _, answer in answers if answer.summary is not None}
        there = self._base.execute("SELECT scan FROM scans WHERE scan IN (SELECT unnest(?))", [list(scans)]).fetchall()
        for (scan,) in there:
            del scans[scan]
        self._base.begin()
        try:
            self._insert(REPOSITORIES, [_repository(run, entry, answer) for entry, answer in answers])
            new = [(scan, answer.summary or {}, answer.rows or {}) for scan, answer in scans.items()]
            self._insert(SCANS, [{"scan": scan, "asked": asked, **summary} for scan, summary, _ in new])
            for table in FOUND:
                self._insert(table, [row for _, _, rows in new for row in rows.get(table.name, ())])
        except BaseException:
            self._base.rollback()
            raise
        self._base.commit()

    def _insert(self, table: Table, rows: Sequence[Row]) -> None:
        """One statement for many rows: they go in as one JSON text (a statement a row takes 3 ms of each)."""
        if rows:
            shape = json.dumps([dict(table.columns)])
            text = json.dumps(rows, ensure_ascii=False)
            query = f"INSERT INTO {table.name} BY NAME SELECT row.* FROM (SELECT unnest(from_json(?, ?)) AS row)"  # noqa: S608 - our own names
            self._base.execute(query, [text, shape])

    def prune(self, runs: int | None = None, since: datetime | None = None) -> Pruned:
        """Take out the runs before the last `runs`, and those begun before `since`, with all that only they lead to.

        The last run stays in any case, and all of it happens or nothing. The file keeps its size until it is written
        again: what became free is used first.
        """
        old = """
            SELECT run FROM runs WHERE run < (SELECT max(run) FROM runs) AND (
                started < ?::TIMESTAMP OR run NOT IN (SELECT run FROM runs ORDER BY run DESC LIMIT ?))
        """
        values = [since, runs if runs is not None else _ALL]
        gone = [int(run) for (run,) in self._base.execute(old, values).fetchall()]
        self._base.begin()
        try:
            for name in ("repositories", "runs"):
                self._base.execute(f"DELETE FROM {name} WHERE run IN (SELECT unnest(?::INTEGER[]))", [gone])  # noqa: S608 - our own names
            unread = "FROM scans WHERE scan NOT IN (SELECT scan FROM repositories WHERE scan IS NOT NULL)"
            scans = [scan for (scan,) in self._base.execute(f"SELECT scan {unread}").fetchall()]
            for table in (SCANS, *FOUND):
                self._base.execute(f"DELETE FROM {table.name} WHERE scan IN (SELECT unnest(?::VARCHAR[]))", [scans])  # noqa: S608 - our own names
        except BaseException:
            self._base.rollback()
            raise
        self._base.commit()
        self._base.execute("CHECKPOINT")
        return Pruned(len(gone), len(scans))

    # --------------------------------------------------------------------------------------------------------- reading
    def rows(self, query: str, values: Iterable[Value] = ()) -> Answered:
        """The answer to one of our own queries."""
        answer = self._base.execute(query, list(values))
        return Answered(tuple(column[0] for column in answer.description or ()), tuple(answer.fetchall()))

    def ask(self, query: str) -> Answered:
        """The answer to a user's query, which can reach nothing but the store.

        Raises:
            UsageError: the database does not understand or not allow it.
        """
        try:
            if not self._locked:
                self._base.execute("SET enable_external_access = false")
                self._base.execute("SET lock_configuration = true")
                self._locked = True
            return self.rows(query)
        except duckdb.Error as error:
            raise UsageError(f"the store does not answer that: {_first_line(error)}") from None

    def export(self, folder: Path) -> list[Path]:
        """Write each table as Parquet, its rows in order: the same rows give the same bytes.

        Raises:
            UsageError: a file cannot be written.
        """
        files = [folder / f"{table.name}.parquet" for table in TABLES]
        try:
            for table, file in zip(TABLES, files, strict=True):
                target = str(file).replace("'", "''")
                self._base.execute(f"COPY (FROM {table.name} ORDER BY ALL) TO '{target}' (FORMAT parquet)")
        except duckdb.Error as error:
            raise UsageError(f"cannot write the tables to {folder}: {_first_line(error)}") from None
        return files


def _repository(run: Run, entry: Entry, answer: Answer) -> Row:
    return {
        "run": run.number,
        "repository": visible(entry.name),
        "location": visible(entry.location),
        "ref": visible(entry.ref),
        "owner": visible(entry.owner),
        "tags": list(map(visible, entry.tags)),
        "status": "error" if answer.error else "ok",
        "error": answer.error,
        "commit": answer.commit,
        "unchanged": answer.unchanged,
        "scan": answer.scan,
    }


def _now() -> datetime:
    return datetime.now(tz=UTC).replace(tzinfo=None, microsecond=0)


def _first_line(error: Exception) -> str:
    return visible(str(error).strip().partition("\n")[0])
