"""A research agent without a framework: ask, run the tools that the model picked, ask again."""

import json

from openai import OpenAI

from .search import SEARCH, search

client = OpenAI()


def research(question: str) -> str:
    """Search until the model has an answer."""
    messages = [{"role": "user", "content": question}]
    while True:
        reply = client.chat.completions.create(model="gpt-5", messages=messages, tools=[SEARCH])
        message = reply.choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            found = search(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": found})
