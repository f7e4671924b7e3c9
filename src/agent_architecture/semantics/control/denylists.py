"""Denylists around code that runs: names that it does not get, and tests of its text on every way to where it runs.

How little that helps is for a detector to say.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Const, Entries
from agent_architecture.semantics.callgraph.callers import so_of_names
from agent_architecture.semantics.control.argument_tests import following, refuses
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions import DEPTH
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

BUILTINS: Final = "builtins"
"""The property that says which names of the language the code gets."""

MEASURING: Final = frozenset({"len", "isinstance", "type", "bool", "str", "strip", "trim", "isspace", "get", "encode"})
"""Calls that say of a text how long it is, or what it is, not what it contains."""


def is_screened(context: Context, match: Match, code: ir.Expr) -> bool:
    """Whether the code gets only some of the language's names, or is refused before for what stands in it."""
    builtins = written_values(context, match, BUILTINS)
    if builtins and all(_is_less(value) for value in builtins):
        return True
    scope = context.program.scope_of(match.node)
    names = frozenset(names_in(code))
    return so_of_names(context.program, match.node, scope, names, partial(_refuses_before, context))


def _refuses_before(context: Context, node: ir.Node, scope: ir.Scope, names: AbstractSet[str]) -> bool:
    """Whether code refuses what some names hold on every way to a place, for what stands in it."""
    structure = context.program.structure(scope)
    text = forms(scope, set(names))

    def said(condition: Condition) -> dict[bool | None, ir.Node]:
        """By the answer: ways on which the same test came out differently meet where it refuses nothing."""
        return {condition.holds: condition.at} if _asks(condition.expr, text) else {}

    if held(conditions_of(context).at(node), said):
        return True
    return any(structure.dominates(screen, node) for screen in _screens(context, scope, text))


def _asks(test: ir.Expr, text: set[str]) -> bool:
    """Whether a condition compares the text with others, or looks for something in it."""
    match test:
        case ir.Operator(op=ir.Op.IN | ir.Op.EQ | ir.Op.NE | ir.Op.IS, operands=(left, right)):
            empty = any(isinstance(side, ir.Literal) and not side.value for side in (left, right))
            return not empty and bool(text & {*names_in(left), *names_in(right)})
        case _:
            return _searches(test, text)


def _is_less(value: Value) -> bool:
    """Whether a value for the builtins is not the builtins: a mapping of chosen names, or nothing."""
    return isinstance(value, Entries) or (isinstance(value, Const) and value.value is None)


def _screens(context: Context, scope: ir.Scope, text: set[str], depth: int = 2) -> Iterator[ir.Node]:
    """The statements of a scope that refuse a text for what it contains; a helper that always says the same, whatever
    it is handed, refuses nothing.
    """
    program = context.program
    structure = program.structure(scope)
    for node in own_nodes(scope, ir.If, ir.Call):
        if isinstance(node, ir.If):
            if not any(map(refuses, (node.then, node.otherwise or following(program, node)))):
                continue
            loops = [loop for loop in structure.enclosing(node, ir.Loop) if text & set(names_in(loop.source))]
            if loops or (_searches(spelled_out(program, node.test), text) and not _is_foregone(context, node.test)):
                yield loops[-1] if loops else node
        elif depth and any(text & set(names_in(a.value)) for a in node.args):
            for callee in program.callees(node):
                given = forms(callee, {parameter.name for parameter in callee.params})
                if any(True for _ in _screens(context, callee, given, depth - 1)):
                    yield node


def _is_foregone(context: Context, test: ir.Expr) -> bool:
    """Whether a test is always answered in the same way, whatever it is asked about."""
    foregone = conditions_of(context).foregone
    return any(foregone.always(test, DEPTH, says=says) for says in (True, False))


def _searches(test: ir.Expr, text: set[str]) -> bool:
    """Whether a test looks for something in the text."""
    for part in ir.walk(test):
        match part:
            case ir.Operator(op=ir.Op.IN, operands=(_, right)) if text & set(names_in(right)):
                return True
            case ir.Call() if callee_name(part.callee) not in MEASURING and text & set(names_in(part)):
                return True
            case _:
                continue
    return False


def forms(scope: ir.Scope, text: set[str]) -> set[str]:
    """The names of a scope that hold a text, or what is made of it: its tree, its lower-case form."""
    made = [
        {node.target.id, *names_in(node.value)}
        for node in own_nodes(scope, ir.Assign)
        if isinstance(node.target, ir.Name)
    ]
    found = set(text)
    while True:
        wider = found.union(*(names for names in made if names & found))
        if wider == found:
            return found
        found = wider


def names_in(expr: ir.Expr | None) -> Iterator[str]:
    """The names whose whole values an expression uses; one part of an object is not the object."""
    match expr:
        case ir.Name(id=name):
            yield name
        case ir.Call(callee=callee, args=arguments):
            yield from names_in(callee.target) if isinstance(callee, ir.Member) else ()
            for argument in arguments:
                yield from names_in(argument.value)
        case ir.Operator(operands=operands):
            for operand in operands:
                yield from names_in(operand)
        case ir.Await(value=value):
            yield from names_in(value)
        case ir.Loop(kind="comprehension", source=source):
            yield from names_in(source)
        case _:
            return
