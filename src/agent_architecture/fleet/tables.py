"""The store's tables and views, as data: the schema that `docs/fleet.md` documents.

What is found in a repository is kept by its *scan*: a name made of the content that was read, the configuration and
this program. A repository that has not changed since the last run has the same scan, and adds one row to
`repositories`. No text is stored as the project wrote it: control characters are written out.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple

SCHEMA: Final = 1
"""Rises when a table or a view changes; a store of another schema is refused."""


class Table(NamedTuple):
    """A table: its columns with their types, what it holds, and what tells its rows apart."""

    name: str
    about: str
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(name for name, _ in self.columns)

    @property
    def statement(self) -> str:
        """What makes it."""
        columns = [f"{name} {kind}" for name, kind in self.columns]
        keys = [f"PRIMARY KEY ({', '.join(self.key)})"] if self.key else []
        return f"CREATE TABLE {self.name} ({', '.join([*columns, *keys])})"


_PLACE: Final = (("path", "VARCHAR"), ("line", "INTEGER"))

RUNS: Final = Table(
    "runs",
    "one row a run; `finished` is NULL while it is not at its end. The only table with times",
    (
        ("run", "INTEGER"), ("started", "TIMESTAMP"), ("finished", "TIMESTAMP"), ("version", "VARCHAR"),
        ("asked", "VARCHAR"), ("inputs", "VARCHAR"), ("repositories", "INTEGER"),
    ),
    ("run",),
)  # fmt: skip
REPOSITORIES: Final = Table(
    "repositories",
    "one row a repository and run: `status` is `ok` or `error`, `scan` leads to what was found",
    (
        ("run", "INTEGER"), ("repository", "VARCHAR"), ("location", "VARCHAR"), ("ref", "VARCHAR"),
        ("owner", "VARCHAR"), ("tags", "VARCHAR[]"), ("status", "VARCHAR"), ("error", "VARCHAR"),
        ("commit", "VARCHAR"), ("unchanged", "BOOLEAN"), ("scan", "VARCHAR"),
    ),
    ("run", "repository"),
)  # fmt: skip
SCANS: Final = Table(
    "scans",
    "one row a scan: what was read, and the composite scores; `until` is the day after which an entry ignores no more",
    (
        ("scan", "VARCHAR"), ("asked", "VARCHAR"), ("version", "VARCHAR"), ("until", "DATE"),
        ("applicable", "BOOLEAN"), ("incomplete", "BOOLEAN"), ("files", "INTEGER"), ("sites", "INTEGER"),
        ("suppressed", "INTEGER"), ("health", "DOUBLE"), ("weakest", "DOUBLE"), ("reliability", "DOUBLE"),
        ("governance", "DOUBLE"), ("safety", "DOUBLE"), ("coordination", "DOUBLE"),
    ),
    ("scan",),
)  # fmt: skip
FOUND: Final = (
    Table(
        "scores",
        "one row a detector that was applicable, by its short key",
        (
            ("scan", "VARCHAR"), ("key", "VARCHAR"), ("rule", "VARCHAR"), ("axis", "VARCHAR"), ("risk", "DOUBLE"),
            ("severity", "VARCHAR"), ("confidence", "VARCHAR"), ("judged", "INTEGER"), ("unknown", "INTEGER"),
        ),
    ),
    Table(
        "signals",
        "the ratios and counts of the contract, by their short keys",
        (("scan", "VARCHAR"), ("key", "VARCHAR"), ("value", "DOUBLE")),
    ),
    Table(
        "findings",
        "one row a place that lacks a control and is not hidden; `fingerprint` stays when code around it changes",
        (
            ("scan", "VARCHAR"), ("rule", "VARCHAR"), ("key", "VARCHAR"), ("severity", "VARCHAR"),
            ("confidence", "VARCHAR"), *_PLACE, ("symbol", "VARCHAR"), ("message", "VARCHAR"), ("risk", "DOUBLE"),
            ("fingerprint", "VARCHAR"),
        ),
    ),
    Table(
        "agents",
        "the agents; `tools` is how many are bound to it",
        (
            ("scan", "VARCHAR"), ("name", "VARCHAR"), ("framework", "VARCHAR"), ("degree", "VARCHAR"),
            ("tools", "INTEGER"), *_PLACE,
        ),
    ),
    Table(
        "tools",
        "what models may call; `effects` are words such as `execute_shell` and `network_write`",
        (
            ("scan", "VARCHAR"), ("name", "VARCHAR"), ("framework", "VARCHAR"), ("degree", "VARCHAR"),
            ("parameters", "VARCHAR[]"), ("effects", "VARCHAR[]"), *_PLACE,
        ),
    ),
    Table(
        "servers",
        "MCP servers and A2A agents; `role` is `served` or `used`, `target` the host or the program",
        (
            ("scan", "VARCHAR"), ("role", "VARCHAR"), ("name", "VARCHAR"), ("transport", "VARCHAR"),
            ("target", "VARCHAR"), ("framework", "VARCHAR"), *_PLACE,
        ),
    ),
    Table(
        "credentials",
        "the names of credentials that agents, tools and servers use, and where they come from; never a secret",
        (
            ("scan", "VARCHAR"), ("name", "VARCHAR"), ("source", "VARCHAR"), ("owner", "VARCHAR"),
            ("framework", "VARCHAR"), *_PLACE,
        ),
    ),
    Table(
        "edges",
        "what ties two parts of an agent system together, as `graph` draws it",
        (
            ("scan", "VARCHAR"), ("source_kind", "VARCHAR"), ("source", "VARCHAR"), ("kind", "VARCHAR"),
            ("target_kind", "VARCHAR"), ("target", "VARCHAR"), ("degree", "VARCHAR"), *_PLACE,
        ),
    ),
    Table(
        "notices",
        "what was left unread, or could not be understood",
        (("scan", "VARCHAR"), *_PLACE, ("message", "VARCHAR"), ("incomplete", "BOOLEAN")),
    ),
)  # fmt: skip
"""What a scan finds: the rows of each of these are those of one scan."""

TABLES: Final = (RUNS, REPOSITORIES, SCANS, *FOUND)
COMPARED: Final = tuple(table for table in TABLES if table is not RUNS)
"""The tables whose rows do not depend on when, where, or in how many processes a run was."""


class View(NamedTuple):
    """A view: what it shows, and the query."""

    name: str
    about: str
    query: str


def _latest(name: str) -> View:
    """What the repositories of the last run have in one of the tables."""
    query = f"SELECT l.repository, l.owner, l.tags, t.* EXCLUDE (scan) FROM latest l JOIN {name} t USING (scan)"  # noqa: S608 - our own names
    return View(f"latest_{name}", f"`{name}` of the last run, with repository, owner and tags", query)


def _shared(name: str, about: str, columns: str, condition: str, tie: str) -> View:
    """What several repositories have alike. `users` are the agents and runs that the picture ties to it."""
    query = f"""
        SELECT {columns}, count(DISTINCT t.repository) AS repositories, list_sort(list(DISTINCT t.repository)) AS names,
            list_sort(list(DISTINCT t.repository || ': ' || e.source) FILTER (e.source <> '')) AS users
        FROM latest_{name} t LEFT JOIN latest_edges e
            ON e.repository = t.repository AND e.source_kind <> 'source' AND e.target = {tie}
        WHERE {condition} GROUP BY {columns} HAVING count(DISTINCT t.repository) > 1
    """  # noqa: S608 - our own names
    return View(f"shared_{name}", about, query)


VIEWS: Final = (
    View(
        "severities",
        "how many places of each severity the findings of a scan have",
        """
        SELECT scan, count(*) FILTER (severity = 'critical') AS critical, count(*) FILTER (severity = 'high') AS high,
            count(*) FILTER (severity = 'medium') AS medium, count(*) FILTER (severity = 'low') AS low
        FROM findings GROUP BY scan
        """,
    ),
    View(
        "latest",
        "the repositories of the last run, with their scores and how many findings of each severity they have",
        """
        SELECT r.*, s.* EXCLUDE (scan, asked, until), coalesce(p.critical, 0) AS critical, coalesce(p.high, 0) AS high,
            coalesce(p.medium, 0) AS medium, coalesce(p.low, 0) AS low
        FROM repositories r LEFT JOIN scans s USING (scan) LEFT JOIN severities p USING (scan)
        WHERE r.run = (SELECT max(run) FROM runs)
        """,
    ),
    *(_latest(table.name) for table in FOUND),
    View(
        "ranking",
        "the repositories of the last run that have agents, the least healthy first",
        """
        SELECT row_number() OVER (ORDER BY health, weakest, repository) AS place, repository, owner, tags, health,
            weakest, reliability, governance, safety, coordination, critical, high, medium, low
        FROM latest WHERE status = 'ok' AND applicable ORDER BY place
        """,
    ),
    View(
        "weakest_detectors",
        "the detectors of the last run by the sum of their risks",
        """
        SELECT key, rule, axis, count(*) AS repositories, count(*) FILTER (risk > 0) AS with_gaps,
            avg(risk ORDER BY repository) AS mean_risk, sum(risk ORDER BY repository) AS total_risk
        FROM latest_scores GROUP BY key, rule, axis HAVING count(*) FILTER (risk > 0) > 0
        """,
    ),
    _shared(
        "tools",
        "tools of one name and the same parameters in several repositories, and the agents and runs that may call them",
        "t.name, t.parameters",
        "t.name <> ''",
        "t.name AND e.target_kind = 'tool'",
    ),
    _shared(
        "servers",
        "servers of one name, transport and target that several repositories use or serve",
        "t.name, t.transport, t.target",
        "t.name <> '' OR t.target <> ''",
        "t.name AND e.target_kind IN ('mcp_client', 'mcp_server', 'peer')",
    ),
    _shared(
        "credentials",
        "credentials of one name and source in several repositories, and what is tied to their owners",
        "t.name, t.source",
        "t.name <> '' AND t.source IN ('environment', 'store', 'host', 'library')",
        "t.owner AND t.owner <> ''",
    ),
    View(
        "trend",
        "one row a run: how many repositories, mean health and axes over those with agents, findings by severity",
        """
        SELECT u.run, u.started, count(r.repository) AS repositories, count(*) FILTER (r.status = 'error') AS errors,
            avg(s.health ORDER BY r.repository) FILTER (s.applicable) AS health,
            avg(s.reliability ORDER BY r.repository) FILTER (s.applicable) AS reliability,
            avg(s.governance ORDER BY r.repository) FILTER (s.applicable) AS governance,
            avg(s.safety ORDER BY r.repository) FILTER (s.applicable) AS safety,
            avg(s.coordination ORDER BY r.repository) FILTER (s.applicable) AS coordination,
            coalesce(sum(p.critical), 0)::BIGINT AS critical, coalesce(sum(p.high), 0)::BIGINT AS high,
            coalesce(sum(p.medium), 0)::BIGINT AS medium, coalesce(sum(p.low), 0)::BIGINT AS low
        FROM runs u LEFT JOIN repositories r USING (run) LEFT JOIN scans s USING (scan)
        LEFT JOIN severities p USING (scan)
        GROUP BY u.run, u.started
        """,
    ),
    View(
        "changes",
        "places of findings that the last run has and the one before has not (`new`), or the other way round (`fixed`),"
        " in repositories that both have read",
        """
        WITH before AS (
            SELECT repository, scan FROM repositories
            WHERE run = (SELECT max(run) FROM runs WHERE run < (SELECT max(run) FROM runs)) AND status = 'ok'
        ), moved AS (
            SELECT l.repository, b.scan AS old, l.scan AS new
            FROM latest l JOIN before b USING (repository) WHERE l.status = 'ok' AND l.scan <> b.scan
        ), here AS (
            SELECT m.repository, f.* FROM moved m JOIN findings f ON f.scan = m.new
        ), there AS (
            SELECT m.repository, f.* FROM moved m JOIN findings f ON f.scan = m.old
        )
        SELECT 'new' AS change, * EXCLUDE (scan) FROM here ANTI JOIN there USING (repository, fingerprint)
        UNION ALL
        SELECT 'fixed' AS change, * EXCLUDE (scan) FROM there ANTI JOIN here USING (repository, fingerprint)
        """,
    ),
    View(
        "moved",
        "the repositories that are not what they were in the run before: `added`, `removed`, or `changed` (another"
        " health, new or fixed places, another error)",
        """
        WITH now AS (FROM repositories WHERE run = (SELECT max(run) FROM runs)), before AS (
            FROM repositories WHERE run = (SELECT max(run) FROM runs WHERE run < (SELECT max(run) FROM runs))
        ), places AS (
            SELECT repository, count(*) FILTER (change = 'new') AS new, count(*) FILTER (change = 'fixed') AS fixed
            FROM changes GROUP BY repository
        )
        SELECT repository, CASE WHEN b.run IS NULL THEN 'added' WHEN n.run IS NULL THEN 'removed' ELSE 'changed' END
            AS change, o.health AS health_before, s.health AS health_after, coalesce(p.new, 0) AS new,
            coalesce(p.fixed, 0) AS fixed, coalesce(b.error, '') AS error_before, coalesce(n.error, '') AS error_after
        FROM now n FULL JOIN before b USING (repository)
        LEFT JOIN scans s ON s.scan = n.scan AND s.applicable LEFT JOIN scans o ON o.scan = b.scan AND o.applicable
        LEFT JOIN places p USING (repository)
        WHERE (SELECT count(*) FROM runs) > 1 AND (
            (b.run IS NULL) <> (n.run IS NULL) OR o.health IS DISTINCT FROM s.health OR p.repository IS NOT NULL
            OR b.error IS DISTINCT FROM n.error
        )
        """,
    ),
)  # fmt: skip
