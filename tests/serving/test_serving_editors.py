"""The setup of editors: every snippet parses and starts the server; the extension for VS Code names its commands."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from agent_architecture.language_server.actions import ASK, IGNORE
from agent_architecture.suppressions.write import LONGEST

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", PAGE)


def test_the_settings_of_zed_and_vs_code_parse_and_start_the_server() -> None:
    code, zed = map(json.loads, blocks("json"))
    assert code["agentArchitecture.command"][1:] == ["lsp"]
    (name, server) = next(iter(zed["lsp"].items()))
    assert server == {"binary": {"path": "agent-architecture", "arguments": ["lsp"]}}
    assert name in zed["languages"]["Python"]["language_servers"]


def test_the_configuration_of_helix_parses_and_starts_the_server() -> None:
    (text,) = blocks("toml")
    helix = tomllib.loads(text)
    assert helix["language-server"] == {"agent-architecture": {"command": "agent-architecture", "args": ["lsp"]}}
    assert {one["name"] for one in helix["language"]} == {"python", "typescript"}
    assert all("agent-architecture" in one["language-servers"] for one in helix["language"])


def test_the_configuration_of_neovim_is_whole_and_starts_the_server() -> None:
    (text,) = blocks("lua")
    assert 'cmd = { "agent-architecture", "lsp" }' in text
    assert {ASK, IGNORE} <= set(re.findall(r'"(agent-architecture\.\w+)"', text))
    bare = re.sub(r'"[^"\n]*"', "", text)
    for opening, closing in ("()", "{}", "[]"):
        assert bare.count(opening) == bare.count(closing)
    words = re.findall(r"\b(?:function|if|for|while|do|end)\b", bare)
    assert words.count("end") * 2 == len(words)


def test_the_extension_and_the_server_name_the_same_commands() -> None:
    source = (EXTENSION / "src" / "extension.ts").read_text(encoding="utf-8")
    assert f'const ASK = "{ASK}"' in source
    assert f'const IGNORE = "{IGNORE}"' in source
    assert f"const LONGEST = {LONGEST};" in source
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    command = package["contributes"]["configuration"]["properties"]["agentArchitecture.command"]
    assert (command["default"], command["scope"]) == (["agent-architecture", "lsp"], "machine")


def test_the_packages_of_the_extension_are_pinned_and_name_no_address() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    pinned = {**package["dependencies"], **package["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in pinned.values())
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all(lock[f"node_modules/{name}"]["version"] == version for name, version in pinned.items())
    assert not [name for name, entry in lock.items() if "resolved" in entry]
    assert all("integrity" in entry for name, entry in lock.items() if name)
