"""What a time-out is counted in: seconds in Python, milliseconds in JavaScript and TypeScript."""

from __future__ import annotations

import pytest

from agent_architecture.detectors.coordination.deadlock_risk import judge
from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import written
from agent_architecture.sources.source import Span


@pytest.mark.parametrize(
    ("path", "amount", "expected"),
    [("desk.py", 60, "60 seconds at most"), ("desk.ts", 60000, "60000 milliseconds at most")],
)
def test_a_limit_is_said_in_the_unit_of_its_language(path: str, amount: int, expected: str) -> None:
    span = Span(path, 3, 1, 3, 9)
    wait = Wait(span, "ask", "", WaitKind.SIGNAL, written(amount, span))
    assert expected in judge(wait).reason
