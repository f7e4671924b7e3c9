"""Texts that are put together: their constant parts and what stands between them, in order.

Reads f-strings, `+`, `+=`, `%`, `format`, `replace` and `join` in the languages' own spellings; of a template that
stands in a file, the words that are there now, after the expression that reads it. Says nothing of what
the parts mean, and knows no library's templates: those are filled by whoever knows them (`filled`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names.kept_texts import kept_text
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Const, Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program

Piece: TypeAlias = "str | ir.Expr"
Lookup: TypeAlias = "Callable[[str], ir.Expr | None]"
"""What fills a placeholder, by its name."""

GAP: Final = "\0"
"""What stands in a text for a piece that cannot be read."""
DEPTH: Final = 8
"""Texts inside texts that are taken apart; what lies deeper stays whole."""

FORMAT: Final = regex(r"\{\{|\}\}|\{([^{}!:]*)(?:![rsa])?(?::[^{}]*)?\}")
"""A placeholder of Python's `format`; its doubled braces are text."""
PERCENT: Final = regex(r"%%|%(?:\((\w+)\))?[-#0 +]*[\d*]*(?:\.\d+)?[diouxXeEfFgGcrsa]")

KEEPING: Final = frozenset(
    {"strip", "lstrip", "rstrip", "trim", "trimStart", "trimEnd", "dedent", "stripIndent", "toString", "str", "String"}
)
"""Calls that leave the words of a text as they are."""
_OWN: Final = frozenset({"format", "replace", "replaceAll", "join", *KEEPING})


class Inside(NamedTuple):
    """The texts around one that is taken apart: how many, and the names among them, which are not opened again."""

    depth: int = 0
    names: frozenset[str] = frozenset()

    @property
    def is_deep(self) -> bool:
        """Whether nothing further is taken apart."""
        return self.depth >= DEPTH

    def deeper(self, *names: str) -> Inside:
        """One text further in."""
        return Inside(self.depth + 1, self.names.union(names))


OUTERMOST: Final = Inside()


class Place(NamedTuple):
    """One part of a text that is not constant, with the constant text before and after it."""

    expr: ir.Expr
    before: str
    after: str


def places(program: Program, expr: ir.Expr) -> tuple[Place, ...] | None:
    """The parts of a text that are not constant, in order; None for what puts no text together."""
    found = _put_together(program, expr, OUTERMOST)
    return None if found is None else with_surroundings(found)


def with_surroundings(pieces: Iterable[Piece]) -> tuple[Place, ...]:
    """The parts of a text that are not constant, each with the constant text around it."""
    parts = tuple(pieces)
    return tuple(
        Place(part, "".join(_constants(parts[:number])), "".join(_constants(parts[number + 1 :])))
        for number, part in enumerate(parts)
        if not isinstance(part, str)
    )


def _constants(parts: Iterable[Piece]) -> Iterator[str]:
    yield from (part for part in parts if isinstance(part, str))


def pieces_of(program: Program, expr: ir.Expr, inside: Inside = OUTERMOST) -> tuple[Piece, ...]:
    """A text as its parts; what is no readable text is one part."""
    found = None if inside.is_deep else _put_together(program, expr, inside)
    if found is not None:
        return found
    constant = text_of(program, expr)
    return (expr,) if constant is None else (constant,)


def with_gaps(pieces: Iterable[Piece]) -> str:
    """The text of pieces, with `GAP` for each that cannot be read."""
    return "".join(piece if isinstance(piece, str) else GAP for piece in pieces)


def text_of(program: Program, expr: ir.Expr) -> str | None:
    """The one constant text that an expression is; None for anything else, and for a name of an empty one: that is what
    stands there until a setting is given (`process.env.KEY ?? ""`).
    """
    if isinstance(expr, ir.Literal):
        return expr.value if isinstance(expr.value, str) else None
    if isinstance(expr, ir.Name) and _is_given_by_library(program, expr):
        return None
    values = program.value_of(expr) if isinstance(expr, (ir.Name, ir.Member, ir.Index, ir.Call)) else ()
    texts = {value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)}
    return (texts.pop() or None) if len(texts) == 1 and all(isinstance(value, Const) for value in values) else None


def _is_given_by_library(program: Program, name: ir.Name) -> bool:
    """Whether a name is a parameter of a function that a decorator hands on: others call it beside the project, which
    may only try it out.
    """
    functions = (b.node for b in visible_bindings(program, name) if b.kind == "parameter")
    return any(isinstance(function, ir.Function) and function.decorators for function in functions)


def _put_together(program: Program, expr: ir.Expr, inside: Inside) -> tuple[Piece, ...] | None:
    match expr:
        case ir.Template():
            return tuple(piece for part in expr.parts for piece in pieces_of(program, part, inside.deeper()))
        case ir.Operator(op=ir.Op.ADD):
            parts = tuple(piece for part in expr.operands for piece in pieces_of(program, part, inside.deeper()))
            return parts if any(isinstance(part, str) for part in parts) else None
        case ir.Operator(op=ir.Op.MOD, operands=(left, right)) if text_of(program, left) is not None:
            return _percent(program, left, right, inside)
        case ir.Call():
            return _called(program, expr, inside)
        case ir.Name():
            return _grown(program, expr, inside)
        case ir.Await():
            return _put_together(program, expr.value, inside)
        case _:
            return None


def _grown(program: Program, name: ir.Name, inside: Inside) -> tuple[Piece, ...] | None:
    """A text that is added to: what it began with and what each `+=` adds, in order."""
    bindings = visible_bindings(program, name)
    if not any(binding.kind == "augmented" for binding in bindings) or name.id in inside.names:
        return None
    values = [b.value for b in bindings if b.kind in {"assign", "augmented"} and not b.steps]
    if len(values) < len(bindings):
        return None
    ordered = sorted((value for value in values if value is not None), key=lambda value: value.span)
    return tuple(piece for value in ordered for piece in pieces_of(program, value, inside.deeper(name.id)))


def _called(program: Program, call: ir.Call, inside: Inside) -> tuple[Piece, ...] | None:
    """A call of a text's own method, by its name: `format`, `replace`, `join`, and those that change no word."""
    name = call.callee.name if isinstance(call.callee, ir.Member) else getattr(call.callee, "id", "")
    if name not in _OWN or program.callees(call):
        return None
    receiver = call.callee.target if isinstance(call.callee, ir.Member) else None
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    if name in KEEPING:
        inner = plain[0] if plain and (receiver is None or name == "dedent") else receiver
        return _put_together(program, inner, inside.deeper()) if inner is not None and not inside.is_deep else None
    if receiver is None:
        return None
    if name == "join":
        return _joined(program, receiver, plain, inside)
    target = pieces_of(program, receiver, inside.deeper())
    if _has_text(target):
        return _placed(program, call, target) or None
    kept = kept_text(program, receiver)
    made = () if kept is None else _placed(program, call, (kept,))
    return None if all(isinstance(piece, str) for piece in made) else (receiver, *made)


def _placed(program: Program, call: ir.Call, target: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """What `format` or `replace` makes of a text; nothing where it cannot be told what is replaced."""
    if isinstance(call.callee, ir.Member) and call.callee.name == "format":
        return tuple(filled(target, FORMAT, _arguments(program, call)))
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    marker = text_of(program, plain[0]) if len(plain) > 1 else None
    return tuple(_replaced(target, marker, plain[1])) if marker else ()


def _has_text(pieces: Iterable[Piece]) -> bool:
    return any(isinstance(piece, str) for piece in pieces)


def _joined(program: Program, receiver: ir.Expr, plain: list[ir.Expr], inside: Inside) -> tuple[Piece, ...] | None:
    """`", ".join(parts)` and `parts.join(", ")`, where the parts are listed."""
    for separator, parts in ((receiver, plain[:1]), (plain[0] if plain else receiver, [receiver])):
        between = text_of(program, separator)
        lists = [v for part in parts for v in program.value_of(part) if isinstance(v, Items) and v.complete]
        if between is not None and len(lists) == 1:
            items = [pieces_of(program, item, inside.deeper()) for item in lists[0].items]
            return tuple(piece for item in items for piece in (between, *item))[1:]
    return None


def _percent(program: Program, left: ir.Expr, right: ir.Expr, inside: Inside) -> tuple[Piece, ...]:
    given = right.items if isinstance(right, ir.List) and right.kind == "tuple" else (right,)
    numbered = iter(given)

    def lookup(name: str) -> ir.Expr | None:
        return _entry(program, right, name) if name else next(numbered, None)

    return tuple(filled(pieces_of(program, left, inside.deeper()), PERCENT, lookup))


def _replaced(pieces: Iterable[Piece], marker: str, value: ir.Expr) -> Iterator[Piece]:
    for piece in pieces:
        if not isinstance(piece, str):
            yield piece
            continue
        first, *rest = piece.split(marker)
        yield first
        for text in rest:
            yield value
            yield text


def filled(pieces: Iterable[Piece], placeholder: re.Pattern[str], lookup: Lookup) -> Iterator[Piece]:
    """A text whose placeholders are filled; one that nothing fills stays as it is written.

    The first group of `placeholder` is the name; a match without one is text.
    """
    for piece in pieces:
        if not isinstance(piece, str):
            yield piece
            continue
        at = 0
        for found in placeholder.finditer(piece):
            value = lookup(found[1]) if found.group(1) is not None or found.group().startswith("%") else None
            if value is not None:
                yield piece[at : found.start()]
                yield value
                at = found.end()
        yield piece[at:]


def _arguments(program: Program, call: ir.Call) -> Lookup:
    """What fills the placeholders of `format`: arguments by position and keyword, a mapping that is spread."""
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    numbered = iter(plain)

    def lookup(name: str) -> ir.Expr | None:
        root = re.split(r"[.\[]", name, maxsplit=1)[0].strip()
        if not root:
            return next(numbered, None)
        if (place := whole_number(root)) is not None:
            return plain[place] if place < len(plain) else None
        return argument_named(program, call, root)

    return lookup


INPUTS: Final = frozenset({"input", "inputs"})
"""Keywords of mappings that fill a template: `chain.invoke(input={"topic": topic})`."""


def argument_named(program: Program, call: ir.Call, name: str) -> ir.Expr | None:
    """What a call gives under a name: a keyword, an entry of a mapping that it takes; of one that is not readable, the
    whole.
    """
    for argument in call.args:
        if argument.keyword == name:
            return argument.value
    for argument in call.args:
        if (argument.keyword is None or argument.keyword in INPUTS) and argument.spread != "*":
            found = _entry(program, argument.value, name)
            if found is not None:
                return found
    return None


def _entry(program: Program, mapping: ir.Expr, name: str) -> ir.Expr | None:
    maps = [value for value in program.value_of(mapping) if isinstance(value, Entries)]
    for value in maps:
        if name in dict(value.entries):
            return dict(value.entries)[name]
    return None if maps and all(value.complete for value in maps) else mapping
