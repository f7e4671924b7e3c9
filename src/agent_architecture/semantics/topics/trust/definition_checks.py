"""Comparisons of what servers tell of their tools with what was seen before: by a digest, or as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.matching.context import Context
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
COMPARISONS: Final = frozenset({ir.Op.EQ, ir.Op.NE, ir.Op.IN})


class Check(NamedTuple):
    """A place where definitions are compared."""

    span: Span
    listed: tuple[ir.Call, ...]
    """The calls that asked servers for them."""


def checks(context: Context) -> tuple[Check, ...]:
    """Every place where definitions are compared."""
    program = context.program
    found: list[Check] = []
    for name in (*DIGESTS, *COMPARED):
        for site in program.calls(name):
            digests = name in COMPARED or (_digests(site.call) and _is_whole(program, site))
            listed = tuple(_listed(program, site.call)) if digests else ()
            if listed and (name in COMPARED or _is_compared(program, site)):
                found.append(Check(site.call.span, listed))
    for name in sorted(LISTING):
        for site in program.calls(name):
            found += [Check(node.span, (site.call,)) for node in _compared_as_whole(program, site)]
    return tuple(found)


def _compared_as_whole(program: Program, site: CallSite) -> Iterator[ir.Operator]:
    """Where the function that asks for tools holds their definitions against others: `tools != seen`."""
    for node in program.structure(site.scope).nodes:
        if not isinstance(node, ir.Operator) or node.op not in {ir.Op.EQ, ir.Op.NE}:
            continue
        for operand in node.operands:
            texts = [operand]
            if isinstance(operand, ir.Name):
                texts += [b.value for b in visible_bindings(program, operand) if b.value is not None]
            if any(_defines(part) for text in texts for part in ir.walk(text)) and any(
                origin.node is site.call for origin in flow.ends(program, operand)
            ):
                yield node
                break


def listings(context: Context, client: Span) -> tuple[ir.Call, ...]:
    """The calls that ask for tools in the function that opens a connection."""
    sites = (site for name in sorted(LISTING) for site in context.program.calls(name))
    return tuple(
        site.call for site in sites if isinstance(site.scope, ir.Function) and site.scope.span.contains(client)
    )


def _digests(call: ir.Call) -> bool:
    """Whether a call is one of a digest: `hashlib.sha256(…)`, `createHash("sha256").update(…)`."""
    return any(word in name.lower() for name in _names(call.callee) for word in (w.lower() for w in DIGESTING))


def _names(expr: ir.Expr) -> Iterator[str]:
    for node in ir.walk(expr):
        if isinstance(node, ir.Name):
            yield node.id
        elif isinstance(node, ir.Member):
            yield node.name


def _listed(program: Program, call: ir.Call) -> Iterator[ir.Call]:
    """The calls for a server's list of tools that what a call is given comes from."""
    for argument in call.args[:2]:
        for origin in flow.ends(program, argument.value):
            if isinstance(origin.node, ir.Call) and callee_name(origin.node.callee) in LISTING:
                yield origin.node


def _is_whole(program: Program, site: CallSite) -> bool:
    """Whether the digest is one of a definition, not of a name alone."""
    return any(_defines(node) for node in program.structure(site.scope).nodes)


def _defines(node: ir.Node) -> bool:
    """Whether a node is a part of a definition, or makes a text of a whole one."""
    match node:
        case ir.Member(name=name):
            return name in DEFINING
        case ir.Literal(value=value):
            return value in DEFINING
        case ir.Call(callee=callee):
            return callee_name(callee) in WRITING
        case _:
            return False


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
