"""Which tests are evaluations, which are unit tests of the agent, and which say nothing about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals_project import AGENT, CASES, LOOP, file_of, kinds, understand


# ------------------------------------------------------------------------------------------------------------ stand-ins
@pytest.mark.parametrize(
    ("imports", "body"),
    [
        ("from unittest.mock import patch", "@patch('app.client')\ndef test_it(c):\n    assert app.answer([])"),
        ("from unittest.mock import patch", "@patch('app.openai')\ndef test_it(c):\n    assert app.answer([])"),
        ("from unittest.mock import patch", "@patch('openai.OpenAI')\ndef test_it(c):\n    assert app.answer([])"),
        (
            "from unittest import mock",
            (
                "def test_it():\n"
                "    with mock.patch('openai.resources.responses.Responses.create'):\n"
                "        assert app.answer([])"
            ),
        ),
        (
            "from unittest.mock import patch",
            "def test_it():\n    with patch.object(app, 'client'):\n        assert app.answer([])",
        ),
        ("", "def test_it(monkeypatch):\n    monkeypatch.setattr(app, 'client', None)\n    assert app.answer([])"),
        (
            "",
            (
                "def test_it(monkeypatch):\n"
                "    monkeypatch.setattr('app.ask', lambda items: None)\n"
                "    assert app.answer([])"
            ),
        ),
        ("", "def test_it(mocker):\n    mocker.patch('app.client')\n    assert app.answer([])"),
        (
            "",
            (
                "@pytest.fixture(autouse=True)\n"
                "def fake(monkeypatch):\n"
                "    monkeypatch.setattr(app, 'client', None)\n\n\n"
                "def test_it():\n"
                "    assert app.answer([])"
            ),
        ),
        (
            "import respx",
            "def test_it():\n    respx.post('https://api.openai.com/v1/responses')\n    assert app.answer([])",
        ),
        ("", "@pytest.mark.vcr\ndef test_it():\n    assert app.answer([])"),
        (
            "from unittest.mock import MagicMock",
            (
                "def test_it():\n"
                "    client = MagicMock()\n"
                "    client.responses.create.return_value = 1\n"
                "    assert app.answer([])"
            ),
        ),
    ],
)
def test_what_replaces_the_model_or_its_client_is_a_stand_in(tmp_path: Path, imports: str, body: str) -> None:
    assert kinds(tmp_path, {"app.py": LOOP, "tests/test_app.py": file_of(body, imports)}) == ["stand-in"]


@pytest.mark.parametrize(
    ("imports", "body"),
    [
        ("from unittest.mock import patch", "@patch('app.answer')\ndef test_it(c):\n    assert app.answer([])"),
        ("from unittest.mock import patch", "@patch('time.time')\ndef test_it(c):\n    assert 1"),
        ("from unittest.mock import patch", "@patch('requests.get')\ndef test_it(c):\n    assert app"),
        ("from unittest.mock import MagicMock", "def test_it():\n    assert app.answer(MagicMock())"),
        ("", "def test_it():\n    assert app.client"),
        ("", "def test_it():\n    app.answer([])"),
    ],
)
def test_what_replaces_something_else_says_nothing(tmp_path: Path, imports: str, body: str) -> None:
    assert kinds(tmp_path, {"app.py": LOOP, "tests/test_app.py": file_of(body, imports)}) == []


def test_a_stand_in_in_a_test_of_another_module_says_nothing(tmp_path: Path) -> None:
    body = (
        "from unittest.mock import patch\n\n"
        "import other\n\n\n"
        "@patch('openai.OpenAI')\n"
        "def test_it(c):\n"
        "    assert other.f()\n"
    )
    files = {"app.py": LOOP, "other.py": "def f():\n    return 1\n", "tests/test_other.py": body}
    assert kinds(tmp_path, files) == []


def test_a_stand_in_of_a_library_is_known_by_its_row(tmp_path: Path) -> None:
    app = AGENT.replace('agent = create_agent("openai:gpt-5", tools=[str.upper])\n', "").replace(
        "def answer(question):\n", "def answer(question, model):\n    agent = create_agent(model, tools=[str.upper])\n"
    )
    body = "def test_it():\n    assert app.answer('x', FakeListChatModel(responses=['y']))"
    imports = "from langchain_core.language_models import FakeListChatModel"
    assert kinds(tmp_path, {"app.py": app, "tests/test_app.py": file_of(body, imports)}) == ["stand-in"]
    own = (
        "class Model(BaseChatModel):\n"
        "    def _generate(self, messages):\n"
        "        return None\n\n\n"
        "def test_it():\n"
        "    assert app.answer('x', Model())"
    )
    imports = "from langchain_core.language_models import BaseChatModel"
    assert kinds(tmp_path, {"app.py": app, "tests/test_app.py": file_of(own, imports)}) == ["stand-in"]


def test_a_fake_with_the_methods_of_the_model_is_a_stand_in(tmp_path: Path) -> None:
    app = """
import openai


class Model:
    def __init__(self):
        self.client = openai.OpenAI()

    def query(self, items):
        return self.client.responses.create(model="gpt-5", input=items)


class Agent:
    def __init__(self, model: Model):
        self.model = model

    def run(self, items):
        while True:
            reply = self.model.query(items)
            items += reply.output
            if not reply.tool_calls:
                return reply
"""
    fake = "class Scripted:\n    def query(self, items):\n        return items\n\n\n"
    test = "def test_it():\n    assert app.Agent(Scripted()).run([])"
    assert kinds(tmp_path, {"app.py": app, "tests/test_app.py": file_of(fake + test)}) == ["stand-in"]
    other = "class Scripted:\n    def unrelated(self, items):\n        return items\n\n\n"
    assert kinds(tmp_path, {"app.py": app, "tests/test_app.py": file_of(other + test)}) == []


@pytest.mark.parametrize(
    ("mock", "expected"),
    [
        ('vi.mock("openai");', ["stand-in"]),
        ('vi.mock("./model");', ["stand-in"]),
        ('vi.mock("./clock");', ["one case"]),
        ('vi.mock("./agent");', []),
        ('jest.mock("openai", () => ({}));', ["stand-in"]),
        ('nock("https://api.openai.com").post("/v1/responses").reply(200, {});', ["stand-in"]),
        ('nock("https://example.org").get("/").reply(200, {});', ["one case"]),
    ],
)
def test_modules_of_javascript_are_replaced_by_name(tmp_path: Path, mock: str, expected: list[str]) -> None:
    files = {
        "model.ts": (
            'import OpenAI from "openai";\n'
            "const client = new OpenAI();\n"
            'export const ask = (input: any[]) => client.responses.create({ model: "gpt-5", input });\n'
        ),
        "clock.ts": "export const now = () => Date.now();\n",
        "agent.ts": """
import { ask } from "./model";
import { now } from "./clock";

export async function answer(items: any[]) {
  for (let step = 0; step < 8; step += 1) {
    const reply = await ask(items);
    items.push(...reply.output, now());
    if (!reply.output.some((item) => item.type === "function_call")) return reply.output_text;
  }
}
""",
        "agent.test.ts": f"""
import {{ expect, it, vi }} from "vitest";
import {{ answer }} from "./agent";

{mock}

it("answers", async () => {{
  expect(await answer([])).toBe("x");
}});
""",
    }
    assert kinds(tmp_path, files) == expected


def test_tests_tell_nothing_about_the_application(tmp_path: Path) -> None:
    app = LOOP.replace(
        "def answer(items):\n    for _ in range(8)", "def answer(items, limit):\n    for _ in range(limit)"
    )
    test = (
        "import app\n\n\n"
        "class Fake:\n"
        "    def ask(self, items):\n"
        "        return 1\n\n\n"
        "def test_it():\n"
        "    assert app.answer([], 3)\n"
    )
    alone = understand(tmp_path / "alone", {"app.py": app})
    tested = understand(tmp_path / "tested", {"app.py": app, "tests/test_app.py": test})
    assert tested.eval_suites
    assert tested.feedback_paths == alone.feedback_paths
    assert tested.sites == alone.sites


def test_examples_and_documentation_are_not_searched(tmp_path: Path) -> None:
    files = {
        "app.py": AGENT,
        "examples/evals.py": "from langsmith import evaluate\n\nevaluate(1, data=2, evaluators=[3])\n",
    }
    assert understand(tmp_path, files).eval_suites == ()


def test_a_test_that_is_always_skipped_is_none(tmp_path: Path) -> None:
    skipped = CASES.replace(
        "@pytest.mark.parametrize", "@pytest.mark.skip(reason='costs money')\n@pytest.mark.parametrize"
    )
    assert kinds(tmp_path, {"app.py": AGENT, "tests/test_app.py": skipped}) == []


def test_the_stand_ins_of_a_javascript_library_are_known_by_their_rows(tmp_path: Path) -> None:
    agent = """
import { generateText, stepCountIs, tool, type LanguageModel } from "ai";

const lookUp = tool({ description: "Look an order up", execute: async () => "shipped" });

export async function answer(model: LanguageModel, prompt: string) {
  return (await generateText({ model, prompt, tools: { lookUp }, stopWhen: stepCountIs(5) })).text;
}
"""
    test = """
import { MockLanguageModelV2 } from "ai/test";
import { expect, it } from "vitest";
import { answer } from "./agent";

it("answers", async () => {
  const model = new MockLanguageModelV2({ doGenerate: async () => ({ content: [{ type: "text", text: "x" }] }) });
  expect(await answer(model, "y")).toBe("x");
});
"""
    assert kinds(tmp_path, {"agent.ts": agent, "agent.test.ts": test}) == ["stand-in"]


def test_a_model_that_is_overridden_by_a_library_s_stand_in_is_known(tmp_path: Path) -> None:
    app = """
from pydantic_ai import Agent

agent = Agent("openai:gpt-5")


def answer(text):
    return agent.run_sync(text)
"""
    body = "def test_it():\n    with app.agent.override(model=TestModel()):\n        assert app.answer('x')"
    files = {"app.py": app, "tests/test_app.py": file_of(body, "from pydantic_ai.models.test import TestModel")}
    assert kinds(tmp_path, files) == ["stand-in"]


# ------------------------------------------------------------------------------------ libraries that do more than that
def test_an_evaluation_of_an_agent_library_is_found_though_nothing_of_the_project_is_imported(tmp_path: Path) -> None:
    clerk = 'from google.adk.agents import LlmAgent\n\nroot_agent = LlmAgent(name="clerk", model="gemini-2.5-pro")\n'
    test = (
        "from google.adk.evaluation.agent_evaluator import AgentEvaluator\n\n\n"
        "async def test_it():\n"
        '    await AgentEvaluator.evaluate(agent_module="clerk", eval_dataset_file_path_or_dir="cases")\n'
    )
    (suite,) = understand(tmp_path, {"clerk/agent.py": clerk, "eval/test_eval.py": test}).eval_suites
    assert (suite.span.path, suite.trials.values) == ("eval/test_eval.py", (2,))
