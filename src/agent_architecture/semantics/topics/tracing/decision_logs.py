"""Records of decisions that the project writes by hand: to a logger, an event, a table of its own.

A record counts that names something at run time and says a word of what is asked for. One in a handler of failures, or
a warning, speaks of what went wrong: it counts where a refusal is asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import written
from agent_architecture.model.tracing import Recording
from agent_architecture.names.in_place import calls_done
from agent_architecture.names.log_calls import prints, warns
from agent_architecture.names.null_checks import same
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.effects.record_only import speaks_of_records
from agent_architecture.semantics.effects.records import is_spoken, records, words
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

KEPT: Final = frozenset({"write_file", "database", "database_write", "network_write"})
"""Where such a function may put it."""
PREPARES: Final = regex(
    r"clean|load(?:ed|ing)|regist|initiali[sz]|connect|discover|availab|clos(?:ed|ing)|set_?up|install|creat",
    re.IGNORECASE,
)
"""What a text says that speaks of tools and ways before there is anything to choose, or after."""


LENGTH: Final = "length"
OWN: Final = frozenset({"self", "this"})
OFFERED: Final = frozenset({"tools", "functions", "tool_names", "available_tools"})
"""Arguments with what a model may choose from."""


class Logged:
    """Answers which of some calls record something. Remembers which functions of the project do; those with the ids
    `tools` are what models run, and record nothing of it.
    """

    def __init__(self, context: Context, tools: frozenset[int] = frozenset()) -> None:
        self._context = context
        self._own: dict[int, bool] = dict.fromkeys(tools, False)

    def among(
        self, calls: Iterable[ir.Call], speaks: re.Pattern[str], *, warnings: bool = False
    ) -> tuple[tuple[Recording, ...], Span | None]:
        """The first of the calls that writes a record of what `speaks` names; and the first that only prints it."""
        printed: Span | None = None
        for call in calls_done(self._context.program, calls):
            is_record = self.writes(call)
            if not is_record and not self._prints(call):
                continue
            is_warning = not warnings and warns(call)
            if is_warning or not self._says(call, speaks) or self._is_in_handler(call):
                continue
            if is_record:
                return (recording_by(call),), None
            printed = printed or call.span
        return (), printed

    def writes(self, call: ir.Call) -> bool:
        """Whether a call writes a record: a library's, or a function of the project that is called as one."""
        if records(self._context, call):
            return True
        if not speaks_of_records(callee_name(call.callee)):
            return False
        return any(self._keeps(function) for function in self._context.program.callees(call))

    def _keeps(self, function: ir.Function) -> bool:
        """Whether a function of the project writes what it is given to a log, a file or a table."""
        found = self._own.get(id(function))
        if found is None:
            calls = self._context.program.structure(function).calls
            done = calls_done(self._context.program, calls)
            found = self._own[id(function)] = any(records(self._context, c) or self._is_kept(c) for c in done)
        return found

    def puts_away(self, function: ir.Function, names: set[str]) -> bool:
        """Whether a function of the project reads something of one of these names and writes a file or table."""
        nodes = tuple(extent(self._context.program, function.body, set()).nodes())
        if not any(node.name in names for node in nodes if isinstance(node, ir.Member)):
            return False
        calls = (node for node in nodes if isinstance(node, ir.Call))
        return any(self._is_kept(call) for call in calls)

    def keeps(self, call: ir.Call) -> bool:
        """Whether a call, or anything that it runs, writes a file or table."""
        functions = self._context.program.callees(call)
        inside = (node for f in functions for node in extent(self._context.program, f.body, set()).nodes())
        return any(isinstance(node, ir.Call) and self._is_kept(node) for node in (call, *inside))

    def _is_kept(self, call: ir.Call) -> bool:
        return bool(kinds_of(self._context, call) & KEPT)

    def _prints(self, call: ir.Call) -> bool:
        return prints(call) or is_spoken(self._context, call)

    def _says(self, call: ir.Call, speaks: re.Pattern[str]) -> bool:
        """Whether it names something that is known at run time only, in words of what is asked for."""
        given = [argument for argument in call.args if not _is_count(argument.value)]
        nodes = [node for argument in given for node in _uncounted(argument.value)]
        if not any(isinstance(node, (ir.Name, ir.Member)) for node in nodes):
            return False
        said = [node.value for node in nodes if isinstance(node, ir.Literal) and isinstance(node.value, str)]
        if speaks.pattern and any(map(PREPARES.search, said)):
            return False
        keywords = (argument.keyword for argument in given if argument.keyword)
        offered = _offered(self._context.program, call) if speaks.pattern else frozenset()
        if any(_is_one(node, offered) for node in nodes):
            nodes = [node for node in nodes if not _is_one(node, offered | _taken_of(nodes, offered))]
            said = said if any(isinstance(node, ir.Name) and node.id not in OWN for node in nodes) else []
        named = (word for node in nodes for word in words(node))
        return any(speaks.search(text) for text in (*said, *keywords, *named))

    def _is_in_handler(self, call: ir.Call) -> bool:
        structure = self._context.program.structure(self._context.program.scope_of(call))
        tries: Iterator[ir.Try] = structure.enclosing(call, ir.Try)
        return any(handler.span.contains(call.span) for node in tries for handler in node.handlers)


def _offered(program: Program, call: ir.Call) -> frozenset[str]:
    """What the code around a call hands to a model or an agent as its tools: a text about these says what there is to
    choose from, and not what was chosen.
    """
    calls = program.structure(program.scope_of(call)).calls
    given = (each.value for one in calls for each in one.args if each.keyword in OFFERED)
    kept = (
        entry.value
        for one in calls
        for argument in one.args
        for entry in (argument.value.entries if isinstance(argument.value, ir.Map) else ())
        if isinstance(entry.key, ir.Literal) and entry.key.value in OFFERED
    )
    return frozenset(dotted(each) for each in (*given, *kept) if isinstance(each, (ir.Name, ir.Member)))


def _is_one(node: ir.Node, names: frozenset[str]) -> bool:
    if not isinstance(node, (ir.Name, ir.Member)):
        return False
    said = dotted(node)
    return any(said == name or said.startswith(f"{name}.") for name in names)


def _taken_of(nodes: Iterable[ir.Node], names: frozenset[str]) -> frozenset[str]:
    """What the passes over something of these names call each of it."""
    loops = (node for node in nodes if isinstance(node, ir.Loop) and node.source is not None)
    targets = (loop.target for loop in loops if loop.source is not None and _is_one(loop.source, names))
    return frozenset(
        n.id for target in targets if target is not None for n in ir.walk(target) if isinstance(n, ir.Name)
    )


def recording_by(call: ir.Call) -> Recording:
    """What is recorded by a call that writes a record."""
    by = f"{dotted(call.callee)} ({call.span.path}:{call.span.line})"
    return Recording(by, written(value=True, span=call.span), call.span)


def names_itself(text: ir.Expr, value: ir.Expr) -> bool:
    """Whether a text is put together of a value, and not only of how much it is or of a piece of it."""
    nodes = tuple(ir.walk(text))
    pieces = {
        id(n.callee.target) for n in nodes if isinstance(n, ir.Call) and n.args and isinstance(n.callee, ir.Member)
    }
    pieces |= {id(node.target) for node in nodes if isinstance(node, ir.Member) and node.name == LENGTH}
    named = (node for node in _uncounted(text) if isinstance(node, (ir.Name, ir.Member)) and id(node) not in pieces)
    return any(same(node, value) for node in named)


def _uncounted(expr: ir.Node) -> Iterator[ir.Node]:
    """An expression and all in it, without what is only counted: `len(calls)`, `{tools: tools.length}`."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Map):
            stack.extend(part for e in node.entries if not _is_count(e.value) for part in (e.key, e.value) if part)
        elif not _is_count(node):
            yield node
            stack.extend(ir.children(node))


def _is_count(node: ir.Node | None) -> bool:
    """Whether an expression only says how many there are: `tools.length`, `tools?.length ?? 0`."""
    match node:
        case ir.Call(callee=ir.Name(id="len")) | ir.Member(name="length"):
            return True
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *_)):
            return _is_count(first)
        case _:
            return False
