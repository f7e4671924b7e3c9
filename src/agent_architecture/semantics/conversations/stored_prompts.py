"""Prompts that are stored: a field of a definition that somebody wrote for the model, such as `phase.commands`.

What such a field holds is what is asked, as if it were typed there and then, where it is the whole of a user's message.
Put into another text it is a part like others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

ASKED: Final = regex(r"(?:^|_)(?:commands?|prompts?|questions?|instructions?|quer(?:y|ies)|tasks?)$")
"""Fields that hold what is to be asked, in lower case with `_` between words."""
JOINING: Final = frozenset({"join", "format", "render", "compile", "replace", "replaceAll", "concat"})
"""Calls that put several texts together."""


def is_stored_prompt(program: Program, trail: tuple[Span, ...]) -> bool:
    """Whether a text is the whole of what such a field holds, on the way that it came."""
    named = False
    for span in trail:
        for node in program.structure(program.scope_of(ir.Name(span, ""))).nodes:
            if node.span != span:
                continue
            if isinstance(node, ir.Template) or (isinstance(node, ir.Operator) and node.op in {ir.Op.ADD, ir.Op.MOD}):
                return False
            if isinstance(node, ir.Call) and callee_name(node.callee) in JOINING:
                return False
            named = named or ASKED.search(words_of(_field(node))) is not None
    return named


def _field(node: ir.Node) -> str:
    """The field that an expression reads, itself or to go over what it holds."""
    read = part_read(node.source if isinstance(node, ir.Loop) else node)
    return "" if read is None else read.key
