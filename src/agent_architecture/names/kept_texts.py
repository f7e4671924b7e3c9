"""Texts that the project keeps in files of their own and reads when it runs: `load("sort").format(letter=letter)`.

Which file it is, the end of its path says, where constants alone make that; a helper's parameters are what the call
gives. A path that nobody wrote down names none. Says what the file holds when it is scanned, not who may write it
later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.configuration_files import OPENING, nearest
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.sources.languages import CODE
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program

Given: TypeAlias = "Mapping[str, str]"
"""How the texts end that a function's parameters are given, by their names."""

READING: Final = frozenset({"read", "decode", "toString", "strip", "lstrip", "rstrip", "trim"})
"""Methods that give the text of a file or of its bytes, or leave its words as they are."""
JOINING: Final = frozenset({"join", "joinpath", "resolve", "Path", "PurePath", "URL"})
SAME: Final = frozenset({"str", "fileURLToPath", "absolute", "resolve", "as_posix"})
DEPTH: Final = 6
"""Names and functions through which a file is followed."""


def kept_text(program: Program, expr: ir.Expr) -> str | None:
    """The text of the one file of the project that an expression reads; None where that cannot be told."""
    found = set(_files(program, expr, {}, DEPTH))
    file = program.table.file(found.pop()) if len(found) == 1 else None
    if file is None or file.language in CODE:
        return None
    program.table.get(file.path)  # what is said rests on the file
    return file.data.decode("utf-8", "replace")


def _files(program: Program, expr: ir.Expr, given: Given, left: int) -> Iterator[str]:
    """The files that an expression may read, by path; "" for one that cannot be told."""
    if not left:
        return
    match expr:
        case ir.Await(value=inner):
            yield from _files(program, inner, given, left)
        case ir.Name():
            for binding in visible_bindings(program, expr):
                if binding.kind in {"assign", "with"} and binding.value is not None and not binding.steps:
                    yield from _files(program, binding.value, given, left - 1)
                else:
                    yield ""
        case ir.Call(callee=callee) if callee_name(callee) in OPENING and not program.callees(expr):
            opened = _opened(expr)
            ends = () if opened is None else _ends(program, opened, given, left)
            named = (nearest(program, end, expr.span.path) for end in ends if end)
            yield from (path for path in named if path)  # where none is called so, another way of the code reads one
        case ir.Call(callee=ir.Member(target=target, name=name)) if name in READING:
            yield from _files(program, target, given, left)
        case ir.Call():
            for function in program.callees(expr):
                handed = _handed(program, expr, function, given, left)
                for text in program.structure(function).returns:
                    yield from _files(program, text, handed, left - 1)
        case _:
            yield ""


def _opened(call: ir.Call) -> ir.Expr | None:
    """The path of the file that a call opens: `open(path)`, `path.open()`, `path.read_text()`."""
    callee = call.callee
    if isinstance(callee, ir.Member) and callee.name in {"open", "read_text", "read_bytes"}:
        return callee.target
    return call.args[0].value if call.args else None


def _handed(program: Program, call: ir.Call, function: ir.Function, given: Given, left: int) -> Given:
    """How the texts end that a call gives to the parameters of the function that it runs."""
    site = next((site for site in program.callers(function) if site.call is call), None)
    if site is None:
        return {}
    handed: dict[str, str] = {}
    for param in function.params:
        passed = passed_argument(site, function, param)
        text = param.default if passed is None else passed
        ends = set() if text is None or isinstance(text, Unknown) else set(_ends(program, text, given, left - 1))
        handed[param.name] = ends.pop() if len(ends) == 1 else ""
    return handed


def _ends(program: Program, path: ir.Expr, given: Given, left: int) -> Iterator[str]:
    """How a path ends, as far as constants say it from its end on; "" where they do not."""
    match path:
        case ir.Literal(value=str(text)):
            yield text
        case ir.Template(parts=parts) | ir.Operator(op=ir.Op.ADD, operands=parts):
            yield _last(program, parts, "", given, left)
        case ir.Operator(op=ir.Op.DIV, operands=parts):
            yield _last(program, parts, "/", given, left)
        case ir.Name(id=name) if name in given:
            yield given[name]
        case ir.Name() if left:
            bound = visible_bindings(program, path)
            values = (each.value if each.kind == "assign" and not each.steps else None for each in bound)
            for value in values:
                yield from ("",) if value is None else _ends(program, value, given, left - 1)
        case ir.Call(callee=callee, args=args) if args and callee_name(callee) in JOINING:
            receiver = callee.target if isinstance(callee, ir.Member) and callee.name == "joinpath" else None
            parts = tuple(each.value for each in args if each.keyword is None)
            yield _last(program, parts if receiver is None else (receiver, *parts), "/", given, left)
        case ir.Call(callee=callee, args=(only, *_)) if callee_name(callee) in SAME:
            yield from _ends(program, only.value, given, left)
        case ir.Call(callee=ir.Member(target=target, name=name)) if name in SAME:
            yield from _ends(program, target, given, left)
        case _:
            yield ""


def _last(program: Program, parts: tuple[ir.Expr, ...], between: str, given: Given, left: int) -> str:
    """The end of what several parts make: back to the first of which the beginning is not told."""
    end = ""
    for number, part in enumerate(reversed(parts)):
        ends = set(_ends(program, part, given, left))
        text = ends.pop() if len(ends) == 1 else ""
        if not text:
            break
        end = f"{text}{between if number and not text.endswith('/') else ''}{end}"
    return end
