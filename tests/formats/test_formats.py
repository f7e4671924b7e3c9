"""The formats of a report, through the command: each is read back by what reads such files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml
from markdown_it import MarkdownIt
from tests.cli.test_cli_command import run

AGENT = '''from agents import Agent, Runner, function_tool


@function_tool
def shell(command: str) -> str:
    """Run a command."""
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout


agent = Agent(name="clerk", tools=[shell])


def answer(text: str) -> str:
    return Runner.run_sync(agent, text, max_turns=None).final_output
'''
SARIF_SCHEMA = "@microsoft/sarif-multitool-linux@5.7.0"
"""The package that ships `sarif-2.1.0.json`, the schema of OASIS."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "app").mkdir()
    (root / "app" / "agent.py").write_text("import subprocess\n\n" + AGENT, encoding="utf-8")
    (root / "app" / "a, b%:.py").write_text("import subprocess\n\n" + AGENT, encoding="utf-8")
    (root / "app" / "broken.py").write_text("from agents import Agent\n\ndef (:\n", encoding="utf-8")
    (root / "requirements.txt").write_text("openai-agents==0.6.0\n", encoding="utf-8")
    return root


def report_of(project: Path, name: str) -> str:
    done = run("analyze", project, "--format", name, "--no-progress")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def findings_of(project: Path) -> list[tuple[str, str, int]]:
    found = json.loads(report_of(project, "json"))["results"][0]["findings"]
    return sorted(
        (finding["rule_id"], piece["path"], piece.get("line", 0))
        for finding in found
        for piece in finding["evidence"]
        if "path" in piece
    )


# --------------------------------------------------------------------------------------------------------------- SARIF
@pytest.fixture(scope="session")
def sarif_schema(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The official schema, as an npm package ships it."""
    npm = shutil.which("npm")
    assert npm is not None, "the tests need Node and npm"
    folder = tmp_path_factory.mktemp("sarif")
    done = subprocess.run([npm, "pack", "--silent", SARIF_SCHEMA], cwd=folder, capture_output=True, check=True)
    with tarfile.open(folder / done.stdout.decode().strip()) as archive:
        member = archive.extractfile("package/sarif-2.1.0.json")
        assert member is not None
        schema: dict[str, object] = json.load(member)
    return schema


def test_sarif_follows_the_official_schema(project: Path, sarif_schema: dict[str, object]) -> None:
    validator = jsonschema.Draft7Validator(sarif_schema)
    assert [error.message for error in validator.iter_errors(json.loads(report_of(project, "sarif")))] == []


def test_sarif_has_one_result_for_each_piece_of_evidence(project: Path) -> None:
    results = json.loads(report_of(project, "sarif"))["runs"][0]["results"]
    places = []
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        path = place["artifactLocation"]["uri"].replace("%2C", ",").replace("%20", " ").replace("%3A", ":")
        places.append((result["ruleId"], path.replace("%25", "%"), place.get("region", {}).get("startLine", 0)))
    assert sorted(places) == findings_of(project)


def test_sarif_rules_say_what_they_mean_and_results_point_to_them(project: Path) -> None:
    run_of = json.loads(report_of(project, "sarif"))["runs"][0]
    rules = run_of["tool"]["driver"]["rules"]
    for result in run_of["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["defaultConfiguration"]["level"] == result["level"]
        assert set(map(len, result["partialFingerprints"].values())) == {64}
        assert result["properties"]["security-severity"] == rule["properties"]["security-severity"]
    assert all("agent-architecture explain" in rule["help"]["markdown"] for rule in rules)
    assert all(rule["help"]["markdown"].startswith(rule["help"]["text"]) for rule in rules)


def test_a_rules_address_is_that_of_a_weakness_that_it_names(project: Path) -> None:
    rules = json.loads(report_of(project, "sarif"))["runs"][0]["tool"]["driver"]["rules"]
    for rule in rules:
        weakness = re.fullmatch(r"https://cwe\.mitre\.org/data/definitions/(\d+)\.html", rule["helpUri"])
        named = [tag for tag in rule["properties"]["tags"] if tag.startswith("CWE-")]
        assert f"CWE-{weakness[1]}" == named[0] if weakness else not named


def test_sarif_is_about_its_results(project: Path) -> None:
    run_of = json.loads(report_of(project, "sarif"))["runs"][0]
    text = len(json.dumps(run_of))
    assert sum(len(json.dumps(rule["help"])) for rule in run_of["tool"]["driver"]["rules"]) < 0.15 * text


def test_sarif_of_a_part_is_a_category_of_its_own(project: Path) -> None:
    parts = [run("analyze", path, "--format", "sarif", "--no-progress", cwd=project) for path in (".", "app")]
    ids = [json.loads(done.stdout)["runs"][0]["automationDetails"]["id"] for done in parts]
    assert ids == ["agent-architecture/", "agent-architecture/app/"]


@pytest.mark.parametrize("name", ["sarif", "github"])
def test_the_worst_comes_first(project: Path, name: str) -> None:
    levels = {"error": 0, "warning": 1, "notice": 2, "note": 2}
    text = report_of(project, name)
    if name == "github":
        said = [line[2:].split()[0] for line in text.splitlines() if "title=not analysed" not in line]
        assert [levels[one] for one in said] == sorted(levels[one] for one in said)
        return
    results = json.loads(text)["runs"][0]["results"]
    order = [(-float(one["properties"]["security-severity"]), -one["rank"]) for one in results]
    assert order == sorted(order)
    assert len({one["rank"] for one in results}) > 1, "the rank is the place's own"


def test_sarif_names_weaknesses_in_their_taxonomies(project: Path) -> None:
    run_of = json.loads(report_of(project, "sarif"))["runs"][0]
    taxonomies = run_of["taxonomies"]
    for rule in run_of["tool"]["driver"]["rules"]:
        for relation in rule.get("relationships", []):
            component = relation["target"]["toolComponent"]
            taxonomy = taxonomies[component["index"]]
            assert taxonomy["name"] == component["name"]
            assert {"id": relation["target"]["id"]} in taxonomy["taxa"]
    assert {taxonomy["name"] for taxonomy in taxonomies} >= {"CWE", "OWASP-LLM-2026", "OWASP-ASI-2026"}


def test_sarif_says_what_was_not_read(project: Path) -> None:
    invocation = json.loads(report_of(project, "sarif"))["runs"][0]["invocations"][0]
    uris = [
        told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for told in invocation["toolExecutionNotifications"]
        if "locations" in told
    ]
    assert invocation["executionSuccessful"] is True
    assert "app/broken.py" in uris


def test_sarif_paths_begin_where_the_tool_was_started(project: Path) -> None:
    done = run("analyze", "app", "--format", "sarif", "--no-progress", cwd=project)
    results = json.loads(done.stdout)["runs"][0]["results"]
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert uris
    assert all(uri.startswith("app/") for uri in uris)


# -------------------------------------------------------------------------------------------------------------- GitHub
def test_github_writes_one_command_for_each_piece_of_evidence(project: Path) -> None:
    lines = [line for line in report_of(project, "github").splitlines() if "title=not analysed" not in line]
    assert len(lines) == len(findings_of(project))
    assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in lines)


def test_a_files_name_cannot_write_a_property_of_its_own(project: Path) -> None:
    lines = [line for line in report_of(project, "github").splitlines() if "b%25%3A.py" in line]
    assert lines
    assert all("/a%2C b%25%3A.py,line=" in line for line in lines)


# --------------------------------------------------------------------------------------------------------------- JUnit
def test_junit_has_a_case_for_each_detector_and_fails_those_with_gaps(project: Path) -> None:
    suites = ET.fromstring(report_of(project, "junit"))  # noqa: S314 - our own output
    cases = suites.findall("testsuite/testcase")
    failing = {case.get("name") for case in cases if case.find("failure") is not None}
    assert failing == {rule for rule, _, _ in findings_of(project)}
    for suite in suites.findall("testsuite"):
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))


# ------------------------------------------------------------------------------------------------------ Markdown, YAML
def test_markdown_shows_scores_and_every_finding(project: Path) -> None:
    text = report_of(project, "markdown")
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert "<table>" in html
    firsts, findings = html.partition("<h3>Findings: ")[::2]
    assert 4 <= firsts.count("<li>") <= 10
    linked = len(re.findall(r'<a href="(?:app|requirements)[^"]*"', findings))
    assert linked == len(findings_of(project)) >= findings.count("<li>")
    assert f"{len(findings_of(project))} places</h3>" in findings
    assert html.startswith("<h2>Agent architecture: ")


def test_markdown_of_a_ci_job_links_to_its_commit(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SERVER_URL", "https://git.example.org"), ("REPOSITORY", "a/b"), ("SHA", "0" * 40)):
        monkeypatch.setenv(f"GITHUB_{name}", value)
    assert f"](https://git.example.org/a/b/blob/{'0' * 40}/app/agent.py#L" in report_of(project, "markdown")
    monkeypatch.setenv("GITHUB_REPOSITORY", "a/b) [x](y")
    assert "](app/agent.py#L" in report_of(project, "markdown")


def test_markdown_of_a_project_without_agents_is_no_pass(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("print(1)\n", encoding="utf-8")
    assert "not applicable, not a pass" in report_of(tmp_path, "markdown")


def test_yaml_is_the_json_report(project: Path) -> None:
    assert yaml.safe_load(report_of(project, "yaml")) == json.loads(report_of(project, "json"))


# ------------------------------------------------------------------------------------------------------ several at once
def test_several_formats_at_once_each_beside_its_file(project: Path, tmp_path: Path) -> None:
    flags = ["--format", "console", "--format", "sarif", "--output", tmp_path / "a", "--output", tmp_path / "b.json"]
    done = run("analyze", project, *flags, "--no-progress")
    assert done.returncode == 0
    assert "health" in done.stdout.lower()
    assert json.loads((tmp_path / "a").read_text("utf-8"))["version"] == "2.1.0"
    assert json.loads((tmp_path / "b.json").read_text("utf-8"))["schema_version"] == 1


@pytest.mark.parametrize(
    ("name", "begin"), [("r.sarif", "{"), ("r.md", "## "), ("r.xml", "<?xml"), ("r.yml", "schema_")]
)
def test_a_files_name_says_the_format(project: Path, tmp_path: Path, name: str, begin: str) -> None:
    assert run("analyze", project, "--output", tmp_path / name).returncode == 0
    assert (tmp_path / name).read_text("utf-8").startswith(begin)


def test_two_formats_in_one_place_are_a_mistake(project: Path) -> None:
    done = run("analyze", project, "--format", "json", "--format", "sarif")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: two formats would be written to standard output; give each its --output")


def test_markdown_shows_a_name_with_backticks_as_it_is() -> None:
    from agent_architecture.render.markdown_text import code

    for name in ("plain.py", "a`b.py", "``", "`x", "a``` b"):
        html = MarkdownIt("commonmark").render(code(name))
        assert html == f"<p><code>{name}</code></p>\n"
