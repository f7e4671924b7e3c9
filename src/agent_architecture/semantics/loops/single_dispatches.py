"""Model calls that are given tools and whose answer's choice is run once, without a loop.

A row cannot say this: whether a caller runs what was picked is structure. Says nothing of what the tools do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.closure_writes import nested_functions
from agent_architecture.names.flow_steps import OVER
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.log_calls import says
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.agents.tried_models import is_dropped
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.matching.picked_tools import CALLS, hands_out, is_picked, sources_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_architecture.names.program import Program

WRAPPERS: Final = 3
"""Functions of the project's own client that an answer is followed through, to the one that looks at the choice."""

NAMES: Final = frozenset({"name", "tool_name", "toolName", "tool", "function_name"})
"""Under which keys a picked tool's name is kept by those who only pass the answer on."""

ALL_RUN: Final = frozenset({"execute_tools", "exec_function_call", "aexec_function_call"})
"""Methods of an answer that run whatever the model picked."""
ONE_RUN: Final = frozenset({"call", "acall", "run", "invoke", "execute"})
HELD: Final = frozenset({"tool", "tools", "tool_call", "tool_calls", "function_call", "function_calls"})
"""Parts of an answer that are objects which a method of `ONE_RUN` runs."""


def dispatching(
    program: Program, call: ir.Call, covered: Collection[int], tools: Collection[str] = ()
) -> Iterator[ir.Call]:
    """The calls in the functions that look at the picked tool, or run it by name: the model call itself, or those of
    the wrappers around it; none that stands in a pass of an agent's loop, whose ids are `covered`. `tools` are the
    names of those that the model is given.
    """
    if is_dropped(program, call) or _is_taken_up(program, call, covered):
        return

    def looks(place: ir.Node, owner: ir.Scope) -> ir.Call | None:
        if not isinstance(place, ir.Call):
            return None
        is_run = reads_choice(program, owner, place) or _runs_it(program, owner, place)
        return place if is_run or _calls_by_name(program, owner, tools) else None

    for place in on_ways(program, call, program.scope_of(call), looks, WRAPPERS - 1)[0]:
        if id(place) not in covered and not begins(program, program.scope_of(place), place, covered):
            yield place


def _is_taken_up(program: Program, call: ir.Call, covered: Collection[int]) -> bool:
    """Whether an agent's loop works off the answer where it is given, so that whoever called gets what it came to: the
    call stands in the loop, or recursion, or its answer is handed to a function that is one.
    """
    scope = program.scope_of(call)
    if id(call) in covered:
        comes_back = (scope in program.callees(each) for each in program.structure(scope).calls)
        return any(program.structure(scope).enclosing(call, ir.Loop)) or any(comes_back)
    name = _kept_as(program, scope, call)
    calls = program.structure(scope).calls if name else ()
    given = (each for each in calls if any(isinstance(a.value, ir.Name) and a.value.id == name for a in each.args))
    inside = (node for each in given for function in program.callees(each) for node in own_nodes(function))
    return any(isinstance(node, ir.Call) and id(node) in covered for node in inside)


def begins(program: Program, scope: ir.Scope, call: ir.Call, covered: Collection[int]) -> bool:
    """Whether a loop of an agent goes on with the answer to a call: a call in its passes gives the same name anew."""
    name = _kept_as(program, scope, call)
    again = (other for calls in program.calls_in(scope).values() for other in calls if id(other) in covered)
    return bool(name) and any(_kept_as(program, scope, other) == name for other in again)


def _kept_as(program: Program, scope: ir.Scope, call: ir.Call) -> str:
    """The name that keeps the answer to a call, or a part of it (`ask().choices[0].message`)."""
    around = program.structure(scope).parent(call)
    while isinstance(around, (ir.Await, ir.Member, ir.Index)):
        around = program.structure(scope).parent(around)
    return around.target.id if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name) else ""


def reads_choice(program: Program, scope: ir.Scope, call: ir.Call | None = None) -> bool:
    """Whether a scope, or a callback in it, asks which tool was picked (`call.name`, `call["name"]`,
    `call.get("name")`): one that only reads the arguments, or puts the answer into another form, runs none. What is
    asked of earlier answers, above a `call` that nothing repeats, says nothing of its answer.
    """
    inside = nested_functions(scope) if isinstance(scope, ir.Function) else ()
    scopes = (scope, *(function for function in inside if not function.name))
    looks = (node for one in scopes for node in own_nodes(one) if _asks_for(program, one, node))
    asked = [node for node in looks if not _is_only_said(program, node)]
    if call is None or any(program.structure(scope).enclosing(call, ir.Loop)):
        return bool(asked)
    later = (node.span > call.span and not _is_given(program, scope, node, call) for node in asked)
    return any(later) or any(_is_kept(program, scope, node) for node in asked)


def _runs_it(program: Program, scope: ir.Scope, call: ir.Call) -> bool:
    """Whether a scope runs what a model picked without asking what it is: it calls the answer (`picked()`), has it run
    all that it holds (`answer.execute_tools()`), or runs each part of it (`for tool in answer.tools: tool.call()`).
    """
    name = _kept_as(program, scope, call)

    def is_answer(expr: ir.Expr) -> bool:
        return expr is call or (isinstance(expr, ir.Name) and bool(name) and expr.id == name)

    for node in own_nodes(scope):
        match node:
            case ir.Call(callee=ir.Member(name=method, target=target)) if method in ALL_RUN and is_answer(target):
                return True
            case ir.Call(callee=ir.Member(name=method, target=target)) if method in ONE_RUN:
                if any(
                    isinstance(one, ir.Member) and one.name in HELD and is_answer(one.target)
                    for one in _taken_from(program, target)
                ):
                    return True
            case ir.Call(callee=callee, args=()) if is_answer(callee):
                return True
    return False


def _calls_by_name(program: Program, scope: ir.Scope, tools: Collection[str]) -> bool:
    """Whether a scope calls a function by the name of a tool with what the model picked for it, unasked which tool that
    was: `get_weather(**json.loads(picked.function.arguments))`.
    """
    named = (call for call in program.structure(scope).calls if callee_name(call.callee) in tools)
    return any(is_picked(program, argument.value, CALLS) for call in named for argument in call.args)


def _taken_from(program: Program, expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression, and what it is taken from: an element of a list, the variable of a loop, a name of something."""
    layer = [expr]
    for _ in range(WRAPPERS):
        yield from layer
        inner = [one.target for one in layer if isinstance(one, ir.Index)]
        bound = [b for one in layer if isinstance(one, ir.Name) for b in visible_bindings(program, one)]
        loops = [b.node.source for b in bound if isinstance(b.node, ir.Loop) and b.node.source is not None]
        layer = [*inner, *loops, *(source for binding in bound for source in sources_of(program, binding))]
    yield from layer


def _is_only_said(program: Program, node: ir.Node) -> bool:
    """Whether a node only stands in what a log or a terminal is told."""
    around: Iterator[ir.Call] = program.structure(program.scope_of(node)).enclosing(node, ir.Call)
    return any(says(call) for call in around)


def _is_given(program: Program, scope: ir.Scope, node: ir.Node, call: ir.Call) -> bool:
    """Whether a node is worked out before a call that is given it: what it asks was answered earlier."""
    return call.span.contains(node.span) and program.scope_of(node) is scope


def _is_kept(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    """Whether a node stands in a function that is kept for later: it is handed to nothing that runs over a list."""
    own = program.scope_of(node)
    if own is scope or not isinstance(own, ir.Function):
        return False
    around = program.structure(own.outer).parent(own)
    return not (isinstance(around, ir.Call) and callee_name(around.callee) in OVER)


def _asks_for(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    target = _named(node)
    if isinstance(node, ir.Call) and target is None:
        return _hands_over(program, node)
    return target is not None and is_picked(program, target) and not _is_copied(program, scope, node)


def _hands_over(program: Program, call: ir.Call) -> bool:
    """Whether a call gives what a model picked to a function of the project that asks which tool it is."""
    given = (argument.value for argument in call.args)
    is_given = any(hands_out(v) if isinstance(v, ir.Member) else _is_each_picked(program, v) for v in given)
    return is_given and any(_reads_parameter(program, function) for function in program.callees(call))


def _is_each_picked(program: Program, expr: ir.Expr) -> bool:
    """Whether an expression is the variable of a loop over what a model picked: `for call in said.tool_calls`."""
    bound = visible_bindings(program, expr) if isinstance(expr, ir.Name) else ()
    loops = (one.node for one in bound if one.kind == "loop" and isinstance(one.node, ir.Loop))
    return any(loop.source is not None and is_picked(program, loop.source) for loop in loops)


def _reads_parameter(program: Program, function: ir.Function) -> bool:
    """Whether a function reads the name of what it is given, or of each part of it."""
    names = {parameter.name for parameter in function.params}
    for node in own_nodes(function):
        target = _named(node)
        if target is None or _is_copied(program, program.scope_of(node), node):
            continue
        inside = [n for n in ir.walk(target) if isinstance(n, ir.Name)]
        bindings = [b for name in inside for b in visible_bindings(program, name)]
        sources = (source for binding in bindings for source in sources_of(program, binding))
        if any(name.id in names for name in inside) or any(isinstance(s, ir.Name) and s.id in names for s in sources):
            return True
    return False


def _named(node: ir.Node) -> ir.Expr | None:
    """That whose name a node reads."""
    match node:
        case _ if (read := part_read(node)) is not None:
            return read.mapping if read.key == "name" else None
        case ir.Assign(target=ir.Map() as pattern, value=value):
            return value if any(leaf.steps[-1:] == (".name",) for leaf in leaves(pattern)) else None
        case _:
            return None


def _is_copied(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    """Whether a name that is read becomes the name of another object: `{ name: call.name }`, `Call(name=call.name)`;
    also by another one that stands for it: `{ name: names.get(call.name) ?? call.name }`.
    """
    around = program.structure(scope).parent(node)
    while around is not None and (isinstance(around, (ir.Operator, ir.Index)) or _is_asked_for(around, node)):
        node, around = around, program.structure(scope).parent(around)
    match around:
        case ir.Map(entries=entries):
            return any(entry.value is node and _is_name(entry.key) for entry in entries)
        case ir.Call(args=args):
            return any(argument.value is node and argument.keyword in NAMES for argument in args)
        case _:
            return False


def _is_asked_for(call: ir.Node, name: ir.Node) -> bool:
    """Whether a call asks a mapping for what stands under a name."""
    is_get = isinstance(call, ir.Call) and isinstance(call.callee, ir.Member) and call.callee.name == "get"
    return isinstance(call, ir.Call) and is_get and any(argument.value is name for argument in call.args)


def _is_name(key: ir.Expr | None) -> bool:
    return isinstance(key, ir.Literal) and key.value in NAMES
