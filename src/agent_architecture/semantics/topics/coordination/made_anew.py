"""Objects that each request gets anew: `Depends(lambda: Desk())`, and what such objects hold. Nothing in them is there
for the next request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.dependency_injection import DEPENDING
from agent_architecture.names.values import ClassValue, Func
from agent_architecture.semantics.topics.coordination.remembering_agents import put_in_module
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.loops.multi_user_code import Served

DEPTH: Final = 4
"""Objects in each other that are followed outwards."""
CONSTRUCTORS: Final = frozenset({"__init__", "constructor", "__post_init__"})


def made_for_each(program: Program, served: Served, cls: ir.Class, depth: int = DEPTH) -> bool:
    """Whether all objects of a class are seen to be made while a request is answered, and nothing keeps one."""
    made = [site for site in program.calls(cls.name) if _makes(program, site, cls)]
    return bool(made) and depth > 0 and all(_is_anew(program, served, site, cls, depth) for site in made)


def _makes(program: Program, site: CallSite, cls: ir.Class) -> bool:
    return any(value == ClassValue(cls) for value in program.value_of(site.call.callee))


def _is_anew(program: Program, served: Served, site: CallSite, cls: ir.Class, depth: int) -> bool:
    """Whether one call makes an object for a request alone."""
    scope = site.scope
    if not isinstance(scope, ir.Function) or scope.decorators or put_in_module(program, site.call, scope):
        return False
    around = program.structure(scope).parent(site.call)
    owner = enclosing_class(program, scope)
    if owner is not None and scope.name in CONSTRUCTORS:
        return owner is not cls and made_for_each(program, served, owner, depth - 1)
    is_kept = isinstance(around, ir.Assign) and not isinstance(around.target, ir.Name)
    return not is_kept and (served.of(scope) or _is_injected(program, scope)) and not _runs_when_loaded(program, scope)


def _is_injected(program: Program, function: ir.Function) -> bool:
    """Whether a server's library runs a function for what each request needs: `desk: Desk = Depends(make_desk)`."""
    sites = (site for name in DEPENDING for site in program.calls(name))
    given = (argument.value for site in sites for argument in site.call.args[:1])
    return any(isinstance(v, Func) and v.function is function for each in given for v in program.value_of(each))


def _runs_when_loaded(program: Program, scope: ir.Function) -> bool:
    return any(isinstance(site.scope, ir.Module) and not site.escapes for site in program.callers(scope))
