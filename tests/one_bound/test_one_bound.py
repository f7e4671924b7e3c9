"""One number, wherever it is written, is one bound: every detector says the same of what it bounds.

The pages have the ways, with `USE(x)` in the place of what `x` bounds; here stand the uses. The first section of each
page says what all others are judged like.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent
from typing import Final, NamedTuple

import pytest

from agent_architecture.registry import judge_one, load_one
from page_checks import understand, write
from pages import Section, pages_in

ASKING: Final = (
    "loop_guard_absence",
    "memory_unbounded",
    "context_memory_limits_score",
    "retry_storm_risk",
    "cost_budget_enforcement_gap",
    "circuit_breaker_absence",
    "deadlock_risk",
    "fanout_control_absence",
    "tool_result_validation_gap",
)
"""The detectors that ask for bounds."""
PLACE: Final = re.compile(r"^( *)USE\((.*)\);?$", re.MULTILINE)
PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}


class Use(NamedTuple):
    """Something that a number bounds: what has to stand before it, and how it is written."""

    before: str
    written: str


LOOK: Final = """
from agents import Agent, Runner, function_tool


@function_tool
def look(place: str) -> str:
    return place[:200]
"""
TOOLS: Final = """
from openai import OpenAI

client = OpenAI()
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]


def look(arguments: str) -> str:
    return arguments[:200]
"""
ROUND: Final = """\
    answer = client.chat.completions.create(model="gpt-5", messages=messages, tools=TOOLS).choices[0].message
    messages.append(answer)
    for call in answer.tool_calls or []:
        messages.append({"role": "tool", "tool_call_id": call.id, "content": look(call.function.arguments)})
    if not answer.tool_calls:
        break
"""
START: Final = 'messages = [{"role": "user", "content": question}]\n'
LOOK_TS: Final = """
import { Agent, run, tool } from "@openai/agents";
import { z } from "zod";

const look = tool({
  name: "look",
  description: "Look somewhere.",
  parameters: z.object({ place: z.string() }),
  execute: async ({ place }) => place.slice(0, 200),
});
"""
TOOLS_TS: Final = """
import OpenAI from "openai";

const client = new OpenAI();
const tools = [{ type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } }];
const look = (given: string) => given.slice(0, 200);
"""
ROUND_TS: Final = """\
  const answer = (await client.chat.completions.create({ model: "gpt-5", messages, tools })).choices[0].message;
  messages.push(answer);
  for (const call of answer.tool_calls ?? []) {
    messages.push({ role: "tool", tool_call_id: call.id, content: look(call.function.arguments) });
  }
  if (!answer.tool_calls) break;
"""
START_TS: Final = 'const messages = [{ role: "user", content: question }];\n'
USES: Final = {
    "python": {
        "the turns of a run": Use(
            LOOK, 'Runner.run_sync(Agent(name="clerk", tools=[look]), question, max_turns=<LIMIT>)'
        ),
        "the passes of a loop": Use(TOOLS, START + "for _ in range(<LIMIT>):\n" + ROUND),
        "a counter": Use(TOOLS, START + "step = 0\nwhile step < (<LIMIT>):\n    step += 1\n" + ROUND),
        "a counter that leaves": Use(
            TOOLS, START + "step = 0\nwhile True:\n    step += 1\n    if step > (<LIMIT>):\n        break\n" + ROUND
        ),
        "the tokens of an answer": Use(
            TOOLS, START + "for _ in range(5):\n" + ROUND.replace("tools=TOOLS", "tools=TOOLS, max_tokens=<LIMIT>")
        ),
        "a window of messages": Use(
            TOOLS, START + "for _ in range(5):\n    messages = messages[-(<LIMIT>):]\n" + ROUND
        ),
        "the retries of a client": Use(
            TOOLS.replace("client = OpenAI()\n", ""),
            "client = OpenAI(max_retries=<LIMIT>)\n" + START + "for _ in range(5):\n" + ROUND,
        ),
        "a time-out": Use(
            "import queue\n" + LOOK + "\n\nwork: queue.Queue = queue.Queue()\n",
            "Runner.run_sync(Agent(name=work.get(timeout=<LIMIT>), tools=[look]), question, max_turns=5)",
        ),
    },
    "typescript": {
        "the turns of a run": Use(
            LOOK_TS, 'await run(new Agent({ name: "clerk", tools: [look] }), question, { maxTurns: <LIMIT> });'
        ),
        "the passes of a loop": Use(
            TOOLS_TS, START_TS + "for (let step = 0; step < (<LIMIT>); step++) {\n" + ROUND_TS + "}\n"
        ),
        "a counter that leaves": Use(
            TOOLS_TS,
            START_TS
            + "let step = 0;\nwhile (true) {\n  step += 1;\n  if (step > (<LIMIT>)) break;\n"
            + ROUND_TS
            + "}\n",
        ),
        "the tokens of an answer": Use(
            TOOLS_TS,
            START_TS
            + "for (let step = 0; step < 5; step++) {\n"
            + ROUND_TS.replace("messages, tools", "messages, tools, max_tokens: <LIMIT>")
            + "}\n",
        ),
        "a window of messages": Use(
            TOOLS_TS,
            START_TS.replace("const", "let")
            + "for (let step = 0; step < 5; step++) {\n  messages = messages.slice(-(<LIMIT>));\n"
            + ROUND_TS
            + "}\n",
        ),
        "the retries of a client": Use(
            TOOLS_TS.replace("const client = new OpenAI();\n", ""),
            "const client = new OpenAI({ maxRetries: <LIMIT> });\n"
            + START_TS
            + "for (let step = 0; step < 5; step++) {\n"
            + ROUND_TS
            + "}\n",
        ),
    },
}
WAYS: Final = {f"{name}: {s.name}": (name, s) for name in USES for s in PAGES[name].sections if s.blocks}
CASES: Final = [(way, use) for way, (name, _) in WAYS.items() for use in USES[name]]
FIRST: Final = {name: next(s for s in PAGES[name].sections if s.blocks) for name in USES}


def filled(section: Section, use: Use) -> Section:
    """A section with one use in the place of `USE(x)`."""

    def text(of: str) -> str:
        before = of.replace("import USE", dedent(use.before).strip("\n"))
        return PLACE.sub(lambda at: indent(use.written.replace("<LIMIT>", at[2]).rstrip("\n"), at[1]), before)

    return section._replace(blocks=tuple(block._replace(text=text(block.text)) for block in section.blocks))


def risks(section: Section, folder: Path) -> dict[str, list[float | None]]:
    """The risks that each of the detectors sees."""
    folder.mkdir(parents=True)
    write(section, folder)
    system, notices = understand(folder)
    assert notices == ()
    judged = {key: judge_one(load_one(key), system).verdicts for key in ASKING}
    return {key: sorted((verdict.risk for verdict in verdicts), key=str) for key, verdicts in judged.items()}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, list[float | None]]]:
    """What is said where the number stands in place."""
    folder = tmp_path_factory.mktemp("bounds")
    return {
        (name, what): risks(filled(FIRST[name], use), folder / name / what)
        for name, uses in USES.items()
        for what, use in uses.items()
    }


@pytest.mark.parametrize(("way", "use"), CASES)
def test_it_counts_the_same(
    way: str, use: str, plain: dict[tuple[str, str], dict[str, list[float | None]]], tmp_path: Path
) -> None:
    name, section = WAYS[way]
    assert risks(filled(section, USES[name][use]), tmp_path / "way") == plain[name, use]
