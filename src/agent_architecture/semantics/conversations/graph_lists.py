"""Keys of a graph's state that grow, and those that its steps make longer by hand: a step hands back what it read.

A key without a reducer keeps what the last step handed back, so such a list grows as one whose reducer adds does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import lineage
from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import LISTING
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, ClassValue, Entries
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.sources.source import Span

THROUGH: Final = 2
"""Variables through which what was read is followed."""


class Channel(NamedTuple):
    """A key of a state that grows. `sheds`: its reducer can also replace what is there; `cut`: what is kept;
    `by_hand`: its steps add to it, for it has no reducer.
    """

    key: str
    span: Span
    of_messages: bool
    sheds: bool = False
    cut: ir.Expr | None = None
    by_hand: bool = False

    def is_it(self, expr: ir.Expr | None) -> bool:
        """Whether an expression reads the key of a state."""
        match expr:
            case ir.Member(name=name):
                return name == self.key
            case _ if (read := keyed_read(expr)) is not None:
                return read.key == self.key
            case ir.Name():
                return expr.id == self.key
            case _:
                return False


def lengthened(program: Program, steps: Iterable[ir.Function]) -> Iterator[str]:
    """The keys, each once; whose state they are of is for the caller."""
    found: dict[str, None] = {}
    for step in steps:
        nodes = tuple(own_nodes(step))
        for node in nodes:
            for entry in node.entries if isinstance(node, ir.Map) else ():
                key = entry.key.value if isinstance(entry.key, ir.Literal) else None
                if isinstance(key, str) and _is_more(program, nodes, key, entry.value, THROUGH):
                    found[key] = None
            added = _added(node)
            if isinstance(added, (ir.Member, ir.Index)) and (key := _key(added)) and _is_state(step, added):
                found[key] = None
    yield from found


def keys_of(program: Program, values: Iterable[Value]) -> Iterator[tuple[str, Span]]:
    """The keys of a state's schema, with where each stands."""
    for value in values:
        if isinstance(value, ClassValue):
            for each in lineage(program, value.cls):
                yield from ((key, found[0].node.span) for key, found in program.attributes(each).items() if found)
        elif isinstance(value, Api) and isinstance(value.node, ir.Call):
            given = (argument.value for argument in value.node.args)
            entries = (e for expr in given for v in program.value_of(expr) if isinstance(v, Entries) for e in v.entries)
            yield from ((str(key), channel.span) for key, channel in entries)


def _is_more(program: Program, nodes: tuple[ir.Node, ...], key: str, value: ir.Expr, through: int) -> bool:
    """Whether a value is the list under a key with more in it: `state["k"] + [x]`, `[...state.k, x]`, a variable for
    one of these, or one to which the step adds.
    """
    match value:
        case ir.Operator(op=ir.Op.ADD, operands=operands):
            is_list = any(isinstance(each, ir.List) for each in operands)
            return is_list and any(_reads(program, each, key, through) for each in operands)
        case ir.List(items=items):
            spread = [item.value for item in items if isinstance(item, ir.Spread)]
            return len(items) > 1 and any(_reads(program, each, key, through) for each in spread)
        case ir.Name(id=name):
            is_added_to = any(isinstance(a := _added(node), ir.Name) and a.id == name for node in nodes)
            if is_added_to and _reads(program, value, key, through):
                return True
            values = [b.value for b in visible_bindings(program, value) if b.kind == "assign" and b.value is not None]
            return bool(through) and any(_is_more(program, nodes, key, each, through - 1) for each in values)
        case _:
            return False


def _added(node: ir.Node) -> ir.Expr | None:
    """What a call adds to: `kept.append(x)`, `state["k"].push(x)`."""
    callee = node.callee if isinstance(node, ir.Call) else None
    return callee.target if isinstance(callee, ir.Member) and callee.name in LISTING else None


def _reads(program: Program, value: ir.Expr, key: str, through: int) -> bool:
    """Whether a value is what stands under a key, as it is or where there is none a new list."""
    match value:
        case ir.Member() | ir.Index():
            return _key(value) == key
        case ir.Call(args=args):
            return any(isinstance(a.value, ir.Literal) and a.value.value == key for a in args) or any(
                _reads(program, a.value, key, through) for a in args[:1]
            )
        case ir.Operator(operands=operands):
            return any(_reads(program, each, key, through) for each in operands)
        case ir.List(items=(ir.Spread(value=inner),)):
            return _reads(program, inner, key, through)
        case ir.Name() if through:
            bound = visible_bindings(program, value)
            return any(b.value is not None and _reads(program, b.value, key, through - 1) for b in bound)
        case _:
            return False


def _key(node: ir.Member | ir.Index) -> str:
    if isinstance(node, ir.Member):
        return node.name
    return node.key.value if isinstance(node.key, ir.Literal) and isinstance(node.key.value, str) else ""


def _is_state(step: ir.Function, part: ir.Member | ir.Index) -> bool:
    """Whether it is a part of what the step is given."""
    given = {param.name for param in step.params if param.name not in {"self", "cls"}}
    return isinstance(part.target, ir.Name) and part.target.id in given
