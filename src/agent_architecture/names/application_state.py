"""What a web application keeps for all of its requests: `app.state.agent = agent`, read in another module as
`request.app.state.agent` (Starlette, FastAPI), `req.app.locals.agent` (Express), `request.app["agent"]` (aiohttp),
`current_app.config["AGENT"]` (Flask), `context.bot_data["agent"]` (python-telegram-bot), or what its lifespan yields
and a request has as `request.state.agent` (Starlette).

The object of the application reaches a handler by the library alone, so that no value leads from one to the other; the
forms of both ends say it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.text_indexes import modules_with
from agent_architecture.names.values import Func
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value

CURRENT: Final = "current_app"
"""What Flask calls the application that a request is for."""
APPLICATION: Final = frozenset({"app", "application", CURRENT})
KEEPING: Final = frozenset({"locals", "state"})
"""What an application keeps things in as attributes, but for itself."""
KEYED: Final = frozenset({"config", "extensions"})
"""What it keeps things in by their keys, but for itself."""
BAGS: Final = frozenset({"bot_data", "chat_data", "user_data"})
"""What the handlers of a bot are handed, and its application has, for the same."""
ASKED: Final = "getattr"
REQUESTS: Final = frozenset({"req", "request", "websocket", "ws"})
LIFESPAN: Final = "lifespan"
_KEPT: Final = regex(
    rb"(?:\bapp(?:lication)?(?:\.(?:state|locals)\.(\w+)|(?:\.(?:config|extensions))?\[[\"'](\w+)[\"']\]|\.(\w+))"
    rb"|\.(?:bot|chat|user)_data\[[\"'](\w+)[\"']\])\s*(?::[^=\n]+)?=[^=>]"
)


class _Slot(NamedTuple):
    """Where an application keeps something: what stands for it, and what of it has the thing ("": it itself)."""

    holder: ir.Expr
    keeper: str


def kept_by_application(program: Program, node: ir.Expr, name: str) -> Iterator[Value]:
    """What the modules of a project keep on its application under this name, where `node` reads it of one that comes
    with a request, or of an application that its own module keeps nothing on.
    """
    slot = _slot(node)
    if slot is None:
        return
    if _is_of_request(slot):
        yield from (v for expr in program.once(_yielded).get(name, ()) for v in program.value_of(expr))
        return
    with_request = not isinstance(slot.holder, ir.Name) or slot.holder.id == CURRENT or slot.keeper in BAGS
    stored = ir.Index if isinstance(node, ir.Index) else ir.Member
    for module in modules_with(program, kept_on_application, name):
        is_own = module is program.module_of(node)
        if is_python(module.path) == is_python(node.span.path) and (with_request or not is_own):
            for store in program.put_in(module).get(name, ()):
                put = _slot(store.target) if isinstance(store.target, stored) else None
                is_it = put is not None and put.keeper == slot.keeper and store.target is not node
                if is_it and store.value is not None:
                    yield from program.value_of(store.value)


def _slot(node: ir.Expr) -> _Slot | None:
    """Of whose attribute or element something is: `x.app` of `x.app.state.y` or of `getattr(x.app.state, "y", None)`,
    `app` of `app["y"]`, of `app.config["y"]` and of `current_app.y`.
    """
    holder = node.target if isinstance(node, (ir.Member, ir.Index)) else None
    if isinstance(node, ir.Call) and isinstance(node.callee, ir.Name) and node.callee.id == ASKED and node.args:
        holder = node.args[0].value
    keeper = ""
    if isinstance(holder, ir.Member) and holder.name in (KEYED | BAGS if isinstance(node, ir.Index) else KEEPING):
        keeper, holder = holder.name, holder.target
    if not isinstance(holder, (ir.Name, ir.Member)):
        return None
    named = holder.id if isinstance(holder, ir.Name) else holder.name
    is_slot = named in APPLICATION or keeper in BAGS or (keeper == "state" and named in REQUESTS)
    return _Slot(holder, keeper) if is_slot else None


def _is_of_request(slot: _Slot) -> bool:
    return isinstance(slot.holder, ir.Name) and slot.holder.id in REQUESTS


def _yielded(program: Program) -> Mapping[str, Sequence[ir.Expr]]:
    """What the lifespans of applications yield for all requests, by its name."""
    found: dict[str, list[ir.Expr]] = {}
    calls = (site.call for name in ("FastAPI", "Starlette") for site in program.calls(name))
    spans = (argument.value for call in calls for argument in call.args if argument.keyword == LIFESPAN)
    functions = (v.function for span in spans for v in program.value_of(span) if isinstance(v, Func))
    for function in functions:
        for given in program.structure(function).yields:
            for entry in given.value.entries if isinstance(given.value, ir.Map) else ():
                if isinstance(entry.key, ir.Literal) and isinstance(entry.key.value, str):
                    found.setdefault(entry.key.value, []).append(entry.value)
    return found


def kept_on_application(data: bytes) -> frozenset[bytes]:
    """The names under which a text keeps something on an application."""
    return frozenset(name for match in _KEPT.finditer(data) for name in match.groups() if name)
