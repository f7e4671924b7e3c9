"""Credentials that are read only where a caller hands nothing in, and every caller does: `key or os.environ["KEY"]`,
`if client is None: client = Client(os.environ["KEY"])`.

A function that nobody in the project calls hands nothing on, but one that answers requests; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import CONSTRUCTOR, methods_written
from agent_architecture.names.null_checks import no_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.test_parts import has, lacks
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.presence_tests import is_missing
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.credentials.reads import Read

OWN: Final = ("self.", "this.")
DEEP: Final = 4
"""Functions in each other that hand on what they are given."""


class Fallbacks:
    """Answers for reads; `served` says which functions answer requests."""

    def __init__(self, context: Context, served: Served) -> None:
        self._context = context
        self._served = served

    def is_never_taken(self, read: Read, names: frozenset[str]) -> bool:
        """Whether what is read is never used for want of something better; `names` are those that hold it."""
        if isinstance(read.scope, ir.Function):
            return self._is_spared(read.node, read.scope)
        uses = list(self._uses(read, names)) if isinstance(read.scope, ir.Module) else []
        return bool(uses) and all(self._is_spared(*use) for use in uses)

    def _uses(self, read: Read, names: frozenset[str]) -> Iterator[tuple[ir.Expr, ir.Scope]]:
        """Where the program speaks of what a module holds, as what it is or as a part of that module."""
        program = self._context.program
        for module in program.modules:
            file = program.table.file(module.path)
            if module.role is not Role.APP or file is None or not any(name.encode() in file.data for name in names):
                continue
            for scope in module.code:
                targets = {id(n.target) for n in program.structure(scope).nodes if isinstance(n, ir.Assign)}
                for node in program.structure(scope).nodes:
                    is_one = isinstance(node, (ir.Name, ir.Member)) and callee_name(node) in names
                    if is_one and id(node) not in targets and not read.node.span.contains(node.span):
                        assert isinstance(node, (ir.Name, ir.Member))  # noqa: S101 - for the type checker
                        yield node, scope

    def _is_spared(self, node: ir.Node, scope: ir.Scope) -> bool:
        return isinstance(scope, ir.Function) and any(
            self._is_there(name, scope) for name in self._wanting(node, scope)
        )

    def _wanting(self, node: ir.Node, scope: ir.Function) -> Iterator[str]:
        """What has to be missing where a node is worked out, as it is written."""
        child: ir.Node = node
        for around in self._context.program.structure(scope).ancestors(node):
            if isinstance(around, ir.Operator) and around.op in {ir.Op.OR, ir.Op.NULLISH}:
                before = (one for one in around.operands if one.span < child.span)
                yield from (name for one in before if (name := dotted(one)))
            child = around
        for part in conditions_of(self._context).at(node):
            if isinstance(part, Condition):
                asked = lacks(part.expr)
                name = dotted(has(part.expr) if asked is None else asked)
                if name and is_missing(part, name):
                    yield name

    def _is_there(self, name: str, scope: ir.Function) -> bool:
        """Whether what a function calls so is there whenever it is run: every call gives it, or every making of the
        object does.
        """
        if name.startswith(OWN):
            return self._is_kept(name.partition(".")[2], scope)
        return "." not in name and self._is_given(name, scope, DEEP)

    def _is_kept(self, attribute: str, scope: ir.Function) -> bool:
        cls = scope.outer
        methods = methods_written(cls) if isinstance(cls, ir.Class) else ()
        constructor = next((method for method in methods if method.name == CONSTRUCTOR), None)
        if constructor is None:
            return False
        stores = [
            node.value.id
            for node in self._context.program.structure(constructor).nodes
            if isinstance(node, ir.Assign)
            and isinstance(node.target, ir.Member)
            and dotted(node.target) in {f"{own}{attribute}" for own in OWN}
            and isinstance(node.value, ir.Name)
        ]
        return bool(stores) and all(self._is_given(name, constructor, DEEP) for name in stores)

    def _is_given(self, name: str, function: ir.Function, left: int) -> bool:
        program = self._context.program
        param = next((one for one in function.params if one.name == name and not one.kind), None)
        if param is None or not left:
            return False
        sites = [site for site in program.callers(function) if program.module_of(site.scope).role is Role.APP]
        if not sites:
            return left < DEEP and not self._served.answers(function)
        return all(self._gives(site, function, param, left) for site in sites)

    def _gives(self, site: CallSite, function: ir.Function, param: ir.Parameter, left: int) -> bool:
        value = passed_argument(site, function, param)
        if value is None or isinstance(value, Unknown):
            return False
        if isinstance(value, ir.Literal):
            return bool(value.value)
        within = site.scope
        if isinstance(value, ir.Name) and any(one.name == value.id for one in _params(within)):
            return isinstance(within, ir.Function) and self._is_given(value.id, within, left - 1)
        return not no_value(value)


def _params(scope: ir.Scope) -> tuple[ir.Parameter, ...]:
    return scope.params if isinstance(scope, ir.Function) else ()
