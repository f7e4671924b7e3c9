"""Whether an expression is all environment variables of the process at once: they themselves, a copy, or a mapping that
they are put into. What picks some of them by their names is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.builtins import is_whole_environment
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Entries
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Value

DEPTH: Final = 8
"""Copies of copies that are followed."""
COPIES: Final = frozenset({"copy", "deepcopy", "dict", "items", "entries", "fromEntries", "assign", "structuredClone"})
"""Calls that give back all of what they are given, or are called on."""
MERGES: Final = frozenset({ir.Op.BITOR, ir.Op.OR, ir.Op.NULLISH})
"""Operators whose result has all of their operands, or is one of them."""

RESULTS: Final = frozenset({"data", "output", "value"})
"""Under which names the outcome of a check has what was checked: `schema.safeParse(process.env).data`."""
WHOLE: Final = ((), *((f".{name}",) for name in sorted(RESULTS)))
"""How a name is bound to all of it."""
TAKING: Final = frozenset({"runtimeEnv"})
"""Options of calls that check the variables, which say where these are: `createEnv({ runtimeEnv: process.env })`."""


def environment_in(program: Program, expr: ir.Node | None, left: int = DEPTH) -> ir.Expr | None:
    """Where in an expression all variables of the process stand; None where they do not."""
    if not left:
        return None
    parts: tuple[ir.Node | None, ...]
    match expr:
        case ir.Name():
            bound = (_bound(program, binding, left) for binding in visible_bindings(program, expr))
            found = next((one for one in bound if one is not None), None)
            is_whole = found is None and any(map(is_whole_environment, program.value_of(expr)))
            return found or (expr if is_whole or _filling(program, expr, left) is not None else None)
        case ir.Member() if any(map(is_whole_environment, program.value_of(expr))):
            return expr
        case ir.Map(entries=entries):
            parts = tuple(entry.value for entry in entries if entry.key is None)
        case ir.Operator(op=op, operands=operands) if op in MERGES:
            parts = operands
        case ir.Conditional(then=then, otherwise=otherwise):
            parts = (then, otherwise)
        case ir.Call(callee=callee, args=args) if callee_name(callee) in COPIES:
            own = (callee.target,) if isinstance(callee, ir.Member) else ()
            parts = (*own, *(argument.value for argument in args))
        case ir.Call(callee=ir.Member(target=target, name="filter"), args=(picked, *_)):
            parts = (target,) if _takes_every_name(picked.value) else ()
        case ir.Loop(kind="comprehension", source=source):
            parts = (source,) if _asks_no_name(expr) else ()
        case ir.Call():
            parts = tuple(text for function in program.callees(expr) for text in program.structure(function).returns)
        case _:
            parts = ()
    inside = (environment_in(program, part, left - 1) for part in parts)
    return next((one for one in inside if one is not None), None)


def is_checked(program: Program, expr: ir.Expr, left: int = DEPTH) -> bool:
    """Whether an object is made of the variables of the process, each under its own name: they themselves, or what a
    library's check makes of them (`schema.parse(process.env)`). One part of it is one variable.
    """
    if not left:
        return False
    if environment_in(program, expr) is not None:
        return True
    made: Iterator[ir.Node | None] | tuple[ir.Node | None, ...]
    match expr:
        case ir.Name():
            bound = [b.value for b in visible_bindings(program, expr) if b.value is not None and b.steps in WHOLE]
            made = (*bound, *(_maker(value) for value in program.value_of(expr) if not bound))
        case ir.Member(name=name, target=target) if name in RESULTS:
            made = (target,)
        case ir.Await(value=value):
            made = (value,)
        case ir.Call():
            functions = program.callees(expr)
            returned = (text for function in functions for text in program.structure(function).returns)
            made = returned if functions else _given(expr)
        case _:
            made = ()
    return any(part is not None and is_checked(program, part, left - 1) for part in made)  # type: ignore[arg-type]


def _maker(value: Value) -> ir.Node | None:
    """The call or mapping that a value was made by, or the part of one."""
    call = getattr(value, "call", None)
    node = call if isinstance(call, ir.Call) else getattr(value, "node", None)
    return node if isinstance(node, (ir.Call, ir.Map, ir.Member)) else None


def _given(call: ir.Call) -> Iterator[ir.Expr]:
    """What a library's call is given that may be all of them: its arguments, and what it is told to take them from."""
    for argument in call.args:
        if isinstance(argument.value, ir.Map):
            entries = (e for e in argument.value.entries if isinstance(e.key, ir.Literal) and e.key.value in TAKING)
            yield from (entry.value for entry in entries)
        yield argument.value


def environment_of(program: Program, value: Value) -> ir.Expr | None:
    """The same of a value: it is them, it was made of them, or a loop put each of them into it."""
    node = getattr(value, "node", None)
    if is_whole_environment(value):
        return node
    if isinstance(node, (ir.Map, ir.Call, ir.Operator, ir.Loop)) and environment_in(program, node) is not None:
        return node
    if not isinstance(value, Entries) or value.complete:
        return None
    name = _named(program, value.node)
    return _filling(program, name, DEPTH) if name is not None else None


def _bound(program: Program, binding: Binding, left: int) -> ir.Expr | None:
    """Where a name is bound to them: as a whole, or by the default of a parameter."""
    given = binding.value
    if binding.kind == "parameter" and isinstance(binding.extra, ir.Parameter):
        given = binding.extra.default
    whole = not binding.steps and binding.kind != "loop"
    return environment_in(program, given, left - 1) if whole else None


def _filling(program: Program, name: ir.Name, left: int) -> ir.Expr | None:
    """What a call puts into the mapping of this name all at once, or a loop over all of them one by one."""
    structure = program.structure(program.scope_of(name))
    given = (part for call in structure.calls for part in _added(call, name.id))
    added = next((part for part in given if environment_in(program, part, left - 1) is not None), None)
    if added is not None:
        return added
    into = (
        store
        for store in structure.stores
        if isinstance(store.target, ir.Index) and isinstance(store.target.target, ir.Name)
    )
    values = (store.value for store in into if store.target.target.id == name.id)  # type: ignore[union-attr]
    loops = (_put_by(program, value, left) for value in values if isinstance(value, ir.Name))
    return next((loop for loop in loops if loop is not None), None)


def _named(program: Program, node: ir.Node) -> ir.Name | None:
    """The variable that a mapping is assigned to where it is written."""
    around = program.structure(program.scope_of(node)).ancestors(node)
    assigned = next((each for each in around if isinstance(each, ir.Assign)), None)
    return assigned.target if assigned is not None and isinstance(assigned.target, ir.Name) else None


def _added(call: ir.Call, name: str) -> Iterator[ir.Expr]:
    """What a call adds to the mapping of a name as a whole: `env.update(…)`, `Object.assign(env, …)`."""
    callee, given = call.callee, tuple(argument.value for argument in call.args)
    if not isinstance(callee, ir.Member):
        return
    if callee.name == "update" and isinstance(callee.target, ir.Name) and callee.target.id == name:
        yield from given[:1]
    elif callee.name == "assign" and given and isinstance(given[0], ir.Name) and given[0].id == name:
        yield from given[1:]


def _put_by(program: Program, name: ir.Name, left: int) -> ir.Expr | None:
    """What a loop runs over in which a name is each of them in turn, whatever that is called."""
    loops = (b.node for b in visible_bindings(program, name) if b.kind == "loop" and isinstance(b.node, ir.Loop))
    open_to_all = (one.source for one in loops if _asks_no_name(one))
    return next((over for over in open_to_all if environment_in(program, over, left - 1) is not None), None)


def _asks_no_name(loop: ir.Loop) -> bool:
    """Whether nothing in a loop over names and values tests the name."""
    target = loop.target
    key = target.items[0] if isinstance(target, ir.List) and target.items else target
    tests = [node.test for node in ir.walk(*loop.body) if isinstance(node, (ir.If, ir.Conditional))]
    tested = ir.walk(*(test for test in (*tests, loop.test) if test is not None))
    return not any(isinstance(node, ir.Name) and isinstance(key, ir.Name) and node.id == key.id for node in tested)


def _takes_every_name(picked: ir.Expr) -> bool:
    """Whether what picks pairs of names and values never looks at the name: `([, value]) => value !== undefined`."""
    if not isinstance(picked, ir.Function) or not picked.params:
        return False
    pattern = picked.params[0].pattern
    return isinstance(pattern, ir.List) and bool(pattern.items) and not isinstance(pattern.items[0], ir.Name)
