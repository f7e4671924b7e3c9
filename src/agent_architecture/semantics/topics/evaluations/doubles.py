"""Stand-ins for a model in tests: what a library offers for it, patches of a model or its client, hand-written fakes.

What is replaced must be the model, or what the application asks it through; a test that replaces the agent itself, a
tool or a database says nothing. Must not know which test is worth what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.names import members
from agent_architecture.names.classes import methods_written
from agent_architecture.names.values import Api, ClassValue, Func, Instance, ModuleValue, Value, Values
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.evaluations.patches import replaced
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.evaluations.runs import AgentRuns, Code
    from agent_architecture.sources.source import Span

STUBS: Final = regex(
    r"^(?:nock|respx\w*|responses|httpx_mock|requests_mock|rest|http|aioresponses|httpretty|fetchMock)$"
)
"""What libraries and fixtures that answer HTTP requests in tests are called."""
HOSTS: Final = regex(
    r"(?:api\.openai|api\.anthropic|generativelanguage\.googleapis|aiplatform\.googleapis|openai\.azure|api\.mistral|"
    r"api\.groq|api\.cohere|openrouter|api\.deepseek|api\.x)\.(?:com|ai)"
)
"""Where models answer."""

MODEL_KINDS: Final = frozenset({"model_call", "model_client"})
AGENT_KINDS: Final = frozenset({"agent", "graph"})
CONFIGURED: Final = regex(r"(?:\.(?:return_value|side_effect|mock\w*))+(?:\(\))?$")
"""What follows the member of a mock object that is told what to answer."""


class Double(NamedTuple):
    """A stand-in, and how surely it is one."""

    span: Span
    confidence: Confidence


class Doubles:
    """Answers what stands in for a model among the nodes that a test executes."""

    def __init__(self, context: Context, runs: AgentRuns, tests: Iterable[ir.Module]) -> None:
        self._context = context
        self._runs = runs
        self._model_paths = _model_paths(context)
        self._model_packages, self._agent_packages = _packages(context)
        self._chains = frozenset(tuple(path.split(".")[-2:]) for path in self._model_paths if path.count(".") > 1)
        self._ends = _last_names(self._chains)
        self._seen: dict[int, tuple[Code, tuple[Double, ...]]] = {}
        self._methods = self._asking_methods()
        self._fakes = {str(cls.span) for module in tests for cls in module.index.classes if self._is_fake(cls)}

    def first(self, code: Iterable[Code], *, runs_agent: bool) -> Double | None:
        """The first stand-in by position.

        Hand-written fakes are known by the names of their methods alone, so they count only where the agent runs.
        """
        found = [double for nodes in code for double in self._inside(nodes)]
        known = [double for double in found if runs_agent or double.confidence is Confidence.HIGH]
        return min(known, key=lambda double: (double.confidence is not Confidence.HIGH, double.span), default=None)

    def _inside(self, nodes: Code) -> tuple[Double, ...]:
        """Those in a stretch of code, remembered: the tests of a file share their helpers."""
        known = self._seen.get(id(nodes))
        if known is None:
            found = tuple(double for node in nodes if (double := self._judged(node)) is not None)
            known = self._seen[id(nodes)] = nodes, found
        return known[1]

    def _judged(self, node: ir.Node) -> Double | None:
        if self._is_sure(node):
            return Double(node.span, Confidence.HIGH)
        return Double(node.span, Confidence.MEDIUM) if self._looks_like_one(node) else None

    # --------------------------------------------------------------------------------------------- known by their names
    def hides_agent(self, nodes: Iterable[ir.Node]) -> bool:
        """Whether nodes replace the agent itself, or the library that runs it."""
        return any(self._is_agent(value) for node in nodes for value in replaced(self._context, node))

    def _is_sure(self, node: ir.Node) -> bool:
        if any(self._is_model(value) for value in replaced(self._context, node)):
            return True
        if isinstance(node, ir.Member):
            return dotted(node).startswith("pytest.mark.") and any(map(self._is_offered, self._values(node)))
        if not isinstance(node, ir.Call):
            return False
        return self._answers_host(node) or any(map(self._is_offered, self._values(node.callee)))

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

    # -------------------------------------------------------------------------------------------------- what is a model
    def _is_model(self, value: Value) -> bool:
        return self._is_model_path(value.path) if isinstance(value, Api) else self._asks_only(_functions(value))

    def _is_agent(self, value: Value) -> bool:
        if isinstance(value, Api):
            return self._context.packs.package_of(self._context.packs.canonical(value.path)) in self._agent_packages
        return any(self._runs.inside(function) for function in _functions(value))

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
        ends = self._ends.get(key or "")
        if not ends:
            return False
        if isinstance(value, ir.Map):
            return any(isinstance(e.key, ir.Literal) and e.key.value in ends for e in value.entries)
        if isinstance(value, ir.Call) and any(a.keyword in ends for a in value.args):
            return True
        made = (v.cls for v in self._context.program.value_of(value) if isinstance(v, Instance))
        return any(_is_test(self._context, cls) and ends & {m.name for m in methods_written(cls)} for cls in made)

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
        methods = (
            method for cls in classes.values() for method in methods_written(cls) if not method.name.startswith("__")
        )
        return frozenset(method.name for method in methods if self._asks_only((method,)))

    def _is_fake(self, cls: ir.Class) -> bool:
        own = [method for method in methods_written(cls) if method.name in self._methods]
        return bool(own) and not any(self._runs.asks(method) for method in own)


def _functions(value: Value) -> tuple[ir.Function, ...]:
    """The project's functions that replacing a value takes away."""
    match value:
        case Func():
            return (value.function,)
        case ClassValue() | Instance():
            return methods_written(value.cls)
        case ModuleValue():
            return value.module.index.functions
        case _:
            return ()


def _last_names(chains: Iterable[tuple[str, ...]]) -> Mapping[str, frozenset[str]]:
    """The last members of model calls by the member before: `completions` has `create`."""
    return {key: frozenset(last for before, last in chains if before == key) for key in {c[0] for c in chains}}


def _is_test(context: Context, cls: ir.Class) -> bool:
    return context.program.module_of(cls).role is Role.TEST


def _model_paths(context: Context) -> frozenset[str]:
    """The canonical paths of model calls and clients."""
    rows = (row for source in context.packs.sources for row in source.entities if row.kind in MODEL_KINDS)
    return frozenset(context.packs.canonical(path) for row in rows for path in (*row.call, *row.subclass))


Packages = frozenset[tuple[str, str]]


def _packages(context: Context) -> tuple[Packages, Packages]:
    """The packages that are a model's client alone, all of which stands for the model; and those that run agents.

    Agents that a service keeps for its client (OpenAI's assistants) run where the models do.
    """
    models: set[tuple[str, str]] = set()
    agents: set[tuple[str, str]] = set()
    for source in context.packs.sources:
        kinds = {row.kind for row in source.entities}
        names = {(p.ecosystem, p.name) for p in source.pack.packages if p.ecosystem != "runtime"}
        agentic = [row for row in source.entities if row.kind in AGENT_KINDS]
        kept = all(row.call and all("()." in path for path in row.call) for row in agentic)
        if agentic and not (kept and "model_call" in kinds):
            agents |= names
        elif "model_call" in kinds:
            models |= names
    return frozenset(models), frozenset(agents)
