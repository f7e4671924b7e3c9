"""Tools that write files, start programs, fetch what a model names or drive a browser with their host's rights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, through, unknown
from agent_architecture.impact import STATEMENTS, WEIGHT_EFFECTFUL, acts, only_asks, power, written_statements
from agent_architecture.model.system import AgentSystem, Tool
from agent_architecture.model.touches import Choice, FenceKind, Touch

PARTLY: Final = 0.5
"""A fence that leaves most of the host open: a target that the code fixes, a list of programs that run with all
rights, a time limit, a block of private addresses."""

RUNNING: Final = frozenset({"execute_shell", "execute_process", "execute_code"})
ASKING: Final = frozenset({"network_read", "network_write"})

HOLDING: Final = {
    "execute_shell": (), "execute_process": (), "execute_code": (),
    "write_file": (FenceKind.ROOT, FenceKind.LISTED),
    "browser": (FenceKind.LISTED,), "network_read": (FenceKind.LISTED,), "network_write": (FenceKind.LISTED,),
    "database": (FenceKind.READS,), "database_read": (FenceKind.READS,), "database_write": (FenceKind.READS,),
}  # fmt: skip
"""What holds an effect in, beside a sandbox."""
LEAKING: Final = {
    "execute_shell": (FenceKind.LISTED, FenceKind.TIME), "execute_process": (FenceKind.LISTED, FenceKind.TIME),
    "write_file": (FenceKind.PREFIX,),
    "browser": (FenceKind.ADDRESS,), "network_read": (FenceKind.ADDRESS,), "network_write": (FenceKind.ADDRESS,),
    "database": (FenceKind.LISTED, FenceKind.BEGUN), "database_read": (FenceKind.LISTED, FenceKind.BEGUN),
    "database_write": (FenceKind.LISTED, FenceKind.BEGUN),
}  # fmt: skip
"""What holds in a part of it."""

WHAT: Final = {
    "execute_code": "model-written code",
    "execute_shell": "a model-written command line",
    "execute_process": "model-written arguments",
    "write_file": "a model-chosen path",
    "browser": "model-chosen browser actions",
    "network_read": "a model-chosen address",
    "network_write": "a model-chosen address",
    "database": "a model-shaped database statement",
    "database_read": "a model-shaped database statement",
    "database_write": "a model-shaped database statement",
}
"""What reaches the effect, worst first."""
FIXED: Final = {
    "write_file": "writes only to paths fixed in code, but with all rights of the host",
    "browser": "does only browser actions fixed in code, but in a browser that may reach any host",
    "network_write": "sends only to a host fixed in code, but from a process that may reach any",
}
COMMANDS: Final = "runs only commands fixed in code, but with all rights of the host"
SERVICE: Final = "reaches only the service of its client, but from a process that may reach any host"
FENCED: Final = {
    FenceKind.ROOT: "inside a root folder only",
    FenceKind.PREFIX: "where it begins like a root folder, as folders beside it may",
    FenceKind.LISTED: "after an allow-list",
    FenceKind.ADDRESS: "with only private addresses refused",
    FenceKind.BEGUN: "in a transaction that changes nothing until a second statement ends it",
    FenceKind.READS: "where nothing can be changed",
    FenceKind.TIME: "with a time limit, but all rights of the host",
}
HOST: Final = RUNNING | {"write_file"}
PLACES: Final = {
    "container": "a container",
    "confined": "a confined process",
    "remote": "a remote sandbox",
    "isolate": "a virtual machine of its own",
}


@detector(
    title="Tool that acts with the rights of its host",
    impact=Severity.HIGH,
    effort=Effort.HIGH,
    fix="Run the tool in a container or remote sandbox; else resolve paths and refuse those outside of a root, and "
    "allow only listed hosts.",
    references=("CWE-250", "CWE-653", "CWE-22", "CWE-78", "CWE-918", "OWASP ASI02", "OWASP ASI05", "OWASP LLM03:2026",
                "OWASP MCP05:2025", "AISVS 9.3.1", "AISVS 9.1.1"),
    parts={
        "commands": "Run it in a container or remote sandbox.",
        "files": "Resolve the path, and refuse what lies outside of a root folder.",
        "hosts": "Compare the host with a list, and refuse private addresses.",
        "rights": "Run it where it can do no more: as another user in a container, with only that host reachable.",
        "statements": "Bind values as parameters, over a connection that may do only what the tool needs.",
    },
)  # fmt: skip
def tool_sandbox_enforcement_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool with effects on the host or outside, query whose text a model shapes, and fetch of what it names; what
    a model answers and code runs as a statement by itself is such a query, too.
    """
    for tool in system.tools:
        found = [touch for touch in system.touches if touch.tool is tool and _counts(touch)]
        if found:
            yield judge(tool, found)
    for touches in written_statements(system).values():
        yield judge_statement(touches[0])


def judge_statement(touch: Touch) -> Verdict:
    """The verdict on a statement that a model wrote and that code runs by itself."""
    subject, how = touch._replace(span=touch.effect.span, symbol=touch.effect.symbol), risk(touch)
    related = (*touch.effect.trail, *(fence.span for fence in touch.fences))
    held = [touch.fenced(*fences.get("database", ())) for fences in (HOLDING, LEAKING)]
    fence = next((each for each in held if each is not None), None)
    end = FENCED[fence.kind] if fence is not None else _open("database")
    reason = f"{subject.symbol} is given a statement that a model wrote, {end}."
    if not how:
        return ok(subject, reason, weight=WEIGHT_EFFECTFUL, related=related)
    return gap(subject, reason, risk=how, weight=WEIGHT_EFFECTFUL, related=related, lacks=("statements",))


def _counts(touch: Touch) -> bool:
    """A read of a fixed host, and a statement that a model does not shape, need no sandbox; a record that the
    code puts into a database is no statement. Of what the code fixes, only what the tool is there to change counts.
    """
    if touch.effect.kind == "read_file" or (touch.hosted and touch.effect.kind in ASKING):
        return False  # a host that is only read is changed by nothing; a provider fetches with none of its rights
    if touch.effect.kind in ASKING and (touch.asks or (touch.tool is not None and only_asks(touch.tool, touch.effect))):
        return touch.choice in {Choice.ALL, Choice.UNKNOWN}
    if touch.choice is Choice.NOTHING and touch.effect.kind not in RUNNING:
        return touch.effect.kind not in STATEMENTS and touch.tool is not None and acts(touch.tool, touch.effect)
    return touch.effect.kind not in STATEMENTS or touch.choice in {Choice.ALL, Choice.UNKNOWN}


def judge(tool: Tool, touches: list[Touch]) -> Verdict:
    """The verdict on one tool: its least confined effect counts."""
    weight = power(tool).weight
    risks = [(risk(touch), touch) for touch in touches]
    known = [(value, touch) for value, touch in risks if value is not None]
    hidden = [touch for value, touch in risks if value is None]
    worst, touch = max(known, key=_badness, default=(0.0, touches[0]))
    related = (touch.effect.span, *(fence.span for fence in touch.fences))
    if hidden and worst < 1:
        reason = f"{tool.name}: where {hidden[0].effect.symbol} does its work cannot be read."
        return unknown(tool, reason, weight=weight, related=(hidden[0].effect.span,))
    reason = _reason(tool, touch)
    if worst == 0:
        return ok(tool, reason, weight=weight, confidence=touch.confidence, related=related)
    return gap(
        tool, reason, risk=worst, weight=weight, confidence=touch.confidence, related=related, lacks=(_lacks(touch),)
    )


def _lacks(touch: Touch) -> str:
    """The part of the control that an effect needs."""
    kind = touch.effect.kind
    if _is_fixed(touch):
        return "rights"
    if kind in RUNNING:
        return "commands"
    if kind in STATEMENTS:
        return "statements"
    return "files" if kind in HOST else "hosts"


def _badness(judged: tuple[float, Touch]) -> tuple[float, bool, int]:
    value, touch = judged
    kinds = list(WHAT)
    rank = kinds.index(touch.effect.kind) if touch.effect.kind in WHAT else len(kinds)
    return value, touch.choice is not Choice.NOTHING, -rank


def risk(touch: Touch) -> float | None:
    """The risk of one effect; None where it cannot be read."""
    kind = touch.effect.kind
    if touch.fenced(FenceKind.SANDBOX) is not None or touch.host == "loopback":
        return 0.0
    if touch.choice is Choice.UNKNOWN:
        return None
    if touch.fenced(*HOLDING.get(kind, ())) is not None:
        return 0.0
    return PARTLY if _is_fixed(touch) or touch.fenced(*LEAKING.get(kind, ())) is not None else 1.0


def _is_fixed(touch: Touch) -> bool:
    """Whether the code fixes the command, the path, the host or the service: what a model says is only sent there."""
    kind = touch.effect.kind
    return touch.choice is Choice.NOTHING or kind not in WHAT or (kind in ASKING and touch.choice is Choice.PART)


def _reason(tool: Tool, touch: Touch) -> str:
    kind, symbol = touch.effect.kind, touch.effect.symbol
    sandbox = touch.fenced(FenceKind.SANDBOX)
    if sandbox is not None:
        return f"{through(tool.name, symbol)} runs in {PLACES.get(sandbox.word, 'a sandbox')}."
    fence = touch.fenced(*HOLDING.get(kind, ()), *LEAKING.get(kind, ()))
    if touch.host == "loopback" and _is_fixed(touch):
        return f"{tool.name} reaches only this machine ({symbol})."
    if _is_fixed(touch) and touch.fenced(*HOLDING.get(kind, ())) is None:
        return f"{tool.name} ({symbol}) {FIXED.get(kind, COMMANDS if kind in RUNNING else SERVICE)}."
    own = symbol == tool.name
    said = f"{tool.name} acts on {WHAT[kind]}" if own else f"{tool.name} passes {WHAT[kind]} to {symbol}"
    return f"{said}, {FENCED[fence.kind] if fence is not None else _open(kind)}."


def _open(kind: str) -> str:
    """What nothing keeps an effect from."""
    if kind in STATEMENTS:
        return "with all rights of its connection"
    return "with all rights of the host" if kind in HOST else "with no host list"
