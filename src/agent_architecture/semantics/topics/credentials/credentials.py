"""All credentials of a project: those that programs read, those that hosts are told of, those that tools are given.

Must not judge.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from agent_architecture.model.credentials import Credential, CredentialSource
from agent_architecture.model.settings import Origin
from agent_architecture.model.touches import Choice
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.control.own_starts import runs_by_own_start
from agent_architecture.semantics.topics.credentials.entrances import Entrances
from agent_architecture.semantics.topics.credentials.fallbacks import Fallbacks
from agent_architecture.semantics.topics.credentials.process_environments import starts_server
from agent_architecture.semantics.topics.credentials.reads import reads
from agent_architecture.semantics.topics.credentials.signing import only_signs
from agent_architecture.semantics.topics.credentials.users import Users
from agent_architecture.semantics.topics.repeats.second_time import RUNS
from agent_architecture.semantics.topics.secrets.called import asked_for
from agent_architecture.semantics.topics.secrets.literals import SAMPLE, of_variables
from agent_architecture.semantics.topics.secrets.secrets import (
    STAND_IN,
    is_key,
    is_value,
    is_variable,
    opens,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.protocols import McpClient, McpStart, Part
    from agent_architecture.model.system import AgentSystem, Tool
    from agent_architecture.model.touches import Touch
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.credentials.reads import Read
    from agent_architecture.sources.source import Span

ACTING: Final = ("agent", "exported", "mcp_client", "mcp_server", "run", "tool", "tool_set")
ASKING: Final = "model_call"
WIDE: Final = frozenset({CredentialSource.WRITTEN, CredentialSource.SCOPE, CredentialSource.WHOLE_ENVIRONMENT})
"""What is a gap wherever it stands, whoever uses it."""
AGENT_PROGRAMS: Final = "agent-programs"
"""The pack of agents that are programs, which a command starts."""
NETWORK: Final = frozenset({"http", "sse", "websocket"})
HEADER: Final = regex(r"(?i)authorization|key|token|secret|cookie")
OPTION: Final = regex(r"(?i)^--?[\w-]*(?:key|token|secret|password)=(?P<value>.+)$")
BEARER: Final = regex(r"(?i)^(?:bearer|basic|token)\s+")


def credentials(work: Work, served: Served, system: AgentSystem) -> tuple[Credential, ...]:
    """One for each line, the worst first: what is written, then what is handed over whole, then what is read. `served`
    says of code whether it runs for several users.
    """
    context, agents = work.context, work.agents
    clients, starts = system.mcp_clients, system.mcp_starts
    started = (*_started(system.touches), *_agents_started(context))
    users, programs, entrances = Users(context, agents), context.once(Programs), Entrances(context, served)
    fallbacks = Fallbacks(context, served)
    open_starts = [start for start in starts if set(start.transport.values) & NETWORK and not start.checks]
    found: list[Credential] = []
    for client in clients:
        found += _of_client(client)
    for tool in agents.all_tools():
        found += _asked(tool)
    acting = _acting(work, system)
    every = [
        read
        for read in context.once(reads)
        if (read.credential.source in WIDE and not read.credential.stand_in)
        or programs.load_any(read.credential.span.path, acting)
    ]
    written = tuple(_set(context, frozenset(read.credential.symbol for read in every)))
    found += written
    for read in every:
        if _is_given(read, written) or _is_of_own_start(context, read, acting):
            continue
        is_whole = read.credential.source is CredentialSource.WHOLE_ENVIRONMENT
        started_here = is_whole and (_is_for(context.program, read, started) or starts_server(context, read.node))
        if not is_whole and only_signs(context, read) and not users.of(read):
            continue
        if not is_whole or started_here or users.of(read):
            used = _used(read, users, entrances, _opened(read, users, programs, open_starts))
            is_idle = used.open_endpoint is not None and fallbacks.is_never_taken(read, users.named(read))
            found.append(used._replace(open_endpoint=None) if is_idle else used)
    found = _with_all_tools(found, programs)
    kept: dict[tuple[str, int], Credential] = {}
    for each in sorted(_without_given(found), key=lambda one: _ORDER.index(one.source)):
        kept.setdefault((each.span.path, each.span.line), each)
    return tuple(kept.values())


def _acting(work: Work, system: AgentSystem) -> frozenset[str]:
    """The files with anything of an agent's: what a program reads that loads none of them reaches no agent, as the
    password of a script that fills a database, or of a service that only asks a model where others run the agent.
    """
    beside = (system.sites, work.agents.all_tools(), system.mcp_clients, system.mcp_starts)
    kinds = ACTING if system.sites else (*ACTING, ASKING)
    return work.context.files_of(*kinds).union(one.span.path for every in beside for one in every)


def _is_of_own_start(context: Context, read: Read, acting: frozenset[str]) -> bool:
    """Whether a key is read only where its file is started by hand, which then loads nothing of an agent's."""
    one = read.credential
    if one.source in WIDE or not runs_by_own_start(context, read.node):
        return False
    return not context.once(Programs).loads_any(one.span.path, acting)


def _with_all_tools(found: list[Credential], programs: Programs) -> list[Credential]:
    """Each read for a tool with the tools for which the same variable is read elsewhere in its program: to read one key
    again for each does not part it.
    """
    by_name: dict[str, list[Credential]] = {}
    for one in found:
        if one.source is CredentialSource.ENVIRONMENT and (one.readers or one.changers):
            by_name.setdefault(one.symbol, []).append(one)
    united = {
        one.span: _united(one, same, programs.beside(one.span.path))
        for same in by_name.values()
        if any(each.readers for each in same) and any(each.changers for each in same)
        for one in same
    }
    return [united.get(one.span, one) if one.source is CredentialSource.ENVIRONMENT else one for one in found]


def _united(one: Credential, same: list[Credential], beside: frozenset[str]) -> Credential:
    near = [each for each in same if each.span.path in beside]
    readers = tuple(sorted({name for each in near for name in each.readers}))
    return one._replace(readers=readers, changers=tuple(sorted({name for each in near for name in each.changers})))


def _set(context: Context, read: frozenset[str]) -> Iterator[Credential]:
    """Keys that a checked-in file gives to variables which the program reads."""
    loud = frozenset(map(str.upper, read))  # settings classes ask for a variable by the name of their field
    for one in of_variables(context):
        if one.name.upper() in loud:
            yield Credential(one.span, one.name, "", CredentialSource.WRITTEN, confidence=one.confidence)


def _is_given(read: Read, written: Iterable[Credential]) -> bool:
    """Whether a checked-in file of its program, no form, gives what is read: the credential is what stands there."""
    one, name = read.credential, read.credential.symbol.upper()
    given = (each for each in written if SAMPLE.search(each.span.path) is None)
    return one.source is CredentialSource.ENVIRONMENT and any(
        name == each.symbol.upper() and one.span.path.startswith("".join(each.span.path.rpartition("/")[:2]))
        for each in given
    )


def _started(touched: Iterable[Touch]) -> tuple[Span, ...]:
    """Where a loop starts what its model answers, without a tool."""
    chosen = (touch for touch in touched if touch.site is not None and touch.choice is not Choice.NOTHING)
    return tuple({touch.effect.span for touch in chosen if touch.effect.kind in RUNS})


def _agents_started(context: Context) -> Iterator[Span]:
    """Where agents that are programs of their own are started."""
    yield from (match.node.span for match in context.of_kind("run") if match.row.where.pack == AGENT_PROGRAMS)


def _is_for(program: Program, read: Read, started: tuple[Span, ...]) -> bool:
    """Whether an environment is given to such a start: there, or to a function that makes it. What the function hands
    on is its callers'.
    """
    params = {param.name for param in read.scope.params} if isinstance(read.scope, ir.Function) else set[str]()
    given = (node for node in ir.walk(read.node) if isinstance(node, ir.Name) and node.id in params)
    if any(name.span == read.credential.span for name in given):
        return False
    called = program.callees(read.node) if started and isinstance(read.node, ir.Call) else ()
    around = (read.node.span, *(function.span for function in called))
    return any(
        span.path == each.path and (each.contains(span) or span.contains(each)) for span in started for each in around
    )


def _without_given(found: list[Credential]) -> list[Credential]:
    """All but the clients in whose call a credential stands, since their library reads none, and the accounts that are
    read for a scope that stands in their call.
    """
    return [each for each in found if each.source not in _GIVEN or not _holds(each, found)]


def _holds(one: Credential, found: list[Credential]) -> bool:
    inner = (each.span for each in found if each.source is _GIVEN[one.source])
    return any(span.path == one.span.path and one.span.contains(span) for span in inner)


_GIVEN: Final = {
    CredentialSource.LIBRARY: CredentialSource.ENVIRONMENT,
    CredentialSource.STORE: CredentialSource.SCOPE,
}
"""What is no credential of its own where another one stands in its call."""
_ORDER: Final = (
    CredentialSource.WRITTEN, CredentialSource.WHOLE_ENVIRONMENT, CredentialSource.ARGUMENT, CredentialSource.SCOPE,
    CredentialSource.ACCOUNT, CredentialSource.ENVIRONMENT, CredentialSource.STORE, CredentialSource.HOST,
    CredentialSource.LIBRARY,
)  # fmt: skip


SIGNING: Final = regex(r"(?i)signing_?secret|webhook_?secret")
"""Names of what a service signs its requests to the project with."""


def _opened(read: Read, users: Users, programs: Programs, starts: Iterable[McpStart]) -> Span | None:
    """A server that asks nobody, and whose tools use what is read."""
    if not any(tool.annotations is not None for tool in users.behind(read)):
        return None
    beside = programs.beside(read.credential.span.path)
    return next((start.span for start in starts if start.span.path in beside), None)


def _used(read: Read, users: Users, entrances: Entrances, opened: Span | None) -> Credential:
    """A read with the tools that use it, and what lets anybody in to them: a server, a route. What only tells whether a
    request that comes in is genuine is used by no tool.
    """
    if SIGNING.search(read.credential.symbol):
        return read.credential
    tools = users.of(read) if read.credential.source is not CredentialSource.SCOPE else ()
    changing = {id(tool) for tool in tools if users.change(read, tool)}
    changers = tuple(sorted({tool.name for tool in tools if id(tool) in changing}))
    readers = tuple(sorted({tool.name for tool in tools if id(tool) not in changing}))
    names = users.named(read)
    endpoint = opened or entrances.of(read.scope, names | {read.credential.symbol}, runs=bool(tools))
    held = next(iter(sorted(names)), "")
    return read.credential._replace(held=held, readers=readers, changers=changers, open_endpoint=endpoint)


# ------------------------------------------------------------------------------------------ clients and their hosts
def _of_client(client: McpClient) -> Iterator[Credential]:
    if client.environment.whole_environment:
        span = client.environment.span or client.span
        yield _handed(span, "the environment", client, CredentialSource.WHOLE_ENVIRONMENT)
    beside = {part.name: part.value.value for part in client.environment.entries if part.value.is_known}
    for part in client.environment.entries:
        yield from _entry(part, client, is_variable(part.name.upper()), beside)
    for part in client.headers.entries:
        yield from _entry(part, client, HEADER.search(part.name) is not None)
    for part in client.arguments.entries:
        option = OPTION.match(str(part.value.value)) if part.value.is_known else None
        if option is not None and part.value.span is not None and _is_secret(option["value"], "token"):
            yield _handed(part.value.span, "an argument", client, CredentialSource.WRITTEN)


def _entry(
    part: Part, client: McpClient, named: bool, beside: Mapping[str, object] = MappingProxyType({})
) -> Iterator[Credential]:
    """One variable or header: written, or filled in by the host. `beside` has what the other variables are set to."""
    value = part.value
    if value.span is None:
        return
    if value.origin is Origin.UNKNOWN:
        if named and client.configured:
            yield _handed(value.span, part.name, client, CredentialSource.HOST)
        return
    text = BEARER.sub("", value.value) if isinstance(value.value, str) else ""
    if text and (is_key(text) or (named and _is_secret(text, part.name)) or opens(part.name, text, beside)):
        yield _handed(value.span, part.name, client, CredentialSource.WRITTEN)


def _is_secret(text: str, name: str) -> bool:
    return STAND_IN.search(text) is None and (is_key(text) or is_value(text, name))


def _handed(span: Span, name: str, client: McpClient, source: CredentialSource) -> Credential:
    return Credential(span, name, client.framework, source, owner=client.symbol)


# ------------------------------------------------------------------------------------------------------------ tools
def _asked(tool: Tool) -> Iterator[Credential]:
    """The parameters of a tool that are credentials: its model has to know them."""
    asked = asked_for(tool)
    if asked is not None:
        (name, span), owner = asked, tool.name or tool.symbol
        yield Credential(span, name, tool.framework, CredentialSource.ARGUMENT, owner=owner)
