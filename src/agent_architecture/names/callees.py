"""Which functions of the project each call runs, told for good as soon as it is known for good.

Whoever looks for the callers of a function asks all calls of its name; of N functions and M calls of one name these are
N times M questions where each looks at every call. A call that rests on no open question is looked at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.syntax import ir

Runs: TypeAlias = "Mapping[ir.Function, CallSite]"
"""What a call runs, with the site as each of them sees it: its receiver bound, or judged by its name alone."""


class _Called:
    """The calls of one name: those that are still looked at, and the others by what they run; `rests` is what it rests
    on that these run nothing else.
    """

    __slots__ = ("by_function", "open", "rests")

    def __init__(self, sites: tuple[CallSite, ...]) -> None:
        self.open = sites
        self.by_function: dict[ir.Function, list[CallSite]] = {}
        self.rests = 0


class Sites:
    """What the calls of one program run."""

    __slots__ = ("_named", "_program", "told")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._named: dict[str, _Called] = {}
        self.told: dict[int, tuple[Runs, ir.Call, int]] = {}
        """What calls run for good, each with the call and what it rests on."""

    def under(self, names: Iterable[str], function: ir.Function) -> Iterator[CallSite]:
        """The calls of these names that run a function, of those that say something about it (`counts`). Whatever is
        imported as a default has many names; most of their calls are known to run others.
        """
        is_kept = self._program.rests.is_kept
        for name in names:
            named = self._named.get(name)
            if named is None or named.open or function in named.by_function or is_kept:
                yield from self._called(name, function)

    def _called(self, name: str, function: ir.Function) -> list[CallSite]:
        """The calls of one of them."""
        program, named = self._program, self._named.get(name)
        if named is None:
            named = self._named[name] = _Called(tuple(program.calls(name)))
        program.scopes_calling(name)  # that there are no others is read, too
        home = program.module_of(function).role
        asked = (site for site in named.open if counts(program, site, home))
        found = [site for one in asked if (site := self.running(one, function)) is not None]
        self._close(named)
        program.rests.read |= named.rests
        known = named.by_function.get(function, ())
        found.extend(site for site in known if counts(program, site, home) and not self._is_other(site, function))
        return found

    def running(self, site: CallSite, function: ir.Function) -> CallSite | None:
        """The site as the function sees it, if its call runs it."""
        told, rests = self.told.get(id(site.call)), self._program.rests
        if told is not None:
            rests.read |= told[2]
            found = told[0].get(function)
            return None if found is None or self._is_other(site, function) else found
        if self._is_other(site, function):
            return None
        from agent_architecture.names.callers import run_at

        before = self._program.unsettled
        around, rests.read = rests.read, rests.of(site.call.span.path)
        runs = run_at(self._program, site)
        read, rests.read = rests.read, rests.read | around
        if self._program.unsettled == before:
            self.told[id(site.call)] = runs, site.call, rests.same(read)
        return runs.get(function)

    def _is_other(self, site: CallSite, function: ir.Function) -> bool:
        from agent_architecture.names.typed_calls import is_other

        typed = self._program.by_types.methods(site.call.callee)
        return typed is None and is_other(self._program, site.call.callee, function)

    def _close(self, named: _Called) -> None:
        """Those that were told meanwhile need not be looked at again."""
        told = [site for site in named.open if id(site.call) in self.told]
        for site in told:
            runs, _, rests = self.told[id(site.call)]
            named.rests |= rests
            for function, found in runs.items():
                named.by_function.setdefault(function, []).append(found)
        if told:
            named.open = tuple(site for site in named.open if id(site.call) not in self.told)


def counts(program: Program, site: CallSite, home: Role) -> bool:
    """What an example passes to the application says nothing about the application."""
    return program.module_of(site.call).role in {home, Role.APP}
