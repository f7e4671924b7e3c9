"""Where a router, or a node's `Command`, goes: which labels are left once numbers in the state are large.

Runs the branches of one function by hand: tests of such numbers are known, all others go both ways.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.lookup import literal_of, only_value, visible_bindings
from agent_architecture.names.predicates import spelled_out, tests_asked
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import MIRRORED
from agent_architecture.names.values import Api, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.langgraph_routes import at, labels
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

NOTHING: Final[Mapping[str, tuple[ir.Expr, ...]]] = MappingProxyType({})
RISING: Final = frozenset({">", ">=", "=="})
LENGTH: Final = "[]"
"""Behind a key: its length is meant."""
DEPTH: Final = 5
CLEANING: Final = frozenset({"strip", "lower", "upper", "casefold", "trim", "toLowerCase", "toUpperCase"})
"""Calls that leave a label the label that it is."""


class Known(NamedTuple):
    """What is known of the state where a function runs."""

    exhausted: frozenset[str]
    """The keys of numbers that are large."""
    written: Mapping[str, tuple[ir.Expr, ...]] = NOTHING
    """What the step before has left under a key: one of these."""


class Choice:
    """One function that decides where a graph goes on. `names` are the nodes behind what a router returns, None where
    it returns them itself.
    """

    __slots__ = ("_context", "compared", "function", "names")

    def __init__(self, context: Context, function: ir.Function, names: Mapping[str, str] | None = None) -> None:
        self._context = context
        self.function = function
        self.names = names
        self.compared = dict(_compared(context.program, function))
        """The keys of the state that are compared as numbers, with the comparisons."""

    def outcomes(self, known: Known) -> set[str]:
        """The labels that are left when this is known of the state."""
        return {label for value in self.returned(known) for label in self._labels(value, known)}

    def returned(self, known: Known) -> tuple[ir.Expr, ...]:
        """What the function may return when this is known of the state."""
        return self._block(tuple(self.function.body), known)[0]

    # ----------------------------------------------------------------------------------------------------- statements
    def _block(self, block: tuple[ir.Node, ...], known: Known) -> tuple[tuple[ir.Expr, ...], bool]:
        """What a block returns, and whether what follows it may run."""
        found: list[ir.Expr] = []
        for statement in block:
            here, goes_on = self._statement(statement, known)
            found += here
            if not goes_on:
                return tuple(found), False
        return tuple(found), True

    def _statement(self, node: ir.Node, known: Known) -> tuple[tuple[ir.Expr, ...], bool]:
        match node:
            case ir.Return(value=value):
                return (() if value is None else (value,)), False
            case ir.Raise():
                return (), False
            case ir.If():
                truth = self.truth(node.test, known)
                sides = [node.then] * (truth is not False) + [node.otherwise] * (truth is not True)
                return self._any(sides, known)
            case ir.Match(cases=cases):
                return self._any([*(case.body for case in cases), ()], known)
            case ir.Loop(body=body, otherwise=otherwise):
                return self._any([body, otherwise, ()], known)
            case ir.Try():
                sides = [(*node.body, *node.otherwise), *(handler.body for handler in node.handlers)]
                found, goes_on = self._any(sides, known)
                last, ends = self._block(node.final, known)
                return (*found, *last), goes_on and ends
            case ir.With(body=body) | ir.Block(body=body):
                return self._block(body, known)
            case _:
                return (), True

    def _any(self, sides: list[tuple[ir.Node, ...]], known: Known) -> tuple[tuple[ir.Expr, ...], bool]:
        done = [self._block(side, known) for side in sides]
        return tuple(value for found, _ in done for value in found), any(goes_on for _, goes_on in done)

    def _labels(self, value: ir.Expr, known: Known, depth: int = DEPTH) -> Iterator[str]:
        match value:
            case ir.Conditional(test=test, then=then, otherwise=otherwise):
                truth = self.truth(test, known)
                if truth is not False:
                    yield from self._labels(then, known, depth)
                if truth is not True:
                    yield from self._labels(otherwise, known, depth)
            case ir.Await(value=inner):
                yield from self._labels(inner, known, depth)
            case ir.Call(callee=ir.Name(id="Command")):
                for argument in value.args:
                    if argument.keyword == "goto":
                        yield from self._labels(argument.value, known, depth)
                if not any(argument.keyword == "goto" for argument in value.args):
                    yield from (name for v in at(self._context, value, "goto | 0.goto") for name in self._named(v))
            case ir.Name() if depth and (source := only_value(self._context.program, value)) is not None:
                yield from self._labels(source, known, depth - 1)
            case _:
                yield from (name for v in self._context.program.value_of(value) for name in self._named(v))

    def _named(self, value: object) -> Iterator[str]:
        made = _made(value)
        if self.names is not None and made in self.names:
            yield self.names[made]
            return
        for label in labels(self._context, value):  # type: ignore[arg-type]
            yield label if self.names is None else self.names.get(label, label)

    # ---------------------------------------------------------------------------------------------------------- tests
    def truth(self, test: ir.Expr, known: Known, depth: int = DEPTH) -> bool | None:
        """Whether a test holds when the numbers are large; None when that is not said."""
        match test:
            case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
                truth = self.truth(inner, known, depth)
                return None if truth is None else not truth
            case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=operands):
                truths = [self.truth(operand, known, depth) for operand in operands]
                decides = op == ir.Op.OR
                if decides in truths:
                    return decides
                return None if None in truths else not decides
            case ir.Operator(op=ir.Op.EQ | ir.Op.NE as op, operands=operands) if (
                alike := self._is_left(operands, known)
            ) is not None:
                return alike is (op == ir.Op.EQ)
            case ir.Operator(op=op, operands=(left, right)) if op in MIRRORED:
                for counted, sign in ((left, op), (right, MIRRORED[op])):
                    if key_of(self._context.program, self.function, counted) in known.exhausted:
                        return sign in RISING
                return None
            case _ if (key := key_of(self._context.program, self.function, test)) in known.written:
                return all_alike(tuple(self._is_there(value) for value in known.written[key]))
            case ir.Name() if depth:
                value = only_value(self._context.program, test)
                return None if value is None else self.truth(value, known, depth - 1)
            case ir.Call() if depth and (asked := spelled_out(self._context.program, test)) is not test:
                return self.truth(asked, known, depth - 1)
            case _:
                return None

    def _is_left(self, operands: tuple[ir.Expr, ...], known: Known) -> bool | None:
        """Whether what the step before has left under a key is a text that it is held against."""
        program = self._context.program
        keys = [key for one in operands if (key := key_of(program, self.function, one)) in known.written]
        texts = [found.value for one in operands if (found := literal_of(program, one)) is not None]
        if len(keys) != 1 or len(texts) != 1:
            return None
        left = [literal_of(program, value) for value in known.written[keys[0]]]
        said = tuple(value.value == texts[0] for value in left if value is not None)
        return all_alike(said) if len(said) == len(left) else None

    def _is_there(self, value: ir.Expr) -> bool:
        """Whether something is written under a key: an answer that is not known to be empty is."""
        known = literal_of(self._context.program, value)
        if known is not None:
            return bool(known.value)
        return not (isinstance(value, ir.List) and not value.items) and not (
            isinstance(value, ir.Map) and not value.entries
        )


def all_alike(truths: tuple[bool, ...]) -> bool | None:
    """What several alternatives say alike."""
    return truths[0] if truths and len(set(truths)) == 1 else None


def _made(value: object) -> str:
    """The name of the class of an object that says by it where a graph goes on; "" for any other value."""
    match value:
        case Instance(cls=cls):
            return cls.name
        case Api(path=path):
            return last_name(path)
        case _:
            return ""


def _compared(program: Program, function: ir.Function) -> Iterator[tuple[str, tuple[ir.Operator, ...]]]:
    found: dict[str, list[ir.Operator]] = {}
    asked = (part for test in tests_asked(program, own_nodes(function)) for part in ir.walk(test))
    own = own_nodes(function, ir.Operator)
    for node in dict.fromkeys((*own, *(part for part in asked if isinstance(part, ir.Operator)))):
        if node.op in MIRRORED:
            for operand in node.operands:
                key = key_of(program, function, operand)
                if key and not any(isinstance(o, ir.Literal) and isinstance(o.value, str) for o in node.operands):
                    found.setdefault(key, []).append(node)
    yield from ((key, tuple(parts)) for key, parts in found.items())


def key_of(program: Program, function: ir.Function, expr: ir.Expr, depth: int = DEPTH) -> str:
    """The key of the state that an expression reads: `state["n"]`, `state.get("n", 0) or 0`, `state.n + 1`. The length
    of what stands there ends in `[]`; "" for an expression that reads none.
    """
    match expr:
        case _ if (read := keyed_read(expr)) is not None:
            return read.key if _is_state(program, function, read.mapping) else ""
        case ir.Call(callee=ir.Name(id="len"), args=(first, *_)):
            inner = key_of(program, function, first.value, depth)
            return f"{inner}{LENGTH}" if inner else ""
        case ir.Call(callee=ir.Name(id="int" | "Number"), args=(first, *_)):
            return key_of(program, function, first.value, depth)
        case ir.Call(callee=ir.Member(name=name, target=target), args=()) if name in CLEANING:
            return key_of(program, function, target, depth)
        case ir.Member(name="length", target=target):
            inner = key_of(program, function, target, depth)
            return f"{inner}{LENGTH}" if inner else ""
        case ir.Member(name=name, target=target):
            return name if _is_state(program, function, target) else ""
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH | ir.Op.ADD | ir.Op.SUB, operands=(first, *_)):
            return key_of(program, function, first, depth)
        case ir.Name() if depth:
            return _of_name(program, function, expr, depth)
        case _:
            return ""


def _of_name(program: Program, function: ir.Function, name: ir.Name, depth: int) -> str:
    for binding in visible_bindings(program, name):
        if binding.steps and binding.value is not None and _is_state(program, function, binding.value):
            return binding.steps[-1].removeprefix(".")
        if binding.kind == "parameter" and binding.steps:
            return binding.steps[-1].removeprefix(".")
    value = only_value(program, name)
    return "" if value is None else key_of(program, function, value, depth - 1)


def _is_state(program: Program, function: ir.Function, expr: ir.Expr) -> bool:
    """Whether an expression is the state that a function is given, or its object's own, or a part of it."""
    root = expr
    while isinstance(root, (ir.Index, ir.Member, ir.Call)):
        if isinstance(root, ir.Member) and root.name == "state" and dotted(root.target) == "self":
            return True
        root = root.callee if isinstance(root, ir.Call) else root.target
    if not isinstance(root, ir.Name):
        return False
    bindings = visible_bindings(program, root)
    if any(binding.kind == "parameter" for binding in bindings):
        given = [p.name for p in function.params if p.name not in {"self", "cls"}][:1]
        return root.id in given or not any(binding.node is function for binding in bindings)
    value = only_value(program, root)
    return value is not None and value is not expr and _is_state(program, function, value)
