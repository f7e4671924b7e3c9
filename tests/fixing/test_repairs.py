"""What repairs write: minimal edits of real files that close a gap and keep the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from folders import repaired, written

from agent_architecture.config import ChoiceConfig, Config

if TYPE_CHECKING:
    from pathlib import Path

LOOPS = Config(choice=ChoiceConfig(select=("loop_guard_absence",)))
PYTHON = """\
from agents import Agent, Runner, function_tool, ModelSettings


@function_tool
def look_up(order: int) -> str:
    \"\"\"Look an order up.\"\"\"
    return "shipped"


clerk = Agent(name="clerk", tools=[look_up], model_settings=ModelSettings(max_tokens=500))
"""
TYPESCRIPT = """\
import { Agent, run, tool } from "@openai/agents";
const lookUp = tool({ name: "look_up", description: "Look up", execute: async () => "shipped" });
const clerk = new Agent({ name: "clerk", tools: [lookUp], modelSettings: { maxTokens: 500 } });
"""


@pytest.mark.parametrize(
    ("call", "fixed"),
    [
        ("Runner.run_sync(clerk, text)", "Runner.run_sync(clerk, text, max_turns=20)"),
        ("Runner.run_sync(clerk, text,)", "Runner.run_sync(clerk, text, max_turns=20,)"),
        ("Runner.run_sync(clerk, text, max_turns=None)", "Runner.run_sync(clerk, text, max_turns=20)"),
        ("Runner.run_sync(clerk, text, max_turns=5000)  # many", "Runner.run_sync(clerk, text, max_turns=20)  # many"),
        (
            "Runner.run_sync(\n    clerk,\n    text,  # the question\n)",
            "Runner.run_sync(\n    clerk,\n    text,  # the question\n    max_turns=20,\n)",
        ),
        (
            "Runner.run_sync(\n    clerk,\n    text  # the question\n)",
            "Runner.run_sync(\n    clerk,\n    text,  # the question\n    max_turns=20\n)",
        ),
        (
            "print(Runner.run_sync(clerk, str(len(text))))",
            "print(Runner.run_sync(clerk, str(len(text)), max_turns=20))",
        ),
    ],
)
def test_an_argument_is_put_into_a_python_call(call: str, fixed: str, tmp_path: Path) -> None:
    head = f'{PYTHON}text = "Where is order 7?"\n'
    done = repaired(written(tmp_path, {"main.py": head + call + "\n"}), LOOPS)
    assert done.texts["main.py"].decode() == head + fixed + "\n"


@pytest.mark.parametrize(
    ("call", "fixed"),
    [
        ("await run(clerk, text);", "await run(clerk, text, { maxTurns: 20 });"),
        ("await run(clerk, text, {});", "await run(clerk, text, { maxTurns: 20 });"),
        ("await run(clerk, text, { maxTurns: null });", "await run(clerk, text, { maxTurns: 20 });"),
        ("await run(clerk, text, { stream: false });", "await run(clerk, text, { stream: false, maxTurns: 20 });"),
        (
            "await run(clerk, text, {\n  stream: false, // at once\n});",
            "await run(clerk, text, {\n  stream: false, // at once\n  maxTurns: 20,\n});",
        ),
        ("await run(clerk, text, { ...given, });", "await run(clerk, text, { ...given, maxTurns: 20, });"),
    ],
)
def test_an_option_is_put_into_a_typescript_call(call: str, fixed: str, tmp_path: Path) -> None:
    head = f'{TYPESCRIPT}const text = "Where is order 7?";\nconst given = {{ stream: false }};\n'
    done = repaired(written(tmp_path, {"main.ts": head + call + "\n"}), LOOPS)
    assert done.texts["main.ts"].decode() == head + fixed + "\n"


@pytest.mark.parametrize(
    "call",
    ["Runner.run_sync(clerk, text, **options)", "Runner.run_sync(*arguments)"],
)
def test_a_call_that_something_is_spread_into_is_left_alone(call: str, tmp_path: Path) -> None:
    head = f'{PYTHON}import sys\ntext = "Where is order 7?"\noptions = {{}}\narguments = [clerk, text]\n'
    assert not repaired(written(tmp_path, {"main.py": head + call + "\n"}), LOOPS).texts


def test_lines_keep_their_ends(tmp_path: Path) -> None:
    head = f'{PYTHON}text = "Where is order 7?"\n'
    call, fixed = (
        "Runner.run_sync(\n    clerk,\n    text,\n)\n",
        "Runner.run_sync(\n    clerk,\n    text,\n    max_turns=20,\n)\n",
    )
    done = repaired(written(tmp_path, {"main.py": (head + call).replace("\n", "\r\n")}), LOOPS)
    assert done.texts["main.py"].decode() == (head + fixed).replace("\n", "\r\n")


def test_a_name_that_is_needed_is_imported(tmp_path: Path) -> None:
    before = 'from agents import Agent, Runner\n\nclerk = Agent(name="clerk")\nRunner.run_sync(clerk, "Hello")\n'
    done = repaired(written(tmp_path, {"main.py": before}))
    assert done.texts["main.py"].decode() == (
        "from agents import Agent, Runner, ModelSettings\n\n"
        'clerk = Agent(name="clerk", model_settings=ModelSettings(max_tokens=4000))\nRunner.run_sync(clerk, "Hello")\n'
    )


def test_nothing_is_done_where_the_name_means_something_else(tmp_path: Path) -> None:
    before = (
        "from agents import Agent, Runner\n\nModelSettings = dict\n"
        'clerk = Agent(name="clerk")\nRunner.run_sync(clerk, "Hello")\n'
    )
    assert not repaired(written(tmp_path, {"main.py": before})).texts
