"""Where a project is itself a library that speaks a protocol for its users: the package of a pack that makes servers.

What such a package opens and serves is how it does what its pack says of it: its transports take what a caller hands
in, its dispatchers hand on to a caller's code. The servers and clients are its users'. What stands beside the package
(examples, commands, servers that the project runs itself) is judged as anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.manifests.declared_lines import package_of
from agent_architecture.semantics.manifests.ranges import NPM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.sources.source import SourceFile

SERVES: Final = ("mcp_server", "a2a_server")
"""Kinds of rows that only a library has which makes servers of a protocol for its users."""
SPOKEN: Final = frozenset(
    {"mcp_client", "mcp_server", "mcp_start", "mcp_prompt", "mcp_resource", "a2a_client", "a2a_server"}
)
"""Kinds of rows that are somebody's part in a protocol."""


def own_folders(packs: Packs, files: Iterable[SourceFile]) -> tuple[str, ...]:
    """The folders of the packages that the project publishes and that make servers, each with a slash at its end."""
    serving = packs.libraries(*SERVES)
    modules = {(p.ecosystem, p.name): p.modules for pack in packs.packs.values() for p in pack.packages}
    found: list[str] = []
    for file in files:
        package = package_of(file)
        if package not in serving or package is None:
            continue
        folder = file.path.rpartition("/")[0]
        inside = ("src",) if package[0] == NPM else tuple(m.replace(".", "/") for m in modules[package])
        found += [_joined(folder, name) for name in inside]
        found += [_joined(folder, f"src/{name}") for name in inside if package[0] != NPM]
    return tuple(found)


def without_own(packs: Packs, files: Iterable[SourceFile], matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The matches without those by which such a package speaks its protocol."""
    folders = own_folders(packs, files)
    if not folders:
        return matches
    return tuple(m for m in matches if m.row.kind not in SPOKEN or not m.node.span.path.startswith(folders))


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}/" if folder else f"{name}/"
