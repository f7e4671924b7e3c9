"""Which code runs for several users: it answers requests or messages, or an agent whose run does has it as a step.

Goes up through callers; knows no names of what is shared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.callgraph.passed_functions import calls_passing
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.taint.external_parameters import REQUESTS
from agent_architecture.semantics.taint.request_handlers import ROUTES, handing, is_route, registers, resolves
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context

ABOVE: Final = 80
LAMBDA: Final = "lambda_handler"
METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", LAMBDA})
"""What a platform calls for a request, by its name."""
CHATS: Final = frozenset(
    {"on_message", "on_chat_message", "message", "chat", "event", "mention", "command", "on_event", "MessageHandler"}
)
"""Those by which a chat platform says who speaks and where, which no client makes up."""
SERVER: Final = regex(r"Server|Bot$|ActivityHandler|AgentExecutor|Consumer|RequestHandler")
"""Classes of libraries that answer requests by methods which the project writes."""
EXECUTOR: Final = "task_executor"
"""That by which a server of A2A runs the project's agent."""
WIDGETS: Final = ("chat_input", "text_input", "text_area", "form_submit_button", "button")
PAGE: Final = regex(r"(?:st|streamlit)\.(?:sidebar\.)?\w+")
"""How a Streamlit script asks its visitor."""
OWN_EVENTS: Final = frozenset({"startup", "shutdown"})
"""What a server tells of itself, by the decorators that tell of messages."""


class Served:
    """Answers for functions, and remembers."""

    def __init__(self, work: Work, graphs: Graphs, *, with_pages: bool = False) -> None:
        self._context: Context = work.context
        self._program = work.context.program
        self.tools = frozenset(work.agents.running())
        """The ids of the functions that tools run."""
        self._steps = {id(function) for function in graphs.run_by_steps()}
        self._known: dict[int, bool] = {}
        self._programs = work.context.once(Programs)
        runs = [match.node for match in self._context.of_kind("run", "model_call")]
        self._asking = list({id(s): s for s in map(self._program.scope_of, runs)}.values())
        self._exported = frozenset(match.node.span.path for match in graphs.exported)
        self._answering: frozenset[str] | None = None
        self._executing: frozenset[int] | None = None
        self.asking_visitors = {site.call.span.path: site.call for site in reversed(tuple(self._widgets()))}
        """Scripts that run anew for each visitor, each with the first call that asks one."""
        self._pages = frozenset(self.asking_visitors) if with_pages else frozenset[str]()
        """Those of them that count: what they keep is each one's own, what they import is not."""

    def _widgets(self) -> Iterator[CallSite]:
        for name in WIDGETS:
            yield from (site for site in self._program.calls(name) if PAGE.fullmatch(dotted(site.call.callee)))

    def is_beside_run(self, path: str) -> bool:
        """Whether a file is part of a program that answers requests by a model or an agent, or whose agent others run:
        a project may hold scripts beside its servers.
        """
        if self._answering is None:
            self._answering = self._exported
            asking = [(self._program.module_of(scope).path, scope) for scope in self._asking]
            self._answering |= {p for p, scope in asking if p in self._pages or self.of(scope)}
            self._answering |= frozenset(self._loading_steps())
        others = self._answering - (self._pages & {path})
        return any(not self._programs.is_started_without(path, other) for other in others)

    def _loading_steps(self) -> Iterator[str]:
        """The files with routes whose program loads the steps of a graph that ask a model: it runs that graph, also
        where the run cannot be followed to it.
        """
        above = {id(each): each for scope in self._asking for each in self.above(scope)}
        steps = frozenset(each.span.path for each in above.values() if id(each) in self._steps)
        for module in self._program.modules if steps else ():
            routed = any(_is_route(each) for function in module.index.functions for each in function.decorators)
            if module.role is Role.APP and routed and self._programs.load_any(module.path, steps):
                yield module.path

    def of(self, scope: ir.Scope) -> bool:
        """Whether a function runs for several users."""
        if id(scope) not in self._known:
            self._known[id(scope)] = False
            self._known[id(scope)] = self._climbs(scope)
        return self._known[id(scope)]

    def _climbs(self, scope: ir.Scope) -> bool:
        for each in self.above(scope):
            if self.answers(each):
                return True
            if (id(each) in self.tools or id(each) in self._steps) and self.is_beside_run(each.span.path):
                return True
            callers = [site.scope for site in self._program.callers(each)]
            if not callers and any(self.of(site.scope) for site in calls_passing(self._program, each)):
                return True
            if any(self._program.module_of(scope).path in self._pages - {each.span.path} for scope in callers):
                return True
        return False

    def in_tool(self, scope: ir.Scope) -> bool:
        """Whether a tool comes to a function, or is it."""
        return any(id(each) in self.tools for each in self.above(scope))

    def above(self, scope: ir.Scope) -> Iterator[ir.Function]:
        """The functions that lead to a piece of code: its own, those that it is written in, and their callers."""
        roles = {self._program.module_of(scope).role, Role.APP}
        for each in above(self._program, [scope], most=ABOVE, written_in=True):
            if isinstance(each, ir.Function) and self._program.module_of(each).role in roles:
                yield each

    def is_sent_to(self, function: ir.Function) -> bool:
        """Whether a platform calls a function with what a client sends, keys and all."""
        named = set(map(_decorator, function.decorators))
        around = handing(self._program, function)
        named |= {callee_name(around.callee)} if around is not None else set()
        is_platforms = self.is_of_server(function) and not self._is_peers(function)
        return self.answers(function) and not named & CHATS and not is_platforms

    def _is_peers(self, function: ir.Function) -> bool:
        """Whether a server of A2A calls a method: whom a peer speaks for, and in which context, is the peer's word."""
        if self._executing is None:
            self._executing = frozenset(id(match.node) for match in self._context.of_kind(EXECUTOR))
        return id(function.outer) in self._executing and not function.name.startswith("_")

    def is_routed(self, function: ir.Function) -> bool:
        """Whether a server calls a function for each request of HTTP that a path or a schema leads to it."""
        if any(_is_route(each) and _decorator(each) not in CHATS for each in function.decorators):
            return True
        around = handing(self._program, function)
        is_file = function.name in METHODS - {LAMBDA} and isinstance(function.outer, ir.Module)
        return is_file or (around is not None and is_route(around)) or resolves(self._program, function)

    def answers(self, function: ir.Function) -> bool:
        """Whether a platform calls a function for each request."""
        if any(_is_route(decorator) for decorator in function.decorators):
            return True
        if function.name in METHODS and isinstance(function.outer, ir.Module):
            return True
        if handing(self._program, function) is not None or resolves(self._program, function):
            return True
        if self.is_of_server(function) or self._is_peers(function):
            return True
        first = next((p for p in function.params if p.name not in {"self", "cls"}), None)
        is_top = not self._program.callers(function) and isinstance(function.outer, (ir.Module, ir.Class))
        return is_top and first is not None and REQUESTS.fullmatch(first.name) is not None

    def is_of_server(self, function: ir.Function) -> bool:
        """Whether a library's server or bot calls a method that the project fills in."""
        cls = function.outer
        if not isinstance(cls, ir.Class) or function.name.startswith("_") or self._program.callers(function):
            return False
        base = classes.library_base(self._program, cls)
        return base is not None and SERVER.search(last_name(base.path)) is not None


def _decorator(expr: ir.Expr) -> str:
    return callee_name(expr.callee if isinstance(expr, ir.Call) else expr)


def _is_route(decorator: ir.Expr) -> bool:
    """Whether a decorator says that requests are answered, not that a server starts or stops."""
    if not isinstance(decorator, ir.Call):
        return callee_name(decorator) in ROUTES
    first = decorator.args[0].value if decorator.args else None
    is_own = isinstance(first, ir.Literal) and first.value in OWN_EVENTS
    return (callee_name(decorator.callee) in ROUTES and not is_own) or (bool(decorator.args) and registers(decorator))
