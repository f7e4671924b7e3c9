"""Credentials that are kept among settings and reach nobody: every place that asks for them only asks whether they are
there, shows what is left of them by redaction, or stands in a function of which nothing speaks.

Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.select import imports_of
from agent_architecture.names.values import Entries, Instance
from agent_architecture.semantics.control.presence_tests import SAME, is_only_asked
from agent_architecture.semantics.effects.redactions import redacts
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context

SPREADING: Final = (
    "asdict", "astuple", "model_dump", "model_dump_json", "dict", "json", "vars", "getattr", "stringify", "assign",
    "entries", "values",
)  # fmt: skip
"""Calls that take all of an object, or a part whose name may be computed."""
KEPT: Final = frozenset({"SecretStr", "String", "str"})
"""Calls that only change how a text is kept."""
EXPORTED: Final = "exports"
"""Under what name a file of CommonJS hands everything to who loads it, under a name of theirs."""
SETTINGS: Final = "BaseSettings"
USED: Final = frozenset({Role.APP, Role.EXAMPLE, Role.CONFIG})


def is_idle(context: Context, node: ir.Node, scope: ir.Scope) -> bool:
    """Whether what a read gives is kept as a part of settings that nobody takes out to use."""
    kept = _kept(context, node, scope)
    if kept is None:
        return False
    name, holder = kept
    if not isinstance(holder, ir.Map) and holder is scope and not _is_settings(scope):
        return _is_asked_for_by_name(context, holder) and not any(True for _ in _uses(context, name, holder, node))
    return not _is_taken_whole(context, name, holder) and not any(
        _is_used(context, use, inner) for use, inner in _uses(context, name, holder, node)
    )


def _is_settings(scope: ir.Scope) -> bool:
    return isinstance(scope, ir.Class) and any(callee_name(base) == SETTINGS for base in scope.bases)


def _is_asked_for_by_name(context: Context, holder: ir.Class | ir.Module) -> bool:
    """Whether what a module or class without bases keeps is had by its name alone: others import the module, and
    nobody hands the class, or an object of it, on.
    """
    program = context.program
    if isinstance(holder, ir.Module):
        specifiers = program.exports.specifiers
        return any(holder.path in imports_of(specifiers, each) for each in program.modules if each is not holder)
    if holder.bases or holder.decorators or program.subclasses(holder):
        return False
    names = {holder.name}
    for module, scope in _speaking(context, holder.name):
        structure = program.structure(scope)
        for node in structure.nodes:
            if isinstance(node, ir.Assign) and any(_is_of(v, holder) for v in program.value_of(node.target)):
                names.add(callee_name(node.target))
        returned = structure.returns if module.path == holder.span.path else ()
        if any(_is_of(value, holder) for text in returned for value in program.value_of(text)):
            return False
    return not any(_is_spoken_of(context, name) for name in names)


def _is_spoken_of(context: Context, name: str) -> bool:
    """Whether code speaks of a name otherwise than to ask it for a part, to call it or to assign it."""
    program = context.program
    for _, scope in _speaking(context, name):
        structure = program.structure(scope)
        for node in structure.nodes:
            if isinstance(node, ir.Name) and node.id == name:
                around = structure.parent(node)
                is_asked = isinstance(around, (ir.Member, ir.Assign)) and around.target is node
                is_called = isinstance(around, ir.Call) and around.callee is node
                if not (is_asked or is_called):
                    return True
    return False


def _kept(context: Context, node: ir.Node, scope: ir.Scope) -> tuple[str, ir.Class | ir.Map | ir.Module] | None:
    """Under which name a read is kept, and in what: a class of settings, a module, or a table of it."""
    if isinstance(scope, ir.Class) and isinstance(node, ir.Assign):
        return (callee_name(node.target), scope) if _is_settings(scope) else None
    child = node
    for around in context.program.structure(scope).ancestors(node):
        match around:
            case ir.Member(name=name) | ir.Call(callee=ir.Member(name=name)) if name in SAME:
                pass
            case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH):
                pass
            case ir.Assign(target=ir.Name(id=name)) if around.value is child and not isinstance(scope, ir.Function):
                return name, scope
            case ir.Call(callee=callee) if callee_name(callee) in KEPT:
                pass
            case ir.Call(args=args):
                keyword = next((a.keyword for a in args if a.keyword and a.value is child), None)
                made = [v.cls for v in context.program.value_of(around) if isinstance(v, Instance)]
                return (keyword, made[0]) if keyword and len(made) == 1 else None
            case ir.Map(entries=entries):
                key = next((e.key for e in entries if e.value is child), None)
                written = context.program.structure(scope).parent(around)
                named = isinstance(scope, ir.Module) and isinstance(written, ir.Assign)
                return (str(key.value), around) if named and isinstance(key, ir.Literal) else None
            case _:
                return None
        child = around
    return None


def _is_taken_whole(context: Context, part: str, holder: ir.Class | ir.Map | ir.Module) -> bool:
    """Whether any call takes all that such an object has, or a part of it that may be this one."""
    program = context.program
    if isinstance(holder, ir.Map):
        return _is_handed_on(context, holder)
    for name in SPREADING:
        for site in program.calls(name):
            own = (site.call.callee.target,) if isinstance(site.call.callee, ir.Member) else ()
            given = (*own, *(argument.value for argument in site.call.args))
            key = given[1] if name == "getattr" and len(given) > 1 else None
            if key is not None and (
                key.value != part if isinstance(key, ir.Literal) else not _is_quoted(context, part)
            ):
                continue
            if any(_is_of(value, holder) for each in given for value in program.value_of(each)):
                return True
    return False


def _is_quoted(context: Context, part: str) -> bool:
    """Whether the name of a part stands somewhere as a text, out of which code may take it by a computed name."""
    files = (context.program.table.file(module.path) for module in context.program.modules)
    words = tuple(f"{quote}{part}{quote}".encode() for quote in "\"'`")
    return any(word in file.data for file in files if file is not None for word in words)


def _is_handed_on(context: Context, table: ir.Map) -> bool:
    """Whether a table of a module is spoken of where no part of it is taken: `new Pool(config)`."""
    program = context.program
    assigned = program.structure(program.scope_of(table)).parent(table)
    name = callee_name(assigned.target) if isinstance(assigned, ir.Assign) else ""
    for module, scope in _speaking(context, name):
        structure = program.structure(scope)
        for node in structure.nodes:
            if isinstance(node, ir.Name) and node.id == name and not table.span.contains(node.span):
                around = structure.parent(node)
                taken = isinstance(around, (ir.Member, ir.Index)) and around.target is node
                is_target = isinstance(around, ir.Assign) and around.target is node and module.path == table.span.path
                if not taken and not is_target:
                    return True
    return not name or name == EXPORTED


def _speaking(context: Context, name: str) -> Iterator[tuple[ir.Module, ir.Scope]]:
    """The code of an application whose files have a name."""
    program = context.program
    for module in program.modules:
        file = program.table.file(module.path)
        if module.role in USED and file is not None and name.encode() in file.data:
            yield from ((module, scope) for scope in module.code)


def _is_of(value: Value, holder: ir.Class | ir.Map | ir.Module) -> bool:
    return (isinstance(value, Instance) and value.cls is holder) or (
        isinstance(value, Entries) and value.node is holder
    )


def _uses(
    context: Context, name: str, holder: ir.Class | ir.Map | ir.Module, read: ir.Node
) -> Iterator[tuple[ir.Node, ir.Scope]]:
    """Where the program speaks of that name, but of another object's part."""
    for _, scope in _speaking(context, name):
        for node in context.program.structure(scope).nodes:
            if node.span == read.span or not _speaks_of(node, name) or _is_its_own(context, node, scope, read):
                continue
            values = context.program.value_of(node.target) if isinstance(node, ir.Member) else ()
            objects = [value for value in values if isinstance(value, (Instance, Entries))]
            if not objects or len(objects) < len(values) or any(_is_of(value, holder) for value in objects):
                yield node, scope


def _is_its_own(context: Context, node: ir.Node, scope: ir.Scope, read: ir.Node) -> bool:
    """Whether a name is the one that what is read is assigned to, or stands in the read."""
    around = context.program.structure(scope).parent(node)
    is_target = isinstance(around, ir.Assign) and around.target is node and around.span.contains(read.span)
    return is_target or read.span.contains(node.span)


def _speaks_of(node: ir.Node, name: str) -> bool:
    match node:
        case ir.Member(name=word) | ir.Name(id=word) | ir.Index(key=ir.Literal(value=word)):
            return word == name
        case _:
            return False


def _is_used(context: Context, use: ir.Node, scope: ir.Scope) -> bool:
    """Whether a place does anything else with it than to ask whether it is there, or to show what is left of it."""
    program = context.program
    if is_only_asked(program, use) or _is_unused(context, scope):
        return False
    call = next((c for c in program.structure(scope).calls if any(a.value is use for a in c.args)), None)
    return call is None or not redacts(context, call)


def _is_unused(context: Context, scope: ir.Scope) -> bool:
    """Whether a function of a module is written, and its name stands nowhere else: a route may name it in a type."""
    if not isinstance(scope, ir.Function) or scope.decorators or not isinstance(scope.outer, ir.Module):
        return False
    files = (context.program.table.file(module.path) for module in context.program.modules)
    return sum(file.data.count(scope.name.encode()) for file in files if file is not None) == 1
