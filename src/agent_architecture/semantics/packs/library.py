"""What the name layer is told of libraries: their canonical paths, and which calls return what they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.factories import written
from agent_architecture.names.library_callbacks import RUNNING
from agent_architecture.semantics.packs.addresses import SELF

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow
    from agent_architecture.syntax import ir


TELLING: Final = ("name", "tools", "handoffs", "agents")
"""The properties and relations by which agents that one call makes for many are told apart."""
TASK: Final = ("instructions", "output_schema")
"""Those by which agents are told apart that are given no name."""


class PackLibrary:
    """The packs as the name layer sees them (`names.program.Library`)."""

    __slots__ = ("_answering", "_packs", "_runners")

    def __init__(self, packs: Packs) -> None:
        self._packs = packs
        self._runners = packs.methods_run()
        self._answering: dict[str, set[str]] = {}
        for owner in sorted(packs.owners):
            if owner.endswith("()()"):
                self._answering.setdefault(_name(owner.replace("()", "")), set()).add(owner.removesuffix("()"))

    def canonical(self, path: str) -> str:
        """The one path of something that a library offers under several."""
        return self._packs.canonical(path)

    def passes(self, path: str) -> tuple[tuple[str, ...], ...]:
        """Where what a call of `path` returns comes from, the empty way being the call itself. A call that returns its
        receiver itself is an alias, and passes nothing.
        """
        address = self._packs.through(path)
        if address is None:
            return ()
        return tuple(tuple(map(str, steps)) for steps in address.alternatives if steps != (SELF,))

    def makes(self, path: str) -> str | None:
        """Of which class a call of `path` makes an object: an argument, or `self` for the receiver's."""
        return self._packs.makes(path)

    def tells_apart(self, path: str, call: ir.Call) -> tuple[tuple[str, ...], ...]:
        """The arguments of a call of `path` by which what it makes is told apart: an agent's name, tools and others; of
        one that is given no name, what it is told to do and to answer, too.
        """
        rows = [row for row in self._packs.entities(path) if row.kind == "agent"]
        named = any(True for way in _ways(rows, ("name",)) for _ in written(call, way))
        return _ways(rows, TELLING if named else (*TELLING, *TASK))

    def holds(self, path: str) -> int | None:
        """Which argument of a generic type says what an attribute of its objects is."""
        return self._packs.holds(path)

    def hands(self, path: str) -> tuple[str, ...]:
        """What a call of `path` hands to a function that it is given, by position."""
        return self._packs.hands(path)

    def answering(self, name: str) -> frozenset[str]:
        """What decorators of this last name put in the place of a function, where the packs say what its calls give."""
        return frozenset(self._answering.get(name, ()))

    def runs(self, path: str) -> str:
        """The method that a method runs where a subclass writes one."""
        name = _name(path)
        known = self._packs.canonical(path)
        return _name(known) if name in self._runners.get(known, ()) else ""

    def runs_given(self, path: str) -> tuple[str, ...]:
        """Where the function stands that a tool's own method runs: in the row of the call that made the tool."""
        owner = path.rpartition(".")[0]
        if _name(path) not in RUNNING or not owner.endswith("()"):
            return ()
        addresses = [r.relations.get("function") for r in self._packs.entities(owner[:-2]) if r.kind == "tool"]
        stated = (way for address in addresses if address is not None for way in address.alternatives)
        decorates = any(row.kind == "tool" for row in self._packs.decorators(owner[:-2]))
        named = (way[1:] if len(way) == 2 and way[0] == 0 else way for way in stated)  # noqa: PLR2004 - `0.execute`
        return (*(str(way[0]) for way in named if len(way) == 1), *((SELF,) if decorates else ()))

    def runners(self, path: str) -> frozenset[str]:
        """The methods that run one that a subclass writes."""
        return self._runners.get(self._packs.canonical(path), frozenset())


def _name(path: str) -> str:
    return path[path.rfind(".") + 1 :]


def _ways(rows: Iterable[EntityRow], names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The steps to the arguments that these properties and relations of rows stand for."""
    told = tuple(names)
    said = (row.properties.get(name) or row.relations.get(name) for row in rows for name in told)
    ways = (way for address in said if address is not None for way in address.whole().alternatives if way)
    return tuple(dict.fromkeys(tuple(map(str, way)) for way in ways))
