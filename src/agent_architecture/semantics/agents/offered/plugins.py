"""Classes that code finds at run time: in modules imported by computed names, or below a base (`__subclasses__`, or a
base that keeps each class as it is derived, in its `__init_subclass__`).

Which of them it finds is not written. That they are asked to be below a base of the project (`issubclass(found, Tool)`)
says of which kind they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.flow import origins
from agent_architecture.names.narrowing import asked_below
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Instance, ModuleValue, Unknown
from agent_architecture.semantics.agents.offered.tool_descriptions import of_object
from agent_architecture.semantics.agents.offered.tool_kinds import kinds
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.sources.source import Role

MODULES: Final = frozenset(
    {"py:importlib.import_module", "py:builtins.__import__", "py:importlib.util.module_from_spec"}
)
"""Calls that give a module whose name may be computed."""
PARTS: Final = frozenset({"getattr", "vars", "getmembers"})
"""Calls that give what stands in the module that they are given first."""
TAKEN: Final = ("py:builtins.getattr()", "py:inspect.getmembers()", "py:importlib.import_module()")
"""What a part of a module is, where the module cannot be read."""
BELOW: Final = "__subclasses__"
DERIVED: Final = "__init_subclass__"
"""The method of a base that is told of each class as it is derived."""
RECEIVER: Final = "cls"
"""What the IR calls the first parameter of such a method, whatever it is called in the code."""


class Loading:
    """What is met of such code on the ways of one question."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._roles: set[Role] = set()
        """What the files are for that load."""
        self._bases: dict[ir.Class, None] = {}
        self._below: dict[ir.Class, None] = {}

    def meets(self, node: ir.Expr) -> bool:
        """Look at an expression on a way; whether the way ends at it, in classes that are found at run time."""
        base = self._told_of_derived(node)
        if base is not None:
            self._below[base] = None
            return self._found(node)
        match node:
            case ir.Name():
                self._bases |= dict.fromkeys(asked_below(self._program, node))
            case ir.Call(callee=ir.Member(name=name, target=target)) if name == BELOW:
                found = [v.cls for v in self._program.value_of(target) if isinstance(v, ClassValue)]
                self._below |= dict.fromkeys(found)
                return self._found(node) if found else False
            case ir.Call(callee=callee, args=(first, *_)) if callee_name(callee) in PARTS:
                return self._is_loaded(node, first.value)
            case ir.Call(callee=callee) if self._is_of_part(callee):
                return self._is_loaded(node, callee)
            case _:
                pass
        return False

    def bases(self, tools: Iterable[Described]) -> tuple[ir.Class, ...]:
        """The classes of the project below which the found ones are: those that are asked for, else those of which
        the other tools are.
        """
        if not self._roles:
            return ()
        known = dict(self._below or self._bases) or dict.fromkeys(kinds(self._program, tools))
        return tuple(sorted(known, key=lambda cls: cls.span))

    def tools(self, others: Iterable[Described]) -> Iterator[Described]:
        """The tools among the classes that can be found."""
        for base in self.bases(others):
            for cls in self._program.subclasses(base):
                file = self._program.table.file(cls.span.path)
                tool = of_object(self._program, Instance(cls)) if file is None or file.role in self._roles else None
                if tool is not None and isinstance(tool.node, ir.Class):
                    yield tool

    def _found(self, node: ir.Expr) -> bool:
        file = self._program.table.file(node.span.path)
        self._roles |= {file.role} if file is not None else set()
        return True

    def _told_of_derived(self, node: ir.Expr) -> ir.Class | None:
        """The base whose `__init_subclass__` names the class that was derived (`cls`), or makes an object of it."""
        name = node.callee if isinstance(node, ir.Call) else node
        if not isinstance(name, ir.Name) or name.id != RECEIVER:
            return None
        scope = self._program.scope_of(name)
        if not isinstance(scope, ir.Function) or scope.name != DERIVED:
            return None
        values = self._program.value_of(name)
        return next((v.cls for v in values if isinstance(v, (ClassValue, Instance))), None)

    def _is_of_part(self, callee: ir.Expr) -> bool:
        """Whether something is called that may have been found at run time: what a module has under a computed name, or
        what no reader knows.
        """
        values = self._program.value_of(callee)
        if isinstance(callee, ir.Name) and all(isinstance(value, Unknown) for value in values):
            return True
        return any(isinstance(v, Api) and v.path.startswith(TAKEN) for v in values)

    def _is_loaded(self, node: ir.Expr, source: ir.Expr) -> bool:
        """Whether what stands at a node comes from a module that was imported by a name which cannot be read, or from
        the classes below a base.
        """
        below = len(self._below)
        ends = [origin.node for origin in origins(self._program, source, self._look) if origin.kind == "call"]
        loaded = any(isinstance(end, ir.Call) and self._imports(end) for end in ends)
        return (loaded or len(self._below) > below) and self._found(node)

    def _look(self, node: ir.Expr, passed: frozenset[str]) -> None:  # noqa: ARG002 - a `flow.Reader`
        match node:
            case ir.Name() | ir.Call(callee=ir.Member(name="__subclasses__")):
                self.meets(node)
            case _:
                pass

    def _imports(self, call: ir.Call) -> bool:
        if any(isinstance(value, ModuleValue) for value in self._program.value_of(call)):
            return False
        return any(isinstance(v, Api) and v.path in MODULES for v in self._program.value_of(call.callee))
