"""Agents, their tools, and the edges between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import weakest
from agent_architecture.model.system import Agent, Degree, Handoff, Tool
from agent_architecture.names.configuration_files import LOADERS
from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    Unknown,
    Value,
    Values,
)
from agent_architecture.semantics.adapters.autogen import answered_handoffs
from agent_architecture.semantics.adapters.crewai import delegations
from agent_architecture.semantics.adapters.google_adk import transfers
from agent_architecture.semantics.adapters.kinds_of_agents import kinds_of
from agent_architecture.semantics.adapters.langgraph_mounts import mounted
from agent_architecture.semantics.adapters.langgraph_tool_nodes import asking_steps, steps_of
from agent_architecture.semantics.adapters.llama_index import open_handoffs
from agent_architecture.semantics.adapters.returned_agents import returned_agents
from agent_architecture.semantics.agents.described_tools import as_given, parameters_of, tool_of
from agent_architecture.semantics.agents.dispatched_tools import ByHand
from agent_architecture.semantics.agents.edge_spans import EDGES, declared_at
from agent_architecture.semantics.agents.given_schemas import UNNAMED, is_forced, is_schema, is_written, schema_name
from agent_architecture.semantics.agents.mcp_servers import (
    functions_registered,
    is_connection,
    listed_tools,
    without_handlers,
)
from agent_architecture.semantics.agents.object_tools import given_function
from agent_architecture.semantics.agents.offered.mapping_keys import Keys
from agent_architecture.semantics.agents.offered.offers import KNOWN, Offers
from agent_architecture.semantics.agents.offered.tool_descriptions import method_of, schemas_wrapped
from agent_architecture.semantics.agents.ready_made_tools import SAID
from agent_architecture.semantics.agents.registrations import joined_later
from agent_architecture.semantics.agents.shapes.declarations import declared_by_shape
from agent_architecture.semantics.agents.tool_facts import ToolFacts
from agent_architecture.semantics.agents.tool_names import key_of, name_of
from agent_architecture.semantics.agents.tool_schemas import Schemas
from agent_architecture.semantics.agents.toolboxes import unfolded
from agent_architecture.semantics.agents.tried_models import made_up
from agent_architecture.semantics.agents.used_directly import is_used_directly
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makers import makers
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.named_tools import NamedTools, registered, server_in
from agent_architecture.semantics.matching.read import Read, at_call
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.offered.offers import Element
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.matching.context import Context

NESTED: Final = 4
"""Toolkits inside toolkits that are followed; one that holds itself is a registry."""

UNLISTED: Final = ("tool_set", "mcp_client")
"""Kinds that stand for tools which the program does not list."""

MODELLED: Final = ("tool", "given_tool", "handoff", "agent", *UNLISTED)
"""Kinds of what an agent's list of tools may hold."""

HOSTED: Final = "hosted"
"""The property of rows for tools that the model's provider runs."""

SETS: Final = ("Toolset", "ToolSet", "Toolkit", "ToolKit")
"""How objects of libraries are called that bring any number of tools: of one that no row names, none is known."""

COPYING: Final = frozenset({"clone", "copy", "model_copy", "with_config", "withConfig"})
"""Methods whose result is the tool that they are called on, otherwise set."""
RENAMING: Final = frozenset({"id", "name", "title", "description"})
"""What a tool that is spread into a map may be called there."""


class Agents:
    """All agents, tools and edges of the system, made once from the matches."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._tools: dict[int, Tool] = {}
        self.facts = ToolFacts(context)
        self.schemas = Schemas(context, self.facts.effects, self.facts.dispatch)
        self.offers = Offers(context)
        self.keys = Keys(context)
        self.by_hand = ByHand(context, self, self.facts.effects)
        self.code: dict[int, ir.Function] = {}
        """The project's function that a tool runs, by the tool's id."""
        self._told_hosted: dict[int, bool] = {}
        """What rows say of the tools that they make, whether the model's provider runs them, by the tool's id."""
        self._functions: dict[int, ir.Function] | None = None
        self._later = joined_later(context)
        self.named_tools = NamedTools(context.packs, context.program)
        self._unnamed: set[int] = set()
        """The nodes of schemas whose names are only known at run time: they stand for registries."""
        self.tools: list[Tool] = []
        self._tools |= listed_tools(context, self.schemas.of_listed)
        for match in sorted(context.finished("tool"), key=lambda match: "name" not in match.row.properties):
            for described in self.offers.wrapped(match):
                self.of_described(described, match.row.where.pack, match)
            if not self.offers.wrapped(match) and not self.keys.is_made_for_each(match.node):
                self._tool_of_match(match)
        for match, expr, value in functions_registered(context):
            self.tool_of(expr, value, match)
        self.open_ended: set[int] = set()
        """Ids of the nodes of agents that may have tools or edges which cannot be read."""
        self._agents = {id(m.node): (m, self._agent(m)) for m in context.of_kind("agent")}
        self.kinds = {node: dict(self._kinds(match, agent)) for node, (match, agent) in self._agents.items()}
        """The agents of classes that hand a base what it makes them of, by the id of the node that makes them all."""
        for match in context.of_kind("run", "model_call"):
            self.tools_of(match)
        lifted = (delegations, transfers, open_handoffs, answered_handoffs, returned_agents, mounted)
        self.handoffs = (*self._edges(), *(edge for lifter in lifted for edge in lifter(context, self)))
        self._functions = None  # what was asked while they were made was asked of a part

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All agents, by position."""
        return tuple(agent for _, agent in self._agents.values())

    def told_apart(self) -> tuple[Agent, ...]:
        """The same, with one agent for each of the classes for which one call makes them all."""
        every = (self.kinds[node].values() or (one,) for node, (_, one) in self._agents.items())
        return tuple(agent for some in every for agent in some)

    def agent_of(self, match: Match) -> Agent:
        """The agent that a match made."""
        return self._agents[id(match.node)][1]

    def is_hosted(self, tool: Tool) -> bool:
        """Whether a tool is one that the model's provider runs: a row says so, or there is no code of the project, and
        nothing to give it here.
        """
        if (told := self._told_hosted.get(id(tool))) is not None:
            return told
        return not tool.schema.has_local_input and id(tool) not in self.code

    def is_told_hosted(self, tool: Tool) -> bool:
        """Whether a row says that the model's provider runs a tool."""
        return self._told_hosted.get(id(tool)) is True

    def known_tools(self) -> tuple[Tool, ...]:
        """The tools that are known so far, in the order in which they were found."""
        return tuple(self._tools.values())

    def defined_at(self, node: int) -> Tool | None:
        """The tool that the node of an id defines."""
        return self._tools.get(node)

    def all_tools(self) -> tuple[Tool, ...]:
        """Every tool: defined as one, or given to an agent; by position, each once."""
        hidden = self._unnamed | {
            id(match.node)
            for match in self.context.of_kind("tool")
            if match.row.properties.keys() <= SAID and self.context.at(match.node, "agent") is None
            if self.context.program.once(is_used_directly, match.node)
        }
        tried = made_up(self.context, self.tools_of, self.code)
        shown = {n: tool for n, tool in self._tools.items() if n not in hidden and tool not in tried}
        return without_handlers(self.context, shown)

    def can_act(self, match: Match) -> bool:
        """Whether a run of this agent can come back to its model: it executes code, or it has, or may have, a tool or
        someone to hand over to.
        """
        if "tools" not in match.row.relations or self.context.at(match.made_at, "code_sink") is not None:
            return True
        agent = self.agent_of(match)
        return bool(agent.tools) or id(match.node) in self.open_ended or any(e.source is agent for e in self.handoffs)

    # --------------------------------------------------------------------------------------------------------- tools
    def bound(self, match: Match, *relations: str) -> tuple[tuple[ir.Expr, tuple[Value, ...]], ...]:
        """The elements of a relation of a match, with what each can be; marks the match open-ended when some are not
        readable.
        """
        found: list[tuple[ir.Expr, tuple[Value, ...]]] = []
        for relation in relations:
            for read in self._read(match, relation):
                for value in read.values:
                    found.extend(self._elements(match, value))
            if relation == "tools" and match.row.kind == "agent":
                found.extend(self._brought(match))
            for expr in self._later.get((id(match.node), relation), ()):
                for value in self.context.program.value_of(expr):
                    found.extend(self._elements(match, value, expr))
        merged: dict[int, tuple[ir.Expr, tuple[Value, ...]]] = {}
        found = [(expr, unfolded(self.context, values)) for expr, values in found]
        completed = self._completed(match, tuple(found)) if "tools" in relations else tuple(found)
        for expr, values in completed:  # one expression may stand for many: the variable of a loop over tools
            known = merged.get(id(expr), (expr, ()))[1]
            merged[id(expr)] = expr, (*known, *(value for value in values if value not in known))
        return tuple(merged.values())

    def _completed(self, match: Match, found: tuple[Element, ...]) -> tuple[Element, ...]:
        """The tools of a match, with those behind lists and wrappers of the project's own."""
        offer = self.offers.completed(match, "tools", self.values(match, "tools"), found)
        if offer.open:
            self.open_ended.add(id(match.node))
        return offer.elements

    def _brought(self, match: Match) -> Iterator[Element]:
        """The tools that the call which makes an agent brings along by itself."""
        own = self.context.at(match.made_at, "tool_set")
        if own is not None and isinstance(own.node, (ir.Call, ir.Map)):
            yield own.node, (Api(own.api.path + "()", own.node, own.api),)

    def values(self, match: Match, relation: str, *, receivers_too: bool = True) -> tuple[Value, ...]:
        """What a relation of a match is as a whole: the list itself, not its elements."""
        reads = tuple(self._read(match, relation))
        own = reads if receivers_too else reads[: int(relation in match.row.relations)]
        return tuple(value for read in own for value in read.values)

    def later(self, match: Match, relation: str) -> tuple[ir.Expr, ...]:
        """What joins a relation of a match after it was made."""
        return tuple(self._later.get((id(match.node), relation), ()))

    def _read(self, match: Match, relation: str) -> Iterator[Read]:
        """What a match itself names in a relation, and what calls on its receivers set (`model.bind_tools(tools)`)."""
        program = self.context.program
        if relation in match.row.relations:
            yield at_call(program, match.arguments, match.api.receiver, match.row.relations[relation].whole())
        for row, call, receiver in self.context.set_calls.of(match):
            if relation in row.relations:
                yield at_call(program, call, receiver, row.relations[relation].whole())

    def _elements(
        self, match: Match, value: Value, expr: ir.Expr | None = None
    ) -> Iterator[tuple[ir.Expr, tuple[Value, ...]]]:
        match value:
            case Items():
                if not value.complete:
                    self.open_ended.add(id(match.node))
                for item in value.items:
                    wrapped = schemas_wrapped(self.context.program, item)
                    yield from ((one.node, (one,)) for one in wrapped)
                    if not wrapped:
                        yield item, self.context.program.value_of(item)
            case Entries() if not is_schema(value):
                if not value.complete:
                    self.open_ended.add(id(match.node))
                for _, item in value.entries:
                    yield item, self.context.program.value_of(item)
            case Unknown():
                self.open_ended.add(id(match.node))
            case Api(path=path) if expr is None and path.endswith("()") and not self._is_known(value):
                self.open_ended.add(id(match.node))  # a list that a library makes
            case Const():
                return
            case _:
                node = (
                    expr
                    or getattr(value, "node", None)
                    or getattr(value, "function", None)
                    or getattr(value, "call", None)
                )
                if node is not None:
                    yield node, (value,)

    def _is_known(self, value: Value) -> bool:
        return self.context.made(value, *KNOWN, "guard") is not None

    def tools_of(self, match: Match, nested: int = 0) -> tuple[Tool, ...]:
        """The tools that a match binds, those of the toolkits in it included."""
        found = [self.tool_of(expr, value, match) for expr, values in self.bound(match, "tools") for value in values]
        for _, values in self.bound(match, "tools", "mcp_servers") if nested < NESTED else ():
            kits = (kit for kit in self.context.made_by(values, "tool_set") if kit.node is not match.node)
            found.extend(tool for kit in kits for tool in self.tools_of(kit, nested + 1))
        if match.row.relations.keys() & {"mcp_servers"} and self.bound(match, "mcp_servers"):
            self.open_ended.add(id(match.node))
        return tuple({id(tool): tool for tool in found if tool is not None}.values())

    def tool_of(self, expr: ir.Expr, value: Value, match: Match) -> Tool | None:
        """The tool that an element of a match's tools is; None for what is none."""
        if (copied := self._copied(expr)) is not None:
            return self.tool_of(*copied, match)
        described = self.offers.described.get(id(expr)) or declared_by_shape(self.context, value, match)
        if described is not None:
            degree = weakest((described.degree, match.degree))
            return self.of_described(described._replace(degree=degree), match.row.where.pack)
        made = self.context.used_at(expr) or self.context.made(value, *MODELLED)
        if made is not None and self.context.at(made.node, *UNLISTED) is not None:
            self.open_ended |= set() if self._is_listed(made, match) else {id(match.node)}
            return None
        if made is not None:
            return self._tool_of_match(made, expr) if made.row.kind in {"tool", "given_tool"} else None
        framework = match.row.where.pack
        match value:
            case Const(value=str()):
                if (server := server_in(value)) and self._holds_server(server):
                    return None  # its tools are the project's, which has them as they are made
                named = self.named_tools.match(value, match)
                return registered(self.known_tools(), value, framework) if named is None else self._of_library(named)
            case Func():
                code, parameters = value.function, parameters_of(self.context.program, value.function)
                return self._remember(code, code.name, framework, parameters, code, giver=match)
            case Entries(node=ir.Map()) if (spread := self._spread(value)) is not None:
                return self._tool_of_match(spread)
            case Entries() if is_schema(value) and not is_connection(value):
                name = schema_name(self.context.program, value)
                function = self.facts.function_named(name, value.node.span.path)
                if function is None and is_forced(self.context.program, match, name):
                    return None
                self._unnamed |= {id(value.node)} if name == UNNAMED else set()
                return self._remember(value.node, name, framework, (), function, giver=match)
            case Api() | Instance() if _is_of_run_time(value):
                self.open_ended.add(id(match.node))
                return None
            case Api():
                node, own = self.named_tools.place(value, expr)
                said = () if own is None else effective(self.context, own, "name").values
                name = next((str(each) for each in said), "") or last_name(value.path) or dotted(expr)
                if own is None and last_name(value.path).endswith(SETS):
                    self.open_ended.add(id(match.node))
                return self._remember(node, name, framework, (), match=own, giver=match)
            case Instance() | ClassValue():
                return self._remember(
                    value.cls, value.cls.name, framework, (), method_of(self.context.program, value.cls), giver=match
                )
            case _:
                self.open_ended.add(id(match.node))
                return None

    def _holds_server(self, name: str) -> bool:
        """Whether the project makes a set of tools of this name itself."""
        named = (made for made in self.context.of_kind("tool_set") if "name" in made.row.properties)
        return any(name in effective(self.context, made, "name").values for made in named)

    def _copied(self, expr: ir.Expr) -> tuple[ir.Expr, Value] | None:
        """What an element is a library's copy of: `search.model_copy(update=…)`."""
        match expr:
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in COPYING:
                values = () if self.context.program.callees(expr) else self.context.program.value_of(target)
                return (target, values[0]) if values else None
            case _:
                return None

    def _spread(self, value: Entries) -> Match | None:
        """The tool that is spread into a map which only calls it otherwise, or says again that a person is asked:
        `{ ...wipe, requireApproval: true }`.
        """
        entries = value.node.entries if isinstance(value.node, ir.Map) else ()
        if not entries or entries[0].key is not None:
            return None
        made = self.context.made_by(self.context.program.value_of(entries[0].value), "tool")
        if len(made) != 1:
            return None
        asked = effective(self.context, made[0], "approval")
        is_asked = asked.is_known and all(each is True for each in asked.values)
        for entry in entries[1:]:
            is_on = isinstance(entry.value, ir.Literal) and entry.value.value is True
            name = entry.key.value if isinstance(entry.key, ir.Literal) else None
            if name not in RENAMING and not (is_on and is_asked):
                return None
        return made[0]

    def _is_listed(self, made: Match, match: Match) -> bool:
        """Whether a set of tools names all of them: `ToolNode([search])`."""
        named = self.context.at(made.node, "tool_set")
        if named is None or named.node is match.node or "tools" not in named.row.relations:
            return False
        return bool(self.tools_of(named)) and id(named.node) not in self.open_ended

    def _of_library(self, match: Match) -> Tool:
        return self._remember(match.node, called(match.node), match.row.where.pack, (), match=match)

    def of_described(self, described: Described, framework: str, maker: Match | None = None) -> Tool:
        """A tool that the project describes by itself; `maker` is the library's call that makes a tool of it."""
        known = self._tools.get(id(described.node))
        if known is None:
            made, function = tool_of(self.facts, self.schemas, described, framework, maker)
            known = self._tools[id(described.node)] = made
            self.code |= {id(known): function} if function is not None else {}
        return known

    def _tool_of_match(self, match: Match, expr: ir.Expr | None = None) -> Tool:
        function = match.node if isinstance(match.node, ir.Function) else self._function(match)
        parameters = parameters_of(self.context.program, function) if function else ()
        key = self.keys.at(expr, match.node) if expr is not None else ""
        name = key or name_of(self.context, match, function, self.keys.of(match.node))
        node = expr if key and expr is not None else match.node
        return self._remember(node, name, match.row.where.pack, parameters, function, match)

    def _function(self, match: Match) -> ir.Function | None:
        """The project's function that a tool runs."""
        return given_function(self.context, self.facts.effects, match)

    def functions(self) -> dict[int, ir.Function]:
        """The project's functions that run as tools, by id."""
        if self._functions is None:
            self._functions = self._running_as_tools()
        return dict(self._functions)

    def _running_as_tools(self) -> dict[int, ir.Function]:
        found: dict[int, ir.Function] = {}
        for match in self.context.of_kind("tool"):
            function = match.node if isinstance(match.node, ir.Function) else self._function(match)
            if function is not None:
                found[id(function)] = function
        for match in self.context.of_kind("agent", "run", "model_call"):
            for _, values in self.bound(match, "tools"):
                found |= {id(v.function): v.function for v in values if isinstance(v, Func)}
        return found

    def running(self) -> dict[int, ir.Function]:
        """The same, with the code of the tools that the project describes by itself."""
        return self.functions() | {id(function): function for function in self.code.values()}

    def doing(self) -> frozenset[int]:
        """The ids of these, and of what dispatchers run for tools under their own names: whatever such a function is
        called (`logDecision`), what it does is the tool's deed.
        """
        branches = (self.facts.dispatch.namesakes(tool.name, tool.span.path) for tool in self._tools.values())
        return frozenset((*self.running(), *(id(function) for functions in branches for function in functions)))

    def _remember(  # noqa: PLR0913, PLR0917 - what is known of a tool
        self,
        node: ir.Node,
        name: str,
        framework: str,
        parameters: tuple[str, ...],
        function: ir.Function | None = None,
        match: Match | None = None,
        giver: Match | None = None,
    ) -> Tool:
        known = self._tools.get(id(node))
        if known is None:
            span = ir.place_of(node)
            by_name = match is None and function is not None and isinstance(node, (ir.Map, ir.Call))
            degree = Degree.INFERRED if by_name else match.degree if match is not None else Degree.RESOLVED
            handing_on: tuple[ir.Call, ...] = ()
            if match is not None and function is not None:
                handing_on = self.facts.dispatch.handing_on(match, name, function)
            plain = Tool(span, name, framework, name, parameters, degree=degree)
            made = self.facts.complete(plain, match, function, handing_on)
            if function is None and self._is_schema(node, match):
                made = made._replace(stated=True)  # whoever reads the call does what is done
            made = self.schemas.complete(made, node, function, match, giver)
            known = self._tools[id(node)] = as_given(made, giver)
            if match is not None and (told := effective(self.context, match, HOSTED)).is_known:
                self._told_hosted[id(known)] = told.value is True
            self.code |= {id(known): function} if function is not None and not handing_on else {}
        return known

    def _is_schema(self, node: ir.Node, match: Match | None) -> bool:
        """Whether a tool is a class of fields alone, or made of one: `tool(Answer)`."""
        address = match.row.relations.get("function") if match is not None else None
        if isinstance(node, ir.Class) or match is None or address is None:
            return isinstance(node, ir.Class)
        values = at_call(self.context.program, match.arguments, match.api.receiver, address).values
        return bool(values) and all(isinstance(value, ClassValue) for value in values)

    # -------------------------------------------------------------------------------------------------------- agents
    def _agent(self, match: Match) -> Agent:
        name = effective(self.context, match, "name").value
        symbol = self.context.symbol(match.node)
        label = " ".join(str(name).split()) if is_written(name) else key_of(self.context.program, match.node) or symbol
        limit = effective(self.context, match, "step_limit")
        tools = tuple(dict.fromkeys((*self.tools_of(match), *self.of_steps(match))))
        return Agent(match.node.span, label, match.row.where.pack, tools, limit, degree=match.degree)

    def _kinds(self, match: Match, agent: Agent) -> Iterator[tuple[ir.Class, Agent]]:
        """The agents of the classes for which one call makes them, each with its own tools."""
        takers = (match, *asking_steps(self.context, match))
        given = [(place, tool) for taker in takers for place, tool in self._placed_tools(taker)]
        for cls, tools in kinds_of(self.context, match, given).items():
            yield cls, agent._replace(span=cls.name_span, symbol=cls.name, tools=tuple(tools))

    def _placed_tools(self, match: Match) -> Iterator[tuple[ir.Expr, Tool]]:
        """The tools of a match, each where lists name it, or the call that makes it for several."""
        lists = self.values(match, "tools")
        named = [
            (item, tuple(makers(value))) for one in lists for item, held in self._elements(match, one) for value in held
        ]
        for expr, values in self.bound(match, "tools"):
            for tool in (tool for value in values if (tool := self.tool_of(expr, value, match)) is not None):
                places = [item for item, made in named if item is expr or any(node is expr for node in made)]
                yield from ((place, tool) for place in places or [expr])

    def of_steps(self, match: Match) -> Iterator[Tool]:
        """The tools that a step of a compiled graph offers its model, where another step runs what was picked."""
        for call in asking_steps(self.context, match):
            yield from self.tools_of(call)
        yield from self.by_hand.of_steps(self.context.symbol(match.node), steps_of(self.context, match))

    def _edges(self) -> Iterator[Handoff]:
        for match, agent in self._agents.values():
            for expr, values in self.bound(match, *EDGES):
                for value in values if expr is not match.node else ():
                    for target in (*self._targets(value), *self._named((value,), agent.framework, agent.span.path)):
                        span = declared_at(self.context.program, match, expr, target)
                        yield Handoff(span, f"{agent.symbol} → {target.symbol}", agent.framework, agent, target)

    def members(self, match: Match) -> tuple[Agent, ...]:
        """The agents that share the room that an agent is: those of a swarm, any of which a run may start with."""
        builder = self.context.made(match.api, "graph")
        found = () if builder is None else self.bound(builder, "agents")
        values = [value for _, inside in found for value in inside]
        return tuple(self.agent_of(made) for made in self.context.made_by(values, "agent"))

    def _targets(self, value: Value) -> Iterator[Agent]:
        """The agents that an element hands over to: itself, or what its `handoff(...)` or `as_tool()` names."""
        made = self.context.made(value, "handoff", "agent")
        if made is None or made.row.kind == "agent":
            is_tool = made is not None and self.context.at(made.node, "given_tool") is not None
            yield from () if made is None or is_tool else (self.agent_of(made),)
            return
        address = made.row.relations.get("target")
        if address is not None:
            read = at_call(self.context.program, made.arguments, made.api.receiver, address)
            for target in self.context.made_by(read.values, "agent"):
                yield self.agent_of(target)
            yield from self._named(read.values, made.row.where.pack, made.node.span.path)

    def _named(self, values: Values, framework: str, path: str) -> Iterator[Agent]:
        """The agents of a library, in the language of the file at `path`, that are referred to by name."""
        names = {value.value for value in values if isinstance(value, Const)}
        for agent in self.agents if names else ():
            in_language = is_python(agent.span.path) == is_python(path)
            if agent.symbol in names and agent.framework == framework and in_language:
                yield agent


def _is_of_run_time(value: Value) -> bool:
    """Whether of a tool only its type is known (`extra: BaseTool`), or the file that it is loaded from.

    What a call of the language gives (`filter(None, found)`) is not a tool either: the tools are what it went through.
    """
    match value:
        case Api(path=path) if path.endswith(")") and not is_foreign(path):
            return True
        case Api(path=path, node=node):
            return (path.endswith("()") and not isinstance(node, ir.Call)) or path.removesuffix("()") in LOADERS
        case Instance(call=None, cls=cls):
            return cls.kind == "interface"
        case _:
            return False
