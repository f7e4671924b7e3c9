"""Which files of a project can run in one process: those that some file leads to by imports.

A project may hold several programs, each with a file that starts it. What one of them switches on says nothing of the
others; but files are also loaded by names that are not in the code, so two are apart only where both are started alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.select import imports_of
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.context import Context


class Programs:
    """Answers whether two files are parts of different programs. Reads imports when it is first asked."""

    def __init__(self, context: Context) -> None:
        program = context.program
        self._context = context
        self._modules = {m.path: m for m in program.modules if m.language in CODE}
        self._specifiers = program.exports.specifiers
        self._reached: dict[str, frozenset[str]] = {}
        self._loaded_beside: dict[str, tuple[frozenset[str], bool]] = {}
        self._starts: frozenset[str] | None = None
        self._started: frozenset[str] | None = None

    def apart(self, one: str, other: str) -> bool:
        """Whether each of two files is started by programs of its own, and none loads both."""
        if one == other or one not in self._modules or other not in self._modules:
            return False
        beside, is_started = self._beside(one)
        return is_started and other not in beside and other in self._in_programs()

    def beside(self, path: str) -> frozenset[str]:
        """All that some file loads together with this one."""
        return self._beside(path)[0] if path in self._modules else frozenset({path})

    def _beside(self, path: str) -> tuple[frozenset[str], bool]:
        """All that some file loads together with this one, and whether one of those files runs something."""
        if path not in self._loaded_beside:
            loading = [each for each in self._modules if path in self._reach(each)]
            found = frozenset(inner for each in loading for inner in self._reach(each))
            self._loaded_beside[path] = found, not self._starting().isdisjoint(loading)
        return self._loaded_beside[path]

    def _in_programs(self) -> frozenset[str]:
        """All that the files load which run something."""
        if self._started is None:
            self._started = frozenset(inner for path in self._starting() for inner in self._reach(path))
        return self._started

    def _reach(self, path: str) -> frozenset[str]:
        """The file and all that it loads."""
        if path not in self._reached:
            found = {path}
            queue = [path]
            while queue:
                for target in self._edges(queue.pop()):
                    if target not in found and target in self._modules:
                        found.add(target)
                        queue.append(target)
            self._reached[path] = frozenset(found)
        return self._reached[path]

    def _edges(self, path: str) -> Iterator[str]:
        """What a file imports, with the packages around it, which Python loads first."""
        module = self._modules[path]
        yield from imports_of(self._specifiers, module)
        if module.language is Language.PYTHON:
            folder = path.rpartition("/")[0]
            while folder:
                yield f"{folder}/__init__.py"
                folder = folder.rpartition("/")[0]

    def _starting(self) -> frozenset[str]:
        """The files that run something when they are started."""
        if self._starts is None:
            scopes = (self._context.program.scope_of(m.node) for m in self._context.of_kind("run", "model_call"))
            outside = {scope.path for scope in scopes if isinstance(scope, ir.Module)}
            self._starts = frozenset(p for p, module in self._modules.items() if p in outside or _runs_itself(module))
        return self._starts


def _runs_itself(module: ir.Module) -> bool:
    """Whether a file does something of its own when it is started: under `__name__ == "__main__"`, a notebook, or a
    statement that calls one of its functions, outside of all functions.
    """
    if module.language is Language.NOTEBOOK:
        return True
    own = {function.name for function in module.index.functions if function.outer is module} - {""}
    for statement in module.body:
        if isinstance(statement, ir.If) and any(_is_main(node) for node in ir.walk(statement.test)):
            return True
        calls = ir.walk(statement) if isinstance(statement, (ir.Call, ir.Await)) else ()
        if any(isinstance(n, ir.Call) and isinstance(n.callee, ir.Name) and n.callee.id in own for n in calls):
            return True
    return False


def _is_main(node: ir.Node) -> bool:
    """`__name__ == "__main__"`, `require.main === module`, `import.meta.main`."""
    if isinstance(node, ir.Member):
        return node.name == "main"
    return isinstance(node, ir.Name) and node.id == "__name__"
