"""The rows of framework packs: what a library's calls mean, as frozen values.

A row states facts about a library; it never judges. Paths in rows are canonical (`Packs` applies aliases).
Knows paths and addresses by type; must not know TOML, nor how a call is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent_architecture.model.fix_places import Way
from agent_architecture.model.settings import Scalar
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.packs.addresses import Address, Steps


class Where(NamedTuple):
    """Where a row was written: pack id, kind of row, and its number among the rows of that kind, from 1."""

    pack: str
    kind: str
    number: int


class VersionedDefault(NamedTuple):
    """What a library uses when nobody writes the property.

    It holds for versions below `before` (None: all that no earlier entry covers) of `package`, an (ecosystem, package)
    pair (None: the package of the call's canonical path). `like` names a call path whose own default applies instead of
    `value`. `source` is `file:symbol` in the library.
    """

    before: str | None
    value: Scalar
    source: str
    package: tuple[str, str] | None = None
    like: str | None = None


class EntityRow(NamedTuple):
    """A call, decorator or subclass that makes an entity of `kind`.

    `method` is the method of a subclass that does the work. `properties` and `relations` say where each is read at the
    call (at a decorator: at its own call); `constants` are properties with a fixed value. `values` translates what is
    written to the vocabulary's words (`local` to `denylist`; keys are lower-case text). `when` names properties or
    relations of this row, or addresses, that must be present (written, or not readable; not None) for the row to hold,
    all of them; `unless` names those of which none may be present. So of two rows with the same name in `when` and in
    `unless` exactly one holds for a call (a model call with tools is a run, one without is not). `requires` are
    arguments that must have one of these constant values (`human_input` is True), all of them; `forbids` those that
    must not.

    With `each` the row speaks of the objects that the call names there (`agents.*`), and its addresses are keys of
    such an object. `text` are names by which a relation of this pack refers to the thing, instead of a call that makes
    it (`allowed_tools=["Bash"]`). What is decorated in a subclass of one of `outside` is something else. `file` is a
    package and a pattern of paths: the default export of such a file that imports the package is the thing, and its
    other variables stand for arguments. `typed` are types of a library: an object that is written as one of them
    (`const look: Action = {…}`) is the thing, and its keys are the arguments.
    """

    where: Where
    kind: str
    call: tuple[str, ...]
    decorator: tuple[str, ...]
    subclass: tuple[str, ...]
    method: str | None
    properties: Mapping[str, Address]
    constants: Mapping[str, Scalar]
    relations: Mapping[str, Address]
    values: Mapping[str, Mapping[str, Scalar]]
    defaults: Mapping[str, tuple[VersionedDefault, ...]]
    when: tuple[str, ...]
    unless: tuple[str, ...] = ()
    requires: tuple[tuple[Address, tuple[Scalar, ...]], ...] = ()
    forbids: tuple[tuple[Address, tuple[Scalar, ...]], ...] = ()
    each: Address | None = None
    text: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    file: str = ""
    typed: tuple[str, ...] = ()
    before: str = ""
    """The version of the package from which on it does nothing any more; "" where none does."""


class SettingRow(NamedTuple):
    """A call that sets properties or relations on its receiver."""

    where: Where
    call: tuple[str, ...]
    properties: Mapping[str, Address]
    relations: Mapping[str, Address]


class MarkRow(NamedTuple):
    """A call, context manager, decorator or base class with a mark of the vocabulary; it covers what it encloses.

    An `attribute` is a part of a library's object with the mark: `py:telegram:Message().from_user.id`.
    """

    where: Where
    covers: str
    call: tuple[str, ...]
    decorator: tuple[str, ...]
    subclass: tuple[str, ...]
    attribute: tuple[str, ...] = ()


class ThroughRow(NamedTuple):
    """A call whose result is, for the model's purposes, the value at `from_`.

    Where `from_` is the receiver (`self`), the call is also an alias of its receiver: `X().with_config()` is `X()` in
    `Packs.canonical`.
    """

    where: Where
    call: tuple[str, ...]
    from_: Address


class ObjectRow(NamedTuple):
    """A call that makes an object of a class: of its receiver's (`of` is `self`) or of the class that an argument is.

    It tells the name layer that the object is one of the project's own where the class is (`Model.model_validate(x)`).
    An `attribute` instead of a call holds an object of the type that argument number `of` of its owner's type names
    (`deps` of `RunContext[Deps]`).
    """

    where: Where
    call: tuple[str, ...]
    of: str
    attribute: tuple[str, ...] = ()


class CallbackRow(NamedTuple):
    """A call that runs a function that it is given, and hands it things of the library, by position.

    `hands` are their API paths: in `startActiveSpan("x", (span) => …)`, `span` is what `getActiveSpan()` gives.
    """

    where: Where
    call: tuple[str, ...]
    hands: tuple[str, ...]


class EffectRow(NamedTuple):
    """A call that does something to the world. `argument` is what a model could shape (None: nothing).

    `requires` are arguments that must have one of these constant values for the row to hold (`shell` is True, `mode` is
    `w` or `a`); all of them. Of several rows for one call, the first that holds counts. With `begins` the row is about
    the methods of `call` whose names begin with one of these words and of which no other row speaks, but for `others`.
    """

    where: Where
    effect: str
    call: tuple[str, ...]
    argument: Address | None
    requires: tuple[tuple[Address, tuple[Scalar, ...]], ...]
    looks: Address | None = None
    """A program for a page: where the project has written it and it only looks around, the row does not hold."""
    service: bool = False
    """Of an effect on the network: its client speaks to one service; the argument is no address."""
    procedure: Address | None = None
    """Of an effect on a database: the name of a procedure that is stored there, instead of a statement."""
    begins: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()

    def speaks_of(self, name: str) -> bool:
        """Whether a row about methods that begin alike is about this one."""
        return name.startswith(self.begins) and name not in self.others


class FlowRow(NamedTuple):
    """A source, sink or sanitizer of a flow of text.

    `name` is the origin of a source (`ORIGINS`), or the effect that a sink has or a sanitizer makes safe (`EFFECTS`).
    `argument` is the dangerous argument of a sink, the cleaned one of a sanitizer (None: a source; its result counts).
    """

    where: Where
    kind: str
    name: str
    call: tuple[str, ...]
    argument: Address | None


class Match(NamedTuple):
    """A property of a document that is true when a text at `at` matches one of `patterns` (globs with `*`)."""

    at: Address
    patterns: tuple[str, ...]


class DocumentRow(NamedTuple):
    """A configuration file that declares entities of `kind`.

    `glob` are alternatives for its path, matched against the end of it (`langgraph.json`, `.github/x/*.yml`). `each`
    are the places of the entities in the document (the empty address: the document itself is the entity); other
    addresses are relative to that place. `key` is the property that says the key under which the place stands.
    `values` translates what is written, as in an `EntityRow`. With `only`, places whose text there is none of these are
    no entities: a list holds things of many kinds.
    """

    where: Where
    glob: tuple[str, ...]
    kind: str
    each: tuple[Steps, ...]
    properties: Mapping[str, Address]
    constants: Mapping[str, Scalar]
    relations: Mapping[str, Address]
    matches: Mapping[str, Match]
    defaults: Mapping[str, tuple[VersionedDefault, ...]]
    values: Mapping[str, Mapping[str, Scalar]]
    key: str | None = None
    only: Match | None = None


class EnvironmentRow(NamedTuple):
    """A variable of the process's environment that says a property (`sets`) of something of `kind`; or an attribute of
    a library's module that does; or a command with which the process is started, which makes the property true.

    They are read wherever the project itself has them: in files of deployments, variables and attributes in code.
    `values` translates what is written, as in an `EntityRow`.
    """

    where: Where
    kind: str
    variables: tuple[str, ...]
    commands: tuple[str, ...]
    attributes: tuple[str, ...]
    sets: str
    constants: Mapping[str, Scalar]
    values: Mapping[str, Scalar]


class EditRow(NamedTuple):
    """How a program writes a fix: `way`, at what rows of the kinds `on` match, by these last names (none: by any).

    With a `property` the way goes where such a row reads that property. With `beside` it holds in a project alone that
    has something of that kind of the same library (what resumes a run that stops for a question).
    """

    on: tuple[str, ...]
    called: tuple[str, ...]
    property: str
    beside: str
    way: Way


class FixRow(NamedTuple):
    """The line of code that closes the gap of `detector` in this library. `ecosystem` is `pypi` or `npm`.

    `parts` are what of the control it brings, where that is not all. It holds for versions from `since` on and older
    than `before`, and where the project states none of the needs (`stated_needs`) that it goes `against`. `edit` says
    how a program writes it, where it can.
    """

    where: Where
    detector: str
    ecosystem: str
    text: str
    parts: tuple[str, ...] = ()
    since: str = ""
    before: str = ""
    against: tuple[str, ...] = ()
    edit: EditRow | None = None


class AliasRow(NamedTuple):
    """`names` are other spellings of `of`.

    `covers` is the mark of all calls that are written so: a library hands on another one's clients, and traces them.
    """

    where: Where
    of: str
    names: tuple[str, ...]
    covers: str | None = None


class Package(NamedTuple):
    """A published package (or, with ecosystem `runtime`, a language's own library).

    `modules` are the import names that belong to it; `verified` is the newest version that was read.
    """

    ecosystem: str
    name: str
    verified: str
    modules: tuple[str, ...]


class Pack(NamedTuple):
    """One TOML file. `words` are what the bytes of a file that uses it contain; `file` is for messages."""

    id: str
    file: str
    packages: tuple[Package, ...]
    words: tuple[str, ...]


class PackRows(NamedTuple):
    """Everything that one TOML file says."""

    pack: Pack
    entities: tuple[EntityRow, ...] = ()
    settings: tuple[SettingRow, ...] = ()
    marks: tuple[MarkRow, ...] = ()
    through: tuple[ThroughRow, ...] = ()
    objects: tuple[ObjectRow, ...] = ()
    callbacks: tuple[CallbackRow, ...] = ()
    effects: tuple[EffectRow, ...] = ()
    flows: tuple[FlowRow, ...] = ()
    documents: tuple[DocumentRow, ...] = ()
    environment: tuple[EnvironmentRow, ...] = ()
    fixes: tuple[FixRow, ...] = ()
    aliases: tuple[AliasRow, ...] = ()
