"""Records of a conversation that stand beside it: lists that each pass of an agent's loop, or each message that a run
hands out, adds to, though no model is asked with them. They grow as long as the run lasts.

What a model reads is found in `growing_containers.py`, what outlives the run in `containers.py`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Collection
from agent_architecture.model.settings import ABSENT
from agent_architecture.names.exits import is_answer
from agent_architecture.names.mutations import LISTING
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.bounds.trims import trims
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import FeedbackPath
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

THROUGH: Final = 2
"""Functions of the project that hand on the messages of a run."""


class _Turning(NamedTuple):
    """A loop of which each pass is a step of an agent."""

    loop: ir.Loop
    scope: ir.Scope
    path: FeedbackPath


def gathered_lists(
    context: Context, loops: Iterable[HandWritten], paths: Iterable[FeedbackPath], asked: Iterable[Collection]
) -> Iterator[Collection]:
    """The lists that are none of those that a model is `asked` with, each once."""
    known = {(one.span.path, one.span.line) for one in asked}
    found: dict[Span, Collection] = {}
    for turning in chain(_by_hand(context.program, loops), _of_runs(context, paths)):
        for name, made in _filled(context.program, turning):
            if (made.path, made.line) in known:
                continue
            one = found.get(made) or _collection(context, turning, name, made)
            found[made] = one._replace(paths=tuple(dict.fromkeys((*one.paths, turning.path))))
    yield from found.values()


def _by_hand(program: Program, loops: Iterable[HandWritten]) -> Iterator[_Turning]:
    for one in loops:
        nodes = program.structure(one.scope).nodes if one.site is not None else ()
        loop = next((node for node in nodes if isinstance(node, ir.Loop) and node.header == one.path.span), None)
        if loop is not None:
            yield _Turning(loop, one.scope, one.path)


def _of_runs(context: Context, paths: Iterable[FeedbackPath]) -> Iterator[_Turning]:
    by_span = {path.span: path for path in paths}
    for match in context.of_kind("run"):
        path = by_span.get(match.node.span)
        if path is not None and isinstance(match.node, ir.Call):
            yield from (_Turning(loop, scope, path) for loop, scope in _over(context.program, match.node, THROUGH))


def _over(program: Program, call: ir.Call, through: int) -> Iterator[tuple[ir.Loop, ir.Scope]]:
    """The loops over the messages of a run: those over its call, over what it is kept as, and over what a function
    hands on of it.
    """
    scope = program.scope_of(call)
    structure = program.structure(scope)
    around = tuple(structure.ancestors(call))
    kept = next((a.target for a in around if isinstance(a, ir.Assign) and isinstance(a.target, ir.Name)), None)
    loops = [
        node
        for node in structure.nodes
        if isinstance(node, ir.Loop) and node.source is not None and _runs_over(node.source, call, kept)
    ]
    yield from ((loop, scope) for loop in loops)
    handed = any(is_answer(a) or isinstance(a, ir.Yield) for a in around) or any(
        loop.span.contains(each.span) for loop in loops for each in structure.yields
    )
    if handed and through and isinstance(scope, ir.Function):
        for site in program.callers(scope):
            yield from _over(program, site.call, through - 1)


def _runs_over(source: ir.Expr, call: ir.Call, kept: ir.Name | None) -> bool:
    root = root_of(source.callee if isinstance(source, ir.Call) else source)
    return source.span.contains(call.span) or (kept is not None and root is not None and root.id == kept.id)


def _filled(program: Program, turning: _Turning) -> Iterator[tuple[str, Span]]:
    """The lists of the loop's own function that its passes add turns to, and where each is made."""
    for call in program.structure(turning.scope).calls:
        callee = call.callee
        if not isinstance(callee, ir.Member) or callee.name not in LISTING or not turning.loop.span.contains(call.span):
            continue
        name = callee.target.id if isinstance(callee.target, ir.Name) else ""
        for binding in program.bindings(turning.scope).get(name, ()) if is_said(name) else ():
            inside = turning.loop.span.contains(binding.node.span)
            if binding.kind == "assign" and is_container(binding.value) and not inside:
                yield name, binding.node.span
                break


def _collection(context: Context, turning: _Turning, name: str, made: Span) -> Collection:
    def is_it(expr: ir.Expr | None) -> bool:
        return isinstance(expr, ir.Name) and expr.id == name

    trim = next(trims(context, ir.walk(*turning.loop.body), is_it), None)
    bound, overflow = (ABSENT, ABSENT) if trim is None else (trim.bound, trim.overflow)
    confidence = Confidence.MEDIUM if trim is None else trim.confidence
    return Collection(made, name, "", is_said=False, bound=bound, overflow=overflow, confidence=confidence)
