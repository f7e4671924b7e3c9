"""Questions to a person that the project's own code asks before an agent acts, and what goes past them.

A question is an approval when it stands in front of a tool, when the function that asks is called so, or when its text
says so. What passes it by is read from the tests around it, up to two calls outwards.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.names.exits import is_answer
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.functions_of_agents import Near
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.control.persons_answers import answers_for_person
from agent_architecture.semantics.control.refusal import ASKED
from agent_architecture.semantics.control.switched_off import is_switched_off
from agent_architecture.semantics.effects.requests import texts_in
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.topics.approvals.bypasses import passing
from agent_architecture.semantics.topics.approvals.own_commands import is_of_own_command
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Binding, Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

MARK: Final = "waits_for_person"
INNER: Final = 2
"""Calls that a function which asks is followed through to the question itself."""
NAMED: Final = regex(r"confirm(?!ed|s)|approv(?:e(?!d)|al)|permission(?!s)|consent", re.IGNORECASE)
"""Names of functions that ask for an approval, where there is a question in them."""
TEXT: Final = regex(
    r"\b(?:approve|allow|execute|run (?:this|the|it)|permission|proceed with|perform (?:this|the)"
    r"|confirm (?:this|the)|are you sure)\b",
    re.IGNORECASE,
)
"""Words of a question about what an agent is going to do."""


ANSWERS: Final = frozenset({
    "accept", "accepted", "approve", "approved", "reject", "rejected", "deny", "denied", "allow", "confirm",
    "confirmed",
})  # fmt: skip
"""Words of an answer to the question whether something may be done."""


YES_OR_NO: Final = frozenset({"always", "cancel", "n", "never", "no", "ok", "okay", "once", "y", "yes"})
COMMANDS: Final = 3
"""Words of more than a letter among which a menu lets its user choose."""


class Question(NamedTuple):
    """A call that asks, and the function around it."""

    call: ir.Call
    scope: ir.Scope


def questions(context: Context, agents: Agents, bindings: tuple[Binding, ...]) -> Iterator[Approval]:
    """Every question in code that stands before something an agent does."""
    gated = _gated(agents, bindings)
    asking = {id(q.call): q for q in _asking(context)}
    near = Near(context, agents, bindings)
    own = {id(function): tool for tool in agents.all_tools() if (function := agents.code.get(id(tool))) is not None}
    entered: set[int] = set()
    for question in (*_in_functions(context, asking), *asking.values(), *_by_name(context, agents, gated)):
        call, scope = question
        if id(call) in entered or _leads_to(context, call, entered) or _is_unwanted(context, question):
            continue
        tools = gated.get(call.span) or _behind_callers(context, scope, gated)
        if not tools and (not _speaks(context, question) or is_of_own_command(context, call)):
            continue
        pauses = context.at(call, "interrupt") is not None
        if tools or pauses or id(scope) in own or near.to_agent(scope):
            entered.update({id(call), id(scope)})
            tool = own.get(id(scope))
            before = tools or ((tool,) if tool is not None else ())
            bypasses = (*passing(context, call, scope), *_elsewhere(bindings, call.span, before))
            picked = pauses and id(scope) not in own and _decides(question)  # asks of whatever is picked by its name
            yield Approval(call.span, called(call), "", before, picked or not before, bypasses)


def _behind_callers(context: Context, scope: ir.Scope, gated: dict[Span, tuple[Tool, ...]]) -> tuple[Tool, ...]:
    """The tools that stand behind the calls of a function which answers what a person said in it."""
    sites = context.program.callers(scope) if isinstance(scope, ir.Function) else ()
    behind = [site for site in sites if site.call.span in gated and answers_for_person(context, site.call)]
    return tuple({id(tool): tool for site in behind for tool in gated[site.call.span]}.values())


def _is_unwanted(context: Context, question: Question) -> bool:
    """Whether no caller wants a question: it is switched off, or each call of the function around it is."""
    if is_switched_off(context, question.call):
        return True
    sites = context.program.callers(question.scope) if isinstance(question.scope, ir.Function) else ()
    return bool(sites) and all(is_switched_off(context, site.call) for site in sites)


def _gated(agents: Agents, bindings: tuple[Binding, ...]) -> dict[Span, tuple[Tool, ...]]:
    """The tools that stand behind a question, by its place."""
    found: dict[Span, tuple[Tool, ...]] = {}
    gates = [(tool, tool.gate) for tool in agents.all_tools()]
    gates += [(binding.tool, binding.gate) for binding in bindings]
    for tool, gate in gates:
        if gate.inside is not None and not any(known is tool for known in found.get(gate.inside, ())):
            found[gate.inside] = (*found.get(gate.inside, ()), tool)
    return found


def _asking(context: Context) -> Iterator[Question]:
    """The calls that libraries say wait for a person, and interrupts."""
    for name in sorted(context.packs.mark_names(MARK)):
        for site in context.program.calls(name):
            if not site.decorates and MARK in marks_of(context, site.call):
                yield Question(site.call, site.scope)
    for match in context.of_kind("interrupt"):
        if isinstance(match.node, ir.Call):
            yield Question(match.node, context.program.scope_of(match.node))


def _in_functions(context: Context, asking: dict[int, Question]) -> Iterator[Question]:
    """The question of each function that is called an approval: its own, or the call that leads to one."""
    holding = {id(question.scope) for question in asking.values()}
    for module in context.program.modules:
        for function in module.index.functions:
            if function.name and NAMED.search(function.name):
                call = next((c for c in context.program.structure(function).calls if id(c) in asking), None)
                call = call or next(
                    (c for c in context.program.structure(function).calls if _leads(context, c, holding, INNER)), None
                )
                if call is not None:
                    yield Question(call, function)


def _leads(context: Context, call: ir.Call, holding: set[int], depth: int) -> bool:
    """Whether a call comes to a function that asks."""
    for function in context.program.callees(call):
        if id(function) in holding:
            return True
        inner = context.program.structure(function).calls if depth > 1 else ()
        if any(_leads(context, one, holding, depth - 1) for one in inner):
            return True
    return False


def _by_name(context: Context, agents: Agents, gated: dict[Span, tuple[Tool, ...]]) -> Iterator[Question]:
    """Questions of the project's own that are known by their names alone, in the code of tools."""
    for function in agents.code.values():
        for node in own_nodes(function, ir.Call):
            if node.span in gated and not _only_says(context, node):
                yield Question(node, context.program.scope_of(node))


def _only_says(context: Context, call: ir.Call) -> bool:
    """Whether a call only makes an answer: `Decision.confirm()`."""
    functions = context.program.callees(call)
    return bool(functions) and all(
        is_answer(node) or isinstance(node, ir.Literal) for function in functions for node in function.body
    )


def _leads_to(context: Context, call: ir.Call, entered: set[int]) -> bool:
    """Whether a call only leads to a function whose question is known already."""
    return any(id(function) in entered for function in context.program.callees(call))


def _speaks(context: Context, question: Question) -> bool:
    """Whether the function around a question, or its text, says that it is about what an agent does."""
    if _is_menu(question):
        return False
    if isinstance(question.scope, ir.Function) and question.scope.name and ASKED.search(question.scope.name):
        return True
    if any(TEXT.search(text) for text in texts_in(context.program, question.call)):
        return True
    return context.at(question.call, "interrupt") is not None and _decides(question)


def _is_menu(question: Question) -> bool:
    """Whether the answer is one of several commands of the user's own (view, skip, clear), and none says yes or no."""
    after = (n for n in own_nodes(question.scope, ir.Operator) if n.span > question.call.span and n.op is ir.Op.EQ)
    texts = (part.value for node in after for part in node.operands if isinstance(part, ir.Literal))
    words = {text.lower() for text in texts if isinstance(text, str)}
    return len([word for word in words if len(word) > 1]) >= COMMANDS and words.isdisjoint(ANSWERS | YES_OR_NO)


def _decides(question: Question) -> bool:
    """Whether a pause is followed by a test for a word of an approval: `if answer["type"] == "accept"`."""
    for node in own_nodes(question.scope):
        if node.span > question.call.span:
            operands = (
                node.operands if isinstance(node, ir.Operator) and node.op in {ir.Op.EQ, ir.Op.NE, ir.Op.IN} else ()
            )
            patterns = (p for case in node.cases for p in case.patterns) if isinstance(node, ir.Match) else ()
            for part in (*operands, *patterns):
                if any(isinstance(n, ir.Literal) and str(n.value).lower() in ANSWERS for n in ir.walk(part)):
                    return True
    return False


def _elsewhere(bindings: tuple[Binding, ...], place: Span, tools: tuple[Tool, ...]) -> Iterator[Bypass]:
    """Bindings of the same tools where nothing asks, when the question stands at another binding of them."""
    for tool in tools:
        own = [binding for binding in bindings if binding.tool is tool]
        if tool.gate.inside is None and any(binding.gate.inside == place for binding in own):
            for binding in own:
                if binding.gate.inside is None and not binding.gate.approval.values and not binding.unreadable:
                    what = f"{tool.name} is bound here, too, and nobody is asked"
                    yield Bypass(binding.span, BypassKind.OTHER_WAY, what, tool)
