"""What leaves: statements after which the next one does not run, calls that end the program, what functions answer.

The language's part of that question, by how the code is written; what rests on values and on other functions (a helper
that always raises, a test that is foregone) is for `semantics/control`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.structure import blocks
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

EXITS: Final = frozenset({"sys.exit", "os._exit", "os.abort", "process.exit", "process.abort", "Deno.exit"})
"""Members of the language's own modules that end the program."""
BARE: Final = frozenset({"exit", "quit"})
"""Python's own functions of the kind."""
OF_SWITCH: Final = "switch"
"""The label of a `break` that leaves a `switch`, not a loop (see `syntax.javascript_control`)."""
NESTED: Final = 40
"""Blocks in each other that are looked through."""


def ends_program(call: ir.Call) -> bool:
    """Whether a call ends the program: `exit(0)`, `sys.exit(1)`, `process.exit()`."""
    match call.callee:
        case ir.Name(id=name):
            return name in BARE
        case ir.Member(target=ir.Name(id=owner), name=name):
            return f"{owner}.{name}" in EXITS
        case _:
            return False


def leaves(node: ir.Node) -> bool:
    """Whether a statement leaves the loop that it stands in."""
    if isinstance(node, ir.Call):
        return ends_program(node)
    return isinstance(node, (ir.Return, ir.Raise)) or (isinstance(node, ir.Break) and node.label != OF_SWITCH)


def leaves_function(node: ir.Node) -> bool:
    """Whether a statement leaves the function that it stands in, or the program."""
    return leaves(node) and not isinstance(node, ir.Break)


def goes_round(node: ir.Node) -> bool:
    """Whether a statement goes on with the next pass of its loop."""
    return isinstance(node, ir.Continue)


def goes_no_further(node: ir.Node) -> bool:
    """Whether the statement behind this one does not run."""
    return leaves(node) or isinstance(node, (ir.Continue, ir.Break))


def some_leave(*statements: ir.Node) -> bool:
    """Whether something in these statements leaves."""
    return any(map(leaves, ir.walk(*statements)))


def some_go_round(*statements: ir.Node) -> bool:
    """Whether something in these statements goes on with a next pass."""
    return any(map(goes_round, ir.walk(*statements)))


def ends(block: tuple[ir.Node, ...]) -> bool:
    """Whether the last statement of a block leaves, or goes on with the next pass."""
    return bool(block) and (leaves(block[-1]) or goes_round(block[-1]))


def always(block: tuple[ir.Node, ...], does: Callable[[ir.Node], bool], depth: int = NESTED) -> bool:
    """Whether each way through some statements comes to one that `does` it, before the next pass of a loop."""
    for node in block if depth else ():
        if does(node):
            return True
        match node:
            case ir.Continue():
                return False
            case ir.If(then=then, otherwise=otherwise) if otherwise and all(
                always(side, does, depth - 1) for side in (then, otherwise)
            ):
                return True
            case ir.With(body=body) | ir.Block(body=body) if always(body, does, depth - 1):
                return True
            case ir.Loop(body=body, otherwise=otherwise) if always(otherwise, does, depth - 1):
                if all(always(before, does, depth - 1) for before in _before_breaks(body)):
                    return True  # `for … break … else`: a search, which stops early where it found something
            case _:
                continue
    return False


def _before_breaks(body: tuple[ir.Node, ...]) -> Iterator[tuple[ir.Node, ...]]:
    """What stands before each `break` of a loop, in its block."""
    for block in (body, *(inner for node in ir.walk(*body) for inner in blocks(node))):
        if any(isinstance(node, ir.Break) for node in block):
            yield block[: next(at for at, node in enumerate(block) if isinstance(node, ir.Break))]


def answers(nodes: Iterable[ir.Node]) -> Iterator[ir.Expr]:
    """What is returned among these nodes."""
    return (node.value for node in nodes if isinstance(node, ir.Return) and node.value is not None)


def answer_of(statement: ir.Node) -> ir.Expr | None:
    """What a statement returns; None for any other, and where it returns nothing."""
    return statement.value if isinstance(statement, ir.Return) else None


def is_answer(node: ir.Node | None) -> bool:
    """Whether what stands in a node is handed to whoever called."""
    return isinstance(node, ir.Return)


def is_raised(node: ir.Node | None) -> bool:
    """Whether what stands in a node is raised."""
    return isinstance(node, ir.Raise)


def error_of(statement: ir.Node) -> ir.Expr | None:
    """What a statement raises; None for any other, and where it raises again what it caught."""
    return statement.value if isinstance(statement, ir.Raise) else None


def some_raise(nodes: Iterable[ir.Node]) -> bool:
    """Whether something is raised among these nodes."""
    return any(map(is_raised, nodes))
