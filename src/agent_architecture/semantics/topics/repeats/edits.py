"""What a second time leaves of a file that is read, changed and written back, and of an evaluated expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.in_place import with_helpers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Entries
from agent_architecture.semantics.bounds.loop_bounds import steps_itself
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.semantics.topics.repeats.added_text import WRITING, adds_text
from agent_architecture.semantics.topics.repeats.new_entries import new_key
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
READS: Final = {
    "write_file": frozenset({"read_file"}), "network_write": frozenset({"network_read", "network_write"}),
    "database_write": frozenset({"database", "database_read"}),
}  # fmt: skip
"""What reads from where something is written: a request of any method has an answer."""
FILES: Final = "write_file"
SENDS: Final = "network_write"
ROWS: Final = "database_write"
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
    tested = {id(node): node for test in tests_asked(program, own_nodes(scope)) for node in ir.walk(test)}
    asked = {node.id for node in tested.values() if isinstance(node, ir.Name)}
    return not any(
        isinstance(node, ir.Call)
        and callee_name(node.callee) in COUNTING
        and node is not made
        and (id(node) in tested or not asked.isdisjoint(_kept_as(program, node)))
        for node in own_nodes(scope)
    )


def _kept_as(program: Program, call: ir.Call) -> Iterator[str]:
    """The name that keeps what is made of the answer of a call, `len(…)` of it, too."""
    structure = program.structure(program.scope_of(call))
    around = structure.parent(call)
    while isinstance(around, (ir.Call, ir.Operator, ir.Member, ir.Index, ir.Await)):
        around = structure.parent(around)
    if isinstance(around, ir.Assign):
        yield from (node.id for node in ir.walk(around.target) if isinstance(node, ir.Name))


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


def adds_to_read(context: Context, effects: Effects, kind: str, statements: tuple[ir.Node, ...]) -> bool:
    """Whether code adds to a list or text that it read from where it writes (a file, another machine), or to a mapping
    under a new key, and nothing asks whether it is there already: what is written over then is longer each time.
    Another machine has to be sent that list. Of a row that is read, a number is added to: `account.balance -= amount`.
    """
    nodes, read = tuple(with_helpers(context.program, ir.walk(*statements))), READS[kind]
    if kind == FILES:
        writes = (node for node in nodes if isinstance(node, ir.Call) and callee_name(node.callee) in WRITING)
        if adds_text(context.program, nodes) or any(replaces_part(context.program, call) for call in writes):
            return True
    for node in nodes:
        held = _counted(node) if kind == ROWS else _made_longer(node) or new_key(context, node)
        owner = root_of(held) if held is not None else None
        if owner is None or held is None or not _is_read(context, effects, owner, read, NAMES):
            continue
        if not _is_looked_up(nodes, owner) and (kind != SENDS or _is_sent(context, effects, nodes, node, owner)):
            return True
    return False


def _counted(node: ir.Node) -> ir.Expr | None:
    """The field that becomes what it was and something more or less."""
    is_field = isinstance(node, ir.Assign) and isinstance(node.target, (ir.Member, ir.Index)) and steps_itself(node)
    return node.target if is_field and isinstance(node, ir.Assign) else None


def _made_longer(node: ir.Node) -> ir.Expr | None:
    """The list that gets one more entry: `held.push(x)`, `[...held, x]`."""
    match node:
        case ir.Call(callee=ir.Member(name=name, target=held), args=(ir.Argument(), *_)) if name in ADDING:
            return held
        case ir.List(items=items) if len(items) > 1:
            spread = [item.value for item in items if isinstance(item, ir.Spread)]
            return spread[0] if len(spread) == 1 else None
        case _:
            return None


def _is_sent(context: Context, effects: Effects, nodes: tuple[ir.Node, ...], grown: ir.Node, owner: ir.Name) -> bool:
    """Whether a call that writes to another machine takes the list that became longer, or what holds it."""
    named = {owner.id} if isinstance(grown, ir.Call) else set[str]()
    named |= {
        n.target.id for n in nodes if isinstance(n, ir.Assign) and n.value is grown and isinstance(n.target, ir.Name)
    }
    for call in (node for node in nodes if isinstance(node, ir.Call) and node is not grown):
        parts = tuple(ir.walk(*(argument.value for argument in call.args)))
        takes = any(part is grown or (isinstance(part, ir.Name) and part.id in named) for part in parts)
        if takes and SENDS in _does(context, effects, call):
            return True
    return False


def _does(context: Context, effects: Effects, call: ir.Call) -> frozenset[str]:
    """The effects of a call, and of the project's functions that it runs."""
    inner = (effect.kind for function in context.program.callees(call) for effect in effects.of(function))
    return frozenset(row.effect for row, _ in effects.rows(call)) | frozenset(inner)


def _is_read(context: Context, effects: Effects, name: ir.Name, read: frozenset[str], left: int) -> bool:
    """Whether a variable holds what a call read, or a part of it."""
    for binding in visible_bindings(context.program, name):
        if binding.kind not in {"assign", "with"} or binding.steps or binding.value is None:
            continue
        parts = tuple(with_helpers(context.program, ir.walk(binding.value)))
        for call in (node for node in parts if isinstance(node, ir.Call)):
            if (callee_name(call.callee) in LOADING and "read_file" in read) or read & _does(context, effects, call):
                return True
        inner = _copied(binding.value)
        if left and inner is not None and _is_read(context, effects, inner, read, left - 1):
            return True
    return False


def _copied(value: ir.Expr) -> ir.Name | None:
    """The variable of which a value is a part or a copy: `held.parts`, `{ ...held.parts }`, `[...held.parts]`,
    `await rows.one()`.
    """
    match value:
        case ir.Await(value=inner) if isinstance(inner, ir.Call):
            return _copied(inner)
        case ir.Call(callee=ir.Member(target=inner)):
            return root_of(inner)
        case ir.List(items=(ir.Spread(value=inner),)):
            return root_of(inner)
        case ir.Map(entries=(ir.Entry(key=None, value=inner), *_)):
            return root_of(inner.value if isinstance(inner, ir.Spread) else inner)
        case _:
            return root_of(value)


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
    given = call.args[1].value
    if isinstance(given, ir.Map):
        return _is_emptied(program, given)
    for value in program.value_of(given):
        held = dict(value.entries).get(BUILTINS) if isinstance(value, Entries) else None
        if held is None or not _is_empty(program, held):
            return False
    return bool(program.value_of(given))


def _is_emptied(program: Program, given: ir.Map) -> bool:
    """Whether a table of names that is written at the call has no builtins, whatever is spread into it beside."""
    held: ir.Expr | None = None
    for entry in given.entries:
        if isinstance(entry.key, ir.Literal) and entry.key.value == BUILTINS:
            held = entry.value
        elif entry.key is None:
            inner = entry.value.value if isinstance(entry.value, ir.Spread) else entry.value
            known = [dict(v.entries) for v in program.value_of(inner) if isinstance(v, Entries)]
            held = next((one[BUILTINS] for one in known if BUILTINS in one), held)
    return held is not None and _is_empty(program, held)


def _is_empty(program: Program, held: ir.Expr) -> bool:
    if isinstance(held, ir.Literal):
        return held.value is None
    values = program.value_of(held)
    return bool(values) and all(isinstance(v, Entries) and v.complete and not v.entries for v in values)
