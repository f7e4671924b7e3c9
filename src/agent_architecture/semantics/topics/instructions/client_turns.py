"""Conversations that a client sends and that the code hands to a model: who may speak in them is the client's to say,
unless something lets only listed roles pass.

Follows what requests are given as messages; messages that the code makes itself end the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.effects import ParameterKind
from agent_architecture.model.outputs import ClientTurns
from agent_architecture.names import flow
from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.argument_tests import CONTAINING
from agent_architecture.semantics.control.choices import asked_by, choices
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import leavings
from agent_architecture.semantics.conversations.messages import entries_of, messages_of, part_read
from agent_architecture.semantics.conversations.text_provenance import CONTENT
from agent_architecture.semantics.conversations.writers import ELSE
from agent_architecture.semantics.effects.records import is_page
from agent_architecture.semantics.effects.socket_reads import RECEIVING
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.taint.external_parameters import SERVED
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

TURNS: Final = regex(
    r"(?:\w+_)?(?:messages|history|conversation|turns|input_items)|\w*(?:Messages|History|Conversation|Turns|inputItems)"
)
"""What code calls the turns of a conversation."""
OF_TURNS: Final = "turns"
TAKEN: Final = "taken"
PART: Final = frozenset({CONTENT, TAKEN})
"""What a way passes on which a part of a turn is taken out: the conversation does not go along."""
LISTED: Final = "listed roles"
PICKING: Final = frozenset({"filter", "every", "some"})
"""Calls that ask a function about each turn."""
EQUAL: Final = frozenset({ir.Op.EQ, ir.Op.IN})
SYSTEM: Final = frozenset({"system", "developer"})
TEXTS: Final = frozenset({"str", "string"})
"""Types of a text, in which nobody speaks but who wrote it."""
COMPARING: Final = frozenset({ir.Op.EQ, ir.Op.NE, ir.Op.IN})


def client_turns(context: Context, writers: Writers) -> tuple[ClientTurns, ...]:
    """One for each request or run that is given a client's conversation."""
    return tuple(_Turns(context, writers).all())


class _Turns:
    def __init__(self, context: Context, writers: Writers) -> None:
        self._context = context
        self._writers = writers
        self._copied: dict[Span, ir.Map] = {}
        """Messages that are made with a role that the code does not say."""

    def all(self) -> Iterator[ClientTurns]:
        """Of several ways to one place the one without a list of roles."""
        found: dict[Span, ClientTurns] = {}
        for match in self._context.of_kind("model_call", "run"):
            for text in messages_of(self._context, match) if not self._is_page_s(match) else ():
                for each in self._sent(match, text):
                    known = found.setdefault(each.span, each)
                    if known.check is not None and each.check is None:
                        found[each.span] = each
        yield from found.values()
        for match in self._context.of_kind("exported"):
            yield from self._served(match)

    def _is_page_s(self, match: Match) -> bool:
        """Whether a page asks, which is the client itself: its server decides who may speak, or else the model's API,
        which the page's own user pays for.
        """
        return is_page(self._context, match.node.span.path)

    def _served(self, match: Match) -> Iterator[ClientTurns]:
        """The conversations that a library's own route takes from clients, where it says who may speak in them."""
        allowed = effective(self._context, match, "system_turns")
        if allowed.is_known and allowed.values in {(True,), (False,)}:
            check = match.node.span if allowed.values == (False,) else None
            span, pack = match.node.span, match.row.where.pack
            yield ClientTurns(span, called(match.node), pack, span, check=check)

    def _sent(self, match: Match, text: ir.Expr) -> Iterator[ClientTurns]:
        for origin in flow.origins(self._context.program, text, self._read):
            if OF_TURNS not in origin.passed or ELSE in origin.passed:
                continue
            entering = next(self._writers.entering(origin), None)
            is_client = entering is not None and entering.origin == "user" and is_clients(origin)
            if is_client and entering is not None and entering.confidence is not Confidence.LOW:
                copied = next((span for span in self._copied if any(map(span.contains, origin.trail))), None)
                given = text.span if match.node.span.contains(text.span) else match.node.span
                span, symbol = (given, called(match.node)) if copied is None else (copied, "message")
                pack, check = match.row.where.pack, self._check(origin) or self._refused(match)
                yield ClientTurns(span, symbol, pack, entering.source, origin.trail, check)

    def _read(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        """A `flow.Reader` that goes along with whole turns."""
        match node:
            case ir.Map() if "role" in (entries := entries_of(node)):
                if _is_decided(entries["role"]):
                    return []
                self._copied[node.span] = node
                return [flow.Step(entries["role"], OF_TURNS)]
            case ir.Member(name=name) | ir.Name(id=name) if TURNS.fullmatch(name) and not passed & PART:
                said = self._writers.read(node, passed)
                return OF_TURNS if said is None else said
            case ir.Call() if callee_name(node.callee) in {"parse", "safeParse", "parseAsync", "safeParseAsync"}:
                is_listed = isinstance(node.callee, ir.Member) and any(
                    self._lists(value) for value in self._context.program.value_of(node.callee.target)
                )
                return LISTED if is_listed else None
            case _:
                said = self._writers.read(node, passed)
                return TAKEN if said is None and _takes_part(node) else said

    # ----------------------------------------------------------------------------------------------- lists of roles
    def _check(self, origin: Origin) -> Span | None:
        if LISTED in origin.passed:
            return origin.node.span
        param = parameter_of(origin)
        if param is not None and param.annotation is not None:
            values = self._context.program.value_of(param.annotation)
            if any(isinstance(value, ClassValue) and self._lists(value) for value in values):
                return param.span
        scopes = dict.fromkeys(scope_at(self._context.program, span) for span in origin.trail)
        return next((span for scope in scopes for span in self._compared(scope, origin.trail)), None)

    def _refused(self, match: Match) -> Span | None:
        """Where a library refuses a conversation that speaks as the system."""
        allowed = effective(self._context, match, "system_turns", *run_agents(self._context, match))
        return match.node.span if allowed.is_known and allowed.values == (False,) else None

    def _lists(self, schema: Value) -> bool:
        """Whether a schema has turns, and admits only listed words for their roles."""
        turns = [field for field in self._writers.boundaries.shape(schema).fields if TURNS.fullmatch(field.name)]
        roles = [inner for field in turns for inner in field.fields if inner.name == "role"]
        return bool(roles) and all(role.kind is ParameterKind.CLOSED for role in roles)

    def _compared(self, scope: ir.Scope, trail: tuple[Span, ...]) -> Iterator[Span]:
        """Where the role of one turn after the other is compared with words, and turns of others are left out."""
        program, conditions = self._context.program, conditions_of(self._context)
        for test in self._choosing(scope, trail):
            for asked in asked_by(conditions, test):
                yield from (span for span, is_systems in _asking(program, asked) if not is_systems)
        structure = program.structure(scope)
        for leaving in leavings(conditions, structure.nodes):  # `if turn.role == "system": continue`
            for reason in leaving.reasons if any(structure.enclosing(leaving.node, ir.Loop)) else ():
                asked_for = _asking(program, reason.expr) if reason.holds else ()
                yield from (span for span, is_systems in asked_for if is_systems)

    def _choosing(self, scope: ir.Scope, trail: tuple[Span, ...]) -> Iterator[ir.Expr]:
        """The tests that choose among the turns: those in a loop that leave some out, and what picks of a list."""
        program, conditions = self._context.program, conditions_of(self._context)
        structure = program.structure(scope)
        for choice in choices(program, conditions, structure.nodes):
            if any(structure.enclosing(choice.node, ir.Loop)) and (
                choice.turns_away or any(map(choice.is_around, trail))
            ):
                yield from choice.tests
        for node in structure.nodes:
            match node:
                case ir.Loop(test=test) if test is not None:
                    yield test
                case ir.Call() if callee_name(node.callee) in PICKING:
                    values = (value for arg in node.args for value in program.value_of(arg.value))
                    functions = (value.function for value in values if isinstance(value, Func))
                    yield from (text for function in functions for text in program.structure(function).returns)


def is_clients(origin: Origin) -> bool:
    """Whether a client sends it as turns: not who starts a graph, nor a person at a prompt; a text has no roles."""
    if isinstance(origin.node, ir.Call) and callee_name(origin.node.callee) in RECEIVING:
        return True
    param = parameter_of(origin)
    if param is not None and isinstance(param.annotation, ir.Name) and param.annotation.id in TEXTS:
        return False
    return origin.kind == "parameter" or (origin.kind == "name" and SERVED.match(origin.name) is not None)


def _asking(program: Program, test: ir.Expr) -> Iterator[tuple[Span, bool]]:
    """The comparisons of a role with words, and whether those who pass them may speak as the system."""
    for node in ir.walk(test):
        listed: ir.Node = node
        match node:
            case ir.Operator(op=op, operands=(first, *rest)) if op in COMPARING and not isinstance(first, ir.Literal):
                sides = (first, *rest)
            case ir.Call(callee=ir.Member(name=name, target=target), args=(sought, *_)) if name in CONTAINING:
                op, sides, listed = ir.Op.IN, (sought.value,), _written(program, target)
            case _:
                continue
        words = {n.value for n in ir.walk(listed) if isinstance(n, ir.Literal) and isinstance(n.value, str)} - {"role"}
        if any(part_read(each) == "role" for each in sides):
            yield node.span, op in EQUAL and bool(words & SYSTEM)


def _written(program: Program, listed: ir.Expr) -> ir.Expr:
    """A list as it is written where its name is bound."""
    return (only_value(program, listed) or listed) if isinstance(listed, ir.Name) else listed


def _takes_part(node: ir.Expr) -> bool:
    """Whether an expression is what another one holds under a word that does not mean a conversation."""
    match node:
        case _ if (read := keyed_read(node)) is not None:
            return not TURNS.fullmatch(read.key)
        case _:
            return False


def _is_decided(role: ir.Expr) -> bool:
    """Whether the code says which role it is: one word, or one of several."""
    match role:
        case ir.Literal():
            return True
        case ir.Conditional(then=then, otherwise=otherwise):
            return _is_decided(then) and _is_decided(otherwise)
        case _:
            return False


def parameter_of(origin: Origin) -> ir.Parameter | None:
    """The parameter that a way begins at."""
    if origin.kind != "parameter" or not isinstance(origin.node, ir.Function):
        return None
    return next((param for param in origin.node.params if param.name == origin.name), None)
