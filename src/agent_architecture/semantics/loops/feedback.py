"""Whether the passes of a hand-written loop build on each other: what one pass leaves behind, the next one sends.

A place counts when the model is asked with it, when a pass changes it, and when it outlives the pass: the variables of
functions that a pass enters, and the objects that it makes, begin anew each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.exits import some_go_round
from agent_architecture.names.flow import ends
from agent_architecture.names.lookup import mentions, visible_bindings
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Const, Instance, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.loops.caches import only_keeps
from agent_architecture.semantics.loops.empty_changes import adds_constant, counts_on
from agent_architecture.semantics.loops.made_clients import sets_client
from agent_architecture.semantics.loops.portions import is_portion
from agent_architecture.semantics.loops.reset_per_pass import begins_anew
from agent_architecture.semantics.loops.unread_changes import kept_to_itself
from agent_architecture.semantics.loops.work_lists import goes_through
from agent_architecture.semantics.loops.workers import is_worker, notes_on_job
from agent_architecture.semantics.taint.access_paths import Place, changed, hands_back, owner_of, places_at, root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.loops.loop_path import Path
    from agent_architecture.semantics.matching.context import Context


HANDED_ON: Final = 4
"""Functions that what a loop runs over is handed through."""

COPYING: Final = frozenset({"deepcopy", "copy", "model_copy", "replace", "structuredClone", "cloneDeep"})
"""Calls that make an object like another one."""

STATING: Final = frozenset({"insert"})
"""Methods of lists by whose name a statement for a store begins, too."""

SETTING: Final = frozenset({"update", "add"})
"""Methods of dictionaries and sets, which put in what is there already, too."""


class _Change(NamedTuple):
    place: Place
    node: ir.Node
    function: ir.Function | None
    """The called function that does it; None for the loop itself."""


def feeds_back(context: Context, path: Path) -> bool:
    """Whether a pass changes a place that the model is asked with and that outlives the pass."""
    program = context.program
    if isinstance(path.node, ir.Function) and any(True for _ in answers_passed_on(program, path)):
        return True
    said = (change for change in _changes(program, path) if not _says_nothing(context, change.node))
    found = [change for change in said if not only_keeps(program, path, change.place, change.node)]
    one = _Pass(program, path) if found else None
    works = bool(found) and is_worker(program, path)
    said = (change for change in found if not works or not notes_on_job(program, path, change.node))
    left = [change for change in said if one is not None and one.leaves(change)]
    if one is not None and goes_through(program, path.node):
        left = [c for c in left if not _is_handed_along(one, c) and _may_be_answered(program, path, c)]
    return any(not kept_to_itself(program, path, change.place, change.node) for change in left)


def _is_handed_along(one: _Pass, change: _Change) -> bool:
    """Whether something is given another value by each thing that the loop goes over, for the next one (the end of the
    last chapter, the summary so far, the state of a record): what there is to do was known before.
    """
    return not _lengthens(one.program, change) and not one.takes_over(change)


def _may_be_answered(program: Program, path: Path, change: _Change) -> bool:
    """Whether what is added may come from a model's answer: what is only noted of the things that a loop goes over (the
    files that came with each, the names of their groups) is no conversation.
    """
    node, asks = change.node, {id(ask.node) for ask in path.asks}
    added = [argument.value for argument in node.args] if isinstance(node, ir.Call) else []
    added += [node.value] if isinstance(node, ir.Assign) and node.value is not None else []
    found = [end for each in added for end in ends(program, each)]
    return any(id(end.node) in asks for end in found) or all(end.kind == "unknown" for end in found)


def answers_passed_on(program: Program, path: Path) -> Iterator[ir.Expr]:
    """What a recursion calls itself with that its model answered, for a parameter that the model is asked with."""
    first = path.node
    if not isinstance(first, ir.Function):
        return
    asks = {id(ask.node) for ask in path.asks}
    wanted = [param for param in first.params if (owner_of(first), param.name) in path.asked]
    sites = [site for site in program.callers(first) if id(site.call) in path.passes and not site.escapes]
    for given in (passed_argument(site, first, param) for site in sites for param in wanted):
        if given is not None and not isinstance(given, Unknown):
            yield from (given for end in ends(program, given) if id(end.node) in asks)


def grown(context: Context, path: Path) -> tuple[tuple[Place, ir.Node], ...]:
    """The places that passes of a loop make longer and that the model is asked with, each with what does it."""
    one = _Pass(context.program, path)
    found: dict[Place, ir.Node] = {}
    for change in _changes(context.program, path):
        longer = (_lengthens(context.program, change) and not counts_on(change.node)) or one.takes_over(change)
        if longer and one.leaves(change) and _is_handed_on(path, change.place):
            found.setdefault(change.place, change.node)
    return tuple(found.items())


def _is_handed_on(path: Path, place: Place) -> bool:
    """Whether a recursion gives itself the place; a loop's place is there in every pass."""
    if not isinstance(path.node, ir.Function):
        return True
    functions = (path.node, *(function for function, _ in path.members.called))
    return any(place == (owner_of(f), param.name) for f in functions for param in f.params)


def _lengthens(program: Program, change: _Change) -> bool:
    """Whether a change adds to what is there: `x.append(y)`, `x += y`, `x = [*x, y]`. A statement for a store that is
    put together adds to no list of the program's (`db.insert(notes).values(row)`).
    """
    match change.node:
        case ir.Call(callee=ir.Member(name=name)):
            return name not in SETTING and not (name in STATING and _goes_on_with(program, change.node))
        case ir.Assign(op=ir.Op.ADD):
            return True
        case ir.Assign(op=None, value=ir.List(items=items)):
            spread = [item.value for item in items if isinstance(item, ir.Spread)]
            return any(callee_name(each) == change.place[1] for each in spread)
        case ir.Assign(op=None, value=ir.Operator(op=ir.Op.ADD, operands=operands)):
            return any(callee_name(each) == change.place[1] for each in operands)
        case _:
            return False


def _goes_on_with(program: Program, call: ir.Call) -> bool:
    """Whether what a call gives back is asked for more, or the call is given one thing alone: no list's `insert`."""
    around = program.structure(program.scope_of(call)).parent(call)
    return (isinstance(around, ir.Member) and around.target is call) or len(call.args) == 1


def _says_nothing(context: Context, change: ir.Node) -> bool:
    """Whether a change brings in nothing that was answered."""
    return adds_constant(change) or counts_on(change) or sets_client(context, change)


def _changes(program: Program, path: Path) -> Iterator[_Change]:
    groups = ((None, path.extent.own), *path.extent.called)
    for function, nodes in groups:
        for place, node in changed(program, nodes):
            if place in path.asked:
                yield _Change(place, node, function)


class _Pass:
    """What begins anew with each pass of a loop or recursion."""

    def __init__(self, program: Program, path: Path) -> None:
        self.program = program
        self._path = path
        self._nodes = {id(node) for node in path.extent.nodes()}
        self._entered = {owner_of(function) for function, _ in path.extent.called}
        self._members = {owner_of(path.scope), *(owner_of(function) for function, _ in path.members.called)}
        called = (function for function, _ in path.members.called)
        functions = (path.node, *called) if isinstance(path.node, ir.Function) else ()
        self._alone = frozenset(owner_of(each) for each in functions if self._begins_alone(each))
        self._lasting = self._on_lasting_objects()

    def leaves(self, change: _Change) -> bool:
        """Whether the next pass finds what a change did."""
        owner, name = change.place
        if isinstance(self._path.node, ir.Function):
            return owner not in self._entered or (owner in self._members and owner not in self._alone)
        root = _changed_object(change)
        if root is not None and self._is_given(root):
            return False
        if owner.startswith("."):
            if root is not None and (self._is_answered(root) or self._is_let_go(root, change)):
                return False
            anew = begins_anew(self.program, self._path.node, self._path.extent, change.place, change.node)
            return not anew and not (root is not None and self._is_of_new_object(root, change.function))
        if owner != owner_of(self._path.scope):
            return owner not in self._entered
        # A recursion into the loop's own function has variables of its own.
        return change.function is not self._path.scope and self._outlives(name, change.node)

    def _begins_alone(self, function: ir.Function) -> bool:
        """Whether a recursion begins a function again with no argument: none of its variables outlives a pass."""
        again = [site for site in self.program.callers(function) if id(site.call) in self._path.passes]
        return bool(again) and not any(site.escapes or site.call.args for site in again)

    def takes_over(self, change: _Change) -> bool:
        """Whether a place is replaced by the conversation that a call hands back which was given it."""
        node = change.node
        if not isinstance(node, ir.Assign) or node.op or node.value is None or not hands_back(node.value):
            return False
        return self._is_part_of_answer(node.value, change.place[1], some=True)

    def _outlives(self, name: str, change: ir.Node) -> bool:
        """Whether a variable of the loop's own scope is carried on, not started anew."""
        bindings = self.program.bindings(self._path.scope).get(name, ())
        if any(b.kind == "loop" and b.node is self._path.node for b in bindings):
            return False  # what the loop runs over gives it anew
        inside = [
            b.node
            for b in bindings
            if self._path.node.span.contains(b.node.span) and not isinstance(b.node, ir.Function)
        ]
        if any(isinstance(node, ir.Assign) and node.declares for node in inside):
            return False
        fresh = [
            node
            for node in inside
            if isinstance(node, ir.Assign) and not node.op and not self._carries_on(node.value, name)
        ]
        if any(node is not change and (node.span < change.span or self._is_last(node)) for node in fresh):
            return False
        if change in fresh:
            # Replaced by something that does not carry it on: only what the model is asked with next counts.
            return self._is_read_before(name, change)
        return True

    def _is_last(self, node: ir.Node) -> bool:
        """Whether every pass that goes on does this: it stands in the loop's own body, and no `continue` before it."""
        body = self._path.node.body
        before = next((body[:at] for at, each in enumerate(body) if each is node), None)
        return before is not None and not some_go_round(*before)

    def _carries_on(self, value: ir.Expr | None, name: str) -> bool:
        """Whether a value is made of what the variable holds: `history[-9:]`, or `result.history` after
        `result = run(history)`.
        """
        return value is not None and (mentions(value, name) or self._is_part_of_answer(value, name, some=True))

    def _is_part_of_answer(self, value: ir.Expr, name: str, *, some: bool = False) -> bool:
        """Whether a value is a part of what each (or some) call in this pass gave back that was given the variable."""
        root = root_of(value.callee if isinstance(value, ir.Call) else value)
        bound = visible_bindings(self.program, root) if root is not None and root is not value else ()
        calls = [_awaited(b.value) for b in bound if self._path.node.span.contains(b.node.span)]
        given = [isinstance(call, ir.Call) and self._is_told(call, name) for call in calls]
        return any(given) if some else bool(given) and all(given)

    def _is_told(self, call: ir.Call, name: str) -> bool:
        """Whether a call is given a variable, or what this pass made of it: `turn = history + [said]; run(turn)`."""
        told = (argument.value for argument in call.args if isinstance(argument.value, ir.Name))
        made = (b for each in told for b in visible_bindings(self.program, each) if b.kind == "assign")
        here = (b.value for b in made if self._path.node.span.contains(b.node.span))
        return mentions(call, name) or any(value is not None and mentions(value, name) for value in here)

    def _is_answered(self, root: ir.Name) -> bool:
        """Whether what a variable shares with an object is part of an answer: the next pass gets another one."""
        values = (b.value for b in visible_bindings(self.program, root))
        return any(value is not None and self._is_part_of_answer(value, root.id) for value in values)

    def _is_let_go(self, root: ir.Name, change: _Change) -> bool:
        """Whether an object is replaced only in a called function's own variable: `tool = tool.init()`."""
        is_replaced = isinstance(change.node, ir.Assign) and change.node.target is root
        return is_replaced and any(owner in self._entered for owner, _ in places_at(self.program, root))

    def _is_read_before(self, name: str, change: ir.Node) -> bool:
        """Whether the loop reads the variable before this pass replaces it: then the next pass sees what this one
        made.
        """
        before = (change.span.line, change.span.col)
        return any(
            isinstance(node, ir.Name) and node.id == name and (node.span.line, node.span.col) < before
            for node in self._path.extent.own
        )

    # ------------------------------------------------------------------------------------------------------- objects
    def _is_of_new_object(self, root: ir.Name, function: ir.Function | None) -> bool:
        if root.id in {"self", "cls"}:
            return function is not None and id(function) not in self._lasting
        return self._is_new(root)

    def _is_given(self, root: ir.Name, through: int = HANDED_ON) -> bool:
        """Whether a name is the one thing that this pass is about: what the loop runs over gives another each time."""
        bindings = visible_bindings(self.program, root)
        if any(b.kind == "loop" and b.node is self._path.node for b in bindings):
            return True
        if through and bindings and all(self._is_portion(b, through - 1) for b in bindings):
            return True
        arguments = [found for b in bindings for found in self._passed(b)] if through else []
        return bool(arguments) and all(isinstance(a, ir.Name) and self._is_given(a, through - 1) for a in arguments)

    def _is_portion(self, binding: Binding, through: int) -> bool:
        """Whether a name stands for a part of what the loop goes over that no other pass has: `rows[at : at + size]`,
        `rows[at]`, and each thing in it.
        """
        if binding.kind == "loop" and isinstance(binding.node, ir.Loop):
            source = binding.node.source
            among = [argument.value for argument in source.args] if isinstance(source, ir.Call) else [source]
            return any(isinstance(each, ir.Name) and self._is_given(each, through) for each in among)
        return binding.kind == "assign" and not binding.steps and is_portion(binding.value, self._path.node)

    def _passed(self, binding: Binding) -> Iterator[ir.Expr | Unknown | None]:
        """What the calls of the pass give to a parameter."""
        function, param = binding.node, binding.extra
        if isinstance(function, ir.Function) and isinstance(param, ir.Parameter):
            sites = (site for site in self.program.callers(function) if id(site.call) in self._nodes)
            yield from (passed_argument(site, function, param) for site in sites)

    def _on_lasting_objects(self) -> frozenset[int]:
        """The called functions that may run on an object which outlives the pass."""
        called = {id(function): nodes for function, nodes in self._path.extent.called}
        found: set[int] = set()
        queue = [self._path.extent.own]
        for nodes in queue:
            for call in (node for node in nodes if isinstance(node, ir.Call)):
                for function in self.program.callees(call):
                    if id(function) in called and id(function) not in found and not self._makes(call, function):
                        found.add(id(function))
                        queue.append(called[id(function)])
        return frozenset(found)

    def _makes(self, call: ir.Call, function: ir.Function) -> bool:
        """Whether a call makes the object that the function runs on, or runs on one that this pass made."""
        if function.name == CONSTRUCTOR and not isinstance(call.callee, ir.Member):
            return True
        handed = (argument.value for argument in call.args if callee_name(argument.value) == function.name)
        methods = [each for each in (*handed, call.callee) if isinstance(each, ir.Member)]
        return bool(methods) and self._is_new(methods[0].target)

    def _is_new(self, expr: ir.Expr, through: int = HANDED_ON) -> bool:
        """Whether an expression is an object that this pass made, or the one thing that this pass is about."""
        if isinstance(expr, ir.Name):
            if self._is_given(expr) or self._holds_copies(expr):
                return True
            bindings = visible_bindings(self.program, expr)
            handed = [found for b in bindings for found in self._passed(b)] if through else []
            new = (not isinstance(e, Unknown) and e is not None and self._is_new(e, through - 1) for e in handed)
            if handed and all(new):
                return True
            if not bindings or not all(
                b.kind == "parameter" or isinstance(_awaited(b.value), ir.Call) for b in bindings
            ):
                return False
        elif not isinstance(expr, ir.Call):
            return False
        values = [v for v in self.program.value_of(expr) if not (isinstance(v, Unknown) and self._only_makes(expr))]
        return bool(values) and all(
            isinstance(value, Instance) and value.call is not None and id(value.call) in self._nodes for value in values
        )

    def _only_makes(self, expr: ir.Expr) -> bool:
        """Whether an expression is what classes made that were called here, whichever of them it was."""
        bound = [b.value for b in visible_bindings(self.program, expr)] if isinstance(expr, ir.Name) else [expr]
        calls = [call for value in bound if isinstance(call := _awaited(value), ir.Call)]
        callees = [value for call in calls for value in self.program.value_of(call.callee)]
        known = [value for value in callees if not isinstance(value, (Unknown, Const))]
        return len(calls) == len(bound) and bool(known) and all(isinstance(value, ClassValue) for value in known)

    def _holds_copies(self, name: ir.Name) -> bool:
        """Whether a variable is a collection of a called function, and all that is put there is copied."""
        scope = self.program.scope_of(name)
        bindings = self.program.bindings(scope).get(name.id, ())
        if owner_of(scope) not in self._entered or not all(_is_empty(b.value) for b in bindings) or not bindings:
            return False
        stores = self.program.structure(scope).stores
        put = [store.value for store in stores if _is_element_of(store.target, name.id)]
        return bool(put) and all(isinstance(v, ir.Call) and callee_name(v.callee) in COPYING for v in put)


def _is_empty(value: ir.Expr | None) -> bool:
    return (isinstance(value, ir.Map) and not value.entries) or (isinstance(value, ir.List) and not value.items)


def _is_element_of(target: ir.Expr, name: str) -> bool:
    return isinstance(target, ir.Index) and isinstance(target.target, ir.Name) and target.target.id == name


def _changed_object(change: _Change) -> ir.Name | None:
    """The name that what is changed begins with: `x` of `x.y[0] = z` and of `x.y.append(z)`."""
    match change.node:
        case ir.Call(callee=ir.Member(target=target)):
            return root_of(target)
        case ir.Assign(target=ir.Name() as name) if change.place[0].startswith("."):
            return name
        case ir.Assign(target=target):
            parts = [leaf.place for leaf in leaves(target) if not isinstance(leaf.place, ir.Name)]
            named = [part for part in parts if callee_name(part) == change.place[1]]
            return next((root for part in (*named, *parts) if (root := root_of(part)) is not None), None)
        case _:
            return None


def _awaited(expr: ir.Expr | None) -> ir.Expr | None:
    return expr.value if isinstance(expr, ir.Await) else expr
