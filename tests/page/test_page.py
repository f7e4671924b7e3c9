"""The report as one HTML file: what it holds, how large it is, and that no text in it can be more than text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.cli_outcomes import outcome
from tests.cli.cli_outcomes import source as small_source
from tests.cli.test_cli_command import run
from tests.page.made_reports import HOSTILE, hostile, hostile_source, large, source

from agent_architecture.registry import load
from agent_architecture.render.html import page
from agent_architecture.render.html.texts import MOST_LINES
from agent_architecture.report import Outcome
from agent_architecture.sources.source import Span

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "support-agent"
ELEMENT = re.compile(r"<(script|style)([^>]*)>(.*?)</\1>", re.DOTALL)
LARGEST = 3_000_000


def data_of(text: str) -> Any:
    (found,) = [body for _, attributes, body in ELEMENT.findall(text) if "application/json" in attributes]
    return json.loads(found)


def rendered(made: Outcome) -> str:
    return page.render(made, load(), source)


@pytest.fixture(scope="module")
def many() -> str:
    return rendered(large())


def test_the_policy_lets_run_this_program_and_this_style_and_nothing_else() -> None:
    text = rendered(outcome())
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    allowed = dict(part.split(" ", 1) for part in policy[1].split("; "))
    bodies = {kind: body for kind, attributes, body in ELEMENT.findall(text) if not attributes}
    for kind, directive in (("script", "script-src"), ("style", "style-src")):
        digest = base64.b64encode(hashlib.sha256(bodies[kind].encode()).digest()).decode()
        assert allowed.pop(directive) == f"'sha256-{digest}'"
    assert allowed == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_no_text_of_a_project_can_end_the_block_that_it_stands_in() -> None:
    text = page.render(hostile(), load(), hostile_source)
    assert len(ELEMENT.findall(text)) == 3, "a style, the data, the program"
    body = next(body for _, attributes, body in ELEMENT.findall(text) if attributes)
    assert not re.search("[<>&\u2028\u2029]", body)
    assert json.loads(body)["overview"]["name"].startswith("</script>")


def test_what_a_browser_would_obey_or_hide_is_written_out() -> None:
    text = page.render(hostile(), load(), hostile_source)
    assert not set(text) & set("\u202e\u2066\x1b\x00\u200b\ud800")
    assert any("\\u202e" in one for one in data_of(text)["texts"])


def test_the_file_names_no_address_to_fetch_from() -> None:
    text = rendered(outcome())
    assert re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=", text) == []
    assert set(re.findall(r"https?://[^\s\"'`)]+", ELEMENT.sub("", text))) == set()


def test_five_thousand_subjects_stay_below_three_megabytes(many: str) -> None:
    made = data_of(many)
    assert len(made["items"]) >= 4900
    assert len(many.encode()) < LARGEST


def test_a_place_shows_a_few_lines_and_long_lines_are_cut() -> None:
    made = outcome()
    text = page.render(made, load(), small_source)
    lines = dict(data_of(text)["code"])
    assert max(len(line) for runs in lines.values() for _, found in runs for line in found) <= 181
    whole = Span("app/agent.py", 1, 1, 300, 1)
    moved = made._replace(
        report=made.report._replace(
            picture=made.report.picture._replace(
                nodes=tuple(node._replace(span=whole) for node in made.report.picture.nodes)
            )
        )
    )
    shown = data_of(page.render(moved._replace(report=moved.report._replace(findings=(), subjects=())), load(), source))
    assert sum(len(found) for _, runs in shown["code"] for _, found in runs) <= MOST_LINES


def test_every_verdict_is_listed_once_and_knows_its_node() -> None:
    made = outcome()
    document = data_of(rendered(made))
    assert len(document["items"]) == len(made.report.subjects)
    nodes = [document["system"]["nodes"][row[15]]["name"] for row in document["items"] if row[15] >= 0]
    assert {"graph.invoke", "refund", "search_web", "loop"} <= set(nodes)


def test_what_rules_cost_adds_up_to_what_the_health_lacks() -> None:
    made = outcome()
    costs = sum(rule["costs"] for rule in data_of(rendered(made))["rules"])
    assert costs == pytest.approx(100 * (1 - made.report.scores.health), abs=0.01)


def test_the_command_writes_the_page_and_a_name_says_the_format(tmp_path: Path) -> None:
    done = run("analyze", EXAMPLE, "--output", tmp_path / "report.html", "--no-progress")
    assert (done.returncode, done.stdout) == (0, "")
    document = data_of((tmp_path / "report.html").read_text("utf-8"))
    assert document["overview"]["name"] == "support-agent"
    assert any("eval(expression)" in line for _, runs in document["code"] for _, found in runs for line in found)


def test_the_page_is_the_same_whatever_is_asked_first() -> None:
    assert page.render(hostile(), load(), source) == page.render(hostile(), reversed(list(load())), source)
    assert HOSTILE not in page.render(hostile(), load(), source)


@pytest.mark.skipif(shutil.which("node") is None or shutil.which("npm") is None, reason="there is no Node")
def test_the_parts_of_the_program_do_what_their_own_tests_say() -> None:
    done = subprocess.run(["npm", "test", "--silent"], cwd=ROOT / "web", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
