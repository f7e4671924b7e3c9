"""What a model is asked with: the places whose content reaches a model call within one pass of a loop."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from agent_architecture.names.calls import passed_argument
from agent_architecture.names.growth import changes_of_name
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.places import Place, given_by, places_at, read_by
from agent_architecture.semantics.routes import NO_ROUTES
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.routes import Routes

LIMIT: Final = 4000
"""Expressions followed back from one model call."""

CALLS: Final = 6
"""Calls that a way back remembers to have entered; of longer chains the outermost are forgotten."""

MERGING: Final = frozenset({"update", "assign"})
"""Methods that put what their arguments contain under its keys."""

SPOKEN: Final = frozenset({"messages", "contents", "input", "inputs", "prompt", "conversation", "history", "parts"})
"""Under which keys a request has what is said in it: OpenAI's, Anthropic's, Gemini's."""

FILLING: Final = frozenset({"append", "extend", "push", "add"})
"""Methods that put what they are given into a list or set."""

TESTS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not", "instanceof", "typeof"})
"""Operators whose result is true or false (or a type's name), whatever they are applied to."""


SETTINGS: Final = frozenset(
    {
        *("apikey", "apibase", "baseurl", "apiversion", "organization", "timeout", "headers", "extraheaders"),
        *("temperature", "topp", "maxtokens", "seed", "user", "signal", "callbacks", "n"),
    }
)
"""Arguments of model calls that set how the model is asked, not what: in small letters, without underscores."""


REQUEST: Final = "request"
"""What Flask and its like call the request that is answered now, which they do not hand in."""


class Pass(NamedTuple):
    """One pass of a loop or recursion: the ids of the nodes that it may run (None: of any code), and of the calls that
    bring the model's answer.
    """

    nodes: frozenset[int] | None
    answers: frozenset[int]
    beside: ir.Loop | None = None
    """A loop whose own variables are not looked into."""
    requests: Routes = NO_ROUTES
    """The requests that bring handlers what they are given."""

    def runs(self, call: ir.Call) -> bool:
        """Whether a call is made in the pass."""
        return self.nodes is None or id(call) in self.nodes


ANYWHERE: Final = Pass(None, frozenset())
"""No pass of anything: whatever any code gives counts."""


class Step(NamedTuple):
    """An expression further back, and the calls that the way there has entered, innermost last."""

    node: ir.Node
    calls: tuple[ir.Call, ...] = ()

    def key(self) -> tuple[int, ...]:
        """What tells it from other steps."""
        return id(self.node), *map(id, self.calls)


def places_of(program: Program, call: ir.Call, around: Pass) -> frozenset[Place]:
    """Every place whose content may be part of what a call is given in one pass."""
    given = list(_said(call))
    if isinstance(call.callee, ir.Member):
        given.append(call.callee.target)
    found: set[Place] = set()
    for step in _back(program, given, around):
        found.update(places_at(program, step.node))
    return frozenset(found)


def holds_answer(program: Program, expr: ir.Expr, around: Pass) -> bool:
    """Whether an answer of the pass may be part of an expression; true where that is not followed to its end."""
    steps = tuple(_back(program, [expr], around))
    return len(steps) >= LIMIT or any(id(step.node) in around.answers for step in steps)


def _back(program: Program, exprs: Iterable[ir.Expr], around: Pass) -> Iterator[Step]:
    """These expressions and all that their content may come from, nearest first; at most `LIMIT`."""
    seen: dict[tuple[int, ...], Step] = {}
    queue = deque(Step(expr) for expr in exprs)
    while queue and len(seen) < LIMIT:
        step = queue.popleft()
        if step.key() in seen or (id(step.node),) in seen:
            continue
        seen[step.key()] = step
        yield step
        queue.extend(sources(program, step, around))


def _said(call: ir.Call) -> Iterator[ir.Expr]:
    """What a call gives the model to read: its arguments, and the entries of one that is an object; no settings."""
    for argument in call.args:
        if argument.keyword is None and isinstance(argument.value, ir.Map):
            keyed = ((e.key.value if isinstance(e.key, ir.Literal) else "", e.value) for e in argument.value.entries)
            yield from (value for key, value in keyed if not _is_setting(str(key)))
        elif argument.keyword is None or not _is_setting(argument.keyword):
            yield argument.value


def _is_setting(name: str) -> bool:
    return name.replace("_", "").lower() in SETTINGS


def sources(program: Program, step: Step, around: Pass) -> Iterator[Step]:
    """Where the content of an expression may come from, one step further back."""
    match node := step.node:
        case ir.Name():
            yield from _bound(program, node, step.calls, around)
        case ir.Member():
            yield step._replace(node=node.target)
            yield from (Step(expr) for expr in read_by(program, node))
        case ir.Call():
            yield from (step._replace(node=child) for child in ir.children(node))
            inside = (*step.calls, node)[-CALLS:]
            for function in _callees(program, node, step.calls) if id(node) not in around.answers else ():
                yield from (Step(expr, inside) for expr in given_by(program, function))
        case ir.Conditional():
            yield from (step._replace(node=node.then), step._replace(node=node.otherwise))
        case ir.Loop():
            parts = (*node.body, *(() if node.source is None else (node.source,)))
            yield from (step._replace(node=part) for part in parts)
        case ir.Operator(op=op) if op in TESTS:
            return
        case ir.Function() | ir.Class():
            return
        case _:
            yield from (step._replace(node=child) for child in ir.children(node))


def _callees(program: Program, node: ir.Call, calls: tuple[ir.Call, ...]) -> tuple[ir.Function, ...]:
    """The functions that a call may run; a callback is the one that the way came in with."""
    for binding in visible_bindings(program, node.callee) if isinstance(node.callee, ir.Name) and calls else ():
        function, param = binding.node, binding.extra
        if isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
            for site in _entered(program.callers(function), calls)[0]:
                argument = passed_argument(site, function, param)
                given = () if argument is None or isinstance(argument, Unknown) else program.value_of(argument)
                handed = tuple(value.function for value in given if isinstance(value, Func))
                if handed:
                    return handed
    return program.callees(node)


def _bound(program: Program, name: ir.Name, calls: tuple[ir.Call, ...], around: Pass) -> Iterator[Step]:
    """What a name is bound to; a parameter is what the call gives that the way came in by, else what those of the
    pass give.
    """
    for binding in visible_bindings(program, name):
        function, param = binding.node, binding.extra
        if binding.kind == "loop" and binding.node is around.beside:
            continue
        if binding.kind == "import" and name.id == REQUEST:
            yield from _requested(program.scope_of(name), around)
        if binding.kind != "parameter":
            yield from () if binding.value is None else (Step(binding.value, calls),)
            if binding.kind == "assign":
                yield from (Step(put, calls) for put in _put_into(program, binding, around))
        elif isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
            yield from _requested(function, around)
            sites = program.callers(function)
            entered, outside = _entered(sites, calls)
            for site in entered or sites:
                argument = passed_argument(site, function, param) if around.runs(site.call) else None
                if argument is not None and not isinstance(argument, Unknown):
                    yield Step(argument, outside)


def _requested(handler: ir.Scope, around: Pass) -> Iterator[Step]:
    """What requests to a handler bring it."""
    for site in around.requests.get(id(handler), ()):
        yield from (Step(argument.value) for argument in site.call.args if around.runs(site.call))


def _put_into(program: Program, binding: Binding, around: Pass) -> Iterator[ir.Expr]:
    """What a request is put together of after it was begun: `body["messages"] = messages`, `body.update(…)`, and what a
    list is filled with that each pass makes anew. What another list grows by is the conversation's own.
    """
    is_new = around.nodes is not None and id(binding.node) in around.nodes
    for change in changes_of_name(program, program.scope_of(binding.node), binding.name):
        match change:
            case ir.Assign(target=ir.Index(key=ir.Literal(value=str() as key)), value=value) if key in SPOKEN:
                yield from () if value is None else (value,)
            case ir.Assign(target=ir.Member(name=key), value=value) if key in SPOKEN:
                yield from () if value is None else (value,)
            case ir.Call() if callee_name(change.callee) in MERGING:
                yield from _spoken(change)
            case ir.Call() if is_new and callee_name(change.callee) in FILLING:
                yield from (argument.value for argument in change.args)
            case _:
                continue


def _spoken(merging: ir.Call) -> Iterator[ir.Expr]:
    """What is said in a request, of what a call puts into it."""
    for argument in merging.args:
        entries = argument.value.entries if isinstance(argument.value, ir.Map) else ()
        yield from (entry.value for entry in entries if isinstance(entry.key, ir.Literal) and entry.key.value in SPOKEN)
        yield from (argument.value,) if argument.keyword in SPOKEN else ()


def _entered(
    sites: tuple[CallSite, ...], calls: tuple[ir.Call, ...]
) -> tuple[tuple[CallSite, ...], tuple[ir.Call, ...]]:
    """The site by which the way came in, where it did by one of these, and the calls around that."""
    for depth in range(len(calls) - 1, -1, -1):
        for site in sites:
            if site.call is calls[depth]:
                return (site,), calls[:depth]
    return (), ()
