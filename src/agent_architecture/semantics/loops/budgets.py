"""What caps the tokens, the money or the requests of a site: the run's own ceilings, and those of its model calls.

States the limits; whether they are enough is for detectors. Bounds of hand-written loops are in
`bounds/loop_bounds.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.graph import reachable
from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown
from agent_architecture.model.system import BoundKind
from agent_architecture.names import builtins
from agent_architecture.names.arguments import argument_of
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, ClassValue, Const, Func, Instance, Unknown, Value
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.run_steps import graph_of, run_steps
from agent_architecture.semantics.bounds.loop_bounds import bounds_of
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.callgraph.reach import Extent, extent
from agent_architecture.semantics.control.choices import choices
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makings import of_its_making
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import Read, at_call, to_setting
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.model.system import Agent, Site
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

Matches: TypeAlias = "tuple[Match, ...]"

PER_CALL: Final = regex(r"^max_?(?:(?:output|completion|new)_?)?tokens(?:_to_sample)?$", re.IGNORECASE)
"""What libraries call the ceiling of one answer."""
GLOBAL_BUDGET: Final = "py:litellm:max_budget"
"""An amount of dollars for the whole process; a call above it raises (litellm/utils.py, BudgetExceededError)."""


class Ceilings:
    """The ceilings of sites. Asks on demand; knows the agents and their edges."""

    def __init__(self, context: Context, agents: Agents, run_by: Callable[[Context, Match], tuple[Match, ...]]) -> None:
        """`run_by` says which agents a run may execute."""
        self._context = context
        self._agents = agents
        self._run_by = run_by
        self._matches = {id(agents.agent_of(match)): match for match in context.of_kind("agent")}
        self._nodes = run_steps(context)
        self._asks = {id(match.node): match for match in context.of_kind("model_call", "run")}
        self._budget = _global_budget(context)
        self._of_graphs: dict[int, Setting] = {}

    def of_run(self, site: Site, run: Match, *agents: Match) -> Site:
        """A framework's run (or an agent that is exported) with its ceilings."""
        own = (run, *(agent for agent in agents if agent is not run))
        cost = effective(self._context, run, "cost_limit", *agents)
        if not _limits(cost):
            cost = next(self._raising(own), cost)
        return site._replace(
            token_limit=effective(self._context, run, "token_limit", *agents),
            cost_limit=cost,
            request_limit=effective(self._context, run, "request_limit", *agents),
            max_tokens=self._every_call(run, site.agents, agents),
        )

    def of_asks(self, site: Site, asks: Iterable[Match]) -> Site:
        """A hand-written loop or dispatch with the ceilings of the model calls that it makes."""
        calls = [ask for ask in asks if ask.row.kind == "model_call"]
        through = bool(calls) and all(ask.row.where.pack == "litellm" for ask in calls)
        sizes = [(ask, self._of_call(ask)) for ask in calls]
        return site._replace(
            cost_limit=self._budget if through else ABSENT,
            max_tokens=_weakest([size for _, size in sizes]),
            uncapped=tuple(ask.node.span for ask, size in sizes if size.origin is Origin.ABSENT),
        )

    # ---------------------------------------------------------------------------------------- the ceiling of one call
    def _every_call(self, run: Match, agents: tuple[Agent, ...], matches: tuple[Match, ...]) -> Setting:
        """Of all model calls that a run makes: its agents', those that they hand over to, and those in a graph's
        nodes.
        """
        ids = {id(agent) for agent in agents}
        for agent in agents:
            ids |= reachable(self._agents.handoffs, agent)
        every = {id(match): match for match in (*matches, *(m for key, m in self._matches.items() if key in ids))}
        found = [self._of_agent(run, match) for match in every.values()]
        return _weakest(found) if found else self._of_call(run)

    def _of_agent(self, run: Match, agent: Match) -> Setting:
        graph = graph_of(self._context, agent)
        functions = self._nodes.get(graph, ())
        if not functions:
            return self._of_call(run, agent)
        known = self._of_graphs.get(graph)
        if known is None:
            known = self._of_graphs[graph] = self._of_nodes(functions)
        return known

    def _of_nodes(self, functions: Iterable[ir.Function]) -> Setting:
        """Of the model calls in the nodes of a graph, and of those of the agents that run there."""
        body = tuple(node for function in functions for node in function.body)
        nodes = extent(self._context.program, body, set()).nodes()
        asks = [self._asks[id(node)] for node in nodes if id(node) in self._asks]
        calls = [
            self._of_call(ask, *(self._run_by(self._context, ask) if ask.row.kind == "run" else ())) for ask in asks
        ]
        return _weakest(calls) if calls else self._of_program(functions)

    def _of_program(self, functions: Iterable[ir.Function]) -> Setting:
        """Of a graph in whose nodes no model call is found: it has none where no call that is loaded with them has."""
        beside = self._context.once(Programs).beside_any(function.span.path for function in functions)
        calls = [ask for ask in self._asks.values() if ask.row.kind == "model_call" and ask.node.span.path in beside]
        sizes = (self._of_call(ask) for ask in calls)
        if calls and all(size.origin is not Origin.UNKNOWN and not any(size.values) for size in sizes):
            return ABSENT
        return unknown("calls elsewhere")

    def _of_call(self, asking: Match, *places: Match) -> Setting:
        """What the call, the agent, or the model object that either is given says."""
        models = [value for place in (asking, *places) for value in self._models(place)]
        own = self._receivers(asking)
        clients = self._context.made_by(models, "model_client")
        if clients or own:
            # Any of them may be the one that answers.
            each = [(client, *own) for client in clients] or [(client,) for client in own]
            held = (
                tuple(expr for place in (asking, *places) for expr in _models_at(place))
                if clients
                else _called_on(asking)
            )
            return _weakest([self._of_client(asking, places, some, held) for some in each])
        found = effective(self._context, asking, "max_tokens", *places)
        if found.origin is Origin.UNKNOWN or _limits(found):
            return found
        some_model = [value for value in models if not _is_nothing(value)]
        return _weakest([self._of_object(value) for value in some_model or models])

    def _of_client(self, asking: Match, places: Matches, clients: Matches, held: tuple[ir.Expr, ...]) -> Setting:
        """What a call says, else one of its clients: as it was made for those expressions that hold it."""
        setting = effective(self._context, asking, "max_tokens", *places, *clients)
        return of_its_making(self._context, setting, clients, "max_tokens", held)

    def _of_object(self, value: Value) -> Setting:
        """What an object that no pack describes says of the size of its answers: of the project's own, the requests
        in its methods.
        """
        if not isinstance(value, Instance):
            return _of_object(self._context, value)
        classes = frozenset(self._context.program.lineage(value.cls))
        asks = [ask for ask in self._asks.values() if ask.row.kind == "model_call"]
        own = [ask for ask in asks if enclosing_class(self._context.program, ask.node) in classes]
        return _weakest([self._of_call(ask) for ask in own]) if own else _of_object(self._context, value)

    def _receivers(self, asking: Match) -> tuple[Match, ...]:
        """The clients that a model call can be a method of."""
        callee = asking.node.callee if isinstance(asking.node, ir.Call) else None
        values = self._context.program.value_of(callee.target) if isinstance(callee, ir.Member) else ()
        made = self._context.made(asking.api, "model_client")
        return self._context.made_by(values, "model_client") or ((made,) if made is not None else ())

    def _models(self, place: Match) -> Iterator[Value]:
        for name in ("model", "client"):
            address = place.row.properties.get(name) or place.row.relations.get(name)
            if address is not None:
                yield from at_call(self._context.program, place.arguments, place.api.receiver, address).values

    # ------------------------------------------------------------------------------------------ hooks that stop a run
    def _raising(self, places: tuple[Match, ...]) -> Iterator[Setting]:
        """The limits that a run's hooks compare what was spent with, and raise above."""
        for function in self._hooks(places):
            program = self._context.program
            for choice in choices(program, conditions_of(self._context), own_nodes(function)):
                if choice.fails:
                    own = Extent(tuple(ir.walk(choice.node)), ())
                    inside = own if choice.sides else extent(program, (choice.node,), set())
                    for bound in bounds_of(program, None, function, inside, ()):
                        if bound.kind is BoundKind.BUDGET:
                            yield bound.limit

    def _hooks(self, places: tuple[Match, ...]) -> Iterator[ir.Function]:
        for place in places:
            for name in ("callbacks", "guards"):
                address = place.row.relations.get(name)
                read = None
                if address is not None:
                    read = at_call(self._context.program, place.arguments, place.api.receiver, address)
                for value in read.values if read is not None else ():
                    yield from _functions(value)


def _models_at(place: Match) -> Iterator[ir.Expr]:
    """What a call is given as its model or client, as it is written."""
    call = place.arguments
    for name in ("model", "client"):
        address = place.row.properties.get(name) or place.row.relations.get(name)
        for steps in address.alternatives if address is not None and isinstance(call, ir.Call) else ():
            found = argument_of(call, str(steps[0])) if steps else None  # type: ignore[arg-type]
            yield from () if found is None else (found,)


def _called_on(asking: Match) -> tuple[ir.Expr, ...]:
    callee = asking.node.callee if isinstance(asking.node, ir.Call) else None
    return (callee.target,) if isinstance(callee, ir.Member) else ()


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _functions(value: Value) -> Iterator[ir.Function]:
    match value:
        case Func():
            yield value.function
        case Instance() | ClassValue():
            yield from (node for node in value.cls.body if isinstance(node, ir.Function))
        case _:
            return


def _limits(setting: Setting) -> bool:
    """Whether a setting names a value other than None on every way."""
    return bool(setting.values) and all(value is not None for value in setting.values)


def _weakest(settings: list[Setting]) -> Setting:
    """The ceiling that holds for every call: none when one call has none."""
    if not settings:
        return ABSENT
    for setting in settings:
        if setting.origin is not Origin.UNKNOWN and not _limits(setting):
            return ABSENT
    doubtful = next((setting for setting in settings if setting.origin is Origin.UNKNOWN), None)
    if doubtful is not None:
        return doubtful
    values = tuple(dict.fromkeys(value for setting in settings for value in setting.values))
    return settings[0]._replace(values=values)


def _of_object(context: Context, value: Value) -> Setting:
    """What a model object that no pack describes was made with; a model's name says nothing of its answers' size."""
    match value:
        case Unknown():
            return unknown(value.why)
        case Const():
            return ABSENT
        case Api() if builtins.is_environment(value) or not isinstance(value.node, ir.Call):
            return ABSENT
        case Api():
            return _in_arguments(context, value.node)  # type: ignore[arg-type]
        case _:
            return unknown("a model object of the project")


def _in_arguments(context: Context, call: ir.Call) -> Setting:
    nodes = [node for argument in call.args for node in ir.walk(argument.value)]
    given = [a for node in (call, *nodes) if isinstance(node, ir.Call) for a in node.args]
    entries = [entry for node in nodes if isinstance(node, ir.Map) for entry in node.entries]
    named = [(a.keyword, a.value) for a in given]
    named += [(str(e.key.value), e.value) for e in entries if isinstance(e.key, ir.Literal)]
    for name, expr in named:
        if name is not None and PER_CALL.match(name):
            return to_setting(context.program, Read(context.program.value_of(expr), missing=False))
    return ABSENT


def _global_budget(context: Context) -> Setting:
    """`litellm.max_budget = 10`."""
    program = context.program
    for module in program.modules:
        file = program.table.file(module.path)
        if file is None or b"max_budget" not in file.data:
            continue
        for scope in module.code:
            for node in own_nodes(scope):
                if (
                    isinstance(node, ir.Assign)
                    and isinstance(node.target, ir.Member)
                    and node.target.name == "max_budget"
                    and node.value is not None
                    and any(api.path == "py:litellm" for api in resolved(program, node.target.target))
                ):
                    return to_setting(program, Read(program.value_of(node.value), missing=False))
    return ABSENT
