"""Program texts that are only compiled, to see whether they can be: what comes of it is run by nobody.

`new vm.Script(text)` or `compile_restricted(text, name, "exec")` whose result is thrown away says that the syntax is
right; only who runs a program executes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

MAKING: Final = regex(r"(?:Function|Script|SourceTextModule)$|^compile")
"""Names of calls that make a program of a text, for others to run."""


def is_only_checked(program: Program, call: ir.Node) -> bool:
    """Whether a call makes a program that nobody takes: it stands alone, or in a variable that nobody reads."""
    if not isinstance(call, ir.Call) or not MAKING.search(callee_name(call.callee)):
        return False
    scope = program.scope_of(call)
    structure = program.structure(scope)
    if structure.is_statement(call):
        return True
    store = structure.parent(call)
    if not isinstance(store, ir.Assign) or store.value is not call or not isinstance(store.target, ir.Name):
        return False
    names = [node for node in ir.walk(*scope.body) if isinstance(node, (ir.Name, ir.Function))]
    return isinstance(scope, ir.Function) and not any(
        isinstance(node, ir.Function) or (node.id == store.target.id and node is not store.target) for node in names
    )
