"""How text is followed back from a message: around constant text, past boundaries, to where others wrote it.

The reader that goes along `names.flow`. It joins what sources, boundaries, messages and states say of one expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.outputs import Boundary, Slot
from agent_architecture.names.flow import Origin, Step
from agent_architecture.names.program import callee_name
from agent_architecture.names.string_parts import Place, places
from agent_architecture.names.values import Api, ClassValue, Entries, Instance
from agent_architecture.semantics.conversations import messages
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.conversations.returned_messages import is_passed_back
from agent_architecture.semantics.conversations.tagged_entries import met, says_else, tag_at
from agent_architecture.semantics.taint import delimiters
from agent_architecture.semantics.taint.boundaries import NUMBERS, Boundaries
from agent_architecture.semantics.taint.selected_files import names_one
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.conversations.graph_state import Read
    from agent_architecture.semantics.conversations.tool_runs import ToolRuns
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.sources import Sources

CONTENT: Final = "content"
"""What a way passes that takes the text out of a message. A message that is handed on whole is no new text."""

MESSAGE: Final = "message"
"""What a way passes that leads through a message which is a subject of its own: whoever puts its text into another one
says again what was said.
"""

_TEXTS: Final = (ir.Template, ir.Operator, ir.Call, ir.Name)
"""Nodes that may put a text together."""
_READ: Final = frozenset({*_TEXTS, ir.Map, ir.Member, ir.Index})
"""Nodes of which anything is said."""
Said: TypeAlias = "list[Step | Origin] | str | None"
MARKED: Final = ("untrusted", "external_content", "externalContent", "quoted_data")
"""Keys and flags with which a structure says that what it holds is not to be obeyed."""

MODELS_GET: Final = frozenset({"py:pydantic.BaseModel().get", "py:pydantic:BaseModel().get"})
"""What no model has."""
TOLD: Final = frozenset({"name", "description"})
"""What a tool's object says of itself, to the models that it is offered to."""


class Reading:
    """Says of each expression where its text comes from, and what the text passes there."""

    def __init__(self, context: Context, sources: Sources, boundaries: Boundaries, runs: ToolRuns) -> None:
        self._context = context
        self._runs = runs
        self._sources = sources
        self._boundaries = boundaries
        self._states = context.once(States)
        self._asks = {id(match.node) for match in context.of_kind("model_call", "run")}
        self._known: dict[tuple[int, bool], tuple[Said, ir.Expr]] = {}

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        """A `flow.Reader`; what it says depends on the expression, and on whether the text of a message is wanted."""
        if type(node) not in _READ:
            return None
        if isinstance(node, ir.Map) and says_else(node, passed):
            return []
        key = id(node), CONTENT in passed
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._said(node, passed), node
        if found[0] is None and isinstance(node, ir.Map):
            return met(node, passed) or None
        return found[0]

    def state(self, node: ir.Expr) -> Read | None:
        """The part of a graph's state that an expression reads."""
        return self._states.read(node)

    def replays(self, node: ir.Expr) -> bool:
        """Whether an expression reads the conversation that all nodes of a graph go on with."""
        read = self._states.read(node)
        return read is not None and read.is_conversation

    def _said(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        if isinstance(node, ir.Member) and names_one(self._context, node):
            return []
        found = self._of_kind(node, passed)
        if found is not None:
            return found
        read = self._states.read(node)
        if read is not None:
            given = [Step(expr, Boundary.SCHEMA_ONLY if read.is_wordless else "") for expr in read.values]
            return [*given] if given else [Origin("name", node, read.key)]
        said = self._text(node) if isinstance(node, _TEXTS) else None
        if said is None and isinstance(node, ir.Name):
            return tag_at(self._context.program, node) or None
        return said

    def _of_kind(self, node: ir.Expr, passed: frozenset[str]) -> Said:
        match node:
            case ir.Call():
                return self._call(node, passed)
            case ir.Map():
                return self._map(node, passed)
            case ir.Member():
                return self._member(node)
            case ir.Index(key=ir.Literal(value=str() as key)) if key in messages.HELD:
                return [Step(node.target, CONTENT)]
            case ir.Operator(op=ir.Op.POS, operands=(value,)):
                return [Step(value, Boundary.SCHEMA_ONLY)]
            case _:
                return None

    def _text(self, node: ir.Expr) -> Said:
        """The parts of a text, each marked where the constant text around it marks it."""
        found = places(self._context.program, node)
        return None if found is None else list(marked(found))

    def _member(self, node: ir.Member) -> Said:
        if self._is_number(node) or (node.name == "status" and _is_fetched(node.target)):
            return [Step(node.target, Boundary.SCHEMA_ONLY)]
        if node.name == "content" and not self._is_own(node.target):
            return [Step(node.target, CONTENT)]
        return [] if node.name in TOLD and self._is_tool(node.target) else None

    def _is_number(self, node: ir.Member) -> bool:
        """Whether an attribute holds a number or a truth: `length` is one of JavaScript's alone."""
        return node.name in NUMBERS and not (node.name == "length" and is_python(node.span.path))

    def _is_tool(self, target: ir.Expr) -> bool:
        """Whether an object is a tool of a library: what it is called is no text that its code brings."""
        return bool(self._context.made_by(self._context.program.value_of(target), "tool"))

    def _is_own(self, target: ir.Expr) -> bool:
        """Whether an attribute belongs to an object whose attributes the program knows."""
        values = self._context.program.value_of(target)
        return any(isinstance(value, (Instance, ClassValue, Entries)) for value in values)

    # ----------------------------------------------------------------------------------------------------------- calls
    def is_numbers(self, node: ir.Expr) -> bool:
        """Whether an expression asks for the vectors or scores of a text, of which nothing can be read."""
        return isinstance(node, ir.Call) and self._sources.answers_numbers(node)

    def _call(self, node: ir.Call, passed: frozenset[str]) -> Said:
        if self.is_numbers(node):
            return []
        if id(node) in self._asks or self._sources.of_call(node) is not None:
            return [Origin("call", node)]
        if self._sources.selects(node) or self._is_no_method(node):
            return []
        prompts = self._context.all_at(node, "prompt")
        if prompts:
            return list(self._prompt(prompts, passed))
        if callee_name(node.callee) == "get" and len(node.args) and _is_content(node.args[0].value):
            return [Step(node.callee.target, CONTENT)] if isinstance(node.callee, ir.Member) else None
        if run := self._runs.functions(node):
            return [Step(text) for text in self._returned(run)]
        if run := self._runs.of_set(node):
            return [Step(text, fields=()) for text in self._returned(run)]
        if self._runs.surely_runs_any(node):
            return [Origin("call", node)]
        stands = self._boundaries.at_call(node)
        return str(stands) if stands is not Boundary.NONE else None

    def _is_no_method(self, node: ir.Call) -> bool:
        """`payload.get("text")`, where the payload is an object of a declared model, which has no such method."""
        if callee_name(node.callee) != "get" or not isinstance(node.callee, ir.Member):
            return False
        values = self._context.program.value_of(node.callee)
        return bool(values) and all(isinstance(value, Api) and value.path in MODELS_GET for value in values)

    def _returned(self, functions: Iterable[ir.Function]) -> Iterator[ir.Expr]:
        return (text for function in functions for text in self._context.program.structure(function).returns)

    def _prompt(self, prompts: tuple[Match, ...], passed: frozenset[str]) -> Iterator[Step]:
        """A message gives its text to whoever takes it out; a template gives what fills it."""
        for match in prompts:
            if "syntax" in match.row.constants and "role" not in match.row.constants:
                yield from self._template(match)
                continue
            for message in messages.of_match(self._context, match) if CONTENT in passed else ():
                yield from (Step(text, _again(message)) for text in message.texts)

    def _template(self, match: Match) -> Iterator[Step]:
        texts = messages.texts_of(self._context, match)
        found = [place for text in texts for place in messages.places_in(self._context, text, match)]
        if found:
            yield from marked(found)
        elif isinstance(match.node, ir.Call):
            yield from (Step(argument.value, Boundary.UNKNOWN) for argument in match.node.args)

    # -------------------------------------------------------------------------------------------------------- mappings
    def _map(self, node: ir.Map, passed: frozenset[str]) -> Said:
        message = messages.of_map(self._context.program, node)
        if message is not None and not (message.slot is Slot.USER and is_passed_back(self._context, node)):
            return [Step(text, _again(message)) for text in message.texts] if CONTENT in passed else []
        if messages.is_no_text(self._context.program, node):
            return []
        if any(key in MARKED for key in messages.entries_of(node)):
            return [Step(entry.value, Boundary.DELIMITED) for entry in node.entries]
        return None


def marked(found: Iterable[Place]) -> Iterator[Step]:
    """Steps to the places of a text, with what stands around each."""
    for place in found:
        yield Step(place.expr, Boundary.DELIMITED if delimiters.marks(place.before, place.after) else "")


def _again(message: messages.Message) -> str:
    return "" if message.slot is Slot.SYSTEM else MESSAGE


def _is_content(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and expr.value in messages.HELD


def _is_fetched(target: ir.Expr) -> bool:
    """Whether something is the answer to a request as `fetch` gives it: its `status` is a number."""
    asked = target.value if isinstance(target, ir.Await) else target
    return isinstance(asked, ir.Call) and callee_name(asked.callee) == "fetch"
