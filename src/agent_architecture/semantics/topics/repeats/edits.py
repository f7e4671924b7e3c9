"""What a second time leaves of a file that is read, changed and written back, and of an evaluated expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Entries
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context

REPLACING: Final = frozenset({"replace", "replaceAll", "sub", "subn"})
COUNTING: Final = frozenset({"count", "split", "lastIndexOf", "rfind", "rindex", "findall", "matchAll", "finditer"})
"""Calls by which code learns whether a text occurs more than once."""
ADDING: Final = frozenset({"append", "extend", "insert", "push", "unshift"})
"""Methods that make a list longer."""
AMONG: Final = frozenset({"includes", "some", "find", "findIndex", "indexOf", "has", "index", "count"})
"""Methods by which code asks whether something is in a list."""
READS: Final = "read_file"
LOADING: Final = frozenset({"load", "safe_load"})
"""Calls that make an object of an open file."""
NAMES: Final = 3
"""Names through which a text that is written is followed to the call that made it."""
BUILTINS: Final = "__builtins__"


def replaces_part(program: Program, call: ir.Call) -> bool:
    """Whether what a call writes is what was read with a part of it replaced by another text, and nothing refuses a
    text that occurs again: the second time the new text, or the next place, is replaced.
    """
    made = next((one for a in call.args for one in _made(program, a.value, NAMES)), None)
    if made is None:
        return False
    scope = program.scope_of(made)
    return not any(
        isinstance(node, ir.Call) and callee_name(node.callee) in COUNTING and node is not made
        for node in own_nodes(scope)
    )


def _made(program: Program, expr: ir.Expr, left: int) -> Iterator[ir.Call]:
    """The calls that replace something in a text that has a name, by something that has one."""
    match expr:
        case ir.Call(callee=ir.Member(name=name, target=ir.Name()), args=(old, new, *_)) if name in REPLACING:
            if not isinstance(old.value, ir.Literal) and not isinstance(new.value, ir.Literal):
                yield expr
        case ir.Name() if left:
            for binding in visible_bindings(program, expr):
                if binding.kind == "assign" and binding.value is not None and not binding.steps:
                    yield from _made(program, binding.value, left - 1)


def adds_to_read(context: Context, effects: Effects, statements: tuple[ir.Node, ...]) -> bool:
    """Whether code adds to a list that it read from a file, and nothing asks whether it is there already: what is
    written over then is longer each time.
    """
    nodes = tuple(ir.walk(*statements))
    for node in nodes:
        match node:
            case ir.Call(callee=ir.Member(name=name, target=held), args=(ir.Argument(), *_)) if name in ADDING:
                owner = root_of(held)
                if owner is not None and _is_read(context, effects, owner) and not _is_looked_up(nodes, owner):
                    return True
            case _:
                continue
    return False


def _is_read(context: Context, effects: Effects, name: ir.Name) -> bool:
    """Whether a variable holds what a call read from a file."""
    for binding in visible_bindings(context.program, name):
        if binding.kind != "assign" or binding.steps or binding.value is None:
            continue
        for call in (node for node in ir.walk(binding.value) if isinstance(node, ir.Call)):
            if callee_name(call.callee) in LOADING or any(row.effect == READS for row, _ in effects.rows(call)):
                return True
            inner = (effect for function in context.program.callees(call) for effect in effects.of(function))
            if any(effect.kind == READS for effect in inner):
                return True
    return False


def _is_looked_up(nodes: tuple[ir.Node, ...], owner: ir.Name) -> bool:
    """Whether code asks what is among the parts of a variable."""
    for node in nodes:
        match node:
            case ir.Operator(op=ir.Op.IN, operands=(_, held)):
                among: ir.Expr = held
            case ir.Call(callee=ir.Member(name=name, target=held)) if name in AMONG:
                among = held
            case ir.Call(callee=ir.Name(id="any" | "next"), args=(ir.Argument(value=among), *_)):
                pass
            case _:
                continue
        if any(isinstance(one, ir.Name) and one.id == owner.id for one in ir.walk(among)):
            return True
    return False


def only_evaluates(program: Program, call: ir.Call) -> bool:
    """Whether a call works out one expression with no builtins but what it is given by name: `eval(text,
    {"__builtins__": {}}, names)`. Whether that is safe is another question; it leaves nothing behind.
    """
    if callee_name(call.callee) != "eval" or len(call.args) < 2:  # noqa: PLR2004 - the text and its globals
        return False
    for value in program.value_of(call.args[1].value):
        held = dict(value.entries).get(BUILTINS) if isinstance(value, Entries) else None
        if held is None or not _is_empty(program, held):
            return False
    return bool(program.value_of(call.args[1].value))


def _is_empty(program: Program, held: ir.Expr) -> bool:
    if isinstance(held, ir.Literal):
        return held.value is None
    values = program.value_of(held)
    return bool(values) and all(isinstance(v, Entries) and v.complete and not v.entries for v in values)
