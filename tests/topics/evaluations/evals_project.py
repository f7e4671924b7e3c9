"""Small projects on disk, and what the pipeline understands of their evaluations."""

from __future__ import annotations

from pathlib import Path

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.system import AgentSystem, EvalSuite

AGENT = """
from langchain.agents import create_agent

agent = create_agent("openai:gpt-5", tools=[str.upper])


def answer(question):
    return agent.invoke({"messages": [("user", question)]})["messages"][-1].content
"""
"""A Python application with one agent call site."""

LOOP = """
import openai

client = openai.OpenAI()


def ask(items):
    return client.responses.create(model="gpt-5", input=items)


def answer(items):
    for _ in range(8):
        reply = ask(items)
        items += reply.output
        if not any(item.type == "function_call" for item in reply.output):
            return reply.output_text
    return None
"""
"""A hand-written agent loop that asks its model through a function of its own."""

CLERK = """
import { Agent, run, tool } from "@openai/agents";

const lookUp = tool({ name: "look_up", description: "Look an order up", execute: async () => "shipped" });
const clerk = new Agent({ name: "clerk", tools: [lookUp] });

export async function answer(question: string) {
  return run(clerk, question);
}
"""
"""The same in TypeScript."""

CASES = """
import pytest
from app import answer


@pytest.mark.parametrize(("question", "expected"), [("hello", "HELLO"), ("bye", "BYE")])
def test_answers(question, expected):
    assert expected in answer(question)
"""
"""An evaluation by hand of `AGENT` in `app.py`."""


def understand(folder: Path, files: dict[str, str]) -> AgentSystem:
    """The agent system of a project with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    walked = pipeline.read_sources([folder], Config())
    return pipeline.understand_agents(walked, *pipeline.understand_names(walked))


def only_suite(folder: Path, files: dict[str, str]) -> EvalSuite:
    """The one suite of a project."""
    (suite,) = understand(folder, files).eval_suites
    return suite


def kinds(folder: Path, files: dict[str, str]) -> list[str]:
    suites = understand(folder, files).eval_suites
    return ["stand-in" if s.mocked_model else "evaluation" if s.dataset else "one case" for s in suites]


def file_of(body: str, imports: str = "") -> str:
    return f"import pytest\nimport app\n{imports}\n\n{body}\n"
