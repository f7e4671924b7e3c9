"""No regular expression of ours can be made to try all ways: each is asked about texts that are made from its own parts
to be almost right, again and again, and wrong at the end.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, Final

import pytest

import agent_architecture
from agent_architecture import regexes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TIMES: Final = (12, 18, 20, 22, 24, 26, 29, 33, 38, 400, 2000)
"""How often a part is repeated, in small steps: where the number of ways doubles with each, one takes seconds."""
SECONDS: Final = 3.0
"""Of a processor: two tenths of it are the most that an expression of ours takes, but for two that take a second."""
WRONG: Final = ("\x00", "!", "")
ANY: Final = "a"
CATEGORIES: Final = {sre.CATEGORY_DIGIT: "0", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a"}
REPEATS: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT)
LONGEST: Final = 20_000
"""Of a text from whose start on an expression is asked: what takes the square of it is above the bound."""
SEARCHED: Final = 2_000
"""Of one that is searched: what takes the square of it is below the bound, for each place may be looked at once."""
LATER: Final[Any] = type(regexes.regex("a"))


def patterns() -> dict[str, re.Pattern[str]]:
    """Every expression that a module of ours holds by name, alone or in a collection; those over bytes as ones over
    text.
    """
    found: dict[str, re.Pattern[str]] = {}
    for module in pkgutil.walk_packages(agent_architecture.__path__, "agent_architecture."):
        if not module.name.endswith("__main__"):
            for value in vars(importlib.import_module(module.name)).values():
                found |= {each.pattern: each for each in map(_over_text, _held(value))}
    return found


def _over_text(pattern: re.Pattern[Any]) -> re.Pattern[str]:
    if isinstance(pattern.pattern, str):
        return pattern
    return re.compile(pattern.pattern.decode("latin-1"), pattern.flags & ~re.UNICODE | re.ASCII)


def _held(value: object) -> Iterator[Any]:
    if isinstance(value, LATER):
        yield re.compile(value.pattern, value._flags)
    elif isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (one for each in (*value, *value.values()) for one in _held(each))
    elif isinstance(value, (tuple, list, frozenset, set)) and not hasattr(value, "_fields"):
        yield from (one for each in value for one in _held(each))


def attacks(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """For each part that may stand there without end: what has to stand before it, and one such part."""
    yield from _attacks(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), "")


def _attacks(parts: Sequence[Any], before: str) -> Iterator[tuple[str, str]]:
    for operator, argument in parts:
        for inner in _inside(operator, argument):
            yield from _attacks(inner, before)
            if operator in REPEATS and argument[1] > TIMES[-1]:
                yield before, _sample(inner) or ANY
        before += _one(operator, argument)


def _inside(operator: Any, argument: Any) -> list[Any]:
    if operator in REPEATS:
        return [argument[2]]
    if operator is sre.BRANCH:
        return list(argument[1])
    if operator is sre.SUBPATTERN:
        return [argument[-1]]
    return [argument[1]] if operator in {sre.ASSERT, sre.ASSERT_NOT} else []


def _sample(parts: Sequence[Any]) -> str:
    return "".join(_one(operator, argument) for operator, argument in parts)


def _one(operator: Any, argument: Any) -> str:
    """The shortest that one part of an expression takes, or something like it."""
    if operator is sre.LITERAL:
        return chr(int(argument))
    if operator is sre.IN:
        return next((found for each in argument if (found := _of_set(*each))), ANY)
    if operator in REPEATS:
        return _sample(argument[2]) * max(1, int(argument[0]))
    if operator is sre.BRANCH:
        return _sample(argument[1][0])
    if operator is sre.SUBPATTERN:
        return _sample(argument[-1])
    return ANY if operator in {sre.ANY, sre.NOT_LITERAL} else ""


def _of_set(operator: Any, argument: Any) -> str:
    if operator is sre.LITERAL:
        return chr(argument)
    if operator is sre.RANGE:
        return chr(argument[0])
    return CATEGORIES.get(argument, "") if operator is sre.CATEGORY else ""


def slowest(pattern: re.Pattern[str]) -> float:
    """The seconds that the slowest of the attacks takes; the first that takes too long ends it."""
    worst = 0.0
    for before, part in dict.fromkeys(attacks(pattern)):
        for wrong in WRONG:
            for times in TIMES:
                text = (before + part * times)[:LONGEST] + wrong
                start = time.process_time()
                pattern.match(text)
                pattern.fullmatch(text)
                pattern.search(text[:SEARCHED])
                worst = max(worst, time.process_time() - start)
                if worst > SECONDS:
                    return worst
    return worst


def test_no_expression_tries_all_ways() -> None:
    found = patterns()
    assert len(found) > 400
    slow = {text: took for text, pattern in found.items() if (took := slowest(pattern)) > SECONDS}
    assert slow == {}


@pytest.mark.parametrize("pattern", [r"^(?:x-)?(?:[a-z]+-?)+key$", r"\s*-?\s*\{?.*\bop:"])
def test_one_that_does_is_seen(pattern: str) -> None:
    assert slowest(re.compile(pattern)) > SECONDS
