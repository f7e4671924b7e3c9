"""PyCG's micro-benchmark: small programs, each beside the edges of its call graph (`callgraph.json`).

An edge is "this code may run that function". What the project does not count, by design, is told apart from what is
missed: functions of the language and of other packages have no body here, and what the language runs without a call
being written (`for` over an object, `raise` of a class) is no call site.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.syntax import ir
from ecosystem.callgraph.opened import opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program

LANGUAGE: Final = "a function of the language itself"
OTHERS: Final = "a function of a package that is not there"
IMPLICIT: Final = "run by `for` or `raise`, not by a call"
KNOWN: Final = Path(__file__).with_name("known.toml")
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
    def outdated(self) -> frozenset[Edge]:
        """Edges that are found although they are written down as not counted."""
        return self.found & frozenset(self.left_out)

    @property
    def odd(self) -> frozenset[Edge]:
        """Edges that were found and are not expected."""
        return self.found - self.expected


def snippets(folder: Path) -> Iterator[Snippet]:
    """Every program below a folder, by name."""
    known: dict[str, dict[Edge, str]] = {}
    for row in tomllib.loads(KNOWN.read_text("utf-8"))["edge"]:
        caller, _, callee = row["edge"].partition(" -> ")
        known.setdefault(row["snippet"], {})[Edge(caller, callee)] = row["reason"]
    for path in sorted(folder.rglob("callgraph.json")):
        name = path.parent.relative_to(folder).as_posix()
        yield _snippet(path.parent, name, known.get(name, {}))


def _snippet(folder: Path, name: str, known: Mapping[Edge, str]) -> Snippet:
    graph = json.loads((folder / "callgraph.json").read_text("utf-8"))
    expected = frozenset(Edge(caller, callee) for caller, callees in graph.items() for callee in callees)
    program = opened(folder)
    names = _names(program)
    found = frozenset(_edges(program, names))
    missed = ((edge, _reason(edge, program, names)) for edge in expected - found)
    return Snippet(name, expected, found, {**{edge: why for edge, why in missed if why}, **known})


def _names(program: Program) -> dict[ir.Scope, str]:
    """The benchmark's names of scopes: dotted from the file; functions without a name are numbered in their scope."""
    names: dict[ir.Scope, str] = {}
    for module in program.modules:
        names[module] = module.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        lambdas: Counter[ir.Scope] = Counter()
        inside: list[ir.Function | ir.Class] = [*module.index.functions, *module.index.classes]
        for scope in sorted(inside, key=lambda scope: scope.span):
            own = scope.name
            if isinstance(scope, ir.Function) and (not own or _is_lambda(program, scope)):
                lambdas[scope.outer] += 1
                own = f"<lambda{lambdas[scope.outer]}>"
            names[scope] = f"{names[scope.outer]}.{own}"
    return names


def _is_lambda(program: Program, function: ir.Function) -> bool:
    """Whether a function was written as an expression: the variable that it is assigned to gives it a name."""
    file = program.table.file(function.module.path)
    lines = file.data.decode().splitlines() if file is not None else []
    return lines[function.span.line - 1][function.span.col - 1 :].startswith("lambda")


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
