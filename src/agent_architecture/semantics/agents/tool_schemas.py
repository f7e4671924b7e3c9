"""The input of each tool: its parameters, what enforces them, and where an argument goes unchecked.

Joins what the packs say of a library with the schema that the project wrote and with the checks in the tool's own code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Effect, Enforcement, Parameter, ParameterKind, Schema
from agent_architecture.model.settings import Origin
from agent_architecture.names.mutations import filled
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Instance, Unknown, Value
from agent_architecture.semantics.agents.mcp_listed import HANDLER, Listed, said
from agent_architecture.semantics.agents.mcp_servers import SILENT, checks_input, hints_of, is_served, registered_nodes
from agent_architecture.semantics.agents.middleware_keys import further_keys_refused
from agent_architecture.semantics.agents.ready_made_tools import MODELS, SCHEMAS, is_told_in_text
from agent_architecture.semantics.agents.schema_sources import NO_INPUT, ONE_TEXT, UNREADABLE, Source
from agent_architecture.semantics.callgraph.tool_arguments import ALL, Body, of_function, taking
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.matching.wrappers import signed
from agent_architecture.semantics.schemas import json_schema, python_annotations, zod
from agent_architecture.semantics.schemas.shapes import FURTHER, TEXT, UNTYPED, Shape, structure, texts_of
from agent_architecture.semantics.taint import argument_checks
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agent_architecture.model.system import Annotations, Tool
    from agent_architecture.semantics.agents.dispatch import Dispatch
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.addresses import Address
    from agent_architecture.semantics.packs.rows import EntityRow
    from agent_architecture.semantics.taint.argument_checks import Checks
    from agent_architecture.sources.source import Span

A_TEXT: Final = "text"
"""How packs say that a tool without a schema takes one text."""
UNCHECKED_TEXT: Final = "unchecked text"
"""The same, where the library only checks what has a schema."""
CONVERTERS: Final = frozenset({"zodToJsonSchema", "toJSONSchema", "zodResponseFormat", "jsonSchema", "asSchema"})
"""Calls that turn a schema into a JSON Schema, which checks nothing by itself."""
FROM_MODEL: Final = frozenset({"model_json_schema", "schema"})
_PARAMETERS: Final = ("parameters", "input_schema", "inputSchema", "schema", "parametersJsonSchema")
"""Where the mappings of model APIs and MCP hold a tool's schema."""


class Schemas:
    """The schemas of tools, made on demand."""

    def __init__(self, context: Context, effects: Effects, dispatch: Dispatch) -> None:
        self._context = context
        self.program = context.program
        self._effects = effects
        self._dispatch = dispatch
        self._handed = registered_nodes(context)

    # ------------------------------------------------------------------------------------------------------- of tools
    def complete(
        self, tool: Tool, node: ir.Node, function: ir.Function | None, match: Match | None, giver: Match | None
    ) -> Tool:
        """The tool with its schema and annotations. `match` is the row that makes it, `giver` who is handed it."""
        if match is not None:
            schema = self.of_match(match, function)
            return tool._replace(schema=schema, annotations=self.hints(match))
        hints = SILENT if id(node) in self._handed else None
        schema = tool.schema if giver is None else self.of_value(tool, node, function, giver)
        return tool._replace(schema=schema, annotations=hints)

    def hints(self, match: Match) -> Annotations | None:
        """What a tool of a server says of itself, where its maker says it; None for a tool of no server."""
        return hints_of(self._context, match) if is_served(match, self._handed) else None

    def of_listed(self, tool: Tool, found: Listed, maker: Match | None) -> Tool:
        """A tool that a server's handler lists as an object, with its schema, annotations and effects; `maker` is the
        call that registers it, where one does.
        """
        bodies = self.bodies(tool.name, tool.span.path, found.function)
        schema = self.of_mapping(found.value, bodies, found.entries, maker)
        effects = {e for body in bodies for e in self._effects.among(body.statements, body.function)}
        ordered = tuple(sorted(effects, key=lambda effect: (effect.span, effect.kind)))
        return tool._replace(schema=schema, annotations=said(self.program, found.entries), effects=ordered)

    def of_value(self, tool: Tool, node: ir.Node, function: ir.Function | None, giver: Match) -> Schema:
        """The input of a tool that no row of a pack makes: something that `giver` is handed among its tools."""
        match node:
            case ir.Function():
                return self.of_function(node, giver)
            case ir.Class():
                return self._of_class(node, function)
            case ir.Map():
                values = (v for v in filled(self._context.program, node) if isinstance(v, Entries))
                bodies = self.bodies(tool.name, tool.span.path, function)
                return next((self.of_mapping(value, bodies) for value in values), Schema())
            case _:
                return Schema(has_local_input=False)

    def bodies(self, name: str, path: str, function: ir.Function | None = None) -> tuple[Body, ...]:
        """The code that runs the tool `name` of a file when a dispatcher picks it, checks for every tool included."""
        own = () if function is None else (of_function(function),)
        return (*own, *self._dispatch.bodies(name, path), *self._dispatch.general(name, path))

    def of_match(self, match: Match, function: ir.Function | None) -> Schema:
        """The input of a tool that a row of a pack describes; `function` runs it, if it is the project's."""
        if match.row.constants.get("name") == HANDLER:
            return Schema(enforcement=Enforcement.UNKNOWN)
        hosted = effective(self._context, match, "hosted")
        if hosted.value is True:
            return Schema(has_local_input=False)
        if not self._has_input(match, function):
            return Schema(has_local_input=False, library_checks=is_told_in_text(self._context.packs, match))
        source = self._written(match)
        if source is ONE_TEXT:
            taken = None if function is None else function.params[:1]
            source = NO_INPUT if taken == () else _named([(taken[0].name if taken else "input", TEXT, match.node.span)])
            source = source._replace(typed=match.row.constants["parameters"] != UNCHECKED_TEXT)
        if source is UNREADABLE:
            return Schema(enforcement=Enforcement.UNKNOWN)
        if source is None and function is not None:
            source = self._signature(function, match)
            return self.checked(source, self.library(match, source), _taking_them(source, function))
        if source is None:
            source = self.described(self._called_classes(match))  # what makes their objects is what is called
        enforcement = self.library(match, source)
        named = effective(self._context, match, "name").value
        if function is None and "function" not in match.row.relations and isinstance(named, str):
            return self.checked(source, enforcement, self.bodies(named, match.node.span.path))
        return self.checked(source, enforcement, () if function is None else (of_function(function),))

    def _called_classes(self, match: Match) -> tuple[ClassValue, ...]:
        """The class that a tool makes objects of: the decorated one, or the data class that a call is given."""
        if isinstance(match.node, ir.Class):
            return (ClassValue(match.node),) if match.row.decorator else ()
        address = match.row.relations.get("function")
        if address is None:
            return ()
        values = at_call(self._context.program, match.arguments, match.api.receiver, address).values
        classes = (value for value in values if isinstance(value, ClassValue))
        return tuple(one for one in classes if python_annotations.is_model(self._context.program, one.cls))

    def of_function(self, function: ir.Function, match: Match) -> Schema:
        """The input of a plain function among the tools of `match`: its library makes of it what it makes of others."""
        row = self._row_of_functions(match)
        source = self._signature(function, match if row is None else match._replace(row=row))
        validates = "" if row is None else str(row.constants["validates"])
        strict = row is not None and row.constants.get("strict") is True
        enforcement = _enforcement(source, validates, strict=strict)
        return self.checked(source, enforcement, _taking_them(source, function))

    def _row_of_functions(self, match: Match) -> EntityRow | None:
        """The first row by which the library of `match` makes tools of functions and says what it checks."""
        language = match.api.path.partition(":")[0]
        rows = (row for pack in self._context.packs.sources for row in pack.entities)
        return next(
            (
                row
                for row in rows
                if row.where.pack == match.row.where.pack
                and row.kind == "tool"
                and "validates" in row.constants
                and any(path.startswith(language) for path in (*row.call, *row.decorator))
            ),
            None,
        )

    def _of_class(self, cls: ir.Class, function: ir.Function | None) -> Schema:
        """The input of a class among a model's tools: a model describes it, and nothing enforces it; of any other kind
        of tool that a project makes up, it cannot be read.
        """
        if not python_annotations.is_model(self._context.program, cls):
            return Schema(enforcement=Enforcement.UNKNOWN)
        source = _source(python_annotations.of_class(self._context.program, cls), typed=False)
        return self.checked(source, Enforcement.NONE, self.bodies(cls.name, cls.span.path, function))

    def of_mapping(
        self,
        value: Entries,
        bodies: Iterable[Body] = (),
        entries: Mapping[str, ir.Expr] | None = None,
        maker: Match | None = None,
    ) -> Schema:
        """The input of a tool that is described by a mapping, as model APIs and MCP take it; `bodies` run it. `maker`
        is the library's call that makes the tool of it: it may check what it is called with.
        """
        entries = dict(value.entries) if entries is None else dict(entries)
        inner = self._mapping(entries.get("function"))
        if inner is not None:
            entries |= dict(inner.entries)
        given = next((entries[key] for key in _PARAMETERS if key in entries), None)
        if given is None:
            kinds = {str(v.value) for v in self._values(entries.get("type")) if isinstance(v, Const)}
            is_hosted = bool(kinds) and not kinds & {"function", "custom"}
            return Schema(has_local_input=False) if is_hosted else self.checked(NO_INPUT, Enforcement.NONE, bodies)
        source = self.described(self._context.program.value_of(given))
        strict = any(isinstance(v, Const) and v.value is True for v in self._values(entries.get("strict")))
        enforcement = _enforcement(source, "nothing", strict=strict) if maker is None else self.library(maker, source)
        return self.checked(source, enforcement, bodies)

    def _mapping(self, expr: ir.Expr | None) -> Entries | None:
        return next((v for v in self._values(expr) if isinstance(v, Entries)), None)

    def _values(self, expr: ir.Expr | None) -> tuple[Value, ...]:
        return () if expr is None else self._context.program.value_of(expr)

    # ----------------------------------------------------------------------------------------------------- in its code
    def checked(self, source: Source | None, enforcement: Enforcement, bodies: Iterable[Body]) -> Schema:
        """A schema, once the tool's own code has been asked what it refuses and what it uses unchecked."""
        if source is None or source is UNREADABLE:
            return Schema(enforcement=Enforcement.UNKNOWN)
        parameters, uses = source.shape.fields, list[Effect]()
        names = frozenset(parameter.name for parameter in parameters)
        for each in bodies:
            body = taking(each, names)
            done = argument_checks.checks(self._context, self._effects, body)
            parameters, enforcement = self._after(parameters, enforcement, done, closed=source.shape.closed)
            texts = frozenset(texts_of(parameters))
            if texts and ALL not in done.content:
                uses.extend(argument_checks.unsafe_uses(self._context, self._effects, body, texts))
        return Schema(parameters, enforcement, tuple(dict.fromkeys(uses)))

    def _after(
        self, parameters: tuple[Parameter, ...], enforcement: Enforcement, done: Checks, *, closed: bool
    ) -> tuple[tuple[Parameter, ...], Enforcement]:
        """Parameters and enforcement behind the checks of a tool's code."""
        put_through = self._put_through(parameters, done)
        if put_through is not None:
            return put_through.fields, Enforcement.CLOSED if put_through.closed else Enforcement.TYPES
        kept = tuple(_behind(parameter, done) for parameter in parameters)
        names = {p.name for p in parameters}
        if enforcement is Enforcement.NONE and names and (ALL in done.types or names <= done.types | done.content):
            enforcement = Enforcement.CLOSED if closed and ALL in done.types else Enforcement.TYPES
        return kept, enforcement

    def _put_through(self, parameters: tuple[Parameter, ...], done: Checks) -> Shape | None:
        """The schema through which the code puts all arguments, or the only one; None where it picks one of several."""
        alone = {parameters[0].name} if len(parameters) == 1 else set()
        put = [value for name, value in done.schemas if name in {ALL, FURTHER} | alone]
        shapes = [shape for value in put if (shape := self._typed(value)) is not None and shape.fields]
        is_picked = any(isinstance(value, Unknown) for value in put) or len({shape.fields for shape in shapes}) > 1
        return shapes[0] if shapes and not is_picked else None

    def _typed(self, value: Value) -> Shape | None:
        match value:
            case ClassValue(cls=cls) | Instance(cls=cls):
                return python_annotations.of_class(self._context.program, cls)
            case _:
                return zod.of_value(self._context.program, value) if zod.is_zod(value) else None

    # ------------------------------------------------------------------------------------------------------ as written
    def described(self, values: Iterable[Value]) -> Source | None:
        """The schema that values describe: the first that takes something, for no input on one way is none on all. None
        where none of them can be read.
        """
        values = tuple(values)
        found = [source for value in values if (source := self._described(value)) is not None]
        takes = (source for source in found if source is UNREADABLE or source.shape.fields)
        return next(takes, UNREADABLE if found and len(found) < len(values) else next(iter(found), None))

    def _described(self, value: Value) -> Source | None:
        program = self._context.program
        match value:
            case Const(value=None) | Const(value=ir.Undefined()):
                return NO_INPUT
            case ClassValue(cls=cls) | Instance(cls=cls, call=None):
                return _source(python_annotations.of_class(program, cls))
            case Entries() if json_schema.is_schema(value):
                if not json_schema.is_readable(program, value):
                    return None
                return _source(json_schema.of_schema(program, value), typed=False)
            case Entries():
                return self._by_key(value)
            case Api() if zod.is_zod(value) and _converter(value) is None:
                return _source(zod.of_value(program, value)) if zod.is_readable(program, value) else None
            case Api(node=ir.Call() as call) if call.args and _converter(value) is not None:
                found = self.described(program.value_of(call.args[0].value))
                return None if found is None else found._replace(typed=False)
            case Api(node=ir.Call(callee=ir.Member(name=name, target=target))) if name in FROM_MODEL:
                found = self.described(program.value_of(target))
                return None if found is None else found._replace(typed=False)
            case _:
                return None

    def _by_key(self, value: Entries) -> Source | None:
        """A mapping of names to schemas: zod's, JSON Schemas, or Python types."""
        program = self._context.program
        inner = [v for _, expr in value.entries for v in program.value_of(expr)]
        if not value.entries:
            return NO_INPUT if value.complete else UNREADABLE
        if any(str(key).startswith("$") for key, _ in value.entries):
            return UNREADABLE  # a part of a schema that is put together elsewhere
        if any(zod.is_zod(v) for v in inner):
            return _source(zod.of_shape(program, value))
        if any(isinstance(v, Entries) for v in inner):
            return _source(json_schema.of_properties(program, value), typed=False)
        shapes = [(k, python_annotations.of_annotation(program, e), e.span) for k, e in value.entries]
        return _named(shapes)

    def _written(self, match: Match) -> Source | None:
        """The schema at the row's address; None when nothing readable is there."""
        address = match.row.properties.get("parameters")
        takes_text = match.row.constants.get("parameters") in {A_TEXT, UNCHECKED_TEXT}
        if address is None:
            return ONE_TEXT if takes_text else None
        if isinstance(match.node, ir.Class):
            names = [str(steps[0]) for steps in address.alternatives if steps]
            attributes = self._context.program.attributes(match.node)
            values = [v for n in names for b in attributes.get(n, ()) if b.value for v in self._values(b.value)]
            if values or match.arguments is None:
                return self.described(values)
        values = list(at_call(self._context.program, match.arguments, match.api.receiver, address).values)
        if all(isinstance(value, Const) and value.value is None for value in values):  # nothing, or said to be nothing
            is_definition = isinstance(match.node, ir.Class) or match.row.decorator
            if takes_text:
                return ONE_TEXT
            return None if is_definition or _is_python(match.node) else NO_INPUT
        found = self.described(values) or UNREADABLE
        return self._converted(match, address) or found if found is UNREADABLE else found

    def _converted(self, match: Match, address: Address) -> Source | None:
        """The schema that a function of the project makes a library's of, one for each of its properties."""
        program = self._context.program
        for expr in expressions(program, match.arguments, address) if match.arguments is not None else ():
            if isinstance(expr, ir.Call) and program.callees(expr):
                read = (self.described(program.value_of(argument.value)) for argument in expr.args)
                for found in read:
                    if found is not None and found is not UNREADABLE:
                        return found._replace(typed=True)
        return None

    def _signature(self, function: ir.Function, match: Match) -> Source:
        shown = signed(self._context.program, function)
        if shown is None:
            return UNREADABLE
        function = shown
        if not _is_python(function):
            return _source(structure(UNTYPED.named(name, function.name_span) for name in _destructured(function)))
        found = python_annotations.of_function(self._context.program, function)
        refused = effective(self._context, match, "extra_arguments").value is False
        return _named(found, closed=refused and FURTHER not in {name for name, _, _ in found})

    # ------------------------------------------------------------------------------------------------- of the library
    def library(self, match: Match, source: Source | None) -> Enforcement:
        """What the library of a tool's row checks by itself."""
        strict = effective(self._context, match, "strict")
        if strict.origin is Origin.UNKNOWN:
            return Enforcement.UNKNOWN
        validates = effective(self._context, match, "validates").value
        if validates is None and "read_only" in match.row.properties:
            validates = SCHEMAS if checks_input(self._context) else "nothing"
        found = _enforcement(source, validates if isinstance(validates, str) else "", strict=strict.value is True)
        may_close = found is Enforcement.TYPES and "read_only" in match.row.properties
        return Enforcement.CLOSED if may_close and self._context.once(further_keys_refused) else found

    def _has_input(self, match: Match, function: ir.Function | None) -> bool:
        """Whether a tool takes what the project describes: a library's own tool does not."""
        del function
        return bool(match.row.properties.keys() & {"parameters", "read_only"}) or "validates" in match.row.constants


def _taking_them(source: Source, function: ir.Function) -> tuple[Body, ...]:
    """The code that takes the arguments of a signature; none where all its parameters are the library's own."""
    takes_none = source is not UNREADABLE and not source.shape.fields and _is_python(function)
    return () if takes_none else (of_function(function),)


def _enforcement(source: Source | None, validates: str, *, strict: bool) -> Enforcement:
    """What checks arguments: the provider for a strict schema, the library by what it validates, else nothing."""
    if source is None:
        return Enforcement.UNKNOWN
    closed = Enforcement.CLOSED if source.shape.closed else Enforcement.TYPES
    if strict:
        return Enforcement.CLOSED
    if validates == SCHEMAS or (validates == MODELS and source.typed):
        return closed
    return Enforcement.NONE if validates else Enforcement.UNKNOWN


def _behind(parameter: Parameter, done: Checks) -> Parameter:
    """A parameter after the checks of the code: one that is parsed inside holds anything."""
    names = {parameter.name, ALL}
    if done.content & names and parameter.kind in {ParameterKind.FREE, ParameterKind.UNTYPED}:
        words = parameter.text or parameter.kind is ParameterKind.UNTYPED
        return parameter._replace(kind=ParameterKind.BOUNDED, text=False, asked=True, words=words)
    if parameter.name in done.parsed and parameter.kind is ParameterKind.FREE:
        return parameter._replace(kind=ParameterKind.UNTYPED)
    return parameter


def _source(shape: Shape, *, typed: bool = True) -> Source:
    """A schema of the whole input; what is no object is one parameter without a name."""
    return Source(shape if shape.kind is ParameterKind.STRUCTURE else structure(()), typed)


def _named(found: Iterable[tuple[str, Shape, Span]], *, closed: bool = False) -> Source:
    return Source(structure((shape.named(name, span) for name, shape, span in found), closed=closed))


def _converter(value: Api) -> str | None:
    call = value.node
    name = callee_name(call.callee) if isinstance(call, ir.Call) else ""
    return name if name in CONVERTERS else None


def _is_python(node: ir.Node) -> bool:
    return is_python(node.span.path)


def _destructured(function: ir.Function) -> tuple[str, ...]:
    """The names that a JavaScript function takes from its first parameter: nothing says what they hold."""
    if not function.params:
        return ()
    pattern = function.params[0].pattern
    entries = pattern.entries if isinstance(pattern, ir.Map) else ()
    keys = tuple(str(entry.key.value) for entry in entries if isinstance(entry.key, ir.Literal))
    return keys or (function.params[0].name,)
