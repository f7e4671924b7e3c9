"""The fleet on the console, as HTML and as CSV, and what fails a run."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest
from tests.fleet.fleets import AGENT, asked, command, fleet, repository

from agent_architecture.fleet.overview import Change, Moved, Overview, Past, Repository, Shared, Weak
from agent_architecture.fleet.page import render
from agent_architecture.fleet.sheet import repositories_csv
from agent_architecture.render.html.frame import policy as policy_of

HOSTILE = "<img src=x onerror=alert(1)>\"'&\u202e\x1b[31m"
FORMULA = '=HYPERLINK("http://example.org","x")'


def described(folder: Path, *, thresholds: dict[str, object] | None = None) -> Path:
    """A JSON list with owners, tags and thresholds."""
    repository(folder / "pay" / "payments", 9)
    repository(folder / "shop" / "basket", 5)
    repository(folder / "desk" / "support", 6)
    items = [
        {"path": "pay/payments", "owner": "platform", "tags": ["money", "core"]},
        {"path": "desk/support", "name": "support-desk", "owner": "people", "tags": ["core"]},
        {"path": "shop/basket", "owner": "people"},
        {"path": "missing", "tags": ["money"]},
    ]
    file = folder / "repositories.json"
    file.write_text(json.dumps({"repositories": items, "thresholds": thresholds or {}}), "utf-8")
    return file


def test_one_run_with_all_its_reports(tmp_path: Path) -> None:
    described(tmp_path)
    done = command(
        "scan", "repositories.json", "--html", "fleet.html", "--csv", "fleet.csv", "--width", "100", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    for text in (
        "Run 1  4 repositories · 2 with agents · 1 without",
        "1 repository could not be read",
        "Least healthy first (2)",
        "missing  cannot read the folder: No such file or directory",
        "Weakest detectors",
        "Shared across repositories",
    ):
        assert text in done.stdout
    page = (tmp_path / "fleet.html").read_text("utf-8")
    for text in ("support-desk", "platform", "look_up", "Owners and tags", "Not read", "Weakest detectors"):
        assert text in page
    [head, *rows] = csv.reader(io.StringIO((tmp_path / "fleet.csv").read_text("utf-8")))
    found = {row[0]: dict(zip(head, row, strict=True)) for row in rows}
    assert (found["payments"]["owner"], found["payments"]["tags"]) == ("platform", "core, money")
    assert (found["missing"]["status"], found["missing"]["health"]) == ("error", "")
    assert found["basket"]["applicable"] == "false"

    (tmp_path / "pay" / "payments" / "desk.py").write_text(AGENT.format(number=9, turns="3"), "utf-8")
    again = command("scan", "repositories.json", "--html", "-", "-q", cwd=tmp_path)
    assert "Changed since run 1" in again.stdout
    assert "New and fixed places" in again.stdout
    assert '<polyline class="curve health"' in again.stdout
    told = command("report", cwd=tmp_path).stdout
    assert "Since run 1  0 new places" in told


# ----------------------------------------------------------------------------------------------------------------- gate
@pytest.mark.parametrize(
    ("thresholds", "flags", "code", "said"),
    [
        ({}, (), 0, ""),
        ({}, ("--fail-on", "high"), 1, "payments: "),
        ({}, ("--strict",), 3, "1 repository could not be read"),
        ({"money": {"fail_on": "low"}}, (), 1, "of severity low or worse (tag money)"),
        ({"nobody": {"fail_on": "low", "min_health": 1}}, (), 0, ""),
        ({"core": {"min_health": 0.99}}, (), 1, "support-desk: health 0."),
        ({"*": {"min_health": 0.01}}, (), 0, ""),
    ],
)
def test_what_fails_a_run(
    thresholds: dict[str, object], flags: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    described(tmp_path, thresholds=thresholds)
    done = command("scan", "repositories.json", "-q", "--jobs", "1", *flags, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert done.stdout == ""


def test_where_nothing_could_be_read_the_run_is_incomplete(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("nowhere\n", "utf-8")
    assert command("scan", "list.txt", cwd=tmp_path).returncode == 3


# ---------------------------------------------------------------------------------------------------------------- input
@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "it is no JSON"),
        ("3", "a list of repositories"),
        ('[{"path": "a", "urll": "b"}]', "repository 1: there is no key 'urll'"),
        ('[{"path": "a", "url": "file:///b"}]', "it has either `path` or `url`"),
        ('[{"path": "a", "tags": "b"}]', "`tags` is a list of texts"),
        ('[{"path": "a", "ref": "--upload-pack=x"}]', "cannot be a git ref"),
        ('[{"path": "a", "name": "x"}, {"path": "b", "name": "x"}]', ""),
        ('{"repositories": [], "thresholds": {"a": {"fail_on": "bad"}}}', "fail_on is one of"),
        ('{"repositories": [], "thresholds": {"a": {"min_health": 2}}}', "min_health is a number from 0 to 1"),
        ("[]", "there is no repository in what was given"),
    ],
)
def test_a_list_that_cannot_be_obeyed_is_refused(document: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(document, "utf-8")
    done = command("scan", "list.json", cwd=tmp_path)
    if not said:  # one name twice: told apart by their places
        assert {name for (name,) in asked(tmp_path / "fleet.duckdb", "SELECT repository FROM latest")} == {
            str(tmp_path / "a"),
            str(tmp_path / "b"),
        }
        return
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "fleet.duckdb").exists()


def test_a_folder_has_its_checkouts_whatever_their_depth(tmp_path: Path) -> None:
    fleet(tmp_path / "all", 1)
    for way in ("host/owner/one", "host/owner/two", "owner/three"):
        (tmp_path / "all" / way / ".git").mkdir(parents=True)
    (tmp_path / "all" / ".hidden").mkdir()
    (tmp_path / "all" / "linked").symlink_to(tmp_path)
    command("scan", "all", cwd=tmp_path)
    names = [name for (name,) in asked(tmp_path / "fleet.duckdb", "SELECT repository FROM latest ORDER BY 1")]
    assert names == ["host/owner/one", "host/owner/two", "owner/three", "service-000"]


@pytest.mark.parametrize("flags", [(), ("--isolated",), ("--config", "ours.yaml")])
def test_which_configuration_holds(flags: tuple[str, ...], tmp_path: Path) -> None:
    repository(tmp_path / "all" / "desk", 3)
    (tmp_path / "all" / "desk" / "agent-architecture.yaml").write_text("data: {exclude: [desk.py]}\n", "utf-8")
    (tmp_path / "ours.yaml").write_text(
        "data: {exclude: [nothing.py]}\nignore: [{rule: loop-guard-absence, reason: known}]\n", "utf-8"
    )
    done = command("scan", "all", *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [(agents,)] = asked(tmp_path / "fleet.duckdb", "SELECT count(*) FROM latest_agents")
    assert agents == (1 if flags else 0)
    loops = asked(tmp_path / "fleet.duckdb", "SELECT count(*) FROM latest_findings WHERE key = 'loop_guard_absence'")
    assert (loops == [(1,)]) == (flags == ("--isolated",))


# -------------------------------------------------------------------------------------------------------------- hostile
def hostile() -> Overview:
    one = Repository(
        HOSTILE,
        FORMULA,
        (HOSTILE, "+1"),
        HOSTILE,
        "",
        "ok",
        "",
        "",
        True,
        False,
        0.5,
        0.4,
        1.0,
        2.0,
        3.0,
        4.0,
        1,
        2,
        3,
        4,
    )
    bad = one._replace(repository="-2+3", status="error", error=HOSTILE, applicable=None, health=None)
    past = [Past(run, datetime(2026, 1, run), 2, 1, 0.5, 1.0, 2.0, 3.0, 4.0, 1, 2, 3, 4) for run in (1, 2)]  # noqa: DTZ001
    return Overview(
        past[-1], False, (one, bad), (Weak("a_key", "a/rule", None, 2, 1, 0.5),),
        (Shared("tool", HOSTILE, HOSTILE, (HOSTILE, "b"), (HOSTILE,)),),
        (Change("new", HOSTILE, "high", "a_key", HOSTILE, 3, HOSTILE),),
        (Moved(HOSTILE, "changed", None, 0.5, 1, 0, HOSTILE),), tuple(past),
    )  # fmt: skip


def test_no_text_of_a_repository_is_markup_or_reaches_out() -> None:
    page = render(hostile())

    class Reader(HTMLParser):
        tags: ClassVar[set[str]] = set()

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.tags.add(tag)
            assert not {name for name, _ in attrs} & {"src", "href", "style", "onerror", "onclick"}, (tag, attrs)

    Reader().feed(page)
    assert not Reader.tags & {"img", "script", "link", "a", "iframe", "form", "base"}
    assert "\x1b" not in page
    assert "\u202e" not in page
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy == policy_of(style)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not re.findall(r"url\(|@import|https?:", style)


def test_no_cell_of_the_csv_is_a_formula() -> None:
    [_, first, second] = csv.reader(io.StringIO(repositories_csv(hostile().repositories)))
    assert (first[1], second[0]) == (f"'{FORMULA}", "'-2+3")
    assert not [cell for cell in (*first, *second) if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}]
