"""What a test replaces: the target of a patch, a mocked module of JavaScript, an attribute that is overwritten.

Knows the spellings of mocking libraries; must not know what is a model and what an agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import members
from agent_architecture.names.import_targets import InProject, Outside
from agent_architecture.names.values import Api, Const, Instance, ModuleValue, Value, Values
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

BY_TEXT: Final = regex(r"^(?:(?:unittest\.)?mock\.|mocker\.)?patch$|^monkeypatch\.setattr$")
"""Replaces what a dotted text names."""
BY_OBJECT: Final = regex(
    r"^(?:(?:unittest\.)?mock\.|mocker\.)?patch\.object$|^monkeypatch\.setattr$|^(?:vi|jest)\.(?:spyOn|replaceProperty)$"
)
"""Replaces a named member of an object."""
BY_MODULE: Final = regex(r"^(?:vi|jest)\.(?:mock|doMock|unstable_mockModule|setMock)$|^mock\.module$")
"""Replaces a whole module of JavaScript."""


def replaced(context: Context, node: ir.Node) -> Values:
    """What was there before a node replaced it; nothing for a node that replaces nothing that is known."""
    if isinstance(node, ir.Assign):
        return _overwritten(context, node)
    if not isinstance(node, ir.Call) or not node.args:
        return ()
    name, first = dotted(node.callee), node.args[0].value
    if BY_TEXT.match(name) and isinstance(first, ir.Literal):
        return _named(context, node, str(first.value))
    if BY_OBJECT.match(name) and node.args[1:]:
        return _member(context, first, node.args[1].value)
    if BY_MODULE.match(name):
        return tuple(_module(context, node, first))
    return ()


def _overwritten(context: Context, node: ir.Assign) -> Values:
    """`agent.client = Fake()`: what the attribute is in the application's own code."""
    target = node.target
    if not isinstance(target, ir.Member) or (isinstance(target.target, ir.Name) and target.target.id == "self"):
        return ()
    program = context.program
    owners = (owner for owner in program.value_of(target.target) if isinstance(owner, Instance))
    return tuple(value for owner in owners for value in members.member(program, owner, target.name, target))


def _named(context: Context, call: ir.Call, text: str) -> Values:
    """What a dotted text such as `app.agent.client` means: the longest prefix that is a module, then members."""
    program = context.program
    parts = text.split(".")[:MAX_PARTS]
    language = program.module_of(call).language
    for length in range(len(parts) - 1, 0, -1):
        path = ".".join(parts[:length])
        for target in program.exports.specifiers.resolve(call.span.path, language, path, 0, whole=True):
            module = program.table.get(target.path) if isinstance(target, InProject) else None
            if module is not None:
                return _inside(context, module, parts[length:], call)
    return (Api(f"py:{text}", call),)


MAX_PARTS: Final = 20
"""Parts of a dotted text that are looked up."""


def _inside(context: Context, module: ir.Module, names: list[str], node: ir.Expr) -> Values:
    values: Values = (ModuleValue(module),)
    for name in names:
        values = tuple(v for value in values for v in members.member(context.program, value, name, node))
    return values


def _member(context: Context, target: ir.Expr, name: ir.Expr) -> Values:
    values = context.program.value_of(target)
    names = _texts(context, name)
    return tuple(v for text in names for value in values for v in members.member(context.program, value, text, name))


def _module(context: Context, call: ir.Call, specifier: ir.Expr) -> Iterator[Value]:
    program = context.program
    language = program.module_of(call).language
    for text in _texts(context, specifier):
        for target in program.exports.specifiers.resolve(call.span.path, language, text, whole=True):
            if isinstance(target, Outside):
                yield Api(target.path, call)
            module = program.table.get(target.path) if isinstance(target, InProject) else None
            if module is not None:
                yield ModuleValue(module)


def _texts(context: Context, expr: ir.Expr) -> tuple[str, ...]:
    values = context.program.value_of(expr)
    return tuple(v.value for v in values if isinstance(v, Const) and isinstance(v.value, str))
