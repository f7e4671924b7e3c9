"""Exits that a function of another name decides: `if self._max_steps_reached(): break`.

What it compares may stand anywhere, in a database too. That it is a limit is said by its name; how high, by nothing
that can be read here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import unknown
from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT: Final = regex(
    r"max_?(?:imum_?)?(?:num_?)?(?:iteration|step|turn|round|attempt|call|loop|pass|depth)"
    r"|(?:iteration|step|turn|round|attempt|call|loop|cost|token|time|budget|usage)_?limit|limit_?(?:reached|exceeded|hit)"
    r"|(?:budget|quota)_?(?:exceeded|exhausted|spent|reached)|(?:exceed|exhaust|reach)e?[sd]?_?(?:the_?)?(?:limit|budget|quota|max)",
    re.IGNORECASE,
)
"""What functions are called that say whether a limit is reached."""


def limit_checks(test: ir.Expr) -> Iterator[Bound]:
    """The unreadable limit behind a test that leaves a loop when a function says so."""
    asked = test.value if isinstance(test, ir.Await) else test
    if isinstance(asked, ir.Call) and LIMIT.search(callee_name(asked.callee)):
        name = callee_name(asked.callee)
        yield Bound(BoundKind.COUNTER, test.span, unknown(f"what {name}() decides", test.span))
