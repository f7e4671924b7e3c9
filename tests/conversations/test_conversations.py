"""Which texts enter a conversation, and whose they are: asked of the writers of a call's arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.recursion import with_room
from agent_architecture.semantics.conversations.writers import Writers
from agent_architecture.syntax import ir

FILES: Final = {"python": "main.py", "typescript": "main.ts"}
PYTHON: Final = """
from fastapi import FastAPI
from openai import OpenAI

app = FastAPI()
client = OpenAI()
RULES = "Be brief."


@app.post("/ask")
def ask(question: str):
    answer = client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": question}])
    text = answer.choices[0].message.content
    look(RULES)
    look(question)
    look(text)
    look(f"{RULES} {question}")


def look(text):
    print(text)
"""
TYPESCRIPT: Final = """
import express from "express";
import OpenAI from "openai";

const app = express();
const client = new OpenAI();
const RULES = "Be brief.";

app.post("/ask", async (request, response) => {
  const question = request.body.question;
  const messages = [{ role: "user" as const, content: question }];
  const answer = await client.chat.completions.create({ model: "gpt-5", messages });
  const text = answer.choices[0].message.content;
  look(RULES);
  look(question);
  look(text);
  look(`${RULES} ${question}`);
  response.send(text);
});

function look(text: string | null) {
  console.log(text);
}
"""


@pytest.mark.parametrize(("language", "code"), [("python", PYTHON), ("typescript", TYPESCRIPT)])
def test_whose_word_it_is(language: str, code: str, tmp_path: Path) -> None:
    (tmp_path / FILES[language]).write_text(code, encoding="utf-8")
    walked = pipeline.read_sources([tmp_path], Config())
    packs, versions, program = pipeline.understand_names(walked)
    known = pipeline.understand_with(walked, packs, versions, program)[0]

    def whose() -> list[set[str]]:
        writers = Writers(known.context, known.agents)
        scopes = (scope for module in program.modules for scope in (module, *module.index.functions))
        calls = (call for scope in scopes for call in program.structure(scope).calls)
        looks = sorted(
            (c for c in calls if isinstance(c.callee, ir.Name) and c.callee.id == "look"), key=lambda c: c.span
        )
        return [
            {str(each.origin) for origin in writers.origins(call.args[0].value) for each in writers.entering(origin)}
            for call in looks
        ]

    assert with_room(whose) == [set(), {"user"}, {"model"}, {"user"}]
