"""A report does not depend on the order in which questions about the program are asked, not even inside circles."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from ecosystem.orders import compare

from agent_architecture.config import Config
from agent_architecture.names.program import Program
from ecosystem import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "support-agent"

CIRCLES = {
    "team.py": """
        from openai import OpenAI
        from tools import TOOLS, refund

        class Session:
            def __init__(self, client, tools, settings):
                self.client, self.tools, self.settings = client, tools, settings
                self.settings = {**self.settings, **settings}

            def ask(self, messages, depth):
                answer = self.client.chat.completions.create(model="gpt-4o", messages=messages, tools=self.tools)
                call = answer.choices[0].message
                messages.append(call)
                if call.tool_calls and depth < self.settings["limit"]:
                    messages.append({"role": "tool", "content": dispatch(self, call.tool_calls[0])})
                    return self.ask(messages, depth + 1)
                return call.content

        def dispatch(session, call):
            for tool in walk(TOOLS):
                if tool.__name__ == call.function.name:
                    return tool(session, call.function.arguments)
            return nested(session, call)

        def walk(tree):
            for entry in tree:
                if isinstance(entry, list):
                    yield from walk(entry)
                else:
                    yield entry

        def nested(session, call):
            return Session(session.client, session.tools, {"limit": session.settings["limit"] - 1}).ask([call], 0)

        def main():
            Session(OpenAI(), [{"type": "function", "function": {"name": "refund"}}], {"limit": 12}).ask([], 0)

        main()
    """,
    "tools.py": """
        import os
        import pathlib

        def look(session, folder):
            for entry in pathlib.Path(folder).iterdir():
                if entry.is_dir():
                    look(session, entry)
            return os.listdir(folder)

        def refund(session, amount):
            return session.client.post("https://pay.example/refund", json={"amount": amount})

        TOOLS = [look, [refund, [look]]]
    """,
    "page.ts": """
        import OpenAI from "openai";

        class Agent {
          config: Record<string, unknown>;
          constructor(public client: OpenAI, config: object) { this.config = { limit: 5, ...config }; }
          update(more: object) { this.config = { ...this.config, ...more }; }
          async run(messages: any[]): Promise<any> {
            const answer = await this.client.chat.completions.create({ model: "gpt-4o", messages });
            messages.push(answer.choices[0].message);
            return messages.length < (this.config.limit as number) ? this.run(messages) : messages;
          }
        }
        const agent = new Agent(new OpenAI(), {});
        agent.update({ verbose: true });
        await agent.run([]);
    """,
}


def written(folder: Path) -> Path:
    for name, text in CIRCLES.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    return folder


@pytest.mark.parametrize("seed", [0, 2])
def test_programs_that_call_themselves_are_judged_the_same_in_every_order(tmp_path: Path, seed: int) -> None:
    found = compare(written(tmp_path), (seed, seed + 1), part=0.7)
    assert '"subjects": [' in found.reports[0]
    assert found.differ == ()


def test_a_report_that_depends_on_the_order_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    callers = Program.callers
    asked: list[object] = []

    def forgetful(program: Program, function: object) -> object:
        asked.append(function)
        return callers(program, function) if len(asked) < 40 else ()  # type: ignore[arg-type]

    monkeypatch.setattr(Program, "callers", forgetful)
    assert run.main(["--orders", str(written(tmp_path))]) == 1
    assert capsys.readouterr().out.endswith("orders: 0 of 1 projects are judged the same\n")


def test_the_example_is_judged_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert Config().jobs == 1
    assert run.main(["--orders", str(EXAMPLE)]) == 0
    assert "support-agent: the same in every order" in capsys.readouterr().out
