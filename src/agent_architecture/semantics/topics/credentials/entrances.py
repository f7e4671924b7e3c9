"""Routes by which anybody reaches a model: what a server calls for a request, where no file before it asks who sent it.

A word that may stand for a check is enough to say nothing: whether the check holds is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

ASKING: Final = regex(
    rb"(?i)unauthori[sz]ed|\b40[13]\b|HTTP_40[13]|authenticat|login_required|logged_?in|/(?:log|sign)-?in\b"
    rb"|require_?auth|auth_?(?:required|guard|middleware|provider)|\bauth\(\)|[\"'/.]auth[\"'/.]|getServerSession"
    rb"|getSession\(\s*(?:\)|req|\{)|jsonwebtoken|\bjwt|\bjose\b|oauth2_?scheme|OAuth2\w*Bearer|openid|\bsso\b|passport\.|[\"']passport"
    rb"|(?:current_?|request\.|req\.|ctx\.)user\b|user_?session|session_?middleware|express-session|cookies?\("
    rb"|\.cookies\b|basic_?auth|HTTPBearer|API_?Key(?:Header|Query|Cookie)|compare_digest|timingSafeEqual"
    rb"|headers?(?:\.get\(|\[)\s*[\"'](?:authorization|x-[\w-]*(?:key|token|secret|signature))|headers\.authorization"
    rb"|(?:verify|validate|check|require)_?(?:\w+_)?(?:token|api_?key|signature|secret)\b|permission_classes|has_permission"
    rb"|clerk|supabase|firebase-admin|workos|kinde|lucia|keycloak|cognito|okta"
)
"""What files say that may ask who sends a request."""
BETWEEN: Final = regex(r"(?:^|/)(?:_?middleware|proxy|hooks\.server)(?:\.\w+|/[^/]+)$")
"""Files that a framework puts before all routes without an import."""


def _may_ask(data: bytes) -> bool:
    return ASKING.search(data) is not None


def _working(function: ir.Function) -> Iterator[ir.Function]:
    """A function, and for a constructor the methods that work with what it makes."""
    yield function
    cls = function.outer
    if function.name == CONSTRUCTOR and isinstance(cls, ir.Class):
        yield from (method for method in cls.body if isinstance(method, ir.Function))


class Entrances:
    """Answers for code which open route leads to it; `served` says what answers requests."""

    def __init__(self, context: Context, served: Served) -> None:
        self._context = context
        self._served = served
        self._programs = context.once(Programs)
        self._open: tuple[Span, ...] | None = None

    def of(self, scope: ir.Scope, *, runs: bool) -> Span | None:
        """The first open route of the program that code is part of. Of a function only where requests come to it, or
        where a tool `runs` it; the bodies of a module and of its classes run when it is loaded.
        """
        path = self._context.program.module_of(scope).path
        if isinstance(scope, ir.Function) and not (runs or any(map(self._served.of, _working(scope)))):
            return None
        beside = self._programs.beside(path)
        return next((route for route in self._routes() if route.path in beside), None)

    def _routes(self) -> tuple[Span, ...]:
        """The routes that lead to a model, of programs that ask nobody, by position; those, too, that a library makes
        of an agent.
        """
        if self._open is None:
            program = self._context.program
            asking = [program.scope_of(m.node) for m in self._context.of_kind("run", "model_call")]
            above = {id(each): each for scope in asking for each in self._served.above(scope)}
            own = [each for each in above.values() if self._served.is_routed(each)]
            routes = [each.name_span if each.name else each.span for each in own]
            exported = self._context.of_kind("exported")
            routes += [match.node.span for match in exported if match.row.constants.get("route") is True]
            asked = {path: self._asks(path) for path in {route.path for route in routes}}
            self._open = tuple(sorted(route for route in routes if not asked[route.path]))
        return self._open

    def _asks(self, path: str) -> bool:
        """Whether anything before a route, or next to it, may ask who sends a request: not what it uses far in."""
        table = self._context.program.table
        between = [f.path for f in table.files() if f.language in CODE and BETWEEN.search(f.path)]
        files = (table.file(each) for each in (*self._programs.around(path), *between))
        return any(file.role is Role.APP and told(file, _may_ask) for file in files if file is not None)
