"""Which tools an agent or site may call, where each is bound, and what stands in front of it there.

A tool that stands in a list inside the binding call is bound on its own line, any other on the line of the call.
A registry whose tools the program does not list is one binding.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.effects import CHANGING, Gate
from agent_architecture.model.settings import ABSENT, Origin
from agent_architecture.model.system import Binding, SiteKind, Tool
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.super_arguments import runs_base
from agent_architecture.names.values import Api, Const, Items, Unknown, Value
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.asking_graphs import asking_graphs
from agent_architecture.semantics.adapters.langgraph_tool_nodes import graphs_around, steps_beside
from agent_architecture.semantics.agents.agents import NESTED, UNLISTED
from agent_architecture.semantics.agents.given_schemas import is_made_up
from agent_architecture.semantics.agents.guards import Around
from agent_architecture.semantics.agents.mcp_servers import is_connection
from agent_architecture.semantics.control.checks_before_dispatch import Dispatchers
from agent_architecture.semantics.loops.binding_parts import refusing, where, why_open
from agent_architecture.semantics.loops.clients import beside, handing_on, is_unused
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makers import makers, receivers
from agent_architecture.semantics.matching.named_tools import is_covered
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import Site
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.agents.dispatched_tools import Handing, Running
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

BY_HAND: Final = frozenset({SiteKind.HAND_WRITTEN_LOOP, SiteKind.DISPATCH})


class Element(NamedTuple):
    """One thing in a list of tools: where it is bound, and what it can be. `unreadable` says why it is not known,
    `call` is the call of the project's own client that hands it to a model call; `server` is the name of a server that
    a configuration describes.
    """

    span: Span
    expr: ir.Expr | None
    values: tuple[Value, ...] = ()
    unreadable: str = ""
    call: ir.Call | None = None
    server: str = ""


def bindings(context: Context, agents: Agents, sites: Iterable[Site]) -> tuple[Binding, ...]:
    """Every tool of every binding, by position."""
    return tuple(_Bindings(context, agents, tuple(sites)).all())


class _Bindings:
    def __init__(self, context: Context, agents: Agents, sites: tuple[Site, ...]) -> None:
        self._context = context
        self._agents = agents
        self._guards = agents.facts.guards
        self._dispatch = Dispatchers(context, partial(steps_beside, context))
        self._by_hand = {id(tool) for site in sites if site.kind in BY_HAND for tool in site.tools}
        self._again = {id(tool) for site in sites if site.kind in BY_HAND for tool in _told_again(site)}
        self._has_sites = bool(sites)
        self._without = {site.span for site in sites if not site.tools}
        self._graphs = any(True for _ in context.of_kind("graph")) or bool(context.once(asking_graphs))
        self._runs: dict[int, list[Around]] = {}
        for run in context.of_kind("run"):
            for agent in run_agents(context, run):
                self._runs.setdefault(id(agent.node), []).append(self._guards.around(run))

    def all(self) -> Iterator[Binding]:
        """The bindings of agents, runs and model calls; of a model call only where something dispatches its tools."""
        seen: dict[tuple[Span, int], Binding] = {}
        bound: set[int | Span] = set()
        asked: dict[tuple[int | Span, int | Span], Span] = {}
        owners = self._context.of_kind("agent", "run", "model_call")
        for match in sorted(owners, key=self._only_runs):
            for binding in self._of(match):
                which = binding.tool.span if binding.dynamic else id(binding.tool)
                if self._only_runs(match) and which in bound:
                    continue
                if asked.setdefault((self._asker(match, binding), which), binding.span) != binding.span:
                    continue  # the same tool in a second request of one loop
                key = binding.span, id(binding.tool) if not binding.dynamic else 0
                if id(binding.tool) not in self._again and _is_weaker(binding, seen.get(key)):
                    seen[key] = binding
                    bound.add(which)
        yield from seen.values()
        for run in self._agents.by_hand.running:
            if id(run.tool) not in bound and (run.call.span, id(run.tool)) not in seen:
                for found in self._looked_up(run):
                    seen[run.call.span, id(run.tool)] = found
                    yield found
        yield from (self._handed_on(one) for one in self._agents.by_hand.handing if one.site.span in self._without)

    def _asker(self, match: Match, binding: Binding) -> int | Span:
        """The function that asks its model and offers it its tools, however often: they are bound there once. Of what
        others hand it, and of anything else, the place of the binding.
        """
        scope = self._context.program.scope_of(match.node) if match.row.kind == "model_call" else None
        if isinstance(scope, ir.Function) and scope.span.contains(binding.span):
            return id(scope)
        return binding.span

    def _only_runs(self, match: Match) -> bool:
        """Whether an agent is given no tools, but runs those that its models pick: they are bound at the models."""
        return match.row.kind == "agent" and self._context.made(match.api, "graph") is not None

    def _looked_up(self, run: Running) -> Iterator[Binding]:
        """A tool that no list gives to a model, bound where a collection has it, else where code runs it by name."""
        changing = frozenset(effect.span for effect in run.tool.effects if effect.kind in CHANGING)
        function = self._agents.code.get(id(run.tool))
        in_front = self._dispatch.in_front(run.call, function, changing | {run.call.span}, run.tool.name)
        guards = refusing((*run.tool.guards, *in_front.guards))
        symbol = f"{run.owner} → {run.tool.name}"
        for span in self._agents.by_hand.places(run.tool) or (run.call.span,):
            yield Binding(span, symbol, "", run.tool, guards, gate=in_front.gate)

    def _handed_on(self, one: Handing) -> Binding:
        """All that servers of others offer, where code hands on which tool a model picked."""
        tool = Tool(one.call.span, "tools", "", "tools", degree=Degree.INFERRED)
        guards, gate = self._dispatch.in_front(one.ask, None, frozenset({tool.span}), tool.name)
        symbol = f"{one.site.symbol} → tools"
        return Binding(tool.span, symbol, "", tool, refusing(guards), dynamic=True, gate=gate)

    def _of(self, match: Match) -> Iterator[Binding]:
        elements = tuple(self._placed(match, tuple(self._elements(match))))
        if not elements:
            return
        around = self._around(match)
        bound = [binding for element in elements for binding in self._bind(match, element, around)]
        if any(binding.dynamic and not binding.unreadable for binding in bound):  # it stands for all that is not listed
            calls = {self._call(match).span, *(element.call.span for element in elements if element.call is not None)}
            bound = [b for b in bound if not b.unreadable or b.span not in calls]
        found = tuple(sorted(_once(bound), key=lambda binding: bool(binding.unreadable)))
        if match.row.kind == "model_call" and not self._dispatched(found):
            return
        yield from found

    def _dispatched(self, found: tuple[Binding, ...]) -> bool:
        """Whether something runs what the model picks, code or, in a program with agents, the provider: a schema that
        only shapes an answer is no tool.
        """
        if any(id(binding.tool) in self._by_hand for binding in found):
            return True
        if self._has_sites and all(self._agents.is_hosted(binding.tool) for binding in found):
            return True
        run = (id(b.tool) in self._agents.code or (b.dynamic and not is_made_up(b.tool)) for b in found)
        return self._graphs and any(run)

    def _around(self, match: Match) -> Around:
        """What stands around the owner: its own, its library's, and what all of its runs have."""
        own = self._guards.around(match)
        library = self._guards.of_library(match.row.where.pack)
        runs = self._runs.get(id(match.node), [])
        shared = runs[0].guards if runs and all(run.guards for run in runs) else ()
        asked = runs[0].approvals if runs and all(run.approvals for run in runs) else ()
        unreadable = own.unreadable or next((run.unreadable for run in runs if run.unreadable), "")
        if match.row.kind == "model_call":
            unreadable = ""  # what a library checks around a model call does not stand before a tool
        return Around((*own.guards, *library, *shared), (*own.approvals, *asked), unreadable)

    # ----------------------------------------------------------------------------------------------------- elements
    def _elements(self, match: Match) -> Iterator[Element]:
        call = self._call(match)
        for expr, values in self._agents.bound(match, "tools", "mcp_servers"):
            yield Element(self._stands(match, call, expr), expr, values)
        for expr, values in self._agents.bound(match, "mcp_servers"):
            named = next((v.value for v in values if isinstance(v, Const) and isinstance(v.value, str)), "")
            if named:
                yield Element(self._stands(match, call, expr), expr, (), server=named)
        for relation in ("tools", "mcp_servers"):
            for value in self._agents.values(match, relation):
                why = why_open(value)
                if why and not self._is_traced(match, relation, value):
                    yield Element(call.span, None, (), why)

    def _stands(self, match: Match, call: ir.Node, expr: ir.Expr) -> Span:
        """Where an element is bound: in what joins an agent later; in the code that makes an agent for several who call
        it, where that code itself names the tool; else where the agent is made.
        """
        later = any(each is expr for each in self._agents.later(match, "tools"))
        passed_to_base = isinstance(match.arguments, ir.Call) and runs_base(match.arguments)
        made = match.arguments if passed_to_base and match.arguments is not None else match.made_at
        between = not later and call is match.node and made.span != call.span
        scope = self._context.program.scope_of(expr) if between else None
        if isinstance(scope, ir.Function) and scope.span.contains(made.span):
            call = made
        return where(call, expr, later=later)

    def _is_traced(self, match: Match, relation: str, value: Value) -> bool:
        """Whether all that a list may hold was found where it comes from: `toolkit.get_tools() + [look_up]`."""
        if not isinstance(value, Items) or relation != "tools":
            return False
        offer = self._agents.offers.behind(match, relation)
        return bool(offer.elements) and not offer.open

    def _placed(self, match: Match, elements: tuple[Element, ...]) -> Iterator[Element]:
        """The elements; those that the project's own clients hand to a model call are bound where these are called."""
        offers, program = self._agents.offers, self._context.program
        call = match.node if match.row.kind == "model_call" and isinstance(match.node, ir.Call) else None
        given = offers.exprs(match, "tools") if call is not None else ()
        if call and given and is_unused(program, call, given):
            yield from (element for element in elements if element.unreadable or element.span != call.span)
            return
        by = self._call(match)
        call = by if call is not None and isinstance(by, ir.Call) else call
        ways = [way for way in handing_on(program, call, given) if way] if call and given else []
        offered = {way: [_made_at(*one) for one in offers.behind(match, "tools", way).elements] for way in ways}
        for element in elements:
            made = _made_at(element.expr, element.values)
            own = [way for way in ways if any(made & one for one in offered[way])]
            own = own or beside(program, ways, element.expr)
            if not own or element.span != self._call(match).span:
                yield element
                continue
            for way in own:
                span = way[0].span if element.expr is None else where(way[0], element.expr, later=False)
                yield element._replace(span=span, call=way[0])

    def _call(self, match: Match) -> ir.Node:
        """The call that binds: the match's own, or the one that gave its receiver the tools (`model.bind_tools`)."""
        if "tools" in match.row.relations and self._agents.values(match, "tools", receivers_too=False):
            return match.node
        for api in receivers(match.api):
            settings = self._context.packs.settings(api.receiver.path) if api.receiver is not None else ()
            if isinstance(api.node, ir.Call) and any("tools" in row.relations for row in settings):
                return api.node
        return match.node

    # ----------------------------------------------------------------------------------------------------- bindings
    def _bind(self, match: Match, element: Element, around: Around, depth: int = 0) -> Iterator[Binding]:
        if element.unreadable:
            yield self._registry(match, element, around, element.unreadable)
            return
        if element.server:
            binding = self._registry(match, element, around, "")
            served = binding.tool._replace(symbol=element.server, name=element.server)
            yield binding._replace(symbol=f"{self._owner(match)} → {element.server}", tool=served)
            return
        for value in element.values:
            made = self._context.made(value, "tool", "handoff", "agent", *UNLISTED)
            made = self._context.at(made.node, *UNLISTED) or made if made is not None else None
            if isinstance(value, Unknown):
                yield self._registry(match, element, around, value.why)
            elif made is not None and _is_result(value):
                continue
            elif made is not None and made.row.kind in UNLISTED:
                lists = "tools" in made.row.relations and depth < NESTED
                inner = self._agents.bound(made, "tools") if lists else ()
                gate = self._registry_gate(made, value)
                for expr, values in inner:
                    for binding in self._bind(match, Element(element.span, expr, values), around, depth + 1):
                        yield (
                            binding
                            if binding.gate.approval.values or gate is ABSENT
                            else binding._replace(gate=Gate(gate))
                        )
                if not inner:
                    yield self._unlisted(match, made, element, around, value)
            elif is_connection(value):
                yield self._registry(match, element, around, "")
            elif element.expr is not None:
                tool = self._agents.tool_of(element.expr, value, match)
                if tool is not None:
                    binding = self._listed(match, tool, element, around)
                    yield from (binding._replace(span=span) for span in self._kept_at(match, tool, element))

    def _kept_at(self, match: Match, tool: Tool, element: Element) -> tuple[Span, ...]:
        """Where a tool is bound: one that code looks up in a collection, and gives to a request, where that has it."""
        asked = element.call or match.node
        is_whole = match.row.kind == "model_call" and self._call(match) is match.node and element.span == asked.span
        return (self._agents.by_hand.places(tool) if is_whole else ()) or (element.span,)

    def _listed(self, match: Match, tool: Tool, element: Element, around: Around) -> Binding:
        guards = [*around.guards, *tool.guards]
        gate = self._guards.gate(match, tool.name, around)
        function = self._agents.code.get(id(tool))
        if match.row.kind == "model_call" and isinstance(match.node, ir.Call):
            asked = element.call or match.node
            doing = frozenset(effect.span for effect in tool.effects if effect.kind in CHANGING)
            in_front = self._dispatch.in_front(asked, function, doing, tool.name)
            guards.extend(in_front.guards)
            if gate.approval is ABSENT:
                paused = self._paused(asked, tool.name)
                gate = Gate(paused) if paused is not ABSENT else in_front.gate if in_front.gate.inside else gate
        symbol = f"{self._owner(match)} → {tool.name}"
        dynamic = is_made_up(tool)
        before = (guard for guard in guards if is_covered(tool.name, guard.applies_to))
        kept = "root" in tool.isolation.values
        return Binding(
            element.span, symbol, match.row.where.pack, tool, refusing(before), dynamic, kept, gate, around.unreadable,
            match.node.span if match.row.kind == "model_call" and element.call is not None else None,
        )  # fmt: skip

    def _paused(self, call: ir.Node, tool: str) -> Setting:
        """The pause that all graphs have, of which a step asks the model by a call, before the steps that run tools."""
        graphs = graphs_around(self._context, call)
        asked = [self._guards.gate(graph, tool, Around()).approval for graph in graphs]
        return asked[0] if asked and all(one.value == "always" for one in asked) else ABSENT

    def _unlisted(self, match: Match, made: Match, element: Element, around: Around, value: Value) -> Binding:
        """A toolkit or an MCP server: what it offers, unless the binding says which tools are taken."""
        allowed = effective(self._context, made, "allowed")
        own = self._guards.around(made)
        gate = Gate(self._registry_gate(made, value))
        if gate.approval is ABSENT:
            gate = self._guards.gate(match, "*", around)
        said = effective(self._context, made, "name").value
        name = said if isinstance(said, str) and said else self._context.symbol(made.node) or made.row.kind
        tool = Tool(made.node.span, name, made.row.where.pack, name)
        scoped = allowed.origin is Origin.WRITTEN and not any(v in {None, "*", "automatic"} for v in allowed.values)
        scoped = scoped or (isinstance(value, Api) and self._is_filtered(element.expr, value))
        why = around.unreadable or own.unreadable or (allowed.source if allowed.origin is Origin.UNKNOWN else "")
        return Binding(
            element.span, f"{self._owner(match)} → {name}", match.row.where.pack, tool,
            refusing([*around.guards, *own.guards]), dynamic=True, scoped=scoped, gate=gate, unreadable=why,
        )  # fmt: skip

    def _registry_gate(self, made: Match, value: Value) -> Setting:
        """The approval of a registry: what it was wrapped in, else its own."""
        wrapped = self._guards.wrapped(value, "*")
        return wrapped if wrapped is not ABSENT else self._guards.own_gate(made, "*", self._guards.around(made))

    def _is_filtered(self, expr: ir.Expr | None, value: Api) -> bool:
        """Whether the project takes tools out of a registry by their names before it binds them."""
        if expr is None or not value.path.endswith("[]"):
            return False
        return any(
            _asks_name(part)
            for node in own_nodes(self._context.program.scope_of(expr))
            if isinstance(node, ir.If) or (isinstance(node, ir.Loop) and node.span.contains(expr.span))
            for part in (ir.walk(node.test) if node.test is not None else ())
        )

    def _registry(self, match: Match, element: Element, around: Around, why: str) -> Binding:
        """Tools that cannot be read."""
        tool = Tool(element.span, "tools", match.row.where.pack, "tools")
        symbol = f"{self._owner(match)} → tools"
        gate = self._guards.gate(match, "*", around)
        pack = match.row.where.pack
        return Binding(element.span, symbol, pack, tool, refusing(around.guards), True, gate=gate, unreadable=why)

    def _owner(self, match: Match) -> str:
        if match.row.kind == "agent":
            return self._agents.agent_of(match).symbol
        return self._context.symbol(match.node) or match.row.kind


def _is_weaker(binding: Binding, known: Binding | None) -> bool:
    """Whether less stands before a tool than in what is known of the same place: who shares it has the weaker one."""
    is_guarded = known is None or known.mediated or known.gate != Gate()
    return known is None or (bool(is_guarded) and not binding.mediated and binding.gate == Gate())


def _told_again(site: Site) -> Iterator[Tool]:
    """The schemas of a site that a helper makes of the tools which the site runs: they are no further tools."""
    made_up = [tool for tool in site.tools if is_made_up(tool)]
    yield from made_up if len(made_up) < len(site.tools) else ()


def _once(bound: Iterable[Binding]) -> Iterator[Binding]:
    """Each tool once on a line: a variable among the elements, and the call that made it, are the same."""
    seen: set[tuple[int, int]] = set()
    for binding in bound:
        key = id(binding.tool), binding.span.line
        if binding.dynamic or key not in seen:
            seen.add(key)
            yield binding


def _made_at(expr: ir.Expr | None, values: Iterable[Value]) -> frozenset[int]:
    """The ids of the nodes that an element stands for."""
    nodes = (node for value in values for node in makers(value))
    return frozenset(map(id, nodes if expr is None else (expr, *nodes)))


def _is_result(value: Value) -> bool:
    """Whether a value is what a call of a registry's tool gave, not the tool."""
    return isinstance(value, Api) and "(" in value.path.partition("[]")[2]


def _asks_name(test: ir.Node) -> bool:
    """Whether a test looks for a name among others: `tool.name in NAMES`."""
    asked = test.operands[0] if isinstance(test, ir.Operator) and test.op == ir.Op.IN else None
    return isinstance(asked, ir.Member) and asked.name == "name"
