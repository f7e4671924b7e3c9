"""What the nodes of n8n's workflows do, and how much of it a model decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.effects import Shaped
from agent_architecture.model.settings import Origin
from agent_architecture.semantics.adapters.n8n import Drawn, workflows
from agent_architecture.semantics.matching.context import Context

BASE, CHAIN = "n8n-nodes-base.", "@n8n/n8n-nodes-langchain."


def drawn(folder: Path, kind: str, parameters: object, connection: str = "ai_tool") -> Drawn:
    """A workflow of an agent and one more node."""
    nodes = [{"name": "A", "type": CHAIN + "agent"}, {"name": "T", "type": kind, "parameters": parameters}]
    wires = {"T": {connection: [[{"node": "A", "type": connection, "index": 0}]]}}
    (folder / "flow.json").write_text(json.dumps({"nodes": nodes, "connections": wires}), encoding="utf-8")
    packs, versions, program = pipeline.understand_names(pipeline.read_sources([folder], Config()))
    return workflows(Context(program, packs, versions, ()))


@pytest.mark.parametrize(
    ("kind", "parameters", "effects"),
    [
        (BASE + "httpRequestTool", {"url": "https://x.test"}, [("network_read", Shaped.NOT)]),
        (BASE + "httpRequestTool", {"method": "PUT", "url": "={{ $fromAI('u') }}"}, [("network_write", Shaped.WHOLLY)]),
        (BASE + "postgresTool", {"operation": "select", "limit": 3}, [("database_read", Shaped.NOT)]),
        (BASE + "postgresTool", {"operation": "={{ $json.what }}"}, []),
        (BASE + "executeCommandTool", {"command": "=ls {{ $fromAI('f') }}"}, [("execute_shell", Shaped.PARTLY)]),
        (BASE + "gmailTool", {"operation": "getAll"}, [("network_read", Shaped.NOT)]),
        (BASE + "gmailTool", {"message": "={{ $fromAI('m') }}"}, [("mail", Shaped.PARTLY)]),
        (BASE + "slackTool", {}, [("message", Shaped.NOT)]),
        (BASE + "notionTool", {"operation": "archive"}, []),
        (CHAIN + "vectorStoreQdrant", {"mode": "retrieve-as-tool"}, [("database_read", Shaped.NOT)]),
        (CHAIN + "toolCode", {"jsCode": "return 1"}, []),
    ],
)
def test_a_node_has_the_effect_of_its_type_and_operation(
    tmp_path: Path, kind: str, parameters: object, effects: list[tuple[str, Shaped]]
) -> None:
    (tool,) = drawn(tmp_path, kind, parameters).tools
    assert [(effect.kind, effect.shaped) for effect in tool.effects] == effects


def test_what_a_node_does_is_only_known_where_its_operation_can_be_read(tmp_path: Path) -> None:
    assert drawn(tmp_path, BASE + "postgresTool", {"operation": "={{ $json.what }}"}).bindings[0].unreadable
    assert drawn(tmp_path, BASE + "notionTool", {"operation": "archive"}).bindings[0].unreadable
    assert not drawn(tmp_path, CHAIN + "toolCalculator", {}).bindings[0].unreadable


def test_a_token_limit_of_minus_one_is_none(tmp_path: Path) -> None:
    model = CHAIN + "lmChatOpenAi"
    unlimited = drawn(tmp_path, model, {"options": {"maxTokens": -1}}, "ai_languageModel").sites[0]
    assert (unlimited.max_tokens.origin, unlimited.max_tokens.value) == (Origin.WRITTEN, None)
    assert drawn(tmp_path, model, {"options": {"maxTokens": 90}}, "ai_languageModel").sites[0].max_tokens.value == 90


@pytest.mark.parametrize(
    "wires", ["x", [], {"T": "A"}, {"A": {"ai_tool": [[{"node": "A"}]]}}, {"T": {"ai_tool": [[1]]}}]
)
def test_connections_of_any_shape_end_in_an_answer(tmp_path: Path, wires: object) -> None:
    nodes = [{"name": "A", "type": CHAIN + "agent"}, {"name": "T", "type": BASE + "slackHitlTool"}, 3, {"name": []}]
    (tmp_path / "flow.json").write_text(json.dumps({"nodes": nodes, "connections": wires}), encoding="utf-8")
    packs, versions, program = pipeline.understand_names(pipeline.read_sources([tmp_path], Config()))
    assert len(workflows(Context(program, packs, versions, ())).agents) == 1
