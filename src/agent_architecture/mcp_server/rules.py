"""The rules: as answers of tools, and their pages as resources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mcp.server.mcpserver.exceptions import ResourceError

from agent_architecture.errors import UsageError
from agent_architecture.library_fixes import fixes_by
from agent_architecture.mcp_server import answers, summaries
from agent_architecture.registry import load, load_one
from agent_architecture.render.findings_text import short
from agent_architecture.render.rule_help import told, without_notes
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from agent_architecture.semantics.packs.packs import Packs


def all_rules() -> list[answers.Rule]:
    """In contract order."""
    return [summaries.rule(detector) for detector in load()]


def explained(name: str, project: Path, packs: Packs, *, full: bool) -> answers.RuleExplained:
    """A rule, with the fixes for the libraries that a project declares.

    Raises:
        UsageError: no rule is called so.
    """
    detector = load_one(name)
    folder = project if project.is_dir() else project.parent
    fixes = fixes_by(packs, detector.key, folder).shown
    return answers.RuleExplained(
        rule=summaries.rule(detector),
        explanation="\n\n".join(told(detector.page)),
        fix=detector.fix,
        fixes=[answers.LibraryFix(library=one.library, ecosystem=one.ecosystem, code=one.text) for one in fixes],
        references=list(detector.references),
        ignore_comment=f"# agent-architecture: ignore[{short(detector.rule_id)}] why",
        page=without_notes(detector.page) if full else "",
    )


def add_to(server: MCPServer) -> None:
    """The pages of the rules, as resources: `rule://loop_guard_absence`."""

    @server.resource("rule://{key}", title="The page of a rule", mime_type="text/markdown")
    def page(key: str) -> str:
        """What a rule judges, how, and code that is a gap and code that is fine."""
        try:
            return without_notes(load_one(key).page)
        except UsageError as error:
            raise ResourceError(visible(str(error))) from None

    @server.resource("rules://all", title="All rules", mime_type="text/markdown")
    def index() -> str:
        """A line for each rule."""
        return "".join(f"- `{one.key}` ({one.axis or one.group}): {one.title}\n" for one in all_rules())
