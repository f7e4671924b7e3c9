"""Tools that stand in a name space, of which code takes one by a name that it is told: the functions of a module
(`getattr(tools, name)`, `globals()[name]`), the methods of the object itself (`getattr(self, f"do_{name}")`).

A name space has more than a model is told of. In the one that the dispatcher itself stands in, those are tools whose
names are said in a text there, or that have the beginning that the dispatcher writes in front of what it is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Instance, ModuleValue
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.offered.registries import of_methods
from agent_architecture.semantics.agents.offered.tool_descriptions import Described
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

WORD: Final = regex(r"\w+")


def beginning(program: Program, key: ir.Expr) -> str:
    """What a key always begins with: "tool_" of `f"tool_{name}"`."""
    pieces = pieces_of(program, key)
    return pieces[0] if len(pieces) > 1 and isinstance(pieces[0], str) else ""


def of_name_space(program: Program, container: ir.Expr, begin: str) -> Iterator[Described]:
    """The functions of the module that an expression is, which one is taken of by its name."""
    own = program.module_of(container)
    modules = {v.module.path: v.module for v in program.value_of(container) if isinstance(v, ModuleValue)}
    if _is_own(container):
        modules = {own.path: own}
    for module in modules.values():
        for function in module.index.functions:
            if function.outer is module and not function.name.startswith("_"):
                yield from _told(
                    program, Described(function, function.name, {}, (function,)), begin, is_own=module is own
                )


def of_itself(program: Program, owner: Instance, begin: str) -> Iterator[Described]:
    """The methods of an object of which its own code takes one by its name."""
    for found in of_methods(program, owner):
        yield from _told(program, found, begin, is_own=True)


def _told(program: Program, found: Described, begin: str, *, is_own: bool) -> Iterator[Described]:
    """A function, by the name that the model says; nothing where nobody tells it of that."""
    name = found.name.removeprefix(begin)
    module = program.module_of(found.node)
    if found.name.startswith(begin) and name and (begin or not is_own or name in program.once(_said, module)):
        yield found._replace(name=name)


def _is_own(container: ir.Expr) -> bool:
    """Whether an expression is all that its own module has: `globals()`, `sys.modules[__name__]`."""
    match container:
        case ir.Call(callee=ir.Name(id="globals"), args=()):
            return True
        case ir.Index(target=ir.Member(name="modules"), key=ir.Name(id="__name__")):
            return True
        case _:
            return False


def _said(program: Program, module: ir.Module) -> frozenset[str]:
    """The words of the texts of a module that its code uses: not those that only describe what they stand in."""
    structures = (program.structure(scope) for scope in module.code)
    texts = (
        node.value
        for structure in structures
        for node in structure.nodes
        if isinstance(node, ir.Literal) and isinstance(node.value, str) and structure.parent(node) is not None
    )
    return frozenset(word for text in texts for word in WORD.findall(text))
