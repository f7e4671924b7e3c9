"""Functions of the project that let nobody pass without a credential: they read one of a request, and refuse.

Says what a request has to bring. Must not know where such a function stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import AccessCheck, Proof
from agent_architecture.model.settings import ABSENT, Origin, Setting, written
from agent_architecture.names.builtins import is_environment
from agent_architecture.names.exits import error_of
from agent_architecture.names.log_calls import says
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import COMPARISONS
from agent_architecture.names.values import Const, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.constant_tests import is_left_open
from agent_architecture.semantics.control.default_off import asks_settings
from agent_architecture.semantics.control.leaving import leavings
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

VERIFYING: Final = "token_check"
HEADER: Final = regex(
    r"(?i)^(?:proxy-|x-)?authorization$|^(?:x-)?(?:[a-z]+[-_])?(?:api|access|auth|session|client|admin|service|mcp)"
    r"[-_]?(?:key|token|secret)$|^bearer\s*$|^x-[a-z\d-]*(?:key|token|secret|signature)$"
)
"""Names under which a request carries a credential."""
SCHEMES: Final = frozenset({
    "HTTPBearer", "HTTPBasic", "APIKeyHeader", "APIKeyQuery", "APIKeyCookie", "OAuth2PasswordBearer",
    "OAuth2AuthorizationCodeBearer", "HTTPAuthorizationCredentials", "HTTPBasicCredentials",
})  # fmt: skip
"""Types and objects by which frameworks hand a function the credential of a request."""
SESSION: Final = regex(
    r"^_?(?:get|verify|validate|check|require|authenticate|introspect|load|resolve|fetch|decode)?_?(?:server_?|current_?)?"
    r"(?:access_?|bearer_?|auth_?|id_?|api_?)?(?:token|session|user|jwt|credentials?|api_?key|identity|auth)$",
    re.IGNORECASE,
)
"""Calls that look up whom a request comes from."""
REFUSED: Final = (401, 403)
REFUSAL: Final = regex(r"(?i)unauthori[sz]ed|forbidden|not_?authenticated|^HTTP_40[13]|invalid_token|permissiondenied")
"""Names and texts with which requests are refused."""
COMPARING: Final = frozenset(
    {"compare_digest", "timingSafeEqual", "safeCompare", "safe_compare", "constant_time_compare"}
)
TRIVIAL: Final = frozenset({
    "get", "split", "startswith", "startsWith", "strip", "trim", "lower", "toLowerCase", "slice", "substring",
    "removeprefix", "replace", "json", "send", "status", "end", "next", "call_next", "text", "header", "decode",
    "encode", "partition", "test", "match", "len", "str", "String", "dict", "bool", "Boolean", "from", "alloc",
    "writeHead", "setHeader", "append", "isinstance", "getHeader",
})  # fmt: skip
"""Calls that verify nothing, as those that only say something do."""


COMPARED: Final = COMPARISONS | {ir.Op.IN}
LOOKING_UP: Final = frozenset({"get", "test", "match", "startswith", "startsWith"})
"""Calls that verify nothing by themselves, but may look a credential up."""


class _Code(NamedTuple):
    """All that a function may run, as far as it is the project's."""

    nodes: tuple[ir.Node, ...]
    calls: tuple[ir.Call, ...]


def check_in(context: Context, function: ir.Function) -> AccessCheck | None:
    """What a function asks of a request; None where it refuses nobody for the want of a credential."""
    inside = extent(context.program, function.body, set())
    return _check(context, function, (*inside.nodes(), *_header(function)))


def check_among(context: Context, function: ir.Function, nodes: Iterable[ir.Node]) -> AccessCheck | None:
    """The same, where only some nodes of the function count."""
    return _check(context, function, (*nodes, *_header(function)))


def _check(context: Context, function: ir.Function, nodes: tuple[ir.Node, ...]) -> AccessCheck | None:
    calls = tuple(node for node in nodes if isinstance(node, ir.Call))
    code = _Code(nodes, calls)
    verified = next((match for call in calls if (match := context.at(call, VERIFYING)) is not None), None)
    named = any(HEADER.match(parameter.name.replace("_", "-")) for parameter in function.params)
    if not _refuses(context.program, code) or not (named or verified is not None or _reads_credential(code)):
        return None
    audience, signature = ABSENT, ABSENT
    proof = _proof(context, code)
    if verified is not None:
        audience, signature = audience_of(context, verified), effective(context, verified, "signature")
        proof = Proof.ANY if _is_off(signature) else Proof.TOKEN
    if audience.value in {None, False} and audience.origin is not Origin.UNKNOWN:
        audience = _compared(nodes) or audience
    span = function.name_span if function.name else function.span
    is_verified = verified is not None
    return AccessCheck(
        span,
        function.name or "a function",
        "",
        proof,
        audience=audience,
        signature=signature,
        verifies=is_verified,
        conditional=_may_stand_open(context, function),
    )


def _may_stand_open(context: Context, function: ir.Function) -> bool:
    """Whether a function lets every request pass where the project is configured so, whatever the request says:
    `if (!isAuthEnabled()) return next()`, `if not settings.API_KEY: return await call_next(request)`.
    """
    params = {parameter.name for parameter in function.params}
    for leaving in leavings(conditions_of(context), own_nodes(function)):
        tests = tuple(reason.expr for reason in leaving.reasons)
        is_pass = not leaving.fails and not any(map(_is_refusal, ir.walk(leaving.node)))
        named = {part.id for test in tests for part in ir.walk(test) if isinstance(part, ir.Name)}
        if is_pass and tests and not named & params and all(asks_settings(context.program, test) for test in tests):
            return True
    return False


def audience_of(context: Context, verified: Match) -> Setting:
    """Whom a token has to be meant for by a library's check; false where the comparison is switched off."""
    bound = effective(context, verified, "bound")
    return bound if _is_off(bound) else effective(context, verified, "audience")


def compares_audience(context: Context, function: ir.Function) -> Setting | None:
    """What a verifier of the project says of whom a token is meant for, where it looks at that at all."""
    nodes = tuple(extent(context.program, function.body, set()).nodes())
    for node in nodes:
        match = context.at(node, VERIFYING)
        audience = audience_of(context, match) if match is not None else ABSENT
        if audience.origin is Origin.UNKNOWN or audience.value not in {None, False}:
            return audience
    return _compared(nodes)


def _compared(nodes: Iterable[ir.Node]) -> Setting | None:
    """Where code itself looks at whom a token is meant for."""
    for node in nodes:
        named = ""
        match node:
            case ir.Literal(value=str() as text):
                named = text if text == "aud" else ""
            case ir.Member(name=name):
                named = name if name == "aud" else ""
            case ir.Call(callee=callee):
                named = callee_name(callee)
        if named and BOUND.search(named):
            return written(named, node.span)
    return None


BOUND: Final = regex(r"(?i)^aud$|audience|(?:check|validate|verify)_?resource")
"""Names of what a token says of whom it is meant for, and of calls that compare it."""


def _is_off(signature: Setting) -> bool:
    return signature.is_known and signature.value is False


def _header(function: ir.Function) -> Iterable[ir.Node]:
    """Types and defaults of the parameters: a framework fills them from the request."""
    for parameter in function.params:
        yield from ir.walk(*(part for part in (parameter.default, parameter.annotation) if part is not None))


def _reads_credential(code: _Code) -> bool:
    return any(_is_credential(node) for node in code.nodes)


def _is_credential(node: ir.Node) -> bool:
    match node:
        case ir.Literal(value=str() as text):
            return HEADER.match(text) is not None
        case ir.Literal(value=bytes() as data):
            return HEADER.match(data.decode("ascii", "replace")) is not None
        case ir.Member(name=name):
            return name == "authorization" or name in SCHEMES
        case ir.Name(id=name):
            return name in SCHEMES
        case ir.Call(callee=callee):
            return SESSION.match(callee_name(callee)) is not None
        case _:
            return False


def _refuses(program: Program, code: _Code) -> bool:
    compared = {id(operand) for node in code.nodes if isinstance(node, ir.Operator) for operand in node.operands}
    if any(_is_refusal(node) for node in code.nodes if id(node) not in compared):
        return True
    named = (value for node in code.nodes for value in _told(node) if isinstance(value, (ir.Name, ir.Member, ir.Index)))
    return any(_is_status(value) for text in named for value in program.value_of(text))


def _told(node: ir.Node) -> tuple[ir.Expr, ...]:
    """What a call or an object tells of an answer: `HTTPException(FORBIDDEN)`, `{status: DENIED}`."""
    match node:
        case ir.Call(args=args):
            return tuple([argument.value for argument in args if not argument.spread])
        case ir.Map(entries=entries):
            return tuple([e.value for e in entries if isinstance(e.key, ir.Literal) and "status" in str(e.key.value)])
    return ()


def _is_status(value: Value) -> bool:
    return isinstance(value, Const) and not isinstance(value.value, bool) and value.value in REFUSED


def _is_refusal(node: ir.Node) -> bool:
    error = error_of(node)
    if isinstance(error, ir.Call) and "auth" in callee_name(error.callee).lower():
        return True
    match error or node:
        case ir.Literal(value=int() as number):
            return not isinstance(number, bool) and number in REFUSED
        case ir.Member(name=name):
            return REFUSAL.search(name) is not None
        case ir.Call(callee=ir.Name(id=name)):
            return REFUSAL.search(name) is not None
        case _:
            return False


def takes_anything(context: Context, function: ir.Function) -> bool:
    """Whether a function of the project that says whom a credential is of looks at none: nothing that it may run
    compares anything, looks something up, or asks somebody else.
    """
    nodes = extent(context.program, function.body, set()).nodes()
    return not is_left_open(function) and not any(_looks(context, node) for node in nodes)


def _looks(context: Context, node: ir.Node) -> bool:
    match node:
        case ir.Operator(op=op):
            return op in COMPARED
        case ir.Index() | ir.Match():
            return True
        case ir.Call():
            asks = _may_verify(node) or callee_name(node.callee) in LOOKING_UP
            return asks and not context.program.callees(node)  # what those do is among the nodes, too
        case _:
            return False


def _proof(context: Context, code: _Code) -> Proof:
    """What a credential that nothing known verifies is held against."""
    if any(_is_comparison(context.program, node) for node in code.nodes):
        return Proof.SHARED
    asking = any(_may_verify(call) and not _takes(context, call) for call in code.calls)
    return Proof.TOKEN if asking else Proof.ANY


def _takes(context: Context, call: ir.Call) -> bool:
    functions = context.program.callees(call)
    return bool(functions) and all(takes_anything(context, function) for function in functions)


def _may_verify(call: ir.Call) -> bool:
    name = callee_name(call.callee)
    return name not in TRIVIAL and not name[:1].isupper() and not says(call)


def _is_comparison(program: Program, node: ir.Node) -> bool:
    """Whether a node compares something with one secret that the project is configured with."""
    is_call = isinstance(node, ir.Call) and callee_name(node.callee) in COMPARING
    return is_call or any(True for _ in configured_in(program, node))


def configured_in(program: Program, node: ir.Node) -> Iterator[ir.Expr]:
    """The secrets that the project is configured with which a node compares something with."""
    match node:
        case ir.Operator(op=ir.Op.EQ | ir.Op.NE, operands=operands) | ir.Operator(op=ir.Op.IN, operands=(_, *operands)):
            sides = tuple(operands)
        case ir.Call(callee=callee, args=args) if callee_name(callee) in COMPARING:
            sides = tuple(argument.value for argument in args)
        case ir.Call(callee=ir.Member(name="includes" | "has", target=target)):
            sides = (target,)
        case _:
            return
    for side in sides:
        yield from _configured(program, side)


def _configured(program: Program, operand: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(operand, ir.Literal) or not isinstance(operand, (ir.Name, ir.Member, ir.Template, ir.Index, ir.Call)):
        return
    if isinstance(operand, ir.Template):
        for part in operand.parts:
            yield from _configured(program, part)
        return
    if SECRET.search(dotted(operand)) is None:
        return
    if isinstance(operand, ir.Call) and callee_name(operand.callee) == "get" and isinstance(operand.callee, ir.Member):
        yield from _configured(program, operand.callee.target)
        return
    if _is_setting(operand) or any(map(_is_settled, program.value_of(operand))):
        yield operand


def _is_settled(value: Value) -> bool:
    return (
        is_environment(value)
        or (isinstance(value, Const) and isinstance(value.value, str))
        or (isinstance(value, Unknown) and SETTLED.search(value.why) is not None)
    )


SECRET: Final = regex(r"(?i)key|token|secret|passw|credential|expected|auth|valid")
SETTLED: Final = regex(r"(?i)environ|env\b|process\.env|variable")
CONFIGURED: Final = regex(r"(?i)(?:^|\.)(?:env|environ|config|settings|options|opts|conf)\b|^[A-Z][A-Z0-9_]+$")


def _is_setting(operand: ir.Expr) -> bool:
    return CONFIGURED.search(dotted(operand)) is not None
