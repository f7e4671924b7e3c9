"""Conversations that hand-written code keeps: attributes and variables of modules that grow, and that a model is asked
with.

What a run begins anew is no memory, nor is an object that one run makes for itself. A class that only keeps what was
said stands where it is kept: at the attribute or variable that holds its object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import ABSENT, default
from agent_architecture.names import members
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import CONSTRUCTOR, ITSELF, enclosing_class
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING, KEYED, added, changes_of_attribute, changes_of_name
from agent_architecture.names.named_parts import part_of
from agent_architecture.names.values import ClassValue
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_limits import code_of, itself, limits_of, shown_of
from agent_architecture.semantics.bounds.container_parts import FACTORY, Put, is_container, put_into_parts
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import decided
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.conversations.messages import is_turn
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.taint.access_paths import hands_back, owner_of, places_at, root_of
from agent_architecture.semantics.topics.memories.kept_entries import is_entry
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Unknown
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.access_paths import Place
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled

LOOKING_UP: Final = frozenset({"get", "setdefault", "values", "items", "find"})
"""Methods of tables that give what is kept under their keys."""
FIELDS: Final = ("Field", "field")
"""Calls that declare a field of a class, with what makes its first value."""


class _Kept(NamedTuple):
    """A container, by what binds it, and the class or module that it belongs to."""

    owner: ir.Class | ir.Module
    binding: Binding
    reading: ir.Node
    """What reads it on the way to a model."""
    put: tuple[ir.Node, ...]


def kept(context: Context, read: Recalled) -> Iterator[ByHand]:
    """The memories, each once."""
    found: dict[tuple[str, int], ByHand] = {}
    for one in _containers(context, read):
        memory = _memory(context, read, one)
        if memory is not None:
            found.setdefault(
                (memory.span.path, memory.span.line),
                ByHand(
                    memory,
                    one.put,
                    (one.reading,),
                    _place(one.owner, one.binding),
                ),
            )
    yield from found.values()


def _containers(context: Context, read: Recalled) -> Iterator[_Kept]:
    """The places among those that are read which hold a container that grows and is called as a conversation is."""
    program = context.program
    wanted = {owner for owner, _ in read.places}
    owners: dict[str, ir.Class | ir.Module] = {}
    for module in program.modules:
        if owner_of(module) in wanted:
            owners[owner_of(module)] = module
        owners |= {f".{cls.span}": cls for cls in module.index.classes if f".{cls.span}" in wanted}
    for (place, name), reading in read.places.items():
        owner = owners.get(place)
        if owner is None:
            continue
        of_owner = program.attributes(owner) if isinstance(owner, ir.Class) else program.bindings(owner)
        bindings = of_owner.get(name, ())
        first = next((b for b in bindings if is_container(b.value) and not _adds(b)), None)
        if first is None:
            continue
        put = _put(program, owner, first)
        if isinstance(owner, ir.Module) and all(program.scope_of(one.node) is owner for one in put):
            continue  # what the course of a script, or of a page that is run anew each time, makes for itself
        if put and _is_talk(context, name, put) and not _begins_anew(context, read, owner, name, bindings):
            yield _Kept(owner, first, reading, tuple(one.node for one in put))


def _is_talk(context: Context, name: str, put: tuple[Put, ...]) -> bool:
    """Whether turns of a conversation are put into a container, or parts of it are called as a conversation is; where
    only its own name says so, whether something else is put there than records and handles.
    """
    if any(is_said(one.name) or any(is_turn(context, each) for each in added(one.node)) for one in put):
        return True
    return is_said(name) and not all(one.name == "" and is_entry(context, one.node) for one in put)


def _place(owner: ir.Class | ir.Module, binding: Binding) -> Place:
    return (f".{owner.span}" if isinstance(owner, ir.Class) else owner_of(owner), binding.name)


def _put(program: Program, owner: ir.Class | ir.Module, binding: Binding) -> tuple[Put, ...]:
    """What puts something in, into parts of it, too."""
    parts = tuple(put_into_parts(program, code_of(owner), itself(program, owner, binding)))
    return (*(Put(node) for node in _put_whole(program, owner, binding.name)), *parts)


def _put_whole(program: Program, owner: ir.Class | ir.Module, name: str) -> Iterator[ir.Call | ir.Assign]:
    if isinstance(owner, ir.Module):
        yield from changes_of_name(program, owner, name)
        yield from (b.node for b in program.bindings(owner)[name] if isinstance(b.node, ir.Assign) and _adds(b))
        return
    for cls in (*members.lineage(program, owner), *program.subclasses(owner)):
        yield from changes_of_attribute(program, cls, name)
        yield from _carried(program, cls, name)
        yield from _from_outside(program, cls, name)


def _from_outside(program: Program, cls: ir.Class, name: str) -> Iterator[ir.Call]:
    """What others put into an attribute of a class's objects: `session.messages.append(turn)`, and a function that is
    given the attribute.
    """
    place = (f".{cls.span}", name)
    for how in sorted(GROWING):
        for site in program.calls(how):
            callee = site.call.callee
            target = part_of(program, callee.target) if isinstance(callee, ir.Member) else None
            given = _handed(program, target) if isinstance(target, ir.Name) and is_said(target.id) else iter((target,))
            named = (part for part in given if isinstance(part, ir.Member) and part.name == name and not is_own(part))
            if any(place in places_at(program, part) for part in named):
                yield site.call


def _handed(program: Program, target: ir.Name) -> Iterator[ir.Expr | Unknown | None]:
    """What the callers in the project give a function for one of its parameters."""
    for binding in visible_bindings(program, target):
        function, param = binding.node, binding.extra
        if isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
            yield from (passed_argument(site, function, param) for site in program.callers(function))


def is_own(target: ir.Member) -> bool:
    """Whether it is an attribute of the object around."""
    return isinstance(target.target, ir.Name) and target.target.id in ITSELF


def _carried(program: Program, cls: ir.Class, name: str) -> Iterator[ir.Assign]:
    """What replaces an attribute by something that carries it on and adds to it."""
    for binding in program.attributes(cls).get(name, ()):
        is_made_of_it = isinstance(binding.value, (ir.List, ir.Operator)) and _mentions(binding.value, name)
        is_carried = is_made_of_it or _adds(binding) or is_answered(program, binding.value, name)
        if is_carried and isinstance(binding.node, ir.Assign):
            yield binding.node


def is_answered(program: Program, value: ir.Expr | None, name: str) -> bool:
    """Whether a value is a part of what a call gave back that was given the attribute: `result.all_messages()` after
    `result = agent.run(text, self.messages)`.
    """
    if value is None or not hands_back(value):
        return False
    root = root_of(value.callee if isinstance(value, ir.Call) else value)
    made = [b.value for b in visible_bindings(program, root)] if root is not None and root is not value else []
    return any(isinstance(part, (ir.Call, ir.Await)) and _mentions(part, name) for part in made)


def _adds(binding: Binding) -> bool:
    """Whether a binding adds to what is there: `self.messages += answer`."""
    return isinstance(binding.node, ir.Assign) and binding.node.op == ir.Op.ADD


def _begins_anew(
    context: Context, read: Recalled, owner: ir.Class | ir.Module, name: str, bindings: tuple[Binding, ...]
) -> bool:
    """Whether what asks a model first throws away what was there."""
    if isinstance(owner, ir.Module):
        return False
    asking = [m for m in owner.body if isinstance(m, ir.Function) and m.name != CONSTRUCTOR and id(m) in read.asking]
    return any(
        method.span.contains(binding.node.span)
        and (binding.node.span < read.asking[id(method)] or is_container(binding.value))
        and not (_mentions(binding.value, name) or _adds(binding))
        and not _is_guarded(context, binding)
        for method in asking
        for binding in bindings
    )


def _is_guarded(context: Context, binding: Binding) -> bool:
    """Whether an assignment stands under a test of the name (`if self.x is None: self.x = []`), or is what some passes
    of a loop do: `if said == "clear": self.x = []`.
    """
    node = binding.node
    structure = context.program.structure(context.program.scope_of(node))
    loops = tuple(structure.enclosing(node, ir.Loop))
    return any(
        _mentions(one.expr, binding.name)
        or any(loop.span.contains(one.at.span) and one.at.span.contains(node.span) for loop in loops)
        for one in decided(conditions_of(context).at(node))
        if not isinstance(one.at, ir.Loop)
    )


def _mentions(value: ir.Expr | None, name: str) -> bool:
    return value is not None and any(
        (isinstance(node, ir.Member) and node.name == name) or (isinstance(node, ir.Name) and node.id == name)
        for node in ir.walk(value)
    )


# ----------------------------------------------------------------------------------------------------- where it is kept
def _memory(context: Context, read: Recalled, one: _Kept) -> Memory | None:
    binding = one.binding
    place, symbol = binding.node.span, binding.name
    limits = limits_of(context, one.owner, binding)
    window = shown_of(context, read.nodes, one.owner, binding) if limits.bound is ABSENT else None
    if window is not None:
        limits = limits._replace(bound=window.bound, overflow=window.overflow)
    if isinstance(one.owner, ir.Class) and not asks(context.program, read, one.owner):
        holder = next(holders(context.program, read, one.owner), None)
        table = next(_tables(context.program, one.owner), None) if holder is None else None
        if holder is not None:
            place, symbol = holder.span, context.symbol(holder) or one.owner.name
        elif table is not None:
            if not _is_record(one.owner, binding):
                place, symbol = table.binding.node.span, table.binding.name
            around = limits_of(context, table.owner, table.binding)
            limits = limits._replace(namespace=around.namespace, deletes=around.deletes)
        else:
            return None
    return Memory(
        place,
        symbol,
        "",
        Holding.CONVERSATION,
        default(False, "a variable"),
        bound=limits.bound,
        overflow=limits.overflow,
        namespace=limits.namespace,
        deletes=limits.deletes,
    )


def _is_record(cls: ir.Class, binding: Binding) -> bool:
    """Whether a class only says what its objects hold, so that the field is where the container is made: others add."""
    has_methods = any(isinstance(node, ir.Function) for node in cls.body)
    return not has_methods and any(binding.node is node for node in cls.body)


class _Table(NamedTuple):
    """A container that keeps objects under keys."""

    owner: ir.Class | ir.Module
    binding: Binding


def _tables(program: Program, cls: ir.Class) -> Iterator[_Table]:
    """The containers of modules and lasting objects in which objects of a class are put under keys, and from which they
    are taken again.
    """
    for site in _making(program, cls):
        for kept in _keyed(program, site):
            for table in _bound(program, kept, site.scope):
                if is_container(table.binding.value) and _is_taken_from(program, table):
                    yield table


def _is_taken_from(program: Program, table: _Table) -> bool:
    """Whether objects are taken from a table again by their keys, in the file where it stands; a count takes none."""
    place = _place(table.owner, table.binding)
    for scope in program.module_of(table.binding.node).code:
        structure = program.structure(scope)
        for node in structure.nodes:
            match node:
                case ir.Call(callee=ir.Member(name=name, target=target)) if name in LOOKING_UP:
                    found = target
                case ir.Index(target=target) if not _is_set(structure.parent(node), node):
                    found = target
                case _:
                    continue
            if place in places_at(program, found):
                return True
    return False


def _is_set(around: ir.Node | None, node: ir.Node) -> bool:
    return isinstance(around, ir.Assign) and around.target is node


def _keyed(program: Program, made: CallSite) -> Iterator[ir.Expr]:
    """What an object is put into under a key, where it is made or by the variable that it is made for."""
    structure = program.structure(made.scope)
    around = next(structure.ancestors(made.call), None)
    if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name):
        named = around.target.id
        for node in structure.nodes:
            match node:
                case ir.Assign(target=ir.Index(target=kept), value=ir.Name(id=name)) if name == named:
                    yield kept
                case ir.Call(callee=ir.Member(name=how, target=kept), args=args) if how in KEYED:
                    if any(isinstance(given.value, ir.Name) and given.value.id == named for given in args[1:]):
                        yield kept
                case _:
                    continue
    target = around.target if isinstance(around, ir.Assign) else around
    if isinstance(target, ir.Index):
        yield target.target
    elif isinstance(target, ir.Call) and isinstance(target.callee, ir.Member) and target.callee.name in KEYED:
        yield target.callee.target


def _bound(program: Program, kept: ir.Expr, scope: ir.Scope) -> Iterator[_Table]:
    """The variable of a module, or the attribute of the class around, that an expression names."""
    match kept:
        case ir.Name():
            for binding in visible_bindings(program, kept):
                owner = program.scope_of(binding.node)
                if isinstance(owner, ir.Module):
                    yield _Table(owner, binding)
        case ir.Member(target=ir.Name(id="self" | "this"), name=name):
            around = enclosing_class(program, scope)
            if around is not None:
                yield from (_Table(around, binding) for binding in program.attributes(around).get(name, ()))
        case _:
            return


def asks(program: Program, read: Recalled, cls: ir.Class) -> bool:
    """Whether a class, or one that extends it, asks a model in its own methods."""
    family = (*members.lineage(program, cls), *program.subclasses(cls))
    return any(isinstance(node, ir.Function) and id(node) in read.asking for each in family for node in each.body)


def holders(program: Program, read: Recalled, cls: ir.Class, *, later: bool = False) -> Iterator[ir.Call]:
    """The calls that make an object of a class for an attribute, or for a variable of a module, by position; those in
    a function that puts it there `later`, too, if that is wanted: `global log; log = Log()`.
    """
    sites = [(site.call, site.scope) for site in _making(program, cls)]
    held = [call for call, scope in sites if _is_held(program, read, call, scope, later=later)]
    for name in FIELDS:
        fields = (site.call for site in program.calls(name))
        held += [call for call in fields for a in call.args if a.keyword == FACTORY and dotted(a.value) == cls.name]
    yield from sorted(held, key=lambda call: call.span)


def _making(program: Program, cls: ir.Class) -> Iterator[CallSite]:
    """The calls that make an object of a class, or of one that extends it."""
    for each in (cls, *program.subclasses(cls)):
        for site in program.calls(each.name):
            if any(isinstance(v, ClassValue) and v.cls is each for v in program.value_of(site.call.callee)):
                yield site


def _is_held(program: Program, read: Recalled, call: ir.Call, scope: ir.Scope, *, later: bool) -> bool:
    around = next((a for a in program.structure(scope).ancestors(call) if not isinstance(a, ir.Operator)), None)
    if not isinstance(around, ir.Assign):
        return False
    if isinstance(scope, (ir.Module, ir.Class)):
        return True
    if isinstance(around.target, ir.Name):
        return later and any(b.kind == "global" for b in program.bindings(scope).get(around.target.id, ()))
    is_run = scope.name != CONSTRUCTOR and id(scope) in read.asking
    return isinstance(around.target, ir.Member) and not is_run
