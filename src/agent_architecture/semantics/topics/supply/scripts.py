"""Shell scripts that install an agent or server: what their lines fetch that serves one, is the project's own, or
what a folder of tools installs beside their description.

Reads lines; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import InstallItem, InstallPath, Pin
from agent_architecture.semantics.manifests.declared_lines import line_span, package_names
from agent_architecture.semantics.manifests.install_commands import IMAGE, SCRIPT, installed
from agent_architecture.semantics.manifests.ranges import NPM, normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.supply.serving import Serving
    from agent_architecture.sources.source import Role

SUFFIXES: Final = (".sh", ".bash")
_LARGEST: Final = 200_000
_BEGINNING: Final = ("if ", "then ", "else ", "! ", "exec ", "sudo ")
"""Words of the shell before a command."""


def installing(
    context: Context, serving: Serving, judged: frozenset[Role], tools: frozenset[str]
) -> Iterator[InstallPath]:
    """Every script with a line that fetches such a package; `tools` are the folders that describe tools."""
    own = package_names(context.versions.files)
    for file in context.program.table.files():
        if not file.path.endswith(SUFFIXES) or file.role not in judged or len(file.data) > _LARGEST:
            continue
        items: list[InstallItem] = []
        is_for_tools = file.path.rpartition("/")[0] in tools
        for number, line in enumerate(file.data.decode("utf-8", "replace").splitlines(), 1):
            for found in installed(command(line)):
                known = (
                    is_for_tools
                    or serving.serves(found.ecosystem, found.name)
                    or (found.ecosystem == NPM and normalise(NPM, found.name) in own)
                )
                if found.ecosystem not in {IMAGE, SCRIPT} and found.pin is not Pin.UNKNOWN and known:
                    items.append(InstallItem(found.name, found.pin, line_span(file.path, number, line)))
        if items:
            yield InstallPath(items[0].span, file.path.rpartition("/")[2], "", "script", tuple(items))


def command(line: str) -> str:
    """The command of a line of the shell, without the words before it; empty where the line only tells something."""
    text = line.strip()
    while (word := next((word for word in _BEGINNING if text.startswith(word)), None)) is not None:
        text = text[len(word) :].lstrip()
    return "" if text.startswith(("#", "echo ", "print")) else text
