"""What switches tracing on or off: calls of libraries, and variables of the environment that the project sets.

States which packs each one speaks of and whether it is on. Must not judge, nor know what is to be recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin, Setting, unknown
from agent_architecture.model.tracing import Recording
from agent_architecture.names.values import Api, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.control.deciding_tests import deciding
from agent_architecture.semantics.control.default_off import holds_by_default, off_by_default
from agent_architecture.semantics.matching.context import label
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.environment import ROLES, assigned
from agent_architecture.sources.languages import CODE, is_python
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.environment import Assigned
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

OPENED: Final = "opened"
"""The scope of tracers that carry the spans which others open."""
TARGETED: Final = frozenset({"callbacks", "target"})
"""Scopes of tracers that record what they are given to or given, and nothing else."""
STANDARD: Final = "gen_ai"
"""The convention that everybody can read: of tracers that are equally on, the one that uses it counts."""
HELPERS: Final = 2
"""Functions that call each other on the way to a switch."""
OFF: Final = (False, 0, None)


class Switch(NamedTuple):
    """A tracer that is on, off, or cannot be read; `pack` is whose it is. Files and variables decide less than code.

    `place` is the file in which code switches it; "" where a deployment's file does.
    """

    scopes: frozenset[str]
    pack: str
    recording: Recording
    in_code: bool
    place: str = ""


class Switches:
    """All switches of a project, by what they speak of. One in code holds for the programs that load it."""

    def __init__(self, context: Context) -> None:
        self._programs = context.once(Programs)
        self._all = (*_of_calls(context), *_of_environment(context))
        rows = context.packs.environment
        words = [str(row.constants.get("scope", "")).split() for row in rows if row.kind == "tracer"]
        self._spoken_of = frozenset(w for group in words for w in group).union(*(s.scopes for s in self._all))

    @property
    def any(self) -> bool:
        """Whether something in the project switches tracing, on or off."""
        return bool(self._all)

    def speak_of(self, pack: str) -> bool:
        """Whether some tracer decides about the spans of a pack."""
        return pack in self._spoken_of

    def of(self, word: str, at: str) -> Recording | None:
        """What records everything of a pack, or what is opened, in a file: the best of all libraries; None where none
        speaks.
        """
        by_pack: dict[str, list[Switch]] = {}
        for switch in self._all:
            if word in switch.scopes and not self._programs.apart(switch.place, at):
                by_pack.setdefault(switch.pack, []).append(switch)
        found = [recording for group in by_pack.values() if (recording := _decided(group)) is not None]
        return min(found, key=_rank, default=None)

    def of_library(self, pack: str, at: str) -> Recording | None:
        """What a tracing library's own switches say of it in a file."""
        own = (switch for switch in self._all if switch.pack == pack)
        return _decided([switch for switch in own if not self._programs.apart(switch.place, at)])


def _decided(group: Iterable[Switch]) -> Recording | None:
    """Of one library: what code switches off stays off; else anything that is on, else what cannot be read."""
    switches = sorted(group, key=lambda s: (not (s.in_code and is_off(s.recording.enabled)), _rank(s.recording)))
    return switches[0].recording if switches else None


def _rank(recording: Recording) -> tuple[int, bool]:
    """On before unknown before off; of equals one that says what its names are."""
    unnamed = recording.convention != STANDARD
    if recording.enabled.origin is Origin.UNKNOWN:
        return 1, unnamed
    return 2 if is_off(recording.enabled) else 0, unnamed


def is_off(setting: Setting) -> bool:
    """Whether a switch is known to be off: every written value but false, 0 and None is on."""
    return setting.is_known and all(value in OFF for value in setting.values)


def is_on(setting: Setting) -> bool:
    """Whether a switch is known to be on."""
    return setting.is_known and not any(value in OFF for value in setting.values)


def _of_calls(context: Context) -> Iterable[Switch]:
    for match in context.of_kind("tracer"):
        file = context.program.table.file(match.node.span.path)
        if file is not None and file.role not in ROLES:
            continue
        enabled = effective(context, match, "enabled")
        scopes = scopes_of(context, match)
        if enabled.origin is Origin.ABSENT or not scopes or scopes & TARGETED or not _is_run(context, match):
            continue
        if off_by_default(context, match.node) is not None:
            continue
        if is_off(enabled) and (enabled.origin is Origin.DEFAULT or _is_local(context, match)):
            continue
        by, why = label(match), f"switches it off at {place(match)}"
        recording = named(context, match, Recording(by, reached(context, match, enabled), match.node.span, why))
        yield Switch(scopes, match.row.where.pack, recording, in_code=True, place=match.node.span.path)


def _is_run(context: Context, match: Match) -> bool:
    """Whether the project has the program that starts what a tracer needs, where the library itself does not."""
    program, path = match.row.constants.get("run_by"), match.node.span.path
    ecosystem = "pypi" if is_python(path) else "npm"
    return not isinstance(program, str) or context.versions.of(ecosystem, program, path).path is not None


def named(context: Context, tracer: Match, recording: Recording) -> Recording:
    """What a tracer records, with its names for it and its events."""
    said = [effective(context, tracer, word).value for word in ("convention", "events")]
    convention, events = (str(value) if value is not None else "" for value in said)
    if _starts_instrumentor(context, tracer.row.constants, tracer.node.span.path):
        convention = STANDARD
    return recording._replace(convention=convention, events=events)


def _starts_instrumentor(context: Context, constants: Mapping[str, object], path: str) -> bool:
    """Whether what is switched on starts an official instrumentor, too, for the project has its package."""
    package = constants.get("starts")
    return isinstance(package, str) and context.versions.of("pypi", package, path).path is not None


def reached(context: Context, match: Match, enabled: Setting) -> Setting:
    """Whether a tracer is on, where it is not certain that its call is reached: unknown."""
    why = doubt(context, match)
    return unknown(why, match.node.span) if why else _state(enabled)


def place(match: Match) -> str:
    """Where a match stands, for a reader."""
    return f"{match.node.span.path}:{match.node.span.line}"


def _state(enabled: Setting) -> Setting:
    if enabled.is_known and not is_off(enabled) and not is_on(enabled):
        return unknown("a value that differs from way to way", enabled.span)
    return enabled


def scopes_of(context: Context, match: Match) -> frozenset[str]:
    """What a tracer says that it traces."""
    scope = effective(context, match, "scope")
    return frozenset(word for value in scope.values if isinstance(value, str) for word in value.split())


def _of_environment(context: Context) -> Iterable[Switch]:
    for found in assigned(context):
        if found.row.kind == "tracer" and found.row.sets == "enabled":
            scopes = frozenset(str(found.row.constants.get("scope", "")).split())
            shown = f"{found.path}:{found.span.line}"
            node = _node_at(context, found.path, found.span)
            if node is not None and off_by_default(context, node) is not None:
                continue
            condition = "" if node is None else _condition(context, node)
            setting = found.setting if node is None or found.setting.is_known else _of_handlers(context, node, found)
            if setting is None:
                continue
            state = unknown(condition, found.span) if condition else setting
            recording = Recording(
                f"{found.variable} ({shown})",
                state,
                found.span,
                f"is off in {shown}",
                convention=STANDARD
                if _starts_instrumentor(context, found.row.constants, found.path)
                else str(found.row.constants.get("convention", "")),
                events=str(found.row.constants.get("events", "")),
            )
            yield Switch(scopes, found.row.where.pack, recording, in_code=False, place=found.path)


def _of_handlers(context: Context, node: ir.Node, found: Assigned) -> Setting | None:
    """What the handlers say that a library's object holds which an attribute is set to (`CallbackManager([handler])`):
    on where one traces, None where all are known and none does.
    """
    around = (node, *context.program.structure(context.program.scope_of(node)).ancestors(node))
    assigned_to = next((each.value for each in around if isinstance(each, ir.Assign) and each.value is not None), None)
    values = context.program.value_of(assigned_to) if assigned_to is not None else ()
    made = [value.node for value in values if isinstance(value, Api) and isinstance(value.node, ir.Call)]
    given = [value for call in made for a in call.args for value in context.program.value_of(a.value)]
    lists = [value for value in given if isinstance(value, Items)]
    held = [inner for each in lists for item in each.items for inner in context.program.value_of(item)]
    for tracer in context.made_by((*given, *held), "tracer"):
        if "callbacks" in scopes_of(context, tracer):
            return reached(context, tracer, effective(context, tracer, "enabled"))
    is_read = len(made) == len(values) == 1 and all(isinstance(value, Api) for value in held)
    return None if is_read and lists and all(each.complete for each in lists) else found.setting


def _is_local(context: Context, match: Match) -> bool:
    """Whether a tracer that is off holds for a block, for the run that it is given to, or by default: for nothing else.

    An object of the agents' own library (`RunConfig`) is given to runs, whose own row reads it.
    """
    structure = context.program.structure(context.program.scope_of(match.node))
    withs = structure.enclosing(match.node, ir.With)
    if any(item.value is match.node for around in withs for item in around.items):
        return True
    own = match.row.where.pack in scopes_of(context, match)
    return own and isinstance(match.arguments, ir.Call) and _is_constructor(match.arguments)


def _is_of_a_run(context: Context, match: Match) -> bool:
    """Whether a switch is an argument of the library's own run: `Runner.run(…, run_config=RunConfig())` is both or
    none.
    """
    around = context.program.structure(context.program.scope_of(match.node)).enclosing(match.node, ir.Call)
    runs = (context.at(call, "run") for call in around)
    return any(run is not None and run.row.where.pack == match.row.where.pack for run in runs)


def _is_constructor(call: ir.Call) -> bool:
    callee = call.callee
    name = callee.name if isinstance(callee, ir.Member) else callee.id if isinstance(callee, ir.Name) else ""
    return name[:1].isupper()


def doubt(context: Context, match: Match) -> str:
    """What may keep a switch from being reached: a condition that is set elsewhere, or that nobody calls it."""
    program = context.program
    scope = program.scope_of(match.node)
    if _is_of_a_run(context, match):
        return ""
    condition = _on_each_way(context, match.node, scope, HELPERS)
    if condition:
        return condition
    return _uncalled(program, scope, HELPERS)


def _uncalled(program: Program, scope: ir.Scope, depth: int) -> str:
    """That nothing in the project calls a function, or only functions do that nothing calls."""
    if (
        not isinstance(scope, ir.Function)
        or not isinstance(scope.outer, ir.Module)
        or program.module_of(scope).language is not Language.PYTHON
        or scope.decorators
        or program.mentions(scope)
    ):
        return ""
    sites = program.callers(scope)
    if not sites:
        return f"whoever calls {scope.name}, which nothing in the project does"
    found = [_uncalled(program, site.scope, depth - 1) for site in sites] if depth else [""]
    return found[0] if all(found) else ""


def _on_each_way(context: Context, node: ir.Node, scope: ir.Scope, depth: int) -> str:
    """What may keep a place from being reached, there or, of a function, at each place where it is called."""
    own = _condition(context, node)
    if own or not depth or not isinstance(scope, ir.Function):
        return own
    sites = [site for site in context.program.callers(scope) if not site.escapes]
    found = [_on_each_way(context, site.call, site.scope, depth - 1) for site in sites]
    return found[0] if found and all(found) else ""


def _condition(context: Context, node: ir.Node) -> str:
    """The condition under which a place is reached, unless it only asks whether it was there before, or is set so."""
    program = context.program
    asked = [
        each
        for each in deciding(context, node)
        if not _is_first_time(program.structure(program.scope_of(each.at)), each)
    ]
    first = min((each.at.span for each in asked if not holds_by_default(context, each)), default=None)
    return "" if first is None else f"the condition at {first.path}:{first.line}"


def _is_first_time(structure: Structure, asked: Condition) -> bool:
    """`x is None`, `not done`, `__name__ == "__main__"`."""
    match asked.expr:
        case ir.Name():
            return asked.holds is False
        case ir.Operator(op=ir.Op.EQ | ir.Op.IS | ir.Op.NE as op, operands=operands):
            said = asked.holds is (op != ir.Op.NE)
            return any(map(_is_main, operands)) or (said and any(map(_is_nothing, operands)))
        case _:
            around = structure.parent(asked.expr)
            compared = around.operands if isinstance(around, ir.Operator) else ()
            return asked.holds is False and any(map(_is_nothing, compared))


def _is_main(operand: ir.Expr) -> bool:
    return isinstance(operand, ir.Name) and operand.id == "__name__"


def _is_nothing(operand: ir.Expr) -> bool:
    return isinstance(operand, ir.Literal) and (operand.value is None or operand.value is ir.UNDEFINED)


def is_left_off(context: Context, path: str, span: Span) -> bool:
    """Whether a place in code is not reached as the project is: a switch that is off stands before it."""
    node = _node_at(context, path, span)
    return node is not None and off_by_default(context, node) is not None


def _node_at(context: Context, path: str, span: Span) -> ir.Node | None:
    """The innermost node around a place in code; None in files that are no code."""
    module = context.program.table.get(path)
    if module is None or module.language not in CODE:
        return None
    nodes = (node for scope in module.code for node in context.program.structure(scope).nodes)
    around = (node for node in nodes if node.span.contains(span) and not isinstance(node, (ir.Function, ir.Class)))
    return max(around, key=lambda node: node.span, default=None)
