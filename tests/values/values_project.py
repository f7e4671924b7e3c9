"""Small real projects on disk, opened as a scan opens them, and asked what their expressions can be.

Every file asks by calling `show(expr)`; the answers are texts, in the order of the calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from agent_architecture.names import flow
from agent_architecture.names.exports import Exports
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.program import Program
from agent_architecture.names.specifiers import Specifiers
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Text,
    Unknown,
    Value,
)
from agent_architecture.sources.walk import walk
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse


class TinyLibrary:
    """Libraries that have one name for each thing and return nothing that they were given."""

    def canonical(self, path: str) -> str:
        return path

    def passes(self, path: str) -> tuple[tuple[str, ...], ...]:
        del path
        return ()

    def makes(self, path: str) -> str | None:
        return {"py:records.Record.load": "self", "py:records.Record().copy": "self", "py:records.read": "of"}.get(path)

    def tells_apart(self, path: str, call: ir.Call) -> tuple[tuple[str, ...], ...]:
        del path, call
        return ()

    def holds(self, path: str) -> int | None:
        del path
        return None

    def hands(self, path: str) -> tuple[str, ...]:
        return ("py:spans.Span()",) if path == "py:spans.inside" else ()

    def runs(self, path: str) -> str:
        return "forward" if path == "py:net.Module().__call__" else ""

    def runs_given(self, path: str) -> tuple[str, ...]:
        return {"py:kit.tool().invoke": ("self",), "npm:kit:tool().invoke": ("0", "run")}.get(path, ())

    def answering(self, name: str) -> frozenset[str]:
        return frozenset({"py:ask.call()()"} if name == "call" else ())

    def runners(self, path: str) -> frozenset[str]:
        return frozenset({"__call__"} if path == "py:net.Module().forward" else ())


def open_program(folder: Path, files: Mapping[str, str]) -> Program:
    """Write files, read and parse all of them, and open the value layer on them."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    table = ModuleTable(walk([folder]).files, parse)
    for path in sorted(files):
        table.get(path)
    return Program(table, Exports(Specifiers(table)), TinyLibrary())


def shown(folder: Path, files: Mapping[str, str]) -> list[str]:
    """What each `show(expr)` of the files can be, sorted within one answer, by position of the call."""
    program = open_program(folder, files)
    return [values_text(program, expr) for expr in asked(program)]


def python(folder: Path, text: str) -> list[str]:
    """The same for one Python file."""
    return shown(folder, {"a.py": text})


def script(folder: Path, text: str) -> list[str]:
    """The same for one TypeScript file."""
    return shown(folder, {"a.ts": text})


def asked(program: Program) -> list[ir.Expr]:
    """The arguments of all `show` calls."""
    calls = sorted((site.call for site in program.calls("show")), key=lambda call: call.span)
    return [call.args[0].value for call in calls]


def values_text(program: Program, expr: ir.Expr) -> str:
    """All alternatives, sorted, with ` | ` between them."""
    return " | ".join(sorted(value_text(program, value) for value in program.value_of(expr)))


def value_text(program: Program, value: Value, depth: int = 0) -> str:
    """A constant as Python writes it, an API path, `def f`, `class C`, `C()`, `[…]`, `{…}`, `text`, `? why`."""
    if depth > 3:
        return "…"
    match value:
        case Const():
            return repr(value.value)
        case Api():
            return value.path
        case Func():
            return f"def {value.function.qualname}"
        case ClassValue():
            return f"class {value.cls.name}"
        case Instance():
            return f"{value.cls.name}()"
        case Items():
            inside = [_inner(program, item, depth) for item in value.items]
            return "[" + ", ".join([*inside, *(() if value.complete else ("…",))]) + "]"
        case Entries():
            inside = [f"{key}: {_inner(program, entry, depth)}" for key, entry in value.entries]
            return "{" + ", ".join([*inside, *(() if value.complete else ("…",))]) + "}"
        case ModuleValue():
            return f"module {value.module.path}"
        case Text():
            return "text"
        case Unknown():
            return f"? {value.why}"


def _inner(program: Program, expr: ir.Expr, depth: int) -> str:
    return " | ".join(sorted(value_text(program, value, depth + 1) for value in program.value_of(expr)))


def callers_of(program: Program, qualname: str) -> list[str]:
    """The lines that call a function: `path:line`, with `?` where known by name alone, `>` where it is handed over."""
    sites = program.callers(function_named(program, qualname))
    marks = [("?" if site.inferred else "") + (">" if site.escapes else "") for site in sites]
    return [f"{site.call.span}{mark}" for site, mark in zip(sites, marks, strict=True)]


def callees_at(program: Program, name: str) -> list[str]:
    """The functions that the calls by this last name may run."""
    return [function.qualname for site in program.calls(name) for function in program.callees(site.call)]


def function_named(program: Program, qualname: str) -> ir.Function:
    """The only function with this qualified name."""
    (found,) = [f for module in program.modules for f in module.index.functions if f.qualname == qualname]
    return found


def origins_of(program: Program, number: int = 0) -> list[str]:
    """Where the value of a `show` argument begins: `kind name` or `kind line`, sorted, constants left out."""
    found = flow.origins(program, asked(program)[number])
    return sorted({_origin_text(origin) for origin in found if origin.kind != "constant"})


def _origin_text(origin: flow.Origin) -> str:
    if origin.kind == "call" and isinstance(origin.node, ir.Call):
        callee = origin.node.callee
        return f"call {callee.id if isinstance(callee, ir.Name) else getattr(callee, 'name', '?')}"
    return f"{origin.kind} {origin.name}"
