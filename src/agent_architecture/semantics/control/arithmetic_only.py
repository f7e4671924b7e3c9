"""Program texts that code has confined to digits and operators before it runs them: arithmetic, which can name nothing.

Letters, quotes, brackets and braces are what a program needs to reach anything (JavaScript needs brackets alone); a
pattern that admits one of them confines nothing here. How much a list of forbidden words helps is for `denylists`.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Const, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.condition import Either, held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

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
JOINING: Final = frozenset({"join"})
SYNTAX: Final = frozenset(
    """Expression Expr BinOp UnaryOp BoolOp Compare Constant Num Load operator unaryop boolop cmpop Add Sub Mult Div
    FloorDiv Mod Pow USub UAdd Invert Not And Or Eq NotEq Lt LtE Gt GtE BitAnd BitOr BitXor LShift RShift""".split()  # noqa: SIM905 - a list of quotes is no easier to read
)
"""Nodes of Python's syntax of which no call, no attribute and no name can be made."""
DEPTH: Final = 3
"""Names, helpers and callers through which a text is followed."""


def is_arithmetic(context: Context, call: ir.Call, code: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether the text that a call runs can only be numbers and operators, besides what the project itself wrote."""
    match code:
        case ir.Literal():
            return True
        case ir.Template(parts=parts) | ir.Operator(op=ir.Op.ADD, operands=parts):
            return all(is_arithmetic(context, call, part, depth) for part in parts)
        case ir.Call() if _takes_out(context, code) or _keeps_harmless(context, code):
            return True
        case ir.Call(callee=ir.Name(id="compile"), args=args) if args:
            return is_arithmetic(context, call, args[0].value, depth)
        case ir.Call(callee=callee, args=args) if callee_name(callee) in TRIMMING | TAKING_OUT:
            target = callee.target if isinstance(callee, ir.Member) else args[0].value if args else None
            given = (argument.value for argument in args if argument.value is not target)
            plain = all(isinstance(value, ir.Literal) for value in given)
            return target is not None and plain and is_arithmetic(context, call, target, depth)
        case ir.Name() | ir.Member():
            if _is_tested(context, call, dotted(code)):
                return True
            return isinstance(code, ir.Name) and depth > 0 and _is_made_so(context, call, code, depth - 1)
        case _:
            return False


def _is_made_so(context: Context, call: ir.Call, name: ir.Name, depth: int) -> bool:
    """Whether a name holds such a text: the assignment before the call makes it one, or every caller hands it one."""
    scope = context.program.scope_of(call)
    assigned = [n for n in own_nodes(scope, ir.Assign) if _assigns(n, name.id)]
    before = [node for node in assigned if node.span < call.span]
    if before:
        last = before[-1]
        is_sure = last.value is not None and not last.op and context.program.structure(scope).dominates(last, call)
        return is_sure and last.value is not None and is_arithmetic(context, call, last.value, depth)
    param = next((p for p in scope.params if p.name == name.id), None) if isinstance(scope, ir.Function) else None
    if param is None or not isinstance(scope, ir.Function):
        value = only_value(context.program, name)
        return value is not None and is_arithmetic(context, call, value, depth)
    sites = context.program.callers(scope)
    given = [(site.call, passed_argument(site, scope, param)) for site in sites if not site.escapes]
    return (
        bool(sites)
        and len(given) == len(sites)
        and all(
            expr is not None and not isinstance(expr, Unknown) and is_arithmetic(context, at, expr, depth)
            for at, expr in given
        )
    )


def _is_tested(context: Context, call: ir.Call, text: str) -> bool:
    """Whether the code goes on to a call only where a test has found nothing but harmless characters in a text."""
    scope = context.program.scope_of(call)

    def said(condition: Condition) -> dict[str, None]:
        is_own = context.program.scope_of(condition.expr) is scope
        return {text: None} if is_own and _confines(context, condition, text) else {}

    return bool(text) and text in held(conditions_of(context).at(call), said)


def _assigns(node: ir.Assign, name: str) -> bool:
    return isinstance(node.target, ir.Name) and node.target.id == name


def _confines(context: Context, condition: Condition, text: str, depth: int = DEPTH) -> bool:
    """Whether a condition leaves nothing but harmless characters in a text."""
    expr, holds = condition.expr, bool(condition.holds)
    match expr:
        case ir.Call(callee=callee) if callee_name(callee) in TESTING:
            return _matches(context, expr, text, holds=holds)
        case ir.Call(callee=ir.Name(id="all" | "any" as name), args=(ir.Argument(value=ir.Loop() as loop),)):
            is_over = _is_named(_trimmed(loop.source), text)
            return holds is (name == "all") and is_over and _each(context, loop, name == "all")
        case ir.Call(
            callee=ir.Member(name="every" | "some" as name, target=characters), args=(ir.Argument(value=one),)
        ):
            is_over = _is_named(_characters_of(characters), text)
            return holds is (name == "every") and is_over and _by_one(context, one, name == "every")
        case ir.Operator(op=ir.Op.SUB, operands=(ir.Call() as own, allowed)):
            return not holds and _is_set_of(own, text) and _is_harmless(_text(context, allowed))
        case ir.Operator() | ir.Call() if (found := _listed(expr)) and isinstance(found[0], ir.Name):
            return holds and _is_gone_over(context, found[0], text) and _is_harmless(_text(context, found[1]))
        case ir.Call(callee=ir.Name(id="isinstance"), args=(each, kinds)) if isinstance(each.value, ir.Name):
            return holds and _is_gone_over(context, each.value, text) and _is_harmless_syntax(context, kinds.value)
        case ir.Call(callee=ir.Member(name="issubset", target=ir.Call() as own), args=(argument,)):
            return holds and _is_set_of(own, text) and _is_harmless(_text(context, argument.value))
        case ir.Operator(op=ir.Op.LE, operands=(ir.Call() as own, allowed)):
            return holds and _is_set_of(own, text) and _is_harmless(_text(context, allowed))
        case ir.Call() if depth:
            return any(
                _by_helper(context, expr, function, condition, text) for function in context.program.callees(expr)
            )
        case _:
            return False


def _by_helper(context: Context, call: ir.Call, function: ir.Function, condition: Condition, text: str) -> bool:
    """Whether a function of the project that is asked about a text answers by such a test alone."""
    given = [n for n, argument in enumerate(call.args) if _is_named(argument.value, text) and not argument.keyword]
    returned = context.program.structure(function).returns
    if not given or given[0] >= len(function.params) or len(returned) != 1:
        return False
    own = function.params[given[0]].name
    found = conditions_of(context).answered(returned[0], holds=bool(condition.holds))
    return any(_confines(context, each, own, 0) for each in found if not isinstance(each, Either))


def _matches(context: Context, call: ir.Call, text: str, *, holds: bool) -> bool:
    """Whether a call of a pattern's says that a text has harmless characters alone, or no other ones."""
    callee = call.callee
    exprs = [*([callee.target] if isinstance(callee, ir.Member) else []), *(a.value for a in call.args)]
    others = (expr for expr in exprs if not _is_named(expr, text))
    patterns = [pattern for expr in others if (pattern := _pattern(context, expr))]
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


def _takes_out(context: Context, call: ir.Call) -> bool:
    """Whether a call takes all but harmless characters out of a text."""
    if callee_name(call.callee) not in TAKING_OUT:
        return False
    for expr in ir.parts_of(call):
        found = CLASS.match(_pattern(context, expr))
        if found is not None and found["negated"] and _is_harmless(_characters(found["inside"])):
            return True
    return False


def _keeps_harmless(context: Context, call: ir.Call) -> bool:
    """Whether a call joins those characters of a text that are harmless: `"".join(c for c in text if c in digits)`."""
    loop = call.args[0].value if callee_name(call.callee) in JOINING and len(call.args) == 1 else None
    match loop:
        case ir.Loop(target=ir.Name(id=each), test=ir.Operator(op=ir.Op.IN, operands=(asked, allowed)), body=(kept,)):
            both = isinstance(asked, ir.Name) and isinstance(kept, ir.Name) and {asked.id, kept.id} == {each}
            return both and _is_harmless(_text(context, allowed))
        case _:
            return False


def _trimmed(expr: ir.Expr | None) -> ir.Expr | None:
    """The text of which a call leaves harmless characters out: what is said of the rest is said of all of it."""
    match expr:
        case ir.Call(callee=ir.Member(name=name, target=target), args=()) if name in TRIMMING:
            return target
        case ir.Call(callee=ir.Member(name="replace", target=target), args=(ir.Argument(value=old), *_)):
            is_own = isinstance(old, ir.Literal) and isinstance(old.value, str) and _is_harmless(old.value)
            return target if is_own else expr
        case _:
            return expr


def _is_gone_over(context: Context, each: ir.Name, text: str) -> bool:
    """Whether a name is each character of a text in turn, or each node of what it is when it is parsed."""
    scope = context.program.scope_of(each)
    loops = [n for n in own_nodes(scope, ir.Loop) if n.kind == "each" and n.span.contains(each.span)]
    sources = [n.source for n in loops if isinstance(n.target, ir.Name) and n.target.id == each.id]
    if len(sources) != 1 or sources[0] is None:
        return False
    source = sources[0]
    if isinstance(source, ir.Call) and _is_of_ast(source, "walk") and source.args:
        return _is_named(_parsed(context, source.args[0].value, text), text)
    return _is_named(_trimmed(source), text)


def _parsed(context: Context, expr: ir.Expr, text: str) -> ir.Expr | None:
    """The text that a name or call is the syntax of; the name itself where code asks about the syntax."""
    if _is_named(expr, text):
        return expr
    made = only_value(context.program, expr) if isinstance(expr, ir.Name) else expr
    is_parse = isinstance(made, ir.Call) and _is_of_ast(made, "parse") and made.args
    return made.args[0].value if is_parse and isinstance(made, ir.Call) else None


def _is_of_ast(call: ir.Call, name: str) -> bool:
    return dotted(call.callee) in {name, f"ast.{name}"}


def _is_harmless_syntax(context: Context, kinds: ir.Expr) -> bool:
    """Whether a tuple of kinds of syntax has none that can name or call anything."""
    listed = only_value(context.program, kinds) if isinstance(kinds, ir.Name) else kinds
    items = listed.items if isinstance(listed, (ir.List,)) else ()
    return bool(items) and all(dotted(item).removeprefix("ast.") in SYNTAX for item in items)


def _pattern(context: Context, expr: ir.Expr) -> str:
    """The text of a pattern, compiled or not; "" for anything else."""
    for value in context.program.value_of(expr):
        if isinstance(value, Const) and isinstance(value.value, str):
            return value.value
        if isinstance(value, Api) and value.path == COMPILED and isinstance(value.node, ir.Call):
            return _pattern(context, value.node.args[0].value) if value.node.args else ""
    return ""


def _text(context: Context, expr: ir.Expr) -> str | None:
    """The characters that a collection of them is: a text, or a set made of one."""
    if isinstance(expr, ir.Call) and callee_name(expr.callee) in {"set", "frozenset", "Set"} and len(expr.args) == 1:
        return _text(context, expr.args[0].value)
    if isinstance(expr, ir.Name):
        value = only_value(context.program, expr)
        return _text(context, value) if isinstance(value, ir.Call) else _constant(context, expr)
    return _constant(context, expr)


def _constant(context: Context, expr: ir.Expr) -> str | None:
    values = context.program.value_of(expr)
    texts = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
    return texts[0] if len(texts) == len(values) == 1 else None


def _each(context: Context, loop: ir.Loop, holds: bool) -> bool:
    """Whether a comprehension asks of each character whether it is a harmless one."""
    asked = [part for part in loop.body if not isinstance(part, ir.Loop)]
    for part in asked[-1:]:
        return _asks(context, part, holds=holds)
    return False


def _by_one(context: Context, function: ir.Expr, holds: bool) -> bool:
    """Whether a function that is handed each character answers whether it is a harmless one."""
    returned = context.program.structure(function).returns if isinstance(function, ir.Function) else ()
    return len(returned) == 1 and _asks(context, returned[0], holds=holds)


def _asks(context: Context, part: ir.Node, *, holds: bool) -> bool:
    """Whether an expression that has this answer says of a character that it is a harmless one."""
    for each in conditions_of(context).answered(part, holds=holds):  # type: ignore[arg-type]
        if not isinstance(each, Either) and (found := _listed(each.expr)) is not None:
            return bool(each.holds) and _is_harmless(_text(context, found[1]))
    return False


def _listed(expr: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    """What is looked for, and among what: `c in digits`, `digits.includes(c)`."""
    match expr:
        case ir.Operator(op=ir.Op.IN, operands=(each, allowed)):
            return each, allowed
        case ir.Call(callee=ir.Member(name="includes" | "has", target=allowed), args=(ir.Argument(value=each),)):
            return each, allowed
        case _:
            return None


def _characters_of(expr: ir.Expr) -> ir.Expr | None:
    """The text of whose characters a list is made: `[...text]`, `text.split("")`, `Array.from(text)`."""
    match expr:
        case ir.List(items=(ir.Spread(value=text),)):
            return _trimmed(text)
        case ir.Call(callee=ir.Member(name="split", target=text)):
            return _trimmed(text)
        case ir.Call(callee=ir.Member(name="from"), args=(ir.Argument(value=text),)):
            return _trimmed(text)
        case _:
            return None


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
