"""What a web application keeps for all of its requests: `app.state.agent = agent`, read in another module as
`request.app.state.agent` (Starlette, FastAPI), `req.app.locals.agent` (Express), `request.app["agent"]` (aiohttp).

The object of the application reaches a handler by the library alone, so that no value leads from one to the other; the
forms of both ends say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value

APPLICATION: Final = frozenset({"app", "application"})
KEEPING: Final = frozenset({"locals", "state"})
"""What an application keeps things in, but for itself."""
ASKED: Final = "getattr"
_KEPT: Final = regex(r"\bapp(?:lication)?(?:\.(?:state|locals)\.(\w+)|\[[\"'](\w+)[\"']\])\s*(?::[^=\n]+)?=[^=>]")


def kept_by_application(program: Program, node: ir.Expr, name: str) -> Iterator[Value]:
    """What the modules of a project keep on its application under this name, where `node` reads it of one that comes
    with a request, or of an application that its own module keeps nothing on.
    """
    holder = _application_of(node)
    if holder is None:
        return
    with_request = isinstance(holder, ir.Member)
    stored = ir.Index if isinstance(node, ir.Index) else ir.Member
    for module in program.once(_keeping).get(name, ()):
        is_own = module is program.module_of(node)
        if is_python(module.path) == is_python(node.span.path) and (with_request or not is_own):
            for store in program.put_in(module).get(name, ()):
                if (
                    store.value is not None
                    and isinstance(store.target, stored)
                    and _application_of(store.target)
                    and store.target is not node
                ):
                    yield from program.value_of(store.value)


def _application_of(node: ir.Expr) -> ir.Name | ir.Member | None:
    """The application of whose attribute or element something is: `x.app` of `x.app.state.y` or of
    `getattr(x.app.state, "y", None)`, `app` of `app["y"]`.
    """
    holder = node.target if isinstance(node, (ir.Member, ir.Index)) else None
    is_asked = isinstance(node, ir.Call) and isinstance(node.callee, ir.Name) and node.callee.id == ASKED
    if isinstance(node, ir.Call) and is_asked and node.args:
        holder = node.args[0].value
    if isinstance(node, ir.Member) or is_asked:
        if not isinstance(holder, ir.Member) or holder.name not in KEEPING:
            return None
        holder = holder.target
    if not isinstance(holder, (ir.Name, ir.Member)):
        return None
    return holder if (holder.id if isinstance(holder, ir.Name) else holder.name) in APPLICATION else None


def _keeping(program: Program) -> Mapping[str, Sequence[ir.Module]]:
    """The modules whose text keeps something on an application, by its name."""
    found: dict[str, list[ir.Module]] = {}
    for module in program.modules:
        file = program.table.file(module.path)
        for match in _KEPT.finditer(file.data.decode("utf-8", "replace")) if file is not None else ():
            modules = found.setdefault(match[1] or match[2], [])
            if module not in modules:
                modules.append(module)
    return found
