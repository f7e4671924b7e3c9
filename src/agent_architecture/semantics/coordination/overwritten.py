"""What each run sets anew on an object, or a name of a module, that runs at the same time share: the second overwrites
what the first still uses.

What is only made once when it is first asked for, and what a program sets up at its start, is nobody's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names.values import Instance
from agent_architecture.semantics.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.coordination.served import Served
    from agent_architecture.semantics.near import Near
    from agent_architecture.semantics.work import Work
    from agent_architecture.sources.source import Span

SELF: Final = frozenset({"self", "this"})
SETS_UP: Final = re.compile(
    r"^_*(?:init|start|connect|set_?up|load|open|ensure|configure|register|build|reload|refresh|reconnect|constructor|on_(?:ready|start|connect))",
    re.IGNORECASE,
)
"""Functions that make a program ready."""
UNSHARED: Final = re.compile(
    r"client|conn|pool|logger|lock|cache|count|time|token|expir|config|settings|status|ready|running|closed|started|app$"
    r"|server|loop|engine|registry|version|last_|metric",
    re.IGNORECASE,
)
"""What programs keep for themselves, by its name."""


class Overwritten:
    """Answers for classes whose objects last, and for modules."""

    def __init__(self, work: Work, near: Near, served: Served) -> None:
        self._program = work.context.program
        self._near = near
        self._served = served

    def all(self) -> Iterator[Shared]:
        """Attributes of servers and of objects that modules keep."""
        kept = dict(self._kept())
        for module in self._program.modules:
            for cls in module.index.classes:
                methods = tuple(node for node in cls.body if isinstance(node, ir.Function))
                answering = tuple(method for method in methods if self._served.is_of_server(method))
                for name, store in self._stores(answering, methods):
                    yield self._shared(store.span, f"{cls.name}.{name}", store.span)
                if id(cls) in kept and not answering:
                    for name, store in list(self._stores(self._running(methods), methods))[:1]:
                        yield self._shared(kept[id(cls)], f"{cls.name}.{name}", store.span)

    def _shared(self, span: Span, symbol: str, related: Span) -> Shared:
        others = (related,) if related != span else ()
        return Shared(span, symbol, "", Sharing.OVERWRITTEN, related=others, confidence=Confidence.MEDIUM)

    def _kept(self) -> Iterator[tuple[int, Span]]:
        """The classes of which a module keeps an object, with the place."""
        for module in self._program.modules:
            for bindings in self._program.bindings(module).values():
                for binding in bindings:
                    if binding.kind != "assign" or not isinstance(binding.value, ir.Call) or binding.steps:
                        continue
                    if self._program.scope_of(binding.node) is not module:
                        continue
                    for value in self._program.value_of(binding.value):
                        if isinstance(value, Instance):
                            yield id(value.cls), binding.node.span

    def _running(self, methods: Iterable[ir.Function]) -> tuple[ir.Function, ...]:
        named = (method for method in methods if not SETS_UP.search(method.name))
        return tuple(method for method in named if self._near.to_agent(method) and self._served.of(method))

    def _stores(
        self, methods: Iterable[ir.Function], every: tuple[ir.Function, ...]
    ) -> Iterator[tuple[str, ir.Assign]]:
        """What these methods set anew, and some method reads."""
        seen: set[str] = set()
        for method in methods:
            for store in self._program.structure(method).stores:
                name = _attribute(store)
                if not name or name in seen or UNSHARED.search(name) or SETS_UP.search(method.name):
                    continue
                if self._is_of_run(method, store) and self._is_read(every, name, store):
                    seen.add(name)
                    yield name, store

    def _is_of_run(self, method: ir.Function, store: ir.Assign) -> bool:
        """Whether a value is made for this run, and not only where there is none yet."""
        if store.op or not isinstance(store.value, (ir.Call, ir.Await, ir.Name, ir.Member)):
            return False
        name = _attribute(store)
        structure = self._program.structure(method)
        for test in structure.enclosing(store, ir.If):
            if any(isinstance(n, ir.Member) and n.name == name for n in ir.walk(test.test)):
                return False
        if any(structure.enclosing(store, ir.With)):
            return False
        guards = (node for node in structure.nodes if isinstance(node, ir.If) and node.span < store.span)
        if any(isinstance(n, ir.Member) and n.name == name for test in guards for n in ir.walk(test.test)):
            return False
        params = {param.name for param in method.params} - SELF
        if isinstance(store.value, (ir.Call, ir.Await)):
            return True
        return any(isinstance(n, ir.Name) and n.id in params for n in ir.walk(store.value))

    def _is_read(self, methods: tuple[ir.Function, ...], name: str, store: ir.Assign) -> bool:
        for method in methods:
            for node in self._program.structure(method).nodes:
                if not isinstance(node, ir.Member) or node.name != name or node is store.target:
                    continue
                if dotted(node.target) in SELF and store.target.span != node.span:
                    return True
        return False


def _attribute(store: ir.Assign) -> str:
    target = store.target
    if isinstance(target, ir.Member) and isinstance(target.target, ir.Name) and target.target.id in SELF:
        return target.name
    return ""
