"""Which packages the programs of servers that are written by hand import: they serve the agent, whatever they are.

Knows names only. Such a server has no library of agents; what runs it is a web server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.supply import Pin
from agent_architecture.model.system import SiteKind
from agent_architecture.semantics.agents.mcp_answered import answered
from agent_architecture.semantics.manifests.manifests import folders_above
from agent_architecture.semantics.manifests.ranges import normalise
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.semantics.manifests.declared_lines import Entry
    from agent_architecture.semantics.matching.context import Context

SERVERS = frozenset({SiteKind.MCP_SERVER, SiteKind.A2A})


class Imported:
    """Answers for each manifest whether a server that it stands nearest to imports a package."""

    def __init__(self, context: Context, sites: tuple[Site, ...]) -> None:
        self._context = context
        self._paths = {site.span.path for site in sites if site.kind in SERVERS and not site.framework}
        self._paths |= {tool.node.span.path for tool in answered(context)}
        manifests = {file.path for file in context.versions.files}
        self._manifests = manifests
        self._below: dict[str | None, set[str]] | None = None
        self._nearest = {path: _nearest(path, manifests) for path in self._paths}

    def serves(self, manifest: str, entry: Entry) -> bool:
        """Whether a server whose nearest manifest this is imports the package."""
        folder = manifest.rpartition("/")[0]
        return any(
            normalise(entry.ecosystem, name) == entry.name
            for path in sorted(self._paths)
            if self._nearest[path] == folder
            for name in self._names(path)
        )

    def first(self, manifest: str, entries: Iterable[Entry]) -> list[Entry]:
        """What a manifest asks for; of a frozen list first what the code beside and below it imports: such a list names
        all that these need, too.
        """
        entries = list(entries)
        if any(entry.pin is not Pin.EXACT for entry in entries):
            return entries
        roots = self._imported_below(manifest.rpartition("/")[0])
        return sorted(entries, key=lambda entry: entry.name not in roots)

    def _imported_below(self, folder: str) -> frozenset[str]:
        """What the application's code imports whose nearest manifest stands in a folder, spelt as packages are."""
        if self._below is None:
            self._below = {}
            for module in (module for module in self._context.program.modules if module.role is Role.APP):
                near = self._below.setdefault(_nearest(module.path, self._manifests), set())
                near.update(spelt for _, each in module.index.imports for spelt in _spelt(each.module))
        return frozenset(self._below.get(folder, ()))

    def _names(self, path: str) -> frozenset[str]:
        module = self._context.program.table.get(path)
        found = [each.module for _, each in module.index.imports] if module is not None else []
        return frozenset(name for each in found for name in (each, each.partition(".")[0], each.partition("/")[0]))


def _spelt(module: str) -> Iterator[str]:
    """What the package of a module may be called: `google.adk.agents` is of `google`, `google-adk`, and so on."""
    yield module
    parts = module.replace("_", "-").split(".")
    yield from ("-".join(parts[: number + 1]) for number in range(len(parts)))


def _nearest(path: str, manifests: set[str]) -> str | None:
    """The folder of the manifest that is nearest to a file."""
    folders = {manifest.rpartition("/")[0] for manifest in manifests}
    return next((folder for folder in folders_above(path.rpartition("/")[0]) if folder in folders), None)
