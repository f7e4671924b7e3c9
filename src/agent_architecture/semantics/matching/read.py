"""What a row's addresses yield at a call: settings with their origin, and the values that relations name.

Keeps apart what was written, what was left out, and what cannot be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.settings import ABSENT, Origin, Scalar, Setting, unknown
from agent_architecture.names import builtins
from agent_architecture.names.library_attributes import assigned, is_unset
from agent_architecture.names.named_options import is_given_elsewhere, may_be_set
from agent_architecture.names.spread import certain
from agent_architecture.names.super_arguments import super_arguments
from agent_architecture.names.switches import passed_values, switched_on
from agent_architecture.names.values import (
    OPEN_MAPPING,
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    Text,
    Unknown,
    Value,
    Values,
)
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.undefined_arguments import is_left_out
from agent_architecture.semantics.packs.addresses import (
    ELEMENT,
    EVERY,
    FUNCTION,
    LIST,
    OBJECT,
    SELF,
    TEXT,
    Address,
    Step,
    made_by,
)
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span


Given: TypeAlias = "ir.Call | ir.Map"
"""What carries the properties of a row: a call, or an object whose keys stand for keywords."""


class Read(NamedTuple):
    """What stands at an address. `missing` when it is left out on some way (no values: on every way)."""

    values: Values = ()
    missing: bool = True


NOTHING: Final = Read()
ADDED: Final = "extra_body"
"""Under which keyword clients take options of a request that they do not know: their keys stand beside the keywords in
the body (openai and anthropic for Python, `RequestOptions`).
"""


def at_call(program: Program, call: Given | None, receiver: Api | None, address: Address) -> Read:
    """What a call, or an object with keys for keywords, gives at an address: the first alternative that is written
    counts, else the first that is unreadable.
    """
    return _best(_alternative(program, call, receiver, steps) for steps in address.alternatives)


def within(program: Program, value: Value, address: Address) -> Read:
    """What an object holds at an address, whose steps are all keys or keywords of it."""
    return _best(_along(program, Read((value,), missing=False), steps) for steps in address.alternatives)


def _along(program: Program, read: Read, steps: tuple[Step, ...]) -> Read:
    for step in steps:
        read = _inside(program, read, step)
    return read


def _best(reads: Iterable[Read]) -> Read:
    doubtful = NOTHING
    for found in reads:
        if found.values and not all(isinstance(value, Unknown) for value in found.values):
            return found
        if found.values and not doubtful.values:
            doubtful = found
    return doubtful


def _alternative(program: Program, call: Given | None, receiver: Api | None, steps: tuple[Step, ...]) -> Read:
    if not steps:
        return NOTHING
    if steps[0] == SELF:
        made, read = receiver, NOTHING
        while made is not None and not read.values:
            read, made = _along(program, Read((made,), missing=False), steps[1:]), _before(program, made)
        return read
    if call is None:
        return NOTHING
    if isinstance(call, ir.Map):
        read = _inside(program, Read(program.value_of(call), missing=False), steps[0])
    else:
        read = _argument(program, call, steps[0])
    return _along(program, read, steps[1:])


def _before(program: Program, made: Api) -> Api | None:
    """The object that a call gave back after a change (`agent.clone()`); None for one that was made."""
    earlier = made.receiver.receiver if made.receiver is not None else None
    same = earlier is not None and program.library.canonical(earlier.path) == program.library.canonical(made.path)
    return earlier if same else None


def _argument(program: Program, call: ir.Call, step: Step) -> Read:
    if step == EVERY:
        values = [v for a in call.args if a.keyword is None for v in _argument_values(program, a)]
        return Read(tuple(values), missing=not values)
    if isinstance(step, int):
        return _positional(program, call, step)
    for argument in call.args:
        if argument.keyword == step:
            return _given(passed_values(program, argument.value))
    return _spread(program, call, str(step))


def _argument_values(program: Program, argument: ir.Argument) -> Values:
    values = program.value_of(argument.value)
    if not argument.spread:
        return values
    return tuple(
        v for value in values if isinstance(value, Items) for item in value.items for v in program.value_of(item)
    )


def _positional(program: Program, call: ir.Call, position: int) -> Read:
    plain = [argument for argument in call.args if argument.keyword is None and argument.spread != "**"]
    left = position
    for argument in plain:
        spread = program.value_of(argument.value) if argument.spread else ()
        if len(spread) == 1 and isinstance(spread[0], Items) and spread[0].complete:
            if left < len(spread[0].items):
                return _given(program.value_of(spread[0].items[left]))
            left -= len(spread[0].items)
        elif argument.spread:
            return Read((Unknown("arguments that are spread into the call", argument.value),), missing=False)
        elif left == 0:
            return _given(passed_values(program, argument.value))
        else:
            left -= 1
    return NOTHING


def _spread(program: Program, call: ir.Call, key: str) -> Read:
    """A keyword that is not written may come in a `**mapping`, or among what a client adds to its request's body."""
    for argument in call.args:
        if argument.keyword == ADDED:
            found = _inside(program, Read(program.value_of(argument.value), missing=False), key)
            if found.values:
                return found
        if argument.spread == "**":
            found = _inside(program, Read(certain(program, argument.value, key), missing=False), key)
            if found.values:
                return found
    return NOTHING


def _given(values: Values) -> Read:
    kept = tuple(value for value in values if not is_left_out(value))
    return Read(kept, missing=len(kept) < len(values))


def _inside(program: Program, read: Read, step: Step) -> Read:
    values: list[Value] = []
    missing = read.missing
    for value in read.values:
        inner = _step(program, value, step)
        values.extend(inner.values)
        # Objects that are piped into each other (`Mention("end") | MaxMessages(10)`) are parts of one.
        missing = missing or (inner.missing and not (made_by(step) and isinstance(value, Api)))
    return Read(tuple(values), missing or not values)


def _step(program: Program, value: Value, step: Step) -> Read:
    maker = made_by(step)
    if maker:
        return _made(program, value, maker)
    if step in _SORTS:
        return Read((value,), missing=False) if _is_of(value, str(step)) else NOTHING
    match value:
        case Items():
            return _of_items(program, value, step)
        case Entries() if step == EVERY:
            values = tuple(v for _, entry in value.entries for v in program.value_of(entry))
            return Read(values, missing=not values)
        case Entries():
            found = dict(value.entries).get(str(step))
            if found is not None:
                return _given(program.value_of(found))
            if value.complete or not (is_given_elsewhere(program, value) or may_be_set(program, str(step))):
                return NOTHING
            return Read((Unknown(OPEN_MAPPING, value.node),), missing=False)
        case Api(path=path, receiver=Api() as receiver) if step == SELF:
            owner = receiver.receiver if path.endswith("()") else receiver  # of a call, what its method was called on
            return NOTHING if owner is None else Read((owner,), missing=False)
        case Api(node=ir.Call() as made, receiver=Api(receiver=Api() as copied)) if _is_copy(made):
            changed = _along(program, _argument(program, made, UPDATE), (step,))
            return changed if changed.values else _step(program, copied, step)
        case Api(node=ir.Call() as made) if not builtins.is_environment(value):
            return _property(program, made, step)
        case Instance(call=ir.Call() as made):
            found_values = tuple(v for v in _member(program, value, str(step)) if not is_unset(v, str(step)))
            given = super_arguments(program, value.cls, made)
            return _given(found_values) if found_values or given is None else _argument(program, given, step)
        case Const() | Func():
            return NOTHING
        case Unknown(why=why) if why == OPEN_MAPPING and _is_key(step) and not may_be_set(program, str(step)):
            return NOTHING
        case Unknown():
            return Read((value,), missing=False)
        case Api():
            what = f"a {last_name(value.path)} that is only given at run time"
            return Read((Unknown(what, value.node),), missing=False)
        case _:
            return Read((Unknown("an object that is not readable here", None),), missing=False)


def _is_key(step: Step) -> bool:
    return isinstance(step, str) and step.isidentifier()


COPYING: Final = frozenset({"model_copy", "copy", "__copy__", "deepcopy"})
UPDATE: Final = "update"
"""The argument of such a method that says what is different."""


def _is_copy(call: ir.Call) -> bool:
    """Whether a call gives an object as it was, but for what it is told: `config.model_copy(update={…})`."""
    named = isinstance(call.callee, ir.Member) and call.callee.name in COPYING
    return named and all(argument.keyword is not None for argument in call.args)


def _property(program: Program, made: ir.Call, step: Step) -> Read:
    """A property of an object of a library: as it was made with, or else as it was set afterwards."""
    read = _argument(program, made, step)
    return read if read.values or isinstance(step, int) else _given(assigned(program, made, step))


_SORTS: Final = frozenset({TEXT, LIST, OBJECT, FUNCTION})


def _is_of(value: Value, sort: str) -> bool:
    """Whether a value is of a sort, or may be: what cannot be read is of every sort."""
    match value:
        case Unknown():
            return True
        case Const():
            return sort == TEXT and isinstance(value.value, str)
        case Text():
            return sort == TEXT
        case Func():
            return sort == FUNCTION
        case Items():
            return sort == LIST
        case Entries() | Instance():
            return sort == OBJECT
        case Api(path=path, node=node):  # or a part of an object that was made: `Schema.shape`
            return sort == OBJECT and (isinstance(node, ir.Call) or (isinstance(node, ir.Member) and "()." in path))
        case _:
            return False


def _made(program: Program, value: Value, maker: str) -> Read:
    """The elements of a list that a call of something named `maker` made; unreadable elements may be one."""
    if isinstance(value, Unknown):
        return Read((value,), missing=False)
    elements = switched_on(program, value.items) if isinstance(value, Items) else ()
    inner = [v for item in elements for v in program.value_of(item)] if elements else [value]
    found = tuple(v for v in inner if isinstance(v, Api) and maker in _names(program, v))
    if not found and isinstance(value, Items) and not value.complete:
        return Read((Unknown("a list that is not fully readable", value.node),), missing=False)
    return Read(found, missing=not found)


def _names(program: Program, made: Api) -> tuple[str, str]:
    """What made a value, as it is written and as the packs call it."""
    return last_name(made.path), last_name(program.library.canonical(made.path))


def _member(program: Program, value: Instance, name: str) -> Iterator[Value]:
    from agent_architecture.names.members import instance_member

    if value.call is not None:
        yield from instance_member(program, value, name, value.call)


def _of_items(program: Program, value: Items, step: Step) -> Read:
    if step in {ELEMENT, EVERY}:
        values = tuple(v for item in switched_on(program, value.items) for v in program.value_of(item))
        rest = () if value.complete else (Unknown("a list that is not fully readable", value.node),)
        return Read(values + rest, missing=not values and value.complete)
    if isinstance(step, int) and value.complete and (step if step >= 0 else -step - 1) < len(value.items):
        return _given(program.value_of(value.items[step]))
    # A key of a list means the key of any of its elements (`stopWhen: [a, b]`).
    return NOTHING


def expressions(program: Program, call: Given, address: Address) -> tuple[ir.Expr, ...]:
    """The expressions that stand at an address, every alternative; for questions about where a value comes from. Of an
    object that gives what an earlier alternative asks of it (`0.sql | 0`), only that part is meant.
    """
    found: list[ir.Expr] = []
    opened: set[tuple[tuple[Step, ...], ir.Expr]] = set()
    for steps in address.alternatives:
        current = _first_expressions(program, call, steps[0]) if steps else []
        for number, step in enumerate(steps[1:], start=1):
            inner = {expr: _at_step(program, expr, step) for expr in current}
            opened |= {(steps[:number], expr) for expr, parts in inner.items() if parts and _is_object(program, expr)}
            current = [part for expr in current for part in inner[expr]]
        found.extend(expr for expr in current if (steps, expr) not in opened)
    return tuple(dict.fromkeys(found))


def _at_step(program: Program, expr: ir.Expr, step: Step) -> list[ir.Expr]:
    """What of an expression stands at one step of an address."""
    values = program.value_of(expr)
    if step in _SORTS:
        return [expr for value in values if _is_of(value, str(step))]
    return [part for value in values for part in _parts(program, value, step)]


def _is_object(program: Program, expr: ir.Expr) -> bool:
    """Whether an expression is nothing but objects whose keys are known."""
    return all(isinstance(value, Entries) and value.complete for value in program.value_of(expr))


def _first_expressions(program: Program, call: Given, step: Step) -> list[ir.Expr]:
    if isinstance(call, ir.Map):
        return [inner for value in program.value_of(call) for inner in _parts(program, value, step)]
    if step == SELF and isinstance(call.callee, ir.Member):
        return [call.callee.target]
    return _argument_expressions(program, call, step)


def _argument_expressions(program: Program, call: ir.Call, step: Step) -> list[ir.Expr]:
    plain = [argument.value for argument in call.args if argument.keyword is None]
    if step == EVERY:
        return plain
    if isinstance(step, int):
        return plain[step : step + 1]
    named = [argument.value for argument in call.args if argument.keyword == step]
    spread = [v for a in call.args if a.spread == "**" and not named for v in program.value_of(a.value)]
    return named or [dict(v.entries)[str(step)] for v in spread if isinstance(v, Entries) and step in dict(v.entries)]


def _parts(program: Program, value: Value, step: Step) -> list[ir.Expr]:
    match value:
        case Entries():
            return [entry for key, entry in value.entries if step == EVERY or key == str(step)]
        case Items():
            return list(switched_on(program, value.items) if not isinstance(step, int) else value.items[step:][:1])
        case Api(node=ir.Call() as made):
            return _argument_expressions(program, made, step)
        case _:
            return []


# ------------------------------------------------------------------------------------------------------------- settings
def to_setting(program: Program, read: Read) -> Setting:
    """A setting of what was read; `ABSENT` when nothing is written there."""
    scalars: list[Scalar] = []
    span: Span | None = None
    for value in read.values:
        if _is_doubtful(value):
            return unknown(_why(value), _span_of(value))
        scalars.append(_scalar(program, value))
        span = span or _span_of(value)
    if not scalars:
        return ABSENT
    return Setting(Origin.WRITTEN, tuple(dict.fromkeys(scalars)), span)


def _is_doubtful(value: Value) -> bool:
    return isinstance(value, (Unknown, Text)) or builtins.is_environment(value)


def _why(value: Value) -> str:
    match value:
        case Unknown():
            return value.why
        case Text():
            return "a text that is built at run time"
        case Api():
            return f"the environment variable {_variable(value)}"
        case _:
            return "an expression"


def _variable(value: Api) -> str:
    """The name of the environment variable that a value is."""
    node = value.node
    if isinstance(node, ir.Index) and isinstance(node.key, ir.Literal):
        return str(node.key.value)
    return value.path.rpartition(".")[2]


def _scalar(program: Program, value: Value) -> Scalar:
    """A value as one scalar: constants as they are, everything else by its name."""
    match value:
        case Const(value=bytes() as data):
            return data.decode("utf-8", "replace")
        case Const(value=ir.Undefined()):
            return None
        case Const():
            return value.value  # type: ignore[return-value]
        case Api():
            number = builtins.constant(value.path)
            return program.library.canonical(value.path) if number is None else number
        case Func():
            return value.function.qualname or "a function"
        case ClassValue() | Instance():
            return value.cls.qualname
        case Items():
            return f"a list of {len(value.items)}"
        case _:
            return "an object"


def _span_of(value: Value) -> Span | None:
    if isinstance(value, Const):
        return value.span
    parts = (getattr(value, name, None) for name in ("node", "call", "function", "cls"))
    node = next((part for part in parts if part), None)
    return node.span if node is not None else None
