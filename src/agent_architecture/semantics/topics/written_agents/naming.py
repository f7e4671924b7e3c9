"""What the project's own agents are called, and what else asks a model: says nothing of what a class does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import is_protocol
from agent_architecture.semantics.agents.shapes.constructors import AGENT
from agent_architecture.semantics.agents.shapes.kinds import base_names
from agent_architecture.semantics.agents.shapes.words import words_of

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir

SHOWING: Final = frozenset({"app", "application", "screen", "widget", "window", "component", "view", "page", "dialog"})
"""Last words of bases of what only shows an agent: Textual's `App`, Qt's widgets, React's `Component`."""
PROVIDING: Final = frozenset({"adapter", "backend", "connector", "driver", "gateway", "provider", "proxy", "wrapper"})
"""Last words of what asks a model for others, with the tools and the prompt that they hand in."""
ABSTRACT: Final = frozenset({"abstract", "base", "interface", "mixin", "protocol"})
EDITIONS: Final = frozenset({"v", "impl", "class"})
"""Words behind what something is called: `AgentV5`, `AgentImpl`."""


def is_called_agent(program: Program, cls: ir.Class) -> bool:
    """Whether a class, or one of its bases, is called an agent: by the last word, which says what something is."""
    return any(_last_word(name) in AGENT for name in (cls.name, *base_names(program, cls)))


def names_agent(program: Program, cls: ir.Class) -> bool:
    """Whether the name of a class, or of one of its bases, speaks of an agent."""
    return any(AGENT & {*words_of(name)} for name in (cls.name, *base_names(program, cls)))


def only_shows(program: Program, cls: ir.Class) -> bool:
    """Whether a class is a part of a user interface."""
    return any({*words_of(name)[-1:]} & SHOWING for name in base_names(program, cls))


def only_provides(program: Program, cls: ir.Class) -> bool:
    """Whether a class, or one of its bases, is called what stands between a program and a model's service."""
    return any(_last_word(name) in PROVIDING for name in (cls.name, *base_names(program, cls)))


def is_abstract(program: Program, cls: ir.Class) -> bool:
    """Whether a class says by itself that others are to be derived from it."""
    return is_protocol(program, cls) or bool(ABSTRACT & {*words_of(cls.name)})


def _last_word(name: str) -> str:
    words = [word for word in words_of(name) if word not in EDITIONS and not word.isdigit()]
    return words[-1] if words else ""
