"""Who wrote a text that is remembered: a model, a person, or somebody whose text a tool brought in.

Says of each place where a text begins whose it is; knows nothing of checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.effects import Enforcement, ParameterKind
from agent_architecture.names import flow
from agent_architecture.records import NamedTuple
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.model.effects import Parameter
    from agent_architecture.model.system import Tool
    from agent_architecture.names.flow import Origin
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.sources import Source, Sources
    from agent_architecture.sources.source import Span

STORED: Final = frozenset({"memory"})
"""What only puts back what was there is nobody's new text."""
HANDED: Final = frozenset({
    "self", "cls", "config", "configuration", "settings", "options", "runtime", "store", "context", "ctx", "env",
    "logger", "client", "db", "session",
})  # fmt: skip
"""Parameters that hold no text of anybody."""


class Author(NamedTuple):
    """Whose text it is: a word of `vocabulary.ORIGINS`, "" for what nobody but the project writes."""

    origin: str
    span: Span
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
    ask: Match | None = None
    """The request that a model answered."""
    tool: Tool | None = None
    """The tool that a model called."""
    closed: bool = False
    """Whether it can hold no free text."""


class Authors:
    """Authors, found on demand."""

    def __init__(self, context: Context, agents: Agents, sources: Sources) -> None:
        self._context = context
        self._sources = sources
        self._asks = {id(match.node): match for match in context.of_kind("model_call", "run")}
        functions = agents.functions()
        self._tools = functions
        by_code: dict[int, Tool | None] = {
            id(function): tool for tool in agents.all_tools() if (function := agents.code.get(id(tool)))
        }
        by_place = {tool.span: tool for tool in agents.all_tools()}
        self._tool_of = {key: by_code.get(key) or by_place.get(f.name_span) for key, f in functions.items()} | by_code

    def of(self, origin: Origin) -> Iterator[Author]:
        """Whose text begins there; nobody's for what the project writes itself."""
        match origin.kind:
            case "call":
                yield from self._of_call(origin)
            case "parameter":
                yield from self._of_parameter(origin)
            case "name":
                yield from self._of_name(origin)
            case _:
                return

    def _of_call(self, origin: Origin) -> Iterator[Author]:
        ask = self._asks.get(id(origin.node))
        if ask is not None:
            yield Author("model", origin.node.span, origin.trail, ask=ask)
            return
        source = self._sources.of_call(origin.node) if isinstance(origin.node, ir.Call) else None
        if source is not None and source.origin not in STORED and not self._is_own_file(source):
            yield Author(source.origin, source.node.span, origin.trail, source.confidence)

    def _is_own_file(self, source: Source) -> bool:
        """Whether a file lies where the code says: in a folder of the project's operator."""
        if source.origin != "file" or not isinstance(source.node, ir.Call):
            return False
        asked = [argument.value for argument in source.node.args]
        asked += [source.node.callee.target] if isinstance(source.node.callee, ir.Member) else []
        origins = [origin for expr in asked for origin in flow.ends(self._context.program, expr)]
        given = [origin for origin in origins if origin.kind == "parameter"]
        return any(origin.kind == "constant" for origin in origins) and all(
            isinstance(origin.node, ir.Function)
            and id(origin.node) not in self._tools
            and self._context.program.callers(origin.node)
            for origin in given
        )

    def _of_parameter(self, origin: Origin) -> Iterator[Author]:
        function = origin.node
        if not isinstance(function, ir.Function) or origin.name in HANDED:
            return
        tool = self._tool_of.get(id(function))
        if id(function) in self._tools or tool is not None:
            shown = {p.name: p for p in tool.schema.parameters} if tool is not None else {}
            whole = origin.name == _of_all(function, shown)
            rest = any(p.name == origin.name and p.kind == "**" for p in function.params)
            given = tuple(shown.values()) if whole or rest else (shown[origin.name],) if origin.name in shown else ()
            asked = tool is not None and tool.schema.enforcement is not Enforcement.UNKNOWN
            if (shown or asked) and not given:
                return  # what the framework injects
            closed = bool(given) and all(map(_is_closed, given))
            yield Author("model", function.name_span, origin.trail, tool=tool, closed=closed)
            return
        declared = self._sources.declared(origin)
        if declared is not None:
            yield Author(declared.origin, declared.node.span, origin.trail, declared.confidence)
        elif not self._context.program.callers(function):
            yield Author("user", function.name_span, origin.trail, Confidence.MEDIUM)

    def _of_name(self, origin: Origin) -> Iterator[Author]:
        """A key of a graph's state that only the caller of the graph gives."""
        if not isinstance(origin.node, (ir.Member, ir.Index, ir.Call)):
            return
        declared = self._sources.declared(origin)
        word, confidence = (
            (declared.origin, declared.confidence) if declared is not None else ("user", Confidence.MEDIUM)
        )
        yield Author(word, origin.node.span, origin.trail, confidence)


def _of_all(function: ir.Function, shown: Mapping[str, Parameter]) -> str:
    """The parameter of a tool's function that is given all arguments in one: the first in JavaScript; in Python the
    last, where none is called as an argument is, and another one before it is what the library injects.
    """
    if not is_python(function.span.path):
        return function.params[0].name
    own = [param.name for param in function.params if not param.kind and param.name not in {"self", "cls"}]
    return own[-1] if shown and len(own) > 1 and not shown.keys() & set(own) else ""


def _is_closed(parameter: Parameter) -> bool:
    """Whether it admits no text of any content."""
    if parameter.kind is ParameterKind.FREE:
        return not parameter.text
    return parameter.kind in {ParameterKind.CLOSED, ParameterKind.BOUNDED}
