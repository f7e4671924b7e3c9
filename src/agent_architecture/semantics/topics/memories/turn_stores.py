"""Stores of conversations that a project writes as a class of its own: a method is given turns and puts them somewhere,
another gives back what stands there, and code around an agent's run calls both.

What its attribute is says whether they outlive the process: a table of its own does not, a client of a database does.
A class that asks a model keeps its own conversation (`containers.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import ABSENT, default, unknown
from agent_architecture.names.classes import CONSTRUCTOR, methods_written
from agent_architecture.names.mutations import GROWING
from agent_architecture.names.named_parts import part_of
from agent_architecture.names.values import Api, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_limits import Limits, limits_of
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.topics.memories.containers import asks, is_own
from agent_architecture.semantics.topics.memories.keyed_stores import READING, WRITING
from agent_architecture.semantics.topics.memories.logs import is_told_turns, keeps_turns, learns
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.semantics.topics.memories.retention import kept_by
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.kept_files import AgentCode
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled
    from agent_architecture.sources.source import Span

PUTTING: Final = GROWING | frozenset({*WRITING, "put", "put_item", "save", "insert_one", "update_one", "replace_one"})
TAKING: Final = frozenset({*READING, "values", "items", "find", "find_one", "get_item"})


class _Store(NamedTuple):
    """The attribute of a class in which its methods keep turns."""

    cls: ir.Class
    binding: Binding
    put: tuple[ir.Node, ...]
    taken: tuple[ir.Node, ...]


def turn_stores(context: Context, own: AgentCode, read: Recalled, known: frozenset[Span]) -> Iterator[ByHand]:
    """The memories, one a class; none of classes that are known to put something into one at `known` places."""
    for module in context.program.modules:
        for cls in module.index.classes if module.role is not Role.TEST else ():
            if not any(_is_told(cls, method) for method in methods_written(cls)) or asks(context.program, read, cls):
                continue
            store = _store(context.program, own, cls)
            if store is not None and not any(cls.span.contains(span) for span in known):
                yield ByHand(_memory(context, store), store.put, store.taken)


def _is_told(cls: ir.Class, method: ir.Function) -> bool:
    """Whether a method is given turns, or what a turn says and who says it; anything, of a class that remembers."""
    if learns(cls) and method.params and method.name != CONSTRUCTOR:
        return True
    return is_told_turns(method)


def _store(program: Program, own: AgentCode, cls: ir.Class) -> _Store | None:
    """The first attribute in which turns are put and from which they are given back, by code around a run."""
    putting = [method for method in methods_written(cls) if _is_told(cls, method) and own.has(method)]
    taking = [method for method in methods_written(cls) if program.structure(method).returns and own.has(method)]
    for name, bindings in program.attributes(cls).items() if putting and taking else ():
        put = tuple(node for method in putting for node in _puts(program, method, name))
        taken = tuple(node for method in taking for node in _takes(program, method, name)) if put else ()
        if put and taken and bindings and not _is_own(program, bindings[0]):
            return _Store(cls, bindings[0], put, taken)
    return None


def _is_own(program: Program, binding: Binding) -> bool:
    """Whether an attribute holds an object of the project's own, which keeps what it is given by itself."""
    held = program.value_of(binding.value) if binding.value is not None else ()
    return any(isinstance(value, Instance) for value in held)


def _puts(program: Program, method: ir.Function, name: str) -> Iterator[ir.Node]:
    """What puts something under a key of an attribute, or hands it to a method that keeps it."""
    for node in program.structure(method).nodes:
        match node:
            case ir.Assign(target=ir.Index(target=target)) if _is_part(program, target, name):
                yield node
            case ir.Call(callee=ir.Member(name=how, target=target)) if how in PUTTING and _is_part(
                program, target, name
            ):
                yield node
            case _:
                continue


def _takes(program: Program, method: ir.Function, name: str) -> Iterator[ir.Node]:
    for node in program.structure(method).nodes:
        match node:
            case ir.Index(target=target) if _is_part(program, target, name) and not _is_set(program, method, node):
                yield node
            case ir.Call(callee=ir.Member(name=how, target=target)) if how in TAKING and _is_part(
                program, target, name
            ):
                yield node
            case ir.Loop(source=source) if source is not None and _is_part(program, source, name):
                yield source
            case _:
                continue


def _is_set(program: Program, method: ir.Function, node: ir.Index) -> bool:
    around = program.structure(method).parent(node)
    return isinstance(around, ir.Assign) and around.target is node


def _is_part(program: Program, target: ir.Expr, name: str) -> bool:
    """Whether an expression is an attribute of the object around, a part of it or a variable for one."""
    while isinstance(target, (ir.Index, ir.Call)):
        target = target.target if isinstance(target, ir.Index) else target.callee
        if isinstance(target, ir.Member) and not is_own(target):
            target = target.target
    part = part_of(program, target)
    return isinstance(part, ir.Member) and part.name == name and is_own(part)


def _memory(context: Context, store: _Store) -> Memory:
    program, binding = context.program, store.binding
    methods = methods_written(store.cls)
    calls = tuple(node for node in store.put if isinstance(node, ir.Call))
    told = kept_by(context, methods, calls)
    in_process = is_container(binding.value)
    limits = limits_of(context, store.cls, binding) if in_process else Limits(told.bound, ABSENT, told.namespace)
    return Memory(
        binding.node.span,
        binding.name,
        "",
        Holding.FACTS if learns(store.cls) and not keeps_turns(context, store.cls, store.put) else Holding.CONVERSATION,
        durable=default(False, "a variable") if in_process else _durable(program, binding),
        bound=limits.bound,
        overflow=limits.overflow,
        ttl=told.ttl,
        namespace=limits.namespace,
        deletes=limits.deletes if limits.deletes is not ABSENT else told.deletes,
    )


def _durable(program: Program, binding: Binding) -> Setting:
    """A library's client keeps it elsewhere; what somebody hands in may."""
    value = binding.value
    made = program.value_of(value) if value is not None else ()
    if any(isinstance(each, Api) for each in made):
        return default(True, "a database")
    return unknown("what the object is made with", binding.node.span)
