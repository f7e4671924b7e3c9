"""Lists and texts that the passes of a hand-written loop, or the turns of a chat, make longer and that its model is
asked with.

What outlives the run is a memory, and found there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Collection
from agent_architecture.model.settings import ABSENT
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Instance, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.bounds.trims import trims, windows
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.taint.access_paths import owner_of, places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import FeedbackPath
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.bounds.trims import Trim
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.access_paths import Place
    from agent_architecture.semantics.topics.memories.memories import Memories
    from agent_architecture.sources.source import Span


RECORD: Final = "interface"
"""The kind of a type that only says what its objects hold."""


class _Grown(NamedTuple):
    span: Span
    path: FeedbackPath
    trim: Trim | None
    stays: bool
    """Whether the next run finds it."""
    is_chat: bool = False
    """Whether a chat's passes do it: the loops in a turn begin with what the chat leaves."""


def grown_lists(context: Context, loops: Iterable[HandWritten], remembered: Memories) -> Iterator[Collection]:
    """The collections, each once, with all loops that grow it."""
    kept = {(memory.span.path, memory.span.line) for memory in remembered.memories}
    found: dict[tuple[str, int, str], list[_Grown]] = {}
    for loop in loops:
        for place, change in loop.grown:
            if place in remembered.places or not _is_context(context.program, place, change):
                continue
            for made in _made(context.program, loop, place) or _in_records(context.program, loop, place, change):
                if (made.span.path, made.span.line) in kept:
                    continue
                stays = isinstance(made.scope, ir.Module) or loop.site is None  # a chat's next turn finds it
                grown = _Grown(made.span, loop.path, _trim(context, loop, place), stays, loop.site is None)
                found.setdefault((made.span.path, made.span.line, made.name or place[1]), []).append(grown)
    for (_, _, name), group in found.items():
        turns = [
            one for one in group if one.is_chat and one.trim is not None
        ]  # the loops in a turn begin with what is left
        untrimmed = [] if turns else [one for one in group if one.trim is None]
        trim = None if untrimmed else (turns or group)[0].trim
        paths = tuple(one.path for one in untrimmed or group)
        bound, overflow = (ABSENT, ABSENT) if trim is None else (trim.bound, trim.overflow)
        steps = {path.confidence for path in paths} | ({trim.confidence} if trim is not None else set())
        confidence = Confidence.HIGH if steps == {Confidence.HIGH} else Confidence.MEDIUM
        yield Collection(
            group[0].span,
            name,
            "",
            paths,
            lives_on=any(one.stays for one in group),
            bound=bound,
            overflow=overflow,
            confidence=confidence,
        )


def _is_context(program: Program, place: Place, change: ir.Node) -> bool:
    """Whether what grows is text that was said: an object of the project's own holds that in its attributes, and of
    attributes and variables of modules (tables of tools, plans) those count that are called so.
    """
    owner, name = place
    if owner.startswith(".") or owner in {owner_of(module) for module in program.modules}:
        return is_said(name) or _is_part_said(change) or _is_of_record(program, owner)
    target = change.callee.target if isinstance(change, ir.Call) and isinstance(change.callee, ir.Member) else None
    values = program.value_of(target) if isinstance(target, ir.Name) else ()
    return not any(isinstance(value, Instance) for value in values)


def _is_part_said(change: ir.Node) -> bool:
    """Whether what is changed inside is called so: `self.request["messages"].append(turn)`."""
    target = change.callee if isinstance(change, ir.Call) else change.target if isinstance(change, ir.Assign) else None
    while isinstance(target, (ir.Member, ir.Index)):
        key = target.key.value if isinstance(target, ir.Index) and isinstance(target.key, ir.Literal) else ""
        if is_said(target.name if isinstance(target, ir.Member) else str(key)):
            return True
        target = target.target
    return False


def _is_of_record(program: Program, owner: str) -> bool:
    """Whether a place belongs to a type that only describes records: of what a model is asked with, it is a part."""
    classes = (cls for module in program.modules for cls in module.index.classes)
    return any(f".{cls.span}" == owner and cls.kind == RECORD for cls in classes)


class _Made(NamedTuple):
    span: Span
    scope: ir.Scope | ir.Class
    name: str = ""
    """Of the variable, where that is not the place's own."""


def _made(program: Program, loop: HandWritten, place: Place) -> tuple[_Made, ...]:
    """Where a place gets its first value: in the loop's own function, else wherever that is."""
    owner, name = place
    scopes: list[ir.Scope] = [loop.scope, *(function for function, _ in loop.inside.called)]
    scopes += [outer for scope in tuple(scopes) if isinstance(outer := getattr(scope, "outer", None), ir.Function)]
    for scope in (*scopes, *program.modules):
        if isinstance(scope, (ir.Function, ir.Module)) and owner_of(scope) == owner:
            return _first(program, scope, program.bindings(scope).get(name, ()))
    for module in program.modules:
        for cls in module.index.classes if owner.startswith(".") else ():
            if f".{cls.span}" == owner:
                bindings = program.attributes(cls).get(name, ())
                inside = [b for b in bindings if loop.scope.span.contains(b.node.span) and b.value is not None]
                return _first(program, cls, tuple(inside) or bindings)
    return ()


def _in_records(program: Program, loop: HandWritten, place: Place, change: ir.Node) -> tuple[_Made, ...]:
    """Where a record is written that passes grow: `{ steps: [] }` in the function of the loop, or in what it calls."""
    if not isinstance(loop.scope, ir.Function) or not _is_of_record(program, place[0]):
        return ()
    target = change.callee.target if isinstance(change, ir.Call) and isinstance(change.callee, ir.Member) else None
    name = target.name if isinstance(target, ir.Member) else place[1]
    called = (f for call in program.structure(loop.scope).calls for f in program.callees(call))
    for scope in dict.fromkeys((loop.scope, *called)):
        for node in program.structure(scope).nodes:
            for entry in node.entries if isinstance(node, ir.Map) else ():
                if isinstance(entry.key, ir.Literal) and entry.key.value == name and is_container(entry.value):
                    return (_Made(entry.key.span, scope, name),)
    return ()


def _first(program: Program, scope: ir.Scope | ir.Class, bindings: tuple[Binding, ...]) -> tuple[_Made, ...]:
    for binding in bindings:
        if binding.kind == "parameter" and isinstance(binding.extra, ir.Parameter):
            return _given(program, binding) or (_Made(binding.extra.span, scope),)
        if binding.kind == "assign" and binding.value is not None:
            return (_Made(binding.node.span, scope),)
    return ()


def _given(program: Program, binding: Binding) -> tuple[_Made, ...]:
    """The variables that the callers in the project make and give a parameter; none where some caller gives something
    else.
    """
    function, param = binding.node, binding.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        return ()
    given = [passed_argument(site, function, param) for site in program.callers(function)]
    made = [_variable(program, one) for one in given if not _is_itself(program, one, binding)]
    return tuple(one for one in made if one is not None) if None not in made else ()


def _is_itself(program: Program, argument: ir.Expr | Unknown | None, binding: Binding) -> bool:
    """Whether a recursion hands on what it was given, or a copy of it."""
    if isinstance(argument, ir.Map):
        return any(_is_itself(program, entry.value, binding) for entry in argument.entries if entry.key is None)
    bound = visible_bindings(program, argument) if isinstance(argument, ir.Name) else ()
    return bool(bound) and all(each.node is binding.node and each.name == binding.name for each in bound)


def _variable(program: Program, argument: ir.Expr | Unknown | None) -> _Made | None:
    for given in visible_bindings(program, argument) if isinstance(argument, ir.Name) else ():
        if given.kind == "assign" and given.value is not None:
            return _Made(given.node.span, program.scope_of(given.node), given.name)
    return None


def _trim(context: Context, loop: HandWritten, place: Place) -> Trim | None:
    """What the passes do to keep the place small, or to show the model little of it."""

    def is_it(expr: ir.Expr | None) -> bool:
        named = expr.id if isinstance(expr, ir.Name) else expr.name if isinstance(expr, ir.Member) else ""
        return named == place[1] and expr is not None and place in places_at(context.program, expr)

    asks = [ask.node for ask in loop.asks if isinstance(ask.node, ir.Call)]
    found = next(trims(context, loop.inside.nodes(), is_it), None)
    return found or next(windows(context, asks, is_it), None)
