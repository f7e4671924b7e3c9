"""The files in which hosts are told of MCP servers: where the rows find them, and what they read there."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.semantics.context import Context
from agent_architecture.semantics.documents import first, places
from agent_architecture.syntax import ir

COMMAND = """"orders": {"command": "npx", "args": ["-y", "orders"], "env": {"KEY": "x"}}"""
REMOTE = """"orders": {"url": "https://example.com/mcp", "headers": {}}"""


def read(folder: Path, file: str, text: str) -> list[dict[str, object]]:
    """Each MCP client that a file declares, as what is written at the properties of its row."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    packs, versions, program = pipeline.understand_names(pipeline.read_sources([folder], Config()))
    context = Context(program, packs, versions, ())
    found: list[dict[str, object]] = []
    for row in packs.documents:
        if row.kind == "mcp_client":
            for _, place in places(context, row):
                written = {name: first(place, address) for name, address in row.properties.items()}
                found.append({name: _plain(row.values.get(name, {}), node) for name, node in written.items() if node})
    return found


def _plain(words: dict[str, object], node: ir.Node) -> object:
    match node:
        case ir.Literal():
            return words.get(str(node.value).lower(), node.value)
        case ir.List():
            return [_plain({}, item) for item in node.items]
        case _:
            return {}


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
    (found,) = read(tmp_path, file, f'{{"mcpServers": {{{COMMAND}}}}}')
    assert found == {"command": "npx", "arguments": ["-y", "orders"], "environment": {}}


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
    assert read(tmp_path, file, text) == [{"url": "https://example.com/mcp", "headers": {}}]


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
            {"command": "npx", "approval": ["a"], "disabled": True},
        ),
        (".claude/settings.json", '{"enableAllProjectMcpServers": true}', {"approval": "never"}),
        (
            "opencode.json",
            '{"mcp": {"orders": {"type": "local", "command": ["bun", "x", "orders"], "enabled": false}}}',
            {"command": "bun", "arguments": ["bun", "x", "orders"], "transport": "stdio", "disabled": True},
        ),
        (
            ".continue/config.yaml",
            "mcpServers:\n  - name: orders\n    command: uvx\n",
            {"name": "orders", "command": "uvx"},
        ),
    ],
)
def test_what_a_host_is_told_of_tools_and_approval(
    tmp_path: Path, file: str, text: str, expected: dict[str, object]
) -> None:
    assert read(tmp_path, file, text) == [expected]


def test_the_name_of_a_server_is_its_key_where_the_file_is_a_mapping() -> None:
    from agent_architecture.semantics.packs import load_packs

    rows = [row for row in load_packs().documents if row.where.pack == "mcp-hosts"]
    assert all(row.key == "name" for row in rows if row.each[0][-1] == "*")
