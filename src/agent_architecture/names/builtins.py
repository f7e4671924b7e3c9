"""The functions of the languages themselves, as far as they carry values along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import configuration_files, displays, numbers, promises
from agent_architecture.names.annotations import instances_of_type
from agent_architecture.names.arguments import bound_again
from agent_architecture.names.arithmetic import constant
from agent_architecture.names.binding_values import entered
from agent_architecture.names.containers import keys_of
from agent_architecture.names.elements import element, entries_of, items, pairs_of
from agent_architecture.names.values import Api, Const, Entries, Func, Items, ModuleValue, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import Program

__all__ = ["call", "constant", "is_environment", "is_whole_environment"]

ENVIRONMENT: Final = frozenset({"py:os.getenv", "py:os.environ.get", "py:os.environ.setdefault"})
"""Calls that read an environment variable: argument 0 is its name, argument 1 the default."""

COPIES: Final = frozenset(
    {
        *(
            f"py:builtins.{name}"
            for name in ("bool", "dict", "frozenset", "list", "reversed", "set", "sorted", "str", "tuple")
        ),
        "py:itertools.cycle",
        *(
            f"npm:globalThis:{name}"
            for name in ("Array.from", "Boolean", "Object.freeze", "Object.seal", "Promise.resolve", "String")
        ),
        *("py:copy.copy", "py:copy.deepcopy", "npm:globalThis:structuredClone", "py:types.MappingProxyType"),
        *("npm:globalThis:Object.getPrototypeOf", "npm:globalThis:Reflect.getPrototypeOf"),  # it has what these have
        *("npm:globalThis:Set", "py:builtins.aiter", "py:builtins.iter"),
        *("py:contextlib.closing", "py:contextlib.aclosing", "py:contextlib.nullcontext"),
        *(f"py:asyncio.{name}" for name in ("create_task", "ensure_future", "run", "shield", "wait_for")),
        *("npm:globalThis:Promise.all", "npm:globalThis:Array.fromAsync"),
    }
)
"""Calls whose result stands for their first argument."""

EMPTY: Final = frozenset(
    {"py:builtins.list", "py:builtins.tuple", "py:builtins.set", "npm:globalThis:Array", "npm:globalThis:Set"}
)
"""Calls that make an empty list where they are given nothing."""

MAPS: Final = frozenset({"npm:globalThis:Map", "npm:globalThis:WeakMap", "npm:globalThis:Object.fromEntries"})
"""Calls that make a dictionary of a list of pairs, or an empty one."""

FILLING: Final = frozenset({"py:collections.defaultdict"})
"""Calls that make an empty dictionary; what they are given makes what is missing."""

GATHERING: Final = frozenset({"py:asyncio.gather"})
"""Calls whose result is the list of what their arguments give."""

BAGS: Final = frozenset(
    {
        "py:types.SimpleNamespace", "py:argparse.Namespace", "py:threading.local",
        "py:addict.Dict", "py:box.Box", "py:munch.Munch", "py:easydict.EasyDict",
    }
)  # fmt: skip
"""Calls that make an object with the attributes that they are given, as `dict` makes entries, or that it is given."""

FIRST: Final = frozenset(
    {
        "npm:globalThis:Promise.race", "npm:globalThis:Promise.any", "py:builtins.next", "py:builtins.anext",
        "py:random.choice", "py:secrets.choice",
    }
)  # fmt: skip
"""Calls whose result is any element of what they are given first, or else what they are given second."""

RUNNING: Final = frozenset({"py:asyncio.to_thread", "py:anyio.to_thread.run_sync"})
"""Calls that run their first argument elsewhere and give what it returns."""

ENTERING: Final = frozenset(
    {
        "py:contextlib.ExitStack().enter_context",
        "py:contextlib.AsyncExitStack().enter_context",
        "py:contextlib.AsyncExitStack().enter_async_context",
    }
)
"""Calls that enter the context manager that they are given, as `with` does."""

IMPORTING: Final = frozenset({"py:importlib.import_module"})
"""Calls that give the module which their first argument names."""

MODULE_OF_SPEC: Final = "py:importlib.util.module_from_spec"
"""Gives the module of a file that `spec_from_file_location` was told of."""
CASTS: Final = frozenset({"py:typing.cast"})
PARTIALS: Final = frozenset({"py:functools.partial", "py:functools.partialmethod"})
VARIABLES: Final = frozenset({"environ", "env"})
"""What objects are called that hold the variables of the environment."""
_READING: Final = frozenset({*VARIABLES, "getenv"})
_VARIABLE: Final = "the environment variable"


def is_environment(value: Value) -> bool:
    """Whether a value is an environment variable that has no readable default."""
    if isinstance(value, Unknown):
        return value.why.startswith(_VARIABLE)
    return isinstance(value, Api) and value.path.startswith(("npm:globalThis:process.env", "py:os.environ"))


def is_reading(node: ir.Node) -> bool:
    """Whether a node names what reads the environment: `os.environ`, `getenv`, `process.env`."""
    match node:
        case ir.Name(id=name) | ir.Member(name=name):
            return name in _READING
        case _:
            return False


def variable(name: str, node: ir.Expr) -> Unknown:
    """A variable of the environment that has no default."""
    return Unknown(f"{_VARIABLE} {name}", node)


def is_whole_environment(value: Value) -> bool:
    """Whether a value is all environment variables of the process at once, or a copy of them."""
    return isinstance(value, Api) and value.path in _WHOLE


_WHOLE: Final = frozenset({"py:os.environ", "py:os.environ.copy()", "npm:globalThis:process.env"})


def call(program: Program, path: str, node: ir.Call) -> Values | None:
    """What a call of a language's own function returns; None when it is not one that is known here."""
    if path in ENVIRONMENT:
        return _environment(program, node)
    if path in configuration_files.LOADERS:
        return configuration_files.content(program, path, node)
    if path == "py:builtins.dict" or path in BAGS:
        return (_dictionary(program, node),)
    if path in FILLING:
        return (Entries((), node),)
    if path in GATHERING:
        return (displays.of_list(program, ir.List(node.span, tuple(_given(argument) for argument in node.args))),)
    first = node.args[0].value if node.args and not node.args[0].spread and node.args[0].keyword is None else None
    if first is None:
        return _empty(path, node) if not node.args else None
    if path in MAPS:
        return tuple(displays.of_pairs(program, value, node) for value in program.value_of(first))
    if path in FIRST:
        found = tuple(v for whole in program.value_of(first) for v in element(program, whole, None, node))
        return (*found, *(v for other in node.args[1:2] for v in program.value_of(other.value)))
    if path in ENTERING:
        return tuple(v for manager in program.value_of(first) for v in entered(program, manager, first))
    if path == promises.CONSTRUCTOR:
        return promises.resolved(program, node) or None
    if path in IMPORTING:
        return tuple(v for name in program.value_of(first) for v in _imported(program, name, node))
    if path == MODULE_OF_SPEC:
        return _by_place(program, first, node)
    if path in RUNNING:
        return tuple(v for function in program.value_of(first) for v in _run(program, function))
    if path in numbers.KNOWN:
        return numbers.of_call(path, node, [program.value_of(argument.value) for argument in node.args])
    if path in CASTS and len(node.args) > 1:
        cast = program.value_of(node.args[1].value)
        return cast if any(not isinstance(v, Unknown) for v in cast) else instances_of_type(program, first) or cast
    if path in COPIES:
        return program.value_of(first)
    if path in PARTIALS:
        return tuple(_partial(value, node) for value in program.value_of(first))
    return _of_collections(program, path, first, node)


def _named_attribute(program: Program, target: ir.Expr, node: ir.Call) -> Values | None:
    """`getattr(object, "name", default)`: the member, and where nothing of the object is readable the default."""
    from agent_architecture.names.members import member

    names = program.value_of(node.args[1].value) if len(node.args) > 1 else ()
    texts = [str(name.value) for name in names if isinstance(name, Const) and isinstance(name.value, str)]
    owners = program.value_of(target)
    if not texts and (named := _functions_of(owners)):
        offered = (value for module, name in named for value in member(program, module, name, node))
        return (*offered, Unknown("a name that is worked out at run time", node))
    if not texts or (len(texts) < len(names) and not any(isinstance(owner, ModuleValue) for owner in owners)):
        return None
    if len(texts) > 1 and any(isinstance(owner, ModuleValue) for owner in owners):
        owners = tuple(owner for owner in owners if not isinstance(owner, Api))  # which name is a library's is not told
    found = tuple(
        v for owner in owners for text in _offered(program, owner, texts) for v in member(program, owner, text, node)
    )
    if len(node.args) > 2 and all(isinstance(value, Unknown) for value in found):  # noqa: PLR2004 - a default is given
        return program.value_of(node.args[2].value)
    return found


def _functions_of(owners: Values) -> tuple[tuple[ModuleValue, str], ...]:
    """The functions that a module of the project offers, where it is asked for one by a name that nobody can read."""
    if len(owners) != 1 or not isinstance(owners[0], ModuleValue):
        return ()
    module = owners[0].module
    own = (function.name for function in module.index.functions if function.outer is module)
    return tuple((owners[0], name) for name in own if name and not name.startswith("_"))


def _offered(program: Program, owner: Value, names: list[str]) -> list[str]:
    """Of several names those that a module has: each was written for one of several modules."""
    if len(names) == 1 or not isinstance(owner, ModuleValue):
        return names
    return [name for name in names if program.exports.locate(owner.module, name)]


def _imported(program: Program, name: Value, node: ir.Call) -> Iterator[Value]:
    from agent_architecture.names.imported import named_module

    if isinstance(name, Const) and isinstance(name.value, str):
        yield from named_module(program, name.value, node)
    else:
        yield Unknown("a module whose name is not readable", node)


def _by_place(program: Program, spec: ir.Expr, node: ir.Call) -> Values:
    from agent_architecture.names.imported import modules_by_place

    return modules_by_place(program, spec, node)


def _empty(path: str, node: ir.Call) -> Values | None:
    return (Items((), node),) if path in EMPTY else (Entries((), node),) if path in MAPS else None


def _given(argument: ir.Argument) -> ir.Expr:
    return ir.Spread(argument.value.span, argument.value) if argument.spread else argument.value


def _run(program: Program, function: Value) -> Values:
    """What a function returns that is run elsewhere, in a thread."""
    from agent_architecture.names.evaluate import returned

    return returned(program, function.function, function.receiver) if isinstance(function, Func) else ()


def _partial(value: Value, node: ir.Call) -> Value:
    """A function with some arguments fixed."""
    return value._replace(bound=bound_again(value.bound, node)) if isinstance(value, (Func, Api)) else value


def _of_collections(program: Program, path: str, first: ir.Expr, node: ir.Call) -> Values | None:
    values = program.value_of(first)
    match path.removeprefix("npm:globalThis:Object.").removeprefix("py:builtins."):
        case "values":
            return tuple(_of_entries(v, node, entries_of) for v in values)
        case "keys":
            return tuple(_of_entries(v, node, lambda value: keys_of(program, value)) for v in values)
        case "entries":
            return tuple(_of_entries(v, node, lambda value: pairs_of(program, value)) for v in values)
        case "assign":
            return (displays.merged(program, tuple(argument.value for argument in node.args), node),)
        case "enumerate":
            return tuple(_numbered(program, v, node) for v in values)
        case "getattr":
            return _named_attribute(program, first, node)
        case _:
            return None


def _of_entries(value: Value, node: ir.Call, part: Callable[[Entries], tuple[ir.Expr, ...]]) -> Value:
    if isinstance(value, Entries):
        return items(part(value), node, complete=value.complete)
    return Items((), node, complete=False)


def _numbered(program: Program, value: Value, node: ir.Call) -> Value:
    """`enumerate(x)`: pairs of a number and an element."""
    if not isinstance(value, Items):
        return value if isinstance(value, Unknown) else Items((), node, complete=False)
    found = tuple(program.made.pair(program.made.literal(item, n), item) for n, item in enumerate(value.items))
    return items(found, node, complete=value.complete)


def _environment(program: Program, node: ir.Call) -> Values:
    name = node.args[0].value if node.args else None
    label = name.value if isinstance(name, ir.Literal) and isinstance(name.value, str) else "of a computed name"
    default = (
        node.args[1].value if len(node.args) > 1 else next((a.value for a in node.args if a.keyword == "default"), None)
    )
    if default is None:
        return (variable(label, node),)
    return program.value_of(default)


def _dictionary(program: Program, node: ir.Call) -> Value:
    """`dict(mapping, **more, key=value)` as the display that it stands for; of a list of pairs nothing is known."""
    entries = [
        ir.Entry(None, a.value) if a.keyword is None else ir.Entry(ir.Literal(a.value.span, a.keyword), a.value)
        for a in node.args
    ]
    return displays.of_map(program, ir.Map(node.span, tuple(entries)))
