"""Configuration that code reads from a file of the project: `yaml.safe_load(open("config.yaml"))`.

The file is the one that a constant text on the way to the loader names, the nearest to the code that reads it. What is
read from somewhere else is not readable.
"""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

LOADERS: Final = {
    **dict.fromkeys(("py:json.load", "py:json.loads", "npm:globalThis:JSON.parse"), (".json",)),
    **dict.fromkeys(
        ("py:yaml.safe_load", "py:yaml.load", "py:yaml.full_load", "py:yaml.unsafe_load", "py:ruamel.yaml.YAML().load",
         "py:omegaconf.OmegaConf.load", "npm:js-yaml:load", "npm:yaml:parse"),
        (".yaml", ".yml", ".json"),
    ),
    **dict.fromkeys(
        ("py:tomllib.load", "py:tomllib.loads", "py:tomli.load", "py:tomli.loads", "py:toml.load", "py:toml.loads",
         "npm:smol-toml:parse", "npm:@iarna/toml:parse", "npm:toml:parse"),
        (".toml",),
    ),
}  # fmt: skip
"""Calls that make data of a file or text, and the extensions of the files that they can read."""

OPENERS: Final = frozenset(
    {
        *("open", "read", "read_text", "read_bytes", "readFileSync", "readFile", "text", "json", "decode", "toString"),
        *("Path", "PurePath", "join", "joinpath", "str", "resolve", "absolute", "expanduser", "with_name"),
        *("fileURLToPath", "URL", "glob", "rglob", "iterdir", "listdir", "readdir", "readdirSync"),
    }
)
"""Last names of calls that open a file, read it, or put its path together."""

OPENING: Final = frozenset({"open", "read_text", "read_bytes", "readFileSync", "readFile"})
"""Those that open it."""

STEPS: Final = 8
"""How far a file's name may stand from the call that loads it."""


def content(program: Program, path: str, call: ir.Call) -> Values | None:
    """The data in the file that a loader reads; None when the call is no loader, or its file is not told."""
    extensions = LOADERS.get(path)
    if extensions is None or not call.args:
        return None
    file = file_of(program, call, extensions)
    module = program.table.get(file) if file is not None else None
    if module is None or len(module.body) != 1:
        return None
    return program.value_of(module.body[0])  # type: ignore[arg-type]  # a document's body is an expression


def file_of(program: Program, call: ir.Call, extensions: tuple[str, ...]) -> str | None:
    """The file of the project that the constants on the way to the loader name; None for none, or several as near."""
    return named_file(program, call.args[0].value, extensions)


def named_file(program: Program, expr: ir.Expr, extensions: tuple[str, ...]) -> str | None:
    """The file of the project that the constants of a path name; None for none, or several as near."""
    texts = texts_of(program, expr)
    named = {text.replace("../", "").removeprefix("./").lstrip("/") for text in texts if text.endswith(extensions)}
    if len(named) != 1:
        return None
    return nearest(program, named.pop(), expr.span.path)


def nearest(program: Program, wanted: str, home: str) -> str | None:
    """The file of the project whose path ends so, the nearest to a file; None for none, or several as near."""
    near = [path for path in program.table.paths if path == wanted or path.endswith("/" + wanted)]
    folders = dirname(home).split("/")
    ranked = sorted((-_shared(folders, path), path.count("/"), path) for path in near)
    if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
        return None
    return ranked[0][2]


def texts_of(program: Program, expr: ir.Node) -> Iterator[str]:
    """The constant texts that a path or an opened file is made of, along what opens and joins and nothing else."""
    for node in _way(program, expr, STEPS):
        if isinstance(node, ir.Literal):
            yield from (node.value,) if isinstance(node.value, str) else ()
        elif isinstance(node, ir.Name) and any(b.kind in {"import", "parameter"} for b in _bindings(program, node)):
            values = program.value_of(node)
            yield from (v.value for v in values if isinstance(v, Const) and isinstance(v.value, str))


def is_opened(program: Program, expr: ir.Node) -> bool:
    """Whether an expression is what stands in a file."""
    calls = (node for node in _way(program, expr, STEPS) if isinstance(node, ir.Call))
    return any(callee_name(call.callee) in OPENING for call in calls)


def _way(program: Program, expr: ir.Node, steps: int) -> Iterator[ir.Node]:
    yield expr
    inner: tuple[ir.Node, ...] = ()
    match expr:
        case ir.Call() if callee_name(expr.callee) in OPENERS:
            inner = (expr.callee, *(argument.value for argument in expr.args))
        case ir.Operator(op=ir.Op.DIV | ir.Op.ADD | ir.Op.OR | ir.Op.NULLISH):
            inner = expr.operands
        case ir.Member():
            inner = (expr.target,)
        case ir.Conditional(then=then, otherwise=otherwise):
            inner = (then, otherwise)
        case ir.Template() | ir.Await():
            inner = tuple(ir.children(expr))
        case ir.Name():
            found = _bindings(program, expr)
            inner = tuple(b.value for b in found if b.kind in {"assign", "with", "loop"} and b.value is not None)
    for node in inner if steps else ():
        yield from _way(program, node, steps - 1)


def _bindings(program: Program, name: ir.Name) -> tuple[Binding, ...]:
    from agent_architecture.names.lookup import visible_bindings

    return visible_bindings(program, name)


def _shared(home: list[str], path: str) -> int:
    """How many folders two files have in common."""
    common = 0
    for mine, other in zip(home, dirname(path).split("/"), strict=False):
        if mine != other:
            break
        common += 1
    return common
