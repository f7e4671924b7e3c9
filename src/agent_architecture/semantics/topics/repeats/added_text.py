"""Texts of files that are read, made longer, and written back: the second time the new part stands there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.null_checks import same
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

ON_PATH: Final = frozenset({"read_text", "write_text"})
"""Methods of a path."""
ON_FILE: Final = frozenset({"read", "write"})
"""Methods of an open file."""
OF_PATH: Final = frozenset({"readFileSync", "readFile", "writeFileSync", "writeFile"})
"""Functions that are told the path first, and what is written second."""
READING: Final = frozenset({"read_text", "read", "readFileSync", "readFile"})
WRITING: Final = frozenset({"write_text", "write", "writeFileSync", "writeFile"})
LOOKING: Final = frozenset(
    {
        "includes",
        "startswith",
        "startsWith",
        "endswith",
        "endsWith",
        "search",
        "match",
        "find",
        "indexOf",
        "count",
        "test",
    }
)
"""Methods by which code asks whether a text has something in it already."""
NAMES: Final = 3
"""Names through which a text is followed to where it is put together."""


def adds_text(program: Program, nodes: tuple[ir.Node, ...]) -> bool:
    """Whether code writes to a file what it read from there and something more, and asks nowhere what was in it."""
    for call in (node for node in nodes if isinstance(node, ir.Call) and callee_name(node.callee) in WRITING):
        place, text = _place(program, call), _text(call)
        if place is None or text is None:
            continue
        for made, parts in _put_together(program, text, NAMES):
            kept = [part for part in parts if _is_read_from(program, part, place)]
            is_more = any(not isinstance(part, ir.Literal) and part not in kept for part in parts)
            asking = tuple(node for node in nodes if not _is_on_other_side(program, made, node))
            if kept and is_more and not any(_is_looked_at(asking, part) for part in kept):
                return True
    return False


def _text(call: ir.Call) -> ir.Expr | None:
    given = [argument.value for argument in call.args if argument.keyword is None]
    number = 1 if callee_name(call.callee) in OF_PATH else 0
    return given[number] if len(given) > number else None


def _place(program: Program, call: ir.Call) -> ir.Expr | None:
    """The path that a call reads from or writes to."""
    name, target = callee_name(call.callee), call.callee.target if isinstance(call.callee, ir.Member) else None
    if name in OF_PATH:
        return call.args[0].value if call.args else None
    if name in ON_PATH:
        return target
    if name not in ON_FILE:
        return None
    opened = [target] if isinstance(target, ir.Call) else []
    if isinstance(target, ir.Name):
        opened = [b.value for b in visible_bindings(program, target) if isinstance(b.value, ir.Call)]
    return _opened(opened[-1]) if opened else None


def _opened(call: ir.Call) -> ir.Expr | None:
    """The path of an open file: `open(path)`, `path.open()`."""
    if callee_name(call.callee) != "open":
        return None
    if isinstance(call.callee, ir.Member):
        return call.callee.target
    return call.args[0].value if call.args else None


def _put_together(program: Program, text: ir.Expr, left: int) -> Iterator[tuple[ir.Node, tuple[ir.Expr, ...]]]:
    """Where a text is put together, and of which parts."""
    match text:
        case ir.Operator(op=ir.Op.ADD) | ir.Template():
            yield text, tuple(_parts(text))
        case ir.Name() if left:
            for binding in visible_bindings(program, text):
                if binding.kind == "assign" and binding.value is not None and not binding.steps:
                    yield from _put_together(program, binding.value, left - 1)
                elif binding.kind == "augmented" and isinstance(binding.node, ir.Assign) and binding.value is not None:
                    yield binding.node, (binding.node.target, *_parts(binding.value))
        case _:
            return


def _is_on_other_side(program: Program, made: ir.Node, node: ir.Node) -> bool:
    """Whether code stands where it is not come to when a text is put together: on the other side of a test."""
    scope = program.scope_of(made)
    return any(
        any(each.span.contains(made.span) for each in asked.then)
        and any(each.span.contains(node.span) for each in asked.otherwise)
        for asked in program.structure(scope).enclosing(made, ir.If)
    )


def _parts(made: ir.Expr) -> Iterator[ir.Expr]:
    match made:
        case ir.Operator(op=ir.Op.ADD, operands=operands):
            yield from (part for operand in operands for part in _parts(operand))
        case ir.Template(parts=parts):
            yield from (part for each in parts for part in _parts(each))
        case _:
            yield made


def _is_read_from(program: Program, part: ir.Expr, place: ir.Expr, left: int = NAMES) -> bool:
    """Whether a part is all that was read from a place, under a name (or that of another name) or as it is read."""
    bound = visible_bindings(program, part) if isinstance(part, ir.Name) else ()
    values = [b.value for b in bound if b.kind == "assign" and b.value is not None and not b.steps] or [part]
    if left and any(isinstance(one, ir.Name) and _is_read_from(program, one, place, left - 1) for one in values):
        return True
    return any(_reads(program, value, place) for value in values)


def _reads(program: Program, value: ir.Expr, place: ir.Expr) -> bool:
    match value:
        case ir.Await(value=inner):
            return _reads(program, inner, place)
        case ir.Conditional(then=then, otherwise=otherwise):
            return _reads(program, then, place) or _reads(program, otherwise, place)
        case ir.Call() if callee_name(value.callee) in READING:
            read = _place(program, value)
            return read is not None and _is_same(read, place)
        case _:
            return False


def _is_same(one: ir.Expr, other: ir.Expr) -> bool:
    match one, other:
        case ir.Literal(value=a), ir.Literal(value=b):
            return a == b
        case ir.Operator(op=a, operands=x), ir.Operator(op=b, operands=y):
            return a == b and len(x) == len(y) and all(map(_is_same, x, y))
        case ir.Call(callee=a, args=x), ir.Call(callee=b, args=y):
            given = zip(x, y, strict=True) if len(x) == len(y) else ()
            return same(a, b) and len(x) == len(y) and all(_is_same(m.value, n.value) for m, n in given)
        case _:
            return same(one, other)


def _is_blank(args: tuple[ir.Argument, ...]) -> bool:
    """Whether what is asked for is no word: whether a text ends with a new line says nothing of what was added."""
    texts = [argument.value.value for argument in args if isinstance(argument.value, ir.Literal)]
    return bool(texts) and all(isinstance(text, str) and not text.strip() for text in texts)


def _is_looked_at(nodes: tuple[ir.Node, ...], part: ir.Expr) -> bool:
    """Whether code asks what is in a text that was read."""
    for node in nodes:
        match node:
            case ir.Operator(op=ir.Op.IN, operands=(_, held)):
                if same(held, part):
                    return True
            case ir.Call(callee=ir.Member(name=name, target=target), args=args) if name in LOOKING and not _is_blank(
                args
            ):
                if same(target, part) or any(same(argument.value, part) for argument in args):
                    return True
            case _:
                continue
    return False
