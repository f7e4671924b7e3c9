"""What a type annotation promises: objects of project classes or of library classes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from agent_architecture.names.types import named_type
from agent_architecture.names.values import Api, ClassValue, Entries, Func, Instance, Items, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

WRAPPERS: Final = frozenset(
    {
        "Optional", "Annotated", "Final", "ClassVar", "Promise", "Awaitable", "Coroutine", "Required", "NotRequired",
        "Readonly", "Partial", "NonNullable", "Self", "InstanceType", "PromiseLike", "Mapped", "Awaited", "Omit",
        "Pick", "Extract", "Exclude",
    }
)  # fmt: skip
"""Generic types whose (first) argument is the type of the value itself, here or once awaited."""

RESULT_LAST: Final = frozenset({"Coroutine"})
"""Those whose last argument it is."""

RESULTS: Final = frozenset({"ReturnType"})
"""Generic types whose argument is the type of a function that returns the value."""

PARAMETERS: Final = frozenset({"Parameters"})
"""Generic types that list what the parameters of a function promise."""

LISTS: Final = frozenset(
    {
        "List", "list", "Sequence", "MutableSequence", "Iterable", "Iterator", "Collection", "Set", "set", "FrozenSet",
        "frozenset", "AbstractSet", "deque", "Deque", "Generator", "AsyncIterable", "AsyncIterator", "AsyncGenerator",
        "Array", "ReadonlyArray", "ReadonlySet",
    }
)  # fmt: skip
"""Generic types whose (first) argument is the type of each element."""

MAPS: Final = frozenset(
    {
        "Dict", "dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict", "Map", "ReadonlyMap",
        "WeakMap", "Record",
    }
)  # fmt: skip
"""Generic types whose last argument is the type of each value."""

TUPLES: Final = frozenset({"Tuple", "tuple"})

OWN: Final = (Instance, Items, Entries)
"""What a container is taken to hold because its type says so."""

CLASSES: Final = frozenset({"Type", "type"})
"""Generic types that promise a class, not an object of it."""

LONGEST: Final = 300
"""Characters of an annotation in quotes; a longer one is not a type that anybody reads."""

_PLAIN: Final = ("py:builtins.", "npm:globalThis:", "py:typing.", "py:collections.abc.")


def instances_of_type(program: Program, annotation: ir.Expr) -> Values:
    """The objects that an annotation promises; empty when it says nothing useful."""
    match annotation:
        case ir.Literal():
            inner = unquoted(program, annotation)
            return () if inner is None else instances_of_type(program, inner)
        case ir.Operator(op=ir.Op.BITOR | ir.Op.BITAND):
            return tuple(v for operand in annotation.operands for v in instances_of_type(program, operand))
        case ir.Operator(op=ir.Op.TYPEOF):
            return tuple(v for v in program.value_of(annotation.operands[0]) if _is_object(v))
        case ir.Operator(op=ir.Op.AT):
            return program.promised_by(annotation)
        case ir.Index():
            return _generic(program, annotation)
        case ir.Name() | ir.Member():
            values = named_type(program, annotation)
            return tuple(v for value in values for v in _instance_of(program, value, annotation))
        case ir.Map():
            return tuple(_record(program, annotation))
        case _:
            return ()


def objects_behind(program: Program, named: ir.Class | ir.Operator) -> Values:
    """The work behind `Program.promised_by`."""
    if isinstance(named, ir.Operator):
        whole, key = named.operands
        return _member_of(program, instances_of_type(program, whole), key)
    promised = (value for part in named.body for value in instances_of_type(program, part))  # type: ignore[arg-type]
    return tuple({id(value): value for value in promised}.values())


def _generic(program: Program, annotation: ir.Index) -> Values:
    target, key = annotation.target, annotation.key
    name = target.id if isinstance(target, ir.Name) else target.name if isinstance(target, ir.Member) else ""
    arguments = key.items if isinstance(key, ir.List) else (key,)
    if name == "Union":
        return tuple(v for item in arguments for v in instances_of_type(program, item))
    if not arguments:
        return ()
    if name in CLASSES:
        made = instances_of_type(program, arguments[0])
        return tuple(ClassValue(v.cls) for v in made if isinstance(v, Instance))
    if name in LISTS or name in MAPS or name in TUPLES:
        return tuple(_container(program, annotation, name, arguments))
    if name in RESULTS:
        return _returned(program, arguments[0])
    if name in PARAMETERS:
        return _taken(program, arguments[0], annotation)
    if name in WRAPPERS:
        inner = instances_of_type(program, arguments[-1 if name in RESULT_LAST else 0])
        return tuple(Instance(v.cls) if isinstance(v, ClassValue) else v for v in inner)
    promised = instances_of_type(program, target)
    if promised:
        return tuple(v._replace(node=annotation) if isinstance(v, Api) else v for v in promised)
    return _of_choice(program, target, arguments[0])


def held(program: Program, target: Api, name: str) -> Values:
    """What an attribute of a library's object is, where the object's type names it: `deps` of `RunContext[Deps]`."""
    number = program.library.holds(f"{target.path}.{name}")
    owner: Api | None = target if number is not None else None
    while owner is not None and not isinstance(owner.node, ir.Index):
        owner = owner.receiver
    if number is None or owner is None or not isinstance(owner.node, ir.Index):
        return ()
    return _argument(program, owner.node, number)


def held_by_base(program: Program, cls: ir.Class, path: str) -> Values:
    """What an attribute is that a class has from a library's generic class: `state` in `class Work(Flow[State])`."""
    number = program.library.holds(path)
    bases = [base for each in program.lineage(cls) for base in each.bases] if number is not None else []
    found = (_argument(program, base, number or 0) for base in bases if isinstance(base, ir.Index))
    return next((values for values in found if values), ())


def _argument(program: Program, generic: ir.Index, number: int) -> Values:
    """The objects that an argument of a generic type promises. What their fields were given nobody says: their defaults
    are not all that they can be.
    """
    arguments = generic.key.items if isinstance(generic.key, ir.List) else (generic.key,)
    promised = instances_of_type(program, arguments[number]) if number < len(arguments) else ()
    return (*promised, Unknown("what a run is given", generic)) if promised else ()


def _of_choice(program: Program, target: ir.Expr, argument: ir.Expr) -> Values:
    """What a name for a choice promises, `type Maybe<T> = T | null`: its argument, where that may be the object."""
    values = named_type(program, target) if isinstance(target, (ir.Name, ir.Member)) else ()
    parts = (part for v in values if isinstance(v, ClassValue) and v.cls.kind == "alias" for part in v.cls.body)
    is_choice = any(isinstance(part, ir.Operator) and part.op == ir.Op.BITOR for part in parts)
    return instances_of_type(program, argument) if is_choice else ()


def _container(program: Program, annotation: ir.Index, name: str, arguments: tuple[ir.Expr, ...]) -> Iterator[Value]:
    """A list or dictionary of which only the type of its elements is known: a class of the project. That something is a
    library's says nothing of what it is.
    """
    promised = tuple(program.made.promised(argument) for argument in arguments)
    inside = promised if name in TUPLES else promised[-1:] if name in MAPS else promised[:1]
    if not any(isinstance(v, OWN) for one in inside for v in instances_of_type(program, one.target)):
        return
    if name in MAPS:
        yield Entries((), annotation, complete=False, others=inside[0])
    else:
        fixed = name in TUPLES and not any(isinstance(argument, ir.Literal) for argument in arguments)
        yield Items(inside, annotation, complete=fixed)


def _record(program: Program, annotation: ir.Map) -> Iterator[Value]:
    """What `{ client: Client }` promises, where it promises an object."""
    typed = [(e.key.value, e.value) for e in annotation.entries if isinstance(e.key, ir.Literal)]
    if any(instances_of_type(program, inner) for _, inner in typed):
        yield Entries(
            tuple((str(name), program.made.promised(inner)) for name, inner in typed), annotation, complete=False
        )


def _returned(program: Program, function: ir.Expr) -> Values:
    """What `ReturnType<typeof f>` promises: what `f` returns, where that is an object."""
    from agent_architecture.names.evaluate import returned

    return tuple(v for f in _functions(program, function) for v in returned(program, f) if _is_object(v))


def _functions(program: Program, annotation: ir.Expr) -> tuple[ir.Function, ...]:
    """The functions `f` of `typeof f`."""
    if not isinstance(annotation, ir.Operator) or annotation.op != ir.Op.TYPEOF:
        return ()
    return tuple(v.function for v in program.value_of(annotation.operands[0]) if isinstance(v, Func))


def _taken(program: Program, function: ir.Expr, annotation: ir.Expr) -> Values:
    """What `Parameters<typeof f>` promises: a list of what the parameters of `f` do."""
    lists = [
        tuple(p.annotation or ir.unformed(p.span, "untyped", ()) for p in f.params)
        for f in _functions(program, function)
    ]
    return tuple(Items(tuple(program.made.promised(one) for one in types), annotation) for types in lists)


def _member_of(program: Program, owners: Values, key: ir.Expr) -> Values:
    """What `T["name"]` promises."""
    from agent_architecture.names.elements import element
    from agent_architecture.names.members import member

    name = key.value if isinstance(key, ir.Literal) else None
    if name is None:
        return ()
    found: list[Value] = []
    for owner in owners:
        is_list = isinstance(owner, Items)
        found.extend(element(program, owner, name, key) if is_list else member(program, owner, str(name), key))
    return tuple(value for value in found if _is_object(value))


def _is_object(value: Value) -> bool:
    return isinstance(value, (Instance, Api, ClassValue, Entries, Func))


def _instance_of(program: Program, value: Value, annotation: ir.Expr) -> Iterator[Value]:
    if isinstance(value, ClassValue) and value.cls.kind == "alias":
        yield from program.promised_by(value.cls)
    elif isinstance(value, ClassValue) and value.cls.kind != "enum":
        yield Instance(value.cls)
    elif isinstance(value, Api) and not value.path.startswith(_PLAIN):
        yield Api(value.path + "()", annotation, value)


def unquoted(program: Program, annotation: ir.Literal) -> ir.Expr | None:
    """The one expression in an annotation that is written as a string; None where it is none."""
    if annotation not in program.unquoted:
        text = annotation.value
        program.unquoted[annotation] = quoted(text, annotation.span) if isinstance(text, str) else None
    return program.unquoted[annotation]


def quoted(text: str, span: Span) -> ir.Expr | None:
    """The expression in an annotation that is written as a string (PEP 484, forward references); None if it is none."""
    if len(text) > LONGEST:
        return None
    try:
        return _lowered(ast.parse(text.strip(), mode="eval").body, span)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _lowered(node: ast.expr, span: Span) -> ir.Expr | None:
    match node:
        case ast.Name(id=name):
            return ir.Name(span, name)
        case ast.Attribute(value=value, attr=name):
            target = _lowered(value, span)
            return None if target is None else ir.Member(span, target, name, span)
        case ast.Subscript(value=value, slice=inner):
            target, key = _lowered(value, span), _lowered(inner, span)
            return target if target is None or key is None else ir.Index(span, target, key)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            sides = tuple(side for part in (left, right) if (side := _lowered(part, span)) is not None)
            return ir.Operator(span, ir.Op.BITOR, sides)
        case ast.Tuple(elts=items):
            found = tuple(item for part in items if (item := _lowered(part, span)) is not None)
            return ir.List(span, found, "tuple")
        case ast.Constant(value=str() as text):
            return ir.Literal(span, text)
        case _:
            return None
