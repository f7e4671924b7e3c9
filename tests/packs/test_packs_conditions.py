"""Rows that hold only for some calls: `when` asks for what must be there, `unless` for what must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.errors import PackError
from agent_architecture.model.system import AgentSystem
from agent_architecture.semantics.packs.packs import load_packs

PACK = """
[framework]
id = "x"

[[package]]
pypi = "x"
verified = "1.0"

[[entity]]
kind = "run"
call = "py:x:ask"
relations.tools = "tools"
when = "tools"

[[entity]]
kind = "model_call"
call = "py:x:ask"
relations.tools = "tools"
unless = "{name}"
"""


def understand(folder: Path) -> AgentSystem:
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    return pipeline.understand_agents(walked, packs, versions, program)


def load(folder: Path, name: str) -> None:
    (folder / "x.toml").write_text(PACK.replace("{name}", name), encoding="utf-8")
    load_packs(folder)


def test_unless_names_something_that_the_row_reads(tmp_path: Path) -> None:
    load(tmp_path, "tools")
    with pytest.raises(PackError, match="'unless' names 'messages', which this row does not read"):
        load(tmp_path, "messages")


def test_a_condition_may_be_an_address(tmp_path: Path) -> None:
    load(tmp_path, "config.tools[].=function | 0.tools")
    with pytest.raises(PackError, match="is no address"):
        load(tmp_path, "config..tools")


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("{ model, prompt: 'x', tools: { t: {} } }", "run"),
        ("{ model, prompt: 'x', ...options }", "run"),
        ("{ model, prompt: 'x' }", "model_call"),
        ("{ model, prompt: 'x', tools: undefined }", "model_call"),
        ("{ model, prompt: 'x', tools: null }", "model_call"),
    ],
)
def test_of_two_rows_with_opposite_conditions_exactly_one_holds(tmp_path: Path, options: str, kind: str) -> None:
    code = f"import {{ generateText }} from 'ai';\nexport const ask = (model, options) =>\n  generateText({options});\n"
    (tmp_path / "main.ts").write_text(code, encoding="utf-8")
    system = understand(tmp_path)
    found = ["run" for _ in system.sites] + ["model_call" for _ in system.model_calls]
    assert found == [kind]


@pytest.mark.parametrize(
    ("argument", "holds"),
    [
        ("allow_code_execution=True", True),
        ("allow_code_execution=SWITCH", True),
        ("allow_code_execution=False", False),
        ("allow_code_execution=ask()", False),
        ("allow_code_execution=True if ask() else False", True),
        ("max_iter=3", False),
    ],
)
def test_a_row_may_require_the_value_of_an_argument(tmp_path: Path, argument: str, *, holds: bool) -> None:
    code = f"from crewai import Agent\n\nSWITCH = True\nagent = Agent(role='a', {argument})\n"
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("crewai==1.13.0\n", encoding="utf-8")
    system = understand(tmp_path)
    assert bool(system.code_sinks) is holds


def test_a_row_may_hold_before_a_version_alone(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "from crewai import Agent\n\nAgent(role='a', allow_code_execution=True)\n", "utf-8"
    )
    found = []
    for version in ("1.13.9", "1.14.0"):
        (tmp_path / "requirements.txt").write_text(f"crewai=={version}\n", encoding="utf-8")
        found.append(bool(understand(tmp_path).code_sinks))
    assert found == [True, False]


@pytest.mark.parametrize(
    ("argument", "holds"),
    [
        ("code_execution_config={'use_docker': False}", True),
        ("code_execution_config=False", False),
        ("code_execution_config=False if ask() else {}", True),
        ("code_execution_config=ask()", True),
        ("max_consecutive_auto_reply=3", True),
    ],
)
def test_a_row_may_forbid_the_value_of_an_argument(tmp_path: Path, argument: str, *, holds: bool) -> None:
    code = f"from autogen import UserProxyAgent\n\nproxy = UserProxyAgent('user', {argument})\n"
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    system = understand(tmp_path)
    assert bool(system.code_sinks) is holds
