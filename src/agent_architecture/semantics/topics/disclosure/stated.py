"""What a record is stated to hold by the code that writes it: the key of a span's attribute, the answer of a service in
an error, the whole of what a platform hands in.

Goes back no way; says nothing of who wrote a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import only_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.redactions import redacts
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint.external_parameters import REQUESTS
from agent_architecture.semantics.topics.disclosure.private_sources import META
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

KEY: Final = regex(
    r"(?:^|[._])(?:arg(?:ument)?s|inputs?|outputs?|prompts?|completions?|messages?|task|query|question|results?|response|answer)"
    r"(?:[._](?:details?|values?|content|text|raw|json|full|preview))?$"
)
"""What keys of a span's attributes are called that hold what was said, given or brought: `tool.args`, `input.value`."""
TEXTS: Final = frozenset(
    {"str", "repr", "String", "dumps", "stringify", "model_dump_json", "join", "strip", "trim", "toString"}
)
"""Calls that write out what they are given, or what they are methods of."""
BODY: Final = "body"
TITLE: Final = "title"
"""What tells which page was found, and is text where a model or a user writes it."""
FAILED: Final = regex(
    r"(?:^|\.)(?:e|ex|exc|err|error|\w*(?:_(?:error|err|exc)|Error|Err|Exception))\.response\.(?:text|data|content|body)$"
)
"""How code calls the body of the answer that an error of a client holds: `error.response.data`."""
ANSWER: Final = regex(r"_?(?:res|response|reply)")
"""What code calls that with which it answers, where a server hands it in."""
UNPARSED: Final = frozenset({"NoObjectGeneratedError", "OutputParserException"})
"""Errors of libraries that hold what a model wrote, since it has not the form that was asked for."""
HOLDING: Final = frozenset({"text", "response", "llm_output", "llmOutput"})
"""Their parts that do."""


def attribute(context: Context, call: ir.Call) -> str | None:
    """The key under which a call puts a text on a span that it says to be what was said; None where the text is made of
    constants, counts and words about how it went, or redacted.
    """
    texts = [argument.value for argument in call.args]
    key = texts[0].value if len(texts) > 1 and isinstance(texts[0], ir.Literal) else None
    if not isinstance(key, str) or KEY.search(key) is None:
        return None
    named = tuple(written_out(context, texts[1]))
    said = (
        name for name in named if META.search(callee_name(name)) is None and not _is_constant(context.program, name)
    )
    return key if any(True for _ in said) else None


def written_out(context: Context, text: ir.Expr) -> Iterator[ir.Name | ir.Member]:
    """The names whose values a text is, or writes out."""
    match text:
        case ir.Name() | ir.Member():
            yield text
        case ir.Index(target=target, key=ir.Slice()):
            yield from written_out(context, target)
        case ir.Call(callee=callee, args=args) if callee_name(callee) in TEXTS and not redacts(context, text):
            inner = [argument.value for argument in args[:1]]
            inner += [callee.target] if isinstance(callee, ir.Member) and not inner else []
            for each in inner:
                yield from written_out(context, each)
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from written_out(context, then)
            yield from written_out(context, otherwise)
        case ir.Template(parts=parts):
            for part in parts:
                yield from written_out(context, part)
        case _:
            return


def is_put_together(program: Program, node: ir.Name | ir.Member) -> bool:
    """Whether a variable is a mapping or list that the code around makes of more than constants."""
    made = only_value(program, node) if isinstance(node, ir.Name) else None
    parts = (
        [e.value for e in made.entries] if isinstance(made, ir.Map) else made.items if isinstance(made, ir.List) else ()
    )
    return any(not isinstance(part, ir.Literal) for part in parts)


def _is_constant(program: Program, name: ir.Expr) -> bool:
    values = program.value_of(name)
    return bool(values) and all(isinstance(value, Const) for value in values)


def of_error(named: tuple[ir.Name | ir.Member, ...]) -> str:
    """What a record calls the body of an answer that an error holds; "" for none."""
    return next((name for node in named if FAILED.search(name := dotted(node))), "")


def of_model_error(context: Context, scope: ir.Scope, named: tuple[ir.Name | ir.Member, ...]) -> str:
    """What a record calls the text of a model that an error holds, where the code around asks for its kind:
    `NoObjectGeneratedError.isInstance(error)`; "" for none.
    """
    held = {dotted(node.target): node for node in named if isinstance(node, ir.Member) and node.name in HOLDING}
    nodes = context.program.structure(scope).nodes if held else ()
    asked = frozenset(name for node in nodes for name in _of_kind(node))
    return next((dotted(node) for error, node in held.items() if error in asked), "")


def _of_kind(node: ir.Node) -> Iterator[str]:
    """The errors of which code asks whether they hold what a model wrote, or which it caught as such."""
    match node:
        case ir.Call(callee=ir.Member(target=kind, name="isInstance"), args=(given, *_)) if (
            callee_name(kind) in UNPARSED
        ):
            yield dotted(given.value)
        case ir.Call(callee=callee, args=(given, kind, *_)) if callee_name(callee) == "isinstance":
            yield from (dotted(given.value) for each in ir.walk(kind.value) if _is_unparsed(each))
        case ir.Operator(op=ir.Op.INSTANCEOF, operands=(error, kind)) if callee_name(kind) in UNPARSED:
            yield dotted(error)
        case ir.Try(handlers=handlers):
            for handler in handlers:
                caught = (each for kind in handler.types for each in ir.walk(kind))
                if handler.name and any(map(_is_unparsed, caught)):
                    yield handler.name
        case _:
            return


def _is_unparsed(node: ir.Node) -> bool:
    return isinstance(node, (ir.Name, ir.Member)) and callee_name(node) in UNPARSED


def bodies(context: Context, text: ir.Expr) -> frozenset[str]:
    """What a platform hands in, and is written out as a whole, is written out with its body: `f"Received {event}"`."""
    named = (node.id for node in written_out(context, text) if isinstance(node, ir.Name))
    return frozenset({BODY}) if any(map(REQUESTS.fullmatch, named)) else frozenset()


def whole_request(program: Program, node: ir.Name | ir.Member) -> str:
    """What a record calls the body of a request, where the function that has it answers one by its form: it is handed
    both, `(req, res)`; "" for none.
    """
    if not isinstance(node, ir.Member) or node.name != BODY or not isinstance(node.target, ir.Name):
        return ""
    scope: ir.Scope | None = program.scope_of(node)
    while isinstance(scope, ir.Function):
        names = [param.name for param in scope.params]
        if node.target.id in names[:1] and len(names) > 1 and ANSWER.fullmatch(names[1]) is not None:
            return dotted(node)
        scope = scope.outer
    return ""


def keys(node: ir.Node) -> Iterator[str]:
    """The texts that a call is given."""
    given = (argument.value for argument in node.args) if isinstance(node, ir.Call) else ()
    yield from (key.value for key in given if isinstance(key, ir.Literal) and isinstance(key.value, str))


def asked(node: ir.Node) -> Iterator[str]:
    """The key in `given.get("key")`."""
    if isinstance(node, ir.Call) and callee_name(node.callee) == "get":
        keys = (argument.value for argument in node.args[:1])
        yield from (key.value for key in keys if isinstance(key, ir.Literal) and isinstance(key.value, str))


def is_titled(node: ir.Node) -> bool:
    """Whether an expression takes the title of something: `page["title"]`."""
    return isinstance(node, ir.Index) and isinstance(node.key, ir.Literal) and node.key.value == TITLE


def serialised(text: ir.Expr) -> ir.Expr:
    """What methods without arguments are called of: `json.dumps(result).encode()`."""
    while isinstance(text, ir.Call) and isinstance(text.callee, ir.Member) and not text.args:
        text = text.callee.target
    return text


def is_typed_in(node: ir.Node) -> bool:
    """Whether a call of Python is what somebody types: `input("You: ")`."""
    return isinstance(node, ir.Call) and isinstance(node.callee, ir.Name) and node.callee.id == "input"
