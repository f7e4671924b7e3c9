"""Conversations that a client sends with each request and that a model is asked with: the code puts them together anew,
and they are as long as the client makes them, unless something takes a part.

Who may speak in them is judged elsewhere (`topics/instructions/client_turns.py`); here their texts are followed, roles
or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Collection
from agent_architecture.model.settings import ABSENT, written
from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue
from agent_architecture.semantics.bounds.trims import is_bounded, shortens
from agent_architecture.semantics.conversations.messages import entries_of, messages_of
from agent_architecture.semantics.conversations.writers import ELSE
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.schemas import zod
from agent_architecture.semantics.topics.instructions.client_turns import OF_TURNS, TURNS, is_clients, parameter_of
from agent_architecture.semantics.topics.memories.few_rows import takes_few
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.memory import Memory
    from agent_architecture.model.system import Site
    from agent_architecture.names.flow import Origin, Step
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

MADE: Final = tuple(f"a turn that the code makes, {n}" for n in range(4))
BEHIND: Final = tuple(f"turns behind it, {n}" for n in range(4))
"""Words for a way that passes turns behind a turn of the code's own: what was said before is in it. Code that makes
turns of turns (for another library, say) passes several; behind the last one there is only what it was made of.
"""
PART: Final = "a part"
ONE: Final = "one turn"
TAKING_ONE: Final = frozenset({"at", "pop", "shift", "find", "findLast", "next"})
SLICING: Final = frozenset({"slice", "splice"})
AT_MOST: Final = frozenset({"max_length", "max_items"})
"""What a field of a request's type is told that refuses longer lists."""
CHECKING: Final = frozenset({"parse", "parseAsync", "safeParse", "safeParseAsync"})
HOLDING: Final = ("content", "parts", "text")
"""Entries of a turn that say something."""


def sent_in(
    context: Context, writers: Writers, sites: Iterable[Site], known: Iterable[Memory | Collection]
) -> tuple[Collection, ...]:
    """One for each list of turns that comes to an agent's request, at none of the places of what is `known`."""
    taken = {(one.span.path, one.span.line) for one in known}
    reader = _Reader(context, writers, frozenset(id(scope_at(context.program, site.span)) for site in sites))
    found: dict[Span, Collection] = {}
    for match in context.of_kind("model_call", "run"):
        for text in messages_of(context, match):
            for one in reader.sent(match, text):
                if (one.span.path, one.span.line) not in taken:
                    found[one.span] = _narrower(found.get(one.span, one), one)
    return tuple(found.values())


def _narrower(one: Collection, other: Collection) -> Collection:
    """A cut counts, under whatever condition it is made."""
    return other if one.bound is ABSENT else one


class _Reader:
    def __init__(self, context: Context, writers: Writers, running: frozenset[int]) -> None:
        self._context = context
        self._program = context.program
        self._writers = writers
        self._running = running
        """The ids of the scopes that run agents."""
        self._named: dict[tuple[str, int], ir.Name | ir.Member] = {}
        """What is called as turns are on the ways of one question, by its line."""

    def sent(self, match: Match, text: ir.Expr) -> Iterator[Collection]:
        """The conversation that a request is given there, if it is a client's: one for each way."""
        self._named = {}
        for origin in flow.origins(self._program, text, self._read):
            entering = next(self._writers.entering(origin), None) if self._is_turns(origin) else None
            if entering is None or entering.origin != "user" or entering.confidence is Confidence.LOW:
                continue
            made = self._made(match, origin)
            if made is None:
                continue
            span, symbol = made
            cut = PART in origin.passed or self._refuses(origin)
            yield Collection(
                span,
                symbol,
                match.row.where.pack,
                lives_on=True,
                sender=entering.source,
                bound=written("the part of it that is taken", span) if cut else ABSENT,
                overflow=written("drop", span) if cut else ABSENT,
                confidence=Confidence.MEDIUM,
            )

    def _is_turns(self, origin: Origin) -> bool:
        """Whether a way brings what was said before to a place that runs an agent."""
        wanted = _behind(_made(origin.passed))
        if wanted not in origin.passed or origin.passed & {ELSE, ONE} or not is_clients(origin):
            return False
        return any(id(scope_at(self._program, span)) in self._running for span in origin.trail)

    def _read(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        """A `flow.Reader` that goes along with turns, and with what they say; of what one turn says a part is still the
        whole conversation.
        """
        made = _made(passed)
        if made and BEHIND[made - 1] not in passed and not _is_of_turns(node):
            return (
                self._writers.read(node, passed) if isinstance(node, (ir.Index, ir.Call)) else self._turns(node, passed)
            )
        return self._turns(node, passed)

    def _turns(self, node: ir.Expr, passed: frozenset[str]) -> list[Step | Origin] | str | None:
        match node:
            case ir.Call() if (text := self._in_message(node)) is not None:
                made = _made(passed)
                made += made < len(MADE) and (not made or BEHIND[made - 1] in passed)
                return [flow.Step(text, MADE[made - 1])]
            case ir.Map() if "role" in (entries := entries_of(node)):
                made = _made(passed)
                made += made < len(MADE) and (not made or BEHIND[made - 1] in passed)
                return [flow.Step(entries[name], MADE[made - 1]) for name in HOLDING if name in entries]
            case ir.Index(key=ir.Slice()) if is_bounded(node):
                return PART
            case ir.Index(key=key) if _counts(key):
                return ONE
            case ir.Call(callee=callee) if callee_name(callee) in TAKING_ONE:
                return ONE
            case ir.Call(callee=callee) if callee_name(callee) in SLICING and is_bounded(node):
                return PART
            case ir.Call(callee=callee) if shortens(node) or self._lets_few(callee) or takes_few(self._program, node):
                return PART
            case ir.Member(name=name) | ir.Name(id=name) if TURNS.fullmatch(name):
                self._named[node.span.path, node.span.line] = node
                said, word = self._writers.read(node, passed), _behind(_made(passed))
                if said is None and isinstance(node, ir.Member) and self._is_given(node.target):
                    return [flow.Step(node.target, word)]  # not what its type says where it is left out
                return word if said is None else said
            case _:
                return self._writers.read(node, passed)

    def _in_message(self, call: ir.Call) -> ir.Expr | None:
        """What a message of a library says, which is one turn: `new HumanMessage(text)`."""
        match = self._context.at(call, "prompt")
        if match is None or match.arguments is None or "role" not in match.row.constants:
            return None
        address = match.row.properties.get("content")
        return None if address is None else next(iter(expressions(self._program, match.arguments, address)), None)

    def _lets_few(self, callee: ir.Expr) -> bool:
        """Whether a schema checks what it is given and refuses longer lists of turns: `asked.parse(body)`."""
        if not isinstance(callee, ir.Member) or callee.name not in CHECKING:
            return False
        schemas = self._program.value_of(callee.target)
        return any(TURNS.fullmatch(name) for each in schemas for name in zod.limited(self._program, each))

    def _is_given(self, target: ir.Expr) -> bool:
        bindings = visible_bindings(self._program, target) if isinstance(target, ir.Name) else ()
        return any(binding.kind == "parameter" for binding in bindings)

    def _made(self, match: Match, origin: Origin) -> tuple[Span, str] | None:
        """Where the turns are put together, nearest to the request; the request itself where it reads them."""
        for span in reversed(origin.trail):
            named = self._named.get((span.path, span.line))
            for binding in visible_bindings(self._program, named) if isinstance(named, ir.Name) else ():
                if binding.kind == "assign" and binding.value is not None:
                    return binding.node.span, binding.name
            if isinstance(named, ir.Member) and match.node.span.contains(named.span):
                return named.span, named.name
        return None

    def _refuses(self, origin: Origin) -> bool:
        """Whether the type of a request refuses longer lists of turns."""
        param = parameter_of(origin)
        types = self._program.value_of(param.annotation) if param is not None and param.annotation is not None else ()
        return any(
            isinstance(part, ir.Call) and any(argument.keyword in AT_MOST for argument in part.args)
            for value in types
            if isinstance(value, ClassValue)
            for name, group in self._program.attributes(value.cls).items()
            if TURNS.fullmatch(name)
            for binding in group
            for part in ir.walk(binding.node)
        )


def _is_of_turns(node: ir.Expr) -> bool:
    """Whether something is taken of what is called as turns are: `history.slice(-6).map(…)`."""
    while isinstance(node, (ir.Index, ir.Call, ir.Member)):
        if isinstance(node, ir.Member) and TURNS.fullmatch(node.name):
            return True
        node = node.callee if isinstance(node, ir.Call) else node.target
    return isinstance(node, ir.Name) and TURNS.fullmatch(node.id) is not None


def _made(passed: frozenset[str]) -> int:
    """How many times a way made turns of turns."""
    return sum(word in passed for word in MADE)


def _behind(made: int) -> str:
    return BEHIND[made - 1] if made else OF_TURNS


def _counts(key: ir.Expr) -> bool:
    """Whether a key is a position that is written down: `x[-1]`, `x[x.length - 1]`."""
    if isinstance(key, ir.Literal):
        return isinstance(key.value, int)
    return isinstance(key, ir.Operator)
