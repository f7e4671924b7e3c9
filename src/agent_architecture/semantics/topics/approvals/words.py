"""What the values of settings say of a question to a person: that it is asked, that it is not, who answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import BypassKind
from agent_architecture.names.builtins import is_environment
from agent_architecture.names.exits import answer_of, is_answer, some_raise
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Const, Entries, Func, Items, Unknown, Value
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.control.refusal import can_refuse
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

ALL: Final = frozenset({
    "never", "none", "false", "no", "off", "allow-all", "allow_all", "bypasspermissions", "not-applicable", "approved",
    "approve", "never_require", "yolo", "always_allow",
})  # fmt: skip
"""Words with which a setting lets every call pass."""
SOME: Final = frozenset(
    {"auto", "acceptedits", "terminate", "classifier", "on-request", "on-failure", "auto_edit", "conditional"}
)
"""Words with which a setting leaves it to a model, or to the kind of call, whether somebody is asked."""
NOTHING: Final = ("output", "execute_code", "turn", "tool_call")
"""What rows say that an approval applies to, where that is no answer."""
YES: Final = frozenset({"approved", "allowed", "allow", "approve", "confirmed", "is_approved"})
"""Keywords and keys with which a handler says yes."""


class Word(NamedTuple):
    """What one value says: the kind of bypass (None: somebody is asked), its text, for which tool ("": for all)."""

    kind: BypassKind | None
    text: str
    span: Span | None = None
    tool: str = ""
    unreadable: str = ""


def said(context: Context, value: Value, span: Span, *, handler: bool) -> Iterator[Word]:
    """What a value says. A `handler` answers the question; any other function says whether it is asked."""
    match value:
        case Const(value=None):
            return
        case Const(value=str() | bool() as word):
            if word not in NOTHING:
                yield _of_constant(word, value.span)
        case Func():
            yield _of_function(context, value.function, handler=handler)
        case Entries():
            for key, entry in value.entries:
                for inner in context.program.value_of(entry):
                    for one in said(context, inner, entry.span, handler=False):
                        yield one._replace(tool=key if key != "*" else "")
            if not value.complete:
                yield Word(None, "", span, "", "a mapping that is not fully readable")
        case Items():
            if value.items:
                yield Word(None, "a list of tools", span)
        case _ if is_environment(value):
            yield Word(BypassKind.SWITCH, "A variable of the environment switches the question off", span)
        case Unknown():
            if value.why.startswith("the environment"):
                yield Word(BypassKind.SWITCH, f"{value.why[:1].upper()}{value.why[1:]} switches the question off", span)
            else:
                yield Word(None, "", span, "", value.why)
        case Api():
            yield Word(None, "asked", span)
        case _:
            return


def _of_constant(word: str | bool, span: Span) -> Word:
    spelled = str(word)
    if word is False or spelled.lower() in ALL:
        return Word(BypassKind.OFF, f"Approval set to {spelled}, which asks nobody", span)
    if spelled.lower() in SOME:
        return Word(BypassKind.JUDGED, f"Approval set to {spelled}, which does not cover every call", span)
    return Word(None, spelled, span)


def _of_function(context: Context, function: ir.Function, *, handler: bool) -> Word:
    name = function.name or "a function"
    if handler:
        if agrees(function):
            return Word(BypassKind.AGREES, f"{name} says yes to every call, and asks nobody", function.span)
        return Word(None, name, function.span)
    values = [v for r in context.program.structure(function).returns for v in context.program.value_of(r)]
    constants = [value.value for value in values if isinstance(value, Const)]
    if values and len(constants) == len(values):
        off = [_of_constant(c, function.span).kind is BypassKind.OFF for c in constants if isinstance(c, (str, bool))]
        if off and all(off):
            return Word(BypassKind.OFF, f"{name} never asks for an approval", function.span)
        if off and not any(off):
            return Word(None, name, function.span)
    return Word(BypassKind.RULE, f"{name} decides by code which calls wait for a person", function.span)


def agrees(function: ir.Function) -> bool:
    """Whether what answers in the place of a person has no way to refuse."""
    if not can_refuse(function):
        return True
    nodes = tuple(own_nodes(function))
    returned = [answer_of(node) for node in nodes if is_answer(node)]
    return bool(returned) and not some_raise(nodes) and all(one is not None and _is_yes(one) for one in returned)


def _is_yes(value: ir.Expr) -> bool:
    match value:
        case ir.Call():
            return any(ir.is_true(a.value) for a in value.args if a.keyword is not None and a.keyword.lower() in YES)
        case ir.Map():
            keyed = [(str(e.key.value).lower(), e.value) for e in value.entries if isinstance(e.key, ir.Literal)]
            return any(key in YES and ir.is_true(entry) for key, entry in keyed)
        case ir.Await():
            return _is_yes(value.value)
        case _:
            return ir.is_true(value)
