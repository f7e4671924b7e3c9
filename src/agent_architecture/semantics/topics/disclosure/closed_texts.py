"""Variables that can hold one of a few words only, by what was asked on every way to a record: whoever chose the word,
it says nothing of what was said.

What is asked there is for `control`, whatever the test is written like; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.lookup import mentions
from agent_architecture.names.structure import blocks
from agent_architecture.semantics.control.condition import all_in, held
from agent_architecture.semantics.control.condition_parts import given_constants
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.written_lists import one_of_few
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.control.condition import Condition, Known
    from agent_architecture.semantics.matching.context import Context


def is_closed(context: Context, text: ir.Expr) -> bool:
    """Whether a text is one of a few words, whatever was given."""
    match text:
        case ir.Name():
            return _is_closed(context, text)
        case ir.Template(parts=parts):
            rest = [part for part in parts if not isinstance(part, ir.Literal)]
            return bool(rest) and all(is_closed(context, part) for part in rest)
        case _:
            return False


def _is_closed(context: Context, name: ir.Name) -> bool:
    """Whether a name was asked about, and only given words that are written since."""
    known = conditions_of(context).at(name)
    asked = _asked(context, known, name.id)
    nodes = context.program.structure(context.program.scope_of(name)).nodes
    stores = [node for node in nodes if isinstance(node, ir.Assign) and name.id in _names(node.target)]
    others = [store for store in stores if not _is_word(store, name.id)]
    if asked is None:
        return bool(others) and all(_is_asked_behind(context, store, name) for store in others)
    return all(store.span < asked.span for store in others)


def _is_asked_behind(context: Context, store: ir.Assign, name: ir.Name) -> bool:
    """Whether a name is asked about in the block in which it is given something, before the block is left by its end:
    behind a `try`, nothing else is known of what was asked in it.
    """
    around = context.program.structure(context.program.scope_of(store)).parent(store)
    block = next((one for one in blocks(around) if store in one), ()) if around is not None else ()
    behind = [node for node in block if node.span > store.span and node.span < name.span]
    conditions = conditions_of(context)
    return any(_asked(context, conditions.at(node), name.id) is not None for node in behind[1:])


def _asked(context: Context, known: Known, name: str) -> ir.Node | None:
    """The test by which a name is one of a few words, alone or on each of several ways."""

    def said(condition: Condition) -> dict[str, ir.Node]:
        asked = one_of_few(context.program, condition)
        return {name: condition.at} if isinstance(asked, ir.Name) and asked.id == name else {}

    return held(known, said).get(name) if any(mentions(each.expr, name) for each in all_in(known)) else None


def _names(target: ir.Expr) -> frozenset[str]:
    parts = target.items if isinstance(target, ir.List) else (target,)
    return frozenset(part.id for part in parts if isinstance(part, ir.Name))


def _is_word(store: ir.Assign, name: str) -> bool:
    """Whether a name is given a word that is written there, alone or beside others."""
    return any(target.id == name for target, _ in given_constants(store))
