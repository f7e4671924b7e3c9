"""Routes by which anybody reaches a model: what a server calls for a request, where no file before it asks who sent it.

A word that may stand for a check is enough to say nothing: whether the check holds is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.closure_writes import lines_at
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.packs.stated_texts import said
from agent_architecture.semantics.topics.credentials.permits import lets_in_all
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import SourceFile, Span

ASKING: Final = regex(
    rb"(?i)unauthori[sz]ed|\b40[13]\b|HTTP_40[13]|authenticat|login_required|logged_?in(?![\"']\s*:)|/(?:log|sign)-?in\b"
    rb"|require_?auth|auth_?(?:required|guard|middleware|provider)|\bauth\(\)|[\"'/.]auth[\"'/.]|getServerSession"
    rb"|getSession\(\s*(?:\)|req|\{\s*(?:req|headers|ctx))|jsonwebtoken|\bjwt|\bjose\b|oauth2_?scheme|OAuth2\w*Bearer|openid|\bsso\b|passport\.|[\"']passport"
    rb"|(?:current_?|request\.|req\.|ctx\.)user\b|user_?session(?!s)|session_?middleware|express-session|cookies?\("
    rb"|\.cookies\b|basic_?auth|HTTPBearer|API_?Key(?:Header|Query|Cookie)|compare_digest|timingSafeEqual"
    rb"|headers?(?:\.get\(|\[)\s*[\"'](?:authorization|x-[\w-]*(?:key|token|secret|signature))(?![\w-]*[\"']\]\s*=[^=])"
    rb"|headers\.authorization(?!\s*=[^=])"
    rb"|(?:verify|validate|check|require)_?(?:\w+_)?(?:token|api_?key|signature|secret)\b|permission_classes|has_permission"
    rb"|clerk|supabase[\w.()]*\.auth\b|@supabase/(?:ssr|auth)|firebase-admin|workos|kinde|lucia|keycloak|cognito|okta"
)
"""What files say that may ask who sends a request."""
STARTING: Final = frozenset({"on_event", "on_startup", "before_serving", "before_first_request", "lifespan"})
"""Decorators of what a server runs before it answers."""
BETWEEN: Final = regex(r"(?:^|/)(?:_?middleware|proxy|hooks\.server)(?:\.\w+|/[^/]+)$")
"""Files that a framework puts before all routes without an import."""


def _asked_at(data: bytes) -> frozenset[int]:
    """The lines on which code says something that may ask who sends a request."""
    return frozenset(lines_at(data, (found.start() for found in said(ASKING, data, is_code=True))))


def _working(function: ir.Function) -> Iterator[ir.Function]:
    """A function, and for a constructor the methods that work with what it makes."""
    yield function
    cls = function.outer
    if function.name == CONSTRUCTOR and isinstance(cls, ir.Class):
        yield from (method for method in cls.body if isinstance(method, ir.Function))


def _first_line(function: ir.Function) -> int:
    return min((decorator.span.line for decorator in function.decorators), default=function.span.line)


def _starts(scope: ir.Scope) -> bool:
    """Whether a server runs a function when it starts: `@app.on_event("startup")`."""
    decorators = scope.decorators if isinstance(scope, ir.Function) else ()
    called = (each.callee if isinstance(each, ir.Call) else each for each in decorators)
    return any(callee_name(each) in STARTING for each in called)


class Entrances:
    """Answers for code which open route leads to it; `served` says what answers requests."""

    def __init__(self, context: Context, served: Served) -> None:
        self._context = context
        self._served = served
        self._programs = context.once(Programs)
        self._open: tuple[Span, ...] | None = None
        self._said: dict[str, frozenset[int]] = {}
        self._own: dict[str, tuple[tuple[int, int, ir.Function], ...]] = {}

    def of(self, scope: ir.Scope, *, runs: bool) -> Span | None:
        """The first open route of the program that code is part of. Of a function only where requests come to it, or
        where a tool `runs` it; the bodies of a module and of its classes run when it is loaded.
        """
        path = self._context.program.module_of(scope).path
        if isinstance(scope, ir.Function) and not (
            runs or any(map(self._served.of, _working(scope))) or self._is_loaded(scope)
        ):
            return None
        beside = self._programs.beside(path)
        return next((route for route in self._routes() if route.path in beside), None)

    def _is_loaded(self, function: ir.Function) -> bool:
        """Whether a function runs when a module is loaded, or a server starts: the code of one calls it, or of a class,
        or what a server runs first.
        """
        program, outer = self._context.program, function.outer
        around = None if isinstance(outer, ir.Function) else program.structure(outer).parent(function)
        if isinstance(around, ir.Call) and around.callee is function:
            return True
        scopes = [program.scope_of(site.call) for site in program.callers(function)]
        return any(isinstance(scope, (ir.Module, ir.Class)) or _starts(scope) for scope in (*scopes, function))

    def _routes(self) -> tuple[Span, ...]:
        """The routes that lead to a model, of programs that ask nobody, by position; those, too, that a library makes
        of an agent.
        """
        if self._open is None:
            program = self._context.program
            asking = [program.scope_of(m.node) for m in self._context.of_kind("run", "model_call")]
            above = {id(each): each for scope in asking for each in self._served.above(scope)}
            own = [each for each in above.values() if self._served.is_routed(each) or self._lets_in_all(each)]
            routes = [(each.name_span if each.name else each.span, each) for each in own]
            made = [m.node for m in self._context.of_kind("exported") if m.row.constants.get("route") is True]
            every = (*routes, *((node.span, node) for node in made))
            self._open = tuple(sorted(span for span, node in every if not self._asks(span.path, node)))
        return self._open

    def _lets_in_all(self, function: ir.Function) -> bool:
        """Whether requests come to a function that says by itself that nobody is asked."""
        return lets_in_all(function) and self._served.answers(function)

    def _asks(self, path: str, route: ir.Node) -> bool:
        """Whether anything before a route, or next to it, may ask who sends a request: not what it uses far in, nor
        what another route asks for itself.
        """
        table = self._context.program.table
        if isinstance(route, ir.Function) and self._lets_in_all(route):
            file = table.file(path)
            lines = frozenset[int]() if file is None else told(file, _asked_at)
            return any(route.name_span.line < line <= route.span.end_line for line in lines)
        between = [f.path for f in table.files() if f.language in CODE and BETWEEN.search(f.path)]
        files = (table.file(each) for each in (*self._programs.around(path), *between))
        return any(self._is_before(route, file) for file in files if file is not None and file.role is Role.APP)

    def _is_before(self, route: ir.Node, file: SourceFile) -> bool:
        """Whether any word of a file that may stand for a check stands in code that is not another route's."""
        lines = self._said.get(file.path)
        if lines is None:
            asked = told(file, _asked_at)
            lines = self._said[file.path] = asked.difference(self._documented(file.path, asked)) if asked else asked
        others = [(first, last) for first, last, each in self._routed(file.path) if each is not route] if lines else []
        return any(not any(first <= line <= last for first, last in others) for line in lines)

    def _documented(self, path: str, lines: frozenset[int]) -> Iterator[int]:
        """The lines among these that stand in the documentation of a module, a class or a function."""
        module = self._context.program.table.get(path)
        for scope in () if module is None else (*module.code, *module.index.classes):
            if isinstance(scope, ir.Module) or any(scope.span.line <= line <= scope.span.end_line for line in lines):
                first = scope.body[0] if scope.body else None
                if isinstance(first, ir.Literal) and isinstance(first.value, str):
                    yield from range(first.span.line, first.span.end_line + 1)

    def _routed(self, path: str) -> tuple[tuple[int, int, ir.Function], ...]:
        """The functions of a file that answer the requests for a path, each with its lines, those of decorators too."""
        found = self._own.get(path)
        if found is None:
            module = self._context.program.table.get(path)
            scopes = () if module is None else module.code
            functions = [s for s in scopes if isinstance(s, ir.Function) and self._served.is_routed(s)]
            found = self._own[path] = tuple((_first_line(each), each.span.end_line, each) for each in functions)
        return found
