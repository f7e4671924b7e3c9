"""What the conventions of OpenTelemetry for generative AI ask of spans and records: names, operations, attributes.

Facts of the standard: v1.41.1 of `model/gen-ai/spans.yaml` and `events.yaml`, and the repository
`semantic-conventions-genai` that they moved to. AISVS 12.1.3 makes model and token usage part of the least that is
recorded. Names of attributes are in lower case with `_` for `.`, as constants of libraries spell them.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple

OPERATIONS: Final = {
    **dict.fromkeys(("chat", "generate_content", "text_completion", "embeddings"), "model"),
    **dict.fromkeys(("create_agent", "invoke_agent"), "agent"),
    "execute_tool": "tool",
    "invoke_workflow": "step",
    "retrieval": "retrieval",
}
"""Values of `gen_ai.operation.name`, and the work that they are: v1.41 of the conventions."""


class Part(NamedTuple):
    """Something that a span must say; `replaced` are older names for it."""

    shown: str
    names: frozenset[str]
    replaced: frozenset[str] = frozenset()


def _part(shown: str, names: str = "", replaced: str = "") -> Part:
    return Part(shown, frozenset((names or shown.replace(".", "_")).split()), frozenset(replaced.split()))


OPERATION: Final = _part("gen_ai.operation.name")
PROVIDER: Final = _part("gen_ai.provider.name", replaced="gen_ai_system")
MODEL: Final = _part("gen_ai.request.model")
USAGE: Final = _part(
    "gen_ai.usage.*",
    "gen_ai_usage_input_tokens gen_ai_usage_output_tokens",
    "gen_ai_usage_prompt_tokens gen_ai_usage_completion_tokens",
)
ERROR: Final = _part("error.type")
REQUIRED: Final = {
    "model": (OPERATION, PROVIDER, MODEL, USAGE, ERROR),
    "agent": (OPERATION, _part("gen_ai.agent.name", "gen_ai_agent_name gen_ai_agent_id"), ERROR),
    "tool": (OPERATION, _part("gen_ai.tool.name"), ERROR),
    "step": (OPERATION, _part("gen_ai.workflow.name"), ERROR),
    "retrieval": (OPERATION, ERROR),
}
"""What each kind of span must say, beside its name. An agent in the same process needs no provider."""
CONTENT: Final = frozenset({"gen_ai_prompt", "gen_ai_completion"})
"""Attributes that were replaced and that no span needs."""
