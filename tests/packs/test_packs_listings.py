"""The files in which a project describes its own MCP servers: what they ask of users, and what is no such file."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.model.protocols import McpStart
from agent_architecture.semantics.matching.context import Context
from agent_architecture.semantics.protocols.starts import mcp_starts

PACKAGE = '"registryType": "{0}", "identifier": "{1}", "transport": {{"type": "stdio"}}'


def read(folder: Path, file: str, text: str) -> tuple[McpStart, ...]:
    """What a file says of the project's servers."""
    (folder / file).write_text(text, encoding="utf-8")
    packs, versions, program = pipeline.understand_names(pipeline.read_sources([folder], Config()))
    return mcp_starts(Context(program, packs, versions, ()))


@pytest.mark.parametrize(
    ("registry", "name", "more", "pin"),
    [
        ("npm", "orders", ', "version": "1.2.3"', "exact"),
        ("npm", "orders", ', "version": "latest"', "floating"),
        ("npm", "orders", "", "floating"),
        ("npm", "orders", ', "version": "^1.2.3"', "range"),
        ("npm", "orders", ', "version": "1.2.3", "fileSha256": "ab"', "digest"),
        ("pypi", "orders", ', "version": "1.2"', "exact"),
        ("pypi", "orders", ', "version": ">=1.2"', "range"),
        ("oci", "ghcr.io/acme/orders:1.2", "", "tag"),
        ("oci", "ghcr.io/acme/orders", ', "version": "1.2"', "tag"),
        ("oci", "ghcr.io/acme/orders@sha256:ab", "", "digest"),
        ("oci", "localhost:5000/orders", "", "floating"),
        ("mcpb", "https://example.com/orders.mcpb", ', "version": "1.2.3"', "floating"),
        ("mcpb", "https://example.com/orders.mcpb", ', "fileSha256": "ab"', "digest"),
    ],
)
def test_a_package_is_as_firm_as_its_version(tmp_path: Path, registry: str, name: str, more: str, pin: str) -> None:
    text = f'{{"packages": [{{{PACKAGE.format(registry, name)}{more}}}]}}'
    (start,) = read(tmp_path, "server.json", text)
    assert (start.symbol, start.pinned.value) == (name, pin)


def test_what_is_asked_of_the_user_says_whether_it_is_needed_and_secret(tmp_path: Path) -> None:
    variables = """"environmentVariables": [
        {"name": "KEY", "isRequired": true, "isSecret": true}, {"name": "PAGE", "default": "20"}, {"value": "x"}]"""
    (start,) = read(tmp_path, "server.json", f'{{"packages": [{{{PACKAGE.format("npm", "orders")}, {variables}}}]}}')
    key, page = start.inputs
    assert (key.symbol, key.required.value, key.secret.value, key.value.value) == ("KEY", True, True, None)
    assert (page.symbol, page.required.value, page.secret.value, page.value.value) == ("PAGE", None, None, "20")


def test_an_extension_asks_for_what_its_manifest_lists(tmp_path: Path) -> None:
    asked = '"user_config": {"token": {"type": "string", "required": true, "sensitive": true}, "note": "x"}'
    (start,) = read(tmp_path, "manifest.json", f'{{{asked}, "server": {{"mcp_config": {{"command": "node"}}}}}}')
    (token,) = start.inputs
    assert (token.symbol, token.required.value, token.secret.value) == ("token", True, True)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("server.json", '{"port": 80, "packages": [{"name": "static", "version": "1"}], "remotes": [{"type": "git"}]}'),
        ("server.json", '{"packages": {"registryType": "npm"}, "remotes": ["sse"]}'),
        ("server.json", '["packages", "remotes"]'),
        ("manifest.json", '{"manifest_version": 3, "server": {"port": 3}, "user_config": {}}'),
        ("smithery.yaml", "runtime: [typescript]\nstartCommand\n"),
    ],
)
def test_another_file_of_that_name_says_nothing(tmp_path: Path, file: str, text: str) -> None:
    assert read(tmp_path, file, text) == ()


@pytest.mark.parametrize("text", ["not a function", "(config) => ({", "() => ({ commands: 1 })", "x" * 30_000])
def test_a_function_that_cannot_be_read_gives_no_command(tmp_path: Path, text: str) -> None:
    (start,) = read(tmp_path, "smithery.yaml", f"startCommand:\n  type: stdio\n  commandFunction: |\n    {text}\n")
    assert (start.transport.value, start.command.value) == ("stdio", None)
