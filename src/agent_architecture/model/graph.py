"""Questions about the delegation graph: which edges lie on a cycle, which agents can reach an agent, and which agent a
binding is of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from agent_architecture.model.system import Agent, Binding, Handoff, Subject
    from agent_architecture.sources.source import Span


def reachable(edges: Iterable[Handoff], start: Agent) -> frozenset[int]:
    """The ids of the agents that `start` can hand over to, through any number of edges."""
    targets: dict[int, list[Agent]] = {}
    for edge in edges:
        targets.setdefault(id(edge.source), []).append(edge.target)
    seen: set[int] = set()
    stack = list(targets.get(id(start), ()))
    while stack:
        agent = stack.pop()
        if id(agent) not in seen:
            seen.add(id(agent))
            stack.extend(targets.get(id(agent), ()))
    return frozenset(seen)


def working_for(edges: Iterable[Handoff], agents: Iterable[Agent]) -> frozenset[Span]:
    """Where the agents stand that work when these are run: they themselves, and those to which they pass the work."""
    known = tuple(edges)
    found = [agent.span for agent in agents]
    for span in found:
        found += [e.target.span for e in known if e.source.span == span and e.target.span not in found]
    return frozenset(found)


def binds(binding: Binding, owner: Subject) -> bool:
    """Whether a binding is of an agent or site: inside it, or under its name in the same file."""
    named = binding.symbol.partition(" → ")[0] == owner.symbol and binding.span.path == owner.span.path
    return owner.span.contains(binding.span) or (named and binding.span > owner.span)


class Delegations:
    """The whole graph, for questions about many of its edges: each is answered once for all agents of a cycle."""

    def __init__(self, edges: Iterable[Handoff]) -> None:
        self._targets: dict[int, list[int]] = {}
        self._sources: dict[int, list[int]] = {}
        for edge in edges:
            self._targets.setdefault(id(edge.source), []).append(id(edge.target))
            self._sources.setdefault(id(edge.target), []).append(id(edge.source))
        self._circle = self._circles()
        self._before: dict[int, frozenset[int]] = {}

    def on_cycle(self, edge: Handoff) -> bool:
        """Whether the work can come back along this edge."""
        return self._circle[id(edge.source)] == self._circle[id(edge.target)]

    def reaching(self, agent: Agent) -> frozenset[int]:
        """The ids of the agents from which the work can come to this one, its own among them."""
        circle = self._circle.get(id(agent), id(agent))
        if circle not in self._before:
            self._before[circle] = frozenset(_beyond(self._sources, id(agent)))
        return self._before[circle]

    def _circles(self) -> dict[int, int]:
        """For each agent one of those that it can come to and that can come back to it (Kosaraju)."""
        done: set[int] = set()
        finished = [node for start in self._targets for node in _in_order_left(self._targets, start, done)]
        circle: dict[int, int] = {}
        for start in reversed(finished):
            if start not in circle:
                for node in _beyond(self._sources, start, circle):
                    circle[node] = start
        return circle


def _beyond(edges: dict[int, list[int]], start: int, without: Container[int] = ()) -> list[int]:
    """A node and all that edges lead to from it, but not through nodes of `without`."""
    seen, stack = {start: None}, [start]
    while stack:
        for node in edges.get(stack.pop(), ()):
            if node not in seen and node not in without:
                seen[node] = None
                stack.append(node)
    return list(seen)


def _in_order_left(edges: dict[int, list[int]], start: int, done: set[int]) -> Iterator[int]:
    """The nodes from `start` on that are not done, each after all that it leads to."""
    stack = [(start, iter(edges.get(start, ())))] if start not in done else []
    done.add(start)
    while stack:
        node, rest = stack[-1]
        following = next((inner for inner in rest if inner not in done), None)
        if following is None:
            stack.pop()
            yield node
        else:
            done.add(following)
            stack.append((following, iter(edges.get(following, ()))))


class Chains:
    """Which agents start which, by where they are made: what lies in a circle, and how deep the others are nested."""

    def __init__(self, inside: Iterable[tuple[Span, Span]], passing: Iterable[tuple[Span, Span]] = ()) -> None:
        self._inner: dict[Span, list[Span]] = {}
        self._outer: dict[Span, list[Span]] = {}
        self._ways: dict[Span, list[Span]] = {}
        for source, target in inside:
            self._inner.setdefault(source, []).append(target)
            self._outer.setdefault(target, []).append(source)
            self._ways.setdefault(source, []).append(target)
        for source, target in passing:
            self._ways.setdefault(source, []).append(target)

    def in_circle(self, source: Span, target: Span) -> bool:
        """Whether the inner agent can come to start the outer one again."""
        seen, stack = {target}, [target]
        while stack:
            span = stack.pop()
            if span == source:
                return True
            for other in self._ways.get(span, ()):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return False

    def depth(self, source: Span, target: Span) -> int:
        """How many agents lie inside each other on the longest chain through an edge."""
        return _longest(self._outer, source, frozenset({target})) + _longest(self._inner, target, frozenset({source}))


def _longest(edges: dict[Span, list[Span]], start: Span, seen: frozenset[Span]) -> int:
    around = seen | {start}
    return 1 + max((_longest(edges, other, around) for other in edges.get(start, ()) if other not in around), default=0)
