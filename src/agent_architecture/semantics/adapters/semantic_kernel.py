"""What rows cannot say of Semantic Kernel: the plugins of kernels, hand-overs in teams, pipelines.

An agent, or a model call, may pick the functions that its kernel holds; they are put into it by statements, and the
kernel is an argument of what uses them (semantic_kernel/functions/kernel_function_extension.py). Who may hand over to
whom is told to an object that a team is given, by agents or by their names (agents/orchestration/handoffs.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.packs.addresses import SELF, parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.addresses import Address

PACK: Final = "semantic-kernel"
KERNEL: Final = "py:semantic_kernel.Kernel()"
GIVEN: Final = parse_address("kernel")
OWN: Final = parse_address(SELF)
PLUGINS: Final = parse_address("plugins[]")
HANDOFFS: Final = "py:semantic_kernel.agents.OrchestrationHandoffs()"
PIPELINES: Final = tuple(f"py:semantic_kernel.agents.{kind}Orchestration" for kind in ("Sequential", "Concurrent"))
SOURCE: Final = parse_address("source_agent | 0")
TARGETS: Final = parse_address("target_agent | target_agents[] | 1[] | 1")
MEMBERS: Final = parse_address("members[] | 0[]")


def kernel_plugins(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """Each agent and run with the plugins of its kernel."""
    for match in context.of_kind("agent", "run"):
        if match.row.where.pack == PACK:
            for address in (GIVEN, OWN):
                for kernel in _kernels(context, match, address):
                    yield from ((match, plugin) for plugin in _held(context, kernel))


def _kernels(context: Context, match: Match, address: Address) -> Iterator[ir.Call]:
    for value in at_call(context.program, match.arguments, match.api.receiver, address).values:
        if isinstance(value, Api) and isinstance(value.node, ir.Call) and context.packs.canonical(value.path) == KERNEL:
            yield value.node


def _held(context: Context, kernel: ir.Call) -> Iterator[ir.Expr]:
    yield from expressions(context.program, kernel, PLUGINS)
    for row, call, _ in context.set_calls.on(kernel):
        address = row.relations.get("toolkits")
        if address is not None:
            yield from expressions(context.program, call, address) or ((call,) if () in address.alternatives else ())


def handoffs_in_words(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The hand-overs that a team is told of: each agent with the expression of one that it may hand over to."""
    for name in ("add", "add_many"):
        for site in context.program.calls(name):
            paths = (context.packs.canonical(api.path) for api in resolved(context.program, site.call.callee))
            if any(path == f"{HANDOFFS}.{name}" for path in paths):
                sources = at_call(context.program, site.call, None, SOURCE).values
                targets = expressions(context.program, site.call, TARGETS)
                for agent in (*context.made_by(sources, "agent"), *_named(context, sources)):
                    yield from ((agent, target) for target in targets)


def _named(context: Context, values: Values) -> Iterator[Match]:
    names = {value.value for value in values if isinstance(value, Const)}
    for match in context.of_kind("agent") if names else ():
        if match.row.where.pack == PACK and names & set(effective(context, match, "name").values):
            yield match


def orchestrated(context: Context) -> dict[int, Built]:
    """The teams whose members each work once, by the node that makes the team."""
    found: dict[int, Built] = {}
    for match in context.of_kind("agent"):
        if context.packs.canonical(match.api.path) in PIPELINES:
            graph = found[id(match.node)] = Built(passes=False)
            members = at_call(context.program, match.arguments, None, MEMBERS).values
            graph.inner.extend(context.made_by(members, "agent"))
    return found
