"""Which model call wrote an expression, and on which way: followed backwards through what takes a text apart, never
through what asks somebody else with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from agent_architecture.names import flow
from agent_architecture.names.classes import ITSELF
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.run_steps import run_steps
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.taint.shaping import is_answered
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

TAKING_APART: Final = regex(
    r"(?:^|_)(?:loads?|parse\w*|validate\w*|safeparse|literal_eval|repair_json|decode|extract\w*|split\w*|findall"
    r"|finditer|fullmatch|matchall|groups?|groupdict|b64decode|get|pop|construct|output_as)$|^(?:extract|parse|split)[A-Z]\w*$",
    re.IGNORECASE,
)
"""Callees that take a part out of a text or an object."""
KEEPING: Final = regex(
    r"^(?:l|r)?strip$|^trim\w*$|^remove(?:prefix|suffix)$|^replace(?:All)?$|^sub$|^(?:lower|upper)$|^to(?:Lower|Upper)Case$"
    r"|^dedent$|^unescape$|^join$|^format$|^str$|^String$|^toString$|^encode$|^substring$|^slice$|^substr$|^at$|^copy$|^deepcopy$"
    r"|^dict$|^list$|^tuple$|^iter$|^next$|^reversed$|^sorted$|^enumerate$|^set$|^from$|^entries$|^values$|^keys$|^items$"
    r"|^(?:filter|flat|flatMap|map|reverse|toReversed|concat|shift|popleft|cast|model_dump|dump|json|text|then|wait|wait_for|first)$"
)
"""Callees that give the text, or the list, that they were given, or some of it."""
PATTERNS: Final = frozenset({"search", "match", "exec", "find"})
"""Callees that look a pattern up in a text: of Python's `re`, and methods of JavaScript's texts and patterns."""
ENVELOPE: Final = frozenset({
    "choices", "content", "message", "messages", "delta", "parts", "item", "items", "candidates", "output", "outputs",
    "output_text", "text", "data", "usage", "generations", "response", "responses", "completion", "completions",
    "results", "citations", "annotations", "sources", "images", "embedding", "embeddings", "warnings", "events",
    "tool_calls", "toolCalls", "function_call", "function_calls", "functionCalls", "functionCall", "toolCall",
    "tool_call", "finish_reason", "stop_reason", "textStream", "fullStream", "body", "value", "type", "role",
    "status", "index", "id",
})  # fmt: skip
"""Parts of a model's answer that its API names, not the model."""
PARSED: Final = "parsed"


class Written(NamedTuple):
    """A model call whose answer an expression is made of."""

    ask: Match
    way: tuple[ir.Expr, ...]
    """What was passed from the expression back to the call."""
    parsed: bool
    """Whether a part that the model named, or that was taken out of its text, is wanted on the way."""


class _Read(Protocol):
    @property
    def values(self) -> tuple[ir.Expr, ...]:
        """What was put there."""


class KeptStates(Protocol):
    """What the steps of graphs hand each other in a state."""

    def read(self, node: ir.Expr) -> _Read | None:
        """What an expression that reads a key of a state takes its value from; None for any other expression."""


class Answers:
    """The model calls behind expressions, found on demand. With `states`, what a step of a graph reads from its state
    is what the steps before it put there.
    """

    def __init__(self, context: Context, effects: Effects, *kinds: str, states: KeptStates | None = None) -> None:
        self._context = context
        self._states = states
        self._effects = effects
        self._program = context.program
        self._asks = {id(m.node): m for m in context.of_kind(*kinds) if isinstance(m.node, ir.Call)}
        steps = run_steps(context).values() if states is not None else ()
        self._steps = {id(function) for each in steps for function in each}
        self._runs = frozenset(id(m.node) for m in context.of_kind("run"))
        self._known: dict[ir.Expr, tuple[Written, ...]] = {}

    def of(self, expr: ir.Expr) -> tuple[Written, ...]:
        """The model calls that wrote (a part of) an expression, by position."""
        known = self._known.get(expr)
        if known is None:
            known = self._known[expr] = self._of(expr) if self._may_be(expr) else ()
        return known

    def _may_be(self, expr: ir.Expr) -> bool:
        ends = flow.ends(self._program, expr)
        return any(id(end.node) in self._asks or (self._states and end.kind == "parameter") for end in ends)

    def _of(self, expr: ir.Expr) -> tuple[Written, ...]:
        found: dict[int, Written] = {}
        for origin in flow.origins(self._program, expr, self._read):
            ask = self._asks.get(id(origin.node))
            if ask is not None:
                known = found.get(id(origin.node))
                parsed = PARSED in origin.passed
                if known is None or (parsed and not known.parsed):
                    found[id(origin.node)] = Written(ask, way_of(origin), parsed)
        return tuple(found.values())

    def _read(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | str | None:
        """A `flow.Reader` that stops where somebody else answers."""
        del passed
        if self._states is not None and (kept := self._states.read(node)) is not None and kept.values:
            return [flow.Step(value) for value in kept.values if self._is_of_step(value)]
        match node:
            case ir.Call():
                return self._called(node)
            case ir.Loop(kind="comprehension", source=source) if source is not None and self._makes_records(node):
                return [flow.Step(source)]
            case ir.Member(name=name) if name not in ENVELOPE:
                return PARSED if not (self._is_method(node) or self._is_held(node)) else None
            case ir.Index(key=ir.Literal(value=str() as name)) if name not in ENVELOPE:
                return PARSED
            case _:
                return None

    def _is_of_step(self, value: ir.Expr) -> bool:
        """Whether a step put a value there: what a run begins with, whoever starts it has listed."""
        return id(self._program.scope_of(value)) in self._steps

    def _makes_records(self, loop: ir.Loop) -> bool:
        """Whether a comprehension makes a record of the project of each entry: `[Page(**each) for each in listed]`."""
        last = loop.body[-1] if loop.body else None
        made = self._program.value_of(last.callee) if isinstance(last, ir.Call) else ()
        return self._states is not None and bool(made) and all(isinstance(value, ClassValue) for value in made)

    def _is_method(self, node: ir.Member) -> bool:
        around = self._program.structure(self._program.scope_of(node)).parent(node)
        return isinstance(around, ir.Call) and around.callee is node

    def _is_held(self, node: ir.Member) -> bool:
        """Whether an attribute is one of an object that the project makes, where it only keeps what was answered."""
        if isinstance(node.target, ir.Name) and node.target.id in ITSELF:
            return True
        values = self._program.value_of(node.target)
        return bool(values) and all(isinstance(value, Instance) and value.call is not None for value in values)

    def _called(self, call: ir.Call) -> Iterable[Step | Origin] | str | None:
        if id(call) in self._asks:
            return [flow.Origin("call", call)]
        if id(call) in self._runs:
            return ()
        if self._program.callees(call) or any(isinstance(v, Instance) for v in self._program.value_of(call)):
            return None
        if is_answered(self._effects.rows(call)):
            return ()
        name = callee_name(call.callee)
        if TAKING_APART.search(name) or self._looks_up(call, name):
            return PARSED
        return None if KEEPING.search(name) else ()

    def _looks_up(self, call: ir.Call, name: str) -> bool:
        """Whether a call looks for a pattern in a text."""
        if name not in PATTERNS:
            return False
        if not call.span.path.endswith((".py", ".ipynb", ".pyi")):
            return True
        apis = [value for value in self._program.value_of(call.callee) if isinstance(value, Api)]
        return any(api.path.startswith("py:re.") for api in (*apis, *resolved(self._program, call.callee)))


def way_of(origin: Origin) -> tuple[ir.Expr, ...]:
    """The expressions on the way from what was asked about to an origin, the origin first."""
    found = []
    place = origin.place
    while place is not None:
        found.append(place[0])
        place = place[1]
    return tuple(found)
