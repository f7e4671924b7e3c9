"""What stands in front of a server that the project starts: what it is given, and what its program puts around it.

A check counts where it is applied to the whole program (`app.use(check)`, `add_middleware(Check)`), to the route that
leads to the server, or where the code of that route itself refuses. Must not judge whether that is enough.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import AccessCheck, Proof
from agent_architecture.model.settings import Origin, written
from agent_architecture.names.decorations import decorator_name
from agent_architecture.names.dependency_injection import DEPENDING
from agent_architecture.names.loads import loads
from agent_architecture.names.program import callee_name
from agent_architecture.names.reached import reached
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Func, Instance
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.control.deciding_tests import deciding
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.file_exports import is_placed
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.protocols.credential_checks import (
    check_among,
    check_in,
    compares_audience,
    takes_anything,
)
from agent_architecture.semantics.protocols.middleware_wrappers import wrapping
from agent_architecture.semantics.protocols.route_calls import ROUTING, depended_on, path_of
from agent_architecture.semantics.protocols.servers_by_hand import taker
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

KIND: Final = "authenticator"
SERVING: Final = ("mcp_server", "mcp_start")
"""Kinds of calls that may be given a check."""
APPLYING: Final = (
    "use",
    "add_middleware",
    "addMiddleware",
    "Middleware",
    "addHook",
    "before_request",
    "guard",
    "onRequest",
)
"""Calls that put something in front of a whole program."""
WHOLE: Final = frozenset({"FastAPI", "APIRouter", "include_router", "Starlette", "Litestar"})
"""Calls in whose arguments a dependency holds for all routes."""
HOOKS: Final = frozenset({"middleware", "before_request", "before_app_request", "on_request", "use"})
"""Decorators that do the same."""
ENTRIES: Final = frozenset({
    "__call__", "dispatch", "authenticate", "verify_token", "process_request", "use", "canActivate", "handle",
    "verifyAccessToken", "verifyToken", "load_access_token",
})  # fmt: skip
"""Methods by which frameworks run an object that checks."""
HEIGHT: Final = 3
"""Callers followed upwards from where a server is started."""
MOUNTED: Final = 2
"""A path, and what answers below it."""
IMPORTERS: Final = 40
"""Files that lead to a server; a program with more is not followed to its end."""


class Access:
    """Answers for each start what a request passes before it."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def before(self, match: Match) -> tuple[AccessCheck, ...]:
        """The checks in front of the server that a call starts, each once, by position."""
        checks = [*self._given(match)]
        if isinstance(match.node, ir.Call):
            checks += self.around(match.node)
        elif match.row.file:
            checks += self._placed(match)
        found = {check.span: check for check in reversed(checks)}
        return tuple(sorted(found.values(), key=lambda check: check.span))

    # ----------------------------------------------------------------------------------------- what the server is given
    def _given(self, match: Match) -> Iterator[AccessCheck]:
        values = written_values(self._context, match, "auth")
        some = any(isinstance(value, Const) and value.value is None for value in values)
        for value in values:
            check = self._of_value(value, match)
            if check is not None:
                check = self._verified(check, self._beside(match, "verifier"))
                audience = check.audience
                if audience.value in {None, False} and audience.origin is not Origin.UNKNOWN:
                    audience = self._verifying(self._beside(match, "verifier")) or self._own(match) or audience
                yield check._replace(conditional=check.conditional or some, audience=audience)

    def _placed(self, match: Match) -> Iterator[AccessCheck]:
        """What a library takes from a file of its own and puts before every request: rows with a `file` say where."""
        package, folder = match.row.file.rpartition(":")[0], match.node.span.path.rpartition("/")[0]
        rows = [r for r in self._context.packs.in_files if r.kind == KIND and r.file.rpartition(":")[0] == package]
        beside = [m for m in self._context.program.modules if not folder or m.path.startswith(f"{folder}/")]
        paths = {module.path for module in beside if any(is_placed(module, row) for row in rows)}
        for made in self._context.of_kind(KIND):
            if made.node.span.path in paths and isinstance(made.node, ir.Call):
                yield self._by_library(made, match.node)
            elif made.node.span.path in paths and isinstance(made.node, ir.Function):
                check = check_in(self._context, made.node)
                if check is not None:
                    yield check

    def _of_value(self, value: Value, match: Match) -> AccessCheck | None:
        made = self._context.made(value, KIND)
        if made is not None:
            return self._by_library(made, match.node)
        match value:
            case Const():
                return None
            case Func() | ClassValue() | Instance():
                return self._by_project(value) or self._unsaid(value, match, Proof.ANY)
            case Api():
                return self._unsaid(value, match, Proof.TOKEN)
            case _:
                return self._unsaid(value, match, Proof.UNKNOWN)

    def _unsaid(self, value: Value, match: Match, proof: Proof) -> AccessCheck:
        node = getattr(value, "node", None) or getattr(value, "call", None) or match.node
        name = last_name(value.path).removesuffix("()") if isinstance(value, Api) else "auth"
        return AccessCheck(node.span, name, match.row.where.pack, proof)

    def _by_library(self, made: Match, start: ir.Node) -> AccessCheck:
        """A check of a library; one that is given a verifier of the project asks what that asks."""
        context = self._context
        said = effective(context, made, "proof")
        proof = Proof(said.value) if isinstance(said.value, str) and said.value in set(Proof) else Proof.UNKNOWN
        if said.origin is Origin.UNKNOWN:
            proof = Proof.UNKNOWN
        symbol = callee_name(made.node.callee) if isinstance(made.node, ir.Call) else last_name(made.api.path)
        check = AccessCheck(made.node.span, symbol, made.row.where.pack, proof, audience=self._audience(made))
        check = self._verified(check, self._verifiers(made))
        return check._replace(conditional=isinstance(made.node, ir.Call) and self._is_optional(made.node, start))

    def _audience(self, made: Match) -> Setting:
        """Whom a token has to be meant for: what the check is told, else what its verifier says."""
        said = effective(self._context, made, "audience")
        if said.origin is Origin.UNKNOWN or said.value not in {None, False}:
            return said
        return self._verifying(self._verifiers(made)) or said

    def _verifiers(self, made: Match) -> Values:
        address = made.row.relations.get("verifier")
        return at_call(self._context.program, made.arguments, made.api.receiver, address).values if address else ()

    def _verified(self, check: AccessCheck, verifiers: Iterable[Value]) -> AccessCheck:
        """A check that asks verifiers of the project: where all that these are takes any credential, so does it."""
        asked = [list(_functions(self._context, value)) for value in verifiers]
        lax = bool(asked) and all(asked) and all(takes_anything(self._context, f) for each in asked for f in each)
        return check._replace(proof=Proof.ANY) if lax else check

    def _verifying(self, values: Iterable[Value]) -> Setting | None:
        for value in values:
            made = self._context.made(value, KIND)
            if made is not None:
                said = self._audience(made)
                return said if said.origin is Origin.UNKNOWN or said.value not in {None, False} else None
            for function in _functions(self._context, value):
                compared = compares_audience(self._context, function)
                if compared is not None:
                    return compared
        return None

    def _own(self, match: Match) -> Setting | None:
        """That a server makes the tokens that it takes, so that they are for nobody else."""
        values = self._beside(match, "issuer")
        given = any(not (isinstance(value, Const) and value.value is None) for value in values)
        return written("the server's own tokens", match.node.span) if given else None

    def _beside(self, match: Match, relation: str) -> Values:
        """What a server is given beside its settings: a verifier, an issuer of tokens."""
        server = match.api.receiver
        made = self._context.made(server, "mcp_server") if server is not None else None
        address = made.row.relations.get(relation) if made is not None else None
        if made is None or address is None:
            return ()
        return at_call(self._context.program, made.arguments, made.api.receiver, address).values

    def _by_project(self, value: Value) -> AccessCheck | None:
        """What an object of the project checks, or a middleware of a library that is named and not called."""
        if isinstance(value, Api):
            rows = self._context.packs.entities(self._context.packs.canonical(value.path))
            row = next((row for row in rows if row.kind == KIND and row.constants.get("proof") in set(Proof)), None)
            proof = Proof(str(row.constants["proof"])) if row is not None else Proof.UNKNOWN
            named = last_name(value.path)
            return None if row is None else AccessCheck(value.node.span, named, row.where.pack, proof)
        for function in _functions(self._context, value):
            check = check_in(self._context, function)
            if check is not None:
                return check
        return None

    # -------------------------------------------------------------------------------------------- what stands around it
    def around(self, start: ir.Call) -> Iterator[AccessCheck]:
        """The checks that the program around a call puts in front of it."""
        paths = self._leading(start.span.path)
        route = tuple(self._route(start))
        mounted = self._is_mounted(start, paths)
        for made in self._context.of_kind(KIND):
            if id(made) in self._handed:
                continue
            if made.node.span.path in paths and self._reaches(made.node, route):
                yield self._by_library(made, start)
        for name in (*APPLYING, *DEPENDING):
            for site in self._context.program.calls(name):
                if name in DEPENDING and mounted:
                    continue
                if site.call.span.path in paths and self._applies(site.call, name, route):
                    yield from self._applied(site.call, start)
        for call, answers in wrapping(self._context, paths):
            check = check_in(self._context, answers)
            if check is not None:
                yield check._replace(conditional=self._is_optional(call, start))
        for path in paths:
            yield from self._hooks(path)
        yield from self._on_route(start, route)

    def _reaches(self, node: ir.Node, route: tuple[ir.Call, ...]) -> bool:
        """Whether a check of a library is not that of another route."""
        program = self._context.program
        structure = program.structure(program.scope_of(node))
        for around in structure.ancestors(node):
            if isinstance(around, ir.Call) and callee_name(around.callee) in ROUTING:
                return any(around is each for each in route) or (
                    callee_name(around.callee) in APPLYING and self._is_for(around, route)
                )
        return True

    def _applies(self, call: ir.Call, name: str, route: tuple[ir.Call, ...]) -> bool:
        if name not in DEPENDING:
            return self._is_for(call, route)
        structure = self._context.program.structure(self._context.program.scope_of(call))
        return any(isinstance(up, ir.Call) and callee_name(up.callee) in WHOLE for up in structure.ancestors(call))

    def _is_for(self, call: ir.Call, route: tuple[ir.Call, ...]) -> bool:
        """Whether what is applied below a path is applied to the path of the server, as far as both are written."""
        below, at = path_of(call), next((path for each in route if (path := path_of(each)) is not None), None)
        return below is None or at is None or at.startswith(below.rstrip("*").rstrip("/"))

    def _is_mounted(self, start: ir.Call, paths: frozenset[str]) -> bool:
        """Whether a start makes an application that another one mounts: what its routes are asked, that is not."""
        program = self._context.program
        makers = {id(function) for function in self._handlers(start)}
        for site in program.calls("mount"):
            if site.call.span.path not in paths or len(site.call.args) < MOUNTED:
                continue
            for argument in site.call.args:
                made: list[ir.Node] = [node for node in ir.walk(argument.value) if isinstance(node, ir.Call)]
                made += [value.node for value in program.value_of(argument.value) if isinstance(value, Api)]
                if any(node is start or _is_made_in(program, node, makers) for node in made):
                    return True
        return False

    def _applied(self, call: ir.Call, start: ir.Call) -> Iterator[AccessCheck]:
        for argument in call.args:
            for value in self._context.program.value_of(argument.value):
                check = self._by_project(value) if self._context.made(value, KIND) is None else None
                if check is not None:
                    yield check._replace(conditional=self._is_optional(call, start))

    def _is_optional(self, call: ir.Call, start: ir.Node | None = None) -> bool:
        """Whether a test decides if a check is put there, which the start itself does not depend on."""
        shared = self._tests(start) if start is not None else {}
        return not self._tests(call).keys() <= shared.keys()

    def _tests(self, node: ir.Node) -> dict[int, ir.Node]:
        """The tests that decide, in its scope, whether a node is come to, while the program goes on without it."""
        return {id(one.at): one.at for one in deciding(self._context, node)}

    def _hooks(self, path: str) -> Iterator[AccessCheck]:
        module = self._context.program.table.get(path)
        for function in module.index.functions if module is not None else ():
            if function.name and any(decorator_name(decorator) in HOOKS for decorator in function.decorators):
                check = check_in(self._context, function)
                if check is not None:
                    yield check

    def _on_route(self, start: ir.Call, route: tuple[ir.Call, ...]) -> Iterator[AccessCheck]:
        """What the route is given before the function that starts the server, and what this function does itself."""
        handlers = tuple(self._handlers(start))
        for call in route:
            for argument in call.args:
                for value in self._context.program.value_of(argument.value):
                    own = isinstance(value, Func) and any(value.function is each for each in handlers)
                    check = None if own else self._by_project(value)
                    if check is not None:
                        yield check
        for function in handlers:
            for call in depended_on(function):
                yield from self._applied(call, start)
            nodes = tuple(self._of_request(function))
            check = check_among(self._context, function, nodes)
            if check is not None:
                yield check

    def _of_request(self, function: ir.Function) -> Iterator[ir.Node]:
        """What a function does itself, and the functions to which it hands the request."""
        program = self._context.program
        structure = program.structure(function)
        yield from structure.nodes
        names = {parameter.name for parameter in function.params}
        for call in structure.calls:
            given = {argument.value.id for argument in call.args if isinstance(argument.value, ir.Name)}
            handed = {
                part.id
                for a in call.args
                for part in ir.walk(a.value)
                if isinstance(part, ir.Name) and part.id in names
            }
            if given & names or handed:
                for callee in program.callees(call):
                    yield from program.structure(callee).nodes

    def _handlers(self, start: ir.Call) -> Iterator[ir.Function]:
        """The functions around a start, and those that call them."""
        program = self._context.program
        scopes = above(program, [program.scope_of(start)], HEIGHT - 1, MANY, written_in=True)
        return (scope for scope in scopes if isinstance(scope, ir.Function))

    def _route(self, start: ir.Call) -> Iterator[ir.Call]:
        """The calls that are handed a function which starts the server: `app.post("/mcp", check, handler)`."""
        for function in self._handlers(start):
            call = taker(self._context.program, function)
            if call is not None:
                yield call

    # ------------------------------------------------------------------------------------------------------ which files
    def _leading(self, path: str) -> frozenset[str]:
        """The file itself, what it imports, and every file that leads to it by imports."""
        found = reached([path], lambda each: self._importers.get(each, ()), IMPORTERS)
        return self._edges.get(path, frozenset()).union(found)

    @cached_property
    def _handed(self) -> frozenset[int]:
        """The checks that some server is given for itself: they are asked of nobody else's callers."""
        servers = (match for kind in SERVING for match in self._context.of_kind(kind))
        given = (written_values(self._context, server, "auth") for server in servers)
        return frozenset(id(made) for values in given for made in self._context.made_by(values, KIND))

    @cached_property
    def _edges(self) -> dict[str, frozenset[str]]:
        program = self._context.program
        return {module.path: loads(program, module) for module in program.modules}

    @cached_property
    def _importers(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path, targets in self._edges.items():
            for target in targets:
                found.setdefault(target, []).append(path)
        return {target: tuple(sorted(paths)) for target, paths in found.items()}


def _is_made_in(program: Program, node: ir.Node, functions: set[int]) -> bool:
    return isinstance(node, ir.Call) and any(id(called) in functions for called in program.callees(node))


def _functions(context: Context, value: Value) -> Iterator[ir.Function]:
    """The functions of the project that run when a value checks a request."""
    match value:
        case Func():
            yield value.function
        case ClassValue() | Instance():
            for cls in (value.cls, *context.program.lineage(value.cls)):
                yield from (node for node in cls.body if isinstance(node, ir.Function) and node.name in ENTRIES)
        case Entries():
            written_out = (value for name, value in value.entries if name in ENTRIES)
            found = (each for value in written_out for each in context.program.value_of(value))
            yield from (each.function for each in found if isinstance(each, Func))
        case _:
            return
