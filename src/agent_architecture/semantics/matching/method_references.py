"""Methods and functions of libraries that code names without calling them where it stands: what calls them then.

`ask = partial(client.messages.create, model=…)` is called `ask`, and so is the parameter that it is handed to;
`asyncio.to_thread(agent.run, text)` calls `agent.run`; a class that an object is told to use (`Desk(client=Client)`, or
that a parameter is by default) is called by the attribute that keeps it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import FORWARDING, MAPPING, PARTIAL
from agent_architecture.names.indirect_calls import named_again, names_holding, names_holding_parameter
from agent_architecture.names.program import callee_name
from agent_architecture.names.references import uncalled
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

NAMED: Final = rb"\.(?:%s)\b(?!\s*[(.=\[?!]|\w)"
"""A member that is neither called nor looked into where it stands."""
HANDED: Final = rb"[=,(\[]\s*+(%s)\s*+(?=[,)\]\n;}])"
"""A name that is handed on, kept or a default where it stands."""


class Forwarded(NamedTuple):
    """A call that runs a function that it is handed: `call` is that call, `made` what it amounts to."""

    call: ir.Call
    made: ir.Call


def other_names(program: Program, names: frozenset[str]) -> frozenset[str]:
    """The names of variables, parameters and attributes that hold a library's method with one of these names, or what
    `partial` makes of any.
    """
    bound = ((site.scope, site.call) for maker in PARTIAL for site in program.calls(maker))
    named = ((scope, node) for scope, node in mentions(program, names) if not _is_replaced(program, scope, node))
    return frozenset(name for scope, node in (*bound, *named) for name in names_holding(program, scope, node))


def names_of_imported(program: Program, names: frozenset[str]) -> frozenset[str]:
    """The names of variables, parameters and attributes that hold a class or function that is imported under one of
    these names: it is handed on, kept, or what a parameter is by default.
    """
    found: set[str] = set()
    for module in program.modules:
        taken = {name.alias for _, node in module.index.imports for name in node.names if name.name in names}
        for scope, name in _handed_on(program, module, taken) if taken else ():
            for node in uncalled(program, scope, name, (ir.Name,)):
                found |= names_holding(program, scope, node)
            for function in _headed(program, scope):
                for param in function.params:
                    if isinstance(param.default, ir.Name) and param.default.id == name:
                        found |= names_holding_parameter(program, function, param.name)
    return frozenset(found)


def _handed_on(program: Program, module: ir.Module, names: set[str]) -> Iterator[tuple[ir.Scope, str]]:
    """The scopes of a module in whose text one of these names stands as an argument, a value or a default."""
    program.reads(module)
    file = program.table.file(module.path)
    wanted = re.compile(HANDED % b"|".join(sorted(re.escape(name.encode()) for name in names)))
    found: dict[tuple[int, str], ir.Scope] = {}
    for match in wanted.finditer(file.data) if file is not None else ():
        before = file.data[: match.start(1)] if file is not None else b""
        line, column = before.count(b"\n") + 1, match.start(1) - before.rfind(b"\n")
        span = module.span._replace(line=line, col=column, end_line=line, end_col=column + len(match[1]))
        name = match[1].decode()
        scope = program.scope_of(ir.Name(span, name))
        found[id(scope), name] = scope
    yield from ((scope, name) for (_, name), scope in found.items())


def _headed(program: Program, scope: ir.Scope) -> Iterator[ir.Function]:
    """The function of a scope, and those that are defined in it."""
    if isinstance(scope, ir.Function):
        yield scope
    yield from (one for one in program.structure(scope).definitions if isinstance(one, ir.Function))


def _is_replaced(program: Program, scope: ir.Scope, method: ir.Expr) -> bool:
    """Whether a method is only kept to be wrapped: `own = team.step; team.step = logged`. Who calls it still does."""
    return isinstance(method, ir.Member) and any(
        isinstance(store.target, ir.Member)
        and store.target.name == method.name
        and _is_same(store.target.target, method.target)
        for store in program.structure(scope).stores
    )


def _is_same(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two expressions name the same variable or attribute."""
    match one, other:
        case ir.Name(id=name), ir.Name(id=same):
            return name == same
        case ir.Member(name=name, target=target), ir.Member(name=same, target=around):
            return name == same and _is_same(target, around)
        case _:
            return False


def forwarded(program: Program, names: frozenset[str]) -> Iterator[Forwarded]:
    """The calls that run a library's method with one of these names elsewhere: in a thread, in a pool. The
    method stands there itself, or a variable that holds it.
    """
    for scope, method in mentions(program, names):
        first = program.structure(scope).parent(method)
        fixed = first if isinstance(first, ir.Call) and callee_name(first.callee) in PARTIAL else None
        whole = method if fixed is None else fixed
        for at, node in ((scope, whole), *named_again(program, scope, method)):
            around = program.structure(at).parent(node)
            if not isinstance(around, ir.Call) or callee_name(around.callee) not in FORWARDING | MAPPING:
                continue
            place = next((n for n, argument in enumerate(around.args) if argument.value is node), None)
            if place is not None:
                before = () if fixed is None or node is not fixed else fixed.args[1:]
                callee = method if node is fixed else node
                yield Forwarded(around, around._replace(callee=callee, args=(*before, *around.args[place + 1 :])))


def forwarded_objects(program: Program, names: frozenset[str]) -> Iterator[Forwarded]:
    """The calls that run an object elsewhere which is called by itself, and held under one of these names."""
    sites = (site for name in sorted(FORWARDING if names else ()) for site in program.calls(name))
    for site in sites:
        for place, argument in enumerate(site.call.args):
            if isinstance(argument.value, (ir.Name, ir.Member)) and callee_name(argument.value) in names:
                made = site.call._replace(callee=argument.value, args=site.call.args[place + 1 :])
                yield Forwarded(site.call, made)


def mentions(program: Program, names: frozenset[str]) -> Iterator[tuple[ir.Scope, ir.Expr]]:
    """Where members with one of these names stand without being called, with their scopes."""
    wanted = re.compile(NAMED % b"|".join(sorted(re.escape(name.encode()) for name in names)))
    for module in program.modules if names else ():
        file = program.table.file(module.path)
        found: dict[tuple[int, str], ir.Scope] = {}
        for number, line in enumerate(file.data.split(b"\n"), 1) if file and wanted.search(file.data) else ():
            for match in wanted.finditer(line):
                span = module.span._replace(
                    line=number, col=match.start() + 2, end_line=number, end_col=match.end() + 1
                )
                scope = program.scope_of(ir.Name(span, ""))
                found[id(scope), match[0][1:].decode()] = scope
        for (_, name), scope in found.items():
            yield from ((scope, node) for node in uncalled(program, scope, name, (ir.Member,)))
