"""Conversations in the state of a component, with which a model is asked in the same program:
`const [messages, setMessages] = useState([])`.

The library keeps the state from one drawing to the next, and code replaces it by something longer. What a page only
shows is none, nor what it sends along with a request: there it is the server that is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.names.lookup import mentions, visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.references import seeing
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.bounds.trims import kept_of, size_kept
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled

HOOKS: Final = frozenset({"useState"})
"""Calls that give a component's state and the function that replaces it."""


class _Changes(NamedTuple):
    put: list[ir.Node]
    bounds: list[Setting]
    emptied: list[ir.Node]


def component_states(program: Program, read: Recalled) -> Iterator[ByHand]:
    """The memories, each once."""
    found: dict[int, ByHand] = {}
    for (_, name), reading in read.places.items():
        scope = program.scope_of(reading) if isinstance(reading, ir.Name) and is_said(name) else None
        for binding in visible_bindings(program, reading) if isinstance(reading, ir.Name) and scope else ():
            setter = _setter(program, binding)
            if setter is None or id(binding.node) in found:
                continue
            changes = _changes(program, binding, setter)
            if changes.put:
                found[id(binding.node)] = ByHand(_memory(binding, changes), tuple(changes.put), (reading,))
    yield from found.values()


def _setter(program: Program, binding: Binding) -> str | None:
    """The function that replaces a state, by its name: the other half of the pair that the hook gives."""
    made = binding.value
    if not isinstance(made, ir.Call) or callee_name(made.callee) not in HOOKS or not made.args:
        return None
    if not is_container(made.args[0].value) or binding.steps != ("[0]",):
        return None
    beside = program.bindings(program.scope_of(binding.node))
    halves = ((name, each) for name, group in beside.items() for each in group if each.node is binding.node)
    return next((name for name, each in halves if each.steps == ("[1]",)), None)


def _changes(program: Program, binding: Binding, setter: str) -> _Changes:
    """What the component replaces its state by."""
    changes = _Changes([], [], [])
    for scope in seeing(program.scope_of(binding.node)):
        for call in program.structure(scope).calls:
            if not isinstance(call.callee, ir.Name) or call.callee.id != setter or not call.args:
                continue
            name, value = _next(program, call.args[0].value, binding.name)
            size = kept_of(value, name)
            if size is not None:
                changes.bounds.append(size_kept(program, size))
            elif isinstance(value, ir.List) and not value.items:
                changes.emptied.append(call)
            elif value is not None and _is_longer(program, value, name):
                changes.put.append(call)
    return changes


def _next(program: Program, given: ir.Expr, name: str) -> tuple[str, ir.Expr | None]:
    """What a state is replaced by, and what it is called there: `old => [...old, turn]`."""
    if not isinstance(given, ir.Function):
        return name, given
    returned = program.structure(given).returns
    return (given.params[0].name if given.params else name), (returned[0] if returned else None)


def _is_longer(program: Program, value: ir.Expr, name: str) -> bool:
    """Whether a value is put together of the old state, or is what a call gave that was handed it."""
    made = [b.value for b in visible_bindings(program, value)] if isinstance(value, ir.Name) else [value]
    return any(mentions(part, name) for part in made if isinstance(part, (ir.List, ir.Call, ir.Await)))


def _memory(binding: Binding, changes: _Changes) -> Memory:
    bound = next(iter(changes.bounds), ABSENT)
    return Memory(
        binding.node.span,
        binding.name,
        "",
        Holding.CONVERSATION,
        default(False, "the state of a component"),
        bound=bound,
        overflow=ABSENT if bound is ABSENT else written("drop", bound.span or binding.node.span),
        deletes=written(True, changes.emptied[0].span) if changes.emptied else ABSENT,
    )
