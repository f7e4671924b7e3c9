"""What each run sets anew on an object, or a name of a module, that runs at the same time share: the second overwrites
what the first still uses.

What is only made once when it is first asked for, what a program sets up at its start, and the error that a connection
of all failed with last, is nobody's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names.classes import methods_written
from agent_architecture.names.closure_writes import may_set
from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.names.values import ClassValue, Instance
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.condition import all_in
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.conversations.container_names import is_counted, words_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.sources.source import Span

SELF: Final = frozenset({"self", "this"})
SETS_UP: Final = regex(
    r"^_*(?:init|start|connect|set_?up|load|open|ensure|configure|register|build|reload|refresh|reconnect|constructor|on_(?:ready|start|connect))",
    re.IGNORECASE,
)
"""Functions that make a program ready."""
UNSHARED: Final = regex(
    r"client|conn|pool|logger|lock|cache|count|time|token|expir|config|settings|status|ready|running|closed|started|app$"
    r"|server|loop|engine|registry|version|metric|telemetry"
    r"|last_(?:used|run|at|update|check|seen|access|fetch|refresh|ping|sync|load|save|clean|error|hash|reset|success|fail)"
    r"|last_?(?:used|activity|heartbeat|mtime|modified)",
    re.IGNORECASE,
)
"""What programs keep for themselves, by its name."""


class Overwritten:
    """Answers for classes whose objects last, and for modules."""

    def __init__(self, work: Work, near: Near, served: Served) -> None:
        self._context = work.context
        self._program = work.context.program
        self._near = near
        self._served = served

    def all(self) -> Iterator[Shared]:
        """Attributes of servers and of objects that modules keep, and names of modules."""
        kept = dict(self._kept())
        from_outside = dict(self._from_outside(kept))
        for module in self._program.modules:
            for cls in module.index.classes:
                methods = methods_written(cls)
                answering = tuple(method for method in methods if self._served.is_of_server(method))
                for name, store in self._stores(answering, methods):
                    yield self._shared(store.span, f"{cls.name}.{name}", store.span)
                if id(cls) in kept and not answering:
                    own = next(self._stores(self._running(methods), methods), None)
                    found = own if own is not None else from_outside.get(id(cls))
                    if found is not None:
                        yield self._shared(kept[id(cls)].node.span, f"{cls.name}.{found[0]}", found[1].span)
            yield from self._of_module(module)
        yield from self._of_classes()

    def _shared(self, span: Span, symbol: str, related: Span) -> Shared:
        others = (related,) if related != span else ()
        return Shared(span, symbol, "", Sharing.OVERWRITTEN, related=others, confidence=Confidence.MEDIUM)

    def _is_of_user(self, scope: ir.Function) -> bool:
        """Whether a function runs for several users, and not to make the program ready: a tool or route never does."""
        is_asked = id(scope) in self._served.tools or self._served.answers(scope)
        return (is_asked or not self._makes_ready(scope)) and self._served.of(scope)

    def _makes_ready(self, scope: ir.Function) -> bool:
        """Whether a function makes the program ready, or only what does calls it: `init` of `set_screen(screen)`."""
        if SETS_UP.search(scope.name):
            return True
        callers = [site.scope for site in self._program.callers(scope)]
        return bool(callers) and all(isinstance(c, ir.Function) and SETS_UP.search(c.name) for c in callers)

    def _is_of_agent(self, scopes: Iterable[ir.Scope]) -> bool:
        return any(self._near.to_agent(scope) for scope in scopes)

    # -------------------------------------------------------------------------------------------------------- objects
    def _kept(self) -> Iterator[tuple[int, Binding]]:
        """The classes of which a module keeps an object, with the name that has it."""
        for module in self._program.modules:
            for bindings in self._program.bindings(module).values():
                for binding in bindings:
                    if binding.kind != "assign" or not isinstance(binding.value, ir.Call) or binding.steps:
                        continue
                    if self._program.scope_of(binding.node) is not module:
                        continue
                    for value in self._program.value_of(binding.value):
                        if isinstance(value, Instance):
                            yield id(value.cls), binding

    def _running(self, methods: Iterable[ir.Function]) -> tuple[ir.Function, ...]:
        return tuple(
            m for m in methods if not SETS_UP.search(m.name) and self._is_of_agent((m,)) and self._served.of(m)
        )

    def _stores(
        self, methods: Iterable[ir.Function], every: tuple[ir.Function, ...]
    ) -> Iterator[tuple[str, ir.Assign]]:
        """What these methods set anew, and some method reads."""
        seen: set[str] = set()
        for method in methods:
            if isinstance(method.outer, ir.Class) and is_counted(method.outer.name, ""):
                continue
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
        if self._is_only_where_missing(method, store) or self._is_an_error(method, store):
            return False
        params = {param.name for param in method.params} - SELF
        if isinstance(store.value, (ir.Call, ir.Await)):
            return True
        return any(isinstance(n, ir.Name) and n.id in params for n in ir.walk(store.value))

    def _is_only_where_missing(self, function: ir.Function, store: ir.Assign) -> bool:
        """Whether a test of the place stands before, or others wait meanwhile."""
        structure = self._program.structure(function)
        if any(structure.enclosing(store, ir.With)):
            return True
        place = _last(store.target)
        asked = all_in(conditions_of(self._context).at(store)) if place else ()
        return any(_last(node) == place for one in asked for node in ir.walk(one.expr))

    def _is_read(self, methods: tuple[ir.Function, ...], name: str, store: ir.Assign) -> bool:
        for method in methods:
            for node in self._program.structure(method).nodes:
                if not isinstance(node, ir.Member) or node.name != name or node is store.target:
                    continue
                if dotted(node.target) in SELF and store.target.span != node.span:
                    return True
        return False

    def _from_outside(self, kept: Mapping[int, Binding]) -> Iterator[tuple[int, tuple[str, ir.Assign]]]:
        """What code of a run sets anew on an object that a module keeps: `desk.case = text`, by the object's class."""
        for function, store, target in self._set_on({binding.name for binding in kept.values()}):
            values = (value for value in self._program.value_of(target.target) if isinstance(value, Instance))
            cls = next((value.cls for value in values if id(value.cls) in kept), None)
            if cls is None or UNSHARED.search(target.name) or not self._is_of_caller(function, store):
                continue
            readers = self._readers((*methods_written(cls), *function.module.index.functions), target.name)
            if self._is_of_agent((function, *readers)):
                yield id(cls), (target.name, store)

    def _of_classes(self) -> Iterator[Shared]:
        """What code of a run sets anew on a class itself, which all runs have in common: `Desk.case = text`."""
        seen: set[tuple[int, str]] = set()
        classes = {cls.name for module in self._program.modules for cls in module.index.classes}
        for function, store, target in self._set_on(classes):
            values = (value for value in self._program.value_of(target.target) if isinstance(value, ClassValue))
            cls = next((value.cls for value in values), None)
            if cls is None or (id(cls), target.name) in seen or UNSHARED.search(target.name):
                continue
            readers = self._readers((*methods_written(cls), *function.module.index.functions), target.name)
            if self._is_of_caller(function, store) and self._is_of_agent((function, *readers)):
                seen.add((id(cls), target.name))
                yield self._shared(store.span, f"{cls.name}.{target.name}", store.span)

    def _set_on(self, names: set[str]) -> Iterator[tuple[ir.Function, ir.Assign, ir.Member]]:
        """Assignments to attributes of what is known by these names of modules."""
        for module in self._program.modules:
            setting = self._program.once(_setting, module)
            for name in sorted(names & setting.keys()):
                for function in setting[name]:
                    for store in self._program.structure(function).stores:
                        if isinstance(store.target, ir.Member) and dotted(store.target.target) == name:
                            yield function, store, store.target

    # -------------------------------------------------------------------------------------------------------- modules
    def _of_module(self, module: ir.Module) -> Iterator[Shared]:
        """Names of a module that code of a run sets anew: `global last`, `last = ask(text)`."""
        for name, bindings in self._program.bindings(module).items():
            stores = [b.node for b in bindings if b.kind == "written" and isinstance(b.node, ir.Assign)]
            if not stores or UNSHARED.search(words_of(name)):
                continue
            store = next((each for each in stores if self._is_of_caller(self._program.scope_of(each), each)), None)
            readers = () if store is None else tuple(self._reading(module, name, store))
            if store is not None and readers and self._is_of_agent((self._program.scope_of(store), *readers)):
                first = next((b.node for b in bindings if b.kind == "assign"), store)
                yield self._shared(first.span, name, store.span)

    def _is_of_caller(self, function: ir.Scope, store: ir.Assign) -> bool:
        """Whether a function that runs for a user stores what it has of its caller, or made itself."""
        if not isinstance(function, ir.Function) or store.op or store.value is None:
            return False
        around = [each for each in (function, *enclosing_scopes(function)) if isinstance(each, ir.Function)]
        own = {name for each in around for name, b in self._program.bindings(each).items() if b[0].kind != "global"}
        if not any(isinstance(node, ir.Name) and node.id in own - SELF for node in ir.walk(store.value)):
            return False
        if self._is_an_error(function, store):
            return False
        return self._is_of_user(function) and not self._is_only_where_missing(function, store)

    def _is_an_error(self, function: ir.Function, store: ir.Assign) -> bool:
        """Whether what is stored is of a caught error alone: why a connection of the whole program failed last."""
        names = [node for node in ir.walk(store.value) if isinstance(node, ir.Name)] if store.value is not None else []
        bound = [b for name in names for b in self._program.bindings(function).get(name.id, ())]
        return bool(bound) and all(binding.kind == "handler" for binding in bound)

    def _readers(self, functions: Iterable[ir.Function], name: str) -> Iterator[ir.Function]:
        """Those of these functions that read an attribute of this name."""
        for function in functions:
            structure = self._program.structure(function)
            read = (n for n in structure.nodes if isinstance(n, ir.Member) and n.name == name)
            if any(not _is_target(structure, node) for node in read):
                yield function

    def _reading(self, module: ir.Module, name: str, store: ir.Assign) -> Iterator[ir.Function]:
        """The other functions of a module that read its name."""
        own = self._program.scope_of(store)
        for function in module.index.functions:
            bound = self._program.bindings(function).get(name, ()) if function is not own else ()
            if function is own or any(binding.kind != "global" for binding in bound):
                continue
            structure = self._program.structure(function)
            read = (n for n in structure.nodes if isinstance(n, ir.Name) and n.id == name)
            if any(not _is_target(structure, node) for node in read):
                yield function
        if is_python(module.path):
            yield from self._reading_elsewhere(module, name)

    def _reading_elsewhere(self, module: ir.Module, name: str) -> Iterator[ir.Function]:
        """The functions of other modules that read it of the module: `desk.last`, `getattr(desk, "last", None)`."""
        own = module.path.rpartition("/")[2].removesuffix(".py")
        for other in self._program.modules:
            file = self._program.table.file(other.path) if other is not module else None
            if file is None or not all(word.encode() in file.data for word in (name, own)):
                continue
            for function in other.index.functions:
                if any(_reads_of(node, own, name) for node in self._program.structure(function).nodes):
                    yield function


def _reads_of(node: ir.Node, module: str, name: str) -> bool:
    """Whether a node reads a name of a module that goes by its own name."""
    match node:
        case ir.Member(target=ir.Name(id=holder), name=read):
            return holder == module and read == name
        case ir.Call(callee=ir.Name(id="getattr"), args=args) if len(args) > 1:
            key = args[1].value
            return dotted(args[0].value) == module and isinstance(key, ir.Literal) and key.value == name
        case _:
            return False


def _setting(program: Program, module: ir.Module) -> Mapping[str, tuple[ir.Function, ...]]:
    """The functions of a module that may assign an attribute of one of its names, by name."""
    file = program.table.file(module.path)
    return may_set(module, None if file is None else file.data, program.bindings(module))


def _is_target(structure: Structure, node: ir.Node) -> bool:
    around = structure.parent(node)
    return isinstance(around, ir.Assign) and around.target is node


def _last(expr: ir.Node) -> str:
    """What a name or attribute is called; no other expression is called anything."""
    return f".{expr.name}" if isinstance(expr, ir.Member) else expr.id if isinstance(expr, ir.Name) else ""


def _attribute(store: ir.Assign) -> str:
    target = store.target
    if isinstance(target, ir.Member) and isinstance(target.target, ir.Name) and target.target.id in SELF:
        return target.name
    return ""
