"""How the parts of a picture are named, shaped and marked wherever they are drawn. Risk is never a colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.impact import DOING
from agent_architecture.model.effects import Shaped
from agent_architecture.model.vocabulary import EFFECTS, ORIGINS
from agent_architecture.picture.parts import NodeKind
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.picture.parts import Check, Doing, Node

KINDS: Final = {
    NodeKind.SOURCE: "untrusted text",
    NodeKind.RUN: "run",
    NodeKind.EXPORTED_GRAPH: "exported graph",
    NodeKind.LOOP: "hand-written loop",
    NodeKind.DISPATCH: "dispatch",
    NodeKind.TOOLKIT: "toolkit",
    NodeKind.AGENT: "agent",
    NodeKind.TOOL: "tool",
    NodeKind.ROUTER: "router",
    NodeKind.MCP_SERVER: "MCP server",
    NodeKind.MCP_CLIENT: "MCP connection",
    NodeKind.PEER: "A2A peer",
    NodeKind.MEMORY: "memory",
}
MARKS: Final = {
    Severity.CRITICAL: "‼ critical",
    Severity.HIGH: "▲ high",
    Severity.MEDIUM: "◆ medium",
    Severity.LOW: "● low",
    Severity.GOOD: "",
}
"""A sign and a word for each severity."""
COLOURS: Final = {
    Severity.CRITICAL: ("#fde0e4", "#a3123a"),
    Severity.HIGH: ("#ffe6d5", "#b3400f"),
    Severity.MEDIUM: ("#fff3cd", "#8a6100"),
    Severity.LOW: ("#e3effb", "#2a5f9e"),
    Severity.GOOD: ("#f2f4f6", "#5b6570"),
}
"""The ground and the border of a node; dark text on each ground has a contrast above 7 (WCAG 2.2, 1.4.6)."""
HOW_MUCH: Final = {
    Shaped.WHOLLY: "a model decides all of it",
    Shaped.PARTLY: "a model decides part of it",
    Shaped.NOT: "the code decides it",
    Shaped.UNKNOWN: "who decides it cannot be read",
}


class Lines(NamedTuple):
    """What a drawing writes into a node: its kind and name, then what it does or brings."""

    kind: str
    name: str
    does: tuple[str, ...]


def lines_of(node: Node) -> Lines:
    """The words of a node; of texts, whose they are."""
    told = tuple(ORIGINS[origin] for origin in node.origins) if node.kind is NodeKind.SOURCE else ()
    return Lines(KINDS[node.kind], node.name, (*told, *(doing_words(doing) for doing in node.does)))


def doing_words(doing: Doing) -> str:
    """What is done, in the words of reasons, and whether a model decides it."""
    what = DOING.get(doing.kind, EFFECTS[doing.kind])
    return what if doing.shaped in {Shaped.NOT, Shaped.UNKNOWN} else f"{what} ({doing.shaped} a model's choice)"


def check_words(check: Check) -> str:
    """A check on an edge: what it is, and whether it holds."""
    stage = "" if check.kind == "approval" else f" ({check.kind.replace('_', ' ')})"
    return f"{check.name}{stage}{'' if check.blocks else ', can be passed'}"
