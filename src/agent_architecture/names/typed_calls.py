"""What types alone say of a call: the methods that `program.value_of(x)` runs, where `program: Program` is a parameter,
and that `table.get(x)`, where `table: dict[str, int]`, runs no method of the project.

What a parameter is given is asked of callers, and callers of what parameters are given: where nearly every function
takes one of a few large objects, or calls a method that has the name of a dictionary's, all of a program is one circle.
Types lead to the same methods without asking any caller. Asks for no value but those of names of types and functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names.annotations import unquoted
from agent_architecture.names.attribute_writes import is_patched, is_stored
from agent_architecture.names.classes import is_protocol, library_bases, lineage
from agent_architecture.names.program import callee_name
from agent_architecture.names.types import named_type
from agent_architecture.names.values import Api, ClassValue, Func, Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

Sorts: TypeAlias = "frozenset[ir.Class | str]"
"""The classes of the project, and the paths of the languages' own, that something is an object of; None counts not."""

DEPTH: Final = 6
"""Attributes, parameters and results that one type is followed through: `self._program.memory` is three."""

BINDINGS: Final = 4
"""Assignments that one name may have."""

WRITTEN: Final = "written out"
"""What a text, a number or a container that is written out is of."""

OBJECT: Final = "an object that is written out"
"""In JavaScript; it may hold any function under its own name: `{ note }`."""

TEXTS: Final = frozenset({WRITTEN, "py:builtins.str", "py:builtins.bytes", "npm:globalThis:string"})
"""Of their methods, no result is an object of the project."""

_CONCRETE = ("str", "bytes", "bytearray", "int", "float", "bool", "dict", "list", "set", "frozenset", "tuple")
_ABSTRACT = ("Mapping", "MutableMapping", "Sequence", "MutableSequence", "Set", "AbstractSet", "MutableSet")
_NAMED = ("Dict", "List", "FrozenSet", "Tuple", *_ABSTRACT)
_SCRIPTS = ("string", "number", "boolean", "Map", "Set", "Array", "ReadonlyArray", "ReadonlyMap", "ReadonlySet", "Date")
OF_THE_LANGUAGES: Final = frozenset(
    {
        *(f"py:builtins.{name}" for name in _CONCRETE),
        *(f"py:collections.abc.{name}" for name in _ABSTRACT),
        *(f"py:typing.{name}" for name in _NAMED),
        *("py:pathlib.Path", "py:re.Pattern", "py:re.Match", "py:typing.Pattern", "py:typing.Match"),
        *(f"npm:globalThis:{name}" for name in _SCRIPTS),
    }
)
"""Types whose objects are of no class of the project but one that derives from them: no protocol is among them."""

FIRST: Final = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Readonly"})
"""Generic types that stand for their first argument."""


def methods(program: Program, callee: ir.Expr, depth: int = DEPTH) -> tuple[Func, ...] | None:
    """The methods that a callee is as types say it; None where they do not say it for sure."""
    from agent_architecture.names.members import member

    sorts = program.by_types.sorts(callee.target, depth) if isinstance(callee, ir.Member) else None
    cls = next(iter(sorts)) if sorts is not None and len(sorts) == 1 else None
    if not isinstance(cls, ir.Class) or not isinstance(callee, ir.Member):
        return None
    if cls.kind != "class" or is_stored(program, callee) or not _is_method(program, cls, callee.name):
        return None
    if is_patched(program, cls, callee.name):
        return None
    is_own = isinstance(callee.target, ir.Name) and callee.target.id == "self"
    if not is_own and library_bases(program, cls):  # whose object a library may make: a row of a table
        return None
    if not is_own and any(callee.name in program.attributes(sub) for sub in program.subclasses(cls)):
        return None
    return tuple(v for v in member(program, Instance(cls), callee.name, callee) if isinstance(v, Func))


def is_other(program: Program, callee: ir.Expr, function: ir.Function) -> bool:
    """Whether types say that a callee with the name of a function is something else: a method of another class."""
    if not isinstance(callee, ir.Member) or callee.name != function.name:
        return False
    sorts = program.by_types.sorts(callee.target, DEPTH)
    return sorts is not None and not any(_may_have(program, sort, function.outer) for sort in sorts)


def _may_have(program: Program, sort: ir.Class | str, outer: ir.Scope) -> bool:
    """Whether an object of a sort may have what is defined in a scope as a method."""
    if isinstance(sort, str):
        return sort == OBJECT or (isinstance(outer, ir.Class) and bool(library_bases(program, outer)))
    if not isinstance(outer, ir.Class):
        return True  # a function that is kept in an attribute
    return any(outer in lineage(program, cls) for cls in (sort, *program.subclasses(sort)))


def sorts_of(program: Program, expr: ir.Expr, depth: int) -> Sorts | None:
    """The work behind `ByTypes.sorts`: inside of it a question leads only so far, so that the answer is the same
    wherever it is asked from.
    """
    if depth <= 0:
        return None
    match expr:
        case ir.Map(entries=(_, *_)) if program.module_of(expr).language != "python":
            return frozenset({OBJECT})
        case ir.Literal() | ir.Template() | ir.List() | ir.Map():
            return frozenset({WRITTEN})
        case ir.Name(id="self"):
            return _around(program, expr)
        case ir.Name():
            found = program.visible(expr)
            return _all_of(_of_binding(program, b, depth) for b in found) if len(found) <= BINDINGS else None
        case ir.Member():
            return _of_attribute(program, expr, depth)
        case ir.Call():
            return _of_result(program, expr, depth)
        case ir.Conditional():
            return _all_of(program.by_types.sorts(branch, depth - 1) for branch in (expr.then, expr.otherwise))
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH):
            return _all_of(program.by_types.sorts(operand, depth - 1) for operand in expr.operands)
        case _:
            return None


def _all_of(found: Iterable[Sorts | None]) -> Sorts | None:
    """What several alternatives are together; None where one is left open, or there is none."""
    together: Sorts = frozenset()
    for sorts in found:
        if sorts is None:
            return None
        together |= sorts
    return together or None


def _around(program: Program, name: ir.Name) -> Sorts | None:
    """The class whose method a name stands in, as `self`."""
    scope = program.scope_of(name)
    while not isinstance(scope, ir.Module):
        if isinstance(scope, ir.Function) and scope.receiver == name.id:
            return frozenset({scope.outer}) if isinstance(scope.outer, ir.Class) else None
        scope = scope.outer
    return None


def _of_binding(program: Program, binding: Binding, depth: int) -> Sorts | None:
    param, node = binding.extra, binding.node
    if binding.steps:
        return None
    if binding.kind == "parameter" and isinstance(param, ir.Parameter):
        return None if param.kind else _of_type(program, param.annotation)
    if binding.kind != "assign" or not isinstance(node, ir.Assign) or node.op:
        return None
    if node.annotation is not None:
        return _of_type(program, node.annotation)
    return program.by_types.sorts(node.value, depth - 1) if node.value is not None else None


def _of_attribute(program: Program, expr: ir.Member, depth: int) -> Sorts | None:
    """An attribute of an object of one class: the type that it is declared with, or what it is set to."""
    sorts = program.by_types.sorts(expr.target, depth - 1)
    cls = next(iter(sorts)) if sorts is not None and len(sorts) == 1 else None
    if not isinstance(cls, ir.Class) or is_stored(program, expr) or is_patched(program, cls, expr.name):
        return None
    if any(expr.name in program.attributes(sub) for sub in program.subclasses(cls)):
        return None
    found = _bindings(program, cls, expr.name)
    typed = [b for b in found if isinstance(b.node, ir.Assign) and b.node.annotation is not None]
    return _all_of(_of_binding(program, binding, depth) for binding in typed or found)


def _of_result(program: Program, call: ir.Call, depth: int) -> Sorts | None:
    """What a call makes or returns: an object of a class, or what the function's type says."""
    callee = call.callee
    if isinstance(callee, ir.Member):
        sorts = program.by_types.sorts(callee.target, depth - 1)
        if sorts is not None and sorts <= TEXTS:
            return frozenset({WRITTEN})
        found = methods(program, callee, depth - 1)
        return _all_of(_returned(program, value.function) for value in found or ())
    bindings = program.visible(callee) if isinstance(callee, ir.Name) else ()
    if not bindings or any(b.kind not in {"import", "function", "class"} for b in bindings):
        return None
    values = program.value_of(callee)
    if all(isinstance(value, ClassValue) for value in values):
        return _all_of(_own(program, value.cls) for value in values if isinstance(value, ClassValue))
    functions = [value.function for value in values if isinstance(value, Func)]
    return _all_of(_returned(program, f) for f in functions) if len(functions) == len(values) else None


def _returned(program: Program, function: ir.Function) -> Sorts | None:
    return None if function.is_generator or function.is_async else _of_type(program, function.returns)


def _own(program: Program, cls: ir.Class) -> Sorts | None:
    return None if cls.kind not in {"class", "enum"} or is_protocol(program, cls) else frozenset({cls})


def _of_type(program: Program, annotation: ir.Expr | None) -> Sorts | None:
    """What an annotation names, where all of it are classes of the project, or the languages' own."""
    match annotation:
        case ir.Literal(value=None):
            return frozenset()
        case ir.Literal():
            return _of_type(program, unquoted(program, annotation))
        case ir.Operator(op=ir.Op.BITOR):
            found = [_of_type(program, operand) for operand in annotation.operands]
            return None if None in found else frozenset().union(*(sorts for sorts in found if sorts is not None))
        case ir.Index():
            inside = annotation.key.items if isinstance(annotation.key, ir.List) else (annotation.key,)
            name = callee_name(annotation.target)
            if name == "Union":
                return _all_of(_of_type(program, one) for one in inside)
            return _of_type(program, inside[0] if name in FIRST else annotation.target)
        case ir.Name() | ir.Member():
            return _all_of(_of_named(program, value) for value in named_type(program, annotation))
        case _:
            return None


def _of_named(program: Program, value: object) -> Sorts | None:
    match value:
        case ClassValue(cls=cls):
            return _own(program, cls)
        case Api(path=path) if path in OF_THE_LANGUAGES:
            return frozenset({path})
        case _:
            return None


def _is_method(program: Program, cls: ir.Class, name: str) -> bool:
    from agent_architecture.names.members import is_property

    found = _bindings(program, cls, name)
    return bool(found) and all(isinstance(b.node, ir.Function) and not is_property(b.node) for b in found)


def _bindings(program: Program, cls: ir.Class, name: str) -> tuple[Binding, ...]:
    """What binds an attribute in the first class of a lineage that has it."""
    return next((found for each in lineage(program, cls) if (found := program.attributes(each).get(name))), ())
