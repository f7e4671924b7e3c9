"""What was made of all variables of the environment at once: settings that a schema read out of it, a copy, a merge.
One part of them is one variable.

Must not know what becomes of it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.patterns import is_rest
from agent_architecture.names.whole_environment import RESULTS, is_checked
from agent_architecture.regexes import Sought, regex
from agent_architecture.sources.byte_answers import told
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context

WHOLE: Final = Sought(
    regex(rb"\bprocess\.env\b(?!\s*(?:\?\s*\.|[.\[]))|\benviron\b(?!\s*(?:\[|\.\s*(?:get|setdefault|pop)\b))"),
    (b"process.env", b"environ"),
)
"""What a file says in which the environment stands as a whole."""


class Settings:
    """Answers for expressions, and remembers of each."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[ir.Expr, bool] = {}

    def variable_at(self, node: ir.Expr) -> str | None:
        """The variable that an expression takes out of them: `env.PORT`, `env.get("PORT")`, `const { PORT } = …`."""
        if not self._is_any:
            return None
        read = part_read(node)
        if read is not None:
            return read.key if self._is_part(read.key, read.mapping) else None
        visible = visible_bindings(self._context.program, node) if isinstance(node, ir.Name) else ()
        bound = ((b.steps[-1], b.value) for b in visible if b.steps and b.value is not None)
        keys = ((key.lstrip("."), value) for key, value in bound if not is_rest(key))
        return next((key for key, value in keys if self._is_part(key, value)), None)

    def _is_part(self, key: str, target: ir.Expr) -> bool:
        if key in RESULTS:
            return False
        if target not in self._known:
            self._known[target] = is_checked(self._context.program, target)
        return self._known[target]

    @cached_property
    def _is_any(self) -> bool:
        """Whether the environment stands anywhere as a whole."""
        program = self._context.program
        files = (program.table.file(module.path) for module in program.modules)
        return any(told(file, WHOLE.is_in) for file in files if file is not None)
