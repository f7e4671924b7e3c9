"""What closes a gap: the line for its library and version, with the project's names, never what is there already."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from contract_world import detector_of, span, tool

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.detector import Detector, Verdict, gap
from agent_architecture.fixes import advice, in_words, plain
from agent_architecture.model.effects import Parameter, ParameterKind, Schema
from agent_architecture.model.system import Binding, Fix, Site, SiteKind, Tool
from agent_architecture.registry import judge_one, load, load_one
from agent_architecture.semantics.manifests.ranges import is_below
from agent_architecture.semantics.packs.packs import load_packs
from agent_architecture.semantics.packs.rows import FixRow
from agent_architecture.semantics.topics.fixes.stated_steps import Stated, with_room

PARTS = {"size": "Bound its size.", "age": "Let entries expire."}
LINE = Fix("deadlock_risk", "ag2", "pypi", "@tool(ask=True)")
NAMED = Fix("deadlock_risk", "ag2", "pypi", 'ask={"<tool>": True}')
ARGUED = Fix("deadlock_risk", "ag2", "pypi", "<argument>: Annotated[<its type>, Field(<bounds>)]")
SIZE_ONLY = LINE._replace(text="Memory(size=10)", parts=("size",))


def detector() -> Detector:
    return detector_of("deadlock_risk")._replace(parts=PARTS)


def lacking(*lacks: str, name: str = "search", line: int = 1) -> Verdict:
    return gap(tool(framework="ag2", symbol=name, line=line), "no limit", lacks=lacks)


# --------------------------------------------------------------------------------------------------------------- names
def test_a_line_names_the_tool_in_its_own_place() -> None:
    assert advice(detector(), [lacking(name="pay")], [NAMED]) == 'ask={"pay": True}'


def test_a_line_without_a_place_names_the_tools_in_a_comment() -> None:
    gaps = [lacking(name=name) for name in ("pay", "mail", "drop", "post", "pay")]
    assert advice(detector(), gaps, [LINE]) == "@tool(ask=True)  # for pay, mail, drop and 1 more"
    commented = LINE._replace(text="@tool(ask=True)  # since 2.0")
    assert advice(detector(), gaps[:1], [commented]) == "@tool(ask=True)  # for pay; since 2.0"


def test_a_line_with_a_place_names_the_other_tools_in_a_comment() -> None:
    gaps = [lacking(name=name) for name in ("pay", "mail", "drop", "pay")]
    assert advice(detector(), gaps, [NAMED]) == 'ask={"pay": True}  # and for mail, drop'


def taking(*parameters: Parameter) -> Verdict:
    found = tool(framework="ag2", symbol="pay")._replace(schema=Schema(parameters))
    return gap(found, "no limit")


def argument(name: str, kind: ParameterKind, *fields: Parameter) -> Parameter:
    return Parameter(name, kind, span(), fields)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ([argument("id", ParameterKind.BOUNDED), argument("note", ParameterKind.FREE)], "note"),
        ([argument("note", ParameterKind.FREE), argument("options", ParameterKind.UNTYPED)], "options"),
        (
            [
                argument("note", ParameterKind.FREE),
                argument("page", ParameterKind.STRUCTURE, argument("rest", ParameterKind.UNTYPED)),
            ],
            "page",
        ),
        ([argument("id", ParameterKind.BOUNDED), argument("kind", ParameterKind.CLOSED)], "id"),
        ([argument("x: 1}) + evil({", ParameterKind.UNTYPED), argument("note", ParameterKind.FREE)], "note"),
    ],
)
def test_a_line_names_the_argument_that_the_gap_is_about(parameters: list[Parameter], named: str) -> None:
    line = f"{named}: Annotated[<its type>, Field(<bounds>)]  # for pay"
    assert advice(detector(), [taking(*parameters), lacking(name="mail")], [ARGUED]) == line


def test_a_tool_of_which_no_argument_can_be_read_gets_words() -> None:
    unreadable = taking(argument("**", ParameterKind.UNTYPED), argument("a b", ParameterKind.FREE))
    assert advice(detector(), [taking()], [ARGUED]) == advice(detector(), [unreadable], [ARGUED]) == "Bound it."


def test_the_tool_of_a_binding_is_named() -> None:
    pay = Tool(span(line=3), "pay", "ag2", "pay")
    binding = Binding(span(line=9), "clerk → pay", "ag2", tool=pay)
    assert advice(detector(), [gap(binding, "no limit")], [NAMED]) == 'ask={"pay": True}'


@pytest.mark.parametrize("name", ['x": 1}, evil(', "a b", "", "\u202eyap", "`rm`"])
def test_a_name_that_is_no_name_stays_out_of_the_line(name: str) -> None:
    assert advice(detector(), [lacking(name=name)], [NAMED]) == NAMED.text
    assert advice(detector(), [lacking(name=name)], [LINE]) == LINE.text


@pytest.mark.parametrize(
    ("symbol", "line"),
    [
        ("desk.ainvoke", "desk.ainvoke(state, limit=8)"),
        ("self.graph.stream", "self.graph.stream(state, limit=8)"),
        ("graph", "graph.invoke(state, limit=8)"),
        ('x").y', "graph.invoke(state, limit=8)"),
    ],
)
def test_a_line_that_runs_an_agent_calls_it_as_the_project_does(symbol: str, line: str) -> None:
    run = LINE._replace(text="<run:graph.invoke>(state, limit=8)")
    site = Site(span(line=3), symbol, "ag2", SiteKind.RUN)
    assert advice(detector(), [gap(site, "no limit")], [run]) == line
    assert plain(run.text) == "graph.invoke(state, limit=8)"


def test_only_what_lacks_the_same_is_named() -> None:
    gaps = [lacking("size", name="pay"), lacking("age", name="mail")]
    assert advice(detector(), gaps, [SIZE_ONLY]) == "Memory(size=10)  # for pay"


def test_what_is_no_tool_is_not_named() -> None:
    site = Site(span(line=3), "tracer", "ag2", SiteKind.RUN)
    assert advice(detector(), [gap(site, "no limit")], [LINE]) == LINE.text


def test_where_there_is_no_project_the_places_stand() -> None:
    assert plain(NAMED.text) == NAMED.text
    assert plain("<agent:create_agent|create_deep_agent>(model)") == "create_agent(model)"


# ---------------------------------------------------------------------------------------------------- what is missing
def test_a_line_that_brings_what_is_there_is_not_recommended() -> None:
    assert advice(detector(), [lacking("age")], [SIZE_ONLY]) == "Let entries expire."
    assert advice(detector(), [lacking("size", "age")], [SIZE_ONLY]).startswith("Memory(size=10)")
    assert advice(detector(), [lacking("age")], [SIZE_ONLY, LINE]).startswith("@tool")


def test_words_speak_of_what_is_missing_alone() -> None:
    assert in_words(detector(), lacking("size")) == "Bound its size."
    assert in_words(detector(), lacking("age", "size")) == "Bound it."
    assert in_words(detector(), lacking()) == "Bound it."


@pytest.mark.parametrize("found", load(), ids=lambda found: found.key)
def test_the_parts_of_a_detector_are_sentences(found: Detector) -> None:
    assert all(text[0].isupper() and text.endswith(".") for text in (found.fix, *found.parts.values()))


# ------------------------------------------------------------------------------------------------------------- prompts
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


@pytest.mark.parametrize(("count", "limit"), [("5", 10), ("40", 40), ("900", 10), ("some", 10)])
def test_a_limit_leaves_room_for_what_the_prompt_asks_for(tmp_path: Path, count: str, limit: int) -> None:
    (tmp_path / "main.py").write_text(ASKED.replace("{count}", count), encoding="utf-8")
    walked = pipeline.read_sources([tmp_path], Config())
    packs, versions, program = pipeline.understand_names(walked)
    system = pipeline.understand_agents(walked, packs, versions, program)
    guard = load_one("loop_guard_absence")
    gaps = [verdict for verdict in judge_one(guard, system).verdicts if verdict.risk]
    assert [f"max_turns={limit})" in advice(guard, [verdict], system.fixes) for verdict in gaps] == [True]


def test_a_graph_takes_two_steps_for_each_call() -> None:
    line = '<run:graph.invoke>(state, config={"recursion_limit": 25})'
    assert '"recursion_limit": 61}' in with_room(line, Stated(30))
    assert with_room("stopWhen: stepCountIs(10),", Stated(12)) == "stopWhen: stepCountIs(12),"
    assert with_room("timeout=10", Stated(12, 5000)) == "timeout=10"


# ------------------------------------------------------------------------------------------------------------ versions
PROGRAM = """\
import { generateText, tool } from "ai";
import { z } from "zod";

const refund = tool({
  inputSchema: z.object({ order: z.string() }),
  execute: async ({ order }) => fetch("https://shop.example/refund", { method: "POST", body: order }),
});

export const answer = (prompt: string) => generateText({ model: "openai/gpt-5", tools: { refund }, prompt });
"""


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("6.0.3", "needsApproval: true, // for refund"),
        ("7.0.100", 'toolApproval: { refund: "user-approval" },'),
    ],
)
def test_a_line_is_for_the_version_that_is_installed(tmp_path: Path, version: str, line: str) -> None:
    (tmp_path / "main.ts").write_text(PROGRAM, encoding="utf-8")
    manifest = {"dependencies": {"ai": version, "zod": "4.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    walked = pipeline.read_sources([tmp_path], Config())
    packs, versions, program = pipeline.understand_names(walked)
    system = pipeline.understand_agents(walked, packs, versions, program)
    approval = load_one("human_approval_absence")
    gaps = [verdict for verdict in judge_one(approval, system).verdicts if verdict.risk]
    assert [advice(approval, [verdict], system.fixes) for verdict in gaps] == [line]


AGENTS = """\
from {package} import {maker}
from langchain_core.tools import tool


@tool
def refund(order: str) -> str:
    \"\"\"Pays an order back.\"\"\"
    return order


agent = {maker}("openai:gpt-5", tools=[refund])
agent.invoke({{"messages": []}})
"""


@pytest.mark.parametrize(
    ("package", "maker", "line"),
    [
        ("langchain.agents", "create_agent", "create_agent(model, tools, middleware=[policy])  # for refund; "),
        ("deepagents", "create_deep_agent", "create_deep_agent(model, tools, middleware=[policy])  # for refund; "),
    ],
)
def test_a_line_makes_the_agent_as_the_project_makes_it(tmp_path: Path, package: str, maker: str, line: str) -> None:
    (tmp_path / "main.py").write_text(AGENTS.format(package=package, maker=maker), encoding="utf-8")
    walked = pipeline.read_sources([tmp_path], Config())
    packs, versions, program = pipeline.understand_names(walked)
    system = pipeline.understand_agents(walked, packs, versions, program)
    policy = load_one("tool_policy_absence")
    gaps = [verdict for verdict in judge_one(policy, system).verdicts if verdict.risk]
    assert gaps
    assert all(advice(policy, [verdict], system.fixes).startswith(line) for verdict in gaps)
    elsewhere = [verdict._replace(span=verdict.span._replace(path="other.py")) for verdict in gaps]
    assert all(advice(policy, [verdict], system.fixes) == policy.fix for verdict in elsewhere)


# --------------------------------------------------------------------------------------------------------------- packs
@pytest.fixture(scope="module")
def rows() -> tuple[FixRow, ...]:
    return load_packs().fixes


def test_a_pack_has_one_line_for_each_gap_and_version(rows: tuple[FixRow, ...]) -> None:
    found = defaultdict[tuple[str, str, str, tuple[str, ...], tuple[str, ...]], list[FixRow]](list)
    for row in rows:
        made = (*row.edit.on, *row.edit.called) if row.edit is not None else ()  # an edit is for calls of its own
        found[row.detector, row.where.pack, row.ecosystem, row.parts, made].append(row)
    for place, same in found.items():
        ordered = sorted(same, key=lambda row: (bool(row.since), row.since))
        for older, newer in pairwise(ordered):
            assert older.before, f"{place}: {older.text} and {newer.text} hold for the same versions"
            assert not is_below(newer.since, older.before), f"{place}: {older.text} and {newer.text}"


def test_what_a_line_brings_is_a_part_of_its_detectors_control(rows: tuple[FixRow, ...]) -> None:
    parts = {found.key: set(found.parts) for found in load()}
    assert [row.text for row in rows if not set(row.parts) <= parts[row.detector]] == []
