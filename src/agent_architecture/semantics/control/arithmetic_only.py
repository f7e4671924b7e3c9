"""Program texts that code has confined to digits and operators before it runs them: arithmetic, which can name nothing.

Letters, quotes, brackets and braces are what a program needs to reach anything (JavaScript needs brackets alone); a
pattern that admits one of them confines nothing here. How much a list of forbidden words helps is for `denylists`.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Const, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

OPERATORS: Final = frozenset("+-*/%.,()^<>!&|?:eE")
"""Characters of which no name and no text can be made; `e` stands in numbers."""
HARMLESS: Final = OPERATORS | frozenset(string.digits + string.whitespace)
CLASS: Final = regex(r"\^?\[(?P<negated>\^?)(?P<inside>(?:\\.|[^\]\\])*)\](?:[*+]|\{\d*,?\d*\})?(?P<end>\$|\\Z|\\z)?$")
"""A pattern of one class of characters."""
COMPILED: Final = "py:re.compile()"
ESCAPED: Final = {"d": string.digits, "s": string.whitespace, "n": "\n", "t": "\t", "r": "\r"}
TESTING: Final = frozenset({"test", "match", "fullmatch", "search"})
TAKING_OUT: Final = frozenset({"sub", "replace", "replaceAll"})
TRIMMING: Final = frozenset({"strip", "rstrip", "lstrip", "trim", "trimEnd", "trimStart", "toString", "str", "String"})
DEPTH: Final = 3
"""Names, helpers and callers through which a text is followed."""


class Condition(NamedTuple):
    """A part of a test, and whether it holds or not where the code goes on."""

    expr: ir.Expr
    holds: bool


def is_arithmetic(program: Program, call: ir.Call, code: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether the text that a call runs can only be numbers and operators, besides what the project itself wrote."""
    match code:
        case ir.Literal():
            return True
        case ir.Template(parts=parts) | ir.Operator(op=ir.Op.ADD, operands=parts):
            return all(is_arithmetic(program, call, part, depth) for part in parts)
        case ir.Call() if _takes_out(program, code):
            return True
        case ir.Call(callee=callee, args=args) if callee_name(callee) in TRIMMING | TAKING_OUT:
            target = callee.target if isinstance(callee, ir.Member) else args[0].value if args else None
            given = (argument.value for argument in args if argument.value is not target)
            plain = all(isinstance(value, ir.Literal) for value in given)
            return target is not None and plain and is_arithmetic(program, call, target, depth)
        case ir.Name() | ir.Member():
            if _is_tested(program, call, dotted(code)):
                return True
            return isinstance(code, ir.Name) and depth > 0 and _is_made_so(program, call, code, depth - 1)
        case _:
            return False


def _is_made_so(program: Program, call: ir.Call, name: ir.Name, depth: int) -> bool:
    """Whether a name holds such a text: the assignment before the call makes it one, or every caller hands it one."""
    scope = program.scope_of(call)
    assigned = [n for n in own_nodes(scope) if isinstance(n, ir.Assign) and _assigns(n, name.id)]
    before = [node for node in assigned if node.span < call.span]
    if before:
        last = before[-1]
        is_sure = last.value is not None and not last.op and program.structure(scope).dominates(last, call)
        return is_sure and last.value is not None and is_arithmetic(program, call, last.value, depth)
    param = next((p for p in scope.params if p.name == name.id), None) if isinstance(scope, ir.Function) else None
    if param is None or not isinstance(scope, ir.Function):
        values = [b.value for b in visible_bindings(program, name) if b.kind == "assign" and not b.steps]
        return len(values) == 1 and values[0] is not None and is_arithmetic(program, call, values[0], depth)
    sites = program.callers(scope)
    given = [(site.call, passed_argument(site, scope, param)) for site in sites if not site.escapes]
    return (
        bool(sites)
        and len(given) == len(sites)
        and all(
            expr is not None and not isinstance(expr, Unknown) and is_arithmetic(program, at, expr, depth)
            for at, expr in given
        )
    )


def _assigns(node: ir.Assign, name: str) -> bool:
    return isinstance(node.target, ir.Name) and node.target.id == name


def _is_tested(program: Program, call: ir.Call, text: str) -> bool:
    """Whether the code goes on to a call only where a test has found nothing but harmless characters in a text."""
    scope = program.scope_of(call)
    structure = program.structure(scope)
    for node in own_nodes(scope) if text else ():
        if not isinstance(node, ir.If):
            continue
        inside = next((holds for holds, block in _sides(node) if _contains(block, call)), None)
        if inside is None and structure.dominates(node, call):
            rest = (node.then, node.otherwise)
            left = [bool(block) and _leaves(block) for block in rest]
            inside = left[1] if left[0] != left[1] else None
        if inside is not None and any(_confines(program, c, text) for c in _given(program, node.test, inside)):
            return True
    return False


def _sides(node: ir.If) -> Iterator[tuple[bool, tuple[ir.Node, ...]]]:
    yield True, node.then
    yield False, node.otherwise


def _contains(block: tuple[ir.Node, ...], call: ir.Call) -> bool:
    return any(statement.span.contains(call.span) for statement in block)


def _leaves(block: tuple[ir.Node, ...]) -> bool:
    return isinstance(block[-1], (ir.Return, ir.Raise, ir.Continue, ir.Break))


def _given(program: Program, test: ir.Expr, holds: bool, depth: int = DEPTH) -> Iterator[Condition]:
    """What is known where a test holds, or does not."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            yield from _given(program, inner, not holds, depth)
        case ir.Operator(op=ir.Op.AND | ir.Op.OR as op, operands=operands):
            for operand in operands if holds is (op == ir.Op.AND) else ():
                yield from _given(program, operand, holds, depth)
        case ir.Operator(op=ir.Op.IS | ir.Op.EQ | ir.Op.NE as op, operands=(left, ir.Literal(value=None))):
            yield from _given(program, left, holds is (op == ir.Op.NE), depth)
        case ir.Name() if depth:
            values = [b.value for b in visible_bindings(program, test) if b.kind == "assign" and not b.steps]
            if len(values) == 1 and values[0] is not None:
                yield from _given(program, values[0], holds, depth - 1)
        case _:
            yield Condition(test, holds)


def _confines(program: Program, condition: Condition, text: str, depth: int = DEPTH) -> bool:
    """Whether a condition leaves nothing but harmless characters in a text."""
    expr, holds = condition
    match expr:
        case ir.Call(callee=callee) if callee_name(callee) in TESTING:
            return _matches(program, expr, text, holds=holds)
        case ir.Call(callee=ir.Name(id="all" | "any" as name), args=(ir.Argument(value=ir.Loop() as loop),)):
            return holds is (name == "all") and _is_named(loop.source, text) and _each(program, loop, name == "all")
        case ir.Call(callee=ir.Member(name="issubset", target=ir.Call() as own), args=(argument,)):
            return holds and _is_set_of(own, text) and _is_harmless(_text(program, argument.value))
        case ir.Operator(op=ir.Op.LE, operands=(ir.Call() as own, allowed)):
            return holds and _is_set_of(own, text) and _is_harmless(_text(program, allowed))
        case ir.Call() if depth:
            return any(_by_helper(program, expr, function, condition, text) for function in program.callees(expr))
        case _:
            return False


def _by_helper(program: Program, call: ir.Call, function: ir.Function, condition: Condition, text: str) -> bool:
    """Whether a function of the project that is asked about a text answers by such a test alone."""
    given = [n for n, argument in enumerate(call.args) if _is_named(argument.value, text) and not argument.keyword]
    returned = program.structure(function).returns
    if not given or given[0] >= len(function.params) or len(returned) != 1:
        return False
    own = function.params[given[0]].name
    found = _given(program, returned[0], condition.holds, 1)
    return any(_confines(program, each, own, 0) for each in found)


def _matches(program: Program, call: ir.Call, text: str, *, holds: bool) -> bool:
    """Whether a call of a pattern's says that a text has harmless characters alone, or no other ones."""
    callee = call.callee
    exprs = [*([callee.target] if isinstance(callee, ir.Member) else []), *(a.value for a in call.args)]
    others = (expr for expr in exprs if not _is_named(expr, text))
    patterns = [pattern for expr in others if (pattern := _pattern(program, expr))]
    if len(patterns) != 1 or not any(_is_named(expr, text) for expr in exprs):
        return False
    found = CLASS.match(patterns[0])
    if found is None or not _is_harmless(_characters(found["inside"])):
        return False
    if found["negated"]:
        return not holds
    is_whole = callee_name(callee) == "fullmatch" or (found["end"] and (patterns[0][0] == "^" or _from_start(call)))
    return holds and bool(is_whole)


def _from_start(call: ir.Call) -> bool:
    """Whether a call compares a text from its beginning, as Python's `match` does."""
    return callee_name(call.callee) == "match" and call.span.path.endswith((".py", ".ipynb"))


def _takes_out(program: Program, call: ir.Call) -> bool:
    """Whether a call takes all but harmless characters out of a text."""
    if callee_name(call.callee) not in TAKING_OUT:
        return False
    target = (call.callee.target,) if isinstance(call.callee, ir.Member) else ()
    for expr in (*target, *(argument.value for argument in call.args)):
        found = CLASS.match(_pattern(program, expr))
        if found is not None and found["negated"] and _is_harmless(_characters(found["inside"])):
            return True
    return False


def _pattern(program: Program, expr: ir.Expr) -> str:
    """The text of a pattern, compiled or not; "" for anything else."""
    for value in program.value_of(expr):
        if isinstance(value, Const) and isinstance(value.value, str):
            return value.value
        if isinstance(value, Api) and value.path == COMPILED and isinstance(value.node, ir.Call):
            return _pattern(program, value.node.args[0].value) if value.node.args else ""
    return ""


def _text(program: Program, expr: ir.Expr) -> str | None:
    """The characters that a collection of them is: a text, or a set made of one."""
    if isinstance(expr, ir.Call) and callee_name(expr.callee) in {"set", "frozenset"} and len(expr.args) == 1:
        return _text(program, expr.args[0].value)
    if isinstance(expr, ir.Name):
        values = [b.value for b in visible_bindings(program, expr) if b.kind == "assign" and not b.steps]
        return (
            _text(program, values[0])
            if len(values) == 1 and isinstance(values[0], ir.Call)
            else _constant(program, expr)
        )
    return _constant(program, expr)


def _constant(program: Program, expr: ir.Expr) -> str | None:
    values = program.value_of(expr)
    texts = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    return texts[0] if len(texts) == len(values) == 1 else None


def _each(program: Program, loop: ir.Loop, holds: bool) -> bool:
    """Whether a comprehension asks of each character whether it is a harmless one."""
    asked = [part for part in loop.body if not isinstance(part, ir.Loop)]
    for part in asked[-1:]:
        for expr, is_in in _given(program, part, holds, 0):  # type: ignore[arg-type]
            if isinstance(expr, ir.Operator) and expr.op == ir.Op.IN:
                return is_in and _is_harmless(_text(program, expr.operands[1]))
    return False


def _is_set_of(call: ir.Call, text: str) -> bool:
    return callee_name(call.callee) in {"set", "frozenset"} and any(_is_named(a.value, text) for a in call.args)


def _is_named(expr: ir.Node | None, text: str) -> bool:
    return isinstance(expr, (ir.Name, ir.Member)) and dotted(expr) == text


def _is_harmless(characters: str | None) -> bool:
    return bool(characters) and set(characters or "") <= HARMLESS


def _characters(inside: str) -> str | None:
    """The characters of a class; None where it has more than can be written down."""
    found: list[str] = []
    parts = re.findall(r"\\.|.", inside, re.DOTALL)
    number = 0
    while number < len(parts):
        part = parts[number]
        if part[0] == "\\" and part[1].isalpha():
            if part[1] not in ESCAPED:
                return None
            found.append(ESCAPED[part[1]])
        elif number + 2 < len(parts) and parts[number + 1] == "-":
            first, last = part[-1], parts[number + 2][-1]
            found.extend(chr(code) for code in range(ord(first), ord(last) + 1))
            number += 2
        else:
            found.append(part[-1])
        number += 1
    return "".join(found)
