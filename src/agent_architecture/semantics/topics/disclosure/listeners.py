"""The project's functions that a library tells what is said: hooks, callbacks, guards, methods of handlers.

Says of a value that begins in such a function whether it is what was said; must not know where it goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import plain
from agent_architecture.names import classes
from agent_architecture.names.values import Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.tracing.hooks import registered_hooks
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context

METHOD: Final = regex(r"^a?(?:on|before|after|handle)(?:_[a-z]|[A-Z])")
"""What methods are called by which a library's class tells of each step."""
SAID: Final = frozenset(
    """prompt prompts message messages input inputs inputstr output outputs result results response responses args
    arguments toolinput tooloutput toolresult toolresponse toolargs toolarguments toolcalls toolresults llmrequest
    llmresponse modelrequest modelresponse text content contents completion generation generations chunk delta token
    taskoutput stepoutput object query question answer thought thinking observation command""".split()  # noqa: SIM905 - shorter
)
"""What the parameters of such functions, and the parts of what they are given, are called that hold what was said; in
lower case, without underscores.
"""


class Listeners:
    """Such functions, found once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: frozenset[int] | None = None

    def told(self, function: ir.Function, parameter: str, words: Iterable[str]) -> bool:
        """Whether a function is told by one of its parameters what was said, as its name says, or the `words` for its
        parts.
        """
        names = {plain(word) for word in (parameter, *words)}
        return bool(names & SAID) and self._listens(function)

    def _listens(self, function: ir.Function) -> bool:
        if self._known is None:
            self._known = frozenset(map(id, self._handed()))
        return id(function) in self._known or self._is_method(function)

    def _handed(self) -> Iterator[ir.Function]:
        context = self._context
        for match in context.of_kind("run", "agent", "model_call", "tool"):
            yield from registered_hooks(context, match)
        for match in context.of_kind("guard"):
            address = match.row.relations.get("function")
            if isinstance(match.node, ir.Function):
                yield match.node
            elif address is not None:
                values = at_call(context.program, match.arguments, match.api.receiver, address).values
                yield from (value.function for value in values if isinstance(value, Func))

    def _is_method(self, function: ir.Function) -> bool:
        cls, program = function.outer, self._context.program
        if not isinstance(cls, ir.Class) or METHOD.match(function.name) is None or program.callers(function):
            return False
        return classes.library_base(program, cls) is not None
