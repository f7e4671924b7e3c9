"""Which code runs the project's agent, and all the code that a test or a grader executes.

Knows the program and where the agent call sites are; must not know what a test looks like, nor how answers are graded.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.names import members
from agent_architecture.names.evaluate import returned
from agent_architecture.names.values import Api, ClassValue, Func, Instance, Items
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context

FUNCTIONS: Final = 150
"""Functions that one call is followed into."""


class AgentRuns:
    """Answers whether a call runs an agent of the project, and remembers.

    The application's functions that do are found from the sites upwards, those of tests from the test downwards.
    """

    def __init__(self, context: Context, application: Program, sites: tuple[Site, ...]) -> None:
        """`application` is the program without tests: who calls whom there is known already."""
        self._context = context
        self._running = _above(application, (ir.Name(site.span, "") for site in sites))
        self._asking = _above(application, (match.node for match in context.of_kind("model_call")))
        self._known: dict[int, bool] = {}
        self._by: dict[int, tuple[ir.Call, bool]] = {}
        self._open = 0
        """Functions that are being looked through: what is said meanwhile is not final."""
        self.execution = Execution(context.program)
        """What the tests of the project execute."""

    def by(self, node: ir.Node) -> bool:
        """Whether a node is a call that runs an agent, itself or through the project's functions."""
        if not isinstance(node, ir.Call):
            return False
        known = self._by.get(id(node))
        if known is None:
            is_run = self._context.at(node, "run") is not None
            found = is_run or any(self.inside(function) for function in self._context.program.callees(node))
            known = node, found
            if not self._open:
                self._by[id(node)] = known
        return known[1]

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
        if id(function) in self._running or not is_test_code(self._context.program, function):
            return id(function) in self._running
        known = self._known.get(id(function))
        if known is None:
            self._known[id(function)] = False
            self._open += 1
            known = self._known[id(function)] = any(self.by(node) for node in self.execution.of((function,)))
            self._open -= 1
        return known

    def asks(self, function: ir.Function) -> bool:
        """Whether a function of the application asks a model, or runs an agent, which does."""
        return id(function) in self._asking or id(function) in self._running


def _above(program: Program, nodes: Iterable[ir.Node]) -> frozenset[int]:
    """The ids of the functions around nodes, of those that call them, and so on."""
    found: dict[int, ir.Function] = {}
    queue: list[ir.Scope] = [program.scope_of(node) for node in nodes if node.span.path in program.table.paths]
    while queue:
        scope = queue.pop()
        if isinstance(scope, ir.Function) and id(scope) not in found:
            found[id(scope)] = scope
            queue.append(scope.outer)
            queue.extend(site.scope for site in program.callers(scope))
    return frozenset(found)


def _next(program: Program, body: tuple[ir.Node, ...]) -> Iterator[ir.Function]:
    for node in ir.walk(*body):
        if isinstance(node, ir.Function):
            yield node
        elif isinstance(node, ir.Call):
            yield from program.callees(node)


def is_test_code(program: Program, function: ir.Function) -> bool:
    """Whether a function stands in a test file: what it does belongs to the test that calls it."""
    return program.module_of(function).role is Role.TEST


class Execution:
    """Which nodes functions may execute in test code: their own, those of functions inside them, and of the helpers
    that they call or hand on. Remembers what it saw of a function: a suite's tests share their helpers.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._seen: dict[int, _Body] = {}

    def of(self, starts: Iterable[ir.Function]) -> tuple[ir.Node, ...]:
        """Every node, in the order in which the functions are met; at most `FUNCTIONS` are entered."""
        bodies: dict[int, _Body] = {}
        queue = deque(starts)
        while queue and len(bodies) < FUNCTIONS:
            function = queue.popleft()
            if id(function) not in bodies:
                body = bodies[id(function)] = self._body(function)
                queue.extend(body.following)
        return tuple(node for body in bodies.values() for node in body.nodes)

    def _body(self, function: ir.Function) -> _Body:
        found = self._seen.get(id(function))
        if found is None:
            program = self._program
            following = (*_next(program, function.body), *_named(program, function))
            in_tests = tuple(other for other in following if is_test_code(program, other))
            found = self._seen[id(function)] = _Body(function, tuple(ir.walk(*function.body)), in_tests)
        return found


class _Body(NamedTuple):
    """The nodes of a function's own code, and the functions of test code that it leads to."""

    function: ir.Function
    nodes: tuple[ir.Node, ...]
    following: tuple[ir.Function, ...]


def _named(program: Program, function: ir.Function) -> Iterator[ir.Function]:
    """The functions that a function mentions without calling them: `return make_model`."""
    module = program.module_of(function)
    known = {f.name for f in module.index.functions if f.outer is module}
    known |= {name.alias for _, imp in module.index.imports for name in imp.names}
    for node in ir.walk(*function.body):
        if isinstance(node, ir.Name) and node.id in known:
            yield from (value.function for value in program.value_of(node) if isinstance(value, Func))


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
