"""What was asked on every way to a place in the code, and how it was answered: the conditions that hold there.

A test that leaves on one side, an `assert`, the branch of an `if`, a conditional expression, a case of a `match`, the
right side of `and`, and whatever the project's own functions asked before they came back or said yes: all are
conditions, however they are written. Nobody is asked what a condition is worth: that is for who reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import ends_program
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import of_part
from agent_architecture.semantics.callgraph.decorated import decorated_calls
from agent_architecture.semantics.callgraph.endings import ended_by
from agent_architecture.semantics.control.condition import Condition, Known, alike, either, joined, moved, once
from agent_architecture.semantics.control.condition_parts import (
    EACH,
    asserted,
    is_default,
    is_nothing,
    is_search,
    part_of,
    set_by,
    tests_of,
    truth,
    yielded,
)
from agent_architecture.semantics.control.constant_tests import Foregone, is_empty, suppresses
from agent_architecture.semantics.control.enum_lookups import looked_up
from agent_architecture.semantics.control.table_lookups import entry_asked_for, gives_something
from agent_architecture.semantics.control.unawaited import is_dropped
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

    Made = tuple[Callable[..., "Conditions"], object]
    """The question for the conditions of a program, and what it is about: the same in each scan."""
    from agent_architecture.semantics.control.condition import Part

DEPTH: Final = 4
"""Functions of the project inside each other that are asked what they asked."""
CAUGHT: Final = "catch"
"""What a promise does with an error."""


class Conditions:
    """The conditions of one program, found on demand and remembered.

    `tells` says which library calls are worth remembering for having come back. Every answer is asked with the number
    of functions that may still be entered, so that it is the same whoever asks first.
    """

    def __init__(self, program: Program, made: Made, tells: Callable[[ir.Call], bool]) -> None:
        """`made` asks a program for these conditions (`Program.once`)."""
        self._program = program
        self._made = made
        self._tells = tells
        self.foregone = Foregone(program, made, self._may_answer)

    def at(self, node: ir.Node, depth: int = DEPTH) -> Known:
        """What holds where a node of a scope's own code is evaluated, by the code of that scope."""
        return self._program.kept(_at, self._made, node, depth)

    def holding(self, node: ir.Node, depth: int) -> Known:
        """`at` as it is worked out: what the function found out that ends in this one, too."""
        scope = self._program.scope_of(node)
        before = (p for s in ended_by(self._program, scope) for p in self._holding(s.call, s.scope, depth))
        return once((*self._holding(node, scope, depth), *alike(self._program, before, scope)))

    def _holding(self, node: ir.Node, scope: ir.Scope, depth: int) -> Known:
        parts = ir.children(node) if isinstance(node, ir.Call) else []
        found: list[Known] = [self._evaluated(part, depth) or () for part in parts]
        child: ir.Node = node
        for around in self._program.structure(scope).ancestors(node):
            found.append(self._inside(around, child, depth))
            child = around
        found.append(self._before(scope.body, child, depth))
        return once(each for part in found for each in part)

    def behind(self, statements: Sequence[ir.Node]) -> Known:
        """What holds behind some statements."""
        return self._block(statements, DEPTH) or ()

    def goes_on(self, statements: Sequence[ir.Node]) -> bool:
        """Whether something may come behind some statements."""
        return self._block(statements, DEPTH) is not None

    def answered(self, test: ir.Expr, *, holds: bool) -> Known:
        """What holds where a test was answered with yes, or with no."""
        return self._test(test, test, DEPTH, holds=holds)

    def turns_away(self, test: ir.If) -> bool:
        """Whether nothing comes behind one of the branches of a test."""
        return any(block and not self.goes_on(block) for block in (test.then, test.otherwise))

    def after(self, function: ir.Function, depth: int = DEPTH) -> Known | None:
        """What holds once a call of a function came back, by its own code; None: it never does."""
        if depth <= 0:
            return ()
        return self._program.kept(_come_back, self._made, function, depth - 1)

    def never(self, test: ir.Expr) -> bool:
        """Whether a test can only be answered with no, by a constant or by what the project's functions say."""
        return self.foregone.always(test, DEPTH, says=False)

    def entering(self, function: ir.Function) -> Known:
        """What holds where a decorator of the project runs the function that it decorates."""
        return tuple(each for call in decorated_calls(self._program, function) for each in self.at(call))

    # ----------------------------------------------------------------------------------------------------- statements
    def come_back(self, function: ir.Function, depth: int) -> Known | None:
        """`after` as it is worked out."""
        ways: list[Known | None] = [self._block(function.body, depth)]
        for node in own_nodes(function, ir.Return):
            value = () if node.value is None else self._evaluated(node.value, depth)
            ways.append(None if value is None else (*self.at(node, depth), *value))
        return either(ways)

    def _block(self, block: Sequence[ir.Node], depth: int) -> Known | None:
        """What holds behind a block; None where nothing comes behind it."""
        known: list[Part] = []
        for statement in block:
            found = self._through(statement, depth)
            if found is None:
                return None
            known += found
        return tuple(known)

    def _before(self, block: Sequence[ir.Node], child: ir.Node, depth: int) -> Known:
        """What the statements of a block that stand before one of them leave behind."""
        known: list[Part] = []
        for statement in block:
            if statement is child:
                break
            known += self._through(statement, depth) or ()
        return tuple(known)

    def _through(self, statement: ir.Node, depth: int) -> Known | None:
        return self._program.once(_passed, self._made, statement, depth)

    def passed(self, statement: ir.Node, depth: int) -> Known | None:
        """What holds behind a statement, as it is worked out."""
        match statement:
            case ir.Raise() | ir.Return() | ir.Continue() | ir.Break():
                return None
            case ir.If(test=test, then=then, otherwise=otherwise):
                sides = ((True, then), (False, otherwise))
                ways = [
                    joined(
                        (*self._test(test, statement, depth, holds=yes), *set_by(test, block)),
                        self._block(block, depth),
                    )
                    for yes, block in sides
                    if not self.foregone.always(test, depth, says=not yes)
                ]
                return joined(self._evaluated(test, depth), either(ways))
            case ir.Match():
                return self._cases(statement, depth)
            case ir.Try(body=body, handlers=handlers, otherwise=otherwise, final=final):
                tried = (self._block((*body, *otherwise), depth), *(self._block(h.body, depth) for h in handlers))
                return joined(either(tried), self._block(final, depth))
            case ir.With() if suppresses(statement):
                return either([self._block(statement.body, depth), ()])
            case ir.With() | ir.Block():
                return self._block(statement.body, depth)
            case ir.Loop() if statement.kind != "comprehension":
                return self._loop(statement, depth)
            case ir.Opaque(kind=ir.OpaqueKind.ASSERT):
                first = next(iter(ir.children(statement)), None)
                return () if first is None else self._test(first, statement, depth, holds=True)  # type: ignore[arg-type]
            case _:
                return self._evaluated(statement, depth)

    def _cases(self, match: ir.Match, depth: int) -> Known | None:
        ways: list[Known | None] = []
        for case in match.cases:
            leaves_early = any(isinstance(node, ir.Break) for node in ir.walk(*case.body))
            asked = self._case(match, case, depth)
            ways.append(joined(asked, () if leaves_early else self._block(case.body, depth)))
        if not any(is_default(case) for case in match.cases):
            ways.append(self._no_case(match, depth))
        return either(ways)

    def _case(self, match: ir.Match, case: ir.Case, depth: int) -> Known:
        """What a case asks of the subject: that it is one of its constants, and what else it says."""
        if is_default(case):
            return self._no_case(match, depth)
        asked = tests_of(self._program, match, case)
        known = either([self._test(test, match, depth, holds=holds) for test, holds in asked]) or ()
        return (*known, *(() if case.guard is None else self._test(case.guard, match, depth, holds=True)))

    def _no_case(self, match: ir.Match, depth: int) -> Known:
        """What holds where the subject was none of the constants of the cases, or none of the tests."""
        cases = [case for case in match.cases if case.guard is None]
        asked = [one for case in cases for one in tests_of(self._program, match, case)]
        return tuple(each for test, holds in asked for each in self._test(test, match, depth, holds=not holds))

    def _loop(self, loop: ir.Loop, depth: int) -> Known | None:
        leaving = [node for node in ir.walk(*loop.body) if isinstance(node, (ir.Break, ir.Continue))]
        broken = any(isinstance(node, ir.Break) for node in leaving)
        if loop.kind == "each" and loop.source is not None and is_empty(self._program, loop.source):
            return ()
        if loop.kind == "each":
            return () if leaving else self._block(loop.body, depth) or ()  # what was asked of each
        if loop.test is None or ir.is_true(loop.test):
            return () if broken else None
        return () if broken else self._test(loop.test, loop, depth, holds=False)

    # ------------------------------------------------------------------------------------------------- what is around
    def _inside(self, around: ir.Node, child: ir.Node, depth: int) -> Known:
        """What holds inside one part of a node, by that node."""
        match around:
            case ir.If(test=test, then=then, otherwise=otherwise) if child is not test:
                side = _has(then, child)
                known = self._before(then if side else otherwise, child, depth)
                asked = self._test(test, around, depth, holds=side)
                return (*(self._evaluated(test, depth) or ()), *asked, *known)
            case ir.Conditional(test=test, then=then) if child is not test:
                return self._test(test, around, depth, holds=child is then)
            case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=operands):
                ahead = operands[: next((n for n, one in enumerate(operands) if one is child), 0)]
                return tuple(each for one in ahead for each in self._test(one, around, depth, holds=op == ir.Op.AND))
            case ir.Match(cases=cases):
                case = next((case for case in cases if _has(case.body, child)), None)
                asked = () if case is None else self._case(around, case, depth)
                return () if case is None else (*asked, *self._before(case.body, child, depth))
            case ir.Loop(body=body, test=test) if _has(body, child):
                asked = () if test is None else self._test(test, around, depth, holds=True)
                return (*asked, *self._before(body, child, depth))
            case ir.Try():
                return self._tried(around, child, depth)
            case ir.With() | ir.Block():
                return self._before(around.body, child, depth)
            case _:
                return ()

    def _tried(self, around: ir.Try, child: ir.Node, depth: int) -> Known:
        if _has(around.otherwise, child):
            return (*(self._block(around.body, depth) or ()), *self._before(around.otherwise, child, depth))
        parts = (around.body, *(handler.body for handler in around.handlers), around.final)
        return next((self._before(part, child, depth) for part in parts if _has(part, child)), ())

    # ---------------------------------------------------------------------------------------------------- expressions
    def _evaluated(self, node: ir.Node, depth: int) -> Known | None:
        """What holds once an expression was worked out: what the calls in it asked; None where it never is."""
        match node:
            case ir.Function() | ir.Class():
                return ()
            case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=(first, *rest)):
                known = self._evaluated(first, depth)
                ends = len(rest) == 1 and self._evaluated(rest[0], depth) is None
                return joined(known, self._test(first, node, depth, holds=op == ir.Op.OR) if ends else ())
            case ir.Conditional(test=test, then=then, otherwise=otherwise):
                sides = [(holds, self._evaluated(side, depth)) for holds, side in ((True, then), (False, otherwise))]
                left = [holds for holds, known in sides if known is not None]
                asked = self._test(test, node, depth, holds=left[0]) if len(left) == 1 else ()
                return joined(self._evaluated(test, depth), asked if left else None)
            case ir.Loop(source=source):
                return () if source is None else self._evaluated(source, depth)
            case _:
                known = ()
                for part in ir.children(node):
                    known = joined(known, self._evaluated(part, depth))
                return joined(known, self._called(node, depth)) if isinstance(node, ir.Call) else known

    def _called(self, call: ir.Call, depth: int) -> Known | None:
        """What holds once a call came back."""
        if ends_program(call):
            return None
        claim = asserted(self._program, call)
        if claim is not None:
            return self._test(claim, call, depth, holds=True)
        listed = looked_up(self._program, call)
        if listed is not None:
            return (Condition(ir.Operator(call.span, ir.Op.IN, (listed, call.callee)), holds=True, at=call),)
        came_back: Known = (Condition(call, holds=None, at=call),) if self._tells(call) else ()
        functions = self._program.callees(call)
        if is_dropped(self._program, call, functions):
            return ()
        runs = () if callee_name(call.callee) == CAUGHT else functions  # what it is handed runs for errors alone
        inner = either([self.after(function, depth) for function in runs]) if runs else ()
        return joined(came_back, moved(inner, call))

    # ---------------------------------------------------------------------------------------------------------- tests
    def _test(self, test: ir.Expr, at: ir.Node, depth: int, *, holds: bool) -> Known:
        """What holds where a test was answered with yes or no; nothing where it could not be answered otherwise."""
        if self.foregone.always(test, depth, says=holds):
            return ()
        match test:
            case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
                return self._test(inner, at, depth, holds=not holds)
            case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=operands):
                possible = [each for each in operands if not self.foregone.always(each, depth, says=not holds)]
                parts = [self._test(each, at, depth, holds=holds) for each in possible]
                if holds is (op == ir.Op.AND):
                    return tuple(each for part in parts for each in part)
                return either(parts) or ()
            case ir.Operator(op=ir.Op.IS | ir.Op.EQ | ir.Op.NE as op, operands=(left, ir.Literal(value=value))) if (
                not isinstance(left, (ir.Name, ir.Member, ir.Index)) and is_nothing(value)
            ):
                if isinstance(left, ir.Call) and gives_something(left):
                    return ()
                return self._test(left, at, depth, holds=holds is (op == ir.Op.NE))
            case ir.Operator(op=op, operands=(ir.Call() as found, right)) if is_search(found, right):
                return (Condition(found, holds is (op in {ir.Op.NE, ir.Op.GE, ir.Op.GT}), at),)
            case ir.Await(value=inner) | ir.Assign(value=ir.Call() | ir.Await() as inner):
                return self._test(inner, at, depth, holds=holds)
            case ir.Call() if (asked := entry_asked_for(self._program, test)) is not None:
                return (Condition(ir.Operator(test.span, ir.Op.IN, asked), holds, at),)
            case ir.Call():
                written = spelled_out(self._program, test) if depth > 0 else test
                if written is not test:
                    return (Condition(test, holds, at), *self._test(written, at, depth - 1, holds=holds))
                return (Condition(test, holds, at), *self._said(test, at, depth, holds=holds))
            case ir.Name() | ir.Member() | ir.Index():
                return (Condition(test, holds, at), *self._noted(test, at, depth, holds=holds))
            case _:
                return (Condition(test, holds, at),)

    def _said(self, call: ir.Call, at: ir.Node, depth: int, *, holds: bool, part: str = "") -> Known:
        """What holds where a call answered with yes or no."""
        if callee_name(call.callee) in EACH and not part:
            inner = [one for argument in call.args for one in yielded(self._program, argument.value)]
            return tuple(each for one in inner for each in self._test(one, at, depth, holds=holds))
        functions = self._program.callees(call) if depth > 0 else ()
        ways = [self._answered(function, depth, holds=holds, part=part) for function in functions]
        return moved(either(ways), at) or ()

    def _answered(self, function: ir.Function, depth: int, *, holds: bool, part: str) -> Known | None:
        """What holds once a function answered with yes or no, or with it in one part of its answer."""
        return self._program.kept(_answered, self._made, function, depth - 1, (holds, part))

    def _may_answer(self, function: ir.Function, depth: int, holds: bool) -> bool:
        return self._answered(function, depth, holds=holds, part="") is not None

    def answers_of(self, function: ir.Function, depth: int, *, holds: bool, part: str) -> Iterator[Known | None]:
        """What holds on each of the ways on which a function answers so."""
        for node in own_nodes(function, ir.Return):
            value = part_of(node.value, part) if node.value is not None and part else node.value
            inner = node.value.value if isinstance(node.value, ir.Await) else node.value
            if value is None and part and isinstance(inner, ir.Call) and self._program.callees(inner):
                yield (*self.at(node, depth), *self._said(inner, node, depth, holds=holds, part=part))
                continue
            said = False if value is None and not part else None if value is None else truth(value)
            if value is not None and said is None and self.foregone.always(value, depth, says=not holds):
                continue
            if said is None:
                tested = () if value is None else self._test(value, node, depth, holds=holds)
                yield (*self.at(node, depth), *tested)
            elif said is holds:
                yield self.at(node, depth)
        if not holds:
            yield self._block(function.body, depth)

    def _noted(self, test: ir.Expr, at: ir.Node, depth: int, *, holds: bool) -> Known:
        """What holds where a name that keeps an answer, or a part of one, says yes or no."""
        name, part = (test, "") if isinstance(test, ir.Name) else of_part(test)
        if not isinstance(name, ir.Name) or depth <= 0:
            return ()
        bindings = tuple(b for b in visible_bindings(self._program, name) if b.value is not None)
        if not bindings or any(b.kind != "assign" or len(b.steps) > 1 for b in bindings):
            return ()
        ways = [self._kept(b, len(bindings) == 1, at, (part, depth - 1), holds=holds) for b in bindings]
        return either(ways) or ()

    def _kept(self, binding: Binding, alone: bool, at: ir.Node, asked: tuple[str, int], *, holds: bool) -> Known | None:
        """What holds where what one binding gave a name, or the asked part of it, says yes or no."""
        part, depth = asked
        if binding.value is None:
            return ()
        value = binding.value.value if isinstance(binding.value, ir.Await) else binding.value
        step = part or (binding.steps[0].strip("[].") if binding.steps else "")
        if step:
            return self._said(value, at, depth, holds=holds, part=step) if isinstance(value, ir.Call) else ()
        said = truth(value)
        if said is not None and said is not holds:
            return None
        here = () if alone else self.at(value, depth)
        return (*here, *(() if said is not None else self._test(value, at, depth, holds=holds)))


def _at(program: Program, made: Made, node: ir.Node, depth: int) -> Known:
    return program.once(*made).holding(node, depth)


def _come_back(program: Program, made: Made, function: ir.Function, depth: int) -> Known | None:
    return program.once(*made).come_back(function, depth)


def _passed(program: Program, made: Made, statement: ir.Node, depth: int) -> Known | None:
    return program.once(*made).passed(statement, depth)


def _answered(program: Program, made: Made, function: ir.Function, depth: int, asked: tuple[bool, str]) -> Known | None:
    return either(program.once(*made).answers_of(function, depth, holds=asked[0], part=asked[1]))


def _has(block: Iterable[ir.Node], child: ir.Node) -> bool:
    return any(statement is child for statement in block)
