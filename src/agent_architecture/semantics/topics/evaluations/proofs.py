"""Cases that prove the state which a run leaves: by a command, a query or a file that the case names, in the loop over
the cases or in the application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.topics.evaluations.grading import ASKED, STATE, STATE_EFFECTS, is_assertion
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context

PROOF: Final = regex(
    r"^(?:oracle|(?:oracle|test|tests|verify|verification|verifier|validation|check|grader?|grading|eval)[_-]?"
    r"(?:cmds?|commands?|script))$",
    # A field of a case that says how it is proven; one that only says `command` may be the work itself.
)
_WORDS: Final = regex(r"(?<=[a-z])(?=[A-Z])")
OUTCOME: Final = regex(
    r"^(?:is_?|was_?)?(?:resolved|solved|pass(?:ed)?|success(?:ful)?|succeeded|correct|oracle_?passed|tests?_?passed)$"
)
"""Under what an application keeps how a case came out."""


def proves_state(
    context: Context, body: tuple[ir.Node, ...], case: Collection[str], answers: Iterable[ir.Node]
) -> bool:
    """Whether a loop looks, after the agent has run, at the state that a case names, and what it finds is counted,
    compared or asserted.
    """
    calls = tuple(answers)
    after = min((call.span for call in calls), default=None)
    looked: set[str] = set()
    inputs = set(case)
    asked = {id(call) for call in calls}
    for node in ir.walk(*body):
        if isinstance(node, ir.Assign) and node.value is not None:
            names = {n.id for n in ir.walk(node.target) if isinstance(n, ir.Name)}
            inside = tuple(ir.walk(node.value))
            if any(_looks(context, n, inputs) and after is not None and n.span > after for n in inside):
                looked |= names
            elif _mentions(inside, inputs) and not any(id(n) in asked for n in inside):
                inputs |= names
    return any(_judges(context, node, looked, inputs) for node in ir.walk(*body))


def _looks(context: Context, node: ir.Node, inputs: set[str]) -> bool:
    """Whether a call asks for the state that a case names."""
    if not isinstance(node, ir.Call) or not _mentions(
        tuple(ir.walk(*(argument.value for argument in node.args))), inputs
    ):
        return False
    if isinstance(node.callee, ir.Member) and node.callee.name in STATE:
        return True
    return bool(kinds_of(context, node) & STATE_EFFECTS)


def _judges(context: Context, node: ir.Node, looked: set[str], inputs: set[str]) -> bool:
    """Whether a node holds what was found against something."""
    if not isinstance(node, ir.Operator) or node.op not in ASKED:
        return is_assertion(node) and _mentions(tuple(ir.walk(node)), looked)
    inside = tuple(ir.walk(node))
    return _mentions(inside, looked) or any(_looks(context, inner, inputs) for inner in inside)


def counts_proofs(
    context: Context, body: tuple[ir.Node, ...], case: Collection[str], answers: Iterable[ir.Node]
) -> bool:
    """Whether a loop notes how each case came out that the application proves by a command of the case: the case goes
    to the agent's code as a whole, and the application reads the field with its command.
    """
    calls = {id(call) for call in answers}
    given = [a.value for node in ir.walk(*body) if isinstance(node, ir.Call) and id(node) in calls for a in node.args]
    if not any(isinstance(value, ir.Name) and value.id in case for value in given):
        return False
    results = {
        n.id
        for node in ir.walk(*body)
        if isinstance(node, ir.Assign) and node.value is not None and any(id(n) in calls for n in ir.walk(node.value))
        for n in ir.walk(node.target)
        if isinstance(n, ir.Name)
    }
    noted = any(
        OUTCOME.match(_snake(field)) and isinstance(target, ir.Name) and target.id in results
        for node in ir.walk(*body)
        for field, target in _fields(node)
    )
    return noted and context.once(_proves)


def _proves(context: Context) -> bool:
    """Whether the application reads a field that says how a case is proven."""
    program = context.program
    return any(
        PROOF.match(_snake(field))
        for module in program.modules
        if module.role is Role.APP
        for scope in module.code
        for node in program.structure(scope).nodes
        for field, _ in _fields(node)
    )


def _fields(node: ir.Node) -> Iterator[tuple[str, ir.Expr]]:
    """A field that a node reads, and of what."""
    match node:
        case ir.Member():
            yield node.name, node.target
        case _ if (read := keyed_read(node)) is not None:
            yield read.key, read.mapping
        case _:
            return


def _snake(name: str) -> str:
    return _WORDS.sub("_", name).lower()


def _mentions(nodes: Iterable[ir.Node], names: Collection[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in nodes)
