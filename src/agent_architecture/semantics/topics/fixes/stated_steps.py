"""How many steps, and how long an answer, a project's own texts ask of its agents ("search at least 30 times", "write
2000 words"): a line of advice with a smaller limit would stop them where they do as they are told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import Sought, regex
from agent_architecture.semantics.packs.stated_texts import said, texts
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

MOST: Final = 200
"""A run that needs more steps is rare (`limits.EFFECTIVE`); what a text says beyond that is no measure for a limit."""
LONGEST: Final = 20_000
"""Words, and tokens of thought, beyond which a text is no measure for one answer."""
TOKENS_A_WORD: Final = 2
"""English takes 1.3 tokens a word (OpenAI's tokenizer page), other languages and Markdown more."""

_STATED: Final = Sought(
    regex(  # it begins with a digit, which is sought fast; what may not stand before it is looked at then
        rb"(\d\d{0,2})\s+(?:(?:tool|search|web|llm|model|function|reasoning)[ -])?"
        rb"(?:steps|turns|iterations|rounds|calls|searches|times)\b"
    ),
    (b"steps", b"turns", b"iterations", b"rounds", b"calls", b"searches", b"times"),
)
_WORDS: Final = Sought(regex(rb"(\d(?:\d{0,2},\d{3}|\d{1,4}))\+?[ -]words?\b"), (b"word",))
_INSIDE: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-")
"""What a number is only a part of, where it stands before it."""
_THOUGHT: Final = Sought(
    regex(rb"\b(?:budget_tokens|budgetTokens|thinking_budget|thinkingBudget)\W{1,4}(\d{3,6})\b"), (b"budget", b"Budget")
)
_LIMIT: Final = regex(
    r"\b(max_?[tT]urns?|max_?[sS]teps|max_?[iI]ter(?:s|ations?)?|(?:stepCountIs|isStepCount|maxIterations)(?=\()|"
    r"recursion_?[lL]imit|max_loops|tool_call_limit|request_limit|run_?[lL]imit|max_?[lL]lm_?[cC]alls|max_agent_steps|"
    r"max_subtasks|maximum_?[rR]emote_?[cC]alls|max_?[tT]ool_?[sS]teps|maxMultiStepIterations|n_round|turns|"
    r"maximum_auto_invoke_attempts|MaxMessageTermination)\b(\W{1,3})(\d+)\b"
)
_LENGTH: Final = regex(r"\b(max_?(?:[oO]utput_?|[cC]ompletion_?)?[tT]okens)\b(\W{1,3})(\d+)\b")
_GRAPH: Final = "recursion"
"""LangGraph counts the steps of its graph: the model's and the tools' for each round, and the last answer."""


class Stated(NamedTuple):
    """The largest numbers that the project's texts name; 0 where they name none."""

    steps: int = 0
    tokens: int = 0
    """Of one answer: of the words that a text asks for, and of the thought that the code pays for."""


def stated(program: Program) -> Stated:
    """What the texts of a project ask of its agents in numbers."""
    found = [told(file, _in_code if file.language in CODE else _in_text) for file in texts(program)]
    most = [max((numbers[kind] for numbers in found), default=0) for kind in range(3)]
    steps, words, thought = most
    return Stated(steps, words * TOKENS_A_WORD + thought)


def _in_code(data: bytes) -> tuple[int, int, int]:
    """The largest numbers of steps, of words and of tokens of thought that a file of code names."""
    return _largest(data, is_code=True)


def _in_text(data: bytes) -> tuple[int, int, int]:
    """The same of a text."""
    return _largest(data, is_code=False)


def _largest(data: bytes, *, is_code: bool) -> tuple[int, int, int]:
    steps, words, thought = (
        said(each.pattern, data, is_code=is_code) if each.may_be_in(data) else ()
        for each in (_STATED, _WORDS, _THOUGHT)
    )
    return (
        max((_at_most(MOST, found[1]) for found in steps if _is_whole(data, found.start(), b"")), default=0),
        max((_at_most(LONGEST, found[1]) for found in words if _is_whole(data, found.start(), b",")), default=0),
        max((_at_most(LONGEST, found[1]) for found in thought), default=0),
    )


def _is_whole(data: bytes, place: int, further: bytes) -> bool:
    """Whether a number is no part of what stands before it."""
    before = data[place - 1 : place]
    return not before or (before[0] not in _INSIDE and before not in further)


def with_room(line: str, needed: Stated) -> str:
    """A line of advice whose limits leave room for what the project's texts ask for."""
    line = _LIMIT.sub(lambda found: f"{found[1]}{found[2]}{max(int(found[3]), _steps(found[1], needed.steps))}", line)
    return _LENGTH.sub(lambda found: f"{found[1]}{found[2]}{max(int(found[3]), needed.tokens)}", line)


def _steps(limit: str, steps: int) -> int:
    return min(2 * steps + 1 if limit.startswith(_GRAPH) else steps, MOST) if steps else 0


def _at_most(most: int, digits: bytes) -> int:
    number = int(digits.replace(b",", b""))
    return number if number <= most else 0
