"""What a model is asked with: the places whose content reaches a model call within one pass of a loop."""

from __future__ import annotations

import re
from collections import deque
from enum import Enum
from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import plain
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.flow_steps import TESTS
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import changes_of_name
from agent_architecture.names.options import as_written, entries_of, keyed
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.routes import NO_ROUTES
from agent_architecture.semantics.taint.access_paths import Place, given_by, owner_of, places_at, read_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.callgraph.routes import Routes

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

SAYING: Final = regex(r"add_?(?:user|assistant|ai|human|system|tool)?_?messages?", re.IGNORECASE)
"""Methods that put what they are given into a library's conversation: `history.add_user_message(text)`."""


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
    fills: bool = False
    """Whether what any list is filled with counts, whoever made it."""

    def runs(self, call: ir.Call) -> bool:
        """Whether a call is made in the pass."""
        return self.nodes is None or id(call) in self.nodes

    def takes(self, lead: Lead) -> bool:
        """Whether a step further back is one in this pass."""
        match lead.when:
            case When.ALWAYS:
                return True
            case When.RUN:
                return self.nodes is None or lead.of in self.nodes
            case When.MADE_ANEW:
                return self.fills or (self.nodes is not None and lead.of in self.nodes)
            case When.NO_ANSWER:
                return lead.of not in self.answers
            case When.NOT_BESIDE:
                return self.beside is None or lead.of != id(self.beside)
            case When.REQUESTED:
                return False


ANYWHERE: Final = Pass(None, frozenset())
"""No pass of anything: whatever any code gives counts."""
FILLED: Final = Pass(None, frozenset(), fills=True)
"""The same, with what lists are filled with: a conversation that is put together anew from what is kept."""


class Step:
    """An expression further back, and the calls that the way there has entered, innermost last: one for each such
    place of a program, told apart by identity.
    """

    __slots__ = ("_leads", "calls", "lead", "node", "plain")

    def __init__(self, node: ir.Node, calls: tuple[ir.Call, ...], plain: Step | None) -> None:
        self.node = node
        self.calls = calls
        self.plain = self if plain is None else plain
        """The same expression, wherever the way there went."""
        self.lead = Lead(self)
        """The way to it in any pass."""
        self._leads: tuple[Lead, ...] | None = None

    def leads(self, steps: Steps) -> tuple[Lead, ...]:
        """Where its content may come from in any pass, one step further back."""
        if self._leads is None:
            self._leads = tuple(_leads(steps, self))
        return self._leads


class When(Enum):
    """In which passes content comes from somewhere."""

    ALWAYS = "always"
    RUN = "where the pass makes a call"
    MADE_ANEW = "where each pass makes a list anew"
    NO_ANSWER = "where a call is not what brings the model's answer"
    NOT_BESIDE = "where a loop's own variables are looked into"
    REQUESTED = "where requests come to a handler: their arguments, in place of the step"


class Lead(NamedTuple):
    """A step further back; `of` is the id of what its condition is about."""

    step: Step
    when: When = When.ALWAYS
    of: int = 0


class Steps:
    """The steps of one program: the loops around one model call are walked back from it over the same ones."""

    __slots__ = ("_steps", "program")

    def __init__(self, program: Program) -> None:
        self.program = program
        self._steps: dict[ir.Node | tuple[ir.Node, ...], Step] = {}

    def at(self, node: ir.Node, calls: tuple[ir.Call, ...] = ()) -> Step:
        """The step at an expression."""
        key = (node, *calls) if calls else node
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = Step(node, calls, self.at(node) if calls else None)
        return found


def first_step(program: Program, expr: ir.Expr) -> Step:
    """Where a way back begins."""
    return program.once(Steps).at(expr)


def places_of(program: Program, call: ir.Call, around: Pass) -> frozenset[Place]:
    """Every place whose content may be part of what a call is given in one pass."""
    given = list(_said(program, call))
    if isinstance(call.callee, ir.Member):
        given.append(call.callee.target)
    nodes = dict.fromkeys(step.node for step in _back(program, given, around))
    return frozenset(place for node in nodes for place in places_at(program, node))


def came_from(program: Program, call: ir.Call) -> frozenset[int]:
    """The ids of all expressions that what a call is given may come from, in any code."""
    return frozenset(id(step.node) for step in _back(program, list(_said(program, call)), ANYWHERE))


def places_passed_in(program: Program, function: ir.Scope, asked: frozenset[Place]) -> frozenset[Place]:
    """The variables of modules, and the attributes, that callers hand a function as one of these places: it is changed
    under either name (`answer(messages)`, which does `messages.append(…)` under the module's own name).
    """
    if not isinstance(function, ir.Function):
        return frozenset()
    params = [param for param in function.params if not param.kind and (owner_of(function), param.name) in asked]
    sites = [site for site in program.callers(function) if not site.escapes] if params else []
    given = (passed_argument(site, function, param) for site in sites for param in params)
    lasting = (one for one in given if isinstance(one, (ir.Name, ir.Member)) and not _is_local(program, one))
    return frozenset(place for one in lasting for place in places_at(program, one))


def _is_local(program: Program, expr: ir.Name | ir.Member) -> bool:
    """Whether an expression is a variable of a function."""
    found = program.in_sight(expr) if isinstance(expr, ir.Name) else None
    return found is not None and not isinstance(found.owner, ir.Module)


def holds_answer(program: Program, expr: ir.Expr, around: Pass) -> bool:
    """Whether an answer of the pass may be part of an expression; true where that is not followed to its end."""
    steps = _back(program, [expr], around)
    return len(steps) >= LIMIT or any(id(step.node) in around.answers for step in steps)


def _back(program: Program, exprs: Iterable[ir.Expr], around: Pass) -> Collection[Step]:
    """These expressions and all that their content may come from, nearest first; at most `LIMIT`."""
    steps, seen = program.once(Steps), dict[Step, None]()
    queue = deque(steps.at(expr) for expr in exprs)
    while queue and len(seen) < LIMIT:
        step = queue.popleft()
        if step not in seen and step.plain not in seen:
            seen[step] = None
            for lead in step.leads(steps):
                if lead.when is When.REQUESTED:
                    queue.extend(_requested(steps, lead.of, around))
                elif lead.step not in seen and (lead.when is When.ALWAYS or around.takes(lead)):
                    queue.append(lead.step)
    return seen


def _said(program: Program, call: ir.Call) -> Iterator[ir.Expr]:
    """What a call gives the model to read: its arguments, and the entries of one that is an object; no settings."""
    for argument in call.args:
        if argument.keyword is None and isinstance(as_written(program, argument.value), ir.Map):
            entries = entries_of(program, argument.value)
            named = ((e.key.value if isinstance(e.key, ir.Literal) else "", e.value) for e in entries)
            yield from (value for key, value in named if not _is_setting(str(key)))
        elif argument.keyword is None or not _is_setting(argument.keyword):
            yield argument.value


def _is_setting(name: str) -> bool:
    return plain(name) in SETTINGS


def sources(program: Program, step: Step, around: Pass) -> Iterator[Step]:
    """Where the content of an expression may come from in a pass, one step further back."""
    steps = program.once(Steps)
    for lead in step.leads(steps):
        if lead.when is When.REQUESTED:
            yield from _requested(steps, lead.of, around)
        elif around.takes(lead):
            yield lead.step


def _leads(steps: Steps, step: Step) -> Iterator[Lead]:
    match node := step.node:
        case ir.Name():
            yield from _bound(steps, step, node)
        case ir.Member():
            yield steps.at(node.target, step.calls).lead
            yield from (steps.at(expr).lead for expr in read_by(steps.program, node))
        case ir.Call():
            yield from _each(steps, ir.children(node), step.calls)
            inside = (*step.calls, node)[-CALLS:]
            for function in _callees(steps.program, node, step.calls):
                for expr in given_by(steps.program, function):
                    yield Lead(steps.at(expr, inside), When.NO_ANSWER, id(node))
        case ir.Conditional():
            yield from _each(steps, (node.then, node.otherwise), step.calls)
        case ir.Loop():
            yield from _each(steps, (*node.body, *(() if node.source is None else (node.source,))), step.calls)
        case ir.Operator(op=op) if op in TESTS:
            return
        case ir.Function() | ir.Class():
            return
        case _:
            yield from _each(steps, ir.children(node), step.calls)


def _each(steps: Steps, nodes: Iterable[ir.Node], calls: tuple[ir.Call, ...]) -> Iterator[Lead]:
    return (steps.at(node, calls).lead for node in nodes)


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


def _bound(steps: Steps, step: Step, name: ir.Name) -> Iterator[Lead]:
    """What a name is bound to; a parameter is what the call gives that the way came in by, else what those of the
    pass give.
    """
    program, calls = steps.program, step.calls
    for binding in visible_bindings(program, name):
        function, param = binding.node, binding.extra
        if binding.kind == "import" and name.id == REQUEST:
            yield Lead(step, When.REQUESTED, id(program.scope_of(name)))
        if binding.kind != "parameter":
            when = When.NOT_BESIDE if binding.kind == "loop" else When.ALWAYS
            yield from () if binding.value is None else (Lead(steps.at(binding.value, calls), when, id(function)),)
            if binding.kind == "assign":
                yield from _put_into(steps, binding, calls)
        elif isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
            yield Lead(step, When.REQUESTED, id(function))
            sites = program.callers(function)
            entered, outside = _entered(sites, calls)
            for site in entered or sites:
                argument = passed_argument(site, function, param)
                if argument is not None and not isinstance(argument, Unknown):
                    yield Lead(steps.at(argument, outside), When.RUN, id(site.call))


def _requested(steps: Steps, handler: int, around: Pass) -> Iterator[Step]:
    """What requests to a handler bring it."""
    for site in around.requests.get(handler, ()):
        yield from (steps.at(argument.value) for argument in site.call.args if around.runs(site.call))


def _put_into(steps: Steps, binding: Binding, calls: tuple[ir.Call, ...]) -> Iterator[Lead]:
    """What a request is put together of after it was begun: `body["messages"] = messages`, `body.update(…)`, and what a
    list is filled with that each pass makes anew. What another list grows by is the conversation's own.
    """
    program = steps.program
    for change in changes_of_name(program, program.scope_of(binding.node), binding.name):
        match change:
            case ir.Assign(target=ir.Index(key=ir.Literal(value=str() as key)), value=value) if key in SPOKEN:
                yield from () if value is None else (steps.at(value, calls).lead,)
            case ir.Assign(target=ir.Member(name=key), value=value) if key in SPOKEN:
                yield from () if value is None else (steps.at(value, calls).lead,)
            case ir.Call() if callee_name(change.callee) in MERGING:
                yield from _each(steps, _spoken(program, change), calls)
            case ir.Call() if callee_name(change.callee) in FILLING:
                filled = (steps.at(argument.value, calls) for argument in change.args)
                yield from (Lead(step, When.MADE_ANEW, id(binding.node)) for step in filled)
            case _:
                continue
    for call in program.structure(program.scope_of(binding.node)).calls:
        match call.callee:
            case ir.Member(target=ir.Name(id=name), name=how) if name == binding.name and SAYING.fullmatch(how):
                said = (steps.at(argument.value, calls) for argument in call.args)
                yield from (Lead(step, When.MADE_ANEW, id(binding.node)) for step in said)
            case _:
                continue


def _spoken(program: Program, merging: ir.Call) -> Iterator[ir.Expr]:
    """What is said in a request, of what a call puts into it."""
    for argument in merging.args:
        yield from (value for key, value in keyed(program, argument.value) if key in SPOKEN)
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
