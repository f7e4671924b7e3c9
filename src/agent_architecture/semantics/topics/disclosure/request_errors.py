"""Errors of requests that hold a key: Python's clients write the whole address into them, with its parameters, where
some services want their key.

Finds where the text of such an error is recorded, shown or given back. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.effects.records import is_log
from agent_architecture.semantics.effects.redactions import redacts
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.disclosure.printed import PRINT
from agent_architecture.semantics.topics.disclosure.private_sources import SECRET
from agent_architecture.semantics.topics.secrets.literals import JUDGED
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.disclosure.private_sources import Ways

CLIENTS: Final = ("py:requests", "py:httpx")
"""Clients whose errors name the address that was asked."""
ASKING: Final = ("get", "post", "put", "patch", "delete", "request")
QUERY: Final = "params"


def request_errors(context: Context, ways: Ways, tools: AbstractSet[int]) -> Iterator[Disclosure]:
    """Each place where the text of such an error comes out; `tools` are the ids of the functions that models run."""
    seen: set[int] = set()
    for name in ASKING:
        for site in context.program.calls(name):
            if id(site.scope) in seen or context.program.module_of(site.call).role not in JUDGED:
                continue
            key = _key(context, ways, site.call)
            if key is not None:
                seen.add(id(site.scope))
                yield from _of_scope(context, site.scope, site.call, key, is_tool=id(site.scope) in tools)


def _key(context: Context, ways: Ways, call: ir.Call) -> flow.Origin | None:
    """The secret that the address of a request holds."""
    if not any(api.path.startswith(CLIENTS) for api in resolved(context.program, call.callee)):
        return None
    asked = [argument.value for argument in call.args if argument.keyword in {QUERY, "url"} or not argument.keyword][:2]
    asked += [argument.value for argument in call.args if argument.keyword == QUERY]
    origins = (origin for text in asked for origin in flow.origins(context.program, text, ways))
    return next((o for o in origins if o.kind == "name" and o.name.startswith(SECRET)), None)


def _of_scope(
    context: Context, scope: ir.Scope, call: ir.Call, key: flow.Origin, *, is_tool: bool
) -> Iterator[Disclosure]:
    for node in context.program.structure(scope).nodes:
        if not isinstance(node, ir.Try) or not any(inner is call for each in node.body for inner in ir.walk(each)):
            continue
        for handler in node.handlers:
            given = context.program.structure(scope).returns if is_tool else ()
            for sink, shown in _shown(context, handler, frozenset(map(id, given))):
                symbol = called(shown) if isinstance(shown, ir.Call) else getattr(scope, "name", "") or "a tool"
                name = f"{key.name.removeprefix(SECRET)}, in the address that an error names"
                yield Disclosure(
                    shown.span, symbol, "", Kept.SECRET, sink, name, source=call.span, confidence=Confidence.MEDIUM
                )  # fmt: skip


def _shown(context: Context, handler: ir.Handler, given: frozenset[int]) -> Iterator[tuple[Sink, ir.Node]]:
    """Where a handler records or prints its error, or gives it back to a model; `given` are the ids of what its
    function returns to one.
    """
    for node in (inner for each in handler.body for inner in ir.walk(each)):
        if isinstance(node, ir.Call) and _says(context, handler, (argument.value for argument in node.args)):
            is_print = any(api.path == PRINT for api in resolved(context.program, node.callee))
            if is_print or is_log(context, node):
                yield Sink.LOG, node
        if id(node) in given and _says(context, handler, iter((node,))):
            yield Sink.RESULT, node


def _says(context: Context, handler: ir.Handler, texts: Iterator[ir.Node]) -> bool:
    """Whether texts have the words of a handler's error; which kind it is says nothing."""
    stack: list[ir.Node] = list(texts)
    while stack:
        node = stack.pop()
        match node:
            case ir.Name(id=name) if name == handler.name:
                return True
            case ir.Member() | ir.Index():
                continue
            case ir.Call() if callee_name(node.callee) == "type" or redacts(context, node):
                continue
            case _:
                stack += ir.children(node)
    return False
