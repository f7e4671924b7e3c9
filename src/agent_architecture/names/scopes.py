"""What a scope binds, in source order, and which scopes are around it.

Works on the lowered IR of one module. Must not know other files (`exports` does), and evaluates nothing: a binding says
which expression a name comes from and how it is taken out of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from typing import Literal as Lit

from agent_architecture.names.closure_writes import may_write, nested_functions
from agent_architecture.names.patterns import captures, leaves
from agent_architecture.names.scope_of_place import ScopeIndex, scope_at
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

__all__ = [
    "Binding", "BindingKind", "ScopeIndex", "attribute_bindings", "bindings", "enclosing_scopes", "is_type", "scope_at",
    "without_types",
]  # fmt: skip

BindingKind: TypeAlias = Lit[
    "assign",
    "augmented",
    "import",
    "function",
    "class",
    "parameter",
    "loop",
    "with",
    "handler",
    "pattern",
    "global",
    "written",
]

TYPES: Final = frozenset({"interface", "alias"})
"""Kinds of classes that are nothing when the program runs."""

_PYTHON = frozenset({Language.PYTHON, Language.NOTEBOOK})
_WITH_BLOCKS = frozenset({ir.If, ir.Match, ir.Loop, ir.Try, ir.With, ir.Block, ir.Opaque})
_BINDING = frozenset({ir.Assign, ir.Loop, ir.With, ir.Import, ir.Function, ir.Class, ir.Try, ir.Match, ir.Global})
"""Nodes that bind names."""


class Binding(NamedTuple):
    """One way in which a name gets a value.

    `node` binds it; `value` is the expression that it comes from (None: not written, as for `x: int`), and `steps` how
    it is taken out of that (see `patterns.Leaf`). `extra` is the imported name (None: the module itself) or parameter.
    Kind `global`: the name belongs to an outer scope. Kind `written`: a function inside assigns it.
    """

    name: str
    kind: BindingKind
    node: ir.Node
    value: ir.Expr | None = None
    steps: tuple[str, ...] = ()
    extra: ir.ImportedName | ir.Parameter | None = None


class Split(NamedTuple):
    """What a scope's own code binds: its own names, and what it assigns to names of scopes around it."""

    own: tuple[Binding, ...]
    outward: tuple[Binding, ...]


class Splits:
    """Each scope's own code, gone through once; and which scope owns what a function assigns outside of itself, told
    once for all that stands in one outermost function: there may be thousands in each other.
    """

    __slots__ = ("owned", "splits", "whole")

    def __init__(self) -> None:
        self.splits: dict[ir.Scope, Split] = {}
        self.whole: dict[ir.Scope, ir.Function] = {}
        """The outermost function that each function stands in."""
        self.owned: dict[ir.Scope, dict[ir.Scope, list[Binding]]] = {}
        """By outermost function: what functions in it assign to names of each scope."""

    def of(self, scope: ir.Scope) -> Split:
        """What the scope's own code binds."""
        found = self.splits.get(scope)
        if found is None:
            found = self.splits[scope] = _split(scope)
        return found

    def written(self, scope: ir.Function) -> Sequence[Binding]:
        """What functions inside of a function assign to its names."""
        whole = self.whole.get(scope)
        if whole is None:
            whole = _outermost(scope)
            inside = nested_functions(whole)
            self.whole.update(dict.fromkeys((whole, *inside), whole))
            owned = self.owned[whole] = {}
            for function in inside:
                for owner, binding in _owners(self, function):
                    owned.setdefault(owner, []).append(binding)
        return self.owned[whole].get(scope, ())


def bindings(
    scope: ir.Scope, data: bytes | None = None, splits: Splits | None = None
) -> Mapping[str, tuple[Binding, ...]]:
    """Everything that binds a name in this scope, in source order; then what functions inside it assign to its names.

    Python's star imports stand under `*`. For a module, `data` are the bytes of its file: they tell which functions are
    worth lowering for what they assign to its names (`global`, JavaScript closures); without them that is left out.
    """
    splits = splits or Splits()
    table = _grouped(splits.of(scope).own)
    match scope:
        case ir.Class():
            return table
        case ir.Function():
            written = splits.written(scope)
        case ir.Module():
            inside = may_write(scope, data, frozenset(table))
            written = [b for function in inside for owner, b in _owners(splits, function) if owner is scope]
    return _grouped([*(binding for group in table.values() for binding in group), *written]) if written else table


def _outermost(function: ir.Function) -> ir.Function:
    """The outermost function that a function stands in."""
    found, scope = function, function.outer
    while not isinstance(scope, ir.Module):
        found, scope = scope if isinstance(scope, ir.Function) else found, scope.outer
    return found


def is_type(binding: Binding) -> bool:
    """Whether a binding is that of an interface, or of another name for a type."""
    return binding.kind == "class" and isinstance(binding.node, ir.Class) and binding.node.kind in TYPES


def without_types(found: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """Bindings where a value stands: those of types do not count, unless there is nothing else."""
    return tuple(binding for binding in found if not is_type(binding)) or found


def enclosing_scopes(scope: ir.Scope) -> tuple[ir.Scope, ...]:
    """The scopes around this one whose names its code sees, innermost first: never those of a class."""
    found: list[ir.Scope] = []
    while not isinstance(scope, ir.Module):
        scope = scope.outer
        if not isinstance(scope, ir.Class):
            found.append(scope)
    return tuple(found)


def attribute_bindings(cls: ir.Class) -> Mapping[str, tuple[Binding, ...]]:
    """What binds each attribute of a class's objects: its body, then `self.x = …` in its methods, constructor first.

    Only the class itself: no bases. `cls.x = …` and `Name.x = …` count, and so do functions inside a method.
    """
    methods = [node for node, declared in _binding(cls.body) if declared and isinstance(node, ir.Function)]
    methods.sort(key=lambda method: method.name != "__init__")
    names = frozenset({"self", "cls", cls.name})
    sharing = (function for method in methods for function in _sharing_self(method))
    stores = [binding for function in sharing for binding in _stores(function, names)]
    return _grouped([*_split(cls).own, *stores])


# ----------------------------------------------------------------------------------------------------------- one scope
def _grouped(found: Iterable[Binding]) -> dict[str, tuple[Binding, ...]]:
    table: dict[str, list[Binding]] = {}
    for binding in found:
        table.setdefault(binding.name, []).append(binding)
    return {name: tuple(group) for name, group in table.items()}


def _split(scope: ir.Scope) -> Split:
    """What the scope's own code binds; of a name that belongs to an outer scope only one `global`."""
    found = _raw(scope)
    outer = _outer_names(scope, found)
    if not outer:
        return Split(tuple(found), ())
    first = {binding.name: binding for binding in reversed(found)}
    own = [binding for binding in found if binding.name not in outer]
    own += [Binding(name, "global", first[name].node) for name in sorted(outer)]
    return Split(tuple(own), tuple(b for b in found if b.name in outer and b.kind != "global"))


def _raw(scope: ir.Scope) -> list[Binding]:
    parameters = _parameters(scope) if isinstance(scope, ir.Function) else ()
    python = _language(scope) in _PYTHON
    found = [*parameters]
    for node, declared in _binding(scope.body):
        found.extend(_bound_by(node, declared=declared, python=python))
    return found


def _outer_names(scope: ir.Scope, found: list[Binding]) -> frozenset[str]:
    """The names that a function assigns without owning them: `global`, `nonlocal`, JavaScript without a declaration."""
    if not isinstance(scope, ir.Function):
        return frozenset()
    if _language(scope) in _PYTHON:
        return frozenset(binding.name for binding in found if binding.kind == "global")
    owned = {b.name for b in found if not isinstance(b.node, ir.Assign) or b.node.declares}
    return frozenset(binding.name for binding in found) - owned


def _language(scope: ir.Scope) -> Language:
    return scope.language if isinstance(scope, ir.Module) else scope.module.language


def _parameters(function: ir.Function) -> Iterator[Binding]:
    for param in function.params:
        if param.pattern is None:
            yield Binding(param.name, "parameter", function, param.default, (), param)
            continue
        for place, steps, default in leaves(param.pattern):
            if isinstance(place, ir.Name):
                yield Binding(place.id, "parameter", function, param.default, steps, param)
                if default is not None:
                    yield Binding(place.id, "assign", function, default)


def _binding(body: tuple[ir.Node, ...]) -> Iterator[tuple[ir.Node, bool]]:
    """The nodes of a scope's own code that may bind names, in source order, and whether each stands where a definition
    binds its name. Without the patterns of a `match`, which compare and capture, but do not evaluate.
    """
    stack = list(reversed(body))
    declaring = set(map(id, body))
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind in _BINDING:
            yield node, id(node) in declaring
        if kind in ir.LEAVES:
            continue
        inside = ir.children(node)
        if kind in _WITH_BLOCKS:
            declaring.update(map(id, _block_of(node)))
        if isinstance(node, ir.Match):
            patterns = {id(pattern) for case in node.cases for pattern in case.patterns}
            inside = [child for child in inside if id(child) not in patterns]
        inside.reverse()
        stack.extend(inside)


def _block_of(node: ir.Node) -> tuple[ir.Node, ...]:
    """The statements directly inside a node. What the grammar could not read counts as a block."""
    match node:
        case ir.If(then=then, otherwise=otherwise):
            return then + otherwise
        case ir.Match(cases=cases):
            return tuple(statement for case in cases for statement in case.body)
        case ir.Loop(body=body, otherwise=otherwise):
            return body + otherwise
        case ir.Try(body=body, handlers=handlers, otherwise=otherwise, final=final):
            return body + tuple(node for handler in handlers for node in handler.body) + otherwise + final
        case ir.With(body=body) | ir.Block(body=body):
            return body
        case ir.Opaque(parts=parts):
            return parts
        case _:
            return ()


def _bound_by(node: ir.Node, *, declared: bool, python: bool) -> Iterator[Binding]:
    """What one node binds."""
    match node:
        case ir.Assign(target=ir.Name(id=name), value=value, op=op):
            yield Binding(name, "augmented" if op else "assign", node, value)
        case ir.Assign() | ir.Loop() | ir.With():
            for place, binding in _stored_by(node):
                if isinstance(place, ir.Name):
                    yield binding._replace(name=place.id)
        case ir.Import(names=names, alias=alias):
            yield from (Binding(name.alias, "import", node, extra=name) for name in names)
            if alias is not None:
                yield Binding(alias, "import", node)
        case ir.Function(name=name) | ir.Class(name=name) if declared and name:
            yield Binding(name, "function" if isinstance(node, ir.Function) else "class", node, node)
        case ir.Try(handlers=handlers):
            for handler in handlers:
                if handler.name:
                    only = handler.types[0] if len(handler.types) == 1 else None
                    yield Binding(handler.name, "handler", node, only)
        case ir.Match(subject=subject, cases=cases) if python:
            for leaf in (leaf for case in cases for pattern in case.patterns for leaf in captures(pattern)):
                if isinstance(leaf.place, ir.Name):
                    yield Binding(leaf.place.id, "pattern", node, subject, leaf.steps)
        case ir.Global(names=names):
            yield from (Binding(name, "global", node) for name in names)


def _stored_by(node: ir.Assign | ir.Loop | ir.With) -> Iterator[tuple[ir.Expr, Binding]]:
    """The places that a statement stores into, each with a binding that has no name yet."""
    stores: list[tuple[ir.Expr, BindingKind, ir.Expr | None, tuple[str, ...]]] = []
    match node:
        case ir.Assign(target=target, value=value, op=op):
            stores.append((target, "augmented" if op else "assign", value, ()))
        case ir.Loop(target=target, source=source):
            stores.extend(() if target is None else [(target, "loop", source, ("[]",))])
        case ir.With(items=items):
            stores.extend((item.target, "with", item.value, ()) for item in items if item.target is not None)
    for target, kind, value, start in stores:
        for place, steps, _ in leaves(target, start):  # a default inside a target is an `Assign` of its own
            yield place, Binding("", kind, node, value, steps)


# ------------------------------------------------------------------------------------------------------ across scopes
def _owners(splits: Splits, function: ir.Function) -> Iterator[tuple[ir.Scope, Binding]]:
    """What `function` assigns outside of itself, with each scope whose name that is: the innermost that has it, and
    those on the way that only say that it is not theirs.

    A Python module also owns the names that only a function's `global` gives it.
    """
    left: dict[str, list[Binding]] = {}
    if not splits.of(function).outward:
        return
    for binding in splits.of(function).outward:
        left.setdefault(binding.name, []).append(binding._replace(kind="written"))
    for around in enclosing_scopes(function):
        kinds: dict[str, bool] = {}
        for own in splits.of(around).own if left else ():
            if own.name in left:
                kinds[own.name] = kinds.get(own.name, False) or own.kind != "global"
        if isinstance(around, ir.Module) and _language(function) in _PYTHON:
            kinds |= dict.fromkeys(left, True)
        yield from ((around, binding) for name in left if name in kinds for binding in left[name])
        left = {name: found for name, found in left.items() if not kinds.get(name)}


def _sharing_self(method: ir.Function) -> Iterator[ir.Function]:
    """A method and the functions inside it that see its `self`."""
    stack = [method]
    while stack:
        function = stack.pop()
        yield function
        inner = [node for node in ir.walk(*function.body) if isinstance(node, ir.Function) and node.receiver is None]
        stack.extend(reversed(inner))


def _stores(function: ir.Function, names: frozenset[str]) -> Iterator[Binding]:
    """Every `self.x = …` in a function's own code; `names` are what stands for the object, or for its class."""
    for node in ir.walk(*function.body):
        if isinstance(node, (ir.Assign, ir.Loop, ir.With)):
            for place, binding in _stored_by(node):
                if isinstance(place, ir.Member) and isinstance(place.target, ir.Name) and place.target.id in names:
                    yield binding._replace(name=place.name)
        elif isinstance(node, ir.Call) and (found := _set_by_name(node, names)) is not None:
            yield found


def _set_by_name(call: ir.Call, names: frozenset[str]) -> Binding | None:
    """`setattr(self, "x", value)`, `object.__setattr__(self, "x", value)`."""
    match call:
        case ir.Call(
            callee=ir.Name(id="setattr") | ir.Member(name="__setattr__"),
            args=(
                ir.Argument(value=ir.Name(id=owner)),
                ir.Argument(value=ir.Literal(value=str() as name)),
                ir.Argument(value=value),
            ),
        ) if owner in names:
            return Binding(name, "assign", call, value)
        case _:
            return None
