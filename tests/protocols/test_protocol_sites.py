"""Sites of MCP and A2A: how they stand beside the sites that run agents."""

from __future__ import annotations

from pathlib import Path

from agent_architecture.model.settings import Origin
from agent_architecture.model.supply import Pin
from agent_architecture.model.system import AgentSystem, SiteKind
from agent_architecture.sources.source import Role
from page_checks import understand

HOST = '{"mcpServers": {"orders": {"command": "npx", "args": ["-y", "orders-mcp"]}}}\n'
CLERK = """from agents import Agent, Runner

Runner.run_sync(Agent(name="Clerk"), "hello")
"""


def system(folder: Path, **files: str) -> AgentSystem:
    """The system of some files, by path: `/` is written `__`, `.` is written as the last `_`."""
    for name, text in files.items():
        stem, _, suffix = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found, notices = understand(folder)
    assert notices == ()
    return found


def kinds(found: AgentSystem) -> list[tuple[str, str]]:
    return [(site.span.path, str(site.kind)) for site in found.sites]


def test_a_hosts_configuration_makes_the_metric_applicable_and_runs_no_agent(tmp_path: Path) -> None:
    found = system(tmp_path, mcp_json=HOST)
    assert kinds(found) == [("mcp.json", "mcp_client")]
    assert found.agent_sites == ()


def test_examples_are_judged_although_a_developers_host_is_configured(tmp_path: Path) -> None:
    found = system(tmp_path, mcp_json=HOST, examples__clerk_py=CLERK, samples__sizes_py="SIZES = (1, 2)\n")
    assert found.project.judged_role is Role.EXAMPLE
    assert kinds(found) == [("examples/clerk.py", "run"), ("mcp.json", "mcp_client")]


def test_a_client_in_the_application_leaves_examples_unjudged(tmp_path: Path) -> None:
    client = 'from mcp.client.sse import sse_client\n\nsse_client("http://localhost:8000/sse")\n'
    found = system(tmp_path, app__client_py=client, examples__clerk_py=CLERK)
    assert found.project.judged_role is Role.APP
    assert kinds(found) == [("app/client.py", "mcp_client")]


def test_configurations_of_tests_and_forms_to_fill_in_are_no_sites(tmp_path: Path) -> None:
    assert kinds(system(tmp_path, tests__mcp_json=HOST, config__mcp_example_json=HOST)) == []


def test_several_connections_of_one_call_are_one_site(tmp_path: Path) -> None:
    source = """from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient({"a": {"command": "a"}, "b": {"url": "http://b.example/mcp"}})
"""
    found = system(tmp_path, main_py=source)
    assert kinds(found) == [("main.py", "mcp_client")]
    assert [(client.symbol, client.transport.value) for client in found.mcp_clients] == [("a", "stdio"), ("b", "http")]


def test_the_pin_of_a_client_is_that_of_the_install_path(tmp_path: Path) -> None:
    found = system(tmp_path, mcp_json=HOST)
    (client,) = found.mcp_clients
    (path,) = found.install_paths
    assert (client.pinned.value, client.pinned.source) == (Pin.FLOATING, "orders-mcp")
    assert [(item.name, item.pin) for item in path.items] == [("orders-mcp", Pin.FLOATING)]


def test_a_program_that_is_there_already_has_no_pin(tmp_path: Path) -> None:
    found = system(tmp_path, mcp_json='{"mcpServers": {"orders": {"command": "python", "args": ["server.py"]}}}')
    assert found.mcp_clients[0].pinned.origin is Origin.ABSENT


def test_an_agent_that_is_served_where_it_is_made_is_one_site(tmp_path: Path) -> None:
    source = """from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import Agent

app = to_a2a(Agent(name="clerk", model="m", tools=[print]))
"""
    found = system(tmp_path, main_py=source)
    assert [site.kind for site in found.sites] == [SiteKind.EXPORTED_GRAPH]
    assert [endpoint.role for endpoint in found.a2a_endpoints] == ["server"]


OPENING = """from mcp.client.stdio import StdioServerParameters, stdio_client


class Transport:
    def __init__(self, command, args):
        self.command, self.args = command, args

    async def connect(self):
        async with stdio_client(StdioServerParameters(command=self.command, args=self.args)) as streams:
            yield streams
"""
ANSWERING = """class Dispatcher:
    def __init__(self, handler):
        self.handler = handler

    async def answer(self, request):
        match request["method"]:
            case "message/send":
                return {"result": await self.handler.send(request)}
            case "tasks/get":
                return {"result": await self.handler.get(request)}
"""


def test_what_a_library_that_makes_servers_opens_and_answers_is_its_users(tmp_path: Path) -> None:
    named = '[project]\nname = "{}"\n'
    files = {"src__fastmcp__stdio_py": OPENING, "src__a2a__app_py": ANSWERING, "tools__check_py": OPENING}
    own = system(tmp_path / "own", pyproject_toml=named.format("fastmcp"), **files)
    assert kinds(own) == [("src/a2a/app.py", "a2a"), ("tools/check.py", "mcp_client")]
    speaking = system(tmp_path / "speaking", pyproject_toml=named.format("a2a_sdk"), **files)
    assert ("src/a2a/app.py", "a2a") not in kinds(speaking)
    assert ("src/fastmcp/stdio.py", "mcp_client") in kinds(speaking)
    using = system(tmp_path / "using", pyproject_toml=named.format("desk"), **files)
    assert len(using.sites) == len(files)
