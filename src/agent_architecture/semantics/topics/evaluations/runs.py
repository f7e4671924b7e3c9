"""Which code runs the project's agent, and all the code that a test or a grader executes.

Knows the program and where the agent call sites are; must not know what a test looks like, nor how answers are graded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names import members
from agent_architecture.names.evaluate import returned
from agent_architecture.names.reached import reached
from agent_architecture.names.values import Api, ClassValue, Entries, Func, Instance, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.callbacks import is_kept_in_table
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

FUNCTIONS: Final = 150
"""Functions that one call is followed into."""
PARTS: Final = 200
"""Expressions that one grader is looked for in."""

Code: TypeAlias = tuple[ir.Node, ...]
"""A stretch of code that is looked at many times: the nodes of one function, as its structure keeps them."""


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
        self._answers: dict[int, _Answers] = {}
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

    def answers(self, code: Code, fixtures: Iterable[ir.Function]) -> tuple[ir.Node, ...]:
        """The calls in a stretch of code that run an agent, or one that a pytest fixture made."""
        known = self._answers.get(id(code))
        if known is None:
            calls = [node for node in code if isinstance(node, ir.Call)]
            found = tuple(call for call in calls if self.by(call))
            known = self._answers[id(code)] = _Answers(code, found, frozenset(map(_receiver, calls)))
        if known.receivers.isdisjoint(fixture.name for fixture in fixtures):
            return known.calls
        return tuple(node for node in code if self.by(node) or self._by_fixture(node, fixtures))

    def _by_fixture(self, node: ir.Node, fixtures: Iterable[ir.Function]) -> bool:
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
            known = self._known[id(function)] = any(
                self.by(node) for code in self.execution.of((function,)) for node in code
            )
            self._open -= 1
        return known

    def asks(self, function: ir.Function) -> bool:
        """Whether a function of the application asks a model, or runs an agent, which does."""
        return id(function) in self._asking or id(function) in self._running


class _Answers(NamedTuple):
    """The calls in a stretch of code that run an agent, and the names that it calls methods of."""

    code: Code
    calls: tuple[ir.Node, ...]
    receivers: frozenset[str]


def _receiver(call: ir.Call) -> str:
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    return target.id if isinstance(target, ir.Name) else ""


def _above(program: Program, nodes: Iterable[ir.Node]) -> frozenset[int]:
    """The ids of the functions around nodes, of those that call them, and so on; who only puts a function into a table
    does not run it.
    """

    def runs_there(program: Program, function: ir.Function) -> bool:
        return not is_kept_in_table(program, function)

    start = [program.scope_of(node) for node in nodes if node.span.path in program.table.paths]
    scopes = above(program, start, most=MANY, written_in=True, runs_there=runs_there)
    return frozenset(id(scope) for scope in scopes if isinstance(scope, ir.Function))


def _next(program: Program, code: Code) -> Iterator[ir.Function]:
    for node in code:
        if isinstance(node, ir.Function):
            yield node
        elif isinstance(node, ir.Call):
            yield from program.callees(node)


def is_test_code(program: Program, function: ir.Function) -> bool:
    """Whether a function stands in a test file, or a script beside the application: what it does belongs to the test
    that calls it.
    """
    return program.module_of(function).role in {Role.TEST, Role.EXAMPLE}


class Execution:
    """Which nodes functions may execute in test code: their own, those of functions inside them, and of the helpers
    that they call or hand on. Remembers what it saw of a function: a suite's tests share their helpers.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._following: dict[ir.Function, tuple[ir.Function, ...]] = {}
        self._names: dict[str, frozenset[str]] = {}

    def of(self, starts: Iterable[ir.Function]) -> tuple[Code, ...]:
        """Every node, by function, in the order in which these are met; at most `FUNCTIONS` are entered."""
        entered = reached(starts, self._followed_by, FUNCTIONS)[:FUNCTIONS]
        return tuple(self._program.structure(function).nodes for function in entered)

    def nodes(self, starts: Iterable[ir.Function]) -> Code:
        """The same as one stretch, for those who look once."""
        return tuple(node for code in self.of(starts) for node in code)

    def _followed_by(self, function: ir.Function) -> tuple[ir.Function, ...]:
        """The functions of test code that a function leads to."""
        found = self._following.get(function)
        if found is None:
            code = self._program.structure(function).nodes
            following = (*_next(self._program, code), *self._named(function, code))
            found = self._following[function] = tuple(
                other for other in dict.fromkeys(following) if is_test_code(self._program, other)
            )
        return found

    def _named(self, function: ir.Function, code: Code) -> Iterator[ir.Function]:
        """The functions that a function mentions without calling them: `return make_model`."""
        module = self._program.module_of(function)
        known = self._names.get(module.path)
        if known is None:
            functions = {f.name for f in module.index.functions if f.outer is module}
            imported = {name.alias for _, imp in module.index.imports for name in imp.names}
            known = self._names[module.path] = frozenset(functions | imported)
        for node in code:
            if isinstance(node, ir.Name) and node.id in known:
                yield from (value.function for value in self._program.value_of(node) if isinstance(value, Func))


def functions_in(program: Program, expr: ir.Expr) -> Iterator[ir.Function]:
    """The project's functions that an expression can be, or that it is made of: elements of a list, what stands under
    the keys of an object, what a library's call is given (`createScorer({ scorer: … })`).
    """
    queue, seen = [expr], set[int]()
    while queue and len(seen) < PARTS:
        part = queue.pop(0)
        if id(part) in seen:
            continue
        seen.add(id(part))
        for value in program.value_of(part):
            match value:
                case Func():
                    yield value.function
                case Items():
                    queue.extend(value.items)
                case Entries():
                    queue.extend(entry for _, entry in value.entries)
                case Api(node=ir.Call() as call):
                    queue.extend(argument.value for argument in call.args)
                case Instance() | ClassValue():
                    yield from _methods(value.cls)
                case _:
                    continue


def _methods(cls: ir.Class) -> Iterator[ir.Function]:
    """The methods of an evaluator's class: any of them may grade."""
    yield from (node for node in cls.body if isinstance(node, ir.Function) and node.name != "__init__")
