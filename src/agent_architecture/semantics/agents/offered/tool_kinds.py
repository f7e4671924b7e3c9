"""Kinds of tool that a project makes up: once some objects of a class are run as tools, its other classes are, too.

A tool that nothing binds is one all the same when it is unmistakably of the project's own kind: a class below the same
base that says its name and what it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import classes
from agent_architecture.names.values import Instance
from agent_architecture.semantics.agents.offered.tool_descriptions import METHODS, Described, of_object
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program


def relatives(program: Program, tools: Iterable[Described]) -> Iterator[Described]:
    """The tools of the kinds that these are of, each once; without these."""
    tools = tuple(tools)
    known = {id(tool.node) for tool in tools}
    for base in kinds(program, tools):
        for cls in program.subclasses(base):
            found = of_object(program, Instance(cls))
            if found is not None and isinstance(found.node, ir.Class) and id(found.node) not in known:
                known.add(id(found.node))
                yield found


def kinds(program: Program, tools: Iterable[Described]) -> tuple[ir.Class, ...]:
    """The classes of the project of which these tools are objects, the topmost that say how they are run."""
    found = {base for tool in tools for cls in _classes(program, tool) for base in _kind(program, cls)}
    return tuple(sorted(found, key=lambda cls: cls.span))


def _classes(program: Program, tool: Described) -> Iterator[ir.Class]:
    if isinstance(tool.node, ir.Class):
        yield tool.node
    elif isinstance(tool.node, ir.Call):
        yield from (value.cls for value in program.value_of(tool.node) if isinstance(value, Instance))


def _kind(program: Program, cls: ir.Class) -> Iterator[ir.Class]:
    """The topmost base of the project that says how its objects are run."""
    bases = classes.lineage(program, cls)[1:]
    running = [base for base in bases if any(name in program.attributes(base) for name in METHODS)]
    yield from running[-1:]
