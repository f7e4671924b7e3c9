"""Every place where a secret, personal data or what was said comes out: records, traces, prompts, tools' results,
memories; and the reads of secrets that go nowhere but to what they are for.

Joins sinks with ways back. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.outputs import Slot
from agent_architecture.names import flow
from agent_architecture.names.calls import passed_argument
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.context import called, dotted
from agent_architecture.semantics.disclosure.literals import JUDGED, reads, written
from agent_architecture.semantics.disclosure.printed import is_for_terminal, printed
from agent_architecture.semantics.disclosure.secrets import told
from agent_architecture.semantics.disclosure.tracers import tracers, wrapped
from agent_architecture.semantics.disclosure.ways import (
    CONVERSATION,
    CUT,
    PERSONAL,
    PII,
    REDACTED,
    SECRET,
    Ways,
    invokes_tool,
)
from agent_architecture.semantics.flows.boundaries import Boundaries, names_in
from agent_architecture.semantics.flows.reading import Reading
from agent_architecture.semantics.flows.slots import text_slots
from agent_architecture.semantics.flows.sources import Sources
from agent_architecture.semantics.flows.tool_runs import ToolRuns
from agent_architecture.semantics.match import effect_rows
from agent_architecture.semantics.memories.authors import Author, Authors
from agent_architecture.semantics.reach import extent
from agent_architecture.semantics.read import expressions
from agent_architecture.semantics.tracing.records import is_spoken
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.agents import Agents
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.coordination.served import Served

WORTH: Final = re.compile(
    r"message|prompt|content|response|reply|completion|answer|output|result|query|question|input|text|arg|param|payload"
    r"|body|history|conversation|transcript|observation|data|doc|key|token|secret|passw|credential|environ|e?mail|phone|ssn"
    r"|account|card|tax|birth|address|user|customer|vendor|patient|tool|call|state|resp|msg|name|stdout|stderr|html|page|hits|items|rows|records|json|summary|note|memor|fact",
    re.IGNORECASE,
)
"""Words in the names of what a record is likely to say; of what has other names only what begins near counts."""
SAYING: Final = re.compile(
    r"(?:^|_)(?:messages?|prompts?|query|question|inputs?|texts?|content|history|conversation|body|utterance)$"
    r"|(?<=[a-z])(?:Messages?|Prompts?|Query|Question|Input|Text|Content|History|Conversation)$"
)
"""What parameters are called that hold what a user says."""
IDENTIFYING: Final = re.compile(
    r"(?:^|_|(?<=[a-z]))(?:ids?|Ids?|uuid|name|type|status|key|(?<!ac)count|index|path|file|url|model|limit|level|date|version|code)$"
)
"""What arguments of tools are called that name a thing and say nothing of it."""
FOREIGN: Final = frozenset({"web", "mail", "retrieval", "peer", "tool"})
"""Origins of what tools bring; a file may be the project's settings."""
NEAR: Final = 5
"""Places on the way from a call that runs some tool, beyond which its result is more likely only mentioned."""
PASSED: Final = 6
"""Places on the way of a number of a person's life, beyond which an answer is more likely another one's."""
FAR: Final = 12
"""Places on the way of what has a name that tells nothing."""
LISTING: Final = re.compile(
    r"^_?(?:list|get|load|find|register|add|create|parse|format|build|to|from|is|has|describe|refresh)(?:_|[A-Z])"
)
"""What calls do that have to do with tools and run none."""
TOOL: Final = re.compile(r"tool|action|skill", re.IGNORECASE)
TALK: Final = re.compile(
    r"^(?:(?:chat_|prompt_|llm_)?messages|(?:user|human)_message|(?:user|human)Message"
    r"|(?:chat_|conversation_)?history|(?:system_|user_|full_|final_)?prompt"
    r"|(?:llm|model)_(?:response|output)|tool_(?:output|result|response|input|arg|argument)s?|(?:system|user)Prompt|chatHistory"
    r"|tool(?:Output|Result|Response|Input|Args|Arguments))$"
)
"""What variables are called that hold what is said, to a model, by it, or by tools."""
SPEAKS: Final = "log"
WRAPPER: Final = re.compile(
    r"^_*(?:log|debug|info|notice|warn(?:ing)?|error|critical|fatal|exception|trace|emit|record)(?:_\w+|[A-Z]\w*)?$"
)
"""What functions of the project are called that only write down what they are given."""
WRAPPERS: Final = 3
"""Such functions in each other."""


def disclosures(context: Context, agents: Agents, served: Served) -> tuple[Disclosure, ...]:
    """All, by position; of one line what matters most. `served` says of code whether it runs for several users."""
    found: dict[tuple[str, int, Sink], Disclosure] = {}
    reader = _Found(context, agents, served)
    every = [*written(context), *_once(tuple(reader.all()))]
    for each in sorted(every, key=lambda one: tuple(Kept).index(one.kept)):
        found.setdefault((each.span.path, each.span.line, each.sink), each)
    out = {(e.source.path, e.source.line) for e in found.values() if e.source is not None and e.kept is Kept.SECRET}
    literal = {(e.span.path, e.span.line) for e in found.values() if e.sink is Sink.CODE}
    own = (read for read in reads(context) if (read.span.path, read.span.line) not in out | literal)
    return (*found.values(), *own)


def _once(found: tuple[Disclosure, ...]) -> Iterator[Disclosure]:
    """What a tool returns, the code that runs it asks a model with: it came out where the tool returns it."""
    returned = {(one.source, one.name) for one in found if one.sink is Sink.RESULT and one.source is not None}
    yield from (one for one in found if one.sink is not Sink.PROMPT or (one.source, one.name) not in returned)


class _Found:
    def __init__(self, context: Context, agents: Agents, served: Served) -> None:
        self._context = context
        self._served = served
        self._tools = agents.functions()
        self._running = agents.running()
        self._inside: frozenset[int] | None = None
        boundaries = Boundaries(context)
        sources = Sources(context, frozenset(self._tools))
        self._sources = sources
        self._authors = Authors(context, agents, sources)
        self._runs = ToolRuns(context)
        self._ways = Ways(context, Reading(context, sources, boundaries, self._runs), boundaries)
        self._given = self._asked_with()

    def all(self) -> Iterator[Disclosure]:
        """What comes out, by sink."""
        yield from self._logged()
        yield from self._recorded()
        yield from self._prompted()
        yield from self._returned()
        yield from self._remembered()
        yield from tracers(self._context)
        yield from wrapped(self._context, self._holds_talk)

    # -------------------------------------------------------------------------------- records
    def _logged(self) -> Iterator[Disclosure]:
        seen: set[int] = set()
        for site in self._records():
            texts = tuple(argument.value for argument in site.call.args)
            for put in self._lifted(_Put(site.call, site.scope, texts), WRAPPERS):
                if id(put.call) not in seen and self._is_judged(put.call):
                    seen.add(id(put.call))
                    yield from self._at(put.call, Sink.LOG, put.scope, put.texts)

    def _records(self) -> Iterator[CallSite]:
        for name in sorted(self._context.packs.effect_names(SPEAKS)):
            sites = self._context.program.calls(name)
            yield from (site for site in sites if self._is_judged(site.call) and self._is_record(site.call))
        yield from (site for site in printed(self._context, self._served.of) if self._is_judged(site.call))

    def _lifted(self, put: _Put, left: int) -> Iterator[_Put]:
        """A record where the project decides what it says: the calls of its own function that only writes it down."""
        function = put.scope
        if not left or not isinstance(function, ir.Function) or not WRAPPER.match(function.name) or _is_labelled(put):
            yield put
            return
        handed = self._params(function, put.texts)
        sites = self._context.program.callers(function) if handed else ()
        if not handed:
            yield put
        for site in sites:
            given = (passed_argument(site, function, param) for param in handed)
            texts = tuple(text for text in given if text is not None and not isinstance(text, Unknown))
            yield from self._lifted(_Put(site.call, site.scope, texts), left - 1)

    def _params(self, function: ir.Function, texts: tuple[ir.Expr, ...]) -> tuple[ir.Parameter, ...]:
        """The parameters that a record says something of."""
        wanted = frozenset[str]().union(*map(names_in, texts))
        nodes = self._context.program.structure(function).nodes
        for node in sorted((n for n in nodes if isinstance(n, ir.Assign)), key=lambda n: n.span, reverse=True):
            if node.value is not None and names_in(node.target) & wanted:
                wanted |= names_in(node.value)
        return tuple(param for param in function.params if param.name in wanted and param.name not in {"self", "cls"})

    def _is_judged(self, call: ir.Call) -> bool:
        file = self._context.program.table.file(call.span.path)
        return file is not None and file.role in JUDGED

    def _is_record(self, call: ir.Call) -> bool:
        if not any(row.effect == SPEAKS for row in effect_rows(self._context.program, self._context.packs, call)):
            return False
        if not is_spoken(self._context, call):
            return True
        labelled = any(isinstance(a.value, (ir.Template, ir.Literal)) for a in call.args)
        return labelled and not is_for_terminal(self._context, call.span.path)

    def _recorded(self) -> Iterator[Disclosure]:
        for match in self._context.of_kind("span_attribute", "event"):
            if isinstance(match.node, ir.Call) and self._context.program.module_of(match.node).role in JUDGED:
                scope = self._context.program.scope_of(match.node)
                yield from self._at(match.node, Sink.TRACE, scope, tuple(a.value for a in match.node.args))

    def _at(self, call: ir.Call, sink: Sink, scope: ir.Scope, texts: tuple[ir.Expr, ...]) -> Iterator[Disclosure]:
        """What a record receives: secrets first, then what says something of a person, then what was said."""
        found = [each for text in texts for each in self._kept(call, sink, text)]
        if found:
            yield min(found, key=lambda one: (one.redacted, tuple(Kept).index(one.kept)))
            return
        said = next((one for text in texts for one in self._said(call, sink, scope, text)), None)
        if said is not None:
            yield said

    def _kept(self, call: ir.Node, sink: Sink, text: ir.Expr, *, strict: bool = False) -> Iterator[Disclosure]:
        """The secrets and personal data of a text; of a strict sink what tells who somebody is does not count, nor a
        variable that only has such a name: a tool gives back what it was asked about.
        """
        for origin in flow.origins(self._context.program, text, self._ways):
            sort, _, name = origin.name.partition(":")
            if origin.kind != "name" or f"{sort}:" not in {SECRET, PERSONAL}:
                continue
            is_secret = f"{sort}:" == SECRET
            named = isinstance(origin.node, ir.Name) or len(origin.trail) > PASSED
            if strict and not is_secret and (named or PII.match(name) is None):
                continue
            redacted = REDACTED in origin.passed or (is_secret and CUT in origin.passed)
            yield Disclosure(
                call.span, called(call), "", Kept.SECRET if is_secret else Kept.PERSONAL, sink, name, redacted,
                source=origin.node.span, trail=origin.trail,
                confidence=Confidence.HIGH if is_secret else Confidence.MEDIUM,
            )  # fmt: skip

    def _said(self, call: ir.Call, sink: Sink, scope: ir.Scope, text: ir.Expr) -> Iterator[Disclosure]:
        given = self._given.get(id(scope), frozenset()) & frozenset(_whole(text))
        for name in sorted(given):
            yield Disclosure(call.span, called(call), "", Kept.TALK, sink, name)
        origins = flow.origins(self._context.program, text, self._ways)
        if any(origin.kind != "constant" for origin in origins):
            for name in sorted(name for name in _whole(text) if TALK.match(name.rpartition(".")[2])):
                yield Disclosure(call.span, called(call), "", Kept.TALK, sink, name, confidence=Confidence.MEDIUM)
        worth = _is_worth(text)
        for origin in origins:
            if not worth and len(origin.trail) > FAR:
                continue
            whole = self._of_all(origin)
            if whole:
                yield Disclosure(
                    call.span, called(call), "", Kept.TALK, sink, whole, REDACTED in origin.passed,
                    source=origin.node.span, trail=origin.trail, confidence=Confidence.MEDIUM,
                )  # fmt: skip
            for author in self._written_by(origin):
                named = origin.name if origin.kind == "parameter" else ""
                if author.closed or (named and IDENTIFYING.search(named)):
                    continue
                if author.origin not in {"model", "user"} and not self._is_tool_s(author, scope):
                    continue
                if author.origin == "user" and is_spoken(self._context, call) and not self._served.of(scope):
                    continue  # in a page, before the eyes of the user
                if author.origin == "user" and not SAYING.search(named):
                    continue
                name = {"model": "what a model wrote", "user": named}.get(author.origin, f"text ({author.origin})")
                if author.tool is not None:
                    name = f"{named}, an argument of {author.tool.name}"
                yield Disclosure(
                    call.span, called(call), "", Kept.TALK, sink, name, REDACTED in origin.passed,
                    source=author.span, trail=author.trail, confidence=author.confidence,
                )  # fmt: skip

    def _written_by(self, origin: flow.Origin) -> Iterator[Author]:
        """Whose text it is; what a platform hands to a function that answers messages is the user's."""
        known = tuple(self._authors.of(origin))
        yield from known
        function = origin.node
        if not known and isinstance(function, ir.Function) and self._served.answers(function):
            yield Author("user", function.name_span, origin.trail, Confidence.MEDIUM)

    def _of_all(self, origin: flow.Origin) -> str:
        """What a text is that nobody in particular wrote: of a tool, of the conversation, of what is remembered."""
        if self._is_tool_run(origin):
            return "what a tool returned"
        if origin.kind == "name" and origin.name == CONVERSATION:
            return CONVERSATION if len(origin.trail) <= NEAR else ""
        source = self._sources.of_call(origin.node) if isinstance(origin.node, ir.Call) else None
        remembered = source is not None and source.origin == "memory" and source.confidence is Confidence.HIGH
        return "what is remembered" if remembered and len(origin.trail) <= FAR else ""

    def _is_tool_run(self, origin: flow.Origin) -> bool:
        """Whether a text is what some tool has just returned."""
        call = origin.node
        if origin.kind != "call" or not isinstance(call, ir.Call) or len(origin.trail) > NEAR:
            return False
        called_so = TOOL.search(dotted(call.callee)) is not None and LISTING.match(callee_name(call.callee)) is None
        return called_so and (self._runs.surely_runs_any(call) or invokes_tool(call))

    def _is_tool_s(self, author: Author, scope: ir.Scope) -> bool:
        """Whether what a source says is a tool's: it, or the record, stands in the code of one."""
        if self._inside is None:
            bodies = [function.body for function in self._running.values()]
            found = (f for body in bodies for f, _ in extent(self._context.program, body, set()).called)
            self._inside = frozenset(self._running) | frozenset(map(id, found))
        at = self._context.program.scope_of(ir.Name(author.span, ""))
        return author.origin in FOREIGN and bool({id(at), id(scope)} & self._inside)

    def _asked_with(self) -> dict[int, frozenset[str]]:
        """The names of what models are asked with, by the scope that asks."""
        found: dict[int, frozenset[str]] = {}
        for match in self._context.of_kind("model_call", "run"):
            address = match.row.properties.get("messages")
            if isinstance(match.node, ir.Call):
                scope = self._context.program.scope_of(match.node)
                texts = () if address is None else expressions(self._context.program, match.node, address)
                texts += tuple(a.value for a in match.node.args if a.spread == "**")
                names = {dotted(text) for text in texts if isinstance(text, (ir.Name, ir.Member))}
                found[id(scope)] = found.get(id(scope), frozenset()) | names
        return found

    def _holds_talk(self, function: ir.Function) -> bool:
        """Whether a function is given what a user says, or gives back what a model wrote or others' text."""
        given = ({p.name} if p.pattern is None else names_in(p.pattern) for p in function.params)
        if any(SAYING.search(name) for names in given for name in names):
            return True
        results = self._context.program.structure(function).returns
        origins = (o for text in results for o in flow.origins(self._context.program, text, self._ways))
        authors = (author for origin in origins for author in self._authors.of(origin) if not author.closed)
        return any(author.origin == "model" or author.origin in FOREIGN for author in authors)

    # ---------------------------------------------------------------------------------- prompts, results and memories
    def _prompted(self) -> Iterator[Disclosure]:
        for slot in text_slots(self._context):
            for text in slot.texts:
                for each in self._kept(slot.node, Sink.PROMPT, text, strict=True):
                    yield each._replace(symbol=slot.symbol, framework=slot.framework)
                literal = next((n for n in ir.walk(text) if isinstance(n, ir.Literal) and _tells(n)), None)
                literal = literal or self._constant(text)
                if literal is not None and slot.slot is Slot.SYSTEM:
                    yield Disclosure(
                        literal.span, slot.symbol, slot.framework, Kept.SECRET, Sink.PROMPT, "a secret in words"
                    )

    def _constant(self, text: ir.Expr) -> ir.Literal | None:
        origins = (
            flow.origins(self._context.program, text, self._ways) if isinstance(text, (ir.Name, ir.Member)) else ()
        )
        return next((o.node for o in origins if isinstance(o.node, ir.Literal) and _tells(o.node)), None)

    def _returned(self) -> Iterator[Disclosure]:
        """What the project's tools give to the model that calls them."""
        for function in self._running.values():
            for text in self._context.program.structure(function).returns:
                for each in self._kept(text, Sink.RESULT, text, strict=True):
                    yield each._replace(symbol=function.name or "a tool")

    def _remembered(self) -> Iterator[Disclosure]:
        for match in self._context.of_kind("memory_write"):
            address = match.row.properties.get("content")
            if address is not None and isinstance(match.node, ir.Call):
                for text in expressions(self._context.program, match.node, address):
                    yield from self._kept(match.node, Sink.MEMORY, text, strict=True)


class _Put(NamedTuple):
    """A record: the call that the project writes, and what it hands to it."""

    call: ir.Call
    scope: ir.Scope
    texts: tuple[ir.Expr, ...]


def _is_labelled(put: _Put) -> bool:
    """Whether a record says by itself what it is about (`"Task data: %s"`), and so is more than a way to write."""
    first = put.texts[0] if put.texts else None
    return (
        len(put.texts) > 1 and isinstance(first, ir.Literal) and re.search(r"[A-Za-z]{3}", str(first.value)) is not None
    )


def _is_worth(text: ir.Expr) -> bool:
    nodes = list(ir.walk(text))
    words = {node.id for node in nodes if isinstance(node, ir.Name)}
    words |= {node.name for node in nodes if isinstance(node, ir.Member)}
    return any(map(WORTH.search, words))


def _tells(literal: ir.Literal) -> bool:
    return isinstance(literal.value, str) and len(literal.value) > len("password: ") and told(literal.value) is not None


def _whole(text: ir.Expr) -> Iterable[str]:
    """The names whose values a text has as they are: not what is counted, nor a part that says nothing."""
    stack: list[ir.Node] = [text]
    while stack:
        node = stack.pop()
        match node:
            case ir.Name() | ir.Member():
                yield dotted(node)
            case ir.Call(args=args):
                counted = names_in(node.callee) & {"len", "type", "id"}
                stack += [] if counted else [argument.value for argument in args]
            case _:
                stack += ir.children(node)
