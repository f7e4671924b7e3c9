"""How containers and numbers change after they were made: `x.append(y)`, `x["k"] = y`, `x.k = y`, `x += y`.

In the scope that owns the name, in the functions inside it, and in those that these hand it to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.names.closure_writes import may_store
from agent_architecture.names.elements import items, of_library
from agent_architecture.names.handed_containers import handed, handing
from agent_architecture.names.named_parts import named_parts
from agent_architecture.names.outside_writes import filled_elsewhere
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Const, Entries, Items, Text, Unknown, Value, Values
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

ONE: Final = frozenset({"append", "add", "appendleft", "push", "unshift"})
"""Methods that put each argument into a list or set."""

MANY: Final = frozenset({"extend", "extendleft", "update"})
"""Methods that put in what their argument contains."""

INSERT: Final = frozenset({"insert"})
"""Methods whose second argument is put in."""

KEYED: Final = frozenset({"setdefault", "set"})
"""Methods that put their second argument under their first; `set` is that of JavaScript's maps."""

LISTING: Final = frozenset({"append", "extend", "push", "unshift"})
"""Those of them that only lists have."""

GROWING: Final = ONE | MANY | INSERT | KEYED

MERGING: Final = "assign"
"""`Object.assign(x, y)` puts what `y` contains into `x`, as `x.update(y)` does."""

FILLING: Final = frozenset({ir.Op.NULLISH, ir.Op.OR})
"""How something is put where nothing was, and changes nothing else: `x ??= y`, `x ||= y`."""
PART: Final = "\0"
"""What stands between the name of a container and that of its part: in no language a name holds it."""

Change = ir.Call | ir.Assign


class Growing(NamedTuple):
    """What the functions of a module may put into containers that are not theirs.

    `calling` are those that call a method which puts something in, `put` what these put into something with a name, by
    that name, `storing` those that may store under a key, by the name of what has it, and `handing` those that call a
    function which may put something into what it is handed.
    """

    calling: Mapping[ir.Function, None]
    put: Mapping[str, Sequence[tuple[ir.Function, Change]]]
    storing: Mapping[str, tuple[ir.Function, ...]]
    handing: Mapping[ir.Function, None]


_Owner = TypeVar("_Owner", bound="ir.Module | ir.Class | ir.Function")


def of_name(program: Program, owner: ir.Scope, name: str, values: Values, changed: tuple[Binding, ...]) -> Values:
    """The values of a name after everything that changes them in place; `changed` are its `x += y`."""
    grows = any(isinstance(value, (Items, Entries)) or _is_given(value) for value in values)
    found = list(changes_of_name(program, owner, name)) if grows else []
    steps = [binding.node for binding in changed if isinstance(binding.node, ir.Assign)]
    return after(program, values, [*found, *steps]) if found or steps else values


def filled(program: Program, made: ir.Map | ir.List) -> Values:
    """What a container that is written holds in the end: with all that is put into the variable that it is given to."""
    values, scope = program.value_of(made), program.scope_of(made)
    store = program.structure(scope).parent(made)
    if isinstance(store, ir.Assign) and store.value is made and isinstance(store.target, ir.Name):
        return of_name(program, scope, store.target.id, values, ())
    return values


def of_attribute(program: Program, cls: ir.Class, name: str, values: Values) -> Values:
    """The values of an attribute after everything that the class's own methods, and others, put into them."""
    if not any(isinstance(value, (Items, Entries)) or _is_given(value) for value in values):
        return values
    found = [*changes_of_attribute(program, cls, name), *filled_elsewhere(program, cls, name, _direct)]
    return after(program, values, found) if found else values


def changes_of_name(program: Program, owner: ir.Scope, name: str) -> tuple[Change, ...]:
    """The calls and assignments that put something into the container that a name holds."""
    return _remembered(program, owner, name, _changes_of_name)


def changes_of_part(program: Program, owner: ir.Scope, name: str, *parts: str) -> tuple[Change, ...]:
    """The same for a part of a part of what a name holds: `found.pages.push(x)`, `found["pages"].append(x)`."""
    return _remembered(program, owner, PART.join((name, *parts)), _changes_of_name)


def changes_of_attribute(program: Program, cls: ir.Class, name: str, *parts: str) -> tuple[Change, ...]:
    """The same for an attribute, or a part of what it holds, in the methods of its class."""
    return _remembered(program, cls, PART.join((name, *parts)), _changes_of_attribute)


def _remembered(
    program: Program, owner: _Owner, name: str, find: Callable[[Program, _Owner, str], Iterator[Change]]
) -> tuple[Change, ...]:
    key = owner, name, find is _changes_of_name
    found = program.changes.get(key)
    if found is None:
        found = program.changes[key] = tuple(find(program, owner, name))
    return found


def _changes_of_name(program: Program, owner: ir.Scope, name: str) -> Iterator[Change]:
    name, *parts = name.split(PART)

    def is_name(target: ir.Expr) -> bool:
        holder = _holder_of(target, parts)
        return isinstance(holder, ir.Name) and holder.id == name

    yield from _changes(program, owner, is_name)
    if not isinstance(owner, ir.Module):
        for scope in (each for each in _inside(program, owner) if not _has_own(program, each, name)):
            yield from _changes(program, scope, is_name)
        return
    growing = _growing_in(program, owner)
    if parts:
        for scope in (s for s in {**growing.calling, **growing.handing} if not _has_own(program, s, name)):
            yield from _changes(program, scope, is_name)
        return
    yield from (change for scope, change in growing.put.get(name, ()) if not _has_own(program, scope, name))
    for scope in (each for each in growing.storing.get(name, ()) if each not in growing.calling):
        yield from _direct(program, scope, is_name) if not _has_own(program, scope, name) else ()
    for scope in (each for each in growing.handing if not _has_own(program, each, name)):
        yield from handed(program, scope, is_name, _direct)


def _has_own(program: Program, scope: ir.Scope, name: str) -> bool:
    """Whether a function has a variable of its own of that name: one that it declares as `global` is none."""
    return any(binding.kind != "global" for binding in program.bindings(scope).get(name, ()))


def _holder_of(target: ir.Expr, parts: Sequence[str]) -> ir.Expr | None:
    """What something is a part of, by the names of the parts, the innermost last; itself, of no part."""
    for part in reversed(parts):
        match target:
            case ir.Member(target=holder, name=name) if name == part:
                target = holder
            case ir.Index(target=holder, key=ir.Literal(value=key)) if key == part:
                target = holder
            case _:
                return None
    return target


def _growing_in(program: Program, module: ir.Module) -> Growing:
    """What the functions of a module put into containers: its index and its text know which of them may do so."""
    found = program.growing.get(module)
    if found is None:
        file = program.table.file(module.path)
        calling = _calling(module)
        put: dict[str, list[tuple[ir.Function, Change]]] = {}
        for scope in calling:
            for change in _direct(program, scope, lambda target: isinstance(target, ir.Name)):
                put.setdefault(callee_name(target_of(change)), []).append((scope, change))
        storing = may_store(module, file.data if file is not None else None)
        found = Growing(calling, put, storing, handing(program, module, put, storing, _calling))
        program.growing[module] = found
    return found


def _calling(module: ir.Module) -> dict[ir.Function, None]:
    """The functions of a module that call a method which puts something in."""
    scopes = (scope for method in sorted(GROWING | {MERGING}) for scope in module.index.calls.get(method, ()))
    return {scope: None for scope in scopes if isinstance(scope, ir.Function)}


def target_of(change: Change) -> ir.Expr:
    """What a change puts something into."""
    whole = change.callee if isinstance(change, ir.Call) else change.target
    return whole.target if isinstance(whole, (ir.Index, ir.Member)) else whole


def _inside(program: Program, owner: ir.Scope) -> Iterator[ir.Function]:
    """The functions that are written inside a scope, at any depth."""
    queue = list(program.structure(owner).definitions)
    for scope in queue:
        if isinstance(scope, ir.Function):
            yield scope
        queue.extend(program.structure(scope).definitions)


def _changes_of_attribute(program: Program, cls: ir.Class, name: str) -> Iterator[Change]:
    name, *parts = name.split(PART)

    def is_attribute(target: ir.Expr) -> bool:
        holder = _holder_of(target, parts)
        return (
            isinstance(holder, ir.Member)
            and holder.name == name
            and isinstance(holder.target, ir.Name)
            and holder.target.id in {"self", "cls", cls.name}
        )

    for method in cls.body:
        for scope in (method, *_inside(program, method)) if isinstance(method, ir.Function) else ():
            yield from _changes(program, scope, is_attribute)


def _changes(program: Program, scope: ir.Scope, is_target: Callable[[ir.Expr], bool]) -> Iterator[Change]:
    yield from _direct(program, scope, is_target)
    yield from handed(program, scope, is_target, _direct)


def _direct(program: Program, scope: ir.Scope, is_target: Callable[[ir.Expr], bool]) -> Iterator[Change]:
    """What a scope's own code puts into something."""
    calls, named = program.calls_in(scope), named_parts(program, scope)

    def is_held(target: ir.Expr) -> bool:
        part = named.get(target.id) if named and isinstance(target, ir.Name) else None
        return is_target(target) or (part is not None and is_target(part))

    for name in sorted(GROWING & calls.keys()):
        for call in calls[name]:
            if isinstance(call.callee, ir.Member) and is_held(call.callee.target):
                yield call
    for call in calls.get(MERGING, ()):
        if _is_merging(call) and is_held(call.args[0].value):
            yield program.made.merged(call)
    for store in program.structure(scope).stores:
        if isinstance(store.target, (ir.Index, ir.Member)) and is_held(store.target.target):
            yield store


def _is_merging(call: ir.Call) -> bool:
    match call:
        case ir.Call(callee=ir.Member(name=name, target=ir.Name(id="Object")), args=(first, _, *_)):
            return name == MERGING and not first.spread
        case _:
            return False


def added(change: Change) -> tuple[ir.Expr, ...]:
    """The expressions that a change puts in, whole or for what is in them."""
    if isinstance(change, ir.Assign):
        return () if change.value is None else (change.value,)
    values = tuple(argument.value for argument in change.args)
    return values[1:] if _method(change) in INSERT | KEYED else values


def key_of(change: Change) -> ir.Expr | None:
    """The key under which a change puts something in; None for an element of a list, and for many entries at once."""
    match change:
        case ir.Assign(target=ir.Index(key=key)):
            return key
        case ir.Assign(target=ir.Member(name=name, name_span=span)):
            return ir.Literal(span, name)
        case ir.Call(args=args) if _method(change) in KEYED and len(args) > 1:
            return args[0].value
        case _:
            return None


def keys_of(change: Change) -> tuple[ir.Expr, ...]:
    """The keys under which a change puts something in, those of many entries at once too: `x.update({"a": b}, c=d)`.
    None where some of them are not written there.
    """
    key = key_of(change)
    if key is not None or isinstance(change, ir.Assign) or _method(change) != "update":
        return () if key is None else (key,)
    found: list[ir.Expr] = []
    for argument in change.args:
        match argument:
            case ir.Argument(keyword=str(name)):
                found.append(ir.Literal(argument.value.span, name))
            case ir.Argument(value=ir.Map(entries=entries), spread=""):
                named = [entry.key for entry in entries if entry.key is not None]
                if len(named) < len(entries):
                    return ()
                found += named
            case _:
                return ()
    return tuple(found)


def _method(change: Change) -> str:
    return change.callee.name if isinstance(change, ir.Call) and isinstance(change.callee, ir.Member) else ""


def after(program: Program, values: Values, found: Iterable[Change]) -> Values:
    """Values after these changes, which count in the order in which they are written."""
    ordered = sorted(found, key=lambda change: change.span)
    filled = [change for change in ordered if isinstance(change, ir.Assign) and change.op in FILLING and change.value]
    steps = [change for change in ordered if change not in filled] if filled else ordered
    put = (v for change in filled if change.value is not None for v in program.value_of(change.value))
    once = {id(value): value for value in values}.values()  # most come again as the very same objects
    return tuple(dict.fromkeys((*(v for value in once for v in _changed(program, value, steps)), *put)))


def _changed(program: Program, value: Value, found: list[Change]) -> Iterator[Value]:
    match value:
        case Items():
            yield _longer(program, value, found)
        case Entries():
            yield _wider(program, value, found)
        case Const(value=bool() | int() | float()) | Const(value=None):
            yield value
            yield from (Unknown("a value that is changed step by step", c.value) for c in _steps(found))
        case Const() | Text():
            parts = tuple(c.value for c in _steps(found) if c.value is not None)
            whole = value.node if isinstance(value, Text) else ir.Literal(value.span, value.value)
            yield Text((whole, *parts), whole) if parts else value
        case Api() if _is_given(value):
            yield value
            if any(_method(change) in LISTING for change in found):
                yield _longer(program, Items((), value.node, complete=False), found)
        case _:
            yield value


def _is_given(value: Value) -> bool:
    """Whether a method or function of a library gave a value, which may be a list: `client.list_tools()`."""
    if not isinstance(value, Api) or not value.path.endswith("()"):
        return False
    return value.path.removesuffix("()").replace(":", ".").rpartition(".")[2][:1].islower()


def _steps(found: list[Change]) -> list[ir.Assign]:
    return [change for change in found if isinstance(change, ir.Assign) and change.op]


def _longer(program: Program, value: Items, found: list[Change]) -> Items:
    inside, complete = list(value.items), value.complete
    for change in found:
        if isinstance(change, ir.Assign) and not change.op:
            place = _position(program, change, len(inside)) if complete else None
            if place is None:
                inside.extend(added(change))
            else:
                inside[place] = program.made.either(inside[place], added(change)[0])
        elif isinstance(change, ir.Call) and _method(change) not in MANY:
            plain = all(not argument.spread for argument in change.args)
            inside.extend(added(change) if plain else ())
            complete = complete and plain
        else:
            for more in added(change):
                values = program.value_of(more)
                lists = [v for v in values if isinstance(v, Items)]
                inside.extend(item for inner in lists for item in inner.items)
                inside.extend(of_library(program, more, values))
                complete = complete and bool(lists) and all(inner.complete for inner in lists)
    return items(tuple(dict.fromkeys(inside)), value.node, complete=complete)


def _position(program: Program, change: ir.Assign, length: int) -> int | None:
    """Which element of a list of this length is replaced: `steps[0] = x`; None for one that is added, or any."""
    keys = program.value_of(change.target.key) if isinstance(change.target, ir.Index) else ()
    known = keys[0].value if len(keys) == 1 and isinstance(keys[0], Const) else None
    is_inside = isinstance(known, int) and not isinstance(known, bool) and -length <= known < length
    return known if is_inside and change.value is not None else None  # type: ignore[return-value]


def _wider(program: Program, value: Entries, found: list[Change]) -> Entries:
    entries, complete, others = dict(value.entries), value.complete, value.others
    at_first = frozenset(entries)
    for change in found:
        if keyed := _under_key(change):
            name = _constant_key(program, keyed[0])
            if name is not None and _method(change) == "setdefault" and name in at_first:
                continue
            if name is not None:
                entries[name] = program.made.either(entries.get(name), keyed[1])
            else:
                others, complete = program.made.either(others, keyed[1]), False
        elif isinstance(change, ir.Assign) and isinstance(change.target, ir.Member) and change.value is not None:
            entries[change.target.name] = program.made.either(entries.get(change.target.name), change.value)
        elif isinstance(change, ir.Assign) or _method(change) == "update":
            for name, entry in _named(change):
                entries[name] = program.made.either(entries.get(name), entry)
            maps = [v for more in added(change) for v in program.value_of(more) if isinstance(v, Entries)]
            for inner in maps:
                for key, entry in inner.entries:
                    entries[key] = program.made.either(entries.get(key), entry)
                others = others if inner.others is None else program.made.either(others, inner.others)
            complete = complete and bool(maps or _named(change)) and all(inner.complete for inner in maps)
        else:
            complete = False
    return Entries(tuple(entries.items()), value.node, complete, others)


def _named(change: Change) -> list[tuple[str, ir.Expr]]:
    """What `x.update(key=value)` puts in."""
    arguments = change.args if isinstance(change, ir.Call) else ()
    return [(argument.keyword, argument.value) for argument in arguments if argument.keyword]


def _under_key(change: Change) -> tuple[ir.Expr, ir.Expr] | None:
    """The key and the value of `x[k] = v`, `x.set(k, v)` and `x.setdefault(k, v)`."""
    if isinstance(change, ir.Assign):
        is_element = isinstance(change.target, ir.Index) and change.value is not None
        return (change.target.key, change.value) if is_element else None  # type: ignore[union-attr, return-value]
    plain = [argument.value for argument in change.args if not argument.spread and argument.keyword is None]
    return (plain[0], plain[1]) if _method(change) in KEYED and len(plain) > 1 else None


def _constant_key(program: Program, key: ir.Expr) -> str | None:
    keys = program.value_of(key) if not isinstance(key, ir.Slice) else ()
    known = keys[0].value if len(keys) == 1 and isinstance(keys[0], Const) else None
    return str(known) if isinstance(known, (str, int)) else None
