"""Which passes of a loop a step counts: all that ask the model, or only some.

`try: …; break` with `except Error: attempt += 1` counts each pass that goes round: what is tried to its end leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import always, goes_round, leaves
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


def on_every_path(program: Program, loop: ir.Loop, scope: ir.Scope, step: ir.Node, asks: tuple[ir.Node, ...]) -> bool:
    """Whether every pass that asks the model counts: no condition of its own, no `continue` or handler that skips
    the step.
    """
    if any(step is node for update in loop.update for node in ir.walk(update)) or program.scope_of(step) is not scope:
        return True
    structure = program.structure(scope)
    for around in structure.ancestors(step):
        if around is loop:
            break
        tested = isinstance(around, (ir.If, ir.Conditional)) and around.test.span.contains(step.span)
        conditional = isinstance(around, (ir.If, ir.Match, ir.Conditional)) and not (
            tested or all(around.span.contains(ask.span) for ask in asks)
        )
        if conditional or (isinstance(around, ir.Try) and _skipped(around, step)):
            return False
    return not any(
        goes_round(node) and any(ask.span < node.span < step.span for ask in asks) for node in ir.walk(*loop.body)
    )


def _skipped(block: ir.Try, step: ir.Node) -> bool:
    if not any(statement.span.contains(step.span) for statement in block.body):
        handler = next((one for one in block.handlers if one.span.contains(step.span)), None)
        others = (one for one in block.handlers if one is not handler)
        only_fails = always(block.body, leaves) and all(always(one.body, leaves) for one in others)
        return handler is not None and not only_fails  # what is tried to its end leaves
    before = [node for statement in block.body for node in ir.walk(statement) if node.span < step.span]
    if not any(isinstance(node, (ir.Call, ir.Await)) for node in before):
        return False
    return any(not any(map(leaves, handler.body)) for handler in block.handlers)
