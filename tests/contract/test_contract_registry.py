"""A detector is registered by its file, a file that breaks the form is named, a detector that raises stops alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from contract_world import detector_of, system, verdict_of, verdicts_of

from agent_architecture.detector import Severity
from agent_architecture.errors import UsageError
from agent_architecture.registry import MalformedDetectorError, in_order, judge, judge_one, load, load_one, resolve

SOURCE = """\
from agent_architecture.detector import Effort, Severity, detector, gap

@detector(title="T", impact=Severity.HIGH, effort=Effort.LOW, fix="Fix it.", references=("CWE-835",))
def {key}(system):
    for site in system.sites:
        yield gap(site, "nothing")
"""
SIGNALS = """
def signals(system, verdicts):
    return {"cost_budget_coverage_ratio": 0.5}
"""

Write = Callable[..., None]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Write]]:
    """An empty detector package and a function that writes a detector into it."""
    name = f"made_{abs(hash(tmp_path))}"
    root = tmp_path / name
    root.mkdir()
    (root / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(group: str, key: str, source: str = SOURCE, page: str | None = "# T\n\nText.\n") -> None:
        folder = root / group
        folder.mkdir(exist_ok=True)
        (folder / "__init__.py").touch()
        (folder / f"{key}.py").write_text(source.replace("{key}", key))
        if page is not None:
            (folder / f"{key}.md").write_text(page)

    yield name, write
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]


def test_detectors_come_in_contract_order_with_group_and_page(package: tuple[str, Write]) -> None:
    name, write = package
    write("coordination", "deadlock_risk")
    write("mcp", "mcp_auth_gap", page="# Auth\n\nWords.\n")
    write("reliability", "memory_unbounded")
    found = load(name)
    assert [(detector.key, detector.group) for detector in found] == [
        ("memory_unbounded", "reliability"),
        ("deadlock_risk", "coordination"),
        ("mcp_auth_gap", "mcp"),
    ]
    assert found[2].page == "# Auth\n\nWords.\n"
    assert found[2].impact is Severity.HIGH


def test_a_module_beside_the_groups_is_not_a_detector(package: tuple[str, Write], tmp_path: Path) -> None:
    name, write = package
    write("mcp", "mcp_auth_gap")
    (tmp_path / name / "bounds.py").write_text("raise RuntimeError('never imported')\n")
    assert [detector.key for detector in load(name)] == ["mcp_auth_gap"]


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (("mcp", "mcp_auth"), r"mcp_auth\.py: the contract has no key mcp_auth; the nearest is mcp_auth_gap"),
        (("a2a", "mcp_auth_gap"), r"mcp_auth_gap\.py: the contract puts mcp_auth_gap in the group mcp, not a2a"),
        (("mcp", "mcp_auth_gap", "x = 1"), r"mcp_auth_gap\.py: it must define mcp_auth_gap with @detector"),
        (("mcp", "mcp_auth_gap", SOURCE, None), r"mcp_auth_gap\.py: its page mcp_auth_gap\.md is missing"),
        (("mcp", "mcp_auth_gap", SOURCE + SIGNALS), r"owns no signal, so it must not define signals"),
        (("reliability", "cost_budget_enforcement_gap"), r"owns cost_budget_coverage_ratio, so it must define signals"),
    ],
)
def test_a_file_that_breaks_the_form_is_named(
    package: tuple[str, Write], broken: tuple[str, ...], message: str
) -> None:
    name, write = package
    write(*broken)
    with pytest.raises(MalformedDetectorError, match=message):
        load(name)


def test_one_detector_is_loaded_without_the_others(package: tuple[str, Write]) -> None:
    name, write = package
    write("mcp", "mcp_auth_gap")
    write("coordination", "deadlock_risk", "raise RuntimeError('imported')")
    assert load_one("arxo/agent-mcp-auth-gap", name).key == "mcp_auth_gap"
    with pytest.raises(UsageError, match="mcp_rug_pull_risk is not written yet"):
        load_one("mcp_rug_pull_risk", name)


@pytest.mark.parametrize(
    "name",
    [
        "agent_shell_capable",
        "agent_architecture.agent_shell_capable",
        "arxo/agent-shell-capable",
        "shell-capable",
        "agent_shell",
        "shell_cap",
    ],
)
def test_a_rule_may_be_named_by_key_rule_id_or_unique_beginning(name: str) -> None:
    assert resolve(name).name == "agent_shell_capable"


def test_a_name_that_means_several_rules_lists_them() -> None:
    with pytest.raises(UsageError, match="may mean mcp_tool_annotation_gap, mcp_tool_poisoning_risk"):
        resolve("mcp_tool")


@pytest.mark.parametrize("name", ["", "lop_guard_absense", "arxo/agent-lop-guard-absence"])
def test_an_unknown_name_gets_the_nearest(name: str) -> None:
    with pytest.raises(UsageError, match="nearest is " + ("loop_guard_absence" if name else "")):
        resolve(name)


def test_the_shipped_detectors_have_the_right_form() -> None:
    for detector in load():
        one = load_one(detector.rule_id)
        assert one == detector._replace(read_page=one.read_page)
        assert one.page == detector.page


def test_a_detector_that_raises_stops_itself_alone() -> None:
    def broken(_system: object) -> Iterator[object]:
        raise RecursionError("too deep")
        yield

    failing = detector_of("deadlock_risk")._replace(judge=broken)
    first, second = judge([failing, detector_of("mcp_auth_gap", verdicts_of(1.0))], system())
    assert (first.error, first.verdicts) == ("RecursionError: too deep", ())
    assert second.error is None
    assert len(second.verdicts) == 1


@pytest.mark.parametrize(
    "values",
    [
        {"trace_eval_coverage": 1.5},
        {"trace_eval_coverage": float("nan")},
        {"trace_eval_coverage": -0.1},
        {"trace_coverage": 1.0},
        {},
        {"trace_eval_coverage": 1.0, "error_coverage_ratio": 1.0},
    ],
)
def test_signals_out_of_the_contract_make_a_detector_fail(values: dict[str, float]) -> None:
    failed = judge_one(detector_of("trace_eval_regression_risk", signals=values), system())
    assert failed.error is not None
    assert failed.error.startswith("ValueError: ")


def test_a_count_is_a_whole_number() -> None:
    good = judge_one(detector_of("agent_shell_capable", signals={"agent_files_with_process": 3.0}), system())
    bad = judge_one(detector_of("agent_shell_capable", signals={"agent_files_with_process": 2.5}), system())
    assert good.error is None
    assert bad.error == "ValueError: agent_files_with_process is a count, which 2.5 is not"


def test_verdicts_are_put_in_the_order_of_their_places() -> None:
    late, early, other = verdict_of(1.0, 9), verdict_of(0.0, 2), verdict_of(None, 1, path="z.py")
    assert in_order([other, late, early]) == (early, late, other)
    assert in_order([late, early, other]) == (early, late, other)
