"""Functions that code hands on: a function that is written where it is handed to a runner is run there (`await
step.run("load", async () => …)`), and a helper that several hand functions to runs for each only its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.given_keys import keyed_calls, under_other_keys
from agent_architecture.names.higher_order import made_by, run_for
from agent_architecture.names.message_handlers import set_on
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program

KEEPING: Final = regex(
    r"tool|agent|flow|graph|node|route|handler|middleware|command|prompt|resource|define|create|register|make|build|^on",
    re.IGNORECASE,
)
"""Names of calls that keep the function that they are handed, for somebody else to run."""


FILLING: Final = frozenset({"add", "append", "push", "set", "setdefault", "unshift"})
"""Methods of tables and lists that put something into them."""


def written_in_runners(program: Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Function]:
    """The functions written as arguments of calls whose result is waited for, or whose method's result is returned, and
    those that are set on an object as what it does with a message.
    """
    for node in nodes:
        match node:
            case ir.Await(value=ir.Call() as call) | ir.Return(value=ir.Call(callee=ir.Member()) as call):
                if not KEEPING.search(callee_name(call.callee)) and not program.callees(call):
                    yield from (a.value for a in call.args if isinstance(a.value, ir.Function))
            case ir.Assign(value=ir.Function() as handler) if set_on(program, node) is not None:
                yield handler
            case _:
                continue


def is_kept_in_table(program: Program, function: ir.Function) -> bool:
    """Whether a function is only put into a table or list that is written or filled around it, for who looks it up:
    `handlers.set("ask", { run: () => ask() })`, `return { ask: () => ask() }`.
    """
    inside = False
    for around in program.structure(function.outer).ancestors(function):
        match around:
            case ir.Map() | ir.List():
                inside = True
            case ir.Call(callee=ir.Member(name=name)) if name in FILLING:
                return True
            case ir.Call(is_new=True) | ir.Conditional() | ir.Spread():
                continue
            case ir.Return() | ir.Assign():
                return inside
            case _:
                return False
    return False


def functions_passed_in(program: Program, function: ir.Function) -> tuple[ir.Function, ...]:
    """The same for all of a function's own code."""
    return program.kept(_handed_in, function)


def _handed_in(program: Program, function: ir.Function) -> tuple[ir.Function, ...]:
    return tuple(written_in_runners(program, program.structure(function).nodes))


def run_by(program: Program, function: ir.Function, inside: Collection[int]) -> tuple[ir.Function, ...]:
    """The functions that a helper runs when it is entered from these scopes (ids): of those that are handed to it, or
    written where they are handed to it, those of these scopes alone.
    """
    found = program.run_by(function)
    asked = _running(program, function, inside)
    foreign = {id(f) for call in asked for f in program.callees(call) if not _is_within(f.outer, inside)}
    foreign |= _of_others(program, asked, lambda entered, _: _entering(program, entered, inside))
    made = _made(program, function, inside)
    wrapping = _rooted_in(program, function, _names_of_maker(function)) if made else []
    foreign |= _of_others(program, wrapping, lambda entered, _: made if entered is function.outer else ())
    asked += wrapping
    if keyed := keyed_calls(program, function):
        foreign |= under_other_keys(program, function, _entering(program, function, inside))
        asked += [each.call for each in keyed]
    if not foreign:
        return found
    others = (call for call in program.structure(function).calls if not any(call is one for one in asked))
    kept = {id(f) for call in others for f in program.callees(call)}
    return tuple(f for f in found if id(f) not in foreign or id(f) in kept)


def runs_its_argument(program: Program, function: ir.Function) -> bool:
    """Whether a function, or the one that made it, runs what it is handed, or what stands under a key that it is
    given, so that it matters who calls it.
    """
    makes = _rooted_in(program, function, _names_of_maker(function))
    return bool(makes or _running(program, function, frozenset()) or keyed_calls(program, function))


def _of_others(
    program: Program, calls: Iterable[ir.Call], entered: Callable[[ir.Function, int], tuple[CallSite, ...]]
) -> set[int]:
    """The ids of the functions that these calls may run, but not where they are entered so."""
    found: set[int] = set()
    for call in calls:
        own = run_for(program, call.callee, entered)
        found |= {id(f) for f in program.callees(call) if own is not None and f not in own}
    return found


def _running(program: Program, function: ir.Function, inside: Collection[int]) -> list[ir.Call]:
    return _rooted_in(program, function, frozenset(_parameters(function, inside)))


def _names_of_maker(function: ir.Function) -> frozenset[str]:
    """What the function is handed that made this one."""
    params = function.outer.params if isinstance(function.outer, ir.Function) else ()
    return frozenset(param.name for param in params)


def _rooted_in(program: Program, function: ir.Function, names: frozenset[str]) -> list[ir.Call]:
    """The calls of what has one of these names, or of a part of it."""
    return [call for call in program.structure(function).calls if root(call.callee) in names] if names else []


def _made(program: Program, function: ir.Function, inside: Collection[int]) -> tuple[CallSite, ...]:
    """The calls that made a function which these scopes call by the names that it was given (`entries_again =
    again(entries)`); none where they also come to it in another way.
    """
    if not isinstance(function.outer, ir.Function) or id(function.outer) in inside:
        return ()
    made = [made_by(program, site.call.callee) for site in _entering(program, function, inside)]
    if not made or any(each is None for each in made):
        return ()
    return tuple(site for site in program.callers(function.outer) if any(site.call is each for each in made))


def _entering(program: Program, function: ir.Function, inside: Collection[int]) -> tuple[CallSite, ...]:
    return tuple(site for site in program.callers(function) if id(site.scope) in inside)


def scopes_around(scope: ir.Scope) -> Iterator[ir.Scope]:
    """A scope, and all that it stands in."""
    yield scope
    while not isinstance(scope, ir.Module):
        scope = scope.outer
        yield scope


def _is_within(scope: ir.Scope, inside: Collection[int]) -> bool:
    """Whether what is defined in a scope is no function that was written in some other function."""
    return not isinstance(scope, ir.Function) or id(scope) in inside


def _parameters(function: ir.Function, inside: Collection[int]) -> Iterator[str]:
    """The names of what a function, and those around it that were entered, are handed."""
    for scope in scopes_around(function):
        if isinstance(scope, ir.Function) and (scope is function or id(scope) in inside):
            for param in scope.params:
                yield param.name
                if param.pattern is not None:
                    yield from (leaf.place.id for leaf in leaves(param.pattern) if isinstance(leaf.place, ir.Name))


def root(callee: ir.Expr) -> str:
    """The name with which a callee begins: `job` of `job.handler(x)`."""
    while isinstance(callee, ir.Member):
        callee = callee.target
    return callee.id if isinstance(callee, ir.Name) else ""
