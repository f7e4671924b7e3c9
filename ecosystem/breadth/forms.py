"""What code that declares a tool, makes an agent or asks a model looks like to somebody who only reads words.

The count that rests on it checks the model of `agent_architecture`, so nothing here comes from there: no packs, no
parser, no names of entities.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

PYTHON: Final = frozenset({".py"})
SCRIPT: Final = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"})
EVERY: Final = PYTHON | SCRIPT


class Form(NamedTuple):
    """One way to write something. `pattern` begins where it stands; its group `name`, if any, is what it is called.

    `reach` is how many further lines belong to it: an entity on one of them is the same thing.
    """

    what: str
    kind: str
    """The kind of entity that should stand there: `tool`, `agent` or `request`."""
    suffixes: frozenset[str]
    pattern: re.Pattern[bytes]
    reach: int = 0


def _form(what: str, kind: str, suffixes: frozenset[str], pattern: str, reach: int = 0) -> Form:
    return Form(what, kind, suffixes, re.compile(pattern.encode(), re.MULTILINE), reach)


_TEXT: Final = r"""["'`](?P<name>[\w.-]{1,80})["'`]"""
_MODEL_WORDS: Final = r"(?:model|llm|tools|instructions|system_?prompt|systemMessage|system_message|toolkit)"
_INSIDE: Final = r"(?:(?!\n[^\s)\]}])[^;])"
"""Within one statement: what goes on in the next line is indented or closes a bracket."""
_WITH_MODEL: Final = rf"(?={_INSIDE}{{0,500}}?\b{_MODEL_WORDS}\w*\s*[=:,}}])"
_KEY: Final = r"""["']?"""

FORMS: Final = (
    # ------------------------------------------------------------------------------------------------------- tools
    _form(
        "tool decorator",
        "tool",
        PYTHON,
        r"^[ \t]*@(?:[\w.]+(?:\(\))?\.)?(?:\w*tool|\w+_tool_plain|tool_plain|tool_\w+|kernel_function|ai_function)"
        r"\b[^\n]*(?:\n(?!\s*(?:async\s+)?def\b)[^\n]*){0,40}?\n\s*(?:async\s+)?def\s+(?P<name>\w+)",
    ),
    _form(
        "tool class",
        "tool",
        PYTHON,
        r"^class\s+(?P<name>\w+)\((?:[^)\n]*[\s,.])?(?:Base|Structured|Function|Async|Agent|Crew\w*)?Tool"
        r"(?:\[[^\]\n]*\])?\s*[,)]",
    ),
    _form(
        "tool class",
        "tool",
        SCRIPT,
        r"^\s*(?:export\s+)?(?:default\s+)?class\s+(?P<name>\w+)\s+extends\s+(?:Base|Structured|Function|Dynamic)?Tool\b",
    ),
    _form(
        "tool registrar",
        "tool",
        EVERY,
        rf"\.(?:tool|registerTool|register_tool|addTool|add_tool)\(\s*(?:\{{\s*name:\s*)?{_TEXT}",
    ),
    _form(
        "tool registrar",
        "tool",
        PYTHON,
        r"\.(?:add_tool|register_tool)\(\s*(?:self\.)?(?!(?:\w+_)?(?:tool|func|fn|function|f|t|cls)\s*[,)])"
        r"(?!tool_)(?P<name>[a-z_]\w*)\s*[,)]",
    ),
    _form(
        "tool maker",
        "tool",
        PYTHON,
        r"\b(?:Structured|Function|Async\w*|Dynamic\w*)?Tool(?:\.from_\w+)?\(\s*[^()]{0,300}?\bname\s*=\s*" + _TEXT,
        3,
    ),
    _form(
        "tool maker",
        "tool",
        SCRIPT,
        r"\b(?:tool|createTool|defineTool|dynamicTool|makeTool|(?:new\s+)\w*Tool)(?:<[^>\n]*>)?\(\s*"
        r"(?:\{|async\b|\()(?=[^;]{0,1500}?\b(?:description|inputSchema|parameters|execute|handler|func)\b)",
        3,
    ),
    _form(
        "tool schema",
        "tool",
        EVERY,
        rf"{_KEY}\bname{_KEY}\s*[:=]\s*{_TEXT}\s*,\s*(?:{_KEY}\w+{_KEY}\s*[:=]\s*[^\n]{{1,120}},\s*)?"
        rf"{_KEY}description{_KEY}\s*[:=](?=(?:(?!{_KEY}\bname{_KEY}\s*[:=]\s*[\"'])[\s\S]){{0,1500}}?"
        rf"\b(?:input_?[sS]chema|parameters)\b{_KEY}\s*[:=])",
        3,
    ),
    # ------------------------------------------------------------------------------------------------------ agents
    _form(
        "agent constructor",
        "agent",
        PYTHON,
        rf"^(?!\s*(?:def|class|async def|from|import|#)\b)[^\n#\"']*?(?<![\w.])(?:\w+\.)*(?:\w*Agent|\w*AgentExecutor)"
        rf"(?:\[[^\]\n]*\])?\((?!\)){_WITH_MODEL}",
        3,
    ),
    _form(
        "agent constructor",
        "agent",
        SCRIPT,
        rf"\bnew\s+(?!https?\.|undici\.|(?:\w+\.)*(?:\w*Proxy|Https?|User|undici)Agent)(?:\w+\.)*\w*Agent(?:<[^>\n]*>)?\((?!\))"
        rf"{_WITH_MODEL}",
        3,
    ),
    _form(
        "agent maker",
        "agent",
        EVERY,
        rf"(?<!def )(?<!function )(?<!\w)(?:create_(?:\w+_)?agent|initialize_agent|create\w*Agent|make_agent)\("
        rf"(?!\)){_WITH_MODEL}",
        3,
    ),
    # ---------------------------------------------------------------------------------------------------- requests
    _form(
        "model request",
        "request",
        EVERY,
        r"\.(?:chat\.completions\.(?:create|parse|stream)|chat\.complete|responses\.(?:create|parse|stream)"
        r"|generate_content(?:_async|_stream)?|generateContent(?:Stream)?|invoke_model|converse(?:_stream)?"
        r"|beta\.messages\.create)\(",
        3,
    ),
    _form("model request", "request", EVERY, r"\.messages\.(?:create|stream)\((?=[^;]{0,600}?\bmax_tokens\b)", 3),
    _form("model request", "request", PYTHON, r"\b(?:litellm\.a?completion|ollama\.(?:chat|generate))\(", 3),
    _form(
        "model request",
        "request",
        SCRIPT,
        r"(?<![\w.])(?:generateText|streamText|generateObject|streamObject|ollama\.(?:chat|generate))\(",
        3,
    ),
    _form(
        "model request",
        "request",
        SCRIPT,
        r"new\s+(?:InvokeModel(?:WithResponseStream)?|Converse(?:Stream)?)Command\(",
        3,
    ),
    _form(
        "model address",
        "request",
        EVERY,
        r"""\b(?:post|fetch|request|stream)\w*\([^;\n]{0,120}(?:/chat/completions|/v1/messages|/api/chat|/api/generate"""
        r"""|:generateContent)["'`?]""",
        3,
    ),
)
