"""Middleware of MCP servers that refuses calls with arguments which the tool does not have.

The SDKs drop unknown arguments, or hand them on. Code that stands before every call and compares the keys that came
with those of the tool's schema closes the schema. It counts where a call is passed on only after the comparison found
nothing, and where each server has it on every way: a registration under a condition, or a second server, is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers, is_raised
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func, Instance
from agent_architecture.semantics.control.condition import all_in, held
from agent_architecture.semantics.control.conditions_of_project import conditions_of, ways_through
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.control.condition import Condition, Known
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

CALLING: Final = "tools/call"
"""The method of the messages that use a tool: what is done with others is no matter."""
METHODS: Final = ("on_call_tool", "on_request", "on_message", "__call__")
"""What servers run of a middleware, the most special first."""
GIVEN: Final = frozenset({"arguments"})
"""Where a message of MCP has what a tool is called with."""
DECLARED: Final = frozenset({"properties", "parameters", "inputSchema", "input_schema"})
"""Where a tool says what it takes."""
SETS: Final = frozenset({"set", "frozenset", "keys"})
WRAPPED: Final = frozenset({"sorted", "list", "tuple", "bool", "len", "set", "frozenset"})
"""Calls that are as empty as what they are given."""
KEYS: Final = "keys"
"""What is said of a way on which there are no further keys."""
APPENDED: Final = "append"
HELD_IN: Final = "middleware"
REFUSING: Final = 4
"""Functions inside each other that are looked into for what refuses."""


def further_keys_refused(context: Context) -> bool:
    """Whether every server of the project has middleware that refuses further keys; `Context.once` asks it."""
    servers = tuple(context.of_kind("mcp_server"))
    return bool(servers) and all(any(_refuses(context, one) for one in _before(context, match)) for match in servers)


# -------------------------------------------------------------------------------------------------- what stands before
def _before(context: Context, server: Match) -> Iterator[ir.Function]:
    """The code that each message to a server goes through."""
    values = list(_handed(context, server))
    values += [value for call in _appended(context, server) for value in _first(context, call)]
    for value in values:
        yield from _run_by(value)


def _handed(context: Context, server: Match) -> Iterator[Value]:
    address = server.row.relations.get("guards")
    if address is not None:
        yield from at_call(context.program, server.arguments, server.api.receiver, address).values
    for row, call, receiver in context.set_calls.on(server.node):
        if "guards" in row.relations and _is_certain(context, server, call):
            yield from at_call(context.program, call, receiver, row.relations["guards"]).values


def _appended(context: Context, server: Match) -> Iterator[ir.Call]:
    """`server.middleware.append(one)`, where nothing decides whether that is done."""
    for site in context.program.calls(APPENDED):
        held = site.call.callee.target if isinstance(site.call.callee, ir.Member) else None
        if isinstance(held, ir.Member) and held.name == HELD_IN:
            made = (context.made(value, "mcp_server") for value in context.program.value_of(held.target))
            if any(one is not None and one.node is server.node for one in made) and _is_certain(
                context, server, site.call
            ):
                yield site.call


def _first(context: Context, call: ir.Call) -> tuple[Value, ...]:
    return context.program.value_of(call.args[0].value) if call.args else ()


def _is_certain(context: Context, server: Match, call: ir.Call) -> bool:
    """Whether a call is made wherever the server is."""
    same = context.program.scope_of(call) is context.program.scope_of(server.node)
    return same and all(one.holds is None for one in all_in(conditions_of(context).at(call)))


def _run_by(value: Value) -> Iterator[ir.Function]:
    match value:
        case Func(function=function):
            yield function
        case Instance(cls=cls):
            own = {function.name: function for function in cls.body if isinstance(function, ir.Function)}
            yield from [own[name] for name in METHODS if name in own][:1]
        case _:
            return


# ------------------------------------------------------------------------------------------------------- what refuses
def _refuses(context: Context, function: ir.Function) -> bool:
    """Whether a message is passed on only where a comparison found no further keys, or where it calls no tool."""
    passing = function.params[-1].name if function.params else ""
    ways = ways_through(context, tuple(function.body), function)
    calls = [n for n in ways.nodes() if isinstance(n, ir.Call) and _is_name(n.callee, passing)]

    def said(condition: Condition) -> Mapping[str, bool]:
        return {KEYS: True} if _is_free(context, condition) else {}

    return bool(calls) and all(KEYS in held(ways.to(call), said) for call in calls)


def _is_free(context: Context, condition: Condition, depth: int = REFUSING) -> bool:
    """Whether a condition says that nothing further came, or that no tool is called."""
    expr = _value(context, condition.expr)
    if condition.holds is None:
        functions = context.program.callees(expr) if isinstance(expr, ir.Call) and depth else ()
        return bool(functions) and all(_raises(context, function) for function in functions)
    if condition.holds:
        return _is_subset(context, expr)
    return _is_empty(context, expr, depth)


def _is_empty(context: Context, expr: ir.Expr, depth: int) -> bool:
    """What it says that an expression came to nothing."""
    if _is_of_calls(expr) or _is_difference(context, expr):
        return True
    if isinstance(expr, ir.Conditional):
        said = [_value(context, one) for one in (expr.then, expr.otherwise)]
        told = [one for one in said if not _is_nothing(one)]
        return _is_of_calls(expr.test) and bool(told) and all(_is_empty(context, one, depth) for one in told)
    functions = context.program.callees(expr) if isinstance(expr, ir.Call) and depth else ()
    return bool(functions) and all(_objects(context, function) for function in functions)


def _objects(context: Context, function: ir.Function) -> bool:
    """Whether a function answers something where there are further keys."""
    ways = ways_through(context, tuple(function.body), function)
    said = (answer for answer in answers(ways.nodes()) if not _is_nothing(answer))
    return any(_is_under(context, ways.to(answer)) for answer in said)


def _raises(context: Context, function: ir.Function) -> bool:
    """Whether a function raises where there are further keys."""
    ways = ways_through(context, tuple(function.body), function)
    return any(is_raised(node) and _is_under(context, ways.to(node)) for node in ways.nodes())


def _is_under(context: Context, known: Known) -> bool:
    """Whether further keys are why a place is reached."""
    return any(one.holds and _is_difference(context, _value(context, one.expr)) for one in all_in(known))


# ----------------------------------------------------------------------------------------------------- what is compared
def _is_difference(context: Context, expr: ir.Expr) -> bool:
    """`arguments.keys() - properties`, `set(arguments).difference(properties)`, in order or as a list."""
    expr = _value(context, expr)
    match expr:
        case ir.Operator(op=ir.Op.SUB, operands=(given, known)):
            return _is_given(context, given) and _names(context, known, DECLARED)
        case ir.Call(callee=ir.Member(name="difference", target=given), args=(known,)):
            return _is_given(context, given) and _names(context, known.value, DECLARED)
        case ir.Call(args=(inner,)) if callee_name(expr.callee) in WRAPPED:
            return _is_difference(context, inner.value)
        case _:
            return False


def _is_subset(context: Context, expr: ir.Expr) -> bool:
    """`arguments.keys() <= properties`."""
    match expr:
        case ir.Operator(op=ir.Op.LE, operands=(given, known)):
            return _is_given(context, given) and _names(context, known, DECLARED)
        case ir.Call(callee=ir.Member(name="issubset", target=given), args=(known,)):
            return _is_given(context, given) and _names(context, known.value, DECLARED)
        case _:
            return False


def _is_given(context: Context, expr: ir.Expr) -> bool:
    """Whether an expression is the set of keys that a tool is called with."""
    expr = _value(context, expr)
    return isinstance(expr, ir.Call) and callee_name(expr.callee) in SETS and _names(context, expr, GIVEN)


def _names(context: Context, expr: ir.Expr, words: frozenset[str], depth: int = REFUSING) -> bool:
    """Whether an expression, or what its variables hold, takes something of one of these names."""
    for node in ir.walk(expr):
        if isinstance(node, ir.Member) and node.name in words:
            return True
        if isinstance(node, ir.Literal) and node.value in words:
            return True
        if isinstance(node, ir.Name) and depth:
            values = (one.value for one in context.program.visible(node) if one.value is not None)
            if any(_names(context, value, words, depth - 1) for value in values):
                return True
    return False


def _value(context: Context, expr: ir.Expr) -> ir.Expr:
    """What an expression is once it is awaited, and what its variable holds, where that is one thing."""
    for _ in range(REFUSING):
        held = only_value(context.program, expr) if isinstance(expr, ir.Name) else None
        expr = expr.value if isinstance(expr, ir.Await) else held or expr
    return expr


def _is_of_calls(expr: ir.Expr) -> bool:
    """Whether a test asks if a message calls a tool."""
    operands = expr.operands if isinstance(expr, ir.Operator) and expr.op == ir.Op.EQ else ()
    return any(isinstance(one, ir.Literal) and one.value == CALLING for one in operands)


def _is_nothing(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and not expr.value


def _is_name(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Name) and bool(name) and expr.id == name
