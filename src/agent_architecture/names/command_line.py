"""Options of command lines: what a program is given where nobody passes anything.

Python's argparse (docs.python.org/3/library/argparse.html: `dest`, `default`, `action`) and click
(click.palletsprojects.com, "Options"). An option without a default is None where the library says so, else unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import script_options
from agent_architecture.names.values import Api, Const, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

PARSER: Final = "py:argparse.ArgumentParser()"
PARSED: Final = ("parse_args()", "parse_known_args()[]", "parse_known_args()", "parse_intermixed_args()")
OPTIONS: Final = frozenset({"py:click.option", "py:asyncclick.option", "py:rich_click.option"})
ARGUMENTS: Final = frozenset({"py:click.argument", "py:asyncclick.argument", "py:rich_click.argument"})
SWITCHES: Final = {"store_true": False, "store_false": True}


def parsed_option(program: Program, target: Api, name: str) -> Values | None:
    """What `parser.parse_args().name` can be; None when the target is nothing that was parsed from a command line."""
    if target.path.startswith("npm:"):
        return script_options.option(program, target, name)
    if not target.path.startswith(PARSER) or not target.path.endswith(PARSED):
        return None
    parser = next((one for one in _chain(target) if one.path == PARSER), None)
    if parser is None:
        return None
    found: list[Value] = []
    for site in program.calls("add_argument"):
        if _destination(program, site.call) == name and _is_of(program, site.call, parser):
            found.extend(_of_argparse(program, site.call, name))
    return tuple(found) or None


def _chain(api: Api) -> Iterator[Api]:
    current: Api | None = api
    while current is not None:
        yield current
        current = current.receiver


def _is_of(program: Program, call: ir.Call, parser: Api) -> bool:
    """Whether an argument is added to this parser, or to a group or sub-command of it."""
    if not isinstance(call.callee, ir.Member):
        return False
    targets = (v for v in program.value_of(call.callee.target) if isinstance(v, Api) and v.path.startswith(PARSER))
    return any(one.node is parser.node for target in targets for one in _chain(target))


def _destination(program: Program, call: ir.Call) -> str:
    """The attribute that holds an argument: `dest`, else the first long option, else the first name, without dashes."""
    dest = _keyword(call, "dest")
    if dest is not None:
        return _text(program, dest)
    names = [_text(program, a.value) for a in call.args if a.keyword is None and not a.spread]
    long = next((name for name in names if name.startswith("--")), names[0] if names else "")
    return long.lstrip("-").replace("-", "_")


def _of_argparse(program: Program, call: ir.Call, name: str) -> Values:
    default = _keyword(call, "default")
    if default is not None:
        return program.value_of(default)
    action = _keyword(call, "action")
    switch = _text(program, action) if action is not None else ""
    if switch in SWITCHES:
        return (Const(SWITCHES[switch], call.span),)
    is_positional = not any(_text(program, a.value).startswith("-") for a in call.args if a.keyword is None)
    if is_positional or _is_true(program, _keyword(call, "required")):
        return (Unknown(f"the command line ({name})", call),)
    return (Const(None, call.span),)


def decorated_option(program: Program, function: ir.Function, name: str) -> Values | None:
    """The default of the click option that fills a parameter; None when no decorator of the function does."""
    for decorator in function.decorators:
        paths = _paths(program, decorator.callee) if isinstance(decorator, ir.Call) else frozenset()
        if isinstance(decorator, ir.Call) and paths & (OPTIONS | ARGUMENTS) and name in _fills(program, decorator):
            return _of_click(program, decorator, name, is_argument=bool(paths & ARGUMENTS))
    return None


def _paths(program: Program, expr: ir.Expr) -> frozenset[str]:
    return frozenset(value.path for value in program.value_of(expr) if isinstance(value, Api))


def _fills(program: Program, decorator: ir.Call) -> frozenset[str]:
    """The parameter names that an option may have: a name without dashes, else the longest option's."""
    names = [_text(program, a.value) for a in decorator.args if a.keyword is None and not a.spread]
    plain = {text for text in names if not text.startswith("-")}
    longest = max(names, key=len, default="").lstrip("-").partition("/")[0]
    return frozenset(plain or {longest.replace("-", "_").lower()})


def _of_click(program: Program, decorator: ir.Call, name: str, *, is_argument: bool) -> Values:
    default = _keyword(decorator, "default")
    if default is not None:
        return program.value_of(default)
    if _is_true(program, _keyword(decorator, "is_flag")):
        return (Const(value=False, span=decorator.span),)
    if is_argument or _is_true(program, _keyword(decorator, "required")):
        return (Unknown(f"the command line ({name})", decorator),)
    return (Const(None, decorator.span),)


def _keyword(call: ir.Call, name: str) -> ir.Expr | None:
    return next((argument.value for argument in call.args if argument.keyword == name), None)


def _text(program: Program, expr: ir.Expr) -> str:
    values = program.value_of(expr)
    only = values[0] if len(values) == 1 else None
    return only.value if isinstance(only, Const) and isinstance(only.value, str) else ""


def _is_true(program: Program, expr: ir.Expr | None) -> bool:
    return expr is not None and any(isinstance(v, Const) and v.value is True for v in program.value_of(expr))
