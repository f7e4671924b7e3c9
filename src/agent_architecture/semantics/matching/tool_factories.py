"""Tools that one call of a library makes for many: a helper that registers what it is given, a decorator of the project
that calls the library's, a loop over functions.

Each use of such code is a tool, with what it passes in the place of parameters and loop variables. Objects that
describe themselves are for `offered.wrapped`. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names import mutations
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Entries, Func, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.matching.substitutions import SELF, Filling, bound_by, filled, of_call, taken
from agent_architecture.semantics.matching.tool_identities import Identity, family_of, identity
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.patterns import Leaf
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.match import Match


DEPTH: Final = 5
"""Functions and loops around each other that hand on what they are given."""
MOST: Final = 1000
"""Places to which one decorator is followed that functions of the project return."""
EACH: Final = frozenset({"map", "forEach", "flatMap"})
"""Methods of lists that call a function with each of their elements."""
PAIRS: Final = frozenset({"items", "entries"})
VALUES: Final = frozenset({"values"})


Node: TypeAlias = "ir.Call | ir.Function | ir.Class | ir.Map | ir.Literal"
"""What a match can be made by."""


class Use(NamedTuple):
    """One use of the code around a library's call. `node` stands there for the tool, `given` is the function that a
    decorator is put above; `is_open` says that this is still to be found.
    """

    node: Node
    arguments: ir.Call | ir.Map | None
    given: ir.Expr | None = None
    runs: ir.Expr | None = None
    is_open: bool = False
    through: tuple[ir.Node, ...] = ()
    in_loop: bool = False
    item: ir.Expr | None = None
    """What a loop came to."""
    passed: tuple[ir.Function | ir.Loop | ir.Class, ...] = ()
    """What was gone out of: what still hangs on it is not told apart."""


class Apart:
    """The uses of the calls of one program; what decorates what is looked up once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._decorated: dict[int, ir.Function | ir.Class] | None = None

    def registered(self, match: Match) -> tuple[Match, ...]:
        """The match of a call as it is for each use of the code around it; itself where it says what it makes."""
        found = tuple(self._uses(match, Use(match.node, match.arguments), DEPTH))
        apart = tuple({id(one.node): one for one in reversed(found)}.values())[::-1]
        return apart if len(apart) > 1 or len(found) == len(apart) else (match,)

    def applied(self, match: Match, applied: ir.Call | None) -> tuple[Match, ...]:
        """The match of a decorator's call that stands above no definition: put to use by hand (`applied`), or returned
        to those who put it to use.
        """
        if applied is not None:
            use = Use(applied, match.arguments, applied.args[0].value)
            return tuple(self._uses(match, use, DEPTH))
        return tuple(self._uses(match, Use(match.node, match.arguments, is_open=True), DEPTH))

    # ---------------------------------------------------------------------------------------------------------- uses
    def _uses(self, match: Match, use: Use, depth: int) -> Iterator[Match]:
        if use.is_open:
            yield from self._put_to_use(match, use, depth)
            return
        hangs = identity(self.program, match.row, use.arguments, use.given)
        if use.runs is not None:
            hangs = identity(self.program, match.row, use.arguments, use.runs)
        elif hangs.runs is not None:
            use = use._replace(runs=hangs.runs)
        own = next((name for name in hangs.names if name.id == SELF), None)
        if own is not None and depth and not any(isinstance(one, ir.Class) for one in use.passed):
            yield from self._objects(match, use, own, depth)
            return
        owner = self._owner(hangs)
        if owner is None or not depth or owner in use.passed:
            yield from self._made(match, use)
        elif isinstance(owner, ir.Loop):
            yield from self._made(match, use) if hangs.of_parts else self._turns(match, use, owner, depth)
        elif hangs.of_parts and not self._is_told(owner, hangs):
            yield from self._made(match, use)
        else:
            yield from self._callers(match, use, owner, depth)

    def _owner(self, hangs: Identity) -> ir.Function | ir.Loop | None:
        """The innermost function or loop that the names hang on."""
        names = (name for name in hangs.names if name.id != SELF)
        owners = (b.node for name in names for b in bound_by(self.program, name, "parameter", "loop"))
        known = (owner for owner in owners if isinstance(owner, (ir.Function, ir.Loop)))
        return max(known, key=lambda owner: owner.span, default=None)

    def _objects(self, match: Match, use: Use, own: ir.Name, depth: int) -> Iterator[Match]:
        """One use for each class whose objects fill in what a method of their base uses."""
        for cls in family_of(self.program, own):
            made = self._filled(use, {(id(cls), SELF): cls}, cls)
            yield from self._uses(match, made._replace(node=cls, through=(*use.through, use.node)), depth - 1)

    def _is_told(self, function: ir.Function, hangs: Identity) -> bool:
        """Whether the callers of a function write down the object that the names stand for."""
        own = {name.id for name in hangs.names}
        params = [param for param in function.params if param.name in own]
        sites = [site for site in self.program.callers(function) if not site.escapes]
        given = [passed_argument(site, function, param) for site in sites for param in params]
        return bool(given) and all(isinstance(one, ir.Map) for one in given)

    def _turns(self, match: Match, use: Use, loop: ir.Loop, depth: int) -> Iterator[Match]:
        """One use for each element that a loop runs over."""
        turns = self.turns(loop)
        if turns is None:
            yield from self._made(match, use)
        for item, parts in turns or ():
            turn = self._filled(use, parts, loop)._replace(in_loop=True, item=item)
            yield from self._uses(match, turn, depth - 1)

    def _callers(self, match: Match, use: Use, function: ir.Function, depth: int) -> Iterator[Match]:
        """One use for each call of the function around it. What nobody in the project calls makes no tool of it."""
        sites = self.program.callers(function)
        for site in sites:
            if site.escapes:
                yield from self._run_over(match, use, function, site, depth)
                continue
            filling = {**of_call(function, site), **self._of_factory(function, site)}
            node: ir.Node = site.call.args[0].value if site.decorates else site.call
            if isinstance(node, (ir.Call, ir.Function, ir.Class)):
                made = self._filled(use, filling, function)
                yield from self._uses(match, made._replace(node=node, through=(*use.through, use.node)), depth - 1)
        made_for = tuple(self._handed_out(match, use, function, depth))
        yield from made_for
        if not sites and not made_for and _is_called_beside(self.program, function):
            yield from self._made(match, use)

    def _handed_out(self, match: Match, use: Use, function: ir.Function, depth: int) -> Iterator[Match]:
        """One use for each place to which a function gets that another one makes: `server.tool()(look_up)`, and what
        is returned further (`def titled(name): return server.tool(name=name)`).
        """
        program, outer = self.program, function.outer
        if not isinstance(outer, ir.Function) or not depth or not function.params:
            return
        given = (value for expr in program.structure(outer).returns for value in program.value_of(expr))
        if not any(isinstance(value, Func) and value.function is function for value in given):
            return
        queue = [(self._filled(use, of_call(outer, site), outer), site) for site in program.callers(outer)]
        for made, site in queue:
            if site.escapes or site.decorates:
                continue
            call, scope = self._handed_at(site, is_further=len(made.through) > len(use.through)), site.scope
            if call is not None:
                definition = call.args[0].value if isinstance(call.args[0].value, ir.Function) else None
                inner = self._filled(made, of_call(function, CallSite(call, scope)), function)
                yield from self._uses(match, inner._replace(node=definition or call), depth - 1)
            elif isinstance(scope, ir.Function) and len(queue) < MOST and _is_returned(program, scope, site.call):
                further = made._replace(through=(*made.through, site.call))
                queue += [(self._filled(further, of_call(scope, one), scope), one) for one in program.callers(scope)]

    def _handed_at(self, site: CallSite, *, is_further: bool) -> ir.Call | None:
        """The call of what a call returns, by hand or, where that was returned further, above a definition."""
        around = self.program.structure(site.scope).parent(site.call)
        if isinstance(around, ir.Call) and around.callee is site.call and around.args:
            return around
        definition = self._definitions().get(id(site.call)) if is_further else None
        return None if definition is None else self.program.decoration(definition, site.call, site.scope).call

    def _of_factory(self, function: ir.Function, site: CallSite) -> Filling:
        """What the call gives that made a decorator of the project: `@named("rooms")`."""
        outer, made = function.outer, site.call.callee
        if isinstance(outer, ir.Function) and isinstance(made, ir.Call) and outer in self.program.callees(made):
            return of_call(outer, CallSite(made, site.scope))
        return {}

    def _run_over(self, match: Match, use: Use, function: ir.Function, site: CallSite, depth: int) -> Iterator[Match]:
        """One use for each element of the list whose method runs the function; what nobody wrote is not told apart."""
        callee, params = site.call.callee, function.params
        if not isinstance(callee, ir.Member) or callee.name not in EACH or not params or params[0].kind:
            return
        items = self._elements(callee.target)
        if items is None:
            yield from self._made(match, use)
        for item in items or ():
            turn = self._filled(use, {(id(function), params[0].name): item}, function)
            yield from self._uses(match, turn._replace(in_loop=True), depth - 1)

    def _filled(self, use: Use, filling: Filling, owner: ir.Function | ir.Loop | ir.Class) -> Use:
        def put(expr: ir.Expr | None) -> ir.Expr | None:
            return None if expr is None else filled(self.program, expr, filling)

        arguments = put(use.arguments)
        kept = arguments if isinstance(arguments, (ir.Call, ir.Map)) else use.arguments
        return use._replace(arguments=kept, given=put(use.given), runs=put(use.runs), passed=(*use.passed, owner))

    def turns(self, loop: ir.Loop) -> tuple[tuple[ir.Expr, Filling], ...] | None:
        """What a loop comes to, with what then stands for its variables; None where that is not written."""
        items = self._elements(loop.source) if loop.source is not None else None
        if items is None or loop.target is None:
            return None
        places = tuple(leaf for leaf in leaves(loop.target) if isinstance(leaf.place, ir.Name))
        return tuple((item, self._parts(loop, places, item)) for item in items)

    def _parts(self, loop: ir.Loop, places: Iterable[Leaf], item: ir.Expr) -> Filling:
        found = ((leaf.place, taken(self.program, item, leaf.steps)) for leaf in places)
        return {(id(loop), name.id): value for name, value in found if isinstance(name, ir.Name) and value is not None}

    def _elements(self, source: ir.Expr) -> tuple[ir.Expr, ...] | None:
        """What a loop runs over, element by element; None where that is not written."""
        program = self.program
        if isinstance(source, ir.Call) and callee_name(source.callee) in PAIRS | VALUES:
            target = source.args[0].value if source.args else source.callee
            owner = target.target if isinstance(target, ir.Member) and not source.args else target
            tables = [one for one in program.value_of(owner) if isinstance(one, Entries)]
            if len(tables) == 1:
                pairs = tuple(self._pairs(tables[0]))
                if callee_name(source.callee) in VALUES:
                    return tuple(expr for _, expr in pairs)
                return tuple(program.made.pair(key, expr) for key, expr in pairs)
        lists = [one for one in program.value_of(source) if isinstance(one, Items)]
        return lists[0].items if len(lists) == 1 and (lists[0].items or lists[0].complete) else None

    def _pairs(self, table: Entries) -> Iterator[tuple[ir.Expr | None, ir.Expr]]:
        """The keys of a mapping with what stands under them, computed ones as they are written."""
        program = self.program
        shown = table.node.entries if isinstance(table.node, ir.Map) else ()
        keys = {id(entry.value): entry.key for entry in shown if isinstance(entry.key, ir.Literal)}
        yield from ((keys.get(id(expr)) or program.made.literal(expr, key), expr) for key, expr in table.entries)
        for change in self._changes(table) if table.others is not None else ():
            key, values = mutations.key_of(change), mutations.added(change)
            if key is not None and not isinstance(key, ir.Literal) and len(values) == 1:
                yield key, values[0]

    def _changes(self, table: Entries) -> tuple[mutations.Change, ...]:
        """What puts something into a mapping that a variable, a class or an object of the project holds."""
        program, scope = self.program, self.program.scope_of(table.node)
        around = program.structure(scope).parent(table.node)
        target = around.target if isinstance(around, ir.Assign) else None
        cls = scope if isinstance(scope, ir.Class) else enclosing_class(program, table.node)
        match target:
            case ir.Name(id=name) if isinstance(scope, ir.Class):
                return mutations.changes_of_attribute(program, scope, name)
            case ir.Name(id=name):
                return mutations.changes_of_name(program, scope, name)
            case ir.Member(target=ir.Name(id="self"), name=name) if cls is not None:
                return mutations.changes_of_attribute(program, cls, name)
            case _:
                return ()

    # ------------------------------------------------------------------------------------------------- decorators
    def _put_to_use(self, match: Match, use: Use, depth: int) -> Iterator[Match]:
        """The definitions that a decorator stands above which a function of the project returns."""
        if not isinstance(use.node, ir.Call) or not depth:
            return
        program, scope = self.program, self.program.scope_of(use.node)
        definition = self._definitions().get(id(use.node))
        around = program.structure(scope).parent(use.node)
        if definition is not None and use.through:
            yield from self._uses(match, use._replace(node=definition, given=definition, is_open=False), depth)
        elif isinstance(around, ir.Call) and around.callee is use.node and around.args:
            made = use._replace(node=around, given=around.args[0].value, is_open=False)
            yield from self._uses(match, made, depth) if use.through else ()
        elif isinstance(scope, ir.Function) and _is_returned(program, scope, use.node):
            for site in program.callers(scope):
                if not site.escapes and not site.decorates:
                    through = (*use.through, use.node)
                    made = self._filled(use, of_call(scope, site), scope)._replace(node=site.call, through=through)
                    yield from self._put_to_use(match, made, depth - 1)

    def _definitions(self) -> dict[int, ir.Function | ir.Class]:
        """The definitions below decorators, by the ids of these."""
        if self._decorated is None:
            definitions = (one for module in self.program.modules for one in module.index.functions)
            self._decorated = {id(expr): one for one in definitions for expr in one.parts.decorators}
        return self._decorated

    # ------------------------------------------------------------------------------------------------------- matches
    def _made(self, match: Match, use: Use) -> Iterator[Match]:
        """The match of one use: a function that is decorated is the tool, and so is one that a loop comes to."""
        runs = self._function(use.runs) if use.runs is not None else None
        if use.given is not None:
            for value in self.program.value_of(use.given) if not isinstance(use.given, ir.Function) else ():
                if isinstance(value, Func):
                    each = None if runs is not None else self._row(use, value.function)
                    node = each or runs or value.function
                    yield self._match(match, use, node, value.function if each is not None else None)
            if isinstance(use.given, ir.Function):
                yield self._match(match, use, use.given, None)
            return
        function = runs or (self._runs(match, use) if use.in_loop else None)
        if function is not None and use.in_loop and function.name:
            yield self._match(match, use, function, runs)
        elif (written := _name_in(use.item)) is not None:
            yield self._match(match, use, written, runs)
        else:
            yield self._match(match, use, use.item if isinstance(use.item, ir.Map) else use.node, runs)

    def _row(self, use: Use, function: ir.Function) -> ir.Map | None:
        """The row of a table that a function was made a tool for, where one function inside another is all of them."""
        if use.item is None or not isinstance(function.outer, ir.Function):
            return None
        values = self.program.value_of(use.item)
        rows = [value.node for value in values if isinstance(value, Entries) and isinstance(value.node, ir.Map)]
        return rows[0] if len(rows) == 1 and len(values) == 1 else None

    def _match(self, match: Match, use: Use, node: Node, runs: ir.Function | None) -> Match:
        through = (*use.through, use.node) if node is not use.node else use.through
        return match._replace(node=node, arguments=use.arguments, through=through, runs=runs or match.runs)

    def _runs(self, match: Match, use: Use) -> ir.Function | None:
        address = match.row.relations.get("function")
        if address is None:
            return None
        values = at_call(self.program, use.arguments, match.api.receiver, address).values
        return next((value.function for value in values if isinstance(value, Func)), None)

    def _function(self, expr: ir.Expr) -> ir.Function | None:
        if isinstance(expr, ir.Function):
            return expr
        found = [value.function for value in self.program.value_of(expr) if isinstance(value, Func)]
        return found[0] if len(found) == 1 else None


def _name_in(item: ir.Expr | None) -> ir.Literal | None:
    """The name of what a loop came to: a text alone, or the first text of a pair, row or entry of a table."""
    parts = item.items if isinstance(item, ir.List) else (item,)
    return next((one for one in parts if isinstance(one, ir.Literal) and isinstance(one.value, str)), None)


def _is_returned(program: Program, function: ir.Function, node: ir.Node) -> bool:
    return any(expr is node for expr in program.structure(function).returns)


def _is_called_beside(program: Program, function: ir.Function) -> bool:
    """Whether something of its name is called by code of the same kind: examples and tests are not the application."""
    own = program.table.file(function.span.path)
    files = (program.table.file(site.call.span.path) for site in program.calls(function.name))
    return any(file is not None and (own is None or file.role is own.role) for file in files)
