"""Tests whose answer is foregone, whatever they are asked: a constant, a pattern that everything matches, a switch that
every caller leaves alone, a function of the project that always says the same. Behind such a test nothing is known,
whatever it and its author call it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.switches import settled
from agent_architecture.names.values import Const, Func, Instance, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.condition_parts import EACH, truth, yielded
from agent_architecture.semantics.control.unawaited import is_promise
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

MATCHING: Final = frozenset({"match", "fullmatch", "search", "test", "exec"})
"""Calls that hold a text against a pattern."""
ANYTHING: Final = frozenset(
    part + often for part in (".", r"[\s\S]", r"[\S\s]", r"[\w\W]", r"[\W\w]", r"[\d\D]", "[^]") for often in ("*", "+")
)
"""Patterns of any characters."""
AROUND: Final = regex(r"^(?:\^|\\A|\((?:\?:)?)+|(?:\$|\\[Zz]|\)|\?)+$")
"""What may stand around them and changes nothing: anchors, groups, a mark of laziness."""
SUPPRESSING: Final = "suppress"
"""The context manager of `contextlib` that goes on behind its block when something was raised in it."""
CATCHING: Final = frozenset({"Exception", "BaseException"})
CONTAINS: Final = "__contains__"
IN_EVERY: Final = frozenset({"startswith", "startsWith", "endswith", "endsWith", "includes"})
"""Calls that say yes of every text, asked for an empty one."""
CONTAINING: Final = frozenset({"includes", "has", "__contains__"})
EQUAL: Final = frozenset({ir.Op.EQ, ir.Op.IS})


class Asking(Protocol):
    """Who asks for foregone answers."""

    foregone: Foregone


class Foregone:
    """The foregone answers of one program. `may_answer` says whether a function of the project may answer so."""

    def __init__(
        self,
        program: Program,
        made: tuple[Callable[..., Asking], object],
        may_answer: Callable[[ir.Function, int, bool], bool],
    ) -> None:
        """`made` asks a program for who asks for these answers (`Program.once`)."""
        self._program = program
        self._made = made
        self._may_answer = may_answer

    def always(self, test: ir.Expr, depth: int, *, says: bool) -> bool:
        """Whether a test can only be answered so. Not where that is not known."""
        return depth > 0 and self._program.kept(_always, self._made, test, depth, says)

    def is_always(self, test: ir.Expr, depth: int, *, says: bool) -> bool:
        """The same as it is worked out."""
        match test:
            case ir.Literal() | ir.Template() | ir.Function() | ir.Map() | ir.List():
                return truth(test) is says
            case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
                return self.always(inner, depth, says=not says)
            case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=operands):
                answers = (self.always(each, depth, says=says) for each in operands)
                return all(answers) if says is (op == ir.Op.AND) else any(answers)
            case ir.Await(value=ir.Name()):
                return False
            case ir.Await(value=inner) | ir.Assign(value=ir.Call() | ir.Await() as inner):
                return self.always(inner, depth, says=says)
            case ir.Conditional(then=then, otherwise=otherwise):
                return self.always(then, depth, says=says) and self.always(otherwise, depth, says=says)
            case ir.Operator(op=ir.Op.IN, operands=(left, right)) if (
                found := is_in(self._program, left, right)
            ) is not None:
                return found is says
            case ir.Operator(op=ir.Op.EQ | ir.Op.NE | ir.Op.IS as op, operands=(left, right)):
                same = _is_equal(self._program, left, right)
                if same is None:
                    return settled(self._program, test) is says
                return (same is (op in EQUAL)) is says
            case ir.Operator(op=ir.Op.IN, operands=(_, right)):
                return self._of_functions(tuple(self._containing(right)), depth, says=says)
            case ir.Call():
                if says and _matches_everything(self._program, test):
                    return True
                found = _contains(self._program, test)
                if found is not None:
                    return found is says
                if callee_name(test.callee) in EACH:
                    asked = [one for argument in test.args for one in yielded(self._program, argument.value)]
                    return bool(asked) and all(self.always(one, depth, says=says) for one in asked)
                functions = self._program.callees(test)
                if is_promise(self._program, test, functions):
                    return says
                return self._of_functions(functions, depth, says=says)
            case ir.Name():
                return self._of_name(test, depth, says=says) or settled(self._program, test) is says
            case ir.Member() | ir.Index():
                return settled(self._program, test) is says
            case _:
                return False

    def _of_functions(self, functions: tuple[ir.Function, ...], depth: int, *, says: bool) -> bool:
        """Whether none of these functions may answer anything else; one without code decides nothing."""
        return bool(functions) and not any(
            is_left_open(function) or self._may_answer(function, depth, not says) for function in functions
        )

    def _of_name(self, name: ir.Name, depth: int, *, says: bool) -> bool:
        """Whether a name that is given its value once, and nowhere else, keeps such an answer. A function is always
        something, whoever forgot to call it.
        """
        values = self._program.value_of(name)
        if values and all(isinstance(value, Func) for value in values):
            return says
        bindings = visible_bindings(self._program, name)
        if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].steps or bindings[0].value is None:
            return False
        value = bindings[0].value
        if isinstance(value, ir.Literal):
            found = self._program.value_of(name)
            return truth(value) is says and len(found) == 1 and isinstance(found[0], Const)
        return isinstance(value, (ir.Call, ir.Await)) and self.always(value, depth - 1, says=says)

    def _containing(self, right: ir.Expr) -> Iterator[ir.Function]:
        """The methods of the project that answer `x in right`; none where something else may be asked, too."""
        values = self._program.value_of(right)
        made = [value for value in values if isinstance(value, Instance)]
        for value in made if len(made) == len(values) else ():
            methods = (node for cls in self._program.lineage(value.cls) for node in cls.body)
            yield from islice((m for m in methods if isinstance(m, ir.Function) and m.name == CONTAINS), 1)


def _always(
    program: Program, made: tuple[Callable[..., Asking], object], test: ir.Expr, depth: int, says: bool
) -> bool:
    return program.once(*made).foregone.is_always(test, depth, says=says)


def is_left_open(function: ir.Function) -> bool:
    """Whether a function is only declared, for others to say what it does: `...`, `raise NotImplementedError`."""
    return all(
        isinstance(node, ir.Raise) or (isinstance(node, (ir.Literal, ir.Opaque)) and not ir.children(node))
        for node in function.body
    )


def may_raise(program: Program, function: ir.Function) -> bool:
    """Whether something that a function raises comes out of it: it does not catch all of that by itself."""
    structure = program.structure(function)
    return any(isinstance(node, ir.Raise) and not _is_caught(structure, node) for node in structure.nodes)


def suppresses(block: ir.With) -> bool:
    """Whether what is raised in a block ends the block alone: `with suppress(ValueError)`."""
    return any(
        isinstance(item.value, ir.Call) and callee_name(item.value.callee) == SUPPRESSING for item in block.items
    )


def _is_caught(structure: Structure, node: ir.Raise) -> bool:
    raised = callee_name(node.value.callee) if isinstance(node.value, ir.Call) else ""
    child: ir.Node = node
    for around in structure.ancestors(node):
        if isinstance(around, ir.With) and suppresses(around):
            return True
        if isinstance(around, ir.Try) and any(statement is child for statement in around.body):
            named = {callee_name(each) for handler in around.handlers for each in handler.types}
            if any(not handler.types for handler in around.handlers) or named & (CATCHING | {raised}):
                return True
        child = around
    return False


def is_empty(program: Program, expr: ir.Expr) -> bool:
    """Whether a collection never holds anything. One of another file may be filled from a third one."""
    values = program.value_of(expr)
    empty = bool(values) and all(isinstance(v, Items) and v.complete and not v.items for v in values)
    is_other = isinstance(expr, ir.Name) and any(each.kind == "import" for each in visible_bindings(program, expr))
    return empty and not is_other


def is_in(program: Program, left: ir.Expr, right: ir.Expr) -> bool | None:
    """Whether something stands in a collection, whatever is asked for: what is asked for was put there, or nothing ever
    is, or both are written out; None where that is a question.
    """
    values = program.value_of(right)
    if is_empty(program, right):
        return False
    answers = {_is_among(program, left, value) if isinstance(value, Items) else None for value in values}
    return next(iter(answers)) if len(answers) == 1 else None


def _contains(program: Program, call: ir.Call) -> bool | None:
    """The same of a call that looks for its argument in a collection: `list.includes(x)`, `set.has(x)`."""
    if not isinstance(call.callee, ir.Member) or call.callee.name not in CONTAINING or len(call.args) != 1:
        return None
    return is_in(program, call.args[0].value, call.callee.target)


def _is_among(program: Program, left: ir.Expr, collection: Items) -> bool | None:
    found = next((item for item in collection.items if _is_equal(program, left, item)), None)
    if found is not None:  # what is put there behind the test is another one the next time: `seen.add(order)`
        return True if isinstance(left, ir.Literal) or found.span < left.span else None
    if not collection.complete or not collection.items:
        return None
    return False if all(_is_equal(program, left, item) is False for item in collection.items) else None


def _is_equal(program: Program, left: ir.Expr, right: ir.Expr) -> bool | None:
    """Whether two expressions are the same name of the same thing, or both written out; None: that is not known."""
    if isinstance(left, ir.Literal) and isinstance(right, ir.Literal):
        return bool(left.value == right.value)
    if not isinstance(left, ir.Name) or not isinstance(right, ir.Name) or left.id != right.id:
        return None
    own, other = visible_bindings(program, left), visible_bindings(program, right)
    return True if own and own == other else None


def _matches_everything(program: Program, call: ir.Call) -> bool:
    """Whether a call holds a text against a pattern that says nothing of it: `re.match(".*", x)`, `/^.*$/.test(x)`,
    `x.startswith("")`.
    """
    if callee_name(call.callee) in IN_EVERY and call.args:
        asked = program.value_of(call.args[0].value)
        return bool(asked) and all(isinstance(value, Const) and value.value == "" for value in asked)
    if callee_name(call.callee) not in MATCHING:
        return False
    looked_at = [call.callee.target] if isinstance(call.callee, ir.Member) else []
    looked_at += [argument.value for argument in call.args[:1]]
    looked_at += [
        a.value for e in looked_at if isinstance(e, ir.Call) and callee_name(e.callee) == "compile" for a in e.args[:1]
    ]
    texts = [v.value for expr in looked_at for v in program.value_of(expr) if isinstance(v, Const)]
    return any(isinstance(text, str) and AROUND.sub("", text) in ANYTHING for text in texts)
