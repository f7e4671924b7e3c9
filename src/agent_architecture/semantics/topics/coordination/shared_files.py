"""Files of one name that every run writes: the second overwrites what the first still needs, and reads what it left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work

WRITERS: Final = ("open", "writeFile", "writeFileSync", "appendFile", "appendFileSync")
WRITES: Final = "write_file"
CONTENT: Final = regex(r"\.(?:json|jsonl|txt|md|csv|html?|xml|pdf|docx|xlsx|png|jpe?g|wav|mp3|mp4)$", re.IGNORECASE)
"""Files that hold what somebody asked for."""
OWN: Final = regex(
    r"log|cache|config|settings|token|credential|secret|package|lock|index|schema|metric|stat|version|graph|diagram|usage",
    re.IGNORECASE,
)
"""What programs write for themselves, by its name."""


class OneFile:
    """Answers for code that runs for several users."""

    def __init__(self, work: Work, near: Near, served: Served) -> None:
        self._work = work
        self._program = work.context.program
        self._near = near
        self._served = served

    def all(self) -> Iterator[Shared]:
        """Every such file, where it is first written."""
        seen: set[str] = set()
        for name in WRITERS:
            for site in self._program.calls(name):
                path = self._path(site.call) if isinstance(site.scope, ir.Function) else ""
                if (
                    not path
                    or path in seen
                    or not any(r.effect == WRITES for r, _ in self._work.effects.rows(site.call))
                ):
                    continue
                if self._near.to_agent(site.scope) and self._served.of(site.scope):
                    seen.add(path)
                    yield Shared(site.call.span, path, "", Sharing.OVERWRITTEN, confidence=Confidence.MEDIUM)

    def _path(self, call: ir.Call) -> str:
        """The one path that a call can write to, where that is content."""
        values = self._program.value_of(call.args[0].value) if call.args else ()
        texts = {value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)}
        if len(texts) != 1 or len(values) != 1:
            return ""
        path = texts.pop()
        return path if CONTENT.search(path) and not OWN.search(path) else ""
