"""Outcomes made by hand: real entities, verdicts and scores, without a scan."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Detector, Effort, Severity, Verdict, gap, ok, unknown
from agent_architecture.model import settings
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import (
    Agent,
    AgentSystem,
    Confidence,
    Dependency,
    Handoff,
    Project,
    Site,
    SiteKind,
    Tool,
)
from agent_architecture.registry import Judged
from agent_architecture.report import Outcome, build_report
from agent_architecture.scoring import ScoringConfig
from agent_architecture.sources.source import Notice, Role, Span

SOURCES = {
    "app/agent.py": [
        "from langgraph.graph import StateGraph",
        "",
        "def answer(question: str) -> str:",
        '    result = graph.invoke({"messages": [question]}, config={"tags": ["support", "billing", "urgent", "vip"]})',
        "    return result",
        "",
        "def 答える(質問: str) -> str:",
        '\t結果 = グラフ.invoke({"質問": 質問})  # wide characters',
    ],
    "app/loop.py": ["while True:", "    reply = client.chat(messages)"],
    "app/bundle.js": ["x" * 4000 + "run(agent)" + "y" * 4000],
}


def source(path: str, line: int) -> str | None:
    """The lines of the made-up project."""
    lines = SOURCES.get(path, [])
    return lines[line - 1] if line <= len(lines) else None


def span(path: str, line: int, col: int = 1, end_col: int | None = None, end_line: int | None = None) -> Span:
    return Span(path, line, col, end_line or line, end_col or col + 1)


def judged(  # noqa: PLR0913 - what a detector declares
    key: str, group: str, *verdicts: Verdict, title: str, impact: Severity, fix: str, error: str | None = None
) -> Judged:
    def judge(_: AgentSystem) -> Iterator[Verdict]:
        yield from verdicts

    page = f"# {title}\n\nWhy it matters."
    detector = Detector(key, group, title, impact, Effort.LOW, fix, ("CWE-835",), judge, None, lambda: page)
    return Judged(detector, verdicts, None, error)


SEARCH = Tool(span("app/tools.py", 3), "search_web", "langgraph", "search_web", ("query", "limit"))
REFUND = Tool(span("app/tools.py", 12), "refund", "langgraph", "refund", ("order_id", "amount"))
TRIAGE = Agent(span("app/agents.py", 5), "triage", "openai-agents", (SEARCH,))
BILLING = Agent(span("app/agents.py", 9), "billing", "openai-agents", (REFUND,))
RUN = Site(
    span("app/agent.py", 4, 14, 113),
    "graph.invoke",
    "langgraph",
    SiteKind.RUN,
    (TRIAGE,),
    step_limit=settings.default(10007, "langgraph 1.2.22"),
)
WIDE = Site(
    span("app/agent.py", 8, 7, 30),
    "グラフ.invoke",
    "langgraph",
    SiteKind.RUN,
    step_limit=settings.written(12, span("app/agent.py", 8)),
)
LOOP = Site(span("app/loop.py", 1, 1, 3, end_line=2), "loop", "", SiteKind.HAND_WRITTEN_LOOP)
MINIFIED = Site(
    span("app/bundle.js", 1, 4001, 4011),
    "run",
    "ai",
    SiteKind.RUN,
    step_limit=Setting(Origin.UNKNOWN, (), None, "process.env.LIMIT"),
)
SERVER = Site(span("app/server.py", 2), "FastMCP", "mcp", SiteKind.MCP_SERVER)
HANDOFF = Handoff(span("app/agents.py", 6), "triage", "openai-agents", TRIAGE, BILLING)

LANGGRAPH = Dependency("langgraph", "pypi", "1.2.22", "lock", "uv.lock")
OPENAI = Dependency("openai-agents", "pypi", "0.6.1", "manifest", "pyproject.toml")

PROJECT = Project({Role.APP: 30, Role.TEST: 8, Role.CONFIG: 4}, {"python": 38, "typescript": 4}, (LANGGRAPH, OPENAI))
SYSTEM = AgentSystem(
    PROJECT,
    sites=(RUN, WIDE, LOOP, MINIFIED, SERVER),
    agents=(TRIAGE, BILLING),
    tools=(SEARCH, REFUND),
    handoffs=(HANDOFF,),
)


def loop_guards() -> Judged:
    return judged(
        "loop_guard_absence",
        "reliability",
        gap(
            RUN,
            "The step limit 10007 is the default of langgraph 1.2.22, far above 200: it ends the bill, not the loop.",
        ),
        ok(WIDE, "The run stops after 12 steps."),
        gap(
            LOOP,
            "Only what the model answers ends this loop.",
            related=(span("app/loop.py", 1, 7), span("app/loop.py", 2, 13), span("app/agent.py", 8)),
        ),
        unknown(MINIFIED, "The limit comes from process.env.LIMIT."),
        title="Agent run without an effective step limit",
        impact=Severity.HIGH,
        fix='Pass config={"recursion_limit": 25} to invoke, and handle GraphRecursionError.',
    )


def schemas() -> Judged:
    return judged(
        "schema_validation_gap",
        "governance",
        gap(REFUND, "The parameter amount has no type.", risk=0.5),
        ok(SEARCH, "Every parameter is typed.", weight=3.0),
        title="Tool input without a schema",
        impact=Severity.HIGH,
        fix="Annotate every parameter.",
    )


def outcome(
    system: AgentSystem = SYSTEM,
    results: tuple[Judged, ...] | None = None,
    notices: tuple[Notice, ...] = (),
    name: str = "support-bot",
) -> Outcome:
    found = (loop_guards(), schemas()) if results is None else results
    report = build_report(system, found, ScoringConfig(), lambda _: "", name=name, version="0.1.0", notices=notices)
    return Outcome(report)


NOTICES = (
    Notice("app/broken.py", 12, "The syntax is broken here; the rest of the file was read."),
    Notice("data/huge.json", None, "The file has 8000000 bytes, more than 2000000: it was not read."),
)
NOTHING_FOUND = AgentSystem(PROJECT)
EMPTY = AgentSystem(Project({}, {}, ()))
LOW = Confidence.LOW
