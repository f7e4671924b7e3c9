"""An agent system as text: the notation of the `model` blocks of the packs' pages.

One entity a line, in any order. It knows the model's types by their fields, and no framework.

A line is: what it is (`site`, `agent`, `tool`, `handoff`, `model_call`, `feedback_path`, `code_sink`), its kind where
it has one, where it stands, its symbol, and then every property that differs from its usual value, in the order of
`model/system.py`: `name=value`, or the name alone for a truth that is usually false. Lists are joined by commas; other
entities stand with their symbol, feedback paths with their place; a setting is its origin, its values joined by `|`,
where it was written unless that is the entity's own line, and its source in brackets; a list or mapping stands in
brackets:

    site run main.py:12 graph.invoke framework=langgraph agents=graph step_limit=default 10007 (langgraph 1.2.22)
    handoff main.py:9 triage → refunds framework=openai-agents
    feedback_path loop main.py:8 answer bounds=(range main.py:8 limit=written 10)

What most pages are not about is compared only in sections whose block states it: the entities of `ON_DEMAND` and the
properties of `DETAILS`, each by its name.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

from agent_architecture.model.protocols import Parts
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.supply import InstallItem
from agent_architecture.model.system import AgentSystem, Bound, FeedbackPath
from agent_architecture.sources.source import Span
from page_checks import understand, write
from pages import Block, Section

ON_DEMAND: Final = {
    "progress": "progress",
    "traced_work": "traced_work",
    "remembered": "remembered",
    "goals": "goal",
    "disclosures": "disclosure",
    "observed": "observed",
    "bindings": "binding",
    "models": "model",
    "retries": "retry",
    "fan_outs": "fan_out",
    "memories": "memory",
    "touches": "touch",
    "nested": "nested",
    "teams": "team",
    "handed": "handed",
    "watched": "watched",
    "server_trust": "server_trust",
    "sent_pushes": "sent_push",
    "received_pushes": "received_push",
    "reaches": "reach",
    "shared": "shared",
    "shown": "shown",
    "served_inside": "served_inside",
} | {
    name: name[:-1]
    for name in (
        *(
            "model_outputs",
            "tool_orders",
            "untrusted_flows",
            "premises",
            "retellings",
            "instructions",
            "client_turns",
            "exposures",
            "install_paths",
            "tool_results",
            "collections",
        ),
        *(
            "remote_uses",
            "pauses",
            "unread_calls",
            "waits",
            "approvals",
            "operations",
            "routers",
            "state_holders",
            "served_results",
            "forwarded_tokens",
            "credentials",
            "decision_points",
        ),
        *("memory_writes", "memory_reads", "memory_limits"),
        *("mcp_clients", "mcp_starts", "host_configs", "a2a_endpoints", "agent_cards", "genai_spans", "mcp_offers"),
        *("tool_changes", "listed_servers", "published_cards", "task_lives", "task_polls"),
    )
}
"""Fields of a system that a section shows when its block states one of them, by the word of their lines."""
DETAILS: Final = {
    "tool": (
        "schema",
        "effects",
        "guards",
        "gate",
        "annotations",
        "isolation",
        "inferred",
        "is_agent",
        "stated",
        "located",
    ),
    "agent": ("guards",),
    "code_sink": ("sites",),
    "site": ("token_limit", "cost_limit", "request_limit", "max_tokens", "uncapped"),
}
"""Properties that a section shows when a line of its block states them for an entity of that kind."""


def model_lines(system: AgentSystem, stated: str | None = None) -> tuple[str, ...]:
    """A system as text, sorted: all of it, or as much as a block that states `stated` is about."""
    heads = [(_marked(line)[1].split(maxsplit=1)) for line in (stated or "").split("\n") if line.strip()]
    words = {head[0] for head in heads}
    fields = [name for name in system._fields if name not in {"project", "fixes", "mends"}]
    shown = [name for name in fields if stated is None or name not in ON_DEMAND or ON_DEMAND[name] in words]
    hidden = {
        word: frozenset(name for name in names if not any(h[0] == word and f" {name}" in h[-1] for h in heads))
        for word, names in DETAILS.items()
        if stated is not None
    }
    kinds = [(name, ON_DEMAND.get(name, name[:-1])) for name in shown]
    return tuple(
        sorted(_entity(w, entity, hidden.get(w, frozenset())) for name, w in kinds for entity in getattr(system, name))
    )


_ALWAYS: Final = {"zero_ends"}
"""Fields of bounds that follow from how the code compares: the detector's page shows what they do."""
_SPOKEN: Final = {"handoff": {"source", "target"}}
"""Fields that an entity's symbol says already."""


def _entity(word: str, entity: NamedTuple, hidden: frozenset[str]) -> str:
    fields = {name: value for name, value in entity._asdict().items() if name not in hidden}
    span = fields.pop("span")
    head = [word, *([str(fields.pop("kind"))] if "kind" in fields else []), _place(span), fields.pop("symbol")]
    usual = {"name": head[-1], **entity._field_defaults, "framework": ""}
    if "opened" in fields and fields["opened"][:2] == span[:2]:
        del fields["opened"]
    shown = [
        _property(name, value, span)
        for name, value in fields.items()
        if name not in _SPOKEN.get(word, ()) and (name not in usual or value != usual[name])
    ]
    return " ".join([*head, *shown])


def _property(name: str, value: object, at: Span) -> str:
    return name if value is True else f"{name}={_text(value, at)}"


def _text(value: object, at: Span) -> str:
    symbol = getattr(value, "symbol", None)
    match value:
        case bool():
            return "yes" if value else "no"
        case Setting():
            return _setting(value, at)
        case Parts():
            return _parts(value, at)
        case Span():
            return _place(value)
        case Bound():
            return _bound(value)
        case FeedbackPath():
            return _place(value.span)
        case InstallItem():
            locked = (value.locked,) if value.locked else ()
            return ",".join(_text(item, at) for item in (value.name, value.pin, value.span, value.serves, *locked))
        case tuple() if symbol is None:
            return ",".join(_text(item, at) for item in value)
        case _:
            return str(value if symbol is None else symbol)


def _bound(bound: Bound) -> str:
    fields = bound._asdict()
    usual = Bound._field_defaults
    shown = [
        _property(n, v, bound.span) for n, v in fields.items() if n in usual and v != usual[n] and n not in _ALWAYS
    ]
    return f"({' '.join([bound.kind, _place(bound.span), *shown])})"


def _setting(setting: Setting, at: Span) -> str:
    parts = [str(setting.origin)]
    if setting.values:
        parts.append("|".join("None" if value is None else str(value) for value in setting.values))
    if setting.span is not None and setting.origin is Origin.WRITTEN and setting.span[:2] != at[:2]:
        parts.append(f"at {_place(setting.span)}")
    if setting.source:
        parts.append(f"({setting.source})")
    return " ".join(parts)


def _parts(parts: Parts, at: Span) -> str:
    """`(Authorization: unknown (…); …)`: entries by semicolons, dots for what may be in it besides."""
    shown = [f"{part.name}: {_setting(part.value, at)}".removeprefix(": ") for part in parts.entries]
    shown += ["whole environment"] if parts.whole_environment else [] if parts.complete else ["…"]
    return f"{'' if parts.origin is Origin.WRITTEN else f'{parts.origin} '}({'; '.join(shown)})"


def _place(span: Span) -> str:
    return f"{span.path}:{span.line}"


def check_model(section: Section, folder: Path) -> list[str]:
    """What is wrong with a section of a pack's page: lines that its `model` block has too many or too few.

    `MISSING` before a line says that the model should give it and does not, `SPURIOUS` that it should not give it.
    """
    write(section, folder)
    system, notices = understand(folder)
    text = "\n".join(block.text for block in models(section))
    made = Counter(model_lines(system, text))
    stated = [_marked(line) for line in text.split("\n") if line.strip()]
    wanted = Counter(line for mark, line in stated if mark != "MISSING")
    fixed = [line for mark, line in stated if mark == "MISSING" and made[line]]
    return [
        *notices,
        *(f"found now, drop the word MISSING: {line}" for line in fixed),
        *(f"stated, not found: {line}" for line in sorted((wanted - made).elements())),
        *(f"found, not stated: {line}" for line in sorted((made - wanted).elements()) if line not in fixed),
    ]


def _marked(line: str) -> tuple[str, str]:
    words = line.split()
    mark = words[0] if words[0] in {"MISSING", "SPURIOUS"} else ""
    return mark, " ".join(words[bool(mark) :])


def models(section: Section) -> tuple[Block, ...]:
    """The `model` blocks of a section."""
    return tuple(block for block in section.blocks if block.language == "model")
