"""Database statements that code looks at first and refuses where they would change something.

By their first word (`statement.startswith("SELECT")`), or by words that are not to stand in them (`DROP`, `DELETE`).
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final, TypeGuard

from agent_architecture.names import flow
from agent_architecture.names.lookup import only_value
from agent_architecture.names.options import options_of
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import is_turned_round
from agent_architecture.names.values import Const, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import HANDED, on_ways, so_of_names
from agent_architecture.semantics.control.argument_tests import following
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.denylists import forms, names_in
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

WRITING: Final = regex(r"\b(insert|update|delete|drop|alter|truncate)\b", re.IGNORECASE)
SEVERAL: Final = 3
"""Different words of statements that change something from which on a list is taken for all that is not to be done."""
ASKING: Final = regex(r"^\W*(?:select|with|show|explain|describe)\b", re.IGNORECASE)
WIDE: Final = regex(r"^\W*(?:with|explain)\b", re.IGNORECASE)
TRANSACTION: Final = regex(r"\b(?:begin|transaction|session)\b.*\bread[ _]only\b", re.IGNORECASE)
"""Statements after which a transaction only reads."""
READ_ONLY: Final = frozenset({"readonly", "read_only", "readOnly"})
MODE: Final = regex(r"[?&]mode=ro\b")
"""How an address of SQLite says that the file is only read (https://www.sqlite.org/uri.html)."""
OPENING: Final = frozenset({"connect", "create_engine"})
HANDLES: Final = 6
"""Names and calls between a statement and the connection that it is run on."""
BEGINS: Final = frozenset({"startswith", "startsWith", "match", "test"})
"""Calls that look at how a text begins."""


def reads_only(context: Context, call: ir.Call, statements: Iterable[ir.Expr]) -> bool:
    """Whether every way to a call passes a test that refuses statements which change something."""
    program = context.program
    scope = program.scope_of(call)
    if in_reading(program, call) is not None:
        return True
    names = frozenset(name for expr in statements for name in names_in(expr))
    return so_of_names(program, call, scope, names, partial(_refuses_writing, context))


def _refuses_writing(context: Context, place: ir.Node, scope: ir.Scope, names: AbstractSet[str]) -> bool:
    """Whether every way to a place passes a test that refuses a statement which some names hold and which changes
    something.
    """
    text = forms(scope, set(names))
    structure = context.program.structure(scope)
    for node in own_nodes(scope, ir.If) if text else ():
        if _screens(context, node, text, place):
            loops = tuple(structure.enclosing(node, ir.Loop))
            if structure.dominates(loops[-1] if loops else node, place):
                return True
    return False


def in_reading(program: Program, call: ir.Call) -> ir.Call | None:
    """The call by which the transaction or connection that a call works in changes nothing: before it, or in the
    project's own function that makes the connection, before it is handed out.
    """
    ways, everywhere = on_ways(
        program, call, program.scope_of(call), partial(_reading_at, program), HANDED, decorated=False
    )
    if everywhere and ways:
        return ways[0]
    made = _connection(program, call, HANDLES)
    return None if made is None else made if _begins_reading(program, made) else _made_reading(program, made)


def _reading_at(program: Program, place: ir.Node, scope: ir.Scope) -> ir.Call | None:
    """The call before a place of a scope, or in the project's own context around it, after which nothing changes."""
    structure = program.structure(scope)
    for each in structure.calls:
        if _begins_reading(program, each) and structure.dominates(each, place):
            return each
    for around in structure.enclosing(place, ir.With):
        for item in around.items:
            found = _made_reading(program, item.value) if isinstance(item.value, ir.Call) else None
            if found is not None:
                return found
    return None


def _made_reading(program: Program, made: ir.Call) -> ir.Call | None:
    """The call by which the project's own function makes a connection that changes nothing before it hands it out."""
    for function in program.callees(made):
        inside = program.structure(function)
        given = (*inside.yields, *inside.returns)
        for each in inside.calls if given else ():
            if _begins_reading(program, each) and all(inside.dominates(each, out) for out in given):
                return each
    return None


def _connection(program: Program, call: ir.Call, left: int) -> ir.Call | None:
    """The call that makes what a statement is run on: `connect(…)` of `connect(…).cursor().execute(sql)`, through names
    that are given one thing alone.
    """
    on = call.callee.target if isinstance(call.callee, ir.Member) else None
    while isinstance(on, ir.Name) and left:
        left -= 1
        on = only_value(program, on)
        on = on.value if isinstance(on, ir.Await) else on
    if not isinstance(on, ir.Call) or not left:
        return None
    return on if program.callees(on) else _connection(program, on, left - 1) or on


def asks_one(context: Context, call: ir.Call, is_text: Callable[[ir.Expr], bool]) -> bool:
    """Whether every way to a call passes tests by which a text is one statement, and one that only asks: it begins with
    a word like SELECT; where it may begin with WITH or EXPLAIN, behind which others can stand, these are refused, too.
    """
    program = context.program

    def said(condition: Condition) -> dict[str, bool]:
        expr = condition.expr
        if _is_one(program, condition, is_text):
            return {"one": True}
        if condition.holds is True and isinstance(expr, ir.Call) and _asks(program, expr):
            target = expr.callee.target if isinstance(expr.callee, ir.Member) else expr
            texts = (target, *(argument.value for argument in expr.args))
            if any(is_text(text) for text in texts if isinstance(text, (ir.Name, ir.Member, ir.Call))):
                return {} if _is_wide(program, expr) else {"asks": True}
        return {}

    return {"one", "asks"} <= held(conditions_of(context).at(call), said).keys()


def _is_one(program: Program, condition: Condition, is_text: Callable[[ir.Expr], bool]) -> bool:
    """Whether a test says that a text holds no second statement: `";" not in sql`, `len(sql.split(";")) == 1`."""
    match condition.expr:
        case ir.Operator(op=ir.Op.IN, operands=(ir.Literal(value=";"), text)):
            return condition.holds is False and is_text(text)
        case ir.Call(callee=ir.Member(target=text, name="includes"), args=(first, *_)):
            is_end = isinstance(first.value, ir.Literal) and first.value.value == ";"
            return condition.holds is False and is_end and is_text(text)
        case ir.Operator(op=ir.Op.EQ | ir.Op.NE | ir.Op.GT as op, operands=(measured, ir.Literal(value=1))):
            return condition.holds is (op == ir.Op.EQ) and any(
                _is_split(part) and is_text(part)
                for counted in _counted(measured)
                for part in (counted, *(origin.node for origin in flow.origins(program, counted)))
            )
        case _:
            return False


def _counted(measured: ir.Expr) -> Iterator[ir.Expr]:
    match measured:
        case ir.Call(callee=ir.Name(id="len"), args=(first, *_)):
            yield first.value
        case ir.Member(target=target, name="length"):
            yield target
        case _:
            return


def _is_split(node: ir.Node) -> TypeGuard[ir.Expr]:
    """Whether a call takes a text apart where statements end."""
    match node:
        case ir.Call(callee=ir.Member(name="split"), args=(first, *_)):
            return isinstance(first.value, ir.Literal) and first.value.value == ";"
        case _:
            return False


def _is_wide(program: Program, call: ir.Call) -> bool:
    """Whether a text may begin with a word behind which a statement can stand that changes something, and the code
    around the test does not refuse those.
    """
    said = {word for argument in call.args for word in _texts(program, ir.walk(argument.value))}
    if not any(WIDE.search(word) for word in said):
        return False
    around = _texts(program, own_nodes(program.scope_of(call)))
    return len({word.lower() for text in around for word in WRITING.findall(text)}) < SEVERAL


def _begins_reading(program: Program, call: ir.Call) -> bool:
    """Whether a call says that what follows in its transaction only reads: `execute("BEGIN READ ONLY")`."""
    first = call.args[0].value if call.args else None
    if isinstance(first, ir.Call) and callee_name(first.callee) == "text" and first.args:
        first = first.args[0].value
    texts = (v.value for v in (() if first is None else program.value_of(first)) if isinstance(v, Const))
    said = any(isinstance(text, str) and TRANSACTION.search(text) for text in texts)
    return said or sets_reading(program, call)


def sets_reading(program: Program, call: ir.Call) -> bool:
    """Whether a call makes a connection one that changes nothing: `set_session(readonly=True)`, a file that is opened
    to read it alone (`connect("file:shop.db?mode=ro", uri=True)`, `new Database(path, { readonly: true })`).
    """
    flags = options_of(program, call).items()
    if any(n in READ_ONLY and isinstance(v, ir.Literal) and v.value is True for n, v in flags):
        return True
    first = call.args[0].value if call.args and callee_name(call.callee) in OPENING else None
    return first is not None and any(isinstance(t, str) and MODE.search(t) for t in flow.constants(program, first, ()))


def _screens(context: Context, test: ir.If, text: set[str], call: ir.Node) -> bool:
    """Whether a test leaves before a call for words in a text that change something, or for its first one."""
    program = context.program
    on_yes = _leaves(context, test.then, call)
    if not on_yes and not _leaves(context, test.otherwise or following(program, test), call):
        return False
    around = [loop.source for loop in program.structure(program.scope_of(test)).enclosing(test, ir.Loop)]
    asked = spelled_out(program, test.test)
    parts = [part for whole in (test.test, asked, *around) if whole is not None for part in ir.walk(whole)]
    if not any(isinstance(part, ir.Name) and part.id in text for part in parts):
        return False
    parts += [node for part in parts if isinstance(part, ir.Call) for node in _inside(program, part, text)]
    words = {word.lower() for said in _texts(program, parts) for word in WRITING.findall(said)}
    negated = any(map(is_turned_round, ir.walk(asked)))
    return len(words) >= SEVERAL or (negated is on_yes and any(_asks(program, part) for part in parts))


def _leaves(context: Context, block: tuple[ir.Node, ...], call: ir.Node) -> bool:
    """Whether a block ends what comes after it, and does not make the call itself."""
    return not conditions_of(context).goes_on(block) and not any(
        statement.span.contains(call.span) for statement in block
    )


def _inside(program: Program, call: ir.Call, text: set[str]) -> Iterator[ir.Node]:
    """The code of the project's own check of a text."""
    if any(text & set(names_in(argument.value)) for argument in call.args):
        for function in program.callees(call):
            yield from own_nodes(function)


def _asks(program: Program, part: ir.Node) -> bool:
    """Whether a part of a test asks that a text begins like a question."""
    if not isinstance(part, ir.Call) or callee_name(part.callee) not in BEGINS:
        return False
    target = (part.callee.target,) if isinstance(part.callee, ir.Member) else ()
    given = [said for expr in (*target, *(a.value for a in part.args)) for said in _texts(program, ir.walk(expr))]
    return any(ASKING.search(said) for said in given) and not any(WRITING.search(said) for said in given)


def _texts(program: Program, nodes: Iterable[ir.Node]) -> Iterator[str]:
    """The constant texts among some nodes, and in the lists that these name."""
    for node in nodes:
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, (ir.Name, ir.Member)):
            for value in program.value_of(node):
                items = value.items if isinstance(value, Items) else ()
                known = (value, *(v for item in items for v in program.value_of(item)))
                yield from (v.value for v in known if isinstance(v, Const) and isinstance(v.value, str))
