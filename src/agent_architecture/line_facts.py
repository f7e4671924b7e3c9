"""What the rooms of the semantics say of one line: effects, flows, guards, bounds, schemas, callers.

`explain FILE:LINE` shows it.

A table of contents over their public questions: it asks, and puts the answers into words. It decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.entity_words import KINDS
from agent_architecture.line_schemas import schemas_at
from agent_architecture.model.effects import Shaped
from agent_architecture.model.outputs import Boundary
from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.names.mutations import changes_of_attribute, changes_of_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_limits import limits_of
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.bounds.loop_bounds import bounds_of
from agent_architecture.semantics.bounds.spawns import spawned, width_of
from agent_architecture.semantics.callgraph.passed_functions import calls_passing
from agent_architecture.semantics.callgraph.reach import entry_points, extent
from agent_architecture.semantics.callgraph.routes import routes
from agent_architecture.semantics.control.condition import Either, either
from agent_architecture.semantics.control.conditions_of_project import conditions_of, ways_through
from agent_architecture.semantics.conversations.writers import Writers
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.taint.request_handlers import handing, registers
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.model.effects import Effect
    from agent_architecture.model.system import AgentSystem, Bound, Subject
    from agent_architecture.names.flow import Origin as Beginning
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.agents.recognised import Recognised
    from agent_architecture.semantics.control.condition import Condition, Known
    from agent_architecture.sources.source import Span

    Code = Callable[[str, int], str | None]

ENTRIES: Final = 8
"""Entry points from which the ways to a line are followed."""
WAYS: Final = 4
"""Ways of which one was taken that are told."""
TITLES: Final = (
    "Effects", "What reaches the arguments", "Checked on every way here", "Bounds", "What is admitted", "Settings",
    "Who runs this",
)  # fmt: skip
"""Of the kinds of facts, in their order."""
WHOSE: Final = {"user": "a user", "model": "a model"}
MARKED: Final = {Boundary.NONE: ", unmarked"}
"""How a text stands among others; where it is marked, the boundary's own word would need its page."""
LINES: Final = 4
"""Lines of code that are quoted as one."""
LONGEST: Final = 60
"""Characters of code that are quoted; the rest of a test says no more about which one it is."""
SAYS: Final = {True: "holds", False: "does not hold", None: "came back"}
"""How a condition was answered: a test, or a call that may raise."""


class LineFacts(NamedTuple):
    """What is known of a line, each fact in one line of text, in the order of the code."""

    effects: tuple[str, ...] = ()
    """What its calls, or the function that it begins, do to the world, and where."""
    flows: tuple[str, ...] = ()
    """What reaches the arguments of its calls."""
    guards: tuple[str, ...] = ()
    """What has been checked on every way to it."""
    bounds: tuple[str, ...] = ()
    """What ends its loop or wait, and keeps its collection small."""
    schemas: tuple[str, ...] = ()
    """What its types and schemas admit, and who holds values to them."""
    settings: tuple[str, ...] = ()
    """What its entities are set to, in effect."""
    callers: tuple[str, ...] = ()
    """Who runs it, and where the outside begins that leads there."""

    def titled(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Those of which something is known, under their titles."""
        return tuple((title, facts) for title, facts in zip(TITLES, self, strict=True) if facts)


def facts_at(known: Recognised, system: AgentSystem, module: ir.Module, line: int, code: Code) -> LineFacts:
    """What the rooms say of a line of a module; `code` gives a line of a file."""
    asked = _Line(known, module, line, code)
    here = [one for one in entities(system) if (one[1].span.path, one[1].span.line) == (module.path, line)]
    bounds = (*_bounds_of_entities(here), *asked.bounds())
    schemas = asked.schemas([entity for _, entity in here])
    found = (asked.effects(), asked.flows(), asked.guards(), bounds, schemas, _settings(here), asked.callers())
    return LineFacts._make(tuple(dict.fromkeys(texts)) for texts in found)


def entities(system: AgentSystem) -> Iterator[tuple[str, Subject]]:
    """Every entity of a system that stands somewhere, with the field that holds it."""
    for field in system._fields:
        found = getattr(system, field)
        yield from ((field, each) for each in found if hasattr(each, "span")) if isinstance(found, tuple) else ()


class _Line:
    """The questions about one line."""

    def __init__(self, known: Recognised, module: ir.Module, line: int, code: Code) -> None:
        self._context, self._agents, _ = known
        self._program = self._context.program
        self._code = code
        self._module = module
        self._line = line
        functions = module.index.functions
        self._begun = [one for one in functions if one.name_span.line == line]
        scopes: tuple[ir.Scope, ...] = (module, *module.index.classes, *functions)
        nodes = (node for scope in scopes for node in self._program.structure(scope).nodes if node.span.line == line)
        order = sorted({id(node): node for node in nodes}.values(), key=_place)
        self._nodes: list[ir.Node] = order
        self._calls = [node for node in order if isinstance(node, ir.Call)]

    def _around(self) -> ir.Scope:
        """The function that the line begins or stands in, else the module."""
        holding = (one for one in self._module.index.functions if one.name_span.line <= self._line <= one.span.end_line)
        return min(holding, key=lambda one: one.span.end_line - one.span.line, default=self._module)

    # -------------------------------------------------------------------------------------------------------- effects
    def effects(self) -> Iterator[str]:
        """The summary of the functions that begin here, else of the calls."""
        summary = self._agents.facts.effects
        for function in self._begun:
            yield from (self._effect(each, function) for each in summary.of(function))
        for call in () if self._begun else self._calls:
            scope = self._program.scope_of(call)
            yield from (self._effect(each, scope) for each in summary.among((call,), scope))

    @staticmethod
    def _effect(effect: Effect, scope: ir.Scope) -> str:
        name = scope.qualname if isinstance(scope, ir.Function) else "the module"
        how = {Shaped.WHOLLY: f", all of it given to {name}", Shaped.PARTLY: f", partly given to {name}"}
        quoted = ", quoted" if effect.quoted else ""
        record = "; it only records" if effect.is_record else "; in passing" if effect.in_passing else ""
        return f"{effect.kind}: {effect.symbol} ({effect.span}){how.get(effect.shaped, '')}{quoted}{record}"

    # ---------------------------------------------------------------------------------------------------------- flows
    def flows(self) -> Iterator[str]:
        """Where each argument begins, and whose word it is where the project did not write it."""
        writers = Writers(self._context, self._agents)
        for call in self._calls:
            for number, argument in enumerate(call.args, 1):
                if isinstance(argument.value, (ir.Literal, ir.Function)):
                    continue
                name = f"{called(call) or 'a call'}, {argument.keyword or f'argument {number}'}"
                for origin in writers.origins(argument.value):
                    whose = "".join(
                        f", the word of {WHOSE.get(each.origin, each.origin)}{MARKED.get(each.boundary, '')}"
                        for each in writers.entering(origin)
                    )
                    yield f"{name}: {self._beginning(origin)}{whose}"

    def _beginning(self, origin: Beginning) -> str:
        node = origin.node
        match origin.kind:
            case "constant":
                return f"constant {self._text(node)} ({node.span})"
            case "parameter" if isinstance(node, ir.Function):
                return f"parameter {origin.name} of {node.qualname} ({node.name_span})"
            case "call" if isinstance(node, ir.Call):
                return f"answer of {called(node) or 'a call'} ({node.span})"
            case "name":
                return f"{origin.name.rpartition(':')[2] or self._text(node)} ({node.span})"
            case _:
                return f"unknown: {self._text(node)} ({node.span})"

    # --------------------------------------------------------------------------------------------------------- guards
    def guards(self) -> Iterator[str]:
        """What holds on every way from every entry point to the first node of the line."""
        if not self._nodes:
            return
        node, scope = self._nodes[0], self._program.scope_of(self._nodes[0])
        entries = entry_points(self._program, scope, self._context.once(routes))
        if all(isinstance(entry, ir.Function) for entry in entries) and len(entries) <= ENTRIES:
            ways = [ways_through(self._context, f.body, f).to(node) for f in entries if isinstance(f, ir.Function)]
            known = either(ways) or ()
        else:
            known = conditions_of(self._context).at(node)
        yield from self._known(known)

    def _known(self, known: Known, deep: int = 0) -> Iterator[str]:
        """Conditions, and ways of which one was taken; of many ways, and of ways inside ways, that there are more."""
        for part in known:
            if not isinstance(part, Either):
                yield self._condition(part)
            elif deep:
                yield f"one of {len(part.ways)} ways"
            else:
                ways = [" and ".join(self._known(way, deep + 1)) for way in part.ways[:WAYS]]
                ways += [f"{len(part.ways) - WAYS} more ways"] if len(part.ways) > WAYS else []
                yield "one of: " + "; or ".join(ways)

    def _condition(self, condition: Condition) -> str:
        whole = self._text(expr := condition.expr)
        if isinstance(expr, ir.Operator) and len(expr.operands) == len(("left", "right")):
            parts = map(self._text, expr.operands)
            whole = f" {expr.op} ".join(parts)  # as it is read: `not in` is a `not`, then an `in`
        elif isinstance(expr, ir.Call) and not expr.span.contains(expr.callee.span):  # as a function has it
            whole = f"{self._text(expr.callee)}({', '.join(self._text(a.value) for a in expr.args)})"
        return f"`{whole}` {SAYS[condition.holds]} ({expr.span})"

    # --------------------------------------------------------------------------------------------------------- bounds
    def bounds(self) -> Iterator[str]:
        """Of loops and parallel work that begin here, of containers that are made here, and of what must be in time."""
        for node in self._nodes:
            if isinstance(node, ir.Loop):
                ends = self._of_loop(node)
                yield from map(_bound, ends)
                yield from () if ends else ("no number, clock or collection ends this loop",)
                yield from () if node.source is None else (f"over {_setting(width_of(self._program, node.source))}",)
        for call in self._calls:
            for spawn in (each for a in call.args for each in spawned(self._program, a.value)):
                if spawn.source is not None:
                    yield f"for each of {self._text(spawn.source)}: {_setting(width_of(self._program, spawn.source))}"
            deadline = deadline_around(self._context, call, self._program.scope_of(call))
            yield from () if deadline is None else (_bound(deadline),)
        for owner, binding in self._containers():
            kept = limits_of(self._context, owner, binding).bound
            said = "nothing keeps it small" if kept is ABSENT else f"kept to {_setting(kept)}"
            yield f"{binding.name} grows while the program runs: {said}"

    def _of_loop(self, loop: ir.Loop) -> tuple[Bound, ...]:
        body = (*loop.body, *((loop.test,) if loop.test else ()), *loop.update)
        inside = extent(self._program, body, set())
        return bounds_of(self._program, loop, self._program.scope_of(loop), inside, ())

    def _containers(self) -> Iterator[tuple[ir.Module | ir.Class, Binding]]:
        """The containers of the module and of its objects that are made here and grow."""
        made = (ir.List, ir.Map, ir.Call)
        for name, bindings in self._program.bindings(self._module).items():
            for binding in bindings:
                if self._is_here(binding) and isinstance(binding.value, made):
                    yield from [(self._module, binding)] if changes_of_name(self._program, self._module, name) else ()
        for cls in self._module.index.classes:
            for name, bindings in self._program.attributes(cls).items():
                for binding in bindings:
                    if self._is_here(binding) and isinstance(binding.value, made):
                        yield from [(cls, binding)] if changes_of_attribute(self._program, cls, name) else ()

    def _is_here(self, binding: Binding) -> bool:
        return binding.node.span.line == self._line and binding.node.span.path == self._module.path

    # -------------------------------------------------------------------------------------------------------- schemas
    def schemas(self, here: list[Subject]) -> Iterator[str]:
        """What the types and schemas that begin here admit."""
        classes = [one for one in self._module.index.classes if one.name_span.line == self._line]
        nodes = [node for node in self._nodes if not isinstance(node, ir.Class)]
        yield from schemas_at(self._context, self._begun, (*classes, *nodes), here)

    # -------------------------------------------------------------------------------------------------------- callers
    def callers(self) -> Iterator[str]:
        """Who runs the function that the line begins or stands in, and the entry points that lead to it."""
        scope = self._around()
        if not isinstance(scope, ir.Function):
            return
        requests = self._context.once(routes)
        known = self._program.callers(scope)
        calls = {id(site.call) for site in known}
        handed = (site for site in calls_passing(self._program, scope) if id(site.call) not in calls)
        for site in (*known, *handed):
            how = "handed over at" if site.escapes else "decorates at" if site.decorates else "called at"
            sure = ", known by its name alone" if site.inferred else ""
            yield f"{how} {site.call.span}, in {_name(site.scope)}{sure}"
        for site in requests.get(id(scope), ()):
            yield f"asked for by a request at {site.call.span}, in {_name(site.scope)}"
        route = next(filter(None, (handing(self._program, scope), *map(_registering, scope.decorators))), None)
        yield from () if route is None else (f"answers requests: {called(route)} ({route.span})",)
        is_tool = id(scope) in self._agents.running()
        if is_tool:
            yield f"a model runs {scope.qualname}: it is the code of a tool"
        for entry in entry_points(self._program, scope, requests):
            if entry is not scope:
                yield f"entry point: {_name(entry)} ({_begin(entry)})"
            elif not is_tool and route is None:
                yield f"no code of the project runs {scope.qualname} by itself: it is an entry point"

    # ----------------------------------------------------------------------------------------------------------- text
    def _text(self, node: ir.Node) -> str:
        """The code of a node, on one line."""
        span = node.span
        last = min(span.end_line, span.line + LINES - 1)
        lines = [self._code(span.path, number) or "" for number in range(span.line, last + 1)]
        if last == span.end_line:
            lines[-1] = lines[-1][: span.end_col - 1]
        lines[0] = lines[0][span.col - 1 :]
        text = " ".join(" ".join(lines).split())
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _place(node: ir.Node) -> tuple[int, int, int]:
    return (node.span.col, -node.span.end_line, -node.span.end_col)


def _name(scope: ir.Scope) -> str:
    return scope.path if isinstance(scope, ir.Module) else scope.qualname


def _registering(decorator: ir.Expr) -> ir.Call | None:
    return decorator if isinstance(decorator, ir.Call) and decorator.args and registers(decorator) else None


def _begin(scope: ir.Scope) -> Span:
    return scope.span if isinstance(scope, ir.Module) else scope.name_span


def _bounds_of_entities(here: Iterable[tuple[str, Subject]]) -> Iterator[str]:
    """What is known of the ends of feedback paths, the steps that reach a model considered."""
    for _, entity in here:
        yield from map(_bound, getattr(entity, "bounds", ()))
        deadline = getattr(entity, "deadline", None)
        yield from () if deadline is None else (_bound(deadline),)


def _settings(here: Iterable[tuple[str, Subject]]) -> Iterator[str]:
    for field, entity in here:
        for name, value in zip(getattr(entity, "_fields", ()), entity, strict=True):  # type: ignore[call-overload]
            if isinstance(value, Setting) and value.origin is not Origin.ABSENT:
                yield f"{KINDS[field]}, {name.replace('_', ' ')}: {_setting(value)}"


def _bound(bound: Bound) -> str:
    limit = "" if bound.limit.origin is Origin.ABSENT else f", {_setting(bound.limit)}"
    partly = "" if bound.every_path else ", not on every way"
    reset = f", set back at {bound.reset}" if bound.reset is not None else ""
    return f"ended by {str(bound.kind).replace('_', ' ')} ({bound.span}){limit}{partly}{reset}"


def _setting(setting: Setting) -> str:
    if setting.origin is Origin.UNKNOWN:
        return f"not readable{f' ({setting.source})' if setting.source else ''}"
    values = " or ".join(map(str, setting.values)) or "not set"
    return f"{values}{setting.remark}{f' ({setting.span})' if setting.span else ''}"
