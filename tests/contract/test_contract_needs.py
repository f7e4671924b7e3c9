"""No line of advice, and no edit, goes against what a project's prompts and code require."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.system import AgentSystem
from agent_architecture.regexes import Sought
from agent_architecture.semantics.packs.packs import load_packs
from agent_architecture.semantics.packs.rows import FixRow
from agent_architecture.semantics.packs.stated_needs import NEEDS
from agent_architecture.semantics.packs.stated_texts import said


def read(folder: Path, text: str, name: str = "main.py") -> AgentSystem:
    (folder / name).write_text(text, encoding="utf-8")
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    return pipeline.understand_agents(walked, packs, versions, program)


@pytest.fixture(scope="module")
def rows() -> tuple[FixRow, ...]:
    return load_packs().fixes


# ------------------------------------------------------------------------------------------------------------- numbers
ASKED = """\
from agents import Agent, Runner, function_tool


@function_tool
def look_up(order: str) -> str:
    return order


# 90 steps of a comment are nobody's
desk = Agent(name="desk", instructions="Make up to {count} tool calls before you answer.", tools=[look_up])


def answer(question: str) -> str:
    return Runner.run_sync(desk, question, max_turns=None).final_output
"""

WRITER = """\
import anthropic

client = anthropic.Anthropic()
PROMPT = "Write a report of at least {length}."


def answer(question: str) -> str:
    message = client.messages.create(
        model="claude-sonnet-4-5", {thought}messages=[{{"role": "user", "content": PROMPT + question}}]
    )
    return message.content[0].text
"""


@pytest.mark.parametrize(
    ("length", "thought", "tokens"),
    [
        ("one page", "", 0),
        ("3,000 words", "", 6000),
        ("1500-word sections", "", 3000),
        ("3000 words", 'thinking={"type": "enabled", "budget_tokens": 4096}, ', 10096),
        ("1,900,000 words", "", 0),
    ],
)
def test_an_answer_has_room_for_what_the_prompt_and_the_thinking_ask_for(
    tmp_path: Path, length: str, thought: str, tokens: int
) -> None:
    system = read(tmp_path, WRITER.format(length=length, thought=thought))
    lines = [fix.text for fix in system.fixes if "max_output_tokens=" in fix.text and fix.framework == "openai"]
    assert [f"max_output_tokens={max(1000, tokens)})" in line for line in lines] == [True]


def test_an_edit_leaves_the_room_that_the_line_leaves(tmp_path: Path) -> None:
    system = read(tmp_path, ASKED.replace("{count}", "40"))
    written = {mend.way.value for mend in system.mends if mend.way.detector == "loop_guard_absence"}
    assert written == {"40"}


# ----------------------------------------------------------------------------------------------------- what is required
PARALLEL = """\
from strands import Agent, tool


@tool
def look_up(order: str) -> str:
    return order


# searches run in parallel
agent = Agent(tools=[look_up], system_prompt="{prompt}")
agent("Where is it?")
"""


def lines_of(system: AgentSystem, detector: str, framework: str, path: str) -> list[str]:
    return [
        fix.text
        for fix in system.fixes
        if (fix.detector, fix.framework) == (detector, framework) and (fix.files is None or path in fix.files)
    ]


@pytest.mark.parametrize(("prompt", "count"), [("Be brief.", 1), ("Look orders up in parallel.", 0)])
def test_no_line_takes_away_what_a_prompt_requires(tmp_path: Path, prompt: str, count: int) -> None:
    system = read(tmp_path, PARALLEL.format(prompt=prompt))
    assert len(lines_of(system, "fanout_control_absence", "strands", "main.py")) == count


def test_a_prompt_in_a_file_of_its_own_counts_and_a_readme_does_not(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("Tools run in parallel.\n", encoding="utf-8")
    system = read(tmp_path, PARALLEL.format(prompt="Be brief."))
    assert lines_of(system, "fanout_control_absence", "strands", "main.py")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "desk.md").write_text("Call tools simultaneously.\n", encoding="utf-8")
    system = read(tmp_path, PARALLEL.format(prompt="Be brief."))
    assert not lines_of(system, "fanout_control_absence", "strands", "main.py")


def test_what_code_requires_holds_for_its_file(tmp_path: Path) -> None:
    streaming = "import openai\n\nanswer = openai.OpenAI().responses.create(model='m', input='i', stream=True)\n"
    (tmp_path / "streams.py").write_text(streaming, encoding="utf-8")
    system = read(tmp_path, streaming.replace(", stream=True", ""))
    assert lines_of(system, "output_validation_gap", "openai", "main.py")
    assert not lines_of(system, "output_validation_gap", "openai", "streams.py")


STRICT = """\
from agents import Agent, Runner, function_tool


@function_tool(strict_mode=False)
def look_up(order: str) -> str:
    return order


desk = Agent(name="desk", tools=[look_up])
Runner.run_sync(desk, "hello", max_turns=5)
"""


def test_an_edit_is_not_made_where_what_is_written_excludes_it(tmp_path: Path) -> None:
    system = read(tmp_path, STRICT)
    assert any(mend.way.detector == "schema_validation_gap" for mend in system.mends)
    free = read(tmp_path, STRICT.replace("order: str", "order: dict[str, Any]"))  # no strict schema can say this
    assert not any(mend.way.detector == "schema_validation_gap" for mend in free.mends)


SAID = {
    "parallel": "Call the tools in parallel.",
    "whole_conversation": "You see the entire conversation.",
    "conversation": "Use the conversation so far.",
    "delegation": "Transfer the customer to billing.",
    "web": "Search the web.",
    "network_in_sandbox": "You have internet access.",
    "any_command": "Run any shell command.",
    "reachable": "EXPOSE 8080",
}
"""A text that states each need that a project says."""
WRITTEN = {
    "parallel": "parallel_tool_calls=True",
    "delegation": "allow_delegation=True",
    "web": "networkAccessEnabled: true",
    "network_in_sandbox": "network_mode='host'",
    "streamed": "streamText({",
    "tools": "tools=[look_up]",
    "optional": "z.string().optional()",
    "further_keys": "z.object({}).passthrough()",
}
"""Code that states each need that code writes."""
NOT_SAID = (
    "The sandbox has no internet access.",
    "Hand the results back.",
    "streaming services and toolsets",
    "strict=True, additionalProperties: false",
    "parallel_tool_calls=False",
    "the history of the company",
)


def _is_in(wording: Sought, text: str, *, is_code: bool) -> bool:
    found = said(wording.pattern, text.encode(), is_code=is_code)
    return wording.may_be_in(text.lower().encode()) and any(True for _ in found)


def test_each_need_is_stated_by_its_text_and_by_no_other() -> None:
    stated = {name: need.said for name, need in NEEDS.items() if need.said is not None}
    written = {name: need.written for name, need in NEEDS.items() if need.written is not None}
    assert (stated.keys(), written.keys()) == (SAID.keys(), WRITTEN.keys())
    assert [name for name, text in SAID.items() if not _is_in(stated[name], text, is_code=False)] == []
    assert [name for name, text in WRITTEN.items() if not _is_in(written[name], text, is_code=True)] == []
    every = [*stated.values(), *written.values()]
    assert [text for text in NOT_SAID if any(_is_in(one, text, is_code=False) for one in every)] == []


FOUND = (
    b"In parallel simultaneously concurrently at the same time parallelToolCalls: true kickoff_for_each_async",
    b"whole conversation, entire chat, full message, complete dialogue",
    b"message history, previous turns, earlier messages, prior messages, past exchanges, messages so far",
    b"discussion above, hand over to, handed off to, delegate it to, escalates to",
    b"browse the internet, any website, any web page, any site, any url, any domain, webSearchMode: live",
    b"it has full network access, can use the internet",
    b"install the needed packages, pip install, allowInternetAccess: true",
    b"network_enabled=True arbitrary terminal commands",
    b"astream_events( stream=True .textStream toUIMessageStream( toUIMessage( sub_agents= subAgents:",
    b".default( .record(",
    b"Dict[str, Any] **kwargs additionalProperties: true looseObject( .loose( .catchall( extra='allow'",
)


def test_what_a_pattern_finds_has_one_of_its_words() -> None:
    wordings = [w for need in NEEDS.values() for w in (need.said, need.written) if w is not None]
    found = [(w, match[0].lower()) for w in wordings for text in FOUND for match in w.pattern.finditer(text)]
    assert len(found) > len(wordings)
    assert [text for wording, text in found if not any(word in text for word in wording.words)] == []


def test_each_need_is_one_that_a_row_goes_against(rows: tuple[FixRow, ...]) -> None:
    assert {word for row in rows for word in row.against} == set(NEEDS)


def test_a_line_of_a_pack_has_no_name_of_an_example(rows: tuple[FixRow, ...]) -> None:
    """What a project has already, a line names as the project does, or leaves a place for it."""
    example = re.compile(
        r"refund|\border\b|\bOrder\b|triage|\bshop\b|gpt-|clerk|look_up|weather|\bpath:|\bcity\b|\bquery:"
    )
    assert [row.text for row in rows if example.search(row.text)] == []
