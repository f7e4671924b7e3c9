"""Which tools use what a credential was read into, and what these tools can do.

Follows names: of the function that reads it, of what is made with it in a module, of the attribute that keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import CHANGING
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.credentials.reads import Read


ENDING: Final = ".commit"
OWN: Final = frozenset({"self", "cls", "this"})
MODELS: Final = ("model_client", "model_call", "agent", "run")


class _Code(NamedTuple):
    tool: Tool
    functions: frozenset[int]
    names: Mapping[str, Sequence[ir.Name]]
    """Where it speaks of what."""
    parts: frozenset[str]
    """The parts that it asks other objects for: `settings.key`."""


class Users:
    """Answers for each read which tools use it."""

    def __init__(self, context: Context, agents: Agents) -> None:
        self._context = context
        self._agents = agents
        self._known: tuple[_Code, ...] | None = None

    def of(self, read: Read) -> tuple[Tool, ...]:
        """The tools whose code reads it, or speaks of what it was read into."""
        scope = read.scope
        if self._is_a_models(read):
            return ()
        if isinstance(scope, ir.Function):
            return tuple(code.tool for code in self._codes() if id(scope) in code.functions)
        if isinstance(scope, ir.Class):
            asked = self.named(read) or {read.credential.symbol}
            return tuple(code.tool for code in self._codes() if asked & code.parts)
        names, path = self._held(read), read.credential.span.path
        return tuple(code.tool for code in self._codes() if any(self._speaks(code, name, path) for name in names))

    def _speaks(self, code: _Code, name: str, path: str) -> bool:
        """Whether code speaks of a name of a module: in the module's own file, or where another file imports it; what
        others call by the same name is theirs.
        """
        for node in code.names.get(name, ()):
            seen = self._context.program.in_sight(node)
            bindings = () if seen is None else seen.bindings
            if seen is not None and node.span.path == path and isinstance(seen.owner, ir.Module):
                return True
            if node.span.path != path and any(binding.kind == "import" for binding in bindings):
                return True
        return False

    def named(self, read: Read) -> frozenset[str]:
        """The names that what is read is assigned to where it is read."""
        structure = self._context.program.structure(read.scope)
        assigned = (around for around in structure.ancestors(read.node) if isinstance(around, ir.Assign))
        return frozenset({callee_name(assign.target) for assign in assigned} - {""})

    def _is_a_models(self, read: Read) -> bool:
        """Whether it goes to a client of models: what tools ask a model has no authority."""
        structure = self._context.program.structure(read.scope)
        names = {
            name for a in structure.ancestors(read.node) if isinstance(a, ir.Assign) and (name := callee_name(a.target))
        }
        taking = [call for call in structure.calls if self._context.at(call, *MODELS) is not None]
        return any(
            node is read.node or (isinstance(node, ir.Name) and node.id in names)
            for call in taking
            for argument in call.args
            for node in ir.walk(argument.value)
        )

    def _held(self, read: Read) -> frozenset[str]:
        """The names of a module that hold what is read, or what is made with it."""
        structure = self._context.program.structure(read.scope)
        held = set(self.named(read))
        for store in structure.stores if held else ():
            parts = {node.id for node in ir.walk(store.value) if isinstance(node, ir.Name)} if store.value else set()
            if parts & held and isinstance(store.value, (ir.Call, ir.Map, ir.Template)):
                held |= {name for name in (callee_name(store.target),) if name}
        return frozenset(held)

    def _codes(self) -> tuple[_Code, ...]:
        if self._known is None:
            program, found = self._context.program, []
            for tool in self._agents.all_tools():
                function = self._agents.code.get(id(tool))
                if function is not None:
                    found.append(_code(program, tool, function.body, function))
                else:
                    bodies = self._agents.facts.dispatch.bodies(tool.name, tool.span.path)
                    found += [_code(program, tool, body.statements) for body in bodies]
            self._known = tuple(found)
        return self._known


def _code(program: Program, tool: Tool, statements: Iterable[ir.Node], function: ir.Function | None = None) -> _Code:
    """The code that runs a tool: its own function, or the branch that is taken for it."""
    inside = extent(program, tuple(statements), set())
    names: dict[str, list[ir.Name]] = {}
    for node in inside.nodes():
        if isinstance(node, ir.Name):
            names.setdefault(node.id, []).append(node)
    own = {id(function)} if function is not None else set[int]()
    members = (node for node in inside.nodes() if isinstance(node, ir.Member) and node.name)
    parts = frozenset({node.name for node in members if dotted(node.target) not in OWN})
    return _Code(tool, frozenset(own | {id(inner) for inner, _ in inside.called}), names, parts)


def changes(tool: Tool) -> bool:
    """Whether a tool changes something outside of its process. To end a transaction, as helpers do around every query,
    changes only what something else did.
    """
    done = [effect for effect in tool.effects if effect.kind in CHANGING]
    ends = all(effect.symbol.endswith(ENDING) for effect in done)
    asks = any(effect.kind == "database_read" for effect in tool.effects)
    return bool(done) and not (ends and asks)
