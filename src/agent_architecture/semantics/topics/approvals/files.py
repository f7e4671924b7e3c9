"""What files and connections say of questions to a person: the rules of hosts, the approvals of MCP servers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.model.settings import Origin
from agent_architecture.regexes import regex
from agent_architecture.semantics.topics.approvals.words import ALL, SOME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.protocols import HostConfig, McpClient, Parts
    from agent_architecture.model.settings import Scalar, Setting
    from agent_architecture.sources.source import Span

COMMANDS: Final = regex(
    r"^(?:bash|shell|run_?shell_?command|shelltool|terminal|execute_?command|powershell)$", re.IGNORECASE
)
"""What hosts call their tool for command lines."""
LOOKING: Final = regex(
    r"^(?:read|read_?file|read_?many_?files|grep|glob|ls|list_?directory|search_?file_?content|find_?files|web_?fetch"
    r"|web_?search|google_?web_?search|notebook_?read|todo_?(?:read|write)|skill|task|tool_?search|bash_?output)$",
    re.IGNORECASE,
)
"""Tools of hosts that change nothing outside."""
ASKING_WORDS: Final = frozenset({
    "get", "list", "search", "read", "find", "fetch", "query", "describe", "view", "show", "resolve", "lookup", "check",
})  # fmt: skip
"""First words of names of a server's tools that only ask."""
WILD: Final = regex(r"^[\s:*]*$")


def of_files(configs: Iterable[HostConfig], clients: Iterable[McpClient]) -> Iterator[Approval]:
    """One for each file that has rules, and for each server whose approval is written."""
    for config in configs:
        if config.mode.origin is not Origin.ABSENT or config.unasked.entries or config.asked.entries:
            yield _of_config(config)
    for client in clients:
        found = _of_client(client)
        if found is not None:
            yield found


def _of_config(config: HostConfig) -> Approval:
    bypasses = [*_mode(config), *_rules(config.unasked, config.span)]
    hidden = config.mode.source if config.mode.origin is Origin.UNKNOWN else ""
    spans = [bypass.span for bypass in bypasses]
    return Approval(
        min(spans, default=config.span), config.symbol, config.framework, open=True, bypasses=tuple(bypasses),
        unreadable=hidden,
    )  # fmt: skip


def _mode(config: HostConfig) -> Iterator[Bypass]:
    span = config.mode.span or config.span
    if "never" in config.mode.values:
        yield Bypass(span, BypassKind.OFF, "The host is told to ask nobody before a tool runs")
    elif "conditional" in config.mode.values:
        yield Bypass(span, BypassKind.JUDGED, "The host decides by itself which calls wait for a person")


def _rules(unasked: Parts, place: Span) -> Iterator[Bypass]:
    for part in unasked.entries:
        if isinstance(part.value.value, str):
            kind = _of_rule(part.value.value)
            if kind is not None:
                yield Bypass(part.value.span or place, kind, f"Nobody is asked for {part.value.value}")


def _of_rule(rule: str) -> BypassKind | None:
    """What a rule like `Bash(git:*)` lets through; None for what changes nothing, and for one whole command."""
    name, opened, rest = rule.partition("(")
    name = name.strip()
    inside = rest.rpartition(")")[0]
    if WILD.match(name):
        return BypassKind.ANYTHING
    if COMMANDS.match(name):
        if WILD.match(inside):
            return BypassKind.ANYTHING
        return BypassKind.RULE if "*" in inside or (opened and name.lower() != "bash") else None
    if LOOKING.match(name):
        return None
    last = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.rpartition("__")[2])
    return None if "__" in name and last.lower().split("_")[0].split("-")[0] in ASKING_WORDS else BypassKind.RULE


def _of_client(client: McpClient) -> Approval | None:
    """A server whose approval somebody wrote: in a program, or in a host's file."""
    asked = client.approval
    if asked.origin not in {Origin.WRITTEN, Origin.UNKNOWN} or any(value is None for value in asked.values):
        return None
    found = {kind for value in asked.values if (kind := _of_value(value)) is not None}
    kind = BypassKind.OFF if found == {BypassKind.OFF} and len(asked.values) == 1 else next(iter(sorted(found)), None)
    if client.configured and asked.values == ("a list of 0",):
        return None
    bypasses = (Bypass(asked.span or client.span, kind, _what(kind, asked)),) if kind is not None else ()
    hidden = asked.source if asked.origin is Origin.UNKNOWN else ""
    return Approval(client.span, client.symbol, client.framework, open=True, bypasses=bypasses, unreadable=hidden)


def _of_value(value: Scalar) -> BypassKind | None:
    """What one value of a server's approval lets through; a list names the tools that nobody is asked for."""
    word = str(value).lower()
    if value is False or word in ALL:
        return BypassKind.OFF
    return BypassKind.RULE if word in SOME or word.startswith("a list of") else None


def _what(kind: BypassKind, asked: Setting) -> str:
    if kind is BypassKind.OFF:
        return f"Its approval is set to {asked.value}: nobody is asked for a tool of this server"
    return f"Nobody is asked for some tools of this server ({asked.value})"
