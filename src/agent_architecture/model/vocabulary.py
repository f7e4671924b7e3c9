"""The contract between framework packs and the model: the closed list of what a pack may say.

`KINDS` maps an entity kind to its properties (read as `Setting`s) and its relations (read as references to other
entities). A pack that names anything else is malformed. Detectors read these names only through `system.py`.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple


class Kind(NamedTuple):
    """What a pack may say of one kind of entity."""

    properties: frozenset[str]
    relations: frozenset[str]
    meaning: str


def _kind(meaning: str, properties: str = "", relations: str = "") -> Kind:
    return Kind(frozenset(properties.split()), frozenset(relations.split()), meaning)


KINDS: Final[dict[str, Kind]] = {
    # ------------------------------------------------------------------------------------------------ agents and runs
    "agent": _kind(
        """something that a run executes: an agent object, a compiled graph; for tools in `approved` nobody is asked; it
        goes on with what its `agents` answer when it `hears_back`; `ends` is a condition that ends their turns; it
        `routes` where its model chooses among those it may pass work to, and its library refuses all others; `history`
        is how much of what was said those are told (a word of `HISTORIES`), `hears` how much it is told itself; with
        `tracing` on, its spans hold what is said where it `captures_content`; `in_order` nobody decides who is next;
        it `hands_on` where each of its `agents` is told what those before it answered;
        its library runs plain functions, which are not asynchronous, one after the other (`in_turn`);
        it `remembers` from run to run what was said, in its own object, where no session keeps it;
        `setting_sources` are whose files it reads by itself, all where nothing says it; a document's is one of those
        that the agents of the packs in `scope` read""",
        """name instructions model step_limit time_limit token_limit cost_limit request_limit max_tokens output_schema
        approval approved concurrency thread_id tracing durability retry_attempts hears_back ends routes history
        in_order in_turn hands_on hears input_filter system_turns captures_content remembers setting_sources scope""",
        "tools toolkits handoffs agents graph mcp_servers guards memory checkpointer store callbacks retry fallback",
    ),
    "graph": _kind(
        "a graph under construction: nodes and edges are added to it",
        "name instructions model state_schema",
        "tools agents",
    ),
    "run": _kind(
        """a call that runs an agent: an agent call site; `system_turns` says whether the library lets a conversation
        that it is given speak as the system; `remote`, that the agent runs in another process, which is the project's
        own where the project exports one; `inside`, that it is a step of a run that is on, and no site of its own; of a
        program that is an agent, `switches` are the options without a value,
        `without` the words with which it runs no agent; `tasks` are what its agents do, one after the other""",
        """step_limit time_limit token_limit cost_limit request_limit max_tokens concurrency thread_id durability
        tracing output_schema approval instructions messages input_filter system_turns remote inside switches without
        captures_content""",
        "agent agents tasks tools guards memory checkpointer callbacks mcp_servers",
    ),
    "kept_run": _kind("reads or changes what is kept of a run", "thread_id", "agent"),
    "model_call": _kind(
        "one request to a model; `system_turns` says whether the library lets a conversation speak as the system",
        """step_limit max_tokens messages instructions model output_schema strict time_limit approval tracing
        system_turns captures_content""",
        "tools client mcp_servers guards callbacks",
    ),
    "model_client": _kind(
        "a client object that model calls go through",
        "max_retries time_limit model max_tokens base_url credential tracing cooldown",
        "fallback limiter guards",
    ),
    "exported": _kind(
        """an agent that other software runs (a deployment file, a registry); `durable` says that this keeps how far
        each run came, `route` that any client of a server reaches it, `system_turns` whether the conversations that
        these send may speak as the system, `step_limit` the limit that this gives each run; `checkpointer` is where a
        registry keeps the runs""",
        "name durable route system_turns step_limit",
        "agent checkpointer",
    ),
    # -------------------------------------------------------------------------------------------------------- tools
    "tool": _kind(
        """something that a model may call; of one with the `effect` "none" its library says that it touches nothing;
        `scope` are further packs whose agents are given it; `address` is where code says that it goes, which leaves a
        model nothing to choose""",
        """name description parameters validates strict extra_arguments output_schema approval time_limit isolation
        hosted effect read_only destructive idempotent open_world served structured url address scope retry_attempts""",
        "function guards sandbox server callbacks",
    ),
    "tool_set": _kind(
        "a whole registry or toolkit of tools that is bound at once",
        "name allowed denied approval root effect",
        "tools server",
    ),
    "given_tool": _kind(
        "a tool where an agent is given it: a workflow", "name description parameters output_schema validates", ""
    ),
    "handoff": _kind(
        """one agent passes the work to another; `content` is what is sent to one elsewhere; it `asks` unless that says
        that code decides it, not a model""",
        "input_filter input_schema history content asks",
        "source target guards",
    ),
    "guard": _kind(
        "a check that can refuse: guardrail, middleware, hook, callback, policy",
        "stage blocks parallel fails_open scope applies_to",
        "function",
    ),
    "approval": _kind(
        "a place where a person is asked before something happens",
        "mode applies_to default time_limit remembers",
        "tools",
    ),
    "interrupt": _kind("a pause that waits for the outside", "time_limit payload_schema", ""),
    "resume": _kind(
        "the call that goes on after a pause; `scope` are further packs whose runs it goes on with",
        "thread_id payload scope",
        "agent",
    ),
    # ------------------------------------------------------------------------------------------------------- memory
    "memory": _kind(
        """what an agent remembers: a conversation, a session, a store; `holds` says what it keeps, `client` what
        other memories it is made with, `fills` whose text its library puts in by itself (a word of `ORIGINS`),
        `beside` that without a store of its own it is kept where the runs of its library are, `keeps_runs` that an
        object with such a class keeps the runs that its methods make, `per_step` that it keeps what was said after
        each step""",
        "holds bound overflow ttl namespace durable location deletes fills beside keeps_runs per_step",
        "client",
    ),
    "memory_limit": _kind("keeps the conversations of an agent small: a middleware, a window", "bound overflow", ""),
    "memory_write": _kind("something is put into a memory", "content namespace metadata ttl", "memory guards"),
    "memory_read": _kind("something is taken from a memory", "query namespace filter", "memory"),
    "checkpointer": _kind("where the progress of a run is kept", "durable location ttl namespace", ""),
    "state_holder": _kind(
        "something mutable that outlives a call: a cache, a pool, a client", "bound ttl namespace", ""
    ),
    # --------------------------------------------------------------------------------------------------- resilience
    "retry": _kind(
        "a repetition of what failed; `counts` says what `attempts` counts (tries, retries), `scope` what is repeated: "
        "a model, a client, a job of the queue `name`; "
        "`given_end` that what is repeated is given a function that ends the tries; `method` is the method of the "
        "made object that is repeated",
        "attempts backoff jitter filter time_limit counts scope name given_end method",
        "function",
    ),
    "breaker": _kind("stops calling a dependency that keeps failing", "threshold cooldown", "function"),
    "fallback": _kind("another model or provider in its place", "cooldown", "client"),
    "limiter": _kind(
        "bounds how many run at once or how often; of a worker, `name` is its queue, `function` does a job",
        "width rate name",
        "function",
    ),
    "fan_out": _kind(
        """runs several things at the same time; `starts` says what one call starts: one thing, one for each of its
        items, all things in a list; `asks` that the library itself asks a model for each""",
        "width items error_policy starts asks",
        "limiter",
    ),
    "deadline": _kind("ends what is done inside it, or what it is given to wait for, after a time", "time_limit", ""),
    "wait": _kind(
        "blocks until something else happens; `stops_thread` that nothing else runs in its thread meanwhile",
        "time_limit target stops_thread",
        "",
    ),
    "budget": _kind("counts tokens, money or requests and can stop", "limit unit stops", "agent"),
    "listed": _kind("marks a function or class that runs only where a worker or server is given it by name", "", ""),
    "durable_step": _kind(
        "a step whose result survives the process", "attempts time_limit idempotency_key", "function"
    ),
    # ------------------------------------------------------------------------------------------- routing and prompts
    "router": _kind(
        "chooses where the work goes; `asks` that its library asks a model for it",
        "labels default confidence asks",
        "targets",
    ),
    "prompt": _kind(
        """text that a model reads: a message, or a template at the call that fills it with its arguments; `role` says
        where it enters the conversation, `syntax` how placeholders are written""",
        "content role location version syntax",
        "",
    ),
    "output_parser": _kind("turns what a model wrote into data, or fails", "schema strict", ""),
    # -------------------------------------------------------------------------------------------- code and sandboxes
    "code_sink": _kind("a call that executes program text", "code isolation builtins origin", "sandbox"),
    "sandbox": _kind(
        "a place to execute code that is not the agent's own process or host",
        "isolation network time_limit memory_limit credentials",
        "",
    ),
    # ---------------------------------------------------------------------------------------------------- MCP and A2A
    "mcp_server": _kind(
        "offers tools, prompts and resources over MCP; its `issuer` makes the tokens that it takes",
        """name instructions transport host port auth audience origin_check stateless list_changed validates_input
        structured version""",
        "tools guards verifier issuer",
    ),
    "authenticator": _kind(
        """turns away requests without a valid credential: a middleware, a provider that a server is given; `proof` is
        a word of `protocols.Proof`, `audience` whom a token has to be meant for""",
        "proof audience",
        "verifier",
    ),
    "token_check": _kind(
        "verifies a token that was sent; `bound` says whether whom it is meant for is compared",
        "audience signature bound",
        "",
    ),
    "oauth_client": _kind(
        "signs a client in by OAuth; `resource` is the server that its tokens are asked for", "resource", ""
    ),
    "mcp_start": _kind(
        """starts an MCP server on a transport, or says in a file how it is started; `function` is the text of one that
        gives command, arguments and environment""",
        "transport host port path url auth command arguments environment registry package version digest",
        "server function",
    ),
    "entrance": _kind(
        """a call, or a class, by which a library answers anybody's requests with the agents of a project, unless `auth`
        is given; with `command` only where a script of a package runs that""",
        "auth command",
        "",
    ),
    "listener": _kind("opens a port of the machine for requests", "host port", ""),
    "mcp_input": _kind("what a file that describes an MCP server asks of its user", "name required secret value", ""),
    "mcp_prompt": _kind("a prompt that an MCP server offers", "name description arguments", "function server"),
    "mcp_resource": _kind("a resource that an MCP server offers", "name description uri", "function server"),
    "mcp_client": _kind(
        """a connection to an MCP server: in code or in a host's configuration; `signs_in` is true where a word tells it
        to get its tokens by OAuth, for what `resource` says""",
        """name command arguments environment working_directory url headers auth signs_in resource transport allowed
        denied approval caches pinned prefix time_limit disabled""",
        "guards connections session server",
    ),
    "agent_card": _kind(
        "what an A2A agent says of itself",
        """name description url version protocol_version skills capabilities security_schemes security signatures
        provider input_modes output_modes preferred_transport interfaces extended""",
        "",
    ),
    "a2a_server": _kind(
        "serves A2A requests", "url path auth validates_input url_check", "card executor store push handler"
    ),
    "a2a_client": _kind("sends tasks to an A2A agent", "url auth time_limit polling", "card"),
    "task_executor": _kind(
        "carries out the tasks of an A2A agent; one that raises `fails` them where its library sees to it",
        "fails",
        "function",
    ),
    "task_store": _kind("where A2A tasks are kept", "durable location", ""),
    "push_sender": _kind("sends push notifications to a client's URL", "url_check auth", "store"),
    "push_receiver": _kind("receives push notifications", "path verifies", "function"),
    # ------------------------------------------------------------------------------------- observation and evaluation
    "tracer": _kind(
        """switches tracing on; `scope` says what for, `convention` how its spans are named, `events` what it writes of
        each request to a model beside them, `run_by` which package has to be there, for only that starts it, `starts`
        which package's official instrumentor it starts, too, where that is there""",
        "enabled captures_content redacts scope convention events run_by starts",
        "target",
    ),
    "span": _kind(
        "a span that the project opens by hand; `work` says what runs in it, `captures_content` that it records the"
        " arguments and the result of the function that it stands around",
        "name attributes work convention captures_content redacts",
        "",
    ),
    "span_attribute": _kind(
        "something is put on an open span: one value, or several at once", "name attributes", "span"
    ),
    "metric": _kind("a measured number: latency, errors, tokens, cost", "name unit", ""),
    "event": _kind("a log record or span event", "name attributes level", ""),
    "eval_suite": _kind(
        "a set of graded cases; `records` says that each grade is kept as a record of its own",
        "trials dataset scorer trajectory adversarial threshold records",
        "agent",
    ),
    # ------------------------------------------------------------------------------------------- credentials, supply
    "credential": _kind("a secret, or a read of one", "name source scope lifetime", ""),
    "install": _kind(
        "something is installed or loaded: a package, a model, a prompt, a skill", "name version digest source", ""
    ),
}

MARKS: Final[dict[str, str]] = {
    "waits_for_person": "blocks until a person answers",
    "holds_thread": "keeps its thread until a person answers, whatever else waits to run in it",
    "redacts": "takes secrets or personal data out of what passes through it",
    "truncates": "bounds the size of what passes through it",
    "delimits": "marks where untrusted text begins and ends",
    "screens": "looks for injected instructions in what passes through it",
    "answers": "gives what was answered last in a run that is over",
    "silent": "answers, and raises nothing, where what it asks for fails: a status, an exit code, a flag",
    "asserts_schema": "fails unless what passes through it has a shape",
    "partial": "hands on parts of an answer before its schema has checked the whole",
    "confines_path": "fails unless a path lies below a root",
    "screens_url": "fails for private, local or unlisted addresses",
    "signs": "signs what passes through it",
    "remote": "asks another machine, where no effect says so: files of a sandbox at its provider's, a page of the web",
    "idempotent": "makes a repetition harmless: a key, an upsert, a precondition",
    "bounds_time": "ends what it encloses after a time",
    "ends_itself": "ends after a time that its library sets, unless its client or the call says otherwise",
    "measures": "records how long something took, whether it failed, or what it cost",
    "logs": "writes a structured record",
    "deletes": "removes what was remembered",
    "traced": "what it encloses runs inside a span",
    "retried": "what it encloses is repeated when it fails",
    "ends_retries": "an error that what repeats does not try again",
    "asks_again": "an error that the library tells the model, which then answers anew",
    "trajectory": "an evaluation that looks at steps or tool calls",
    "adversarial": "an evaluation that attacks",
    "scored": "an evaluation that grades an answer",
    "validated": "what passes through it has a schema that is enforced",
    "step": "makes a step of a workflow: what it answers is handed to the next one",
    "sender": "says who sent a message, or where it was sent, as the platform knows that signed its people in",
    "file_answer": "answers a client with a file, by its path",
    "model_double": "a stand-in for a model in a test",
}

EFFECTS: Final[dict[str, str]] = {
    "execute_code": "runs program text",
    "execute_shell": "runs a command line",
    "execute_process": "runs a program with an argument list",
    "read_file": "reads a file",
    "write_file": "writes, moves or deletes a file",
    "network_read": "fetches over the network",
    "network_write": "sends over the network",
    "database": "runs a database statement",
    "database_read": "reads from a database",
    "database_write": "writes to a database",
    "mail": "sends mail",
    "message": "sends a message to people: chat, push, voice",
    "payment": "moves money",
    "deploy": "changes infrastructure, a repository or permissions",
    "browser": "drives a browser",
    "deserialise": "builds objects from data that may be a program",
    "render": "puts text where a browser or template engine interprets it",
    "log": "writes a log record",
    "model_load": "loads model weights or code from a hub",
    "environment": "reads the process environment",
}

FLOWS: Final[dict[str, str]] = {
    "source": "its result is text of the named origin (a word of `ORIGINS`)",
    "sink": "the named argument is a dangerous place",
    "sanitizer": "its result is safe for the named sinks",
}

ORIGINS: Final[dict[str, str]] = {
    "model": "text that a model wrote",
    "tool": "what a tool returned",
    "user": "what a person typed",
    "web": "what the network sent",
    "memory": "what was stored earlier",
    "retrieval": "what was found in a collection of documents",
    "file": "what a file says that others may have written",
    "mail": "what somebody mailed",
    "peer": "what an agent elsewhere sent",
    "secret": "a credential",
}

ROLES: Final[dict[str, str]] = {
    "system": "instructions that the model obeys first",
    "user": "what the person says whom the model serves",
    "tool": "what a tool returned",
    "assistant": "what the model said before",
}
"""Where a text enters a conversation: the values of `prompt.role`."""

PLACEHOLDERS: Final[dict[str, str]] = {
    "format": "`{name}`",
    "mustache": "`{{ name }}`, with statements in `{% %}`",
    "dollar": "`$name` and `${name}`",
}
"""How a template names what fills it: the values of `prompt.syntax`."""

HOLDINGS: Final[dict[str, str]] = {
    "conversation": "what was said, in order",
    "facts": "entries that are looked up: by key, or by what they say",
    "documents": "texts that are searched by likeness",
    "vectors": "numbers that are searched by likeness: whoever makes them of texts keeps documents",
    "progress": "where a run stands",
}
"""What a memory keeps: the values of `memory.holds`; a conversation where a row does not say."""

ISOLATIONS: Final[dict[str, str]] = {
    "none": "in the process that asks for it, with all of its rights",
    "denylist": "in the process, with some syntax or names forbidden",
    "root": "in the process, with paths that are refused outside of one folder",
    "isolate": "in the process, in a virtual machine of its own (WASM, V8 isolate)",
    "process": "in another process of the same host",
    "confined": "in another process of the same host, which the system confines (Landlock, bubblewrap, Seatbelt)",
    "container": "in a container",
    "remote": "on a machine of its own, behind a network interface",
    "arithmetic": "anywhere, but only numbers and operators are left of the text",
}
SANDBOXES: Final = frozenset({"confined", "container", "remote", "isolate"})
"""The isolations that keep what runs from the rest of the host."""

SCOPES: Final[dict[str, str]] = {
    "opened": "carries the spans that others open: libraries by themselves, instrumentors, the project by hand",
    "callbacks": "the runs that it is handed to as a callback",
    "target": "the client, agent or function that it is given, and nothing else",
}
"""What a tracer traces: words of `tracer.scope`, beside the ids of packs (all calls of that library). Several words are
separated by spaces."""

CONVENTIONS: Final[dict[str, str]] = {
    "gen_ai": "OpenTelemetry's conventions for generative AI",
    "gen_ai_old": "deprecated `gen_ai.*` names",
    "openinference": "OpenInference names (`llm.*`)",
    "own": "names of its own",
}
"""How spans are named: the values of `convention`. As a value of `tracing`: the library opens such spans by itself, and
nobody sees them unless a tracer carries what is `opened`."""

HISTORIES: Final[dict[str, str]] = {
    "all": "the whole conversation, results of tools included",
    "summary": "a summary of it",
    "part": "a part of it",
    "task": "what was written for it alone",
}
"""How much of what was said before goes along with work that is passed on: the values of `history` and `hears`."""

WORK: Final[dict[str, str]] = {
    "model": "a request to a model",
    "tool": "one tool",
    "agent": "an agent's run",
    "step": "a workflow, a chain, or a step of one",
    "retrieval": "a search in a memory, an embedding, a ranking",
    "guard": "a guard",
    "handoff": "an agent passes the work on",
    "evaluation": "an answer is graded",
}
"""What runs in a span: the values of `span.work`."""

MODEL_EVENTS: Final[dict[str, str]] = {
    "operation": "one record of each request (`gen_ai.client.inference.operation.details`)",
    "messages": "one record of each message (`gen_ai.user.message`, `gen_ai.choice`), which was replaced since",
}
"""What a tracer writes of requests to a model beside spans: the values of `tracer.events`."""
