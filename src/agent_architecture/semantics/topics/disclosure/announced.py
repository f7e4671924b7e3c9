"""What a record says of itself that it tells: by the word before a value, its keyword, or the key that it stands under:
`"called with args=%s"`, `query=event.query`, `console.log("Request body:", body)`.

Goes back no way; whether what is told is anybody's text is for others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.topics.disclosure.private_sources import META
from agent_architecture.semantics.topics.disclosure.stated import written_out
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.disclosure.records import Put

WORD: Final = regex(
    r"(?:^|[\s\[(,_.\"'`{|])(?:args|arguments|(?:tool|request|json) ?(?:args|input|body)|quer(?:y|ies)|questions?"
    r"|prompts?|messages?|inputs?|outputs?|(?:request|response"
    r"|message)?[ _]?(?:body|text|content)|payload|response|reply|answer"
    r"|(?:tool|function)[ _-]?call(?:s|ing)?(?: (?:results?|args|arguments))?"
    r"|(?:tool|function|search|raw|mcp)[ _-]?(?:res|results?|outputs?|responses?)"
    r"|observations?|reflexion|histor(?:y|ies)|conversation|(?:generated |final )?sql(?: query)?)"
    r"[\"'`]?\s*(?:[:=]\s*[\"'`(\[]?\s*|\s)$",
    re.IGNORECASE,
)
"""How a text ends after which follows what was said."""
KEY: Final = regex(
    r"^(?:(?:user|human|tool|model|llm|full|raw)_?)?(?:args|arguments|query|question|prompt|messages?|inputs?|outputs?|body"
    r"|payload|answer|reply)$"
    r"|^(?:user|human|tool|model|llm|raw)_?(?:text|content|response|result)$",
    re.IGNORECASE,
)
"""What the keywords of a record are called under which stands what was said."""
NAME: Final = regex(
    r"(?:(?:user|human|search|original|raw|full|incoming)_?)?(?:quer(?:y|ies)|questions?|messages?|msg|prompt|utterance)"
    r"|(?:user|human|tool|model|llm)_?(?:text|input|content|response|result)|(?:user|search)(?:Query|Message|Question|Input)"
    r"|(?:tool|function)(?:_call|Call)s?(?:_?[rR]esults?)?|(?:tool|function|functionCalling)(?:_results|Results)"
    r"|(?:assistant|tool)(?:_m|M)essage|tool(?:_args|_arguments|Args|Arguments)"
    r"|(?:generated_|final_)?sql(?:_query|Query)?|generatedSql",
)
"""What variables are called that hold what was said, whatever stands before them."""
HOLE: Final = regex(r"%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[srad]|\{\w*(?:![rsa])?(?::[^}]*)?\}")
"""Where a format has a value: `%s`, `{}`."""
FAILURE: Final = regex(r"^(?:e|ex|exc|err|error|exception|\w+_(?:error|err|exc)|\w+(?:Error|Err|Exception))$")
"""What code calls what went wrong."""


def announced(context: Context, put: Put) -> Iterator[ir.Name | ir.Member]:
    """The names whose values a record tells after a word that says so."""
    seen: set[int] = set()
    for node in (*(n for text in _behind_words(put) for n in written_out(context, text)), *_called_so(context, put)):
        if id(node) not in seen:
            seen.add(id(node))
            name = callee_name(node)
            if META.search(name) is None and not _tells_failure(context.program, put, node):
                yield node


def _called_so(context: Context, put: Put) -> Iterator[ir.Name | ir.Member]:
    """The names in a record that are themselves such a word: `user_query`, `message.text`."""
    for text in put.texts:
        yield from (node for node in written_out(context, text) if NAME.fullmatch(callee_name(node)))


def _behind_words(put: Put) -> Iterator[ir.Expr]:
    given = [argument for argument in put.call.args if not argument.spread]
    yield from (argument.value for argument in given if argument.keyword and KEY.match(argument.keyword))
    texts = [argument.value for argument in given if not argument.keyword]
    for number, text in enumerate(texts):
        match text:
            case ir.Template(parts=parts):
                yield from _in_template(text)
                end = parts[-1] if parts else None
                if isinstance(end, ir.Literal) and WORD.search(str(end.value) + " ") is not None:
                    yield from texts[number + 1 : number + 2]
            case ir.Literal(value=str() as words):
                yield from _behind(words, texts[number + 1 :])
            case ir.Map(entries=entries):
                keys = ((e.key.value, e.value) for e in entries if isinstance(e.key, ir.Literal))
                yield from (value for key, value in keys if KEY.match(str(key)))
            case _:
                continue


def _behind(words: str, following: list[ir.Expr]) -> Iterator[ir.Expr]:
    """What takes the holes of a format that have such a word before them, or stands behind a text that ends so."""
    holes = [words[: found.start()] for found in HOLE.finditer(words)]
    before = holes or [f"{words} "]
    yield from (value for text, value in zip(before, following, strict=False) if WORD.search(text) is not None)


def _in_template(text: ir.Template) -> Iterator[ir.Expr]:
    before = ""
    for part in _flat(text):
        if isinstance(part, ir.Literal):
            before += str(part.value)
            continue
        if WORD.search(before) is not None:
            yield part
        before = ""


def _flat(text: ir.Template) -> Iterator[ir.Expr]:
    """The parts of a text, also of one that is written in several pieces."""
    for part in text.parts:
        if isinstance(part, ir.Template):
            yield from _flat(part)
        else:
            yield part


def _tells_failure(program: Program, put: Put, node: ir.Name | ir.Member) -> bool:
    """Whether a name is what went wrong, or was made of it: `err.message`, `msg` after `msg = String(err)`."""
    handlers = (each for each in program.structure(put.scope).nodes if isinstance(each, ir.Try))
    caught = {handler.name for each in handlers for handler in each.handlers}
    bound = visible_bindings(program, node) if isinstance(node, ir.Name) else ()
    made = (part for binding in bound if binding.value is not None for part in ir.walk(binding.value))
    names = {part.id for part in (*ir.walk(node), *made) if isinstance(part, ir.Name)}
    return any(name in caught or FAILURE.search(name) is not None for name in names)
