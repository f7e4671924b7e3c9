"""Comparisons of what servers tell of their tools with what was seen before: by a digest, or as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.sources.source import Span

DIGESTS: Final = (
    "sha256",
    "sha512",
    "sha384",
    "sha3_256",
    "blake2b",
    "blake3",
    "md5",
    "sha1",
    "update",
    "digest",
    "hash",
)
"""Calls that are given a text and make a digest of it."""
DIGESTING: Final = ("hashlib", "createHash", "sha", "md5", "blake", "crypto", "hmac", "hasher", "digest")
COMPARED: Final = (
    "isDeepStrictEqual",
    "isEqual",
    "deepEqual",
    "deepStrictEqual",
    "DeepDiff",
    "unified_diff",
    "diffLines",
)
LISTING: Final = frozenset(
    {"list_tools", "listTools", "get_tools", "getTools", "list_all_tools", "toolsets", "listToolsets"}
)
"""Calls that ask servers what they have."""
DEFINING: Final = frozenset({"description", "inputSchema", "input_schema", "schema", "parameters"})
"""Parts of a definition, besides its name."""
WRITING: Final = frozenset({"stringify", "dumps", "model_dump", "model_dump_json", "to_json", "canonicalize"})
"""Calls that make a text of a whole definition."""
COMPARISONS: Final = frozenset({"==", "!=", "in"})


def checks(context: Context) -> tuple[Span, ...]:
    """Every place where definitions are compared."""
    program = context.program
    found: list[Span] = []
    for name in (*DIGESTS, *COMPARED):
        for site in program.calls(name):
            digests = name in COMPARED or (_digests(site.call) and _is_whole(program, site))
            if digests and _is_told(program, site.call) and (name in COMPARED or _is_compared(program, site)):
                found.append(site.call.span)
    return tuple(found)


def _digests(call: ir.Call) -> bool:
    """Whether a call is one of a digest: `hashlib.sha256(…)`, `createHash("sha256").update(…)`."""
    return any(word in name.lower() for name in _names(call.callee) for word in (w.lower() for w in DIGESTING))


def _names(expr: ir.Expr) -> Iterator[str]:
    for node in ir.walk(expr):
        if isinstance(node, ir.Name):
            yield node.id
        elif isinstance(node, ir.Member):
            yield node.name


def _is_told(program: Program, call: ir.Call) -> bool:
    """Whether what a call is given comes from a server's list of tools."""
    origins = (origin for argument in call.args[:2] for origin in flow.origins(program, argument.value))
    return any(isinstance(o.node, ir.Call) and callee_name(o.node.callee) in LISTING for o in origins)


def _is_whole(program: Program, site: CallSite) -> bool:
    """Whether the digest is one of a definition, not of a name alone."""
    return any(
        (isinstance(node, ir.Member) and node.name in DEFINING)
        or (isinstance(node, ir.Literal) and node.value in DEFINING)
        or (isinstance(node, ir.Call) and callee_name(node.callee) in WRITING)
        for node in program.structure(site.scope).nodes
    )


def _is_compared(program: Program, site: CallSite) -> bool:
    """Whether something is compared where the digest is made, or where its maker is called."""
    scopes = [site.scope]
    if isinstance(site.scope, ir.Function):
        scopes.extend(caller.scope for caller in program.callers(site.scope))
    return any(
        isinstance(node, ir.Operator) and node.op in COMPARISONS
        for scope in scopes
        for node in program.structure(scope).nodes
    )
