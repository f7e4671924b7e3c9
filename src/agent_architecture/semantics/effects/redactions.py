"""Which calls take out of a text what nobody should see: a library's redaction, a replacement by a stand-in
(`re.sub(MAIL, "[mail]", text)`), a function of the project that does one of them.

A name that says so is believed of code that is not seen, and of code that could; whether enough is taken out is not
asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answer_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

NAMED: Final = regex(r"(?i)redact|mask|anonymi[sz]|scrub|obfuscat|pseudonym|sanitize_?(?:pii|log|secret)|strip_?pii")
STAND_IN: Final = regex(
    r"(?i)^\s*[\[<{(]+[\w\s:*-]+[\])}>]+\s*$|[*•#]{2,}|x{3,}|redact|remov|hidden|masked|filtered|censored"
)
"""What is put in the place of what nobody should see: `[mail]`, `***`, `<REDACTED>`."""
BLACKED: Final = regex(r"^[*•#xX]+$")
REPLACING: Final = frozenset({"sub", "subn", "replace", "replaceAll", "replace_all"})
ONCE: Final = frozenset({"replace"})
"""JavaScript's `replace` takes out the first one alone, unless its pattern says all: `/…/g`."""
PARTS: Final = 2
"""What a replacement is told at least: what, and by what or in which text."""
BYTES: Final = 4
"""Of a character, at most."""
FLAGS: Final = regex(r"/([a-z]*)$")
PYTHON: Final = frozenset({Language.PYTHON, Language.NOTEBOOK})
SLICING: Final = frozenset({"slice", "substring", "substr"})
HASHING: Final = regex(r"^(?:sha\d+|md5|blake\w+|hexdigest|digest|createHash|hash|hmac|fingerprint\w*)$")
DEPTH: Final = 2
"""Functions of the project in each other that are looked into."""


def redacts(context: Context, call: ir.Call, depth: int = DEPTH) -> bool:
    """Whether what a call gives back is its text without what nobody should see."""
    if _is_marked(context, call) or puts_stand_in(context, call):
        return True
    if not NAMED.search(callee_name(call.callee)):
        return False
    functions = context.program.callees(call)
    return not functions or any(_could(context, function, depth) for function in functions)


def texts_of(call: ir.Call) -> Iterator[ir.Expr]:
    """What a redacting call may be given its text as: its arguments, and what it is a method of."""
    yield from (argument.value for argument in call.args)
    if isinstance(call.callee, ir.Member) and call.callee.name in REPLACING:
        yield call.callee.target


def puts_stand_in(context: Context, call: ir.Call) -> bool:
    """Whether a call puts a stand-in into a text wherever something of it is found."""
    name = callee_name(call.callee)
    given = [argument.value for argument in call.args]
    if name not in REPLACING or not isinstance(call.callee, ir.Member) or len(given) < PARTS:
        return False
    compiled = name in {"sub", "subn"} and len(given) == PARTS  # `MAIL.sub("[mail]", text)`
    texts = [v.value for v in context.program.value_of(given[0 if compiled else 1]) if isinstance(v, Const)]
    if not texts or not all(isinstance(text, str) and STAND_IN.search(text) is not None for text in texts):
        return False
    is_python = context.program.module_of(call).language in PYTHON
    return is_python or name not in ONCE or _says_all(context.program, given[0])


def _says_all(program: Program, pattern: ir.Expr) -> bool:
    """Whether what JavaScript's `replace` looks for stands for all places: `/…/g`. What is made elsewhere may."""
    if not isinstance(pattern, ir.Literal):
        return True
    lines = program.once(_lines, pattern.span.path)
    line = lines[pattern.span.end_line - 1] if pattern.span.end_line <= len(lines) else b""
    flags = FLAGS.search(line[: pattern.span.end_col * BYTES].decode("utf-8", "replace")[: pattern.span.end_col - 1])
    return flags is not None and "g" in flags[1]


def _lines(program: Program, path: str) -> list[bytes]:
    file = program.table.file(path)
    return file.data.split(b"\n") if file is not None else []


def _is_marked(context: Context, call: ir.Call) -> bool:
    return any(
        mark.covers == "redacts"
        for api in resolved(context.program, call.callee)
        for mark in context.packs.marks(api.path)
    )


def _could(context: Context, function: ir.Function, depth: int) -> bool:
    """Whether a function of the project that is called so could take anything out of what it is given."""
    structure = context.program.structure(function)
    names = {param.name for param in function.params}
    for node in structure.nodes:
        match node:
            case ir.Index(key=ir.Slice()):
                return True
            case ir.Literal(value=str() as text) if STAND_IN.search(text) or BLACKED.match(text):
                if not isinstance(structure.parent(node), ir.Call | None):
                    return True  # neither a docstring nor what another call is given
            case ir.Call() if isinstance(node.callee, ir.Member) and callee_name(node.callee) in REPLACING:
                if _is_used(structure.parent(node)) and _changes(context, node):
                    return True
            case ir.Call(callee=callee) if callee_name(callee) in SLICING or HASHING.match(callee_name(callee)):
                return True
            case ir.Call() if depth > 0 and redacts(context, node, depth - 1):
                return _is_used(structure.parent(node))
            case _ if (value := answer_of(node)) is not None and not isinstance(value, ir.Name):
                if not any(isinstance(part, ir.Name) and part.id in names for part in ir.walk(value)):
                    return True
            case _:
                continue
    return False


def _is_used(around: ir.Node | None) -> bool:
    """Whether what a call gives back is taken: it is no statement of its own."""
    return isinstance(around, ir.Node) and not isinstance(around, (ir.If, ir.Loop, ir.Try, ir.With, ir.Block))


def _changes(context: Context, call: ir.Call) -> bool:
    """Whether a replacement may change something: what it puts in is not what it has found."""
    texts = [v.value for a in call.args for v in context.program.value_of(a.value) if isinstance(v, Const)]
    return not any(isinstance(text, str) and text in {r"\1", r"\g<0>", r"\g<1>", "$&", "$1"} for text in texts)
