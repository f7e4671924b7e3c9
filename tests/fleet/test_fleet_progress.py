"""Progress of a long run: how many a second, and how long the rest takes."""

from __future__ import annotations

import io

from agent_architecture.render.progress import Progress


def test_it_says_the_rate_and_what_is_left() -> None:
    said, now = io.StringIO(), [0.0]
    progress = Progress(said, lambda: now[0], rate=True)
    progress("repositories", 0, 300)
    now[0] = 50.0
    progress("repositories", 100, 300)
    now[0] = 51.0
    progress("repositories", 102, 300)
    assert "repositories 100/300, 2.0/s, about 2 min left" in said.getvalue()


def test_without_a_rate_it_is_what_it_was() -> None:
    said, now = io.StringIO(), [0.0]
    progress = Progress(said, lambda: now[0])
    progress("parsing", 0, 30)
    now[0] = 5.0
    progress("parsing", 10, 30)
    assert said.getvalue().endswith("parsing 10/30, about 10 s left")
