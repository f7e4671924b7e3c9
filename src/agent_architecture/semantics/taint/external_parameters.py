"""Whose word a parameter is that nobody in the project gives: the model's, a client's, the user's, or one that cannot
be told.

Reads names, decorators and types of functions; must not know where their texts go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.taint.request_handlers import ROUTES, handing, is_route
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_architecture.names.flow import Origin
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.taint.boundaries import Boundaries

REQUESTS: Final = regex(
    r"_?(?:req|request|http_?request|body|payload|event|websocket|ws|socket|form_?data|envelope)", re.IGNORECASE
)
"""What code calls that which a client sends, where a server hands it in."""
PACKED: Final = regex(r"_?(?:body|payload|event|envelope)", re.IGNORECASE)
"""Those of them that code of its own packs for itself, too: what one object hands another."""
SAID: Final = regex(
    r"(?:user|chat|research|search|original)_?\w*|(?:human|customer|client)_?\w+|(?:\w+_)?(?:quer(?:y|ies)|questions?|utterance|topics?"
    r"|tasks?|objective)|(?:input|message)_?text|(?:search|user|research)(?:Query|Input|Message|Question|Text|Prompt|Topic)",
    re.IGNORECASE,
)
"""What code calls that which somebody asks for."""
REQUESTED: Final = "request"
"""What a way passes that reads a part of an object which says that it holds a request."""
RUNNING: Final = "runtime"
"""What a way passes that reads what an agent's run was given: whose word that is, who starts the run decides."""
SERVED: Final = regex(r"py:(?:flask|quart|bottle)[.:](?:\w+[.:])?request\b")
"""Libraries' own names for the request that is answered now."""
INSTRUCTING: Final = regex(
    r"(?!user|human|customer)\w*(?:prompts?|instructions?|system_?(?:message|msg)?|personas?|role|backstory|template)",
    re.IGNORECASE,
)
"""What code calls a text that is itself an instruction: whoever calls the code writes it."""
TRUSTED: Final = regex(
    r"self|cls|this|args|kwargs|_+|\w*(?:config|configuration|configurable|settings?|options?|opts|env|runtime|context"
    r"|ctx|deps|model|llm|client|logger|language|locale|date|time|today|now|timezone|tools?|agents?|agent_name|id|version"
    r"|provider|state|graph|store|callback|writer|session|db|run_context|wrapper|limit|count|max\w*|min\w*)",
    re.IGNORECASE,
)
"""What code calls what its own side decides."""

ARGUMENTS: Final = frozenset({"args", "kwargs"})
HANDLERS: Final = frozenset({"setRequestHandler", "set_request_handler"})
"""Calls by which an MCP server is told what answers one kind of request."""
ANSWERING: Final = {"call_tool": "model", "get_prompt": "user"}
"""Decorators that do the same, with whose word the arguments of such a request are."""
CALLING: Final = regex(r"CallTool|^tools/call$")


class Given(NamedTuple):
    """Whose word it is: a word of `vocabulary.ORIGINS`, or "" where that cannot be told."""

    origin: str
    confidence: Confidence = Confidence.HIGH


class Outsiders:
    """Parameters of functions that the outside calls."""

    def __init__(self, program: Program, tools: Mapping[int, frozenset[str]], boundaries: Boundaries) -> None:
        self._program = program
        self._tools = tools
        """The functions that run as tools, by id, with the names of what a model gives them."""
        self._boundaries = boundaries

    def of(self, origin: Origin) -> Given | None:
        """Whose word the parameter is that a text begins at; None for the project's own."""
        function = origin.node
        if origin.kind == "name" and SERVED.match(origin.name):
            return Given("user")
        if origin.kind != "parameter" or not isinstance(function, ir.Function):
            return None
        param = next((each for each in function.params if each.name == origin.name), None)
        if param is None or self._is_typed(param):
            return None
        wanted = self._tools.get(id(function))
        if wanted is not None:
            return Given("model") if origin.name in wanted or param.pattern is not None else None
        sites = self._program.callers(function)
        asked = _mcp_request(function, sites)
        if asked:
            return None if TRUSTED.fullmatch(param.name) and param.name not in ARGUMENTS else Given(asked)
        route = handing(self._program, function) if sites and all(site.escapes for site in sites) else None
        if sites and (route is None or not is_route(route)):
            is_handed = bool(function.name) and all(site.escapes for site in sites)
            return Given("") if is_handed and not TRUSTED.fullmatch(param.name) else None
        if RUNNING in origin.passed:
            return Given("")
        # What a wrapper collects (`*args`) is what its function is called with, whatever that calls a request.
        is_request = REQUESTED in origin.passed and not param.kind
        if route is not None:
            return self._of_handler(function, param, is_request=is_request)
        return self._of_outside(function, param, is_request=is_request)

    @staticmethod
    def _of_handler(function: ir.Function, param: ir.Parameter, *, is_request: bool) -> Given | None:
        """What a server hands to what answers requests: the request first."""
        is_first = param is function.params[0] and not TRUSTED.fullmatch(param.name)
        is_named = is_request or REQUESTS.fullmatch(param.name) is not None
        return Given("user") if is_first or is_named else None

    def _of_outside(self, function: ir.Function, param: ir.Parameter, *, is_request: bool) -> Given | None:
        answers = any(_decorator(each) in ROUTES for each in function.decorators)
        if answers and not TRUSTED.fullmatch(param.name):
            return Given("user")
        names = {param.name, *(_names(param.pattern) if param.pattern is not None else ())}
        if _is_packed(function, param):
            return Given("")
        if is_request or any(map(REQUESTS.fullmatch, names)):
            return Given("user", Confidence.HIGH if answers else Confidence.MEDIUM)
        if function.decorators and not answers:
            return None if TRUSTED.fullmatch(param.name) else Given("")
        if INSTRUCTING.fullmatch(param.name):
            return Given("")
        if SAID.fullmatch(param.name):
            return Given("user", Confidence.LOW)
        if TRUSTED.fullmatch(param.name) or param.pattern is not None:
            return None
        return Given("") if function.name else None

    def _is_typed(self, param: ir.Parameter) -> bool:
        return param.annotation is not None and self._boundaries.admits_no_text(param.annotation)


def _mcp_request(function: ir.Function, sites: Sequence[CallSite]) -> str:
    """Whose word the parts of a request are that a function answers for an MCP server: a model's where it calls a tool,
    else whose host it is; "" for any other function.
    """
    for site in sites:
        if site.escapes and callee_name(site.call.callee) in HANDLERS and site.call.args:
            kind = site.call.args[0].value
            said = kind.value if isinstance(kind, ir.Literal) else callee_name(kind)
            return "model" if CALLING.search(str(said)) else "user"
    called = (each.callee for each in function.decorators if isinstance(each, ir.Call))
    return next((ANSWERING[name] for each in called if (name := callee_name(each)) in ANSWERING), "")


def _is_packed(function: ir.Function, param: ir.Parameter) -> bool:
    """Whether a method takes what may as well be packed by the project: no server is seen to hand it a request."""
    return isinstance(function.outer, ir.Class) and not function.decorators and PACKED.fullmatch(param.name) is not None


def _decorator(expr: ir.Expr) -> str:
    return callee_name(expr.callee if isinstance(expr, ir.Call) else expr)


def _names(pattern: ir.Expr) -> frozenset[str]:
    return frozenset(node.id for node in ir.walk(pattern) if isinstance(node, ir.Name))
