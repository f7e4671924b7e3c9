"""MCP servers that code names as hosts' files do, `mcp_servers={"files": {"command": …, "args": […]}}`: at a call of
which no pack knows, or in a variable of that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.options import keyed
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Entries, Items
from agent_architecture.semantics.agents.shapes.constructors import PACK, is_unknown
from agent_architecture.semantics.agents.shapes.words import words_of
from agent_architecture.semantics.matching.match import Match
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow

NAMES: Final = frozenset({"MCP_SERVERS", "mcpServers", "mcp_servers"})
"""What such mappings are called, whoever takes them."""
OPENING: Final = (frozenset({"command"}), frozenset({"url"}), frozenset({"serverUrl"}), frozenset({"server_url"}))
WRITING: Final = frozenset({"dump", "dumps", "safe_dump", "stringify", "writeFile", "writeFileSync", "writeJson"})
"""Calls that write a host's file, for somebody else to read."""
KEEPING: Final = frozenset({"merge", "patch", "persist", "put", "reset", "save", "set", "store", "update", "write"})
KEPT: Final = frozenset({"config", "configuration", "options", "preferences", "prefs", "settings", "state", "store"})
"""Words of calls that only keep what a user chose: `updateSettings({mcpServers: servers})`."""


def connections(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[Match]:
    """The connections that such mappings describe; `known` are the ids of the nodes of which rows speak."""
    given, entry = packs.named(PACK, "mcp_client", "mcpServers"), packs.named(PACK, "mcp_client", "entry")
    if given is None or entry is None:
        return
    for module in program.modules:
        file = program.table.file(module.path)
        if file is None or not any(name.encode() in file.data for name in NAMES):
            continue
        for scope in (*module.code, *module.index.classes):
            for node in program.structure(scope).nodes:
                if isinstance(node, ir.Call) and id(node) not in known:
                    yield from _at_call(program, packs, node, given)
                elif isinstance(node, ir.Assign):
                    yield from _in_variable(node, entry)


def _at_call(program: Program, packs: Packs, call: ir.Call, row: EntityRow) -> Iterator[Match]:
    """A call that is told of servers, by a keyword or a key of that name."""
    written = [argument.value for argument in call.args if argument.keyword in NAMES]
    for argument in call.args:
        written += [value for key, value in keyed(program, argument.value) if key in NAMES]
    name = callee_name(call.callee)
    described = written and not _only_writes(name) and any(_describes(program, expr) for expr in written)
    if described and is_unknown(program, packs, call):
        yield Match(row, call, call, Api(f"shape:{name}()", call), degree=Degree.INFERRED)


def _only_writes(name: str) -> bool:
    words = words_of(name)
    return name in WRITING or (bool(words) and words[0] in KEEPING and words[-1] in KEPT)


def _in_variable(assign: ir.Assign, row: EntityRow) -> Iterator[Match]:
    """The servers of a mapping that is put into a variable or attribute of that name."""
    if callee_name(assign.target) not in NAMES or not isinstance(assign.value, ir.Map):
        return
    for entry in assign.value.entries:
        if isinstance(entry.value, ir.Map) and _opens(entry.value):
            yield Match(row, entry.value, entry.value, Api("shape:mcpServers", entry.value), degree=Degree.INFERRED)


def _describes(program: Program, expr: ir.Expr) -> bool:
    """Whether a value names servers: a mapping or list of what says what to start or where to connect."""
    for value in program.value_of(expr):
        inner = value.items if isinstance(value, Items) else ()
        inner = tuple(item for _, item in value.entries) if isinstance(value, Entries) else inner
        if any(isinstance(item, ir.Map) and _opens(item) for item in inner):
            return True
    return False


def _opens(display: ir.Map) -> bool:
    keys = frozenset(_key(entry) for entry in display.entries)
    return any(wanted <= keys for wanted in OPENING)


def _key(entry: ir.Entry) -> str:
    return str(entry.key.value) if isinstance(entry.key, ir.Literal) else ""
