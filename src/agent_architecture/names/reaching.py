"""Which bindings of a name reach a use of it: structural dominance within one scope.

Evaluates nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.null_checks import absence, same
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.structure import Structure

HIDING: Final = frozenset({"assign", "import", "function", "class", "with"})
"""Kinds that replace whatever the name was before."""


def reaching(program: Program, scope: ir.Scope, name: ir.Name, found: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """The bindings of `scope` that a use in the same scope can see.

    Not those that an assignment on every way to the use hides, nor, outside of a loop, those that come later or stand
    in the other branch. What a function inside assigns (`written`) may have happened at any time.
    """
    if len(found) == 1:
        return found
    structure = program.structure(scope)
    found = _of_loops(structure, name, found)
    first = 0
    for number, binding in enumerate(found):
        if binding.kind == "parameter" or (_hides(structure, binding) and structure.dominates(binding.node, name)):
            first = number if not binding.node.span.contains(name.span) or binding.kind == "parameter" else first
    visible = found[first:]
    loops = [loop for loop in structure.enclosing(name, ir.Loop) if loop.kind != "comprehension"]
    over = [loop for loop in loops if loop.source is not None and loop.source.span.contains(name.span)]
    around = next((loop for loop in loops if loop not in over), None)
    if around is not None and not (_hides(structure, visible[0]) and around.span.contains(visible[0].node.span)):
        return visible  # what comes later reaches the next pass
    kept = tuple(
        b for b in visible if b.kind == "written" or (over and changes(b)) or _may_come_before(structure, b, name)
    )
    return kept if any(b.kind != "written" for b in kept) else visible


def from_inside(program: Program, scope: ir.Scope, inner: ir.Scope, found: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """The bindings of `scope` that a use in `inner`, which is defined in it, can see: it runs after its definition."""
    if len(found) == 1:
        return found
    structure = program.structure(scope)
    before = [
        number
        for number, binding in enumerate(found)
        if _hides(structure, binding) and structure.parent(binding.node) is None and binding.node.span < inner.span
    ]
    return tuple(b for n, b in enumerate(found) if not before or n >= before[-1] or b.kind == "written")


def at_end(program: Program, module: ir.Module, found: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """The bindings of a module's name that count once the module has run."""
    if len(found) == 1:
        return found
    structure = program.structure(module)
    top = [n for n, b in enumerate(found) if _hides(structure, b) and structure.parent(b.node) is None]
    return found[top[-1] :] if top else found


def filled_in(program: Program, name: ir.Name, found: tuple[Binding, ...]) -> Binding | None:
    """The assignment that gives a name a value where it has none: `if x is None: x = 10`."""
    for binding in found:
        if binding.kind != "assign" or len(found) == 1 or binding.node.span > name.span:
            continue
        if isinstance(binding.node, ir.Function):
            continue
        around = program.structure(program.scope_of(binding.node)).parent(binding.node)
        if (
            isinstance(around, ir.If)
            and same(absence(around.test), name)
            and any(node is binding.node for node in around.then)
        ):
            return binding
    return None


def changes(binding: Binding) -> bool:
    """Whether a binding changes the value that the name has, instead of replacing it: `x += 1`."""
    return isinstance(binding.node, ir.Assign) and bool(binding.node.op)


def is_default(program: Program, binding: Binding) -> bool:
    """Whether a binding only counts where a destructuring finds nothing: `{x = 10}`."""
    if binding.kind != "assign":
        return False
    if isinstance(binding.node, ir.Function):
        return True
    around = program.structure(program.scope_of(binding.node)).parent(binding.node)
    return isinstance(around, (ir.Map, ir.List))


def _of_loops(structure: Structure, name: ir.Name, found: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """Inside a loop over the name only what is bound in that loop; outside of a comprehension not what that binds."""
    loops = [b.node for b in found if b.kind == "loop" and isinstance(b.node, ir.Loop)]
    if not loops:
        return found
    around = next((loop for loop in structure.enclosing(name, ir.Loop) if _binds_inside(loop, loops, name)), None)
    if around is not None:
        return tuple(b for b in found if b.node is around or around.span.contains(b.node.span))
    kept = tuple(b for b in found if not (isinstance(b.node, ir.Loop) and b.node.kind == "comprehension"))
    return kept or found


def _binds_inside(loop: ir.Loop, loops: list[ir.Loop], name: ir.Name) -> bool:
    in_source = loop.source is not None and loop.source.span.contains(name.span)
    return any(loop is one for one in loops) and not in_source


def _hides(structure: Structure, binding: Binding) -> bool:
    if binding.kind not in HIDING or changes(binding):
        return False
    if binding.kind == "assign" and isinstance(binding.node, ir.Function):
        return False
    return not isinstance(structure.parent(binding.node), (ir.Map, ir.List))


def _may_come_before(structure: Structure, binding: Binding, name: ir.Name) -> bool:
    node = binding.node
    is_hoisted = binding.kind == "function" and not is_python(node.span.path)  # elsewhere it is there before
    if binding.kind == "parameter" or is_hoisted or (binding.kind != "function" and isinstance(node, ir.Function)):
        return True
    if isinstance(node, ir.Assign) and node.span.contains(name.span):
        return False
    if (node.span.line, node.span.col) > (name.span.line, name.span.col):
        return False
    return not structure.excludes(node, name)
