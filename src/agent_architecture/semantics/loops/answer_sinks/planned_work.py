"""Loops over work that a model listed: `for step in plan["steps"]: …`, `while steps: step = steps.pop(0)`, all at once
(`Promise.all(steps.map(run))`, `gather(*[run(step) for step in steps])`).

What the caller gave is no such work, nor are the parts of an answer that an API names, nor records that are only kept.
The bound of such a loop is what cuts the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.classes import ITSELF, enclosing_class, lineage
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Func, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.answer_branches import ACTING, KEEPING, asks_or_acts
from agent_architecture.semantics.bounds.loop_bounds import limit_setting
from agent_architecture.semantics.loops.work_lists import taken_from
from agent_architecture.semantics.matching.picked_tools import lists_calls, part_of
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.loops.answer_sinks.answer_sources import Answers, Written
    from agent_architecture.semantics.matching.context import Context

WORKING: Final = ACTING - KEEPING - {"read_file", "database_read", "network_read"}
"""Effects that make a pass work on what was listed; to keep it, or to look it up, is none."""
SENDING: Final = frozenset({"network_write", "mail", "message"})
"""Those by which a piece of an answer may only be handed on to who asked."""
CUTTING: Final = frozenset({"split", "wrap", "chunk", "chunks", "chunked", "batched", "split_text",
                            "splitText", "split_message", "splitMessage"})  # fmt: skip
"""Calls that cut a text into pieces."""
LINES: Final = frozenset({"\n", "\\n", "\\r?\\n"})
"""Where a list of lines is cut: each is an entry, no paragraph."""

MAPPING: Final = frozenset({"map", "flatMap", "forEach", "imap", "imap_unordered", "starmap", "pMap"})
"""Calls that run a function with each of many things: `steps.map(run)`, `map(run, steps)`, `pool.map(run, steps)`."""
PICKED: Final = frozenset({"tool_calls", "toolCalls", "function_calls", "functionCalls"})
"""Under which keys model APIs hand out the tools that a model picked."""
ENTERING: Final = frozenset({"append", "appendleft", "push", "unshift", "add", "put", "put_nowait"})
"""Calls that put one thing into a list."""


class Listed(NamedTuple):
    """A loop over work that a model listed, and what cuts the list."""

    loop: ir.Loop
    """For a call that runs a function with each, the loop that stands for it."""
    node: ir.Node
    """The loop, or the call, as it is written."""
    scope: ir.Scope
    cuts: tuple[Bound, ...] = ()
    asks: frozenset[int] = frozenset()
    """The ids of the calls that listed it."""
    inside: frozenset[int] = frozenset()
    """The ids of the loops that the list comes out of."""
    of_tools: bool = False
    """Whether it is of the tools that the model picked, as its API hands them out: to run them is a dispatch."""


def listed_work(
    context: Context, effects: Effects, answers: Answers, at_once: Answers, scopes: Iterable[ir.Scope]
) -> Iterator[Listed]:
    """The loops of these scopes over work that a model listed, whose passes ask a model or act. `at_once` tells it of
    comprehensions: what another step of a graph listed and one begins side by side is a fan-out.
    """
    for scope in scopes:
        for node, loop in _loops(context.program, scope):
            lists = tuple(work for work in worked_off(loop) if not _is_written_out(context.program, work))
            if not lists or not asks_or_acts(context, effects, loop.body, WORKING):
                continue
            for work in lists:
                told = at_once if loop.kind == "comprehension" else answers
                parsed = (one for one in told.of(work) if one.parsed)
                written = [one for one in parsed if not _is_the_projects(context.program, node, loop, one)]
                if written and asks_or_acts(context, effects, loop.body, _working(written)):
                    passed = [node for one in written for node in one.way]
                    asks = frozenset(id(one.ask.node) for one in written)
                    cuts = tuple(_cuts(context.program, (work, *passed)))
                    of_tools = lists_calls(work) or any(part_of(node) in PICKED for node in passed)
                    yield Listed(loop, node, scope, cuts, asks, _out_of(context.program, passed), of_tools)
                    break


def _is_written_out(program: Program, work: ir.Expr) -> bool:
    """Whether a list has as many entries as stand in the code, whatever they are: `[("mail", check)]`."""
    values = program.value_of(work)
    return bool(values) and all(isinstance(value, Items) and value.complete and _stand_in_it(value) for value in values)


def _stand_in_it(value: Items) -> bool:
    """Whether all entries of a list stand where it is written: none was put in later."""
    return bool(value.items) and all(value.node.span.contains(item.span) for item in value.items)


def _working(written: Iterable[Written]) -> frozenset[str]:
    """The effects that make a pass work on what was listed: to send the paragraphs, or the lengths, into which a text
    was cut, one after the other, is how a chat delivers an answer.
    """
    return WORKING - SENDING if all(any(map(_cuts_a_text, one.way)) for one in written) else WORKING


def _cuts_a_text(node: ir.Expr) -> bool:
    if not isinstance(node, ir.Call) or callee_name(node.callee) not in CUTTING:
        return False
    return not any(isinstance(a.value, ir.Literal) and a.value.value in LINES for a in node.args)


def _loops(program: Program, scope: ir.Scope) -> Iterator[tuple[ir.Node, ir.Loop]]:
    """The loops of a scope, and the calls that run a function with each of many things, as loops."""
    for node in own_nodes(scope, ir.Loop, ir.Call):
        if isinstance(node, ir.Loop) and not node.is_async:
            yield node, node
        elif isinstance(node, ir.Call) and callee_name(node.callee) in MAPPING and (given := _mapped(program, node)):
            yield node, program.made.each(node, *given)


def _mapped(program: Program, call: ir.Call) -> tuple[ir.Expr, tuple[ir.Node, ...]] | None:
    """What a call goes through, and what it runs with each; None where the function is not the project's."""
    given = [argument.value for argument in call.args if not argument.keyword and not argument.spread][:2]
    code = [[v.function for v in program.value_of(expr) if isinstance(v, Func)] for expr in given]
    at = next((number for number, functions in enumerate(code) if functions), None)
    if at is None:
        return None
    is_method = isinstance(call.callee, ir.Member) and (len(given) == 1 or not is_python(call.span.path))
    source = call.callee.target if is_method and isinstance(call.callee, ir.Member) else None
    source = source or next((expr for number, expr in enumerate(given) if number != at), None)
    body = tuple(statement for function in code[at] for statement in function.body)
    return None if source is None or not body else (source, body)


def _out_of(program: Program, way: Iterable[ir.Expr]) -> frozenset[int]:
    """The ids of the loops in whose passes a way stands."""
    around = (loop for node in way for loop in program.structure(program.scope_of(node)).enclosing(node, ir.Loop))
    return frozenset(map(id, around))


def _is_the_projects(program: Program, node: ir.Node, loop: ir.Loop, written: Written) -> bool:
    """Whether the project lists the work, and the model only says what stands in an entry."""
    return _gathered(program, loop, written) or _is_recorded(program, node, written)


def _is_recorded(program: Program, node: ir.Node, written: Written) -> bool:
    """Whether the list is of records that another object of the project keeps, put there one by one: a store, a tree, a
    table of sessions. What the loop's own object gathers is its plan, and so is a list that is kept whole.
    """
    home = enclosing_class(program, node)
    own = () if home is None else lineage(program, home)
    for part in written.way:
        container = _put_into(program, part)
        kept = root_of(container) if isinstance(container, ir.Member) else None
        if kept is not None and kept.id in ITSELF and enclosing_class(program, part) not in own:
            return True
    return False


def _put_into(program: Program, part: ir.Expr) -> ir.Expr | None:
    """The list or mapping that an expression is put into as one entry."""
    around = program.structure(program.scope_of(part)).parent(part)
    match around:
        case ir.Call(callee=ir.Member(name=name, target=container)) if name in ENTERING and around.callee is not part:
            return container
        case ir.Assign(target=ir.Index(target=container), value=value) if value is part:
            return container
        case _:
            return None


def _gathered(program: Program, loop: ir.Loop, written: Written) -> bool:
    """Whether the list has one entry for each of other things that the model was asked about: the project's own loop
    puts them there, and the model does not say how many.
    """
    for node in written.way:
        if node is written.ask.node or (isinstance(node, ir.Call) and program.callees(node)):
            structure = program.structure(program.scope_of(node))
            loops = (one for one in structure.enclosing(node, ir.Loop) if not one.span.contains(loop.span))
            around = (one for one in loops if one.source is None or not one.source.span.contains(node.span))
            around = (one for one in around if not _goes_over(one, written))
            if any(one.kind == "comprehension" or _puts(program, one, written) for one in around):
                return True
    return False


def _goes_over(loop: ir.Loop, written: Written) -> bool:
    """Whether a comprehension makes something of each entry of what was listed: `[Step(**each) for each in plan]`."""
    listed = {id(node) for node in written.way}
    return (
        loop.kind == "comprehension" and loop.source is not None and any(id(n) in listed for n in ir.walk(loop.source))
    )


def _puts(program: Program, loop: ir.Loop, written: Written) -> bool:
    """Whether a loop puts what was answered into a list as one entry."""
    for node in written.way:
        if loop.span.contains(node.span):
            around = program.structure(program.scope_of(node)).enclosing(node, ir.Call)
            if any(callee_name(call.callee) in ENTERING for call in around if loop.span.contains(call.span)):
                return True
    return False


def worked_off(loop: ir.Loop) -> Iterator[ir.Expr]:
    """The lists that a loop goes through: over them, over their places, or by taking one thing after the other."""
    if loop.source is not None:
        yield from _lists(loop.source)
    elif loop.test is not None:
        yield from (inner for node in ir.walk(loop.test) for inner in _sizes(node))
        yield from taken_from(loop)


def _lists(source: ir.Expr) -> Iterator[ir.Expr]:
    """What is listed: not the numbers of a range, but what the range is as long as."""
    is_range = isinstance(source, ir.Call) and callee_name(source.callee) == "range"
    if isinstance(source, ir.Call) and callee_name(source.callee) in {"enumerate", "range", "reversed", "list", "tqdm"}:
        for argument in source.args:
            inner = [found for node in ir.walk(argument.value) for found in _sizes(node)] if is_range else []
            yield from inner if is_range else _lists(argument.value)
    else:
        yield source


def _sizes(node: ir.Node) -> Iterator[ir.Expr]:
    """What is measured: `len(steps)`, `steps.length`."""
    match node:
        case ir.Call(callee=ir.Name(id="len"), args=(argument, *_)):
            yield argument.value
        case ir.Member(name="length", target=target):
            yield target
        case _:
            return


def _cuts(program: Program, way: Iterable[ir.Expr]) -> Iterator[Bound]:
    """Where the list is cut on its way: `[:5]`, `.slice(0, 5)`, `islice(steps, 5)`."""
    for node in way:
        limit = _limit(node)
        if limit is not None:
            yield Bound(BoundKind.RANGE, node.span, limit_setting(program, limit))


def _limit(node: ir.Expr) -> ir.Expr | None:
    match node:
        case ir.Index(key=ir.Slice(lower=None, upper=upper)):
            return upper
        case ir.Call(callee=ir.Member(name="slice"), args=(ir_first, upper)) if _is_start(ir_first.value):
            return upper.value
        case ir.Call(callee=callee, args=(_, upper)) if callee_name(callee) == "islice":
            return upper.value
        case _:
            return None


def _is_start(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and expr.value == 0
