"""What a module keeps on an object that a library has: `st.session_state.agent = Agent()`, `app["agent"] = agent`.

The object is the library's own, for all to use, or the one that a program has for such things (`app.state`). On one
that a call made (`ref.current = new Session()`) only objects and functions of the project count: what else is put on
such an object is a setting of it (`library_attributes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, ClassValue, Func, Instance, ModuleValue
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value

HOLDER: Final = ".state"
"""What servers call the object of theirs that a program hangs its own things on (starlette, FastAPI, litestar)."""

TAKING: Final = frozenset({"get", "setdefault"})
"""Methods of such objects that give what is kept under a key."""
FILLING: Final = (None, ir.Op.NULLISH, ir.Op.OR)
"""How something is stored that is not made of what was there: `x = y`, `x ??= y`, `x ||= y`."""
GLOBAL: Final = frozenset({"globalThis", "window", "global"})
"""What JavaScript calls the object that all modules share."""

Stores = dict[str, list[ir.Assign]]

_OF_PROJECT: Final = (Instance, Func, ClassValue)

_ASSIGNED: Final = regex(rb"""(?:\.[\w$#\x80-\xff]++|\[(?:"[^"\n]*+"|'[^'\n]*+')\])(?=\s*+(?:\?\?|\|\|)?+=[^=>])""")
"""An attribute or an element with a written key that is assigned to. It never goes back: a file is read once."""

_HOLDER: Final = regex(rb"[\w$\x80-\xff]++\Z")
"""What has it, in front of it."""
_LONGEST_NAME: Final = 200


_SHARED: Final = regex(
    rb"\b(?:globalThis|window|global)(?:\s++as\s[^)\n]{1,80}\))?\.([\w$]++)\s*+(?:\?\?|\|\|)?+=[^=>]"
)
"""The name under which the object that all modules share is given something, whatever type it is said to have there."""


def stores_of(program: Program, module: ir.Module) -> Stores:
    """The assignments of a module to attributes, and to elements with a constant key, by their name."""
    found: Stores = {}
    for scope in module.code:
        for store in program.structure(scope).stores:
            name = kept_as(store.target)
            if name is not None and store.value is not None and store.op in FILLING:
                found.setdefault(name, []).append(store)
    return found


def put(program: Program, target: Api, name: str, node: ir.Expr) -> Iterator[Value]:
    """The values that the module of `node` puts on a library's object under this name; nothing where it puts none."""
    is_made = "()" in target.path and not target.path.endswith(f"(){HOLDER}")
    if (
        (is_made and not target.path.endswith("()"))
        or not isinstance(node, (ir.Member, ir.Index))
        or not _may_be_put(program, node, name)
    ):
        return

    def is_it(on: Value) -> bool:
        return isinstance(on, Api) and on.path == target.path and (on.node is target.node or not is_made)

    found = _stored(program, program.module_of(node), name, node, is_it)
    yield from (value for value in found if not is_made or isinstance(value, _OF_PROJECT))


def put_on_module(program: Program, module: ir.Module, name: str, node: ir.Expr) -> Iterator[Value]:
    """The values that the module of `node` puts on another module of the project: `shelf.session = Session()`."""
    if isinstance(node, ir.Member) and _may_be_put(program, node, name):

        def is_it(on: Value) -> bool:
            return isinstance(on, ModuleValue) and on.module is module

        yield from _stored(program, program.module_of(node), name, node, is_it)


def put_on_function(program: Program, function: ir.Function, name: str, node: ir.Expr) -> Iterator[Value]:
    """The values that the module of a function puts on the function itself: `search.limit = 5`. Only for who asks it
    by its own name: what is read of a parameter is told apart by what was passed (`semantics.matching.tools_apart`).
    """
    asks = node.target.id if isinstance(node, ir.Member) and isinstance(node.target, ir.Name) else ""
    if asks == function.name and f"{asks}.{name}".encode() in program.once(_assigned, function.module):

        def is_it(on: Value) -> bool:
            return isinstance(on, Func) and on.function is function

        yield from _stored(program, function.module, name, node, is_it)


def _stored(
    program: Program, module: ir.Module, name: str, node: ir.Expr, is_it: Callable[[Value], bool]
) -> Iterator[Value]:
    """What the assignments of a module put under a name on the object that is asked for, other than by `node`."""
    for store in program.put_in(module).get(name, ()):
        holder = store.target
        if store.value is None or not isinstance(holder, (ir.Member, ir.Index)) or holder is node:
            continue
        if any(map(is_it, program.value_of(holder.target))):
            yield from program.value_of(store.value)


def _may_be_put(program: Program, node: ir.Member | ir.Index, name: str) -> bool:
    """Whether the text of the module assigns to something that is written like this: only then is all of it lowered."""
    if not isinstance(node.target, (ir.Name, ir.Member)):
        return False
    holder = node.target.id if isinstance(node.target, ir.Name) else node.target.name
    if holder in GLOBAL:
        return name.encode() in program.once(_shared, program.module_of(node))
    written = (f"{holder}.{name}", f'{holder}["{name}"]', f"{holder}['{name}']")
    return not program.once(_assigned, program.module_of(node)).isdisjoint(text.encode() for text in written)


def _assigned(program: Program, module: ir.Module) -> frozenset[bytes]:
    """What the text of a module assigns to; asked once, for it is wanted of every member of a library's object."""
    data = _text(program, module)
    found: set[bytes] = set()
    for part in _ASSIGNED.finditer(data):
        holder = _HOLDER.search(data, max(0, part.start() - _LONGEST_NAME), part.start())
        if holder is not None:
            found.add(holder[0] + part[0])
    return frozenset(found)


def part_of(node: ir.Node) -> tuple[ir.Expr, str] | None:
    """The object of which an expression takes what is kept under a name, and the name: an attribute, an element, or
    what a method for it gives (`session.get("history", [])`).
    """
    match node:
        case ir.Member(target=target) | ir.Index(target=target):
            name = kept_as(node)
            return None if name is None else (target, name)
        case ir.Call(callee=ir.Member(target=ir.Member() | ir.Name() as target, name=how), args=(first, *_)):
            key = first.value.value if isinstance(first.value, ir.Literal) else None
            return (target, key) if how in TAKING and isinstance(key, str) else None
        case _:
            return None


def _shared(program: Program, module: ir.Module) -> frozenset[bytes]:
    """The names under which the text of a module puts something on the object that all modules share."""
    return frozenset(_SHARED.findall(_text(program, module)))


def _text(program: Program, module: ir.Module) -> bytes:
    file = program.table.file(module.path)
    return b"" if file is None else file.data


def kept_as(target: ir.Expr) -> str | None:
    """The name under which an expression keeps something on an object: an attribute, or a constant key."""
    match target:
        case ir.Member(target=ir.Member() | ir.Name(), name=name):
            return name
        case ir.Index(target=ir.Member() | ir.Name(), key=ir.Literal(value=str() as key)):
            return key
        case _:
            return None
