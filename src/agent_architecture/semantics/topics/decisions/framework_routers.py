"""Routers besides the edges of LangGraph: flows' routers, branches of workflows, agents whose model chooses whom they
pass the work to, and code by hand that goes one of several ways by what a model answered.

States what the choice goes by and whether ways, default and check are there. Judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.decisions import Deciding, Router
from agent_architecture.model.settings import Origin
from agent_architecture.names import flow
from agent_architecture.names.exits import ends
from agent_architecture.names.lookup import only_value, visible_bindings
from agent_architecture.names.predicates import straight, tests_asked
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import parts_of
from agent_architecture.names.values import Entries, Func
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.langgraph import CONDITIONAL
from agent_architecture.semantics.adapters.langgraph_decisions import Branch
from agent_architecture.semantics.adapters.returned_agents import returned_agents
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.control.argument_tests import following
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.picked_tools import DISPATCH
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.semantics.topics.decisions.router_answers import compares_state, has_label, is_always, is_text
from agent_architecture.semantics.topics.decisions.routers import MAY, SURE, looks_for_words, of_branch, says
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

WAYS: Final = 2
ROUTER: Final = "router"
SHOWN: Final = frozenset({"color", "description", "emoji", "icon", "label", "title"})
"""Parts of an entry that people are shown: to look them up leads nowhere."""
DEFAULT: Final = "Default"
ENABLING: Final = frozenset({"is_enabled", "isEnabled"})
CALLERS: Final = 2
"""Functions above a request in which its answer is looked for."""
OTHER: Final = regex(
    r"^(?:role|type|kind|finish_?reason|stop_?reason|status|event|object|name|tool|tool_?name|mime_?type|format|mode"
    r"|provider|model|error|code|level|lang(?:uage)?)$",
    re.IGNORECASE,
)
"""Parts of an answer that its API names, and settings: no label that a model chose."""
PARSED: Final = frozenset({
    "object", "output", "parsed", "output_parsed", "final_output", "finalOutput", "data", "result", "classification",
    "decision", "route", "intent", "experimental_output",
})  # fmt: skip
"""What code calls the data that an answer was turned into."""
ANSWERS: Final = frozenset({"yes", "no", "true", "false", "y", "n", "pass", "fail", "ok", "exit", "quit", "q", "done"})
"""Labels of a check, not of ways."""
FOUND: Final = frozenset({"get"})
ASKED: Final = "getattr"


def choosing(work: Work, graphs: Graphs, loops: Iterable[HandWritten]) -> tuple[Router, ...]:
    """All of them, once for a line."""
    found = _Choosing(work, graphs, tuple(loops))
    every = (*found.of_flows(), *found.of_strategies(), *found.of_workflows(), *found.of_agents(), *found.by_hand())
    return tuple({(one.span.path, one.span.line): one for one in every}.values())


class _Chosen(NamedTuple):
    """A choice by hand: what is compared, with how many labels, and how."""

    node: ir.Node
    subject: ir.Expr
    labels: int
    default: bool
    text: bool = False
    open: bool = False


class _Way(NamedTuple):
    """One way of a chain of tests."""

    node: ir.If
    test: ir.Expr
    then: tuple[ir.Node, ...]


class _Choosing:
    def __init__(self, work: Work, graphs: Graphs, loops: tuple[HandWritten, ...]) -> None:
        self._work = work
        self._context = work.context
        self._program = work.context.program
        self._graphs = graphs
        self._loops = {id(loop.scope) for loop in loops if loop.site is not None}
        self._returned = tuple(returned_agents(work.context, work.agents))
        self._asks = {
            id(match.node): match
            for match in work.context.of_kind("model_call", "run")
            if isinstance(match.node, ir.Call)
        }

    def of_flows(self) -> Iterator[Router]:
        """The methods of flows that answer with the event to go on with."""
        for function, targets in self._graphs.decisions():
            names = {callee_name(d.callee if isinstance(d, ir.Call) else d) for d in function.decorators}
            if ROUTER in names:
                branch = Branch(function.name_span, function.name, "crewai", 0, (function,), targets)
                router = of_branch(self._context, branch)
                is_label = router.by is Deciding.CODE and any(compares_state(n) for n in own_nodes(function))
                yield router._replace(by=Deciding.STATE) if is_label else router

    def of_strategies(self) -> Iterator[Router]:
        """The methods of a project's classes that a library asks for the next agent, where they ask a model."""
        for match in self._context.of_kind("router"):
            cls, pack = match.node, match.row.where.pack
            if not isinstance(cls, ir.Class):
                continue
            for function in cls.body:
                if isinstance(function, ir.Function) and function.name == match.row.method:
                    symbol = f"{self._context.symbol(cls)}.{function.name}"
                    router = of_branch(self._context, Branch(function.name_span, symbol, pack, 0, (function,)))
                    if router.by is Deciding.MODEL:
                        yield router

    def of_workflows(self) -> Iterator[Router]:
        """Branches of workflows: a condition for each way."""
        for match in self._context.of_kind("router"):
            node = match.node
            if {"asks"} & (match.row.constants.keys() | match.row.properties.keys()) or not isinstance(node, ir.Call):
                continue
            if callee_name(node.callee) in CONDITIONAL:
                continue
            inside = tuple(ir.walk(*(argument.value for argument in node.args)))
            conditions = tuple(each for each in inside if isinstance(each, ir.Function))
            conditions += tuple(self._named(inside))
            if conditions:
                yield self._of_conditions(match, node, inside, conditions)

    def _of_conditions(
        self, match: Match, node: ir.Call, inside: tuple[ir.Node, ...], conditions: tuple[ir.Function, ...]
    ) -> Router:
        bodies = tuple(each for function in conditions for each in own_nodes(function))
        last = any(is_always(function) for function in conditions)
        default = last or any(isinstance(each, ir.Call) and callee_name(each.callee) == DEFAULT for each in inside)
        by = Deciding.STATE if any(has_label(each) for each in bodies) else Deciding.CODE
        by = Deciding.TEXT if any(looks_for_words(each) for each in bodies) else by
        by = Deciding.MODEL if any(id(each) in self._asks for each in bodies) else by
        checked = any(says(each, SURE, MAY) for each in bodies if isinstance(each, (ir.Operator, ir.If)))
        symbol = callee_name(node.callee)
        at = node.callee.name_span if isinstance(node.callee, ir.Member) else node.span
        return Router(at, symbol, match.row.where.pack, by, default=default, validated=False, checked=checked)

    def _named(self, nodes: Iterable[ir.Node]) -> Iterator[ir.Function]:

        for node in nodes:
            for value in self._program.value_of(node) if isinstance(node, ir.Name) else ():
                if isinstance(value, Func):
                    yield value.function

    def of_agents(self) -> Iterator[Router]:
        """Agents whose model chooses among several to whom it passes the work: the library lists and checks them."""
        routing = [match for match in self._context.of_kind("agent") if match.row.constants.get("routes")]
        ways = {match.node.span: tuple(self._ways(match)) for match in routing}
        for match in routing:
            agent = self._work.agents.agent_of(match)
            targets = {target for _, target in ways[agent.span]}
            others = targets | {span for span, passed in ways.items() if any(agent.span == to for _, to in passed)}
            most = max((len({to for _, to in ways.get(span, ())}) for span in others - {agent.span}), default=0)
            if len(targets) >= WAYS and len(targets) >= most:
                exprs = (expr for expr, _ in ways[agent.span] if isinstance(expr, ir.Call))
                guarded = any(argument.keyword in ENABLING for expr in exprs for argument in expr.args)
                yield Router(agent.span, agent.symbol, agent.framework, Deciding.MODEL, checked=guarded)

    def _ways(self, match: Match) -> Iterator[tuple[ir.Node, Span]]:
        """To whom an agent may pass the work, by where they are made."""
        for expr, values in self._work.agents.bound(match, "handoffs", "agents"):
            for made in self._context.made_by(values, "agent", "handoff"):
                if made.row.constants.get("asks") is False:
                    continue
                address = made.row.relations.get("target") if made.row.kind == "handoff" else None
                if address is None:
                    yield expr, made.node.span
                else:
                    read = at_call(self._program, made.arguments, made.api.receiver, address)
                    yield from ((expr, one.node.span) for one in self._context.made_by(read.values, "agent"))
        source = self._work.agents.agent_of(match)
        yield from ((match.node, edge.target.span) for edge in self._returned if edge.source is source)

    # -------------------------------------------------------------------------------------------------------- by hand
    def by_hand(self) -> Iterator[Router]:
        """Code that compares what a model answered with several labels, or looks it up."""
        seen: set[int] = set()
        for scope in self._near_answers():
            deciding = {id(function) for function in self._graphs.deciding()}
            if id(scope) in seen or id(scope) in self._loops or id(scope) in deciding:
                continue
            seen.add(id(scope))
            for chosen in self._choices(scope):
                ask = self._answering(chosen.subject)
                if ask is not None and chosen.labels >= WAYS:
                    yield self._of_choice(scope, chosen, ask)

    def _near_answers(self) -> Iterator[ir.Scope]:
        asking = (self._program.scope_of(match.node) for match in self._asks.values())
        return above(self._program, asking, CALLERS, MANY)

    def _answering(self, subject: ir.Expr) -> Match | None:
        """The request whose answer the compared label is; None for parts that the API names."""
        subject = self._taken(subject)
        if self._is_one_of_many(subject):
            return None
        named = subject.name if isinstance(subject, ir.Member) else subject.id if isinstance(subject, ir.Name) else ""
        if isinstance(subject, ir.Index) and isinstance(subject.key, ir.Literal):
            named = str(subject.key.value)
        owner = dotted(subject).rpartition(".")[0].rpartition(".")[2]
        if DISPATCH.match(named) or (OTHER.match(named) and owner not in PARSED):
            return None
        for origin in flow.ends(self._program, subject):
            ask = self._asks.get(id(origin.node)) if origin.kind == "call" else None
            if ask is not None and (ask.row.kind == "model_call" or self._is_typed(ask)):
                return ask
        return None

    def _taken(self, subject: ir.Expr) -> ir.Expr:
        """What a name was taken out of, where that is an event or another part of something that a loop goes through:
        `kind = getattr(event, "type", None)`.
        """
        value = only_value(self._program, subject) if isinstance(subject, ir.Name) else None
        is_asked = isinstance(value, ir.Call) and callee_name(value.callee) == ASKED and bool(value.args)
        owner = value.args[0].value if isinstance(value, ir.Call) and is_asked else value
        is_part = isinstance(owner, (ir.Name, ir.Member))
        return owner if owner is not None and is_part and self._is_one_of_many(owner) else subject

    def _is_one_of_many(self, subject: ir.Expr) -> bool:
        """Whether it is of what a loop goes through: parts of an answer, events of a stream."""
        root = root_of(subject)
        return root is not None and any(b.kind == "loop" for b in visible_bindings(self._program, root))

    def _is_typed(self, ask: Match) -> bool:
        agents = run_agents(self._context, ask) if ask.row.kind == "run" else ()
        return effective(self._context, ask, "output_schema", *agents).origin in {Origin.WRITTEN, Origin.UNKNOWN}

    def _of_choice(self, scope: ir.Scope, chosen: _Chosen, ask: Match) -> Router:
        body = tuple(self._program.structure(scope).nodes)
        tests = tuple(tests_asked(self._program, body))
        members = any(
            isinstance(node, ir.Operator)
            and node.op == ir.Op.IN
            and dotted(node.operands[0]) == dotted(chosen.subject) != ""
            for test in tests
            for node in ir.walk(test)
        )
        symbol = dotted(chosen.subject) or "an answer"
        return Router(
            chosen.node.span,
            symbol,
            ask.row.where.pack,
            Deciding.TEXT if chosen.text else Deciding.MODEL,
            closed=not chosen.open,
            default=chosen.default or members,
            validated=self._is_typed(ask) or members,
            checked=any(says(test, SURE, MAY) for test in tests),
        )

    def _choices(self, scope: ir.Scope) -> Iterator[_Chosen]:
        structure = self._program.structure(scope)
        inner: set[int] = set()
        for node in structure.nodes:
            match node:
                case ir.If() if id(node) not in inner:
                    chain, default = self._chain(node)
                    inner |= {id(each.node) for each in chain[1:]}
                    found = _of_chain(node, chain, default=bool(default) or self._goes_on(scope, node, chain))
                    ways = [*(each.then for each in chain), *((default,) if default else ())]
                    yield from (one for one in found if not _only_cuts(ways, one.subject))
                case ir.Match(subject=subject, cases=cases):
                    labels = sum(is_text(p) for case in cases for p in case.patterns)
                    last = any(not case.patterns or _is_wild(case.patterns) for case in cases)
                    yield _Chosen(node, subject, labels, last or self._goes_on(scope, node))
                case ir.Index(target=ir.Name() as table, key=key) if not isinstance(key, ir.Literal):
                    put = structure.parent(node)
                    is_shown = isinstance(put, ir.Member) and put.name in SHOWN
                    if not is_shown and (not isinstance(put, ir.Assign) or put.target is not node):
                        yield _Chosen(node, key, self._size(table), default=False)
                case ir.Call(callee=ir.Member(name=name, target=ir.Name() as table), args=(first, *rest)) if (
                    name in FOUND
                ):
                    if not isinstance(first.value, ir.Literal):
                        yield _Chosen(node, first.value, self._size(table), default=bool(rest))
                case _:
                    continue

    def _chain(self, node: ir.If) -> tuple[list[_Way], tuple[ir.Node, ...]]:
        """The ways of a chain of tests, with what each asks and does, and the last one, which asks nothing."""
        chain = list[_Way]()
        rest: tuple[ir.Node, ...] = (node,)
        while rest and isinstance(asked := rest[0], ir.If):
            test, then, rest = straight(self._program, asked)
            chain.append(_Way(asked, test, then))
            if not rest and ends(then):  # `if a: return x`, and then what follows
                rest = following(self._program, asked)
        return chain, rest

    def _size(self, table: ir.Name) -> int:
        """How many ways a table has that leads to functions, agents or prompts by label."""
        for value in self._program.value_of(table):
            if isinstance(value, Entries):
                leads = [e for _, e in value.entries if not isinstance(e, ir.Literal)]
                return len(value.entries) if len(leads) == len(value.entries) else 0
        return 0

    def _goes_on(self, scope: ir.Scope, node: ir.Node, chain: Iterable[_Way] = ()) -> bool:
        """Whether something stands behind a chain whose ways all leave the function."""
        around = self._program.structure(scope).parent(node)
        body = scope.body if around is None else getattr(around, "body", ())
        after = [each for each in body if each.span > node.span and not any(each is way.node for way in chain)]
        return bool(after)


def _of_chain(first: ir.If, chain: list[_Way], *, default: bool) -> Iterator[_Chosen]:
    """A chain of comparisons of one thing with texts."""
    subjects: dict[str, list[tuple[ir.Expr, bool]]] = {}
    texts = [n.value for each in chain for n in ir.walk(each.test) if isinstance(n, ir.Literal)]
    if all(str(text).lower() in ANSWERS for text in texts if isinstance(text, str)) and any(texts):
        return
    for each in chain:
        at_once = set[str]()  # words that all have to be there, or none of them, are one label: of a form
        together = len(tuple(parts_of(each.test))) > 1
        for node in ir.walk(each.test):
            found = _compared(node)
            if found is not None and (name := dotted(found[0])) and not (found[1] and name in at_once):
                at_once |= {name} if together else set()
                subjects.setdefault(name, []).append(found)
    for compared in subjects.values():
        yield _Chosen(first, compared[0][0], len(compared), default, text=any(is_text for _, is_text in compared))


def _only_cuts(ways: list[tuple[ir.Node, ...]], subject: ir.Expr) -> bool:
    """Whether every way only makes the text that was looked at another one, of itself: a fence is taken off."""
    named = root_of(subject)
    return named is not None and all(_is_cut(way, named.id) for way in ways)


def _is_cut(way: tuple[ir.Node, ...], name: str) -> bool:
    made = {
        each.target.id: each.value for each in way if isinstance(each, ir.Assign) and isinstance(each.target, ir.Name)
    }
    value = made.get(name)
    inside = () if value is None else tuple(ir.walk(value))
    runs = any(isinstance(node, ir.Call) and not isinstance(node.callee, ir.Member) for node in inside)
    own = (node.id for node in inside if isinstance(node, ir.Name))
    return len(made) == len(way) and not runs and name in own


def _compared(node: ir.Node) -> tuple[ir.Expr, bool] | None:
    """What is compared with a text, and whether the text is only looked for in it."""
    match node:
        case ir.Operator(op=ir.Op.EQ, operands=(one, other)):
            if is_text(other):
                return _plain(one), False
            return (_plain(other), False) if is_text(one) else None
        case ir.Operator(op=ir.Op.IN, operands=(one, where)) if is_text(one):
            return _plain(where), True
        case ir.Call(callee=ir.Member(name="includes" | "startswith" | "startsWith", target=target), args=(first,)):
            return (_plain(target), True) if is_text(first.value) else None
        case _:
            return None


def _plain(expr: ir.Expr) -> ir.Expr:
    """An expression without what only trims it or changes its case."""
    while isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Member) and not expr.args:
        expr = expr.callee.target
    return expr


def _is_wild(patterns: tuple[ir.Expr, ...]) -> bool:
    return any(isinstance(pattern, ir.Name) for pattern in patterns)
