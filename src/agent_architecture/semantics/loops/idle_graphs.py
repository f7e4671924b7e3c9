"""Graphs whose steps can be read and come to no model.

Where every step only arranges data, a run is no agent's. Where steps read files, ask databases and other machines, a
run is one, but it has no model that spends or is to be recorded. In doubt a step comes to a model: a call that cannot
be followed, one of a library of which nothing is known, a word of models anywhere in the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.containers import OF_THE_LANGUAGES
from agent_architecture.names.log_calls import says
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Api, ClassValue, Func, Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.reach import EXTENT, extent
from agent_architecture.semantics.effects.calls import is_of_database, rows_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ARRANGING: Final = regex(
    r"py:builtins\.(?:abs|all|any|bool|dict|enumerate|float|format|frozenset|int|isinstance|len|list|max|min|print|"
    r"range|reversed|round|set|sorted|str|sum|tuple|zip)\b.*|"
    r"py:(?:copy|datetime|json|logging|math|random|re|string|textwrap|time|uuid)\..*|"
    r"npm:globalThis:(?:Array|Boolean|Date|JSON|Math|Number|Object|Set|String|console)\b.*"
)
"""Calls of the languages' own libraries that compute something or say it."""
OF_DATA: Final = frozenset({"copy", "get", "items", "keys", "values"})
"""Methods of a graph's state."""

STANDARD: Final = regex(
    r"py:(?:asyncio|base64|builtins|collections|contextlib|copy|csv|dataclasses|datetime|decimal|enum|functools|"
    r"hashlib|hmac|html|io|itertools|json|logging|math|operator|os|pathlib|random|re|secrets|statistics|string|"
    r"textwrap|threading|time|typing|unicodedata|urllib|uuid)\..*|"
    r"npm:globalThis:.*|npm:(?:node:)?(?:buffer|crypto|events|fs|os|path|timers|url|util)(?:/promises)?:.*"
)
"""The languages' own libraries, and what their calls give; what fetches says by its address whom it asks."""
METHODS: Final = OF_THE_LANGUAGES | {
    "abort", "arrayBuffer", "blob", "charAt", "charCodeAt", "endsWith", "find", "findIndex", "getDate", "getDay",
    "getFullYear", "getHours", "getMinutes", "getMonth", "getSeconds", "getTime", "json", "localeCompare", "match",
    "matchAll", "normalize", "padEnd", "padStart", "repeat", "replaceAll", "sort", "startsWith", "substring", "text",
    "toFixed", "toISOString", "toLocaleDateString", "toLocaleLowerCase", "toLocaleString", "toLocaleTimeString",
    "toLocaleUpperCase", "toLowerCase", "toUpperCase", "trimEnd", "trimStart",
}  # fmt: skip
"""Methods of the languages' own values, of whatever cannot be read."""
WORDS: Final = (
    "llm", "openai", "anthropic", "gemini", "claude", "gpt", "ollama", "mistral", "groq", "cohere", "bedrock", "vertex",
    "hugging", "transformers", "langchain", "completion", "generat", "prompt", "predict", "inference", "embed", "model",
    "invoke",
)  # fmt: skip
OF_MODELS: Final = regex(
    "|".join(spelled for word in WORDS for spelled in (word, word.capitalize(), word.upper()))
    + r"|(?<![A-Za-z])(?i:agent|chat|ask|answer|bot)(?![a-z])"
)
"""Words of who asks a model, or has somebody ask one."""
HANDED: Final = 3
"""Functions that hand on to each other what they were handed."""
FUNCTIONS: Final = 300
"""Functions of a graph that are looked through; one with more is not known to its end."""


def asks_no_model(context: Context, graphs: Graphs, agents: Collection[Match]) -> bool:
    """Whether each of the agents that a run may execute is a graph of steps that come to no model."""
    steps = [graphs.all_steps(agent) for agent in agents]
    return bool(steps) and all(found and comes_to_none(context, found) for found in steps)


def turns_without_model(context: Context, graphs: Graphs, agents: Collection[Match]) -> bool:
    """Whether each of these agents is a graph that comes back only to steps that come to no model."""
    steps = [graphs.round_steps(agent) for agent in agents]
    return bool(steps) and all(found and comes_to_none(context, found) for found in steps)


def comes_to_none(context: Context, steps: Iterable[ir.Function]) -> bool:
    """Whether all that these functions may run is known, and is no request to a model."""
    return _Ways(context, tuple(steps)).come_to_none()


class _Ways:
    """What some functions may run. A function that runs what it is handed runs what these ways hand to it: not what
    others do, who use it for something else.
    """

    def __init__(self, context: Context, steps: tuple[ir.Function, ...]) -> None:
        self._context = context
        self._program = context.program
        self._queue = list(steps)
        self._entries: dict[int, list[CallSite]] = {}
        """The calls on these ways, by the id of the function that they enter."""
        self._elsewhere = {id(step) for step in steps}
        """The functions that somebody else runs: what they are handed is not seen."""
        self._handed: list[tuple[ir.Call, ir.Function, ir.Parameter]] = []
        """The calls of what a function was handed."""

    def come_to_none(self) -> bool:
        seen = set[int]()
        while True:
            for step in self._queue:  # grows
                if id(step) not in seen:
                    seen.add(id(step))
                    if len(seen) > FUNCTIONS or not self._is_seen_through(step):
                        return False
            self._queue = [f for call in self._not_followed() for f in self._program.callees(call) if id(f) not in seen]
            if not self._queue:
                return True

    def _is_seen_through(self, step: ir.Function) -> bool:
        """Whether a function speaks of no model, and all its calls are known, whose functions are next."""
        structure = self._program.structure(step)
        nodes = structure.nodes
        logs = [node for node in nodes if isinstance(node, ir.Call) and says(node)]
        said = {id(node) for log in logs for given in log.args for node in ir.walk(given.value)}
        said |= {id(node) for node in nodes if isinstance(node, ir.Literal) and structure.parent(node) is None}
        if any(id(node) not in said and _speaks_of_models(node) for node in nodes):
            return False
        for node in nodes:
            if isinstance(node, ir.Call):
                if not _is_known(self._context, node):
                    return False
                self._enter(node)
        self._queue.extend(d for d in structure.definitions if isinstance(d, ir.Function))
        return True

    def _enter(self, call: ir.Call) -> None:
        given = [v.function for a in call.args for v in self._program.value_of(a.value) if isinstance(v, Func)]
        self._elsewhere.update(map(id, given))
        self._queue.extend(given)
        handed = list(_handed_in(self._program, call.callee))
        if handed:
            self._handed.extend((call, function, param) for function, param in handed)
            return
        site = CallSite(call, self._program.scope_of(call))
        for function in self._program.callees(call):
            self._entries.setdefault(id(function), []).append(site)
            self._queue.append(function)

    def _not_followed(self) -> Iterator[ir.Call]:
        """The calls of something that was handed in by whoever is not on these ways: any caller's may be meant."""
        for call, function, param in self._handed:
            if not self._is_from_here(function, param, HANDED):
                yield call

    def _is_from_here(self, function: ir.Function, param: ir.Parameter, depth: int) -> bool:
        """Whether each call that enters a function hands a function of the project over, which is looked at with it."""
        sites = self._entries.get(id(function), ())
        given = [passed_argument(site, function, param) for site in sites]
        return (
            bool(given)
            and id(function) not in self._elsewhere
            and all(one is not None and self._is_function(one, depth) for one in given)
        )

    def _is_function(self, expr: ir.Expr | Unknown, depth: int) -> bool:
        if isinstance(expr, Unknown):
            return False
        if depth and (handed := tuple(_handed_in(self._program, expr))):
            return all(self._is_from_here(function, param, depth - 1) for function, param in handed)
        values = self._program.value_of(expr)
        return bool(values) and all(isinstance(value, Func) for value in values)


def _handed_in(program: Program, callee: ir.Expr) -> Iterator[tuple[ir.Function, ir.Parameter]]:
    """The parameters that a name is, if it is nothing else."""
    bindings = visible_bindings(program, callee) if isinstance(callee, ir.Name) else ()
    found = [(b.node, b.extra) for b in bindings if not b.steps]
    known = [(f, p) for f, p in found if isinstance(f, ir.Function) and isinstance(p, ir.Parameter) and not p.kind]
    yield from known if len(known) == len(bindings) else ()


def _is_known(context: Context, call: ir.Call) -> bool:
    """Whether it is told whom a call runs: the project's own code, the language's, or a library's with an effect."""
    if any(context.all_at(call, kind) for kind in ("agent", "model_call", "run", "tool")):
        return False
    if rows_of(context, call) or any(True for _ in context.program.callees(call)):
        return True
    callee = call.callee
    if isinstance(callee, ir.Member) and callee.name in METHODS:
        return True
    values = context.program.value_of(callee)
    return bool(values) and all(_is_plain_value(context, value) for value in values)


def _is_plain_value(context: Context, value: Value) -> bool:
    if isinstance(value, Api):
        return STANDARD.fullmatch(value.path) is not None or is_of_database(context.packs, value.path)
    return isinstance(value, (Func, ClassValue))


def _speaks_of_models(node: ir.Node) -> bool:
    match node:
        case ir.Literal(value=str() as text) | ir.Member(name=text) | ir.Name(id=text):
            return OF_MODELS.search(text) is not None
        case _:
            return False


def is_idle(program: Program, graphs: Graphs, agents: Collection[Match]) -> bool:
    """Whether each of the agents that a run may execute is such a graph."""
    return bool(agents) and all(_only_arranges(program, graphs, agent) for agent in agents)


def _only_arranges(program: Program, graphs: Graphs, agent: Match) -> bool:
    steps = graphs.read_steps(agent)
    return bool(steps) and all(_is_plain(program, step) for step in steps)


def _is_plain(program: Program, step: ir.Function) -> bool:
    found = extent(program, step.body, ())
    calls = [node for node in found.nodes() if isinstance(node, ir.Call)]
    state = {parameter.name for parameter in step.params}
    return len(found.called) < EXTENT and all(_arranges(program, call, state) for call in calls)


def _arranges(program: Program, call: ir.Call, state: Collection[str]) -> bool:
    """Whether a call runs the project's own code, which is looked at by itself, or nothing but the language's."""
    if any(isinstance(v, Func) for given in call.args for v in program.value_of(given.value)):
        return False
    callee = call.callee
    if isinstance(callee, ir.Member) and callee.name in OF_DATA and isinstance(callee.target, ir.Name):
        return callee.target.id in state
    values = program.value_of(callee)
    return bool(values) and all(
        ARRANGING.fullmatch(value.path) is not None if isinstance(value, Api) else isinstance(value, Func)
        for value in values
    )
