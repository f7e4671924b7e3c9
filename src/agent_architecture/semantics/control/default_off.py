"""Code behind a switch that is off unless somebody turns it on, which no file of the project does; and switches that
are set by default.

`if settings.TRACING:` with `TRACING = env_bool("DESK_TRACING", False)`: what stands there does not happen as the
project is. A key that must be there (`if os.environ.get("KEY")`) is no switch: who deploys the project needs it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.builtins import is_environment, is_reading
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE, is_python
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

VARIABLE: Final = regex(r"[A-Z][A-Z0-9_]{3,}")
"""A text that is the name of a variable of the environment."""
TURNED_ON: Final = regex(rb"\w++(?=[\"']?\s*[=:]\s*[\"']?(?:true|1|yes|on|enabled)\b)")
"""What a file turns on, in small letters."""
SET_IN: Final = frozenset({Role.APP, Role.CONFIG, Role.EXAMPLE})
"""Files that say how the project is run; tests set what tests need."""
TELLING: Final = frozenset({Language.MARKDOWN, Language.PROMPT})
"""Languages of texts, which tell of what somebody turned on."""
HELPERS: Final = 2
"""Functions that call each other on the way to what a switch decides."""
NEAR: Final = 3
"""What stands around a default: the call that reads the variable, and what is bound."""


def off_by_default(context: Context, node: ir.Node, depth: int = HELPERS) -> ir.Expr | None:
    """The switch that is off on every way to a node, as the project is, in its function or where that is called; None
    where there is none.
    """
    scope = context.program.scope_of(node)
    sites = context.program.callers(scope) if depth and isinstance(scope, ir.Function) else ()
    own = _off_at(context, node)
    if own is not None or not sites or any(site.escapes for site in sites):
        return own
    around = [off_by_default(context, site.call, depth - 1) for site in sites]
    return around[0] if None not in around else None


def _off_at(context: Context, node: ir.Node) -> ir.Expr | None:
    """The switch that is off on every way to a node in its own function."""

    def said(condition: Condition) -> dict[str, ir.Expr]:
        is_off = bool(condition.holds) and _is_off(context, condition.expr)
        return {"off": condition.expr} if is_off else {}

    return held(conditions_of(context).at(node), said).get("off")


def holds_by_default(context: Context, condition: Condition) -> bool:
    """Whether a condition asks a switch that is set as it asks for, where nobody says something else."""
    values = context.program.value_of(condition.expr)
    return bool(values) and all(isinstance(v, Const) and v.value is condition.holds for v in values)


def asks_settings(program: Program, test: ir.Expr) -> bool:
    """Whether a test asks nothing but what the environment says, or what is read of it."""
    match test:
        case ir.Operator(operands=operands):
            asked = [each for each in operands if not isinstance(each, ir.Literal)]
            return bool(asked) and all(asks_settings(program, each) for each in asked)
        case ir.Call(args=args) if any(not isinstance(argument.value, ir.Literal) for argument in args):
            return False
        case _:
            return bool(_variables(program, test))


def _is_off(context: Context, test: ir.Expr) -> bool:
    names = context.program.once(_asked_off, test)
    return bool(names) and not _is_turned_on(context, names, test.span.path)


def _asked_off(program: Program, test: ir.Expr) -> frozenset[str]:
    """The variables of the environment that a test rests on which is false where nobody sets one."""
    is_false = _is_false(program, test) or _asks_environment(program, test)
    return _variables(program, test) if is_false else frozenset()


def _is_false(program: Program, test: ir.Expr) -> bool:
    """Whether a test is false where nobody says something else: all that it can be as the project is."""
    values = program.value_of(test)
    return bool(values) and all(isinstance(value, Const) and value.value is False for value in values)


def _asks_environment(program: Program, test: ir.Expr) -> bool:
    """`process.env.TRACING === "true"`: a variable that has no default, and need not be there."""
    match test:
        case ir.Operator(op=ir.Op.EQ | ir.Op.IS, operands=operands):
            needed = (ir.Index,) if is_python(test.span.path) else ()
            sides = (program.value_of(side) for side in operands if not isinstance(side, needed))
            return any(values and all(map(is_environment, values)) for values in sides)
        case _:
            return False


def _variables(program: Program, test: ir.Expr) -> frozenset[str]:
    """The variables of the environment that a test rests on: those that are named where its value is written, if that
    reads the environment.
    """
    nodes: list[ir.Node] = [test]
    for origin in flow.origins(program, test):
        if not isinstance(origin.node, (ir.Function, ir.Class, ir.Module)):
            nodes.append(origin.node)
            nodes.extend(islice(program.structure(program.scope_of(origin.node)).ancestors(origin.node), NEAR))
    found: set[str] = set()
    for node in nodes:
        if _reads_environment(program, node):
            found.update(_names(node))
    return frozenset(name for name in found if VARIABLE.fullmatch(name))


def _names(node: ir.Node) -> Iterator[str]:
    for part in ir.walk(node):
        match part:
            case ir.Literal(value=str() as name) | ir.Member(name=name):
                yield name
            case ir.Assign(target=ir.Name(id=name)):
                yield name.upper()
            case _:
                continue


def _reads_environment(program: Program, node: ir.Node) -> bool:
    """Whether a line reads the environment, by itself or by a helper of the project, or is a field of settings."""
    around = program.scope_of(node)
    if isinstance(around, ir.Class) and any("Settings" in callee_name(base) for base in around.bases):
        return True
    parts = tuple(ir.walk(node))
    helpers = (f for part in parts if isinstance(part, ir.Call) for f in program.callees(part))
    return any(map(is_reading, parts)) or any(any(map(is_reading, program.structure(f).nodes)) for f in helpers)


def _is_turned_on(context: Context, names: frozenset[str], at: str) -> bool:
    """Whether a file that is no code turns one of them on, where it speaks of what runs at a place."""
    endings, programs = tuple(name.lower().encode() for name in names), context.once(Programs)
    turning = (path for word, path in context.program.once(_all_turned_on) if word.endswith(endings))
    return any(not programs.apart(path, at) for path in turning)


def _all_turned_on(program: Program) -> tuple[tuple[bytes, str], ...]:
    """The words that the files of the project turn on that are no code, each with its file."""
    files = (file for file in program.table.files() if file.role in SET_IN and file.language not in CODE | TELLING)
    return tuple((word, file.path) for file in files for word in sorted(told(file, _turned_on)))


def _turned_on(data: bytes) -> frozenset[bytes]:
    """The words that a file turns on."""
    return frozenset(TURNED_ON.findall(data.lower()))
