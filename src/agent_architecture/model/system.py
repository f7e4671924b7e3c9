"""The agent system: what the semantics stage found, in the words of the field. All that a detector receives.

Entities are frozen facts. None of them says whether something is good or enough: detectors judge. Every entity has a
`span`
(where a verdict about it stands), a `symbol` (what a reader would call it) and a `framework` (pack id, or "" for
hand-written code). Entities refer to each other directly.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from agent_architecture.model.approvals import Approval
from agent_architecture.model.confidence import Confidence as Confidence  # noqa: PLC0414 - offered here, too
from agent_architecture.model.confidence import Degree as Degree  # noqa: PLC0414 - offered here, too
from agent_architecture.model.coordination import Nested, Shared, Team
from agent_architecture.model.credentials import Credential
from agent_architecture.model.decisions import DecisionPoint, Router
from agent_architecture.model.disclosure import Disclosure
from agent_architecture.model.effects import Effect, Gate, Guard, Schema
from agent_architecture.model.evaluations import CiJob as CiJob  # noqa: PLC0414 - offered here, too
from agent_architecture.model.evaluations import EvalSuite as EvalSuite  # noqa: PLC0414 - offered here, too
from agent_architecture.model.exposure import Exposure
from agent_architecture.model.fix_places import Mend
from agent_architecture.model.goals import Goal
from agent_architecture.model.guardrails import Watched
from agent_architecture.model.handoffs import HandedOver
from agent_architecture.model.inventory import Listed, Reach
from agent_architecture.model.loops import Bound as Bound  # noqa: PLC0414 - offered here, too
from agent_architecture.model.loops import BoundKind as BoundKind  # noqa: PLC0414 - offered here, too
from agent_architecture.model.loops import FeedbackPath as FeedbackPath  # noqa: PLC0414 - offered here, too
from agent_architecture.model.loops import PathKind as PathKind  # noqa: PLC0414 - offered here, too
from agent_architecture.model.memory import Collection, Memory, MemoryLimit, MemoryRead, MemoryWrite, Remembered
from agent_architecture.model.models import ModelUse
from agent_architecture.model.offers import McpOffer
from agent_architecture.model.outputs import ClientTurns, Instruction, ModelOutput, Premise, UntrustedFlow
from agent_architecture.model.peers import PublishedCard, ReceivedPush, SentPush, TaskLife, TaskPoll
from agent_architecture.model.project import Dependency as Dependency  # noqa: PLC0414 - offered here, too
from agent_architecture.model.project import Fix as Fix  # noqa: PLC0414 - offered here, too
from agent_architecture.model.project import Project as Project  # noqa: PLC0414 - offered here, too
from agent_architecture.model.protocols import (
    A2AEndpoint,
    AgentCard,
    ForwardedToken,
    HostConfig,
    McpClient,
    McpStart,
    ServedInside,
)
from agent_architecture.model.repeats import Operation
from agent_architecture.model.request_records import Observed
from agent_architecture.model.resilience import FanOut, Pause, Progress, RemoteUse, Retry, Wait
from agent_architecture.model.results import ServedResult, ToolResult
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.model.state import StateHolder
from agent_architecture.model.supply import InstallPath
from agent_architecture.model.touches import Touch, UnreadCall
from agent_architecture.model.tracing import GenAiSpan, TracedWork
from agent_architecture.model.trust import ServerTrust, ToolChange
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span


class Subject(Protocol):
    """What a verdict can be about."""

    @property
    def span(self) -> Span:
        """Where a verdict about it stands."""
        ...

    @property
    def symbol(self) -> str:
        """What a reader would call it."""
        ...

    @property
    def framework(self) -> str:
        """The pack that knows it, or ""."""
        ...


class SiteKind(StrEnum):
    """The kinds of agent call site."""

    RUN = "run"
    EXPORTED_GRAPH = "exported_graph"
    HAND_WRITTEN_LOOP = "hand_written_loop"
    DISPATCH = "dispatch"
    MCP_SERVER = "mcp_server"
    MCP_CLIENT = "mcp_client"
    A2A = "a2a"
    TOOLKIT = "toolkit"
    """Tools that are declared for a model, which no agent of the project is seen to take."""


PROTOCOL_SITES: Final = frozenset({SiteKind.MCP_SERVER, SiteKind.MCP_CLIENT, SiteKind.A2A})
"""Sites that serve or use an agent elsewhere, over a protocol."""

AGENT_ELSEWHERE: Final = PROTOCOL_SITES | {SiteKind.TOOLKIT}
"""Sites that run no agent: what they offer is called by one that is not in the project."""


class Tool(NamedTuple):
    """Something that a model may call. `span` is its definition: the function, or the call or literal that makes it."""

    span: Span
    symbol: str
    framework: str
    name: str
    parameters: tuple[str, ...] = ()
    schema: Schema = Schema()
    effects: tuple[Effect, ...] = ()
    """What it does to the world, through any number of the project's functions."""
    guards: tuple[Guard, ...] = ()
    gate: Gate = Gate()
    annotations: Annotations | None = None
    """For a tool of an MCP server: what it says of itself."""
    isolation: Setting = ABSENT
    """Where its library runs what it does: a word of `vocabulary.ISOLATIONS`."""
    degree: Degree = Degree.RESOLVED
    """Inferred, too, where the function that it runs is known by its name alone."""
    is_agent: bool = False
    """Whether another agent answers its calls: what is done then, that agent's own tools do."""
    stated: bool = False
    """Whether its library says what it does: also where that is nothing, and its code is not in the project."""
    located: bool = True
    """Whether code of the project was found that runs it, or that does something for its name."""


class Annotations(NamedTuple):
    """The hints of an MCP tool (schema.ts, ToolAnnotations); ABSENT where a hint is not written."""

    read_only: Setting = ABSENT
    destructive: Setting = ABSENT
    idempotent: Setting = ABSENT
    open_world: Setting = ABSENT


class Binding(NamedTuple):
    """A tool that an agent or site may call. `span` is where it is bound; `mediated` are the guards that can refuse it.

    `dynamic`: a whole registry is bound at once, and `tool` stands for it.
    """

    span: Span
    symbol: str
    framework: str
    tool: Tool
    mediated: tuple[Guard, ...] = ()
    dynamic: bool = False
    scoped: bool = False
    """Whether the binding names what the tool may touch: a scope, a root, an allow-list of arguments."""
    gate: Gate = Gate()
    """A person's approval that the agent or run puts in front of this tool; the tool's own is `tool.gate`."""
    unreadable: str = ""
    """What of the binding cannot be read, as the end of the sentence "it comes from …": its tools, or what stands in
    front of them."""
    asked: Span | None = None
    """Where the model is asked that picks the tool, should it be bound elsewhere: at the call of a client."""


class Agent(NamedTuple):
    """Something that a run executes. `tools` are bound to it; `guards` stand around its runs."""

    span: Span
    symbol: str
    framework: str
    tools: tuple[Tool, ...] = ()
    step_limit: Setting = ABSENT
    guards: tuple[Guard, ...] = ()
    degree: Degree = Degree.RESOLVED


class Handoff(NamedTuple):
    """One delegation edge. `span` is the line that declares it. An agent used as a tool is one, too."""

    span: Span
    symbol: str
    framework: str
    source: Agent
    target: Agent
    degree: Degree = Degree.RESOLVED


class Site(NamedTuple):
    """An agent call site. `agents` are those that it may run: none when they cannot be resolved, or for a loop that
    is its own.
    """

    span: Span
    symbol: str
    framework: str
    kind: SiteKind
    agents: tuple[Agent, ...] = ()
    tools: tuple[Tool, ...] = ()
    step_limit: Setting = ABSENT
    token_limit: Setting = ABSENT
    """A ceiling on the tokens of the whole run that stops it."""
    cost_limit: Setting = ABSENT
    request_limit: Setting = ABSENT
    """A ceiling on model requests that stops the run."""
    max_tokens: Setting = ABSENT
    """The ceiling of every single model call that the run makes; ABSENT when one of them has none."""
    uncapped: tuple[Span, ...] = ()
    """The model calls of a hand-written loop or dispatch that have none."""
    degree: Degree = Degree.RESOLVED
    asks_model: bool = True
    """False for a run of a graph all of whose steps are read and come to no model: there is nothing that spends."""


class ModelCall(NamedTuple):
    """One request to a model."""

    span: Span
    symbol: str
    framework: str
    has_tools: bool = False
    degree: Degree = Degree.RESOLVED


class CodeOrigin(StrEnum):
    """Who wrote the text that a code sink executes."""

    MODEL = "model"
    TOOL_ARGUMENT = "tool_argument"
    PROJECT = "project"
    UNKNOWN = "unknown"


class CodeSink(NamedTuple):
    """A call that executes program text. `isolation` is `none`, `denylist`, `process`, `container`, `remote`, or a
    pack's setting.
    """

    span: Span
    symbol: str
    framework: str
    origin: CodeOrigin
    isolation: Setting
    trail: tuple[Span, ...] = ()
    """Where the text passes on its way, source first."""
    confidence: Confidence = Confidence.HIGH
    sites: tuple[Span, ...] = ()
    """The sites whose model writes it, where the project's own code runs what it answers."""

    @property
    def computes(self) -> bool:
        """Whether code has left nothing but numbers and operators in the text: it runs, and can do nothing."""
        return "arithmetic" in self.isolation.values


class AgentSystem(NamedTuple):
    """Everything a detector may ask about. All tuples are sorted by span."""

    project: Project
    sites: tuple[Site, ...] = ()
    agents: tuple[Agent, ...] = ()
    tools: tuple[Tool, ...] = ()
    handoffs: tuple[Handoff, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    feedback_paths: tuple[FeedbackPath, ...] = ()
    code_sinks: tuple[CodeSink, ...] = ()
    eval_suites: tuple[EvalSuite, ...] = ()
    ci_jobs: tuple[CiJob, ...] = ()
    bindings: tuple[Binding, ...] = ()
    retries: tuple[Retry, ...] = ()
    fan_outs: tuple[FanOut, ...] = ()
    remote_uses: tuple[RemoteUse, ...] = ()
    pauses: tuple[Pause, ...] = ()
    waits: tuple[Wait, ...] = ()
    approvals: tuple[Approval, ...] = ()
    operations: tuple[Operation, ...] = ()
    """What changes something outside and may be done a second time."""
    progress: tuple[Progress, ...] = ()
    """One for each site that runs an agent."""
    model_outputs: tuple[ModelOutput, ...] = ()
    shown: tuple[ModelOutput, ...] = ()
    """One for each site whose answer is handed to a person, and that nothing else takes."""
    tool_orders: tuple[ModelOutput, ...] = ()
    """One for each tool whose arguments say where and how something outside is touched."""
    untrusted_flows: tuple[UntrustedFlow, ...] = ()
    premises: tuple[Premise, ...] = ()
    retellings: tuple[UntrustedFlow, ...] = ()
    """Others' text that a model of the project has written anew, where it enters another conversation."""
    """What models wrote, where something takes it for true."""
    instructions: tuple[Instruction, ...] = ()
    disclosures: tuple[Disclosure, ...] = ()
    goals: tuple[Goal, ...] = ()
    """One for each site that may take more than one step."""
    client_turns: tuple[ClientTurns, ...] = ()
    watched: tuple[Watched, ...] = ()
    """One for each site that runs an agent."""
    exposures: tuple[Exposure, ...] = ()
    """One for each site that reads what the project did not write."""
    touches: tuple[Touch, ...] = ()
    """What tools, and sites by themselves, do to the host, the network and databases."""
    unread_calls: tuple[UnreadCall, ...] = ()
    """Of each tool the first call of its code of which nobody says what it does."""
    install_paths: tuple[InstallPath, ...] = ()
    memories: tuple[Memory, ...] = ()
    memory_writes: tuple[MemoryWrite, ...] = ()
    memory_reads: tuple[MemoryRead, ...] = ()
    memory_limits: tuple[MemoryLimit, ...] = ()
    remembered: tuple[Remembered, ...] = ()
    collections: tuple[Collection, ...] = ()
    """What grows while agents run, besides memories."""
    tool_results: tuple[ToolResult, ...] = ()
    """One for each tool, and one for each call of other code to the outside whose answer a model reads."""
    state_holders: tuple[StateHolder, ...] = ()
    served_results: tuple[ServedResult, ...] = ()
    """One for each tool of an MCP server."""
    mcp_clients: tuple[McpClient, ...] = ()
    """In programs, and the entries of hosts' configuration files."""
    mcp_starts: tuple[McpStart, ...] = ()
    served_inside: tuple[ServedInside, ...] = ()
    mcp_offers: tuple[McpOffer, ...] = ()
    """What servers of the project tell a model before it calls anything."""
    server_trust: tuple[ServerTrust, ...] = ()
    """One for each of `mcp_clients` that is not switched off."""
    tool_changes: tuple[ToolChange, ...] = ()
    listed_servers: tuple[Listed, ...] = ()
    """The servers that it connects to, and peers that others choose."""
    reaches: tuple[Reach, ...] = ()
    """Its own servers, where they are started."""
    host_configs: tuple[HostConfig, ...] = ()
    forwarded_tokens: tuple[ForwardedToken, ...] = ()
    credentials: tuple[Credential, ...] = ()
    a2a_endpoints: tuple[A2AEndpoint, ...] = ()
    agent_cards: tuple[AgentCard, ...] = ()
    published_cards: tuple[PublishedCard, ...] = ()
    """Those that the project shows to others, with what is served there."""
    task_lives: tuple[TaskLife, ...] = ()
    """One for each executor that the project writes."""
    task_polls: tuple[TaskPoll, ...] = ()
    sent_pushes: tuple[SentPush, ...] = ()
    received_pushes: tuple[ReceivedPush, ...] = ()
    traced_work: tuple[TracedWork, ...] = ()
    """Each site that runs an agent, request to a model, tool and handoff, with what records it."""
    decision_points: tuple[DecisionPoint, ...] = ()
    routers: tuple[Router, ...] = ()
    nested: tuple[Nested, ...] = ()
    teams: tuple[Team, ...] = ()
    handed: tuple[HandedOver, ...] = ()
    shared: tuple[Shared, ...] = ()
    genai_spans: tuple[GenAiSpan, ...] = ()
    observed: tuple[Observed, ...] = ()
    """What is written down of requests, runs and failures around them."""
    models: tuple[ModelUse, ...] = ()
    fixes: tuple[Fix, ...] = ()
    mends: tuple[Mend, ...] = ()
    """Where arguments that close gaps may be written."""

    @property
    def agent_sites(self) -> tuple[Site, ...]:
        """The sites that run an agent (*AS* of the spec): the agent of servers, clients, peers and toolkits lives
        elsewhere.
        """
        return tuple(site for site in self.sites if site.kind not in AGENT_ELSEWHERE)

    @property
    def without_model(self) -> frozenset[Span]:
        """Where runs stand that are known to come to no model."""
        return frozenset(site.span for site in self.sites if not site.asks_model)

    @property
    def evaluations(self) -> tuple[EvalSuite, ...]:
        """The suites that run the agent with its model on cases."""
        return tuple(suite for suite in self.eval_suites if suite.dataset and not suite.mocked_model)

    @property
    def graded(self) -> tuple[EvalSuite, ...]:
        """The evaluations that something in the project runs and that grade the answers or the steps."""
        return tuple(suite for suite in self.evaluations if suite.started_by and (suite.scorer or suite.trajectory))

    @property
    def evaluated_at(self) -> EvalSuite | Site:
        """Where a verdict on the project's evaluations stands: its first evaluation, else its first agent call site."""
        return next(iter(self.graded or self.evaluations), self.agent_sites[0])
