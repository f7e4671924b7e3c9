"""The picture in languages of diagrams, and the list of parts: whatever a project calls its things."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from tests.cli.cli_outcomes import loop_guards, outcome, span
from tests.cli.test_cli_command import run
from tests.picture.test_picture import SYSTEM

from agent_architecture import cli
from agent_architecture.model import settings
from agent_architecture.model.models import ModelUse
from agent_architecture.model.system import Agent, AgentSystem, Dependency, Project, Tool
from agent_architecture.render import dot, mermaid, picture_json, sbom
from agent_architecture.report import Report
from agent_architecture.sources.source import Role

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "support-agent"
HOSTILE = 'a"]; click n0 "javascript:alert(1)"\n`%%{init}%%` <script>#quot;\u202e\\" -> x'
LABELS = re.compile(r'"((?:[^"\\]|\\.)*)"')
MERMAID_PLAIN = re.compile(r"(?:[\w ./:,()-]|#\d+;|<b>|</b>|<br/>|[^\x00-\x7f])*")


def report_of(system: AgentSystem) -> Report:
    return outcome(system, results=(), name="made").report


@pytest.fixture(scope="module")
def hostile() -> Report:
    tool = Tool(span("app/tools.py", 3), HOSTILE, "mcp", HOSTILE)
    agent = Agent(span("app/agents.py", 4), HOSTILE, "openai-agents", (tool,))
    return report_of(SYSTEM._replace(agents=(agent,), tools=(tool,), sites=(), exposures=()))


def test_mermaid_writes_every_sign_of_a_name_as_an_entity(hostile: Report) -> None:
    text = mermaid.render(hostile, "file")
    assert text.isprintable() or text.replace("\n", "").isprintable()
    labels = [label for line in text.splitlines() for label in LABELS.findall(line)]
    assert len(labels) == 5, "two files, two nodes, one edge"
    assert all(MERMAID_PLAIN.fullmatch(label) for label in labels)
    assert "click" not in LABELS.sub("", text)


def test_a_name_cannot_end_its_string_in_dot(hostile: Report) -> None:
    text = dot.render(hostile, "file")
    bare = LABELS.sub('""', text)
    assert "script" not in bare
    assert '"' not in bare.replace('""', "")
    assert bare.count("->") == len(hostile.picture.edges)


def test_degrees_of_evidence_are_drawn_apart() -> None:
    report = outcome(results=(loop_guards(),)).report
    text, edges = dot.render(report, "none"), report.picture.edges
    assert [f"style={style}" in text for style in ("solid", "dashed", "dotted")] == [
        any(edge.degree == degree for edge in edges) for degree in ("resolved", "inferred", "guessed")
    ]


def test_risk_is_said_in_words_and_by_a_sign_not_by_colour_alone() -> None:
    report = outcome(results=(loop_guards(),)).report
    assert "▲ high" in mermaid.render(report, "file")
    assert "▲ high" in dot.render(report, "file")


def test_folded_files_are_one_box_each_with_what_they_hold() -> None:
    report = report_of(SYSTEM)
    text = mermaid.render(report, "file", fold=True)
    boxes = re.findall(r"<b>([^<]+)</b><br/>([^\"]+)", text)
    assert boxes == [
        ("app/agents.py", "agent 1"), ("app/main.py", "untrusted text 1<br/>run 1"), ("app/tools.py", "tool 2"),
    ]  # fmt: skip
    assert text.count("-->") == 2


def test_the_json_names_nodes_by_ids_that_are_there() -> None:
    made = json.loads(picture_json.render(report_of(SYSTEM)))
    ids = [node["id"] for node in made["nodes"]]
    assert len(set(ids)) == len(ids)
    assert {end for edge in made["edges"] for end in (edge["source"], edge["target"])} <= set(ids)
    assert {node for way in made["ways"] for node in way["nodes"]} <= set(ids)
    assert all(0 <= at < len(made["edges"]) for way in made["ways"] for at in way["edges"])


@pytest.mark.parametrize(("form", "begin"), [("mermaid", "flowchart LR\n"), ("dot", 'digraph "'), ("json", "{\n")])
def test_the_command_draws_the_example(form: str, begin: str, tmp_path: Path) -> None:
    file = tmp_path / "picture"
    done = run("graph", EXAMPLE, "--format", form, "--output", file)
    assert (done.returncode, done.stdout) == (0, "")
    assert file.read_text("utf-8").startswith(begin)
    assert "calculate" in file.read_text("utf-8")


def test_where_nothing_is_to_draw_the_command_says_so(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("print(1)\n", encoding="utf-8")
    done = run("graph", tmp_path)
    assert (done.returncode, done.stdout) == (0, "flowchart LR\n")
    assert "nothing to draw" in done.stderr


# ---------------------------------------------------------------------------------------------------------------- parts
def components(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in json.loads(text)["components"]:
        found.setdefault(one["type"], []).append(one["name"])
    return found


def test_the_list_of_parts_of_the_example_is_valid_and_says_what_is_there() -> None:
    done = run("sbom", EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(done.stdout) is None
    found = components(done.stdout)
    assert set(found["application"]) == {"Orders", "Refunds", "Triage", "calculate", "order_status", "search"}
    assert (found["machine-learning-model"], found["framework"]) == (["gpt-5"], ["openai", "openai-agents"])
    assert run("sbom", EXAMPLE).stdout == done.stdout


def test_a_version_that_no_lock_file_names_is_no_version_of_a_part() -> None:
    libraries = (
        Dependency("langgraph", "pypi", "1.2.22", "lock", "uv.lock"),
        Dependency("@ai/x", "npm", "5.0.0", "newest", None),
    )
    system = AgentSystem(Project({Role.APP: 1}, {"python": 1}, libraries))
    purls = [one.get("purl") for one in json.loads(sbom.render(report_of(system)))["components"]]
    assert sorted(purls) == ["pkg:npm/%40ai/x", "pkg:pypi/langgraph@1.2.22"]


def test_a_model_is_one_part_with_its_places_in_order_and_none_where_nothing_names_it() -> None:
    named = settings.written("gpt-5", span("app/a.py", 1))
    files = [f"app/{letter}.py" for letter in "abcdefgh"]
    uses = (
        *(ModelUse(span(file, 1), "call", "openai", named) for file in reversed(files)),
        ModelUse(span("app/x.py", 3), "x", "openai", settings.unknown("os.environ")),
    )
    made = json.loads(sbom.render(report_of(SYSTEM._replace(models=uses))))
    (model,) = [one for one in made["components"] if one["type"] == "machine-learning-model"]
    assert [place["location"] for place in model["evidence"]["occurrences"]] == files


def test_hostile_names_make_a_valid_list(hostile: Report) -> None:
    text = sbom.render(hostile)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert "\u202e" not in text


def test_without_its_library_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.modules["agent_architecture.commands.sbom"], "find_spec", lambda _: None)
    assert cli.main(["sbom", str(EXAMPLE)]) == 2
    assert "pip install 'agent-architecture[sbom]'" in capsys.readouterr().err
