"""Which call is which row, whatever a project calls it: asked of the matches themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.recursion import with_room

FILES: Final = {"python": "main.py", "typescript": "main.ts"}
CALLS: Final = {
    ("python", "as it is imported"): """
import openai
openai.OpenAI().chat.completions.create(model="gpt-5", messages=[])  # here
""",
    ("python", "under another name"): """
from openai import OpenAI as Client
client = Client()
client.chat.completions.create(model="gpt-5", messages=[])  # here
""",
    ("python", "kept on an object"): """
from openai import OpenAI
class Desk:
    def __init__(self):
        self.client = OpenAI()
    def ask(self):
        return self.client.chat.completions.create(model="gpt-5", messages=[])  # here
""",
    ("python", "handed to a function by its type"): """
from openai import OpenAI
def ask(client: OpenAI):
    return client.chat.completions.create(model="gpt-5", messages=[])  # here
""",
    ("python", "a method of the project of the same name"): """
import openai
class Completions:
    def create(self, model, messages):
        return ""
class Chat:
    completions = Completions()
class Client:
    chat = Chat()
Client().chat.completions.create(model="gpt-5", messages=[])
""",
    ("typescript", "as it is imported"): """
import * as openai from "openai";
new openai.OpenAI().chat.completions.create({ model: "gpt-5", messages: [] }); // here
""",
    ("typescript", "under another name"): """
import Client from "openai";
const client = new Client();
client.chat.completions.create({ model: "gpt-5", messages: [] }); // here
""",
    ("typescript", "kept on an object"): """
import OpenAI from "openai";
export class Desk {
  private client = new OpenAI();
  ask() {
    return this.client.chat.completions.create({ model: "gpt-5", messages: [] }); // here
  }
}
""",
    ("typescript", "handed to a function by its type"): """
import OpenAI from "openai";
export function ask(client: OpenAI) {
  return client.chat.completions.create({ model: "gpt-5", messages: [] }); // here
}
""",
    ("typescript", "a method of the project of the same name"): """
import "openai";
const client = { chat: { completions: { create: (asked: object) => asked } } };
client.chat.completions.create({ model: "gpt-5", messages: [] });
""",
}


@pytest.mark.parametrize(("language", "way"), CALLS)
def test_a_call_is_its_row(language: str, way: str, tmp_path: Path) -> None:
    code = CALLS[language, way]
    (tmp_path / FILES[language]).write_text(code, encoding="utf-8")
    walked = pipeline.read_sources([tmp_path], Config())
    packs, versions, program = pipeline.understand_names(walked)
    context = pipeline.understand_with(walked, packs, versions, program)[0].context
    matched = with_room(lambda: [match.node.span.line for match in context.of_kind("model_call")])
    assert matched == [number for number, line in enumerate(code.split("\n"), 1) if line.endswith("here")]
