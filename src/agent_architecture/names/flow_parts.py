"""Steps back into objects, containers and calls: the part of a value that is wanted, where it was put in.

The half of `flow_steps` that knows how values hold others.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.names import classes, members, mutations
from agent_architecture.names.callers import constructions
from agent_architecture.names.definition_sites import Inline, InModule
from agent_architecture.names.fields import is_filled
from agent_architecture.names.flow_paths import ANY_PLACE, Origin, Step, further, is_place
from agent_architecture.names.given_keys import key_by
from agent_architecture.names.higher_order import callees_on
from agent_architecture.names.kept_keys import kept_keys
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Instance, ModuleValue, Values
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow_paths import Calls, Entered, Fields
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value

_T = TypeVar("_T")

ORDERED: Final = frozenset({
    "dict", "list", "tuple", "copy", "deepcopy", "structuredClone", "assign", "from", "all", "allSettled", "wait_for",
    "resolve", "create_task", "ensure_future", "shield", "model_copy",
})  # fmt: skip
"""Calls of the languages' own libraries whose result has the parts of what they are given, where they were."""
SAME: Final = ORDERED | {
    "set", "sorted", "reversed", "filter", "next", "iter", "gather", "as_completed", "concat", "slice", "reverse",
    "flat", "values",
}  # fmt: skip
"""Those, and the ones whose elements stand elsewhere."""

COPYING: Final = {"parse": "stringify", "loads": "dumps"}
"""Calls that make of a text the structure again that another call wrote."""
SETTLING: Final = "allSettled"
"""The one of them that wraps each part."""

MAPPING: Final = frozenset({"map", "flatMap", "then", "reduce"})
"""Calls of the languages' own libraries whose result is what the function that they are given returns."""
LOOKING_UP: Final = frozenset({"get", "pop", "setdefault"})
"""Methods of mappings that give what stands under a key."""
PICKING: Final = frozenset({"filter", "find", "findLast", "some", "every", "sort", "sorted", "forEach"})
"""Those that only ask the function."""


def entries(program: Program, node: ir.Map, fields: Fields) -> Iterator[Step | Origin]:
    """The wanted entry of a mapping; where it may come from what is spread in, or under a key that is not constant,
    that.
    """
    wanted, rest = fields[-1], fields[:-1]
    if is_place(wanted):
        yield from (Step(entry.value, fields=rest) for entry in node.entries)
        return
    for entry in reversed(node.entries):
        if entry.key is None:
            yield Step(entry.value)
            continue
        key = _constant(program, entry.key)
        if key is None or key == wanted:
            yield Step(entry.value, fields=rest)
        if key == wanted:
            return
    if not node.entries:
        yield Origin("constant", node)


def items(node: ir.List, fields: Fields) -> Iterator[Step]:
    """The wanted element of a list; all of them where something is spread into it."""
    spread = any(isinstance(item, ir.Spread) for item in node.items)
    found = node.items if spread else _at(node.items, fields[-1])
    yield from (Step(item, fields=fields[:-1]) for item in found)


def _at(parts: tuple[_T, ...], field: str) -> tuple[_T, ...]:
    """The part at a place; all of them where there is no such place, or any is wanted."""
    place = None if field == ANY_PLACE else whole_number(field[1:-1])
    return parts if place is None else parts[place : place + 1] or parts


def _constant(program: Program, key: ir.Expr) -> str | None:
    if isinstance(key, ir.Literal):
        return str(key.value)
    values = program.value_of(key) if not isinstance(key, (ir.Slice, ir.List)) else ()
    return str(values[0].value) if len(values) == 1 and isinstance(values[0], Const) else None


# ------------------------------------------------------------------------------------------------------------- objects
def member(program: Program, node: ir.Member, way: Entered, fields: Fields) -> Iterator[Step | Origin]:
    """An attribute of an object of the project is what was assigned to it, of a module what it offers; any other is
    looked for where its object was made.
    """
    found, is_made_there = False, False
    for value in _owners(program, node.target, way):
        steps: Iterator[Step] = iter(())
        if isinstance(value, ClassValue) or (isinstance(value, Instance) and value.call is None):
            steps = chain(_attribute(program, value, node.name, way, fields), _put_in(program, node, way, fields))
            if isinstance(value, Instance) and not _is_itself(node.target) and is_filled(program, value.cls, node.name):
                steps = _not_declared(program, value.cls, node.name, steps)
        elif isinstance(value, ModuleValue):
            steps = _offered(program, value, node)
        elif isinstance(value, Instance) and _is_made_here(node.target):
            is_made_there = True
        elif isinstance(value, Instance):
            steps = _attribute(program, value, node.name, way, fields)
        for step in steps:
            found = True
            yield step
        yield from _as_made(program, value, node, fields)
    if is_made_there or not found:
        yield Step(node.target, fields=(*fields, node.name))


def _as_made(program: Program, value: Value, node: ir.Member, fields: Fields) -> Iterator[Step]:
    """A field of an object that a library hands over (`run.context.name`), as who makes such objects gives it."""
    if not isinstance(value, Instance) or value.call is not None or not isinstance(node.target, ir.Member):
        return
    if any(isinstance(holder, Api) for holder in program.value_of(node.target.target)):
        for cls, call in constructions(program, value.cls):
            yield from _given(program, cls, call, node.name, fields)


def _is_made_here(target: ir.Expr) -> bool:
    """Whether the way to where an object is made can be followed: not to an attribute of an object that is not."""
    return isinstance(target, (ir.Name, ir.Call, ir.Await))


def _is_itself(target: ir.Expr) -> bool:
    return isinstance(target, ir.Name) and target.id in classes.ITSELF


def _not_declared(program: Program, cls: ir.Class, name: str, steps: Iterator[Step]) -> Iterator[Step]:
    """What an attribute takes its value from but for what its class declares: that is the default of an object that
    is given nothing, and who made the object says so.
    """
    nodes = (node for one in classes.lineage(program, cls) for node in one.body if isinstance(node, ir.Assign))
    defaults = [node.value for node in nodes if isinstance(node.target, ir.Name) and node.target.id == name]
    return (step for step in steps if not any(step.expr is value for value in defaults))


def _owners(program: Program, target: ir.Expr, way: Entered) -> Values:
    """What an attribute is taken from; `self` is what the method was called on by which the way came in."""
    values = program.value_of(target)
    calls = way.calls if isinstance(target, ir.Name) and target.id == "self" else ()
    callee = calls[-1].callee if calls else None
    if not isinstance(callee, ir.Member) or not all(isinstance(value, Instance) for value in values):
        return values
    called_on = program.value_of(callee.target)
    own = {value.cls for value in values if isinstance(value, Instance)}
    fits = (isinstance(v, Instance) and own & {*classes.lineage(program, v.cls)} for v in called_on)
    return called_on if called_on and all(fits) else values


def parts_of(fields: Fields) -> Iterator[tuple[Fields, Fields]]:
    """The parts with names that are wanted, one in the other, from the outermost on: what is wanted of the innermost,
    and the way to it.
    """
    for depth in range(1, len(fields) + 1):
        if is_place(fields[-depth]):
            return
        yield fields[:-depth], fields[: -depth - 1 : -1]


def _has(program: Program, value: ir.Expr, name: str) -> bool:
    """Whether a value is an object with a part of this name: what is wanted of an element is that part, not another
    element which has the name as its key.
    """
    return any(isinstance(v, Entries) and any(key == name for key, _ in v.entries) for v in program.value_of(value))


def added(program: Program, change: mutations.Change, fields: Fields) -> Iterator[Step]:
    """What a change puts in, where it can be the wanted part."""
    key = mutations.key_of(change)
    if key is None or not fields:
        kept = fields[:-1] if fields and is_place(fields[-1]) else fields
        yield from (Step(value, fields=kept) for value in mutations.added(change))
        return
    written = key.value if isinstance(key, ir.Literal) else _constant(program, key)
    if written is None or fields[-1] in {str(written), ANY_PLACE}:
        held = (
            value for value in mutations.added(change) if written is not None or not _has(program, value, fields[-1])
        )
        yield from (Step(value, fields=fields[:-1]) for value in held)
    if written is None and not is_place(fields[-1]):  # an element by its number, where any of them is meant
        yield from (Step(value, fields=fields) for value in mutations.added(change))


def _attribute(
    program: Program, owner: Instance | ClassValue, name: str, way: Entered, fields: Fields
) -> Iterator[Step]:
    """What the constructor is given for a field, and what the class's own code assigns to it."""
    call = owner.call if isinstance(owner, Instance) else None
    given = () if call is None else tuple(_given(program, owner.cls, call, name, fields))
    yield from given
    written = _written(program, owner, name, None if call is None else _entering(way.calls, call), fields)
    is_given = any(step.fields == fields for step in given)
    yield from _not_declared(program, owner.cls, name, written) if is_given else written


def _written(
    program: Program, owner: Instance | ClassValue, name: str, inside: Calls | None, fields: Fields
) -> Iterator[Step]:
    """What the code of a class gives an attribute of its objects."""
    call = owner.call if isinstance(owner, Instance) else None
    is_open = call is None and members.is_left_open(program, owner.cls, name)
    for cls in (*classes.lineage(program, owner.cls), *(program.subclasses(owner.cls) if is_open else ())):
        for binding in program.attributes(cls).get(name, ()):
            if isinstance(binding.node, ir.Function):
                yield from (Step(value) for value in program.structure(binding.node).returns)
            elif binding.value is not None:
                yield Step(binding.value, calls=inside, fields=further(fields, binding.steps))
        for inner, parts in ((fields, ()), *parts_of(fields)):
            for change in mutations.changes_of_attribute(program, cls, name, *parts):
                yield from added(program, change, inner)


def _put_in(program: Program, node: ir.Member, way: Entered, fields: Fields) -> Iterator[Step]:
    """What an object's own code puts into one that it holds: `self.state.plan = plan` for `self.state.plan`."""
    if not isinstance(node.target, ir.Member):
        return
    for holder in _owners(program, node.target.target, way):
        for cls in classes.lineage(program, holder.cls) if isinstance(holder, Instance) else ():
            for change in mutations.changes_of_attribute(program, cls, node.target.name):
                yield from added(program, change, (*fields, node.name))


def _given(program: Program, cls: ir.Class, call: ir.Call, name: str, fields: Fields) -> Iterator[Step]:
    """The argument from which a generated constructor takes a field."""
    names = classes.fields(program, cls)
    if name not in names or classes.constructor(program, cls) is not None:
        return
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    position = names.index(name)
    yield from (Step(a.value, fields=fields) for a in call.args if a.keyword == name)
    yield from (Step(a.value, fields=(*fields, name)) for a in call.args if a.spread == "**")
    yield from (Step(value, fields=fields) for value in plain[position : position + 1])


def _offered(program: Program, value: ModuleValue, node: ir.Member) -> Iterator[Step]:
    for place in program.exports.locate(value.module, node.name):
        if isinstance(place, InModule):
            bindings = program.bindings(place.module).get(place.name, ())
            yield from (Step(binding.value) for binding in bindings if binding.value is not None)
        elif isinstance(place, Inline):
            yield Step(place.expr)


def index(program: Program, node: ir.Index, way: Entered, fields: Fields) -> Iterator[Step]:
    """An element under a constant text is looked for where its container was made; any other is its container. What
    the key is, the call says by which the way came in.
    """
    key = _constant(program, node.key)
    if key is None and isinstance(node.key, ir.Name) and (calls := way.calls):
        scope = program.scope_of(node)
        key = key_by(program, node.key, scope, calls[-1]) if isinstance(scope, ir.Function) else None
    if key is None or key.startswith("-"):
        yield Step(node.target)
    else:
        yield Step(node.target, fields=(*fields, key if whole_number(key) is None else f"[{key}]"))


# --------------------------------------------------------------------------------------------------------------- calls
def call(program: Program, node: ir.Call, way: Entered, fields: Fields) -> Iterator[Step | Origin]:
    """What the project's functions return, what its classes keep, what goes into a library's call."""
    found = program.callees(node)
    found = callees_on(program, node, way.calls) if len(found) > 1 else found
    functions = [function for function in found if not _is_handed(function, node)]
    constructs = any(function.name == classes.CONSTRUCTOR for function in functions)
    if fields and not is_place(fields[-1]):
        made = [value for value in program.value_of(node) if isinstance(value, Instance) and value.call is node]
        for value in made:
            yield from _attribute(program, value, fields[-1], way, fields[:-1])
        if made:
            return
    inside = _entering(way.calls, node) if functions else None
    for function in functions:
        structure = program.structure(function)
        given = (*structure.returns, *(inner.value for inner in structure.yields if inner.value is not None))
        yield from (Step(value, calls=inside) for value in given)
    if constructs:
        yield from (Step(argument.value) for argument in node.args)
    if not functions and _counts(node, fields):
        yield Origin("constant", node)
    elif not functions:
        yield Origin("call", node)
        if not _is_dispatch(program, node):
            yield from _through(program, node, fields)
    elif not constructs and any(isinstance(value, Api) for value in program.value_of(node.callee)):
        yield Origin("call", node)  # the project's own client, or a library's: whichever it was made with


def _counts(node: ir.Call, fields: Fields) -> bool:
    """Whether the number of an element is wanted, not the element: `n` of `for n, text in enumerate(texts)`."""
    return isinstance(node.callee, ir.Name) and node.callee.id == "enumerate" and fields[-1:] == ("[0]",)


def _entering(calls: Calls, node: ir.Call) -> Calls:
    """The calls that were entered, with one more; one that calls itself again is entered once."""
    return calls[: calls.index(node) + 1] if node in calls else (*calls, node)


def _is_dispatch(program: Program, node: ir.Call) -> bool:
    """Whether a call runs a function that was looked up (`table[name](x)`, `run(**given)`): what it returns is its own,
    not what it is given.
    """
    spread = isinstance(node.callee, ir.Name) and any(argument.spread == "**" for argument in node.args)
    return (spread or isinstance(node.callee, ir.Index)) and not any(
        isinstance(value, Api) for value in program.value_of(node.callee)
    )


def _through(program: Program, node: ir.Call, fields: Fields) -> Iterator[Step]:
    """What goes into a library's call comes out of it: whole, unless the call keeps the parts of what it is given."""
    name = callee_name(node.callee)
    keys = kept_keys(program, node)
    if keys is not None:
        yield from (Step(key) for key in keys)
        return
    if name in LOOKING_UP and isinstance(node.callee, ir.Member):
        taken = _taken_key(program, node) if name == "get" else None
        if taken is not None or _is_mapping(program, node.callee.target):
            # As by an index: the key is no part of what is found.
            yield Step(node.callee.target, fields=None if taken is None else (*fields, taken))
            yield from (Step(argument.value) for argument in node.args[1:])
            return
    inner = node.args[0].value if name in COPYING and node.args else None
    if isinstance(inner, ir.Call) and inner.args and callee_name(inner.callee) == COPYING[name]:
        yield Step(inner.args[0].value, fields=fields)
        return
    held = next((a.value for a in node.args if fields and a.keyword == fields[-1]), None)
    if held is not None and name[:1].isupper():
        yield Step(held, fields=fields[:-1])  # an object of a library's class has its keywords as its parts
        return
    kept = (_settled(fields) if name == SETTLING else fields) if name in SAME else ()
    if kept and is_place(kept[-1]) and name not in ORDERED:
        kept = kept[:-1]
    if name == "gather" and fields and is_place(fields[-1]):
        yield from _gathered(node, fields)
        return
    written = [argument.value for argument in node.args if isinstance(argument.value, ir.Function)]
    if written and name in MAPPING:
        yield from (Step(value) for function in written for value in program.structure(function).returns)
        return
    if kept and name == "values":
        kept = (*kept, ANY_PLACE)
    if isinstance(node.callee, ir.Member):
        yield Step(node.callee.target, fields=kept)
    for argument in node.args:
        if isinstance(argument.value, ir.Function):
            if name not in PICKING:
                yield from (Step(value) for value in program.structure(argument.value).returns)
        elif argument.keyword is not None and kept and name == "dict":
            if argument.keyword == kept[-1]:
                yield Step(argument.value, fields=kept[:-1])
        else:
            yield Step(argument.value, fields=kept)


def _is_mapping(program: Program, target: ir.Expr) -> bool:
    """Whether an expression is a mapping of the project's own making, whatever is in it."""
    values = program.value_of(target)
    return bool(values) and all(isinstance(value, Entries) for value in values)


def _settled(fields: Fields) -> Fields:
    """What is wanted of promises, where of their outcomes it is the `value` (`[{status, value}, …]`)."""
    place = fields[-1:] if fields and is_place(fields[-1]) else ()
    inner = fields[: len(fields) - len(place)]
    return (*inner[:-1], *place) if inner[-1:] == ("value",) else fields


def _gathered(node: ir.Call, fields: Fields) -> Iterator[Step]:
    """`a, b = await gather(x(), y())`: `a` is `x()`."""
    plain = tuple(argument for argument in node.args if argument.keyword is None)
    found = plain if any(argument.spread for argument in plain) else _at(plain, fields[-1])
    yield from (Step(argument.value, fields=fields[:-1]) for argument in found)


def _taken_key(program: Program, call: ir.Call) -> str | None:
    """The key of `mapping.get("key", default)`; None for a `get` that a library offers under its own name."""
    if not call.args or call.args[0].keyword is not None or call.args[0].spread:
        return None
    if any(isinstance(value, Api) and not value.path.endswith("[].get") for value in program.value_of(call.callee)):
        return None
    return _constant(program, call.args[0].value)


def _is_handed(function: ir.Function, call: ir.Call) -> bool:
    """Whether a function is run by a library's call that it is handed to; its result is not the call's."""
    return any(argument.value is function for argument in call.args)
