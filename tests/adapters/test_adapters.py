"""What rows cannot say of graphs and hand-overs: who may come after whom, and whether a graph goes back."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from page_checks import understand

GRAPHS: Final[dict[str, tuple[str, str, int | set[tuple[str, str]]]]] = {
    "edges by name": ("main.py", """
from langgraph.graph import END, START, StateGraph
from langchain_openai import ChatOpenAI
model = ChatOpenAI(model="gpt-5")
def plan(state): return {"plan": model.invoke(state["question"])}
def write(state): return {"text": model.invoke(state["plan"])}
graph = StateGraph(dict)
graph.add_node("plan", plan)
graph.add_node("write", write)
graph.add_edge(START, "plan")
graph.add_edge("plan", "write")
graph.add_edge("write", END)
app = graph.compile()
""", 0),
    "a choice that goes back": ("main.py", """
from langgraph.graph import END, START, StateGraph
from langchain_openai import ChatOpenAI
model = ChatOpenAI(model="gpt-5")
def plan(state): return {"plan": model.invoke(state["question"])}
def check(state): return {"verdict": model.invoke(state["plan"])}
graph = StateGraph(dict)
graph.add_node("plan", plan)
graph.add_node("check", check)
graph.add_edge(START, "plan")
graph.add_edge("plan", "check")
graph.add_conditional_edges("check", lambda state: state["verdict"], {"again": "plan", "done": END})
app = graph.compile()
""", 1),
    "agents that hand over": ("main.py", """
from agents import Agent, Runner
clerk = Agent(name="clerk")
desk = Agent(name="desk", handoffs=[clerk])
Runner.run_sync(desk, "What is new?")
""", {("desk", "clerk")}),
    "agents that hand over, in TypeScript": ("main.ts", """
import { Agent, run } from "@openai/agents";
const clerk = new Agent({ name: "clerk" });
const desk = new Agent({ name: "desk", handoffs: [clerk] });
await run(desk, "What is new?");
""", {("desk", "clerk")}),
    "nobody hands over": ("main.py", """
from agents import Agent, Runner
clerk = Agent(name="clerk")
desk = Agent(name="desk")
Runner.run_sync(desk, "What is new?")
Runner.run_sync(clerk, "What is new?")
""", set()),
}  # fmt: skip


@pytest.mark.parametrize("name", GRAPHS)
def test_who_comes_after_whom(name: str, tmp_path: Path) -> None:
    file, code, expected = GRAPHS[name]
    (tmp_path / file).write_text(code, encoding="utf-8")
    system, notices = understand(tmp_path)
    assert not notices
    round_trips = len(system.feedback_paths)
    hand_overs = {(edge.source.symbol, edge.target.symbol) for edge in system.handoffs}
    assert (round_trips if isinstance(expected, int) else hand_overs) == expected
