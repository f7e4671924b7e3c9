"""Which configuration file holds, and what its keys do to a run."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import jsonschema
import pytest
import yaml
from configuration_project import AGENT, Project

from agent_architecture.config import (
    Baseline,
    Config,
    DataConfig,
    Ignore,
    Invariant,
    MetricConfig,
    Output,
    PolicyConfig,
    ReportConfig,
    configure,
)
from agent_architecture.configuration.discover import NAMES, discover, named
from agent_architecture.configuration.keys import KEYS
from agent_architecture.configuration.schema import schema
from agent_architecture.configuration.source import source_of_file
from agent_architecture.detector import Severity
from agent_architecture.flags import glob_of
from agent_architecture.scoring import ScoringConfig

FILE = "agent-architecture.yaml"


def file_of(name: str, language: str) -> str:
    if name == "pyproject.toml":
        return f"[tool.agent-architecture.data]\nlanguage = '{language}'\n"
    return f"data: {{language: {language}}}\n"


# ----------------------------------------------------------------------------------------------------------- discovery
def test_the_first_name_in_a_folder_wins(project: Project) -> None:
    for name in reversed(NAMES):
        project.write(name, file_of(name, "python"))
        found = discover(project.root)
        assert found is not None
        assert found.path.name == name


def test_the_nearest_folder_wins_up_to_the_top_of_the_repository(project: Project) -> None:
    above, top, inner = project.root.parent / FILE, project.root / FILE, project.root / "app" / "arxo.yaml"
    above.write_text("data: {}\n")
    assert discover(project.root / "app") is None
    for file in (top, inner):
        file.write_text("data: {}\n")
        found = discover(project.root / "app")
        assert found is not None
        assert found.path == file.resolve()


def test_without_a_repository_only_the_scanned_folder_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / FILE).write_text("data: {}\n")
    assert discover(tmp_path) is not None
    assert discover(tmp_path / "inner") is None


def test_a_pyproject_without_our_section_is_passed_over(project: Project) -> None:
    project.write("app/pyproject.toml", "[project]\nname = 'x'\ndependencies = ['agent-architecture']\n")
    project.write(FILE, "data: {language: typescript}\n")
    assert project.analyze("app").report["project"]["files"]["languages"] == {"toml": 1}


def test_config_names_a_file_and_isolated_obeys_none(project: Project) -> None:
    project.write(FILE, "data: {language: typescript}\n")
    other = project.write("other.yml", "data: {language: python}\n")

    def languages(*flags: str) -> dict[str, int]:
        found: dict[str, int] = project.analyze("app", *flags).report["project"]["files"]["languages"]
        return found

    assert languages() == {}
    assert languages("--config", str(other)) == languages("--isolated") == languages("--no-config") == {"python": 1}


def test_a_file_that_is_named_must_be_there_and_must_speak_of_us(project: Project) -> None:
    said = project.run("analyze", "--config", "gone.yaml")
    assert (said.code, said.err) == (2, "error: there is no configuration file gone.yaml\n")
    project.write("pyproject.toml", "[project]\nname = 'x'\n")
    said = project.run("analyze", "--config", "pyproject.toml")
    assert (said.code, said.err) == (
        2,
        "error: pyproject.toml: there is no section [tool.agent-architecture] in it\n",
    )
    assert project.run("analyze", "--config", "pyproject.toml", "--isolated").code == 2


def test_a_flag_wins_over_the_file(project: Project) -> None:
    project.write(FILE, "data: {language: typescript}\nreport: {format: junit}\n")
    report = project.analyze("--language", "python").report
    assert report["project"]["files"]["languages"]["python"] == 1
    assert project.run("analyze").out.startswith("<?xml")


# --------------------------------------------------------------------------------------------------------- each section
def read_files(project: Project, *arguments: str) -> list[str]:
    return sorted({site["path"] for site in project.analyze(*arguments).report["project"]["sites"]})


def test_data_says_what_is_read_and_its_globs_start_from_the_file(project: Project) -> None:
    """Whoever scans a part of a project gets the same files of it as whoever scans the whole."""
    project.write("app/old/agent.py", AGENT)
    project.write(FILE, "data: {exclude: [/app/old]}\n")
    assert read_files(project) == ["app/agent.py"]
    assert read_files(project, "app") == ["agent.py"]
    project.write(FILE, "data: {include: app/old/*.py}\n")
    assert read_files(project) == ["app/old/agent.py"]
    assert read_files(project, "app") == ["old/agent.py"]
    assert read_files(project, "app", "--include", "agent.py") == ["agent.py", "old/agent.py"]
    assert read_files(project, "app", "--include", "/agent.py") == ["agent.py"]


def test_globs_of_a_file_from_elsewhere_start_from_the_scanned_folder(project: Project) -> None:
    other = project.write("policies/strict.yaml", "data: {exclude: [/agent.py]}\n")
    assert read_files(project, "app", "--config", str(other)) == []


def test_data_includes_tests_and_examples_and_limits_sizes(project: Project) -> None:
    project.write("tests/test_agent.py", AGENT)
    project.write("examples/agent.py", AGENT)
    assert read_files(project) == ["app/agent.py"]
    project.write(FILE, "data: {include_tests: true, include_examples: true}\n")
    assert read_files(project) == ["app/agent.py", "examples/agent.py", "tests/test_agent.py"]
    project.write(FILE, "data: {max_file_size: 100}\n")
    assert any("more than the limit of 100" in notice for notice in project.analyze().notices())


@pytest.mark.parametrize(
    "text",
    [
        "data: {language: python}",
        "metrics: [{id: agent_architecture, config: {languages: python}}]",
        "metrics: [{id: agent_architecture, config: {languages: [python]}}]",
    ],
)
def test_one_language_leaves_the_code_of_others_unread(project: Project, text: str) -> None:
    project.write("web/chat.ts", "export const chat = 1;\n")
    project.write(FILE, text + "\n")
    assert project.analyze().report["project"]["files"]["languages"].keys() == {"python", "yaml"}
    both = text.replace("[python]", "[python, typescript]")
    if both != text:
        project.write(FILE, both + "\n")
        assert "typescript" in project.analyze().report["project"]["files"]["languages"]


def test_requirements_and_weights_reach_the_scores(project: Project) -> None:
    plain = project.analyze().keys
    project.write(
        FILE,
        "metrics:\n- id: agent_architecture\n  config:\n    require_loop_guards: true\n    scoring:\n"
        "      governance_weights: {tool_policy: 1, schema_validation_gap: 0, tool_result_validation: 0}\n",
    )
    said = project.analyze()
    (guard,) = [one for one in said.report["results"][0]["findings"] if one["rule_id"].endswith("loop-guard-absence")]
    assert guard["severity"] == "critical"
    governance = "agent_architecture.governance_readiness"
    assert said.keys[governance] != plain[governance]
    risk = said.keys["agent_architecture.tool_policy_absence"]["v"]  # type: ignore[index]
    assert said.keys[governance] == {"kind": "number", "v": 100 * (1 - risk)}


def test_a_metric_that_is_switched_off_is_not_judged(project: Project) -> None:
    project.write(FILE, "metrics: [{id: agent_architecture, enabled: false}]\n")
    said = project.run("analyze")
    assert (said.code, said.out) == (0, "")
    assert said.err.startswith("nothing to do: ")


def test_report_writes_below_the_files_folder_from_wherever_the_command_runs(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(FILE, "report: {file: report.sarif}\n")
    monkeypatch.chdir(project.root / "app")
    said = project.run("analyze", str(project.root))
    assert (said.code, said.out) == (0, "")
    assert json.loads((project.root / "report.sarif").read_text())["version"] == "2.1.0"


def test_toml_says_the_same_as_yaml(project: Project) -> None:
    project.write(
        "pyproject.toml",
        "[tool.agent-architecture]\nignore = [{rule = 'loop-guard-absence', reason = 'x', until = 2999-12-31}]\n"
        "[tool.agent-architecture.data]\nexclude = ['/app']\n[[tool.agent-architecture.metrics]]\n"
        "id = 'agent_architecture'\nconfig.require_tool_policy = true\n",
    )
    assert project.run("config", "validate").out == "pyproject.toml is valid\n"
    assert read_files(project) == []


def test_an_empty_file_and_empty_values_keep_the_defaults(project: Project) -> None:
    for text in ("", "# nothing\n", "data:\nmetrics:\npolicy:\nreport:\nignore:\n", "data: {include: , language: ~}\n"):
        project.write(FILE, text)
        assert project.run("config", "validate").code == 0
        assert read_files(project) == ["app/agent.py"]


EVERYTHING = """\
data: {language: python, include: [src], exclude: [old], include_tests: true, include_examples: true, max_file_size: 9}
metrics:
- id: agent_architecture
  enabled: false
  config:
    require_loop_guards: true
    require_tool_policy: true
    require_eval_harness: true
    scoring: {governance_weights: {tool_policy: 2}, reliability_weights: {loop_guards: 3},
      coordination_weights: {deadlock: 4}}
policy:
  invariants:
  - {metric: a, op: '<', value: 0.5, message: m, severity: warning}
  - {metric: b, op: '>=', baseline: true}
  baseline: {mode: file, path: old.json}
  fail_on: high
  require_agents: true
  fail_fast: true
  strict: true
report: {format: sarif, file: out.txt}
ignore:
- {rule: deadlock_risk, path: src, reason: r, until: 2026-03-31}
- {rule: arxo/agent-loop-guard-absence, reason: s}
"""


def test_every_key_reaches_the_configuration(project: Project) -> None:
    file = named(project.write(FILE, EVERYTHING))
    config, root = configure(source_of_file(file)), project.root
    scoring = ScoringConfig({"tool_policy": 2}, {"loop_guards": 3}, {"deadlock": 4}, True, True, True)
    invariants = (
        Invariant("a", "<", 0.5, "m", "warning", where=f"{FILE}:13"),
        Invariant("b", ">=", baseline=True, where=f"{FILE}:14"),
    )
    baseline = Baseline("file", path=str(root / "old.json"), where=f"{FILE}:15")
    assert config == Config(
        data=DataConfig("python", ("src",), ("old",), root, root, True, True, 9),
        metric=MetricConfig(False, scoring),
        policy=PolicyConfig(invariants, baseline, Severity.HIGH, True, True, True),
        report=ReportConfig((Output("sarif", str(root / "out.txt")),)),
        ignore=(
            Ignore("deadlock_risk", "r", "src", date(2026, 3, 31), 22),
            Ignore("loop_guard_absence", "s", line=23),
        ),
        file=root / FILE,
    )
    other = named(project.write(FILE, "policy: {baseline: {mode: git, ref: origin/main}}\n"))
    assert configure(source_of_file(other)).policy.baseline == Baseline("git", "origin/main", where=f"{FILE}:1")


def test_the_configuration_above_names_every_key() -> None:
    """Of the weights one a table; `languages` and `ref` stand in tests of their own."""
    single = {key for key in KEYS if "_weights." not in key.path and key.name not in {"languages", "ref"}}
    assert [key.path for key in single if f"{key.name}:" not in EVERYTHING] == []


# ------------------------------------------------------------------------------------------------------------ commands
def test_config_show_tells_where_each_value_is_written(project: Project) -> None:
    project.write(
        FILE,
        "data:\n  exclude: [a, b]\nmetrics:\n- id: agent_architecture\n  config:\n    require_tool_policy: true\n",
    )
    lines = project.run("config", "show").out.splitlines()
    assert lines[:3] == [
        f'data.exclude: ["a", "b"]  # {FILE}:2',
        f'metrics[0].id: "agent_architecture"  # {FILE}:4',
        f"metrics[0].config.require_tool_policy: true  # {FILE}:6",
    ]
    assert 'data.language: "auto"  # default' in lines
    assert "metrics[0].config.scoring.governance_weights.tool_policy: 0.35  # default" in lines
    assert sum("require_tool_policy" in line for line in lines) == 1


def test_without_a_file_the_commands_say_how_to_make_one(project: Project) -> None:
    for action in ("validate", "show"):
        said = project.run("config", action)
        assert (said.code, "`agent-architecture init` writes one" in said.err) == (2, True)


def test_the_schema_accepts_what_is_valid_and_refuses_what_is_not(project: Project) -> None:
    made = json.loads(project.run("config", "schema").out)
    validator = jsonschema.Draft202012Validator(made)
    validator.check_schema(made)
    good = "data: {language: python}\nignore: [{rule: loop_guard_absence, reason: x}]\npolicy:\n"
    assert list(validator.iter_errors(yaml.safe_load(good))) == []
    for bad in ("dta: {}", "data: {language: go}", "ignore: [{rule: x}]", "data: {max_file_size: 0}"):
        assert list(validator.iter_errors(yaml.safe_load(bad))) != [], bad


def test_the_schema_has_every_key_of_the_table() -> None:
    text = json.dumps(schema())
    assert [key.path for key in KEYS if json.dumps(key.doc) not in text] == []


def test_on_windows_a_glob_may_be_written_with_backslashes() -> None:
    assert glob_of("src\\legacy\\**", "\\") == "src/legacy/**"
    assert glob_of("src\\legacy", "/") == "src\\legacy"
