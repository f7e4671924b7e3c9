"""Stand-ins for a model in tests: what a library offers for it, patches of a model or its client, hand-written fakes.

What is replaced must be the model, or what the application asks it through; a test that replaces the agent itself, a
tool or a database says nothing. Knows how tests replace things; must not know which test is worth what.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.model.system import Confidence
from agent_architecture.names import members
from agent_architecture.names.targets import InProject, Outside
from agent_architecture.names.values import Api, ClassValue, Const, Func, Instance, ModuleValue, Value, Values
from agent_architecture.semantics.context import dotted
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.eval_runs import AgentRuns
    from agent_architecture.sources.source import Span

BY_TEXT: Final = re.compile(r"^(?:(?:unittest\.)?mock\.|mocker\.)?patch$|^monkeypatch\.setattr$")
"""Replaces what a dotted text names."""
BY_OBJECT: Final = re.compile(
    r"^(?:(?:unittest\.)?mock\.|mocker\.)?patch\.object$|^monkeypatch\.setattr$|^(?:vi|jest)\.(?:spyOn|replaceProperty)$"
)
"""Replaces a named member of an object."""
BY_MODULE: Final = re.compile(r"^(?:vi|jest)\.(?:mock|doMock|unstable_mockModule|setMock)$|^mock\.module$")
"""Replaces a whole module of JavaScript."""

STUBS: Final = re.compile(r"^(?:nock|respx\w*|responses|httpx_mock|requests_mock|rest|http|aioresponses|httpretty|fetchMock)$")
"""What libraries and fixtures that answer HTTP requests in tests are called."""
HOSTS: Final = re.compile(
    r"(?:api\.openai|api\.anthropic|generativelanguage\.googleapis|aiplatform\.googleapis|openai\.azure|api\.mistral|"
    r"api\.groq|api\.cohere|openrouter|api\.deepseek|api\.x)\.(?:com|ai)"
)
"""Where models answer."""

MODEL_KINDS: Final = frozenset({"model_call", "model_client"})
AGENT_KINDS: Final = frozenset({"agent", "graph"})
CONFIGURED: Final = re.compile(r"(?:\.(?:return_value|side_effect|mock\w*))+(?:\(\))?$")
"""What follows the member of a mock object that is told what to answer."""


class Double(NamedTuple):
    """A stand-in, and how surely it is one."""

    span: Span
    confidence: Confidence


class Doubles:
    """Answers what stands in for a model among the nodes that a test executes."""

    def __init__(self, context: Context, runs: AgentRuns, tests: Iterable[ir.Module]) -> None:
        self._context = context
        self._specifiers = context.program.exports.specifiers
        self._runs = runs
        self._model_paths = _model_paths(context)
        self._model_packages = _model_packages(context)
        self._chains = frozenset(tuple(path.split(".")[-2:]) for path in self._model_paths if path.count(".") > 1)
        self._methods = self._asking_methods()
        self._fakes = {str(cls.span) for module in tests for cls in module.index.classes if self._is_fake(cls)}

    def first(self, nodes: Iterable[ir.Node], *, runs_agent: bool) -> Double | None:
        """The first stand-in by position.

        Hand-written fakes are known by the names of their methods alone, so they count only where the agent runs.
        """
        found = [double for node in nodes if (double := self._at(node)) is not None]
        known = [double for double in found if runs_agent or double.confidence is Confidence.HIGH]
        return min(known, key=lambda double: (double.confidence is not Confidence.HIGH, double.span), default=None)

    def _at(self, node: ir.Node) -> Double | None:
        sure = (isinstance(node, ir.Call) and self._call(node)) or (isinstance(node, ir.Assign) and self._stored(node))
        if isinstance(node, ir.Member) and dotted(node).startswith("pytest.mark."):
            sure = any(self._is_offered(value) for value in self._values(node))
        if sure:
            return Double(node.span, Confidence.HIGH)
        return Double(node.span, Confidence.MEDIUM) if self._looks_like_one(node) else None

    # --------------------------------------------------------------------------------------------- known by their names
    def _call(self, call: ir.Call) -> bool:
        name = dotted(call.callee)
        if call.args:
            first = call.args[0].value
            if BY_TEXT.match(name) and isinstance(first, ir.Literal):
                return self._is_model(self._named(call, str(first.value)))
            if BY_OBJECT.match(name) and len(call.args) > 1:
                return self._is_model(self._member(first, call.args[1].value))
            if BY_MODULE.match(name):
                return self._replaces_module(call, first)
        return self._answers_host(call) or any(self._is_offered(value) for value in self._values(call.callee))

    def _values(self, callee: ir.Expr) -> Values:
        return self._context.program.value_of(callee)

    def _is_offered(self, value: Value) -> bool:
        """Whether a library offers a callee as a stand-in, or a test's own class is one of the library's models."""
        packs = self._context.packs
        match value:
            case Api():
                rows = (*packs.marks(value.path), *packs.decorator_marks(value.path))
            case ClassValue() if _is_test(self._context, value.cls):
                bases = members.library_bases(self._context.program, value.cls)
                rows = tuple(row for base in bases for row in packs.subclass_marks(base.path))
            case _:
                return False
        return any(row.covers == "model_double" for row in rows)

    def _answers_host(self, call: ir.Call) -> bool:
        """`nock("https://api.openai.com")`: requests to a model's host are answered by the test."""
        if not STUBS.match(dotted(call.callee).partition(".")[0]):
            return False
        texts = (a.value.value for a in call.args if isinstance(a.value, ir.Literal))
        return any(isinstance(text, str) and HOSTS.search(text) for text in texts)

    def _stored(self, node: ir.Assign) -> bool:
        """`agent.client = Fake()`: an attribute that holds a model's client is overwritten from outside."""
        target = node.target
        if not isinstance(target, ir.Member) or (isinstance(target.target, ir.Name) and target.target.id == "self"):
            return False
        return self._is_model(self._values_before(target))

    def _values_before(self, target: ir.Member) -> Values:
        """What a member is in the application's own code: what the test stores there is left out."""
        program = self._context.program
        found: list[Value] = []
        for owner in program.value_of(target.target):
            if isinstance(owner, Instance):
                found.extend(members.member(program, owner, target.name, target))
        return tuple(found)

    def _named(self, call: ir.Call, text: str) -> Values:
        """What a dotted text such as `app.agent.client` means: the longest prefix that is a module, then members."""
        parts = text.split(".")
        path = call.span.path
        language = self._context.program.module_of(call).language
        for length in range(len(parts) - 1, 0, -1):
            for target in self._specifiers.resolve(path, language, ".".join(parts[:length]), 0, whole=True):
                module = self._context.program.table.get(target.path) if isinstance(target, InProject) else None
                if module is not None:
                    return self._inside(module, parts[length:], call)
        return (Api(f"py:{text}", call),)

    def _inside(self, module: ir.Module, names: list[str], node: ir.Expr) -> Values:
        program = self._context.program
        values: Values = (ModuleValue(module),)
        for name in names:
            values = tuple(v for value in values for v in members.member(program, value, name, node))
        return values

    def _member(self, target: ir.Expr, name: ir.Expr) -> Values:
        program = self._context.program
        names = [v.value for v in program.value_of(name) if isinstance(v, Const) and isinstance(v.value, str)]
        return tuple(
            found
            for text in names
            for v in program.value_of(target)
            for found in members.member(program, v, text, name)
        )

    def _replaces_module(self, call: ir.Call, specifier: ir.Expr) -> bool:
        program = self._context.program
        texts = [v.value for v in program.value_of(specifier) if isinstance(v, Const) and isinstance(v.value, str)]
        for text in texts:
            language = program.module_of(call).language
            for target in self._specifiers.resolve(call.span.path, language, text, whole=True):
                if isinstance(target, Outside) and self._is_model((Api(target.path, call),)):
                    return True
                module = program.table.get(target.path) if isinstance(target, InProject) else None
                if module is not None and self._asks_only(module.index.functions):
                    return True
        return False

    # -------------------------------------------------------------------------------------------------- what is a model
    def _is_model(self, values: Values) -> bool:
        return any(self._is_one(value) for value in values)

    def _is_one(self, value: Value) -> bool:
        match value:
            case Api():
                return self._is_model_path(value.path)
            case Func():
                return self._asks_only((value.function,))
            case ClassValue() | Instance():
                return self._asks_only(_methods(value.cls))
            case _:
                return False

    def _asks_only(self, functions: Iterable[ir.Function]) -> bool:
        """Whether these ask a model and run no agent: what the application reaches its model through."""
        found = tuple(functions)
        return any(self._runs.asks(f) for f in found) and not any(self._runs.inside(f) for f in found)

    def _is_model_path(self, path: str) -> bool:
        canonical = self._context.packs.canonical(path)
        if self._context.packs.package_of(canonical) in self._model_packages:
            return True
        starts = (f"{canonical}(", f"{canonical}.")
        return canonical in self._model_paths or any(known.startswith(starts) for known in self._model_paths)

    # ------------------------------------------------------------------------------------------- known by their members
    def _looks_like_one(self, node: ir.Node) -> bool:
        match node:
            case ir.Call():
                return self._makes_fake(node) or any(self._is_part(a.keyword, a.value) for a in node.args)
            case ir.Map():
                return any(
                    isinstance(e.key, ir.Literal) and self._is_part(str(e.key.value), e.value) for e in node.entries
                )
            case ir.Assign():
                return self._is_chain(dotted(node.target))
            case ir.Member():
                return node.name.startswith("mock") and self._is_chain(dotted(node))
            case _:
                return False

    def _makes_fake(self, call: ir.Call) -> bool:
        values = self._context.program.value_of(call.callee)
        return any(isinstance(value, ClassValue) and str(value.cls.span) in self._fakes for value in values)

    def _is_part(self, key: str | None, value: ir.Expr) -> bool:
        """`completions: { create: … }`: the last two members of a model call, built by hand."""
        ends = {last for before, last in self._chains if before == key}
        if not ends:
            return False
        if isinstance(value, ir.Map):
            return any(isinstance(e.key, ir.Literal) and e.key.value in ends for e in value.entries)
        if isinstance(value, ir.Call) and any(a.keyword in ends for a in value.args):
            return True
        made = (v.cls for v in self._context.program.value_of(value) if isinstance(v, Instance))
        return any(_is_test(self._context, cls) and ends & {m.name for m in _methods(cls)} for cls in made)

    def _is_chain(self, text: str) -> bool:
        """`client.messages.create.return_value`."""
        bare = CONFIGURED.sub("", text.replace("()", ""))
        configured = bare != text.replace("()", "")
        return configured and tuple(bare.split(".")[-2:]) in self._chains

    def _asking_methods(self) -> frozenset[str]:
        """The methods of the application's own model classes."""
        program = self._context.program
        classes: dict[str, ir.Class] = {}
        for match in self._context.of_kind("model_call"):
            scope = program.scope_of(match.node)
            outer = scope.outer if isinstance(scope, ir.Function) else None
            if isinstance(outer, ir.Class) and not _is_test(self._context, outer):
                classes[str(outer.span)] = outer
        methods = (method for cls in classes.values() for method in _methods(cls) if not method.name.startswith("__"))
        return frozenset(method.name for method in methods if self._asks_only((method,)))

    def _is_fake(self, cls: ir.Class) -> bool:
        own = [method for method in _methods(cls) if method.name in self._methods]
        return bool(own) and not any(self._runs.asks(method) for method in own)


def _methods(cls: ir.Class) -> Iterator[ir.Function]:
    return (node for node in cls.body if isinstance(node, ir.Function))


def _is_test(context: Context, cls: ir.Class) -> bool:
    return context.program.module_of(cls).role is Role.TEST


def _model_paths(context: Context) -> frozenset[str]:
    """The canonical paths of model calls and clients."""
    rows = (row for source in context.packs.sources for row in source.entities if row.kind in MODEL_KINDS)
    return frozenset(context.packs.canonical(path) for row in rows for path in (*row.call, *row.subclass))


def _model_packages(context: Context) -> frozenset[tuple[str, str]]:
    """The packages that are a model's client and no agent framework: everything in them stands for the model."""
    found: set[tuple[str, str]] = set()
    for source in context.packs.sources:
        kinds = {row.kind for row in source.entities}
        if "model_call" in kinds and not kinds & AGENT_KINDS:
            found.update((p.ecosystem, p.name) for p in source.pack.packages if p.ecosystem != "runtime")
    return frozenset(found)
