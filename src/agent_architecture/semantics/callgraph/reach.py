"""From model calls upwards: which loops and recursions come back to a model, through any number of the project's
functions.

Works on demand from the model calls towards their callers; nothing walks the whole program.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING, Final

from agent_architecture.names.call_branches import comes_to
from agent_architecture.names.exits import OF_SWITCH, is_answer, is_raised, leaves
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.structure import blocks
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.call_paths import Step, Ways
from agent_architecture.semantics.callgraph.callbacks import (
    functions_passed_in,
    run_by,
    runs_its_argument,
    scopes_around,
    written_in_runners,
)
from agent_architecture.semantics.callgraph.handed_in import Handed, handed_in, hands_in
from agent_architecture.semantics.callgraph.left_out import left_out
from agent_architecture.semantics.callgraph.routes import NO_ROUTES
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.callgraph.routes import Routes

SCOPES: Final = 2000
"""Scopes followed upwards from the model calls; a program with more around them is not followed to its end."""

FAR: Final = 8
"""Calls that a loop or recursion may be away from the model. Those of agents are at most six away (38 loops of the
projects to develop against); what is eleven away is how a program works on its events (deepagents' terminal).
"""

PARSES: Final = regex(r"(?:^|_)(?:loads?|parse\w*|validate\w*|safeparse|decode)$", re.IGNORECASE)
"""Callees that fail on a text which is not what was asked for."""

RECURSION: Final = 60
"""Functions of a recursion among which the one is looked for through which every way round goes."""

EXTENT: Final = 120
"""Functions that one pass of a loop is followed into."""


class Loops(NamedTuple):
    """The loops around model calls, each with the steps inside it that reach a model call, and all ways to them."""

    loops: tuple[tuple[ir.Loop, ir.Scope, tuple[Step, ...]], ...]
    ways: Ways


def paths_up(
    program: Program, calls: Iterable[tuple[ir.Call, ir.Scope]], far: int = SCOPES, requests: Routes = NO_ROUTES
) -> Ways:
    """The ways on which these calls are reached, each of at most `far` calls, over these `requests`, too."""
    ways, last = Ways(), list[Step]()
    missed, come = dict[tuple[int, int], tuple[ir.Call, Step]](), set[tuple[int, int]]()
    seen = set[tuple[int, frozenset[tuple[int, int]]]]()
    queue = deque((Step(call, scope), 0, tuple[Handed, ...]()) for call, scope in calls)
    while queue and len(ways.scopes) <= SCOPES:
        step, away, needed = queue.popleft()
        key = id(step.node), frozenset((id(one.helper), id(one.function)) for one in needed)
        if key in seen:
            continue
        seen.add(key)
        ways.add(step)
        if away >= far:
            last.append(step)
            continue
        for site in (*_coming_to(program, step, ways), *requests.get(id(step.scope), ())):
            if needed and not hands_in(program, site, step.scope, needed):
                missed.setdefault((id(site.call), id(step.node)), (site.call, step))
                continue
            come.add((id(site.call), id(step.node)))
            caller = Step(site.call, site.scope, step.inferred or site.inferred)
            ways.enter(caller, step.scope)
            queue.append((caller, away + 1, handed_in(program, site, step.scope, needed)))
    for pair in missed.keys() - come:
        ways.miss(*missed[pair])
    for step in last:
        tuple(_coming_to(program, step, ways) if ways.is_entered(step.scope) else ())
    return ways


def _coming_to(program: Program, step: Step, ways: Ways) -> Iterator[CallSite]:
    """The calls of a step's function that come to it; those that do not are noted."""
    for site in program.callers(step.scope) if isinstance(step.scope, ir.Function) else ():
        if comes_to(program, site, step.node):
            yield site
        else:
            ways.miss(site.call, step)


def entry_points(program: Program, function: ir.Scope, requests: Routes = NO_ROUTES) -> tuple[ir.Scope, ...]:
    """Where the outside begins that comes to a function, over these `requests`, too: modules, and functions that no
    code of the project runs by itself. It is one itself where nobody leads to it.
    """
    queue, seen, found = deque([function]), {id(function)}, list[ir.Scope]()
    while queue and len(seen) <= SCOPES:
        scope = queue.popleft()
        sites = program.callers(scope) if isinstance(scope, ir.Function) else ()
        above = [site.scope for site in (*sites, *requests.get(id(scope), ())) if not site.escapes]
        if not above or len(above) < len(sites):
            found.append(scope)
        new = {id(each): each for each in above if id(each) not in seen}
        seen.update(new)
        queue.extend(new.values())
    return tuple(sorted(found, key=lambda each: each.span))


def loops_around(program: Program, calls: Iterable[tuple[ir.Call, ir.Scope]], requests: Routes = NO_ROUTES) -> Loops:
    """Every loop around these calls that can come back to them, over these `requests`, too."""
    ways = paths_up(program, calls, FAR, requests)
    loops: dict[int, tuple[ir.Loop, ir.Scope, list[Step]]] = {}
    for step in ways.steps.values():
        for loop in program.structure(step.scope).enclosing(step.node, ir.Loop):
            if comes_back(program, loop, step, on_some_answers=True):
                loops.setdefault(id(loop), (loop, step.scope, []))[2].append(step)
    return Loops(tuple((loop, scope, tuple(inside)) for loop, scope, inside in loops.values()), ways)


def comes_back(program: Program, loop: ir.Loop, step: Step, *, on_some_answers: bool = False) -> bool:
    """Whether the loop can go round after the step has succeeded; with `on_some_answers` also where that takes a
    `continue` under a condition (`if tools: …; continue`) in front of what leaves the loop.

    Not when the step stands in what the loop runs over, nor when it is always followed by leaving the loop: what
    then goes round are failures, and those are retries.
    """
    if loop.kind == "comprehension" or (loop.source is not None and loop.source.span.contains(step.node.span)):
        return False
    structure = program.structure(step.scope)
    child: ir.Node = step.node
    ancestors = iter(structure.ancestors(step.node))
    inner: ir.Loop | None = None
    skips = False
    for around in ancestors:
        if is_answer(around) or is_raised(around):
            return is_answer(around) and _parsed_on_the_way(structure, around, step.node, loop)
        verdict = _after(around, child)
        innermost = around if isinstance(around, ir.Loop) else next(structure.enclosing(around, ir.Loop), None)
        skips = skips or (innermost is loop and _may_skip(around, child))
        if verdict in {"return", "raise"} or (verdict == "break" and innermost is loop):
            return on_some_answers and skips
        if verdict == "continue" and innermost is loop:
            return True
        if verdict in {"break", "continue"}:
            inner = innermost
        if around is loop:
            return True
        if inner is not None and around is not inner:
            continue
        inner = None
        child = around
    return True


def _parsed_on_the_way(structure: Structure, leaving: ir.Node, asked: ir.Node, loop: ir.Loop) -> bool:
    """Whether what is returned is a parse of the answer whose failure goes round: `try: return loads(ask())`."""
    inside = (node for node in structure.ancestors(asked) if leaving.span.contains(node.span))
    if not any(isinstance(node, ir.Call) and PARSES.search(callee_name(node.callee)) for node in inside):
        return False
    tries = (node for node in structure.enclosing(leaving, ir.Try) if loop.span.contains(node.span))
    return any(not any(map(leaves, handler.body)) for block in tries for handler in block.handlers)


def _after(around: ir.Node, child: ir.Node) -> str:
    """How the block of `around` that holds `child` is left right after it: "return", "raise", "break", "continue",
    or "".
    """
    for block in blocks(around):
        position = next((n for n, statement in enumerate(block) if statement is child), None)
        for statement in block[position + 1 :] if position is not None else ():
            match statement:
                case ir.Return():
                    return "return"
                case ir.Raise():
                    return "raise"
                case ir.Break() if statement.label != OF_SWITCH:
                    return "break"
                case ir.Continue():
                    return "continue"
                case _:
                    continue
    return ""


def _may_skip(around: ir.Node, child: ir.Node) -> bool:
    """Whether, in the block of `around` that holds `child`, something after it goes on with the next pass before the
    block is left.
    """
    for block in blocks(around):
        position = next((n for n, statement in enumerate(block) if statement is child), None)
        for statement in block[position + 1 :] if position is not None else ():
            if leaves(statement):
                return False
            if any(isinstance(node, ir.Continue) for node in _walk_without((statement,), _loops_in(statement))):
                return True
    return False


def _loops_in(statement: ir.Node) -> set[int]:
    return {id(node) for node in ir.walk(statement) if isinstance(node, ir.Loop)}


def recursions(
    ways: Ways, without: frozenset[int] = frozenset()
) -> Iterator[tuple[tuple[ir.Function, ...], tuple[Step, ...]]]:
    """The sets of functions that can call each other, by position, and the steps in them that reach a model call.

    The calls with the ids in `without` do not count: an agent that starts itself in a pass of its loop is nested.
    """
    edges = ways.callers(without | ways.one_way(without))
    reach = {start: _reachable(edges, start) for start in edges}
    done: set[int] = set()
    for start in edges:
        if start in done or start not in reach[start]:
            continue
        members = [key for key in reach[start] if key in reach and start in reach[key]]
        done.update(members)
        functions = [scope for key in members if isinstance(scope := ways.scopes.get(key), ir.Function)]
        round_trips = _on_every_way(edges, members)
        others = {id(step.scope) for step in ways.steps.values() if not _runs_its_parameter(step)}
        functions.sort(key=lambda each: (id(each) not in round_trips, id(each) not in others, each.span))
        yield tuple(functions), tuple(step for step in ways.steps.values() if id(step.scope) in members)


def _runs_its_parameter(step: Step) -> bool:
    """Whether a call runs what its function was handed, as a limiter does: the one that goes round is whoever hands."""
    if not isinstance(step.node, ir.Call) or not isinstance(step.scope, ir.Function):
        return False
    callee = step.node.callee
    return isinstance(callee, ir.Name) and any(param.name == callee.id for param in step.scope.params)


def _on_every_way(edges: dict[int, set[int]], members: list[int]) -> frozenset[int]:
    """The functions of a recursion through which every way round goes, those that call themselves before others; none
    when there are several ways round, or too many functions.
    """
    if len(members) > RECURSION:
        return frozenset()
    inside = {key: edges[key].intersection(members) for key in members}
    found = {key for key in members if not _has_cycle(inside, without=key)}
    return frozenset({key for key in found if key in inside[key]} or found)


def _has_cycle(edges: dict[int, set[int]], without: int) -> bool:
    left = {key: others - {without} for key, others in edges.items() if key != without}
    while ends := [key for key, others in left.items() if not others]:
        for key in ends:
            del left[key]
        left = {key: others.difference(ends) for key, others in left.items()}
    return bool(left)


def _reachable(edges: dict[int, set[int]], start: int) -> set[int]:
    return set(reached(edges.get(start, ()), lambda each: edges.get(each, ())))


class Extent(NamedTuple):
    """What one pass of a loop or recursion may run: its own nodes, and those of the functions that it calls."""

    own: tuple[ir.Node, ...]
    called: tuple[tuple[ir.Function, tuple[ir.Node, ...]], ...]

    def nodes(self) -> Iterator[ir.Node]:
        """All nodes, its own first."""
        return chain(self.own, *(nodes for _, nodes in self.called))


def extent(
    program: Program, body: tuple[ir.Node, ...], inner: Collection[int], ways: Iterable[ir.Scope] = ()
) -> Extent:
    """The extent of `body`, leaving out the loops whose ids are in `inner` and the functions they are the body of.

    The functions of `ways` come first, however many there are: those on the way to what the question is about.
    """
    first = tuple(ways)
    if not inner and not first:
        return program.kept(_whole, body)
    return program.once(_Extents).of(body, frozenset(inner), first)


def _whole(program: Program, body: tuple[ir.Node, ...]) -> Extent:
    return _entered(program, body, frozenset(), frozenset())


class _Extents:
    """The extents of one program: many ask for that of the same code."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[object, ...], tuple[Extent, tuple[ir.Node, ...]]] = {}

    def of(self, body: tuple[ir.Node, ...], inner: frozenset[int], ways: tuple[ir.Scope, ...]) -> Extent:
        first = frozenset(map(id, ways))
        key = (*map(id, body), inner, first)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _entered(self._program, body, inner, first), body
        return found[0]


def _entered(program: Program, body: tuple[ir.Node, ...], inner: frozenset[int], first: frozenset[int]) -> Extent:
    """An extent without the branches to which none of its calls leads."""
    whole = _extent(program, body, inner, first)
    out = left_out(program, (function for function, _ in whole.called), whole.nodes)
    return _extent(program, body, inner | out, first) if out else whole


def _extent(program: Program, body: tuple[ir.Node, ...], inner: frozenset[int], first: frozenset[int]) -> Extent:
    own = without(body, inner)
    scopes = {id(scope) for scope in scopes_around(program.scope_of(body[0]))} if body else set()
    called: dict[int, tuple[ir.Function, tuple[ir.Node, ...]]] = {}
    near: deque[ir.Function] = deque()
    far: deque[ir.Function] = deque()

    def follow(functions: Iterable[ir.Function]) -> None:
        for function in functions:
            (near if id(function) in first else far).append(function)

    follow(_called(program, own))
    follow(written_in_runners(program, own))
    handing: list[ir.Function] = []
    while near or (far and len(called) < EXTENT):
        function = near.popleft() if near else far.popleft()
        if id(function) not in called and id(function) not in inner:
            nodes = program.structure(function).nodes
            is_whole = inner.isdisjoint(map(id, nodes)) if inner else True
            nodes = nodes if is_whole else without(function.body, inner)
            called[id(function)] = (function, nodes)
            scopes.add(id(function))
            follow(run_by(program, function, scopes) if is_whole else _called(program, nodes))
            follow(functions_passed_in(program, function) if is_whole else written_in_runners(program, nodes))
            handing += [function] if is_whole and runs_its_argument(program, function) else []
        if not near and not far:  # who was entered later may hand them more
            late = (each for helper in handing for each in run_by(program, helper, scopes))
            follow(each for each in late if id(each) not in called and id(each) not in inner)
    return Extent(own, tuple(called.values()))


def without(body: tuple[ir.Node, ...], inner: Collection[int]) -> tuple[ir.Node, ...]:
    """All nodes below these statements, leaving out what has its id in `inner`."""
    return tuple(_walk_without(body, inner))


def _walk_without(body: tuple[ir.Node, ...], inner: Collection[int]) -> Iterator[ir.Node]:
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        if id(node) in inner:
            continue
        yield node
        stack.extend(reversed(ir.children(node)))


def _called(program: Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Function]:
    for node in nodes:
        if isinstance(node, ir.Call):
            yield from program.callees(node)
