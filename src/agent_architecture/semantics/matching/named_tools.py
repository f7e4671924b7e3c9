"""Tools that are referred to, not made: the names of a library's own tools in a list (`allowed_tools=["Bash"]`), those
of the project's tools (`tools: ["getWeather"]`), and what a library exports ready to use (`from strands_tools import
shell`, then `tools=[shell]`).

One tool for each name and file: a second list of the same program speaks of the same tool.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.sources.source import Span

NAMES: Final = regex(r"[\w*.|-]+")
"""Patterns that are names, with `.*` for any rest."""
SERVED: Final = "mcp__*__*"
"""What a pack calls the tools of servers by, of which each has the name of its server before its own."""


class NamedTools:
    """The matches of texts, each made once."""

    def __init__(self, packs: Packs, program: Program) -> None:
        self._packs = packs
        self._program = program
        self._found: dict[tuple[str, str, str], Match] = {}
        self._names: dict[tuple[int, str], ir.Literal] = {}
        self._beside: dict[str, dict[int, Match]] = {}

    def match(self, text: Const, giver: Match) -> Match | None:
        """The tool that a text among the tools of `giver` names; None for a name that its library does not have."""
        name = name_in(text)
        known = SERVED if server_in(text) else name
        row = self._packs.named(giver.row.where.pack, "tool", known)
        if row is None:
            return None
        key = row.where.pack, name, text.span.path
        if key not in self._found:
            self._found[key] = Match(row, ir.Literal(text.span, name), None, giver.api)
        return self._found[key]

    def place(self, value: Api, expr: ir.Expr) -> tuple[ir.Node, Match | None]:
        """What stands for a tool that a library makes, by identity: the call that makes it, or the name of a ready-made
        one in the first list of its file, of which one import may bring several; and what rows say of a ready-made one.
        """
        if isinstance(value.node, ir.Call):
            return value.node, None
        name = self._names.get((id(value.node), value.path))
        if name is None:
            name = ir.Literal(self._first_listed(value, expr), last_name(value.path))
            self._names[id(value.node), value.path] = name
        made = {row.kind: Match(row, name, None, value) for row in self._packs.entities(value.path)}
        for kind in ("code_sink", "memory") if "tool" in made else ():
            if kind in made:
                self._beside.setdefault(kind, {})[id(name)] = made[kind]
        return name, made.get("tool")

    def _first_listed(self, value: Api, expr: ir.Expr) -> Span:
        """Where the file that imports a ready-made tool first has it in a list, whichever list is asked about; where it
        is imported, if it stands in none.
        """
        if not isinstance(expr, ir.Name) or expr.span.path != value.node.span.path:
            return value.node.span
        module = self._program.module_of(value.node)
        scopes: tuple[ir.Scope, ...] = (module, *module.index.functions)
        nodes = (node for scope in scopes for node in self._program.structure(scope).nodes)
        items = (item for node in nodes if isinstance(node, ir.List) for item in node.items)
        spans = (item.span for item in items if isinstance(item, ir.Name) and item.id == expr.id)
        return min(spans, default=value.node.span)

    def beside(self, kind: str) -> tuple[Match, ...]:
        """What some of the ready-made tools are besides: they execute program text, they keep what they are told."""
        return tuple(self._beside.get(kind, {}).values())


def registered(tools: Iterable[Tool], text: Const, framework: str) -> Tool | None:
    """The project's tool of a library that a text names."""
    return next((tool for tool in tools if tool.name == text.value and tool.framework == framework), None)


def server_in(text: Const) -> str:
    """The server in a text that is the full name of one tool of it; "" in any other."""
    name = name_in(text)
    return name.split("__")[1] if fnmatchcase(name, SERVED) and "*" not in name else ""


def name_in(text: Const) -> str:
    """The name in a text that may go on with a rule: `Bash(git:*)`."""
    return text.value.partition("(")[0].strip() if isinstance(text.value, str) else ""


def is_covered(tool: str, pattern: str) -> bool:
    """Whether a pattern of names covers a tool (`Write|Edit`, `mcp__mail__.*`); one that says more than names may."""
    return not pattern or not NAMES.fullmatch(pattern) or bool(is_named(tool, pattern.replace(".*", "*").split("|")))


def is_named(tool: str, texts: list[str]) -> str:
    """How a list of texts names a tool: `always`, `conditional` (with a rule, `Bash(git:*)`), or "" for not at all.

    Servers put their name before those of their tools (`mcp__mail__search`), and may be named as a whole
    (`mcp__mail__*`); `!wipe` takes one out again.
    """
    found = ""
    if any(text.startswith("!") and fnmatchcase(tool, text[1:]) for text in texts):
        return ""
    for text in texts:
        name, _, rule = text.partition("(")
        plain = name.strip().rpartition("__")[2]
        if fnmatchcase(tool, plain) or fnmatchcase(tool, name.strip()) or (tool == "*" and plain == "*"):
            if not rule or rule in {")", "*)"}:
                return "always"
            found = "conditional"
    return found
