"""The ways of untrusted text to effects: from a run that reads it, over the agents that work for it, to what a model
can make a tool change outside, or the run itself does.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from agent_architecture.impact import gravity, led_outside
from agent_architecture.model.effects import CHANGING, Shaped
from agent_architecture.picture.nodes import check_of, doing_of, key_of, source_key
from agent_architecture.picture.parts import EdgeKind, Way

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.exposure import Exposure
    from agent_architecture.model.system import AgentSystem
    from agent_architecture.picture.nodes import Drawn
    from agent_architecture.picture.parts import Check, Edge, Node
    from agent_architecture.sources.source import Span

FOLLOWED: Final = frozenset({EdgeKind.RUNS, EdgeKind.CALLS, EdgeKind.HANDS_OVER, EdgeKind.STARTS})
MOST: Final = 500
"""Ways that are kept: more than anybody looks at one by one."""

Ranked = tuple[tuple[int, int, str], Way]


def ways_of(system: AgentSystem, drawn: Drawn, edges: Sequence[Edge]) -> tuple[Way, ...]:
    """The ways, the gravest effect first; of one run and one tool a way for each kind of effect."""
    leaving: dict[str, list[int]] = {}
    for at, edge in enumerate(edges):
        if edge.kind in FOLLOWED:
            leaving.setdefault(edge.source, []).append(at)
    by_id = {node.id: node for node in drawn.nodes}
    ranked = [way for exposure in system.exposures for way in _from(exposure, system, drawn, edges, leaving, by_id)]
    ranked.sort(key=lambda one: (one[0], one[1].entry, one[1].nodes))
    return tuple(way for _, way in ranked[:MOST])


def _from(  # noqa: PLR0913, PLR0917 - the run, the system, and how it is drawn
    exposure: Exposure,
    system: AgentSystem,
    drawn: Drawn,
    edges: Sequence[Edge],
    leaving: dict[str, list[int]],
    by_id: dict[str, Node],
) -> Iterator[Ranked]:
    start = drawn.ids.get(key_of(exposure.site))
    if start is None:
        return
    before, entered = _entry(exposure, start, drawn, edges)
    came = _walked(start, leaving, edges)
    for end, effects in _ends(exposure, system, start, drawn):
        if end in came:
            steps = _back(end, start, came, edges)
            nodes = (*before, start, *(edges[at].target for at in steps))
            passed = (*entered, *steps)
            checks = (*(check for at in passed for check in edges[at].checks), *by_id[end].checks)
            for effect in effects:
                yield gravity(effect), _way(exposure, nodes, passed, effect, checks)


def _way(
    exposure: Exposure, nodes: tuple[str, ...], passed: tuple[int, ...], effect: Effect, checks: tuple[Check, ...]
) -> Way:
    around = () if passed else tuple(map(check_of, exposure.screens))
    return Way(exposure.origins, exposure.source, nodes, passed, doing_of(effect), (*around, *checks))


def _entry(
    exposure: Exposure, start: str, drawn: Drawn, edges: Sequence[Edge]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The node of the texts, and the edge from it; none where only tools bring them in."""
    source = drawn.ids.get(source_key(exposure))
    found = next((at for at, edge in enumerate(edges) if edge.source == source and edge.target == start), None)
    return ((), ()) if source is None or found is None else ((source,), (found,))


def _ends(
    exposure: Exposure, system: AgentSystem, start: str, drawn: Drawn
) -> Iterator[tuple[str, tuple[Effect, ...]]]:
    """Where ways end: tools that a model can make change something outside, and what the run does by itself."""
    for tool in exposure.tools:
        end = drawn.ids.get(key_of(tool))
        if end is not None:
            yield end, _one_a_kind(led_outside(tool))
    yield start, _one_a_kind((*_by_itself(exposure.site.span, system), *exposure.sends))


def _by_itself(site: Span, system: AgentSystem) -> Iterator[Effect]:
    for touch in system.touches:
        effect, own = touch.effect, touch.site is not None and touch.site.span == site
        if own and effect.kind in CHANGING and effect.shaped is not Shaped.NOT:
            yield effect


def _one_a_kind(effects: Sequence[Effect]) -> tuple[Effect, ...]:
    kinds: dict[str, Effect] = {}
    for effect in sorted(effects, key=gravity):
        kinds.setdefault(effect.kind, effect)
    return tuple(kinds.values())


def _walked(start: str, leaving: dict[str, list[int]], edges: Sequence[Edge]) -> dict[str, int]:
    """The nodes that can be reached, each with the edge by which it is reached first; -1 for the start."""
    came = {start: -1}
    waiting = deque([start])
    while waiting:
        for at in leaving.get(waiting.popleft(), ()):
            target = edges[at].target
            if target not in came:
                came[target] = at
                waiting.append(target)
    return came


def _back(end: str, start: str, came: dict[str, int], edges: Sequence[Edge]) -> tuple[int, ...]:
    steps: list[int] = []
    while end != start:
        steps.append(came[end])
        end = edges[came[end]].source
    return tuple(reversed(steps))
