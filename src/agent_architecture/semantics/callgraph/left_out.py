"""Branches that nothing in an extent enters: each of its calls of their function hands in what answers the test in
front of them otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.call_branches import branches, enters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir


def left_out(program: Program, called: Iterable[ir.Function], nodes: Callable[[], Iterable[ir.Node]]) -> frozenset[int]:
    """The ids of the statements in such branches of the functions that are called, where these nodes run. A function
    that is entered otherwise than by calls runs whole.
    """
    asking = [(function, found) for function in called if (found := branches(program, function))]
    if not asking:
        return frozenset()
    inside = set(map(id, nodes()))
    out: set[int] = set()
    for function, found in asking:
        sites = [site for site in program.callers(function) if site.escapes or id(site.call) in inside]
        for branch in found if sites else ():
            if not any(enters(program, site, function, branch) for site in sites):
                out.update(map(id, branch.statements))
    return frozenset(out)
