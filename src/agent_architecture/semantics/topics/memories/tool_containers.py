"""Lists and mappings of modules and objects that the code of tools adds to, with what keeps them small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, written
from agent_architecture.model.state import Held, StateHolder
from agent_architecture.names import members
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import CONSTRUCTOR, ITSELF
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.made_once import is_made_once
from agent_architecture.names.mutations import key_of, keys_of
from agent_architecture.names.named_parts import part_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Const
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_limits import limits_of
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.bounds.fixed_keys import is_fixed
from agent_architecture.semantics.bounds.full_containers import REJECT
from agent_architecture.semantics.bounds.trims import TAKING, asks_whether_empty, trims
from agent_architecture.semantics.conversations.container_names import is_counted
from agent_architecture.semantics.taint.access_paths import GROWING, held_at, owner_of, places_at, root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.access_paths import Place

KEYED: Final = frozenset({"set", "setdefault"})
SETS: Final = frozenset({"set", "Set"})
WORKING_OFF: Final = frozenset({"shift", "pop", "popleft", "dequeue", "get", "get_nowait"})
"""Methods that take the next entry of a queue out."""


def _is_container(value: ir.Expr | None) -> bool:
    """Whether an expression makes something that can be added to; what was said is never kept in a set."""
    return is_container(value) or (isinstance(value, ir.Call) and callee_name(value.callee) in SETS)


class _Owner(NamedTuple):
    scope: ir.Class | ir.Module
    binding: Binding


class Containers:
    """The containers of a program's modules and classes, looked up by place and remembered."""

    def __init__(self, context: Context, memories: frozenset[Place]) -> None:
        self._context = context
        self._memories = memories
        self._scopes: dict[str, ir.Class | ir.Module] = {}
        for module in context.program.modules:
            self._scopes[owner_of(module)] = module
            self._scopes |= {f".{cls.span}": cls for cls in module.index.classes}
        self._known: dict[Place, StateHolder | None] = {}
        self._lasting: dict[int, bool] = {}

    def of(self, functions: tuple[ir.Function, ...], nodes: tuple[ir.Node, ...]) -> Iterator[StateHolder]:
        """The containers that a tool's code adds to."""
        own = functions[0].outer
        made = frozenset(id(node) for node in nodes if isinstance(node, ir.Call))
        making = self._making(functions)
        for node, added in ((node, grown) for node in nodes if (grown := self._grown(node, made)) is not None):
            target = part_of(self._context.program, added)
            for place in held_at(self._context.program, target) if id(self._scope(node)) not in making else ():
                if (
                    place in self._memories
                    or self._is_counted(place)
                    or not self._outlives(place, target, own)
                    or self._is_made(place, nodes)
                ):
                    continue
                if place not in self._known:
                    self._known[place] = self._holder(place, nodes)
                holder = self._known[place]
                if holder is not None:
                    yield holder

    def _is_counted(self, place: Place) -> bool:
        owner = self._scopes.get(place[0])
        return is_counted(owner.name if isinstance(owner, ir.Class) else "", place[1])

    def _scope(self, node: ir.Node) -> ir.Scope:
        return self._context.program.scope_of(node)

    def _making(self, functions: tuple[ir.Function, ...]) -> frozenset[int]:
        """The ids of the functions that a tool comes to only where an object is made: what they add is there once."""
        constructors = [each for each in functions if each.name == CONSTRUCTOR]
        if not constructors:
            return frozenset()
        known = {id(each): each for each in functions}
        return self._entered(constructors, known) - self._entered(
            functions[:1], known, frozenset(map(id, constructors))
        )

    def _entered(
        self, starts: Iterable[ir.Function], known: dict[int, ir.Function], without: frozenset[int] = frozenset()
    ) -> frozenset[int]:
        """The ids of these functions, and of those among the known ones that they call or that are written in them."""
        program = self._context.program
        queue = [each for each in starts if id(each) not in without]
        seen = {id(each) for each in queue}
        for function in queue:  # grows
            structure = program.structure(function)
            called = (callee for call in structure.calls for callee in program.callees(call))
            inner = (each for each in structure.definitions if isinstance(each, ir.Function))
            for each in (*called, *inner):
                if id(each) in known and id(each) not in seen and id(each) not in without:
                    seen.add(id(each))
                    queue.append(each)
        return frozenset(seen)

    def _grown(self, node: ir.Node, made: frozenset[int]) -> ir.Expr | None:
        """What a node adds to; `made` are the ids of the calls that the tool makes. A key that the code itself names is
        none of the growing ones.
        """
        match node:
            case ir.Assign(target=ir.Index(target=target)):
                key = key_of(node)
                return None if key is None or self._is_named(key, made) else target
            case ir.Assign(target=ir.Member() | ir.Name() as target, op=ir.Op.ADD):
                return None if self._is_number(target) else target
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in GROWING | KEYED:
                if next(iter(self._context.program.callees(node)), None) is not None:
                    return None  # a function of the project's own, in an object of such
                first = node.args[0].value if node.args else None
                keys = keys_of(node) or ((first,) if name in KEYED and first is not None else ())
                return None if keys and all(self._is_named(key, made) for key in keys) else target
            case _:
                return None

    def _is_named(self, key: ir.Expr, made: frozenset[int]) -> bool:
        """Whether a key is one of those that the code names: written here, or by all calls that the tool makes."""
        program = self._context.program
        bindings = visible_bindings(program, key) if isinstance(key, ir.Name) else ()
        for binding in bindings:
            function, param = binding.node, binding.extra
            if isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
                sites = [site for site in program.callers(function) if id(site.call) in made]
                given = [passed_argument(site, function, param) for site in sites]
                if given and all(isinstance(each, ir.Literal) for each in given):
                    return True
        values = program.value_of(key)
        if isinstance(key, ir.Literal) or (bool(values) and all(isinstance(value, Const) for value in values)):
            return True
        return is_fixed(program, key)

    def _is_number(self, target: ir.Expr) -> bool:
        values = self._context.program.value_of(target)
        return any(isinstance(value, Const) and isinstance(value.value, (int, float)) for value in values)

    def _outlives(self, place: Place, target: ir.Expr, own: ir.Scope | None) -> bool:
        """Whether what is added to is there in the next call: a variable of a module, an attribute of the tool's own
        object, or of one that a module or an object keeps.
        """
        scope = self._scopes.get(place[0])
        if isinstance(scope, ir.Module):
            return True
        root = root_of(target)
        if scope is None or root is None:
            return False
        if root.id in ITSELF:
            return scope is own or (isinstance(own, ir.Class) and self._is_of(own, scope)) or self._is_kept(scope)
        return any(
            isinstance(self._scopes.get(owner), ir.Module) for owner, _ in places_at(self._context.program, root)
        )

    def _is_made(self, place: Place, nodes: tuple[ir.Node, ...]) -> bool:
        """Whether the tool itself makes the object that keeps it, and nothing keeps that object: one that is made when
        it is first asked for, and put under a variable of a module, outlives the call.
        """
        scope = self._scopes.get(place[0])
        if not isinstance(scope, ir.Class):
            return False
        own = [node for node in nodes if isinstance(node, ir.Call) and callee_name(node.callee) == scope.name]
        return any(not is_made_once(self._context.program, call) for call in own)

    def _is_of(self, cls: ir.Class, base: ir.Class) -> bool:
        return base in members.lineage(self._context.program, cls)

    def _is_kept(self, cls: ir.Class) -> bool:
        """Whether a module or an object keeps an object of the class."""
        found = self._lasting.get(id(cls))
        if found is None:
            found = self._lasting[id(cls)] = any(self._makings(cls))
        return found

    def _makings(self, cls: ir.Class) -> Iterator[ir.Call]:
        program = self._context.program
        for site in program.calls(cls.name):
            if any(isinstance(v, ClassValue) and v.cls is cls for v in program.value_of(site.call.callee)):
                around = program.structure(site.scope).parent(site.call)
                target = around.target if isinstance(around, ir.Assign) else None
                in_object = isinstance(target, ir.Member) and getattr(site.scope, "name", "") == CONSTRUCTOR
                if isinstance(site.scope, (ir.Module, ir.Class)) or in_object or self._is_of_module(target):
                    yield site.call

    def _is_of_module(self, target: ir.Expr | None) -> bool:
        """Whether a function puts something under a variable of its module: `global cache; cache = Cache()`."""
        places = places_at(self._context.program, target) if isinstance(target, ir.Name) else ()
        return any(isinstance(self._scopes.get(owner), ir.Module) for owner, _ in places)

    # ---------------------------------------------------------------------------------------------------- one of them
    def _holder(self, place: Place, nodes: tuple[ir.Node, ...]) -> StateHolder | None:
        owner = self._owner(place)
        if owner is None or self._is_worked_off(place, owner):
            return None
        limits = limits_of(self._context, owner.scope, owner.binding)
        bound, cleans = limits.bound, limits.deletes
        trim = next(trims(self._context, (*self._nodes(owner.scope), *nodes), self._is_it(place)), None)
        if trim is not None:
            bound = trim.bound if bound is ABSENT else bound
            cleans = trim.overflow
        if bound is not ABSENT and cleans is ABSENT and limits.overflow.value != REJECT:  # what is full stays full
            cleans = limits.overflow
        if cleans is ABSENT:
            cleans = self._emptied(place, owner)
        confidence = Confidence.HIGH if isinstance(owner.scope, ir.Module) else Confidence.MEDIUM
        symbol = place[1] if isinstance(owner.scope, ir.Module) else f"{owner.scope.name}.{place[1]}"
        span = owner.binding.node.span
        return StateHolder(span, symbol, "", Held.CONTAINER, bound=bound, cleans=cleans, confidence=confidence)

    def _owner(self, place: Place) -> _Owner | None:
        scope = self._scopes.get(place[0])
        if scope is None:
            return None
        program = self._context.program
        of_scope = program.bindings(scope) if isinstance(scope, ir.Module) else program.attributes(scope)
        made = next((b for b in of_scope.get(place[1], ()) if _is_container(b.value)), None)
        return None if made is None else _Owner(scope, made)

    def _is_worked_off(self, place: Place, owner: _Owner) -> bool:
        """Whether it is a queue that its owner's own code works off until nothing is left: nothing stays in it."""
        is_it = self._is_it(place)
        loops = (node for node in self._nodes(owner.scope) if isinstance(node, ir.Loop))
        return any(
            isinstance(call.callee, ir.Member) and call.callee.name in WORKING_OFF and is_it(call.callee.target)
            for loop in loops
            if loop.test is not None and asks_whether_empty(loop.test, is_it)
            for call in self._context.program.structure(self._scope(loop)).calls
            if loop.span.contains(call.span)
        )

    def _nodes(self, scope: ir.Class | ir.Module) -> Iterator[ir.Node]:
        """The code of the owner that takes something out."""
        program = self._context.program
        if isinstance(scope, ir.Class):
            for method in self._methods(scope):
                yield from program.structure(method).nodes
            return
        taking = (f for name in sorted(TAKING) for f in scope.index.calls.get(name, ()))
        for function in dict.fromkeys(taking):
            if isinstance(function, ir.Function):
                yield from program.structure(function).nodes

    def _methods(self, cls: ir.Class) -> Iterator[ir.Function]:
        """The methods of a class and of those that extend it, with what is written inside them."""
        for each in (cls, *self._context.program.subclasses(cls)):
            queue: list[ir.Function] = [node for node in each.body if isinstance(node, ir.Function)]
            for function in queue:
                yield function
                inner = self._context.program.structure(function).definitions
                queue.extend(node for node in inner if isinstance(node, ir.Function))

    def _is_it(self, place: Place) -> Callable[[ir.Expr | None], bool]:
        def is_it(expr: ir.Expr | None) -> bool:
            expr = None if expr is None else part_of(self._context.program, expr)
            named = expr.id if isinstance(expr, ir.Name) else expr.name if isinstance(expr, ir.Member) else ""
            return named == place[1] and expr is not None and place in places_at(self._context.program, expr)

        return is_it

    def _emptied(self, place: Place, owner: _Owner) -> Setting:
        """A key that is deleted, a container that is put in its place when the object is not made."""
        is_it = self._is_it(place)
        program = self._context.program
        scope = owner.scope
        functions = self._methods(scope) if isinstance(scope, ir.Class) else iter(scope.index.functions)
        for function in (each for each in functions if each.name != CONSTRUCTOR):
            for node in program.structure(function).nodes:
                match node:
                    case ir.Opaque(kind=ir.OpaqueKind.DEL, parts=parts) | ir.Operator(op=ir.Op.DELETE, operands=parts):
                        if any(isinstance(part, (ir.Index, ir.Member)) and is_it(part.target) for part in parts):
                            return written(True, node.span)
                    case ir.Call(callee=ir.Member(name=name, target=target)) if name in TAKING and is_it(target):
                        return written(True, node.span)
                    case ir.Assign(target=target, value=value) if _is_container(value) and is_it(target):
                        return written(True, node.span)
                    case _:
                        continue
        return ABSENT
