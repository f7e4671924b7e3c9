"""The contract between framework packs and the model: the closed list of what a pack may say.

`KINDS` maps an entity kind to its properties (read as `Setting`s) and its relations (read as references to other
entities). A pack that names anything else is malformed. Detectors read these names only through `system.py`.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Kind(NamedTuple):
    """What a pack may say of one kind of entity."""

    properties: frozenset[str]
    relations: frozenset[str]
    meaning: str


def _kind(meaning: str, properties: str = "", relations: str = "") -> Kind:
    return Kind(frozenset(properties.split()), frozenset(relations.split()), meaning)


KINDS: Final[dict[str, Kind]] = {
    "agent": _kind(
        "something that a run executes: an agent object, a compiled graph",
        "name instructions step_limit model",
        "tools handoffs agents graph mcp_servers",
    ),
    "graph": _kind(
        "a graph under construction: nodes and edges are added to it",
        "name instructions model",
        "tools agents",
    ),
    "run": _kind(
        "a call that runs an agent: an agent call site",
        "step_limit time_limit",
        "agent tools",
    ),
    "model_call": _kind("one request to a model", "step_limit max_tokens messages model", "tools"),
    "model_client": _kind("a client object that model calls go through", "max_retries time_limit model"),
    "tool": _kind("something that a model may call", "name description", "function"),
    "handoff": _kind("one agent passes the work to another", "", "source target"),
    "code_sink": _kind("a call that executes program text", "code isolation origin", ""),
    "sandbox": _kind("a place to execute code that is not the agent's own process or host", "isolation network"),
    "eval_suite": _kind(
        "a set of graded cases",
        "trials dataset scorer trajectory adversarial threshold",
        "agent",
    ),
    "exported": _kind("an agent that other software runs (a deployment file, a registry)", "name", "agent"),
}

MARKS: Final[dict[str, str]] = {
    "traced": "what it encloses runs inside a span",
    "retried": "what it encloses is repeated when it fails",
    "trajectory": "an evaluation that looks at steps or tool calls",
    "adversarial": "an evaluation that attacks",
    "scored": "an evaluation that grades an answer",
    "validated": "what passes through it has a schema that is enforced",
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
    "environment": "reads the process environment",
}

FLOWS: Final[dict[str, str]] = {
    "source": "its result is text of the named origin (model, tool, user, web, memory, secret)",
    "sink": "the named argument is a dangerous place",
    "sanitizer": "its result is safe for the named sinks",
}

ORIGINS: Final[dict[str, str]] = {
    "model": "text that a model wrote",
    "tool": "what a tool returned",
    "user": "what a person typed",
    "web": "what the network sent",
    "memory": "what was stored earlier",
    "secret": "a credential",
}

ISOLATIONS: Final[dict[str, str]] = {
    "none": "in the process that asks for it, with all of its rights",
    "denylist": "in the process, with some syntax or names forbidden",
    "isolate": "in the process, in a virtual machine of its own (WASM, V8 isolate)",
    "process": "in another process of the same host",
    "container": "in a container",
    "remote": "on a machine of its own, behind a network interface",
}
