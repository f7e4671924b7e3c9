"""PocketFlow's flows as graphs: nodes are objects of classes with `prep`, `exec` and `post`, which say what comes next.

Rows cannot say this: edges are operators, `a >> b`, `a - "again" >> b` (TypeScript: `a.next(b)`, `a.on("again", b)`),
and what `post` returns is the action that chooses among them. Rule: pocketflow/__init__.py (`BaseNode.next`,
`_ConditionalTransition`, `Flow._orch`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import CONSTRUCTOR, constructor, lineage
from agent_architecture.names.reached import reached
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, ClassValue, Const, Instance
from agent_architecture.semantics.adapters.agent_graphs import agent_graphs
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.langgraph_choices import Choice
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

FLOWS: Final = frozenset({"py:pocketflow.Flow", "npm:pocketflow:Flow"})
PREPARING: Final = ("prep", "prep_async")
DOING: Final = ("exec", "exec_async")
ENDING: Final = ("post", "post_async")
DEFAULT: Final = "default"
"""The action of a node that says none."""
DEPTH: Final = 20
"""Links of a chain of nodes that are followed."""


class Edges:
    """Which node follows which, by the action that leads there, as the whole program says it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.nodes: dict[str, Value] = {}
        self.after: dict[str, dict[str, set[str]]] = {}
        """By node the nodes behind each action."""
        for scope in (scope for module in program.modules for scope in module.code):
            for node in own_nodes(scope, ir.Operator):
                if node.op == ir.Op.RSHIFT:
                    self._join(*self._action(node.operands[0]), node.operands[1])
        for name in ("next", "on"):
            for site in program.calls(name):
                self._called(site.call)

    def of(self, expr: ir.Expr) -> Iterator[str]:
        """The names of the nodes that an expression is; of a chain the last."""
        for value in self._program.value_of(_last(expr)):
            name = _name(value)
            if name:
                self.nodes.setdefault(name, value)
                yield name

    def _action(self, source: ir.Expr) -> tuple[ir.Expr, str]:
        if isinstance(source, ir.Operator) and source.op == ir.Op.SUB:
            return source.operands[0], self._word(source.operands[1])
        return source, DEFAULT

    def _called(self, call: ir.Call) -> None:
        match call:
            case ir.Call(callee=ir.Member(name="next", target=source), args=(target, *named)):
                self._join(source, next((self._word(each.value) for each in named), DEFAULT), target.value)
            case ir.Call(callee=ir.Member(name="on", target=source), args=(action, target)):
                self._join(source, self._word(action.value), target.value)
            case _:
                pass

    def _word(self, expr: ir.Expr) -> str:
        return next((str(v.value) for v in self._program.value_of(expr) if isinstance(v, Const)), DEFAULT)

    def _join(self, source: ir.Expr, action: str, target: ir.Expr) -> None:
        targets = set(self.of(target))
        for name in self.of(source) if targets else ():
            self.after.setdefault(name, {}).setdefault(action, set()).update(targets)


def pocket_flows(context: Context) -> dict[int, Built]:
    """The graph of every flow that is made, by the node that makes it."""
    return agent_graphs(context, FLOWS, _graph)


def steps_of(program: Program, packs: Packs, match: Match) -> tuple[ir.Function, ...]:
    """The functions that a flow runs."""
    del packs
    edges = program.once(Edges)
    return tuple(step for name in _nodes(program, edges, match.node) for step in methods(program, edges.nodes[name]))


def methods(program: Program, node: Value) -> Iterator[ir.Function]:
    """What a run of a node calls, in this order."""
    found = {
        each.name: each
        for cls in (reversed(lineage(program, node.cls)) if isinstance(node, Instance) else ())
        for each in cls.body
        if isinstance(each, ir.Function)
    }
    yield from (found[name] for name in (*PREPARING, *DOING, *ENDING) if name in found)


def _graph(context: Context, match: Match) -> Built:
    program = context.program
    graph = Built(passes=False)
    edges = program.once(Edges)
    for name in _nodes(program, edges, match.node):
        actions = edges.after.get(name, {})
        steps = list(methods(program, edges.nodes[name]))
        graph.nodes.add(name)
        graph.actions[name] = steps
        chosen = {action: min(targets) for action, targets in actions.items()}
        graph.edges |= {(name, target) for targets in actions.values() for target in targets}
        graph.edges |= {(inner, target) for inner in _inside(program, edges, name) for target in chosen.values()}
        graph.edges |= {(name, start) for start in _starts(program, edges, edges.nodes[name])}
        choosing = [Choice(context, step, chosen) for step in steps if step.name in ENDING]
        if len(actions) > 1 and choosing:
            graph.decides[name] = choosing
            graph.decided |= {(name, target) for action, target in chosen.items() if action != DEFAULT}
    return graph


def _nodes(program: Program, edges: Edges, flow: ir.Node) -> tuple[str, ...]:
    """The nodes of a flow, and of those that are nodes of it, from the first on."""
    made = _given(program, flow) if isinstance(flow, ir.Call) else ()
    return tuple(
        reached(
            [name for expr in made for name in edges.of(expr)],
            lambda name: (*_following(edges, name), *_starts(program, edges, edges.nodes[name])),
        )
    )


def _following(edges: Edges, name: str) -> Iterable[str]:
    return sorted(target for targets in edges.after.get(name, {}).values() for target in targets)


def _inside(program: Program, edges: Edges, name: str) -> tuple[str, ...]:
    """The nodes of a flow that is a node."""
    match edges.nodes[name]:
        case Api(node=ir.Call() as call) | Instance(call=ir.Call() as call):
            return _nodes(program, edges, call) if list(_starts(program, edges, edges.nodes[name])) else ()
        case _:
            return ()


def _starts(program: Program, edges: Edges, node: Value) -> Iterator[str]:
    """Where a flow starts that is a node of another one."""
    match node:
        case Api(node=ir.Call() as call) | Instance(call=ir.Call() as call) if not list(methods(program, node)):
            for expr in _given(program, call):
                yield from edges.of(expr)
        case _:
            pass


def _given(program: Program, call: ir.Call) -> Iterator[ir.Expr]:
    """What a flow is given as its start, by whoever makes it or by its own constructor."""
    value = next(iter(program.value_of(call.callee)), None)
    init = constructor(program, value.cls) if isinstance(value, ClassValue) else None
    calls = [node for node in own_nodes(init, ir.Call) if _is_super(node.callee)] if init is not None else [call]
    for each in calls:
        yield from [a.value for a in each.args if a.keyword in {None, "start"} and not a.spread][:1]


def _is_super(callee: ir.Expr) -> bool:
    """`super().__init__`, `super`."""
    if isinstance(callee, ir.Member) and callee.name == CONSTRUCTOR and isinstance(callee.target, ir.Call):
        callee = callee.target.callee
    return isinstance(callee, ir.Name) and callee.id == "super"


def _last(expr: ir.Expr) -> ir.Expr:
    """The node that a chain gives back: `a >> b`, `a.next(b)` and `b.on("again", a)` are `b`."""
    for _ in range(DEPTH):
        match expr:
            case ir.Operator(op=ir.Op.RSHIFT, operands=(_, target)):
                expr = target
            case ir.Call(callee=ir.Member(name="next"), args=(first, *_)):
                expr = first.value
            case ir.Call(callee=ir.Member(name="on", target=target), args=(_, _)):
                expr = target
            case _:
                break
    return expr


def _name(value: Value) -> str:
    """A node under a name of its own: where it is made."""
    match value:
        case Instance(cls=cls, call=ir.Call() as call):
            return f"{cls.name} {call.span.path}:{call.span.line}:{call.span.col}"
        case Api(node=ir.Call() as call, path=path) if path.startswith(("py:pocketflow", "npm:pocketflow")):
            return f"{path} {call.span.path}:{call.span.line}:{call.span.col}"
        case _:
            return ""
