"""What a call does to the world, as the packs' effect rows say.

Of several rows for one call the first whose required values are there counts. Knows no library, and not who reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.semantics.match import is_one_of, resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Api
    from agent_architecture.semantics.packs import Packs
    from agent_architecture.semantics.rows import EffectRow
    from agent_architecture.syntax import ir


class Effect(NamedTuple):
    """A call's effect: the row that says so, and the callee as it was resolved."""

    row: EffectRow
    api: Api


def effects_of(program: Program, packs: Packs, call: ir.Call) -> Iterator[Effect]:
    """The effects of a call, one for each library call that its callee can be."""
    for api in resolved(program, call.callee):
        row = next((row for row in packs.effects(api.path) if _holds(program, call, api, row)), None)
        if row is not None:
            yield Effect(row, api)


def _holds(program: Program, call: ir.Call, api: Api, row: EffectRow) -> bool:
    return all(is_one_of(program, call, api.receiver, *required) for required in row.requires)
