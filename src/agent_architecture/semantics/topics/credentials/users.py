"""Which tools use what a credential was read into, and what these tools can do.

Follows names: of the function that reads it, of what is made with it in a module, of the attribute that keeps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.credentials import CredentialSource
from agent_architecture.model.effects import CHANGING
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.import_targets import InProject
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.credentials.reads import reads
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.credentials.reads import Read
    from agent_architecture.sources.source import Span


ENDING: Final = ".commit"
OWN: Final = frozenset({"self", "cls", "this"})
OF_ITS_OWN: Final = frozenset({CredentialSource.ENVIRONMENT, CredentialSource.STORE})
"""What is read where it is used."""
MODELS: Final = ("model_client", "model_call", "agent", "run")


def working_with(function: ir.Scope) -> Iterator[ir.Function]:
    """A function, and for a constructor the methods that work with what it makes."""
    if not isinstance(function, ir.Function):
        return
    yield function
    cls = function.outer
    if function.name == CONSTRUCTOR and isinstance(cls, ir.Class):
        yield from (method for method in cls.body if isinstance(method, ir.Function))


class _Code(NamedTuple):
    tool: Tool
    functions: frozenset[int]
    names: Mapping[str, Sequence[ir.Name]]
    """Where it speaks of what."""
    parts: frozenset[str]
    """The parts that it asks other objects for: `settings.key`."""


class _Reading(NamedTuple):
    name: str
    working: tuple[ir.Function, ...]
    """The function that reads it, and what works with what it makes."""


class Users:
    """Answers for each read which tools use it."""

    def __init__(self, context: Context, agents: Agents) -> None:
        self._context = context
        self._agents = agents
        self._known: tuple[_Code, ...] | None = None
        self._reads: tuple[_Reading, ...] | None = None
        self._runs: dict[int, frozenset[int]] = {}

    def of(self, read: Read) -> tuple[Tool, ...]:
        """The tools that use the authority of what is read: what they ask a model has none."""
        return () if self._is_a_models(read) else self.behind(read)

    def behind(self, read: Read) -> tuple[Tool, ...]:
        """The tools whose code reads it, or works with what a constructor makes of it, or speaks of what it was read
        into.
        """
        scope = read.scope
        if isinstance(scope, ir.Function):
            working = frozenset(map(id, working_with(scope)))
            return tuple(code.tool for code in self._codes() if not working.isdisjoint(code.functions))
        if isinstance(scope, ir.Class):
            asked = self.named(read) or frozenset({read.credential.symbol})
            return tuple(code.tool for code in self._codes() if asked & code.parts)
        path = read.credential.span.path
        held = [(name, path) for name in self._held(read)]
        spoken_of = (*held, *self._made_of(self._keys(read), self._context.program.module_of(scope)))
        return tuple(code.tool for code in self._codes() if any(self._speaks(code, *each) for each in spoken_of))

    def change(self, read: Read, tool: Tool) -> bool:
        """Whether a tool may change something with the authority of what is read: a request that a function makes
        which reads a credential of its own goes under that one.
        """
        return _changed(tool, self._apart(read))

    def _apart(self, read: Read) -> tuple[Span, ...]:
        """The functions that read another credential, and neither work with this one nor run what does."""
        if not isinstance(read.scope, ir.Function):
            return ()
        own = {id(each) for one in self._all_reads() for each in one.working if one.name == read.credential.symbol}
        others = {id(each): each for one in self._all_reads() for each in one.working if id(each) not in own}
        return tuple(each.span for each in others.values() if own.isdisjoint(self._run_by(each)))

    def _run_by(self, function: ir.Function) -> frozenset[int]:
        if id(function) not in self._runs:
            inside = extent(self._context.program, function.body, ())
            self._runs[id(function)] = frozenset(id(inner) for inner, _ in inside.called)
        return self._runs[id(function)]

    def _all_reads(self) -> tuple[_Reading, ...]:
        if self._reads is None:
            every = self._context.once(reads)
            asked = (one for one in every if one.credential.source in OF_ITS_OWN)
            self._reads = tuple(_Reading(one.credential.symbol, tuple(working_with(one.scope))) for one in asked)
        return self._reads

    def _keys(self, read: Read) -> frozenset[str]:
        """The keys of a mapping under which what is read is kept, which is given to nobody there:
        `module.exports = { key: process.env.KEY }`.
        """
        around = tuple(self._context.program.structure(read.scope).ancestors(read.node))
        entries = (entry for each in around if isinstance(each, ir.Map) for entry in each.entries)
        kept = (e for e in entries if isinstance(e.key, ir.Literal) and e.value.span.contains(read.node.span))
        is_given = any(isinstance(each, ir.Call) for each in around)
        return frozenset() if is_given else frozenset(str(e.key.value) for e in kept if isinstance(e.key, ir.Literal))

    def _made_of(self, parts: frozenset[str], settings: ir.Module) -> Iterator[tuple[str, str]]:
        """What files that import settings make of a part of them as they are loaded, by name and file:
        `client = Client(auth=config.key)`.
        """
        program = self._context.program
        targets = program.exports.specifiers.targets
        for module in program.modules if parts else ():
            every = (each for _, imp in module.index.imports for each in targets(module, imp))
            if any(isinstance(each, InProject) and each.path == settings.path for each in every):
                for node in program.structure(module).nodes:
                    if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call) and _asks(node.value, parts):
                        yield callee_name(node.target), module.path

    def _speaks(self, code: _Code, name: str, path: str) -> bool:
        """Whether code speaks of a name of a module: in the module's own file, or where another file imports it; what
        others call by the same name is theirs.
        """
        for node in code.names.get(name, ()):
            seen = self._context.program.in_sight(node)
            bindings = () if seen is None else seen.bindings
            if seen is not None and node.span.path == path and isinstance(seen.owner, ir.Module):
                return True
            if node.span.path != path and any(binding.kind == "import" for binding in bindings):
                return True
        return False

    def named(self, read: Read) -> frozenset[str]:
        """The names that what is read is assigned to where it is read."""
        structure = self._context.program.structure(read.scope)
        assigned = (around for around in structure.ancestors(read.node) if isinstance(around, ir.Assign))
        return frozenset({callee_name(assign.target) for assign in assigned} - {""})

    def _is_a_models(self, read: Read) -> bool:
        """Whether it goes to a client of models: what tools ask a model has no authority."""
        structure = self._context.program.structure(read.scope)
        names = {
            name for a in structure.ancestors(read.node) if isinstance(a, ir.Assign) and (name := callee_name(a.target))
        }
        taking = [call for call in structure.calls if self._context.at(call, *MODELS) is not None]
        return any(
            node is read.node or (isinstance(node, ir.Name) and node.id in names)
            for call in taking
            for argument in call.args
            for node in ir.walk(argument.value)
        )

    def _held(self, read: Read) -> frozenset[str]:
        """The names of a module that hold what is read, or what is made with it."""
        structure = self._context.program.structure(read.scope)
        held = set(self.named(read))
        for made in structure.nodes if held else ():
            value = made.value if isinstance(made, ir.Assign) else None
            if isinstance(made, ir.Assign) and isinstance(value, (ir.Call, ir.Map, ir.Template)):
                parts = {node.id for node in ir.walk(value) if isinstance(node, ir.Name)}
                held |= {name for name in (callee_name(made.target),) if name and parts & held}
        return frozenset(held)

    def _codes(self) -> tuple[_Code, ...]:
        if self._known is None:
            program, found = self._context.program, []
            for tool in self._agents.all_tools():
                function = self._agents.code.get(id(tool))
                if function is not None:
                    found.append(_code(program, tool, function.body, function))
                else:
                    bodies = self._agents.facts.dispatch.bodies(tool.name, tool.span.path)
                    found += [_code(program, tool, body.statements) for body in bodies]
            self._known = tuple(found)
        return self._known


def _asks(call: ir.Call, parts: frozenset[str]) -> bool:
    return any(isinstance(each, ir.Member) and each.name in parts for each in ir.walk(call))


def _code(program: Program, tool: Tool, statements: Iterable[ir.Node], function: ir.Function | None = None) -> _Code:
    """The code that runs a tool: its own function, or the branch that is taken for it."""
    inside = extent(program, tuple(statements), set())
    names: dict[str, list[ir.Name]] = {}
    for node in inside.nodes():
        if isinstance(node, ir.Name):
            names.setdefault(node.id, []).append(node)
    own = {id(function)} if function is not None else set[int]()
    members = (node for node in inside.nodes() if isinstance(node, ir.Member) and node.name)
    parts = frozenset({node.name for node in members if dotted(node.target) not in OWN})
    return _Code(tool, frozenset(own | {id(inner) for inner, _ in inside.called}), names, parts)


def _changed(tool: Tool, spans: tuple[Span, ...]) -> bool:
    """Whether a tool changes something outside of its process, but for what it does in code that others' credentials
    are for, at `spans`. To end a transaction, as helpers do around every query, changes only what something else did.
    """
    changing = [effect for effect in tool.effects if effect.kind in CHANGING]
    done = [each for each in changing if not any(span.contains(each.span) for span in spans)]
    ends = all(effect.symbol.endswith(ENDING) for effect in done)
    asks = any(effect.kind == "database_read" for effect in tool.effects)
    return bool(done) and not (ends and asks)
