"""How many steps, and how long an answer, a project's own texts ask of its agents ("search at least 30 times", "write
2000 words"): a line of advice with a smaller limit would stop them where they do as they are told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.packs.stated_texts import said, texts

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

MOST: Final = 200
"""A run that needs more steps is rare (`limits.EFFECTIVE`); what a text says beyond that is no measure for a limit."""
LONGEST: Final = 20_000
"""Words, and tokens of thought, beyond which a text is no measure for one answer."""
TOKENS_A_WORD: Final = 2
"""English takes 1.3 tokens a word (OpenAI's tokenizer page), other languages and Markdown more."""

_STATED: Final = regex(
    rb"(?<![\w.$-])(\d{1,3})\s+(?:(?:tool|search|web|llm|model|function|reasoning)[ -])?"
    rb"(?:steps|turns|iterations|rounds|calls|searches|times)\b"
)
_WORDS: Final = regex(rb"(?<![\w.$,-])(\d{1,3}(?:,\d{3})|\d{2,5})\+?[ -]words?\b")
_THOUGHT: Final = regex(rb"\b(?:budget_tokens|budgetTokens|thinking_budget|thinkingBudget)\W{1,4}(\d{3,6})\b")
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
    steps = words = thought = 0
    for file in texts(program):
        steps = max([steps, *(_at_most(MOST, found[1]) for found in said(_STATED, file))])
        words = max([words, *(_at_most(LONGEST, found[1]) for found in said(_WORDS, file))])
        thought = max([thought, *(_at_most(LONGEST, found[1]) for found in said(_THOUGHT, file))])
    return Stated(steps, words * TOKENS_A_WORD + thought)


def with_room(line: str, needed: Stated) -> str:
    """A line of advice whose limits leave room for what the project's texts ask for."""
    line = _LIMIT.sub(lambda found: f"{found[1]}{found[2]}{max(int(found[3]), _steps(found[1], needed.steps))}", line)
    return _LENGTH.sub(lambda found: f"{found[1]}{found[2]}{max(int(found[3]), needed.tokens)}", line)


def _steps(limit: str, steps: int) -> int:
    return min(2 * steps + 1 if limit.startswith(_GRAPH) else steps, MOST) if steps else 0


def _at_most(most: int, digits: bytes) -> int:
    number = int(digits.replace(b",", b""))
    return number if number <= most else 0
