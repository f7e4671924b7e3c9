"""Which code runs a tool that is picked by its name: a dispatcher's branches, tables of functions.

Looks only into the files that ask a model or serve MCP, and into those to which a server's handler hands what it was
asked for. Says nothing of schemas.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from agent_architecture.model.words import plain
from agent_architecture.names import flow
from agent_architecture.names.predicates import straight
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import joined_by
from agent_architecture.names.values import Const, Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.answer_branches import PROTOCOL
from agent_architecture.semantics.agents.mcp_answered import answers, serving_by_hand
from agent_architecture.semantics.agents.name_givers import only_names, renames
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.callgraph.tool_arguments import RECEIVED, Body, of_function, taken_apart
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.taint.argument_checks import VALIDATING
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import SourceFile

ASKING: Final = ("model_call", "run", "mcp_server", "tool")

HANDLER: Final = "tools/call"
"""The name that packs give to the one handler of a low-level server, after the protocol's method."""

HANDED_ON: Final = 3
"""Functions through which a server's handler hands on what it was asked for."""

SEVERAL: Final = 2
"""Names for which a function branches that is a dispatcher wherever it stands: one name may be anything's."""

NAMED: Final = rb"[\"']?\bname[\"']?\s*[:=]\s*[\"'`]%s[\"'`]"
"""How a description says what a tool is called."""

QUOTES: Final = (b'"', b"'", b"`")
LONGEST_NAME: Final = 100
"""Bytes of a name of a tool."""

METHOD: Final = regex(r"^(?:\w+/[\w/]+|initialize|ping)$")
"""How MCP spells what it is asked for: no name of a tool."""


class Dispatch:
    """The code behind the names of tools, found once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._branches: dict[str, list[Body]] | None = None
        self._general: list[Body] = []
        self._handlers: dict[str, list[Body]] = {}
        self._serving: dict[str, list[Body]] = {}
        self._beside: dict[str, dict[str, list[Body]]] = {}
        self._apart: dict[str, dict[str, list[tuple[Body, frozenset[str]]]]] = {}
        self._texts: dict[str, frozenset[bytes]] = {}

    def bodies(self, name: str, path: str) -> tuple[Body, ...]:
        """The code that runs the tool `name` of the file `path`: in the files that are nearest to it, of those that a
        program loads with it; where no branch asks for the name, the file's handlers of all tools that ask for none, or
        what a mapping beside the description runs under that name.
        """
        apart = self._context.once(Programs).apart
        named = (body for body in self._table().get(name, ()) if not apart(body.function.span.path, path))
        found = _nearest(named, path) or tuple(self._handlers.get(path, ()))
        return found or tuple(self._beside_of(path).get(name, ())) or self._elsewhere(name, path)

    def serving(self, name: str, path: str) -> tuple[Body, ...]:
        """What a server written by hand does when any of the tools is called that it lists, where no code is this one
        tool's alone: it says how their answers are put, not what any of them does.
        """
        return self.bodies(name, path) or tuple(self._serving.get(path, ()))

    def handing_on(self, match: Match, name: str, function: ir.Function) -> tuple[ir.Call, ...]:
        """The calls by which a function that is registered for several tools hands on what it is called with, where a
        dispatcher behind it runs the tool of that name: `async (given) => execute(tool.name, given)` in a loop.
        """
        if not match.through or not self.bodies(name, match.node.span.path):
            return ()
        if function not in self._context.once(_of_several):
            return ()
        program, handed = self._context.program, {id(function)}
        calls = (call for call in own_nodes(function, ir.Call) if program.callees(call))
        return tuple(call for call in calls if _gives(program, call, handed))

    def namesakes(self, name: str, path: str) -> Iterator[ir.Function]:
        """What the branches for a tool run under its own name: `logDecision(…)` for `log_decision`."""
        program, wanted = self._context.program, plain(name)
        for body in self.bodies(name, path):
            calls = (node for node in ir.walk(*body.statements) if isinstance(node, ir.Call))
            yield from (f for call in calls for f in program.callees(call) if plain(f.name) == wanted)

    def beside(self, name: str, path: str) -> ir.Function | None:
        """The one function that the mappings of a file run under a name."""
        found = {id(body.function): body.function for body in self._beside_of(path).get(name, ())}
        return next(iter(found.values())) if len(found) == 1 else None

    def _beside_of(self, path: str) -> dict[str, list[Body]]:
        """What the mappings of a file run, by name, though the file asks no model itself: a base class of agents."""
        if path not in self._beside:
            found: dict[str, list[Body]] = {}
            for module in self._context.program.modules if path else ():
                for scope in module.code if module.path == path else ():
                    for name, body in (pair for node in own_nodes(scope, ir.Map) for pair in self._of_table(node)):
                        found.setdefault(name, []).append(body)
            self._beside[path] = found
        return self._beside[path]

    def _elsewhere(self, name: str, path: str) -> tuple[Body, ...]:
        """The code behind a name in a file that asks no model (a client of the project's own does): of functions that
        branch for several names, each of which the file that describes the tool describes, too.
        """
        described = self._context.program.table.file(path)
        if described is None or not _describes(described, name):
            return ()
        found: list[Body] = []
        for module in self._context.program.modules:
            if _language(module.path) == _language(path) and self._writes(module.path, name):
                found += [
                    body
                    for body, names in self._branching(module).get(name, ())
                    if len(names) >= SEVERAL and all(_describes(described, each) for each in names)
                ]
        return _nearest(found, path)

    def _writes(self, path: str, name: str) -> bool:
        """Whether a file has a name as a text of its own."""
        texts = self._texts.get(path)
        if texts is None:
            file = self._context.program.table.file(path)
            texts = self._texts[path] = frozenset() if file is None else told(file, _quoted)
        return name.encode() in texts

    def _branching(self, module: ir.Module) -> dict[str, list[tuple[Body, frozenset[str]]]]:
        """What the functions of a file do for constant texts, by text, each with all that its function asks for."""
        if module.path not in self._apart:
            found = self._apart.setdefault(module.path, {})
            for function in module.index.functions:
                nodes = own_nodes(function, ir.If, ir.Match)
                told = [
                    one for node in nodes for one in branches(self._context.program, node) if one[0] not in PROTOCOL
                ]
                if only_names(told):
                    continue
                names = frozenset(text for text, _ in told)
                for text, statements in told:
                    found.setdefault(text, []).append((Body(statements, function, frozenset()), names))
        return self._apart[module.path]

    def general(self, name: str, path: str) -> tuple[Body, ...]:
        """Validating calls in dispatchers that stand in no tool's own branch: they check the arguments of every tool
        that the file runs or describes, or that a file of the same folder describes.
        """
        files = {body.function.span.path for body in self.bodies(name, path)}
        folder = path.rpartition("/")[0]
        return tuple(
            body
            for body in self._general
            if (at := body.function.span.path) in {*files, path} or (not files and at.rpartition("/")[0] == folder)
        )

    def _table(self) -> dict[str, list[Body]]:
        if self._branches is None:
            self._branches = {}
            paths = set(self._context.files_of(*ASKING))
            paths |= {module.path for module in serving_by_hand(self._context)}
            paths |= self._handed_on()
            for module in self._context.program.modules:
                if module.path in paths:
                    for name, body in self._of_module(module):
                        self._branches.setdefault(name, []).append(body)
            self._general = [body for body in self._general if self._is_general(body.function)]
            self._find_handlers()
        return self._branches

    def _handed_on(self) -> set[str]:
        """The files of the functions to which the handlers of servers hand the name of the tool, or the request."""
        program = self._context.program
        matches = (m for m in self._context.of_kind("tool") if m.row.constants.get("name") == HANDLER)
        level = [function for match in matches for function in _handling(self._context, match)]
        level += self._context.once(_of_several)
        for module in serving_by_hand(self._context):
            level += [function for function in module.index.functions if any(self._asks(function, HANDLER))]
        handed = {id(function) for function in level}
        paths: set[str] = set()
        for _ in range(HANDED_ON):
            calls = [n for function in level for n in own_nodes(function, ir.Call)]
            level = []
            for call in calls:
                new = [f for f in program.callees(call) if id(f) not in handed]
                if new and _gives(program, call, handed):
                    handed.update(map(id, new))
                    level += new
            paths |= {function.span.path for function in level}
        return paths

    def _is_general(self, function: ir.Function) -> bool:
        """Whether a function that checks arguments does so for every tool: not one that only branches of some call."""
        sites = self._context.program.callers(function)
        spans = [s.span for bodies in (self._branches or {}).values() for body in bodies for s in body.statements]
        return not sites or not all(any(span.contains(site.call.span) for span in spans) for site in sites)

    def _find_handlers(self) -> None:
        """The handlers of low-level servers that run whatever tool is called, by file."""
        asking = {id(body.function) for bodies in (self._branches or {}).values() for body in bodies}
        for match in self._context.of_kind("tool"):
            if match.row.constants.get("name") == HANDLER:
                for function in _handling(self._context, match):
                    if id(function) not in asking:
                        body = Body(tuple(function.body), function, frozenset())
                        self._handlers.setdefault(function.span.path, []).append(body)

        told = [(name, id(body.function)) for name, bodies in (self._branches or {}).items() for body in bodies]
        for module in serving_by_hand(self._context):
            listed = answers(self._context)[module.path]
            names = {tool.name for tool in listed}
            branching = {key for name, key in told if (name in names if names else not METHOD.match(name))}
            self._find_serving(module, branching, {tool.node.span.path for tool in listed})

    def _find_serving(self, module: ir.Module, branching: set[int], described: set[str]) -> None:
        """The code of a server by hand that runs whatever tool is called, where none of its functions is among those
        that branch for single tools; `described` are the files that describe them.
        """
        taken = [f for f in module.index.functions if id(f) in branching or any(self._asks(f, HANDLER))]
        if any(id(function) in branching for function in taken):
            return
        for function in taken:
            for statements in self._asks(function, HANDLER):
                body = Body(statements, function, frozenset())
                self._handlers.setdefault(function.span.path, []).append(body)
                for path in described:
                    self._serving.setdefault(path, []).append(body)

    def _asks(self, function: ir.Function, wanted: str) -> Iterator[tuple[ir.Node, ...]]:
        """What a function does where it is asked for one text."""
        for node in own_nodes(function, ir.If, ir.Match):
            yield from (done for text, done in branches(self._context.program, node) if text == wanted)

    def _of_module(self, module: ir.Module) -> Iterator[tuple[str, Body]]:
        for table in own_nodes(module, ir.Map):
            yield from self._of_table(table)
        for function in module.index.functions:
            inside: set[int] = set()
            nodes = own_nodes(function, ir.Map, ir.If, ir.Match)
            names = only_names(one for node in nodes for one in branches(self._context.program, node))
            for node in nodes:
                if isinstance(node, ir.Map):
                    yield from self._of_table(node)
                for name, statements in branches(self._context.program, node):
                    if names or name in PROTOCOL:
                        continue
                    inside.update(id(inner) for inner in ir.walk(*statements))
                    yield name, Body(statements, function, frozenset())
            self._general.extend(self._validating(function, inside))

    def _of_table(self, node: ir.Map) -> Iterator[tuple[str, Body]]:
        """`{"search": search, "count": lambda given: count(given["of"])}`: from names to functions of the project."""
        for entry in node.entries:
            if not isinstance(entry.key, ir.Literal):
                continue
            if isinstance(entry.value, (ir.Name, ir.Member)):
                for value in self._context.program.value_of(entry.value):
                    if isinstance(value, Func):
                        yield str(entry.key.value), of_function(value.function)
            elif isinstance(entry.value, ir.Function):
                own = taken_apart(self._context.program, entry.value)
                if own is not None:
                    yield str(entry.key.value), of_function(own)

    def _validating(self, function: ir.Function, inside: set[int]) -> Iterator[Body]:
        for node in own_nodes(function, ir.Call):
            if id(node) in inside or not _takes_arguments(node):
                continue
            if marks_of(self._context, node) & VALIDATING:
                yield Body((node,), function, frozenset())


def _quoted(data: bytes) -> frozenset[bytes]:
    """The texts of a file between any two neighbouring quotes of a kind, as far as they may be names."""
    parts = (part for quote in QUOTES for part in data.split(quote)[1:-1])
    return frozenset(part for part in parts if len(part) <= LONGEST_NAME)


def _describes(file: SourceFile, name: str) -> bool:
    """Whether a file says of something that this is its name: a list of tools that are allowed only names them."""
    return re.search(NAMED % re.escape(name.encode()), file.data) is not None


def _handling(context: Context, match: Match) -> Iterator[ir.Function]:
    """The function that a handler's row stands for: the decorated one, or the one that is handed over."""
    if isinstance(match.node, ir.Function):
        yield match.node
    for argument in match.given[1:] if match.node is match.arguments else ():
        yield from (value.function for value in context.program.value_of(argument.value) if isinstance(value, Func))


def _of_several(context: Context) -> tuple[ir.Function, ...]:
    """The functions that run several tools: those that a loop registers are told apart behind them, by name."""
    counts: Counter[ir.Function] = Counter()
    for match in context.of_kind("tool"):
        address = match.row.relations.get("function") if match.through else None
        if address is not None:
            values = at_call(context.program, match.arguments, match.api.receiver, address).values
            counts.update(value.function for value in values if isinstance(value, Func))
    return tuple(function for function, count in counts.items() if count > 1)


def _gives(program: Program, call: ir.Call, handed: set[int]) -> bool:
    """Whether a call is given what one of these functions was."""
    return any(
        origin.kind == "parameter" and id(origin.node) in handed
        for argument in call.args
        for origin in flow.ends(program, argument.value)
    )


def _nearest(bodies: Iterable[Body], path: str) -> tuple[Body, ...]:
    """The bodies in files of the same language whose path shares most with `path`."""
    same = [body for body in bodies if _language(body.function.span.path) == _language(path)]
    nearest = max((_shared(path, body.function.span.path) for body in same), default=0)
    return tuple(body for body in same if _shared(path, body.function.span.path) == nearest)


def _shared(one: str, other: str) -> int:
    """How many folders and names two paths begin with in common."""
    pairs = zip(one.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _language(path: str) -> str:
    return "python" if is_python(path) else "javascript"


def branches(program: Program, node: ir.Node) -> Iterator[tuple[str, tuple[ir.Node, ...]]]:
    """The branches that a statement takes for constant texts, with the texts; none that only says another name."""
    match node:
        case ir.If():
            test, then, _ = straight(program, node)
            found = [(text, tuple(then)) for text in _compared(program, test)]
        case ir.Match():
            cases = ((case, pattern) for case in node.cases for pattern in case.patterns)
            found = [(text, tuple(case.body)) for case, pattern in cases for text in _texts(program, pattern)]
        case _:
            return
    yield from ((text, body) for text, body in found if not renames(body))


def _compared(program: Program, test: ir.Expr) -> Iterator[str]:
    for asked in joined_by("or", test):
        if isinstance(asked, ir.Operator) and asked.op == ir.Op.EQ:
            yield from (text for operand in asked.operands for text in _texts(program, operand))


def _texts(program: Program, expr: ir.Expr) -> Iterator[str]:
    """The text that a literal or a constant of a class or enumeration is; a bare name in a pattern takes anything."""
    if isinstance(expr, ir.Literal):
        yield from (expr.value,) if isinstance(expr.value, str) else ()
    elif isinstance(expr, ir.Member):
        values = program.value_of(expr)
        yield from (v.value for v in values if isinstance(v, Const) and isinstance(v.value, str))


def _takes_arguments(call: ir.Call) -> bool:
    nodes = list(ir.walk(*(argument.value for argument in call.args)))
    words = {n.id for n in nodes if isinstance(n, ir.Name)} | {n.name for n in nodes if isinstance(n, ir.Member)}
    words |= {str(n.key.value) for n in nodes if isinstance(n, ir.Index) and isinstance(n.key, ir.Literal)}
    return bool(words & RECEIVED)
