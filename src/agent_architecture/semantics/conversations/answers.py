"""A reader that follows texts back to the models that wrote them, and says on which ways a new text was made of an
answer.

A conversation that is handed on whole is no new text. What a library makes of an answer (a search with a query that a
model wrote) is no longer the model's. Says nothing of where the texts go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Boundary
from agent_architecture.names.flow import Origin, Step
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import places
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.conversations.text_provenance import CONTENT
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.conversations.requests import Requests
    from agent_architecture.semantics.conversations.text_provenance import Reading, Said
    from agent_architecture.semantics.matching.context import Context

MADE: Final = "made into a text"
"""What a way passes on which a text is taken out of an answer, or made with it."""
NEW: Final = frozenset({MADE, CONTENT, str(Boundary.DELIMITED)})
"""What a way has passed on which the answer is a new text, and no turn of a conversation that goes on."""

REPLAYED: Final = "replayed"
"""What a way passes that reads the turns of the conversation which the nodes of a graph go on with."""
TEXTS: Final = frozenset({
    "content", "text", "output_text", "final_output", "finalOutput", "output", "raw", "answer", "data", "object",
    "summary",
})  # fmt: skip
"""Attributes in which libraries keep what a model answered."""
WRITTEN_OUT: Final = frozenset({"str", "String", "dumps", "stringify", "model_dump_json"})
"""Calls that make one text of an object and all that it holds."""
SAME: Final = regex(
    r"^(?:str|repr|list|tuple|dict|set|sorted|reversed|map|filter|zip|enumerate|next|iter|String|Array|from|flat\w*"
    r"|l?r?strip|trim\w*|join|format|replace\w*|sub|split\w*|r?partition|lower|upper|to\w*Case|title|capitalize|removeprefix"
    r"|removesuffix|substring|substr|slice|concat|encode|decode|dedent|indent|truncate\w*|toString|valueOf|get|pop|at"
    r"|text|clone|read|readlines?|items|values|keys|entries|copy|deepcopy|update|append|extend|setdefault|dumps?|loads?|stringify|parse\w*"
    r"|safe_load|safeParse\w*|literal_eval|model_\w+|json|to_\w+|from_\w+|gather|as_completed|run|wait_for|all|then|run_until_complete|result"
    r"|to_thread|create_task|submit|cast|getattr|max|min|find|findall|search|match|group)$"
)
"""Calls of the languages and their libraries that give back what they are given, or a part of it."""
PROMISED: Final = frozenset({f"Promise.{name}" for name in ("resolve", "allSettled", "any", "race")})
"""The same of JavaScript's promises."""


class Answers:
    """A `flow.Reader` around that of untrusted texts."""

    def __init__(self, context: Context, reading: Reading, requests: Requests) -> None:
        self._context = context
        self._requests = requests
        self._reading = reading

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        """What the inner reader says, with `MADE` on the steps into a new text."""
        if self._reading.is_numbers(node):
            return []
        if id(node) in self._requests.by_call:
            return [Origin("call", node)]
        if _is_tool_name(node):
            return []
        said = self._reading(node, passed)
        if isinstance(said, str):
            return said
        if isinstance(node, ir.Call) and said is None and self._makes_something_else(node):
            return []
        if isinstance(said, list) and self._reading.replays(node):
            return [step._replace(passed=REPLAYED) if isinstance(step, Step) else step for step in said]
        if said is None:
            return MADE if isinstance(node, ir.Template) or _takes_text(node) or _is_written_out(node) else None
        return [_made(step) for step in said] if self._is_text(node) else said

    def _is_text(self, node: ir.Expr) -> bool:
        if isinstance(node, ir.Call):
            fills = self._context.at(node, "prompt")
            if fills is not None:
                return "syntax" in fills.row.constants
        if isinstance(node, (ir.Template, ir.Operator, ir.Call, ir.Name)):
            return places(self._context.program, node) is not None
        return _takes_text(node)

    def _makes_something_else(self, call: ir.Call) -> bool:
        """Whether what a call gives back is not what it was given: neither the project nor the language has it."""
        name = callee_name(call.callee)
        if SAME.match(name) or dotted(call.callee) in PROMISED or self._context.program.callees(call):
            return False
        return not (name[:1].isupper() or "answers" in marks_of(self._context, call))


def _made(step: Step | Origin) -> Step | Origin:
    return step._replace(passed=MADE) if isinstance(step, Step) and not step.passed else step


def _is_tool_name(node: ir.Expr) -> bool:
    """Whether it is which tool a model picked, `call.function.name`: a word of the project's list, no text."""
    return (
        isinstance(node, ir.Member)
        and node.name == "name"
        and isinstance(node.target, ir.Member)
        and node.target.name == "function"
    )


def _is_written_out(node: ir.Expr) -> bool:
    return isinstance(node, ir.Call) and callee_name(node.callee) in WRITTEN_OUT


def _takes_text(node: ir.Expr) -> bool:
    return isinstance(node, ir.Member) and node.name in TEXTS
