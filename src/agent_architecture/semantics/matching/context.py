"""What every part of the semantics stage needs at hand: the program, the packs, the versions, and the matches by
node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.names.named_parts import part_of
from agent_architecture.names.values import Api, Func
from agent_architecture.semantics.manifests.ranges import is_below
from agent_architecture.semantics.matching.makers import makers, receivers
from agent_architecture.semantics.matching.match import Match
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.matching.set_calls import SetCalls
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.manifests.versions import Versions
    from agent_architecture.semantics.packs.packs import Packs

_T = TypeVar("_T")

CHAIN: Final = 64
"""Members and calls of a chain that are told. People write ten."""


class Context:
    """Read-only after it is made, but for what it remembers of questions about all of it (`memoized`)."""

    def __init__(self, program: Program, packs: Packs, versions: Versions, matches: tuple[Match, ...]) -> None:
        self.program = program
        self.packs = packs
        self.versions = versions
        matches = tuple(match for match in matches if not match.row.before or self._is_in_force(match))
        self.matches = tuple(match for match in matches if not match.hands_on)
        self.set_calls = SetCalls(program, packs)
        self._answers: dict[Callable[[Context], object], object] = {}
        self._by_node: dict[int, list[Match]] = {}
        for match in matches:
            self._by_node.setdefault(id(match.node), []).append(match)
        self._apart: dict[int, list[Match]] = {}
        for match in matches:
            for node in match.through:
                self._apart.setdefault(id(node), []).append(match)

    def _is_in_force(self, match: Match) -> bool:
        """Whether a row still says something of the version that the project uses."""
        owner = self.packs.package_of(self.packs.canonical(match.api.path))
        found = self.versions.of(*owner, match.node.span.path) if owner is not None else None
        return found is None or not found.version or is_below(found.version, match.row.before)

    def once(self, question: Callable[[Context], _T]) -> _T:
        """The answer to a question about all of it, worked out when it is first asked."""
        if question not in self._answers:
            self._answers[question] = question(self)
        return self._answers[question]  # type: ignore[return-value]  # each question has answers of its own type

    def role(self, match: Match) -> Role:
        """What the file of a match is for."""
        file = self.program.table.file(match.node.span.path)
        return Role.APP if file is None else file.role

    def of_kind(self, *kinds: str) -> Iterator[Match]:
        """The matches of these kinds, by position."""
        return (match for match in self.matches if match.row.kind in kinds)

    def files_of(self, *kinds: str) -> frozenset[str]:
        """The files with something of these kinds."""
        return frozenset(match.node.span.path for match in self.of_kind(*kinds))

    def finished(self, kind: str) -> Iterator[Match]:
        """The matches of a kind, without those that another one is made of (`define(…)` of `define(…).server(f)`), and
        those that hand on what is one already: `server.add_tool(f)` of a function that is decorated as a tool.
        """
        parts = {id(match.api.receiver.node) for match in self.of_kind(kind) if match.api.receiver is not None}
        return (match for match in self.of_kind(kind) if id(match.node) not in parts and not self._is_one(match))

    def _is_one(self, match: Match) -> bool:
        """Whether the function that a match names is of its kind by itself, to the same library."""
        address = match.row.relations.get("function")
        if address is None:
            return False
        values = at_call(self.program, match.arguments, match.api.receiver, address).values
        functions = (v.function for v in values if isinstance(v, Func) and v.function is not match.node)
        made = (self.at(function, match.row.kind) for function in functions)
        return any(one is not None and one.row.where.pack == match.row.where.pack for one in made)

    def at(self, node: ir.Node, *kinds: str) -> Match | None:
        """The match of one of these kinds that a node made; of several that a call makes for others, the first."""
        found = self._by_node.get(id(node)) or self._apart.get(id(node)) or self._standing_for(node)
        return next((match for match in found if match.row.kind in kinds), None)

    def _standing_for(self, node: ir.Node) -> Sequence[Match]:
        """The matches of what stands in a helper, where `node` stands for it at a call."""
        written = self.program.made.written(node)
        return self._by_node.get(id(written), ()) if written is not node else ()

    def apart(self, node: ir.Node) -> tuple[Match, ...]:
        """What a call makes for each use of the code around it; nothing for one that makes one thing."""
        return tuple(self._apart.get(id(node), ()))

    def used_at(self, node: ir.Node) -> Match | None:
        """The tool that one use of a call stands for which makes tools for many."""
        return next((one for one in self._by_node.get(id(node), ()) if one.through and one.row.kind == "tool"), None)

    def all_at(self, node: ir.Node, *kinds: str) -> tuple[Match, ...]:
        """All matches of these kinds that a node made."""
        found = self._by_node.get(id(node)) or self._standing_for(node)
        return tuple(match for match in found if match.row.kind in kinds)

    def made(self, value: Value, *kinds: str) -> Match | None:
        """The match of one of these kinds that made a value: the value itself, or the nearest of its receivers."""
        return next((match for node in makers(value) if (match := self.at(node, *kinds)) is not None), None)

    def made_by(self, values: Iterable[Value], *kinds: str) -> tuple[Match, ...]:
        """The matches of these kinds that made any of the values, each once."""
        found = {id(m): m for value in values for m in self._all_made(value, kinds)}
        return tuple(found.values())

    def _all_made(self, value: Value, kinds: tuple[str, ...]) -> tuple[Match, ...]:
        """The match that made a value; of an agent that a call makes for many, where nobody says for whom, each. An
        object of the project is the agent that its own class or call stands for.
        """
        made = self.made(value, *kinds)
        if made is None or not made.through or made.row.kind != "agent" or not isinstance(value, Api):
            return () if made is None else (made,)
        chain = (value, *receivers(value))
        known = next((api.made_for for api in chain if api.made_for is not None), made.made_at)
        each = (match for match in self.apart(known) if match.row.kind == "agent")
        return (made,) if made.node is known else tuple(each)

    def symbol(self, node: ir.Node) -> str:
        """What a reader would call what a node makes: its own name, the name it is assigned to, else its callee's
        name.
        """
        if isinstance(node, (ir.Function, ir.Class)):
            return node.name or node.qualname
        assigned = self._assigned_name(node)
        if assigned:
            return assigned
        return dotted(node.callee) if isinstance(node, ir.Call) else ""

    def _assigned_name(self, node: ir.Node) -> str:
        child: ir.Node = node
        for around in self.program.structure(self.program.scope_of(node)).ancestors(node):
            if isinstance(around, ir.Assign):
                return dotted(around.target) if around.value is child else ""
            if not isinstance(around, (ir.Await, ir.Member, ir.Call)) or (
                isinstance(around, ir.Call) and around.callee is not child
            ):
                return ""
            child = around
        return ""


def called(node: ir.Node) -> str:
    """What a reader would call a call: its callee, `graph.invoke`; a definition by its name, a text by itself."""
    if isinstance(node, ir.Literal):
        return str(node.value)
    if isinstance(node, (ir.Function, ir.Class)):
        return node.name or node.qualname
    return dotted(node.callee) if isinstance(node, ir.Call) else ""


def label(match: Match) -> str:
    """What a reader would call a match: its call, or for an object that a call names the name of that call."""
    return called(match.node) or last_name(match.api.path)


def written_as(program: Program, expr: ir.Expr) -> str:
    """The same, where a name that stands for an attribute is that: `os.environ.get` of `env = os.environ; env.get`."""
    root = expr
    while isinstance(root, ir.Member):
        root = root.target
    part = part_of(program, root)
    return dotted(expr) if part is root else dotted(part) + dotted(expr)[len(dotted(root)) :]


def dotted(expr: ir.Expr, steps: int = CHAIN) -> str:
    """A name or member chain as text: `self.agent.run`; calls in it as `()`; "" for anything else.

    Of a chain that is longer than any that people write, its last steps: it is asked of each of its members.
    """
    if not steps:
        return ""
    match expr:
        case ir.Name():
            return expr.id
        case ir.Member():
            inner = dotted(expr.target, steps - 1)
            return f"{inner}.{expr.name}" if inner else expr.name
        case ir.Call():
            inner = dotted(expr.callee, steps - 1)
            return f"{inner}()" if inner else ""
        case ir.Await():
            return dotted(expr.value, steps - 1)
        case _:
            return ""
