"""Outcomes made by hand for the page: hostile ones, and one of five thousand subjects."""

from __future__ import annotations

from tests.cli.cli_outcomes import judged, outcome, span

from agent_architecture.detector import Severity, gap, ok, unknown
from agent_architecture.model.effects import Effect, Shaped
from agent_architecture.model.exposure import Exposure
from agent_architecture.model.system import Agent, AgentSystem, Project, Site, SiteKind, Tool
from agent_architecture.registry import Judged
from agent_architecture.report import Outcome
from agent_architecture.sources.source import Role

MARKUP = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><!--"
HIDDEN = "\u202eevil\u2066\x1b[31m\x00\u200b\ud800\u2028"
HOSTILE = f"{MARKUP}{HIDDEN}"
LINE = "    return answer(question, tools=[search, calculate], limit=None)  # a line of usual length"
RULES = (
    ("loop_guard_absence", "reliability"), ("schema_validation_gap", "governance"),
    ("tool_policy_absence", "governance"), ("agent_shell_capable", "tool_execution"),
    ("fanout_control_absence", "coordination"),
)  # fmt: skip


def source(path: str, line: int) -> str | None:
    """Every file has four hundred lines."""
    return f"{LINE} {path} {line}" if 0 < line <= 400 else None


def hostile_source(path: str, line: int) -> str | None:
    return HOSTILE if source(path, line) is not None else None


def hostile() -> Outcome:
    """Names, paths and reasons that want to be more than text."""
    path = f"app/{MARKUP.replace('/', '-')}.py"
    effect = Effect(span(path, 9), HOSTILE, "", "execute_shell", Shaped.WHOLLY)
    tool = Tool(span(path, 8), HOSTILE, "openai-agents", HOSTILE, (HOSTILE,), effects=(effect,))
    agent = Agent(span(path, 4), HOSTILE, "openai-agents", (tool,))
    run = Site(span(path, 2), HOSTILE, "openai-agents", SiteKind.RUN, (agent,), (tool,))
    exposed = Exposure(run.span, HOSTILE, run.framework, run, ("web",), span(path, 1), (tool,))
    system = AgentSystem(Project({Role.APP: 1}, {"python": 1}, ()), (run,), (agent,), (tool,), exposures=(exposed,))
    found = judged(
        "loop_guard_absence", "reliability", gap(run, HOSTILE), gap(tool, HOSTILE), ok(agent, HOSTILE),
        title=HOSTILE, impact=Severity.HIGH, fix=HOSTILE,
    )  # fmt: skip
    return outcome(system, (found,), name=HOSTILE)


def large(subjects: int = 5000, nodes: int = 360) -> Outcome:
    """As many subjects as the largest repositories have, with a reason of its own each, in a system of many nodes."""
    tools = [
        Tool(span(f"service{at % 40}/tools{at % 7}.py", 3 + at), f"tool_{at}", "mcp", f"tool_{at}")
        for at in range(nodes // 2)
    ]
    agents = [
        Agent(span(f"service{at % 40}/agents.py", 2 + at), f"agent_{at}", "openai-agents", tuple(tools[at::40][:4]))
        for at in range(nodes // 3)
    ]
    sites = [
        Site(
            span(f"service{at % 40}/main.py", 2 + at),
            "Runner.run",
            "openai-agents",
            SiteKind.RUN,
            (agents[at],),
            agents[at].tools,
        )
        for at in range(nodes // 6)
    ]
    found = list(_results(subjects, [*tools, *agents, *sites]))
    system = AgentSystem(Project({Role.APP: 400}, {"python": 400}, ()), tuple(sites), tuple(agents), tuple(tools))
    return outcome(system, tuple(found), name="large")


def _results(count: int, subjects: list[Tool | Agent | Site]) -> list[Judged]:
    made = []
    for number, (key, group) in enumerate(RULES):
        verdicts = []
        for at in range(count // len(RULES)):
            subject = subjects[(at * 7 + number) % len(subjects)]
            place = subject.span._replace(line=1 + at % 390, end_line=1 + at % 390)
            about = subject._replace(span=place, symbol=f"{subject.symbol}_{at}")
            step = f"nothing refuses it at step {at} of rule {number}."
            reason = f"{about.symbol} passes what a model wrote on to the outside: {step}"
            judge = (gap, gap, ok, unknown)[at % 4]
            verdicts.append(judge(about, reason))
        made.append(
            judged(key, group, *verdicts, title=f"Rule {number} of the page", impact=Severity.HIGH, fix="Pass a limit.")
        )
    return made
