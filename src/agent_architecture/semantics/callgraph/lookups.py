"""What stands behind a call: something that was taken out of a container by a key that code works out.

`tools[name]`, `registry.get(name)`, `tools.find((tool) => tool.name === name)`, `getattr(self, f"do_{name}")`. Says
nothing of whose word the key is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.test_parts import joined_by
from agent_architecture.names.values import Func, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

TAKING: Final = frozenset({"get", "find", "pop"})
"""Methods of the languages' containers that give what stands under a key, or what a test holds for."""
STARTING: Final = regex(
    r"^_?a?(?:run|execute|invoke|call|dispatch|handle|perform|apply|forward|process|func|function|fn|handler|callback"
    r"|exec|action|coroutine|(?:execute|call|run)_?tool)(?:_async|Async|_sync)?$",
    re.IGNORECASE,
)
"""What the method, or the field, of a tool's object is called that does its work."""
DEPTH: Final = 6
"""Names and getters that are followed from a call to the look-up behind it."""


class Lookup(NamedTuple):
    """Where something is taken from, and by what."""

    container: ir.Expr
    key: ir.Expr
    in_it: bool = False
    """Whether it is an element of the container, by a method of it: no method of the container itself."""
    part: str = ""
    """The part of the elements that is compared with the key; "" where none is."""


def lookups(program: Program, expr: ir.Expr, depth: int = DEPTH) -> Iterator[Lookup]:
    """The look-ups that an expression may be, or be a part of that is there to be run."""
    if depth <= 0:
        return
    match expr:
        case ir.Index(target=target, key=key) if not isinstance(key, (ir.Literal, ir.Slice)):
            yield Lookup(target, key)
        case ir.Index(target=target, key=ir.Literal(value=str() as part)) if STARTING.search(part):
            yield from lookups(program, target, depth - 1)
        case ir.Member(target=target, name=part) if STARTING.search(part):
            yield from lookups(program, target, depth - 1)
        case ir.Call(callee=ir.Name(id="getattr"), args=(holder, key, *_)) if not isinstance(key.value, ir.Literal):
            yield Lookup(holder.value, key.value)
        case ir.Call(callee=ir.Index()):
            yield from lookups(program, expr.callee, depth - 1)
        case ir.Call(callee=ir.Member(name=name, target=target)) if name in TAKING and expr.args:
            yield from _taken(program, target, expr.args[0].value)
            yield from _returned(program, expr, depth)  # by a registry of the project
        case ir.Call(callee=ir.Name(id="next")) if expr.args and isinstance(expr.args[0].value, ir.Loop):
            yield from _first(program, expr.args[0].value)
        case ir.Call():
            yield from _returned(program, expr, depth)
        case ir.Name():
            yield from _bound(program, expr, depth)
        case ir.Await(value=value):
            yield from lookups(program, value, depth - 1)
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=operands):
            yield from (found for operand in operands for found in lookups(program, operand, depth - 1))
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from (found for part in (then, otherwise) for found in lookups(program, part, depth - 1))
        case _:
            return


def words_for(program: Program, choice: ir.Expr) -> Iterator[ir.Expr]:
    """The expressions whose word a choice is: itself and, where it is a part of what was looked up by its name, that
    name (`switch (tool.name)` after `tool = tools.find((t) => t.name === name)`).
    """
    yield choice
    if isinstance(choice, (ir.Member, ir.Index)):
        part = choice.name if isinstance(choice, ir.Member) else getattr(choice.key, "value", None)
        yield from (one.key for one in lookups(program, choice.target) if one.part and one.part == part)


def _returned(program: Program, call: ir.Call, depth: int) -> Iterator[Lookup]:
    for function in program.callees(call):
        for returned in program.structure(function).returns:
            for found in lookups(program, returned, depth - 1):
                yield found._replace(key=_as_asked(program, call, function, found.key))


def _as_asked(program: Program, call: ir.Call, function: ir.Function, key: ir.Expr) -> ir.Expr:
    """By what a call has something looked up: `registry.get("search")` by what it hands over."""
    param = next((p for p in function.params if isinstance(key, ir.Name) and p.name == key.id), None)
    if param is not None:
        for site in program.callers(function):
            given = passed_argument(site, function, param) if site.call is call else None
            if given is not None and not isinstance(given, Unknown):
                return given
    return key


def _taken(program: Program, container: ir.Expr, argument: ir.Expr) -> Iterator[Lookup]:
    """`tools.get(name)`, `tools.find((tool) => tool.name === name)`."""
    functions = [v.function for v in program.value_of(argument) if isinstance(v, Func)]
    tests = [test for function in functions for test in program.structure(function).returns]
    for function, test in zip(functions, tests, strict=False):
        names = frozenset(param.name for param in function.params)
        yield from (Lookup(container, key, in_it=True, part=part) for key, part in _compared(test, names))
    if not functions and not isinstance(argument, ir.Literal):
        yield Lookup(container, argument, in_it=True)


def _first(program: Program, loop: ir.Loop) -> Iterator[Lookup]:
    """`next(tool for tool in tools if tool.name == name)`."""
    if loop.source is not None and loop.test is not None and isinstance(loop.target, ir.Name):
        asked = _compared(spelled_out(program, loop.test), frozenset({loop.target.id}))
        yield from (Lookup(loop.source, key, part=part) for key, part in asked)


def _bound(program: Program, name: ir.Name, depth: int) -> Iterator[Lookup]:
    for binding in visible_bindings(program, name):
        if binding.kind == "loop" and isinstance(binding.node, ir.Loop) and binding.node.source is not None:
            structure = program.structure(program.scope_of(name))
            for around in structure.enclosing(name, ir.If):
                asked = _compared(spelled_out(program, around.test), frozenset({name.id}))
                yield from (Lookup(binding.node.source, key, part=part) for key, part in asked)
        elif binding.kind in {"assign", "with"} and binding.value is not None and not binding.steps:
            yield from lookups(program, binding.value, depth - 1)


def _compared(test: ir.Expr, names: frozenset[str]) -> Iterator[tuple[ir.Expr, str]]:
    """What a part of one of these names is compared with, and which part: `tool.name == name`."""
    for asked in joined_by("and", test):
        if isinstance(asked, ir.Operator) and asked.op == ir.Op.EQ:
            one, other = asked.operands
            pairs = ((_part(part, names), key) for part, key in ((one, other), (other, one)))
            yield from ((key, part) for part, key in pairs if part is not None)


def _part(expr: ir.Expr, names: frozenset[str]) -> str | None:
    """Which part of one of these names an expression is, "" for one that has no name; None for any other expression."""
    owner = expr.callee if isinstance(expr, ir.Call) else expr
    if not isinstance(owner, (ir.Member, ir.Index)):
        return None
    named = owner.name if isinstance(owner, ir.Member) else owner.key
    part = named.value if isinstance(named, ir.Literal) else named
    while isinstance(owner, (ir.Member, ir.Index)):
        owner = owner.target
    if not isinstance(owner, ir.Name) or owner.id not in names:
        return None
    return part if isinstance(part, str) else ""
