"""What makes a second time harmless: a key that is passed, a condition, a look for what was done before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import leaves_function
from agent_architecture.names.in_place import only_evaluates
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import lacks, parts_of
from agent_architecture.names.values import Entries, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import decided, leavings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

KEY: Final = regex(
    r"idempoten|dedup|^client_?(?:request_?)?token$|^request_?token$|^client_?order_?id$|^client_?msg_?id$|^if[-_]?match$"
    r"|^if[-_]?none[-_]?match$|^condition_?expression$|^if_?generation_?match$|^nx$|^if_?not_?exists$|^on_?conflict"
    r"|^skip_?duplicates$|^ignore_?duplicates$|^upsert$|^ignore_?conflicts$",
    re.IGNORECASE,
)
"""Names of arguments, headers and options that keep a second time from doing more."""
FRESH: Final = frozenset({
    "uuid4", "uuid1", "uuid", "v4", "randomUUID", "nanoid", "token_hex", "token_urlsafe", "random", "randint", "ulid",
    "cuid", "now", "time", "time_ns",
})  # fmt: skip
"""Calls that give something else each time."""
HELPERS: Final = 2
"""Functions that hand a value on to each other."""
FURTHEST: Final = 20
"""Expressions behind which no further function is looked into."""
DAY: Final = len("2026-01-31")
CUTTING: Final = frozenset({"slice", "substring", "substr"})
DAYS: Final = frozenset({"toDateString", "toLocaleDateString", "getFullYear", "getMonth", "getDate", "getDay", "date"})
"""Methods of a time that give no more than its day."""
HOURS: Final = regex(r"%[HIMSfscXT]")
"""Parts of a form of dates that tell the time of a day."""
DONE: Final = regex(
    r"exist|already|\bseen|processed|duplicate|dedup|idempot|(?:^|_)(?:sent|done|handled|completed|executed)(?:_|$)"
    r"|(?:Sent|Done|Handled|Completed|Executed)(?:[A-Z]|$)",
    re.IGNORECASE,
)
"""Names with which code asks whether it was done before."""
TOLD: Final = regex(r"^_*(?:must|should|fail|allow|throw|raise|error)(?=_|[A-Z])")
"""How names begin that say what is wanted: `mustExist`."""


THERE: Final = regex(r"\battribute_exists\s*\([^)]*\)", re.IGNORECASE)
"""A condition of DynamoDB's that holds where there is something to write over."""
AND_MORE: Final = regex(r"\b(?:and|or)\b|[()]", re.IGNORECASE)
READ: Final = frozenset({"read", "readlines"})
"""Methods of an open file that give its text."""


class Key(NamedTuple):
    """A key or condition: where it stands, what it is called, whether it is another one each time."""

    span: Span
    name: str
    fresh: bool = False


def key_of(context: Context, call: ir.Call) -> Key | None:
    """The key or condition that a call is given, of its own or in what it calls its method on."""
    found = list(_keys(context, call, set()))
    for link in (*_chain(call), *following(context, call)):
        found.extend(_keys(context, link, set()))
        if KEY.search(callee_name(link.callee)):
            found.append(Key(link.span, callee_name(link.callee)))
    return next((key for key in found if not key.fresh), next(iter(found), None))


def _chain(call: ir.Call) -> Iterator[ir.Call]:
    """The calls before it in a chain: `insert(x).onConflict(…)`."""
    node: ir.Node = call.callee
    while isinstance(node, (ir.Member, ir.Call)):
        if isinstance(node, ir.Call):
            yield node
            node = node.callee
        else:
            node = node.target


def following(context: Context, call: ir.Call) -> Iterator[ir.Call]:
    """The calls behind it in a chain."""
    node: ir.Node = call
    for around in context.program.structure(context.program.scope_of(call)).ancestors(call):
        if not isinstance(around, (ir.Member, ir.Call)) or (isinstance(around, ir.Call) and around.callee is not node):
            return
        if isinstance(around, ir.Call):
            yield around
        node = around


def _keys(context: Context, call: ir.Call, seen: set[int]) -> Iterator[Key]:
    for argument in call.args:
        if argument.keyword is not None and KEY.search(argument.keyword) and not _is_off(argument.value):
            yield Key(argument.value.span, argument.keyword, is_fresh(context, argument.value))
        yield from _within(context, argument.value, seen)


def _within(context: Context, expr: ir.Expr, seen: set[int]) -> Iterator[Key]:
    """The keys in an object: written at the call, or kept under a name."""
    for node in ir.walk(expr):
        if isinstance(node, ir.Map) and id(node) not in seen:
            seen.add(id(node))
            for entry in node.entries:
                name = entry.key.value if isinstance(entry.key, ir.Literal) else None
                if isinstance(name, str) and KEY.search(name) and not _is_off(entry.value):
                    yield Key(entry.value.span, name, is_fresh(context, entry.value))
    if isinstance(expr, (ir.Name, ir.Member)):
        for value in context.program.value_of(expr):
            for name, given in value.entries if isinstance(value, Entries) else ():
                if KEY.search(name) and not _is_off(given):
                    yield Key(given.span, name, is_fresh(context, given))


def _is_off(value: ir.Expr) -> bool:
    """Whether a key is none, or a condition asks only that something is there: a second time finds it, too."""
    match value:
        case ir.Literal(value=str() as text):
            return not text or (THERE.search(text) is not None and not AND_MORE.sub("", THERE.sub("", text)).strip())
        case ir.Literal(value=known):
            return not known
        case ir.Call(callee=ir.Member(name="exists"), args=()):
            return True
        case _:
            return False


def is_fresh(context: Context, expr: ir.Expr, helpers: int = HELPERS, entered: frozenset[int] = frozenset()) -> bool:
    """Whether a value is made anew in the same function, or by one that it calls, each time it is asked for. What a
    helper is given that only gives back what it evaluates is made where it is called: by the calls with the ids
    `entered`, if it is one of those, else by all.
    """
    program = context.program
    queue, seen = [expr], set[int]()
    while queue:
        one = queue.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        for node in _walk_but_days(one):
            if isinstance(node, ir.Call) and (callee_name(node.callee) in FRESH or _tells_time(node)):
                return True
            if isinstance(node, ir.Name):
                bound = [b.value for b in visible_bindings(program, node) if b.kind == "assign" and not b.steps]
                scope = program.scope_of(node)
                queue += [value for value in bound if value is not None and program.scope_of(value) is scope]
                given = _given(program, node, entered) if helpers else ()
                if given and all(is_fresh(context, each, helpers - 1, entered) for each in given):
                    return True
            elif isinstance(node, ir.Call) and len(seen) < FURTHEST:
                queue += [made for function in program.callees(node) for made in program.structure(function).returns]
    return False


def _tells_time(call: ir.Call) -> bool:
    """Whether a call gives the time as it is: `new Date()`, `time.strftime("%H%M%S")`."""
    match call:
        case ir.Call(callee=ir.Name(id="Date"), args=()):
            return True
        case ir.Call(callee=ir.Member(name="strftime", target=ir.Name(id="time")), args=(_,)):
            return True
        case _:
            return False


def _given(program: Program, name: ir.Name, entered: frozenset[int]) -> tuple[ir.Expr, ...]:
    """What callers give for a parameter of a function that only gives back what it evaluates."""
    found: list[ir.Expr] = []
    for binding in visible_bindings(program, name):
        function, param = binding.node, binding.extra
        if isinstance(function, ir.Function) and isinstance(param, ir.Parameter) and only_evaluates(function):
            sites = program.callers(function)
            sites = tuple(site for site in sites if id(site.call) in entered) or sites
            each = [passed_argument(site, function, param) for site in sites]
            if any(one is None or isinstance(one, Unknown) for one in each):
                return ()
            found += [one for one in each if one is not None and not isinstance(one, Unknown)]
    return tuple(found)


def _walk_but_days(expr: ir.Expr) -> Iterator[ir.Node]:
    """All of an expression, but for what only tells the day: `now.strftime("%Y-%m-%d")` is the same until tomorrow,
    and so is `new Date().toISOString().slice(0, 10)`.
    """
    stack: list[ir.Node] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Call) and callee_name(node.callee) == "strftime":
            forms = [a.value.value for a in node.args if isinstance(a.value, ir.Literal)]
            if forms and not any(HOURS.search(str(form)) for form in forms):
                continue
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) and _tells_day(node, node.callee.name):
            continue
        if isinstance(node, ir.Index) and isinstance(node.target, ir.Call) and _parts_at_time(node.target):
            continue
        yield node
        stack.extend(reversed(ir.children(node)))


def _parts_at_time(call: ir.Call) -> bool:
    """Whether a time is parted where its day ends: `new Date().toISOString().split("T")`."""
    at = (argument.value for argument in call.args)
    return callee_name(call.callee) == "split" and any(isinstance(a, ir.Literal) and a.value == "T" for a in at)


def _tells_day(call: ir.Call, name: str) -> bool:
    if name in CUTTING:
        ends = [argument.value.value for argument in call.args if isinstance(argument.value, ir.Literal)]
        return len(ends) == 2 and ends[0] == 0 and isinstance(ends[1], int) and ends[1] <= DAY  # noqa: PLR2004
    return name in DAYS


def looked_before(context: Context, call: ir.Call, around: Iterable[ir.Scope]) -> Span | None:
    """A test before a call that leaves when what it does was done before; in its own function, or in those `around`
    that lead to it.
    """
    scope = context.program.scope_of(call)
    conditions = conditions_of(context)

    def said(condition: Condition) -> dict[str, ir.Node]:
        asked = None if condition.holds is None else _asks_done(context, condition.expr)
        return {"done": condition.at} if asked is not None and condition.holds is not asked else {}

    found = held(conditions.at(call), said).get("done")
    if found is not None:
        return found.span
    own = _looked_where_known(context, call, scope)
    if own is not None:
        return own
    for other in around:
        for leaving in leavings(conditions, own_nodes(other)) if other is not scope else ():
            if not leaves_function(leaving.node) and any(_loops_around(context, other, leaving.node)):
                continue  # it goes on with another one, and then with what is behind the loop
            for one in leaving.reasons:
                if isinstance(one.at, ir.Call) and one.at is not leaving.node:
                    continue  # it is come to since a helper came back, whatever that asked
                if one.holds is not None and _asks_done(context, one.expr) is one.holds:
                    return one.at.span
    return None


def _loops_around(context: Context, scope: ir.Scope, node: ir.Node) -> Iterator[ir.Loop]:
    return context.program.structure(scope).enclosing(node, ir.Loop)


def _looked_where_known(context: Context, call: ir.Call, scope: ir.Scope) -> Span | None:
    """A test that leaves before a call, in its own function, and is asked only where there is what it looks for:
    `if (key) { const [existing] = await find(key); if (existing) return existing; }`.
    """
    conditions = conditions_of(context)
    here = {(one.expr, one.holds) for one in decided(conditions.at(call))}
    for leaving in leavings(conditions, own_nodes(scope)):
        if leaving.node.span >= call.span:
            continue
        own = [one for one in leaving.reasons if one.holds is not None and (one.expr, one.holds) not in here]
        done = [one for one in own if _asks_done(context, one.expr) is one.holds]
        sought = [one for one in own if one in done or _says_what_is_sought(context, one, done)]
        if done and all(one in sought or _is_their_value(context, one, sought) for one in own):
            return done[0].at.span
    return None


def _is_their_value(context: Context, condition: Condition, others: Iterable[Condition]) -> bool:
    """Whether a condition only says the same of what a name was set to that one of the others says of the name."""
    names = (node for one in others for node in ir.walk(one.expr) if isinstance(node, ir.Name))
    values = (b.value for name in names for b in visible_bindings(context.program, name) if b.value is not None)
    return any(value.span.contains(condition.expr.span) for value in values)


def _says_what_is_sought(context: Context, condition: Condition, done: Iterable[Condition]) -> bool:
    """Whether a condition only asks whether there is something by which what was done before is looked up."""
    if not isinstance(condition.expr, (ir.Name, ir.Member)):
        return False
    name, program = callee_name(condition.expr), context.program
    names = [node for one in done for node in ir.walk(one.expr) if isinstance(node, ir.Name)]
    for _ in range(HELPERS):
        sought = [b.value for each in names for b in visible_bindings(program, each) if b.value is not None]
        parts = [node for value in sought for node in ir.walk(value)]
        if any(isinstance(node, (ir.Name, ir.Member)) and callee_name(node) == name for node in parts):
            return True
        names = [node for node in parts if isinstance(node, ir.Name)]
    return False


def _asks_done(context: Context, test: ir.Expr) -> bool | None:
    """Whether a test holds when it was done before (True) or when it was not (False); None where it asks nothing of
    the kind. What is looked for in the text of a file is there when it was done.
    """
    for part, yes in parts_of(test):
        match part:
            case ir.Operator(op=ir.Op.EQ | ir.Op.IS, operands=(asked, ir.Literal(value=False))):
                holds = not yes
            case ir.Operator(op=ir.Op.NE, operands=(asked, ir.Literal(value=True))):
                holds = not yes
            case _:
                missing = lacks(part)
                asked, holds = (part, yes) if missing is None else (missing, not yes)
        names = (callee_name(n) for n in ir.walk(asked) if isinstance(n, (ir.Name, ir.Member)))
        is_named = any(DONE.search(name) and not TOLD.search(name) for name in names)
        if is_named or _is_in_file(context, asked):
            return holds
    return None


def _is_in_file(context: Context, asked: ir.Expr) -> bool:
    """Whether a text is looked for in what was read from a file: `content.includes(line)`, `line in content`."""
    match asked:
        case ir.Call(callee=ir.Member(name="includes", target=ir.Name() as text)):
            pass
        case ir.Operator(op=ir.Op.IN, operands=(_, ir.Name() as text)):
            pass
        case _:
            return False
    reading = context.packs.effect_names("read_file") | READ
    made = (binding.value for binding in visible_bindings(context.program, text) if binding.value is not None)
    return any(isinstance(n, ir.Call) and callee_name(n.callee) in reading for value in made for n in ir.walk(value))
