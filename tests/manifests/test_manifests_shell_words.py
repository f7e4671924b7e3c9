"""The words of a command, with and without quotes: what Python's own reader of shells says."""

from __future__ import annotations

import random
import shlex

import pytest

from agent_architecture.semantics.manifests.shell_words import words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pip install crewai==1.0 -q", ("pip", "install", "crewai==1.0", "-q")),
        ("  npx\t-y  server ", ("npx", "-y", "server")),
        ("pip install 'crewai>=1' # the newest", ("pip", "install", "crewai>=1")),
        (r"pip install my\ package", ("pip", "install", "my package")),
        ("echo it's", ("echo", "it's")),
        ("a\u00a0b c", ("a\u00a0b", "c")),
        ("a\x0bb c", ("a\x0bb", "c")),
        ("", ()),
    ],
)
def test_words_stand_between_spaces_unless_they_are_quoted(text: str, words: tuple[str, ...]) -> None:
    assert words_of(text) == words


def test_words_without_quotes_are_those_of_the_shell() -> None:
    drawn = random.Random(22)  # noqa: S311 - no secret
    for _ in range(400):
        text = "".join(drawn.choices("ab-=$ \t\r\n\x0b\x0c\x1f\x85\u00a0\u00e9(){}[]`~!%&*;|<>?@^:./\\\"'#", k=12))
        try:
            expected = tuple(shlex.split(text, comments=True))
        except ValueError:
            expected = tuple(text.split())
        assert words_of(text) == expected
