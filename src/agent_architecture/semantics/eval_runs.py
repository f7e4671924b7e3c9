"""Which code runs the project's agent, and all the code that a test or a grader executes.

Knows the program and where the agent call sites are; must not know what a test looks like, nor how answers are graded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import members
from agent_architecture.names.evaluate import returned
from agent_architecture.names.values import Api, ClassValue, Func, Instance, Items
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.sources.source import Span

FUNCTIONS: Final = 150
"""Functions that one call is followed into."""


class AgentRuns:
    """Answers whether a call runs an agent of the project, and remembers."""

    def __init__(self, context: Context, sites: tuple[Site, ...]) -> None:
        self._context = context
        self._sites: dict[str, list[Span]] = {}
        for site in sites:
            self._sites.setdefault(site.span.path, []).append(site.span)
        self._calls = {id(match.node) for match in context.of_kind("model_call")}
        self._known: dict[int, tuple[bool, bool]] = {}

    def by(self, node: ir.Node) -> bool:
        """Whether a node is a call that runs an agent, itself or through the project's functions."""
        if not isinstance(node, ir.Call):
            return False
        if self._context.at(node, "run") is not None:
            return True
        return any(self.inside(function) for function in self._context.program.callees(node))

    def by_fixture(self, node: ir.Node, fixtures: Iterable[ir.Function]) -> bool:
        """Whether a node runs an agent that a pytest fixture made: `def test_it(agent): agent.invoke(…)`."""
        if not isinstance(node, ir.Call) or not isinstance(node.callee, ir.Member):
            return False
        target = node.callee.target
        made = next((f for f in fixtures if isinstance(target, ir.Name) and f.name == target.id), None)
        program = self._context.program
        for value in returned(program, made) if made is not None else ():
            for found in members.member(program, value, node.callee.name, node.callee):
                if isinstance(found, Func) and self.inside(found.function):
                    return True
                if isinstance(found, Api) and any(r.kind == "run" for r in self._context.packs.entities(found.path)):
                    return True
        return False

    def inside(self, function: ir.Function) -> bool:
        """Whether a function runs an agent."""
        return self._reached(function)[0]

    def asks(self, function: ir.Function) -> bool:
        """Whether a function asks a model."""
        return self._reached(function)[1]

    def _reached(self, function: ir.Function) -> tuple[bool, bool]:
        known = self._known.get(id(function))
        if known is None:
            runs = asks = False
            for scope in called(self._context.program, function, lambda _: True):
                runs = runs or self._holds_site(scope)
                for node in ir.walk(*scope.body):
                    runs = runs or self._context.at(node, "run") is not None
                    asks = asks or id(node) in self._calls
            known = self._known[id(function)] = (runs, asks or runs)
        return known

    def _holds_site(self, function: ir.Function) -> bool:
        return any(function.span.contains(span) for span in self._sites.get(function.span.path, ()))


def called(program: Program, start: ir.Function, wanted: Callable[[ir.Function], bool]) -> tuple[ir.Function, ...]:
    """A function, those defined inside it, and those that they call, as far as they are wanted."""
    found: dict[int, ir.Function] = {}
    queue = [start]
    while queue and len(found) < FUNCTIONS:
        function = queue.pop(0)
        if id(function) in found:
            continue
        found[id(function)] = function
        queue.extend(other for other in _next(program, function.body) if wanted(other))
    return tuple(found.values())


def _next(program: Program, body: tuple[ir.Node, ...]) -> Iterator[ir.Function]:
    for node in ir.walk(*body):
        if isinstance(node, ir.Function):
            yield node
        elif isinstance(node, ir.Call):
            yield from program.callees(node)


def is_test_code(program: Program, function: ir.Function) -> bool:
    """Whether a function stands in a test file: what it does belongs to the test that calls it."""
    return program.module_of(function).role is Role.TEST


def executed(program: Program, starts: Iterable[ir.Function]) -> tuple[ir.Node, ...]:
    """Every node that these functions execute in test code, functions inside them and helpers included."""
    scopes: dict[int, ir.Function] = {}
    for start in starts:
        for function in called(program, start, lambda f: is_test_code(program, f)):
            scopes[id(function)] = function
    return tuple(node for function in scopes.values() for node in ir.walk(*function.body))


def functions_in(program: Program, expr: ir.Expr) -> Iterator[ir.Function]:
    """The project's functions that an expression can be, elements of a list included."""
    for value in program.value_of(expr):
        match value:
            case Func():
                yield value.function
            case Items():
                for item in value.items:
                    yield from functions_in(program, item)
            case Instance() | ClassValue():
                yield from _methods(value.cls)
            case _:
                continue


def _methods(cls: ir.Class) -> Iterator[ir.Function]:
    """The methods of an evaluator's class: any of them may grade."""
    yield from (node for node in cls.body if isinstance(node, ir.Function) and node.name != "__init__")
