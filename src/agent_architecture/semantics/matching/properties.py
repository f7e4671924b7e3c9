"""What rows say of a protocol's clients and agents, read at a call, in an object that is given to it, or in a document.

Gives settings, and lists and mappings with their entries. Knows no protocol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from agent_architecture.model.protocols import NO_PARTS, Part, Parts
from agent_architecture.model.settings import ABSENT, Origin, Setting, default, unknown, written
from agent_architecture.names.configuration_files import named_file
from agent_architecture.names.values import Api, Const, Entries, Items, Unknown, Value
from agent_architecture.names.whole_environment import environment_of
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.documents import at, first
from agent_architecture.semantics.matching.effective import effective, translated, written_values
from agent_architecture.semantics.matching.read import Read, at_call, to_setting, within
from agent_architecture.semantics.packs.addresses import Address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.settings import Scalar
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import DocumentRow

_REFERENCE: Final = regex(r"\$\{[^}]+\}")
"""A variable that the reader of a configuration file puts in (`${TOKEN}`, `${env:TOKEN}`, `${input:token}`)."""
_PLACE: Final = regex(
    r"^\$\{(?:workspaceFolder|workspaceRoot|CLAUDE_PLUGIN_ROOT|CLAUDE_PROJECT_DIR|extensionPath|__dirname)\}(?=$|[/\\])"
)
"""What hosts put in for the folder of the project, plugin or extension whose file it is (VS Code, Claude Code, Gemini
CLI, MCP bundles)."""

_NAME: Final = Address((("name",),))
_VALUE: Final = Address((("value",), ("default",)))

STARTED: Final = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
"""Files that a command can be told to run, in the folder that code puts before their names."""

_GIVEN: Final = ("py:", "npm:")
"""How a setting begins that is what a library gives."""


def related(context: Context, match: Match, relation: str) -> tuple[Value, ...]:
    """What a call is given for a relation of its row; nothing where the row has none."""
    address = match.row.relations.get(relation)
    if address is None:
        return ()
    return at_call(context.program, match.arguments, match.api.receiver, address).values


class Source(Protocol):
    """Where the properties of one entity stand."""

    def setting(self, name: str) -> Setting:
        """A property with one value."""
        ...

    def parts(self, name: str) -> Parts:
        """A property that is a list or a mapping."""
        ...


class AtCall(NamedTuple):
    """A call that a row matched, and one object that is given to it, whose own properties come first."""

    context: Context
    match: Match
    given: Value | None = None

    def setting(self, name: str) -> Setting:
        """What the object says, else what the call says or its library supplies; an unreadable object may say it."""
        read = self._given(name)
        said = translated(to_setting(self.context.program, read), self.match.row.values.get(name, {}))
        if said.is_known:
            return said
        other = effective(self.context, self.match, name)
        return said if other.origin is Origin.ABSENT else other

    def parts(self, name: str) -> Parts:
        """The same for a list or mapping."""
        values = self._given(name).values or written_values(self.context, self.match, name)
        if values:
            return parts_of(self.context.program, values)
        return Parts(effective(self.context, self.match, name).origin)

    def _given(self, name: str) -> Read:
        address = self.match.row.properties.get(name)
        if self.given is None or address is None:
            return Read()
        return within(self.context.program, self.given, address)


class InDocument(NamedTuple):
    """A place of a document that a row describes."""

    row: DocumentRow
    node: ir.Node
    key: ir.Literal | None = None

    def setting(self, name: str) -> Setting:
        """What is written there, or what the row says always holds."""
        if name == self.row.key and self.key is not None:
            return written(str(self.key.value), self.key.span)
        found = self._node(name)
        if found is not None:
            return translated(of_node(found), self.row.values.get(name, {}))
        if name in self.row.constants:
            return default(self.row.constants[name], self.row.where.pack)
        entries = self.row.defaults.get(name, ())
        return default(entries[-1].value, self.row.where.pack) if entries else ABSENT

    def parts(self, name: str) -> Parts:
        """The entries of a list or mapping that is written there."""
        found = self._node(name)
        return parts_of_node(found) if found is not None else NO_PARTS

    def _node(self, name: str) -> ir.Node | None:
        if name not in self.row.properties:
            return None
        address = self.row.properties[name]
        return self.node if () in address.alternatives else first(self.node, address)


class InObject(NamedTuple):
    """An object in code that holds what a document of this row holds."""

    program: Program
    row: DocumentRow
    value: Value

    def setting(self, name: str) -> Setting:
        """What the object says."""
        return translated(to_setting(self.program, self._read(name)), self.row.values.get(name, {}))

    def parts(self, name: str) -> Parts:
        """The entries of a list or mapping in it."""
        values = self._read(name).values
        return parts_of(self.program, values) if values else NO_PARTS

    def _read(self, name: str) -> Read:
        address = self.row.properties.get(name)
        return within(self.program, self.value, address) if address is not None else Read()


# ---------------------------------------------------------------------------------------------------------- in programs
def parts_of(program: Program, values: Values) -> Parts:
    """The entries of the lists and mappings among some values; what else they may be leaves them open."""
    values = tuple(value for value in values if not (isinstance(value, Const) and value.value is None))
    entries = [_unless_left_out(part, values) for value in values for part in _entries(program, value)]
    readable = any(not isinstance(value, Unknown) for value in values)
    everything = [found for value in values if (found := environment_of(program, value)) is not None]
    nodes = (*everything, *(getattr(value, "node", None) or value for value in values))
    return Parts(
        Origin.WRITTEN if readable or not values else Origin.UNKNOWN,
        tuple(entries),
        complete=all(_is_whole(value) for value in values),
        whole_environment=bool(everything),
        span=next((node.span for node in nodes if hasattr(node, "span")), None),
    )


def _unless_left_out(part: Part, values: Values) -> Part:
    """A part as one that is not always there, where some other mapping that this may be lacks it."""
    told = (value for value in values if isinstance(value, Entries))
    lacks = bool(part.name) and any(part.name not in dict(value.entries) for value in told)
    return part._replace(optional=part.optional or lacks)


def _entries(program: Program, value: Value) -> Iterable[Part]:
    match value:
        case Entries():
            return [
                Part(key, _value(program, expr), optional=_is_set_under_condition(program, value, expr))
                for key, expr in value.entries
            ]
        case Items():
            return [Part("", _value(program, expr)) for expr in value.items]
        case Api(node=ir.Call() as made):
            return [Part(a.keyword, _value(program, a.value)) for a in made.args if a.keyword is not None]
        case _:
            return ()


def _is_set_under_condition(program: Program, whole: Entries, expr: ir.Expr) -> bool:
    """Whether an entry is put into a mapping by a statement of its own that some test is around, and not around it:
    `if key: headers["Authorization"] = key`.
    """
    structure = program.structure(program.scope_of(expr))
    tests = structure.enclosing(expr, ir.If)
    return not whole.node.span.contains(expr.span) and any(
        not one.span.contains(whole.node.span) and not one.otherwise for one in tests
    )


def _is_whole(value: Value) -> bool:
    """Whether all that is in a value is known: every entry, every keyword of the call that makes it."""
    match value:
        case Entries() | Items():
            return value.complete
        case Api(node=ir.Call() as made):
            return bool(made.args) and all(argument.keyword is not None for argument in made.args)
        case _:
            return False


def _value(program: Program, expr: ir.Expr) -> Setting:
    setting = to_setting(program, Read(program.value_of(expr), missing=False))
    if setting.origin is Origin.UNKNOWN or str(setting.value).startswith(_GIVEN):
        file = named_file(program, expr, STARTED)
        if file is not None:
            return written(file, expr.span)
    return setting if last_name(str(setting.value))[:1].isupper() else readable(setting)


def readable(setting: Setting, *, names: bool = True) -> Setting:
    """A text that a library gives at run time is none that can be read. `names`: what it calls by a name is
    (`sys.executable`).
    """
    given = (v for v in setting.values if isinstance(v, str) and v.startswith(_GIVEN))
    hidden = next((v for v in given if not names or "()" in v or "[]" in v), None)
    return setting if hidden is None else unknown(f"{last_name(hidden)}, which is only given at run time", setting.span)


# --------------------------------------------------------------------------------------------------------- in documents
def of_node(node: ir.Node) -> Setting:
    """What a place of a document says; a text with a reference to a variable is only known to the host, unless that is
    the folder in which the file itself stands.
    """
    if not isinstance(node, ir.Literal):
        return written(_shape(node), node.span)
    if not isinstance(node.value, str):
        return written(_scalar(node), node.span)
    text = _PLACE.sub(".", node.value)
    if found := _REFERENCE.search(text):
        return unknown(f"the variable {found[0]}", node.span)
    return written(text, node.span)


def _scalar(node: ir.Literal) -> Scalar:
    return node.value if isinstance(node.value, (str, int, float, bool)) else None


def _shape(node: ir.Node) -> str:
    return f"a list of {len(node.items)}" if isinstance(node, ir.List) else "an object"


def _listed(item: ir.Node) -> Part:
    """An item of a list; one that is an object with a name, a value or both is the entry that it stands for."""
    name, value = first(item, _NAME), first(item, _VALUE)
    named = name.value if isinstance(name, ir.Literal) and isinstance(name.value, str) else ""
    return Part(named, of_node(item if value is None else value))


def parts_of_node(node: ir.Node) -> Parts:
    """The entries of a list or mapping of a document."""
    if isinstance(node, ir.Map):
        entries = [Part(str(e.key.value), of_node(e.value)) for e in node.entries if isinstance(e.key, ir.Literal)]
    else:
        entries = [_listed(item) for item in at(node, ("[]",))]
    return Parts(Origin.WRITTEN, tuple(entries), complete=isinstance(node, (ir.Map, ir.List)), span=node.span)
