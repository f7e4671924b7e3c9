"""Loops that count only to take one element of a list after the other: they are loops over its elements."""

from __future__ import annotations

from typing import Final

from agent_architecture.syntax.ir import Assign, Expr, Index, Literal, Loop, Member, Name, Op, Operator

INDEXED: Final = 4
"""How often such a loop names its counter: where it begins, is tested and counted up, and takes the element."""


def counter_of(loop: Loop) -> str:
    """The variable that a loop begins with 0; "" where it is another one."""
    match loop.init:
        case (Assign(target=Name(id=counter), value=Literal(value=0)),):
            return counter
        case _:
            return ""


def by_elements(loop: Loop) -> Loop | None:
    """`for (let i = 0; i < xs.length; i++) { const x = xs[i]; … }` as the loop over `xs` that it is, where nothing else
    names the counter; None where it is none.
    """
    counter = counter_of(loop)
    match loop.test, loop.body:
        case (
            Operator(op=Op.LT, operands=(Name(id=tested), Member(name="length", target=whole))),
            (Assign(target=element, value=Index(target=listed, key=Name(id=index)), op=None), *rest),
        ) if tested == index == counter and _place(whole) and _place(whole) == _place(listed) and _counts_up(loop):
            return Loop(loop.span, "each", loop.header, tuple(rest), target=element, source=whole)
        case _:
            return None


def _counts_up(loop: Loop) -> bool:
    match loop.update:
        case (Assign(value=Literal(value=1), op=Op.ADD),):
            return True
        case _:
            return False


def _place(expr: Expr) -> str:
    """A variable, or a part of one by its names; "" for what may be another list each time."""
    match expr:
        case Name(id=name):
            return name
        case Member(target=target, name=name):
            around = _place(target)
            return f"{around}.{name}" if around else ""
        case _:
            return ""
