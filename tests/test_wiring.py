"""`build.py` is a table of contents: each part of the system has one line, and so one place to look."""

from __future__ import annotations

from collections import Counter

from agent_architecture.model.system import AgentSystem
from agent_architecture.semantics.build import APART, FIRST, LAST

ELSEWHERE = {"project", "eval_suites", "ci_jobs"}
"""What the project is told to be, and what one look at the tests says together."""


def test_each_part_of_the_system_is_made_in_one_line_of_the_table() -> None:
    named = Counter(part.field for part in (*FIRST, *APART, *LAST))
    assert named == Counter(set(AgentSystem._fields) - ELSEWHERE)
