"""Tools whose input reaches their code without a typed, constrained, enforced schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import power
from agent_architecture.model.confidence import Confidence
from agent_architecture.model.effects import Enforcement, Parameter, ParameterKind
from agent_architecture.model.system import AgentSystem, Tool

SHOWN = 0.8
"""Types that only the model sees: nothing stops a value of another type."""
ENFORCED = 0.5
"""A value of the wrong type is refused, a wrong value of the right type is not."""
CONSTRAINED = 0.2
"""Every value is bounded; further keys are let through or dropped unseen."""
COVERED = 0.5
"""Up to this risk the types of a tool's input are enforced (signal tool_input_schema_coverage)."""

NAMED = 3
"""Parameters that a reason names; the others are counted."""

OUTWARD_WEIGHT = 3.0
"""A tool with effects outside the process counts more."""
PLACES = {
    "execute_shell": "a shell command",
    "read_file": "a file read",
    "write_file": "a file write",
}


@detector(
    title="Tool input that no schema constrains",
    impact=Severity.HIGH,
    effort=Effort.LOW,
    fix="Declare every parameter with a type and bounds (enum, pattern, range, length), and check them before it runs.",
    references=("CWE-20", "CWE-915", "OWASP ASI02", "OWASP LLM10:2026", "OWASP MCP05:2025", "AISVS 10.4.4"),
    parts={
        "use": "Check the string before it is used: a pattern, a list, bound parameters.",
        "types": "Declare every parameter with a type.",
        "checked": "Check the arguments before the tool runs.",
        "bounds": "Give free strings and numbers bounds: enum, pattern, range, length.",
        "keys": "Refuse unknown keys.",
    },
)
def schema_validation_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool definition."""
    for tool in system.tools:
        yield judge(tool)


def judge(tool: Tool) -> Verdict:
    """The verdict on one tool: its worst use of an argument, else what its schema admits and who checks it."""
    schema = tool.schema
    weight = OUTWARD_WEIGHT if tool.effects and power(tool).effectful else 1.0
    if schema.library_checks:
        reason = f"{tool.name} is its library's own: it checks types, and nothing bounds the text that says what to do."
        return gap(tool, reason, risk=ENFORCED, weight=weight, confidence=Confidence.MEDIUM, lacks=("bounds",))
    if not schema.has_local_input:
        reason = f"{tool.name}: a provider or library outside this project sets its input schema."
        return unknown(tool, reason, weight=weight)
    if schema.unsafe_uses:
        use = schema.unsafe_uses[0]
        place = PLACES.get(use.kind, "a database query")
        reason = f"{tool.name} passes a model-written string to {place} ({use.symbol}), unchecked."
        return gap(tool, reason, weight=weight, related=(use.span,), lacks=("use",))
    if schema.enforcement is Enforcement.UNKNOWN:
        reason = f"{tool.name}: its schema, or what enforces it, is only known at run time."
        return unknown(tool, reason, weight=weight)
    risk, reason, lacks = _risk(tool)
    if risk == 0:
        return ok(tool, reason, weight=weight)
    return gap(tool, reason, risk=risk, weight=weight, lacks=lacks)


def _risk(tool: Tool) -> tuple[float, str, tuple[str, ...]]:
    """The risk of what a schema admits, the reason, and the parts of the control that it lacks."""
    parameters, enforcement = tool.schema.parameters, tool.schema.enforcement
    if not parameters:
        return 0.0, f"{tool.name} takes no arguments.", ()
    untyped = tuple(_of_kind(parameters, ParameterKind.UNTYPED))
    free = tuple(_of_kind(parameters, ParameterKind.FREE))
    if untyped and not any(p.kind is not ParameterKind.UNTYPED for p in parameters):
        return 1.0, f"{tool.name} takes {_names(untyped)} without a type.", ("types",)
    if enforcement is Enforcement.NONE:
        reason = f"{tool.name} shows its types to the model, but does not validate the arguments that come."
        return SHOWN, reason, ("checked",)
    if untyped:
        return SHOWN, f"{tool.name} takes {_names(untyped)} without a type; its other arguments are typed.", ("types",)
    if free:
        reason = f"{tool.name} checks types, but has no enum, pattern, range or length for {_names(free)}."
        return ENFORCED, reason, ("bounds",)
    if enforcement is Enforcement.TYPES:
        reason = f"{tool.name} bounds and checks every argument, but does not refuse unknown keys."
        return CONSTRAINED, reason, ("keys",)
    return 0.0, f"{tool.name} bounds and checks every argument, and refuses unknown keys.", ()


def _of_kind(parameters: Iterable[Parameter], kind: ParameterKind) -> Iterator[Parameter]:
    """The parameters of a kind, those inside objects included."""
    for parameter in parameters:
        if parameter.kind is kind:
            yield parameter
        yield from _of_kind(parameter.fields, kind)


def _names(parameters: tuple[Parameter, ...]) -> str:
    names = ["unknown keys" if p.name == "**" else repr(p.name) for p in parameters]
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The share of tools whose input types are enforced at run time."""
    del system
    judged = [verdict.risk for verdict in verdicts if verdict.risk is not None]
    covered = sum(risk <= COVERED for risk in judged)
    return {"tool_input_schema_coverage": covered / len(judged) if judged else 1.0}
