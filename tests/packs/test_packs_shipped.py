"""The packs that ship: they load, agree with each other, and say what the libraries do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.vocabulary import SCOPES
from agent_architecture.semantics.packs.api_paths import canonical
from agent_architecture.semantics.packs.packs import Packs, load_packs
from agent_architecture.semantics.packs.rows import EntityRow
from agent_architecture.semantics.packs.rows_from_toml import read_pack

# Kinds that one call can be at once: a tool that executes code, an agent that does, a container that is made and run …
COMPATIBLE = (
    {"tool", "handoff"},
    {"tool", "install"},
    {"tool_set", "install"},
    {"run", "eval_suite"},
    {"resume", "run"},
    {"tool", "code_sink"},
    {"agent", "code_sink"},
    {"sandbox", "code_sink"},
    {"tool_set", "mcp_client"},
    {"tool_set", "code_sink"},
    {"agent", "tool"},
    {"agent", "given_tool"},
    {"agent", "a2a_client"},
    {"tool", "a2a_client"},
    {"agent", "router"},
    {"sandbox", "tool", "code_sink"},
    {"sandbox", "tool"},
    {"tool", "mcp_client"},
    {"tool", "tool_set"},
    {"agent", "graph"},
    {"wait", "deadline"},
    {"agent", "run"},
    {"agent", "run", "tool_set"},
    {"agent", "run", "tool", "code_sink"},
    {"agent", "tool_set"},
    {"agent", "tool_set", "code_sink"},
    {"agent", "exported"},
    {"mcp_server", "exported"},
    {"mcp_server", "mcp_start"},
)

ASPECTS = {
    *("guard", "approval", "output_parser", "retry", "budget", "limiter", "fan_out"),
    *("agent_card", "a2a_server", "mcp_client", "memory", "memory_limit", "tracer", "checkpointer", "entrance"),
}
"""What a call may declare beside the thing that it makes: a guardrail, an approval, the servers of a run, its
session, who may come in."""


@pytest.fixture(scope="module")
def packs() -> Packs:
    return load_packs()


def call_paths(packs: Packs) -> Iterator[str]:
    yield from sorted(packs._calls)


def kinds(packs: Packs, path: str) -> set[str]:
    return {row.kind for row in packs.entities(path)}


def run(packs: Packs, path: str) -> EntityRow:
    (row,) = (row for row in packs.entities(path) if row.kind == "run")
    return row


def exclude_each_other(rows: tuple[EntityRow, ...]) -> bool:
    """Whether of any two rows one asks for what the other refuses: at most one of them holds for a call."""
    return len(rows) > 1 and all(refuses(a, b) or refuses(b, a) for a, b in combinations(rows, 2))


def refuses(row: EntityRow, other: EntityRow) -> bool:
    return bool({*row.unless} & {*other.when} or {*row.forbids} & {*other.requires})


def test_no_call_is_claimed_by_two_packs_or_with_kinds_that_contradict(packs: Packs) -> None:
    for path in call_paths(packs):
        rows = packs.entities(path)
        assert len({row.where.pack for row in rows}) == 1, path
        if exclude_each_other(tuple(row for row in rows if row.kind not in ASPECTS)):
            continue
        always = [row.kind for row in rows if not (row.when or row.unless or row.requires or row.forbids)]
        assert len(always) == len(set(always)), f"{path} is one kind twice"
        things = kinds(packs, path) - ASPECTS
        assert len(things) <= 1 or things in COMPATIBLE, f"{path}: {things}"


def test_every_alias_reaches_a_fixed_point(packs: Packs) -> None:
    pairs = list(packs._aliases.pairs())
    assert pairs
    for name, target in pairs:
        assert canonical(name) == name
        assert packs.canonical(target) == target


def test_every_path_belongs_to_a_package_with_a_verified_version(packs: Packs) -> None:
    indexes = (
        packs._calls,
        packs._decorators,
        packs._subclasses,
        packs._settings,
        packs._through,
        packs._marks,
        packs._effects,
        packs._flows,
    )
    for path in {path for index in indexes for path in index} | {name for name, _ in packs._aliases.pairs()}:
        assert packs.package_of(path), path


def test_every_default_that_borrows_another_finds_it(packs: Packs) -> None:
    borrowed = [
        (name, entry.like)
        for path in call_paths(packs)
        for row in packs.entities(path)
        for name, entries in row.defaults.items()
        for entry in entries
        if entry.like
    ]
    assert borrowed
    for name, like in borrowed:
        (row,) = packs.entities(like)
        assert row.defaults[name]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("py:langgraph.graph.state.StateGraph().add_node().add_edge().compile().with_config().ainvoke", "run"),
        ("py:langgraph.prebuilt.create_react_agent", "agent"),
        ("py:langgraph.prebuilt.chat_agent_executor.create_react_agent().astream_events", "run"),
        ("py:langgraph_supervisor.create_supervisor().compile().invoke", "run"),
        ("py:langgraph.func.entrypoint()().invoke", "run"),
        ("npm:@langchain/langgraph/web:StateGraph().addNode().compile().invoke", "run"),
        ("npm:@langchain/langgraph-swarm:createSwarm().compile().stream", "run"),
        ("py:langchain.agents.create_agent().with_config().invoke", "run"),
        ("py:langchain.agents.AgentExecutor.from_agent_and_tools().invoke", "run"),
        ("py:langchain.agents.initialize_agent().run", "run"),
        ("npm:langchain/agents:AgentExecutor.fromAgentAndTools().invoke", "run"),
        ("npm:deepagents:createDeepAgent().invoke", "run"),
        ("py:langchain_openai.chat_models.ChatOpenAI().bind_tools().with_structured_output().ainvoke", "model_call"),
        ("npm:@langchain/openai:ChatOpenAI().bindTools().invoke", "model_call"),
        ("npm:langchain:initChatModel().invoke", "model_call"),
        ("py:agents.Runner.run_sync", "run"),
        ("py:agents.run.Runner().run", "run"),
        ("py:agents.Agent[]", "agent"),
        ("py:agents.Agent().clone().as_tool", "handoff"),
        ("npm:@openai/agents-core:Agent.create", "agent"),
        ("npm:@openai/agents:Runner().run", "run"),
        ("py:openai.AsyncAzureOpenAI().with_options().chat.completions.create", "model_call"),
        ("py:openai.chat.completions.create", "model_call"),
        ("npm:openai:default().responses.create", "model_call"),
        ("npm:openai:().chat.completions.create", "model_call"),
        ("npm:openai:OpenAI().beta.chat.completions.runTools", "run"),
        ("py:anthropic.AsyncAnthropic().beta.messages.tool_runner", "run"),
        ("py:anthropic.lib.bedrock.AnthropicBedrock().messages.stream", "model_call"),
        ("npm:@anthropic-ai/sdk:default().beta.messages.toolRunner", "run"),
        ("py:builtins.exec", "code_sink"),
        ("npm:globalThis:window.eval", "code_sink"),
        ("npm:vm:default.runInNewContext", "code_sink"),
        ("npm:vm2:VM().run", "code_sink"),
        ("py:e2b_code_interpreter.AsyncSandbox.create().run_code", "code_sink"),
        ("npm:@e2b/code-interpreter:default.create().runCode", "code_sink"),
        ("py:daytona_sdk.Daytona().create().process.code_run", "code_sink"),
        ("py:docker.from_env().containers.run", "sandbox"),
        ("py:langchain_experimental.tools.python.tool.PythonREPLTool", "code_sink"),
        ("py:smolagents.agents.CodeAgent", "code_sink"),
        ("py:deepeval.evaluate.assert_test", "eval_suite"),
        ("py:langsmith.Client().evaluate", "eval_suite"),
        ("py:pydantic_evals.Dataset.from_file().evaluate_sync", "eval_suite"),
        ("npm:langsmith/evaluation:evaluate", "eval_suite"),
        ("npm:evalite:evalite.each", "eval_suite"),
        ("npm:ai:streamText", "run"),
        ("npm:ai:generateObject", "model_call"),
        ("npm:ai:Experimental_Agent().stream", "run"),
        ("npm:ai:experimental_createMCPClient", "mcp_client"),
        ("py:mcp.server.fastmcp.FastMCP().run", "mcp_start"),
        ("py:mcp.server.Server", "mcp_server"),
        ("py:mcp_types.Tool", "tool"),
        ("npm:@modelcontextprotocol/sdk/server/mcp.js:McpServer().server.setRequestHandler", "tool"),
        ("npm:@modelcontextprotocol/sdk/client/index.js:Client().connect", "mcp_client"),
        ("py:fastmcp.server.server.FastMCP.as_proxy", "mcp_server"),
        ("npm:fastmcp:FastMCP().start", "mcp_start"),
        ("py:smolagents.agents.ToolCallingAgent().run", "run"),
        ("py:instructor.from_provider().chat.completions.create_partial", "model_call"),
        ("py:litellm.router.Router().acompletion", "model_call"),
    ],
)
def test_the_calls_that_people_write_have_their_kind(packs: Packs, path: str, kind: str) -> None:
    assert kind in kinds(packs, path)


def test_every_tracer_says_what_it_traces_in_words_that_there_are(packs: Packs) -> None:
    ids = {pack.pack.id for pack in packs.sources}
    rows = [row for source in packs.sources for row in (*source.entities, *source.environment) if row.kind == "tracer"]
    words = {word for row in rows for word in str(row.constants.get("scope", "")).split()}
    assert words
    assert words <= {*SCOPES, *ids}


def test_a_spelling_that_traces_marks_the_calls_that_are_written_so() -> None:
    shop = {
        "framework": {"id": "shop"},
        "package": [{"pypi": "shop", "verified": "1"}, {"pypi": "watch", "verified": "1"}],
        "alias": [{"of": "py:shop", "names": ["py:watch.shop"], "covers": "traced"}],
    }
    packs = Packs([read_pack("shop.toml", shop)])
    assert packs.canonical("py:watch.shop.Client().ask") == "py:shop.Client().ask"
    assert [row.covers for row in packs.marks("py:watch.shop.Client().ask")] == ["traced"]
    assert packs.marks("py:shop.Client().ask") == packs.marks("py:watch.shopping.ask") == ()


def test_a_look_alike_of_another_library_is_not_an_agent(packs: Packs) -> None:
    for path in (
        "py:langchain.agents.create_react_agent",
        "py:myagents.Agent",
        "npm:agents:Agent",
        "py:langgraph.graph.StateGraphs",
    ):
        assert packs.entities(path) == ()


def test_the_recursion_limit_of_langgraph_changed_at_1_0_6_and_1_1_4(packs: Packs) -> None:
    found = run(packs, "py:langgraph.graph.StateGraph().compile().invoke").defaults["step_limit"]
    assert [(entry.before, entry.value) for entry in found] == [("1.0.6", 25), ("1.1.4", 10000), (None, 10007)]
    javascript = run(packs, "npm:@langchain/langgraph:StateGraph().compile().invoke").defaults["step_limit"]
    assert [(entry.before, entry.value) for entry in javascript] == [(None, 25)]


def test_the_tool_runners_of_anthropic_have_no_limit_by_default(packs: Packs) -> None:
    for path in (
        "py:anthropic.Anthropic().beta.messages.tool_runner",
        "npm:@anthropic-ai/sdk:Anthropic().beta.messages.toolRunner",
    ):
        (default,) = run(packs, path).defaults["step_limit"]
        assert default.value is None


def test_trajectory_graders_are_marked_as_such(packs: Packs) -> None:
    for path in (
        "py:deepeval.metrics.ToolCorrectnessMetric",
        "py:agentevals.trajectory.match.create_async_trajectory_match_evaluator",
        "npm:vitest-evals:ToolCallJudge",
    ):
        assert [row.covers for row in packs.marks(path)] == ["trajectory"]


def test_a_shell_is_told_from_a_program_by_the_shell_argument(packs: Packs) -> None:
    assert [row.effect for row in packs.effects("py:subprocess.run")] == ["execute_shell", "execute_process"]
    assert [row.effect for row in packs.effects("npm:child_process:default.exec")] == ["execute_shell"]


def test_each_detector_of_the_slice_has_a_fix_in_both_ecosystems(packs: Packs) -> None:
    fixes = {(fix.detector, fix.ecosystem) for fix in packs.fixes}
    detectors = (
        "loop_guard_absence",
        "handoff_cycle_risk",
        "agent_code_execution_sandbox_gap",
        "agent_eval_maturity_gap",
    )
    assert {(detector, ecosystem) for detector in detectors for ecosystem in ("npm", "pypi")} <= fixes


def test_the_packs_are_the_same_under_every_hash_seed() -> None:
    program = (
        "from agent_architecture.semantics.packs.packs import load_packs; p = load_packs()\n"
        "print(p.words, list(p._calls), p.known, p.newest, p.documents, p.fixes, sorted(p.last_names))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


# ------------------------------------------------------------------------------------------------- which files are read
@pytest.mark.parametrize(
    ("code", "is_read"),
    [
        ("import sentry_sdk\n\nsentry_sdk.init()\n", False),  # recording says nothing where there is no agent
        ("def camel_case(modal, diagnostics):\n    return modal\n", False),
        ("from camel.agents import ChatAgent\n\nChatAgent()\n", True),
        ("import agno.agent\n\nagno.agent.Agent()\n", True),
    ],
)
def test_code_is_read_where_a_library_that_leads_to_an_agent_is_imported(
    tmp_path: Path, code: str, is_read: bool
) -> None:
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    _, _, program = pipeline.understand_names(pipeline.read_sources([tmp_path], Config()))
    assert bool(program.table.loaded()) is is_read
