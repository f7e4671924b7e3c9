"""What stands around an agent, run or tool: guards, and approvals by a person, as the packs name them.

Facts about the code: whether a guard of the project can refuse at all is read from its function. Must not judge.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Gate, Guard, GuardStage
from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown, written
from agent_architecture.model.words import plain
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    Unknown,
    Value,
    Values,
)
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.langgraph_tool_nodes import acting_nodes
from agent_architecture.semantics.agents.approval_words import in_words, is_asking, strongest
from agent_architecture.semantics.callgraph.processes import assigned_for
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.refusal import can_refuse, refuses_results
from agent_architecture.semantics.control.tool_allowlists import let_through
from agent_architecture.semantics.matching.effective import effective, library_default
from agent_architecture.semantics.matching.makers import makers, receivers
from agent_architecture.semantics.matching.named_tools import is_named
from agent_architecture.semantics.matching.read import Read, at_call, to_setting, within
from agent_architecture.semantics.matching.set_attributes import SetGuards
from agent_architecture.semantics.packs.addresses import Address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import EntityRow
    from agent_architecture.sources.source import Span

STAGES: Final = {
    "tool_call": GuardStage.PRE_TOOL,
    "tool_result": GuardStage.POST_TOOL,
    "input": GuardStage.INPUT,
    "output": GuardStage.OUTPUT,
    "message": GuardStage.HANDOFF,
    "model_request": GuardStage.MODEL,
    "model_response": GuardStage.MODEL,
}
"""The words of the packs."""

HOOKS: Final = {
    name: stage
    for stage, names in {
        GuardStage.PRE_TOOL: """wraptoolcall awraptoolcall beforetool beforetoolcall beforetoolcallback
        beforetoolexecute wraptoolexecute ontoolexecution oncalltool""",
        GuardStage.POST_TOOL: "aftertoolcall aftertoolcallback aftertoolexecute",
        GuardStage.INPUT: "beforemodel abeforemodel beforeagent abeforeagent beforemodelcallback beforemodelrequest",
        GuardStage.MODEL: "wrapmodelcall awrapmodelcall onllmcall",
        GuardStage.OUTPUT: "aftermodel aaftermodel afteragent aafteragent aftermodelcallback aftermodelrequest",
    }.items()
    for name in names.split()
}
"""Methods and options of guards whose row names no stage, in lower case without underscores."""

EVERYWHERE: Final = "process"
"""The scope of a guard that stands around every agent of its library."""


TOOL_NODES: Final = ("tool", "action")
"""What the nodes that run tools are called in lists of nodes before which a graph pauses."""


class Around(NamedTuple):
    """What stands around something: its guards, its approvals, and what of it cannot be read (the end of "it comes
    from …").
    """

    guards: tuple[Guard, ...] = ()
    approvals: tuple[tuple[Values, Span], ...] = ()
    """What approvals apply to, as it is written, and where."""
    unreadable: str = ""


def _decides(row: EntityRow) -> bool:
    """Whether a row's own approval is somebody's decision: of a tool that cannot ask nobody decided it; a row that asks
    for what somebody wrote says what that decides.
    """
    return row.constants.get("approval", False) is not False or ("approval" in row.constants and bool(row.requires))


class Guards:
    """Guards and approvals of agents, runs and tools, found on demand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._assigned = SetGuards(context)
        self._everywhere: dict[str, tuple[Guard, ...]] | None = None
        self._registered: dict[int, list[Match]] | None = None
        self._on_objects: dict[int, list[Match]] | None = None

    def around(self, match: Match) -> Around:
        """What stands around what a match made: named at its own call, in its relation, or set on a receiver."""
        own_guards = (*self._context.all_at(match.node, "guard"), *self._set_on().get(id(match.node), ()))
        guards = [guard for own in own_guards for guard in self._guards(own, own.node.span)]
        approvals = [(self._applies_to(own), own.node.span) for own in self._context.all_at(match.node, "approval")]
        approvals += self._set(match)
        unreadable = ""
        for value in self._named(match):
            if isinstance(value, Unknown):
                unreadable = unreadable or value.why
                continue
            for made in self._made(value):
                if made.row.kind == "guard":
                    guards.extend(self._guards(made, made.node.span))
                else:
                    approvals.append((self._applies_to(made), made.node.span))
        unique = {(guard.span, guard.stage, guard.symbol): guard for guard in guards}
        return Around(tuple(unique.values()), tuple(approvals), unreadable)

    def gate(self, match: Match, tool: str, around: Around) -> Gate:
        """The approval that an agent or run puts in front of a tool of this name."""
        approved = self._approved(match, tool)
        if approved is not None:
            return Gate(approved)
        settings = [asked for values, span in around.approvals for asked in self._asks(values, tool, span)]
        for read in self._approval_values(match):
            settings += self._asks(read, tool, match.node.span, acting_nodes(self._context, match))
        return Gate(strongest(settings) if settings else self._by_default(match))

    def _approved(self, match: Match, tool: str) -> Setting | None:
        """That an agent approves the calls of a tool beforehand: all of them, or some by a rule."""
        address = match.row.properties.get("approved")
        if address is None:
            return None
        read = at_call(self._context.program, match.arguments, match.api.receiver, address)
        lists = [value for value in read.values if isinstance(value, Items)]
        texts = [v for one in lists for item in one.items for v in self._context.program.value_of(item)]
        how = is_named(tool, [v.value for v in texts if isinstance(v, Const) and isinstance(v.value, str)])
        return written("never" if how == "always" else how, match.node.span) if how else None

    def _by_default(self, match: Match) -> Setting:
        default = library_default(self._context, match, "approval")
        asks = default is not ABSENT and default.value is not None and is_asking(default.value)
        return default._replace(values=("always",)) if asks else ABSENT

    def wrapped(self, value: Value, tool: str) -> Setting:
        """The approval that a registry was given on the way to where it is bound (`toolset.approval_required()`)."""
        matches = [match for node in makers(value) for match in self._context.all_at(node, "approval")]
        return strongest([a for m in matches for a in self._asks(self._applies_to(m), tool, m.node.span)])

    def own_gate(self, match: Match, tool: str, around: Around) -> Setting:
        """The approval that a tool's own call asks for, in the words of `Gate`; `around` is what stands around it."""
        stated = "approval" in match.row.constants or "approval" in match.row.properties
        switched = self._switched_by_environment(match) if stated else None
        if switched is not None:
            return switched
        values = tuple(value for read in self._approval_values(match) for value in read)
        if values:
            return self._word(values, match.node.span)
        default = library_default(self._context, match, "approval")
        if default is not ABSENT:
            return default._replace(values=("always" if is_asking(default.value) else "never",))
        return strongest([asked for values, span in around.approvals for asked in self._asks(values, tool, span)])

    def _switched_by_environment(self, match: Match) -> Setting | None:
        """What a variable that is set for a tool of a library says of the questions that it asks."""
        wanted = ("tool", "approval", match.row.where.pack)
        said = assigned_for(self._context, match.node.span.path)
        return next((one.setting for one in said if (one.row.kind, one.row.sets, one.row.where.pack) == wanted), None)

    # ------------------------------------------------------------------------------------------------------- guards
    def _named(self, match: Match) -> Iterator[Value]:
        program = self._context.program
        address = match.row.relations.get("guards")
        for _, values in self._alternatives(match, address) if address is not None else ():
            yield from values
        for row, call, receiver in self._context.set_calls.of(match):
            if "guards" in row.relations:
                yield from at_call(program, call, receiver, row.relations["guards"]).values
        yield from self._assigned.of(match)

    def _made(self, value: Value) -> tuple[Match, ...]:
        kinds = ("guard", "approval")
        match value:
            case Func():
                return self._context.all_at(value.function, *kinds)
            case Instance() | ClassValue():
                lineage = self._context.program.lineage(value.cls)
                own = (match for cls in lineage for match in self._context.all_at(cls, *kinds))
                return (*own, *(match for cls in lineage for match in self._registering().get(id(cls), ())))
            case Api() | Entries():
                return (*self._context.all_at(value.node, *kinds), *self._set_on().get(id(value.node), ()))
            case _:
                return ()

    def _set_on(self) -> dict[int, list[Match]]:
        """The guards that are registered on an object, by a call or decorator of it; by the call that made it."""
        if self._on_objects is None:
            self._on_objects = {}
            for match in self._context.of_kind("guard"):
                for api in receivers(match.api):
                    self._on_objects.setdefault(id(api.node), []).append(match)
        return self._on_objects

    def _registering(self) -> dict[int, list[Match]]:
        """The guards that methods of a class register, by the class: an object of it brings them all."""
        if self._registered is None:
            self._registered = {}
            for match in self._context.of_kind("guard"):
                method = self._context.program.scope_of(match.node) if isinstance(match.node, ir.Call) else None
                if isinstance(method, ir.Function) and isinstance(method.outer, ir.Class):
                    self._registered.setdefault(id(method.outer), []).append(match)
        return self._registered

    def of_library(self, pack: str) -> tuple[Guard, ...]:
        """Guards that stand around every agent of a library."""
        if self._everywhere is None:
            self._everywhere = {}
            for match in self._context.of_kind("guard"):
                if match.row.constants.get("scope") == EVERYWHERE:
                    found = tuple(self._guards(match, match.node.span))
                    self._everywhere[match.row.where.pack] = (*self._everywhere.get(match.row.where.pack, ()), *found)
        return self._everywhere.get(pack, ())

    def _guards(self, match: Match, span: Span) -> Iterator[Guard]:
        """The guards that one match is: one for each function that stands at a stage of its own."""
        said = effective(self._context, match, "stage").value
        blocks = effective(self._context, match, "blocks")
        parallel = effective(self._context, match, "parallel").value is True
        fails_open = effective(self._context, match, "fails_open").value is True
        watches = blocks.is_known and all(value is False for value in blocks.values)
        for hook, function, tools in self._functions(match):
            stage = STAGES.get(str(said)) or HOOKS.get(hook)
            if stage is not None:
                symbol = function.name if function is not None and function.name else self._context.symbol(match.node)
                never = conditions_of(self._context).never
                refuses = not watches and (function is None or can_refuse(function, never))
                if stage is GuardStage.PRE_TOOL and function is not None and refuses_results(function, never):
                    stage = GuardStage.POST_TOOL
                at = span if function is None else function.name_span if function.name else function.span
                lets = None if function is None or not refuses else let_through(self._context, function)
                yield Guard(at, symbol, match.row.where.pack, stage, refuses, parallel, fails_open, tools, lets)

    def _functions(self, match: Match) -> Iterator[tuple[str, ir.Function | None, str]]:
        """The project's functions that a guard runs, with the name of the hook that each is, and the pattern of the
        tools before which it stands.
        """
        if isinstance(match.node, ir.Function):
            yield "", match.node, ""
            return
        if isinstance(match.node, ir.Class):
            methods = [node for node in match.node.body if isinstance(node, ir.Function)]
            yield from ((plain(m.name), m, "") for m in methods if plain(m.name) in HOOKS or m.name == match.row.method)
            return
        address = match.row.relations.get("function")
        found = False
        for hook, values, tools in self._hooks(match, address) if address is not None else ():
            for value in values:
                found = True
                yield hook, value.function if isinstance(value, Func) else None, tools
        if not found:
            yield "", None, ""

    def _hooks(self, match: Match, address: Address) -> Iterator[tuple[str, Values, str]]:
        """What stands at an address, with the pattern of tools that shares an element of a list with it."""
        tools = match.row.properties.get("applies_to")
        if tools is None:
            yield from ((hook, values, "") for hook, values in self._alternatives(match, address))
            return
        program = self._context.program
        for functions, names in zip(address.alternatives, tools.alternatives, strict=True):
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(functions, names, strict=False)))
            elements = Address((functions[:shared],))
            for element in at_call(program, match.arguments, match.api.receiver, elements).values:
                pattern = within(program, element, Address((names[shared:],))).values
                values = within(program, element, Address((functions[shared:],))).values
                yield plain(str(functions[-1])), values, _pattern(pattern)

    def _alternatives(self, match: Match, address: Address) -> Iterator[tuple[str, Values]]:
        for steps in address.alternatives:
            alone = address._replace(alternatives=(steps,))
            values = at_call(self._context.program, match.arguments, match.api.receiver, alone).values
            if values:
                yield plain(str(steps[-1])), values

    # ---------------------------------------------------------------------------------------------------- approvals
    def _applies_to(self, match: Match) -> Values:
        mode = effective(self._context, match, "mode")
        if mode.is_known and not is_asking(mode.value):
            return ()
        address = match.row.properties.get("applies_to")
        if address is not None:
            values = at_call(self._context.program, match.arguments, match.api.receiver, address).values
            if values:
                return values
        return (Const(match.row.constants.get("applies_to", True), match.node.span),)

    def _approval_values(self, match: Match) -> Iterator[Values]:
        """What the property `approval` is at the call, then on its receivers."""
        program = self._context.program
        address = match.row.properties.get("approval")
        if address is not None:
            for steps in address.alternatives:
                alone = address._replace(alternatives=(steps,))
                if not plain(str(steps[-1])).endswith("after"):
                    values = at_call(program, match.arguments, match.api.receiver, alone).values
                    if values:
                        yield tuple(in_words(value, match.row.values.get("approval", {})) for value in values)
        elif _decides(match.row):
            yield (Const(match.row.constants["approval"], match.node.span),)

    def _set(self, match: Match) -> Iterator[tuple[Values, Span]]:
        """What a call says of the approvals of what it is called on: `conversation.set_confirmation_policy(…)`."""
        words = match.row.values.get("approval", {})
        for row, call, receiver in self._context.set_calls.of(match):
            if "approval" in row.properties:
                values = at_call(self._context.program, call, receiver, row.properties["approval"]).values
                yield tuple(in_words(value, words) for value in values), call.span

    def _asks(self, values: Values, tool: str, span: Span, nodes: frozenset[str] = frozenset()) -> Iterator[Setting]:
        """What an approval says of one tool: a mapping or list names tools, or steps that run tools (`nodes`)."""
        for value in values:
            match value:
                case Entries():
                    named = [entry for key, entry in value.entries if key in {tool, "*"}]
                    if named:
                        yield self._word(self._context.program.value_of(named[-1]), named[-1].span)
                    elif not value.complete:
                        yield unknown("a mapping that is not fully readable", span)
                case Items():
                    names = [v for item in value.items for v in self._context.program.value_of(item)]
                    texts = [v.value for v in names if isinstance(v, Const) and isinstance(v.value, str)]
                    acts = any(word in text.lower() for text in texts for word in TOOL_NODES)
                    if tool in texts or "*" in texts or (nodes <= set(texts) if nodes else acts):
                        yield written("always", span)
                    elif not value.complete or any(isinstance(v, Unknown) for v in names):
                        yield unknown("a list that is not fully readable", span)
                case Const(value="output" | "execute_code"):
                    continue
                case _:
                    yield self._word((value,), span)

    def _word(self, values: Values, span: Span) -> Setting:
        """A setting in the words of `Gate`: `always`, `never`, `conditional`."""
        setting = to_setting(self._context.program, Read(values, missing=False))
        if setting.origin is not Origin.WRITTEN:
            return setting
        words = {self._one_word(value) for value in values}
        word = words.pop() if len(words) == 1 else "conditional"
        return written(word, setting.span or span)

    def _one_word(self, value: Value) -> str:
        match value:
            case Const():
                return "always" if is_asking(value.value) else "never"
            case Func():
                returns = self._context.program.structure(value.function).returns
                said = {
                    v.value if isinstance(v, Const) else None
                    for r in returns
                    for v in self._context.program.value_of(r)
                }
                if said and all(isinstance(answer, (bool, str)) for answer in said):
                    words = {"always" if is_asking(answer) else "never" for answer in said}
                    return words.pop() if len(words) == 1 else "conditional"
                return "conditional"
            case _:
                return "always"


def _pattern(values: Values) -> str:
    """The pattern of the tools that a hook is for; "" for all of them, and for one that cannot be read."""
    texts = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    return texts[0] if len(texts) == len(values) == 1 and texts[0] not in {"*", ".*"} else ""
