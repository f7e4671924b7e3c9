"""MCP servers of libraries that no pack knows: `createServer({name, tools: [look, …]})` of a package that is called
after the protocol, told which tools it serves.

The row of the pack `shapes` says where their parts stand. Who is given a model besides is an agent, and who connects
is a client.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.options import options_of
from agent_architecture.names.values import Api, Entries, Items
from agent_architecture.semantics.agents.shapes.constructors import MODELS, PACK
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.matching.match import Match
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs

SERVING: Final = frozenset({"app", "gateway", "serve", "server"})
"""Words of calls that make a server."""
OTHERS: Final = frozenset({"agent", "agents", "client", "clients", "connect", "host", "proxy", "test", "mock"})
"""Words of calls that make something else of it."""
TOOLS: Final = "tools"
PROTOCOL: Final = "mcp"


def servers(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[Match]:
    """The calls that make such a server; `known` are the ids of the nodes of which rows speak."""
    row = packs.named(PACK, "mcp_server", TOOLS)
    if row is None:
        return
    names = {name for module in program.modules for name in module.index.calls if _serves(name)}
    for name in sorted(names):
        for call in (site.call for site in program.calls(name)):
            if id(call) not in known and _is_told(program, call) and _is_unknown(program, packs, call):
                yield Match(row, call, call, Api(f"shape:{name}()", call), degree=Degree.INFERRED)


def _serves(name: str) -> bool:
    words = {*words_of(name)}
    return bool(words & SERVING) and not words & OTHERS


def _is_told(program: Program, call: ir.Call) -> bool:
    """Whether a call is given tools in a list or mapping that is not empty, and no model."""
    told = options_of(program, call)
    if TOOLS not in told or told.keys() & MODELS:
        return False
    values = program.value_of(told[TOOLS])
    return any(
        bool(value.items) if isinstance(value, Items) else bool(value.entries)
        for value in values
        if isinstance(value, (Items, Entries))
    )


def _is_unknown(program: Program, packs: Packs, call: ir.Call) -> bool:
    """Whether a call is only a library's that is named after the protocol, and of which no pack says what serves it."""
    values = program.value_of(call.callee)
    known = packs.libraries("mcp_server", "mcp_client", "agent", "run")
    return bool(values) and all(
        isinstance(value, Api) and _is_named_so(value.path) and packs.package_of(value.path) not in known
        for value in values
    )


def _is_named_so(path: str) -> bool:
    """Whether a path leads into a package that has the protocol in its name: `npm:@desk/mcp-core:serve`."""
    ecosystem, _, rest = path.partition(":")
    package = rest.partition(":")[0] if ecosystem == "npm" else rest.partition(":")[0].partition(".")[0]
    words = words_of(package)
    return any(word.startswith(PROTOCOL) or word.endswith(PROTOCOL) for word in words)
