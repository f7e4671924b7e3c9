"""PyCG's micro-benchmark: small programs, each beside the edges of its call graph (`callgraph.json`).

An edge is "this code may run that function". What the project does not count, by design, is told apart from what is
missed: functions of the language and of other packages have no body here, and what the language runs without a call
being written (`for` over an object, `raise` of a class) is no call site.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.syntax import ir
from ecosystem.callgraph.opened import opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from agent_architecture.names.program import Program

LANGUAGE: Final = "a function of the language itself"
OTHERS: Final = "a function of a package that is not there"
IMPLICIT: Final = "run by `for` or `raise`, not by a call"
_PROTOCOL: Final = ("__iter__", "__next__")


class Edge(NamedTuple):
    """Code that may run a function, both by their dotted names."""

    caller: str
    callee: str


class Snippet(NamedTuple):
    """One program of the benchmark."""

    name: str
    expected: frozenset[Edge]
    found: frozenset[Edge]
    left_out: Mapping[Edge, str]
    """The expected edges that are not counted by design, with the reason."""

    @property
    def missed(self) -> frozenset[Edge]:
        """Edges that count and were not found."""
        return self.expected - self.found - frozenset(self.left_out)

    @property
    def odd(self) -> frozenset[Edge]:
        """Edges that were found and are not expected."""
        return self.found - self.expected


def snippets(folder: Path) -> Iterator[Snippet]:
    """Every program below a folder, by name."""
    for path in sorted(folder.rglob("callgraph.json")):
        yield _snippet(path.parent, path.parent.relative_to(folder).as_posix())


def _snippet(folder: Path, name: str) -> Snippet:
    graph = json.loads((folder / "callgraph.json").read_text("utf-8"))
    expected = frozenset(Edge(caller, callee) for caller, callees in graph.items() for callee in callees)
    program = opened(folder)
    names = _names(program)
    found = frozenset(_edges(program, names))
    missed = ((edge, _reason(edge, program, names)) for edge in expected - found)
    return Snippet(name, expected, found, {edge: why for edge, why in missed if why})


def _names(program: Program) -> dict[ir.Scope, str]:
    """The benchmark's names of scopes: dotted from the file; functions without a name are numbered in their scope."""
    names: dict[ir.Scope, str] = {}
    for module in program.modules:
        names[module] = module.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        lambdas: Counter[ir.Scope] = Counter()
        for scope in sorted((*module.index.functions, *module.index.classes), key=lambda scope: scope.span):
            own = scope.name
            if isinstance(scope, ir.Function) and (not own or not scope.span.contains(scope.name_span)):
                lambdas[scope.outer] += 1
                own = f"<lambda{lambdas[scope.outer]}>"
            names[scope] = f"{names[scope.outer]}.{own}"
    return names


def _edges(program: Program, names: Mapping[ir.Scope, str]) -> Iterator[Edge]:
    for scope, name in names.items():
        caller = names[_running(scope)] if isinstance(scope, ir.Class) else name
        for calls in program.calls_in(scope).values():
            for call in calls:
                yield from (Edge(caller, names[callee]) for callee in program.callees(call))
        for definition in program.structure(scope).definitions:
            for decorator in definition.decorators:
                site = program.decoration(definition, decorator, scope)
                yield from (Edge(caller, names[callee]) for callee in program.callees(site.call))


def _running(scope: ir.Scope) -> ir.Scope:
    """The code that runs a class's body: what is around it."""
    while isinstance(scope, ir.Class):
        scope = scope.outer
    return scope


def _reason(edge: Edge, program: Program, names: Mapping[ir.Scope, str]) -> str:
    if edge.callee.startswith("<"):
        return LANGUAGE
    if edge.callee not in names.values():
        return OTHERS
    if edge.callee.endswith(_PROTOCOL) or _is_raised(edge, program, names):
        return IMPLICIT
    return ""


def _is_raised(edge: Edge, program: Program, names: Mapping[ir.Scope, str]) -> bool:
    """Whether the code raises something and the edge leads to a constructor that no call of it names."""
    callers = (scope for scope, name in names.items() if name == edge.caller)
    raises = any(isinstance(node, ir.Raise) for caller in callers for node in program.structure(caller).nodes)
    return raises and edge.callee.endswith(".__init__")
