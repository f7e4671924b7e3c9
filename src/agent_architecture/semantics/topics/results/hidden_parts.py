"""Parts of a result of which nobody says whose text they are: calls that no pack knows, and what code waits for of an
object that cannot be told.

What is only computed is not waited for: a call of a library, or on something unknown, that is awaited asks something
else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.language_modules import is_foreign
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Const, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.tool_results import OPEN
from agent_architecture.semantics.effects.unread_calls import OF_TEXTS, UnreadCalls
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.taint.boundaries import of_way
from agent_architecture.semantics.taint.sources import measures
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names import flow
    from agent_architecture.semantics.conversations.tool_results import Tools
    from agent_architecture.semantics.matching.context import Context

JOINING: Final = frozenset({"wait_for", "shield", "gather", "all", "allSettled", "race", "any"})
"""Calls that wait for what they are given."""

PROMISED: Final = regex(r"^py:(?:asyncio[.:]Future|concurrent\.futures[.:]Future|asyncio\S*\.create_future)$")
"""What is given its value later, by whoever reads the answers."""


def hidden_call(context: Context, foreign: Tools, texts: tuple[ir.Expr, ...]) -> str:
    """A call of which no pack says what it brings, on the way to what is returned: of a library that none knows, or on
    the client of a service.
    """
    unread = context.once(UnreadCalls)
    for origin in (origin for text in texts for origin in foreign.origins(text)):
        if origin.kind == "call" and isinstance(origin.node, ir.Call) and unread.has(origin.node):
            return called(origin.node)
    return ""


def awaited_part(context: Context, foreign: Tools, texts: tuple[ir.Expr, ...]) -> str:
    """What code waits for of an object that nothing tells, or of a library that says nothing of the call, where its
    words are read as they are.
    """
    waits = (o.node for o in _origins(context, foreign, texts) if o.kind == "call" and of_way(o.passed) in OPEN)
    return next((called(each) for each in waits if isinstance(each, ir.Call) and _is_waited_for(context, each)), "")


def _origins(context: Context, foreign: Tools, texts: tuple[ir.Expr, ...]) -> Iterator[flow.Origin]:
    """Where a result begins; an object of the project's own that is handed back whole has all that it is made with."""
    for origin in (origin for text in texts for origin in foreign.origins(text)):
        yield origin
        if isinstance(origin.node, ir.Call) and origin.kind == "call":
            values = context.program.value_of(origin.node.callee)
            if values and all(isinstance(value, ClassValue) for value in values):
                yield from (inner for each in origin.node.args for inner in foreign.origins(each.value))


def _is_waited_for(context: Context, call: ir.Call) -> bool:
    """Whether a call is awaited of which no row of a pack speaks, on what nobody can tell or of a library; or makes
    what somebody else gives its value to.
    """
    if any(PROMISED.search(api.path) for api in resolved(context.program, call.callee)):
        return True
    scope = context.program.scope_of(call)
    waits = context.program.structure(scope).enclosing(call, ir.Await)
    if not isinstance(call.callee, ir.Member) or not any(call in _waited_for(each.value) for each in waits):
        return False
    if call.callee.name in OF_TEXTS or context.program.callees(call) or measures(call):
        return False
    values = context.program.value_of(call.callee)
    told = [value for value in values if not isinstance(value, (Unknown, Const))]
    return all(isinstance(value, Api) and _is_unsaid(context, value) for value in told)


def _waited_for(value: ir.Expr) -> Iterator[ir.Expr]:
    """What an `await` waits for: `asyncio.wait_for(one, timeout=3)` waits for what it is given."""
    yield value
    if isinstance(value, ir.Call) and callee_name(value.callee) in JOINING:
        for each in value.args:
            yield from each.value.items if isinstance(each.value, ir.List) else (each.value,)


def _is_unsaid(context: Context, api: Api) -> bool:
    packs, path = context.packs, api.path
    if not is_foreign(path) or last_name(path) in OF_TEXTS:
        return False
    return not (packs.effects(path) or packs.flows(path) or packs.marks(path) or packs.entities(path))
