"""The picture of a system: what it draws, how surely, what stands on edges, and the ways of untrusted text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.cli.cli_outcomes import span

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model import settings
from agent_architecture.model.effects import Effect, Gate, Guard, GuardStage, Shaped
from agent_architecture.model.exposure import Exposure
from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.system import (
    Agent,
    AgentSystem,
    Annotations,
    Binding,
    Degree,
    Project,
    Site,
    SiteKind,
    Tool,
)
from agent_architecture.picture.draw import picture_of
from agent_architecture.picture.parts import EdgeKind, NodeKind, Picture
from agent_architecture.sources.source import Role

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "support-agent"
NOTHING = Project({Role.APP: 1}, {"python": 1}, ())

SHELL = Tool(
    span("app/tools.py", 3), "shell", "openai-agents", "shell", ("command",),
    effects=(Effect(span("app/tools.py", 5), "subprocess.run", "", "execute_shell", Shaped.WHOLLY),),
)  # fmt: skip
LOGGED = Tool(
    span("app/tools.py", 9), "note", "openai-agents", "note",
    effects=(Effect(span("app/tools.py", 10), "logger.info", "", "log", Shaped.WHOLLY),),
)  # fmt: skip
CLERK = Agent(span("app/agents.py", 4), "clerk", "openai-agents", (SHELL, LOGGED))
RUN = Site(span("app/main.py", 7), "Runner.run", "openai-agents", SiteKind.RUN, (CLERK,), (SHELL, LOGGED))
TYPED = Exposure(RUN.span, RUN.symbol, RUN.framework, RUN, ("user", "web"), span("app/main.py", 6), (SHELL, LOGGED))
SYSTEM = AgentSystem(NOTHING, sites=(RUN,), agents=(CLERK,), tools=(SHELL, LOGGED), exposures=(TYPED,))


def names(picture: Picture) -> dict[str, str]:
    return {node.id: f"{node.kind} {node.name}" for node in picture.nodes}


def ties(picture: Picture) -> set[tuple[str, str, str, str]]:
    known = names(picture)
    return {(known[edge.source], str(edge.kind), known[edge.target], str(edge.degree)) for edge in picture.edges}


@pytest.fixture(scope="module")
def example() -> AgentSystem:
    config = Config()
    walked = pipeline.read_sources([EXAMPLE], config)
    return pipeline.understand_agents(walked, *pipeline.understand_names(walked))


def test_the_example_is_drawn_as_its_author_would(example: AgentSystem) -> None:
    assert ties(picture_of(example)) == {
        ("run Runner.run", "runs", "agent Triage", "resolved"),
        ("run Runner.run", "runs", "agent Orders", "resolved"),
        ("agent Triage", "hands over to", "agent Orders", "resolved"),
        ("agent Triage", "hands over to", "agent Refunds", "resolved"),
        ("agent Refunds", "hands over to", "agent Triage", "resolved"),
        ("agent Orders", "calls", "tool order_status", "resolved"),
        ("agent Refunds", "calls", "tool calculate", "resolved"),
        ("loop research", "calls", "tool search", "inferred"),
        ("source text of others", "reaches", "run Runner.run", "guessed"),
        ("source text of others", "reaches", "loop research", "inferred"),
    }


def test_the_example_has_one_way_of_untrusted_text_to_an_effect(example: AgentSystem) -> None:
    picture = picture_of(example)
    (way,) = picture.ways
    passed = [names(picture)[node] for node in way.nodes]
    assert passed == ["run Runner.run", "agent Triage", "agent Refunds", "tool calculate"]
    assert (way.does.kind, str(way.does.span), way.checks) == ("execute_code", "support/tools.py:15", ())


def test_the_order_of_the_entities_changes_nothing(example: AgentSystem) -> None:
    whole = picture_of(example)
    for seed in range(3):
        dice = random.Random(seed)  # noqa: S311 - an order
        mixed = {name: tuple(dice.sample(value, len(value))) for name, value in example._asdict().items()
                 if isinstance(value, tuple) and name != "project"}  # fmt: skip
        assert picture_of(example._replace(**mixed)) == whole


def test_ids_name_one_node_each_and_ways_follow_edges(example: AgentSystem) -> None:
    for picture in (picture_of(example), picture_of(SYSTEM)):
        assert len({node.id for node in picture.nodes}) == len(picture.nodes)
        for way in picture.ways:
            steps = [(picture.edges[at].source, picture.edges[at].target) for at in way.edges]
            assert steps == list(zip(way.nodes[:-1], way.nodes[1:], strict=True))


def test_a_way_begins_with_the_text_of_others_and_ends_where_a_model_changes_something() -> None:
    picture = picture_of(SYSTEM)
    (way,) = picture.ways
    assert [names(picture)[node] for node in way.nodes] == [
        "source text of others", "run Runner.run", "agent clerk", "tool shell",
    ]  # fmt: skip


def test_records_and_logs_are_no_effects_of_a_node() -> None:
    does = {node.name: [doing.kind for doing in node.does] for node in picture_of(SYSTEM).nodes}
    assert (does["shell"], does["note"]) == (["execute_shell"], [])


def test_an_effect_that_no_model_shapes_ends_no_way() -> None:
    fixed = SHELL._replace(effects=(SHELL.effects[0]._replace(shaped=Shaped.NOT),))
    clerk = CLERK._replace(tools=(fixed,))
    run = RUN._replace(agents=(clerk,), tools=(fixed,))
    exposed = TYPED._replace(site=run, tools=(fixed,))
    system = SYSTEM._replace(sites=(run,), agents=(clerk,), tools=(fixed,), exposures=(exposed,))
    assert picture_of(system).ways == ()


def test_a_guard_and_a_person_stand_on_the_edge_that_they_guard() -> None:
    guard = Guard(span("app/agents.py", 2), "policy", "openai-agents", GuardStage.PRE_TOOL)
    asked = Gate(settings.written("always", span("app/agents.py", 4)))
    bound = Binding(span("app/agents.py", 4), "clerk → shell", "openai-agents", SHELL, (guard,), gate=asked)
    picture = picture_of(SYSTEM._replace(bindings=(bound,)))
    checked = {names(picture)[edge.target]: [(check.name, check.blocks) for check in edge.checks]
               for edge in picture.edges if edge.kind is EdgeKind.CALLS}  # fmt: skip
    assert checked == {"tool shell": [("policy", True), ("a person approves", True)], "tool note": []}
    assert [check.name for check in picture.ways[0].checks] == ["policy", "a person approves"]


def test_a_guard_that_lets_pass_when_it_fails_does_not_block() -> None:
    guard = Guard(span("app/tools.py", 2), "policy", "", GuardStage.PRE_TOOL, fails_open=True)
    tool = SHELL._replace(guards=(guard,))
    (node,) = picture_of(AgentSystem(NOTHING, tools=(tool,))).nodes
    assert [check.blocks for check in node.checks] == [False]


def memory(path: str, line: int) -> Memory:
    return Memory(span(path, line), "history", "langchain", Holding.CONVERSATION)


def test_what_stands_alone_beside_one_agent_is_tied_to_it_by_a_guess() -> None:
    system = SYSTEM._replace(memories=(memory("app/agents.py", 9), memory("app/store.py", 2)))
    guessed = [tie for tie in ties(picture_of(system)) if tie[3] == "guessed"]
    assert guessed == [("agent clerk", "remembers in", "memory history", "guessed")]


def test_beside_two_agents_nothing_is_guessed() -> None:
    other = Agent(span("app/agents.py", 6), "other", "openai-agents")
    system = SYSTEM._replace(agents=(CLERK, other), memories=(memory("app/agents.py", 9),))
    assert not any(tie[3] == "guessed" for tie in ties(picture_of(system)))


def test_a_server_has_the_tools_of_its_file_and_the_nearest_one_those_of_others() -> None:
    sites = tuple(Site(span(f"{name}/server.py", 3), name, "mcp", SiteKind.MCP_SERVER) for name in ("files", "mail"))
    tools = tuple(
        Tool(span(path, 9), path, "mcp", path, annotations=Annotations())
        for path in ("files/server.py", "mail/send.py")
    )
    assert ties(picture_of(AgentSystem(NOTHING, sites=sites, tools=tools))) == {
        ("mcp_server files", "serves", "tool files/server.py", "inferred"),
        ("mcp_server mail", "serves", "tool mail/send.py", "guessed"),
    }


def test_a_tool_that_only_an_agent_names_is_drawn_too() -> None:
    picture = picture_of(SYSTEM._replace(tools=()))
    assert {node.name for node in picture.nodes if node.kind is NodeKind.TOOL} == {"shell", "note"}


def test_an_edge_is_known_no_better_than_its_ends() -> None:
    tool = LOGGED._replace(degree=Degree.GUESSED)
    clerk = CLERK._replace(tools=(tool,))
    picture = picture_of(AgentSystem(NOTHING, agents=(clerk,), tools=(tool,)))
    assert [edge.degree for edge in picture.edges] == [Degree.GUESSED]
