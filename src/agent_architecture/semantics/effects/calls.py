"""What one call does to the world, and with which of its arguments: the rows of packs that hold for it.

Whoever asks for an effect of a call asks this; `effects` says the same of whole functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.switches import is_behind
from agent_architecture.semantics.callgraph.call_paths_in import call_paths_to
from agent_architecture.semantics.control.arithmetic_only import is_arithmetic
from agent_architecture.semantics.matching.checked_programs import is_only_checked
from agent_architecture.semantics.matching.matches import effect_rows, made_there, resolved
from agent_architecture.semantics.matching.read import expressions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_architecture.semantics.callgraph.call_paths_in import CallPathsIn
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EffectRow
    from agent_architecture.syntax import ir

CODE = "execute_code"
TOLD = frozenset({"network_read", "network_write"})
"""The effects of requests, of which a helper may be told which one they have."""
LOG = "log"
"""The effect of what only says something: whether it is said is asked by nobody."""
STATEMENTS = ("execute", "query")
"""Methods that run a statement: what has one is a connection to a database."""


class _Calls:
    """The rows of the calls of one project, each found once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[int, tuple[tuple[tuple[EffectRow, ir.Call], ...], ir.Call]] = {}

    def of(self, call: ir.Call) -> tuple[tuple[EffectRow, ir.Call], ...]:
        found = self._known.get(id(call))
        if found is None:
            made = made_there(self._context.program, call)
            rows = {row.effect: row for row in effect_rows(self._context.program, self._context.packs, made)}
            kept = (row for row in rows.values() if not self._computes(row, made, call))
            done = tuple((row, made) for row in kept)
            acts = any(row.effect != LOG for row, _ in done)
            found = self._known[id(call)] = () if acts and is_behind(self._context.program, call) else done, call
        return found[0]

    def _computes(self, row: EffectRow, call: ir.Call, at: ir.Call) -> bool:
        """Whether a call that runs program text only works out numbers, or only sees whether it could be run."""
        if row.effect != CODE or row.argument is None:
            return False
        if is_only_checked(self._context.program, at):
            return True
        texts = expressions(self._context.program, call, row.argument)
        return bool(texts) and all(is_arithmetic(self._context, call, text) for text in texts)


def rows_of(context: Context, call: ir.Call) -> tuple[tuple[EffectRow, ir.Call], ...]:
    """The rows that hold for a call, one for each kind of effect, each with the library's call that has it: another
    one where a thread makes it (`to_thread(run, x)`).
    """
    return context.once(_Calls).of(call)


def rows_on(context: Context, call: ir.Call, ways: CallPathsIn) -> tuple[tuple[EffectRow, ir.Call], ...]:
    """The rows that hold for a call where the code around it is entered on these ways: a helper that is told the method
    of a request writes for those who tell it to, and reads for the others.
    """
    found = rows_of(context, call)
    if TOLD.isdisjoint(row.effect for row, _ in found):
        return found
    made = made_there(context.program, call)
    apis = resolved(context.program, made.callee)
    if not any(row.requires for api in apis for row in context.packs.effects(api.path)):
        return found
    entered = call_paths_to(context.program, ways, call)
    told = [row for way in entered for row in effect_rows(context.program, context.packs, made, (way,))]
    return tuple((row, made) for row in {row.effect: row for row in told}.values()) or found


def is_of_database(packs: Packs, path: str) -> bool:
    """Whether a call opens, closes or reads what statements are run on: a connection, a cursor, their results."""
    owner = path.rpartition(".")[0]
    statements = (owner.removesuffix("()"), *(f"{of}.{name}" for of in (owner, f"{path}()") for name in STATEMENTS))
    return any(row.effect == "database" for each in statements for row in packs.effects(each))


def kinds_of(context: Context, call: ir.Call) -> frozenset[str]:
    """The kinds of effect that a call has."""
    return frozenset(row.effect for row, _ in rows_of(context, call))


def given_to(context: Context, call: ir.Call, kinds: Collection[str]) -> Iterator[tuple[EffectRow, ir.Expr]]:
    """What a call has effects of these kinds on: each row with the expressions that say where, or what."""
    for row, made in rows_of(context, call):
        if row.effect in kinds and row.argument is not None:
            yield from ((row, expr) for expr in expressions(context.program, made, row.argument))
