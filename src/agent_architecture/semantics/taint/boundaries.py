"""What makes a text of others harmless on its way, or marks it: checks for injected instructions, values that hold no
free text, wrappers of libraries, models without hands.

Says what stands on the way; must not know where the way leads.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Boundary
from agent_architecture.names.exits import answers, some_raise
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.program import callee_name
from agent_architecture.names.result_parts import fields_taken
from agent_architecture.names.values import Api, Const, Value
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.endings import ended_by
from agent_architecture.semantics.control.choices import choices
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of, marks_of
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.schemas import python_annotations
from agent_architecture.semantics.schemas.shapes import Shape, holds_no_text, texts_of
from agent_architecture.semantics.schemas.values import of_schema_value
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

COUNTS: Final = frozenset({
    "py:builtins.len", "py:builtins.int", "py:builtins.float", "py:builtins.bool", "py:builtins.round",
    "py:builtins.hash", "py:builtins.isinstance", "py:builtins.any", "py:builtins.all", "py:builtins.ord",
    "npm:globalThis:Number", "npm:globalThis:parseInt", "npm:globalThis:parseFloat", "npm:globalThis:Boolean",
    "npm:globalThis:Array.isArray", "npm:globalThis:isNaN",
    "py:datetime.datetime.fromisoformat", "py:datetime.datetime.strptime", "py:datetime.date.fromisoformat",
    "py:uuid.UUID", "py:decimal.Decimal",
})  # fmt: skip
"""Calls of the languages whose result is a number, a truth or a date, whatever they are given."""
NUMBERS: Final = frozenset({"status_code", "statusCode", "returncode", "exitCode", "exit_code", "length", "ok"})
"""Attributes that hold a number or a truth."""

INJECTION: Final = regex(
    r"(?:ignore|disregard|forget|override)\W{1,20}(?:\w+\W{1,12}){0,4}(?:previous|prior|above|earlier|all|instruction)"
    r"|prompt.{0,3}injection|jail.?break|<\|im_(?:start|end)\|>|\bDAN mode|reveal.{0,20}system.{0,3}prompt",
    re.IGNORECASE,
)
"""What code writes down that looks for injected instructions: the phrases themselves, or what they are called."""
CLEANING: Final = frozenset({"sub", "subn", "replace", "replaceAll", "translate", "filter"})
"""Methods that take something out of a text."""
LOOKING: Final = frozenset({"search", "match", "fullmatch", "findall", "finditer", "test", "exec"})
"""Methods by which a pattern looks for what it says in a text."""
COMPILED: Final = regex(r"^py:re[.:]compile\(\)$|^npm:globalThis:RegExp\(\)$")
"""Patterns that are made once and kept."""

_ORDER: Final = tuple(Boundary)


def weakest(found: Iterable[Boundary]) -> Boundary:
    """Of what several ways pass, what guards least; NONE for no way."""
    return min(found, key=_ORDER.index, default=Boundary.NONE)


def of_way(passed: Iterable[str]) -> Boundary:
    """What a way passes that guards most."""
    words = [Boundary(word) for word in passed if word in _WORDS]
    return max(words, key=_ORDER.index, default=Boundary.NONE)


_WORDS: Final = frozenset(str(word) for word in Boundary)


class Boundaries:
    """What stands on ways, found on demand and remembered."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._screens: dict[int, tuple[bool, ir.Function]] = {}
        self._typed: dict[int, tuple[bool, ir.Function]] = {}
        self._calls: dict[int, tuple[Boundary, ir.Call]] = {}
        self._looking: dict[int, tuple[bool, ir.Call]] = {}

    # ---------------------------------------------------------------------------------------------------- on the way
    def at_call(self, call: ir.Call) -> Boundary:
        """What a text that goes through a call passes there."""
        found = self._calls.get(id(call))
        if found is None:
            found = self._calls[id(call)] = self._at_call(call), call
        return found[0]

    def _at_call(self, call: ir.Call) -> Boundary:
        program, packs = self._context.program, self._context.packs
        for api in resolved(program, call.callee):
            if api.path in COUNTS:
                return Boundary.SCHEMA_ONLY
            marks = {mark.covers for mark in packs.marks(api.path)}
            if "screens" in marks:
                return Boundary.SANITISED
            if "delimits" in marks:
                return Boundary.DELIMITED
            if marks & {"validated", "asserts_schema"} and self._is_closed_check(call):
                return Boundary.SCHEMA_ONLY
        functions = program.callees(call)
        if any(self.is_screen(function) for function in functions) or self._takes_orders_out(call):
            return Boundary.SANITISED
        if functions and all(self.returns_no_text(function) for function in functions):
            return Boundary.SCHEMA_ONLY
        return Boundary.NONE

    def returns_no_text(self, function: ir.Function) -> bool:
        """Whether the return annotation of a function admits no text of any content."""
        found = self._typed.get(id(function))
        if found is None:
            found = self._typed[id(function)] = self._promises_no_text(function), function
        return found[0]

    def _promises_no_text(self, function: ir.Function) -> bool:
        annotation = function.returns
        if isinstance(annotation, ir.Index) and callee_name(annotation.target) in _PROMISES:
            annotation = annotation.key
        return annotation is not None and self.admits_no_text(annotation)

    def admits_no_text(self, annotation: ir.Expr) -> bool:
        """Whether an annotation admits no text of any content."""
        if not is_python(annotation.span.path):
            return isinstance(annotation, ir.Name) and annotation.id in {"number", "boolean"}
        return holds_no_text(python_annotations.of_annotation(self._context.program, annotation))

    def _is_closed_check(self, call: ir.Call) -> bool:
        """`Price.model_validate_json(text)`, `price.parse(text)`: whether the schema admits no free text."""
        if not isinstance(call.callee, ir.Member):
            return False
        return any(self.holds_no_text(value) for value in self._context.program.value_of(call.callee.target))

    def holds_no_text(self, value: Value) -> bool:
        """Whether a schema admits no text of any content."""
        return holds_no_text(self.shape(value))

    def shape(self, value: Value) -> Shape:
        """The shape of what a schema admits."""
        return of_schema_value(self._context.program, value)

    # -------------------------------------------------------------------------------------------------------- screens
    def is_screen(self, function: ir.Function) -> bool:
        """Whether a function of the project looks for injected instructions: it takes them out, or can refuse."""
        found = self._screens.get(id(function))
        if found is None:
            found = self._screens[id(function)] = self._looks_for_orders(function), function
        return found[0]

    def _looks_for_orders(self, function: ir.Function) -> bool:
        nodes = self._context.program.structure(function).nodes
        asked = (part for test in tests_asked(self._context.program, nodes) for part in ir.walk(test))
        if not any(self._names_orders(node) for node in (*nodes, *asked)):
            return False
        if any(isinstance(n, ir.Call) and callee_name(n.callee) in CLEANING for n in nodes) or some_raise(nodes):
            return True
        found = choices(self._context.program, conditions_of(self._context), nodes)
        return any(not choice.is_value for choice in found) or any(
            isinstance(answer, (ir.Operator, ir.Call, ir.Loop)) for answer in answers(nodes)
        )

    def _takes_orders_out(self, call: ir.Call) -> bool:
        """`re.sub("ignore all instructions", "", text)`: whether a call itself takes a phrase of an injection out."""
        return callee_name(call.callee) in CLEANING and any(self._names_orders(each.value) for each in call.args)

    def _names_orders(self, node: ir.Node) -> bool:
        """Whether a node is a phrase of an injection, or a constant list of them."""
        if isinstance(node, ir.Literal):
            return isinstance(node.value, str) and INJECTION.search(node.value) is not None
        match node:
            case ir.Name(id=name) | ir.Member(name=name) if name.isupper():
                values = self._context.program.value_of(node)
                return any(self._says_orders(value) for value in values if not isinstance(value, Const))
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in LOOKING:
                # `pattern.search(text)`, whatever holds the pattern.
                values = self._context.program.value_of(target)
                return any(self._says_orders(value) for value in values if isinstance(value, (Api, Const)))
        return False

    def _says_orders(self, value: Value) -> bool:
        """Whether a pattern, or a list of texts or patterns, holds a phrase of an injection."""
        if isinstance(value, Const):
            return isinstance(value.value, str) and INJECTION.search(value.value) is not None
        place = getattr(value, "node", None) if not isinstance(value, Api) or COMPILED.match(value.path) else None
        texts = (n.value for n in ir.walk(place) if isinstance(n, ir.Literal)) if place is not None else ()
        return any(isinstance(text, str) and INJECTION.search(text) is not None for text in texts)

    def is_checked(self, scope: ir.Scope, node: ir.Node, names: Iterable[str]) -> bool:
        """Whether a screen that can refuse stands on every way to a node of a scope and looks at one of these names."""
        program, wanted = self._context.program, frozenset(names)
        ways = (scope, *(site.scope for site in ended_by(program, scope)))
        named = ((each, one) for each in ways for one in program.kept(_names_in_calls, each))
        looking = [(each, call) for each, (call, said) in named if not wanted.isdisjoint(said) and self.screens(call)]
        screens = [call for _, call in looking]
        kept = (a.target for each, call in looking for a in program.structure(each).enclosing(call, ir.Assign))
        answers = frozenset(name for target in kept for name in names_in(target))

        def said(condition: Condition) -> dict[bool, ir.Node]:
            """By the answer: ways on which one test came out differently meet where it refuses nothing."""
            asked, holds = condition.expr, condition.holds
            if holds is None:
                return {}
            if condition.at.span.contains(asked.span):
                about = _mentions(asked, wanted) and self._speaks_of_orders(asked)
                about = about or _mentions(asked, answers) or any(part is c for part in ir.walk(asked) for c in screens)
            else:  # asked inside a helper, of names of its own
                about = any(condition.at is call for call in screens) and self._speaks_of_orders(asked)
            return {holds: condition.at} if about else {}

        return bool(held(conditions_of(self._context).at(node), said))

    def _speaks_of_orders(self, test: ir.Expr) -> bool:
        return any(map(self._names_orders, ir.walk(test)))

    def screens(self, call: ir.Call) -> bool:
        """Whether a call looks for injected instructions in what it is given."""
        known = self._looking.get(id(call))
        if known is None:
            screens = "screens" in marks_of(self._context, call)
            screens = screens or any(map(self.is_screen, self._context.program.callees(call)))
            known = self._looking[id(call)] = screens, call
        return known[0]

    # ----------------------------------------------------------------------------------------------------- quarantine
    def is_quarantine(self, ask: Match, *, has_tools: bool) -> bool:
        """Whether a model call has no tools, and only values without free text are used of its answer."""
        shapes = written_values(self._context, ask, "output_schema")
        if has_tools or not shapes:
            return False
        used = fields_taken(self._context.program, ask.node) if isinstance(ask.node, ir.Call) else None
        return all(self.holds_no_text(value) or self._are_typed(value, used) for value in shapes)

    def _are_typed(self, schema: Value, used: frozenset[str] | None) -> bool:
        """Whether the fields of a schema that are used admit no free text."""
        fields = {field.name: field for field in self.shape(schema).fields} if used else {}
        return bool(fields) and all(name in fields and not any(texts_of((fields[name],))) for name in used or ())


_PROMISES: Final = frozenset({"Promise", "Awaitable", "Coroutine"})


def names_in(node: ir.Node) -> frozenset[str]:
    """The names that stand in an expression."""
    return frozenset(inner.id for inner in ir.walk(node) if isinstance(inner, ir.Name))


def _names_in_calls(program: Program, scope: ir.Scope) -> tuple[tuple[ir.Call, frozenset[str]], ...]:
    """The calls of a scope, each with the names in it."""
    return tuple((call, names_in(call)) for call in program.structure(scope).calls)


def _mentions(node: ir.Node, names: frozenset[str]) -> bool:
    return bool(names & names_in(node))
