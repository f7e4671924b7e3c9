"""Agents that keep what was said in their own object, of which a program has one for all that it serves.

Where a session keeps the conversation, its key says whose it is; that is judged there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names.deriving import subclasses
from agent_architecture.names.values import ClassValue
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match

REMEMBERS: Final = "remembers"
SESSIONS: Final = "checkpointer"
SAID: Final = "messages"
CONSTRUCTORS: Final = frozenset({"__init__", "constructor"})


class Remembering:
    """Answers for the runs of a project. `lasts` tells of a class whether its objects stay."""

    def __init__(self, work: Work, served: Served, lasts: Callable[[ir.Class], bool]) -> None:
        self._context = work.context
        self._program = work.context.program
        self._served = served
        self._lasts = lasts

    def all(self) -> Iterator[Shared]:
        """Each such agent, once for what holds it, with the first call that runs it for somebody."""
        seen: set[int] = set()
        for run in self._context.of_kind("run"):
            scope = self._program.scope_of(run.node)
            if not self._served.of(scope) or self._begins_anew(scope):
                continue
            for agent in run_agents(self._context, run):
                if agent.row.constants.get(REMEMBERS) is not True or self._is_kept(agent):
                    continue
                holder = self._holder(agent.node, scope) or self._holder(agent.made_at, scope)
                if holder is not None and id(holder) not in seen:
                    seen.add(id(holder))
                    in_module = isinstance(self._program.scope_of(holder), ir.Module)
                    yield Shared(
                        holder.span,
                        self._context.symbol(holder),
                        agent.row.where.pack,
                        Sharing.AGENT,
                        related=(run.node.span,),
                        confidence=Confidence.HIGH if in_module else Confidence.MEDIUM,
                    )

    def _holder(self, made: ir.Node, run: ir.Scope) -> ir.Node | None:
        """The call that makes the one agent for all: its constructor, or the call of a module that has it made by a
        function (`desk = build_desk()`); one of the module that runs it first.
        """
        scope = self._program.scope_of(made)
        if self._is_one_for_all(made, scope):
            return made
        if not isinstance(scope, ir.Function) or not self._gives_back(scope, made):
            return None
        module = self._program.module_of(run).path
        sites = [
            site.call
            for site in self._program.callers(scope)
            if isinstance(site.scope, ir.Module) and self._is_named(site.call, site.scope)
        ]
        return min(sites, key=lambda call: (call.span.path != module, call.span), default=None)

    def _gives_back(self, function: ir.Function, made: ir.Node) -> bool:
        """Whether a function returns what it makes, by itself or under a name."""
        structure = self._program.structure(function)
        around = structure.parent(made)
        names = {around.target.id} if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name) else set()
        return any(value is made or (isinstance(value, ir.Name) and value.id in names) for value in structure.returns)

    def _is_named(self, call: ir.Call, scope: ir.Scope) -> bool:
        around = self._program.structure(scope).parent(call)
        return isinstance(around, ir.Assign) and isinstance(around.target, ir.Name)

    def _is_kept(self, agent: Match) -> bool:
        """Whether a session is given that keeps the conversation, or something that cannot be read."""
        address = agent.row.relations.get(SESSIONS)
        if address is None:
            return False
        read = at_call(self._program, agent.arguments, agent.api.receiver, address)
        return bool(read.values)

    def _begins_anew(self, scope: ir.Scope) -> bool:
        """Whether a function empties a conversation, or sets one, where it runs an agent."""
        structure = self._program.structure(scope)
        sets = any(isinstance(each.target, ir.Member) and each.target.name == SAID for each in structure.stores)
        return sets or any(dotted(call.callee).endswith(f".{SAID}.clear") for call in structure.calls)

    def _is_one_for_all(self, made: ir.Node, scope: ir.Scope) -> bool:
        """Whether a module keeps what is made, or an object of which there is one."""
        if isinstance(scope, ir.Module) or put_in_module(self._program, made, scope):
            return True
        is_maker = isinstance(scope, ir.Function) and scope.name in CONSTRUCTORS
        owner = scope.outer if is_maker and isinstance(scope, ir.Function) else None
        if not isinstance(owner, ir.Class):
            return False
        return any(map(self._is_one, (owner, *subclasses(self._program, owner))))

    def _is_one(self, cls: ir.Class) -> bool:
        sites = (site for site in self._program.calls(cls.name) if ClassValue(cls) in self._made_by(site.call))
        return self._lasts(cls) or any(put_in_module(self._program, site.call, site.scope) for site in sites)

    def _made_by(self, call: ir.Call) -> tuple[object, ...]:
        return tuple(self._program.value_of(call.callee))


def put_in_module(program: Program, made: ir.Node, scope: ir.Scope) -> bool:
    """Whether a function puts what it makes under a name of its module: `global desk; desk = Desk()`."""
    above = next(iter(program.structure(scope).ancestors(made)), None)
    if not isinstance(above, ir.Assign) or not isinstance(above.target, ir.Name):
        return False
    bindings = program.bindings(scope).get(above.target.id, ())
    return any(binding.kind == "global" for binding in bindings)
