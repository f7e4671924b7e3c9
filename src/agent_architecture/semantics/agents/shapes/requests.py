"""Requests to models in the form of a known API, through a client that nobody knows: a gateway, a client that is only
imported when it is needed, one that is handed in.

The rows of the pack `model-apis` say how such calls end. What is the project's own is followed instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names.values import Api, ClassValue, Func, Instance, Unknown
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.matches import holds
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow

PACK: Final = "model-apis"
BY_HTTP: Final = "POST"
OPEN: Final = "(messages, tools)"
"""The row of a method that the project only declares (`interface_models`)."""
OF_NAMES: Final = "({messages, tools})"
"""The row of a method of any name that is given both by name (`tool_requests`)."""
BINDING: Final = ("bind_tools", "bindTools")
APART: Final = frozenset({BY_HTTP, OPEN, OF_NAMES, *BINDING})
"""The rows of this pack that are no form of a call which asks."""
ASKING: Final = ("ainvoke", "astream", "invoke", "stream")
"""What is called of a model with tools."""

MODEL: Final = "model"
STATED: Final = ({"model", "messages"}, {"modelId", "messages"})
"""What a call by a name that says little has to be given in so many words."""
MESSAGE: Final = frozenset({"role", "content"})


def requests(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[Match]:
    """The calls in the form of a model's API that no other row speaks of; `known` are the ids of the calls of those."""
    for text, row in (*packs.texts(PACK, "model_call"), *packs.texts(PACK, "run")):
        for site in program.calls(text.rpartition(".")[2]) if text not in APART else ():
            call = site.call
            if id(call) in known or not _ends(call.callee, text.split(".")) or not _asks_others(program, call, text):
                continue
            match = Match(row, call, call, Api(f"shape:{text}", call.callee), degree=Degree.INFERRED)
            if _is_stated(call, text, row) and not _adds_a_message(call) and holds(program, match):
                yield match
    yield from _with_bound_tools(program, packs, known)


def _with_bound_tools(program: Program, packs: Packs, known: frozenset[int]) -> Iterator[Match]:
    """The requests to a model that nobody knows, to which tools were bound: it is handed in."""
    for name in BINDING:
        row = packs.named(PACK, "model_call", name)
        unknown = (site.call for site in program.calls(name) if row is not None and id(site.call) not in known)
        bound = {id(call): call for call in unknown if call.args and _is_unknown(program, call.callee)}
        for site in (one for asking in ASKING if bound for one in program.calls(asking)):
            callee = site.call.callee
            if row is None or id(site.call) in known or not isinstance(callee, ir.Member):
                continue
            values = program.value_of(callee.target)
            model = next((bound[id(v.node)] for v in values if isinstance(v, Unknown) and id(v.node) in bound), None)
            if model is not None:
                path = f"shape:{name}()"
                api = Api(f"{path}.{callee.name}", callee, Api(path, model))
                yield Match(row, site.call, site.call, api, degree=Degree.INFERRED)


def _ends(callee: ir.Expr, names: list[str]) -> bool:
    """Whether a callee is written with these names at its end."""
    for name in reversed(names):
        if isinstance(callee, ir.Name):
            return callee.id == name and name == names[0]
        if not isinstance(callee, ir.Member) or callee.name != name:
            return False
        callee = callee.target
    return True


def _asks_others(program: Program, call: ir.Call, text: str) -> bool:
    """Whether a call leads to no code of the project, or on some ways only (a client that its callers may wrap), by a
    name of two words and more, which says enough by itself.
    """
    if _is_unknown(program, call.callee):
        return True
    return "." in text and any(isinstance(value, Unknown) for value in program.value_of(call.callee))


def _is_unknown(program: Program, callee: ir.Expr) -> bool:
    """Whether a callee leads to no code of the project, which says by itself whom it asks."""
    return not any(isinstance(value, (Func, ClassValue, Instance)) for value in program.value_of(callee))


def _is_stated(call: ir.Call, text: str, row: EntityRow) -> bool:
    """Whether the arguments bear a name that says little: one word, of a row that asks for the model, too."""
    if "." in text or MODEL not in row.when:
        return True
    given = keys_given(call)
    return any(given >= stated for stated in STATED)


def _adds_a_message(call: ir.Call) -> bool:
    """Whether a call is given one message, of a role and a content, as what it makes: it adds that to a conversation
    that is kept elsewhere (`threads.messages.create(id, {role, content})`), and asks nobody.
    """
    return _keys(call, call.args) >= MESSAGE


def keys_given(call: ir.Call) -> frozenset[str]:
    """The names under which a call is given something, by keywords or by the keys of its first argument."""
    return _keys(call, call.args[:1])


def _keys(call: ir.Call, among: Iterable[ir.Argument]) -> frozenset[str]:
    """The names under which a call is given something: keywords, and the keys of the objects `among` its arguments."""
    objects = (argument.value for argument in among if isinstance(argument.value, ir.Map))
    keys = (entry.key for given in objects for entry in given.entries)
    written = (str(key.value) for key in keys if isinstance(key, ir.Literal))
    return frozenset((*(argument.keyword for argument in call.args if argument.keyword), *written))
