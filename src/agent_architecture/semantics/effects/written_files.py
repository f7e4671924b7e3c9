"""Text that code writes into a file, for a file that it names again: a script that an interpreter is started on.

Looks in one function at a time, and says nothing of who wrote the text.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

ON_FILE: Final = frozenset({"write", "write_text", "write_bytes", "writelines"})
"""Methods of a file, or of a path, that write what they are given."""
AT_PATH: Final = frozenset({"writeFile", "writeFileSync"})
"""Functions that are given a path, and what to write there."""
DEPTH: Final = 3
"""Assignments that a name is followed through: `path = folder / "x.py"`, `name = file.name`."""

SCRIPT: Final = regex(
    r"^[^\s<>*?\"|]*[^\s<>*?\"|/\\]\.(?:pyw?|ipynb|[cm]?[jt]sx?|(?:ba|z)?sh|ps1|rb|pl|php|bat|cmd|lua|r)$",
    re.IGNORECASE,
)
"""A text that names a program by its ending; other files are what programs are given."""


def written_to(program: Program, call: ir.Call, path: ir.Expr) -> Iterator[ir.Expr]:
    """What the function around a call writes into the file at `path`."""
    wanted = _names(program, path)
    for other in program.structure(program.scope_of(call)).calls if wanted else ():
        match other:
            case ir.Call(callee=ir.Member(name=name, target=file), args=(text, *_)) if name in ON_FILE:
                if wanted & _names(program, file):
                    yield text.value
            case ir.Call(callee=ir.Member(name=name) | ir.Name(id=name), args=(file, text, *_)) if name in AT_PATH:
                if wanted & _names(program, file.value):
                    yield text.value
            case _:
                continue


def _names(program: Program, expr: ir.Expr) -> frozenset[str]:
    """The variables that an expression is made of, those that these are made of, and the programs named there."""
    found: set[str] = set()
    queue = deque([(expr, 0)])
    while queue:
        node, depth = queue.popleft()
        found.update(text for inner in ir.walk(node) if (text := _script(inner)))
        for name in (inner for inner in ir.walk(node) if isinstance(inner, ir.Name)):
            bindings = visible_bindings(program, name)
            if name.id in found or not bindings or any(binding.kind in {"import", "class"} for binding in bindings):
                continue
            found.add(name.id)
            if depth < DEPTH:
                queue.extend((binding.value, depth + 1) for binding in bindings if binding.value is not None)
    return frozenset(found)


def _script(node: ir.Node) -> str:
    """The name of a program where it is written out: `"answer.py"`."""
    text = node.value if isinstance(node, ir.Literal) else ""
    return text if isinstance(text, str) and SCRIPT.search(text) else ""
