"""Plain lines of ignore files are translated here, with the expressions that `pathspec` makes of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_architecture.sources import ignore


@given(st.text(alphabet="ab.*/-!_+~$@#[\\ ", max_size=9))
def test_a_plain_line_is_translated_as_pathspec_does(line: str) -> None:
    rule = ignore._plain(line)
    known = ignore._any(line) if rule is not None else None
    assert rule is None or (known is not None and rule.regex.pattern == known.regex.pattern)
    assert rule is None or (known is not None and rule.ignores == known.ignores)


def test_most_lines_are_plain() -> None:
    for line in (".venv/", "__pycache__/", "*.egg-info/", "/build", "docs/_site/", "!keep.py", ".env*", "a/*.log"):
        assert ignore._plain(line) is not None, line
    for line in ("", "# x", "**/a", "a/**", "a[0-9]", "a?", "/", "*", "a//b", "a ", "\\#a", "a/*", "a/*/b"):
        assert ignore._plain(line) is None, line
