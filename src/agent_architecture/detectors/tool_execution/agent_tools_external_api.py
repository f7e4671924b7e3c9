"""Tools that reach other machines: how far they go, who chooses where, and what they may carry out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, through, unknown
from agent_architecture.impact import OWN, approved, is_unread, may_call, only_asks, power, private_to, unread
from agent_architecture.model.confidence import Degree, at_most
from agent_architecture.model.effects import Going
from agent_architecture.model.system import AgentSystem, Tool
from agent_architecture.model.touches import Choice, FenceKind, Touch
from agent_architecture.records import NamedTuple

READS: Final = 0.2
"""A fixed host is asked for something."""
WRITES: Final = 0.5
"""A fixed host is sent something."""
CHOSEN: Final = 1.0
"""The model chooses the host, or the call completes the rule of two."""
HALF: Final = 0.5
"""What a list of hosts or a block of private addresses leaves (ruling 26)."""

ADDRESSED: Final = frozenset({"network_read", "network_write", "browser"})
SENDING: Final = {
    "network_write": "sends to", "mail": "sends mail through", "message": "sends messages through",
    "payment": "pays through", "deploy": "deploys through", "browser": "acts on pages through",
}  # fmt: skip
PROGRAMS_GOING: Final = frozenset({Going.ASKS, Going.SENDS, Going.ANYWHERE})
"""Programs that are started and reach another machine."""
ANYTHING: Final = 3
"""How open a program is whose whole text the model writes (`_openness`)."""
PROGRAMS: Final = {"execute_shell": "a command line", "execute_code": "code"}
STRANGERS: Final = frozenset({"web", "mail", "peer"})
"""Origins of text that strangers write: the first leg."""


class Legs(NamedTuple):
    """What the other tools of an agent bring together: who reads strangers' text, and who reads what is not public."""

    strangers: str
    private: str


@detector(
    title="Tool that reaches other machines",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Fix the host in the code or compare it with a list, refuse private addresses, and keep tools that send away "
    "from agents that read both strangers' text and private data.",
    references=("CWE-918", "CWE-441", "CWE-200", "OWASP ASI02", "OWASP LLM02:2026", "OWASP LLM03:2026",
                "OWASP MCP10:2025", "AISVS 9.3.5", "AISVS 7.3.3"),
    parts={
        "hosts": "Compare the host with a list, and refuse private addresses.",
        "fixed": "Fix the host in the code where one is enough.",
        "sending": "Ask a person before it sends, or keep it from agents that read strangers' text and private data.",
        "program": "Run it where there is no network, or run listed programs alone.",
        "reading": "Keep the host fixed in the code, and treat what it returns as text of strangers.",
    },
)  # fmt: skip
def agent_tools_external_api(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool definition."""
    legs = _legs(system)
    for tool in system.tools:
        yield judge(system, tool, legs.get(id(tool)))


def judge(system: AgentSystem, tool: Tool, legs: Legs | None) -> Verdict:
    """The verdict on one tool: the farthest of its calls."""
    weight = power(tool).weight
    touches = [touch for touch in system.touches if touch.tool is tool and _leaves(touch)]
    if not touches:
        return _staying(system, tool, weight)
    completing = legs if legs is not None and not approved(system, tool) else None
    worst = max(touches, key=lambda touch: (reach(touch, completing), touch.choice is Choice.ALL))
    risk = reach(worst, completing)
    related = (worst.effect.span, *(fence.span for fence in worst.fences))
    reason = _reason(tool, worst, completing)
    return gap(
        tool, reason, risk=risk, weight=weight, confidence=worst.confidence, related=related, lacks=(_lacks(worst),)
    )


def _leaves(touch: Touch) -> bool:
    """Whether an effect needs another machine; a database connection is no egress, nor is what the code fixes that is
    done in a page.
    """
    if touch.effect.kind == "browser" and touch.choice is Choice.NOTHING and not touch.host:
        return False
    if touch.effect.going in PROGRAMS_GOING and touch.fenced(FenceKind.SANDBOX) is None:
        return not _writes_line(touch)
    return (touch.effect.kind in ADDRESSED or touch.effect.kind in SENDING) and touch.host != "loopback"


def _writes_line(touch: Touch) -> bool:
    """Whether the model writes the whole command line, so that more than a program says where it goes."""
    return touch.effect.kind in PROGRAMS and touch.choice is Choice.ALL


def _is_addressed(touch: Touch) -> bool:
    """Whether the model says where a call goes."""
    if touch.effect.going is Going.ANYWHERE:
        return True
    return touch.choice is Choice.ALL and touch.effect.kind in ADDRESSED


def _staying(system: AgentSystem, tool: Tool, weight: float) -> Verdict:
    if is_unread(system, tool):
        return unknown(tool, unread(tool), weight=weight)
    runs = [touch for touch in system.touches if touch.tool is tool and touch.effect.kind in PROGRAMS]
    worst = max(runs, key=_openness, default=None)
    if worst is not None and _openness(worst) == ANYTHING:
        return _running(tool, worst, weight)
    if hidden := _hidden(system, tool):
        return unknown(tool, f"{tool.name} calls {hidden}, whose target cannot be read.", weight=weight)
    if worst is not None:
        return _running(tool, worst, weight)
    script = next((t for t in system.touches if t.tool is tool and t.effect.going is Going.OPEN), None)
    if script is not None:
        what = through(tool.name, script.effect.symbol)
        reason = f"{what} starts a script that the model chooses: where it goes is not said here."
        return unknown(tool, reason, weight=weight, related=(script.effect.span,))
    return ok(tool, f"{tool.name} reaches no other machine.", weight=weight)


def _openness(touch: Touch) -> int:
    """How little is known of where a program goes: nothing chosen, what cannot be read, everything chosen."""
    if touch.choice is Choice.ALL:
        return ANYTHING if touch.fenced(FenceKind.LISTED, FenceKind.SANDBOX) is None else 2
    return 1 if touch.choice is Choice.UNKNOWN else 0


def _running(tool: Tool, touch: Touch, weight: float) -> Verdict:
    """A tool without a request of its own that runs a command line or program text: whoever writes all of it says where
    it goes.
    """
    what, related = PROGRAMS[touch.effect.kind], (touch.effect.span, *(fence.span for fence in touch.fences))
    match _openness(touch):
        case 3:  # ANYTHING
            reason = f"{tool.name} runs {what} that the model writes, which reaches any machine that its host reaches."
            sure = at_most(touch.confidence, Degree.INFERRED)
            return gap(tool, reason, risk=CHOSEN, weight=weight, confidence=sure, related=related, lacks=("program",))
        case 2:
            held = "its sandbox" if touch.fenced(FenceKind.SANDBOX) is not None else "a listed program"
            reason = f"{tool.name}: what {what} of the model reaches from {held} is not said here."
            return unknown(tool, reason, weight=weight, related=related)
        case 1:
            return unknown(tool, f"{tool.name}: what it runs, and where that goes, cannot be read.", weight=weight)
        case _:
            return ok(tool, f"{tool.name} reaches no other machine.", weight=weight)


def _hidden(system: AgentSystem, tool: Tool) -> str:
    """A call of a library that nothing is known of, in the code of a tool or in what it returns."""
    found = [call.symbol for call in system.unread_calls if call.tool is tool]
    found += [result.hidden for result in system.tool_results if result.tool is tool]
    found += [result.hidden for result in system.served_results if result.tool is tool]
    return next(filter(None, found), "")


def _sends(touch: Touch) -> bool:
    if touch.effect.going in PROGRAMS_GOING:
        return touch.effect.going is Going.SENDS
    if touch.effect.kind == "network_write" and touch.tool is not None and only_asks(touch.tool, touch.effect):
        return False
    return touch.effect.kind in SENDING and not touch.asks


def reach(touch: Touch, legs: Legs | None) -> float:
    """How far one call goes."""
    if _is_addressed(touch):
        fenced = touch.fenced(FenceKind.LISTED, FenceKind.ADDRESS)
        return CHOSEN if fenced is None else CHOSEN * HALF
    if _sends(touch):
        return WRITES if legs is None else CHOSEN
    return READS


def _lacks(touch: Touch) -> str:
    """What one call needs."""
    if _is_addressed(touch):
        return "hosts" if touch.fenced(FenceKind.LISTED) is None else "fixed"
    return "sending" if _sends(touch) else "reading"


def _reason(tool: Tool, touch: Touch, legs: Legs | None) -> str:
    symbol, host = touch.effect.symbol, touch.host or "a fixed host"
    name = through(tool.name, symbol)
    if _is_addressed(touch):
        fence = touch.fenced(FenceKind.LISTED, FenceKind.ADDRESS)
        if fence is None:
            return f"{name} goes to any address the model chooses: no allow-list."
        held = "from an allow-list" if fence.kind is FenceKind.LISTED else "other than private ones"
        return f"{name} goes to addresses the model chooses, {held}."
    if not _sends(touch):
        return f"{name} reads from {host}."
    said = f"{name} {SENDING.get(touch.effect.kind, 'sends to')} {host}"
    if touch.effect.kind in SENDING and touch.effect.kind != "network_write":
        said = f"{tool.name} {SENDING[touch.effect.kind]} {symbol}"
    if legs is None:
        return f"{said}."
    return f"{said} without approval; its agent reads outside text ({legs.strangers}) and {legs.private}."


# ---------------------------------------------------------------------------------------------------------- rule of two
def _legs(system: AgentSystem) -> dict[int, Legs]:
    """For each tool of an agent or site that reads both, what the tools beside it read."""
    found: dict[int, Legs] = {}
    groups = [may_call(system, site) for site in system.agent_sites]
    groups += [agent.tools for agent in system.agents]
    strangers = {flow.span for flow in system.untrusted_flows if flow.fed and flow.origin in STRANGERS}
    own = {flow.span: OWN[flow.origin] for flow in system.untrusted_flows if flow.fed and flow.origin in OWN}
    for tools in groups:
        reads = next((tool.name for tool in tools if tool.span in strangers), "")
        private = next((what for tool in tools if (what := private_to(tool, own.get(tool.span, "")))), "")
        if reads and private:
            for tool in tools:
                found.setdefault(id(tool), Legs(reads, private))
    return found


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The application files with a site or tool from which a non-loopback call is reached."""
    del verdicts
    touches = [touch for touch in system.touches if touch.tool is not None and _leaves(touch)]
    tools = {id(touch.tool) for touch in touches}
    files = {touch.span.path for touch in touches}
    files |= {site.span.path for site in system.agent_sites if any(id(t) in tools for t in may_call(system, site))}
    return {"agent_files_with_external_api": float(len(files))}
