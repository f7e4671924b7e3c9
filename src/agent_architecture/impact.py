"""What a tool can do to the world: the classes that several detectors share.

Reads the effects that were found; where there are none, the name that the tool declares, at low confidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import confidence_of
from agent_architecture.model.effects import CHANGING, Effect, Parameter, Shaped
from agent_architecture.model.exposure import Exposure
from agent_architecture.model.system import AgentSystem, Confidence, Site, Tool
from agent_architecture.model.words import DEEDS, own_name, words_of
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.touches import Touch
    from agent_architecture.sources.source import Span

WEIGHT_EFFECTFUL: Final = 3.0
"""A tool with effects outside the process."""
WEIGHT_PLAIN: Final = 1.0

DOING: Final = {
    "execute_code": "runs program text",
    "execute_shell": "runs a command line",
    "execute_process": "starts a process",
    "write_file": "changes files",
    "network_write": "sends over the network",
    "database": "runs database statements",
    "database_write": "writes to a database",
    "mail": "sends mail",
    "message": "sends messages",
    "payment": "moves money",
    "deploy": "changes infrastructure or permissions",
    "browser": "drives a browser",
}
"""The changing effects as the end of a sentence, in the order in which they are named first."""

HIGH_IMPACT: Final = CHANGING - {"browser"}
"""Delete, pay, send, publish, deploy, execute, change permissions, write to a database or file (sheet 28)."""

IN_SANDBOX: Final = frozenset({"execute_code", "execute_shell", "execute_process", "write_file"})
"""What a sandbox keeps to itself."""
SANDBOXES: Final = frozenset({"remote", "container", "isolate"})

ROOTED: Final = "root"
"""The isolation of tools that keep to one folder: what is there was given to the agent."""
INSIDE: Final = frozenset({"read_file"})
ON_HOST: Final = frozenset({"execute_code", "execute_shell", "execute_process"})
PRIVATE: Final = {
    "read_file": "files", "database": "a database", "database_read": "a database", "execute_shell": "host files",
    "execute_code": "host files",
}  # fmt: skip
"""Effects that read what is not public: the second leg of the rule of two."""
STATEMENTS: Final = frozenset({"database", "database_read", "database_write"})
"""Effects of a statement that a database runs."""
LED: Final = ON_HOST | {"read_file", "write_file"}
"""Effects that are the project's own where no argument of a model shapes them: a configuration is read."""
SHELLS: Final = frozenset({"bash", "shell", "terminal"})
BESIDE: Final = frozenset(
    {"output", "outputs", "kill", "stop", "close", "end", "list", "status", "log", "logs", "history"}
)
"""Words of names of tools that look at, or end, what another one runs: `BashOutput`, `KillBash`."""
FOLDERS: Final = frozenset({"mkdir", "makedirs", "mkdirp"})
"""Words of calls that only make a folder."""
REMOVING: Final = frozenset({"remove", "unlink", "rmtree", "rmdir", "rm", "delete"})
"""Words of calls that take files away."""
OWN: Final = {"mail": "mail", "file": "files", "memory": "stored text"}
"""Origins of what is not public."""

READING: Final = frozenset({
    "get", "fetch", "search", "find", "list", "read", "lookup", "query", "retrieve", "check", "browse", "view", "show",
    "describe", "count", "scrape", "crawl", "extract", "load", "ask", "translate", "summarize", "summarise", "embed",
    "web", "tavily", "google", "retriever", "recall", "calculate", "grep", "glob",
})  # fmt: skip
"""First words of names of tools that only ask, though they ask with a request that could write."""
SEARCHES: Final = frozenset({"search", "research", "lookup"})
"""Last words of such names."""
FOLLOWED: Final = frozenset({
    "cargo", "consignment", "container", "courier", "delivery", "flight", "order", "package", "parcel", "shipment",
    "shipping",
})  # fmt: skip
"""What is on its way: to track it asks where it is; to track an event or an expense writes it down."""

STRONG: Final = frozenset({
    "delete", "cancel", "refund", "pay", "charge", "purchase", "buy", "book", "rebook", "order", "send", "email",
    "publish", "tweet", "post", "deploy", "execute", "issue", "grant", "revoke", "bash", "shell", "terminal",
    "transfer", "withdraw", "drop", "uninstall", "install", "reboot", "restart", "shutdown", "update",
    "modify", "assign",
})  # fmt: skip
"""First words (or whole names) by which a tool declares that it changes something outside."""

TELLING: Final = frozenset({"send", "email", "publish", "tweet", "post"})
"""Those that bring a text to others."""
USER: Final = "user"
TALKING: Final = frozenset(
    {USER, "the", "message", "messages", "reply", "response", "answer", "progress", "update", "result"}
)
"""What the one who talks to an agent is sent in the talk; a mail, or a message to somebody else, is another matter."""
KEEPING: Final = frozenset({"update", "modify"})
"""Those that put a text where others take it for true."""

CARRIES_OUT: Final = frozenset({
    "process", "make", "place", "perform", "initiate", "submit", "complete", "create", "apply", "do",
    "confirm", "finalize", "finalise",
})  # fmt: skip
"""First words that say that what the name goes on with is done: `process_refund`, `makePayment`, `place_order`."""

OWN_STATE: Final = frozenset({
    "plan", "todo", "todos", "memory", "memories", "note", "notes", "state", "context", "scratchpad", "progress",
    "status", "summary", "draft", "report", "section", "outline", "overview", "question", "agent", "agents",
    "specialists", "control", "to", "back", "list",
})  # fmt: skip
"""What an agent may update, post or transfer without anything outside changing."""


class Power(NamedTuple):
    """What a tool can do: whether outside of the process, whether of the high-impact class, and how that is known."""

    effectful: bool
    high_impact: bool
    doing: str
    confidence: Confidence
    effect: Effect | None = None

    @property
    def weight(self) -> float:
        """The weight of a verdict about the tool (rule 6)."""
        return WEIGHT_EFFECTFUL if self.effectful else WEIGHT_PLAIN


def power(tool: Tool) -> Power:
    """What a tool can do to the world; of several effects the one that counts most is named."""
    found = sorted(_outside(tool), key=gravity)
    sure = confidence_of(tool.degree)
    if found:
        high = next((effect for effect in found if _is_high(tool, effect)), None)
        named = high or found[0]
        return Power(True, high is not None, DOING[named.kind], sure, named)
    if (
        not tool.is_agent
        and not tool.stated
        and not _does_something(tool)
        and not _is_apart(tool)
        and _declares_change(tool.name)
    ):
        return Power(True, True, "changes something outside, by its name", Confidence.LOW)
    return Power(False, False, "changes nothing outside", sure)


def _is_high(tool: Tool, effect: Effect) -> bool:
    """Whether an effect is of the high-impact class. A folder that is made overwrites nothing; a file of which the code
    alone says where it is, is the program's own, unless the tool takes such files away or says that it changes them.
    """
    if effect.kind not in HIGH_IMPACT or effect.looks:
        return False
    if effect.kind != "write_file":
        return True
    if _does(effect, FOLDERS):
        return False
    changes = [one for one in tool.effects if one.kind == "write_file" and not _does(one, FOLDERS)]
    return (
        effect.shaped is not Shaped.NOT or _declares_change(tool.name) or all(_does(one, REMOVING) for one in changes)
    )


def _does(effect: Effect, words: frozenset[str]) -> bool:
    """Whether one of these words says what a call does, by its last name."""
    return not words.isdisjoint(words_of(effect.symbol.rpartition(".")[2]))


def tells_by_name(system: AgentSystem) -> Iterator[Tool]:
    """The tools of agents whose code, a stub, does nothing yet, and whose name says that they tell others, or keep,
    what a model writes in their arguments.
    """
    taken = {id(binding.tool) for binding in system.bindings if not binding.dynamic}
    for tool in system.tools:
        is_stub = id(tool) in taken and not is_unread(system, tool) and power(tool).effectful and not _outside(tool)
        if is_stub and words_of(tool.name)[0] in TELLING | KEEPING and any(map(_is_text, tool.schema.parameters)):
            yield tool


def _is_text(parameter: Parameter) -> bool:
    """Whether a parameter may say anything, and not only which one is meant."""
    return parameter.text and words_of(parameter.name)[-1:] not in (["id"], ["ids"])


def is_unread(system: AgentSystem, tool: Tool) -> bool:
    """Whether nothing is known of what a tool does: its code was not found, and its library does not say it."""
    if tool.effects or tool.stated:
        return False
    if tool.is_agent:
        return True
    answered = [result.readable for result in system.tool_results if result.tool is tool]
    answered += [result.located for result in system.served_results if result.tool is tool]
    return not all(answered) if answered else not tool.located


def unread(tool: Tool) -> str:
    """Why it is not known what a tool does that has no code to read."""
    if tool.is_agent:
        return f"{tool.name} is an agent: its own tools are judged where they stand."
    return f"{tool.name}: its code is neither in this project nor known from its library."


def only_asks(tool: Tool, effect: Effect) -> bool:
    """Whether a request that could write only asks: by what is sent where, or by the name of the tool; where it is sent
    to a deed, the name is not believed.
    """
    if effect.looks and effect.kind == "network_write":
        return True
    words = words_of(own_name(tool.name))
    asks = bool(words) and (words[0] in READING or words[-1] in SEARCHES or _is_followed(words))
    return asks and not effect.is_deed


def _is_followed(words: list[str]) -> bool:
    return words[0] == "track" and any(word.removesuffix("s") in FOLLOWED or word in FOLLOWED for word in words[1:])


def approved(system: AgentSystem, tool: Tool) -> bool:
    """Whether a person is asked before every call of a tool: by the tool, or by all that may call it."""
    gates = [binding.gate for binding in system.bindings if binding.tool is tool]
    return tool.gate.always or (bool(gates) and all(gate.always for gate in gates))


def may_call(system: AgentSystem, site: Site) -> tuple[Tool, ...]:
    """The tools that a site may call: its own, its agents', and those of whom these hand over to."""
    agents = list(site.agents)
    for agent in agents:
        targets = (edge.target for edge in system.handoffs if edge.source is agent)
        agents.extend(target for target in targets if not any(target is known for known in agents))
    found = (*site.tools, *(tool for agent in agents for tool in agent.tools))
    return tuple({id(tool): tool for tool in found}.values())


class Legs(NamedTuple):
    """The second and third leg of the rule of two: who of a site's tools reads what is not public, and which of them
    act outside without a person's approval; `gated` when a person approves all that do.
    """

    private: str
    outward: str
    gated: bool = False


def written_statements(system: AgentSystem) -> dict[Span, list[Touch]]:
    """The database statements that sites run of what their models answer, by the call that runs them."""
    found: dict[Span, list[Touch]] = {}
    for touch in system.touches:
        if touch.tool is None and touch.effect.kind in STATEMENTS:
            found.setdefault(touch.effect.span, []).append(touch)
    return found


def legs(system: AgentSystem, exposure: Exposure) -> Legs:
    """What the tools of a site, its code and the site by itself bring together."""
    site, tools = exposure.site, exposure.tools
    own = {flow.span: OWN[flow.origin] for flow in system.untrusted_flows if flow.fed and flow.origin in OWN}
    private = next((what for tool in tools if (what := private_to(tool, own.get(tool.span, "")))), "")
    private = private or next((OWN[origin] for origin in exposure.origins if origin in OWN), "")
    by_itself = next(
        (
            t.effect
            for t in system.touches
            if t.site is not None and t.site.span == site.span and t.effect.kind in CHANGING
        ),
        None,
    )
    if by_itself is not None:
        read = "host files" if by_itself.kind in ON_HOST else PRIVATE.get(by_itself.kind, "")
        return Legs(private or read, f"{by_itself.symbol} {DOING[by_itself.kind]}")
    acting = [(tool, doing) for tool in tools if (doing := _doing_outside(tool))]
    free = [(tool, doing) for tool, doing in acting if not approved(system, tool)]
    sent = [f"{effect.symbol} {DOING[effect.kind]}" for effect in exposure.sends]
    unasked = [f"{tool.name} {doing}" for tool, doing in free] + (sent if exposure.asks is None else [])
    outward = next(iter((*unasked, *(f"{tool.name} {doing}" for tool, doing in acting), *sent)), "")
    return Legs(private, outward, gated=bool(outward) and not unasked)


def private_to(tool: Tool, said: str) -> str:
    """What of a tool's reading is not public, as far as a model can lead it there; `said` is what its texts say."""
    sandboxed = _is_apart(tool)
    kept = ON_HOST if sandboxed else INSIDE if ROOTED in tool.isolation.values else frozenset[str]()
    led = (e.kind for e in tool.effects if e.kind in PRIVATE and (e.shaped is not Shaped.NOT or e.kind not in LED))
    what = next((PRIVATE[kind] for kind in led if kind not in kept), "" if kept is INSIDE else said)
    if not what and not tool.is_agent and not _does_something(tool) and not sandboxed and _names_shell(tool.name):
        what = PRIVATE["execute_shell"]
    return f"{what} ({tool.name})" if what else ""


def _doing_outside(tool: Tool) -> str:
    """What a model can make a tool change outside, as the end of a sentence; what the code alone decides is none."""
    if not _does_something(tool):
        found = power(tool)
        return found.doing if found.effectful else ""
    led = led_outside(tool)
    return DOING[led[0].kind] if led else ""


def led_outside(tool: Tool) -> tuple[Effect, ...]:
    """What a model can make a tool change outside, the gravest first; what the code alone decides is none of it."""
    led = (effect for effect in _outside(tool) if effect.kind not in LED or effect.shaped is not Shaped.NOT)
    return tuple(sorted(led, key=gravity))


def gravity(effect: Effect) -> tuple[int, int, str]:
    """A sorting key: high impact first, then what a model decides wholly."""
    shaped = (Shaped.WHOLLY, Shaped.PARTLY, Shaped.UNKNOWN, Shaped.NOT).index(effect.shaped)
    return (effect.kind not in HIGH_IMPACT, shaped, effect.kind)


def acts(tool: Tool, effect: Effect) -> bool:
    """Whether an effect of a tool is one by which it changes something outside, and nothing that it does in passing."""
    return any(effect == one for one in _outside(tool))


def _outside(tool: Tool) -> tuple[Effect, ...]:
    """The effects that change something outside: not what stays in a sandbox or is done in passing, a request that
    only asks, a record.
    """
    sandboxed = _is_apart(tool)
    return tuple(
        effect
        for effect in tool.effects
        if effect.kind in CHANGING
        and not effect.is_record
        and not effect.in_passing
        and not (sandboxed and effect.kind in IN_SANDBOX)
        and not (only_asks(tool, effect) and (effect.kind == "network_write" or _is_aside(tool, effect)))
    )


def _is_apart(tool: Tool) -> bool:
    """Whether what a tool does stays in a sandbox."""
    return bool(tool.isolation.values) and all(value in SANDBOXES for value in tool.isolation.values)


def _is_aside(tool: Tool, effect: Effect) -> bool:
    """Whether a tool that only asks has an effect in passing: nothing of a call shapes it (a configuration is read, a
    refreshed token is stored), or it keeps what was found in a file that the same code reads.
    """
    if effect.kind in LED | {"database_write"} and effect.shaped is Shaped.NOT:
        return True
    read = any(other.kind == "read_file" and other.span.path == effect.span.path for other in tool.effects)
    return effect.kind == "write_file" and read


def _does_something(tool: Tool) -> bool:
    """Whether the code of a tool is known to do anything; one that only writes a record of the call is a stub."""
    return any(effect.kind != "log" for effect in tool.effects)


def _declares_change(name: str) -> bool:
    name = own_name(name)
    words = words_of(name)
    if len(words) > 1 and words[0] in CARRIES_OUT and words[-1] in DEEDS:
        return True
    if not words or words[0] not in STRONG:
        return _names_shell(name)
    return not (set(words[1:]) & OWN_STATE or _answers_user(words))


def _answers_user(words: list[str]) -> bool:
    """Whether a name says that the one who talks to the agent is told something: in no other way than in the talk."""
    return words[0] in TELLING and USER in words and set(words[1:]) <= TALKING


def _names_shell(name: str) -> bool:
    """Whether a name says that a tool is a shell."""
    words = set(words_of(name))
    return bool(words & SHELLS) and not words & BESIDE
