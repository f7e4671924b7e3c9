"""Routes by which anybody reaches a model: what a server calls for a request, where no file before it asks who sent it.

A word that may stand for a check is enough to say nothing: whether the check holds is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.run_steps import steps_run
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.credentials.askings import Askings
from agent_architecture.semantics.topics.credentials.users import working_with
from agent_architecture.sources.byte_answers import told
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

STARTING: Final = frozenset({"on_event", "on_startup", "before_serving", "before_first_request", "lifespan"})
"""Decorators of what a server runs before it answers."""
PACKAGE: Final = "package.json"
SCRIPT: Final = regex(rb"\"(?:dev|build|start|serve)\b[\w:-]*\"\s*:\s*\"(?:npx\s+)?([\w-]+)")
ABOVE: Final = 80
"""Callers that are followed upwards from code."""


def _commands(data: bytes) -> frozenset[str]:
    """What the scripts of a package run first: `"dev": "mastra dev"`."""
    return frozenset(found[1].decode() for found in SCRIPT.finditer(data))


def _is_run_where_written(program: Program, function: ir.Scope) -> bool:
    """Whether code runs when its module is loaded: that of a module, of a class, of `(() => { … })()`."""
    if not isinstance(function, ir.Function):
        return True
    around = None if isinstance(function.outer, ir.Function) else program.structure(function.outer).parent(function)
    return isinstance(around, ir.Call) and around.callee is function


def _starts(scope: ir.Scope) -> bool:
    """Whether a server runs a function when it starts: `@app.on_event("startup")`."""
    decorators = scope.decorators if isinstance(scope, ir.Function) else ()
    called = (each.callee if isinstance(each, ir.Call) else each for each in decorators)
    return any(callee_name(each) in STARTING for each in called)


class Entrances:
    """Answers for code which open route leads to it; `served` says what answers requests."""

    def __init__(self, context: Context, served: Served) -> None:
        self._context = context
        self._served = served
        self._programs = context.once(Programs)
        self._open: tuple[Span, ...] | None = None
        self._askings = Askings(context, served)
        self._graphs: Mapping[int, tuple[ir.Scope, ...]] | None = None

    def of(self, scope: ir.Scope, names: frozenset[str], *, runs: bool) -> Span | None:
        """The first open route of the program that code is part of, which reads what has these names. Of a function
        only where requests come to it, or where a tool `runs` it; the bodies of a module and of its classes run when it
        is loaded. What callers have to bring is used for none of them.
        """
        if self._askings.is_asked_for(names):
            return None
        path = self._context.program.module_of(scope).path
        started = None if runs or not isinstance(scope, ir.Function) else self._started_by(scope)
        if started is not None and not started:
            return None
        beside = self._programs.beside(path)
        own = [route for route in self._routes() if route.path in beside]
        return next((route for route in own if started is None or route.path in self._loaded_with(started)), None)

    def _loaded_with(self, paths: frozenset[str]) -> frozenset[str]:
        return self._programs.beside_any(paths)

    def _started_by(self, function: ir.Function) -> frozenset[str]:
        """The files whose requests come to a function, or to what works with what it makes, or that run it when they
        are loaded, or a server starts: their own code calls it, or of a class, or what a server runs first.
        """
        program = self._context.program
        leading = tuple(above(program, [function], most=ABOVE))
        running = [scope for each in leading for scope in self._runs_as_step().get(id(each), ())]
        leading = tuple(above(program, [*leading, *running], most=ABOVE)) if running else leading
        working = {id(w): w for each in leading for w in working_with(each)}
        if any(map(self._served.of, working.values())) or any(map(self._is_a_pages, working.values())):
            return frozenset({program.module_of(function).path})
        loading = (each for each in leading if _starts(each) or _is_run_where_written(program, each))
        return frozenset(program.module_of(each).path for each in loading)

    def _runs_as_step(self) -> Mapping[int, tuple[ir.Scope, ...]]:
        """The code that runs a graph, by the ids of the functions that are its steps."""
        if self._graphs is None:
            found: dict[int, tuple[ir.Scope, ...]] = {}
            for run in self._context.of_kind("run"):
                steps = steps_run(self._context, run.node) if isinstance(run.node, ir.Call) else ()
                for step in steps:
                    found[id(step)] = (*found.get(id(step), ()), self._context.program.scope_of(run.node))
            self._graphs = found
        return self._graphs

    def _is_a_pages(self, function: ir.Function) -> bool:
        """Whether a script that runs anew for each visitor calls a function."""
        callers = (site.scope for site in self._context.program.callers(function))
        return any(isinstance(each, ir.Module) and each.path in self._served.asking_visitors for each in callers)

    def _routes(self) -> tuple[Span, ...]:
        """The routes that lead to a model, of programs that ask nobody, by position; those, too, that a library makes
        of an agent, and the pages that ask their visitors for words.
        """
        if self._open is None:
            program = self._context.program
            asking = [program.scope_of(m.node) for m in self._context.of_kind("run", "model_call")]
            above = {id(each): each for scope in asking for each in self._served.above(scope)}
            own = [each for each in above.values() if self._served.is_routed(each) or self._askings.lets_in_all(each)]
            routes = [(each.name_span if each.name else each.span, each) for each in own]
            models = frozenset(program.module_of(scope).path for scope in asking)
            every = (*routes, *((node.span, node) for node in (*self._made(), *self._pages(models))))
            self._open = tuple(sorted(span for span, node in every if not self._askings.before(span.path, node)))
        return self._open

    def _pages(self, models: frozenset[str]) -> Iterator[ir.Node]:
        """What asks the visitors of pages whose program asks a model."""
        for path, call in self._served.asking_visitors.items():
            if self._programs.load_any(path, models):
                yield call

    def _made(self) -> Iterator[ir.Node]:
        """The routes that libraries make: of an agent, and of all agents of a project."""
        yield from (m.node for m in self._context.of_kind("exported") if m.row.constants.get("route") is True)
        for match in self._context.of_kind("entrance"):
            if effective(self._context, match, "auth").origin is Origin.ABSENT and self._is_run(match):
                yield match.node

    def _is_run(self, match: Match) -> bool:
        """Whether a script of the package that an entrance stands in runs the command that opens it."""
        command = match.row.constants.get("command")
        files = self._context.program.table.files() if command is not None else ()
        packages = (file for file in files if file.path.rpartition("/")[2] == PACKAGE)
        return command is None or any(
            match.node.span.path.startswith(package.path.removesuffix(PACKAGE)) and command in told(package, _commands)
            for package in packages
        )
