"""What a condition says of the values that it looks at, and which blocks and answers refuse.

How conditions come about is for `conditions`, which argument of a tool is looked at for `callgraph/tool_arguments`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import blocks
from agent_architecture.names.values import Api, Const, Items, Text
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.control import below
from agent_architecture.semantics.control.confining_calls import RAISING
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.control.condition import Condition

MATCHING: Final = frozenset(
    """match fullmatch test isalnum isalpha isdigit isdecimal isidentifier isnumeric isInteger isSafeInteger
    is_relative_to""".split()  # noqa: SIM905 - a list of quotes is no easier to read
)
"""Calls that compare a text with a pattern or a root, a number with a kind."""
CONTAINING: Final = frozenset({"has", "includes", "contains", "issuperset", "indexOf"})
"""Calls that look for their argument in a collection; what a text contains says nothing of the rest of it."""
IN_TEXT: Final = frozenset({"includes", "contains"})
"""Words for a list that holds something, and for a text that has another one in it."""
TEXTUAL: Final = frozenset({"readFileSync", "readFile", "read_text", "read", "text", "toString", "toLowerCase", "trim"})
"""Calls that give a text."""
PREFIXED: Final = frozenset({"startswith", "startsWith"})
"""Calls that compare the beginning of a text: enough for a path that has been resolved."""
SPELLING: Final = frozenset({"str", "String", "toString", "as_posix", "fspath", "resolve", "abspath", "realpath"})
"""Calls that give the same path in another form."""
SEPARATORS: Final = frozenset({"sep", "SEP", "separator"})
"""What parts the names in a path (`os.sep`, `path.sep`)."""
NAMES: Final = 3
"""Names through which the text is followed that a path is to begin with."""
TYPING: Final = frozenset({"isinstance", "isArray"})
"""Calls that ask of what type their first argument is."""
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


class Looked(NamedTuple):
    """One thing that a refusing test looks at: its `content` or its `type`; `prefix`: only how it begins; `ordered`: it
    is compared by size; `empty`: it is nothing; `loose`: it begins with what no separator ends.
    """

    expr: ir.Expr
    kind: str = "content"
    prefix: bool = False
    ordered: bool = False
    empty: bool = False
    loose: bool = False


# -------------------------------------------------------------------------------------------------- what is looked at
def looked_at(program: Program, body: Body, condition: Condition) -> Iterator[Looked]:
    """What a condition looks at, where it holds for some values alone; `body` is the code whose arguments are meant."""
    holds = condition.holds
    match condition.expr:
        case ir.Operator(op=ir.Op.IN, operands=(left, _)) if holds:
            yield Looked(left)
        case ir.Operator(op=ir.Op.IN, operands=(ir.Literal(value=below.UPWARDS), path)) if holds is False:
            yield from (Looked(path),) if below.stays_below(program, body.function, path) else ()
        case ir.Call(
            callee=ir.Member(name=name, target=path), args=(ir.Argument(value=ir.Literal(value=below.UPWARDS)),)
        ):
            is_below = holds is False and name in IN_TEXT and below.stays_below(program, body.function, path)
            yield from (Looked(path),) if is_below else ()
        case ir.Operator(op=ir.Op.EQ | ir.Op.NE | ir.Op.IS as op, operands=operands):
            if holds is (op in {ir.Op.EQ, ir.Op.IS}):
                yield from _equal(program, body, operands)
        case ir.Operator(op=ir.Op.LT | ir.Op.GT | ir.Op.LE | ir.Op.GE, operands=operands):
            yield from (Looked(operand, ordered=True) for operand in operands)
        case ir.Call() as call if holds:
            yield from () if looks_in_text(program, call) else _asked(program, call)
        case ir.Call() as call if holds is None and callee_name(call.callee) in RAISING:
            yield from (Looked(argument.value) for argument in call.args)
        case ir.Name() | ir.Member() | ir.Index() as empty if holds is False:
            yield Looked(empty, empty=True)
        case _:
            return


def looks_in_text(program: Program, test: ir.Call) -> bool:
    """Whether a test only asks whether one text stands in another one (`path.includes("..")`, whether a file has the
    line that is to be replaced): it is no list of what is allowed.
    """
    if callee_name(test.callee) not in IN_TEXT or not isinstance(test.callee, ir.Member) or not test.args:
        return False
    held = program.value_of(test.callee.target)
    if any(isinstance(value, Items) for value in held):
        return False
    return isinstance(test.args[0].value, ir.Literal) or any(map(_is_text, held))


def _is_text(value: Value) -> bool:
    if isinstance(value, Api):
        return last_name(value.path) in TEXTUAL
    return isinstance(value, Text) or (isinstance(value, Const) and isinstance(value.value, str))


def _asked(program: Program, call: ir.Call) -> Iterator[Looked]:
    """What a call looks at that answered with yes."""
    name = callee_name(call.callee)
    target = (call.callee.target,) if isinstance(call.callee, ir.Member) else ()
    arguments = tuple(argument.value for argument in call.args)
    if name in MATCHING:
        yield from map(Looked, ir.parts_of(call))
    elif name in CONTAINING:
        yield from map(Looked, arguments)
    elif name in PREFIXED:
        loose = not all(ends_folder(program, each) for each in arguments[:1])
        yield from (Looked(expr, prefix=True, loose=loose) for expr in target)
    elif name in TYPING and arguments:
        yield Looked(arguments[0], "type")


def ends_folder(program: Program, root: ir.Expr, left: int = NAMES) -> bool:
    """Whether a text that paths are to begin with ends with a separator: `root + os.sep`, `f"{root}/"`. Without one
    it begins what stands beside the root, too: `/srv/notes-old` for `/srv/notes`.
    """
    match root:
        case ir.Literal(value=str() as text):
            return text.endswith(("/", "\\"))
        case ir.Member(name=name):
            return name in SEPARATORS or _ends_as_known(program, root)
        case ir.Template(parts=(*_, last)) | ir.Operator(op=ir.Op.ADD, operands=(*_, last)):
            return ends_folder(program, last, left)
        case ir.List(items=items):
            return all(ends_folder(program, item, left) for item in items)
        case ir.Conditional(then=then, otherwise=otherwise):
            return ends_folder(program, then, left) or ends_folder(program, otherwise, left)
        case ir.Call(callee=callee, args=(*_, last)) if callee_name(callee) == "join":
            return isinstance(last.value, ir.Literal) and last.value.value == ""
        case ir.Name() if left:
            bound = [b.value for b in visible_bindings(program, root) if b.value is not None and not b.steps]
            return any(ends_folder(program, each, left - 1) for each in bound) or _ends_as_known(program, root)
        case _:
            return _ends_as_known(program, root)


def _ends_as_known(program: Program, root: ir.Expr) -> bool:
    """The same of what is known of its value."""
    texts = [value.value for value in program.value_of(root) if isinstance(value, Const)]
    return any(isinstance(text, str) and text.endswith(("/", "\\")) for text in texts)


def _equal(program: Program, body: Body, operands: tuple[ir.Expr, ...]) -> Iterator[Looked]:
    """What is compared with a constant, with an element of a list, or with somebody's property."""
    first, last = operands[0], operands[-1]
    for operand, other in ((first, last), (last, first)):
        if isinstance(operand, ir.Operator) and operand.op == ir.Op.TYPEOF:
            yield Looked(operand.operands[0], "type")
        elif not isinstance(operand, ir.Literal) and _is_given(program, body, other):
            yield Looked(operand)


def _is_given(program: Program, body: Body, other: ir.Expr) -> bool:
    """Whether what something is compared with is a constant, what the program holds, or somebody's property."""
    if isinstance(other, ir.Name):
        found = flow.ends(program, other)
        return bool(found) and not any(end.kind == "parameter" and end.node is body.function for end in found)
    if isinstance(other, ir.Call) and callee_name(other.callee) in SPELLING:  # `str(ROOT)`, `ROOT.resolve()`
        return all(_is_given(program, body, part) for part in ir.parts_of(other))
    return isinstance(other, (ir.Member, ir.Literal))


# -------------------------------------------------------------------------------------------------------- which side
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
            return value is None or says_no(value)
        case ir.If(otherwise=otherwise):
            return refuses(otherwise)
        case _:
            return False


def says_no(value: ir.Expr) -> bool:
    """Whether an answer says that something was refused: nothing, an error, a word of refusal."""
    match value:
        case ir.Literal(value=str() as text):
            return not text or NO.search(text) is not None
        case ir.Literal(value=constant):
            return not constant
        case ir.List(items=()) | ir.Map(entries=()):
            return True
        case ir.Await(value=inner):
            return says_no(inner)
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
