"""Who runs a function that helpers are handed: `with_span("ask", lambda: ask(x))` runs it for the call that hands it
in, not for whoever else calls the helper. And which calls only keep what they are handed for later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callback_arguments import holds
from agent_architecture.names.callers import RUNNERS, passed_argument
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.callbacks import root, scopes_around
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program

REPEATED: Final = "setInterval"
"""The one of the languages' own runners that only begins when the code around it is done."""


class Coming(NamedTuple):
    """The calls on which a function is run, each of its own caller; and the helpers that run it for these."""

    sites: tuple[CallSite, ...]
    helpers: tuple[ir.Scope, ...] = ()


def coming(program: Program, function: ir.Function) -> Coming:
    """Who runs a function: its callers, and in the place of a helper that runs what it is handed the calls that hand in
    this one. Where nobody is seen to hand it in, all that call the helper.
    """
    return program.kept(_coming, function)


def _coming(program: Program, function: ir.Function) -> Coming:
    sites: dict[int, CallSite] = {}
    helpers: dict[int, ir.Scope] = {}
    for site in program.callers(function):
        handing = tuple(_handing(program, site, function))
        for each in handing or (site,):
            sites.setdefault(id(each.call), each)
        if handing:
            helpers |= {id(scope): scope for scope in _inside_helper(site)}
    return Coming(tuple(sites.values()), tuple(helpers.values()))


def _handing(program: Program, site: CallSite, function: ir.Function) -> Iterator[CallSite]:
    """The calls of the helper in which another call runs what the helper was handed, of those that hand in this."""
    found = _parameter(site)
    if found is None or site.decorates:
        return
    helper, param = found
    for each in program.callers(helper):
        if each.decorates:
            continue  # what a decorator makes stands in the place of what it is handed: who calls that calls this
        passed = passed_argument(each, helper, param)
        if passed is not None and not isinstance(passed, Unknown) and holds(program, passed, function):
            yield each._replace(escapes=True)


def _parameter(site: CallSite) -> tuple[ir.Function, ir.Parameter] | None:
    """The parameter, and its function, that a call runs: `fn()` and `job.handler(data)`."""
    name = root(site.call.callee)
    for scope in scopes_around(site.scope):
        if isinstance(scope, ir.Function):
            param = next((each for each in scope.params if each.name == name), None)
            if param is not None:
                return scope, param
    return None


def _inside_helper(site: CallSite) -> Iterator[ir.Scope]:
    found = _parameter(site)
    for scope in scopes_around(site.scope):
        yield scope
        if found is not None and scope is found[0]:
            return


def is_put_off(program: Program, site: CallSite) -> bool:
    """Whether a call only keeps a function for others to run when something happens: nobody waits for what the call
    gives, and it is none of the calls that run at once what they are handed.
    """
    structure, name = program.structure(site.scope), callee_name(site.call.callee)
    return (
        site.escapes
        and structure.is_statement(site.call)
        and not isinstance(structure.parent(site.call), ir.Await)
        and (name == REPEATED or (name not in RUNNERS and not program.callees(site.call)))
    )
