"""What the tools answer, as values with a schema. Text of the scanned project stands in fields named `untrusted_…`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Score(_Answer):
    """One axis: the health it stands for, from 0 (nothing is guarded) to 1."""

    axis: str
    score: Share
    applicable_detectors: int
    detectors: int


class Totals(_Answer):
    """What was counted."""

    findings: int = Field(description="Rules in files: what the command line calls findings.")
    places: int = Field(description="Places in the code that those findings are about.")
    by_severity: dict[str, int] = Field(description="Findings by severity.")
    sites: int
    agents: int
    tools: int
    servers: int
    handoffs: int


class Place(_Answer):
    """One place in the code at which a guardrail is missing."""

    rule: str
    title: str
    severity: str
    confidence: str
    risk: Share
    line: int = Field(description="1-based; 0: the whole file.")
    fingerprint: str = Field(description="Stays the same when code around and inside the statement is edited.")
    untrusted_path: str
    untrusted_symbol: str
    untrusted_reason: str = Field(description="What is missing, with the project's own names.")
    untrusted_fix: str = Field(description="What to do, with the project's own names.")


class First(_Answer):
    """One of the things to fix first."""

    place: Place
    other_places: int = Field(description="Further places of the same rule.")
    gain: Share = Field(description="What closing all of them adds to the health.")


class Analysis(_Answer):
    """What is said of a project: totals, what to fix first, then a page of all places."""

    applicable: bool = Field(description="False: no agent was found, so the scores say nothing.")
    health: Share
    scores: list[Score]
    totals: Totals
    fix_first: list[First]
    places: list[Place] = Field(description="One page, the most severe first.")
    next_cursor: str | None = Field(description="Give it back for the next page; null: this was the last one.")
    untrusted_notices: list[str] = Field(description="What was not read, and what was seen where no agent was found.")


class LibraryFix(_Answer):
    """The line that closes the gap in one library that the project declares."""

    library: str
    ecosystem: str
    code: str


class Rule(_Answer):
    """One rule, in short."""

    rule: str
    key: str
    title: str
    axis: str | None = Field(description="Null: it counts for the memory limits alone.")
    group: str
    impact: str
    effort: str


class RuleExplained(_Answer):
    """What a rule finds, why it matters and what closes the gap."""

    rule: Rule
    explanation: str
    fix: str
    fixes: list[LibraryFix] = Field(description="For the libraries and versions of the project.")
    references: list[str]
    ignore_comment: str
    page: str = Field(description="The whole page when it was asked for, else empty.")


class Rules(_Answer):
    """The rules."""

    rules: list[Rule]


class Violated(_Answer):
    """An invariant that does not hold."""

    metric: str
    operator: str
    expected: float
    actual: float
    severity: str
    untrusted_message: str


class Policy(_Answer):
    """What the gate decides."""

    passed: bool
    exit_code: int = Field(description="As the command line's: 0 passed, 1 violated, 3 the analysis is incomplete.")
    reasons: list[str]
    violations: list[Violated]


class Gap(_Answer):
    """A gap that is new or gone."""

    rule: str
    severity: str
    line: int
    fingerprint: str
    untrusted_path: str
    untrusted_reason: str


class Comparison(_Answer):
    """What changed since a baseline: counts and scores, then a page of all gaps and parts that are new or gone."""

    untrusted_before: str = Field(description="What it is compared with.")
    worse: bool = Field(description="A gap is new, a score fell, or a tool can do more.")
    new_count: int
    fixed_count: int
    scores: dict[str, list[float | None]] = Field(description="Key: before, after. Only those that changed.")
    new: list[Gap]
    fixed: list[Gap]
    untrusted_added: list[str] = Field(description="Agents, tools, servers and edges that are new.")
    untrusted_removed: list[str]
    untrusted_tools_that_can_do_more: list[str]
    untrusted_remarks: list[str] = Field(description="What makes the two hard to compare.")
    next_cursor: str | None = Field(description="Give it back for the next page; null: this was the last one.")


class Node(_Answer):
    """A node of the agent graph."""

    id: str
    kind: str
    framework: str
    degree: str = Field(description="How it is known: resolved, inferred or guessed.")
    severity: str | None
    verdicts: int
    line: int
    untrusted_name: str
    untrusted_path: str


class Edge(_Answer):
    """An edge of the agent graph."""

    source: str
    target: str
    kind: str
    degree: str


class Graph(_Answer):
    """A page of the agent graph: nodes with the edges that begin at them."""

    nodes: list[Node]
    edges: list[Edge]
    total_nodes: int
    total_edges: int
    next_cursor: str | None


class ConfigKey(_Answer):
    """One key of the configuration file."""

    path: str
    kind: str
    default: str | float | bool | None
    meaning: str
    words: list[str]


class ConfigHelp(_Answer):
    """The keys that may stand in a configuration file."""

    file_names: list[str]
    keys: list[ConfigKey]


class Problem(_Answer):
    """What is wrong with a configuration, and where."""

    line: int
    column: int
    untrusted_message: str


class ConfigChecked(_Answer):
    """Whether a configuration can be obeyed."""

    valid: bool
    problems: list[Problem]


class ConfigSuggested(_Answer):
    """A configuration that fits the project; nothing is written."""

    file_name: str
    untrusted_yaml: str
