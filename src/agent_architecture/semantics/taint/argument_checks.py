"""What a tool's own code does with its arguments: checks that can refuse them, and texts that they are put into.

States facts about a body of code and the names of the arguments in it. It knows no schema, and judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.effects import Effect, Shaped
from agent_architecture.names.exits import answers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.parameter_defaults import without_filling
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.test_parts import ORDERED
from agent_architecture.names.values import Const, Entries, Items, Text
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.callgraph.tool_arguments import (
    ALL,
    STEPS,
    Body,
    begins,
    confined,
    is_parser,
    mentioned,
    whole,
)
from agent_architecture.semantics.control.argument_tests import MATCHING, looked_at, says_no
from agent_architecture.semantics.control.chosen_values import chosen
from agent_architecture.semantics.control.condition import Saying, held
from agent_architecture.semantics.control.conditions_of_project import conditions_of, marks_of, ways_through
from agent_architecture.semantics.control.owner_tests import asks_whose
from agent_architecture.semantics.control.written_lists import sought_in_written
from agent_architecture.semantics.effects.sanitisers import NUMBERS, cleans
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.control.condition import Condition, Known
    from agent_architecture.semantics.control.conditions_between import Ways
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

INTO: Final = frozenset({"database", "database_read", "database_write", "read_file", "write_file", "execute_shell"})
"""Effects whose query, path or command is text that somebody may break out of."""
JOINING: Final = frozenset({"join", "joinpath", "resolve", "format", "concat", "Path", "PurePath", "replace"})
"""Calls that put their arguments into one text or path."""
HARMLESS: Final = NUMBERS | {"basename", "UUID", "isoformat"}
"""Calls whose result cannot carry the text that they are given."""
LOG: Final = "log"
"""An effect that only says what was done."""
VALIDATING: Final = frozenset({"validated", "asserts_schema"})


class Checks(NamedTuple):
    """What is done to arguments: those whose content is checked, those whose type is, those that are parsed inside,
    and the schemas that they are put through. `ALL` stands for every argument.
    """

    content: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    parsed: frozenset[str] = frozenset()
    schemas: tuple[tuple[str, Value], ...] = ()


def checks(context: Context, effects: Effects, body: Body) -> Checks:
    """Everything that the code does to refuse arguments."""
    parsed: set[str] = set()
    types: set[str] = set()
    schemas: list[tuple[str, Value]] = []
    for node in extent(context.program, body.statements, set()).nodes():
        if not isinstance(node, ir.Call):
            continue
        covers = marks_of(context, node)
        parsed |= _as_they_are(context.program, body, node) if is_parser(node) else set()
        if covers & VALIDATING:
            names = _given(context.program, body, node)
            all_of_them = _takes_all(node)
            types |= names if all_of_them else names - {ALL}
            found = _schema(context.program, node) if all_of_them else ()
            schemas.extend((name, value) for value in found for name in sorted(names))
    asked = _asked(context, effects, body)
    content = frozenset(name for kind, name in asked if kind == "content")
    types |= {name for kind, name in asked if kind == "type"}
    return Checks(content, frozenset(types), frozenset(parsed - types), tuple(schemas))


def _asked(context: Context, effects: Effects, body: Body) -> set[tuple[str, str]]:
    """The arguments of which something is asked, and what, before all that the code does with them outside; of an
    argument that goes nowhere, before some answer that does not refuse.
    """
    ways = ways_through(context, body.statements, body.function)

    looked: dict[tuple[ir.Expr, bool | None], dict[tuple[str, str], None]] = {}

    def said(condition: Condition) -> dict[tuple[str, str], None]:
        told = condition.expr, condition.holds
        if told not in looked:
            looked[told] = dict.fromkeys(_looks(context, body, condition))
        return looked[told]

    saying = Saying(said)
    uses: Asked = [
        (_mentions(context.program, body, node), {*saying.held(ways.to(node)), *chosen(context, body, node, said)})
        for node in ways.nodes()
        if isinstance(node, ir.Call) and any(row.effect != LOG for row, _ in effects.rows(node))
    ]
    answers: Asked = [(names, set(saying.held(known))) for names, known in _answers(context, ways, body)]
    found = set[tuple[str, str]]().union(*(asked for _, asked in (*uses, *answers)))
    return {one for one in found if _covers(one, uses) or (_covers(one, answers) and not _is_used(one, uses))}


Asked: TypeAlias = "list[tuple[AbstractSet[str], set[tuple[str, str]]]]"


def _is_used(one: tuple[str, str], uses: Asked) -> bool:
    return any(one[1] in names for names, _ in uses)


def _covers(one: tuple[str, str], uses: Asked) -> bool:
    """Whether it is asked wherever the argument is used; of one that nothing uses, anywhere."""
    used = [asked for names, asked in uses if one[1] in names]
    return all(one in asked for asked in used) if used else any(one in asked for _, asked in uses)


def _answers(context: Context, ways: Ways, body: Body) -> Iterator[tuple[frozenset[str], Known]]:
    """The arguments in the answers of a body of code that are no refusals, and what holds there; at its end, where it
    has none.
    """
    accepting = [answer for answer in answers(ir.walk(*body.statements)) if not says_no(answer)]
    for value in accepting:
        yield mentioned(context.program, body, value), ways.to(value)
    if not accepting:
        yield frozenset(), conditions_of(context).behind(body.statements)


def asked_of(context: Context, body: Body, ways: Ways, place: ir.Call) -> Iterator[ir.Node]:
    """What asks about the content of an argument that a call is given, on every way to the call. A size that comes
    there whichever way the test goes is only cut down (`if n > 50: n = 50`): that refuses nobody. What is taken in the
    place of an argument (`chosen`) holds the call where nothing else of the model's comes into it.
    """
    given = _mentions(context.program, body, place)

    def said(condition: Condition) -> dict[tuple[str, bool | None], ir.Node]:
        looks = _looks(context, body, condition)
        outcome = condition.holds if _is_size(condition.expr) else None
        return {(name, outcome): condition.at for kind, name in looks if kind == "content" and name in given}

    yield from held(ways.to(place), said).values() if given else ()
    replaced = chosen(context, body, place, said) if given else {}
    yield from replaced.values() if given <= {name for name, _ in replaced} else ()


def asked_before_answers(context: Context, body: Body, ways: Ways) -> ir.Node | None:
    """What holds the content of an argument against a pattern or a written list before every answer that is no refusal,
    and with one outcome: where it comes out otherwise, there is no such answer. What is only looked up and not found,
    or compared in a loop, refuses nobody.
    """

    def said(condition: Condition) -> dict[tuple[Span, bool | None], ir.Node]:
        is_asked = _is_constraint(context.program, condition.expr)
        is_content = is_asked and any(kind == "content" for kind, _ in _looks(context, body, condition))
        return {(condition.at.span, condition.holds): condition.at} if is_content else {}

    return _said_in_all([known for _, known in _answers(context, ways, body)], said)


def owner_asked(
    context: Context, body: Body, ways: Ways, arguments: frozenset[str], places: Iterable[ir.Call] = ()
) -> ir.Node | None:
    """What holds the owner of something against somebody whom the `arguments` of a model do not name, with one outcome
    on every way to these calls; without calls, to every answer that is no refusal.
    """

    def said(condition: Condition) -> dict[tuple[Span, bool | None], ir.Node]:
        asked = condition.expr
        if condition.holds is None or not isinstance(asked, ir.Operator) or not asks_whose(asked):
            return {}
        if any(isinstance(one, ir.Literal) or _named_in(context, body, one, arguments) for one in asked.operands):
            return {}
        return {(condition.at.span, condition.holds): condition.at}

    known = [ways.to(place) for place in places] or [known for _, known in _answers(context, ways, body)]
    return _said_in_all(known, said)


def _said_in_all(
    known: list[Known], said: Callable[[Condition], dict[tuple[Span, bool | None], ir.Node]]
) -> ir.Node | None:
    saying = Saying(said)
    asked = [saying.held(each) for each in known]
    everywhere = set(asked[0]).intersection(*asked[1:])
    return next((node for place, node in asked[0].items() if place in everywhere), None)


def _named_in(context: Context, body: Body, operand: ir.Expr, arguments: frozenset[str]) -> bool:
    """Whether a side of a comparison is what a model names, not what was found by it."""
    target = operand.target if isinstance(operand, ir.Member) else operand
    is_plain = isinstance(target, ir.Name) and any(
        b.kind == "parameter" for b in visible_bindings(context.program, target)
    )
    return is_plain and bool(mentioned(context.program, body, operand) & {*arguments, ALL})


def _is_size(asked: ir.Expr) -> bool:
    return isinstance(asked, ir.Operator) and asked.op in ORDERED


def _is_constraint(program: Program, asked: ir.Expr) -> bool:
    if isinstance(asked, ir.Call) and callee_name(asked.callee) in MATCHING:
        return True
    return sought_in_written(program, asked, tables=False) is not None


def _mentions(program: Program, body: Body, call: ir.Call) -> frozenset[str]:
    """The arguments that a call is given or is one of: `Path(name).write_text(text)` uses `name`."""
    return frozenset(name for part in ir.parts_of(call) for name in mentioned(program, body, part))


def _looks(context: Context, body: Body, condition: Condition) -> Iterator[tuple[str, str]]:
    """The arguments that a condition looks at, by their content or type."""
    program = context.program
    for looked in looked_at(program, body, condition):
        for each in whole(program, body, looked.expr):
            if looked.kind == "type" or each.resolved or not looked.prefix:
                yield looked.kind, each.name
    call = condition.expr
    if isinstance(call, ir.Call) and condition.holds is not False and "confines_path" in marks_of(context, call):
        yield from (("content", name) for name in confined(program, body, call))


def _as_they_are(program: Program, body: Body, call: ir.Call) -> set[str]:
    """The arguments that a call takes as they are: `json.loads(steps)`."""
    return {each.name for expr in ir.parts_of(call) for each in whole(program, body, expr)}


def _given(program: Program, body: Body, call: ir.Call) -> set[str]:
    return {name for argument in call.args for name in mentioned(program, body, argument.value)}


def _takes_all(call: ir.Call) -> bool:
    """Whether a call is given an object as it is (`Args(**arguments)`, `Args.parse(request.params.arguments)`)."""
    given = [a.value for a in call.args if a.spread == "**"] or [a.value for a in call.args[:1] if a.keyword is None]
    given += [a.value for a in call.args if a.keyword in {"instance", "obj"}]
    return any(isinstance(expr, (ir.Name, ir.Member, ir.Index, ir.Call, ir.Operator)) for expr in given)


def _schema(program: Program, call: ir.Call) -> Iterator[Value]:
    """The schema that a validating call applies: the class or object it is called on, else the class itself."""
    owner = call.callee.target if isinstance(call.callee, ir.Member) else call.callee
    yield from program.value_of(owner)


# ------------------------------------------------------------------------------------------------------- interpolation
def unsafe_uses(context: Context, effects: Effects, body: Body, texts: frozenset[str]) -> tuple[Effect, ...]:
    """The effects whose query, path or command an argument among `texts` is put into; `ALL` among them means any."""
    found: dict[tuple[object, str], Effect] = {}
    for node in extent(context.program, body.statements, set()).nodes():
        for row, call in effects.rows(node) if isinstance(node, ir.Call) else ():
            if row.effect not in INTO or row.argument is None:
                continue
            for expr in expressions(context.program, call, row.argument):
                parts = _joined(context, expr, row.effect)
                if any(_breaks_out(context, body, part, row.effect, texts) for part in parts):
                    effect = Effect(call.span, called(call), row.where.pack, row.effect, Shaped.PARTLY, (expr.span,))
                    found[call.span, row.effect] = effect
    return tuple(found[key] for key in sorted(found, key=lambda key: (found[key].span, key[1])))


def _breaks_out(context: Context, body: Body, part: ir.Expr, effect: str, texts: frozenset[str]) -> bool:
    """Whether a part of a text is of an argument among `texts` that comes there as it is."""
    names = mentioned(context.program, body, part)
    may = names & texts or (ALL in texts and names) or (ALL in names and texts)
    return bool(may) and _comes(context, body, part, effect)


def _joined(context: Context, expr: ir.Expr, effect: str) -> Iterator[ir.Expr]:
    """The parts of the texts and paths that an expression is joined from, without those that are clean."""

    def further(node: ir.Expr) -> tuple[ir.Expr, ...]:
        return () if _is_clean(context, node, effect) else (*_parts(node), *_made_of(context.program, node))

    for node in reached([expr], further, STEPS):
        if not _is_clean(context, node, effect):
            parts = (part for part in _parts(node) if not any(_parts(part)))
            yield from (part for part in parts if not _is_clean(context, part, effect))


def _comes(context: Context, body: Body, part: ir.Expr, effect: str) -> bool:
    """Whether an argument comes to a part of a text without having been cleaned on its way."""

    def reader(node: ir.Expr, passed: frozenset[str]) -> tuple[()] | None:
        del passed
        return () if isinstance(node, ir.Call) and _is_clean(context, node, effect) else None

    return begins(context.program, body, part, reader)


def _is_clean(context: Context, part: ir.Expr, effect: str) -> bool:
    if isinstance(part, ir.Literal):
        return True
    return isinstance(part, ir.Call) and (callee_name(part.callee) in HARMLESS or cleans(context, part, effect))


def _parts(node: ir.Expr) -> Iterator[ir.Expr]:
    match node:
        case ir.Template():
            yield from node.parts
        case ir.Operator(op=ir.Op.ADD | ir.Op.DIV | ir.Op.MOD):
            yield from node.operands
        case ir.Call() if callee_name(node.callee) in JOINING and _joins(node):
            for argument in node.args:
                yield from argument.value.items if isinstance(argument.value, ir.List) else (argument.value,)
        case _:
            return


def _joins(call: ir.Call) -> bool:
    """Whether a call adds its argument to something: `root.joinpath(x)`, `os.path.join(root, x)`; not `Path(x)`."""
    name = callee_name(call.callee)
    lists = any(isinstance(a.value, ir.List) and len(a.value.items) > 1 for a in call.args)
    return lists or len(call.args) > 1 or name in {"joinpath", "format"}


def _made_of(program: Program, node: ir.Expr) -> Iterator[ir.Expr]:
    """Where the value of an expression is made, when it is not made here."""
    match node:
        case ir.Name():
            visible = visible_bindings(program, node)
            bindings = without_filling(program, node, visible)
            yield from (b.value for b in bindings if b.value is not None and b.kind in {"assign", "with"})
            if any(b.kind == "parameter" for b in bindings):
                never = [b.value.span for b in visible if b not in bindings and b.value is not None]
                for made in _elsewhere(program.value_of(node)):
                    if not any(span.contains(made.span) for span in never):
                        yield made
        case ir.Await():
            yield node.value
        case ir.Conditional():
            yield from (node.then, node.otherwise)
        case ir.Member():
            yield from (node.target, *_elsewhere(program.value_of(node)))
        case ir.Call():
            for function in program.callees(node):
                yield from program.structure(function).returns
            if isinstance(node.callee, ir.Member):
                yield node.callee.target
            yield from (argument.value for argument in node.args)
        case _:
            return


def _elsewhere(values: Iterable[Value]) -> Iterator[ir.Expr]:
    for value in values:
        if isinstance(value, (Text, Items, Entries)) or (
            not isinstance(value, Const) and getattr(value, "node", None) is not None
        ):
            yield value.node  # type: ignore[union-attr, misc]
