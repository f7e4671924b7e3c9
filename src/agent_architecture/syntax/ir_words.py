"""The words of the IR: operators in their normal form, and why a construct has none (see `ir`, which gathers them).

Whoever matches on such a word names it here: a word that no lowering gives is then an error of types, not a branch that
never runs. A word is also its own text (`Op.ADD == "+"`), as dumps show it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Op(StrEnum):
    """An operator, as both languages lower it."""

    AND = "and"
    OR = "or"
    NOT = "not"
    NULLISH = "??"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"
    IS = "is"
    INSTANCEOF = "instanceof"
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    FLOORDIV = "//"
    MOD = "%"
    POW = "**"
    MATMUL = "@"
    LSHIFT = "<<"
    RSHIFT = ">>"
    URSHIFT = ">>>"
    BITAND = "&"
    BITOR = "|"
    """Also of types: `A | B`."""
    BITXOR = "^"
    INVERT = "~"
    NEG = "neg"
    POS = "pos"
    TYPEOF = "typeof"
    VOID = "void"
    DELETE = "delete"
    AT = "at"
    """A part of a type: `Order["id"]`."""
    UNREADABLE = ""
    """Where the grammar found no operator."""


class OpaqueKind(StrEnum):
    """Why a construct has no normal form, as far as somebody asks."""

    ASSERT = "assert"
    DEL = "del"
    FUNCTION_TYPE = "function_type"
    METHOD_SIGNATURE = "method_signature"
    ELLIPSIS = "ellipsis"
    NUMBER = "number"
    """A number that cannot be read."""
    ERROR = "ERROR"
    """What the grammar could not take for anything."""
    NESTING = "nesting"
    """It is too deep inside others."""
    JINJA = "jinja"
    JINJA_STATEMENT = "jinja_statement"
    OTHER = "other"
    """Any other construct of a grammar, or what `names` puts where nobody wrote something: its `name` says which."""


OPS: Final = {str(op): op for op in Op}
"""Operators by their text."""
KINDS: Final = {str(kind): kind for kind in OpaqueKind}
