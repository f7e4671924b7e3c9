"""Options of command lines and of validated environments in JavaScript: what they are where nothing is given.

Node's `parseArgs` (nodejs.org/api/util.html), commander (`.option(flags, description, default)`), yargs
(`.option(name, {default})`), and zod's `.default(value)` in the schema of an object that was parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Entries, Unknown, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

NODE: Final = "npm:util:parseArgs().values"
COMMANDER: Final = "npm:commander:"
YARGS: Final = "npm:yargs:"
SCHEMA: Final = "npm:zod:"
PARSED_OBJECT: Final = ("object().parse()", "object().parseAsync()", "object().safeParse().data")


def option(program: Program, target: Api, name: str) -> Values | None:
    """What `target.name` is where the user gives nothing; None when the target holds no parsed options."""
    if target.path == NODE and target.receiver is not None:
        return _of_node(program, target.receiver, name)
    if target.path.startswith(COMMANDER) and target.path.endswith(".opts()"):
        return _of_commander(program, target, name)
    if target.path.startswith(YARGS) and target.path.endswith((".argv", ".parseSync()", ".parse()")):
        return _of_yargs(program, target, name)
    if target.path.startswith(SCHEMA) and target.path.endswith(PARSED_OBJECT):
        return _of_schema(program, target, name)
    return None


def _of_node(program: Program, parsed: Api, name: str) -> Values | None:
    described = _inside(program, _argument(parsed, 0), "options", name)
    default = _inside(program, described, "default")
    if default is not None:
        return program.value_of(default)
    return (Const(ir.UNDEFINED, described.span),) if described is not None else None


def _of_commander(program: Program, parsed: Api, name: str) -> Values | None:
    for call in _calls_of(program, parsed, "option"):
        flags = _text(program, call.args[0].value) if call.args else ""
        long = next((word.lstrip("-") for word in flags.split() if word.startswith("--")), "")
        if _camel(long) == name:
            default = call.args[2].value if len(call.args) > 2 else None  # noqa: PLR2004 - flags, description, default
            return (Const(ir.UNDEFINED, call.span),) if default is None else program.value_of(default)
    return None


def _of_yargs(program: Program, parsed: Api, name: str) -> Values | None:
    for call in _calls_of(program, parsed, "option"):
        if len(call.args) > 1 and name in {text := _text(program, call.args[0].value), _camel(text)}:
            default = _inside(program, call.args[1].value, "default")
            return (Const(ir.UNDEFINED, call.span),) if default is None else program.value_of(default)
    return None


def _of_schema(program: Program, parsed: Api, name: str) -> Values | None:
    """A field with a default is its default; another one comes from outside."""
    made = next((one for one in _chain(parsed) if one.path.endswith("object()")), None)
    field = _inside(program, _argument(made, 0) if made is not None else None, name)
    for value in program.value_of(field) if field is not None else ():
        default = next((one for one in _chain(value) if one.path.endswith(".default()")), None)
        given = _argument(default, 0) if default is not None else None
        if given is not None:
            return program.value_of(given)
    return None if field is None else (Unknown("data from outside", field),)


def _calls_of(program: Program, parsed: Api, name: str) -> Iterator[ir.Call]:
    """The calls of a method along the chain that ends in the parsed options, and on the object that it starts with."""
    chain = tuple(_chain(parsed))
    yield from (one.node for one in chain if one.path.endswith(f".{name}()") and isinstance(one.node, ir.Call))
    start = chain[-1].node if chain else None
    for site in program.calls(name):
        callee = site.call.callee
        targets = program.value_of(callee.target) if isinstance(callee, ir.Member) else ()
        if any(isinstance(v, Api) and any(one.node is start for one in _chain(v)) for v in targets):
            yield site.call


def _chain(value: object) -> Iterator[Api]:
    current = value if isinstance(value, Api) else None
    while current is not None:
        yield current
        current = current.receiver


def _argument(api: Api, position: int) -> ir.Expr | None:
    node = api.node
    return node.args[position].value if isinstance(node, ir.Call) and len(node.args) > position else None


def _inside(program: Program, expr: ir.Expr | None, *keys: str) -> ir.Expr | None:
    for key in keys:
        values = program.value_of(expr) if expr is not None else ()
        only = values[0] if len(values) == 1 else None
        expr = dict(only.entries).get(key) if isinstance(only, Entries) else None
    return expr


def _text(program: Program, expr: ir.Expr) -> str:
    values = program.value_of(expr)
    only = values[0] if len(values) == 1 else None
    return only.value if isinstance(only, Const) and isinstance(only.value, str) else ""


def _camel(name: str) -> str:
    first, *others = name.split("-")
    return first + "".join(other[:1].upper() + other[1:] for other in others)
