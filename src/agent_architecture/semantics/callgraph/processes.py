"""Which files of a project can run in one process: those that some file leads to by imports.

A project may hold several programs, each with a file that starts it. What one of them switches on says nothing of the
others; but files are also loaded by names that are not in the code, so two are apart only where both are started alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.reached import reached
from agent_architecture.names.select import imports_of
from agent_architecture.sources.languages import CODE, is_notebook
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from agent_architecture.semantics.matching.context import Context


class Programs:
    """Answers whether two files are parts of different programs. Reads imports when it is first asked."""

    def __init__(self, context: Context) -> None:
        program = context.program
        self._context = context
        self._modules = {m.path: m for m in program.modules if m.language in CODE}
        self._specifiers = program.exports.specifiers
        self._loads: dict[str, list[str]] | None = None
        self._importers: dict[str, list[str]] | None = None
        self._loaded_beside: dict[str, tuple[frozenset[str], bool]] = {}
        self._starts: frozenset[str] | None = None
        self._started: frozenset[str] | None = None

    def apart(self, one: str, other: str) -> bool:
        """Whether each of two files is started by programs of its own, and none loads both."""
        return self.is_started_without(one, other) and other in self._in_programs()

    def is_started_without(self, one: str, other: str) -> bool:
        """Whether programs start the one file, and nothing loads both."""
        if one == other or one not in self._modules or other not in self._modules:
            return False
        beside, is_started = self._beside(one)
        return is_started and other not in beside

    def is_started_alone(self, path: str) -> bool:
        """Whether a file does something when it is started, and no other one loads it."""
        return path in self._starting() and not self._loaders()[path]

    def beside(self, path: str) -> frozenset[str]:
        """All that some file loads together with this one."""
        return self._beside(path)[0] if path in self._modules else frozenset({path})

    def load_any(self, path: str, files: AbstractSet[str]) -> bool:
        """Whether something that loads a file loads one of these, too: a program without them has nothing to do with
        what they hold.
        """
        return not files.isdisjoint(self.beside(path))

    def beside_any(self, files: Iterable[str]) -> frozenset[str]:
        """All that is loaded together with one of these files."""
        return frozenset().union(*map(self.beside, files))

    def around(self, path: str) -> frozenset[str]:
        """A file, those that load it, directly or through others, and what each of these imports by itself."""
        if path not in self._modules:
            return frozenset({path})
        loading, edges = _closure(self._loaders(), (path,)), self._edges()
        return loading | {target for one in loading for target in edges[one]}

    def _beside(self, path: str) -> tuple[frozenset[str], bool]:
        """All that some file loads together with this one, and whether one of those files runs something."""
        if path not in self._loaded_beside:
            loading = _closure(self._loaders(), (path,))
            self._loaded_beside[path] = _closure(self._edges(), loading), not self._starting().isdisjoint(loading)
        return self._loaded_beside[path]

    def _in_programs(self) -> frozenset[str]:
        """All that the files load which run something."""
        if self._started is None:
            self._started = _closure(self._edges(), self._starting())
        return self._started

    def _edges(self) -> Mapping[str, Sequence[str]]:
        """What each file loads."""
        if self._loads is None:
            self._loads = {
                path: [target for target in self._loaded_by(module) if target in self._modules]
                for path, module in self._modules.items()
            }
        return self._loads

    def _loaders(self) -> Mapping[str, Sequence[str]]:
        """The files that load each file."""
        if self._importers is None:
            self._importers = {path: [] for path in self._modules}
            for path, targets in self._edges().items():
                for target in targets:
                    self._importers[target].append(path)
        return self._importers

    def _loaded_by(self, module: ir.Module) -> Iterator[str]:
        """What a file imports, with the packages around it, which Python loads first."""
        yield from imports_of(self._specifiers, module)
        if module.language is Language.PYTHON:
            folder = module.path.rpartition("/")[0]
            while folder:
                yield f"{folder}/__init__.py"
                folder = folder.rpartition("/")[0]

    def _starting(self) -> frozenset[str]:
        """The files that run something when they are started."""
        if self._starts is None:
            scopes = (self._context.program.scope_of(m.node) for m in self._context.of_kind("run", "model_call"))
            outside = {scope.path for scope in scopes if isinstance(scope, ir.Module)}
            self._starts = frozenset(p for p, module in self._modules.items() if p in outside or runs_itself(module))
        return self._starts


def _closure(edges: Mapping[str, Sequence[str]], start: Iterable[str]) -> frozenset[str]:
    """The files to start from and all that the edges lead to."""
    return frozenset(reached(start, lambda each: edges[each]))


def runs_itself(module: ir.Module) -> bool:
    """Whether a file does something of its own when it is started: under `__name__ == "__main__"`, a notebook, or a
    statement that calls one of its functions, outside of all functions.
    """
    if is_notebook(module.path):
        return True
    own = {function.name for function in module.index.functions if function.outer is module} - {""}
    for statement in module.body:
        if isinstance(statement, ir.If) and is_main_test(statement):
            return True
        calls = ir.walk(statement) if isinstance(statement, (ir.Call, ir.Await)) else ()
        if any(isinstance(n, ir.Call) and isinstance(n.callee, ir.Name) and n.callee.id in own for n in calls):
            return True
    return False


def is_main_test(statement: ir.If) -> bool:
    """Whether a branch is taken where its file is started: `if __name__ == "__main__":`."""
    return asks_if_main(statement.test)


def asks_if_main(test: ir.Expr) -> bool:
    """Whether a test asks if its file is the one that was started."""
    return any(map(_is_main, ir.walk(test)))


def _is_main(node: ir.Node) -> bool:
    """`__name__ == "__main__"`, `require.main === module`, `import.meta.main`."""
    if isinstance(node, ir.Member):
        return node.name == "main"
    return isinstance(node, ir.Name) and node.id == "__name__"
