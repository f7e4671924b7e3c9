"""Branches that are chosen by a word of a model's answer: `if answer["action"] == "mail": …`, `match`, `switch`.

Says which branches there are and by what they are chosen; whether they act is asked with `acts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.test_parts import parts_of
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.callgraph.tool_arguments import taken_key
from agent_architecture.semantics.effects import requests
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context

VERDICTS: Final = frozenset({
    "yes", "no", "y", "n", "true", "false", "ok", "none", "null", "", "pass", "fail", "passed", "failed", "approved",
    "rejected", "valid", "invalid", "safe", "unsafe", "success", "error",
})  # fmt: skip
"""Words with which a model says whether something holds: no choice of what to do."""
API_WORDS: Final = frozenset({
    "role", "finish_reason", "stop_reason", "finishReason", "stopReason", "status", "object", "event", "kind", "code",
    "message",
})  # fmt: skip
"""Parts that model APIs name."""
EVENTS: Final = ("message_", "content_block_", "response.")
"""How the events begin that model APIs stream (Anthropic's Messages, OpenAI's Responses)."""
PROTOCOL: Final = frozenset(
    {"function_call", "tool_use", "tool_calls", "tool_call", "function", "custom", "assistant", "tool", "tools/call"}
)
"""What model APIs and MCP call the parts of an answer: dispatchers branch on them, but they name no tool."""
BEGINNINGS: Final = frozenset({"startswith", "startsWith", "includes"})
ACTING: Final = frozenset({
    "execute_code", "execute_shell", "execute_process", "write_file", "read_file", "network_write", "network_read",
    "database", "database_write", "database_read", "mail", "message", "payment", "deploy", "browser",
})  # fmt: skip
"""Kinds of effect that make a branch do something outside; to log, or to render, is none."""
KEEPING: Final = frozenset({"write_file", "database", "database_write"})
"""Those by which what was answered is only kept."""


class Branch(NamedTuple):
    """What is done where a word stands in an answer."""

    choice: ir.Expr
    word: str
    body: tuple[ir.Node, ...]


def branches(nodes: Iterable[ir.Node]) -> Iterator[Branch]:
    """The branches that a comparison with a fixed word chooses."""
    for node in nodes:
        match node:
            case ir.If(test=test, then=then):
                yield from (Branch(choice, text, then) for choice, text in _compared(test))
            case ir.Conditional(test=test, then=one):
                yield from (Branch(choice, text, (one,)) for choice, text in _compared(test))
            case ir.Match(subject=subject, cases=cases):
                for case in cases:
                    texts = [w for pattern in case.patterns for w in _words(pattern)]
                    yield from (Branch(subject, text, case.body) for text in texts)
            case _:
                continue


def _compared(test: ir.Expr) -> Iterator[tuple[ir.Expr, str]]:
    for part, holds in parts_of(test):
        match part:
            case ir.Operator(op=ir.Op.EQ, operands=(one, other)) if holds:
                yield from ((a, w) for a, b in ((one, other), (other, one)) for w in _words(b))
            case ir.Operator(op=ir.Op.IN, operands=(one, ir.List() as other)) if holds:
                yield from ((one, w) for w in _words(other))
            case ir.Operator(op=ir.Op.IN, operands=(one, other)) if holds:
                yield from ((other, w) for w in _words(one))
            case ir.Call(callee=ir.Member(name=name, target=target), args=(argument, *_)) if (
                holds and name in BEGINNINGS
            ):
                yield from ((target, w) for w in _words(argument.value))
            case _:
                continue


def _words(expr: ir.Expr) -> Iterator[str]:
    match expr:
        case ir.Literal(value=str() as text):
            yield text
        case ir.List(items=items):
            yield from (item.value for item in items if isinstance(item, ir.Literal) and isinstance(item.value, str))
        case ir.Operator(op=ir.Op.BITOR, operands=operands):
            yield from (text for operand in operands for text in _words(operand))
        case ir.Member(name=name, target=ir.Name(id=owner)) if name.isupper() and owner[:1].isupper():
            yield name  # of an enumeration
        case _:
            return


def decides(branch: Branch) -> bool:
    """Whether a branch is chosen by a word for what to do: no verdict, and no word of a model's API."""
    word = branch.word.strip().lower()
    return word not in VERDICTS and not word.startswith(EVENTS) and _asked(branch.choice) not in API_WORDS


def _asked(choice: ir.Expr) -> str:
    """The part of an answer that chooses: `action` of `said.action`, `said["action"]` and `said.get("action")`; of
    another call that on which it is made (`said.action.startswith("x")`).
    """
    key = taken_key(choice)
    if not key and isinstance(choice, ir.Call) and isinstance(choice.callee, ir.Member):
        return _asked(choice.callee.target)
    return key or callee_name(choice)


def acts(context: Context, effects: Effects, statements: tuple[ir.Node, ...], kinds: frozenset[str] = ACTING) -> bool:
    """Whether statements have an effect of one of these kinds, themselves or in what they call. What is posted and only
    asks for something (vectors of a text, a search) is read.
    """
    return any(
        ("network_read" if row.effect == "network_write" and requests.asks(context.program, made) else row.effect)
        in kinds
        for call in _calls(context, statements)
        if context.at(call, "model_call", "run") is None
        for row, made in effects.rows(call)
    )


def asks(context: Context, statements: tuple[ir.Node, ...]) -> bool:
    """Whether statements come to a model, or an agent, themselves or in what they call."""
    return any(context.at(call, "model_call", "run") is not None for call in _calls(context, statements))


def asks_or_acts(context: Context, effects: Effects, statements: tuple[ir.Node, ...], kinds: frozenset[str]) -> bool:
    """Whether statements ask a model, or have an effect of one of these kinds, themselves or in what they call."""
    return asks(context, statements) or acts(context, effects, statements, kinds)


def _calls(context: Context, statements: tuple[ir.Node, ...]) -> Iterator[ir.Call]:
    nodes = extent(context.program, statements, set()).nodes() if statements else ()
    return (node for node in nodes if isinstance(node, ir.Call))
