"""The count by words that stands beside the model, and the run that keeps what it measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from ecosystem.breadth import results
from ecosystem.breadth.lexical import in_text, sightings
from ecosystem.breadth.project import Entity, compared, entities, unmatched
from ecosystem.breadth.results import FAILED, OK, TIMEOUT, Result
from ecosystem.breadth.run import measure

from agent_architecture.model.confidence import Degree
from agent_architecture.model.system import AgentSystem, Project, Site, SiteKind, Tool
from agent_architecture.sources.source import Span
from ecosystem import run

PYTHON = """\
@mcp.tool(
    name="look",
)
async def look_up(key: str) -> str:
    return key


class Refund(BaseTool):
    pass


server.register_tool(close_order)
agent = Agent(name="desk", model="gpt-5", tools=[look_up])
client.chat.completions.create(model="gpt-5", messages=[])
SCHEMA = {"name": "send", "description": "Send", "input_schema": {"type": "object"}}
"""
SCRIPT = """\
server.registerTool("look", { description: "Look" }, look);
const find = tool({ description: "Find", inputSchema: schema, execute });
class Close extends StructuredTool {}
const agent = new ToolLoopAgent({ model, tools: { find } });
const { text } = await generateText({ model, prompt });
await fetch("https://example.com/v1/chat/completions", { method: "POST" });
"""
TRAPS = '''\
# @tool
"""
@tool
def shown(): ...
"""
class Agent(Base): ...
def create_agent(model): ...
from x import Agent
headers = UserAgent("Firefox")
agent = Agent()
for tool in tools:
    registry.register_tool(tool)
column = {"name": "id", "description": "A column", "type": "int"}
sms = twilio.messages.create(to=number, body=text)
'''
SCRIPT_TRAPS = """\
// server.registerTool("look", {}, look);
/* new Agent({ model }) */
const http = new https.Agent({ keepAlive: true, model: 1 });
class Tooltip extends Toolbar {}
await api.post("/admin/api/v1/messages/read-all");
"""


def seen(path: str, text: str) -> list[tuple[str, int, str]]:
    return sorted((one.what, one.line, one.name) for one in in_text(path, text.encode()))


def test_the_forms_of_python_are_seen() -> None:
    assert seen("main.py", PYTHON) == [
        ("agent constructor", 13, ""),
        ("model request", 14, ""),
        ("tool class", 8, "Refund"),
        ("tool decorator", 1, "look_up"),
        ("tool registrar", 12, "close_order"),
        ("tool schema", 15, "send"),
    ]


def test_the_forms_of_scripts_are_seen() -> None:
    assert seen("main.ts", SCRIPT) == [
        ("agent constructor", 4, ""),
        ("model address", 6, ""),
        ("model request", 5, ""),
        ("tool class", 3, "Close"),
        ("tool maker", 2, ""),
        ("tool registrar", 1, "look"),
    ]


def test_what_only_looks_alike_is_not_counted() -> None:
    assert seen("main.py", TRAPS) == []
    assert seen("main.ts", SCRIPT_TRAPS) == []


def test_files_that_nobody_wrote_for_the_application_are_passed_over(tmp_path: Path) -> None:
    for name in ("app.py", "test_app.py", "tests/app.py", "node_modules/x/app.ts", ".venv/app.py", "a.min.js", "x.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("@tool\ndef a(): ...\n", encoding="utf-8")
    (tmp_path / "packed.py").write_text("@tool\ndef a(): ...\n" + "x" * 6000, encoding="utf-8")
    (tmp_path / "away.py").symlink_to(tmp_path / "app.py")
    assert [one.path for one in sightings(tmp_path)] == ["app.py"]


def entity(kind: str, line: int, last: int = 0, name: str = "", path: str = "main.py") -> Entity:
    return Entity(kind, "resolved", path, line, last or line, frozenset({name}))


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (entity("tool", 4, 6), ["tool class", "tool registrar", "tool schema"]),
        (entity("tool", 7, path="other.py", name="close_order"), ["tool class", "tool decorator", "tool schema"]),
        (entity("agent", 4, 6), ["tool class", "tool decorator", "tool registrar", "tool schema"]),
        (entity("tool", 1, path="other.py"), ["tool class", "tool decorator", "tool registrar", "tool schema"]),
    ],
    ids=["its place", "its name", "another kind", "another file"],
)
def test_an_entity_answers_a_sighting_by_place_or_name(found: Entity, left: list[str]) -> None:
    tools = [one for one in in_text("main.py", PYTHON.encode()) if one.kind == "tool"]
    assert sorted(one.what for one in unmatched(tools, [found])) == left


def test_a_loop_or_class_answers_only_where_it_begins() -> None:
    asked = [one for one in in_text("main.py", PYTHON.encode()) if one.kind == "request"]
    assert list(unmatched(asked, [entity("site", 2, 40)])) == asked
    assert list(unmatched(asked, [entity("request", 13, 15)])) == []


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).mkdir()
    (folder / name / "main.py").write_text(text, encoding="utf-8")
    return folder / name


KNOWN = """\
from agents import Agent, Runner, function_tool


@function_tool
def look_up(key: str) -> str:
    return key


clerk = Agent(name="clerk", model="gpt-5", tools=[look_up])
Runner.run_sync(clerk, "hello")
"""


def test_a_project_is_compared(tmp_path: Path) -> None:
    found = compared(write(tmp_path, "known", KNOWN))
    assert found["kinds"] == {"agent": 1, "tool": 1}
    assert found["missing"] == []
    assert isinstance(found["entities"], dict)
    assert {kind: sum(degrees.values()) for kind, degrees in found["entities"].items()} == {
        "agent": 1,
        "site": 1,
        "tool": 1,
    }


def test_each_degree_of_evidence_is_counted_apart() -> None:
    span = Span("main.py", 3, 1, 4, 9)
    seen = Tool(span, "look_up", "", "look_up", degree=Degree.INFERRED)
    served = Site(span, "server", "mcp", SiteKind.MCP_SERVER)
    found = entities(AgentSystem(Project({}, {}, ()), sites=(served,), tools=(seen,)))
    assert [(one.kind, one.degree, one.line) for one in found] == [("server", "resolved", 3), ("tool", "inferred", 3)]


def test_a_run_is_resumed_and_ends_with_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, kept = tmp_path / "co", tmp_path / "results.jsonl"
    folder.mkdir()
    write(folder, "known", KNOWN)
    write(folder, "plain", "print(1)\n")
    earlier = Result("plain", OK, kinds={"tool": 7}, seen={"tool class": 7})
    results.append(kept, earlier)
    with kept.open("a", encoding="utf-8") as cut:
        cut.write('{"project": "known", "sta')
    assert run.main(["--breadth", str(folder), "--resume", str(kept)]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith("breadth: 2 projects read, 0 not, 1 silent where the count saw something\n")
    assert "tool class: 7 counted, 0 not found" in shown
    assert [one.project for one in results.read(kept)] == ["plain", "known"]
    assert results.read(kept)[0] == earlier


def test_what_takes_too_long_is_ended_and_what_fails_is_said(tmp_path: Path) -> None:
    slow = measure(tmp_path, 0.2, (sys.executable, "-c", "import time; time.sleep(600)"))
    wrong = measure(tmp_path, 60, (sys.executable, "-c", "raise ValueError('no such thing')"))
    assert (slow.status, slow.message) == (TIMEOUT, "not read in 0.2 seconds")
    assert (wrong.status, wrong.message) == (FAILED, "ValueError: no such thing")


def test_lines_that_only_the_count_saw_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "one", "")
    missing = {"what": "tool class", "kind": "tool", "place": "main.py:3", "text": "class Look(Tool):"}
    kept = tmp_path / "kept.jsonl"
    line = {"project": "one", "status": "ok", "kinds": {"tool": 1}, "seen": {"tool class": 1}, "missing": [missing]}
    kept.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert run.main(["--breadth", str(tmp_path), "--resume", str(kept), "--misses"]) == 0
    shown = capsys.readouterr().out
    assert "tool class         main.py:3  class Look(Tool):" in shown
    assert "0 (1 of 1)" in shown


def test_a_project_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--breadth", str(tmp_path), "--project", "nobody"]) == 2
    assert "there is no nobody" in capsys.readouterr().err
