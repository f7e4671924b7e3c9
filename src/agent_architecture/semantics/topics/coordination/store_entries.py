"""Under whose name entries of a shared store are asked for and put: what the configuration of a run says, or a request.

A key of a run's configuration is the word of whoever writes it there: a line of the project, or, of a graph that a
platform runs, the client that starts the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.structure import Structure
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.topics.coordination.owner_keys import Keys
    from agent_architecture.sources.source import Span

CONFIGURED: Final = "configurable"
"""Where a run's configuration keeps what its caller sets."""
CONFIGURATION: Final = "RunnableConfig"
SIGNED_IN: Final = "langgraph_auth_"
"""What a platform puts there by itself, of whom it has asked for a proof."""
KEYED: Final = frozenset({"get", "aget", "put", "aput", "delete", "adelete"})
"""Calls whose second argument is a key inside the namespace."""
CODE: Final = (".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cjs")
NAMESPACE: Final = "namespace"
WAYS: Final = 40
NESTED: Final = 3


class Entries:
    """Answers for calls of stores."""

    def __init__(self, work: Work, keys: Keys, *, exported: bool) -> None:
        self._exported = exported
        self._context = work.context
        self._program = work.context.program
        self._keys = keys
        self._whose: dict[str, str | None] = {}
        self._at: dict[str, Span] = {}
        """Where the project takes a setting from a client."""

    def all(self) -> Iterator[Shared]:
        """Every call that asks or fills a store under a key that can be followed."""
        for match in self._context.of_kind("memory_read", "memory_write"):
            address = match.row.properties.get(NAMESPACE)
            if address is None or match.arguments is None or not isinstance(match.node, ir.Call):
                continue
            if "memory" not in match.row.relations:
                continue
            given = [*expressions(self._program, match.arguments, address)]
            if callee_name(match.node.callee) in KEYED and len(match.node.args) > 1:
                given.append(match.node.args[1].value)
            yield from self._of(match, match.node, given)

    def whole(self) -> Iterator[Shared]:
        """Settings of a run that a client sends as a whole: it names owners among them."""
        for site in self._program.calls(CONFIGURATION):
            for argument in site.call.args:
                if argument.keyword == CONFIGURED and not isinstance(argument.value, ir.Map):
                    whose = self._keys.chosen_by(argument.value)
                    if whose:
                        yield Shared(argument.value.span, CONFIGURED, "", Sharing.ENTRY, "its keys", chosen_by=whose)

    def _of(self, match: Match, node: ir.Call, given: list[ir.Expr]) -> Iterator[Shared]:
        for expr in given:
            for name in self._configured(expr):
                whose = self._set_by(name)
                if whose is not None:
                    span = self._at.get(name, node.span)
                    related = (node.span,) if span != node.span else ()
                    pack = match.row.where.pack
                    yield Shared(span, called(node), pack, Sharing.ENTRY, name, chosen_by=whose, related=related)
                    return

    # ------------------------------------------------------------------------------------------------- configurations
    def _configured(self, expr: ir.Expr) -> Iterator[str]:
        """The names of the settings of a run that an expression is taken from."""
        queue, seen = [expr], {id(expr)}
        for each in queue:  # grows
            name = self._setting(each)
            if name:
                yield name
                continue
            new = [inner for inner in self._behind(each) if id(inner) not in seen] if len(queue) < WAYS else []
            seen |= {id(inner) for inner in new}
            queue.extend(new)

    def _behind(self, expr: ir.Expr) -> Iterator[ir.Expr]:
        match expr:
            case ir.Name():
                for binding in visible_bindings(self._program, expr):
                    yield from self._handed(binding) if binding.value is None else (binding.value,)
            case ir.List(items=items) | ir.Template(parts=items) | ir.Operator(operands=items):
                yield from items
            case ir.Conditional(then=then, otherwise=otherwise):
                yield from (then, otherwise)
            case ir.Await(value=value):
                yield value
            case ir.Call(callee=ir.Name(id="str" | "String"), args=args):
                yield from (argument.value for argument in args)
            case _:
                return

    def _handed(self, binding: Binding) -> Iterator[ir.Expr]:
        """What the project's own calls give for a parameter."""
        function, parameter = binding.node, binding.extra
        if isinstance(function, ir.Function) and isinstance(parameter, ir.Parameter):
            given = (passed_argument(site, function, parameter) for site in self._program.callers(function))
            yield from (each for each in given if each is not None and not isinstance(each, Unknown))

    def _setting(self, expr: ir.Expr) -> str:
        """`user_id` of `config["configurable"]["user_id"]`, `config.configurable?.user_id`,
        `configurable.get("user_id")`; "" for anything else.
        """
        match expr:
            case _ if (read := part_read(expr)) is not None and self._is_configuration(read.mapping):
                return read.key
            case ir.Name():
                for binding in visible_bindings(self._program, expr):
                    if binding.steps and binding.value is not None and self._is_configuration(binding.value):
                        return binding.steps[-1]
                return ""
            case _:
                return ""

    def _is_configuration(self, expr: ir.Expr) -> bool:
        match expr:
            case _ if (read := part_read(expr)) is not None:
                return read.key == CONFIGURED
            case ir.Operator(operands=operands):
                return any(map(self._is_configuration, operands))
            case ir.Name():
                bound = (b.value for b in visible_bindings(self._program, expr) if not b.steps)
                kinds = (ir.Member, ir.Index, ir.Call, ir.Operator)
                return any(isinstance(value, kinds) and self._is_configuration(value) for value in bound)
            case _:
                return False

    # --------------------------------------------------------------------------------------------------- who sets it
    def _set_by(self, name: str, depth: int = NESTED) -> str | None:
        """Whose word a setting is: `client`, "" for the project's own, None where nobody can say."""
        if name.startswith(SIGNED_IN):
            return ""
        if name not in self._whose:
            self._whose[name] = None
            self._whose[name] = self._asked(name, depth)
        return self._whose[name]

    def _asked(self, name: str, depth: int) -> str | None:
        found: list[str | None] = []
        for value in self._written(name):
            nested = next(self._configured(value), "")
            if nested and nested != name:
                found.append(self._set_by(nested, depth - 1) if depth else None)
            elif not nested:
                found.append(self._keys.chosen_by(value))
                if found[-1]:
                    self._at.setdefault(name, self._taken(value))
        if not found:
            return "client" if self._exported else None
        return next((each for each in found if each), found[0])

    def _taken(self, value: ir.Expr) -> Span:
        bound = [b.value for b in visible_bindings(self._program, value)] if isinstance(value, ir.Name) else []
        return bound[0].span if len(bound) == 1 and bound[0] is not None else value.span

    def _written(self, name: str) -> Iterator[ir.Expr]:
        """What the project writes into configurations of runs under a name."""
        for file in self._program.table.files():
            is_own = file.role is Role.APP and file.path.endswith(CODE)
            said = is_own and CONFIGURED.encode() in file.data and name.encode() in file.data
            module = self._program.table.get(file.path) if said else None
            for scope in module.code if module is not None else ():
                structure = self._program.structure(scope)
                for node in structure.nodes:
                    if isinstance(node, ir.Map) and self._is_of_run(structure, node):
                        yield from (e.value for e in node.entries if _is_named(e, name))
                for store in structure.stores:
                    target = store.target
                    if (
                        store.value is not None
                        and isinstance(target, (ir.Index, ir.Member))
                        and (self._setting(target) == name)
                    ):
                        yield store.value

    def _is_of_run(self, structure: Structure, node: ir.Map) -> bool:
        """Whether a map is the settings of a run: it stands under that key, or what it is assigned to does or is called
        so.
        """
        match structure.parent(node):
            case ir.Map(entries=entries):
                return any(entry.value is node and _is_named(entry, CONFIGURED) for entry in entries)
            case ir.Call(args=args):
                return any(argument.value is node and argument.keyword == CONFIGURED for argument in args)
            case ir.Assign(target=ir.Name(id=name) | ir.Member(name=name)):
                maps = (each for each in structure.nodes if isinstance(each, ir.Map))
                put = (e.value for each in maps for e in each.entries if _is_named(e, CONFIGURED))
                return name == CONFIGURED or any(isinstance(each, ir.Name) and each.id == name for each in put)
            case _:
                return False


def _is_named(entry: ir.Entry, name: str) -> bool:
    return isinstance(entry.key, ir.Literal) and entry.key.value == name
