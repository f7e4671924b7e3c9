"""Which packages serve an agent: those of agent libraries, model SDKs, MCP and A2A, as the framework packs know them.

Knows names only; a package of the same family counts, too (`langchain-foo` of `langchain`, `@langchain/foo`), and a
server or client of MCP that says so in its name (`orders-mcp`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.manifests.ranges import NPM, normalise

if TYPE_CHECKING:
    from agent_architecture.semantics.packs.packs import Packs

KINDS: Final = (
    "agent", "graph", "run", "model_call", "model_client", "mcp_client", "mcp_server", "a2a_client", "a2a_server",
)  # fmt: skip
MCP: Final = "mcp"
GENERAL: Final = frozenset({
    "@aws-sdk", "@azure", "@azure-rest", "@clerk", "@cloudflare", "@convex-dev", "@effect", "@github", "@google",
    "@google-cloud", "@tanstack", "@temporalio", "@vercel", "@workflow",
})  # fmt: skip
"""Under what names makers of all kinds of software publish: `@tanstack/react-query` has nothing of `@tanstack/ai`."""
WORDS: Final = frozenset({"agent", "agents", "ai", "genai", "llm", MCP})
"""What such a package is called that is for agents."""
_SHORTEST: Final = 3
"""A shorter name (npm's `ai`) begins too many others."""


class Serving:
    """Answers whether a package serves an agent."""

    def __init__(self, packs: Packs) -> None:
        self._known = frozenset((system, normalise(system, name)) for system, name in packs.libraries(*KINDS))
        self._scopes = frozenset(
            name.partition("/")[0] for system, name in self._known if system == NPM and name.startswith("@")
        )
        self._longer = frozenset(
            (system, "-".join(parts[:count]))
            for system, name in self._known
            if not name.startswith("@")
            for parts in (name.split("-"),)
            for count in range(2, len(parts))
        )

    def serves(self, ecosystem: str, package: str) -> bool:
        """Whether the package is known, is of a known one's family, or is what a known one is a part of."""
        name = normalise(ecosystem, package)
        if (ecosystem, name) in self._known or (ecosystem, name) in self._longer or MCP in re.split(r"[-/]", name):
            return True
        if name.startswith("@"):
            scope, _, own = name.partition("/")
            return scope in self._scopes and (scope not in GENERAL or not WORDS.isdisjoint(own.split("-")))
        parts = name.split("-")
        return any(
            len(root) >= _SHORTEST and (ecosystem, root) in self._known
            for root in ("-".join(parts[:count]) for count in range(1, len(parts)))
        )
