"""What a model orders by the arguments of a tool: a path, an address, the arguments of a program, a mail.

Tools whose arguments something interprets (a shell, an interpreter, a statement) are told at those places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Enforcement
from agent_architecture.model.outputs import Consumer, ModelOutput, Target, Validation
from agent_architecture.model.touches import Choice, FenceKind
from agent_architecture.semantics.schemas.shapes import texts_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from agent_architecture.model.system import AgentSystem, Tool
    from agent_architecture.model.touches import Touch
    from agent_architecture.sources.source import Span

AIMED: Final = frozenset({"write_file", "read_file", "network_read", "network_write"})
"""Effects that go where their argument says."""
PARTLY: Final = frozenset({"execute_process", "network_read", "network_write"})
"""Those of which a part of the argument says it, too: an element of a list, what stands in the path of an address."""
BOUND: Final = frozenset({"database", "database_read", "database_write", "network_write"})
"""Effects that are given values, and that do what the code says."""
ENFORCING: Final = frozenset({Enforcement.TYPES, Enforcement.CLOSED})
_ORDER: Final = tuple(Validation)


def tool_orders(system: AgentSystem, codes: dict[int, Span], hosted: Collection[int]) -> Iterator[ModelOutput]:
    """One for each tool that an agent of the project may call: its least checked effect. `codes` say where the code of
    a tool stands.
    """
    interpreted = {output.source for output in system.model_outputs}
    mailing = {one.span: one for one in system.premises if one.source is None and one.target is Target.EFFECT}
    taken = {id(binding.tool) for binding in system.bindings}
    delegating = [one.span for one in system.premises if one.source is None and one.target is Target.AGENT]
    for tool in system.tools:
        if tool.annotations is not None and id(tool) not in taken:
            continue  # a server offers it, and no agent of the project is seen to take it
        code = codes.get(id(tool))
        if code is None or code in interpreted or id(tool) in hosted or tool.is_agent:
            continue  # what checks the arguments of a library's own tool is in the library
        touches = [touch for touch in system.touches if touch.tool is tool]
        found = [_order(tool, touch) for touch in touches if _is_order(touch)]
        mail = mailing.get(tool.span)
        if mail is not None and mail.effect == "mail":
            sent = next((touch.effect.span for touch in touches if touch.effect.kind == "mail"), tool.span)
            found.append(_made(tool, Consumer.SEND, _checked(tool), "mail", sent))
        if not found and not any(code.contains(span) for span in delegating):
            found = [_made(tool, Consumer.STORE, Validation.ENFORCED, t.effect.kind, t.effect.span)
                     for t in touches if _is_bound(tool, t)]  # fmt: skip
        if found:
            yield min(found, key=lambda one: (_ORDER.index(one.validation), one.trail))


def _is_order(touch: Touch) -> bool:
    if touch.searches:
        return False
    if touch.effect.kind in PARTLY:
        return touch.choice in {Choice.PART, Choice.ALL}
    return touch.effect.kind in AIMED and touch.choice is Choice.ALL


def _order(tool: Tool, touch: Touch) -> ModelOutput:
    checked = _checked(tool)
    if touch.fenced(FenceKind.ROOT, FenceKind.LISTED) is not None:
        checked = Validation.LISTED
    elif touch.encoded and checked in {Validation.NONE, Validation.CHECKED}:
        checked = Validation.SANITISED
    elif touch.fenced(FenceKind.ADDRESS, FenceKind.PREFIX) is not None and checked is Validation.NONE:
        checked = Validation.CHECKED
    return _made(tool, Consumer.EFFECT, checked, touch.effect.kind, touch.effect.span)


def _checked(tool: Tool) -> Validation:
    """What stands before all that a tool does: a person, a schema that leaves no text free, a check of its own."""
    if tool.gate.always:
        return Validation.PERSON
    schema = tool.schema
    if schema.parameters and schema.enforcement in ENFORCING and not any(texts_of(schema.parameters)):
        return Validation.ENFORCED
    return Validation.CHECKED if tool.guards else Validation.NONE


def _is_bound(tool: Tool, touch: Touch) -> bool:
    """Whether typed arguments go as values into a call that does what the code says."""
    is_typed = bool(tool.schema.parameters) and tool.schema.enforcement in ENFORCING
    return is_typed and touch.effect.kind in BOUND and not _is_order(touch)


def _made(tool: Tool, consumer: Consumer, checked: Validation, effect: str, place: Span) -> ModelOutput:
    symbol, trail = tool.name or tool.symbol, (place,)
    return ModelOutput(tool.span, symbol, tool.framework, consumer, checked, tool.span, trail, effect=effect)
