"""The files in which hosts are told of MCP servers: where the rows find them, and what they read there."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.protocols import HostConfig, McpClient, Parts
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.supply import Pin
from agent_architecture.semantics.matching.context import Context
from agent_architecture.semantics.protocols.hosts import host_configs

COMMAND = """"orders": {"command": "npx", "args": ["-y", "orders"], "env": {"KEY": "x"}}"""
REMOTE = """"orders": {"url": "https://example.com/mcp", "headers": {}}"""


def read(folder: Path, file: str, text: str) -> tuple[HostConfig, ...]:
    """What a file tells its host."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    packs, versions, program = pipeline.understand_names(pipeline.read_sources([folder], Config()))
    return host_configs(Context(program, packs, versions, ()))


def written(client: McpClient) -> dict[str, object]:
    """What an entry says, by the name of the property."""
    return {
        name: [part.value.value for part in value.entries] if isinstance(value, Parts) else value.value
        for name, value in client._asdict().items()
        if isinstance(value, (Parts, Setting)) and value.origin is Origin.WRITTEN and name != "pinned"
    }


@pytest.mark.parametrize(
    "file",
    [
        ".mcp.json",
        "mcp.json",
        ".cursor/mcp.json",
        ".roo/mcp.json",
        ".kiro/settings/mcp.json",
        ".windsurf/mcp_config.json",
        "cline_mcp_settings.json",
        "claude_desktop_config.json",
        ".gemini/settings.json",
    ],
)
def test_a_server_stands_once_under_its_name_in_each_hosts_file(tmp_path: Path, file: str) -> None:
    (config,) = read(tmp_path, file, f'{{"mcpServers": {{{COMMAND}}}}}')
    (client,) = config.clients
    assert client.symbol == "orders"
    assert written(client) == {
        "name": "orders", "command": "npx", "arguments": ["-y", "orders"], "environment": ["x"]
    }  # fmt: skip
    assert client.transport.value == "stdio"
    assert (client.environment.entries[0].name, client.pinned.value) == ("KEY", Pin.FLOATING)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".mcp.json", f'{{"mcpServers": {{{REMOTE}}}}}'),
        (".vscode/mcp.json", f'{{"servers": {{{REMOTE}}}}}'),
        (".vscode/settings.json", f'{{"mcp": {{"servers": {{{REMOTE}}}}}}}'),
        (".zed/settings.json", f'{{"context_servers": {{{REMOTE}}}}}'),
    ],
)
def test_a_remote_server_has_a_url(tmp_path: Path, file: str, text: str) -> None:
    ((client,),) = (config.clients for config in read(tmp_path, file, text))
    assert written(client) == {"name": "orders", "url": "https://example.com/mcp", "headers": []}
    assert client.transport.value == "http"


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        (
            ".codex/config.toml",
            '[mcp_servers.orders]\ncommand = "uvx"\nenabled_tools = ["a"]\ndefault_tools_approval_mode = "approve"\n',
            {"command": "uvx", "allowed": ["a"], "approval": "never"},
        ),
        (
            ".gemini/settings.json",
            '{"mcpServers": {"orders": {"httpUrl": "https://example.com/mcp", "trust": true, "includeTools": ["a"]}}}',
            {"url": "https://example.com/mcp", "approval": "never", "allowed": ["a"]},
        ),
        (
            ".roo/mcp.json",
            '{"mcpServers": {"orders": {"command": "npx", "alwaysAllow": ["a"], "disabled": true}}}',
            {"command": "npx", "approval": "a list of 1", "disabled": True},
        ),
        (
            "opencode.json",
            '{"mcp": {"orders": {"type": "local", "command": ["bun", "x", "orders"], "enabled": false}}}',
            {"command": "bun", "arguments": ["x", "orders"], "transport": "stdio", "disabled": True},
        ),
        (
            ".continue/config.yaml",
            "mcpServers:\n  - name: orders\n    command: uvx\n",
            {"command": "uvx"},
        ),
    ],
)
def test_what_a_host_is_told_of_tools_and_approval(
    tmp_path: Path, file: str, text: str, expected: dict[str, object]
) -> None:
    ((client,),) = (config.clients for config in read(tmp_path, file, text))
    assert written(client) == {"name": "orders", **expected}


def test_a_host_may_be_told_of_all_servers_at_once(tmp_path: Path) -> None:
    (config,) = read(tmp_path, ".claude/settings.json", '{"enableAllProjectMcpServers": true}')
    assert (config.clients, config.approval.value) == ((), "never")


@pytest.mark.parametrize(
    ("hook", "fails_open", "blocks"),
    [
        ('{"type": "command", "command": "./check"}', True, True),
        ('{"type": "command", "command": "./check", "onFailure": "block"}', False, True),
        ('{"type": "command", "command": "./check", "async": true}', True, False),
    ],
)
def test_a_hook_in_front_of_tools_lets_them_pass_where_it_fails(
    tmp_path: Path, hook: str, fails_open: bool, blocks: bool
) -> None:
    text = f'{{"hooks": {{"PreToolUse": [{{"matcher": "Bash", "hooks": [{hook}]}}], "Stop": [{{"hooks": [{hook}]}}]}}}}'
    (config,) = read(tmp_path, ".claude/settings.json", text)
    (guard,) = config.guards
    assert (guard.symbol, guard.fails_open, guard.blocks) == ("./check", fails_open, blocks)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".claude/settings.json", '{"permissions": {}, "hooks": {"PreToolUse": [{"hooks": ["x", 3]}]}}'),
        (".claude/settings.json", '{"permissions": "allow", "sandbox": []}'),
        (".codex/config.toml", 'model = "o3"\n'),
        ("SKILL.md", "---\nname: x\n---\n"),
        ("SKILL.md", "allowed-tools: Read\n"),
        ("docs/notes.md", "---\nallowed-tools: Read\n---\n"),
    ],
)
def test_a_file_that_says_nothing_of_tools_is_no_configuration(tmp_path: Path, file: str, text: str) -> None:
    assert read(tmp_path, file, text) == ()


@pytest.mark.parametrize(
    ("file", "text", "servers"),
    [
        ("managed-settings.json", '{"allowedMcpServers": [{"serverName": "orders"}, {"serverUrl": "https://x.test/*"}]}',
         ["orders", "https://x.test/*"]),
        (".gemini/settings.json", '{"mcp": {"allowed": ["orders"]}}', ["orders"]),
        ("managed-settings.json", '{"allowedMcpServers": []}', []),
    ],
)  # fmt: skip
def test_a_host_may_be_told_which_servers_there_are(tmp_path: Path, file: str, text: str, servers: list[str]) -> None:
    (config,) = read(tmp_path, file, text)
    assert config.servers.origin is Origin.WRITTEN
    assert ([part.value.value for part in config.servers.entries], config.clients) == (servers, ())


def test_servers_of_a_project_may_be_approved_by_name(tmp_path: Path) -> None:
    (config,) = read(tmp_path, ".claude/settings.json", '{"enabledMcpjsonServers": ["orders"]}')
    assert config.approval.value == "a list of 1"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("config/servers.json", '{"mcpServers": {"orders": {"command": "npx"}}}'),
        ("settings.toml", '[mcp.servers.orders]\ncommand = "npx"\n'),
        ("app.yaml", "mcp_servers:\n  - name: orders\n    command: npx\n"),
    ],
)
def test_a_file_of_any_name_is_read_by_the_shape_of_its_entries(tmp_path: Path, file: str, text: str) -> None:
    ((client,),) = (config.clients for config in read(tmp_path, file, text))
    assert written(client) == {"name": "orders", "command": "npx"}


def test_what_says_neither_what_to_start_nor_where_to_connect_is_no_server(tmp_path: Path) -> None:
    assert read(tmp_path, "schema.json", '{"mcpServers": {"type": {"type": "object"}, "count": 3}}') == ()


def test_a_reference_to_a_variable_is_not_readable(tmp_path: Path) -> None:
    text = '{"mcpServers": {"orders": {"url": "https://${HOST}/mcp", "headers": {"Authorization": "Bearer ${KEY}"}}}}'
    ((client,),) = (config.clients for config in read(tmp_path, ".mcp.json", text))
    assert (client.url.origin, client.url.source) == (Origin.UNKNOWN, "the variable ${HOST}")
    assert [(part.name, part.value.origin) for part in client.headers.entries] == [("Authorization", Origin.UNKNOWN)]


def test_an_entry_stands_at_its_key(tmp_path: Path) -> None:
    text = '{\n  "mcpServers": {\n    "orders":\n      {"command": "npx"}\n  }\n}\n'
    ((client,),) = (config.clients for config in read(tmp_path, ".mcp.json", text))
    assert (client.span.line, client.span.col) == (3, 5)


def test_the_name_of_a_server_is_its_key_where_the_file_is_a_mapping() -> None:
    from agent_architecture.semantics.packs.packs import load_packs

    rows = [row for row in load_packs().documents if row.where.pack == "mcp-hosts" and row.kind == "mcp_client"]
    assert all(row.key == "name" for row in rows if row.each[0][-1] == "*")
