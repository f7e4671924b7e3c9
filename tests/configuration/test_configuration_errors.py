"""What cannot be obeyed in a configuration is one sentence with file, line and column, and exit code 2."""

from __future__ import annotations

import os

import pytest
from configuration_project import Project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_architecture.config import Config
from agent_architecture.configuration.keys import KEYS, Kind
from agent_architecture.configuration.read import read_file
from agent_architecture.configuration.source import source_of_file
from agent_architecture.errors import ConfigurationError

FILE = "agent-architecture.yaml"

WRONG = {
    "dta: {}": "1:1: dta: there is no such section; did you mean data?",
    "colour: {}": "1:1: colour: there is no such section; known are data, ignore, metrics, policy, report",
    "data:\n  languge: python": "2:3: data.languge: there is no such key; did you mean language?",
    "data: [python]": "1:7: data: is a list, not a section of keys",
    "data: python": "1:7: data: is 'python', not a section of keys",
    "data: {language: pyton}": (
        "1:18: data.language: is 'pyton', not one of auto python typescript; did you mean python?"
    ),
    "data: {include_tests: 'yes'}": "1:23: data.include_tests: is 'yes', not true or false",
    "data: {include: 3}": "1:17: data.include: is 3, not a list of globs in .gitignore syntax",
    "data:\n  exclude:\n  - a\n  - [b]": "4:5: data.exclude[1]: is a list, not a list of globs in .gitignore syntax",
    "data: {exclude: ['a*b*c*d*e']}": "1:18: data.exclude[0]: the glob 'a*b*c*d*e' has too many stars: not obeyed",
    "data: {exclude: ['a\\b']}": "1:18: data.exclude[0]: is 'a\\\\b': write / between folders, on Windows, too",
    "data: {max_file_size: 0}": "1:23: data.max_file_size: is 0, below 1",
    "data: {max_file_size: 1.5}": "1:23: data.max_file_size: is 1.5, not a whole number",
    "data: {max_file_size: true}": "1:23: data.max_file_size: is true, not a whole number",
    "metrics: {}": "1:10: metrics: is a section of keys, not a list of sections",
    "metrics: [7]": "1:11: metrics[0]: is 7, not a section of keys",
    "metrics: [{enabled: true}]": "1:11: metrics[0]: id is missing",
    "metrics: [{id: agent_architectur}]": (
        "1:16: metrics[0].id: is 'agent_architectur', not agent_architecture; did you mean agent_architecture?"
    ),
    "metrics: [{id: agent_architecture}, {id: agent_architecture}]": (
        "1:37: metrics[1]: there is one metric, and it has an entry already"
    ),
    "metrics: [{id: agent_architecture, config: {require_loop_guard: true}}]": (
        "1:45: metrics[0].config.require_loop_guard: there is no such key; did you mean require_loop_guards?"
    ),
    "metrics: [{id: agent_architecture, config: {languages: [python, go]}}]": (
        "1:65: metrics[0].config.languages[1]: is 'go', not one of auto python typescript"
    ),
    "data: {language: python}\nmetrics: [{id: agent_architecture, config: {languages: python}}]": (
        "2:56: metrics[0].config.languages: is the same as data.language; write one of them"
    ),
    "metrics: [{id: agent_architecture, config: {scoring: {governance_weights: {tool_policy: -1}}}}]": (
        "1:89: metrics[0].config.scoring.governance_weights.tool_policy: is -1, below 0"
    ),
    "metrics: [{id: agent_architecture, config: {scoring: {governance_weights: {tool_policy: .inf}}}}]": (
        "1:89: metrics[0].config.scoring.governance_weights.tool_policy: is inf, not a finite number"
    ),
    "metrics: [{id: agent_architecture, config: {scoring: {coordination_weights: {deadlock: 1, deadlock_risk: 2}}}}]": (
        "1:91: metrics[0].config.scoring.coordination_weights.deadlock_risk: is the same as deadlock; write one of them"
    ),
    "metrics: [{id: agent_architecture, config: {scoring: {governance_weights: {tool_policy: 0, "
    "schema_validation: 0, tool_result_validation: 0}}}}]": (
        "1:75: metrics[0].config.scoring.governance_weights: every weight is 0; at least one must be above"
    ),
    "policy: {invariants: [{metric: a, op: '=', value: 1}]}": (
        "1:39: policy.invariants[0].op: is '=', not one of == != < <= > >=; did you mean >=?"
    ),
    "policy: {invariants: [{metric: a, op: '<'}]}": (
        "1:23: policy.invariants[0]: value is missing (or baseline: true)"
    ),
    "policy: {invariants: [{metric: a, op: '<', value: 1, baseline: true}]}": (
        "1:23: policy.invariants[0]: value and baseline exclude each other"
    ),
    "policy: {invariants: [{metric: a, op: '<', value: high}]}": (
        "1:51: policy.invariants[0].value: is 'high', not a number"
    ),
    "policy: {invariants: [{metric: a, op: '<', value: 1, severity: eror}]}": (
        "1:64: policy.invariants[0].severity: is 'eror', not one of error warning; did you mean error?"
    ),
    "policy: {invariants: [{op: '<', value: 1}]}": "1:23: policy.invariants[0]: metric is missing",
    "policy: {baseline: {mode: svn}}": "1:27: policy.baseline.mode: is 'svn', not one of git file",
    "policy: {baseline: {mode: git}}": "1:20: policy.baseline: ref is missing",
    "policy: {baseline: {mode: file}}": "1:20: policy.baseline: path is missing",
    "policy: {fail_on: good}": "1:19: policy.fail_on: is 'good', not one of low medium high critical",
    "policy: {require_agents: 1}": "1:26: policy.require_agents: is 1, not true or false",
    "report: {format: xml}": (
        "1:18: report.format: is 'xml', not one of console json sarif markdown github junit yaml html"
    ),
    "report: {file: [a]}": "1:16: report.file: is a list, not a text",
    "ignore: {rule: loop_guard_absence}": "1:9: ignore: is a section of keys, not a list of sections",
    "ignore: [{rule: loop_guard_absense, reason: x}]": (
        "1:17: ignore[0].rule: there is no rule 'loop_guard_absense'; the nearest is loop_guard_absence"
    ),
    "ignore: [{rule: loop_guard_absence}]": "1:10: ignore[0]: reason is missing",
    "ignore: [{rule: loop_guard_absence, reason: ' '}]": "1:45: ignore[0].reason: is empty",
    "ignore: [{rule: loop_guard_absence, reason: x, until: soon}]": (
        "1:55: ignore[0].until: is 'soon', not a date (2027-01-31)"
    ),
    "ignore: [{rule: loop_guard_absence, reason: x, paths: a}]": (
        "1:48: ignore[0].paths: there is no such key; did you mean path?"
    ),
}


@pytest.mark.parametrize(("text", "told"), WRONG.items(), ids=list(WRONG.values()))
def test_validate_tells_each_mistake_with_its_place(project: Project, text: str, told: str) -> None:
    project.write(FILE, text + "\n")
    said = project.run("config", "validate")
    assert said.code == 2
    assert f"{FILE}:{told}\n" in said.err


def test_every_key_with_a_type_that_can_be_wrong_is_among_them() -> None:
    """A key whose type can be wrong has an error above; those that differ in nothing but their name stand for all."""
    kinds = {key.kind for key in KEYS}
    tested = " ".join(WRONG.values())
    assert {kind for kind in kinds if kind.value not in tested} <= {Kind.WORD, Kind.WORDS, Kind.RULE, Kind.GLOB}


BROKEN = {
    "a: b: c": "1: YAML: mapping values are not allowed in this context; the rest is not read",
    "data: {}\ndata: {}": "2: data stands here twice (first in line 1)",
    "data: {}\n---\ndata: {}": "3: a second document begins here; a configuration is one",
    "- a": "1: a configuration is a mapping of sections (data, metrics, policy, report, ignore)",
    "1: 2": "1: a key is a word",
    "[a]: 2": "1: a key is a word",
    "x: &x {include_tests: true}\ndata:\n  <<: *x": "1: merge keys (<<) are not read here; write the keys out",
    "data: *gone": "1: the alias *gone names no anchor",
    "data: &x [*x]": "1: the alias *x stands inside what it names",
    "data: " + "[" * 200 + "]" * 200: "1: nested deeper than 100 levels: the rest is not read",
    "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join(['*' + a] * 10)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)): (
        "6: the alias *e unfolds to more than is read"
    ),
    "policy:\n  invariants:\n  - metric: overall_agent_health\n    op: >=\n    value: 0.7": (
        "(an operator needs quotes: op: '<=')"
    ),
}


@pytest.mark.parametrize(("text", "told"), BROKEN.items(), ids=list(BROKEN.values()))
def test_a_file_that_is_no_configuration_ends_with_its_line(project: Project, text: str, told: str) -> None:
    project.write(FILE, text + "\n")
    for command in (["config", "validate"], ["analyze"]):
        said = project.run(*command)
        assert (said.code, said.out) == (2, "")
        assert f"{FILE}:" in said.err
        assert told in said.err


def test_what_is_too_large_or_binary_is_refused(project: Project) -> None:
    project.write(FILE, "#" * 1_000_001)
    assert "agent-architecture.yaml: has 1000001 bytes, more than the limit" in project.run("analyze").err
    project.write(FILE, "data: \0\n")
    assert "agent-architecture.yaml: is binary" in project.run("analyze").err


def test_a_broken_section_of_a_pyproject_is_refused_and_a_broken_file_without_one_is_not_ours(project: Project) -> None:
    project.write("pyproject.toml", "[tool.agent-architecture.data]\nlanguage = 'go'\n")
    said = project.run("analyze")
    assert said.err == ("error: pyproject.toml:2: data.language: is 'go', not one of auto python typescript\n")
    project.write("pyproject.toml", "[tool.agent-architecture.data]\nlanguage = 'python'\n[tool.x\n")
    assert project.run("analyze").err.startswith("error: pyproject.toml:3: TOML: ")
    project.write("pyproject.toml", "[tool.x\n")
    assert project.run("analyze", "-q").code == 0


def test_a_table_that_toml_forbids_to_write_twice_is_refused(project: Project) -> None:
    project.write("pyproject.toml", "[tool.agent-architecture.data]\n[tool.agent-architecture.data]\n")
    said = project.run("analyze")
    assert (said.code, said.err.startswith("error: pyproject.toml:2: TOML: Cannot declare")) == (2, True)


def test_analyze_tells_the_first_mistake_and_counts_the_others(project: Project) -> None:
    project.write(FILE, "data:\n  languge: python\n  include_tests: 3\n")
    said = project.run("analyze")
    assert said.err == (
        f"error: {FILE}:2: data.languge: there is no such key; did you mean language? "
        "(1 more: `config validate` lists them)\n"
    )


@pytest.mark.parametrize(
    "name", ["/etc/report.json", "../report.json", "C:\\report.json", ".git/config", "out/link.json"]
)
def test_a_configuration_cannot_write_outside_its_folder(project: Project, name: str) -> None:
    """The file belongs to the scanned project, which may be anybody's."""
    (project.root / "out").mkdir()
    (project.root / "out" / "link.json").symlink_to(os.devnull)
    project.write(FILE, f"report:\n  file: '{name}'\n")
    said = project.run("analyze")
    assert (said.code, "is not below this file's folder" in said.err) == (2, True)
    assert f"{FILE}:2: report.file" in said.err


def test_a_link_out_of_the_repository_is_not_obeyed(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text("password: x\n")
    (project.root / FILE).symlink_to(outside)
    said = project.run("analyze")
    assert (said.code, "is a link out of the repository" in said.err) == (2, True)
    assert "password" not in said.err


PIECES = [*"{}[]:,-#&*!|>'\"%@` \n", "data", "ignore", "<<", "policy: ", "\n  ", "- ", "&a ", "*a"]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join))


@given(text=TEXTS, name=st.sampled_from([FILE, "pyproject.toml"]))
@settings(deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
def test_whatever_stands_in_a_file_it_is_obeyed_or_refused_with_its_name(
    tmp_path_factory: pytest.TempPathFactory, text: str, name: str
) -> None:
    file = tmp_path_factory.mktemp("any") / name
    head = "[tool.agent-architecture]\n" if name == "pyproject.toml" else ""
    file.write_bytes((head + text).encode("utf-8", "surrogatepass"))
    told = ""
    try:
        found = read_file(file, name)
        if found is not None:
            source_of_file(found)(Config())
    except ConfigurationError as error:
        told = str(error)
    assert not told or told.startswith(f"{name}:")
