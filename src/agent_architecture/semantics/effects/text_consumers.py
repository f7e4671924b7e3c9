"""Calls that consume a text: parsers, checks against a schema, and what interprets or renders it. Knows no model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.outputs import Consumer
from agent_architecture.names.exits import is_answer
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import given_to
from agent_architecture.semantics.effects.statements import is_keyed
from agent_architecture.semantics.effects.taken_texts import takes_text
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Api
    from agent_architecture.semantics.matching.context import Context

PARSERS: Final = regex(
    r"py:(?:(?:json5?|orjson|ujson|rapidjson|simplejson|json_repair|dirtyjson|hjson)\.loads|json_repair\.repair_json"
    r"|langchain_core\.utils\.json[.:]parse_(?:json_markdown|partial_json)|ast\.literal_eval|yaml\.(?:safe_)?load"
    r"|xmltodict\.parse|xml\.etree\.ElementTree\.fromstring|re\.(?:search|match|fullmatch|findall|finditer))$"
    r"|npm:(?:globalThis:JSON\.parse|(?:json5|partial-json|best-effort-json-parser|dirty-json|yaml|hjson|js-yaml)"
    r":(?:default\.)?(?:parse|load))$"
)
"""Calls that take a text apart without knowing what has to be in it."""
PARSER_NAMES: Final = (
    "loads", "literal_eval", "load", "safe_load", "search", "match", "fullmatch", "findall", "repair_json",
    "parse_json_markdown", "parse_partial_json", "fromstring", "parse",
)  # fmt: skip
TEXT_METHODS: Final = ("match", "matchAll")
"""JavaScript's own: `text.match(/<post>(.*?)<\\/post>/)`."""
EXECUTES: Final = ("execute_shell", "execute_code", "database", "database_write", "database_read", "render")
KEPT: Final = {"write_file": Consumer.KEEP, "mail": Consumer.SEND, "message": Consumer.DISPLAY}
"""What is done with a text that nothing interprets: it is put into a file, or told to others; by rows that name it."""
SCHEMA_MARKS: Final = frozenset({"validated", "asserts_schema"})
LOADERS: Final = frozenset({"import_module", "__import__", "run_module", "run_path"})
"""They run files of the host, not a text."""
TESTS: Final = frozenset({"search", "match", "fullmatch"})


class Use(NamedTuple):
    """A call that consumes a text."""

    call: ir.Call
    text: ir.Expr
    consumer: Consumer
    framework: str
    checks: bool = False
    """Whether the call is itself the check."""
    looks: bool = False
    """Whether it looks for a pattern in the text; in a field of a parsed answer that says nothing of the answer."""
    effect: str = ""
    """The effect that it has, where it has one."""
    is_field: bool = False
    """Whether the text is one field of a record that the code makes: of a text that nothing took apart, the type of a
    field checks nothing.
    """


def uses(context: Context) -> Iterator[Use]:
    """Every call that takes a text apart, checks it, or has it interpreted."""
    packs = context.packs
    names = {*PARSER_NAMES, *TEXT_METHODS, *packs.effect_names(*EXECUTES)}
    names |= {"model_validate", "model_validate_json", "parse_obj", "parse_raw", "parse_obj_as", "validate_python"}
    names |= {"validate_json", "parseAsync", "safeParse", "safeParseAsync"}
    for name in sorted(names):
        for site in context.program.calls(name):
            yield from _of_call(context, site.call)
    for name in sorted(packs.flow_names("sink")):
        for site in context.program.calls(name):
            yield from _kept(context, site.call)
    for module in context.program.modules:
        for cls in module.index.classes:
            for site in context.program.calls(cls.name):
                if site.call.args and is_check(context, site.call):
                    given = (argument for argument in site.call.args if not _is_written_here(argument.value))
                    yield from (_checked(site.call, argument) for argument in given)


def only_wraps(call: ir.Call) -> bool:
    """Whether a record is made of fields that the code picks, `Answer(content=text)`: of a text that nothing took
    apart, its types check nothing.
    """
    return bool(call.args) and all(argument.keyword and not argument.spread for argument in call.args)


def _checked(call: ir.Call, argument: ir.Argument) -> Use:
    is_field = argument.spread != "**"
    return Use(call, argument.value, Consumer.PARSE, "", checks=True, is_field=is_field)


def _kept(context: Context, call: ir.Call) -> Iterator[Use]:
    """What a call puts into a file or tells others."""
    for api in resolved(context.program, call.callee):
        for row in context.packs.flows(api.path):
            if row.kind == "sink" and row.name in KEPT and row.argument is not None:
                for text in expressions(context.program, call, row.argument):
                    yield Use(call, text, KEPT[row.name], row.where.pack, effect=row.name)


def consumer_of(effect: str) -> Consumer:
    """What acts on a text that is handed to an effect: rows of a database are values, which nothing interprets."""
    return {"render": Consumer.RENDER, "database_write": Consumer.STORE}.get(effect, Consumer.EFFECT)


def _is_written_here(value: ir.Expr) -> bool:
    """Whether a value is a text that the code puts together: of what stands in it, a type checks nothing."""
    return isinstance(value, ir.Template) or (isinstance(value, ir.Operator) and value.op in {ir.Op.ADD, ir.Op.MOD})


def _of_call(context: Context, call: ir.Call) -> Iterator[Use]:
    apis = resolved(context.program, call.callee)
    loads = any(last_name(api.path) in LOADERS for api in apis)
    for row, expr in given_to(context, call, EXECUTES) if not loads else ():
        if is_keyed(row.effect, callee_name(call.callee)):
            continue
        yield Use(call, expr, consumer_of(row.effect), row.where.pack, effect=row.effect)
    if is_check(context, call) and call.args:
        yield Use(call, call.args[0].value, Consumer.PARSE, "", checks=True)
    elif any(PARSERS.search(api.path) for api in apis) and _is_taken(context, call, apis):
        position = 1 if any(api.path.startswith("py:re") for api in apis) else 0
        if len(call.args) > position and (not position or takes_text(context.program, call.args[0].value)):
            yield Use(call, call.args[position].value, Consumer.PARSE, "", looks=bool(position))
    elif (
        isinstance(call.callee, ir.Member)
        and _is_text_method(call)
        and _is_taken(context, call, ())
        and any(takes_text(context.program, argument.value) for argument in call.args[:1])
    ):
        yield Use(call, call.callee.target, Consumer.PARSE, "", looks=True)


def _is_taken(context: Context, call: ir.Call, apis: tuple[Api, ...]) -> bool:
    """Whether something is taken out of the text; a pattern that is only tested takes nothing."""
    if apis and not any(last_name(api.path) in TESTS for api in apis):
        return True
    around = context.program.structure(context.program.scope_of(call)).parent(call)
    return isinstance(around, (ir.Assign, ir.Member, ir.Index)) or (
        is_answer(around) or (isinstance(around, ir.Operator) and around.op in {ir.Op.OR, ir.Op.NULLISH})
    )


def _is_text_method(call: ir.Call) -> bool:
    is_javascript = not call.span.path.endswith((".py", ".ipynb", ".pyi"))
    return is_javascript and isinstance(call.callee, ir.Member) and call.callee.name in TEXT_METHODS


def is_check(context: Context, call: ir.Call) -> bool:
    """Whether a call fails, or says so, where a value does not have a schema."""
    return (
        any(
            row.covers in SCHEMA_MARKS
            for api in resolved(context.program, call.callee)
            for row in context.packs.marks(api.path)
        )
        and context.at(call, "model_call", "run") is None
    )
