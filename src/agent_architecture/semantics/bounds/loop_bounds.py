"""What can end a hand-written loop: counters, ranges, deadlines, budgets, people. States what is there; judges nothing.

A pack row cannot say this: bounds are structure, not names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting, unknown
from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.builtins import is_environment
from agent_architecture.names.in_place import with_helpers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.members import lineage
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.test_parts import COMPARISONS, MIRRORED, joined_by, parted
from agent_architecture.names.values import Api, Const, Instance, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.client_limits import as_sent
from agent_architecture.semantics.bounds.counted_passes import on_every_path
from agent_architecture.semantics.bounds.descents import descents
from agent_architecture.semantics.bounds.limit_checks import limit_checks
from agent_architecture.semantics.bounds.optional_limits import asked_for, limits_in, under_limit
from agent_architecture.semantics.bounds.passed_counters import passed_counters
from agent_architecture.semantics.bounds.range_passes import from_start
from agent_architecture.semantics.bounds.recursions import going_on, made_anew, passed_on, started_with
from agent_architecture.semantics.bounds.ways_out import ways_out
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import Read, to_setting
from agent_architecture.semantics.taint.access_paths import changed, places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.taint.access_paths import Place

RANGES: Final = frozenset({"py:builtins.range"})
UNENDING: Final = frozenset({"py:itertools.count", "py:itertools.cycle", "py:itertools.repeat", "py:builtins.iter"})
CLOCKS: Final = regex(
    r"(?:time\.(?:time|monotonic|perf_counter)(?:_ns)?|asyncio\.get_\w*loop\(\)\.time|datetime\.datetime\.(?:now|utcnow)"
    r"|Date\.now|performance\.now|process\.hrtime)\b.*\(\)$"
)
SPENDING: Final = regex(r"cost|token|budget|usage|spen[dt]|credit|usd|dollar", re.IGNORECASE)
_ELAPSED: Final = regex(r"elapsed|deadline|duration|time_?out|time_?limit|max_?(?:run)?time|start_?time", re.IGNORECASE)


def bounds_of(  # noqa: PLR0913, PLR0917 - what is known of a loop
    program: Program,
    loop: ir.Loop | None,
    scope: ir.Scope,
    extent: Extent,
    asks: tuple[ir.Node, ...],
    members: Extent | None = None,
) -> tuple[Bound, ...]:
    """The bounds of a loop (None: of a recursion of these `members`), by position; `asks` in it reach the model."""
    counters = _counters(program, loop, scope, extent)
    if members is not None:
        own_to_pass = made_anew(program, scope, members)
        counters = {place: counter for place, counter in counters.items() if place not in own_to_pass}
    for counter in counters.values():
        counter.every_path = loop is None or any(
            on_every_path(program, loop, scope, step, asks) for step in counter.steps
        )
    found = [*_from_header(program, loop, counters), *descents(program, loop)] if loop is not None else []
    own = _own_classes(program, scope)
    elsewhere = own_only(counters, own) | ({} if loop is None else passed_counters(program, loop, scope, counters))
    grown = {place for place, node in changed(program, extent.nodes()) if isinstance(node, ir.Call)}
    for test, exits, is_own in ways_out(program, loop, members or extent):
        found.extend(_repeated(program, test, grown if is_own else {p for p in grown if p[0] in own}) if exits else ())
        found.extend(_compared(program, test, counters if is_own else elsewhere, exits=exits))
        if exits and not any(bound.span == test.span for bound in found):
            found.extend(limit_checks(test))
    for test in going_on(program, scope, members) if members is not None else ():
        for part, exits in parted(spelled_out(program, test), exits=False):
            found.extend(_compared(program, part, counters, exits=exits))
    unique = {(bound.kind, bound.span): bound for bound in found}
    return tuple(sorted(unique.values(), key=lambda bound: (bound.span, bound.kind)))


def _own_classes(program: Program, scope: ir.Scope) -> frozenset[str]:
    """The classes whose attributes a loop in this scope may count with in the functions that it calls."""
    current: ir.Scope = scope
    while isinstance(current, ir.Function):
        current = current.outer
    if not isinstance(current, ir.Class):
        return frozenset()
    return frozenset(f".{cls.span}" for cls in (*lineage(program, current), *program.subclasses(current)))


def own_only(counters: dict[Place, Counter], owners: frozenset[str]) -> dict[Place, Counter]:
    """In a called function the attributes of the loop's own object count passes, and what it is `handed`; others count
    something of their own.
    """
    return {place: counter for place, counter in counters.items() if place[0] in owners}


# -------------------------------------------------------------------------------------------------------------- headers
def _from_header(program: Program, loop: ir.Loop, counters: dict[Place, Counter]) -> Iterator[Bound]:
    if loop.kind == "each" and loop.source is not None:
        yield from _over(program, loop.source)
    elif loop.test is not None:
        for part, exits in parted(spelled_out(program, loop.test), exits=False):
            yield from _compared(program, part, counters, exits=exits)


def _over(program: Program, source: ir.Expr) -> Iterator[Bound]:
    if isinstance(source, ir.Call):
        paths = {value.path for value in program.value_of(source.callee) if isinstance(value, Api)}
        if paths & UNENDING and not (len(source.args) > 1 and "py:itertools.repeat" in paths):
            return
        if paths & RANGES:
            limit = source.args[1 if len(source.args) > 1 else 0].value if source.args else None
            yield from_start(program, source, _sized(_bound(program, BoundKind.RANGE, source, limit), limit))
            return
        if dotted(source.callee) in {"enumerate", "tqdm", "zip", "reversed", "list"} and source.args:
            inner = [bound for argument in source.args for bound in _over(program, argument.value)]
            yield from (bound for bound in inner if bound.kind is BoundKind.RANGE)
            if any(bound.kind is BoundKind.RANGE for bound in inner):
                return
    yield Bound(BoundKind.COLLECTION, source.span)


# ------------------------------------------------------------------------------------------------------------- counters
class Counter:
    """What moves a counted place: the nodes that count it, and the node that sets it back."""

    __slots__ = ("every_path", "resets", "steps")

    def __init__(self) -> None:
        self.steps: list[ir.Node] = []
        self.resets: list[ir.Node] = []
        self.every_path = True


def _counters(program: Program, loop: ir.Loop | None, scope: ir.Scope, extent: Extent) -> dict[Place, Counter]:
    found: dict[Place, Counter] = {}
    updates = [node for statement in loop.update for node in ir.walk(statement)] if loop is not None else []
    for node in (*updates, *extent.nodes()):
        if (
            isinstance(node, ir.Assign)
            and node.value is not None
            and isinstance(node.target, (ir.Name, ir.Member, ir.Index))
        ):
            counts = steps_itself(node)
            resets = not node.op and isinstance(node.value, ir.Literal) and isinstance(node.value.value, int)
            for place in places_at(program, node.target) if counts or resets else ():
                counter = found.setdefault(place, Counter())
                (counter.steps if counts else counter.resets).append(node)
    for place, node in changed(program, extent.nodes()):
        if isinstance(node, ir.Call):
            found.setdefault(place, Counter()).steps.append(node)
    for place, node in passed_on(program, scope, extent) if loop is None else ():
        found.setdefault(place, Counter()).steps.append(node)
    return {place: counter for place, counter in found.items() if counter.steps}


def steps_itself(node: ir.Assign) -> bool:
    """Whether a place is made what it was and something more or less: `x += 1`, `x = x - n`."""
    value = node.value
    return node.op in {ir.Op.ADD, ir.Op.SUB} or (
        isinstance(value, ir.Operator)
        and value.op in {ir.Op.ADD, ir.Op.SUB}
        and any(dotted(o) == dotted(node.target) != "" for o in value.operands)
    )


# ----------------------------------------------------------------------------------------------------------- conditions
def _repeated(program: Program, test: ir.Expr, grown: set[Place]) -> Iterator[Bound]:
    """Leaving when something was seen before: `if state in seen`, `if (seen.has(state))`, where the loop grows
    `seen`.
    """
    match test:
        case (
            ir.Operator(op=ir.Op.IN, operands=(_, seen))
            | ir.Call(callee=ir.Member(name="has" | "includes", target=seen))
        ):
            if any(place in grown for place in places_at(program, seen)):
                yield Bound(BoundKind.NO_PROGRESS, test.span)
        case _:
            return


def _compared(program: Program, test: ir.Expr, counters: dict[Place, Counter], *, exits: bool) -> Iterator[Bound]:
    """The bound that a comparison sets: an exit when the counted side is large, to go on while it is small."""
    parts = list(joined_by("and", test)) if exits else [under_limit(test)]
    comparisons = [part for part in parts if isinstance(part, ir.Operator) and part.op in COMPARISONS]
    limits = limits_in(comparisons)
    if exits and any(part not in comparisons and asked_for(part) not in limits for part in parts):
        return
    for part in comparisons:
        bound = _bound_of(program, part, counters, exits=exits)
        if bound is not None:
            at_once = len(parts) == 1 and part.op not in {ir.Op.EQ, ir.Op.NE} and bound.kind is BoundKind.COUNTER
            yield bound._replace(zero_ends=at_once)
            return


def _bound_of(program: Program, part: ir.Operator, counters: dict[Place, Counter], *, exits: bool) -> Bound | None:
    left, right = part.operands
    for counted, limit, op in ((left, right, part.op), (right, left, MIRRORED[part.op])):
        rising = op in ({">", ">=", "=="} if exits else {"<", "<=", "!="})
        kind, counter = _kind(program, counted, limit, counters)
        if kind is None:
            continue
        falling = counter is not None and all(map(_falls, counter.steps))
        if counter is not None and (falling or kind is BoundKind.COUNTER):  # `tokens -= spent` is a budget that falls
            if rising == falling and op not in {"==", "!="}:
                continue
            raised = None if falling else _raised(program, limit, counters)
            if raised is not None and raised.every_path:
                continue  # the limit runs ahead of the counter
            found = _counted(program, part, limit, counter, counters, falling=falling)
            return found if kind is BoundKind.COUNTER else found._replace(kind=kind)
        if rising and not (isinstance(limit, ir.Literal) and not limit.value):
            # `0 < limit` asks whether there is a limit at all.
            return _bound(program, kind, part, _ahead(program, limit) if kind is BoundKind.DEADLINE else limit)
    return None


def _ahead(program: Program, limit: ir.Expr, depth: int = 3) -> ir.Expr:
    """How far a deadline lies ahead: the `60` of `monotonic() + 60`."""
    if isinstance(limit, ir.Operator) and limit.op == ir.Op.ADD:
        return next((part for part in limit.operands if not _reads_clock(program, part)), limit)
    if isinstance(limit, ir.Name) and depth:
        values = [binding.value for binding in visible_bindings(program, limit) if binding.value is not None]
        return _ahead(program, values[0], depth - 1) if len(values) == 1 else limit
    return limit


def _falls(step: ir.Node) -> bool:
    value = step.value if isinstance(step, ir.Assign) and not step.op else step
    return (isinstance(value, ir.Assign) and value.op == ir.Op.SUB) or (
        isinstance(value, ir.Operator) and value.op == ir.Op.SUB
    )


def _kind(
    program: Program, counted: ir.Expr, limit: ir.Expr, counters: dict[Place, Counter]
) -> tuple[BoundKind | None, Counter | None]:
    text = _names(counted)
    if isinstance(limit, ir.Literal) and not isinstance(limit.value, (int, float)):
        return None, None
    if _reads_clock(program, counted) or _ELAPSED.search(text):
        return BoundKind.DEADLINE, None
    for place in places_at(program, _inner(counted)):
        if place in counters:
            spends = SPENDING.search(text) or any(map(_adds_spending, counters[place].steps))
            return BoundKind.BUDGET if spends else BoundKind.COUNTER, counters[place]
    if SPENDING.search(text):
        return BoundKind.BUDGET, None
    return None, None


def _adds_spending(step: ir.Node) -> bool:
    """Whether a step adds what an answer says that it took: `spent += reply.usage.output_tokens`."""
    added = step.value if isinstance(step, ir.Assign) else None
    members = (node for node in ir.walk(added) if isinstance(node, ir.Member)) if added is not None else ()
    return any(SPENDING.search(member.name) for member in members)


def _inner(expr: ir.Expr) -> ir.Expr:
    """`len(x)`, `x.length` count `x`."""
    if isinstance(expr, ir.Call) and dotted(expr.callee) == "len" and expr.args:
        return expr.args[0].value
    if isinstance(expr, ir.Member) and expr.name in {"length", "size"}:
        return expr.target
    if isinstance(expr, ir.Assign):
        return expr.target
    return expr


def _names(expr: ir.Expr) -> str:
    return " ".join(
        node.id if isinstance(node, ir.Name) else node.name
        for node in ir.walk(expr)
        if isinstance(node, (ir.Name, ir.Member))
    )


def _reads_clock(program: Program, expr: ir.Expr) -> bool:
    for node in with_helpers(program, ir.walk(expr)):
        if isinstance(node, ir.Call) and any(
            isinstance(value, Api) and CLOCKS.search(value.path + "()") for value in program.value_of(node.callee)
        ):
            return True
    return False


def _counted(  # noqa: PLR0913 - a comparison has these parts
    program: Program,
    part: ir.Operator,
    limit: ir.Expr,
    counter: Counter,
    counters: dict[Place, Counter],
    *,
    falling: bool,
) -> Bound:
    grows = any(place in counters for node in ir.walk(limit) for place in places_at(program, node))
    start = limit
    if falling:
        # A counter that falls to a constant is bounded by where it starts.
        counted = next((o for o in part.operands if o is not limit), limit)
        start = _start(program, counted) or limit
    bound = _bound(program, BoundKind.COUNTER, part, start)
    if not grows and not falling:
        bound = _sized(bound, limit)
    raised = None if falling else _raised(program, limit, counters)
    resets = [node.span for node in (*counter.resets, *(raised.steps if raised is not None else ()))]
    return bound._replace(reset=resets[0] if resets else None, every_path=counter.every_path)


def _raised(program: Program, limit: ir.Expr, counters: dict[Place, Counter]) -> Counter | None:
    """What raises a limit inside the loop that it is to end: `limit += 10`."""
    found = (counters[place] for place in places_at(program, limit) if place in counters)
    return next((counter for counter in found if not all(map(_falls, counter.steps))), None)


def _sized(bound: Bound, limit: ir.Expr | None) -> Bound:
    """A limit that is the size of a collection bounds like the collection."""
    if bound.limit.is_known or limit is None:
        return bound
    sizes = any(_inner(node) is not node for node in ir.walk(limit) if isinstance(node, (ir.Call, ir.Member)))
    return bound._replace(kind=BoundKind.COLLECTION) if sizes else bound


def _start(program: Program, counted: ir.Expr) -> ir.Expr | None:
    place = _inner(counted)
    match place:
        case ir.Name():
            bindings = visible_bindings(program, place)
        case ir.Member(target=target, name=name):  # `self.left`
            owners = [value.cls for value in program.value_of(target) if isinstance(value, Instance)]
            bindings = tuple(binding for cls in owners for binding in program.attributes(cls).get(name, ()))
        case _:
            return None
    values = [binding.value for binding in bindings if binding.kind == "assign" and binding.value is not None]
    if not values:
        values = list(started_with(program, bindings))
    return next((value for value in values if not isinstance(value, ir.Operator)), None)


def _bound(program: Program, kind: BoundKind, node: ir.Expr, limit: ir.Expr | None) -> Bound:
    setting = limit_setting(program, limit) if limit is not None else ABSENT
    from_caller = limit is not None and any(
        isinstance(value, Unknown) and value.why.startswith("the caller of") for value in program.value_of(limit)
    )
    setting, is_sent = as_sent(program, setting)
    return Bound(kind, node.span, setting, from_caller=from_caller or is_sent)


def limit_setting(program: Program, limit: ir.Expr) -> Setting:
    """A limit as a setting; where some alternatives are readable and others are not, the readable ones count as
    written: not that there is none.
    """
    values = program.value_of(limit)
    doubtful = next((value for value in values if isinstance(value, Unknown) or is_environment(value)), None)
    readable = tuple(value for value in values if not isinstance(value, Unknown))
    if readable and (doubtful is None or any(v is not doubtful and not _is_none(v) for v in readable)):
        return to_setting(program, Read(readable, missing=False))
    return unknown(doubtful.why if isinstance(doubtful, Unknown) else "an expression", limit.span)


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None
