"""The methods of plain lists, dictionaries and texts, as far as they carry values along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.elements import MOST_ITEMS, element, entries_of, items, pairs_of
from agent_architecture.names.exports import PYTHON
from agent_architecture.names.null_checks import same
from agent_architecture.names.values import Const, Entries, Func, Items, Text, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

METHODS: Final = frozenset(
    {
        "concat", "copy", "entries", "filter", "flat", "flatMap", "format", "get", "items", "join", "keys", "lower",
        "map", "partition", "pop", "replace", "reverse", "rpartition", "rsplit", "setdefault", "slice", "sort", "split",
        "strip", "toLowerCase", "toReversed", "toSorted",
        "toUpperCase", "trim", "upper", "values", "at", "find", "toString", "__enter__", "__aenter__",
    }
)  # fmt: skip
OF_THE_LANGUAGES: Final = frozenset(
    name for kind in (bytes, dict, frozenset, list, set, str) for name in dir(kind)
) | {
    "apply", "at", "bind", "catch", "concat", "delete", "entries", "every", "filter", "finally", "flat", "flatMap",
    "forEach", "has", "includes", "indexOf", "map", "push", "reduce", "set", "shift", "slice", "some", "splice", "test",
    "then", "toString", "trim", "unshift",
}  # fmt: skip
"""Names that anything unreadable may have a method of: nobody can say by the name alone whose it is."""
SAME: Final = frozenset({"copy", "reverse", "sort", "toReversed", "toSorted", "toString"})
"""Methods whose result has the same content."""
SOME: Final = frozenset({"filter", "slice", "flat"})
"""Methods of a list whose result has some of its elements."""
SPACE: Final = frozenset({"strip", "trim"})
CASES: Final = {"lower": "lower", "toLowerCase": "lower", "upper": "upper", "toUpperCase": "upper"}
DIVIDING: Final = frozenset({"partition", "rpartition", "rsplit", "split"})
"""Methods that take a text apart."""


def keys_of(program: Program, value: Entries) -> tuple[ir.Expr, ...]:
    """The keys of a dictionary as literals."""
    return tuple(program.made.literal(entry, key) for key, entry in value.entries)


def method_of_container(program: Program, target: Value, node: ir.Call) -> Values | None:
    """What a method of a plain list, dictionary or text returns; None when the target is none of these."""
    if not isinstance(node.callee, ir.Member) or node.callee.name not in METHODS:
        return None
    if not isinstance(target, (Items, Entries, Text, Const)):
        return None
    if isinstance(target, Entries) and node.callee.name in dict(target.entries):
        return None  # an object with a function of its own under this name
    if node.callee.name.endswith("enter__"):
        return _entered(program, target, node.callee)
    return _of_one(program, target, node.callee.name, node)


def _entered(program: Program, manager: Value, node: ir.Member) -> Values:
    """What a generator under `@contextmanager` gives who enters it by hand; nobody enters None."""
    from agent_architecture.names.binding_values import entered

    is_generator = isinstance(manager, Items) and isinstance(manager.node, ir.Function)
    return tuple(entered(program, manager, node)) if is_generator else ()


def _of_one(program: Program, value: Value, name: str, node: ir.Call) -> Values:
    match value:
        case Entries():
            return _of_entries(program, value, name, node)
        case Items():
            return _of_items(program, value, name, node)
        case Text() | Const() if name == "format":
            return (Text((node.callee, *(argument.value for argument in node.args)), node),)
        case Text() | Const() if name in SPACE:
            text = value.value if isinstance(value, Const) else None
            return (
                (Const(text.strip(), value.span),) if isinstance(value, Const) and isinstance(text, str) else (value,)
            )
        case Const(value=str() as text) if name in CASES:
            return (Const(getattr(text, CASES[name])(), value.span),)
        case Const(value=str()) if name in DIVIDING:
            return (_divided(program, str(value.value), name, node),)
        case Text() | Const() if name == "toString":
            return (value,)
        case _:
            return (Unknown(f"the result of {name}()", node),)


def _divided(program: Program, text: str, name: str, node: ir.Call) -> Value:
    """The parts of a text: `"a.b.C".rsplit(".", 1)`. Python's and JavaScript's `split` mean the same by one text."""
    given = [program.value_of(argument.value) for argument in node.args]
    known = [v.value for values in given if len(values) == 1 for v in values if isinstance(v, Const)]
    is_plain = len(known) == len(given) and (len(given) == 1 or program.module_of(node).language in PYTHON)
    try:
        parts = getattr(text, name)(*known) if is_plain else None
    except (TypeError, ValueError):  # as at run time: no separator, or an empty one
        parts = None
    if parts is None:
        return Unknown(f"the result of {name}()", node)
    return items(tuple(ir.Literal(node.span, part) for part in parts[: MOST_ITEMS + 1]), node)


def _of_entries(program: Program, value: Entries, name: str, node: ir.Call) -> Values:
    match name:
        case "get" | "pop" | "setdefault" if node.args:
            return _get(program, value, node)
        case "values":
            return (items(entries_of(value), node, complete=value.complete),)
        case "keys":
            return (items(keys_of(program, value), node, complete=value.complete),)
        case "items" | "entries":
            return (items(pairs_of(program, value), node, complete=value.complete),)
        case "copy":
            return (value,)
        case _:
            return (Unknown(f"the result of {name}()", node),)


def _get(program: Program, value: Entries, node: ir.Call) -> Values:
    """`d.get(key, default)`: the default only where the key may be missing."""
    keys = program.value_of(node.args[0].value) or (Unknown("a key that depends on the entry", node),)
    found: list[Value] = []
    missing = False
    for key in keys:
        constant = key.value if isinstance(key, Const) and isinstance(key.value, (str, int)) else None
        inside = tuple(element(program, value, constant, node))
        known = tuple(v for v in inside if not (isinstance(v, Const) and v.value is ir.UNDEFINED))
        found.extend(known)
        missing = missing or len(known) < len(inside) or constant is None or str(constant) not in dict(value.entries)
    if not missing:
        return tuple(found)
    if not value.entries and _is_filled_elsewhere(program, node.callee):
        found.append(Unknown("what is put into a dictionary that begins empty", node))
    return (*found, *_default(program, node))


def _default(program: Program, node: ir.Call) -> Values:
    """What `d.get(key, default)` gives for a key that is missing. A key that stands for itself (`d.get(key, key)`) is a
    text or a number, or nobody knows what.
    """
    if len(node.args) == 1:
        return (Const(None, node.span),)
    values = program.value_of(node.args[1].value)
    if not same(node.args[0].value, node.args[1].value):
        return values
    read = tuple(value for value in values if isinstance(value, (Const, Text)))
    return read if len(read) == len(values) else (*read, Unknown("a key that is not readable", node))


def _is_filled_elsewhere(program: Program, callee: ir.Expr) -> bool:
    """Whether it is a module's variable that begins as an empty dictionary: nobody keeps one that stays empty."""
    target = callee.target if isinstance(callee, ir.Member) else None
    bound = program.visible(target) if isinstance(target, ir.Name) else ()
    return bool(bound) and all(
        isinstance(binding.value, ir.Map) and isinstance(program.scope_of(binding.node), ir.Module) for binding in bound
    )


def _of_items(program: Program, value: Items, name: str, node: ir.Call) -> Values:
    match name:
        case _ if name in SAME:
            return (value,)
        case "concat":
            added = [v for argument in node.args for v in program.value_of(argument.value)]
            lists = [v for v in added if isinstance(v, Items)]
            inside = value.items + tuple(item for inner in lists for item in inner.items)
            complete = value.complete and len(lists) == len(added) and all(inner.complete for inner in lists)
            return (items(inside, node, complete=complete),)
        case _ if name in SOME:
            return (Items(value.items, node, complete=False),)
        case "map" | "flatMap":
            return (_mapped(program, node),)
        case "pop" | "at" | "find" | "get":
            return tuple(element(program, value, None, node))
        case "join":
            return (Text(value.items, node),)
        case _:
            return (Unknown(f"the result of {name}()", node),)


def _mapped(program: Program, node: ir.Call) -> Value:
    """`list.map(f)`: a list of what the function returns."""
    functions = [v.function for a in node.args[:1] for v in program.value_of(a.value) if isinstance(v, Func)]
    made = tuple(expr for function in functions for expr in program.structure(function).returns)
    return items(made, node, complete=False)
