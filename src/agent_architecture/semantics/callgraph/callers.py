"""Who runs a piece of code: its callers, and theirs, nearest first; and what stands around it on the ways there.

One walk with one budget for whoever goes upwards. What calls hand on as arguments is for `names/flow`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.program import CallSite
from agent_architecture.semantics.matching.replaced_methods import replacing
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from agent_architecture.names.program import Program

T = TypeVar("T")

PLACES: Final = 60
"""Places that are looked at on the ways to one."""
HANDED: Final = 2
"""Calls through which something is handed on."""
MANY: Final = 2000
"""The same where the calls alone say how far is far enough."""
NO_END: Final = 1_000
"""Calls in each other behind which nobody looks for a caller."""


def _everywhere(program: Program, function: ir.Function) -> bool:
    del program, function
    return True


def above(  # noqa: PLR0913 - how far, and over what
    program: Program,
    scopes: Iterable[ir.Scope],
    calls: int = NO_END,
    most: int = PLACES,
    *,
    written_in: bool = False,
    runs_there: Callable[[Program, ir.Function], bool] = _everywhere,
) -> Iterator[ir.Scope]:
    """These scopes and those that call them, through at most this many calls, nearest first, each once; with
    `written_in` also those in which a function is written that `runs_there` (a class runs where it is). Behind `most`
    nobody looks.
    """
    queue = [(scope, calls) for scope in dict.fromkeys(scopes)]
    seen = {id(scope) for scope, _ in queue}
    for scope, left in queue:  # grows
        yield scope
        is_run = not isinstance(scope, ir.Function) or runs_there(program, scope)
        outer: ir.Scope | ir.Class | None = None
        if isinstance(scope, ir.Class) or (written_in and is_run and isinstance(scope, ir.Function)):
            outer = scope.outer
        further = [(outer, left)] if outer is not None else []
        if isinstance(scope, ir.Function) and left and len(queue) < most:
            further += [(site.scope, left - 1) for site in program.callers(scope) if is_run or not site.escapes]
        for each, rest in further:
            if id(each) not in seen:
                seen.add(id(each))
                queue.append((each, rest))


def on_ways(  # noqa: PLR0913, PLR0917 - a place, and how far
    program: Program,
    node: ir.Node,
    scope: ir.Scope,
    found_at: Callable[[ir.Node, ir.Scope], T | None],
    calls: int = NO_END,
    most: int = PLACES,
    *,
    decorated: bool = True,
) -> tuple[tuple[T, ...], bool]:
    """What is found at a place of a scope, or else at the calls of its function, and so on: the nearest on each way,
    and whether there is something on every way. Who runs a decorated function may be a library: `decorated` says
    whether its calls in the project are all the same looked at.
    """
    queue = [(node, scope, calls)]
    seen = {id(scope)}
    found: list[T] = []
    every_way = True
    for place, owner, left in queue:  # grows
        here = found_at(place, owner)
        if here is not None:
            found.append(here)
            continue
        further = isinstance(owner, ir.Function) and left and len(queue) <= most and (decorated or not owner.decorators)
        sites = _sites(program, owner) if isinstance(owner, ir.Function) and further else ()
        every_way = every_way and bool(sites)
        for site in sites:
            if id(site.scope) not in seen:
                seen.add(id(site.scope))
                queue.append((site.call, site.scope, left - 1))
    return tuple(found), every_way


def so_of_names(  # noqa: PLR0913, PLR0917 - a place, what holds something there, and how far
    program: Program,
    node: ir.Node,
    scope: ir.Scope,
    names: AbstractSet[str],
    is_so: Callable[[ir.Node, ir.Scope, AbstractSet[str]], bool],
    calls: int = HANDED,
) -> bool:
    """Whether something is so at a place of a scope of what these names hold there; or else at every call of its
    function of what is handed on under them. Who may be run by others, too, is handed what nobody knows.
    """
    if is_so(node, scope, names):
        return True
    if not calls or not isinstance(scope, ir.Function) or scope.decorators:
        return False
    handed = [parameter for parameter in scope.params if parameter.name in names]
    sites = program.callers(scope) if handed else ()
    return bool(sites) and all(
        (given := _given(site, scope, handed)) and so_of_names(program, site.call, site.scope, given, is_so, calls - 1)
        for site in sites
    )


def _given(site: CallSite, function: ir.Function, handed: Sequence[ir.Parameter]) -> frozenset[str]:
    """The names that a call hands on for some parameters; none where one of them is not a name."""
    found = [passed_argument(site, function, parameter) for parameter in handed]
    names = [each.id for each in found if isinstance(each, ir.Name)]
    return frozenset(names) if len(names) == len(found) else frozenset()


def _sites(program: Program, function: ir.Function) -> tuple[CallSite, ...]:
    """The calls of a function; of a method in whose place another function stands, those in that one."""
    around = tuple(CallSite(*at) for one in replacing(program, function) if one.everywhere for at in one.hands_on)
    return around or program.callers(function)


def places(program: Program, node: ir.Node, scope: ir.Scope, calls: int = NO_END) -> Iterator[tuple[ir.Node, ir.Scope]]:
    """A place of a scope, the calls of its function, and so on: one in each scope, nearest first."""
    passed: list[tuple[ir.Node, ir.Scope]] = []

    def noted(place: ir.Node, owner: ir.Scope) -> None:
        passed.append((place, owner))

    on_ways(program, node, scope, noted, calls, MANY)
    yield from passed
