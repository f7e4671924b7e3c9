"""What `@CrewBase` adds to a class: its agents, its tasks, and its two YAML files with their references resolved.

Rows cannot say this: the decorator fills attributes from methods with other decorators and from files. The attributes
are given to the class before anything is matched, so that `self.agents_config["researcher"]` is a mapping like any
other. Rule: crewai/project/crew_base.py (1.15.30). Knows CrewAI's project layout; must not know agents or detectors.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs

PROJECT: Final = "py:crewai.project."
FILES: Final = {"agents_config": "config/agents.yaml", "tasks_config": "config/tasks.yaml"}
"""Where a project's YAML stands unless the class says otherwise, from the folder of its module."""
REFERENCES: Final = {"agent": "agent", "tools": "tool", "llm": "llm", "context": "task", "function_calling_llm": "llm"}
"""Keys of the YAML whose texts name methods of the class, and the decorator of those methods."""

Made = dict[str, dict[str, tuple[ir.Expr, ...]]]
"""What the decorated methods of a class return, by decorator and method."""


def complete_projects(program: Program, packs: Packs) -> None:
    """Give every class under `@CrewBase` the attributes that it has at run time."""
    for module in program.modules:
        if "CrewBase" not in module.index.calls:
            continue
        for cls in module.index.classes:
            if any(name == "CrewBase" for name in _decorators(program, packs, cls)):
                program.supply(cls, _attributes(program, packs, cls))


def _decorators(program: Program, packs: Packs, definition: ir.Function | ir.Class) -> Iterator[str]:
    """The names of a definition's decorators that CrewAI's project package offers."""
    for decorator in definition.decorators:
        callee = decorator.callee if isinstance(decorator, ir.Call) else decorator
        for api in resolved(program, callee):
            path = packs.canonical(api.path)
            if path.startswith(PROJECT):
                yield path.removeprefix(PROJECT)


def _attributes(program: Program, packs: Packs, cls: ir.Class) -> Mapping[str, ir.Expr]:
    made: Made = {}
    for method in cls.body:
        if isinstance(method, ir.Function):
            for kind in _decorators(program, packs, method):
                made.setdefault(kind, {})[method.name] = tuple(program.structure(method).returns)
    lists = {"agents": "agent", "tasks": "task"}
    found: dict[str, ir.Expr] = {name: _all(cls, made.get(kind, {})) for name, kind in lists.items()}
    for attribute, default in FILES.items():
        document = _document(program, cls, attribute, default)
        if isinstance(document, ir.Map):
            found[attribute] = _each(document, lambda entry: _with_references(entry, made))
    return found


def _all(cls: ir.Class, methods: Mapping[str, tuple[ir.Expr, ...]]) -> ir.List:
    return ir.List(cls.span, tuple(expr for returned in methods.values() for expr in returned))


def _document(program: Program, cls: ir.Class, attribute: str, default: str) -> ir.Node | None:
    """The YAML file that the class names, or the usual one."""
    written = [b.value for b in program.attributes(cls).get(attribute, ()) if b.value is not None]
    values = [value for expr in written for value in program.value_of(expr)]
    texts = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    folder = posixpath.dirname(cls.span.path)
    module = program.table.get(posixpath.normpath(posixpath.join(folder, texts[0] if texts else default)))
    return next(iter(module.body), None) if module is not None else None


def _each(document: ir.Map, change: Callable[[ir.Expr], ir.Expr]) -> ir.Map:
    entries = (ir.Entry(entry.key, change(entry.value)) for entry in document.entries)
    return ir.Map(document.span, tuple(entries))


def _with_references(entry: ir.Expr, made: Made) -> ir.Expr:
    """One agent or task of a file, with the methods that it names in place of their names."""
    if not isinstance(entry, ir.Map):
        return entry
    found: list[ir.Entry] = []
    for inner in entry.entries:
        key = inner.key.value if isinstance(inner.key, ir.Literal) else None
        methods = made.get(REFERENCES.get(str(key), ""), {})
        found.append(ir.Entry(inner.key, _referred(inner.value, methods)))
    return ir.Map(entry.span, tuple(found))


def _referred(value: ir.Expr, methods: Mapping[str, tuple[ir.Expr, ...]]) -> ir.Expr:
    if isinstance(value, ir.List):
        return ir.List(value.span, tuple(_named(item, methods) for item in value.items))
    return _named(value, methods)


def _named(value: ir.Expr, methods: Mapping[str, tuple[ir.Expr, ...]]) -> ir.Expr:
    """What the method returns whose name a text is; anything else is itself."""
    returned = methods.get(str(value.value), ()) if isinstance(value, ir.Literal) else ()
    return returned[0] if returned else value
