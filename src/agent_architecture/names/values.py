"""What an expression can be: a set of values, never a guess.

`Values` is a tuple of alternatives (at most `CAP`; beyond it, one `Unknown`). Nothing here knows a framework.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir import Call, Class, Constant, Expr, Function, Module

CAP: Final = 16
"""More alternatives than this say nothing any more."""


class Const(NamedTuple):
    """A constant; `span` is where it was written."""

    value: Constant
    span: Span


class Api(NamedTuple):
    """Something of a library, or what a call of it returned, named by its API path.

    `py:langgraph.graph.StateGraph().compile()`, `npm:@openai/agents:Runner().run`. `()` is the result of the call
    before it, `[]` an
    element. `node` is the expression that gave the last step; `receiver` the value before that step, so that the
    chain of calls
    can be walked back to the constructor. `bound` holds the arguments that a partial fixed. `made_for` is the call of
    the project's function that made and returned it, where the library says that what is given tells its things apart.
    """

    path: str
    node: Expr
    receiver: Api | None = None
    bound: Call | None = None
    made_for: Call | None = None


class Func(NamedTuple):
    """A function of the project. `bound` holds the arguments that a partial fixed; `receiver` is its object, if
    known.
    """

    function: Function
    receiver: Instance | None = None
    bound: Call | None = None


class ClassValue(NamedTuple):
    """A class of the project itself."""

    cls: Class


class Instance(NamedTuple):
    """An object of a project class; `call` made it (None: known by annotation, or `self`)."""

    cls: Class
    call: Call | None = None


class Items(NamedTuple):
    """A list, tuple or set. `complete` is False when more may be in it than is listed."""

    items: tuple[Expr, ...]
    node: Expr
    complete: bool = True


class Entries(NamedTuple):
    """A dictionary or object with constant keys; later entries win. `complete` is False when unknown keys may be in
    it; `others` is what may be under those, where that is known.
    """

    entries: tuple[tuple[str, Expr], ...]
    node: Expr
    complete: bool = True
    others: Expr | None = None


class ModuleValue(NamedTuple):
    """A module of the project."""

    module: Module


class Text(NamedTuple):
    """A text with parts that are not constant: `parts` are the expressions in it."""

    parts: tuple[Expr, ...]
    node: Expr


class Unknown(NamedTuple):
    """Not readable. `why` ends the sentence "it comes from …"; `node` is where the trail ends."""

    why: str
    node: Expr | None = None


SPREAD: Final = "arguments that are spread into a call"
"""Why what `**options` or `...rest` may bring is not readable."""
OPEN_MAPPING: Final = "a mapping that is not fully readable"
"""The same of a mapping that has other keys, too."""

Value: TypeAlias = "Const | Api | Func | ClassValue | Instance | Items | Entries | ModuleValue | Text | Unknown"
Values: TypeAlias = "tuple[Value, ...]"
