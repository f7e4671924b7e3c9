"""Code before a route that may ask who sends a request, by its words.

A word that may stand for a check is enough: whether the check holds is not decided here, but that of one that is made
only where a setting is there, it does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.closure_writes import lines_at
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.packs.stated_texts import said
from agent_architecture.semantics.topics.credentials import routers
from agent_architecture.semantics.topics.credentials.before_routes import BETWEEN, BeforeRoutes
from agent_architecture.semantics.topics.credentials.optional_checks import asks_where_set, compared_settings
from agent_architecture.semantics.topics.credentials.permits import lets_in_all
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import SourceFile

ASKING: Final = regex(
    rb"unauthori[sz]ed|\b40[13]\b|http_40[13]|authenticat|login_required|logged_?in(?![\"']\s*:)|/(?:log|sign)-?in\b"
    rb"|require_?auth|auth_?(?:required|guard|middleware|provider)|\bauth\(\)|(?:[\"']|(?<!googleapis\.com)/|(?<!google)\.)auth[\"'/.]|getserversession"
    rb"|getsession\(\s*(?:\)|req|\{\s*(?:req|headers|ctx))|jsonwebtoken|\bjwt|\bjose\b|oauth2_?scheme|oauth2\w*bearer|openid|\bsso\b|passport\.(?:authenticate|initialize|session|use)\b|(?:from|require\()\s*[\"']passport"
    rb"|(?:current_?|request\.|req\.|ctx\.)user\b|user_?session(?!s)|session_?middleware|express-session|cookies?\("
    rb"|\.cookies\b|basic_?auth|httpbearer|api_?key(?:header|query|cookie)|compare_digest|timingsafeequal"
    rb"|headers?(?:\.get\(|\[)\s*[\"'](?:authorization|x-[\w-]*(?:key|token|secret|signature))(?![\w-]*[\"']\]\s*=[^=])"
    rb"|headers\.authorization(?!\s*=[^=])"
    rb"|(?:verify|validate|check|require)_?(?:\w+_)?(?:token|api_?key|signature|secret)\b|permission_classes|has_permission"
    rb"|\bst\.(?:login|user|experimental_user)\b|stauth|streamlit_authenticator|launch\([^)]*\bauth\s*="
    rb"|clerk|supabase[\w.()]*\.auth\b|@supabase/(?:ssr|auth)|firebase-admin|workos|kinde|lucia|keycloak|cognito|okta"
)
"""What files say that may ask who sends a request; sought in small letters, which takes less than half as long as
to leave their size out of account.
"""
ERRORS: Final = regex(r"(?i)unauthori|authenticat|.?\b40[13]|HTTP_40")
"""Words that also stand for an error which somebody else answers with."""


class _Word(NamedTuple):
    line: int
    text: str


def _asked_at(data: bytes) -> frozenset[_Word]:
    """What code says that may ask who sends a request, each with its line."""
    places = [each.span() for each in said(ASKING, data.lower(), is_code=True)]
    lines = lines_at(data, (start for start, _ in places))
    return frozenset(map(_Word, lines, (data[start:end].decode("utf-8", "replace") for start, end in places)))


class Askings:
    """Answers for routes whether anything before them may ask who sends a request."""

    def __init__(self, context: Context, served: Served) -> None:
        self._context = context
        self._served = served
        self._programs = context.once(Programs)
        self._said: dict[str, frozenset[int]] = {}
        self._words: dict[str, frozenset[_Word]] = {}
        self._lax: dict[str, tuple[ir.Function, ...]] = {}
        self._ways = BeforeRoutes(context.program, served)

    def lets_in_all(self, function: ir.Function) -> bool:
        """Whether requests come to a function that says by itself that nobody is asked."""
        return lets_in_all(function) and self._served.answers(function)

    def before(self, path: str, route: ir.Node) -> bool:
        """Whether anything before a route, or next to it, may ask who sends a request: not what it uses far in, nor
        what another route asks for itself.
        """
        table = self._context.program.table
        if isinstance(route, ir.Function) and self.lets_in_all(route):
            file = table.file(path)
            words = frozenset[_Word]() if file is None else self._words_of(file)
            return any(route.name_span.line < word.line <= route.span.end_line for word in words)
        between = [f.path for f in table.files() if f.language in CODE and BETWEEN.search(f.path)]
        files = (table.file(each) for each in (*self._programs.around(path), *between))
        return any(self._is_before(route, file) for file in files if file is not None and file.role is Role.APP)

    def is_asked_for(self, names: frozenset[str]) -> bool:
        """Whether a setting of one of these names is what callers have to bring, wherever they are asked for it."""
        program, words = self._context.program, tuple(name.encode() for name in names)
        return any(
            not names.isdisjoint(compared_settings(program, function))
            for module in program.modules
            if (file := program.table.file(module.path)) is not None and any(word in file.data for word in words)
            for function in self._asking_in(module, file)
        )

    def _is_before(self, route: ir.Node, file: SourceFile) -> bool:
        """Whether any word of a file that may stand for a check stands in code that may run for a route."""
        lines = self._said.get(file.path)
        if lines is None:
            lines = self._said[file.path] = self._asking(file)
        return any(self._ways.may_stand(file.path, line, route) for line in sorted(lines))

    def _asking(self, file: SourceFile) -> frozenset[int]:
        """The lines with words of a file that may stand for a check: one that is always made, and not by a tool, which
        runs behind the route.
        """
        words = self._words_of(file)
        if not words:
            return frozenset()
        lax = tuple(self._optional())
        named = tuple(function.name for function in lax)
        words = frozenset(word for word in words if not any(word.text in name for name in named))
        asked = frozenset(word.line for word in words).difference(self._listed(file.path, words))
        module = self._context.program.table.get(file.path)
        tools = (s for s in (module.code if module is not None else ()) if id(s) in self._served.tools)
        own = (each.span for each in (*lax, *tools) if each.span.path == file.path)
        asked = asked.difference(*(range(span.line, span.end_line + 1) for span in own))
        asked = asked.difference(self._documented(file.path, asked)) if asked else asked
        return asked.difference(routers.placed(self._context.program, file.path)) if asked else asked

    def _optional(self) -> Iterator[ir.Function]:
        """The functions of the program that ask who calls only where a setting is there."""
        program = self._context.program
        files = ((module, program.table.file(module.path)) for module in program.modules)
        yield from (each for module, file in files if file is not None for each in self._optional_in(module, file))

    def _optional_in(self, module: ir.Module, file: SourceFile) -> tuple[ir.Function, ...]:
        """Those of a module."""
        found = self._lax.get(module.path)
        if found is None:
            asking = self._asking_in(module, file)
            found = self._lax[module.path] = tuple(each for each in asking if asks_where_set(self._context, each))
        return found

    def _asking_in(self, module: ir.Module, file: SourceFile) -> Iterator[ir.Function]:
        """The functions of a module in which a word stands that may stand for a check."""
        lines = [word.line for word in self._words_of(file)] if file.language in CODE else []
        for scope in module.code if lines else ():
            if isinstance(scope, ir.Function) and any(scope.span.line <= n <= scope.span.end_line for n in lines):
                yield scope

    def _words_of(self, file: SourceFile) -> frozenset[_Word]:
        """What a file says that may ask who sends a request."""
        found = self._words.get(file.path)
        if found is None:
            found = self._words[file.path] = told(file, _asked_at)
        return found

    def _listed(self, path: str, words: frozenset[_Word]) -> Iterator[int]:
        """The lines on which words stand in a list of what errors are called: it tells errors of others apart."""
        lines = {word.line for word in words if ERRORS.match(word.text)}
        module = self._context.program.table.get(path) if lines else None
        for scope in () if module is None else (*module.code, *module.index.classes):
            for node in self._context.program.structure(scope).nodes:
                if isinstance(node, ir.List) and all(isinstance(item, ir.Literal) for item in node.items):
                    yield from lines.intersection(range(node.span.line, node.span.end_line + 1))

    def _documented(self, path: str, lines: frozenset[int]) -> Iterator[int]:
        """The lines among these that stand in the documentation of a module, a class or a function."""
        module = self._context.program.table.get(path)
        for scope in () if module is None else (*module.code, *module.index.classes):
            if isinstance(scope, ir.Module) or any(scope.span.line <= line <= scope.span.end_line for line in lines):
                first = scope.body[0] if scope.body else None
                if isinstance(first, ir.Literal) and isinstance(first.value, str):
                    yield from range(first.span.line, first.span.end_line + 1)
