"""The IR as text: one S-expression for each node, the same for every language.

For the pages under tests/syntax and for `./dev explain`. Knows the node kinds only. A form that fits on a line stands
on one; else its parts follow, indented by two. Dotted names are written as such (`a.b.c`), strings as in JSON, `-` for
an absent part.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir
from agent_architecture.syntax.ir import UNDEFINED, Class, Function, Module

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.sources.source import Span

WIDTH: Final = 100
"""A form longer than this is broken over lines."""

_BLOCKS: Final = (Function, Class, ir.If, ir.Match, ir.Loop, ir.Try, ir.With, ir.Block)


class Form(NamedTuple):
    """A word, or a parenthesised list of a head word and parts."""

    head: str
    parts: tuple[Form, ...] = ()
    is_word: bool = False
    is_block: bool = False
    span: Span | None = None


def dump(node: ir.Node | Module, *, spans: bool = False) -> str:
    """The text of a node, or of a whole module: its statements, one below the other.

    With `spans`, each head is followed by `@line:col` of its node. What is nested too deeply to be written is `…`.
    """
    nodes = node.body if isinstance(node, Module) else (node,)
    return "\n".join(_layout(_form(each), 0, spans=spans) for each in nodes)


# --------------------------------------------------------------------------------------------------------------- layout
def _layout(form: Form, indent: int, *, spans: bool) -> str:
    """The form at this indentation. One frame a level, fewer than `_form` needs: what was built can be laid out."""
    flat = _flat(form, spans=spans)
    if form.is_word or (len(flat) + indent <= WIDTH and not _spreads(form)):
        return flat
    words = next((at for at, part in enumerate(form.parts) if not part.is_word), len(form.parts))
    if not _spreads(form):
        words = min(words, 1)
    lines = [" ".join([_head(form, spans=spans), *[_flat(part, spans=spans) for part in form.parts[:words]]])]
    for part in form.parts[words:]:
        line = _layout(part, indent + 2, spans=spans)
        lines.append(" " * (indent + 2) + line)
    return "(" + "\n".join(lines) + ")"


def _spreads(form: Form) -> bool:
    """Whether statements stand in it, which get lines of their own."""
    return form.is_block or any(part.is_block for part in form.parts)


def _flat(form: Form, *, spans: bool) -> str:
    """The form on one line, written with a stack: chains of calls nest deeply."""
    words: list[str] = []
    stack: list[Form | None] = [form]
    while stack:
        part = stack.pop()
        if part is None:
            words[-1] += ")"
        elif part.is_word:
            words.append(_head(part, spans=spans))
        else:
            words.append("(" + _head(part, spans=spans))
            stack += [None, *reversed(part.parts)]
    return " ".join(words)


def _head(form: Form, *, spans: bool) -> str:
    return f"{form.head}@{form.span.line}:{form.span.col}" if spans and form.span else form.head


# ---------------------------------------------------------------------------------------------------------------- forms
def _form(node: ir.Node) -> Form:
    try:
        form = _expression(node) or _small(node) or _statement(node) or _definition(node)
    except RecursionError:
        form = _word("…")
    return form._replace(span=node.span, is_block=isinstance(node, _BLOCKS) and not _is_inline(node))


def _is_inline(node: ir.Node) -> bool:
    return isinstance(node, ir.Loop) and node.kind == "comprehension"


def _word(text: str) -> Form:
    return Form(text, is_word=True)


def _list(head: str, *parts: Form | None) -> Form:
    return Form(head, tuple(part for part in parts if part is not None))


def _all(nodes: Iterable[ir.Node]) -> tuple[Form, ...]:
    return tuple([_form(node) for node in nodes])


def _or_dash(node: ir.Node | None) -> Form:
    return _word("-") if node is None else _form(node)


def _part(head: str, node: ir.Node | None) -> Form | None:
    return None if node is None else _list(head, _form(node))


def _group(head: str, nodes: tuple[ir.Node, ...]) -> Form | None:
    return _list(head, *_all(nodes)) if nodes else None


def _expression(node: ir.Node) -> Form | None:
    match node:
        case ir.Name(id=name):
            return _word(name or '""')
        case ir.Literal(value=value):
            return _word(_constant(value))
        case ir.Member(target=target, name=name):
            owner = _form(target)
            dotted = isinstance(target, (ir.Name, ir.Member)) and owner.is_word
            return _word(f"{owner.head}.{name}") if dotted else _list(".", owner, _word(name))
        case ir.Index(target=target, key=key):
            return _list("index", _form(target), _form(key))
        case ir.Slice(lower=lower, upper=upper, step=step):
            return _list("slice", _or_dash(lower), _or_dash(upper), _or_dash(step))
        case ir.Call(callee=callee, args=args, is_new=is_new):
            return _list("new" if is_new else "call", _form(callee), *map(_argument, args))
        case ir.Template(parts=parts):
            return _list("template", *_all(parts))
        case ir.List(items=items, kind=kind):
            return _list(kind, *_all(items))
        case ir.Map(entries=entries):
            return _list("map", *map(_entry, entries))
        case ir.Operator(op=op, operands=operands):
            return _list(op, *_all(operands))
        case ir.Conditional(test=test, then=then, otherwise=otherwise):
            return _list("?", _form(test), _form(then), _form(otherwise))
        case ir.Opaque(name=name, parts=parts):
            return _list("opaque", _word(name), *_all(parts))
    return None


def _small(node: ir.Node) -> Form | None:
    match node:
        case ir.Spread(value=value):
            return _list("spread", _form(value))
        case ir.Await(value=value):
            return _list("await", _form(value))
        case ir.Yield(value=value, delegate=delegate):
            return _list("yield*" if delegate else "yield", *_all(() if value is None else (value,)))
        case ir.Assign(target=target, value=value, op=op, annotation=annotation):
            return _list(
                f"{op or ''}=", _form(target), None if value is None else _form(value), _part("type", annotation)
            )
        case ir.Return(value=value):
            return _list("return", None if value is None else _form(value))
        case ir.Raise(value=value):
            return _list("raise", None if value is None else _form(value))
        case ir.Break(label=label):
            return _list("break", _word(label) if label else None)
        case ir.Continue(label=label):
            return _list("continue", _word(label) if label else None)
        case ir.Global(names=names):
            return _list("global", *map(_word, names))
        case ir.Import():
            return _import(node)
        case ir.Export(exported=exported, local=local, module=module, value=value):
            source = _list("from", _word(_constant(module))) if module else None
            return _list(
                "export",
                _word(exported),
                _list("local", _word(local)) if local else None,
                source,
                _part("value", value),
            )
    return None


def _statement(node: ir.Node) -> Form | None:
    match node:
        case ir.If(test=test, then=then, otherwise=otherwise):
            return _list("if", _form(test), _group("then", then), _group("else", otherwise))
        case ir.Match(subject=subject, cases=cases):
            return _list("match", _form(subject), *map(_case, cases))
        case ir.Loop():
            return _loop(node)
        case ir.Try(body=body, handlers=handlers, otherwise=otherwise, final=final):
            parts = [
                _group("body", body),
                *map(_handler, handlers),
                _group("else", otherwise),
                _group("finally", final),
            ]
            return _list("try", *parts)
        case ir.With(items=items, body=body, is_async=is_async):
            contexts = [
                _list("item", _form(item.value), None if item.target is None else _form(item.target)) for item in items
            ]
            return _list("with", _word("async") if is_async else None, *contexts, *_all(body))
        case ir.Block(body=body, label=label):
            return _list("block", _word(label) if label else None, *_all(body))
    return None


def _definition(node: ir.Node) -> Form:
    if isinstance(node, Function):
        flags = [node.receiver, "async" if node.is_async else None, "generator" if node.is_generator else None]
        words = [_word(node.name or '""'), *(_word(flag) for flag in flags if flag)]
        params = _list("params", *map(_parameter, node.params)) if node.params else None
        return _list(
            "function", *words, _decorators(node.decorators), params, _part("returns", node.returns), *_all(node.body)
        )
    if isinstance(node, Class):
        bases = _list("bases", *_all(node.bases), *map(_argument, node.parts.keywords))
        name = _word(node.name or '""')
        return _list(node.kind, name, _decorators(node.decorators), bases if bases.parts else None, *_all(node.body))
    raise TypeError(f"not a node of the IR: {type(node).__name__}")


# ---------------------------------------------------------------------------------------------------------------- parts
def _constant(value: ir.Constant) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    words = {True: "true", False: "false", None: "null", UNDEFINED: "undefined"}
    return words[value] if value is None or isinstance(value, (bool, ir.Undefined)) else repr(value)


def _argument(argument: ir.Argument) -> Form:
    value = _form(argument.value)
    if argument.spread:
        return _list(argument.spread, value)
    return value if argument.keyword is None else _list(argument.keyword + ":", value)


def _entry(entry: ir.Entry) -> Form:
    return (
        _list("**", _form(entry.value)) if entry.key is None else _list("entry", _form(entry.key), _form(entry.value))
    )


def _decorators(decorators: tuple[ir.Expr, ...]) -> Form | None:
    return _list("decorators", *_all(decorators)) if decorators else None


def _parameter(parameter: ir.Parameter) -> Form:
    name = _word(parameter.kind + parameter.name)
    details = (
        _part("pattern", parameter.pattern),
        _part("default", parameter.default),
        _part("type", parameter.annotation),
    )
    return _list(name.head, *details) if any(details) else name


def _case(case: ir.Case) -> Form:
    return _list("case", _list("of", *_all(case.patterns)), _part("guard", case.guard), *_all(case.body))


def _handler(handler: ir.Handler) -> Form:
    types = _list("of", *_all(handler.types)) if handler.types else None
    name = _list("as", _word(handler.name)) if handler.name else None
    return _list("except", types, name, *_all(handler.body))


def _loop(loop: ir.Loop) -> Form:
    words = [_word(loop.kind), _word("async") if loop.is_async else None]
    header = [
        _group("init", loop.init),
        _part("target", loop.target),
        _part("source", loop.source),
        _part("test", loop.test),
    ]
    if loop.kind == "comprehension":
        return _list("loop", *words, *header, *_all(loop.body))
    return _list(
        "loop", *words, *header, _group("update", loop.update), *_all(loop.body), _group("else", loop.otherwise)
    )


def _import(node: ir.Import) -> Form:
    flags = {
        "level": node.level or None,
        "as": node.alias,
        "root": node.binds_root or None,
        "type": node.type_only or None,
    }
    details = [
        _list(flag) if value is True else _list(flag, _word(str(value))) for flag, value in flags.items() if value
    ]
    names = [
        _word(name.name) if name.name == name.alias else _list(name.name, _list("as", _word(name.alias)))
        for name in node.names
    ]
    kind = None if node.kind == "import" else _list("kind", _word(node.kind))
    return _list("import", _word(_constant(node.module)), kind, *details, *names)
