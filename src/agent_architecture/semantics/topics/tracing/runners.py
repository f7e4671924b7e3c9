"""Who runs a tool of which only its declaration stands in the project: whether that code can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import SiteKind
from agent_architecture.names.containers import OF_THE_LANGUAGES
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.sources.source import Span

BY_HAND: Final = (SiteKind.HAND_WRITTEN_LOOP, SiteKind.DISPATCH)


def run_in_sight(program: Program, offering: Sequence[Site], loops: Mapping[Span, HandWritten]) -> bool:
    """Whether a tool is offered by loops and dispatches of the project alone that call nothing without a name."""
    return (
        bool(offering)
        and all(site.kind in BY_HAND for site in offering)
        and not any(_is_handed_in(program, node) for site in offering for node in _passes(program, site, loops))
    )


def runs_itself(program: Program, site: Site, function: ir.Function | None, loops: Mapping[Span, HandWritten]) -> bool:
    """Whether a site runs the code of its tool itself: a loop by hand may leave that to a worker."""
    loop = loops.get(site.span)
    if loop is None or function is None:
        return loop is None or run_in_sight(program, [site], loops)
    return any(each is function for each, _ in loop.inside.called)


def _passes(program: Program, site: Site, loops: Mapping[Span, HandWritten]) -> Iterator[ir.Node]:
    """What runs at a site: all that the passes of a loop enter, or the body of code in which a dispatch stands."""
    loop = loops.get(site.span)
    if loop is not None:
        yield from loop.inside.nodes()
        return
    module = program.table.get(site.span.path)
    around = [scope for scope in module.code if scope.span.contains(site.span)] if module is not None else []
    if around:
        yield from program.structure(max(around, key=lambda scope: scope.span)).nodes


def _is_handed_in(program: Program, node: ir.Node) -> bool:
    """Whether a call runs something of which nobody can say what it is; methods of plain values aside."""
    if not isinstance(node, ir.Call) or callee_name(node.callee) in OF_THE_LANGUAGES or program.callees(node):
        return False
    return all(isinstance(value, Unknown) for value in program.value_of(node.callee))
