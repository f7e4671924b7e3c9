"""Pages as terminal text."""

from __future__ import annotations

from agent_architecture.render.page import render_page
from agent_architecture.render.style import Style

PAGE = """\
# Agent run without a step limit

An agent that calls `Runner.run` without **a limit** runs until *somebody* notices, see [the docs](https://example.org/limits)
for more.

- one item that is long enough to be wrapped at a narrow width
- another

| key | meaning |
|---|---|
| `a` | first |
| longer | second |

## Gaps

`app.py`:

```python
while True:  # gap: loop_guard_absence
    run("**not bold**")
```
"""


def page(markdown: str, width: int = 40, *, color: bool = False, unicode: bool = True) -> list[str]:
    return render_page(markdown, width=width, style=Style(color, unicode)).splitlines()


def test_a_page_reads_like_text() -> None:
    assert page(PAGE) == [
        "Agent run without a step limit",
        "",
        "An agent that calls Runner.run without a",
        "limit runs until somebody notices, see",
        "the docs (https://example.org/limits)",
        "for more.",
        "",
        "  • one item that is long enough to be",
        "    wrapped at a narrow width",
        "  • another",
        "",
        "key     meaning",
        "a       first",
        "longer  second",
        "",
        "Gaps",
        "",
        "app.py:",
        "",
        "    while True:  # gap: loop_guard_absence",
        '        run("**not bold**")',
    ]


def test_colour_marks_headings_code_and_expectations() -> None:
    text = "\n".join(page(PAGE, 200, color=True))
    assert "\x1b[1;4mAgent run without a step limit\x1b[0m" in text
    assert "\x1b[36mRunner.run\x1b[0m" in text
    assert "\x1b[1ma\x1b[0m \x1b[1mlimit\x1b[0m" in text
    assert "while True:  \x1b[2m# gap: loop_guard_absence\x1b[0m" in text


def test_colour_changes_nothing_but_colour() -> None:
    import re

    plain = "\n".join(page(PAGE, 50))
    assert re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(page(PAGE, 50, color=True))) == plain


def test_a_wide_table_wraps_its_widest_column() -> None:
    table = "| what bounds the path | risk |\n|---|---|\n| a limit that the project wrote, at most 200 | 0 |\n"
    table += "| nothing | 1 |"
    assert page(table, 32) == [
        "what bounds the path        risk",
        "a limit that the project    0",
        "wrote, at most 200",
        "nothing                     1",
    ]


def test_an_unclosed_code_block_ends_with_the_page() -> None:
    assert page("text\n\n```python\nx = 1") == ["text", "", "    x = 1"]


def test_terminal_codes_in_a_page_are_written_out() -> None:
    assert page("a \x1b[31m b\u202e") == ["a \\x1b[31m b\\u202e"]


def test_a_page_without_unicode_is_ascii() -> None:
    lines = page("- naïve → item…", unicode=False)
    assert lines == ["  * na\\xefve -> item..."]


def test_an_empty_page_is_empty() -> None:
    assert page("") == [""]
