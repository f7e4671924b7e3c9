"""What tells the tools apart that one call of a library makes: the names that it gives, and the functions that it runs.

Says which parameters and loop variables these hang on. Must not follow them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.arguments import inside_written
from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.values import Const, Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.substitutions import CALLED, SELF, bound_by, made_once
from agent_architecture.semantics.matching.wrappers import wrapping
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.addresses import Address
    from agent_architecture.semantics.packs.rows import EntityRow

FUNCTION = "function"


class Identity(NamedTuple):
    """What a tool hangs on: `names` in the code, each bound by what is around; `runs` what it runs in truth, where the
    function that is given only stands around that.
    """

    names: tuple[ir.Name, ...] = ()
    """The last of them may be the object itself whose method makes the tool."""
    runs: ir.Expr | None = None
    of_parts: bool = False
    """Whether parts of what the names stand for are meant: an object that says everything of the tool."""


def identity(program: Program, row: EntityRow, call: ir.Call | ir.Map | None, given: ir.Expr | None) -> Identity:
    """What tells the tools of one call apart; nothing for one that has a name of its own, and for what `given`, or the
    call, says of objects: those describe themselves.
    """
    named = row.properties.get("name")
    names = tuple(_roots(call, named)) if named is not None else ()
    if any(_is_text(program, name) for name in names):
        return Identity()
    hanging = tuple(one for name in names for one in _in(program, name, parts=False)) or tuple(
        one for name in names for one in _in(program, name, parts=True) if bound_by(program, one, "loop")
    )  # what a loop comes to says its name: `for (const each of listed) tool(run, { name: each.name })`
    address = row.relations.get(FUNCTION)
    roots = [given] if given is not None else list(_roots(call, address)) if address is not None else []
    parts = named is None
    for root in roots:
        own = tuple(_in(program, root, parts=parts))
        behind = None if own else _behind(program, root, asks=bool(hanging) or parts)
        if own or behind is not None:
            further = tuple(_in(program, behind, parts=True)) if behind is not None else ()
            whole = isinstance(root, ir.Call) or any(_in(program, root if behind is None else behind, parts=False))
            return Identity((*hanging, *own, *further), behind, of_parts=not hanging and not whole)
    return Identity(hanging)


def _roots(call: ir.Call | ir.Map | None, address: Address | None) -> Iterator[ir.Expr]:
    """What is written at an address, as far as the call itself says it: of what stands elsewhere the name."""
    for steps in address.alternatives if address is not None and isinstance(call, ir.Call) else ():
        first = _argument(call, steps[0]) if steps and isinstance(call, ir.Call) else None
        found = inside_written(first, steps[1:])
        yield from () if found is None else (found,)


def _argument(call: ir.Call, step: int | str) -> ir.Expr | None:
    if isinstance(step, int):
        plain = [argument.value for argument in call.args if argument.keyword is None and argument.spread != "**"]
        return plain[step] if step < len(plain) else None
    return next(
        (a.value for a in call.args if a.keyword == step), next((a.value for a in call.args if a.spread == "**"), None)
    )


def _is_text(program: Program, expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Literal):
        return isinstance(expr.value, str)
    if not isinstance(expr, (ir.Name, ir.Member)) or (isinstance(expr, ir.Name) and _bound(program, expr)):
        return False
    own = expr.target if isinstance(expr, ir.Member) else None
    if isinstance(own, ir.Name) and own.id == SELF and family_of(program, own):
        return False
    values = program.value_of(expr)
    return len(values) == 1 and isinstance(values[0], Const) and isinstance(values[0].value, str)


def _in(program: Program, expr: ir.Expr, *, parts: bool, depth: int = 2) -> Iterator[ir.Name]:
    """The parameters and loop variables in an expression; with `parts` those whose parts stand there, too."""
    match expr:
        case ir.Name():
            value = made_once(program, expr) if depth else None
            if _bound(program, expr):
                yield expr
            elif value is not None:
                yield from _in(program, value, parts=parts, depth=depth - 1)
        case ir.Member(target=ir.Name(id="self") as owner) if family_of(program, owner):
            yield owner
        case ir.Call(callee=ir.Member(target=ir.Name(id="self") as owner)) if family_of(program, owner):
            yield owner
        case ir.Member(target=target, name=name) if parts or name in CALLED - {"name"}:
            yield from _in(program, target, parts=parts, depth=depth)
        case ir.Index(target=target, key=ir.Literal(value=str())) if parts:
            yield from _in(program, target, parts=parts, depth=depth)
        case ir.Call(args=args):
            for argument in args:  # what is looked up by a part of an object, that object does not hold
                yield from _in(program, argument.value, parts=True, depth=depth)
        case ir.Template(parts=inside) | ir.Operator(operands=inside):
            for one in inside:
                yield from _in(program, one, parts=parts, depth=depth)
        case ir.Await(value=value):
            yield from _in(program, value, parts=parts, depth=depth)
        case _:
            return


def family_of(program: Program, owner: ir.Name) -> tuple[ir.Class, ...]:
    """The classes of which the object may be that a method is called on, where derived ones fill in what it uses."""
    cls = enclosing_class(program, owner)
    return classes_of(program, cls) if cls is not None else ()


def classes_of(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The classes of which the objects are that a method of a class runs on; none where nothing derives from it."""
    below = program.subclasses(cls)
    if not below:
        return ()
    made = {one for one, _ in constructions(program, cls)}
    return tuple(one for one in (cls, *below) if one in made) or tuple(c for c in below if not program.subclasses(c))


def _bound(program: Program, name: ir.Name) -> bool:
    return bool(bound_by(program, name, "parameter", "loop"))


def _behind(program: Program, root: ir.Expr, *, asks: bool) -> ir.Expr | None:
    """The parameter, or part of one, that a function which is written around it stands for: it says so
    (`functools.wraps`), or, where the tool has no other name (`asks`), it is what the function calls.
    """
    for value in program.value_of(root) if isinstance(root, (ir.Name, ir.Function)) else ():
        function = value.function if isinstance(value, Func) else None
        if function is None or not isinstance(function.outer, ir.Function):
            continue
        wraps = wrapping(program, function)
        if wraps is not None and isinstance(wraps, ir.Name) and _bound(program, wraps):
            return wraps
        if asks:
            return _called(program, function, function.outer)
    return None


def _called(program: Program, function: ir.Function, around: ir.Function) -> ir.Expr | None:
    """The one thing that a function calls, with what it is called with itself, of what those around it are given. What
    it asks for something else, it works with: it is the tool.
    """
    scopes = [function, *(one for one in program.structure(function).definitions if isinstance(one, ir.Function))]
    found: dict[str, ir.Expr] = {}
    for call in (call for scope in scopes for call in program.structure(scope).calls):
        callee, target = call.callee, call.callee.target if isinstance(call.callee, ir.Member) else call.callee
        if isinstance(target, ir.Name) and isinstance(callee, (ir.Name, ir.Member)) and _hands_on(function, call):
            owners = (b.node for b in bound_by(program, target, "parameter"))
            is_own = target.id == SELF and isinstance(callee, ir.Member) and bool(family_of(program, target))
            if is_own or any(owner in tuple(ir.functions_around(around)) for owner in owners):
                found.setdefault(f"{target.id}.{callee.name if isinstance(callee, ir.Member) else ''}", callee)
    return next(iter(found.values())) if len(found) == 1 else None


def _hands_on(function: ir.Function, call: ir.Call) -> bool:
    """Whether a call is handed what the function around it is, and nothing else."""
    own = [param.name for param in function.params if param.pattern is None]
    given = [argument.value.id for argument in call.args if isinstance(argument.value, ir.Name)]
    return len(given) == len(call.args) and given == own[: len(given)] and bool(given or not function.params)
