"""One fix of every rule that has some, in both languages where both have it: what it changes, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from folders import repaired, written

from agent_architecture.config import ChoiceConfig, Config
from agent_architecture.fixing.edit import Applicability
from agent_architecture.semantics.packs.compiled import shipped_packs

if TYPE_CHECKING:
    from pathlib import Path

AGENT = 'from agents import Agent, Runner\n\nclerk = Agent(name="clerk")\n'
TOOL = """\
from agents import Agent, Runner, function_tool


@function_tool
def look_up(order: int) -> str:
    \"\"\"Look an order up.\"\"\"
    return "shipped"


clerk = Agent(name="clerk", tools=[look_up])
"""
TS_TOOL = """\
import { Agent, run, tool } from "@openai/agents";
const lookUp = tool({ name: "look_up", description: "Look up", execute: async () => "shipped" });
const clerk = new Agent({ name: "clerk", tools: [lookUp] });
"""
ANSWERED = """\
from agents import Agent, Runner, function_tool


@function_tool
def look(order: str) -> str:
    return "shipped"


clerk = Agent(name="clerk", tools=[look])


def answer(inputs):
    return Runner.run_sync(clerk, inputs["question"]).final_output
"""
CI = "on: push\njobs:\n  evals:\n    runs-on: ubuntu-latest\n    steps:\n      - run: python evals/run.py\n"


CONFIG = (
    "RunConfig(tool_execution=ToolExecutionConfig(max_function_tool_concurrency=4), trace_include_sensitive_data=False)"
)


class Example(NamedTuple):
    """A project, and what a fix of a rule changes in it: `old` becomes `new` in the first file."""

    key: str
    files: dict[str, str]
    changes: tuple[tuple[str, str], ...]
    safe: bool = False


EXAMPLES = [
    Example(
        "loop_guard_absence",
        {"main.py": f'{TOOL}Runner.run_sync(clerk, "hello")\n'},
        (('"hello")', '"hello", max_turns=20)'),),
    ),
    Example(
        "loop_guard_absence",
        {"main.ts": f'{TS_TOOL}await run(clerk, "hello");\n'},
        (('"hello")', '"hello", { maxTurns: 20 })'),),
    ),
    Example(
        "cost_budget_enforcement_gap",
        {"main.py": f'{AGENT}Runner.run_sync(clerk, "hello")\n'},
        (
            ("Agent, Runner", "Agent, Runner, ModelSettings"),
            ('name="clerk")', 'name="clerk", model_settings=ModelSettings(max_tokens=4000))'),
        ),
    ),
    Example(
        "cost_budget_enforcement_gap",
        {"main.ts": f'{TS_TOOL}await run(clerk, "hello", {{ maxTurns: 5 }});\n'},
        (("tools: [lookUp] })", "tools: [lookUp], modelSettings: { maxTokens: 4000 } })"),),
    ),
    Example(
        "fanout_control_absence",
        {"main.ts": f'{TS_TOOL}await run(clerk, "hello", {{ maxTurns: 5 }});\n'},
        (("maxTurns: 5 }", "maxTurns: 5, toolExecution: { maxFunctionToolConcurrency: 4 } }"),),
        safe=True,
    ),
    Example(
        "fanout_control_absence",
        {"main.py": f'{TOOL}Runner.run_sync(clerk, "hello", max_turns=5)\n'},
        (
            ("Runner, function_tool", "Runner, function_tool, RunConfig, ToolExecutionConfig"),
            (
                "max_turns=5)",
                f"max_turns=5, run_config={CONFIG})",
            ),
        ),
    ),
    Example(
        "retry_storm_risk",
        {
            "main.py": "from openai import OpenAI, RateLimitError\n"
            "from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_fixed\n"
            f"{AGENT}Runner.run_sync(clerk, 'hello')\n"
            "client = OpenAI(max_retries=0)\n\n\n"
            "@retry(stop=stop_after_attempt(3), wait=wait_fixed(2), retry=retry_if_exception_type(RateLimitError))\n"
            "def ask(text):\n    return client.responses.create(model='gpt-5', input=text)\n"
        },
        (
            ("stop_after_attempt, wait_fixed", "stop_after_attempt, wait_fixed, wait_random_exponential"),
            ("wait=wait_fixed(2)", "wait=wait_random_exponential(max=30)"),
        ),
        safe=True,
    ),
    Example(
        "mcp_tool_annotation_gap",
        {
            "main.py": "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('orders')\n\n\n"
            "@mcp.tool()\ndef look_up(order: str) -> str:\n    return 'shipped'\n",
            "requirements.txt": "mcp==1.20.0\n",
        },
        (
            ("import FastMCP\n", "import FastMCP\nfrom mcp.types import ToolAnnotations\n"),
            ("@mcp.tool()", "@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))"),
        ),
        safe=True,
    ),
    Example(
        "mcp_tool_annotation_gap",
        {
            "main.ts": 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n'
            'const server = new McpServer({ name: "orders", version: "1.0.0" });\n'
            'server.registerTool("look_up", { description: "Look up" }, async () => ({ content: [] }));\n'
        },
        (('"Look up" }', '"Look up", annotations: { readOnlyHint: true } }'),),
        safe=True,
    ),
    Example(
        "tool_state_limits_score",
        {
            "main.py": "from functools import lru_cache\n"
            f"{TOOL.replace('def look_up', 'def look')}\n\n"
            "@lru_cache(maxsize=None)\ndef rhyme(word: str) -> str:\n    return word[::-1]\n\n\n"
            "@function_tool\ndef rhymes(word: str) -> str:\n    return rhyme(word)\n\n\n"
            'Runner.run_sync(Agent(name="poet", tools=[rhymes]), "hello")\n'
        },
        (("maxsize=None", "maxsize=1024"),),
        safe=True,
    ),
    Example(
        "sensitive_data_exposure_gap",
        {
            "main.py": 'from pydantic_ai import Agent\n\nloud = Agent("openai:gpt-5", instrument=True)\n'
            'loud.run_sync("hello")\n'
        },
        (
            ("import Agent\n", "import Agent\nfrom pydantic_ai.agent import InstrumentationSettings\n"),
            ("instrument=True", "instrument=InstrumentationSettings(include_content=False)"),
        ),
    ),
    Example(
        "schema_validation_gap",
        {
            "main.ts": 'import { generateText, tool } from "ai";\nimport { z } from "zod";\n'
            "const look = tool({ inputSchema: z.object({ q: z.string().max(9) }), execute: async ({ q }) => q });\n"
            'await generateText({ model: "openai/gpt-5", prompt: "hello", tools: { look } });\n'
        },
        (("z.object(", "z.strictObject("),),
    ),
    Example(
        "schema_validation_gap",
        {
            "main.py": "from typing import Annotated\nfrom pydantic import Field\n"
            "from agents import Agent, Runner, function_tool\n\n\n"
            "@function_tool(strict_mode=False)\n"
            "def look_up(order: Annotated[str, Field(max_length=9)]) -> str:\n    return order\n\n\n"
            'Runner.run_sync(Agent(name="clerk", tools=[look_up]), "hello")\n'
        },
        (("strict_mode=False", "strict_mode=True"),),
    ),
    Example(
        "mcp_structured_output_gap",
        {
            "main.py": "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('orders')\n\n\n"
            "@mcp.tool(structured_output=False)\n"
            "def look_up(order: str) -> dict[str, str]:\n    return {'id': order}\n\n\nmcp.run()\n"
        },
        (("structured_output=False", "structured_output=True"),),
    ),
    Example(
        "agent_eval_maturity_gap",
        {
            "evals/run.py": "from langsmith import evaluate\nfrom main import answer\n\n\n"
            "def right(outputs, reference_outputs):\n    return outputs['answer'] == reference_outputs['answer']\n\n\n"
            "def calls(outputs, reference_outputs):\n"
            "    return [c.name for c in outputs['messages'][-1].tool_calls] == reference_outputs['tools']\n\n\n"
            'evaluate(answer, data="questions", evaluators=[right, calls])\n',
            "main.py": ANSWERED,
            ".github/workflows/ci.yml": CI,
        },
        (("[right, calls])", "[right, calls], num_repetitions=3)"),),
    ),
    Example(
        "agent_code_execution_sandbox_gap",
        {
            "main.py": "from smolagents import CodeAgent, InferenceClientModel\n\n"
            "agent = CodeAgent(tools=[], model=InferenceClientModel())\nagent.run('hello')\n"
        },
        (("InferenceClientModel())", 'InferenceClientModel(), executor_type="docker")'),),
    ),
    Example(
        "mcp_shadow_server_risk",
        {
            "main.py": "from fastmcp import FastMCP\n\nmcp = FastMCP('orders')\n"
            'mcp.run(transport="http", host="0.0.0.0", port=9000)\n'
        },
        (('host="0.0.0.0"', 'host="127.0.0.1"'),),
    ),
    Example(
        "memory_unbounded",
        {
            "main.ts": 'import { createAgent, summarizationMiddleware } from "langchain";\n'
            'const cut = summarizationMiddleware({ model: "openai:gpt-5" });\n'
            'await createAgent({ model: "openai:gpt-5", tools: [], middleware: [cut] }).invoke({ messages: [] });\n'
        },
        (('{ model: "openai:gpt-5" })', '{ model: "openai:gpt-5", trigger: { tokens: 8000 } })'),),
    ),
    Example(
        "deadlock_risk",
        {
            "main.py": f"import queue\n{AGENT}answers = queue.Queue()\n\n\n"
            "def ask(text):\n    answers.put(Runner.run_sync(clerk, text))\n    return answers.get()\n\n\n"
            'ask("hello")\n'
        },
        (("answers.get()", "answers.get(timeout=60)"),),
    ),
    Example(
        "handoff_input_filter_gap",
        {
            "main.py": 'from agents import Agent, Runner, handoff\n\nfaq = Agent(name="faq")\n'
            'desk = Agent(name="desk", handoffs=[handoff(faq)])\nRunner.run_sync(desk, "hello", max_turns=5)\n'
        },
        (
            ("Runner, handoff\n", "Runner, handoff\nfrom agents.extensions import handoff_filters\n"),
            ("handoff(faq)", "handoff(faq, input_filter=handoff_filters.remove_all_tools)"),
        ),
    ),
    Example(
        "tool_approval_bypass_risk",
        {
            "main.ts": 'import { query } from "@anthropic-ai/claude-agent-sdk";\n\n'
            'const options = { permissionMode: "bypassPermissions" };\n'
            'for await (const message of query({ prompt: "Clean up", options })) {\n'
            "  console.log(message.type);\n}\n"
        },
        (('"bypassPermissions"', '"default"'),),
    ),
    Example(
        "credential_scoping_gap",
        {
            "main.py": "import os\nfrom mcp import StdioServerParameters, stdio_client\n\n"
            'server = StdioServerParameters(command="orders", env=os.environ.copy())\n\n\n'
            "async def main():\n    async with stdio_client(server) as streams:\n        print(streams)\n"
        },
        (
            ("stdio_client\n\n", "stdio_client\nfrom mcp.client.stdio import get_default_environment\n\n"),
            ("os.environ.copy()", "get_default_environment()"),
        ),
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.key}-{next(iter(example.files))}")
def test_a_fix_changes_what_it_is_for_and_nothing_else(example: Example, tmp_path: Path) -> None:
    folder = written(tmp_path, example.files)
    config = Config(choice=ChoiceConfig(select=(example.key,)))
    done = repaired(folder, config)
    path, text = next(iter(example.files.items()))
    for old, new in example.changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert {name: after.decode() for name, after in done.texts.items()} == {path: text}
    assert bool(repaired(folder, config, unsafe=False).texts) == example.safe
    assert all((repair.applicability is Applicability.SAFE) == example.safe for repair in done.repairs)


def test_every_pack_writes_fixes_in_its_own_language() -> None:
    """A name to import is a module's of the row's ecosystem, and a value of npm has no Python in it."""
    for row in shipped_packs().fixes:
        if row.edit is not None:
            values = [row.edit.way.value, *(value for _, value in (*row.edit.way.keys, *row.edit.way.fills))]
            wrong = {"pypi": {"true", "false", "null"}, "npm": {"True", "False", "None"}}[row.ecosystem]
            assert wrong.isdisjoint(values), row.where
