"""What the tools of a server answer with that a file declares: the rows of a query, as a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.results import ServedResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.mcp_toolbox import ToolsFiles


def configured_results(files: ToolsFiles) -> Iterator[ServedResult]:
    """One for each tool; what one of a kind that nobody knows answers is not read."""
    for offered in files.offered:
        tool = offered.tool
        plain = offered.records is None and bool(tool.effects)
        yield ServedResult(
            tool.span, tool.name, tool.framework, tool, records=offered.records, maker="as the server writes rows",
            plain=plain, readable=bool(tool.effects), located=bool(tool.effects),
        )  # fmt: skip
