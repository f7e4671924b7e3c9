"""Objects that are made once and kept, by whoever asks for them first: by a module (`global desk; desk = Desk()`), or
by a cache around the function that makes them (`@cache def desk(): return Desk()`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.exits import ends
from agent_architecture.names.null_checks import absence, no_value, presence, same
from agent_architecture.names.program import callee_name
from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span


CACHES: Final = frozenset({"cache", "lru_cache", "cached"})
"""Decorators that keep what a function answers."""


def made_for_all(program: Program, node: ir.Node) -> bool:
    """Whether a call stands in the answer of a function that takes nothing, and whose answer is kept."""
    scope = program.scope_of(node)
    if not isinstance(scope, ir.Function) or scope.params:
        return False
    if not any(_answers(answer, node) for answer in program.structure(scope).returns):
        return False
    names = {callee_name(d.callee if isinstance(d, ir.Call) else d) for d in scope.decorators}
    return not CACHES.isdisjoint(names)


def _answers(answer: ir.Expr, node: ir.Node) -> bool:
    return answer is node or (isinstance(answer, ir.Await) and answer.value is node)


def is_made_once(program: Program, call: ir.Call) -> bool:
    """Whether what a call makes is put under a variable of a module, or kept by a cache."""
    if made_for_all(program, call):
        return True
    scope = program.scope_of(call)
    around = program.structure(scope).parent(call)
    if isinstance(around, ir.Await):
        around = program.structure(scope).parent(around)
    if not isinstance(around, ir.Assign) or not isinstance(around.target, ir.Name):
        return False
    name = around.target.id
    for each in (scope, *enclosing_scopes(scope)):
        bindings = program.bindings(each).get(name, ())
        if bindings:
            return isinstance(each, ir.Module) or any(binding.kind == "global" for binding in bindings)
    return False


def makes_ready(program: Program, node: ir.Node, calls: Iterable[ir.Call]) -> bool:
    """Whether a node stands in the constructor of a class of which all these calls make objects that are made once."""
    scope = program.scope_of(node)
    if not isinstance(scope, ir.Function) or scope.name != CONSTRUCTOR:
        return False
    making = [call for call in calls if any(function is scope for function in program.callees(call))]
    return bool(making) and all(is_made_once(program, call) for call in making)


def is_unset_at_first(program: Program, nothing: Span) -> bool:
    """Whether nothing stands under a name only until somebody asks for it, or after it was given back: `desk = None`,
    and in a function that hands it out `if desk is None: desk = Desk()`.
    """
    module = program.table.get(nothing.path)
    put = (each for scope in (module.code if module else ()) for each in _puts(program, scope))
    kept = [each.target for each in put if each.value is not None and each.value.span == nothing]
    functions = module.index.functions if module is not None and kept else ()
    return any(_makes_where_unset(program, function, name) for name in kept for function in functions)


def _makes_where_unset(program: Program, function: ir.Function, name: ir.Expr) -> bool:
    """Whether a function hands a name out, and puts something under it where nothing was there."""
    structure = program.structure(function)
    if not any(same(answer, name) for answer in structure.returns):
        return False
    own = (each for each in _puts(program, function) if same(name, each.target))
    made = [each for each in own if each.value is not None and not no_value(each.value)]
    for asked in (node for node in structure.nodes if isinstance(node, ir.If)):
        absent, present = absence(asked.test), presence(asked.test)
        if absent is not None and same(absent, name) and any(_stands_in(asked.then, one) for one in made):
            return True
        if (
            present is not None
            and same(present, name)
            and ends(asked.then)
            and any(each.span > asked.span for each in made)
        ):
            return True
    return False


def _puts(program: Program, scope: ir.Scope) -> Iterator[ir.Assign]:
    return (node for node in program.structure(scope).nodes if isinstance(node, ir.Assign))


def _stands_in(body: Iterable[ir.Node], node: ir.Node) -> bool:
    return any(part.span.contains(node.span) for part in body)
