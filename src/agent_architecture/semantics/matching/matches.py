"""Which calls, definitions and classes of the program a pack's rows speak of.

Looks calls up by their last name, resolves the callee, and compares API paths. Says nothing about what a match means.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow, members
from agent_architecture.names.arguments import FORWARDING
from agent_architecture.names.callable_objects import CALL, ITSELF
from agent_architecture.names.callers import constructions
from agent_architecture.names.classes import enclosing_class, lineage
from agent_architecture.names.imported import aliases, maker_names, required_names, with_aliases
from agent_architecture.names.indirect_calls import names_holding
from agent_architecture.names.overriding import overridden, passed_on_names
from agent_architecture.names.program import callee_name
from agent_architecture.names.super_arguments import passed_to_base, super_arguments
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Func, Instance, Value
from agent_architecture.semantics.matching.adk_configs import configured_agents
from agent_architecture.semantics.matching.agent_factories import AGENT, made_for_each
from agent_architecture.semantics.matching.checked_programs import is_only_checked
from agent_architecture.semantics.matching.class_names import said_by_class, said_in_place
from agent_architecture.semantics.matching.decorated_calls import decorated_calls
from agent_architecture.semantics.matching.file_exports import placed
from agent_architecture.semantics.matching.imported_roots import imported_roots
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.method_references import (
    forwarded,
    forwarded_objects,
    names_of_imported,
    other_names,
)
from agent_architecture.semantics.matching.page_programs import only_looks
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.matching.tool_factories import Apart
from agent_architecture.semantics.matching.typed_objects import typed_objects
from agent_architecture.semantics.packs.addresses import is_place, parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Scalar
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.packs.addresses import Address
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EffectRow, EntityRow


TOOL: Final = "tool"
CODE_SINK: Final = "code_sink"
MADE_ON_A_WAY: Final = frozenset({"memory", CODE_SINK})
"""Kinds of what exists where some way asks for it; of a guard or approval, every way has to."""
_HANDED: Final = ("agent", "graph", "mcp_client", "mcp_server", "run", "tool", "tool_set")
"""Kinds of what is made by a class or function that code may be handed: `Desk(client_cls=Client)`."""
_SAYING: Final = frozenset({"agent"})
"""Kinds that a project makes by deriving a class: it has fields and methods where a call has arguments."""
_WITH_FIELDS: Final = _SAYING | {"memory", "retry"}
"""Kinds of which the fields of a derived class say what a call would."""


def resolved(program: Program, expr: ir.Expr) -> tuple[Api, ...]:
    """The library things that a callee, decorator or base can be; a project class counts as its library bases."""
    found: list[Api] = []
    for value in program.value_of(expr):
        if isinstance(value, Api):
            found.append(value)
        elif isinstance(value, ClassValue):
            found.extend(members.library_bases(program, value.cls))
        elif isinstance(value, Instance):
            found.extend(_called_base(program, value, expr))
    return tuple(found)


def _called_base(program: Program, called: Instance, expr: ir.Expr) -> Iterator[Api]:
    """The object of a library that is called with an object of a class of the project that derives from its class."""
    for value in members.instance_member(program, called, CALL, expr):
        if isinstance(value, Api) and value.receiver is not None:
            yield value.receiver


def matches(program: Program, packs: Packs) -> tuple[Match, ...]:
    """Every match of an entity row, in order of position, each row once a node and call."""
    found: dict[tuple[int, int, int], Match] = {}
    names = packs.entity_names(frozenset(imported_roots(program)))
    asking = names & packs.names_of_kind("model_call", "run")
    decorated = tuple(_decorated(program, packs, names))
    decorating = {id(match.arguments) for match in decorated}
    derived = tuple(_subclassed(program, packs))
    stated = {(id(match.node), match.row.kind) for match in derived}
    makers = names & packs.objects_called()
    objects = frozenset(_names_of_objects(program, packs, makers))
    others = other_names(program, asking) | objects
    others |= names_of_imported(program, names & packs.names_of_kind(*_HANDED))
    calls = (match for match in _calls(program, packs, names | others, stated) if id(match.node) not in decorating)
    overriding: dict[int, ir.Function] = {}
    over = _overridden(program, packs, asking, overriding)
    apart = Apart(program)
    applied = _applied(program, packs, names | others, apart)
    further = (*over, *_forwarded(program, packs, asking, objects - ITSELF), *decorated, *applied, *derived)
    further = (*further, *(Match(row, node, given, api) for row, node, given, api in placed(program, packs.in_files)))
    further = (*further, *(Match(row, node, node, api) for row, node, api in typed_objects(program, packs)))
    put_in_place = decorated_calls(program, packs, makers)
    further = (*further, *(Match(row, call, call, _on_object(call, api)) for row, call, api in put_in_place))
    further = (*further, *_configured(program, packs))
    for match in (one for each in (*calls, *further) for one in _registered(apart, each)):
        if holds(program, match):
            inner = id(program.scope_of(match.node)) in overriding and match.row.kind == "model_call"
            match = match._replace(hands_on=inner)  # noqa: PLW2901 - the same match, marked
            found.setdefault((id(match.row), id(match.node), id(match.arguments)), match)
    return tuple(sorted(found.values(), key=lambda match: (match.node.span, match.row.where)))


def _configured(program: Program, packs: Packs) -> Iterator[Match]:
    """Agents that are written down in files, as the calls that their library makes of them."""
    for path, node, given in configured_agents(program):
        yield from (Match(row, node, given, Api(path, node)) for row in packs.entities(path) if row.kind == "agent")


def _registered(apart: Apart, match: Match) -> tuple[Match, ...]:
    """A tool or an agent that a call makes, once for each use of the code that makes them of what it is given."""
    if not isinstance(match.node, ir.Call) or not isinstance(match.arguments, ir.Call):
        return (match,)
    if match.row.kind == AGENT:
        return made_for_each(apart, match)
    return apart.registered(match) if match.row.kind == TOOL else (match,)


def _names_of_objects(program: Program, packs: Packs, makers: frozenset[str]) -> Iterator[str]:
    """The names that hold objects which rows say are called, and "" for those that are called where they are made."""
    for site in call_sites(program, makers) if makers else ():
        if any(packs.entities(f"{api.path}()") for api in resolved(program, site.call.callee)):
            yield from ITSELF | names_holding(program, site.scope, site.call)


def holds(program: Program, match: Match) -> bool:
    """Whether what a row asks for is there: everything in its `when` and `requires`, nothing of the others. What keeps
    texts or runs code is there where one way makes it.
    """
    row, some = match.row, match.row.kind in MADE_ON_A_WAY
    return (
        all(_present(program, match, name) for name in row.when)
        and not any(_present(program, match, name) for name in row.unless)
        and all(is_one_of(program, match.arguments, match.api.receiver, *each, some=some) for each in row.requires)
        and not any(is_one_of(program, match.arguments, match.api.receiver, *barred) for barred in row.forbids)
        and not (row.kind == CODE_SINK and is_only_checked(program, match.node))
    )


def is_one_of(  # noqa: PLR0913 - where a condition of a row is read, and how
    program: Program, call: ir.Call | ir.Map | None, receiver: Api | None, address: Address,
    choices: tuple[Scalar, ...], *, some: bool = False,
) -> bool:  # fmt: skip
    """Whether an argument has one of these values, on every (or `some`) way; a library's name as its path."""
    found = [_plain(program, value) in choices for value in at_call(program, call, receiver, address).values]
    return any(found) if some else bool(found) and all(found)


def made_there(program: Program, call: ir.Call) -> ir.Call:
    """The call of a library that another thread makes for `to_thread(f, x)`, which is `f(x)`; else the call itself."""
    if callee_name(call.callee) in FORWARDING:
        for number, argument in enumerate(call.args):
            if isinstance(argument.value, (ir.Name, ir.Member)) and resolved(program, argument.value):
                return call._replace(callee=argument.value, args=call.args[number + 1 :])
    return call


def effect_rows(program: Program, packs: Packs, call: ir.Call, ways: tuple[Calls, ...] = ()) -> Iterator[EffectRow]:
    """What a call does to the world: for each library call that its callee can be, the first row that holds. `ways` are
    the calls by which the code around was entered: what these hand in counts, not what others do.
    """
    for api in resolved(program, call.callee):
        for row in packs.effects(api.path):
            looks = row.looks is not None and only_looks(program, call, api.receiver, row.looks)
            if not looks and all(
                is_one_of(program, call, api.receiver, *required) or _is_given(program, call, *required, ways)
                for required in row.requires
            ):
                yield row
                break


def _is_given(
    program: Program, call: ir.Call, address: Address, choices: tuple[Scalar, ...], ways: tuple[Calls, ...]
) -> bool:
    """Whether an argument may be one of these values on one of the ways."""
    exprs = expressions(program, call, address) if ways else ()
    found = (each for expr in exprs for calls in ways for each in flow.constants(program, expr, calls))
    return any(constant in choices for constant in found)


def _plain(program: Program, value: Value) -> object:
    if isinstance(value, Api):
        return program.library.canonical(value.path)
    return value.value if isinstance(value, Const) else value


_parsed = lru_cache(maxsize=None)(parse_address)


def _present(program: Program, match: Match, name: str) -> bool:
    """Whether a property, relation or address is written as something that is not None; what cannot be read counts."""
    address = match.row.properties.get(name) or match.row.relations.get(name)
    if address is None and is_place(name):
        address = _parsed(name)
    if address is None:
        return False
    values = at_call(program, match.arguments, match.api.receiver, address).values
    return any(not (isinstance(value, Const) and value.value is None) for value in values)


def call_sites(program: Program, names: frozenset[str]) -> Iterator[CallSite]:
    """All calls by one of these last names, or one that imports give it, and all calls of the project's classes."""
    present = {name for module in program.modules for name in module.index.calls}
    local = {cls.name for module in program.modules for cls in module.index.classes}
    renamed = with_aliases(names, aliases(program.modules))
    for name in sorted(present & (renamed | local | required_names(program) | maker_names(program))):
        yield from program.calls(name)


def _calls(program: Program, packs: Packs, names: frozenset[str], stated: set[tuple[int, str]]) -> Iterator[Match]:
    """The calls that rows name; where a class of the project is itself what a call would make, the class counts."""
    for site in call_sites(program, names):
        classes = [value.cls for value in program.value_of(site.call.callee) if isinstance(value, ClassValue)]
        given = (super_arguments(program, classes[0], site.call) if len(classes) == 1 else None) or site.call
        for api in resolved(program, site.call.callee):
            for row in packs.entities(api.path):
                if not any((id(one), row.kind) in stated for one in (*classes, site.call)):
                    yield Match(row, site.call, _with_bound(given, api), _on_object(site.call, api))
            for row in packs.each(api.path):
                yield from _objects(program, row, _with_bound(site.call, api), api)


def _overridden(
    program: Program, packs: Packs, names: frozenset[str], overriding: dict[int, ir.Function]
) -> Iterator[Match]:
    """The calls of the project's methods that hand on to a model call which they override; these go to `overriding`."""
    for site in call_sites(program, passed_on_names(program, names)):
        for method, api in overridden(program, site.call.callee):
            for row in packs.entities(api.path):
                if row.kind == "model_call":
                    overriding[id(method)] = method
                    yield Match(row, site.call, site.call, api)


def _forwarded(program: Program, packs: Packs, names: frozenset[str], objects: frozenset[str]) -> Iterator[Match]:
    """The calls of a library that another one runs elsewhere, with the arguments that it is handed for it."""
    for found in (*forwarded(program, names), *forwarded_objects(program, objects)):
        for api in resolved(program, found.made.callee):
            for row in packs.entities(api.path):
                yield Match(row, found.call, found.made, _on_object(found.made, api))
            for row in packs.each(api.path):
                yield from _objects(program, row, found.made, api)


def _with_bound(call: ir.Call, api: Api) -> ir.Call:
    """The call with the arguments that a partial fixed before it; what is passed to the call itself comes last."""
    return call if api.bound is None else call._replace(args=(*api.bound.args[1:], *call.args))


def _on_object(call: ir.Call, api: Api) -> Api:
    """The callee: of an object that is called by itself, the object is the receiver."""
    return Api(api.path, call.callee, api, api.bound) if api.path.endswith("()") else api


def _objects(program: Program, row: EntityRow, call: ir.Call, api: Api) -> Iterator[Match]:
    """The objects that a call names where a row says so."""
    values = at_call(program, call, api.receiver, row.each).values if row.each is not None else ()
    for value in values:
        if isinstance(value, Entries) and isinstance(value.node, ir.Map):
            yield Match(row, value.node, _as_it_grew(value, value.node), Api(api.path, value.node))


def _as_it_grew(value: Entries, display: ir.Map) -> ir.Map:
    """An object with what was put into it after it was written: `helper["tools"] = [search]`."""
    written = {entry.value for entry in display.entries}
    if not value.complete or all(entry in written for _, entry in value.entries):
        return display
    grown = (ir.Entry(ir.Literal(display.span, key), entry) for key, entry in value.entries)
    return ir.Map(display.span, tuple(grown))


def _decorated(program: Program, packs: Packs, names: frozenset[str]) -> Iterator[Match]:
    for module in program.modules:
        if not names & module.index.calls.keys():
            continue
        definitions: tuple[ir.Function | ir.Class, ...] = (*module.index.functions, *module.index.classes)
        for definition in definitions:
            if isinstance(definition, ir.Function) and not definition.name:
                continue
            for decorator in definition.parts.decorators:
                call = decorator if isinstance(decorator, ir.Call) else None
                for api in resolved(program, call.callee if call else decorator):
                    for row in packs.decorators(api.path):
                        if not _is_outside(program, packs, row, definition):
                            yield Match(row, definition, call, api)


def bare_decorator(program: Program, match: Match) -> ir.Expr | None:
    """The decorator without brackets by which a definition was matched."""
    node = match.node
    if match.arguments is not None or not isinstance(node, (ir.Function, ir.Class)):
        return None
    written = (one for one in node.parts.decorators if not isinstance(one, ir.Call))
    return next((one for one in written if any(api.path == match.api.path for api in resolved(program, one))), None)


def _is_outside(program: Program, packs: Packs, row: EntityRow, definition: ir.Function | ir.Class) -> bool:
    """Whether a definition belongs to a class whose decorated methods are something else."""
    owner = enclosing_class(program, definition) if row.outside else None
    barred = {packs.canonical(path) for path in row.outside}
    return owner is not None and any(packs.canonical(b.path) in barred for b in members.library_bases(program, owner))


def _applied(program: Program, packs: Packs, names: frozenset[str], apart: Apart) -> Iterator[Match]:
    """Decorators that are called by hand on a function of the project: `agent.register_for_llm(…)(look_up)`,
    `agent.tool_plain(look_up)`, and those that functions of the project return.
    """
    for site in call_sites(program, names):
        rows = [(api, row) for api in resolved(program, site.call.callee) for row in packs.decorators(api.path)]
        call = applied_to(program, site.call) if rows else None
        direct = _directly_applied(program, site.call) if rows and call is None else None
        for api, row in rows:
            own = any(one.kind == row.kind for one in packs.entities(api.path))  # its pack says what such a call is
            put = call if call is not None or own else direct
            if put is not None or row.kind == TOOL:
                yield from apart.applied(Match(row, site.call, site.call, api), put)


def applied_to(program: Program, decorator: ir.Call) -> ir.Call | None:
    """The call that a decorator made by a call is put to use in; None where it stands above a definition."""
    around = program.structure(program.scope_of(decorator)).parent(decorator)
    return around if isinstance(around, ir.Call) and around.callee is decorator and around.args else None


def _directly_applied(program: Program, decorator: ir.Call) -> ir.Call | None:
    """The call itself, where a decorator is called with the function that it would stand above; `@router(read)` is
    called with a function, too, and stands above another one.
    """
    first = decorator.args[0] if decorator.args else None
    if first is None or first.keyword or first.spread:
        return None
    around = program.structure(program.scope_of(decorator)).definitions
    if any(decorator is one for definition in around for one in definition.parts.decorators):
        return None
    is_function = any(isinstance(value, Func) for value in program.value_of(first.value))
    return decorator if is_function else None


def _subclassed(program: Program, packs: Packs) -> Iterator[Match]:
    for module in program.modules:
        for cls in module.index.classes:
            if cls.kind != "class":
                continue
            for base in members.library_bases(program, cls):
                for row in packs.subclasses(base.path):
                    if row.kind in _SAYING and program.subclasses(cls) and not _is_made(program, cls):
                        continue  # others are the agents, which derive from it
                    if row.kind != TOOL:
                        yield Match(row, cls, said_in_place(program, cls) if row.kind in _WITH_FIELDS else None, base)
                    elif not _is_unfinished(program, cls, row.method):
                        yield from _objects_of(program, row, cls, base)


def _objects_of(program: Program, row: EntityRow, cls: ir.Class, base: Api) -> Iterator[Match]:
    """A class that is a tool, or its objects, where each is another one: `Search("find", …)`, `Search("list", …)`."""
    said = said_by_class(program, cls, row.properties.get("name"))
    method = method_in(program, cls, row.method) if row.method and len(said) > 1 else None
    if method is None:
        yield Match(row, cls, passed_to_base(cls), base)
    for call in said.values() if method is not None else ():
        if call is not None:
            yield Match(row, call, super_arguments(program, cls, call) or call, base, runs=method)


def method_in(program: Program, cls: ir.Class, name: str) -> ir.Function | None:
    """The method of a name that the objects of a class have, inherited or not."""
    methods = (each for one in lineage(program, cls) for each in one.body)
    return next((method for method in methods if isinstance(method, ir.Function) and method.name == name), None)


def _is_unfinished(program: Program, cls: ir.Class, method: str | None) -> bool:
    """Whether a class is only there for others to derive from: it leaves to them what its library calls, or nobody
    makes an object of it.
    """
    if not method or not program.subclasses(cls):
        return False
    has_it = any(method in program.attributes(one) for one in lineage(program, cls))
    return not has_it or not _is_made(program, cls)


def _is_made(program: Program, cls: ir.Class) -> bool:
    return any(one is cls for one, _ in constructions(program, cls))
