"""Routers: functions that choose where a graph goes on, and agents that choose to whom they pass the work.

States by what they choose, whether the ways are listed, whether one is left for everything else, and whether the
answer is checked before it is followed. Judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.decisions import Deciding, Router
from agent_architecture.names import flow
from agent_architecture.names.exits import answer_of, answers
from agent_architecture.names.in_place import with_helpers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import ORDERED
from agent_architecture.names.values import Entries, Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.langgraph import CONDITIONAL, NODE, builder_calls
from agent_architecture.semantics.adapters.langgraph_choices import key_of
from agent_architecture.semantics.adapters.langgraph_decisions import Branch, decided_edges
from agent_architecture.semantics.adapters.langgraph_routes import at
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.control.condition import all_in
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.conversations.graph_writes import returned
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.decisions.model_flags import ModelFlags
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

SURE: Final = regex(r"confiden|certain|score|threshold|probab", re.IGNORECASE)
MAY: Final = regex(r"\brole|permission|privilege|scope|authori[sz]|is_admin|allowed|tenant", re.IGNORECASE)
READ: Final = (ir.Name, ir.Index, ir.Member, ir.Call)
EQUAL: Final = frozenset({ir.Op.EQ, ir.Op.NE, ir.Op.IN})
LOOKS: Final = frozenset({"startswith", "endswith", "startsWith", "endsWith", "includes", "search", "match", "indexOf"})
PARSING: Final = frozenset(
    {"model_validate", "model_validate_json", "parse_raw", "parse_obj", "validate_json", "validate_python"}
)
"""Calls that refuse an answer of another shape."""
DECIDING: Final = 8
"""Functions that decide together, of those that hand on each other's answers."""
ACTION: Final = "1 | action | 0 | node"
SEND: Final = "Send"
MESSAGES: Final = "messages"
CONTENT: Final = "content"
"""What the text of a message is called."""


def routers(context: Context) -> tuple[Router, ...]:
    """Every choice of a graph by a function that can be read, once where several graphs share it, and every router that
    a library asks a model for.
    """
    branches = {branch.span: branch for branch in decided_edges(context) if branch.functions}
    return (*(of_branch(context, branch) for branch in branches.values()), *_of_libraries(context))


def of_branch(context: Context, branch: Branch) -> Router:
    """The router that a branch of a graph is."""
    functions = _deciders(context.program, branch.functions)
    nodes = tuple(node for function in functions for node in own_nodes(function))
    every = (*nodes, *_tested(context.program, nodes))
    asks = [m for node in with_helpers(context.program, nodes) for m in context.all_at(node, "model_call")]
    by = Deciding.MODEL if asks else _deciding(context, functions)
    checked = any(map(_asks_how_sure, tests_asked(context.program, nodes)))
    if by is Deciding.STATE:
        keys = _keys(context, functions)
        asks = list(_writers(context, branch, keys))
        by = Deciding.MODEL if asks else Deciding.CODE if _is_of_code(context, branch, keys) else by
    elif by is Deciding.CODE:
        asks = list(context.once(ModelFlags).of(branch, functions))
        by = Deciding.MODEL if asks else by
    typed = bool(asks) and all(_is_typed(context, ask) for ask in asks)
    return Router(
        branch.span,
        branch.symbol,
        branch.framework,
        by,
        closed=ANY not in branch.targets,
        default=all(_always_answers(context, function) for function in branch.functions),
        validated=typed
        or any(isinstance(node, ir.Call) and callee_name(node.callee) in PARSING for node in every)
        or any(_is_member_name(node) for node in every)
        or (by is not Deciding.TEXT and any(_is_member_test(node) for node in every)),
        checked=checked,
    )


def _is_typed(context: Context, ask: Match) -> bool:
    """Whether an answer has a schema: of a request, or of the agent that is run."""
    agents = run_agents(context, ask) if ask.row.kind == "run" else ()
    return effective(context, ask, "output_schema", *agents).origin.value != "absent"


def _deciders(program: Program, functions: tuple[ir.Function, ...]) -> tuple[ir.Function, ...]:
    """These functions, and those of the project whose answers they hand on: `return grade(state)`, and `where =
    nodes["route"](state)` before `return where`.
    """
    found = list(functions)
    for function in found:
        for answer in program.structure(function).returns:
            bound = visible_bindings(program, answer) if isinstance(answer, ir.Name) else ()
            for made in (answer, *(b.value for b in bound if b.kind == "assign" and not b.steps)):
                made = made.value if isinstance(made, ir.Await) else made  # noqa: PLW2901 - what is waited for
                called = program.callees(made) if isinstance(made, ir.Call) else ()
                found += [each for each in called if not any(each is one for one in found)]
    return tuple(found[:DECIDING])


def _of_libraries(context: Context) -> Iterator[Router]:
    """Teams whose library asks a model for the next speaker, checks the name, and keeps the last one otherwise."""
    for match in context.of_kind("router"):
        if is_asked_by_library(context, match) and not (
            isinstance(match.node, ir.Call) and callee_name(match.node.callee) in CONDITIONAL
        ):
            symbol = context.symbol(match.node)
            yield Router(match.node.span, symbol, match.row.where.pack, Deciding.MODEL)


def is_asked_by_library(context: Context, match: Match) -> bool:
    """Whether a library asks a model where to go on."""
    asks = effective(context, match, "asks")
    return bool(asks.values) and all(value is True for value in asks.values)


# ------------------------------------------------------------------------------------------------------ what it reads
def _deciding(context: Context, functions: tuple[ir.Function, ...]) -> Deciding:
    """By words in a message, by a label in the state, else by code."""
    found = Deciding.CODE
    for function in functions:
        if any(looks_for_words(node) for node in _tested(context.program, own_nodes(function))):
            return Deciding.TEXT
        if any(key_of(context.program, function, label) for label in _labels(context.program, function)):
            found = Deciding.STATE
    return found


def _keys(context: Context, functions: tuple[ir.Function, ...]) -> frozenset[str]:
    """The parts of the state by which functions choose: what they compare with texts, look up or give back."""
    found: set[str] = set()
    for function in functions:
        read = (
            node for label in _labels(context.program, function) for node in ir.walk(label) if isinstance(node, READ)
        )
        found |= {key for node in read if (key := key_of(context.program, function, node))}
    return frozenset(found)


def _tested(program: Program, nodes: tuple[ir.Node, ...]) -> list[ir.Node]:
    """What stands in the tests among nodes."""
    return [node for test in tests_asked(program, nodes) for node in ir.walk(test)]


def _labels(program: Program, function: ir.Function) -> Iterator[ir.Expr]:
    nodes = tuple(own_nodes(function))
    inner = _tested(program, nodes)
    yield from (o for n in inner if isinstance(n, ir.Operator) and n.op in EQUAL for o in _compared(n))
    yield from (node.subject for node in nodes if isinstance(node, ir.Match))
    yield from (target for n in inner for target in _searched(n))
    yield from (part for answer in answers(nodes) for part in _handed_on(program, answer))
    yield from (label for node in nodes if (label := _sent_to(node)) is not None)


def _handed_on(program: Program, answer: ir.Expr) -> Iterator[ir.Expr]:
    """What an answer takes out of something as it is, also on one side of a choice or under a name of its own:
    `state["next"]`, `state.get("next", "end")`.
    """
    match answer:
        case ir.Index() | ir.Member() | ir.Call(callee=ir.Member(name="get")):
            yield answer
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=sides):
            yield from (part for side in sides for part in _handed_on(program, side))
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (part for side in (then, otherwise) for part in _handed_on(program, side))
        case ir.Name():
            bound = visible_bindings(program, answer)
            values = [b.value for b in bound if b.kind == "assign" and not b.steps and not isinstance(b.value, ir.Name)]
            yield from (part for value in values if value is not None for part in _handed_on(program, value))
        case _:
            return


def _writers(context: Context, branch: Branch, keys: frozenset[str]) -> Iterator[Match]:
    """The requests whose answers steps of a graph put into these parts of its state, `messages` aside."""
    asks = {id(match.node): match for match in context.of_kind("model_call")}
    for returning, label in _written(context, branch, keys):
        if any(isinstance(value, Entries) for value in context.program.value_of(label)):
            continue  # a table that the code makes: who wrote which of its parts is not told
        decided = (label, *_tests_of_label(context, returning, label))
        found = [origin for expr in decided for origin in flow.ends(context.program, expr)]
        yield from (asks[id(o.node)] for o in found if o.kind == "call" and id(o.node) in asks)


def _is_of_code(context: Context, branch: Branch, keys: frozenset[str]) -> bool:
    """Whether all that steps put there is one of the labels that are written in them, by steps that neither ask a model
    nor go by a label themselves.
    """
    written = tuple(_written(context, branch, keys))
    ends = [flow.ends(context.program, label) for _, label in written]
    if not written or not all(found and all(end.kind == "constant" for end in found) for found in ends):
        return False
    steps = [context.program.scope_of(returning) for returning, _ in written]
    return all(
        isinstance(step, ir.Function) and _deciding(context, (step,)) is Deciding.CODE for step in steps
    ) and not any(
        context.all_at(node, "model_call") for step in steps for node in with_helpers(context.program, own_nodes(step))
    )


def _written(context: Context, branch: Branch, keys: frozenset[str]) -> Iterator[tuple[ir.Node, ir.Expr]]:
    """What steps of a graph put into these parts of its state, each with where it is given back."""
    for key, site in builder_calls(context, NODE):
        actions = at(context, site.call, ACTION) if key == branch.graph else ()
        functions = (value.function for value in actions if isinstance(value, Func))
        for function in (each for one in functions for each in _deciders(context.program, (one,))):
            for written in returned(context.program, function, ()):
                yield from ((written.node, label) for named, label in written.entries if named in keys - {MESSAGES})


def _tests_of_label(context: Context, returned: ir.Node, label: ir.Expr) -> Iterator[ir.Expr]:
    """What is compared with a text before a step returns a label of its own: `if route == "new": return …`."""
    conditions = conditions_of(context)
    places: list[ir.Node] = [returned] if isinstance(label, ir.Literal) else []
    for binding in visible_bindings(context.program, label) if isinstance(label, ir.Name) else ():
        places += [binding.value] if isinstance(binding.value, ir.Literal) else []
    known = ((place, one) for place in places for one in all_in(conditions.at(place)))
    around = (one.expr for place, one in known if one.at.span.contains(place.span))
    compared = (node for test in around for node in ir.walk(test) if isinstance(node, ir.Operator))
    yield from (side for node in compared if node.op in EQUAL for side in _compared(node))


def _is_member_name(node: ir.Node) -> bool:
    """Whether a member of an enumeration is named: `Label.UNSAFE`."""
    return (
        isinstance(node, ir.Member)
        and isinstance(node.target, ir.Name)
        and (node.name.isupper() and node.target.id[:1].isupper())
    )


def _searched(node: ir.Node) -> tuple[ir.Expr, ...]:
    callee = node.callee if isinstance(node, ir.Call) else None
    return (callee.target,) if isinstance(callee, ir.Member) and callee.name in LOOKS else ()


def looks_for_words(node: ir.Node) -> bool:
    """`"refund" in message.content.lower()`, `message.content.startswith("yes")`."""
    match node:
        case ir.Operator(op=ir.Op.IN, operands=(ir.Literal(value=str()), where)):
            return _is_message(where)
        case ir.Call(callee=ir.Member(name=name, target=target), args=(first, *_)) if name in LOOKS:
            return isinstance(first.value, ir.Literal) and _is_message(target)
        case _:
            return False


def _is_message(expr: ir.Expr) -> bool:
    return any(isinstance(node, ir.Member) and node.name == CONTENT for node in ir.walk(expr))


def _compared(node: ir.Operator) -> tuple[ir.Expr, ...]:
    """What is compared with a text."""
    return node.operands if _has_text(node) else ()


def _has_text(node: ir.Operator) -> bool:
    return any(isinstance(inner, ir.Literal) and isinstance(inner.value, str) for inner in ir.walk(*node.operands))


def _is_member_test(node: ir.Node) -> bool:
    """`if label not in LABELS`, where what is asked for is no constant."""
    return isinstance(node, ir.Operator) and node.op == ir.Op.IN and not isinstance(node.operands[0], ir.Literal)


def _asks_how_sure(test: ir.Expr) -> bool:
    """Whether a test asks how sure an answer is, or who may go there; a score that is compared with a text is a
    label. What is held against a share (`quality >= 0.6`) says how sure it is, whatever it is called.
    """
    named = {id(n) for n in ir.walk(test) if isinstance(n, ir.Operator) and n.op in EQUAL and _has_text(n)}
    texts = {id(inner) for n in ir.walk(test) if id(n) in named for inner in ir.walk(n)}
    rest = (n for n in ir.walk(test) if id(n) not in texts and isinstance(n, (ir.Name, ir.Member, ir.Literal)))
    return says(test, MAY) or any(SURE.search(word) for n in rest if (word := _word(n))) or _asks_for_share(test)


def _asks_for_share(test: ir.Expr) -> bool:
    found = (n for n in ir.walk(test) if isinstance(n, ir.Operator) and n.op in ORDERED)
    shares = (o.value for n in found for o in n.operands if isinstance(o, ir.Literal))
    return any(isinstance(value, float) and 0 < value < 1 for value in shares)


def _word(node: ir.Node) -> str:
    found = getattr(node, "id", None) or getattr(node, "name", None) or getattr(node, "value", None)
    return found if isinstance(found, str) else ""


def says(expr: ir.Node, *words: re.Pattern[str]) -> bool:
    """Whether an expression names any of these."""
    return any(word.search(name) for name in map(_word, ir.walk(expr)) for word in words)


# ------------------------------------------------------------------------------------------------------ where it ends
def _sent_to(node: ir.Node) -> ir.Member | ir.Index | None:
    """The label of `return Send(state["next"], state)`."""
    value = answer_of(node)
    label = (
        value.args[0].value if isinstance(value, ir.Call) and callee_name(value.callee) == SEND and value.args else None
    )
    return label if isinstance(label, (ir.Member, ir.Index)) else None


def _always_answers(context: Context, function: ir.Function) -> bool:
    """Whether every way through a function answers with a way on; a look-up of an unknown label fails, and so does a
    step of that name.
    """
    fails = any(
        (
            isinstance(answer := answer_of(node), ir.Index)
            and isinstance(answer.target, (ir.Map, ir.Name))
            and not isinstance(answer.key, ir.Literal)
        )
        or _takes_first(answer)
        or _sent_to(node) is not None
        for node in own_nodes(function)
    )
    return not fails and not conditions_of(context).goes_on(function.body)


def _takes_first(value: ir.Expr | None) -> bool:
    """`next(agent for agent in agents if agent.id == chosen)`: where nothing fits, it fails."""
    return isinstance(value, ir.Call) and callee_name(value.callee) == "next" and len(value.args) == 1
