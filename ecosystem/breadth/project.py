"""One project: what the analysis finds there, beside the count by words. A process of its own, prints JSON."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.model.system import PROTOCOL_SITES
from ecosystem.breadth.lexical import Sighting, sightings
from ecosystem.found import system_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.model.system import Agent, AgentSystem, ModelCall, Site, Tool

MEANT: Final = {"tool": ("tool",), "agent": ("agent", "site"), "request": ("request", "site")}
"""The kinds of entities that each kind of sighting may be: a run asks a model, a hand-written agent is its loop."""


class Entity(NamedTuple):
    """One thing of the model, as far as it is counted."""

    kind: str
    """`site`, `server`, `agent`, `tool` or `request`."""
    degree: str
    path: str
    line: int
    last: int
    names: frozenset[str]


def entities(system: AgentSystem) -> tuple[Entity, ...]:
    """The entities that are counted."""
    found = [_entity("server" if site.kind in PROTOCOL_SITES else "site", site) for site in system.sites]
    found += [_entity("agent", agent) for agent in system.agents]
    found += [_entity("tool", tool, tool.name) for tool in system.tools]
    found += [_entity("request", call) for call in system.model_calls]
    return tuple(found)


def _entity(kind: str, subject: Site | Agent | Tool | ModelCall, *names: str) -> Entity:
    span = subject.span
    return Entity(kind, str(subject.degree), span.path, span.line, span.end_line, frozenset({subject.symbol, *names}))


def unmatched(seen: Sequence[Sighting], found: Iterable[Entity]) -> Iterator[Sighting]:
    """The sightings where no entity stands: none of what they may be overlaps them, and no tool has their name."""
    by_file: dict[tuple[str, str], list[Entity]] = {}
    named: set[str] = set()
    for entity in found:
        by_file.setdefault((entity.kind, entity.path), []).append(entity)
        if entity.kind == "tool":
            named |= entity.names
    for one in seen:
        near = (entity for kind in MEANT[one.kind] for entity in by_file.get((kind, one.path), ()))
        if (one.kind == "tool" and one.name in named) or any(_overlap(one, entity) for entity in near):
            continue
        yield one


def _overlap(one: Sighting, entity: Entity) -> bool:
    """A long entity (a class, a loop) only stands where it begins: what is written inside it is something else."""
    last = entity.last if entity.kind in {"request", "agent"} else entity.line
    return entity.line <= one.last and one.line <= last


def compared(root: Path) -> Mapping[str, object]:
    """What a line of the results says of the project at `root`."""
    found = entities(system_of(root, with_examples=True))
    seen = sightings(root)
    counted: dict[str, dict[str, int]] = {}
    for (kind, degree), number in sorted(Counter((one.kind, one.degree) for one in found).items()):
        counted.setdefault(kind, {})[degree] = number
    return {
        "entities": counted,
        "seen": dict(sorted(Counter(one.what for one in seen).items())),
        "kinds": dict(sorted(Counter(one.kind for one in seen).items())),
        "missing": [
            {"what": one.what, "kind": one.kind, "place": f"{one.path}:{one.line}", "text": one.text}
            for one in unmatched(seen, found)
        ],
    }


if __name__ == "__main__":
    json.dump(compared(Path(sys.argv[1])), sys.stdout)
