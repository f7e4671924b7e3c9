"""Tools of MCP servers that do not say what they do to the world, or say what their code contradicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import power
from agent_architecture.model.effects import Effect, Shaped
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem, Annotations, Tool
from agent_architecture.sources.source import Span

MISSING = 0.6
"""A client has to assume the worst: the tool writes, destroys and reaches out (MCP schema, ToolAnnotations)."""
INCOMPLETE = 0.3
"""A client has to assume the worst of what is not said."""

OUTWARD_WEIGHT = 3.0
"""A tool with effects outside the process counts more."""
WRITING = frozenset({"write_file", "database_write", "mail", "message", "payment", "deploy"})
"""Effects that no read-only tool has. A request over the network is none of them: many only ask."""
RUNNING = frozenset({"execute_shell", "execute_code", "execute_process"})
"""Effects that no read-only tool has where the model writes what is run."""
SHARED = 3
"""Fewer tools that reach one place say nothing of what the server does around each of its tools."""
DELETING = frozenset(
    {"unlink", "unlinkSync", "rmtree", "rm", "rmSync", "rmdir", "rmdirSync", "removedirs", "removeSync", "delete_one"}
    | {"delete_many", "deleteOne", "deleteMany", "drop_collection", "delete_object", "delete_file"}
)
"""Calls that remove what was there."""


@detector(
    title="MCP tool that does not say what it does",
    impact=Severity.MEDIUM,
    effort=Effort.LOW,
    fix="Set readOnlyHint on tools that only read; on all others destructiveHint, idempotentHint, openWorldHint too.",
    references=("CWE-573", "OWASP ASI02", "OWASP MCP03:2025", "AISVS 9.2.3", "MCP schema ToolAnnotations"),
    parts={
        "reads": "Set readOnlyHint on a tool that only reads.",
        "acts": "Set destructiveHint, idempotentHint and openWorldHint to what the tool does.",
        "rest": "Declare the hints that are missing, as the tool behaves.",
        "truth": "Take the hint back, or the effect out of the tool: clients skip their questions because of it.",
    },
)
def mcp_tool_annotation_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool that a server of the project offers."""
    served = tuple((tool, tool.annotations) for tool in system.tools if tool.annotations is not None)
    kept = bookkeeping(tool for tool, _ in served)
    for tool, said in served:
        yield judge(tool, said, kept)


def bookkeeping(tools: Iterable[Tool]) -> frozenset[Span]:
    """The places of effects that most tools reach: a log of calls, counts of use, a folder for settings."""
    every = tuple(tools)
    reached = Counter(span for tool in every for span in {effect.span for effect in tool.effects})
    return frozenset(span for span, count in reached.items() if count >= SHARED and count > len(every) / 2)


def judge(tool: Tool, said: Annotations, kept: frozenset[Span] = frozenset()) -> Verdict:
    """The verdict on one tool: what its hints say, against what its code does; effects at `kept` are not its own."""
    weight = OUTWARD_WEIGHT if tool.effects and power(tool).effectful else 1.0
    doubtful = next((hint for hint in said if hint.origin is Origin.UNKNOWN), None)
    if doubtful is not None:
        return unknown(tool, f"{tool.name}: its annotations come from {doubtful.source}.", weight=weight)
    against = _contradiction(tool, said, kept)
    if against is not None:
        hint, effect = against
        reason = f"{tool.name} declares {hint}, but calls {effect.symbol} ({effect.kind.replace('_', ' ')})."
        return gap(tool, reason, weight=weight, related=(effect.span,), lacks=("truth",))
    if _is(said.read_only, value=True):
        return ok(tool, f"{tool.name} declares readOnlyHint=true.", weight=weight)
    stated = [hint.origin is Origin.WRITTEN for hint in said]
    if not any(stated):
        reason = f"{tool.name} has no annotations: clients must assume that it writes and deletes."
        lacks = "acts" if power(tool).effectful else "reads"
        return gap(tool, reason, risk=MISSING, weight=weight, lacks=(lacks,))
    if all(stated):
        return ok(tool, f"{tool.name} declares all four hints.", weight=weight)
    missing = ", ".join(name for name, hint in zip(_NAMES, said, strict=True) if hint.origin is not Origin.WRITTEN)
    return gap(tool, f"{tool.name} does not declare {missing}.", risk=INCOMPLETE, weight=weight, lacks=("rest",))


_NAMES = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def _contradiction(tool: Tool, said: Annotations, kept: frozenset[Span]) -> tuple[str, Effect] | None:
    """A hint and an effect of the code that cannot both be."""
    for effect in tool.effects:
        if effect.span in kept:
            continue
        runs = effect.kind in RUNNING | {"database"} and effect.shaped is Shaped.WHOLLY
        if _is(said.read_only, value=True) and (effect.kind in WRITING or runs):
            return "readOnlyHint=true", effect
        if _is(said.destructive, value=False) and effect.symbol.rpartition(".")[2] in DELETING:
            return "destructiveHint=false", effect
    return None


def _is(hint: Setting, *, value: bool) -> bool:
    return hint.origin is Origin.WRITTEN and hint.values == (value,)
