"""Which tests of a tool's code can refuse what they look at, and what that is.

A test refuses when the side on which it fails leaves with a refusal: it raises, goes on with the next, or returns
nothing or something that says no. Which argument of a tool is looked at is for `tool_arguments` to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import blocks, own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MATCHING: Final = frozenset(
    """match fullmatch test isalnum isalpha isdigit isdecimal isidentifier isnumeric isInteger isSafeInteger
    is_relative_to""".split()  # noqa: SIM905 - a list of quotes is no easier to read
)
"""Calls that compare a text with a pattern or a root, a number with a kind."""
CONTAINING: Final = frozenset({"has", "includes", "contains", "issuperset"})
"""Calls that look for their argument in a collection; what a text contains says nothing of the rest of it."""
PREFIXED: Final = frozenset({"startswith", "startsWith"})
"""Calls that compare the beginning of a text: enough for a path that has been resolved."""
TYPING: Final = frozenset({"isinstance", "isArray"})
"""Calls that ask of what type their first argument is."""
EVERY: Final = frozenset({"all", "any", "every", "some"})
RAISING: Final = frozenset(
    {"ip_address", "ip_network", "IPv4Address", "UUID", "ZoneInfo", "strptime", "fromisoformat"}
)  # fmt: skip
"""Calls that raise when a text is not of their form."""

NO: Final = regex(
    r"\b(?:no|not|none|only|must|cannot|unknown|unsupported|unrecogni[sz]ed|invalid|illegal|error|fail(?:ed|ure)?|denied"
    r"|forbidden|reject(?:ed)?|refused?|missing|outside|disallowed|unauthori[sz]ed)\b|n't\b",
    re.IGNORECASE,
)
"""Words with which code tells a model that a call was refused."""
NO_NAME: Final = regex(r"error|invalid|denied|reject|refus|fail|forbid", re.IGNORECASE)
"""The same in names."""
AGREEING: Final = frozenset({"success", "ok", "allowed", "valid", "accepted"})
"""Fields that say no when they are false."""

DEPTH: Final = 4
"""Names and predicates that a test is followed through."""

INNER: Final = 1
"""Of them, those inside a function that answers whether something is of a type."""


class Looked(NamedTuple):
    """One thing that a refusing test looks at: its `content` or its `type`; `prefix`: only how it begins; `ordered`: it
    is compared by size.
    """

    expr: ir.Expr
    kind: str = "content"
    prefix: bool = False
    ordered: bool = False


# -------------------------------------------------------------------------------------------------------- which side
def looked_at(program: Program, node: ir.Node) -> Iterator[Looked]:
    """What a statement looks at and can refuse."""
    match node:
        case ir.If():
            yield from _of_if(program, node)
        case ir.Match():
            default = next((case for case in node.cases if _is_default(case)), None)
            if default is not None and refuses(default.body) and len(node.cases) > 1:
                yield Looked(node.subject)
        case ir.Opaque(kind="assert_statement"):
            yield from (found for part in ir.children(node) for found, _ in _parts(program, part, holds=True))
        case _:
            return


def _of_if(program: Program, node: ir.If, depth: int = DEPTH) -> Iterator[Looked]:
    failing = (node.then, node.otherwise or following(program, node))
    sides = (refuses(failing[0]), refuses(failing[1]))
    for found, holds in _parts(program, node.test, holds=True, depth=depth):
        # A part that has to hold for `then` refuses on the other side; an order of numbers is written both ways.
        if (holds is None and any(sides)) or (holds is not None and sides[int(holds)]):
            yield found


def following(program: Program, node: ir.Node) -> tuple[ir.Node, ...]:
    """The statements behind a statement, in the block that it stands in."""
    scope = program.scope_of(node)
    around = program.structure(scope).parent(node)
    for block in (tuple(scope.body),) if around is None else blocks(around):
        for number, statement in enumerate(block):
            if statement is node:
                return tuple(block[number + 1 :])
    return ()


def refuses(block: tuple[ir.Node, ...]) -> bool:
    """Whether a block ends in a refusal."""
    if not block:
        return False
    match block[-1]:
        case ir.Raise() | ir.Continue():
            return True
        case ir.Return(value=value):
            return value is None or _says_no(value)
        case ir.If(otherwise=otherwise):
            return refuses(otherwise)
        case _:
            return False


def _says_no(value: ir.Expr) -> bool:
    match value:
        case ir.Literal(value=str() as text):
            return not text or NO.search(text) is not None
        case ir.Literal(value=constant):
            return not constant
        case ir.List(items=()) | ir.Map(entries=()):
            return True
        case ir.Await(value=inner):
            return _says_no(inner)
        case _:
            return any(_is_no(node) for node in ir.walk(value))


def _is_no(node: ir.Node) -> bool:
    match node:
        case ir.Literal(value=str() as text):
            return NO.search(text) is not None
        case ir.Member() | ir.Name():
            return NO_NAME.search(callee_name(node)) is not None
        case ir.Map():
            return any(_is_no_field(str(e.key.value), e.value) for e in node.entries if isinstance(e.key, ir.Literal))
        case ir.Call():
            return any(_is_no_field(a.keyword, a.value) for a in node.args if a.keyword is not None)
        case _:
            return False


def _is_no_field(name: str, value: ir.Expr) -> bool:
    """`success: false`, `is_error=True`, `error: …`."""
    constant = value.value if isinstance(value, ir.Literal) else True
    return constant is False if name.lower() in AGREEING else NO_NAME.search(name) is not None and bool(constant)


# ------------------------------------------------------------------------------------------------- what is looked at
def _parts(program: Program, test: ir.Node, *, holds: bool, depth: int = DEPTH) -> Iterator[tuple[Looked, bool | None]]:
    """What a test looks at, and whether that has to hold for the test to hold; None: it may be either."""
    match test:
        case ir.Operator(op="not", operands=(inner,)):
            yield from _parts(program, inner, holds=not holds, depth=depth)
        case ir.Operator(op="and" | "or" | "??", operands=operands):
            for operand in operands:
                yield from _parts(program, operand, holds=holds, depth=depth)
        case ir.Operator(op="in", operands=(left, _)):
            yield Looked(left), holds
        case ir.Operator(op="==" | "!=" as op, operands=operands):
            yield from ((found, holds is (op == "==")) for found in _equal(operands))
        case ir.Operator(op="<" | ">" | "<=" | ">=", operands=operands):
            yield from ((Looked(operand, ordered=True), None) for operand in operands)
        case ir.Call():
            yield from _called(program, test, holds=holds, depth=depth)
        case ir.Name() if depth:
            values = [b.value for b in visible_bindings(program, test) if b.kind == "assign" and not b.steps]
            for value in values if len(values) == 1 else ():
                if value is not None:
                    yield from _parts(program, value, holds=holds, depth=depth - 1)
        case ir.Await(value=inner):
            yield from _parts(program, inner, holds=holds, depth=depth)
        case _:
            return


def _equal(operands: tuple[ir.Expr, ...]) -> Iterator[Looked]:
    """What is compared with a constant that is not empty, or with somebody's property."""
    first, last = operands[0], operands[-1]
    for operand, other in ((first, last), (last, first)):
        if isinstance(operand, ir.Operator) and operand.op == "typeof":
            yield Looked(operand.operands[0], "type")
        elif isinstance(other, ir.Member) or (isinstance(other, ir.Literal) and _is_specific(other)):
            yield Looked(operand)


def _is_specific(literal: ir.Literal) -> bool:
    return isinstance(literal.value, (str, int)) and literal.value != ""


def _called(program: Program, call: ir.Call, *, holds: bool, depth: int) -> Iterator[tuple[Looked, bool | None]]:
    name = callee_name(call.callee)
    target = (call.callee.target,) if isinstance(call.callee, ir.Member) else ()
    arguments = tuple(argument.value for argument in call.args)
    if name in MATCHING:
        yield from ((Looked(expr), holds) for expr in (*target, *arguments))
    elif name in CONTAINING:
        yield from ((Looked(expr), holds) for expr in arguments)
    elif name in PREFIXED:
        yield from ((Looked(expr, prefix=True), holds) for expr in target)
    elif name in TYPING and arguments:
        yield Looked(arguments[0], "type"), holds
    elif name in EVERY:
        for expr in arguments:
            for inner in _yielded(program, expr):
                yield from _parts(program, inner, holds=holds, depth=depth)
    elif depth:
        for function in program.callees(call):
            yield from ((found, holds) for found in _of_guard(program, function, min(depth - 1, INNER)))
        if any(_compares(function) for function in program.callees(call)):
            yield from ((Looked(expr), holds) for expr in arguments)


def _of_guard(program: Program, function: ir.Function, depth: int) -> Iterator[Looked]:
    """What a function of the project asks the type of, where it answers no for any other: `(v): v is Query => …`."""
    for value in program.structure(function).returns:
        parts = _parts(program, value, holds=True, depth=depth)
        yield from (found for found, holds in parts if found.kind == "type" and holds)
    for node in own_nodes(function):
        if isinstance(node, ir.If):
            yield from (found for found in _of_if(program, node, depth) if found.kind == "type")


def _yielded(program: Program, expr: ir.Expr) -> Iterator[ir.Expr]:
    """What a comprehension or callback asks of each element."""
    if isinstance(expr, ir.Loop):
        yield from (part for part in expr.body if not isinstance(part, ir.Loop))  # type: ignore[misc]
    elif isinstance(expr, ir.Function):
        yield from program.structure(expr).returns


def _compares(function: ir.Function) -> bool:
    """Whether a function of the project answers by comparing: with a pattern, a list, a root. A comparison that only
    decides how it goes on (`if not subject.startswith("Re:"): subject = …`) is no part of its answer.
    """
    nodes = tuple(_inside(function))
    idle = {id(part) for node in nodes if isinstance(node, ir.If) and not _answers(node) for part in ir.walk(node.test)}
    return any(
        id(node) not in idle
        and (
            (isinstance(node, ir.Call) and callee_name(node.callee) in MATCHING | CONTAINING | PREFIXED)
            or (isinstance(node, ir.Operator) and node.op == "in")
        )
        for node in nodes
    )


def _answers(test: ir.If) -> bool:
    """Whether one side of a test leaves, or notes a yes or no."""
    return any(
        isinstance(node, (ir.Return, ir.Raise, ir.Yield))
        or (isinstance(node, ir.Assign) and isinstance(node.value, ir.Literal) and isinstance(node.value.value, bool))
        for node in ir.walk(*test.then, *test.otherwise)
    )


def _inside(function: ir.Function) -> Iterator[ir.Node]:
    """The nodes of a function and of the functions written inside it."""
    for node in ir.walk(*function.body):
        yield node
        if isinstance(node, ir.Function):
            yield from _inside(node)


def _is_default(case: ir.Case) -> bool:
    return case.guard is None and (not case.patterns or any(_is_anything(pattern) for pattern in case.patterns))


def _is_anything(pattern: ir.Expr) -> bool:
    return isinstance(pattern, ir.Name)


def raising(call: ir.Call) -> bool:
    """Whether a call raises when the text that it is given is not of its form."""
    return callee_name(call.callee) in RAISING


def asserts(program: Program, call: ir.Node, names: set[str]) -> bool:
    """Whether a statement hands one of these names to a function of the project that raises for some values."""
    if not isinstance(call, ir.Call):
        return False
    given = {dotted(argument.value) for argument in call.args}
    return bool(given & names) and any(
        isinstance(node, ir.If) and any(isinstance(each, ir.Raise) for each in (*node.then, *node.otherwise))
        for function in program.callees(call)
        for node in own_nodes(function)
    )
