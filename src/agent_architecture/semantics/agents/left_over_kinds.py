"""Classes of a kind of tool that were left over: others of their base are made and taken, and no code of the project
makes, names or loads these. What code is loaded by a computed name says nothing of who is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import lineage
from agent_architecture.semantics.agents.named_tools_elsewhere import may_be_taken
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described

SEVERAL: Final = 2
"""Others of a base that are made, from which on one that is not is left over."""


def is_left_over(program: Program, tool: Described) -> bool:
    """Whether a tool is a class that nobody makes, and that no other file says the name of, though others of its base
    are made where they are named.
    """
    cls = tool.node
    if not isinstance(cls, ir.Class) or cls.decorators or constructions(program, cls):
        return False
    name = cls.name.encode("utf-8", "replace")
    files = (file for file in program.table.files() if file.language in CODE and file.path != cls.span.path)
    if any(name in file.data for file in files) or may_be_taken(program, (cls.span,), frozenset()):
        return False
    others = {one for base in lineage(program, cls)[1:] for one in program.subclasses(base)} - {cls}
    return sum(any(made is one for made, _ in constructions(program, one)) for one in others) >= SEVERAL
