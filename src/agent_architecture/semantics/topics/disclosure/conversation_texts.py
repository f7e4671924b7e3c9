"""Which texts of a record are what was said: by a model, by a user, to a model, by tools and to them.

Says nothing of secrets; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.outputs import Boundary, Slot
from agent_architecture.names import flow
from agent_architecture.names.flow_steps import TESTS
from agent_architecture.names.log_calls import prints
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.switches import is_off
from agent_architecture.names.values import ClassValue
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.conversations import messages
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.conversations.tool_runs import ToolRuns
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.effects.records import words
from agent_architecture.semantics.effects.redactions import redacts
from agent_architecture.semantics.effects.socket_reads import RECEIVING
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.boundaries import names_in
from agent_architecture.semantics.topics.disclosure import stated
from agent_architecture.semantics.topics.disclosure.announced import announced
from agent_architecture.semantics.topics.disclosure.closed_texts import is_closed
from agent_architecture.semantics.topics.disclosure.conversation_words import (
    FAR,
    FOREIGN,
    HELD,
    IDENTIFYING,
    LISTING,
    NEAR,
    PASSED,
    PLAIN,
    RESULT,
    ROWS,
    SAYING,
    SENT,
    SPOKEN,
    TALK,
    TOOL,
    TOOL_NAME,
    TOOLS,
    WORTH,
    WROTE,
)
from agent_architecture.semantics.topics.disclosure.listeners import Listeners
from agent_architecture.semantics.topics.disclosure.private_sources import (
    CONVERSATION,
    META,
    NAMED,
    REDACTED,
    invokes_agent,
    invokes_tool,
)
from agent_architecture.semantics.topics.memories.authors import Author, Authors
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.sources import Sources
    from agent_architecture.semantics.topics.disclosure.private_sources import Ways
    from agent_architecture.semantics.topics.disclosure.records import Put


class Talk:
    """Answers for one record after the other."""

    def __init__(  # noqa: PLR0913, PLR0917 - what each of its questions rests on
        self, context: Context, agents: Agents, served: Served, sources: Sources, ways: Ways, near: Near
    ) -> None:
        self._context = context
        self._near = near
        self._served = served
        self._sources = sources
        self._ways = ways
        self._tools = agents.functions()
        self._running = agents.running()
        self._authors = Authors(context, agents, sources)
        self._runs = ToolRuns(context)
        self._listeners = Listeners(context)
        self._inside: frozenset[int] | None = None
        self._given = self._asked_with()
        self._results: dict[int, frozenset[str]] = {}
        self._said_in: dict[int, frozenset[str]] = {}

    def of(self, put: Put, sink: Sink, text: ir.Expr) -> Iterator[Disclosure]:
        """What was said of which a text tells."""
        whole = tuple(self._whole(text))
        for name in sorted(self._returned(put.scope) & frozenset(map(dotted, whole))):
            yield Disclosure(
                put.call.span, called(put.call), "", Kept.TALK, sink, f"{name}, what a tool returns",
                confidence=Confidence.MEDIUM,
            )  # fmt: skip
        asked = self._given.get(id(put.scope), frozenset()) & frozenset(map(dotted, whole))
        spoken = {name for node in whole if SPOKEN.search(name := dotted(node)) or self._is_message(node)}
        for name in sorted(asked | spoken):
            yield Disclosure(put.call.span, called(put.call), "", Kept.TALK, sink, name)
        failed = stated.of_error(whole) if id(put.scope) in self._code_of_tools() else ""
        failed = failed or stated.of_model_error(self._context, put.scope, whole)
        if failed:
            yield Disclosure(put.call.span, called(put.call), "", Kept.TALK, sink, failed, confidence=Confidence.MEDIUM)
        bodies = {body for node in whole if (body := stated.whole_request(self._context.program, node))}
        for name in sorted(bodies):
            yield Disclosure(put.call.span, called(put.call), "", Kept.TALK, sink, name, confidence=Confidence.MEDIUM)
        origins = flow.origins(self._context.program, text, self._ways)
        if any(origin.kind != "constant" for origin in origins):
            yield from (
                Disclosure(put.call.span, called(put.call), "", Kept.TALK, sink, name, confidence=Confidence.MEDIUM)
                for name in sorted({name for name in map(dotted, self._parts(whole)) if self._is_talk(put.scope, name)})
            )
        worth = _is_worth(text)
        identifies = _identifies(text, whole)
        parts = frozenset(word for node in ir.walk(text) for word in (*words(node), *stated.asked(node)))
        parts |= stated.bodies(self._context, text)
        for origin in origins:
            if (not worth and len(origin.trail) > FAR) or Boundary.SCHEMA_ONLY in origin.passed:
                continue  # of what passed a number, a flag or a word of a list nothing is left
            if is_off(self._context.program, origin.trail):
                continue
            for said, author in self._says(put, origin, parts):
                if identifies and author.origin in FOREIGN:
                    continue  # where something was found, not what it says
                yield Disclosure(
                    put.call.span, called(put.call), "", Kept.TALK, sink, said, REDACTED in origin.passed,
                    source=author.span, trail=author.trail, confidence=author.confidence,
                )  # fmt: skip

    def may_be_said_in(self, scope: ir.Scope) -> bool:
        """Whether code may be an agent's, so that what it is handed may be said to one."""
        return isinstance(scope, ir.Module) or id(scope) in self._code_of_tools() or self._near.may_reach(scope)

    def announced(self, put: Put, sink: Sink) -> Iterator[Disclosure]:
        """What a record says of itself that it tells, where an agent's tools or requests run it."""
        if not self.may_be_said_in(put.scope) or (prints(put.call) and put.spoken and not self._served.of(put.scope)):
            return
        for node in announced(self._context, put):
            origins = tuple(flow.origins(self._context.program, node, self._ways))
            is_open = any(o.kind != "constant" and Boundary.SCHEMA_ONLY not in o.passed for o in origins)
            if (is_open or stated.is_put_together(self._context.program, node)) and not is_closed(self._context, node):
                redacted = bool(origins) and all(REDACTED in o.passed for o in origins if o.kind != "constant")
                yield Disclosure(
                    put.call.span, called(put.call), "", Kept.TALK, sink, dotted(node), redacted,
                    confidence=Confidence.MEDIUM,
                )  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- messages
    def _is_talk(self, scope: ir.Scope, name: str) -> bool:
        """Whether a variable is called as what is said is, or the code around puts it into a message for a model."""
        last = name.rpartition(".")[2]
        if META.search(last):
            return False
        if TALK.match(last) or (SENT.match(last) and id(scope) in self._code_of_tools()):
            return True
        said = self._said_in.get(id(scope))
        if said is None:
            said = self._said_in[id(scope)] = frozenset(self._put_into_messages(scope))
        return name in said

    def _returned(self, scope: ir.Scope) -> frozenset[str]:
        """The variables of a tool's function that hold what somebody else answered, and that it returns as they are."""
        if id(scope) not in self._running:
            return frozenset()
        known = self._results.get(id(scope))
        if known is None:
            known = self._results[id(scope)] = frozenset(self._whole_results(scope))
        return known

    def _whole_results(self, scope: ir.Scope) -> Iterator[str]:
        program = self._context.program
        for text in map(stated.serialised, program.structure(scope).returns):
            for node in self._whole(text):
                made = only_value(program, node) if isinstance(node, ir.Name) and RESULT.search(node.id) else None
                if isinstance(made, ir.Await):
                    made = made.value
                if (
                    isinstance(made, ir.Call)
                    and isinstance(made.callee, ir.Member)
                    and not redacts(self._context, made)
                ):
                    yield dotted(node)

    def _put_into_messages(self, scope: ir.Scope) -> Iterator[str]:
        program = self._context.program
        for node in program.structure(scope).nodes:
            made = [messages.of_map(program, node)] if isinstance(node, ir.Map) else []
            found = self._context.all_at(node, "prompt") if isinstance(node, ir.Call) else ()
            made += [one for match in found for one in messages.of_match(self._context, match)]
            for message in made:
                if message is not None and message.slot is not Slot.SYSTEM:
                    yield from (dotted(text) for text in message.texts if isinstance(text, (ir.Name, ir.Member)))

    def _is_message(self, node: ir.Name | ir.Member) -> bool:
        if META.search(callee_name(node)):
            return False
        target = node.target if isinstance(node, ir.Member) and node.name in HELD else node
        for match in self._context.made_by(self._context.program.value_of(target), "prompt"):
            said = [m for m in messages.of_match(self._context, match) if m.slot is not Slot.SYSTEM]
            if any(not isinstance(text, ir.Literal) for message in said for text in message.texts):
                return True
        return False

    # -------------------------------------------------------------------------------------------------------- origins
    def _says(self, put: Put, origin: flow.Origin, parts: frozenset[str]) -> Iterator[tuple[str, Author]]:
        """What is said at a place where a text begins, and by whom; `parts` are the names in the record."""
        whole = self._of_all(origin, put.scope, parts)
        if whole:
            yield whole, Author("", origin.node.span, origin.trail, Confidence.MEDIUM)
        function = origin.node if origin.kind == "parameter" else None
        if isinstance(function, ir.Function) and self._listeners.told(function, origin.name, parts):
            told = f"what {function.name or 'a callback'} is told"
            yield told, Author("", function.name_span, origin.trail, Confidence.MEDIUM)
        for author in self._written_by(origin):
            named = origin.name if origin.kind == "parameter" else ""
            if (author.closed and not _lets_through(author, named)) or _only_names(origin, author, named):
                continue
            is_served = author.origin == TOOLS and len(author.trail) <= FAR and not _lists(origin.node)
            if (
                author.origin not in {"model", "user"}
                and not is_served
                and not self._is_tool_s(author, put.scope, origin.node)
            ):
                continue
            is_shown = put.spoken and not self._served.of(put.scope)  # in a page, before the eyes of the user
            if author.origin == "user" and (is_shown or not self._is_saying(origin, parts)):
                continue
            name = {"model": WROTE, "user": named or "what a user wrote"}.get(author.origin, f"text ({author.origin})")
            if author.tool is not None:
                name = f"{named}, an argument of {author.tool.name}"
            yield name, author

    def _is_saying(self, origin: flow.Origin, parts: frozenset[str]) -> bool:
        """Whether a user's text is one by its name; of a whole request, by the name of its part."""
        if origin.kind == "call":  # `options.getString("question")`
            return any(map(SAYING.search, stated.keys(origin.node))) or stated.is_typed_in(origin.node)
        if origin.kind != "parameter":
            return False
        if SAYING.search(origin.name) or TALK.match(origin.name) or _is_of_tool(origin):
            return True
        is_request = isinstance(origin.node, ir.Function) and self._served.answers(origin.node)
        return is_request and any(map(SAYING.search, parts))

    def _written_by(self, origin: flow.Origin) -> Iterator[Author]:
        """Whose text it is; what a platform hands to a function that answers messages is the user's."""
        known = tuple(self._authors.of(origin))
        yield from known
        function = origin.node
        if not known and isinstance(function, ir.Function) and self._served.answers(function):
            yield Author("user", function.name_span, origin.trail, Confidence.MEDIUM)

    def _of_all(self, origin: flow.Origin, scope: ir.Scope, parts: frozenset[str]) -> str:
        """What a text is that nobody in particular wrote: of a tool, of the conversation, of what is remembered."""
        if self._is_tool_run(origin, scope):
            return "what a tool returned"
        if origin.kind == "name" and origin.name == CONVERSATION:
            return CONVERSATION if len(origin.trail) <= NEAR else ""
        call = origin.node
        source = self._sources.of_call(call) if isinstance(call, ir.Call) else None
        if isinstance(call, ir.Call) and callee_name(call.callee) in RECEIVING and len(origin.trail) <= NEAR:
            return "what a client sent"
        if isinstance(call, ir.Call) and invokes_agent(call) and len(origin.trail) <= NEAR:
            return "" if any(self._authors.of(origin)) else "what an agent answered"
        remembered = source is not None and source.origin == "memory" and source.confidence is Confidence.HIGH
        is_row = isinstance(call, ir.Call) and bool(ROWS & kinds_of(self._context, call))
        in_tool = id(scope) in self._code_of_tools()
        tells = remembered and (not is_row or in_tool or any(map(SAYING.search, parts)))
        return "what is remembered" if tells and len(origin.trail) <= FAR else ""

    def _is_tool_run(self, origin: flow.Origin, scope: ir.Scope) -> bool:
        """Whether a text is what some tool has just returned; in the function that ran it, however it was put since."""
        call = origin.node
        if origin.kind != "call" or not isinstance(call, ir.Call):
            return False
        if len(origin.trail) > (FAR if self._context.program.scope_of(call) is scope else NEAR):
            return False
        if any(isinstance(value, ClassValue) for value in self._context.program.value_of(call.callee)):
            # A tool that is made is not run; a result that is made in the code of a tool is what it returns.
            return id(self._context.program.scope_of(call)) in self._code_of_tools()
        called_so = TOOL.search(dotted(call.callee)) is not None and LISTING.match(callee_name(call.callee)) is None
        return called_so and (self._runs.surely_runs_any(call) or invokes_tool(call))

    def _is_tool_s(self, author: Author, scope: ir.Scope, source: ir.Node) -> bool:
        """Whether what a source says is a tool's: it, or the record, stands in the code of one. Of a file only where a
        model names it: others may be the project's settings.
        """
        if author.origin not in FOREIGN or (author.origin == "file" and not self._is_asked_for(source)):
            return False
        at = self._context.program.scope_of(ir.Name(author.span, ""))
        return bool({id(at), id(scope)} & self._code_of_tools())

    def _code_of_tools(self) -> frozenset[int]:
        """The ids of the functions that tools run."""
        if self._inside is None:
            bodies = [function.body for function in self._running.values()]
            found = (f for body in bodies for f, _ in extent(self._context.program, body, set()).called)
            self._inside = frozenset(self._running) | frozenset(map(id, found))
        return self._inside

    def _is_asked_for(self, source: ir.Node) -> bool:
        """Whether a model names what is read: an argument of a tool decides which file."""
        asked = [argument.value for argument in source.args] if isinstance(source, ir.Call) else []
        origins = (origin for expr in asked for origin in flow.ends(self._context.program, expr))
        return any(origin.kind == "parameter" and id(origin.node) in self._tools for origin in origins)

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

    def _whole(self, text: ir.Expr) -> Iterator[ir.Name | ir.Member]:
        """The names whose values a text has as they are: not what is counted or redacted, nor what says nothing."""
        stack: list[ir.Node] = [text]
        while stack:
            node = stack.pop()
            match node:
                case ir.Name() | ir.Member():
                    yield node
                case ir.Call() if redacts(self._context, node):
                    continue
                case ir.Operator(op=op) if op in TESTS:
                    continue
                case ir.Call(args=args):
                    counted = names_in(node.callee) & {"len", "type", "id"}
                    stack += [] if counted else [argument.value for argument in args]
                case _:
                    stack += ir.children(node)

    def _parts(self, whole: tuple[ir.Name | ir.Member, ...]) -> Iterator[ir.Name | ir.Member]:
        """These names, and those in the texts that were put together before: `header = f"--- {prompt}"`."""
        yield from whole
        for node in whole:
            made = only_value(self._context.program, node) if isinstance(node, ir.Name) else None
            if isinstance(made, ir.Template):
                yield from self._whole(made)

    def is_in(self, function: ir.Function) -> bool:
        """Whether a function is given what a user says, or gives back what a model wrote or others' text."""
        given = ({p.name} if p.pattern is None else names_in(p.pattern) for p in function.params)
        if any(SAYING.search(name) for names in given for name in names):
            return True
        results = self._context.program.structure(function).returns
        origins = (o for text in results for o in flow.origins(self._context.program, text, self._ways))
        authors = (author for origin in origins for author in self._authors.of(origin) if not author.closed)
        return any(author.origin == "model" or author.origin in FOREIGN - {"file"} for author in authors)


def _lists(node: ir.Node) -> bool:
    """Whether a call only asks what there is: `client.listTools()`."""
    return isinstance(node, ir.Call) and callee_name(node.callee).lstrip("_").startswith("list")


def _is_of_tool(origin: flow.Origin) -> bool:
    """Whether a function is told what a tool was called with, or what it returned: `add_tool_call(tool_name, args)`."""
    names = [param.name for param in origin.node.params] if isinstance(origin.node, ir.Function) else []
    return PASSED.match(origin.name) is not None and any(map(TOOL_NAME.match, names))


def _lets_through(author: Author, name: str) -> bool:
    """Whether an argument is text that only the tool's own code asks about, however much that lets through."""
    parameters = author.tool.schema.parameters if author.tool is not None else ()
    return any(one.name == name and one.asked and one.words for one in parameters)


def _only_names(origin: flow.Origin, author: Author, name: str) -> bool:
    """Whether a parameter says which thing is meant, and no model that calls a tool has chosen it."""
    is_name = NAMED in origin.passed or META.search(name) is not None
    return (is_name and author.tool is None) or PLAIN.search(name) is not None


def _is_worth(text: ir.Expr) -> bool:
    named = (node for node in ir.walk(text) if isinstance(node, (ir.Name, ir.Member)))
    return any(WORTH.search(node.id if isinstance(node, ir.Name) else node.name) for node in named)


def _identifies(text: ir.Expr, whole: tuple[ir.Name | ir.Member, ...]) -> bool:
    """Whether a text is made of names that only say which thing is meant: `skill_path`, `page.url`, `page["title"]`."""
    titled = {id(part) for node in ir.walk(text) if stated.is_titled(node) for part in ir.walk(node)}
    named = [words_of(callee_name(node)) for node in whole if id(node) not in titled]
    return bool(whole) and all(IDENTIFYING.search(name) or name.lower() == stated.TITLE for name in named)
