"""What an agent system consists of, as a CycloneDX document: agents, tools, models, prompts, servers and packages.

The official library makes the document; it is loaded here alone, and comes with the extra `sbom`. The same input gives
the same bytes: the document has no time of its making, and its number follows from its content.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.component_evidence import ComponentEvidence, Occurrence
from cyclonedx.model.service import Service
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from agent_architecture.picture.parts import NodeKind
from agent_architecture.render.json import json_text
from agent_architecture.render.picture_words import doing_words
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Dependency
    from agent_architecture.picture.parts import Edge, Node
    from agent_architecture.report import ProjectFacts, Report
    from agent_architecture.sources.source import Span

PREFIX: Final = "agent-architecture"
COMPONENTS: Final = frozenset({NodeKind.AGENT, NodeKind.TOOL})
SERVICES: Final = frozenset({NodeKind.MCP_SERVER, NodeKind.MCP_CLIENT, NodeKind.PEER})
LOCKED: Final = "lock"


def render(report: Report) -> str:
    """The document as JSON text with a final newline (CycloneDX 1.6)."""
    made = json.loads(JsonV1Dot6(_bom(report)).output_as_string())
    del made["metadata"]["timestamp"]
    made.pop("serialNumber", None)
    for part in made.get("components", ()):  # cyclonedx-python-lib 11.12 orders them by the addresses of their objects
        part.get("evidence", {}).get("occurrences", []).sort(key=lambda one: (one["location"], one["line"], str(one)))
    number = uuid5(NAMESPACE_URL, json.dumps(made, sort_keys=True))
    return json_text({"$schema": made.pop("$schema"), "serialNumber": f"urn:uuid:{number}", **made})


def _bom(report: Report) -> Bom:
    facts, picture = report.project, report.picture
    bom = Bom()
    tool = Component(name=report.tool.name, version=report.tool.version, type=ComponentType.APPLICATION, bom_ref=PREFIX)
    bom.metadata.tools.components.add(tool)
    root = Component(name=visible(facts.name), type=ComponentType.APPLICATION, bom_ref="project")
    bom.metadata.component = root
    components = {node.id: _component(node) for node in picture.nodes if node.kind in COMPONENTS}
    services = {node.id: _service(node) for node in picture.nodes if node.kind in SERVICES}
    parts: dict[str, Component | Service] = {**components, **services}
    others = [*_models(facts), *_prompts(facts), *map(_package, facts.frameworks)]
    bom.components.update(components.values(), others)
    bom.services.update(services.values())
    bom.register_dependency(root, [*parts.values(), *others])
    for owner, own in _needed(picture.edges, parts):
        bom.register_dependency(owner, own)
    return bom


def _component(node: Node) -> Component:
    return Component(
        name=visible(node.name) or node.kind,
        type=ComponentType.APPLICATION,
        bom_ref=node.id,
        properties=_properties(node),
        evidence=_seen([(node.span, node.name)]),
    )


def _service(node: Node) -> Service:
    return Service(name=visible(node.name) or node.kind, bom_ref=node.id, properties=_properties(node))


def _properties(node: Node) -> Iterator[Property]:
    """What CycloneDX has no field for: the kind, the library, how it is known, what it does, what guards it."""
    yield _said("kind", node.kind)
    yield _said("place", f"{node.span.path}:{node.span.line}")
    yield _said("degree", node.degree)
    if node.framework:
        yield _said("framework", node.framework)
    yield from (_said("effect", doing_words(doing)) for doing in node.does)
    yield from (_said("guard", check.name) for check in node.checks if check.blocks)
    yield from (_said("note", note) for note in node.notes)


def _models(facts: ProjectFacts) -> Iterator[Component]:
    """A component for each model that is named, with the places that name it."""
    places: dict[str, list[tuple[Span, str]]] = {}
    for use in facts.models:
        for name in use.name.values:
            places.setdefault(str(name), []).append((use.span, use.symbol))
    for name, found in sorted(places.items()):
        yield Component(
            name=visible(name),
            type=ComponentType.MACHINE_LEARNING_MODEL,
            bom_ref=f"model:{visible(name)}",
            properties=[_said("kind", "model")],
            evidence=_seen(found),
        )


def _prompts(facts: ProjectFacts) -> Iterator[Component]:
    for prompt in facts.prompts:
        span = prompt.span
        yield Component(
            name=visible(prompt.symbol) or "prompt",
            type=ComponentType.DATA,
            bom_ref=f"prompt:{visible(span.path)}:{span.line}:{span.col}:{visible(prompt.symbol)}",
            properties=[_said("kind", "prompt")],
            evidence=_seen([(span, prompt.symbol)]),
        )


def _package(found: Dependency) -> Component:
    """A package; only a lock file says which version is there."""
    version = visible(found.version) if found.origin == LOCKED else None
    group, _, name = found.name.rpartition("/")
    url = PackageURL(type=found.ecosystem, namespace=group or None, name=name, version=version)
    where = [] if found.path is None else [_said("place", found.path)]
    return Component(
        name=visible(name),
        group=visible(group) or None,
        version=version,
        type=ComponentType.FRAMEWORK,
        bom_ref=f"package:{found.ecosystem}:{visible(found.name)}:{visible(found.path or '')}",
        purl=url,
        properties=[_said("kind", "package"), _said("version from", found.origin), *where],
    )


def _seen(places: Iterable[tuple[Span, str]]) -> ComponentEvidence:
    return ComponentEvidence(
        occurrences=[
            Occurrence(location=visible(span.path), line=max(span.line, 1), symbol=visible(symbol) or None)
            for span, symbol in dict.fromkeys(places)
        ]
    )


def _needed(
    edges: Iterable[Edge], parts: dict[str, Component | Service]
) -> Iterator[tuple[Component | Service, list[Component | Service]]]:
    """What each part uses, as far as both are in the document."""
    own: dict[str, list[Component | Service]] = {}
    for edge in edges:
        if edge.source in parts and edge.target in parts:
            own.setdefault(edge.source, []).append(parts[edge.target])
    yield from ((parts[source], found) for source, found in own.items())


def _said(name: str, value: str) -> Property:
    return Property(name=f"{PREFIX}:{name}", value=visible(value))
