"""Numbers in the state of a graph that end its cycles: nodes count them, and a router, or a node's `Command`, goes
elsewhere once they are large.

Rows cannot say this: it is what code does with the state between the nodes. The graph is drawn again with every such
number exhausted; what then has no cycle is bounded by them. Judges nothing.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin
from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.arguments import argument_of
from agent_architecture.names.keyed_reads import left_out
from agent_architecture.names.lookup import only_value
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue, Entries
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.graphs import cyclic, resolved
from agent_architecture.semantics.adapters.langgraph_choices import Choice, Known, key_of
from agent_architecture.semantics.adapters.langgraph_marks import put_in_place
from agent_architecture.semantics.bounds.loop_bounds import SPENDING, limit_setting
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.graphs import Built
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

MOST: Final = 6
"""Numbers of one graph that are held against each other."""
LISTS: Final = "[]"
"""Marks a key whose length is compared."""


def counted(context: Context, builder: Match, graph: Built) -> Bound | None:
    """The bound that numbers in the state set to every cycle of a graph; None when some cycle has none. A number may be
    tested in the step before, which then leaves word in the state for what decides: `{"done": True}`.
    """
    if graph.passes or not graph.decides:
        return None
    table = resolved(graph.edges, graph.nodes)
    inside = cyclic(table)
    choices = [choice for label, found in graph.decides.items() if label in inside for choice in found]
    told = {
        label: [Choice(context, f) for f in graph.actions.get(label, ())] for label in graph.decides.keys() & inside
    }
    before = [step for label in sorted(told) for step in told[label]]
    return _counted(context, builder, _Drawn(graph, inside, {}), choices) or _counted(
        context, builder, _Drawn(graph, inside, told), [*choices, *before]
    )


class _Drawn(NamedTuple):
    """A graph, the labels on its cycles, and of these the steps that are asked what they leave in the state."""

    graph: Built
    inside: set[str]
    told: dict[str, list[Choice]]


def _counted(context: Context, builder: Match, drawn: _Drawn, choices: list[Choice]) -> Bound | None:
    moved = {
        key: movers
        for key in sorted({key for choice in choices for key in choice.compared})
        if (movers := _movers(context, builder, drawn.graph, drawn.inside, key))
    }
    keys = frozenset(moved)
    if not keys or cyclic(_with_ended(context.program, drawn, keys)):
        return None
    every, reset = (
        _end_every_cycle(context.program, drawn, moved),
        {key: _reset(drawn.graph, drawn.inside, key) for key in keys},
    )
    bounds = [
        _bound(context, builder, choice, key, part)._replace(every_path=every, reset=reset[key])
        for choice in choices
        for key, parts in choice.compared.items()
        for part in parts
        if key in keys
    ]
    return max(bounds, key=_looseness, default=None)


def _bound(context: Context, builder: Match, choice: Choice, key: str, part: ir.Operator) -> Bound:
    program = context.program
    limit = next((o for o in part.operands if key_of(program, choice.function, o) != key), part)
    of_state = _is_given(program, choice.function, limit)
    setting = limit_setting(program, limit)
    told = (
        _told(context, builder, key_of(program, choice.function, limit), _left_out(program, limit))
        if of_state
        else None
    )
    if told is not None:
        of_state, setting = False, told
    from_caller = of_state or (setting.origin is Origin.UNKNOWN and setting.source.startswith("the caller of"))
    kind = BoundKind.BUDGET if SPENDING.search(key) else BoundKind.COUNTER
    return Bound(kind, part.span, setting, from_caller=from_caller)


def _is_given(program: Program, function: ir.Function, limit: ir.Expr, depth: int = 3) -> bool:
    """Whether a limit can stand in the state: whoever runs the graph chooses it, whatever else stands in for it."""
    match limit:
        case ir.Conditional(then=then, otherwise=otherwise):
            parts: tuple[ir.Expr, ...] = (then, otherwise)
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=operands):
            parts = operands
        case ir.Name() if depth and (value := only_value(program, limit)) is not None:
            parts = (value,)
        case _:
            return bool(key_of(program, function, limit))
    return any(_is_given(program, function, part, depth - 1) for part in parts)


def _left_out(program: Program, limit: ir.Expr) -> Setting | None:
    """What a limit is for a run that does not say it: `state.get("most", 3)`, `state.most ?? 3`."""
    read = only_value(program, limit) if isinstance(limit, ir.Name) else limit
    instead = left_out(read)
    if isinstance(read, ir.Operator) and read.op in {ir.Op.OR, ir.Op.NULLISH}:
        instead = read.operands[-1]
    return None if instead is None else limit_setting(program, instead)


def _told(context: Context, builder: Match, key: str, instead: Setting | None) -> Setting | None:
    """The limit that the project's own runs of a graph put into its state, the loosest of them; None where one of them
    cannot be read, takes it from outside, or leaves it out and nothing stands in for it, or others run the graph, too.
    """
    if not key or next(context.of_kind("exported"), None) is not None:
        return None
    given: list[Setting] = []
    for run in context.of_kind("run"):
        if any(api.node is builder.node for api in receivers(run.api)) and isinstance(run.arguments, ir.Call):
            first = argument_of(run.arguments, "0")
            values = context.program.value_of(first) if first is not None and not isinstance(first, ir.Slice) else ()
            only = values[0] if len(values) == 1 else None
            entry = dict(only.entries).get(key) if isinstance(only, Entries) else None
            is_left_out = isinstance(only, Entries) and only.complete and entry is None
            setting = limit_setting(context.program, entry) if entry is not None else instead if is_left_out else None
            if setting is None:
                return None
            given.append(setting)
    known = all(each.is_known and all(isinstance(value, (int, float)) for value in each.values) for each in given)
    return max(given, key=lambda each: each.highest) if given and known else None


def _looseness(bound: Bound) -> tuple[bool, bool, float]:
    """The loosest of several bounds: they all have to hold."""
    return (
        bound.from_caller or not bound.every_path or bound.reset is not None,
        bound.limit.is_known,
        bound.limit.highest,
    )


def _with_ended(program: Program, drawn: _Drawn, keys: frozenset[str]) -> dict[str, set[str]]:
    """The graph once these numbers are exhausted."""
    graph = drawn.graph
    edges = graph.edges - graph.decided
    for label, found in graph.decides.items():
        left = _left_in_state(program, drawn.told.get(label, []), keys)
        edges |= {(label, to) for choice in found for to in choice.outcomes(Known(keys, left))}
    return resolved(edges, graph.nodes)


def _left_in_state(program: Program, steps: list[Choice], keys: frozenset[str]) -> dict[str, tuple[ir.Expr, ...]]:
    """What the functions of a step leave in the state once these numbers are exhausted, under the keys that they always
    write.
    """
    returned = [value for step in steps for value in step.returned(Known(keys))]
    written = [dict(_written(value)) for value in returned if isinstance(value, ir.Map)]
    if not written:
        written = [left for step in steps for left in put_in_place(program, step, Known(keys))]
    elif len(written) < len(returned):
        return {}
    if not written:
        return {}
    always = set(written[0]).intersection(*written[1:])
    return {key: tuple(each[key] for each in written) for key in sorted(always)}


def _end_every_cycle(program: Program, drawn: _Drawn, moved: dict[str, set[str]]) -> bool:
    """Whether every cycle has a number that its own nodes count and that ends it. A cycle without one is there still
    where of each number either what it ends is left out, or the nodes that count it.
    """
    keys = sorted(moved)
    if len(keys) > MOST:
        return False
    for chosen in product((True, False), repeat=len(keys)):
        ended = frozenset(key for key, is_ended in zip(keys, chosen, strict=True) if is_ended)
        gone = {label for key in keys if key not in ended for label in moved[key]}
        table = _with_ended(program, drawn, ended)
        if cyclic({label: targets - gone for label, targets in table.items() if label not in gone}):
            return False
    return True


# -------------------------------------------------------------------------------------------------------- who counts
def _movers(context: Context, builder: Match, graph: Built, inside: set[str], key: str) -> set[str]:
    """The nodes on cycles that move the number."""
    return {
        label
        for label, functions in graph.actions.items()
        if label in inside
        and any(_moves(context, builder, function, node, key) for function in functions for node in _nodes(function))
    }


def _nodes(function: ir.Function) -> Iterator[ir.Node]:
    for node in own_nodes(function):
        yield node
        if isinstance(node, ir.Function):
            yield from _nodes(node)


def _moves(context: Context, builder: Match, function: ir.Function, node: ir.Node, key: str) -> bool:
    program = context.program
    for name, value in _written(node):
        if f"{name}{LISTS}" == key:
            return not (isinstance(value, ir.List) and not value.items)
        if name == key:
            adds = isinstance(value, ir.Literal) and isinstance(value.value, int) and value.value > 0
            return (adds and _is_added(context, builder, key)) or _counts(program, function, value, key)
    match node:
        case ir.Assign(target=target, op=ir.Op.ADD) if key_of(program, function, target) == key:
            return True
        case ir.Assign(target=ir.Index() | ir.Member() as target, value=given):
            is_it = given is not None and key_of(program, function, target) == key
            return is_it and given is not None and _counts(program, function, given, key)
        case _:
            return False


def _written(node: ir.Node) -> Iterator[tuple[str, ir.Expr]]:
    """The keys that an expression gives to the state, with their values."""
    match node:
        case ir.Map(entries=entries):
            yield from ((str(e.key.value), e.value) for e in entries if isinstance(e.key, ir.Literal))
        case ir.Call(args=arguments):
            yield from ((a.keyword, a.value) for a in arguments if a.keyword is not None)
        case _:
            return


def _counts(program: Program, function: ir.Function, value: ir.Expr, key: str, depth: int = 3) -> bool:
    """Whether a value is the number, moved on: `state["n"] + 1`, a variable that is that."""
    match value:
        case ir.Operator(op=ir.Op.ADD, operands=operands):
            return any(key_of(program, function, operand) == key for operand in operands)
        case ir.Name(id=name) if depth:
            bound = program.bindings(program.scope_of(value)).get(name, ())
            steps = [binding.node for binding in bound if isinstance(binding.node, ir.Assign)]
            return any(
                step.op == ir.Op.ADD
                or (step.value is not None and _counts(program, function, step.value, key, depth - 1))
                for step in steps
            )
        case ir.Index() | ir.Member():
            return key_of(program, function, value) == key
        case _:
            return False


def _is_added(context: Context, builder: Match, key: str) -> bool:
    """Whether the state adds what nodes give under a key: `Annotated[int, operator.add]`."""
    address = builder.row.properties.get("state_schema")
    values = () if address is None else at_call(context.program, builder.arguments, None, address).values
    for value in values:
        for binding in context.program.attributes(value.cls).get(key, ()) if isinstance(value, ClassValue) else ():
            annotation = binding.node.annotation if isinstance(binding.node, ir.Assign) else None
            words = ir.walk(annotation) if annotation is not None else ()
            if any(isinstance(word, (ir.Name, ir.Member)) and _last(word) == "add" for word in words):
                return True
    return False


def _last(word: ir.Name | ir.Member) -> str:
    return word.id if isinstance(word, ir.Name) else word.name


def _reset(graph: Built, inside: set[str], key: str) -> Span | None:
    """Where a node on a cycle sets the number back."""
    functions = [f for label, found in graph.actions.items() if label in inside for f in found]
    for node in (node for function in functions for node in _nodes(function)):
        for name, value in _written(node):
            if name == key and isinstance(value, ir.Literal) and value.value == 0:
                return value.span
    return None
