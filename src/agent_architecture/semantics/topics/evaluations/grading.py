"""How code grades an agent: assertions, comparisons, what a grader looks at.

Works on nodes that somebody else chose. Knows no library by name and no test runner's files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import COMPARISONS
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.picked_tools import said_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context

STEPS: Final = regex(
    r"^(?:(?:expected|actual|extracted|missing|extra|called|used|invoked|required|forbidden|num|n)_?)?"
    r"(?:tools?_?(?:calls?|uses?|used|called|names?|invocations?|sequence|messages?|results?|executed|executions?)|"
    r"(?:called|executed)_?tools?|expected_?tools?|function_?calls?|trajector(?:y|ies)|intermediate_?steps?|"
    r"(?:(?:run|agent|execution|step)_)?traces?)$",
    re.IGNORECASE,
)
"""Names under which results, cases and graders keep the steps of an agent."""

GRADER: Final = regex(
    r"(?:^|_|\b)(?:score|scorer|grade|grader|judge|evaluate|evaluator|eval|rate|compare|match(?:es)?|similarity|accuracy|"
    r"rouge|bleu|f1|exact_match|check|verify|is_correct|correctness|passed)(?:_|$|\b|[A-Z])|"
    r"^(?:score|grade|judge|evaluate|check|verify|compare)[A-Z]"
)
"""Names of functions that grade an answer."""

STATE: Final = frozenset({"exists", "is_file", "isfile", "isdir", "is_dir", "existsSync", "access", "statSync"})
"""Questions to the file system."""
STATE_EFFECTS: Final = frozenset({"database", "execute_process", "execute_shell"})
"""What a grader does to see the state that the run left."""

ASKED: Final = COMPARISONS | {ir.Op.IN, ir.Op.NOT}


def is_assertion(node: ir.Node) -> bool:
    """Whether a node fails a test when something does not hold: `assert`, `expect(…)`, `self.assertEqual(…)`."""
    if isinstance(node, ir.Opaque):
        return node.kind == ir.OpaqueKind.ASSERT
    if not isinstance(node, ir.Call):
        return False
    name = dotted(node.callee)
    return name in {"expect", "ls.expect", "assert", "t.expect"} or bool(
        re.match(r"^(?:self\.assert[A-Z]\w*|assert[A-Z_]\w*|assert\.\w+|chai\.expect|pytest\.approx)$", name)
    )


def holds_anyway(context: Context, node: ir.Node) -> bool:
    """Whether what is asserted does not depend on the agent: constants, and functions that always answer the same."""
    match node:
        case ir.Opaque(kind=ir.OpaqueKind.ASSERT):
            first = next(iter(ir.children(node)), None)
            return first is not None and holds_anyway(context, first)
        case ir.Literal():
            return True
        case ir.Operator(operands=operands):
            return all(holds_anyway(context, operand) for operand in operands)
        case ir.Call(args=args) if is_assertion(node):
            return bool(args) and all(holds_anyway(context, argument.value) for argument in args)
        case ir.Call():
            functions = context.program.callees(node)
            return bool(functions) and not any(map(can_score, functions))
        case _:
            return False


def looks_at_steps(nodes: Iterable[ir.Node]) -> bool:
    """Whether nodes read the tool calls or steps of a result."""
    return any(STEPS.match(word) for node in nodes for word in said_by(node))


def looks_at_state(context: Context, nodes: Iterable[ir.Node]) -> bool:
    """Whether nodes look at what a run left behind: files, a database, what a program says about it."""
    for node in nodes:
        if isinstance(node, ir.Call):
            if isinstance(node.callee, ir.Member) and node.callee.name in STATE:
                return True
            if kinds_of(context, node) & STATE_EFFECTS:
                return True
    return False


def asserted(nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """The nodes inside assertions and comparisons, and the values of the names that these use."""
    everything = tuple(nodes)
    graded = [node for node in everything if is_assertion(node) or compares(node)]
    inside = [inner for node in graded for inner in ir.walk(node)]
    # `expect(run).toBe(1)`: what is expected stands in the call around.
    around = [
        node
        for node in everything
        if isinstance(node, ir.Call) and dotted(node.callee).replace("()", "").startswith(("expect.", "ls.expect."))
    ]
    inside.extend(inner for node in around for inner in ir.walk(node))
    names = {node.id for node in inside if isinstance(node, ir.Name)}
    yield from inside
    for node in everything:
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.target.id in names and node.value:
            yield from ir.walk(node.value)


def handed_to_graders(context: Context, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """What graders are handed, with the values of the names in it, and what those of the project look at, and the
    graders that they call.
    """
    everything = tuple(nodes)
    calls = [node for node in everything if isinstance(node, ir.Call) and is_grader_call(node)]
    given = [inner for call in calls for argument in call.args for inner in ir.walk(argument.value)]
    names = {node.id for node in given if isinstance(node, ir.Name)}
    yield from given
    for node in everything:
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.target.id in names and node.value:
            yield from ir.walk(node.value)
    seen: set[int] = set()
    for depth in range(GRADERS):
        graders = {id(f): f for call in calls for f in context.program.callees(call) if id(f) not in seen}
        seen |= graders.keys()
        own = [node for grader in graders.values() for node in own_nodes(grader)]
        yield from own
        calls = [node for node in own if isinstance(node, ir.Call) and is_grader_call(node)] if depth == 0 else []


GRADERS: Final = 2
"""Graders that call graders are followed this far."""


def compares(node: ir.Node) -> bool:
    """Whether a node compares two things."""
    return isinstance(node, ir.Operator) and node.op in ASKED and len(node.operands) > 1


def can_score(function: ir.Function) -> bool:
    """Whether a function's answer depends on anything: one that only raises, or always answers the same, is a
    placeholder.
    """
    nodes = tuple(own_nodes(function))
    if any(isinstance(node, (ir.Yield, ir.Function)) or is_assertion(node) for node in nodes):
        return True
    said = tuple(answers(nodes))
    return len(said) > 1 or any(not _is_constant(answer) for answer in said)


def _is_constant(expr: ir.Expr) -> bool:
    return all(isinstance(node, (ir.Literal, ir.Map, ir.List)) for node in ir.walk(expr))


def grades_cases(body: tuple[ir.Node, ...], case: Collection[str], answers: Iterable[ir.Node]) -> bool:
    """Whether code compares what the agent answers with what the case expects.

    `answers` are the calls that run the agent; `case` the names that a case is bound to. True for a comparison, or a
    call, that takes both something from an answer and something from the case.
    """
    calls = {id(node) for node in answers}
    results: set[str] = set()
    inputs = set(case)
    for node in ir.walk(*body):
        if isinstance(node, ir.Assign) and node.value is not None:
            inside = tuple(ir.walk(node.value))
            names = {n.id for n in ir.walk(node.target) if isinstance(n, ir.Name)}
            if any(id(n) in calls for n in inside) or _mentions(inside, results):
                results |= names
            elif _mentions(inside, inputs):
                inputs |= names
    inputs -= results
    return any(_takes_both(node, calls, results, inputs) for node in ir.walk(*body))


def _takes_both(node: ir.Node, calls: set[int], results: set[str], inputs: set[str]) -> bool:
    if id(node) in calls:
        return False
    if not compares(node) and not is_grader_call(node):
        return False
    inside = tuple(ir.walk(node))
    answered = _mentions(inside, results) or (compares(node) and _holds(node, calls))
    return answered and _mentions(inside, inputs)


def _holds(node: ir.Node, calls: set[int]) -> bool:
    return any(id(inner) in calls for inner in ir.walk(node))


def _mentions(nodes: Iterable[ir.Node], names: set[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in nodes)


def calls_grader(nodes: Iterable[ir.Node]) -> bool:
    """Whether nodes call something whose name says that it grades."""
    return any(is_grader_call(node) for node in nodes)


def is_grader_call(node: ir.Node) -> bool:
    """Whether a node calls something whose name says that it grades."""
    return isinstance(node, ir.Call) and bool(GRADER.search(dotted(node.callee).rpartition(".")[2]))
