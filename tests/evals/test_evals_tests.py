"""Which tests are evaluations, which are unit tests of the agent, and which say nothing about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from evals_project import AGENT, CASES, CLERK, LOOP, only_suite, understand


def kinds(folder: Path, files: dict[str, str]) -> list[str]:
    suites = understand(folder, files).eval_suites
    return ["stand-in" if s.mocked_model else "evaluation" if s.dataset else "one case" for s in suites]


def file_of(body: str, imports: str = "") -> str:
    return f"import pytest\nimport app\n{imports}\n\n{body}\n"


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


# ---------------------------------------------------------------------------------------------------------- evaluations
def test_a_table_of_cases_that_is_run_for_real_is_an_evaluation(tmp_path: Path) -> None:
    suite = only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": CASES})
    assert (suite.dataset, suite.scorer, suite.threshold) == (True, True, True)
    assert (suite.trajectory, suite.adversarial, suite.mocked_model) == (False, False, False)


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.parametrize('q', load())\ndef test_it(q):\n    assert app.answer(q)",
        "def test_it():\n    for q, a in ROWS:\n        assert app.answer(q) == a",
        (
            "@pytest.fixture\n"
            "def agent():\n"
            "    return app.agent\n\n\n"
            "@pytest.mark.parametrize('q', ['a', 'b'])\n"
            "def test_it(agent, q):\n"
            "    assert agent.invoke({'messages': [q]})"
        ),
        (
            "def run(q):\n"
            "    return app.answer(q)\n\n\n"
            "@pytest.mark.parametrize('q', ['a', 'b'])\n"
            "def test_it(q):\n"
            "    assert run(q)"
        ),
    ],
)
def test_cases_may_come_in_several_ways(tmp_path: Path, body: str) -> None:
    assert kinds(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}) == ["evaluation"]


def test_one_row_is_one_case(tmp_path: Path) -> None:
    body = "@pytest.mark.parametrize('q', ['a'])\ndef test_it(q):\n    assert app.answer(q)"
    assert kinds(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}) == ["one case"]


@pytest.mark.parametrize(
    ("grader", "trajectory"),
    [
        ("assert 'x' in result", False),
        ("assert [m.tool_calls for m in result['messages']] == ['upper']", True),
        ("called = result['tool_calls']\n    assert called", True),
        ("assert Path('out.txt').exists()", True),
        ("rows = sqlite3.connect('db').execute('select 1').fetchall()\n    assert rows", True),
    ],
)
def test_a_grader_may_look_at_steps_or_at_the_state_that_is_left(tmp_path: Path, grader: str, trajectory: bool) -> None:
    body = f"@pytest.mark.parametrize('q', ['a', 'b'])\ndef test_it(q):\n    result = app.answer(q)\n    {grader}"
    text = file_of(body, "import sqlite3\nfrom pathlib import Path")
    assert only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": text}).trajectory is trajectory


@pytest.mark.parametrize(
    ("loop", "found"),
    [
        ("for case in CASES:\n    result = answer(case['q'])\n    passed += result == case['a']\n", True),
        ("for case in CASES:\n    result = answer(case['q'])\n    scores.append(grade(result, case['a']))\n", True),
        ("for case in CASES:\n    result = answer(case['q'])\n    print(case['q'], result)\n", False),
        ("for case in CASES:\n    answer(case['q'])\n", False),
        (
            "def one(case):\n    return answer(case['q']) == case['a']\n\n\nresults = [one(case) for case in CASES]\n",
            True,
        ),
    ],
)
def test_a_loop_is_an_evaluation_when_it_compares_answers_with_cases(tmp_path: Path, loop: str, found: bool) -> None:
    cases = "CASES = [{'q': 'a', 'a': 'A'}, {'q': 'b', 'a': 'B'}]\npassed = 0\nscores = []\n\n\n"
    text = f"from app import answer\n\n{cases}{loop}"
    suites = understand(tmp_path, {"app.py": AGENT, "scripts/grade.py": text}).eval_suites
    assert bool(suites) is found


def test_a_batch_of_the_application_is_no_evaluation(tmp_path: Path) -> None:
    text = (
        "from app import answer\n\n\n"
        "def work(queue):\n"
        "    for job in queue:\n"
        "        result = answer(job.text)\n"
        "        if result == 'retry':\n"
        "            job.again()\n"
        "        job.done(result)\n\n\n"
        "work([])\n"
    )
    assert understand(tmp_path, {"app.py": AGENT, "worker.py": text}).eval_suites == ()


@pytest.mark.parametrize(
    ("body", "trials"),
    [
        (
            (
                "@pytest.mark.parametrize('q', ['a', 'b'])\n"
                "@pytest.mark.parametrize('n', range(4))\n"
                "def test_it(q, n):\n"
                "    assert app.answer(q)"
            ),
            4,
        ),
        (
            (
                "@pytest.mark.repeat(5)\n"
                "@pytest.mark.parametrize('q', ['a', 'b'])\n"
                "def test_it(q):\n"
                "    assert app.answer(q)"
            ),
            5,
        ),
        (
            (
                "TRIALS = 6\n\n\n"
                "@pytest.mark.parametrize('q', ['a', 'b'])\n"
                "def test_it(q):\n"
                "    for _ in range(TRIALS):\n"
                "        assert app.answer(q)"
            ),
            6,
        ),
        ("@pytest.mark.parametrize('q', ['a', 'b'])\ndef test_it(q):\n    assert app.answer(q)", None),
    ],
)
def test_trials_are_counted(tmp_path: Path, body: str, trials: int | None) -> None:
    assert only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}).trials.value == trials


def test_a_suite_that_says_that_it_attacks_does(tmp_path: Path) -> None:
    body = "@pytest.mark.parametrize('text', ['a', 'b'])\ndef test_prompt_injection(text):\n    assert app.answer(text)"
    assert only_suite(tmp_path, {"app.py": AGENT, "tests/test_app.py": file_of(body)}).adversarial


def test_cases_of_javascript_may_stand_in_a_loop_around_the_test(tmp_path: Path) -> None:
    test = (
        'import { answer } from "./agent";\n'
        'for (const q of ["a", "b"]) {\n'
        "  test(q, async () => {\n"
        "    expect(await answer(q)).toBe(q);\n"
        "  });\n"
        "}\n"
    )
    assert kinds(tmp_path, {"agent.ts": CLERK, "agent.test.ts": test}) == ["evaluation"]


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
