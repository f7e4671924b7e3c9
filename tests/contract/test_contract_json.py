"""The JSON report: its shape by the schema, rounding, escapes, and the same bytes every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from contract_world import everything, judged, report_of, site, span, system, tool, verdict_of, verdicts_of
from jsonschema import Draft202012Validator

from agent_architecture.contract import contract
from agent_architecture.degrees import record_of
from agent_architecture.detector import gap
from agent_architecture.model.system import Agent, Dependency, Handoff
from agent_architecture.render.json import SCHEMA_FILE, render
from agent_architecture.report import Outcome, Report, Violation
from agent_architecture.sources.source import Notice, Span

SCHEMA = json.loads(SCHEMA_FILE.read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def parsed(report: Report, *, subjects: bool = False, violations: tuple[Violation, ...] = ()) -> dict[str, Any]:
    """The JSON of an outcome, read back; it obeys the schema or the test ends."""
    document = json.loads(render(Outcome(report, violations=violations), subjects=subjects))
    VALIDATOR.validate(document)
    return document


def number(document: dict[str, Any], name: str) -> float:
    values = {row["key"]: row["value"] for row in document["results"][0]["data"]}
    value = values["agent_architecture." + name]
    assert value["kind"] == "number"
    return value["v"]


def everything_found() -> Report:
    found = system(sites=(site("app.py", 3),))
    agent, peer = Agent(span(line=4), "triage", "langgraph", (tool(),)), Agent(span(line=5), "sales", "langgraph")
    found = found._replace(
        project=found.project._replace(
            dependencies=(Dependency("langgraph", "pypi", "1.2.22", "lock", "uv.lock"),),
            notices=(Notice("big.py", None, "larger than the limit"), Notice("bad.py", 7, "a syntax error")),
        ),
        agents=(agent, peer),
        tools=(tool(),),
        handoffs=(Handoff(span(line=6), "to_sales", "langgraph", agent, peer),),
    )
    nowhere = tool("mcp.json")._replace(span=Span("mcp.json", 0, 0, 0, 0))
    said = {
        "deadlock_risk": [gap(nowhere, "no limit", related=(span(line=8),)), *verdicts_of(*[1.0] * 7, 0.0, None, 1 / 3)]
    }
    return report_of(everything(said), found)


# --------------------------------------------------------------------------------------------------------------- shape
def test_a_full_report_obeys_the_schema() -> None:
    document = parsed(everything_found(), subjects=True)
    assert [row["key"] for row in document["results"][0]["data"]] == list(contract().keys)
    assert document["schema_version"] == 1
    assert document["tool"] == {"name": "agent-architecture", "version": "0.1.0"}


def test_an_empty_project_obeys_the_schema_and_is_not_applicable() -> None:
    document = parsed(report_of(everything(), system(sites=())), subjects=True)
    assert document["project"]["applicable"] is False
    assert document["project"]["incomplete"] is False
    assert document["results"][0]["subjects"] == []


def test_the_project_part() -> None:
    project = parsed(everything_found())["project"]
    assert project["name"] == "demo"
    assert project["files"] == {
        "total": 3,
        "judged_role": "app",
        "roles": {"app": 2, "test": 1},
        "languages": {"python": 3},
    }
    assert project["frameworks"] == [
        {"name": "langgraph", "ecosystem": "pypi", "version": "1.2.22", "origin": "lock", "path": "uv.lock"}
    ]
    assert project["sites"] == [
        {
            "path": "app.py",
            "line": 3,
            "end_line": 3,
            "kind": "run",
            "framework": "langgraph",
            "symbol": "main",
            "degree": "resolved",
            "tools": [],
        }
    ]
    assert [agent["tools"] for agent in project["agents"]] == [["search"], []]
    assert (project["handoffs"][0]["source"], project["handoffs"][0]["target"]) == ("triage", "sales")
    assert project["notices"] == [
        {"path": "bad.py", "line": 7, "message": "a syntax error"},
        {"path": "big.py", "line": None, "message": "larger than the limit"},
    ]


def test_missing_and_failed_detectors_are_named() -> None:
    failed = judged("mcp_auth_gap")._replace(error="ValueError: x")
    project = parsed(report_of([*everything()[:2], failed]))["project"]
    assert project["incomplete"] is True
    assert project["failed_detectors"] == [{"key": "agent_architecture.mcp_auth_gap", "error": "ValueError: x"}]
    assert len(project["missing_detectors"]) == 53


def test_evidence_has_the_three_forms_of_the_contract() -> None:
    (finding,) = [f for f in parsed(everything_found())["results"][0]["findings"] if f["path"] == "app.py"]
    assert [evidence["kind"] for evidence in finding["evidence"]] == ["code_span"] * 5 + ["text"]
    assert finding["evidence"][0] | {"fingerprint": ""} == {
        "kind": "code_span",
        "path": "app.py",
        "line": 1,
        "col": 1,
        "end_line": 1,
        "end_col": 6,
        "message": "nothing bounds it",
        "symbol": "search",
        "related": [],
        "fingerprint": "",
        "risk": 1,
        "weight": 1,
        "confidence": record_of("deadlock_risk", gap(tool(), "no limit")),
    }
    assert finding["evidence"][5] == {"kind": "text", "message": "3 more places in this file"}
    assert len(finding["other_fingerprints"]) == 3
    (whole,) = [f for f in parsed(everything_found())["results"][0]["findings"] if f["path"] == "mcp.json"]
    assert (whole["evidence"][0]["kind"], "line" in whole["evidence"][0]) == ("path", False)


def test_findings_are_left_out_when_there_are_none() -> None:
    assert "findings" not in parsed(report_of(everything()))["results"][0]


def test_subjects_are_there_only_when_asked_for() -> None:
    report = report_of([judged("deadlock_risk", [verdict_of(1 / 3, 4, weight=3)])])
    assert "subjects" not in parsed(report)["results"][0]
    assert parsed(report, subjects=True)["results"][0]["subjects"] == [
        {
            "key": "agent_architecture.deadlock_risk",
            "path": "app.py",
            "line": 4,
            "end_line": 4,
            "symbol": "search",
            "outcome": "partial",
            "risk": 0.333333,
            "weight": 3,
            "reason": "nothing bounds it",
            "confidence": record_of("deadlock_risk", verdict_of(1 / 3, 4)),
            "degree": "resolved",
        }
    ]


def test_violations_are_listed_and_counted() -> None:
    violation = Violation("agent_architecture.deadlock_risk", "<=", 0.2, 1 / 3, "error", "too risky")
    document = parsed(report_of(everything()), violations=(violation,))
    assert document["violations_count"] == 1
    assert document["violations"][0] | {"actual": 0} == {
        "metric": "agent_architecture.deadlock_risk",
        "op": "<=",
        "value": 0.2,
        "actual": 0,
        "severity": "error",
        "message": "too risky",
    }
    assert document["violations"][0]["actual"] == 0.333333
    assert parsed(report_of(everything()))["violations_count"] == 0


# ------------------------------------------------------------------------------------------------------ numbers, text
def test_numbers_are_rounded_to_six_digits_here_and_only_here() -> None:
    report = report_of([judged("deadlock_risk", verdicts_of(1.0, 0.0, 0.0))])
    document = parsed(report)
    assert number(document, "deadlock_risk") == 0.333333
    assert next(row.value for row in report.data if row.key.endswith("deadlock_risk")) == 1 / 3
    summary = next(row for row in document["results"][0]["data"] if row["key"].endswith("detector_summary"))
    assert summary["value"]["rows"][0][3] == 0.333333


def test_counts_are_whole_numbers() -> None:
    text = render(Outcome(report_of(everything())))
    row = text.split('"agent_architecture.dangerous_tool_count"')[1].split("}")[0]
    assert row.split('"v": ')[1].strip() == "0"


@pytest.mark.parametrize(
    "char", ["\x00", "\x1b", "\x7f", "\x9b", "\u202e", "\u2066", "\u200b", "\u2028", "\ufeff", "\U000e0041", "\udcff"]
)
def test_control_and_invisible_characters_are_escaped_and_survive(char: str) -> None:
    report = report_of([judged("deadlock_risk", [gap(tool(symbol=f"a{char}b"), f"limit {char}")])])
    text = render(Outcome(report), subjects=True)
    assert char not in text
    text.encode()
    assert parsed(report, subjects=True)["results"][0]["subjects"][0]["symbol"] == f"a{char}b"


def test_other_text_is_written_as_it_is_with_one_final_newline() -> None:
    report = report_of([judged("deadlock_risk", [gap(tool(symbol="größe_数"), "no limit")])])
    text = render(Outcome(report))
    assert "größe_数" in text
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


def test_the_same_bytes_come_out_under_any_hash_seed() -> None:
    code = "import test_contract_json as t; print(t.render(t.Outcome(t.everything_found()), subjects=True))"
    folders = [str(Path(__file__).parent), str(SCHEMA_FILE.parents[2])]

    def run(seed: str) -> bytes:
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(folders)}
        return subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True).stdout

    first = run("0")
    assert first == run("1234")
    assert json.loads(first)["schema_version"] == 1


# -------------------------------------------------------------------------------------------------------------- schema
def test_the_schema_is_valid_and_closed() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    for place, node in _objects(SCHEMA):
        assert "additionalProperties" in node, place


def _objects(node: Any, place: str = "#") -> list[tuple[str, dict[str, Any]]]:
    found = [(place, node)] if isinstance(node, dict) and node.get("type") == "object" else []
    parts = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return found + [pair for name, part in parts for pair in _objects(part, f"{place}/{name}")]


def test_the_schema_names_exactly_the_contracts_keys_and_rules() -> None:
    forms = SCHEMA["$defs"]["datum"]["oneOf"]
    keys = [key for form in forms for key in form["properties"]["key"]["enum"]]
    assert sorted(keys) == sorted(contract().keys)
    assert SCHEMA["$defs"]["detector_key"]["enum"] == [scalar.key for scalar in contract().scalars]
    assert SCHEMA["$defs"]["rule_id"]["enum"] == [scalar.rule_id for scalar in contract().scalars]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("agent_architecture.deadlock_risk", 1.01),
        ("agent_architecture.deadlock_risk", -0.01),
        ("agent_architecture.safety_protocol_score", 100.1),
        ("agent_architecture.overall_agent_health", 70),
        ("agent_architecture.dangerous_tool_count", 0.5),
        ("agent_architecture.made_up", 0.5),
    ],
)
def test_the_schema_refuses_a_value_out_of_range(key: str, value: float) -> None:
    document = parsed(report_of(everything()))
    document["results"][0]["data"][0] = {"key": key, "value": {"kind": "number", "v": value}}
    assert not VALIDATOR.is_valid(document)


@pytest.mark.parametrize("place", ["", "project", "tool"])
def test_the_schema_refuses_a_key_that_it_does_not_know(place: str) -> None:
    document = parsed(report_of(everything()))
    (document[place] if place else document)["extra"] = 1
    assert not VALIDATOR.is_valid(document)
