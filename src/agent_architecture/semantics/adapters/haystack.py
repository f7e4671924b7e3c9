"""Which of Haystack's pipelines are agents: those that come back to a model.

Rows cannot say this: components are added to a pipeline and connected by their names, in statements. A pipeline that
asks a model once, or none, is no agent; most of them index documents, or answer from what they found. Rule:
haystack/core/pipeline/base.py (`add_component`, `connect`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const
from agent_architecture.semantics.adapters.graphs import cyclic
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

PIPELINE: Final = "py:haystack.Pipeline"
ADD: Final = "add_component"
CONNECT: Final = "connect"
ASKING: Final = frozenset({"model_client", "fallback", "agent"})
"""Kinds of what a component is made by, should it ask a model."""
NAME, COMPONENT = parse_address("name | 0"), parse_address("instance | 1")
SENDER, RECEIVER = parse_address("sender | 0"), parse_address("receiver | 1")


def without_plain_pipelines(program: Program, packs: Packs, matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The matches without those of pipelines that never come back to a model, and without their runs."""
    pipelines = {id(match.node) for match in matches if match.row.kind == "agent" and _is_pipeline(packs, match)}
    if not pipelines:
        return matches
    asking = {id(match.node) for match in matches if match.row.kind in ASKING} - pipelines
    plain = pipelines - _returning(program, packs, asking)
    return tuple(match for match in matches if match.row.kind not in {"agent", "run"} or not _belongs(match, plain))


def _is_pipeline(packs: Packs, match: Match) -> bool:
    return packs.canonical(match.api.path) == PIPELINE


def _belongs(match: Match, plain: set[int]) -> bool:
    return id(match.node) in plain or any(id(api.node) in plain for api in receivers(match.api))


def _returning(program: Program, packs: Packs, asking: set[int]) -> set[int]:
    """The pipelines with a circle in which a model is asked, by the node that makes each."""
    edges: dict[int, dict[str, set[str]]] = {}
    for key, call in _calls(program, packs, CONNECT):
        table = edges.setdefault(key, {})
        for source in _names(at_call(program, call, None, SENDER).values):
            table.setdefault(source, set()).update(_names(at_call(program, call, None, RECEIVER).values))
    circles = {key: cyclic(table) for key, table in edges.items()}
    return {
        key
        for key, call in _calls(program, packs, ADD)
        if circles.get(key, set()) & set(_names(at_call(program, call, None, NAME).values))
        and any(isinstance(v, Api) and id(v.node) in asking for v in at_call(program, call, None, COMPONENT).values)
    }


def _calls(program: Program, packs: Packs, name: str) -> Iterator[tuple[int, ir.Call]]:
    """The calls of a pipeline's method, each with the node that makes the pipeline."""
    for site in program.calls(name):
        for api in resolved(program, site.call.callee):
            if packs.canonical(api.path) == f"{PIPELINE}().{name}":
                yield from ((id(one.node), site.call) for one in receivers(api) if isinstance(one.node, ir.Call))


def _names(values: Values) -> Iterator[str]:
    """The components that `"llm.replies"` or `"llm"` names."""
    for value in values:
        if isinstance(value, Const) and isinstance(value.value, str):
            yield value.value.partition(".")[0]
