"""Classes of the project: their bases, constructors and fields. Knows nothing of objects and what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, ClassValue, Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values

MRO_LIMIT: Final = 30
"""Classes looked at for one attribute; a hierarchy of more is not followed to its end."""

ITSELF: Final = frozenset({"self", "cls", "this"})
"""What methods call the object, or the class, that they are called on."""

ABSTRACT: Final = frozenset({"py:typing.Protocol", "py:typing_extensions.Protocol", "py:abc.ABC"})
MARKERS: Final = frozenset(
    {"py:builtins.object", "py:builtins.Exception", "py:typing.Generic", "py:enum.Enum", "py:builtins.str"}
)
"""Bases of Python's own library that give a class nothing that an agent is made of."""

SAME: Final = frozenset({"Partial", "Required", "Readonly", "Omit", "Pick", "NonNullable"})
"""TypeScript's own types with the members of their first argument, or some of them."""

CONSTRUCTOR: Final = "__init__"


def project_bases(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The bases of a class that are classes of the project."""
    found = [v.cls for base in cls.bases for v in named_classes(program, base) if isinstance(v, ClassValue)]
    return tuple(base for base in dict.fromkeys(found) if base is not cls)


def named_classes(program: Program, base: ir.Expr) -> Values:
    """What a base is: a class, or through another name for a type the classes that this stands for."""
    from agent_architecture.names.annotations import instances_of_type

    values = _values(program, base)
    if not any(isinstance(value, ClassValue) and value.cls.kind == "alias" for value in values):
        return values
    return tuple(ClassValue(v.cls) for v in instances_of_type(program, base) if isinstance(v, Instance))


def lineage(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The class and its project ancestors, breadth first."""
    return program.lineage(cls) if cls.bases else (cls,)


def find_lineage(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The work behind `Program.lineage`."""
    found = {cls: None}
    queue = [cls]
    for current in queue:
        if len(found) > MRO_LIMIT:
            break
        if current.bases:
            new = [base for base in project_bases(program, current) if base not in found]
            found.update(dict.fromkeys(new))
            queue.extend(new)
    return tuple(found)


def library_bases(program: Program, cls: ir.Class) -> tuple[Api, ...]:
    """The library classes that a class inherits from, through its project ancestors."""
    found: list[Api] = []
    for ancestor in lineage(program, cls):
        for base in ancestor.bases:
            found.extend(v for v in _values(program, base) if isinstance(v, Api))
    return tuple(found)


def library_base(program: Program, cls: ir.Class) -> Api | None:
    """The first library class that a class inherits from; abstract markers do not count."""
    candidates = [base for base in library_bases(program, cls) if base.path not in ABSTRACT | MARKERS]
    return candidates[0] if candidates else None


def is_protocol(program: Program, cls: ir.Class) -> bool:
    """Whether a class only says what others implement: an interface, a Protocol, an abstract base class."""
    if cls.kind == "interface":
        return True
    return any(isinstance(v, Api) and v.path in ABSTRACT for base in cls.bases for v in _values(program, base))


def is_enum(program: Program, cls: ir.Class) -> bool:
    """Whether a class lists what its objects may be."""
    return cls.kind == "enum" or any(base.path.startswith("py:enum.") for base in library_bases(program, cls))


def methods_written(cls: ir.Class) -> tuple[ir.Function, ...]:
    """The methods that stand in a class itself, in order."""
    return tuple(node for node in cls.body if isinstance(node, ir.Function))


def constructor(program: Program, cls: ir.Class) -> ir.Function | None:
    """The constructor that making an object of a class runs: its own or the nearest inherited one."""
    for ancestor in lineage(program, cls):
        for binding in program.attributes(ancestor).get(CONSTRUCTOR, ()):
            if isinstance(binding.node, ir.Function):
                return binding.node
    return None


def fields(program: Program, cls: ir.Class) -> tuple[str, ...]:
    """The annotated fields of a class, bases first: the order in which a generated constructor takes them (PEP 557)."""
    return program.once(_fields, cls)


def _fields(program: Program, cls: ir.Class) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for ancestor in reversed(lineage(program, cls)):
        for node in ancestor.body:
            if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.annotation is not None:
                found[node.target.id] = None
    return tuple(found)


def enclosing_class(program: Program, node: ir.Node | ir.Scope) -> ir.Class | None:
    """The class in one of whose methods a node stands."""
    scope = program.scope_of(node)
    while not isinstance(scope, ir.Module):
        if isinstance(scope, ir.Class):
            return scope
        scope = scope.outer
    return None


def _values(program: Program, base: ir.Expr) -> Values:
    """What a base can be. One that a function is handed is whatever its callers choose: it is not sought, since that
    may ask for half of a project (in langgraph 0.6 a single such class cost half of the run).
    """
    named = _plain(base)
    return () if isinstance(named, ir.Name) and _is_handed(program, named) else program.value_of(named)


def _is_handed(program: Program, name: ir.Name) -> bool:
    return any(binding.kind == "parameter" for binding in program.visible(name))


def _plain(base: ir.Expr) -> ir.Expr:
    """`Base[T]` is `Base`; `Omit<Base, "x">` is, too, as far as a reader can tell."""
    if not isinstance(base, ir.Index):
        return base
    if isinstance(base.target, ir.Name) and base.target.id in SAME:
        first = base.key.items[0] if isinstance(base.key, ir.List) and base.key.items else base.key
        return _plain(first)
    return base.target
