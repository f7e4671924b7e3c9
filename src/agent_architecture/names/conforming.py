"""Which classes implement what a Protocol or an abstract class declares, where none of them names it: those that have
all that it declares, and whose methods take what its methods take.

A method's name alone is no evidence: `execute` of a service is not what runs when a tool's `execute` is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.annotations import unquoted
from agent_architecture.names.classes import is_protocol, library_base, lineage
from agent_architecture.names.declarations import is_declaration
from agent_architecture.names.types import named_type
from agent_architecture.names.values import ClassValue
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


def implementing(program: Program, cls: ir.Class, name: str) -> tuple[ir.Function, ...]:
    """The methods of the project, of a name that a class declares, that may stand for it."""
    others = tuple(method for method in program.methods_named(name, cls) if method.outer is not cls)
    if not is_python(cls.span.path):  # which members of an interface may be left out is not kept
        return others
    wanted, declared = _declared(program, cls), _method(cls, name)
    return tuple(
        method
        for method in others
        if isinstance(method.outer, ir.Class)
        and any(_has(program, one, wanted) for one in (method.outer, *program.subclasses(method.outer)))
        and (declared is None or _takes(program, method, declared))
    )


def _declared(program: Program, cls: ir.Class) -> frozenset[str]:
    """What a class only declares: methods without a body, attributes without a value."""
    found = set[str]()
    for ancestor in lineage(program, cls):
        for name, bindings in program.attributes(ancestor).items() if is_protocol(program, ancestor) else ():
            if all(_only_declares(binding.node) for binding in bindings):
                found.add(name)
    return frozenset(found)


def _only_declares(node: ir.Node) -> bool:
    if isinstance(node, ir.Function):
        return is_declaration(node)
    return isinstance(node, ir.Assign) and node.value is None


def _has(program: Program, cls: ir.Class, wanted: frozenset[str]) -> bool:
    """Whether objects of a class have all of these attributes; those of a library's class may."""
    if library_base(program, cls) is not None:
        return True
    return wanted.issubset(name for ancestor in lineage(program, cls) for name in program.attributes(ancestor))


def _method(cls: ir.Class, name: str) -> ir.Function | None:
    return next((node for node in cls.body if isinstance(node, ir.Function) and node.name == name), None)


def _takes(program: Program, method: ir.Function, declared: ir.Function) -> bool:
    """Whether a method may be called as another one is declared: with as many arguments, of types that go together."""
    given, taken = _plain(declared), _plain(method)
    needed = [param for param in taken if param.default is None]
    if len(needed) > len(given) and len(given) == len(declared.params):
        return False
    if sum(param.default is None for param in given) > len(taken) == len(method.params):
        return False
    return not any(_differ(program, one, other) for one, other in zip(given, taken, strict=False))


def _plain(function: ir.Function) -> tuple[ir.Parameter, ...]:
    return tuple(param for param in function.params if not param.kind)


def _differ(program: Program, one: ir.Parameter, other: ir.Parameter) -> bool:
    """Whether two parameters are of classes of the project that nothing can be both of."""
    first, second = _class(program, one.annotation), _class(program, other.annotation)
    if first is None or second is None or is_protocol(program, first) or is_protocol(program, second):
        return False
    return first not in lineage(program, second) and second not in lineage(program, first)


def _class(program: Program, annotation: ir.Expr | None) -> ir.Class | None:
    """The one class of the project that an annotation names."""
    if isinstance(annotation, ir.Literal):
        annotation = unquoted(program, annotation)
    values = named_type(program, annotation) if isinstance(annotation, (ir.Name, ir.Member)) else ()
    value = values[0] if len(values) == 1 else None
    return value.cls if isinstance(value, ClassValue) and value.cls.kind == "class" else None
