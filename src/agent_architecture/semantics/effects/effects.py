"""What a function does to the world: effects of the library calls that it reaches through the project's functions.

Says how much of each effect the function's own parameters shape. Whether that is allowed is for detectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Effect, Going, Shaped
from agent_architecture.model.words import words_of
from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.made_once import makes_ready
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Api, Const, Items, Text
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.call_paths_in import call_paths_in, call_paths_to
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.read_only_statements import reads_only
from agent_architecture.semantics.effects.calls import rows_of, rows_on
from agent_architecture.semantics.effects.in_passing import Code, is_in_passing
from agent_architecture.semantics.effects.looking_programs import only_looks
from agent_architecture.semantics.effects.reaching_programs import going
from agent_architecture.semantics.effects.record_only import records
from agent_architecture.semantics.effects.requests import asks, has_done
from agent_architecture.semantics.effects.sanitisers import BUILDING, CALLED, bound, cleans
from agent_architecture.semantics.effects.scratch_folders import stays_in_scratch
from agent_architecture.semantics.effects.statement_words import OF_GRAPH, STATEMENT, by_first_word
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.callgraph.call_paths_in import CallPathsIn
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.addresses import Address
    from agent_architecture.semantics.packs.rows import EffectRow
    from agent_architecture.sources.source import Span

RECEIVERS: Final = ("self", "cls")
"""Parameters that no model fills."""

ASKING: Final = frozenset({
    "count", "fetch", "find", "get", "hybrid", "keyword", "list", "lookup", "match", "nearest", "query", "recall",
    "retrieve", "search", "select", "semantic", "similar", "similarity", "vector",
})  # fmt: skip
"""First words of the names of stored procedures that change nothing."""

CREATING: Final = frozenset({"add", "create", "delete", "insert", "or", "set", "update", "upsert"})
"""Words of names that say more than their first one: `get_or_create_shelf`."""

IMPORTING: Final = frozenset({"import_module", "__import__"})
"""Calls that run the text of a module."""

PROCESS: Final = "execute_process"
LINES: Final = frozenset({"execute_shell", PROCESS})
"""Effects of which a quoted text is one word: it still shapes them."""

RECORDED: Final = frozenset({"database_write", "network_write"})
"""Effects by which code writes down what happened."""

ROWS: Final = frozenset({"database", "database_read"})
"""Effects whose answers are rows, whatever they were asked with."""

STATEMENTS: Final = frozenset({"SQL", "text"})
"""Calls that make a statement of its text: `sql.SQL("select …")`."""

JOINED: Final = 2
"""Names through which a statement is followed to where its clauses are joined."""


PREPARED: Final = "write_file"
"""What an object that is made once does to be ready (a folder of its own) is done by no call of a tool."""


class _Done(NamedTuple):
    """What statements do, and the functions that libraries call for them."""

    effects: tuple[Effect, ...]
    steps: tuple[ir.Function, ...]


def _runs_nothing(call: ir.Call) -> tuple[ir.Function, ...]:
    del call
    return ()


class Effects:
    """The effects of functions, found on demand and remembered. `run_by` says which functions of the project a library
    calls for a call: those of a graph's nodes. What they do is done by who runs the graph.
    """

    def __init__(self, context: Context, run_by: Callable[[ir.Call], tuple[ir.Function, ...]] = _runs_nothing) -> None:
        self._context = context
        self.run_by = run_by
        self._known: dict[int, _Done] = {}
        self._shaping: dict[tuple[str, ir.Expr], tuple[flow.Origin, ...]] = {}
        self.written: dict[tuple[str | None, ir.Expr, Calls], tuple[flow.Origin, ...]] = {}
        """Where a model may have begun an expression, reached through these calls, behind what cleans for an effect:
        what `shaping` remembers.
        """

    def of(self, function: ir.Function) -> tuple[Effect, ...]:
        """The effects that a call of the function can have, by position; its parameters are what a model may shape."""
        return self._with_steps(self._of(function), function)

    def among(
        self, statements: tuple[ir.Node, ...], function: ir.Scope, without: frozenset[int] = frozenset()
    ) -> tuple[Effect, ...]:
        """The effects of these statements of a function and of all that they call, by position, leaving out what has
        its id in `without`.
        """
        return self._with_steps(self._among(statements, function, without), function)

    def steps_of(self, nodes: Iterable[ir.Node]) -> tuple[ir.Function, ...]:
        """The functions that libraries call for the calls among these nodes, and for theirs."""
        calls = (node for node in nodes if isinstance(node, ir.Call))
        return reached((step for call in calls for step in self.run_by(call)), lambda step: self._of(step).steps)

    def _of(self, function: ir.Function) -> _Done:
        found = self._known.get(id(function))
        if found is None:
            found = self._known[id(function)] = self._among(function.body, function)
        return found

    def _with_steps(self, done: _Done, function: ir.Scope) -> tuple[Effect, ...]:
        """The effects, with those of the functions that libraries call for these calls, and so on."""
        steps = [step for step in reached(done.steps, lambda step: self._of(step).steps) if step is not function]
        every = (*done.effects, *(effect for step in steps for effect in self._of(step).effects))
        unique = {(effect.span, effect.kind): effect for effect in reversed(every)}
        return tuple(sorted(unique.values(), key=lambda e: (e.span, e.kind))) if steps else done.effects

    def _among(
        self, statements: tuple[ir.Node, ...], function: ir.Scope, without: frozenset[int] = frozenset()
    ) -> _Done:
        program = self._context.program
        ways = call_paths_in(program, statements)
        calls = [node for node in extent(program, statements, set(without)).nodes() if isinstance(node, ir.Call)]
        code = Code(function, frozenset(map(id, calls)))
        effects = {
            (effect.span, effect.kind): effect
            for call in calls
            for effect in self._of_call(call, code, ways)
            if effect.kind != PREPARED or effect.shaped is not Shaped.NOT or not makes_ready(program, call, calls)
        }
        steps = tuple(dict.fromkeys(step for call in calls for step in self.run_by(call)))
        return _Done(tuple(sorted(effects.values(), key=lambda e: (e.span, e.kind))), steps)

    def rows(self, call: ir.Call) -> tuple[tuple[EffectRow, ir.Call], ...]:
        """The effect rows that hold for a call: for each library call that it can be, the first."""
        return rows_of(self._context, call)

    def _of_call(self, call: ir.Call, code: Code, ways: CallPathsIn) -> Iterator[Effect]:
        function = code.scope
        if self._context.at(call, "model_call") is not None:
            return  # a question to a model, by whatever way it is sent
        for row, made in rows_on(self._context, call, ways):
            shaped, trail = self._shaped(row, made, function)
            if shaped is Shaped.NOT and callee_name(made.callee) in IMPORTING:
                continue  # which module is loaded, the code alone decides
            if shaped is Shaped.NOT and row.effect == PREPARED and stays_in_scratch(self._context, row, made):
                continue
            kind = self._kind(row, made, call, ways)
            is_deed = kind == "network_write" and has_done(self._context.program, made)
            is_record = kind in RECORDED and not is_deed and records(self._context.program, call, function)
            quoted = shaped is not Shaped.NOT and row.effect in LINES and self._is_quoted(row, made, function)
            looks = self._looks(kind, made, call, ways)
            told = shaped is not Shaped.NOT
            goes = going(self._context.program, made, is_told=told) if kind in LINES else Going.NOWHERE
            aside = not (told and kind in LINES) and is_in_passing(self._context, row, made, call, code, ways)
            yield Effect(
                call.span, called(made), row.where.pack, kind, shaped, trail, is_record, quoted, is_deed, looks, goes,
                aside,
            )  # fmt: skip

    def _looks(self, kind: str, made: ir.Call, at: ir.Call, ways: CallPathsIn) -> bool:
        """Whether a call only asks, whatever it is told: a program that looks around, a request that is posted to a
        search.
        """
        program = self._context.program
        if kind == PROCESS:
            return only_looks(program, made)
        return kind == "network_write" and asks(program, made, call_paths_to(program, ways, at))

    def _kind(self, row: EffectRow, call: ir.Call, at: ir.Call, ways: CallPathsIn) -> str:
        """A database statement reads or writes by its first word, where that can be read, or where the code around `at`
        refuses what writes; a stored procedure by the words of its name. What a helper is handed to run counts as it is
        handed on these ways, not as others hand it.
        """
        if row.effect != "database" or row.argument is None:
            return row.effect
        if row.procedure is not None:
            named = at_call(self._context.program, call, None, row.procedure).values
            return "database_read" if named and all(_asks(value) for value in named) else row.effect
        if told := self._told(row.argument, call, call_paths_to(self._context.program, ways, at)):
            return told
        texts = map(self._start, at_call(self._context.program, call, None, row.argument).values)
        if kinds := [by_first_word(text) for text in texts if text]:
            return max(kinds)  # "database_write" before "database_read"
        statements = tuple(expressions(self._context.program, call, row.argument))
        for expr in statements:
            text = self._joined(expr)
            if text:
                return by_first_word(text)
        return "database_read" if reads_only(self._context, at, statements) else row.effect

    def _told(self, argument: Address, call: ir.Call, entered: tuple[Calls, ...]) -> str:
        """The kind of the statements that are handed in on these ways; "" where one of them hands in none."""
        program = self._context.program
        exprs = tuple(expressions(program, call, argument)) if entered else ()
        if not any(end.kind == "parameter" for expr in exprs for end in flow.ends(program, expr)):
            return ""
        kinds = set()
        for way in entered:
            texts = [each for expr in exprs for each in flow.constants(program, expr, way) if isinstance(each, str)]
            kinds |= {by_first_word(text) for text in texts if STATEMENT.match(text)} or {""}
        return "" if not kinds or "" in kinds else max(kinds)

    def _joined(self, expr: ir.Expr, depth: int = JOINED) -> str:
        """How a statement begins that is joined from a list of its clauses, to which more may have been added."""
        match expr:
            case ir.Name() if depth:
                values = [binding.value for binding in visible_bindings(self._context.program, expr)]
                return self._joined(values[0], depth - 1) if len(values) == 1 and values[0] is not None else ""
            case ir.Call(callee=ir.Member(name="format" | "bindparams", target=ir.Call() as target)):
                return self._joined(target, depth)
            case ir.Call(callee=callee, args=(ir.Argument(value=first), *_)) if callee_name(callee) in STATEMENTS:
                pieces = pieces_of(self._context.program, first)
                return pieces[0] if pieces and isinstance(pieces[0], str) else ""
            case ir.Call() if depth and self._context.program.callees(expr):
                made = [
                    r for f in self._context.program.callees(expr) for r in self._context.program.structure(f).returns
                ]
                return self._joined(made[0], depth - 1) if len(made) == 1 else ""
            case ir.Call(callee=ir.Member(name="join", target=target), args=args):
                given = (v for e in (target, *(a.value for a in args)) for v in self._context.program.value_of(e))
                firsts = [value.items[0] for value in given if isinstance(value, Items) and value.items]
                pieces = pieces_of(self._context.program, firsts[0]) if len(firsts) == 1 else ()
                return pieces[0] if pieces and isinstance(pieces[0], str) else ""
            case _:
                return ""

    def _start(self, value: object) -> str:
        """How a statement begins: a text, or one that a builder puts together (`select(Trip).where(…)`); of a text with
        gaps that begins as one of a graph all that is written, since its end says what is done.
        """
        if isinstance(value, Api):
            return next((name for name in CALLED.findall(value.path) if name in BUILDING), "")
        if isinstance(value, Const) and isinstance(value.value, str):
            return value.value
        if isinstance(value, Text) and value.parts:
            first = self._context.program.value_of(value.parts[0])
            start = self._start(first[0]) if len(first) == 1 else ""
            if not OF_GRAPH.match(start):
                return start
            values = (self._context.program.value_of(part) for part in value.parts)
            return " ".join(text for each in values if len(each) == 1 and (text := self._start(each[0])))
        return ""

    def _shaped(self, row: EffectRow, call: ir.Call, function: ir.Scope) -> tuple[Shaped, tuple[Span, ...]]:
        if row.argument is None:
            return Shaped.NOT, ()
        for expr in expressions(self._context.program, call, row.argument):
            if any(_is_given(end, function) for end in flow.ends(self._context.program, expr)):
                given = (origin for origin in self._parameters(expr, row.effect) if _is_given(origin, function))
                origin = next(given, None)
                if origin is not None:
                    return (Shaped.WHOLLY if self._is_whole(expr) else Shaped.PARTLY), origin.trail
        return Shaped.NOT, ()

    def _parameters(self, expr: ir.Expr, effect: str) -> tuple[flow.Origin, ...]:
        """The parameters that an expression takes its value from, without those that are made harmless for an effect,
        and those that a database was only asked with: many tools have an effect by one call.
        """
        known = self._shaping.get((effect, expr))
        if known is None:

            def reader(node: ir.Expr, passed: frozenset[str]) -> tuple[flow.Step, ...] | None:
                del passed
                if isinstance(node, ir.Call) and any(row.effect in ROWS for row, _ in self.rows(node)):
                    return ()  # its rows are what the database holds
                if (parts := bound(self._context, node, effect)) is not None:
                    return tuple(map(flow.Step, parts))
                return () if effect not in LINES and cleans(self._context, node, effect) else None

            found = flow.origins(self._context.program, expr, reader)
            known = self._shaping[effect, expr] = tuple(origin for origin in found if origin.kind == "parameter")
        return known

    def _is_quoted(self, row: EffectRow, call: ir.Call, function: ir.Scope) -> bool:
        """Whether each parameter that shapes a command line is quoted on its way."""

        def reader(node: ir.Expr, passed: frozenset[str]) -> tuple[()] | None:
            del passed
            return () if cleans(self._context, node, row.effect) else None

        program = self._context.program
        exprs = () if row.argument is None else expressions(program, call, row.argument)
        return not any(_is_given(o, function) for expr in exprs for o in flow.origins(program, expr, reader))

    def _is_whole(self, expr: ir.Expr) -> bool:
        """Whether an argument is one text as it came, not one part of a larger text or list."""
        return not any(isinstance(value, Text) for value in self._context.program.value_of(expr)) and not isinstance(
            expr, (ir.List, ir.Template, ir.Operator)
        )


def _is_given(origin: flow.Origin | flow.End, function: ir.Scope) -> bool:
    """Whether a value begins in what a function is given."""
    return origin.node is function and origin.kind == "parameter" and origin.name not in RECEIVERS


def _asks(procedure: object) -> bool:
    """Whether a stored procedure only asks, by its name."""
    words = words_of(procedure.value) if isinstance(procedure, Const) and isinstance(procedure.value, str) else []
    return bool(words) and words[0] in ASKING and not CREATING & set(words)
